# SPDX-License-Identifier: GPL-2.0
"""ECN# at the switch and On-Ramp at the hosts, alone and together: no paper has it."""

from lab.experiments.shared.requests import CUBIC, FCT, LATE_SYNS, RCT, Setting, T_US
from lab.experiments.shared.senders import schemes
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, digits

DCTCP = Setting("dctcp-tail-drop", "DCTCP", ("cc=dctcp",))
BOTH = (CUBIC, DCTCP)
# The instantaneous threshold that DCTCP has elsewhere here, 65 packets, and half of it for the persistent one.
ECNSHARP = ("aqm=ecnsharp ins_target 78us pst_interval 80us pst_target 40us",)
# scheme -> (label, hosts', arguments of the switch)
SCHEMES = {"fq": ("neither", "fq", ()), "ecnsharp": ("ECN# alone", "fq", ECNSHARP), "onramp": ("On-Ramp alone", "onramp", ()),
           "both": ("both", "onramp", ECNSHARP)}
# Numbers of requests that a single late SYN does not change.
METRICS = (("RCT p90", RCT[1][1]), ("RCT p99", RCT[3][1]), *FCT)
BASE = "ecnsharp"


def _runs(seeds):
    for setting in BOTH:
        for scheme, (_, host, arguments) in SCHEMES.items():
            yield from (setting.run(scheme, seed, schemes(T_US)[host], arguments) for seed in seeds)


def _figure(setting):
    return lambda data: plot.Bars(
        name=f"combine-{setting.name}", ylabel="relative to ECN# alone", line=1, line_label="ECN#", groups=[name for name, _ in METRICS],
        series={SCHEMES[scheme][0]: [data.ratio(setting.case(scheme), setting.case(BASE), path) for _, path in METRICS]
                for scheme in ("onramp", "both")})


def _columns():
    def of(path):
        return lambda data, case: data.mean(case, path)

    whole = "{:.0f}".format
    return (Column("RCT mean, us", of("requests.mean_us"), whole), Column("p90", of("requests.p90_us"), whole),
            Column("p99", of("requests.p99_us"), whole), *(Column(f"{name} flows, mean, us", of(path), whole) for name, path in FCT),
            Column("a packet's wait in the switch, us", of("queue.mean_sojourn_us"), whole),
            Column("drops", of("drops"), whole), Column("marks", of("ce_marks"), whole), Column("timeouts", of("timeouts"), whole),
            Column("late SYNs", of("late_syns"), digits))


def experiment(seeds):
    """Each setting with each seed."""
    every = tuple(_runs(seeds))
    lines = tuple((f"{setting.title}, {label}", setting.case(scheme)) for setting in BOTH for scheme, (label, *_) in SCHEMES.items())
    return Experiment("combine", every, (), tuple(Figure(
        f"combine-{setting.name}", f"{setting.title}: On-Ramp at the hosts, without and with ECN# at the switch, relative to ECN# alone",
        "Requests' 90th and 99th percentile, then mean completion times of small, medium and large flows; means of three seeds. docs/alternatives.md says when both are "
        "worth it.", _figure(setting), tuple(setting.case(scheme) for scheme in SCHEMES)) for setting in BOTH), (Grid(
            "combine", "ECN# at the switch and On-Ramp at the hosts", "Web search at 40 %, 2 KB incast at 2 %, T = 50 us, means of three seeds. Without ECN# the switch "
            f"drops at its tail, and DCTCP slows down for losses alone. CUBIC uses ECN where there are marks. {LATE_SYNS}", "transport and scheme", lines,
            _columns(), tuple(case for _, case in lines)),))
