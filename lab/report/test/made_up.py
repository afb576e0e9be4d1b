# SPDX-License-Identifier: GPL-2.0
"""Results made up with known ratios, as the lab would shape them, so that every number on the way to a page can be checked."""

import contextlib
import copy
import html
import os
import re
import tempfile

from lab.experiments import rct
from lab.host import artifacts, module_list
from lab.host.units import Refused
from lab.report import cache, plot, rows, runs, study

# ECN# as the paper has it; the others round numbers.
FACTORS = {"ecnsharp": 0.766, "red-tail": 1.0, "red-avg": 0.6, "codel": 2.0, "tcn": 1.0, "pst-only": 0.9}
LARGE = {"ecnsharp": 1.0, "red-tail": 1.0, "red-avg": 1.3, "codel": 1.1, "tcn": 1.0, "pst-only": 1.0}
STANDING = {"ecnsharp": 8, "red-tail": 182, "codel": 10, "tcn": 180, "pst-only": 9}
FIRST_LOSS = {"ecnsharp": 175, "red-tail": 175, "codel": 100, "tcn": 175, "pst-only": 100}
# Numbers of hosts: request completion, large flows, utilisation and segments sent again, over fq's.
HOSTS = {"fq": (1, 1, 1, 1), "fq_codel": (1.1, 1, 1, 1), "mode off": (1, 1, 1, 1), "strawman": (0.3, 1.2, 0.87, 0),
         "hold": (0.2, 0.9, 0.995, 0)}


