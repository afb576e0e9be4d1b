#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The Ansible role rolls On-Ramp out over hosts, each a network namespace with its own /etc/default, and stops where it must. TAP.

Stand-ins for onramp-host, onrampctl and systemctl write down how they are called and answer as a host would; packages are not installed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
# pylint: disable=wrong-import-position
import usage
from tap import Tap

PLAYBOOK = os.path.join(ROOT, "contrib/ansible/rollout.yml")
HOSTS = ("host1", "host2", "host3")
SETTINGS = {"ONRAMP_PEERS": "192.0.2.0/24", "ONRAMP_HOSTS": "192.0.2.1 192.0.2.2", "ONRAMP_CLOCK": "published"}
# In place of ssh: the last two arguments are a host and a command, which runs in the host's namespaces.
SSH = """#!/bin/bash
host=@SCRATCH@/${@: -2:1}
[ -d "$host" ] && [ ! -e "$host/down" ] || { echo "cannot reach ${@: -2:1}" >&2; exit 255; }
exec unshare @USER@--mount --net sh -c 'mount --bind "$0/default" /etc/default && PATH=$0/bin:$PATH exec sh -c "$1"' "$host" "${@: -1}"
"""
PROGRAM = """#!/bin/sh
host=${0%/bin/*}
echo "${0##*/} $*" >>"$host/log"
case "${0##*/} $*" in
'onrampctl -j stats') cat "$host/$([ -e "$host/holding" ] && echo after || echo before).json" ;;
'onrampctl hold on') touch "$host/holding"; [ ! -e "$host/breaks" ] || touch "$host/down" ;;
'onrampctl doctor') cat "$host/doctor"; exit 1 ;;
'systemctl show'*) printf 'LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n' ;;
'systemctl is-enabled'*) echo enabled ;;
esac
"""
BEFORE = dict.fromkeys(("samples", "suspect", "negative", "too_long", "holds_bounded", "holds"), 0)
AFTER = BEFORE | {"samples": 1000, "holds": 500, "suspect": 100, "holds_bounded": 50}


