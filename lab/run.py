# SPDX-License-Identifier: GPL-2.0
"""Run one scenario of the virtual-time lab.

    lab/run SCENARIO [key=value ...] [--seed N] [--json FILE] [--flows CSV] [--queue CSV]
                     [--pcap PORT] [--module FILE.ko]
    lab/run list
    lab/run help SCENARIO

Same seed, parameters and fingerprint, which is of all that the run loads, give the same bytes of JSON on any machine; with
--module, it says whose code ran. Needs no root. A run that fails leaves its folder, with topology, console.log and raw results, and says where.
"""

import argparse
import os
import re
import shutil
import sys
import textwrap

from lab import trials
from lab.host import aqm, boot, program, results
from lab.host.artifacts import BuildFailed, Lab, tools
from lab.host.keys import user_file
from lab.host.network import EPOCH_NS
from lab.host.units import Refused

ALSO = ("An indented line is a scenario with other keys:\n'lab/report/report --study onramp --only NAME' runs all that the report shows "
        "under that name.")


# Columns of help: the widest first column, and the longest line.
FIRST, LINE = 24, 120


def table(rows):
    """Lines of two columns; what the first has no space for is on a line of its own."""
    width = max(len(first) for first, _ in rows if len(first) <= FIRST)
    for first, text in rows:
        head, *more = textwrap.wrap(text, LINE - width - 4, break_long_words=False, break_on_hyphens=False) or [""]
        if len(first) > width:
            yield f"  {first}"
            first = ""
        yield f"  {first:<{width}}  {head}".rstrip()
        yield from (f"{'':<{width + 4}}{line}" for line in more)


def also(name):
    """Lines of what the report shows of a scenario with other keys, under a name of its own."""
    for experiment, keys, what in trials.also(name):
        yield f"  {experiment:<10} {what}:\n{'':<12} lab/run {name} {keys}\n"


def list_scenarios():
    names = list(trials.scenario_names())
    width = max(map(len, names))
    for name in names:
        print(f"{name:<{width}} {trials.scenario(name).SUMMARY}")
        print("".join(also(name)), end="")
    print(f"\nlab/run help SCENARIO shows its keys; lab/run SCENARIO runs it with their defaults. {ALSO}")


def help_scenario(name):
    scenario = trials.scenario(name)
    print(f"{scenario.__doc__.strip()}\n")
    if others := "".join(also(name)):
        print(f"{others}\n{ALSO}\n")
    print("keys, with their defaults:\n")
    print("\n".join(table([(f"{key.name}={key.default}", key.help) for key in scenario.KEYS])))
    print("\nvirtual_seconds of the results is from the start of traffic until every flow has ended, after the duration.")


