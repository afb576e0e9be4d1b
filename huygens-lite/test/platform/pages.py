#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Man pages, usage, completion, units and examples: clean, and as the programs have it. O= has keys, PROGRAMS= the programs."""

import os
import re
import shutil
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

KEYS = os.path.join(os.environ["O"], "keys")
PROGRAMS = {os.path.basename(path): path for path in os.environ["PROGRAMS"].split()}
PAGES = {"huygens-lite.8": "OPTIONS STATES SIGNALS PRIVILEGES FILES EXAMPLES",
         "huygens-lite.conf.5": "KEYS EXAMPLES FILES NOTES",
         "huygensctl.1": "OPTIONS COMMANDS TRACKING EXAMPLES"}
UNITS = {"huygens-lite.service": 3.0, "huygens-lite@.service": 3.0, "huygens-wait.service": 1.0}


def text(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def run(*command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more)


def plain(line):
    """A line of a man page as it is read."""
    if line.startswith("."):
        line = re.sub(r"^\.[A-Z]+ ?", "", line)
    return re.sub(r"\\f[A-Z]", "", line).replace("\\-", "-").replace("\\e", "\\")


def clean(tap, name):
    documented.clean(tap, os.path.join(SOURCE, name))
    heads = re.findall(r"^\.SH (.*)", text(name), re.M)
    wanted = ["NAME", "SYNOPSIS", "DESCRIPTION", *PAGES[name].split()]
    tap.ok(f"{name}: it has its sections", all(head in heads for head in wanted), heads)


def keys():
    """{section.key: (range, default, live, what)} by the program."""
    rows = (line.split("\t") for line in run(KEYS).stdout.splitlines())
    return {row[0]: tuple(row[1:]) for row in rows}


def page_keys():
    """{section.key: the first two lines} by the page."""
    found, section = {}, ""
    lines = text("huygens-lite.conf.5").split(".SH KEYS\n")[1].split(".SH ")[0].splitlines()
    for at, line in enumerate(lines):
        if line.startswith(".SS ["):
            section = line[5:-1]
        elif line == ".TP":
            found[f"{section}.{plain(lines[at + 1])}"] = [plain(more) for more in lines[at + 2:at + 4]]
    return found


def compare_keys(tap):
    reported, page = keys(), page_keys()
    tap.ok("huygens-lite.conf(5) has every key, in the table's order, and no other", list(reported) == list(page),
           (sorted(set(reported) ^ set(page)), list(page)))
    for name, (takes, default, live, what) in reported.items():
        given = "must be given" if name == "mesh.peers" else f"default {default}"
        want = [f"{what}.", f"Takes {takes}; {given}; {live}."]
        tap.ok(f"huygens-lite.conf(5): {name}", page.get(name) == want, (page.get(name), want))


def examples(tap):
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        blocks = [*Page(text("huygens-lite.conf.5")).examples(), text("huygens-lite.conf.example")]
        for number, block in enumerate(blocks):
            file.seek(0)
            file.truncate()
            file.write(block)
            file.flush()
            done = run(KEYS, file.name)
            tap.ok(f"example {number + 1} of a configuration is one", not done.returncode, done.stdout + block)
    tap.ok("there are seven examples", len(blocks) == 7)


def usage(tap):
    output = run(PROGRAMS["huygensctl"], "--help").stdout
    commands = re.findall(r"^  ([a-z]+) ", output, re.M)
    page = re.findall(r"^\.TP\n(?:\.B|\.BR) \"?([a-z]+)", text("huygensctl.1").split(".SH COMMANDS\n")[1].split(".SH ")[0], re.M)
    tap.ok("huygensctl: help and page have the same commands", commands == page and len(page) == 9, (commands, page))
    script = text("completion/huygensctl")
    offered = re.search(r"commands='([^']*)'", script).group(1).split()
    tap.ok("huygensctl: completion has them too", offered == commands, offered)
    for program, page in (("huygensctl", "huygensctl.1"), ("huygens-lite", "huygens-lite.8")):
        if program not in PROGRAMS:
            tap.ok(f"{program}: options # SKIP it is not built", True)
            continue
        documented.same_options(tap, program, help=documented.options(run(PROGRAMS[program], "--help").stdout), page=documented.tags(Page(text(page))),
                          completion=set(documented.complete(os.path.join(SOURCE, "completion/huygensctl"), f"{program} -")))


def completion(tap):
    for line, want in (("huygensctl tr", ["tracking"]), ("huygensctl ", "tracking peers edges hosts stats reset reload burst waitsync".split()),
                       ("huygensctl -j p", ["peers"]), ("huygensctl tracking ", []), ("huygensctl -i ", []),
                       ("huygensctl -i 1s wai", ["waitsync"]), ("huygensctl --js", ["--json"]), ("huygens-lite --help-", ["--help-keys"]),
                       ("huygensctl x", []), ("huygensctl -s /etc/hostn", ["/etc/hostname"])):
        got = documented.complete(os.path.join(SOURCE, "completion/huygensctl"), line)
        tap.ok(f"completion: {line}", got == sorted(want), got)


def unit(tap, name, most, folder):
    """Verified with the programs where they were built."""
    copy = os.path.join(folder, name.replace("@.", "@upper."))
    with open(copy, "w", encoding="utf-8") as file:
        file.write(re.sub(r"/usr/s?bin/(huygens[a-z-]+)", lambda m: PROGRAMS.get(m.group(1), "/bin/true"), text(name)))
    done = run("systemd-analyze", "verify", "--man=no", copy)
    tap.ok(f"{name}: systemd-analyze verify finds nothing", not done.returncode and not done.stderr, done.stderr)
    done = run("systemd-analyze", "security", "--offline=true", f"--threshold={int(most * 10)}", copy)
    tap.ok(f"{name}: its exposure is {most} at most", not done.returncode, done.stdout[-200:] + done.stderr)


def template(tap):
    """Another mesh's unit is that of the first, with names of its own."""
    lines = [text(name).splitlines() for name in ("huygens-lite.service", "huygens-lite@.service")]
    differ = [(one, other) for one, other in zip(*lines) if one != other]
    named = [re.sub("-%i|of another mesh, %i", "", other).replace(" -f /etc/huygens-lite.conf", "") for _, other in differ]
    plain_ones = [one.replace(", clock synchronisation for one-way delays", " ") for one, _ in differ]
    tap.ok("huygens-lite@.service: it is huygens-lite.service but for its name, file and folders",
           len(lines[0]) == len(lines[1]) and len(differ) == 6 and named == plain_ones, differ)


def drop_in(tap, folder):
    """That of huygens-lite(8) is read with the unit, and one that is wrong is found."""
    block = next(block for block in Page(text("huygens-lite.8")).examples() if block.startswith("[Service]\n"))
    copy = os.path.join(folder, "huygens-lite.service")
    os.mkdir(copy + ".d")
    for what, unit, good in (("the drop-in of huygens-lite(8)", block, True),
                              ("what a drop-in may not say", block.replace("Ambient", "Ambi"), False)):
        with open(os.path.join(copy + ".d", "sock.conf"), "w", encoding="ascii") as file:
            file.write(unit)
        done = run("systemd-analyze", "verify", "--man=no", copy)
        tap.ok(f"{what}: systemd-analyze verify {'finds nothing' if good else 'finds it'}",
               (not done.returncode and not done.stderr) == good,
               done.stderr)
    shutil.rmtree(copy + ".d")


def units(tap):
    template(tap)
    if not shutil.which("systemd-analyze"):
        tap.ok("units # SKIP no systemd-analyze", True)
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in UNITS:
            shutil.copy(os.path.join(SOURCE, name), folder)
        for name, most in UNITS.items():
            unit(tap, name, most, folder)
        drop_in(tap, folder)
        bad = os.path.join(folder, "bad.service")
        with open(bad, "w", encoding="utf-8") as file:
            file.write(text("huygens-lite.service").replace("/usr/sbin/huygens-lite", "/nowhere").replace("Protect", "Protekt"))
        done = run("systemd-analyze", "verify", "--man=no", bad)
        tap.ok("a unit that is wrong is found", "Protekt" in done.stderr and "/nowhere" in done.stderr, done.stderr)
        done = run("systemd-analyze", "security", "--offline=true", "--threshold=30",
                   os.path.join(folder, "huygens-wait.service").replace("wait", "nowhere"))
        tap.ok("and so is one that is not there", done.returncode)
    if shutil.which("systemd-sysusers"):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "etc"))
            done = subprocess.run(["systemd-sysusers", f"--root={folder}", "-"], input=text("huygens-lite.sysusers"),
                                  capture_output=True, text=True, check=False)
            with open(os.path.join(folder, "etc/passwd"), encoding="utf-8") as file:
                users = file.read()
            tap.ok("the user is made", not done.returncode and "huygens:" in users, done.stderr + users)


def main():
    tap = Tap()
    for name in PAGES:
        clean(tap, name)
    compare_keys(tap)
    examples(tap)
    usage(tap)
    for program, path in PROGRAMS.items():
        documented.version(tap, program, path)
        documented.full(tap, program, ([path, option] for option in ("--help", "--version") + ("--help-keys",) * (program == "huygens-lite")))
    completion(tap)
    units(tap)
    tap.end()


if __name__ == "__main__":
    main()
