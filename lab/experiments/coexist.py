# SPDX-License-Identifier: GPL-2.0
"""Two tenants of one network, with or without On-Ramp: the On-Ramp paper's Fig. 20.

Two racks, each a leaf switch, and a spine between them, to which a leaf has one link of `uplink`. Every second host of a rack
is the first tenant's, the others are the second's. Each tenant has what rct has among its own hosts alone: background flows between
random pairs at `load` of every host's link, and requests. So the tenants meet at the uplinks only, and in the way from
the spine to a leaf. Hosts of the first have the qdisc `host` at their root, hosts of the second `other`; only hosts with onramp
send OR-ACKs.

A port holds 4 MB: the switches of the paper's bare metal have 9 MB that all ports share. With 1 MB SYNs are lost, each of which costs a
second (`late_syns`), and a tenant's mean is how many it lost.

`tenants` are the first's and the second's requests and flows; all else is as rct has it, of both together. `tiers` are the queues
from leaf to spine (`up`), from spine to leaf (`down`) and from leaf to host (`receiving`).
"""

from lab.experiments import rct
from lab.experiments.shared import settings as common
from lab.experiments.shared.requests import T_US
from lab.experiments.shared.senders import schemes
from lab.host import leafspine, results
from lab.host.keys import Key, rate, tc_text
from lab.host.units import Refused
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Run, ratio_row
from lab.report.paper_value import CLOUDLAB, PaperValue

SUMMARY = "requests and background flows of two tenants, one with On-Ramp, on shared uplinks (On-Ramp Fig. 20)"
ROWS = ("S3-19",)
DEFAULTS = {"leaves": "2", "hosts": "10", "spines": "1"}
OWN = {"load": "0.6", "fanin": "20", "duration": "100ms", "buffer": "4m", "host": "onramp mode hold threshold 50us clock system error 1us"}
KEYS = [
    *(Key(key.name, DEFAULTS[key.name], key.read, key.help) for key in leafspine.SHAPE),
    Key("uplink", "40gbit", rate("10mbit", "100gbit"), "rate of each link from a leaf to a spine"),
    *(Key(key.name, OWN.get(key.name, key.default), key.read, key.help) for key in rct.KEYS if key.name != "hosts"),
    Key("other", "fq", tc_text, "qdisc of the second tenant's hosts, as host is of the first's"),
]
FIRST, SECOND = "-1", "-2"


class Network(leafspine.LeafSpine):
    """Hosts of both tenants below each leaf."""

    def uplink_bps(self):
        return self.p["uplink"]


class Setting(common.LeafSpineSetting, rct.Setting):
    """As rct, twice, with nothing between the tenants but the network."""

    topology = Network

    def __init__(self, p, seed):
        if p["leaves"] * p["hosts"] < 4:
            raise Refused("leaves, hosts: each tenant has at least two hosts, so there must be four")
        super().__init__(p, seed)

    def qdiscs(self):
        return {**super().qdiscs(), "other": self.p["other"].split()}

    def host_qdisc(self, host):
        return self.qdiscs()["host" if host in self.tenants()[FIRST] else "other"]

    def tenants(self):
        hosts = self.network.hosts
        return {FIRST: hosts[::2], SECOND: hosts[1::2]}

    def more(self, raw, flows):
        return {
            **super().more(raw, flows),
            "tenants": {f"tenant{name}": {"requests": results.summarise_requests(self.requests(flows, [name])),
                                          "flows": results.buckets(self.background(flows, [name]), rct.BOUNDS)}
                        for name in self.tenants()},
            "tiers": self.tiers(raw),
        }


# Two tenants with shared uplinks, with On-Ramp and without: On-Ramp's Fig. 20.

_20 = "when Group 1 uses On-Ramp and Group 2 does not, both groups do better than when neither uses On-Ramp"
_TENANTS = f"{CLOUDLAB}, two groups of 50, CUBIC, web search 60 %, 2 KB incast 2 %"


def _coexist(what, value, says):
    return PaperValue("S3-19", "20", "7.3", _TENANTS, what, value, 1, "change", says)


PAPER = {
    "coexist-own": _coexist("the first group, it alone with On-Ramp to neither", 0.9, _20),
    "coexist-other": _coexist("the second group, the first alone with On-Ramp to neither", 0.9, _20),
    "coexist-again": _coexist("the first group, both with On-Ramp to it alone", 1, "When Group 2 also uses On-Ramp, the improvement in Group 1's performance "
                              "is only slight"),
}


