#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Same seed, parameters and fingerprint: the same bytes, whatever the machine does meanwhile.

The second run is from another folder with files named as the values of its keys, with another environment, and
with the C library configured as if this CPU had neither AVX2 nor FMA. Another seed must give other bytes, or the test
proves nothing. All three run at once, so that each has the others' load to bear, of which a machine of two CPUs has enough.
Four scenarios, which use all modules and topologies; with --others only the others, and the modules built twice.
"""

import concurrent.futures
import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import artifacts
from tap import Tap

RUN = os.path.join(ROOT, "lab/run")
SCENARIOS = (
    ("fct", "duration=60ms"),
    ("queue", "duration=40ms at=30ms fanin=60 aqm=codel"),
    ("incast", "duration=20ms at=5ms queries=1 fanin=40"),
    ("threshold", "duration=20ms threshold=80k cc=cubic"),
    ("scheduler", "duration=30ms turn=10ms settle=5ms scheduler=ets"),
    ("pias", "duration=30ms"),
    ("probabilistic", "duration=20ms long=2"),
    ("rct", "hosts=9 fanin=8 duration=8ms settle=1ms request_load=0.1 buffer=100k rto_min=5ms"),
    ("signal", "hosts=5 duration=6ms settle=1ms"),
    ("coexist", "hosts=3 duration=8ms settle=1ms fanin=2 rto_min=5ms"),
    ("storage", "clients=2 servers=2 readers=2 duration=4ms settle=1ms"),
    ("ramp", "duration=40ms join=10ms leave=25ms settle=2ms step=1ms"),
    ("fabric", "leaves=2 hosts=3 spines=2 duration=10ms largest=1m"),
    ("tune", "duration=130ms load=0.3 tuner=ddqn aqm=ramp-150us"),
    ("tune", "duration=250ms load=0.8 tuner=online explore=10 aqm=ramp-420us"),
    ("shift", "duration=40ms phases=2 few=1 many=4"),
    ("share", "duration=12ms settle=4ms paced=2 tcp=2"),
    ("fanin", "duration=12ms join=4ms leave=8ms step=1ms victim=on"),
    ("fanout", "duration=10ms settle=5ms step=1ms cc=dctcp aqm=ecn-random"),
)
SHORT = ("fct", "queue", "rct", "fabric")
# Nothing of the outside world may be in a result.
FORBIDDEN = ("wall", "host", "path", "/")

# Values of keys, none of which is a file's.
MISLEADING = ("dctcp", "cubic", "ecnsharp", "ramp+pst", "websearch", "datamining", "7", "16", "2000", "10gbit", "1s", "20ms",
              "0.7", "0.3", "70us-210us", "80us-240us", "on", "off", "new", "pool")
# From the last flow's end to that of the tool which made it.
ENDING_S = 0.05

OTHER_ENVIRONMENT = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-AVX512F,-ERMS",
    "LANG": "C.UTF-8", "TZ": "Pacific/Chatham", "COLUMNS": "40", "SOME_NOISE": "x" * 5000,
}


def run(arguments, seed, folder, env):
    """Bytes of a run's JSON and of its flows, made in that folder and environment."""
    done = subprocess.run([RUN, *arguments, "--seed", str(seed), "--flows", os.path.join(folder, "flows.csv")],
                          cwd=folder, env=env, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    with open(os.path.join(folder, "flows.csv"), "rb") as flows:
        return done.stdout, flows.read()


def misled_run(arguments, seed, folder):
    """The same in the middle of misleading files, with a short path elsewhere as temporary folder."""
    for number, name in enumerate(MISLEADING):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(f"1000 0\n{number + 2000} 1\n")
    return run(arguments, seed, folder, {**os.environ, **OTHER_ENVIRONMENT, "TMPDIR": folder})


def three_runs(arguments):
    """Results of one seed, of the same where all else differs, and of another seed; at once."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory(prefix="another-") as second, \
            tempfile.TemporaryDirectory() as third, concurrent.futures.ThreadPoolExecutor() as pool:
        runs = [pool.submit(run, arguments, 1, first, dict(os.environ)), pool.submit(misled_run, arguments, 1, second),
                pool.submit(run, arguments, 2, third, dict(os.environ))]
        return first, *(each.result() for each in runs)


def virtual_seconds(document, flows):
    """Whether they are as long as flows last, which is longer than these arrive."""
    ends = [int(row["start_ns"]) + int(row["fct_ns"]) for row in csv.DictReader(flows.decode().splitlines()) if row["fct_ns"]]
    # They are rounded to microseconds, and a run may end with its last flow.
    return max(ends) / 1e9 - 1e-6 <= document["virtual_seconds"] <= max(ends) / 1e9 + ENDING_S


def modules(tap):
    """The same code from a file of another name's is other code to the reader of its results."""
    arguments = ["fct", "duration=5ms"]
    built = subprocess.run([RUN, "--build"], capture_output=True, text=True, check=True).stdout
    module = os.path.join(next(line.split()[1] for line in built.splitlines() if line.startswith("modules")), "sch_ecnsharp.ko")
    with tempfile.TemporaryDirectory() as folder:
        mine = os.path.join(folder, "sch_ecnsharp.ko")
        with open(module, "rb") as file:
            code = file.read() + b"of my own"
        with open(mine, "wb") as file:
            file.write(code)
        try:
            plain, given = (json.loads(run(more, 1, folder, dict(os.environ))[0]) for more in (arguments, [*arguments, "--module", mine]))
        except RuntimeError as why:
            tap.ok("a module of the user's runs", False, why)
            return
    tap.ok("results say which module was the user's", given.pop("modules", None)
           == {"sch_ecnsharp.ko": hashlib.sha256(code).hexdigest()}, given)
    tap.ok("and without one they say nothing", given == plain, plain)


def strangers(tap):
    """Modules that a run does not use draw random numbers as they are loaded, and it goes as it would without."""
    built = subprocess.run([RUN, "--build"], capture_output=True, text=True, check=True).stdout
    folder = next(line.split()[1] for line in built.splitlines() if line.startswith("modules"))
    more = [option for name in ("onramp.ko", "sch_onramp.ko") for option in ("--module", os.path.join(folder, name))]
    # Where these qdiscs put a flow, and when they drop, is drawn.
    for arguments in (["incast", "aqm=fq_codel", "duration=20ms", "at=5ms", "queries=1"],
                  ["fct", "aqm=red-avg", "load=0.8", "duration=30ms"]):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                (alone, flows), (together, same) = (run(spec, 1, scratch, dict(os.environ)) for spec in (arguments, [*arguments, *more]))
            except RuntimeError as why:
                tap.ok(f"{arguments[0]} with modules that it does not use runs", False, why)
                continue
        together = json.loads(together)
        tap.ok(f"{arguments[0]}: both modules were loaded", len(together.pop("modules", {})) == 2, together)
        tap.ok(f"{arguments[0]}: modules that it does not use change nothing", json.loads(alone) == together and flows == same, together)


def observed(tap):
    """acc-tuner that observes a port without chance in its marks changes nothing of a run, and one that tunes it does."""
    arguments = ["tune", "duration=130ms", "load=0.3", "aqm=ecnsharp ins_target 85us persistent off"]
    found = {}
    for tuner in ("off", "observe", "follow"):
        with tempfile.TemporaryDirectory() as scratch:
            document, flows = run([*arguments, f"tuner={tuner}"], 1, scratch, dict(os.environ))
            found[tuner] = json.loads(document), flows
    (off, flows), (seen, same), (tuned, other) = found.values()
    tap.ok("acc-tuner that observes chooses and changes nothing", seen["acc"]["decisions"] > 0 and not seen["acc"]["changes"], seen["acc"])
    tap.ok("flows and marks are then what they are without it", flows == same and off["ce_marks"] == seen["ce_marks"] > 0, (off["ce_marks"], seen["ce_marks"]))
    tap.ok("one that tunes changes them", tuned["acc"]["changes"] > 0 and flows != other, tuned["acc"])


def builds(tap):
    """The fingerprint names what the modules are, not where they were built: the lab's own, and the same in another folder."""
    def codes(folder):
        return {name: artifacts.digest(os.path.join(folder, name)) for name in os.listdir(folder)}

    kernel = artifacts.kernel()
    first = codes(artifacts.modules(kernel))
    with tempfile.TemporaryDirectory(prefix="another-folder-") as folder, tempfile.TemporaryDirectory(prefix="another-source-") as source:
        artifacts.build_modules(kernel, artifacts.module_sources(), folder, source)
        again = codes(folder)
    tap.ok("modules built twice are the same bytes", first == again and "sch_ecnsharp.ko" in first, (first, again))


def main():
    tap = Tap()
    others = "--others" in sys.argv[1:]
    for test in (builds,) if others else (modules, strangers, observed):
        test(tap)
    for name, keys in SCENARIOS:
        if (name in SHORT) == others:
            continue
        arguments = [name, *keys.split()]
        try:
            folder, (once, flows), (again, flows_again), (other, flows_other) = three_runs(arguments)
        except RuntimeError as why:
            tap.ok(f"{name} runs", False, why)
            continue
        document = json.loads(once)
        tap.ok(f"{name}: the JSON repeats byte for byte", once == again, f"{once.decode()}\n{again.decode()}")
        tap.ok(f"{name}: so does every flow", flows == flows_again, "flows differ")
        tap.ok(f"{name}: another seed gives other flows", flows != flows_other and once != other, "they are equal")
        tap.ok(f"{name}: virtual seconds last until the last flow's end", virtual_seconds(document, flows),
               document["virtual_seconds"])
        # The qdisc's count of packets on its fast path is none.
        text = json.dumps({key: value for key, value in document.items() if key != "params"}).replace('"fastpath"', "")
        tap.ok(f"{name}: the JSON holds nothing of this machine",
               not any(name in text for name in FORBIDDEN + (os.uname().nodename + '"', folder)), text)
    tap.end()


if __name__ == "__main__":
    main()
