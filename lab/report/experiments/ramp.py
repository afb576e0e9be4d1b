# SPDX-License-Identifier: GPL-2.0
"""Long flows that come and go, held or not: On-Ramp's Fig. 5 and 24."""

import plot
import verdict
from run_data import mean
from experiment import Column, Experiment, Grid, Figure, Row, ratio_row
from experiments.senders import AUTO, MARKED, TIGHT_US, WIDE_US, automatic, schemes
from runs import Run
from table import show

COST_S = {2: 10, 12: 16}
MS = 10**6
# While all send: long enough for the strawman to run the queue empty several times.
TRACE_NS = (1200 * MS, 1206 * MS)
# The idle path takes a full frame so long, and each that waits before it so much longer.
BASE_US, FRAME_US = 14.8, 1.23
SCHEMES = ("fq", "strawman", "final", "onramp")
HELD = SCHEMES[1:]
# (senders, which of AUTO)
SELF = tuple((2, name) for name in AUTO)
# While all send, of which the beginning is not measured.
ALL_MS = (650, 1600)


def case(senders, threshold_us, scheme):
    """fq has no T; one of AUTO is its own scheme, at no number of us."""
    if scheme in AUTO:
        return f"ramp/{senders}/{scheme.replace(', ', '-').replace(' ', '-')}"
    return f"ramp/{senders}/fq" if scheme == "fq" else f"ramp/{senders}/{threshold_us}us/{scheme}"


def run(senders, threshold_us, scheme, seed):
    host = automatic(scheme) if scheme in AUTO else schemes(threshold_us)[scheme]
    return Run(case(senders, threshold_us, scheme), "ramp", ("cc=cubic", f"senders={senders}", f"host={host}"), seed, COST_S[senders],
               TRACE_NS if scheme in HELD else ())


def runs(senders, threshold_us, seeds, names=SCHEMES):
    return tuple(run(senders, threshold_us, scheme, seed) for seed in seeds for scheme in names)


def _owd(senders, threshold_us, names=HELD):
    def figure(data):
        """Of the first seed: a mean of traces would show none."""
        series = {scheme: [(at / MS, BASE_US + pkts * FRAME_US) for at, pkts in data.results(case(senders, threshold_us, scheme))[0].trace]
                  for scheme in names}
        peak = max(owd_us for points in series.values() for _, owd_us in points)
        return plot.Traces(
            name=f"owd-{senders}", xlabel="time, ms", ylabel="OWD, us", series=series,
            levels={scheme: (threshold_us, f"T = {threshold_us} us") for scheme in series}, top=1.3 * max(peak, threshold_us),
            xrange=tuple(at / MS for at in TRACE_NS))
    return figure


