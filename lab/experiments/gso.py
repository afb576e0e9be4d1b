# SPDX-License-Identifier: GPL-2.0
"""Smaller GSO packets: On-Ramp's Fig. 19."""

from lab.experiments.shared.requests import CUBIC, FCT, RCT, T_US, wide_grid
from lab.experiments.shared.senders import WIDE_US, schemes
from lab.report import plot, verdict
from lab.report.experiment import Experiment, Figure, Row, digits, ratio_row
from lab.report.paper_value import BASIC, PaperValue
from lab.report.table import show

_19 = "mean and 90th, 95th, 99th percentile of incast traffic RCT are further reduced by 36%, 37%, 41%, 54%, respectively"
_19B = "FCT of short and mid-sized flows in the WebSearch traffic are further reduced by 8-14% (mean) and 13-22% (95th percentile)"
_SMALLER = f"{BASIC}, On-Ramp, max GSO size 16 KB"


def _gso(what, percent, says, number="RCT"):
    return PaperValue("S3-18", "19", "7.2", _SMALLER, f"{number}, {what}, 16 KB to 64 KB", 1 - percent / 100, 1, "change", says)


PAPER = {
    **{f"gso-rct-{name}": _gso(name, percent, _19) for name, percent in (("mean", 36), ("p90", 37), ("p95", 41), ("p99", 54))},
    **{f"gso-fct-{number}-{which}": _gso(f"{number}, the {which} gain of short and mid-sized flows", percent, _19B, "FCT")
       for number, which, percent in (("mean", "least", 8), ("mean", "most", 14), ("p95", "least", 13), ("p95", "most", 22))},
    "gso-fct-large": _gso("mean of long flows", 0, "The throughput of long flows is well-maintained", "FCT"),
}


SMALL = ("gso_size=16384b",)
FQ, FQ_SMALL = (CUBIC.case(name) for name in ("fq", "fq-16kb"))
# At the paper's T in its cloud, and at this project's: with small packets, and with large ones.
HELD_SMALL, HELD = CUBIC.case(f"{WIDE_US}us-16kb"), CUBIC.case("onramp", WIDE_US)
TIGHT = CUBIC.case("onramp-16kb"), CUBIC.case("onramp")


def _cause(data):
    data = data.only(data.seeds(HELD_SMALL))
    holds, waits = ([data.mean(case, path) for case in (HELD, HELD_SMALL)] for path in ("holds.packet_mean_us", "queue.mean_sojourn_us"))
    alone = data.ratio(FQ_SMALL, FQ, "requests.p90_us")
    return (f"a packet waits {waits[0]:.0f} us in the switch with 64 KB and {waits[1]:.0f} us with 16 KB, one that is held is so for {holds[0]:.0f} and "
            f"{holds[1]:.0f} us; under fq alone RCT's p90 changes by {(alone - 1) * 100:+.0f} %. Stamps here are of single frames and exact: in the "
            "paper's guests GSO blurs them by some 50 us of its T of 150 us (section 5.1.4), which smaller packets mend")


def _both(choose, number, cases=(HELD_SMALL, HELD)):
    """Ratios of the classes for which the paper gives one common range."""
    def found(data):
        return choose(data.ratio(*cases, f"flows.{size}.{number}_us") for size in ("small", "medium"))
    return found


def _range_row(paper_value, what, choose, number):
    def detail(data):
        data = data.only(data.seeds(HELD_SMALL))
        values = (f"{size} {digits(data.mean(HELD_SMALL, f'flows.{size}.{number}_us'))} / {digits(data.mean(HELD, f'flows.{size}.{number}_us'))}"
                  for size in ("small", "medium"))
        return ", ".join(values) + f" us; one seed; T = {T_US} us: {show('ratio', _both(choose, number, TIGHT)(data))}"
    return Row(PAPER[paper_value], f"On-Ramp, T = {WIDE_US} us, small and medium flows, {number}, {what}, GSO 16 KB / 64 KB", _both(choose, number), detail, (HELD_SMALL, HELD), cause=_cause)


def _rows():
    also = ((f"T = {T_US} us:", *TIGHT),)
    return (
        *(ratio_row(PAPER[f"gso-rct-{name}"], f"On-Ramp, T = {WIDE_US} us: RCT, {name}, GSO 16 KB / 64 KB", HELD_SMALL, HELD, path, cause=_cause, also=also)
          for name, path in RCT),
        _range_row("gso-fct-mean-least", "the lesser gain", max, "mean"), _range_row("gso-fct-mean-most", "the greater gain", min, "mean"),
        _range_row("gso-fct-p95-least", "the lesser gain", max, "p95"), _range_row("gso-fct-p95-most", "the greater gain", min, "p95"),
        ratio_row(PAPER["gso-fct-large"], f"On-Ramp, T = {WIDE_US} us: large flows, mean, GSO 16 KB / 64 KB", HELD_SMALL, HELD, "flows.large.mean_us",
                  judge=verdict.of_ratio, cause=_cause, also=also),
    )


def _figure(data):
    return plot.Bars(
        name="gso", ylabel="GSO 16 KB / 64 KB", groups=[name for name, _ in (*RCT, *FCT)], line=1, line_label="64 KB", top=1.6,
        series={"onramp": [data.ratio(HELD_SMALL, HELD, path) for _, path in (*RCT, *FCT)],
                "fq": [data.ratio(FQ_SMALL, FQ, path) for _, path in (*RCT, *FCT)]},
        paper=[("onramp", place, value) for place, value in enumerate((0.64, 0.63, 0.59, 0.46))])


def experiment(seeds):
    """The first seed."""
    made = tuple(CUBIC.run(f"{name}-16kb", seeds[0], schemes(T_US)[name], SMALL) for name in ("onramp", "fq"))
    wide = CUBIC.run(f"{WIDE_US}us-16kb", seeds[0], schemes(WIDE_US)["onramp"], SMALL)
    cases = (FQ, FQ_SMALL, HELD, HELD_SMALL)
    return Experiment("gso", (*CUBIC.runs(("fq", "onramp"), seeds[:1]), *CUBIC.runs(("onramp",), seeds[:1], WIDE_US), *made, wide), _rows(), (Figure(
        "gso", "Requests and flows with GSO packets of 16 KB, relative to 64 KB",
        f"Fig. 19 of the paper: RCT's mean and percentiles, then mean FCT of small, medium and large flows; T = {WIDE_US} us, the first seed. Below the line smaller packets are "
        "faster; the diamonds are the paper's.", _figure, cases),), (wide_grid(
            "gso", "Smaller GSO packets", "CUBIC, web search at 40 %, 2 KB incast at 2 %, the first seed.", "hosts",
            (("fq, 16 KB", (FQ, FQ_SMALL)), *((f"On-Ramp, T = {threshold_us} us, {size} KB", (FQ, case)) for threshold_us, held in (
                (WIDE_US, (HELD_SMALL, HELD)), (T_US, TIGHT)) for size, case in zip((64, 16), reversed(held)))), seeds[:1]),))
