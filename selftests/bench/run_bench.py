#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Cost of a packet in a qdisc, and of a clock in its daemon: in ns, and in instructions.

    run_bench.py [--part ecnsharp|cp|onramp|clock] [--rounds N] [--laps N] [--seed N] [--case NAME ...]
                 [--only lab|stock|cache|profile] [--out FOLDER]

Part ecnsharp: pktgen sends through ecnsharp and its peers in turn, part cp: through cp and codel. Part onramp: packets of few and
many TCP flows go through onramp and fq, packets come to the acker, and two namespaces have TCP between them. Round after round, in one
boot: of the lab kernel in real time, for ns (only their ratios mean anything, and only within one run), and of Debian's
stock 6.12 in QEMU, whose clock under icount counts instructions; again with a cache, which counts the lines it lacks;
and the instructions of a TCP receiver's kernel, function by function. Part clock, once, in the stock kernel only: three
huygens-lite keep each other's clocks, and one coordinates a simulated fleet, which it does on this machine as it is, too.
Tables are printed; docs/results/bench.{md,json} are written of a part that was measured whole, and keep what they say of
the others.
"""

import argparse
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# pylint: disable=wrong-import-position
import clocks
import clocks_report
import flows
import flows_read
import flows_report
import guests
import page
import plan
import profile_functions
import report
import stats
from lab.host.boot import LabError

ROUNDS = {"ecnsharp": 21, "cp": 15, "onramp": 15, "clock": 1}
STOCK_ROUNDS = 3        # instructions hardly differ between rounds
STOCK_LAPS = 5
LAPS_MOST = 256         # that benchdev keeps
EVERY_S = 5             # between two lines about progress


def number(least, most):
    """An argparse type: an integer in a range."""
    def read(text):
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not from {least} to {most}")
        return value
    return read


def arguments():
    names = [*(case.name for case in (*plan.CASES, *plan.CP_CASES, *flows.CASES, *clocks.CASES)), *flows.OTHERS, *(way.name for way in flows.TRANSFERS), profile_functions.CASE]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=tuple(ROUNDS), help="one of them")
    parser.add_argument("--rounds", type=number(stats.LEAST, 1000), metavar="N",
                        help=f"in the lab kernel, from {stats.LEAST} ({ROUNDS['ecnsharp']} of ecnsharp, {ROUNDS['onramp']} of cp and of onramp)")
    parser.add_argument("--laps", type=number(1, LAPS_MOST), default=100, metavar="N",
                        help=f"a measurement of ecnsharp or cp, of 1024 packets each, 1 to {LAPS_MOST} (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the order within a round (1)")
    parser.add_argument("--case", action="append", choices=names, metavar="NAME",
                        help=f"this one only; may be repeated: {', '.join(names)}")
    parser.add_argument("--only", choices=("lab", "stock", "cache", "profile"), help="one of the kernels, the cache, or functions")
    parser.add_argument("--out", metavar="FOLDER", help="for bench.md and bench.json (docs/results if nothing of the part is left out)")
    args = parser.parse_args()
    args.partial = bool(args.case or args.only)
    args.case = args.case or names
    return args


def follow(what, total):
    """A function that gets the progress and prints it now and then."""
    state = {"reported": time.monotonic()}

    def progress(done):
        now = time.monotonic()
        if now - state["reported"] >= EVERY_S:
            state["reported"] = now
            print(f"bench: {what}: {done} of {total} measurements", file=sys.stderr, flush=True)
    return progress


def carry_out(args, part, name, machine, todo, read):
    """Have a machine carry out a plan; return what is read of its output, or None if there is nothing to do."""
    if args.only not in (None, name) or not todo:
        return {}
    print(f"bench: {name}: {len(todo)} measurements", file=sys.stderr, flush=True)
    return {name: read(todo, machine(part, todo, follow(name, len(todo))))}


def rounds_of(args, part):
    """Clocks are measured once."""
    return args.rounds if args.rounds and part != "clock" else ROUNDS[part]


def of_packets(args, name, part, cases):
    """Return {"lab": ..., "stock": ...} as guests.read() gives them."""
    found = {}
    for kernel, machine, rounds, laps in (("lab", guests.in_lab, rounds_of(args, name), args.laps),
                                          ("stock", guests.in_stock, STOCK_ROUNDS, STOCK_LAPS)):
        todo = plan.measurements(rounds, laps, args.seed, args.case, cases)
        found.update(carry_out(args, part, kernel, machine, todo, guests.read))
    return found


def of_ecnsharp(args):
    """ECN# and its peers."""
    return of_packets(args, "ecnsharp", guests.ECNSHARP, plan.CASES)


def of_cp(args):
    """The qdisc cp and CoDel."""
    return of_packets(args, "cp", guests.CP, plan.CP_CASES)


def of_onramp(args):
    """Return {"lab": ..., "stock": ..., "cache": ...} as flows_read.read() gives them, {"profile": ...} as profile_functions.read()."""
    todo = flows.in_time(rounds_of(args, "onramp"), args.seed, args.case)
    found = carry_out(args, guests.ONRAMP, "lab", guests.in_lab, todo, flows_read.read)
    todo = flows.in_instructions(args.case)
    found.update(carry_out(args, guests.ONRAMP, "stock", guests.in_stock, todo,
                           lambda plan_, output: flows_read.read(plan_, output, min)))
    todo = flows.in_lines(args.case)
    found.update(carry_out(args, guests.ONRAMP, "cache", guests.in_cache, todo,
                           lambda plan_, output: flows_read.read(plan_, output, lines=True)))
    todo = profile_functions.measurements(args.case)
    found.update(carry_out(args, guests.ONRAMP, "profile", guests.in_profile, todo, profile_functions.read))
    return found


def of_clock(args):
    """Return {"stock": ..., "host": ...} as clocks.read() gives them."""
    found = carry_out(args, guests.CLOCK, "stock", guests.in_stock, clocks.measurements(args.case), clocks.read)
    if args.only is None and "fleet" in args.case:
        found["host"] = {"fleet": clocks.document_of("fleet", guests.fleet())}
    return found


def measure(args):
    """Return {part: what was found}, of the selected parts."""
    parts = {"ecnsharp": of_ecnsharp, "cp": of_cp, "onramp": of_onramp, "clock": of_clock}
    found = {name: of(args) for name, of in parts.items() if args.part in (None, name)}
    return {name: kernels for name, kernels in found.items() if kernels}


def main():
    args = arguments()
    try:
        found = measure(args)
    except (guests.BenchFailed, guests.artifacts.BuildFailed, guests.guest.GuestError, guests.stock.StockError, LabError) as why:
        print(f"bench: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    tables = {"ecnsharp": report.text, "cp": report.cp_text, "onramp": flows_report.text, "clock": clocks_report.text}
    print("\n\n".join(tables[name](kernels) for name, kernels in found.items()))
    folder = args.out or (None if args.partial else os.path.join(guests.ROOT, "docs/results"))
    if folder:
        page.write(folder, {name: {"rounds": rounds_of(args, name), "laps": args.laps, "seed": args.seed, **kernels}
                            for name, kernels in found.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
