#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Do the programs and units of operations/ do what docs/operations.md and their pages say of them?

The programs run with stand-ins for those that they call, which write down how they were called; what onrampctl answers there,
onrampctl printed of a kernel of its tests' making. The units are systemd's to read; and what README.md and docs/tuning.md tell tc runs
as it stands, one line after the other, with pfifo for our qdiscs. Output is TAP.
"""

import importlib
import itertools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import documented  # noqa: E402
import managers  # noqa: E402
from page import Page  # noqa: E402
from parameters import ROOT, Tap  # noqa: E402
from prose import Prose  # noqa: E402
from scripts import FOLDER, SETTINGS, program, units  # noqa: E402
from tree import read  # noqa: E402

# A host by name: "cut" has its holds cut once it holds, "ill" has an error, "off" cannot be reached, "no" refuses, "lost"
# answers no more once it holds, "mute" does not say then what it counted, "wild" rejects delays because paths are
# suspect, "wrong" since they are negative or too long; "busy" has suspicions, but accepts most of its delays; of "b" there is
# something to note.
SSH = r"""#!/bin/sh
[ "$1" != -n ] || shift
host=$1; shift
echo "$host $*" >>"$LOG"
began=$(grep -c "^$host onramp-host hold" "$LOG")
case "$host/$began/$*" in
off/*|lost/1/onrampctl\ doctor) exit 255 ;;
mute/1/onrampctl\ -j\ stats) exit 255 ;;
no/*/onramp-host*) exit 2 ;;
*/onrampctl\ -j\ stats|*/onrampctl\ doctor)
	. "$ANSWERS/$host-$began-${*##* }" ;;
esac
"""


def counted(host, began):
    """Counters of a host before and after it holds."""
    return {
        "samples": 1000 + 1000 * began, "holds": 100 * began, "holds_bounded": 20 * began * (host == "cut"), "holds_new": 9,
        "negative": 900 + 50 * began * (host == "wrong"), "too_long": 900 + 51 * began * (host == "wrong"),
        "suspect": 900 + began * {"wild": 101, "busy": 24}.get(host, 0), "suspicions": 7 + 93 * began * (host == "busy"),
    }


# The list of peers and of devices is what was added.
ONRAMPCTL = r"""#!/bin/sh
echo "onrampctl $*" >>"$LOG"
case "$*" in
"-j peers")
	added=$(sed -n 's/^onrampctl peers add 10.0.0.0.8$/-added/p' "$LOG")
	. "$ANSWERS/peers$added" ;;
"-j keys")
	case $(cat "$LOG") in *"keys add"*) echo '[{"group": 1}]' ;; *) echo '[]' ;; esac ;;
"-j acker")
	added=$(sed -n 's/^onrampctl acker dev add eth7$/-added/p' "$LOG")
	. "$ANSWERS/acker$added" ;;
