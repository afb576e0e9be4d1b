#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Where stamps are taken, in virtual time: what that is worth, and that hardware's are never accepted for nothing.

Delays by stamps of hardware, driver, tracepoint and qdisc, compared with the true ones. A line of a NIC's clock that goes stale: the
driver's stamps take its place, and that is counted. A NIC's clock that is stepped, and nobody knows until the next line. And the
lines that huygens-lite publishes while it keeps the clocks, also after a step.
"""

import concurrent.futures
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

COMMON = ("hosts=4", "duration=30ms", "settle=2ms")
# The daemon finds the step when it looks, and has another line 2 s later, before the traffic.
DAEMONS = {"huygens-lite": "", "huygens-lite after a step": "h1:1s:1ms"}
# Each run by its name.
RUNS = {
    **{source: (f"stamps={source}",) for source in ("hardware", "driver", "tracepoint", "qdisc")},
    # Two lines, the last 9 ms after the beginning, are valid for 30 ms: until well before the flows end.
    "stale": ("quiet=10ms",),
    "ahead": ("phc_step=h1:14ms:1ms",),
    "beyond the window": ("phc_step=h1:14ms:-1100us",),
    "within the window": ("phc_step=h1:14ms:-300us",),
    "within the error": ("phc_step=h1:14ms:10ns",),
    **{name: ("publisher=huygens", "host=onramp mode observe nic_comp on threshold 50us clock published max_error 10ms", f"phc_step={step}") for name, step in DAEMONS.items()},
}
# Errors of published lines, and of the true delays, are below this.
LINE_US = 0.15
WINDOW_US = 1000


def orders(tap, found):
    """Errors by source: hardware timestamps are the best, those of the qdisc the worst."""
    for what in ("stamp_error", "stamp_noise"):
        p99 = {source: found[source][what]["p99_us"] for source in ("hardware", "driver", "tracepoint", "qdisc")}
        tap.ok(f"{what}: hardware's is the least, the qdisc's the largest",
               p99["hardware"] < p99["driver"] <= p99["tracepoint"] <= p99["qdisc"], p99)
        print(f"# {what}, p99: {p99}", flush=True)
    for source in ("hardware", "driver", "tracepoint"):
        tap.ok(f"{source}: all delays say so", list(found[source]["sources"]) == [f"{source}/{source}"], found[source]["sources"])
    tap.ok("qdisc: of what leaves", list(found["qdisc"]["sources"]) == ["qdisc/tracepoint"], found["qdisc"]["sources"])
    phc = found["hardware"]["phc"]
    tap.ok("all packets have hardware's stamps", phc["tx_good"] and phc["rx_good"] and not any(
        phc[name] for name in ("tx_stale", "rx_missing", "rx_stale", "rx_implausible")), phc)


def daemon(tap, found):
    """The lines of huygens-lite are as good as the stand-in's, and its bias."""
    driver = found["driver"]
    for name in DAEMONS:
        run = found[name]
        for what in ("stamp_error", "stamp_noise"):
            tap.ok(f"{name}: {what}: hardware's is less than the driver's", run[what]["p99_us"] < driver[what]["p99_us"], (run[what], driver[what]))
            print(f"# {name}: {what}: {run[what]}; the stand-in's: {found['hardware'][what]}", flush=True)
        tap.ok(f"{name}: no delay is wrong by more than a line may be", run["stamp_error"]["max_us"] <= found["hardware"]["stamp_error"]["max_us"] + LINE_US,
               (run["stamp_error"], found["hardware"]["stamp_error"]))
        tap.ok(f"{name}: all delays are hardware's", list(run["sources"]) == ["hardware/hardware"], run["sources"])
        tap.ok(f"{name}: no stamp is doubted", run["phc"]["tx_good"] and run["phc"]["rx_good"] and not run["phc"]["rx_implausible"], run["phc"])


def falls_back(tap, found):
    """A line that is stale."""
    run, good = found["stale"], found["driver"]
    tap.ok("a stale line: packets have the driver's stamps, and are counted",
           run["phc"]["tx_stale"] and run["phc"]["rx_stale"] and run["phc"]["rx_good"] and run["sources"].get("driver/driver"),
           (run["phc"], run["sources"]))
    tap.ok("and all delays are as good as the driver's", run["stamp_error"]["max_us"] <= good["stamp_error"]["max_us"] + LINE_US,
           (run["stamp_error"], good["stamp_error"]))


def steps(tap, found):
    """Clocks that are not what the line says."""
    driver = found["driver"]["stamp_error"]["max_us"]
    for name, worst in (("ahead", driver), ("beyond the window", driver), ("within the window", WINDOW_US + driver),
                        ("within the error", found["hardware"]["stamp_error"]["max_us"])):
        run = found[name]
        doubted = run["phc"]["rx_implausible"] > 0
        tap.ok(f"a step {name}: {'' if name in ('ahead', 'beyond the window') else 'not '}doubted",
               doubted == (name in ("ahead", "beyond the window")), run["phc"])
        tap.ok(f"a step {name}: no delay is wrong by more than its bound", run["stamp_error"]["max_us"] <= worst + LINE_US,
               (run["stamp_error"], worst))
        tap.ok(f"a step {name}: nearly all stamps are hardware's again", run["phc"]["rx_good"] > 0.7 * found["hardware"]["phc"]["rx_good"],
               run["phc"])


    tap.ok("a step within the window is seen, for as long as nobody tells of it",
           found["within the window"]["stamp_error"]["max_us"] > 250, found["within the window"]["stamp_error"])


def main():
    tap, lab = Tap(), Lab()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {name: pool.submit(Trial("stamps", (*COMMON, *arguments), 1).run, lab) for name, arguments in RUNS.items()}
        found = {name: run.result() for name, run in runs.items()}
    orders(tap, found)
    daemon(tap, found)
    falls_back(tap, found)
    steps(tap, found)
    tap.end()


if __name__ == "__main__":
    main()
