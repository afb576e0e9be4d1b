# SPDX-License-Identifier: GPL-2.0
"""How many senders may answer at once before one of them times out: the ECN# paper's Fig. 17.

The initial window is 2 segments, so that the buffer is filled by windows that grow, which marks can stop.
With Linux's own 10 (initcwnd=10) the first windows alone are 10 packets a flow, on their way before any mark
can act, and every AQM loses at nearly the same fan-in.
"""

from lab.experiments.shared.settings import StarSetting, keys
from lab.host import aqm, results
from lab.host.keys import Key, number, time
from lab.host.units import Refused, show_time
from lab.report import plot
from lab.report.experiment import Experiment, Figure, Row, Run
from lab.report.paper_value import MICRO, PaperValue
from lab.report.run_data import mean

SUMMARY = "query flows at growing fan-in, 16 senders to 1 receiver (ECN# Fig. 17)"
ROWS = ("S0-17",)
KEYS = keys(workload="datamining", load="0.3", senders="16", rtt="80us-240us", buffer="500", initcwnd="2",
            duration="120ms") + [
    Key("fanin", "100", number(1, 4096), "query flows that start together"),
    Key("queries", "3", number(1, 1000), "how often"),
    Key("at", "30ms", time("0ns", "1000s"), "when the first query starts"),
    Key("period", "30ms", time("1us", "1000s"), "from one query to the next"),
    Key("long", "4", number(0, 1024), "flows that last the whole duration"),
]


class Setting(StarSetting):
    """Background flows, long flows, and queries one after the other."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        last = p["at"] + (p["queries"] - 1) * p["period"]
        if last >= p["duration"]:
            raise Refused(f"at, queries, period: the last query would start at {show_time(last)}, not within the "
                          f"duration, {show_time(p['duration'])}")
        super().__init__(p, seed)

    def groups(self):
        p = self.p
        if p["long"]:
            yield f"group long kind=long {self.common()} flows={p['long']} until={p['duration']}ns"
        yield self.poisson()
        yield (f"group query kind=query {self.common()} conn=new at={p['at']}ns flows={p['fanin']} "
               f"period={p['period']}ns count={p['queries']} lo=3000 hi=60000")

    def more(self, raw, flows):
        query = [flow for flow in flows if flow.group == "query"]
        return {
            "query": {
                **results.summarise_flows(query),
                "retransmits": sum(flow.retrans for flow in query),
                "timeouts": sum(flow.timeouts for flow in query),
            },
        }


# Query completion as more senders answer at once: Fig. 17.

PAPER = {
    "fanin": PaperValue(
        "S0-17", "17", "5.4", f"{MICRO}, 25 to 200 query flows", "fan-in at which packets are lost, ECN# to CoDel",
        175, 100, "senders", "ECN# can support 1.75x more concurrent senders than CoDel"),
}


AQMS = ("ecnsharp", "red-tail", "codel")
FANINS = (25, 50, 75, 100, 125, 150, 175, 200)
COST_S = 2


def case(aqm, fanin):
    return f"incast/{aqm}/{fanin}"


def _losses(data, aqm):
    """Drops at each fan-in, a list a seed, beyond those at the least: what the other flows lose is no loss of the queries'."""
    columns = [data.values(case(aqm, fanin), "drops") for fanin in FANINS]
    return [[drops - seed[0] for drops in seed] for seed in zip(*columns)]


def _first_losses(data, aqm):
    """Least fan-in of the sweep with more drops than at its first, one a seed; None if at none."""
    return [next((fanin for fanin, drops in zip(FANINS, seed) if drops > 0), None) for seed in _losses(data, aqm)]


def _quotient(data):
    """How many times CoDel's fan-in ECN# bears without loss; None if CoDel bears all."""
    # Beyond the sweep counts as its end: the true quotient is at least this.
    pairs = zip(_first_losses(data, "ecnsharp"), _first_losses(data, "codel"))
    return mean([(ecnsharp or FANINS[-1]) / codel for ecnsharp, codel in pairs if codel])


def _detail(data):
    ecnsharp, codel, tail = (", ".join(str(first) if first else f"above {FANINS[-1]}" for first in _first_losses(data, aqm))
                         for aqm in ("ecnsharp", "codel", "red-tail"))
    others = ", ".join(map(str, data.values(case("codel", FANINS[0]), "drops")))
    return f"{ecnsharp} / {codel} senders, red at 275 KB {tail} (the paper's: as ECN#); beyond the drops at {FANINS[0]} ({others} under CoDel, a seed each), which are the other flows'"


def _figure(data):
    series, marked = {}, {}
    for aqm in AQMS:
        points = [(fanin, data.mean(case(aqm, fanin), "query.p99_us") / 1000, max(lost) > 0)
                  for fanin, lost in zip(FANINS, zip(*_losses(data, aqm)))]
        series[aqm] = [(fanin, ms) for fanin, ms, _ in points]
        marked[aqm] = [(fanin, ms) for fanin, ms, lost in points if lost]
    paper_value = PAPER["fanin"]
    return plot.Lines(
        name="incast", xlabel="query flows that start together", ylabel="query completion, p99, ms", series=series,
        marked=marked, marked_label="packets lost",
        verticals=[(paper_value.base, "paper: CoDel loses", "codel"), (paper_value.value, "paper: ECN# loses", "ecnsharp")])


def experiment(seeds):
    """For the demo and the report."""
    every = tuple(Run(case(aqm, fanin), "incast", (f"aqm={aqm}", f"fanin={fanin}"), seed, COST_S)
                  for seed in seeds for fanin in FANINS for aqm in AQMS)
    row = Row(PAPER["fanin"], "fan-in with the first loss, ECN# / CoDel", _quotient, _detail,
              tuple(case(aqm, fanin) for aqm in AQMS for fanin in FANINS))
    return Experiment("incast", every, (row,), (Figure(
        "incast", "Query completion time as more senders answer at once",
        "99th percentile of query completion at growing fan-in (Fig. 17); a cross says that more packets were dropped "
        f"than at {FANINS[0]}.",
        _figure, ("incast",)),))
