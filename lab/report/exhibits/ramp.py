# SPDX-License-Identifier: GPL-2.0
"""Long flows that come and go, held or not: On-Ramp's Fig. 5 and 24."""

import figures
from evidence import mean
from exhibit import Column, Exhibit, Grid, Plate
from exhibits.senders import schemes
from runs import Run

COST_S = {2: 10, 12: 16}
# The paper's T in its cloud, which our claims are made with, and that of its bare metal.
WIDE_US, TIGHT_US = 150, 50
MS = 10**6
# While all send: long enough for the strawman to run the queue empty several times.
TRACE_NS = (1200 * MS, 1206 * MS)
# The idle path takes a full frame so long, and each that waits before it so much longer.
BASE_US, FRAME_US = 14.8, 1.23
SCHEMES = ("fq", "strawman", "final", "onramp")
HELD = SCHEMES[1:]


def case(senders, threshold_us, scheme):
    """fq has no T."""
    return f"ramp/{senders}/fq" if scheme == "fq" else f"ramp/{senders}/{threshold_us}us/{scheme}"


def run(senders, threshold_us, scheme, seed):
    return Run(case(senders, threshold_us, scheme), "ramp",
               ("cc=cubic", f"senders={senders}", f"host={schemes(threshold_us)[scheme]}"), seed, COST_S[senders],
               TRACE_NS if scheme in HELD else ())


def runs(senders, threshold_us, seeds, names=SCHEMES):
    return tuple(run(senders, threshold_us, scheme, seed) for seed in seeds for scheme in names)


def _owd(senders, threshold_us, names=HELD):
    def figure(evidence):
        """Of the first seed: a mean of traces would show none."""
        series = {scheme: [(at / MS, BASE_US + pkts * FRAME_US) for at, pkts in evidence.results(case(senders, threshold_us, scheme))[0].trace]
                  for scheme in names}
        peak = max(owd_us for points in series.values() for _, owd_us in points)
        return figures.Traces(
            name=f"owd-{senders}", xlabel="time, ms", ylabel="OWD, us", series=series,
            levels={scheme: (threshold_us, f"T = {threshold_us} us") for scheme in series}, top=1.3 * max(peak, threshold_us),
            xrange=tuple(at / MS for at in TRACE_NS))
    return figure


def _rates(senders, threshold_us, step_ms=50):
    def figure(evidence):
        """Of one flow that stays and one that comes and goes, in steps that a line can show; the last has the flows' end in it."""
        series = {}
        for scheme in ("fq", "onramp"):
            rates = evidence.results(case(senders, threshold_us, scheme))[0].document["series"]["rates"]
            for flow, what in (("flow1", "1st"), ("flow2", "2nd")):
                slots = {}
                for at, gbps in rates.get(flow, []):
                    # A point is of the time before it.
                    slots.setdefault(int((at - 1) // step_ms), []).append(gbps)
                series[f"{figures.label(scheme)}, {what}"] = [
                    ((slot + 0.5) * step_ms / 1000, mean(slots[slot])) for slot in sorted(slots)[:-1]]
        return figures.Lines(name=f"rates-{senders}", xlabel="time, s", ylabel="goodput, Gbit/s", series=series)
    return figure


SAID = {
    2: ("5", "One-way delay of 2 CUBIC flows that are held: the strawman empties the queue again and again",
        "one flow from 0, another from 600 to 1600 ms; six of these, seed 1. The idle path takes 15 us: where the delay falls to that, the "
        "link has nothing to send.", "a fair share is half of the link. Unheld, the second flow hardly begins before the first has lost."),
    12: ("24", "One-way delay of 12 CUBIC flows that are held",
         "one flow from 0, eleven more from 600 to 1600 ms; six of these, seed 1. What twelve windows have on their way when a pause begins is "
         "above T already.", "a fair share is a twelfth of the link."),
}


def _plates(senders, threshold_us, names=HELD):
    fig, title, text, share = SAID[senders]
    return (
        Plate(f"owd-{senders}", title, f"Fig. {fig} of the paper: {text}", _owd(senders, threshold_us, names),
              tuple(case(senders, threshold_us, scheme) for scheme in names)),
        Plate(f"rates-{senders}", f"Goodput of the first flow and of the second, {senders} in all",
              f"Fig. {fig} of the paper. While all send, {share}",
              _rates(senders, threshold_us), tuple(case(senders, threshold_us, scheme) for scheme in ("fq", "onramp"))),
    )


def _grid(settings, every):
    lines = tuple((f"{senders} flows, " + (figures.label(scheme) if scheme == "fq" else f"T = {threshold_us} us, {figures.label(scheme)}"),
                   (senders, threshold_us, scheme)) for senders, threshold_us in settings for scheme in SCHEMES
                  if scheme != "fq" or threshold_us == WIDE_US)

    def of(path):
        return lambda evidence, key: evidence.mean(case(*key), path)

    def used(evidence, key):
        return evidence.ratio(case(*key), case(key[0], key[1], "fq"), "utilisation")

    return Grid(
        "ramp", "Long flows that come and go",
        "Utilisation beside fq's, which keeps the buffer full; how long the switch's queue was empty; true one-way delays and "
        "Jain's index of the fairness while all send.", "flows and hosts", lines,
        (Column("seeds", lambda evidence, key: len(evidence.seeds(case(*key))), str),
         Column("utilisation / fq's", used, "{:.4f}".format), Column("queue empty", of("owd.empty"), "{:.4f}".format),
         Column("OWD, mean, us", of("phases.during.owd.mean_us"), "{:.0f}".format), Column("OWD, p99, us", of("phases.during.owd.p99_us"), "{:.0f}".format),
         Column("fairness", of("phases.during.fairness"), "{:.3f}".format), Column("sent again", of("retransmits"), "{:.0f}".format)),
        tuple(dict.fromkeys(run.case for run in every)))


def exhibit(seeds):
    """For the report: 2 flows at the wide T with every seed, the rest with the first."""
    settings = ((2, WIDE_US), (2, TIGHT_US), (12, WIDE_US))
    every = (*runs(2, WIDE_US, seeds), *runs(2, TIGHT_US, seeds[:1], HELD), *runs(12, WIDE_US, seeds[:1]))
    return Exhibit("ramp", every, (), (*_plates(2, WIDE_US), *_plates(12, WIDE_US)), (_grid(settings, every),))


def short(seeds):
    """For the demo."""
    return Exhibit("ramp", runs(2, WIDE_US, seeds, ("fq", "strawman", "onramp")), (), _plates(2, WIDE_US, ("strawman", "onramp"))[:1])