class Fleet:
    """Hosts, and what each was asked."""

    def __init__(self, scratch):
        self.scratch = scratch
        os.makedirs(scratch)
        self.ssh = os.path.join(scratch, "ssh")
        self.program(self.ssh, SSH.replace("@SCRATCH@", scratch).replace("@USER@", "" if os.geteuid() == 0 else "--user --map-root-user "))
        for host in HOSTS:
            for folder in ("bin", "default"):
                os.makedirs(os.path.join(scratch, host, folder))
            for name in ("onrampctl", "onramp-host", "systemctl"):
                self.program(os.path.join(scratch, host, "bin", name), PROGRAM)
            self.answer(host, before=BEFORE, after=AFTER)
            self.write(f"{host}/doctor", "warning: the clock is young\n")

    @staticmethod
    def program(path, text):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def write(self, path, text):
        with open(os.path.join(self.scratch, path), "w", encoding="utf-8") as file:
            file.write(text)

    def answer(self, host, **counters):
        """Counters of a host before it holds, and after."""
        for name, values in counters.items():
            self.write(f"{host}/{name}.json", json.dumps(values))

    def text(self, path):
        """A file of a host; empty if there is none."""
        path = os.path.join(self.scratch, path)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def mode(self, host):
        """The mode at boot."""
        return self.text(f"{host}/default/sharpramp").partition('ONRAMP_MODE="')[2].partition('"')[0]

    def asked(self, host):
        """The commands that changed a host or asked it."""
        return [line.strip() for line in self.text(f"{host}/log").splitlines() if not line.startswith("systemctl")]

    def play(self, settings=None, **more):
        """Run the playbook; return (status, output)."""
        inventory = f"[onramp]\n{chr(10).join(HOSTS)}\n"
        self.write("inventory", inventory)
        values = {"sharpramp_settings": settings or SETTINGS, "sharpramp_wait": 1, "sharpramp_batches": [1, 2], "ansible_ssh_executable": self.ssh,
                  "ansible_python_interpreter": "/usr/bin/python3"} | more
        env = os.environ | {"HOME": self.scratch, "ANSIBLE_PIPELINING": "1", "ANSIBLE_NOCOLOR": "1", "ANSIBLE_SSH_TRANSFER_METHOD": "piped",
                            "ANSIBLE_SSH_ARGS": "", "ANSIBLE_HOST_KEY_CHECKING": "0", "ANSIBLE_LOCAL_TEMP": f"{self.scratch}/tmp", "ANSIBLE_DEPRECATION_WARNINGS": "0"}
        done = subprocess.run(["ansible-playbook", "-i", f"{self.scratch}/inventory", PLAYBOOK, "-e", json.dumps(values)], cwd=self.scratch, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout


HELD = ["onrampctl -j stats", "onramp-host hold", "onrampctl hold on", "onrampctl doctor", "onrampctl -j stats"]
OFF = "onrampctl hold off"


def lint(tap):
    """ansible-lint, with the rules for roles that others use."""
    if not shutil.which("ansible-lint"):
        tap.skip("ansible-lint", "not installed: make deps")
        return
    with tempfile.TemporaryDirectory() as home:
        copy = os.path.join(home, "ansible")
        shutil.copytree(os.path.dirname(PLAYBOOK), copy)

        def said():
            done = subprocess.run(["ansible-lint", "--offline", "--nocolor", "--profile", "production", "rollout.yml", "roles"], cwd=copy, stdin=subprocess.DEVNULL,
                                  env=os.environ | {"HOME": home}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return done.returncode, done.stdout
        status, output = said()
        tap.ok("ansible-lint finds nothing", not status and "0 failure(s), 0 warning(s)" in output, output)
        with open(os.path.join(copy, "roles/sharpramp/tasks/main.yml"), "a", encoding="utf-8") as file:
            file.write("\n- command: true\n")
        tap.ok("it would find a task without a name", said()[0])


def whole(tap, fleet):
    """All hosts hold; a second run changes no file."""
    status, output = fleet.play()
    tap.ok("the roll-out succeeds", not status, output[-3000:])
    tap.ok("each host observes, then holds, and is examined", all(fleet.asked(host) == ["onramp-host", *HELD] for host in HOSTS), [fleet.asked(host) for host in HOSTS])
    tap.ok("each holds at boot", [fleet.mode(host) for host in HOSTS] == ["hold"] * 3, output[-2000:])
    text = fleet.text("host1/default/sharpramp")
    tap.ok("settings are there", all(f'{name}="{value}"\n' in text for name, value in SETTINGS.items()), text)
    status, output = fleet.play()
    tap.ok("a second run changes no settings", not status and fleet.text("host1/default/sharpramp") == text and fleet.asked("host1").count("onramp-host") == 1, output[-2000:])


def stops(tap, fleet, what, why, failing="host2", **more):
    """The second host of three fails: it and the first are turned off, the third is in its batch, or was never begun."""
    status, output = fleet.play(sharpramp_batches=[1], **more)
    tap.ok(f"{what}: the roll-out stops, and says why", status and why in output and f"{failing}: " in output, output[-3000:])
    tap.ok(f"{what}: holding is off where it was begun", all(OFF in fleet.asked(host) for host in HOSTS[:2] if not os.path.exists(f"{fleet.scratch}/{host}/down")) and
           [fleet.mode(host) for host in HOSTS] == ["observe"] * 3, [(fleet.asked(host), fleet.mode(host)) for host in HOSTS])
    tap.ok(f"{what}: the last host never held", fleet.asked("host3") == ["onramp-host"], fleet.asked("host3"))


def faults(tap, scratch):
    """What stops it, each in a fleet of its own."""
    def fleet(name):
        return Fleet(os.path.join(scratch, name))
    one = fleet("rejected")
    one.answer("host2", after=AFTER | {"too_long": 1})
    stops(tap, one, "one delay more than a tenth is rejected", "a tenth of the delays are rejected")
    one = fleet("doctor")
    one.write("host2/doctor", "error: no clock\n")
    stops(tap, one, "doctor finds an error", "Run doctor")
    one = fleet("gone")
    one.write("host2/breaks", "")
    stops(tap, one, "a host cannot be reached any more", "Compare counters")
    one = fleet("together")
    one.answer("host2", after=AFTER | {"holds_bounded": 51})
    status, output = one.play(sharpramp_batches=[3])
    tap.ok("in one batch all hosts that began are turned off, at the end", status and all(one.asked(host)[-1] == OFF for host in HOSTS),
           (output[-2000:], [one.asked(host) for host in HOSTS]))


def refused(tap, scratch):
    """Settings that are not applied."""
    fleet = Fleet(os.path.join(scratch, "refused"))
    for what, settings in (("a quote in a value", SETTINGS | {"ONRAMP_PEERS": '10.0.0.0/8"; reboot; "'}), ("one host of two", SETTINGS | {"ONRAMP_HOSTS": "192.0.2.1"}),
                           ("a mode", SETTINGS | {"ONRAMP_MODE": "hold"}), ("no peers", SETTINGS | {"ONRAMP_PEERS": ""})):
        status, output = fleet.play(settings)
        tap.ok(f"{what}: refused, no host is changed", status and "sharpramp_settings needs" in output and not any(fleet.asked(host) or fleet.mode(host) for host in HOSTS),
               output[-2000:])


def main():
    usage.check(__doc__, not sys.argv[1:])
    tap = Tap()
    lint(tap)
    if not shutil.which("ansible-playbook"):
        tap.skip("the roll-out", "no ansible-playbook: make deps")
        tap.end()
    with tempfile.TemporaryDirectory(prefix="ansible-") as scratch:
        whole(tap, Fleet(os.path.join(scratch, "whole")))
        faults(tap, scratch)
        refused(tap, scratch)
    tap.end()


if __name__ == "__main__":
    main()
