#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Hours of the scenario soak: memory flat, counters consistent, log clean.

    soak [--parts N] [--seed S]     N parts of an hour each (1), from seed S (a new one, which is printed)
    soak --quick [--seed S]         a part of one round

First the judge is shown made-up parts: sound ones, and such that lose or leak a little.
"""

import argparse
import copy
import os
import random
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.host.boot import LabError
from lab.trials import Trial, Progress
from lab.soak import judge, schedule, snapshots
from tap import Tap

PARTS = 24              # as many as a day has hours
HOUR = "duration=3600s"
ROUND = f"duration={schedule.ROUND_S}s"
SOUND_KB = {"slab": 4448, "vmalloc": 272, "percpu": 64, "stacks": 4352, "used": 25000, "anonymous": 2648, "own": 0}


def made_up(seed, snapshots=16, grows=None):
    """A sound part, memory up and down by a few pages; grows {kind: kB a round} more."""
    grows = grows or {}
    quiet = [[(place + 1) * schedule.ROUND_S, {kind: kb + 4 * ((place * 7 + seed) % 5 if kb else 0) + int(grows.get(kind, 0) * place)
                                             for kind, kb in SOUND_KB.items()}] for place in range(snapshots)]
    return {
        "seed": seed, "virtual_seconds": 3600, "unfinished": 0, "flows": 100, "bytes": 10000, "short": 0, "snapshots": 10 * snapshots, "quiet": quiet,
        "did": {"records": 9, "holds": 3, **dict.fromkeys(judge.OF_POINTS, 1)}, "counted": 5000, "falls": [], "summed": 50, "sums": [], "left": [], "log": [],
        "modules": [{"onramp": 2}, {"onramp": 2}],
        "conservation": {"sent": {"packets": 10, "bytes": 9000}, "delivered": {"packets": 8, "bytes": 8000},
                         "dropped": {"QDISC_DROP": {"packets": 2, "bytes": 1000}}, "lost_on_links": 0},
    }


def damaged():
    """Yield what is wrong with a part, the part, and what the judge must say."""
    def part(*path, value):
        whole = made_up(2)
        place = whole
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value
        return whole
    yield "a byte that nobody counted", part("conservation", "delivered", "bytes", value=7999), "bytes: 9000 sent"
    yield "a packet that nobody counted", part("conservation", "dropped", "QDISC_DROP", "packets", value=1), "packets: 10 sent"
    yield "a flow that did not end", part("unfinished", value=1), "1 flows did not end"
    yield "a flow that is short", part("short", value=1), "1 had another size"
    yield "a counter that fell", part("falls", value=["8.0 h1 stats holds: 3 2"]), "falls: 1"
    yield "a sum that does not hold", part("sums", value=["8.0 h1 acker"]), "sums: 1"
    yield "a flow that is left", part("left", value=["216.5 h1 stats flows_now: 1"]), "left: 1"
    yield "a line in the log", part("log", value=["onramp: oops"]), "log: 1"
    yield "a module with one user more", part("modules", value=[{"onramp": 2}, {"onramp": 3}]), "users of modules"
    yield "a queue that is left", part("quiet", -1, 1, "own", value=1), "objects of our own"
    yield "holds that never were", part("did", "holds", value=0), "holds: none"
    yield "an hour without PAUSE", part("did", "xoff_tx", value=0), "xoff_tx: none"
    yield "counters that are in no snapshot", part("counted", value=0), "counted: none"
    yield "a part without snapshots", part("quiet", value=[]), "objects of our own"


def judged(tap):
    """The judge passes what is sound and catches what is not."""
    sound = [made_up(seed) for seed in range(1, 25)]
    tap.ok("sound parts pass, memory up and down by some pages", not judge.judge(sound), judge.judge(sound))
    step = copy.deepcopy(sound)
    for snapshot in step[3]["quiet"][8:]:
        snapshot[1]["slab"] += 64
    tap.ok("so does one in which a cache grew once", not judge.judge(step), judge.judge(step))
    for what, part, says in damaged():
        bad = judge.judge([sound[0], part, *sound[2:]])
        tap.ok(f"{what} is seen", len(bad) == 1 and bad[0].startswith("seed 2: ") and says in bad[0], bad)
    short = {**made_up(1), "virtual_seconds": 225}
    for points, passes in (({"xoff_tx": 0}, True), (dict.fromkeys(judge.OF_POINTS, 0), False)):
        bad = list(judge.one({**short, "did": {**short["did"], **points}}))
        tap.ok(f"a short part {'passes without one' if passes else 'does not pass without any'} of the events at congestion points",
               not bad if passes else len(bad) == len(points), bad)
    for kind, most in judge.MOST_KB.items():
        a_round = most * schedule.ROUND_S / 3600
        leaking = [made_up(seed, grows={kind: 1.3 * a_round}) for seed in range(1, 25)]
        tap.ok(f"{kind}: a slow leak in all parts is seen", any(why.startswith(f"{kind} grows") for why in judge.judge(leaking)))
        bad = judge.judge([sound[0], made_up(2, grows={kind: 3 * a_round}), *sound[2:]])
        tap.ok(f"{kind}: a leak in one part of 24 is seen", [why for why in bad if why.startswith(f"seed 2: {kind} grows")], bad)
    tap.ok("parts too short for a slope do not pass for flat", any("not two snapshots" in why for why in judge.judge([made_up(1, snapshots=2)])))


def snapshot(at_s, *, name="busy", holds=5, last=1, packets=9, handle="2:", flows=0, gone=()):
    """A snapshot by the guest's script, of one host and one port."""
    yield from (f"gone {module}" for module in gone)
    yield f"snapshot {name} {at_s}"
    yield from ("memory MemTotal 100 kB", "memory MemFree 40 kB", "slab onramp_queue 0 8 192 21 1 : tunables", "module onramp 9 2 - Live 0x0")
    yield from (f"memory {kind} 1 kB" for kind in ("SUnreclaim", "VmallocUsed", "Percpu", "KernelStack", "AnonPages"))
    yield f'counters h1 stats {{"holds": {holds}, "holds_bounded": 0, "holds_new": 1, "flows_now": {flows}}}'
    yield f'counters h1 acker {{"entries": 4, "entries_first": 3, "entries_every": 0, "entries_last": {last}, "flows": 0}}'
    yield f'counters h1 port [{{"kind": "ecnsharp", "handle": "{handle}", "root": true, "packets": {packets}, "qlen": 0, "options": {{"limit": 9}}}}]'


