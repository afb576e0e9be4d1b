#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Man pages, usage, completion, unit and examples: clean, and as the programs have it. PROGRAMS= are the programs."""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(SOURCE, "../selftests", folder) for folder in ("lib", "consistency")]
# pylint: disable=wrong-import-position
import documented
from page import Page
from tap import Tap

PROGRAMS = {os.path.basename(path): path for path in os.environ["PROGRAMS"].split()}
COMPLETION, TRAIN = (os.path.join(SOURCE, "completion", name) for name in ("accctl", "acc-train"))
PAGES = {"acc-tuner.8": "SYNOPSIS DESCRIPTION OPTIONS STATES SAFETY SIGNALS PRIVILEGES FILES EXAMPLES",
         "acc-tuner.conf.5": "SYNOPSIS DESCRIPTION KEYS EXAMPLES FILES",
         "accctl.1": "SYNOPSIS DESCRIPTION OPTIONS COMMANDS EXAMPLES",
         "acc-model.5": "DESCRIPTION"}


def text(name):
    """A file of the folder."""
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def section(page, head):
    """Lines of a section of a page."""
    return text(page).split(f".SH {head}\n")[1].split("\n.SH ")[0].splitlines()


def plain(line):
    """A line of a page as it is read."""
    return re.sub(r"\\f[A-Z]", "", re.sub(r"^\.[A-Z]+ ?", "", line)).replace("\\-", "-").replace("\\e", "\\")


def keys(tap):
    """The table of keys and its page say the same."""
    rows = (line.split("\t") for line in documented.finish(PROGRAMS["acc-tuner"], "--help-keys").stdout.splitlines())
    printed = {row[0]: tuple(row[1:]) for row in rows}
    found, part, lines = {}, "", section("acc-tuner.conf.5", "KEYS")
    for at, line in enumerate(lines):
        if line.startswith(".SS ["):
            part = line[5:-1]
        elif line == ".TP":
            found[f"{part}.{plain(lines[at + 1])}"] = [plain(more) for more in lines[at + 2:at + 4]]
    tap.ok("acc-tuner.conf(5) has every key, in the table's order, and no other", len(printed) > 15 and list(printed) == list(found),
           sorted(set(printed) ^ set(found)))
    for name, (takes, default, live, what) in printed.items():
        want = [f"{what}.", f"Takes {takes}; default {default}; {live}."]
        tap.ok(f"acc-tuner.conf(5): {name}", found.get(name) == want, (found.get(name), want))


def examples(tap):
    """Each example of a configuration is one, but for a model that is not there."""
    blocks = [*Page(text("acc-tuner.conf.5")).examples(), text("acc-tuner.conf.example")]
    for number, block in enumerate(blocks):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write(block)
            file.flush()
            done = documented.finish(PROGRAMS["acc-tuner"], "-t", "-f", file.name)
        lacks = "policy = ddqn" in block and "/usr/share/acc-tuner/ramp20.accm: No such file" in done.stderr
        tap.ok(f"example {number + 1} of a configuration is one", lacks or not done.returncode, done.stderr + block)
    tap.ok("there are four examples", len(blocks) == 4)


def usage(tap):
    """Help, page and completion have the same commands and options."""
    commands = re.findall(r"^  ([a-z]+) ", documented.finish(PROGRAMS["accctl"], "--help").stdout, re.M)
    page = re.findall(r"^\.TP\n\.(?:B|BI) ([a-z]+)", "\n".join(section("accctl.1", "COMMANDS")), re.M)
    tap.ok("accctl: help and page have the same commands", commands == page and len(page) == 7, (commands, page))
    offered = documented.complete(COMPLETION, "accctl ")
    tap.ok("accctl: completion has them too", offered == sorted(commands), offered)
    for program, name in (("accctl", "accctl.1"), ("acc-tuner", "acc-tuner.8")):
        documented.same_options(tap, program, help=documented.options(documented.finish(PROGRAMS[program], "--help").stdout),
                                page=documented.tags(Page(text(name))), completion=set(documented.complete(COMPLETION, f"{program} -")))