esac
"""


class Answers:
    """A folder with what the program says, of a kernel that is a stand-in: how it ends, too."""

    def __init__(self, folder):
        self.folder = folder
        make = ["make", "-s", "-C", f"{ROOT}/tc-plugins/onrampctl", f"O={folder}", f"{folder}/onrampctl-test"]
        env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
        subprocess.run(make, stdin=subprocess.DEVNULL, check=True, env=env)
        os.environ["O"] = folder
        sys.path.insert(0, f"{ROOT}/tc-plugins/onrampctl/test")
        self.doctor = importlib.import_module("doctor_test")
        self.ctl = self.doctor.Ctl()
        self.of_lists()
        for host, began in itertools.product({host for _, hosts, *_ in ROLLS for host in hosts.split()}, (0, 1)):
            self.of_host(host, began)

    def keep(self, name):
        """Its last output, as a script for a stand-in."""
        Testbed.write(os.path.join(self.folder, name), f"cat <<'END'\n{self.ctl.out}END\nexit {self.ctl.code}\n")

    def of_host(self, host, began):
        """Counters, and what the doctor finds."""
        names = [member["name"].replace("-", "_") for member in self.ctl.spec.structs["stats"]]
        data = struct.pack(f"={len(names)}q", *(counted(host, began).get(name, 0) for name in names))
        self.ctl.run("-j stats", [self.ctl.reply("stats-get", {"stats": data}), self.doctor.ack()])
        self.keep(f"{host}-{began}-stats")
        options = {"ill": self.doctor.OFF, "b": self.doctor.HOLD.replace(*(self.doctor.option("onramp", "MODE", mode) for mode in (b"\2", b"\1")))}
        self.doctor.Host(self.ctl).run("doctor", **({"qdiscs": [self.doctor.qdisc(options=options[host])]} if host in options else {}))
        self.keep(f"{host}-{began}-doctor")

    def of_lists(self):
        """Queries of onramp-host before it adds; of the devices of this machine lo is sure to be there."""
        peer = self.ctl.reply("peer-get", {"prefix": bytes((10, 0, 0, 0)), "prefix-len": 8}, self.doctor.MULTI)
        device = self.ctl.reply("acker-dev-get", {"ifindex": 1}, self.doctor.MULTI)
        acker = [self.ctl.reply("acker-get", {"acker-stats": bytes(120)}), self.doctor.ack()]
        for added in ("", "-added"):
            self.ctl.run("-j peers", [*[peer] * bool(added), self.doctor.done()])
            self.keep(f"peers{added}")
            self.ctl.run("-j acker", [*[device] * bool(added), self.doctor.done()], acker)
            self.ctl.out = self.ctl.out.replace('"lo"', '"eth7"')
            self.keep(f"acker{added}")


# ip route get. ME: which host this is; none: it has no network.
IP = r"""#!/bin/sh
case "$4/$ME" in
*/none) echo 'RTNETLINK answers: Network is unreachable' >&2; exit 2 ;;
"$ME/$4") echo "local $4 dev lo src $4 uid 0 \\    cache <local> " ;;
*) echo "$4 via 10.9.0.1 dev eth7 src 10.9.0.2 uid 0 \\    cache " ;;
esac
"""
# Two namespaces of processes, and one of none, which lsns calls 0.
LSNS = """#!/bin/sh
printf '    1\\n  742\\n    0\\n'
"""
# GONE: the process that has ended meanwhile.
NSENTER = """#!/bin/sh
echo "nsenter $*" >>"$LOG"
[ "$1" != "--net=/proc/$GONE/ns/net" ]
"""
OTHER = """#!/bin/sh
echo "${0##*/} $*" >>"$LOG"
"""


def tell(tap, passed, name, calls):
    """A result; what was called only where it is wrong."""
    tap.ok(name, passed, "\n".join(calls))


# Settings of onramp-host in most tests.
HOST = 'ONRAMP_PEERS="10.0.0.0/8"\nONRAMP_HOSTS="10.0.0.1 10.0.0.2"\nONRAMP_PARAMETERS="margin 130us"\n'


class Testbed:
    """A folder with a script, its settings and the stand-ins."""

    answers = ""

    def __init__(self, folder, script, settings=HOST):
        self.script = os.path.join(folder, "script")
        self.settings = os.path.join(folder, "settings")
        self.log = os.path.join(folder, "log")
        self.bin = os.path.join(folder, "bin")
        self.errors = ""
        os.makedirs(self.bin, exist_ok=True)
        for name, text in (("ssh", SSH), ("onrampctl", ONRAMPCTL), ("ip", IP), ("sleep", "#!/bin/sh\n"),
                           ("modprobe", OTHER), ("onramp-mq", OTHER), ("lsns", LSNS), ("nsenter", NSENTER)):
            self.write(os.path.join(self.bin, name), text)
        self.write(self.script, script.replace(SETTINGS, self.settings))
        self.write(self.settings, settings)
        self.write(self.log, "")

    @staticmethod
    def write(path, text):
        """A file that can be run."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def run(self, *arguments, **environment):
        """(status, calls of this run); environment: arguments of stand-ins"""
        with open(self.log, encoding="utf-8") as file:
            before = len(file.read())
        done = subprocess.run(["/bin/sh", self.script, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={"PATH": f"{self.bin}:/usr/bin:/bin", "LOG": self.log, "ANSWERS": self.answers, **environment}, timeout=60, check=False)
        self.errors = done.stderr
        with open(self.log, encoding="utf-8") as file:
            return done.returncode, file.read()[before:].splitlines()


# Hosts, the status, those that hold at the end.
ROLLS = (
    ("all are well", "a b c", 0, "a b c"),
    ("holds are cut", "a cut c", 1, ""),
    ("the doctor finds an error", "a b ill c", 1, ""),
    ("delays on suspect paths are not accepted", "wild a", 1, ""),
    ("nor those that cannot be", "a wrong", 1, ""),
    ("paths become suspect, and delays are accepted", "a busy c", 0, "a busy c"),
    ("one refuses", "a no c", 1, ""),
    ("one cannot be reached", "a off c", 1, ""),
    ("one answers no more", "a lost c", 1, ""),
    ("one does not say what it counted", "a mute c", 1, ""),
)


def held(calls):
    """Hosts that were set to hold and not stopped, in order."""
    begun = [call.split()[0] for call in calls if call.endswith(" onramp-host hold")]
    return [host for host in begun if f"{host} onrampctl hold off" not in calls]


def test_roll(tap, script):
    """It stops at the first host that is worse, and turns all off that it began."""
    noted = read(os.path.join(Testbed.answers, "b-1-doctor"))
    tell(tap, "\nnote: eth0: mode-observe: " in noted and noted.endswith("\nexit 1\n"), "roll: of a host the doctor notes something", [noted])
    for what, hosts, wanted, holding in ROLLS:
        with tempfile.TemporaryDirectory() as folder:
            testbed = Testbed(folder, script)
            testbed.write(os.path.join(folder, "hosts"), hosts.replace(" ", "\n") + "\n")
            status, calls = testbed.run(os.path.join(folder, "hosts"))
        tell(tap, (status, held(calls)) == (wanted, holding.split()), f"roll: {what}", [f"status {status}", *calls])
        if wanted:
            touched = any(call.startswith("c ") for call in calls)
            tell(tap, not touched, f"roll: {what}: nobody after it is touched", calls)
    with tempfile.TemporaryDirectory() as folder:
        testbed = Testbed(folder, script)
        hosts, check = os.path.join(folder, "hosts"), os.path.join(testbed.bin, "p99")
        testbed.write(hosts, "a\nb\nc\n")
        testbed.write(check, '#!/bin/sh\necho "check $1" >>"$LOG"\n[ "$1" != "$BAD" ]\n')
        testbed.write(os.path.join(testbed.bin, "sleep"), OTHER)
        for bad, wanted, holding in (("", 0, "a b c"), ("b", 1, "")):
            testbed.write(testbed.log, "")
            status, calls = testbed.run("-w", "7", "--check", "p99", hosts, BAD=bad)
            tell(tap, (status, held(calls)) == (wanted, holding.split()) and "sleep 7" in calls and "check b" in calls,
                 f"roll: the operator's check {'finds a fault' if bad else 'passes'}", [f"status {status}", *calls])
        testbed.write(os.path.join(folder, "none"), "")
        for arguments in ((), ("-x", hosts), ("-w", "5m", hosts), ("-w",), ("-c",), (hosts, hosts), (os.path.join(folder, "lost"),),
                          (os.path.join(folder, "none"),)):
            testbed.write(testbed.log, "")
            status, calls = testbed.run(*arguments)
            tell(tap, status == 2 and not calls and testbed.errors, f"roll: refused: {' '.join(map(os.path.basename, arguments)) or 'nothing'}",
                 [f"status {status}", testbed.errors, *calls])


def test_hurry(tap):
    """The line that turns all hosts off reaches each, and names a host that is not reached."""
    lines = [block for block in Prose(read("docs/operations.md")).blocks if block.startswith("for host in $(cat hosts)")]
    with tempfile.TemporaryDirectory() as folder:
        testbed = Testbed(folder, f"cd {folder}\n{{ {lines[0] if lines else 'exit 9'}; }} >output\n")
        testbed.write(os.path.join(folder, "hosts"), "a\noff\nc\n")
        status, calls = testbed.run()
        with open(os.path.join(folder, "output"), encoding="utf-8") as file:
            output = file.read()
    tell(tap, len(lines) == 1 and not status and sorted(calls) == [f"{host} onrampctl hold off" for host in ("a", "c", "off")]
         and output == "off still holds, or cannot be reached\n", "in a hurry: all hosts get the command, and one that is not reached is named",
         [f"status {status}", output, *calls])


def test_host(tap, script):
    """It finds the device, and a second run adds nothing."""
    with tempfile.TemporaryDirectory() as folder:
        testbed = Testbed(folder, script)
        status, calls = testbed.run()
        looks = status == 0 and "onramp-mq eth7 mode observe clock published margin 130us" in calls
        tell(tap, looks, "onramp-host: looks by default", calls)
        acks = {"onrampctl acker dev add eth7", "onrampctl peers add 10.0.0.0/8"} <= set(calls)
        tell(tap, acks, "onramp-host: acks", calls)
        status, calls = testbed.run("hold")
        holds = status == 0 and "onramp-mq eth7 mode hold clock published margin 130us" in calls
        tell(tap, holds, "onramp-host: holds if configured to", calls)
        tell(tap, not any(" add " in call for call in calls), "onramp-host: adds nothing twice", calls)
    for me, dev in (("10.0.0.1", "eth7"), ("10.0.0.2", "eth7"), ("none", "")):
        with tempfile.TemporaryDirectory() as folder:
            status, calls = Testbed(folder, script).run(ME=me)
        if dev:
            there = status == 0 and f"onrampctl acker dev add {dev}" in calls and not any(" lo" in call for call in calls)
            tell(tap, there, f"onramp-host: {me} itself takes its NIC, not lo", [f"status {status}", *calls])
        else:
            tell(tap, status == 1 and not calls, "onramp-host: without a network it touches nothing, and fails", calls)
    test_loaded(tap, script)
    test_settings(tap, script)


def test_loaded(tap, script):
    """Modules that are loaded are not looked for, as a container has none."""
    with tempfile.TemporaryDirectory() as folder:
        testbed = Testbed(folder, script.replace("/sys/module", f"{folder}/sys"))
        os.makedirs(os.path.join(folder, "sys/onramp_acker"))
        status, calls = testbed.run()
        tell(tap, not status and [call for call in calls if "modprobe" in call] == ["modprobe sch_onramp"],
             "onramp-host: loads the modules that are not loaded", [f"status {status}", *calls])


def test_settings(tap, script):
    """Settings are used, and wrong ones refused before anything is touched."""
    with tempfile.TemporaryDirectory() as folder:
        key = os.path.join(folder, "key")
        testbed = Testbed(folder, script, f'{HOST}ONRAMP_CLOCK="system error 2us"\nONRAMP_MODE=hold\nONRAMP_KEY={key}\n')
        testbed.write(key, "5a" * 16)
        status, calls = testbed.run()
        wanted = ("onrampctl clock set system error 2us", f"onrampctl keys add group 1 id 1 file {key}",
                  "onrampctl keys peers add group 1 prefix 10.0.0.0/8", "onramp-mq eth7 mode hold clock system error 2us margin 130us")
        tell(tap, status == 0 and [call for call in calls if call in wanted] == [wanted[1], wanted[2], wanted[0], wanted[3]],
             "onramp-host: the system's clock, a key, and the mode of its settings", [f"status {status}", testbed.errors, *calls])
        status, calls = testbed.run("off")
        tell(tap, status == 0 and calls[-1].startswith("onramp-mq eth7 mode off ") and not any("keys add" in call for call in calls),
             "onramp-host: an argument comes before them, and a key is added once", [f"status {status}", *calls])
    wrong = {"ONRAMP_PEERS": HOST.replace("10.0.0.0/8", ""), "ONRAMP_HOSTS": HOST.replace("10.0.0.1 10.0.0.2", ""),
             "ONRAMP_MODE": f"{HOST}ONRAMP_MODE=Hold\n", "ONRAMP_CLOCK": f"{HOST}ONRAMP_CLOCK=\n", "ONRAMP_KEY": f"{HOST}ONRAMP_KEY=/nowhere/key\n"}
    for name, settings in wrong.items():
        with tempfile.TemporaryDirectory() as folder:
            testbed = Testbed(folder, script, settings)
            status, calls = testbed.run()
        tell(tap, status == 1 and not calls and f"settings: {name}" in testbed.errors, f"onramp-host: wrong {name} is named, nothing is touched",
             [f"status {status}", testbed.errors, *calls])
    for arguments in (("on",), ("hold", "hold"), ("-x",)):
        with tempfile.TemporaryDirectory() as folder:
            testbed = Testbed(folder, script)
            status, calls = testbed.run(*arguments)
        tell(tap, status == 2 and not calls and testbed.errors, f"onramp-host: refused: {' '.join(arguments)}", [f"status {status}", *calls])
    with tempfile.TemporaryDirectory() as folder:
        testbed = Testbed(folder, script, read("operations/sharpramp.default"))
        status, calls = testbed.run()
        tell(tap, status == 1 and not calls, "onramp-host: with the settings as installed it touches nothing", [f"status {status}", *calls])
        os.remove(testbed.settings)
        status, calls = testbed.run("hold")
        tell(tap, status == 1 and not calls and "No such file or directory" in testbed.errors, "onramp-host: without settings it touches nothing", calls)
    known = set(re.findall(r"^([A-Z_]+)=", read("operations/sharpramp.default"), re.M))
    page = set(Page(read("operations/onramp-host.8")).entries("SETTINGS"))
    used = set(re.findall(r"\b(?:ONRAMP|ECNSHARP)_[A-Z]+\b", script + "".join(units().values())))
    tell(tap, known == page == used, "settings are the same in the file, on the page and in what reads them", map(str, (known, page, used)))


# A machine that needs no root: its own network, processes and /run.
UNSHARE = ("unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# A namespace with a name, one without, whose process says that it is there, and this one; each says which it is.
SPACES = """
mount -t tmpfs none /run && ip netns add named || exit 9
unshare --net sh -c 'echo there; exec sleep 60' >"$LOG.there" &
while [ ! -s "$LOG.there" ]; do sleep 0.1; done
for ns in /proc/self /proc/$!; do readlink $ns/ns/net; done
ip netns exec named readlink /proc/self/ns/net
/bin/sh "$1" off incident-42
"""
WHERE = """#!/bin/sh
echo "$(readlink /proc/self/ns/net) onrampctl $*" >>"$LOG"
"""


def possible(*command):
    """Whether this user may, on this machine."""
    return bool(shutil.which(command[0])) and not subprocess.run(command, capture_output=True, check=False).returncode


def test_everywhere(tap, script):
    """It reaches each namespace, and says where it did not."""
    with tempfile.TemporaryDirectory() as folder:
        testbed = Testbed(folder, script)
        status, calls = testbed.run("off", "incident-42")
        expected = [f"nsenter --net=/proc/{pid}/ns/net onrampctl hold off incident-42" for pid in (1, 742)]
        processes = [call for call in calls if call.startswith("nsenter --net=/proc/")]
        tell(tap, status == 0 and processes == expected, "onramp-everywhere: asks each namespace of processes", calls)
        status, calls = testbed.run("on", GONE="1")
        after = "nsenter --net=/proc/742/ns/net onrampctl hold on" in calls
        refusals = {arguments: testbed.run(*arguments) for arguments in ((), ("of",), ("-x",))}
        tell(tap, all(outcome == (2, []) for outcome in refusals.values()), "onramp-everywhere: wrong usage reaches no namespace",
             map(str, refusals.items()))
        tell(tap, status == 1 and after, "onramp-everywhere: one that is not reached is an error, and keeps no other from it", calls)
        if not possible(*UNSHARE, "mount", "-t", "tmpfs", "none", "/run"):
            tap.skip("onramp-everywhere: namespaces with a name and without", "no namespaces here")
            return
        for name in ("ip", "lsns", "nsenter", "sleep"):
            os.remove(os.path.join(testbed.bin, name))
        testbed.write(os.path.join(testbed.bin, "onrampctl"), WHERE)
        testbed.write(testbed.log, "")
        done = subprocess.run([*UNSHARE, "sh", "-c", SPACES, "sh", testbed.script], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, env={"PATH": f"{testbed.bin}:/usr/sbin:/usr/bin:/sbin:/bin", "LOG": testbed.log}, timeout=60,
                              check=False)
        wanted = {f"{space} onrampctl hold off incident-42" for space in done.stdout.split()}
        calls = set(read(testbed.log).splitlines())
        tell(tap, not done.returncode and len(wanted) == 3 and calls == wanted,
             "onramp-everywhere: namespaces with a name and without",
             [f"status {done.returncode}", done.stderr, *wanted, "requests:", *calls])


def verified(folder, name, text):
    """Reports of systemd about a unit next to the others and the daemon's, whose programs are there."""
    programs = os.path.join(folder, "programs")
    os.makedirs(programs, exist_ok=True)
    paths = {unit: read(f"huygens-lite/{unit}") for unit in ("huygens-lite.service", "huygens-wait.service")} | units() | {name: text}
    for unit, unit_text in paths.items():
        for path in re.findall(r"^ExecStart=(\S+)", unit_text, re.M):
            there = os.path.join(programs, os.path.basename(path))
            Testbed.write(there, "#!/bin/sh\n")
            unit_text = unit_text.replace(f"={path}", f"={there}")
        Testbed.write(os.path.join(folder, unit), unit_text)
        os.chmod(os.path.join(folder, unit), 0o644)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", os.path.join(folder, name.replace("@.", "@eth1."))],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": f"{folder}:"})
    return f"status {done.returncode} {done.stderr}" if done.returncode or done.stderr else ""


