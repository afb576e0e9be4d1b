# SPDX-License-Identifier: GPL-2.0
"""Two tenants who share uplinks, with On-Ramp and without: On-Ramp's Fig. 20."""

import plot
import verdict
from experiment import Column, Experiment, Grid, Figure, ratio_row
from experiments.rct import T_US
from experiments.senders import schemes
from runs import Run

COST_S = 30
WORDS = ("cc=cubic", "duration=60ms", "rto_min=5ms")
# What hosts without On-Ramp have in the paper; else they have fq.
CODEL = ", fq_codel"
# case -> (label, qdiscs of the first and of the second tenant's hosts)
USES = {"none": ("neither", "fq", "fq"), "off": ("the first, mode off", "off", "fq"), "first": ("the first", "onramp", "fq"),
        "none-codel": (f"neither{CODEL}", "fq_codel", "fq_codel"), "first-codel": (f"the first{CODEL}", "onramp", "fq_codel"),
        "both": ("both", "onramp", "onramp")}
TENANTS = {"tenant-1": "first tenant", "tenant-2": "second tenant"}
METRICS = (("RCT mean", "requests.mean_us"), ("RCT p95", "requests.p95_us"), ("small", "flows.small.mean_us"), ("medium", "flows.medium.mean_us"),
           ("large", "flows.large.mean_us"))


def case(uses):
    """By who uses On-Ramp."""
    return f"coexist/{uses}"


def _run(uses, seed):
    _, first, second = USES[uses]
    known = schemes(T_US)
    return Run(case(uses), "coexist", (*WORDS, f"host={known[first]}", f"other={known[second]}"), seed, COST_S)


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
    return ratio_row(paper_value, f"{TENANTS[tenant]}: RCT, mean, On-Ramp at {_who(over)} / {_who(under)}{CODEL}", case(over), case(under),
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
            "coexist", "Two tenants who share uplinks", "CUBIC, T = 50 us; mean completion times of small, medium and large flows. The first seed. Who does not use On-Ramp has fq unless fq_codel is said. With mode off "
            "the first tenant has On-Ramp's qdisc, which then holds nothing.", "On-Ramp at", tuple((USES[uses][0], uses) for uses in USES), _columns(),
            ("coexist",)),))