def read_back(*seen):
    """Snapshots of what was written so."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "snapshots"))
        for number, lines in enumerate(seen, 10001):
            with open(os.path.join(folder, "snapshots", str(number)), "w", encoding="ascii") as file:
                file.writelines(f"{line}\n" for line in lines)
        return snapshots.read(folder)


def read_snapshots(tap):
    """Snapshots are read, a counter that falls is seen, and one that begins anew is not one that fell."""
    seen = read_back(snapshot(1), snapshot(2, holds=6, name="quiet"))
    pairs, falls = snapshots.falls(seen)
    points, left = snapshots.quiet(seen)
    tap.ok("counters that rise or stay are read", pairs == 8 and not falls and not snapshots.sums(seen)[1], (pairs, falls))
    tap.ok("so is memory", points == [[2.0, {"used": 60, "slab": 1, "vmalloc": 1, "percpu": 1, "stacks": 1, "anonymous": 1, "own": 0}]]
           and not left and seen[0].modules == {"onramp": 2}, points)
    tap.ok("a counter that falls is seen", snapshots.falls(read_back(snapshot(1), snapshot(2, holds=4)))[1] == ["2.0 h1 stats holds: 5 4"])
    tap.ok("one of a module that went begins anew", not snapshots.falls(read_back(snapshot(1), snapshot(2, holds=4, gone=("onramp",))))[1])
    tap.ok("but not when another went", snapshots.falls(read_back(snapshot(1), snapshot(2, holds=4, gone=("sch_ecnsharp",))))[1])
    tap.ok("a qdisc's that falls is seen", snapshots.falls(read_back(snapshot(1), snapshot(2, packets=8)))[1])
    tap.ok("one of another qdisc begins anew", not snapshots.falls(read_back(snapshot(1), snapshot(2, packets=8, handle="3:")))[1])
    tap.ok("a sum that does not hold is seen", snapshots.sums(read_back(snapshot(1, last=2)))[1])
    tap.ok("a flow that is there when nothing is sent is seen", snapshots.quiet(read_back(snapshot(1, name="quiet", flows=1)))[1]
           == ["1.0 h1 stats flows_now: 1"])


def drawn(tap):
    """A part's schedule is drawn from its seed, has all that a soak must have, and its times do not go back."""
    def lines(seed):
        return list(schedule.Schedule(["h1", "h2"], "onramp", "ecnsharp", 16, seed).lines(1))
    one = lines(1)
    tap.ok("a schedule is its seed's", one == lines(1) != lines(2))
    times = [float(line.split()[0]) for line in one]
    tap.ok("its times rise, to the end of the hour at most", times == sorted(times) and times[-1] <= 3601)
    wanted = ("rmmod onramp_acker", "rmmod sch_ecnsharp", "rmmod sch_onramp onramp_acker onramp", "huygens kill", "state to-h1 0",
              "rmmod sch_cp", "rp fecn", "law qcn", "acker dev del", "acker set", "hold off", "limits set", "qdisc change dev eth0 root onramp", "root ecnsharp", "snapshot quiet")
    tap.ok("it has reloads, faults and changes of every kind", not [text for text in wanted if not any(text in line for line in one)])


