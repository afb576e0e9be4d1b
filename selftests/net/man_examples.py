#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The examples of man pages, run by sh line by line, and the output that pages for operators show, as TAP.

Each page has a network namespace with the devices that its examples name, and a folder. The names of namespaces are in a mount
namespace of this script, so commands that apply to all namespaces apply to these only.

From README.md and docs only lines that begin with a command of TYPED are run. Other suites run the rest: packages, cluster, demo,
flowgen and operations.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "../consistency"))
# pylint: disable=wrong-import-position
from page import Page, commands
from prose import Prose
from scripts import program
from script import LIBC, Inside, finish, result, run, skip

PAGES = ("tc-cp.8", "tc-ecnsharp.8", "tc-onramp.8", "onrampctl/onrampctl.8", "onramp-mq.8")
# Commands that one reader types, page after page, in one namespace; docs/operations.md speaks of the host that README.md has set up.
READERS = (("README.md", "docs/operations.md"), ("docs/tuning.md",), ("docs/lossless.md",))
TYPED = ("tc", "sysctl", "modprobe", "onrampctl", "onramp-mq", "ecnsharp-mq", "onramp-host", "printf")
# Settings of onramp-host.
HOST = 'ONRAMP_PEERS="10.0.0.0/8"\nONRAMP_HOSTS="10.0.0.1 10.0.0.2"\nONRAMP_PARAMETERS="margin 130us"\nONRAMP_KEY="etc/onramp.key"\n'
# Settings that only the first namespace of a kernel has.
FIRST = "sysctl -w net.ipv4.tcp_congestion_control=dctcp"
# Programs of other projects, replaced because they need real NICs.
NICS = ("hwstamp_ctl", "ethtool")
# The value of "now" in the example of onrampctl(8).
NOW = "1800000037s"
# Commands that end when the reader stops them.
ENDLESS = ("cat /sys/kernel/tracing/trace_pipe",)
TRACING = "/sys/kernel/tracing/events/ecnsharp/enable"
# Modules that load and unload together.
ONRAMP = {"sch_onramp", "onramp_acker", "onramp", "onramp_hook"}
PATIENCE, LOOK = 120, 1
MS_PRIVATE_REC, CLONE_NEWNS = 0x44000, 0x20000


def private_names():
    """From now on `ip netns` knows the namespaces that this script makes, and no others."""
    os.makedirs("/run/netns", exist_ok=True)
    if LIBC.unshare(CLONE_NEWNS) or LIBC.mount(b"none", b"/", None, MS_PRIVATE_REC, None):
        sys.exit("man_examples: no mount namespace")
    run("mount -t tmpfs names /run/netns")


def devices(name):
    """eth0 and eth1 with two queues each, and a bridge."""
    run(f"ip -n {name} link add name br0 type bridge")
    for dev in ("eth0", "eth1"):
        run(f"ip -n {name} link add name {dev} numtxqueues 2 type dummy")
        run(f"ip -n {name} link set {dev} up")


def outcome(line, folder):
    """(status, standard output, standard error) of a line; 0 of an endless one if it went on until it was ended."""
    if line.startswith("modprobe -r "):
        # Namespaces take a while to go, and use it so long.
        line = f"for n in $(seq 50); do {line} 2>/dev/null && exit; sleep 0.2; done; {line}"
    command = ["timeout", "-s", "INT", str(LOOK)] * (line in ENDLESS) + ["sh", "-c", line]
    if line.startswith("printf "):      # the daemon's configuration
        command[-1] += " >/dev/null && huygens-lite -t -f etc/huygens-lite.conf"
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
    status = 0 if line in ENDLESS and done.returncode in (124, 130, -2) else done.returncode
    return status, done.stdout, done.stderr


def is_there(line):
    """Did a line that sets a qdisc up do so?"""
    match = re.match(r"(?:tc qdisc (?:add|replace|change) dev (\S+) .*\b(cp|ecnsharp|onramp)\b|(onramp|ecnsharp)-mq (\S+))", line)
    if not match:
        return True
    shown = subprocess.run(["tc", "qdisc", "show", "dev", match[1] or match[4]], capture_output=True, text=True, check=False)
    return f"qdisc {match[2] or match[3]} " in shown.stdout


def loaded():
    """The modules that this machine has loaded."""
    with open("/proc/modules", encoding="ascii") as file:
        return {line.split()[0] for line in file}


def drivers():
    """Users of the hook: drivers that call it."""
    try:
        return set(os.listdir("/sys/module/onramp_hook/holders")) - ONRAMP
    except FileNotFoundError:
        return set()


def gone(line, status, err):
    """Are a line's modules gone, and those that came with them? Under a driver the hook stays, and modprobe says so."""
    kept = {"onramp_hook"} if drivers() else set()
    as_expected = status and "onramp_hook is in use" in err if kept else not status and not err
    return as_expected and loaded() & (ONRAMP | set(line.split())) == kept


def judge(line, status, out, err):
    """Is that what the page lets somebody expect?  What needs a hardware clock must be refused because there is none."""
    if line.startswith("modprobe -r "):
        return gone(line, status, err)
    if re.match("onrampctl (phc|stamps) set dev eth0 ", line):
        return status and "no hardware clock" in err
    if "doctor" in line:
        return status in (0, 1) and not err and isinstance(json.loads(out), list)
    return not status and not err and is_there(line)


def type_in(name, line, folder):
    """One line, and what came of it."""
    name = f"{name}: {line}"
    if line.split()[0] in NICS:
        skip(name, "it needs a NIC")
    elif "/sys/kernel/tracing" in line and not os.path.exists(TRACING):
        skip(name, "no tracefs at /sys/kernel/tracing")
    else:
        ran = outcome(line.replace(NOW, f"{int(time.time()) + 37}s"), folder)
        result(judge(line, *ran), name, *ran)