def test_units(tap, found):
    """systemd takes them, they wait for what they need, and start programs of this project."""
    tell(tap, set(found) == {"onramp-host.service", "ecnsharp@.service", "onramp-metrics.service", "onramp-metrics.timer"}, "all units are there",
         sorted(found))
    named = read("docs/operations.md") + read("docs/watch.md")
    lost = [name for name in found if re.sub(r"\.(service)$|@?\.service$", "", name).split("@")[0] not in named]
    tell(tap, not lost, "the pages name them", lost)
    if not shutil.which("systemd-analyze"):
        tap.skip("units", "no systemd-analyze")
        return
    for name, text in found.items():
        with tempfile.TemporaryDirectory() as folder:
            output = verified(folder, name, text)
            tell(tap, not output, f"{name}: systemd-analyze verify finds nothing", [output])
        with tempfile.TemporaryDirectory() as folder:
            wrong = re.sub("^(ExecStart|OnBootSec)=", r"\1s=", text, flags=re.M)
            tell(tap, verified(folder, name, wrong), f"{name}: it finds a wrong key", [])
    host = found.get("onramp-host.service", "")
    tell(tap, re.search("^After=.*huygens-wait.service chrony-wait.service", host, re.M) and re.search(r"^ExecStart=/usr/sbin/onramp-host$", host, re.M),
         "onramp-host.service: runs after huygens-wait.service or chrony-wait.service", [host])
    port = found.get("ecnsharp@.service", "")
    tell(tap, re.search("^WantedBy=sys-subsystem-net-devices-%i.device", port, re.M) and
         re.search(r"^ExecStart=/usr/sbin/ecnsharp-mq %I \$ECNSHARP_PARAMETERS$", port, re.M) and f"EnvironmentFile=-{SETTINGS}\n" in port,
         "ecnsharp@.service: comes with its device, with the parameters of the settings", [port])
    typed = [block for block in Prose(read("docs/operations.md")).blocks if block.startswith("systemctl enable ") and "ecnsharp@" in block]
    for device in ("eth1", "eth0.100", "br-lan", "a-b-c.7"):
        with tempfile.TemporaryDirectory() as folder:
            wants, instance = enabled(folder, port, "; ".join(typed).replace("eth1", device))
        path = subprocess.run(["systemd-escape", "-p", "--suffix=device", f"/sys/subsystem/net/devices/{device}"], text=True,
                              capture_output=True, check=True).stdout.strip()
        tell(tap, len(typed) == 1 and wants == [path] and instance == device, f"ecnsharp@.service: of {device}, as it is typed",
             [*typed, *wants, instance])


