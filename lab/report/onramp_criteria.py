# SPDX-License-Identifier: GPL-2.0
"""Criteria of On-Ramp in the lab: the limits, and the runs that they are judged by, in the form of judge.py.

Each is about one number a seed, over fq's. It must hold while flows are held, and fail when the same qdisc holds none, or, in ramp, by
the paper's equation 2, which does not know of pauses in flight. All are tested with one T, so that one setting meets them; but for T
itself, which is to stay where it is if it is found by the hosts.
"""

from lab.experiments import ramp
from lab.experiments.shared import requests
from lab.experiments.shared.senders import WIDE_US
from lab.report.judge import AtLeast, AtMost, Criterion
from lab.report.run_data import RunData

# From the issue that requires it, and from the paper's headline for CUBIC.
RCT_CUBIC_LEAST, RCT_BBR_LEAST = 2.8, 4
FCT_MOST = 1.02
USED_LEAST = 0.99
# Drift of T, in a minute.
DRIFT_MOST = 0.1
AGAIN_MOST = 0.5
# No seed may say the opposite by more than seeds differ in: a class of flows has some hundred a run.
FCT_SEED_MOST = 1.05
UNHARMED = AtMost(FCT_MOST, FCT_SEED_MOST)
# One seed, half the time, and requests enough for a 95th percentile, at which less is gained than at the 99th.
QUICK_RCT_LEAST = 1.5
QUICK_MS = 50
OFF_MEANS = {"off": "no flow is held", "strawman": "pauses in flight are not known of", "late": "the sender that began 5 s later, on a path with a queue"}

CHANCE = "a qdisc that holds nothing harms no flow; its difference from fq is chance, mostly late SYNs, and shows the size of chance"
AS_PRINTED = ("equation 3 gives every measurement of beta the same weight. As a queue begins to grow, many short holds measure 0, so beta is too low for the long one "
              "that follows, and the queue runs empty (docs/decisions/0017-onramp-weighted-by-default.md)")


class Runs:
    """The runs of some seeds, and the numbers in them once they are found."""

    def __init__(self, seeds, settings=requests.BOTH, laws=("final",), lasting=True):
        self.seeds = seeds
        self.settings = settings
        self.laws = laws            # of long flows, in addition to the strawman and our own
        self.lasting = lasting      # T of a minute, too
        self.found = {}

    def runs(self):
        """Every run that a criterion reads; the report has them all."""
        return [*(run for setting in self.settings for run in setting.runs(("fq", "off", "onramp"), self.seeds, WIDE_US)),
                *ramp.runs(2, WIDE_US, self.seeds, ("fq", "strawman", *self.laws, "onramp")),
                *(ramp.steady_runs(self.seeds) if self.lasting else ())]

    def over_fq(self, over, under, seed, path):
        """The quotient of one number of two cases."""
        ratios = RunData(self.found).only((seed,)).ratios(over, under, path)
        return ratios[0] if ratios else None

    def drifts(self, seed):
        """By what part T of each sender moved in a minute."""
        [run] = RunData(self.found).only((seed,)).results(ramp.STEADY)
        return ramp.threshold_drifts(run.document)


def _of(setting, path):
    return lambda study, scheme, seed: study.over_fq(setting.case(scheme, WIDE_US), setting.case("fq"), seed, path)


def _times_lower(setting, path):
    measure = _of(setting, path)
    return lambda study, scheme, seed: 1 / measure(study, scheme, seed)


def _worst(setting):
    """The worst of the three classes."""
    return lambda study, scheme, seed: max(_of(setting, path)(study, scheme, seed) for _, path in requests.FCT)


def _used(study, scheme, seed):
    return study.over_fq(ramp.case(2, WIDE_US, scheme), ramp.case(2, WIDE_US, "fq"), seed, "utilisation")


def _drift(study, scheme, seed):
    """Drift of the sender that began on an idle path, or the largest of the others."""
    first, *others = study.drifts(seed)
    return first if scheme == "onramp" else max(others)


def _rct(setting, least):
    return Criterion(f"rct-{setting.name}", f"{setting.title}: p99 of 2 KB incast requests, times lower than fq's", _times_lower(setting, "requests.p99_us"),
                 AtLeast(least), on="onramp", off="off", off_means=OFF_MEANS["off"])


def _again(setting):
    return Criterion(f"again-{setting.name}", f"{setting.title}: segments sent again, to fq's", _of(setting, "retransmits"), AtMost(AGAIN_MOST), on="onramp",
                 off="off", off_means=OFF_MEANS["off"])


def _fct(setting):
    """Compared with no hold at all, which shows the effect of chance. At this T the strawman harms ramp's utilisation, and not these."""
    return Criterion(f"fct-{setting.name}", f"{setting.title}: mean FCT of the background, the worst class of three, to fq's", _worst(setting),
                 UNHARMED, on="onramp", off="off", off_means=OFF_MEANS["off"], not_missed=CHANCE)


USED = Criterion("used", "ramp, 2 CUBIC flows: utilisation, to fq's", _used, AtLeast(USED_LEAST, 0.98), on="onramp", off="strawman",
             off_means=OFF_MEANS["strawman"])
PRINTED = Criterion("used-final", "ramp, 2 CUBIC flows, the paper's equation as printed: utilisation, to fq's", _used, AtLeast(USED_LEAST, 0.98), on="final",
                off="strawman", off_means=OFF_MEANS["strawman"], not_shown=AS_PRINTED)
DRIFT = Criterion("drift", "ramp, 12 CUBIC flows, `threshold auto`: how far T moves in 60 s", _drift, AtMost(DRIFT_MOST, DRIFT_MOST), on="onramp", off="late",
              off_means=OFF_MEANS["late"])


def full():
    """Three seeds."""
    criteria = [criterion for setting, least in ((requests.CUBIC, RCT_CUBIC_LEAST), (requests.BBR, RCT_BBR_LEAST))
              for criterion in (_rct(setting, least), _fct(setting), _again(setting))]
    return Runs((1, 2, 3)), criteria + [USED, PRINTED, DRIFT]


def quick():
    """Study and criteria that a minute of runs can show, with CUBIC alone."""
    setting = requests.Setting("cubic-quick", "CUBIC", ("cc=cubic", f"duration={QUICK_MS}ms"), QUICK_MS / 100)
    least = Criterion("rct-quick", "CUBIC: p95 of 2 KB incast requests, times lower than fq's", _times_lower(setting, "requests.p95_us"),
                  AtLeast(QUICK_RCT_LEAST), on="onramp", off="off", off_means=OFF_MEANS["off"])
    return Runs((2,), (setting,), (), False), [least, _again(setting), USED]
