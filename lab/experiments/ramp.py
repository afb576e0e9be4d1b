# SPDX-License-Identifier: GPL-2.0
"""Long flows to one receiver, more of them for part of the time: the On-Ramp paper's Fig. 5 and 24.

A flow from each sender: `first` of them last the whole duration, the others from `join` to `leave`. The paper's Fig. 5 is
the default with all times ten times as long; Fig. 24 is senders=12. The receiver's port drops at its tail when it holds
`buffer` bytes. Every sender has the qdisc `host` at its root.

`owd` is the true one-way delay of a full frame from the first sender's NIC to the receiver: the idle path's `base_us`,
and the bytes that it finds in the port's queue. No clock is read. `empty` is the share of the time in which that
queue is empty: what undershooting costs. `phases` are the times before, while and after the others send: goodput of each
flow, and Jain's index of the fairness among those that send. `series` has a point each `step`: the least, mean and
largest delay since the last one, and what each flow received; and one each `poll` of every number that the first
sender's qdisc prints of itself. `thresholds` are those of the senders' qdiscs, if they have any, in the senders' order: at the
first sample, `settle` after the sender's flow began, at the last one while all send, the least and largest of those, and the
largest rise from one to a later one.

With onramp, `holds` is what the senders' qdiscs together say of their holds, each as long as it lasted until it ended or another
took its place: `bounded` were cut to max_hold, `shortened` ended early, `new_flows` began a flow, `observed` mode observe
would have set; `packets` left later than all other rules required, by `packet_mean_us`. `owd_error` is by how much the delays that
senders went by were longer than the true ones, of one in 64 of them: the mean, and the sizes of the errors. clock_error and the
other keys of clocks say how wrong the hosts' clocks are, with clock=own. `or_acks` counts what receivers sent to senders, see rct.
"""

import itertools
import json
import os

from lab.experiments.shared import settings as common
from lab.experiments.shared.senders import AUTO, MARKED, TIGHT_US, WIDE_US, automatic, schemes
from lab.host import clocks, results
from lab.host.keys import Key, number, time
from lab.host.network import EPOCH_NS, SHORT_DELAY_NS
from lab.host.switch import LINKS
from lab.host.units import Refused, time_ns, wire_ns
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Row, Run, ratio_row
from lab.report.paper_value import CLOUDLAB, PaperValue
from lab.report.run_data import mean
from lab.report.table import show

SUMMARY = "one-way delay and rates of long flows that start and end, 2 or 12 senders to 1 receiver (On-Ramp Fig. 5, 24)"
ROWS = ("S3-3", "S3-5")
ALSO = (("overhead", "acker='every 1' host='onramp mode hold threshold 150us clock system error 1us'", "what OR-ACKs cost long flows (On-Ramp 4.1)"),)
FULL_FRAME = 1514
# Preamble, checksum and gap of a frame, bytes.
WIRE_EXTRA = 24
# One sample per line of the counters of a sender's qdisc.
POLLED = "sender-qdisc-"
KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer", "workload", "load", "conn"), cc="cubic", rtt="25us", duration="2s", rto_min="200ms",
                 shape=(Key("senders", "2", number(1, 250), "number of senders, 1 to 250"),)),
    common.BUFFER,
    common.HOST,
    common.ACKER,
    clocks.ERROR,
    Key("first", "1", number(1, 250), "flows that last the whole duration, at most one for each sender"),
    Key("join", "600ms", time("0ns", "1000s"), "when the others start"),
    Key("leave", "1600ms", time("1ms", "1000s"), "when they stop"),
    Key("settle", "50ms", time("0ns", "100s"), "how much of the beginning, and of each phase's, is not measured"),
    Key("step", "10ms", time("100us", "10s"), "from one point of the series to the next"),
    Key("poll", "100ms", time("10ms", "100s"), "time between two samples of the senders' qdiscs"),
]