def of_commands(tap):
    """acc-train's commands have the options of the help, which says of which commands they are: the program and completion agree."""
    lines = re.findall(r"^  (?:-., )?(--[a-z]+)(?: [A-Z-]+)? +((?:(?:gate|sim|evaluate|, )+(?=: ))?)", documented.finish(PROGRAMS["acc-train"], "--help").stdout, re.M)
    commands, wrong = ("gate", "sim", "evaluate"), []
    for command in commands:
        has = {name for name, named in lines if not named or command in named}
        for name in sorted({name for name, _ in lines} - {"--version", "--help"}):
            refused = f"{command} has no option {name} " in documented.finish(PROGRAMS["acc-train"], command, name, "x", "--seed", "0").stderr
            wrong += [(command, name)] * (refused == (name in has))
        offered = {name for name in documented.complete(TRAIN, f"acc-train {command} -") if name.startswith("--")}
        tap.ok(f"acc-train {command}: help and completion have the same options", len(has) > 9 and offered == has, sorted(offered ^ has))
    tap.ok("acc-train refuses what the help does not give a command", len(lines) == 17 and not wrong, wrong)


def completion(tap):
    """Completions by bash."""
    for line, want in (("acc-train ga", ["gate"]), ("acc-train gate --du", ["--duration"]), ("acc-train sim --du", []), ("acc-train none -", []),
                       ("acc-train sim --reward ", ["busy", "marks", "paper"]), ("acc-train gate --templates p", ["paper20"]),
                       ("acc-train gate --seed ", []), ("acc-train gate /etc/hostn", []), ("acc-train evaluate /etc/hostn", ["/etc/hostname"]),
                       ("acc-train sim -o /etc/hostn", ["/etc/hostname"]), ("acc-train gate --workloads /etc/syste", ["/etc/systemd"])):
        got = documented.complete(TRAIN, line)
        tap.ok(f"completion: {line}", got == want, got)
    for line, want in (("accctl qu", ["queues"]), ("accctl -j comp", ["compare"]), ("accctl queues ", []), ("accctl --js", ["--json"]),
                       ("accctl -f /etc/hostn", ["/etc/hostname"]), ("acc-tuner --help-", ["--help-keys"]), ("accctl x", []),
                       ("accctl hold x", [])):
        got = documented.complete(COMPLETION, line)
        tap.ok(f"completion: {line}", got == want, got)


def unit(tap, folder):
    """Verified with the programs where they were built; wrong ones are found."""
    copy = os.path.join(folder, "acc-tuner.service")
    good = re.sub(r"/usr/s?bin/(acc[a-z-]+)", lambda m: PROGRAMS[m.group(1)], text("acc-tuner.service"))
    for what, content, fine in (("acc-tuner.service", good, True), ("a unit that is wrong", good.replace("Protect", "Protekt"), False)):
        with open(copy, "w", encoding="utf-8") as file:
            file.write(content)
        done = documented.finish("systemd-analyze", "verify", "--man=no", copy)
        tap.ok(f"{what}: systemd-analyze verify finds {'nothing' if fine else 'it'}", (not done.returncode and not done.stderr) == fine,
               done.stderr)
        if fine:
            done = documented.finish("systemd-analyze", "security", "--offline=true", "--threshold=25", copy)
            tap.ok("its exposure is 2.5 at most", not done.returncode, done.stdout[-200:] + done.stderr)


def user(tap, folder):
    """The user is made."""
    os.mkdir(os.path.join(folder, "etc"))
    done = subprocess.run(["systemd-sysusers", f"--root={folder}", "-"], input=text("acc-tuner.sysusers"), capture_output=True,
                          text=True, check=False)
    with open(os.path.join(folder, "etc/passwd"), encoding="utf-8") as file:
        tap.ok("the user is made", not done.returncode and "acc-tuner:" in file.read(), done.stderr)


def main():
    """All of it."""
    tap = Tap()
    for name, heads in PAGES.items():
        documented.clean(tap, os.path.join(SOURCE, name))
        tap.ok(f"{name}: it has its sections", all(f"\n.SH {head}\n" in text(name) for head in ["NAME", *heads.split()]))
    keys(tap)
    examples(tap)
    usage(tap)
    of_commands(tap)
    completion(tap)
    for program, path in PROGRAMS.items():
        documented.version(tap, program, path)
        documented.full(tap, program, ([path, option] for option in ("--help", "--version") + ("--help-keys",) * (program == "acc-tuner")))
    for what, needs in ((unit, "systemd-analyze"), (user, "systemd-sysusers")):
        if documented.finish("which", needs).returncode:
            tap.ok(f"{what.__name__} # SKIP no {needs}", True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            what(tap, folder)
    tap.end()


if __name__ == "__main__":
    main()