def _rates(senders, threshold_us, step_ms=50):
    def figure(data):
        """Of one flow that stays and one that comes and goes, in steps that a line can show; the last has the flows' end in it."""
        series = {}
        for scheme in ("fq", "onramp"):
            rates = data.results(case(senders, threshold_us, scheme))[0].document["series"]["rates"]
            for flow, what in (("flow1", "1st"), ("flow2", "2nd")):
                slots = {}
                for at, gbps in rates.get(flow, []):
                    # A point is of the time before it.
                    slots.setdefault(int((at - 1) // step_ms), []).append(gbps)
                series[f"{plot.label(scheme)}, {what}"] = [
                    ((slot + 0.5) * step_ms / 1000, mean(slots[slot])) for slot in sorted(slots)[:-1]]
        return plot.Lines(name=f"rates-{senders}", xlabel="time, s", ylabel="goodput, Gbit/s", series=series)
    return figure


SAID = {
    2: ("5", "One-way delay of 2 CUBIC flows that are held: the strawman empties the queue again and again",
        "one flow from 0, another from 600 to 1600 ms; six of these, seed 1. The idle path takes 15 us: where the delay falls to that, the "
        "link has nothing to send.", "a fair share is half of the link. Unheld, the second flow hardly begins before the first has lost."),
    12: ("24", "One-way delay of 12 CUBIC flows that are held",
         "one flow from 0, eleven more from 600 to 1600 ms; six of these, seed 1. What twelve windows have on their way when a pause begins is "
         "above T already.", "a fair share is a twelfth of the link."),
}


def _figures(senders, threshold_us, names=HELD):
    fig, title, text, share = SAID[senders]
    return (
        Figure(f"owd-{senders}", title, f"Fig. {fig} of the paper: {text}", _owd(senders, threshold_us, names),
              tuple(case(senders, threshold_us, scheme) for scheme in names)),
        Figure(f"rates-{senders}", f"Goodput of the first flow and of the second, {senders} in all",
              f"Fig. {fig} of the paper. While all send, {share}",
              _rates(senders, threshold_us), tuple(case(senders, threshold_us, scheme) for scheme in ("fq", "onramp"))),
    )


def _used_row(paper_value, scheme):
    """Of 2 flows at the paper's T."""
    def cause(data):
        empty = [data.mean(case(2, threshold_us, law), "owd.empty") * 100 for threshold_us in (TIGHT_US, WIDE_US) for law in ("final", "onramp")]
        return (f"with `law final` the queue is empty for {empty[0]:.1f} % of the time at this T and {empty[2]:.1f} % at {WIDE_US} us, with On-Ramp's own law, "
                f"which weighs what it measures of beta by the pauses, for {empty[1]:.1f} and {empty[3]:.1f} %: one GSO packet of 64 KB is 52 us long, so that "
                "a T of 50 us leaves no room for the next one")
    return ratio_row(paper_value, f"2 flows, T = {TIGHT_US} us: utilisation, {plot.label(scheme)} / fq", case(2, TIGHT_US, scheme), case(2, TIGHT_US, "fq"),
                     "utilisation", unit="of the link", kind="direction" if scheme == "strawman" else "ratio", cause=cause,
                     judge=verdict.of_direction if scheme == "strawman" else verdict.of_ratio)


def _jain(rates):
    return sum(rates) ** 2 / len(rates) / sum(rate * rate for rate in rates)


def _fair_row(under):
    over, base = case(12, TIGHT_US, "onramp"), case(12, TIGHT_US, under)

    def cause(data):
        rates = [data.results(name)[0].document["phases"]["during"]["goodput_gbps"] for name in (over, base)]
        again = [data.mean(name, "retransmits") for name in (over, base)]
        return (f"in the second while all send, the flow that was there before has {rates[0][0]:.2f} Gbit/s with On-Ramp and {rates[1][0]:.2f} with "
                f"{plot.label(under)}, a fair share being {mean(rates[0]):.2f}; among the others the index is {_jain(rates[0][1:]):.3f} and {_jain(rates[1][1:]):.3f}. "
                f"{again[0]:.0f} segments are sent again with the one, {again[1]:.0f} with the other. The paper's flows have ten seconds")
    return ratio_row("ramp-fair", f"12 flows, T = {TIGHT_US} us: Jain's index, On-Ramp / {plot.label(under)}", over, base, "phases.during.fairness", unit="of 1",
                     kind="direction", judge=verdict.of_direction, cause=cause, also=((f"T = {WIDE_US} us:", *(case(12, WIDE_US, scheme) for scheme in ("onramp", under))),))


def _swing(data, scheme, threshold_us):
    """By how much the delay moves within each step of the series while all send, us; the mean."""
    points = [point for result in data.results(case(12, threshold_us, scheme)) for point in result.document["series"]["owd"] if ALL_MS[0] < point[0] <= ALL_MS[1]]
    return mean([most - least for _, least, _, most in points])


def _swing_row():
    def numbers(data, threshold_us=TIGHT_US):
        return [_swing(data, scheme, threshold_us) for scheme in ("onramp", "strawman", "fq")]

    def ours(data, threshold_us=TIGHT_US):
        held, strawman, _ = numbers(data, threshold_us)
        return held / strawman

    def detail(data):
        return "{:.0f} / {:.0f} us; with fq {:.0f}; one seed".format(*numbers(data)) + f"; T = {WIDE_US} us: {show('ratio', ours(data, WIDE_US))}"
    cases = tuple(case(12, TIGHT_US, scheme) for scheme in ("onramp", "strawman", "fq"))
    return Row("ramp-swing", f"12 flows, T = {TIGHT_US} us: how far OWD moves within 10 ms, On-Ramp / law strawman", ours, detail, cases, verdict.of_direction,
               "direction", cause=lambda data: "twelve flows hand down 64 KB each, 52 us: one from each is 629 us, so that the queue swings whatever the law is")


def _rows():
    """What the paper says in words of Fig. 5 and 24."""
    return (*(_used_row(paper_value, scheme) for paper_value, scheme in (("ramp-strawman", "strawman"), ("ramp-final", "final"), ("ramp-final", "onramp"))),
            _swing_row(), *(_fair_row(under) for under in ("fq", "strawman")))


def _columns(pair_of):
    """pair_of(key): the case that a line is about, and fq's beside it."""
    def of(path):
        return lambda data, key: data.mean(pair_of(key)[0], path)

    return (
        Column("seeds", lambda data, key: len(data.seeds(pair_of(key)[0])), str),
        Column("utilisation / fq's", lambda data, key: data.ratio(*pair_of(key), "utilisation"), "{:.4f}".format),
        Column("one flow alone, Gbit/s", of("phases.before.total_gbps"), "{:.3f}".format),
        Column("queue empty", of("owd.empty"), "{:.4f}".format),
        Column("OWD, mean, us", of("phases.during.owd.mean_us"), "{:.0f}".format), Column("OWD, p99, us", of("phases.during.owd.p99_us"), "{:.0f}".format),
        Column("fairness", of("phases.during.fairness"), "{:.3f}".format), Column("sent again", of("retransmits"), "{:.0f}".format))


def _grid(settings, every):
    lines = tuple((f"{senders} flows, " + (plot.label(scheme) if scheme == "fq" else f"T = {threshold_us} us, {plot.label(scheme)}"),
                   (senders, threshold_us, scheme)) for senders, threshold_us in settings for scheme in SCHEMES
                  if scheme != "fq" or threshold_us == WIDE_US)
    lines += tuple((f"{senders} flows, threshold {name}", (senders, None, name)) for senders, name in SELF)
    return Grid(
        "ramp", "Long flows that come and go",
        "Utilisation beside fq's, which keeps the buffer full; what the first flow has before the others come, on an idle switch; how long the switch's "
        "queue was empty; true one-way delays and Jain's index of the fairness while all send. `threshold auto` alone leaves no room for a GSO packet of "
        "64 KB, which waits 52 us in the own card: `nic_comp on` takes that out of the delay, `margin` puts it into T.", "flows and hosts", lines,
        _columns(lambda key: (case(*key), case(key[0], key[1], "fq"))),
        tuple(dict.fromkeys(run.case for run in every)))


# What is not CUBIC, and what the switch does for it.
OTHERS = (("bbr", "BBR", ()), ("dctcp", "DCTCP, marked at 65 packets", MARKED))


def transports(seeds):
    """BBR, which paces itself by what it measures, and DCTCP, which the switch already keeps short."""
    every, lines = [], []
    for cc, title, words in OTHERS:
        for senders in (2, 12):
            names = [f"ramp/{cc}/{senders}/{scheme}" for scheme in ("fq", "onramp")]
            every += [Run(name, "ramp", (f"cc={cc}", f"senders={senders}", *words, f"host={schemes(WIDE_US)[scheme]}"), seeds[0], COST_S[senders])
                      for name, scheme in zip(names, ("fq", "onramp"))]
            lines += [(f"{senders} flows, {title}, fq", (names[0], names[0])), (f"{senders} flows, {title}, On-Ramp", (names[1], names[0]))]
    return Experiment("transports", tuple(every), (), (), (Grid(
        "transports", "Long flows of BBR and of DCTCP", f"As long flows of CUBIC, at T = {WIDE_US} us, beside fq; the first seed. A queue that "
        "the hosts keep below T by themselves, as DCTCP does here, keeps its length.", "flows and hosts", tuple(lines), _columns(lambda key: key), tuple(run.case for run in every)),))


def experiment(seeds):
    """For the report: 2 flows at the wide T with every seed, the rest with the first."""
    settings = ((2, WIDE_US), (2, TIGHT_US), (12, WIDE_US), (12, TIGHT_US))
    every = (*runs(2, WIDE_US, seeds), *runs(2, TIGHT_US, seeds[:1], HELD), *runs(12, WIDE_US, seeds[:1]), *runs(12, TIGHT_US, seeds[:1], HELD),
             *(run(senders, None, name, seed) for senders, name in SELF for seed in (seeds if senders == 2 else seeds[:1])))
    return Experiment("ramp", every, _rows(), (*_figures(2, WIDE_US), *_figures(12, WIDE_US)), (_grid(settings, every),))


STEADY = "ramp/12/auto-60s"


def steady_runs(seeds):
    """`threshold auto` over a minute, on clocks that are off by 400 ns."""
    host = "host=onramp mode hold clock system error 1us"
    words = ("cc=cubic", "senders=12", "join=5s", "leave=55s", "duration=60s", "settle=1s", "clock=own", "clock_offset=400ns", "step=1s", "poll=1s", host)
    return tuple(Run(STEADY, "ramp", words, seed, 500) for seed in seeds)


def drifts(document):
    """By what part T of each sender moved in such a run, the first sender's first."""
    return [way["max_us"] / way["min_us"] - 1 for way in document["thresholds"]]


def steady(seeds):
    """A queue that never empties must not pass for the path."""
    every = steady_runs(seeds)

    def of(path):
        return lambda data, key: data.mean(key, path)

    def ways(data, key):
        return [run.document["thresholds"] for run in data.results(key)]

    def last(data, key):
        return sum(first["last_us"] for first, *_ in ways(data, key)) / len(every)

    def drift(data, key):
        return max(drifts(run.document)[0] for run in data.results(key)) * 100

    def among(which, choose):
        return lambda data, key: choose(way[f"{which}_us"] for run in ways(data, key) for way in run)

    us = "{:.1f}".format
    return Experiment("steady", every, (), (), (Grid(
        "steady", "The threshold that finds itself, over a minute", "Twelve CUBIC flows, `threshold auto`: T as each sender's qdisc prints it once a "
        "second while all send. The first begins on an idle path, and its T is to drift by less than a tenth. The other eleven begin 5 s later on a path with a queue: "
        "the T of each is as much too high as the least queue that it has met so far, and falls when it meets a lesser one. None is to rise, as it would if "
        "the queue that is held near T were taken for the path (`selftests/lab/clocks` requires both of three seconds). Of all seeds, the largest.",
        "flows and hosts", (("12 flows, threshold auto, 60 s", STEADY),),
        (Column("T of the first sender, mean, us", last, us), Column("its drift, %", drift, us),
         Column("largest rise of the twelve, us", among("rise", max), us), Column("largest of them 1 s after the flows began, us", among("first", max), us),
         Column("at the end: least, us", among("last", min), us), Column("largest, us", among("last", max), us),
         Column("OWD, mean, us", of("phases.during.owd.mean_us"), "{:.0f}".format),
         Column("OWD, 1st percentile, us", of("phases.during.owd.p1_us"), "{:.0f}".format)), (STEADY,)),))


def short(seeds):
    """For the demo."""
    return Experiment("ramp", runs(2, WIDE_US, seeds, ("fq", "strawman", "onramp")), (), _figures(2, WIDE_US, ("strawman", "onramp"))[:1])
