# SPDX-License-Identifier: GPL-2.0
"""ECN# with probabilistic marking, for senders that DCQCN paces: the ECN# paper's Fig. 21.

Flows run over UDP, paced by DCQCN's reaction point, which notifications of marked packets slow down (flowgen,
cc=dcqcn). There is no PAUSE: the buffer is deep, so that nothing is lost. Packets that are lost nevertheless
(drops) are sent again; but lost packets bring no marks, and a full buffer stays full for long: see that drops is 0.

aqm=ramp marks with a probability that grows from 0 at kmin to pmax at kmax, and everything above: DCQCN's own
marking, in time instead of length. aqm=ramp+pst adds ECN#'s persistent marking to it, with the constants of
the paper's simulations (target 10us, interval 240us). The paper says of the ramp that it is "derived based on
high percentile RTTs" and goes from probability 0 to 1: kmax is the 90th percentile of the base RTTs, 220us
(275 KB), kmin the mean, 137us, and pmax 1. The DCQCN paper's own, scaled by nothing: kmin=4us kmax=160us
pmax=0.01.
"""

from lab.experiments.shared import leafspine, link, owners
from lab.experiments.shared.settings import StarSetting, keys
from lab.host import aqm, dcqcn, results
from lab.host.keys import Key, number, tc_text
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run, extreme_row, ratio_row
from lab.report.paper_value import FABRIC, PaperValue

SUMMARY = "DCQCN senders, probabilistic marking without and with persistent marking (ECN# Fig. 21)"
ROWS = ("S0-21",)

# Keys that only TCP has; the setting needs values nevertheless.
TCP = {"cc": "dcqcn", "conn": "new", "dctcp_shift_g": 4, "rto_min": 5_000_000, "initcwnd": 10, "delack": "on", "gso": "on"}
KEYS = [
    Key("aqm", "ramp+pst", tc_text, "qdisc at the bottleneck: ramp, ramp+pst, or what the other scenarios take"),
    *keys(without=("aqm", *TCP), rtt="80us-240us", buffer="40000"),
    *dcqcn.KEYS,
    Key("long", "0", number(0, 1024), "flows that last the whole duration"),
]


class Setting(StarSetting):
    """Poisson arrivals of paced flows, together with long ones."""

    aqm_setup = aqm.SIMULATION
    trips = dcqcn.TRIPS

    def __init__(self, p, seed):
        super().__init__({**p, **TCP, "host": dcqcn.HOST, "aqm": dcqcn.aqm(p)}, seed)

    def groups(self):
        p = self.p
        yield self.poisson() + dcqcn.arguments(p)
        if p["long"]:
            yield (f"group long kind=long {self.common()}{dcqcn.arguments(p)} flows={p['long']} "
                   f"until={p['duration']}ns")

    def more(self, raw, flows):
        long = [flow for flow in flows if flow.group == "long"]
        return {
            **dcqcn.figures(raw, flows),
            "long_rates_mbps": [results.quotient(flow.bytes * 8000, self.p["duration"]) for flow in long],
        }


# DCQCN's senders under the ramp, without and with ECN#'s persistent marking: Fig. 21.
#
# Loads end at 80 %: above that a hundred flows come to share the link, and DCQCN has no hold on so many (each at less
# than a packet in the 50 us between two notifications).

PAPER = {
    "dcqcn-short": PaperValue(
        "S0-21", "21b", "5.5", f"{FABRIC}, DCQCN, web search", "short flows, mean FCT, DCQCN+ECN# to DCQCN",
        1 - 0.149, 1, "best", "DCQCN+ECN# can further improve the FCT of short flows by up to 14.9%"),
    "dcqcn-all": PaperValue(
        "S0-21", "21a", "5.5", f"{FABRIC}, DCQCN, web search", "all flows, mean FCT, DCQCN+ECN# to DCQCN",
        1, 1, "ratio", "DCQCN and DCQCN+ECN# does not impact the overall FCT of all flows"),
}


DURATION_S, COST_S = 1, 35
SCHEMES = ("ramp", "ramp+pst")
METRICS = {"short flows, mean": "flows.short.mean_us", "short flows, p99": "flows.short.p99_us",
           "all flows, mean": "flows.all.mean_us"}
# Ramps that DCQCN's literature has; the ECN# paper does not print its own.
RAMPS = (
    ("137us to 220us, 1: mean and 90th percentile RTT", ()),
    ("5us to 220us, 1", ("kmin=5us",)),
    ("4us to 160us, 0.01: DCQCN's paper, 5 and 200 KB", ("kmin=4us", "kmax=160us", "pmax=0.01")),
    ("33us to 824us, 1: its authors' simulator", ("kmin=33us", "kmax=824us")),
    ("32us to 128us, 0.2: a cloud provider's, for 10 Gbit/s", ("kmin=32us", "kmax=128us", "pmax=0.2", "rp=cloud")),
)
GRID_LOAD = "0.8"
FABRIC_LOAD, FABRIC_COST_S = "0.8", 300
UNKNOWN = "The paper's ramp is not known, and what is left to gain depends on it (table 'Gain of persistent marking by ramp')"