def page(path):
    """All examples of a page, in order. One that begins with a device's first qdisc begins with a device that has none."""
    with open(os.path.join(ROOT, "tc-plugins", path), encoding="ascii") as file:
        blocks = [commands(block) for block in Page(file.read()).examples()]
    title, name = os.path.basename(path), os.path.basename(path).partition(".")[0]
    result(any(blocks), f"{title} has examples")
    run(f"ip netns add {name}")
    devices(name)
    with tempfile.TemporaryDirectory() as folder, Inside(name):
        for block in blocks:
            first = re.match(r"tc qdisc add dev (\S+) root ", block[0]) if block else None
            if first:
                subprocess.run(["tc", "qdisc", "del", "dev", first[1], "root"], capture_output=True, check=False)
            for line in block:
                type_in(title, line, folder)
    run(f"ip netns del {name}")


def lines_of(text):
    """Commands in a page's blocks, each as it would be typed; fenced blocks are figures, files and scripts."""
    shown = "\n".join(Prose(re.sub(r"^```.*?^```\n", "", text, flags=re.M | re.S)).blocks)
    shown = re.sub(r"(?:^|(?<=\s))#.*", "", re.sub(r"\s*\\\n", " ", shown), flags=re.M).replace("\ndone", "; done")
    shown = re.sub(r"\{\n(.*?)\n\}", lambda block: "{ " + block[1].replace("\n", "; ") + "; }", shown, flags=re.S)
    for line in filter(None, map(str.strip, re.sub(r"\bsudo ", "", shown).splitlines())):
        yield from [line] if "{" in line or line.startswith("for ") else re.split(r"\s*(?:;|&&)\s+", line)


def held(module):
    """Does somebody on this machine use a module?"""
    try:
        with open(f"/sys/module/{module}/refcnt", encoding="ascii") as file:
            return int(file.read()) > 0
    except FileNotFoundError:
        return False


def reader(pages, busy):
    """The pages' lines, one after the other."""
    run("ip netns add reader")
    devices("reader")
    run("ip -n reader link add name eth2 type dummy")
    run("ip -n reader link add name eth3 type dummy")
    run("ip -n reader address add 10.0.0.1/8 dev eth0")
    with tempfile.TemporaryDirectory() as folder, Inside("reader"):
        os.makedirs(f"{folder}/etc")
        os.makedirs(f"{folder}/bin")
        for path, text, mode in (("bin/onramp-host", program("onramp-host", f"{folder}/etc/sharpramp"), 0o755),
                                 ("etc/sharpramp", HOST, 0o600), ("etc/onramp.key", "5a" * 16 + "\n", 0o600)):
            with open(f"{folder}/{path}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{folder}/{path}", mode)
        for path in pages:
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                lines = list(lines_of(file.read()))
            for line in lines:
                name = f"{path}: {line}"
                if line.split()[0] not in TYPED:
                    print(f"# {name}: not typed here", flush=True)
                elif busy and line.startswith("modprobe -r "):
                    skip(name, "this machine uses On-Ramp or ECN#")
                elif line == FIRST:
                    ran = outcome(line, folder)
                    result(ran[0] and "permitted" in ran[2], f"{name}: in the first namespace alone", *ran)
                else:
                    ran = outcome(line.replace("/etc/", "etc/"), folder)
                    result(judge(line, *ran), name, *ran)
    run("ip netns del reader")


def read(busy):
    """README.md and the pages for operators; a machine that uses what they remove keeps it."""
    for pages in READERS:
        reader(pages, busy)


def noticed(busy):
    """Errors are found."""
    text = "A\n\n    sudo tc a \\\n        b  # c\n    d && sudo e\n\n```\nf\n```\n\n    g || {\n        h\n    }\n"
    result(list(lines_of(text)) == ["tc a b", "d", "e", "g || { h; }"], "lines of a page", list(lines_of(text)))
    run("ip netns add wrong")
    devices("wrong")
    with Inside("wrong"):
        for line in ("tc qdisc add dev eth0 root ecnsharp ins_target 1parsec", "tc qdisc add dev eth0 parent 1:1 ecnsharp",
                     "tc qdisc add dev eth9 root onramp", "onrampctl paths bogus", "onramp-mq eth0 mode wrong", "true; echo no >&2",
                     "true tc qdisc add dev eth0 root ecnsharp", *["modprobe -r sch_onramp onramp_acker"] * (not busy)):
            ran = outcome(line, "/")
            bad = not judge(line.removeprefix("true "), *ran)
            result(bad, f"it would be noticed: {line}", *ran)
    run("ip netns del wrong")


def main():
    """All pages; what was not there before goes."""
    was = os.path.isdir("/sys/module/onramp_acker")
    private_names()
    # Before anybody else loads a module: tc does so by itself.
    busy = was or any(held(module) for module in ("sch_onramp", "sch_ecnsharp"))
    read(busy)
    for module in ("sch_onramp", "onramp_acker", "sch_ecnsharp"):
        run(f"modprobe {module}")
    traced = ""
    if os.path.exists(TRACING):
        with open(TRACING, encoding="ascii") as file:
            traced = file.read()
    for path in PAGES:
        page(path)
    if traced:
        with open(TRACING, "w", encoding="ascii") as file:
            file.write(traced[:1].replace("X", "0"))
    noticed(busy)
    # Namespaces take a while to go, and others unload what these modules use.
    for _ in range(0 if was else 50):
        subprocess.run(["rmmod", "onramp_acker"], capture_output=True, check=False)
        if "onramp_acker" not in loaded():
            break
        time.sleep(0.2)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