COST_S = 30
ARGS = ("cc=cubic", "duration=60ms", "rto_min=5ms")
# Qdiscs of hosts without On-Ramp in the paper; elsewhere they have fq.
CODEL = ", fq_codel"
# case -> (label, qdiscs of the first and of the second tenant's hosts)
USES = {"none": ("neither", "fq", "fq"), "off": ("the first, mode off", "off", "fq"), "first": ("the first", "onramp", "fq"),
        "none-codel": (f"neither{CODEL}", "fq_codel", "fq_codel"), "first-codel": (f"the first{CODEL}", "onramp", "fq_codel"),
        "both": ("both", "onramp", "onramp")}
TENANTS = {"tenant-1": "first tenant", "tenant-2": "second tenant"}
METRICS = (("RCT mean", "requests.mean_us"), ("RCT p95", "requests.p95_us"), ("small", "flows.small.mean_us"), ("medium", "flows.medium.mean_us"),
           ("large", "flows.large.mean_us"))


def case(uses):
    """By the users of On-Ramp."""
    return f"coexist/{uses}"


def _run(uses, seed):
    _, first, second = USES[uses]
    known = schemes(T_US)
    return Run(case(uses), "coexist", (*ARGS, f"host={known[first]}", f"other={known[second]}"), seed, COST_S)


def _who(uses):
    return USES[uses][0].removesuffix(CODEL)


def _cause(over, under):
    def cause(data):
        waits, drops = ([data.mean(case(uses), path) for uses in (under, over)] for path in ("tiers.up.queue.mean_sojourn_us", "drops"))
        own = [data.mean(case(uses), "tiers.receiving.queue.mean_sojourn_us") for uses in (under, over)]
        return (f"a packet waits {waits[0]:.0f} us at the uplinks that both share and {own[0]:.0f} us at its tenant's own ports if {_who(under)} "
                f"use On-Ramp, {waits[1]:.0f} and {own[1]:.0f} us if {_who(over)} do; drops are {drops[0]:.0f} and {drops[1]:.0f}")
    return cause


def _row(paper_value, tenant, over, under, **judged):
    fq = tuple(case(uses.removesuffix("-codel")) for uses in (over, under))
    return ratio_row(PAPER[paper_value], f"{TENANTS[tenant]}: RCT, mean, On-Ramp at {_who(over)} / {_who(under)}{CODEL}", case(over), case(under),
                     f"tenants.{tenant}.requests.mean_us", cause=_cause(over, under), also=(("with fq:", *fq),), **judged)


def _rows():
    direction = {"kind": "direction", "judge": verdict.of_direction}
    return (_row("coexist-own", "tenant-1", "first-codel", "none-codel", **direction), _row("coexist-other", "tenant-2", "first-codel", "none-codel", **direction),
            _row("coexist-again", "tenant-1", "both", "first-codel"))


def _figure(tenant):
    def figure(data):
        return plot.Bars(
            name=f"coexist-{tenant}", ylabel="relative to neither", groups=[name for name, _ in METRICS], line=1, line_label="neither", top=1.6,
            series={f"On-Ramp: {_who(uses)}": [data.ratio(case(uses), case("none-codel"), f"tenants.{tenant}.{path}") for _, path in METRICS]
                    for uses in ("first-codel", "both")})
    return figure


def _columns():
    def of(path):
        return lambda data, key: data.mean(case(key), path)

    whole = "{:.0f}".format
    return (*(Column(f"{TENANTS[tenant]}: {name}, us", of(f"tenants.{tenant}.{path}"), whole) for tenant in TENANTS for name, path in METRICS),
            Column("wait at uplinks, us", of("tiers.up.queue.mean_sojourn_us"), whole), Column("drops", of("drops"), whole),
            Column("late SYNs", of("late_syns"), whole))


def experiment(seeds):
    """The first seed."""
    every = tuple(_run(uses, seeds[0]) for uses in USES)
    return Experiment("coexist", every, _rows(), tuple(Figure(
        f"coexist-{tenant}", f"The {TENANTS[tenant]}'s requests and flows where tenants use On-Ramp, relative to none",
        "Fig. 20 of the paper: two tenants of ten hosts each, web search at 60 % and 2 KB incast at 2 % within each; what they share is an uplink of each of "
        "two racks. Without On-Ramp hosts have fq_codel. One seed.", _figure(tenant), ("coexist",)) for tenant in TENANTS), (Grid(
            "coexist", "Two tenants with shared uplinks", "CUBIC, T = 50 us; mean completion times of small, medium and large flows. The first seed. Hosts without On-Ramp have fq, or fq_codel where the table names it. With mode off "
            "the first tenant has On-Ramp's qdisc, which then holds nothing.", "On-Ramp at", tuple((USES[uses][0], uses) for uses in USES), _columns(),
            ("coexist",)),))
