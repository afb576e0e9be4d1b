# SPDX-License-Identifier: GPL-2.0
"""ECN# at the switch and On-Ramp at the hosts, alone and together: no paper has it."""

import figures
from exhibit import Exhibit, Plate
from exhibits.rct import CUBIC, FCT, RCT, T_US, Setting, wide_grid
from exhibits.senders import schemes

DCTCP = Setting("dctcp-tail-drop", "DCTCP", ("cc=dctcp",))
BOTH = (CUBIC, DCTCP)
# The instantaneous threshold that DCTCP has elsewhere here, 65 packets, and half of it for the persistent one.
ECNSHARP = ("aqm=ecnsharp ins_target 78us pst_interval 80us pst_target 40us",)
# scheme -> (label, hosts', words of the switch)
SCHEMES = {"fq": ("neither", "fq", ()), "ecnsharp": ("ECN# alone", "fq", ECNSHARP), "onramp": ("On-Ramp alone", "onramp", ()),
           "both": ("both", "onramp", ECNSHARP)}
METRICS = (RCT[0], RCT[3], *FCT)


def _runs(seed):
    for setting in BOTH:
        for scheme, (_, host, words) in SCHEMES.items():
            yield setting.run(scheme, seed, schemes(T_US)[host], words)


def _figure(setting):
    return lambda evidence: figures.Bars(
        name=f"combine-{setting.name}", ylabel="relative to neither", line=1, line_label="neither", top=1.6,
        groups=["RCT mean", "p99", *(name for name, _ in FCT)],
        series={SCHEMES[scheme][0]: [evidence.only({1}).ratio(setting.case(scheme), setting.case("fq"), path) for _, path in METRICS]
                for scheme in ("ecnsharp", "onramp", "both")})


def exhibit(seeds):
    """The first seed."""
    every = tuple(_runs(seeds[0]))
    lines = tuple((f"{setting.title}, {SCHEMES[scheme][0]}", (setting.case("fq"), setting.case(scheme)))
                  for setting in BOTH for scheme in ("ecnsharp", "onramp", "both"))
    return Exhibit("combine", every, (), tuple(Plate(
        f"combine-{setting.name}", f"{setting.title}: ECN# at the switch, On-Ramp at the hosts, and both, relative to neither",
        "Requests' mean and p99, then mean completion times of small, medium and large flows; the first seed.", _figure(setting),
        tuple(setting.case(scheme) for scheme in SCHEMES)) for setting in BOTH), (wide_grid(
            "combine", "ECN# at the switch and On-Ramp at the hosts", "Web search at 40 %, 2 KB incast at 2 %, T = 50 us, the first seed; beside 'fq' are hosts "
            "with fq below a switch that drops at its tail. CUBIC uses ECN where there are marks.", "transport and scheme", lines),))