def made_up_onramp(run):
    """A result of one of On-Ramp's scenarios, as the lab would shape it."""
    host = next((argument for argument in run.arguments if argument.startswith("host=")), "host=onramp mode hold threshold 50us clock system error 1us")
    rct, large, used, again = next(HOSTS[name] for name in ("fq_codel", "mode off", "strawman", "hold", "fq") if name in host)

    def times(factor):
        return {"n": 100, "with_timeout": 0, **{f"{name}_us": 1000 * place * factor for place, name in
                                                enumerate(("mean", "p50", "p90", "p95", "p99"), 1)}}

    keys = dict(argument.split("=", 1) for argument in run.arguments)
    every = int(keys.get("acker", "every 10").split()[1])
    owd = {"mean_us": 100 * rct, "p1_us": 20.0, "p99_us": 200 * rct, "empty": 1 - used}
    tenths = [{"known_us": 20 * n, "next_p5_us": 10 * n, "next_p50_us": 20 * n, "next_p95_us": 30 * n} for n in range(1, 11)]
    document = {
        "scenario": run.scenario, "seed": run.seed, "fingerprint": "0" * 64, "unfinished": 0, "requests": times(rct),
        "flows": {"all": times(rct), "small": times(rct), "medium": times(rct), "large": times(large)}, "retransmits": 900 * again, "late_syns": 2 * again,
        "holds": {"packets": 500, "packet_mean_us": 80.0}, "rpc": times(rct), "storage_gbps": 250 * used,
        "or_acks": {"data_packets": 10_000, "entries": 10_000 // every, "first": 100, "every": 10_000 // every - 200, "last": 100,
                    "datagrams": 10_000 // every, "bytes": 780_000 // every, "payload": 15_000_000, "percent": 5.2 / every},
        "tenants": {tenant: {"requests": times(rct), "flows": {"small": times(rct), "medium": times(rct), "large": times(large)}}
                    for tenant in ("tenant-1", "tenant-2")},
        "tiers": {tier: {"queue": {"mean_sojourn_us": 60 * rct}, "drops": 900 * again} for tier in ("up", "down", "receiving")},
        "retransmit_percent": 0.5 * again, "drops": 900 * again, "ce_marks": 900, "timeouts": 90 * again, "utilisation": used, "owd": owd,
        "queue": {"mean_pkts": 50 * rct, "mean_sojourn_us": 60 * rct}, "sender_qdiscs": {"suspicions": 3, "suspect": 20, "samples": 1000, "threshold_ns": 720_000},
        "thresholds": [{"first_us": 60.0, "last_us": 61.0, "min_us": 59.0, "max_us": 62.0, "rise_us": 3.0},
                       {"first_us": 65.8, "last_us": 58.0, "min_us": 58.0, "max_us": 65.8, "rise_us": 0.0}],
        "phases": {"before": {"total_gbps": 9.4 * used}, "during": {"owd": owd, "fairness": 0.9, "goodput_gbps": [1.8, *[0.7] * 11]}},
        "series": {"owd": [[at, 20.0, 90.0, 150.0] for at in range(10, 2010, 10)],
                   "rates": {f"flow{n}": [[at, 9.4 / n] for at in range(10, 2010, 10)] for n in (1, 2)}},
        "signals": {name: {"samples": 100, "correlation": 0.9, "rank_correlation": 0.8, "tenths": tenths} for name in ("owd", "rtt")},
        **dict.fromkeys(("stamp_error", "stamp_noise"), {"n": 100, "mean_us": 1.5, "p50_us": 1.5, "p99_us": 3.0, "max_us": 4.0}),
    }
    trace = [(at, (at // 100_000) % 300) for at in range(*run.trace, 50_000)] if run.trace else []
    return runs.Result(document, trace)


def made_up_clock(run):
    """A result of one of the scenarios of clocks: hardware's stamps are a tenth of software's, an error falls as the neighbours' root."""
    keys = dict(argument.split("=", 1) for argument in run.arguments)
    scale = (0.1 if keys.get("stamps") == "hardware" else 1) / int(keys.get("degree", 10)) ** 0.5 * 3
    live = {"error": {"n": 100, "p50_ns": 200 * scale, "p90_ns": 400 * scale, "p99_ns": 900 * scale, "max_ns": 2000 * scale},
            "bound": {"p50_ns": 3000 * scale, "max_ns": 5000 * scale, "held_percent": 99.9}, "published_percent": 100.0}
    # With perfect clocks, and nearly so with the daemon's, requests take half the time.
    times = {"huygens": 0.51, "perfect": 0.5, "ntp": 1.01, "none": 1}[keys.get("kept", "huygens")] if keys.get("host") != "fq" else 1
    return runs.Result({
        "scenario": run.scenario, "seed": run.seed, "fingerprint": "0" * 64, "unfinished": 0, "common_s": 7.5, "live": live, "common": live, "kept": live["error"],
        "mid": {"n": 100, "p50_ns": 30 * scale, "p99_ns": 300 * scale}, "edges": {"n": 100, "p50_ns": 60 * scale, "p99_ns": 700 * scale},
        "sent": {"mean_bps": 1_500_000, "max_bps": 1_600_000, "frames_per_s": 1000.0}, "alone": [[at, 50 * at, 90 * at] for at in range(20, 120)],
        "met": {"wait": {"mean_ns": 2e6, "p50_ns": 1e6, "p99_ns": 9e6}, "free_percent": 4.0, "pure_percent": 66.0}, "loaded": {"up": 0.8, "down": 0.8},
        "requests": {"n": 100, "mean_us": 1000 * times, "p50_us": 900 * times, "p95_us": 2000 * times, "p99_us": 5000 * times}, "drops": 900, "configuration": {"first": ["[global]"], "others": ["[eth0]"]},
        "holds": {"n": 0 if keys.get("kept") == "none" else 500}}, [])


# Settings of acc-tuner's scenarios: short and large flows' times over those of all others.
TUNED = {"ddqn": (0.9, 0.9), "follow": (0.95, 0.9), "negated": (1.0, 2.0)}


def made_up_acc(run):
    """A result of one of the scenarios that acc-tuner tunes."""
    keys = dict(argument.split("=", 1) for argument in run.arguments)
    short, large = TUNED.get(keys.get("tuner"), (1, 1))

    def times(factor):
        return {"n": 100, "mean_us": 1000 * factor, "p50_us": 900 * factor, "p95_us": 2000 * factor, "p99_us": 5000 * factor, "slowdown_p99": 9.0}

    counts = {"changes": 900, "decisions": 1000, "idle_skipped": 30, **{f"fallback_{cause}": 0 for cause in ("drops", "marks", "delay", "comparison")}}
    return runs.Result({
        "scenario": run.scenario, "seed": run.seed, "params": keys, "fingerprint": "0" * 64, "unfinished": 0,
        "flows": {"all": times(large), "short": times(short), "large": times(large)}, "drops": 0, "long_gbps": 9.4 / large,
        "queue": {"mean_pkts": 50.0 * short, "mean_sojourn_us": 60.0 * short}, "requests_per_s": 30_000 / short, "acc": counts,
        "phases": [{"queue_pkts": 30.0 * short, "goodput_gbps": 9.4 / large, "settled_ms": 10}] * 4, "shares": [0.69, 0.31], "off": 1.0, "goodput_gbps": 9.4,
        "classes": [{"mean_wait_us": 30.0 * short}] * 2}, [])


# Settings of a lossless LAN: the victim's share; CNMs of four inputs; rates of four flows; paused, percent; f1's and f6's rates.
SHARES = {"pause": 0.52, "cnm-output": 0.53, "ecn-output": 0.6, "cnm-arrival": 0.4, "ecn-arrival": 0.7}
INPUTS = {"cnm-output": ((20, 50, 70, 60), (1.8, 2.2, 3.2, 2.8), 8), "pause": ((0,) * 4, (2.5,) * 4, 75), "lossy": ((0,) * 4, (2.0, 2.4, 2.6, 3.0), 0)}
VICTIMS = {"cnm-arrival": (2.5, 2.6), "pause": (2.5, 2.5)}


def made_up_lossless(run):
    """A result of one of the scenarios of a lossless LAN, as is expected of it."""
    keys = dict(argument.split("=", 1) for argument in run.arguments)
    aqm = keys.get("aqm", "pause").split()[0]
    cnms, four, paused = INPUTS.get(aqm, ((69, 70, 71, 72), (2.5, 2.49, 2.51, 2.5), 3))
    f1, f6 = (2.4, 5.6) if keys.get("full") == "drop" else VICTIMS.get(aqm, (2.5, 6.95))
    flows = {f"f{index}": [rate, 0.8 * rate, f1 if index == 1 and "victim" in keys else rate] for index, rate in enumerate(four, 1)}
    ports = {f"s{index + 1}": {"paused": paused / 100, "cnm_tx": count, "marks": 5} for index, count in enumerate(cnms)}
    ports.update({name: {"paused": 0.0, "cnm_tx": 0, "marks": 5} for name in ("s5", *(f"r{index}" for index in range(1, 9)), "idle", "far", "sw")})
    names = ("f1", "f2", "f3", "f4", "f5", "f6", "victim")
    return runs.Result({
        "scenario": run.scenario, "seed": run.seed, "params": keys, "fingerprint": "0" * 64, "unfinished": 0, "drops": 900 if aqm in ("lossy", "ecnsharp") else 0,
        "victim": SHARES.get(aqm, 0.99), "others": [0.99, 1.0], "paused": paused / 100, "requests": {"p50_us": 20.0, "p99_us": 90.0}, "ports": ports, "rates_gbps": {**flows, "f5": [0.0, 2.0, 0.0], "f6": [f6] * 3},
        "series": {name: [[at, 2.0 + at / 1000] for at in range(5, 301, 5)] for name in names}}, [])


# Settings of explicit rates whose result is not that of a link that is shared without loss: use, deviation, Jain's index and drops.
RATES = {"lossy": (1.0, 0.04, 1.0, 90_000), "tight": (0.98, 0.04, 0.999, 1100), "no-pause": (0.98, 0.04, 0.999, 5000),
         "bernoulli-0-1": (0.88, 0.2, 0.99, 0), "cbr-0-1": (0.86, 0.2, 0.99, 0)}


def made_up_rates(run):
    """A result of the scenario of explicit rates, as is expected of it."""
    used, off, index, drops = RATES.get(run.case.rpartition("/")[2], (0.985, 0.03, 0.9999, 0))
    window = {"used": used, "off": off, "jain": index, "rude": None}
    return runs.Result({
        "scenario": run.scenario, "seed": run.seed, "params": {}, "fingerprint": "0" * 64, "unfinished": 0, "drops": drops, "windows": [window] * 3,
        "rd_share": 0.006, "port": {"q_max_bytes": 9_600_000}, "converged_ms": 20, "conservation": {"delivered": {"packets": 100_000}},
        "series": {"late": [[at, 1.9] for at in range(5, 501, 5)]}}, [])


def made_up_system(run):
    """A result of the scenario of all systems: DCTCP's times are half of the others'."""
    factor = 0.5 if "cc=dctcp" in run.arguments else 1
    times = {"n": 100, "mean_us": 1000 * factor, "p50_us": 900 * factor, "p99_us": 5000 * factor}
    return runs.Result({
        "scenario": run.scenario, "seed": run.seed, "params": {}, "fingerprint": "0" * 64, "unfinished": 0, "goodput_gbps": 9.8, "victim_gbps": 1.9, "jain": 0.99,
        "short": times, "large": times, "paused": 0.1, "queue": {"mean_sojourn_us": 60.0, "max_pkts": 200}, "timeouts": 2, "drops": 7, "control_percent": 0.4}, [])


def made_up(run):
    """A result for a run, as the lab would shape it."""
    if run.scenario == "explicit":
        return made_up_rates(run)
    if run.scenario == "systems":
        return made_up_system(run)
    if run.scenario in ("fanin", "fanout"):
        return made_up_lossless(run)
    if run.scenario in ("tune", "shift", "share"):
        return made_up_acc(run)
    if run.scenario in ("clock", "bursts", "e2e", "daemons"):
        return made_up_clock(run)
    if run.scenario in ("rct", "ramp", "signal", "stamps", "coexist", "storage"):
        return made_up_onramp(run)
    keys = dict(argument.split("=", 1) for argument in run.arguments)
    aqm, fanin = keys.get("aqm", "red-tail"), int(keys.get("fanin", 100))
    aqm = aqm if aqm in FACTORS else "red-tail"
    lost = fanin if run.scenario != "fct" and fanin >= FIRST_LOSS.get(aqm, 175) else 0

    def flows(factor, n=100):
        return {"n": n, "mean_us": 1000 * factor, "p50_us": 900 * factor, "p95_us": 2000 * factor,
                "p99_us": 5000 * factor, "slowdown_p99": 9.0}

    document = {
        "scenario": run.scenario, "seed": run.seed, "params": keys, "fingerprint": "0" * 64, "unfinished": 0,
        "flows": {"all": flows(1, 300), "short": flows(FACTORS[aqm]), "large": flows(LARGE[aqm])},
        "queue": {"mean_pkts": 50.0 * FACTORS[aqm], "mean_sojourn_us": 60.0 * FACTORS[aqm], "p99_pkts": 200.0 * FACTORS[aqm]}, "drops": lost,
        "timeouts": lost, "utilisation": 0.99, "cnps": 1000,
        "bands": [{"mean_wait_us": 1.5}, {"mean_wait_us": 20.0}, {"mean_wait_us": 60.0}, {"mean_wait_us": 300.0}],
        "phases": [{"goodput_gbps": gbps, "shares": [0.5, 0.25, 0.25], "off": 0.01} for gbps in ([9.6, 0, 0], [6.42, 3.18, 0], [4.9, 2.4, 2.3])],
        "classes": [{"mean_wait_us": 30.0}] * 3,
        "standing": {"mean_pkts": STANDING.get(aqm, 100)}, "query": flows(1 + bool(lost)),
    }
    trace = [(at, (at // 100_000) % 300) for at in range(*run.trace, 5000)] if run.trace else []
    return runs.Result(document, trace)


class Parts(artifacts.Lab):
    """A lab of parts made up here: each a file that may change."""

    def __init__(self, folder):     # pylint: disable=super-init-not-called
        self.kernel_dir = self.modules_dir = self.folder = folder
        for name in ("fingerprint", *(module.name for module in module_list.MODULES)):
            self.change(name)

    def change(self, name):
        """Give a part other bytes."""
        self._digests = {}
        with open(os.path.join(self.folder, name), "a", encoding="ascii") as file:
            file.write(name)

    def image(self, added):
        """A file for each set of programs, with what those of every guest and these are."""
        names = ["init", *(program.name for programs in added for program in programs)]
        path = os.path.join(self.folder, "image")
        with open(path, "w", encoding="ascii") as file:
            for name in names:
                if os.path.exists(os.path.join(self.folder, name)):
                    with open(os.path.join(self.folder, name), encoding="ascii") as part:
                        file.write(part.read())
        self._digests.pop(path, None)
        return path


@contextlib.contextmanager
def cached():
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as parts:
        yield cache.Cache(Parts(parts), folder)


DEMO = study.demo()


@contextlib.contextmanager
def undrawn():
    """Figures in pages are their numbers."""
    real, plot.draw = plot.draw, lambda figure: f"<svg {html.escape(str(figure))}></svg>"
    try:
        yield
    finally:
        plot.draw = real


def refusal(call):
    """The reason for which a call is refused; empty if it is not."""
    try:
        call()
        return ""
    except Refused as why:
        return f"{why}"


def changed(found, case, seeds, path, values):
    """The same results with other numbers at a path of one case, a value a seed."""
    other = {**found, **{f"{case}/{seed}": copy.deepcopy(found[f"{case}/{seed}"]) for seed in seeds}}
    *places, last = path.split(".")
    for seed, value in zip(seeds, values):
        part = other[f"{case}/{seed}"].document
        for place in places:
            part = part[place]
        part[last] = value
    return other


def kept_of(name, every):
    """Results as docs/results has them; None where it has not all of them."""
    try:
        return rows.read(os.path.join(rows.FOLDER, f"{name}.jsonl"), every)[1]
    except Refused as why:
        print(f"# {why}")
        return None


def without_figures(text):
    """A page without its drawings, which are gnuplot's."""
    return re.sub(r"<svg .*?</svg>", "", text, flags=re.S)
