# SPDX-License-Identifier: GPL-2.0
"""How much T, g and the law matter: On-Ramp's Fig. 21."""

from lab.experiments.shared.requests import CUBIC, FCT, RCT, T_US, wide_grid
from lab.experiments.shared.senders import WIDE_US, automatic, onramp
from lab.report import plot, verdict
from lab.report.experiment import Experiment, Figure, ratio_row
from lab.report.paper_value import BASIC, PaperValue

PAPER = {
    "sweep-T": PaperValue("S3-20", "21a", "7.4", BASIC, "RCT and FCT, T of 500 us to 300 us", 1.1, 1, "change",
                     "the performance of On-Ramp worsens noticeably as T increases beyond 300 us"),
    "sweep-g": PaperValue("S3-20", "21b", "7.4", BASIC, "RCT and FCT, g of 1/4 to 1/64", 1, 1, "change",
                     "On-Ramp's performance is relatively insensitive to the value of g in the range between 1/4 and 1/64"),
}


THRESHOLDS_US = (30, T_US, WIDE_US, 300, 500)
GAINS = ("1/4", "1/16", "1/64")
DEFAULT_GAIN = "1/16"
# `threshold auto` without a margin; with one, T would be a fixed number like those above.
SELF = ("auto",)
METRICS = (RCT[0], RCT[3], FCT[0], FCT[1])


def threshold_case(threshold_us):
    """The case of a threshold; the default's runs are shared with the other experiments."""
    return CUBIC.case("onramp", threshold_us)


def gain_case(gain, threshold_us=WIDE_US):
    """Likewise, at the paper's T in its cloud or another."""
    if gain == DEFAULT_GAIN:
        return threshold_case(threshold_us)
    return CUBIC.case(("" if threshold_us == T_US else f"{threshold_us}us-") + f"g-{gain.replace('/', '-')}")


def _others(seed):
    """Label -> run of what differs from the default."""
    for threshold_us in reversed(THRESHOLDS_US):
        if threshold_us != T_US:
            yield f"T = {threshold_us} us", CUBIC.run(f"{threshold_us}us", seed, onramp(threshold_us))
    for threshold_us in (WIDE_US, T_US):
        for gain in GAINS:
            if gain != DEFAULT_GAIN:
                case = gain_case(gain, threshold_us).rpartition("/")[2]
                yield f"T = {threshold_us} us, g = {gain}", CUBIC.run(case, seed, f"{onramp(threshold_us)} g {gain}")
    for name in SELF:
        yield f"threshold {name}", CUBIC.run(name.replace(", ", "-").replace(" ", "-"), seed, automatic(name))
    yield "law final, the paper's", CUBIC.run("final", seed)


def _over_fq(data, case, path):
    return data.ratio(case, CUBIC.case("fq"), path)


def _thresholds(data):
    return plot.Lines(
        name="sweep-T", xlabel="T, us", ylabel="relative to fq", line=1, line_label="fq",
        series={name if path.startswith("requests") else f"{name} flows": [
            (threshold_us, _over_fq(data, threshold_case(threshold_us), path)) for threshold_us in THRESHOLDS_US] for name, path in METRICS})


def _gains(data):
    names = [("RCT " if path.startswith("requests") else "FCT ") + name for name, path in METRICS]
    return plot.Bars(
        name="sweep-g", ylabel="relative to fq", groups=names, line=1, line_label="fq", top=1.4,
        series={f"g = {gain}": [_over_fq(data, gain_case(gain), path) for _, path in METRICS] for gain in GAINS})


def _waits(over, under, what):
    def cause(data):
        waits = [data.mean(case, "queue.mean_sojourn_us") for case in (under, over)]
        held = [data.mean(case, "holds.packets") for case in (under, over)]
        return (f"{what}: a packet waits {waits[0]:.0f} us in the switch and {held[0]:.0f} packets are held with the one, {waits[1]:.0f} us and "
                f"{held[1]:.0f} with the other")
    return cause


def _of(seeds, figure):
    """A figure of seeds that all of its cases have."""
    return lambda data: figure(data.only(set(seeds)))


def _rows():
    far, near = (threshold_case(threshold_us) for threshold_us in (THRESHOLDS_US[-1], THRESHOLDS_US[-2]))
    quick, slow = (gain_case(gain) for gain in (GAINS[0], GAINS[-1]))
    return (
        ratio_row(PAPER["sweep-T"], "CUBIC: RCT, mean, T = 500 us / T = 300 us", far, near, "requests.mean_us", kind="direction", judge=verdict.of_direction,
                  cause=_waits(far, near, "T of 300 and 500 us")),
        ratio_row(PAPER["sweep-g"], f"CUBIC, T = {WIDE_US} us: RCT, mean, g = 1/4 / g = 1/64", quick, slow, "requests.mean_us",
                  cause=_waits(quick, slow, "g of 1/64 and 1/4"), also=((f"T = {T_US} us:", *(gain_case(gain, T_US) for gain in (GAINS[0], GAINS[-1]))),)),
    )


def experiment(seeds):
    """The first seed."""
    made = list(_others(seeds[0]))
    cases = (CUBIC.case("fq"), CUBIC.case("onramp"), *(run.case for _, run in made))
    lines = (("as elsewhere: T = 50 us, g = 1/16", CUBIC.case("onramp")), *((label, run.case) for label, run in made))
    return Experiment("sweep", (*CUBIC.runs(("fq", "onramp"), seeds[:1]), *(run for _, run in made)), _rows(), (
        Figure("sweep-T", "What a threshold above the idle path's delay costs",
              "Fig. 21a of the paper: CUBIC, web search at 40 %, 2 KB incast at 2 %. The idle path takes 15 us; mean and p99 are of requests.",
              _of(seeds[:1], _thresholds), cases),
        Figure("sweep-g", "How little g matters", f"Fig. 21b of the paper, T = {WIDE_US} us.", _of(seeds[:1], _gains), cases)), (wide_grid(
            "sweep", "How much T, g and the law matter", "CUBIC, web search at 40 %, 2 KB incast at 2 %, the first seed (Fig. 21 of the paper).",
            "On-Ramp", tuple((label, (CUBIC.case("fq"), case)) for label, case in lines), seeds[:1]),))