def part(lab, arguments, seed, quiet=False):
    """Result of a part; in every other one hosts obey PAUSE, for which packets are not larger than a frame and software is not late."""
    trial = Trial("soak", [*arguments, *(("gso=off", "noise=none") if seed % 2 else ())], seed)
    began = time.monotonic()
    progress = None if quiet else Progress(f"soak, seed {seed}", trial.params["duration"] / 1e9)
    document = trial.run(lab, progress=progress)
    print(f"# seed {seed}: {document['virtual_seconds']:.0f} virtual s, {document['flows']} flows, {time.monotonic() - began:.0f} s "
          "of yours", flush=True)
    return document


def whole(tap, seeds):
    """All parts, and what is wrong with them together."""
    lab, done = Lab(), []
    for seed in seeds:
        try:
            document = part(lab, [HOUR], seed)
        except LabError as why:
            tap.ok(f"seed {seed} runs to its end", False, why)
            continue
        done.append(document)
        bad = list(judge.one(document))
        tap.ok(f"seed {seed}: {document['counted']} pairs of counters, {document['flows']} flows, nothing wrong", not bad,
               "\n".join(bad))
    print(f"# kB an hour: {judge.memory(done)}, limits {judge.MOST_KB}", flush=True)
    bad = judge.judge(done)
    tap.ok(f"{len(done)} hours together: memory is flat, counters are consistent, logs are clean", done and not bad, "\n".join(bad))


def quick(tap, seed):
    """One round."""
    document = part(Lab(), [ROUND], seed, quiet=True)
    bad = list(judge.one(document))
    tap.ok(f"a round: {document['counted']} pairs of counters, {document['flows']} flows, nothing wrong", not bad, "\n".join(bad))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="a part of one round")
    parser.add_argument("--parts", type=int, default=1, choices=range(1, PARTS + 1), metavar="N", help=f"how many hours (1), at most {PARTS}")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2, 1 << 31), metavar="S",
                        help="of the first, the others follow it (a new one)")
    args = parser.parse_args()
    tap = Tap()
    read_snapshots(tap)
    drawn(tap)
    judged(tap)
    if args.quick:
        quick(tap, args.seed)
    else:
        whole(tap, range(args.seed, args.seed + args.parts))
    tap.end()


if __name__ == "__main__":
    main()