def enabled(folder, text, command):
    """Enable an instance by a command, in a root of its own; return the devices that want it, and what it is for its %I."""
    units_of = os.path.join(folder, "etc/systemd/system")
    os.makedirs(units_of)
    Testbed.write(os.path.join(units_of, "ecnsharp@.service"), text)
    subprocess.run(["sh", "-c", command.replace("systemctl ", f"systemctl --root={folder} ")], stdin=subprocess.DEVNULL,
                   capture_output=True, check=False)
    links = [os.path.split(os.path.relpath(os.path.join(where, name), units_of)) for where, _, names in os.walk(units_of)
             for name in names if os.path.islink(os.path.join(where, name))]
    names = {re.sub(r"ecnsharp@(.*)\.service$", r"\1", link) for _, link in links}
    output = subprocess.run(["systemd-escape", "-u", *sorted(names)], capture_output=True, text=True, check=False).stdout.strip()
    return [where.removesuffix(".wants") for where, _ in links], output


# Which are not in a user's PATH, or refuse him.
ROOTS = ("tc", "ip", "sysctl", "modprobe", "onrampctl", "onramp-mq", "ecnsharp-mq", "huygens-lite", "huygensctl", "acc-tuner", "accctl", "systemctl",
         "systemd-sysusers")


def test_typed(tap):
    """The commands of README.md can be typed without root, and tc's lines follow each other."""
    bare = []
    for block in Prose(read("README.md")).blocks:
        parts = re.split(r"\s*(?:;|&&|\|\|?)\s+", re.sub(r"(?:^|\s)#.*", "", block))
        # But for the figure.
        bare += [part for part in parts if part.split()[:1] and part.split()[0] in ROOTS and block[0] not in "|+^"]
    tell(tap, not bare, "README.md: what root alone may or finds has sudo", bare)
    links = "set -e\n" + "".join(f"ip link add eth{n} numtxqueues 2 numrxqueues 2 type veth peer name peer{n}\nip link set eth{n} up\n"
                                 for n in range(4))
    space = ("unshare", "--user", "--map-root-user", "--net", "sh", "-c")
    if not possible(*space, links):
        tap.skip("tc's command lines", "no namespaces or no veth here")
        return
    for page in ("README.md", "docs/tuning.md"):
        lines = [re.sub(r"\s#.*|\bsudo ", "", block) for block in Prose(read(page)).blocks]
        lines = [re.sub(r"\b(?:ecnsharp|onramp)\b[^;|&]*", "pfifo", line.partition(";")[0]) for line in lines
                 if re.match("tc (?:qdisc|class) (?:add|replace|change|del) ", line)]
        expected = links + "\n".join(f"echo '{line}' >&2; {line}" for line in lines)
        done = subprocess.run([*space, expected], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        tell(tap, not done.returncode and len(lines) > 4, f"{page}: tc takes its lines, one after the other",
             done.stderr.splitlines()[-2:])


def test_pages(tap, name):
    """Page, help, synopsis and completion of a program agree."""
    path = os.path.join(FOLDER, name)
    page = Page(documented.clean(tap, f"{path}.8"))
    helped = {option: documented.finish(path, option) for option in ("-h", "--help")}
    text = helped["-h"].stdout
    tell(tap, text and not helped["-h"].returncode and text == helped["--help"].stdout, f"{name}: -h and --help are one", [text])
    calls = re.findall(rf"(?:Usage:|^ +) {name} (.*)", text, re.M)
    usage = [" ".join(call.split()) for call in page.text("SYNOPSIS").split(name)[1:]]
    tell(tap, usage == calls and len(usage) == 2, f"{name}: the synopsis is that of help", [*usage, *calls])
    completed = documented.complete(os.path.join(FOLDER, "completion"), f"{name} -")
    documented.same_options(tap, name, help=documented.options(text),
                            page=documented.tags(page), completion=set(completed))


def main():
    tap = Tap()
    tests = {"onramp-rollout": test_roll, "onramp-host": test_host, "onramp-everywhere": test_everywhere}
    with tempfile.TemporaryDirectory() as folder:
        Testbed.answers = Answers(folder).folder
        for name, test in tests.items():
            test(tap, program(name, SETTINGS))
            test_pages(tap, name)
        test_hurry(tap)
    test_units(tap, units())
    test_typed(tap)
    managers.test(tap)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