def case(load, aqm, arguments=()):
    return "/".join(("probabilistic", load, aqm, *([",".join(arguments)] if arguments else [])))


def fabric_case(aqm):
    return f"probabilistic-fabric/{FABRIC_LOAD}/{aqm}"


FABRIC_PAIR = tuple(map(fabric_case, reversed(SCHEMES)))


def _run(load, aqm, seed, arguments=()):
    return Run(case(load, aqm, arguments), "probabilistic", (f"aqm={aqm}", f"load={load}", f"duration={DURATION_S}s", *arguments),
               seed, 2 + COST_S * float(load))


def _ratio(data, load, path, arguments=()):
    return data.ratio(case(load, "ramp+pst", arguments), case(load, "ramp", arguments), path)


def _cause(data, load):
    waits, means = ([data.mean(case(load, aqm), path) for aqm in SCHEMES]
                    for path in ("queue.mean_sojourn_us", "flows.short.mean_us"))
    return (f"a packet waits {waits[0]:.0f} us on average under the ramp alone and {waits[1]:.0f} us with persistent marking; short flows end "
            f"{means[0] - means[1]:.0f} us sooner; {leafspine.sentence(data, *FABRIC_PAIR, 'flows.short.mean_us', FABRIC_LOAD)}. {UNKNOWN}")


def _cause_all(data, load):
    ramp, both = (case(load, aqm) for aqm in SCHEMES)
    more = (data.mean(both, "cnps") / data.mean(ramp, "cnps") - 1) * 100
    return (f"{owners.sentence(data, both, ramp)}; {link.sentence(data, both, ramp)}; notifications {more:+.0f} %; "
            f"{leafspine.sentence(data, *FABRIC_PAIR, 'flows.all.mean_us', FABRIC_LOAD)}. {UNKNOWN}")


def _fabric_rows():
    title = f"DCQCN on {leafspine.percent(FABRIC_LOAD)}"

    def cause(data):
        return f"{leafspine.cause(data, *FABRIC_PAIR)}. {UNKNOWN}"
    for paper_value, label, path in (("dcqcn-short", "short flows, mean", "flows.short.mean_us"), ("dcqcn-all", "all flows, mean", "flows.all.mean_us")):
        yield ratio_row(PAPER[paper_value], f"{title}: {label}, with persistent marking / without", *FABRIC_PAIR, path, cause=cause)


def _rows(loads):
    def cases(load):
        return case(load, "ramp+pst"), case(load, "ramp")

    for paper_value, label, path, choose, cause in (
            ("dcqcn-short", "short flows, mean, best load", "flows.short.mean_us", min, _cause),
            ("dcqcn-all", "all flows, mean, worst load", "flows.all.mean_us", max, _cause_all)):
        yield extreme_row(PAPER[paper_value], f"DCQCN on one port (paper: fabric): {label}, with persistent marking / without", choose, loads,
                          cases, path, cause=cause)


def _over_loads(loads):
    return lambda data: plot.Lines(
        name="probabilistic", xlabel="load, %", ylabel="completion time / without persistent marking",
        series={label: [(100 * float(load), _ratio(data, load, path)) for load in loads]
                for label, path in METRICS.items()}, line=1, line_label="the ramp alone")


def experiment(loads, seeds):
    """For the report."""
    every = [_run(load, aqm, seed) for seed in seeds for load in loads for aqm in SCHEMES]
    every += [_run(GRID_LOAD, aqm, seed, arguments) for seed in seeds[:1] for _, arguments in RAMPS if arguments for aqm in SCHEMES]
    every += [leafspine.run(fabric_case(aqm), FABRIC_LOAD, seeds[0], "cc=dcqcn", f"aqm={aqm}", "buffer=40000", cost_s=FABRIC_COST_S)
              for aqm in SCHEMES]

    def ratio(path):
        return lambda data, arguments: _ratio(data, GRID_LOAD, path, arguments)

    def of(aqm, path):
        return lambda data, arguments: data.mean(case(GRID_LOAD, aqm, arguments), path)

    change = "{:.3f}".format
    return Experiment("probabilistic", tuple(every), (*_rows(loads), *_fabric_rows()), (Figure(
        "probabilistic", "DCQCN with persistent marking, relative to DCQCN without",
        "Fig. 21 of the paper: web search over load. Below the line is faster than with the ramp alone.",
        _over_loads(loads), ("probabilistic",)),), (Grid(
            "ramps", "Gain of persistent marking by ramp",
            f"Web search at {float(GRID_LOAD) * 100:.0f} % load: completion times with persistent marking over those without, for "
            "ramps of DCQCN's literature. The paper has 0.851 for short flows at best, and does not name its ramp.",
            "ramp", RAMPS,
            (Column("short, mean", ratio("flows.short.mean_us"), change), Column("short, p99", ratio("flows.short.p99_us"), change),
             Column("all, mean", ratio("flows.all.mean_us"), change),
             Column("alone: wait, us", of("ramp", "queue.mean_sojourn_us")),
             Column("with: wait, us", of("ramp+pst", "queue.mean_sojourn_us")),
             Column("alone: notifications", of("ramp", "cnps")), Column("with: notifications", of("ramp+pst", "cnps"))),
            ("probabilistic",)),))