class Setting(common.StarSetting):
    """A flow from each sender."""

    def __init__(self, p, seed):
        if p["first"] > p["senders"]:
            raise Refused("first: there is a flow for each sender, not more")
        if not p["settle"] < p["join"] < p["leave"] - p["settle"]:
            raise Refused("settle, join, leave: each phase must be longer than settle")
        if p["leave"] + p["settle"] >= p["duration"]:
            raise Refused("leave: the duration must go on for longer than settle")
        if p["step"] > p["duration"]:
            raise Refused("step: must not be longer than the duration")
        super().__init__({**common.tail_drop(p), "conn": "new"}, seed)
        self.series_ns = p["step"]

    def window(self):
        return self.p["settle"], self.p["duration"]

    def watches(self):
        yield from super().watches()
        for host, port in self.network.sending:
            yield f"spawn {host} poll {port} {self.p['poll'] / 10**9:g} /run/lab/result/{POLLED}{host}"

    def groups(self):
        for number_, sender in enumerate(self.star.senders, 1):
            start, end = self.sends(number_)
            yield f"group {_flow(number_)} kind=long {self.ends([sender], [self.star.receiver])} from={start}ns until={end}ns"

    def sends(self, number_):
        """When a sender's flow begins and ends."""
        p = self.p
        return (0, p["duration"]) if number_ <= p["first"] else (p["join"], p["leave"])

    def classes(self, flows):
        """All are endless."""
        return {}

    def base_ns(self):
        """One-way delay of a full frame from the first sender over the idle path."""
        return self.star.delays_ns[0] + SHORT_DELAY_NS + LINKS * wire_ns(FULL_FRAME, self.p["rate"])

    def delays(self, raw):
        """[(ns after the epoch, one-way delay of a full frame that comes to the port then), ...]"""
        base, rate_bps = self.base_ns(), self.p["rate"]
        trace = results.read_trace(os.path.join(raw, "bottleneck.trace"), EPOCH_NS)
        return [(at, base + (size + WIRE_EXTRA * pkts) * 8 * 10**9 // rate_bps) for at, pkts, size in trace]

    def more(self, raw, flows):
        p = self.p
        series = results.read_series(os.path.join(raw, "series.csv"))
        delays = self.delays(raw)
        bins = results.read_port(raw, "bottleneck").bins
        spans = (("before", p["settle"], p["join"]), ("during", p["join"] + p["settle"], p["leave"]),
                 ("after", p["leave"] + p["settle"], p["duration"]))
        polled = [self.polled(raw, host) for host, _ in self.network.sending]
        return {
            "owd": {"base_us": results.quotient(self.base_ns(), 1000), **summary(delays, *self.window()),
                    "empty": results.quotient(bins.get(0, 0), sum(bins.values()), 4)},
            "phases": {name: self.phase(series, delays, start, end, name == "during") for name, start, end in spans},
            **self.sent_again(raw),
            **drifts(polled, [self.sends(number_)[0] + p["settle"] for number_ in range(1, p["senders"] + 1)], p["leave"]),
            "sender_qdiscs": self.sender_qdiscs(raw),
            "series": {"owd": self.owd_series(delays), "rates": self.rate_series(series), "sender_qdisc": polled[0]},
        }

    def phase(self, series, delays, start, end, all_send):
        """Numbers of the time between two instants."""
        sending = range(1, (self.p["senders"] if all_send else self.p["first"]) + 1)
        sizes = [results.received(series[_flow(number_)], start, end) for number_ in sending]
        return {
            "goodput_gbps": [results.quotient(8 * size, end - start) for size in sizes],
            "total_gbps": results.quotient(8 * sum(sizes), end - start),
            "fairness": results.quotient(sum(sizes)**2, len(sizes) * sum(size * size for size in sizes), 4),
            "owd": summary(delays, start, end),
        }

    def owd_series(self, delays):
        """A list of [ms, least, mean, largest in us] of each step."""
        points, place = [], 0
        start, end = self.window()
        for until in range(start + self.p["step"], end + 1, self.p["step"]):
            first = place
            while place < len(delays) and delays[place][0] < until:
                place += 1
            found = summary(delays[first:place + 1], until - self.p["step"], until)
            points.append([results.quotient(until, 10**6), found["min_us"], found["mean_us"], found["max_us"]])
        return points

    def polled(self, raw, host):
        """A list of [ms, numbers that a sender's qdisc prints of itself]."""
        found = []
        with open(os.path.join(raw, f"{POLLED}{host}"), encoding="ascii") as file:
            for line in file:
                boot_s, snapshot = line.split(" ", 1)
                at = time_ns(f"{boot_s}s") - EPOCH_NS
                if 0 <= at < self.p["duration"]:
                    root = results.root(json.loads(snapshot))
                    found.append([results.quotient(at, 10**6), results.numbers({**root.get("options", {}), **root})])
        return found

    def rate_series(self, series):
        """A list of [ms, Gbit/s] of each flow."""
        return {name: [[results.quotient(at, 10**6), results.quotient(8 * (size - before), at - since)]
                       for (since, before), (at, size) in zip(points, points[1:]) if at > since]
                for name, points in series.items()}


def _flow(number_):
    return f"flow{number_}"


def drifts(polled, starts, end):
    """How the senders' thresholds moved, each from a time of its own to a common one, if they have any."""
    seen = [[shown["threshold_ns"] for at_ms, shown in samples if start <= at_ms * 10**6 < end and shown.get("threshold_ns")]
            for samples, start in zip(polled, starts)]
    if not any(seen):
        return {}
    return {"thresholds": [drift(marks) for marks in seen]}


def drift(marks):
    """Drift of one sender's T, in us; none if it was never seen."""
    if not marks:
        return {}
    rise = max(mark - least for mark, least in zip(marks, itertools.accumulate(marks, min)))
    named = {"first": marks[0], "last": marks[-1], "min": min(marks), "max": max(marks), "rise": rise}
    return {f"{name}_us": results.quotient(ns, 1000) for name, ns in named.items()}


def summary(delays, start, end):
    """Least, mean, percentiles and largest of delays between two times, weighted by how long they were so."""
    later = [at for at, _ in delays[1:]] + [end]
    inside = sorted((delay, min(until, end) - max(at, start)) for (at, delay), until in zip(delays, later)
                    if at < end and until > start)
    total, seen, marks = sum(ns for _, ns in inside), 0, {}
    for delay, ns in inside:
        seen += ns
        for percent in (1, 50, 99):
            if seen * 100 >= total * percent:
                marks.setdefault(percent, delay)

    def micro(value):
        return None if value is None else results.quotient(value, 1000)

    return {
        "min_us": micro(inside[0][0] if inside else None),
        "mean_us": results.quotient(sum(delay * ns for delay, ns in inside), 1000 * total),
        **{f"p{percent}_us": micro(marks.get(percent)) for percent in (1, 50, 99)},
        "max_us": micro(inside[-1][0] if inside else None),
    }


# Long flows that come and go, held or not: On-Ramp's Fig. 5 and 24.

def _ramp(figure, section, flows, what, value, says):
    return PaperValue("S3-3", figure, section, f"{CLOUDLAB}, {flows} CUBIC flows", what, value, 1, "change", says)


PAPER = {
    "ramp-strawman": _ramp("5", "3.2", 2, "utilisation, the strawman to without", 0.9, "the strawman On-Ramp leads to significant queue undershoot under T and "
                           "causes under-utilization"),
    "ramp-final": _ramp("5", "3.2", 2, "utilisation, the final On-Ramp to without", 1, "the final On-Ramp fixes this problem"),
    "ramp-swing": _ramp("24", "3.2, 10.2", 12, "fluctuations of the queue, the final On-Ramp to the strawman", 0.9, "When using the final version of On-Ramp, "
                        "most fluctuations in queue lengths are removed"),
    "ramp-fair": _ramp("24", "3.2, 10.2", 12, "fairness, the final On-Ramp to others", 1.1, "achieves better fair sharing among all flows"),
}


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
        """Trace of the first seed: a mean of traces would show none."""
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
        """Rates of one flow that stays and one that starts and ends, in steps that a line can show; the last has the flows' end in it."""
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


TITLES = {
    2: ("5", "One-way delay of 2 CUBIC flows that are held: the strawman empties the queue again and again",
        "one flow from 0, another from 600 to 1600 ms; six of these, seed 1. The idle path takes 15 us: where the delay falls to that, the "
        "link has nothing to send.", "a fair share is half of the link. Unheld, the second flow hardly begins before the first has lost."),
    12: ("24", "One-way delay of 12 CUBIC flows that are held",
         "one flow from 0, eleven more from 600 to 1600 ms; six of these, seed 1. What twelve windows have on their way when a pause begins is "
         "above T already.", "a fair share is a twelfth of the link."),
}


def _figures(senders, threshold_us, names=HELD):
    fig, title, text, share = TITLES[senders]
    return (
        Figure(f"owd-{senders}", title, f"Fig. {fig} of the paper: {text}", _owd(senders, threshold_us, names),
              tuple(case(senders, threshold_us, scheme) for scheme in names)),
        Figure(f"rates-{senders}", f"Goodput of the first flow and of the second, {senders} in all",
              f"Fig. {fig} of the paper. While all send, {share}",
              _rates(senders, threshold_us), tuple(case(senders, threshold_us, scheme) for scheme in ("fq", "onramp"))),
    )


def _used_row(paper_value, scheme):
    """A row of 2 flows at the paper's T."""
    def cause(data):
        empty = [data.mean(case(2, threshold_us, law), "owd.empty") * 100 for threshold_us in (TIGHT_US, WIDE_US) for law in ("final", "onramp")]
        return (f"with `law final` the queue is empty for {empty[0]:.1f} % of the time at this T and {empty[2]:.1f} % at {WIDE_US} us, with On-Ramp's own law, "
                f"which weighs what it measures of beta by the pauses, for {empty[1]:.1f} and {empty[3]:.1f} %: one GSO packet of 64 KB is 52 us long, so that "
                "a T of 50 us leaves no headroom for the next one")
    return ratio_row(PAPER[paper_value], f"2 flows, T = {TIGHT_US} us: utilisation, {plot.label(scheme)} / fq", case(2, TIGHT_US, scheme), case(2, TIGHT_US, "fq"),
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
    return ratio_row(PAPER["ramp-fair"], f"12 flows, T = {TIGHT_US} us: Jain's index, On-Ramp / {plot.label(under)}", over, base, "phases.during.fairness", unit="of 1",
                     kind="direction", judge=verdict.of_direction, cause=cause, also=((f"T = {WIDE_US} us:", *(case(12, WIDE_US, scheme) for scheme in ("onramp", under))),))


def _swing(data, scheme, threshold_us):
    """By how much the delay moves within each step of the series while all send, us; the mean."""
    points = [point for result in data.results(case(12, threshold_us, scheme)) for point in result.document["series"]["owd"] if ALL_MS[0] < point[0] <= ALL_MS[1]]
    return mean([most - least for _, least, _, most in points])


def _swing_row():
    def numbers(data, threshold_us=TIGHT_US):
        return [_swing(data, scheme, threshold_us) for scheme in ("onramp", "strawman", "fq")]

    def measured(data, threshold_us=TIGHT_US):
        held, strawman, _ = numbers(data, threshold_us)
        return held / strawman

    def detail(data):
        return "{:.0f} / {:.0f} us; with fq {:.0f}; one seed".format(*numbers(data)) + f"; T = {WIDE_US} us: {show('ratio', measured(data, WIDE_US))}"
    cases = tuple(case(12, TIGHT_US, scheme) for scheme in ("onramp", "strawman", "fq"))
    return Row(PAPER["ramp-swing"], f"12 flows, T = {TIGHT_US} us: how far OWD moves within 10 ms, On-Ramp / law strawman", measured, detail, cases, verdict.of_direction,
               "direction", cause=lambda data: "twelve flows hand down 64 KB each, 52 us: one from each is 629 us, so that the queue swings with any `law`")


def _rows():
    """Statements of the paper's text about Fig. 5 and 24."""
    return (*(_used_row(paper_value, scheme) for paper_value, scheme in (("ramp-strawman", "strawman"), ("ramp-final", "final"), ("ramp-final", "onramp"))),
            _swing_row(), *(_fair_row(under) for under in ("fq", "strawman")))


def _columns(pair_of):
    """pair_of(key): the case that a line is about, and fq's to compare it with."""
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
        "ramp", "Long flows that start and end",
        "The columns are the utilisation compared with fq's, which keeps the buffer full; the throughput of the first flow before the others start, on an idle switch; the share of time with an "
        "empty queue; true one-way delays and Jain's index of the fairness while all send. `threshold auto` alone leaves no headroom for a GSO packet of "
        "64 KB, which takes 52 us in the host's own NIC: `nic_comp on` subtracts that from the delay, `margin` adds it to T.", "flows and hosts", lines,
        _columns(lambda key: (case(*key), case(key[0], key[1], "fq"))),
        tuple(dict.fromkeys(run.case for run in every)))


# Other transports than CUBIC, and the switch's settings for them.
OTHERS = (("bbr", "BBR", ()), ("dctcp", "DCTCP, marked at 65 packets", MARKED))


def transports(seeds):
    """BBR, which paces itself by what it measures, and DCTCP, which the switch already keeps short."""
    every, lines = [], []
    for cc, title, arguments in OTHERS:
        for senders in (2, 12):
            names = [f"ramp/{cc}/{senders}/{scheme}" for scheme in ("fq", "onramp")]
            every += [Run(name, "ramp", (f"cc={cc}", f"senders={senders}", *arguments, f"host={schemes(WIDE_US)[scheme]}"), seeds[0], COST_S[senders])
                      for name, scheme in zip(names, ("fq", "onramp"))]
            lines += [(f"{senders} flows, {title}, fq", (names[0], names[0])), (f"{senders} flows, {title}, On-Ramp", (names[1], names[0]))]
    return Experiment("transports", tuple(every), (), (), (Grid(
        "transports", "Long flows of BBR and of DCTCP", f"As long flows of CUBIC, at T = {WIDE_US} us, compared with fq; the first seed. A queue that "
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
    arguments = ("cc=cubic", "senders=12", "join=5s", "leave=55s", "duration=60s", "settle=1s", "clock=own", "clock_offset=400ns", "step=1s", "poll=1s", host)
    return tuple(Run(STEADY, "ramp", arguments, seed, 500) for seed in seeds)


def threshold_drifts(document):
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
        return max(threshold_drifts(run.document)[0] for run in data.results(key)) * 100

    def among(which, choose):
        return lambda data, key: choose(way[f"{which}_us"] for run in ways(data, key) for way in run)

    us = "{:.1f}".format
    return Experiment("steady", every, (), (), (Grid(
        "steady", "The automatic threshold over a minute", "Twelve CUBIC flows, `threshold auto`: T as each sender's qdisc prints it once a "
        "second while all send. The first begins on an idle path, and its T must drift by less than a tenth. The other eleven begin 5 s later on a path with a queue. "
        "The T of each is too high by the shortest queue that it has met so far, and falls when it meets a shorter one. No T may rise, as it would if "
        "the queue that is kept near T were taken for the path (`selftests/lab/clocks.py` requires both for three seconds). Numbers are the largest of all seeds.",
        "flows and hosts", (("12 flows, threshold auto, 60 s", STEADY),),
        (Column("T of the first sender, mean, us", last, us), Column("its drift, %", drift, us),
         Column("largest rise of the twelve, us", among("rise", max), us), Column("largest of them 1 s after the flows began, us", among("first", max), us),
         Column("at the end: least, us", among("last", min), us), Column("largest, us", among("last", max), us),
         Column("OWD, mean, us", of("phases.during.owd.mean_us"), "{:.0f}".format),
         Column("OWD, 1st percentile, us", of("phases.during.owd.p1_us"), "{:.0f}".format)), (STEADY,)),))


def short(seeds):
    """For the demo."""
    return Experiment("ramp", runs(2, WIDE_US, seeds, ("fq", "strawman", "onramp")), (), _figures(2, WIDE_US, ("strawman", "onramp"))[:1])