def arguments(argv):
    parser = argparse.ArgumentParser(prog="lab/run", usage=__doc__.split("\n\n")[1].strip(), allow_abbrev=False,
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", action="store_true", help="only build the lab, and say what it is")
    parser.add_argument("scenario", nargs="?", help="which; 'list' names them, 'help SCENARIO' shows the keys of one")
    parser.add_argument("keys", nargs="*", metavar="key=value")
    parser.add_argument("--seed", type=int, default=1, help="seed of all chance, 0 to 2^32 - 1 (1)")
    parser.add_argument("--json", metavar="FILE", help="write the results there, not to standard output")
    parser.add_argument("--flows", metavar="CSV", help="one line for each flow")
    parser.add_argument("--queue", metavar="CSV", help="trace of the bottleneck's queue")
    parser.add_argument("--pcap", metavar="PORT", help="capture a port of a switch, such as to-r1, in PORT.pcap")
    parser.add_argument("--module", metavar="FILE.ko", action="append",
                        help="load this module too, or in the place of the project's of the same name; the results have its SHA-256")
    parser.add_argument("--keep", metavar="FOLDER", help="run in this new folder; topology script and raw results stay there")
    return parser.parse_intermixed_args(argv)


def check_modules(paths):
    for path in paths:
        if not re.fullmatch(r"[A-Za-z0-9_.+-]+\.ko", os.path.basename(path)):
            raise Refused(f"--module: {path!a}: the file's name must be letters, digits or _.+-, and .ko")
        if not user_file(path):
            raise Refused(f"--module: {path} is no file")
    if len({os.path.basename(path) for path in paths}) < len(paths):
        raise Refused("--module: two files have the same name")


def check_files(args):
    """Refuse what cannot be written or read before minutes are spent on it."""
    outputs = {"--json": args.json, "--flows": args.flows, "--queue": args.queue,
               "--pcap": args.pcap and f"{args.pcap}.pcap"}
    outputs = {option: path for option, path in outputs.items() if path is not None}
    for option, path in outputs.items():
        program.check_output(option, path)
    if len(set(map(os.path.abspath, outputs.values()))) < len(outputs):
        raise Refused(f"{', '.join(outputs)}: two of them are the same file")
    check_modules(args.module or [])
    if args.keep is not None:
        if os.path.lexists(args.keep):
            raise Refused(f"--keep: {args.keep} exists already")
        program.check_output("--keep", args.keep.rstrip("/"))


def check_ports(args, setting):
    if args.pcap:
        try:
            setting.network.port(args.pcap)
        except Refused as why:
            raise Refused(f"--pcap: {why}") from None
    if args.queue and not setting.trace_ns:
        raise Refused("--queue: this scenario has many queues and traces none")


def save_trace(source, target):
    with program.writing(target), open(target, "w", encoding="ascii") as out:
        out.write("time_ns,packets,bytes\n")
        out.writelines(f"{at},{pkts},{size}\n" for at, pkts, size in results.read_trace(source, EPOCH_NS))


def copy(source, target):
    with program.writing(target):
        shutil.copyfile(source, target)


def save(folder, args):
    raw = os.path.join(folder, "result")
    if args.flows:
        copy(os.path.join(raw, "flows.csv"), args.flows)
    if args.queue:
        save_trace(os.path.join(raw, "bottleneck.trace"), args.queue)
    if args.pcap:
        copy(os.path.join(raw, "pcap.pcap"), f"{args.pcap}.pcap")


def run(args):
    trial = trials.Trial(args.scenario, args.keys, args.seed)
    if not args.module:
        aqm.check(trial.setting)
    check_ports(args, trial.setting)
    check_files(args)
    trial.rehearse(tools())
    lab = Lab()
    progress = trials.Progress(args.scenario, trial.params["duration"] / 1e9)
    try:
        document = trial.run(lab, folder=args.keep, module=args.module, pcap=args.pcap, progress=progress,
                             keep=lambda folder: save(folder, args))
    finally:
        progress.end()
    text = trials.dumps(document)
    if args.json:
        with program.writing(args.json), open(args.json, "w", encoding="ascii") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    if document["unfinished"]:
        print(f"lab/run: {document['unfinished']} flows failed or never ended: their times are missing", file=sys.stderr)
        return 1
    return 0


def main(argv):
    args = arguments(argv)
    try:
        if args.build:
            lab = Lab()
            print(f"kernel      {lab.kernel_dir}\nmodules     {lab.modules_dir}\ntools       {lab.tools_dir}\n"
                  f"file system {lab.initramfs}")
        elif args.scenario in (None, "list"):
            list_scenarios()
        elif args.scenario == "help":
            if len(args.keys) != 1:
                raise Refused("help wants the name of one scenario; lab/run list shows them")
            help_scenario(args.keys[0])
        else:
            return run(args)
    except Refused as why:
        print(f"lab/run: {why}", file=sys.stderr)
        return 2
    except (BuildFailed, boot.LabError) as why:
        print(f"lab/run: {args.scenario}: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    program.run("lab/run", lambda: main(sys.argv[1:]))
