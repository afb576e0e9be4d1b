# SPDX-License-Identifier: GPL-2.0
"""Common parts of flowgen's tests: running it, and a scratch folder for its files."""

import csv
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../../selftests", name) for name in ("lib", "consistency")]

from tap import Tap  # noqa: E402 pylint: disable=wrong-import-position,unused-import

# No run here takes more than seconds; this only bounds a hang.
HANG_S = 60

HOSTS = "".join(f"host {name} addr=127.0.0.{i + 1}\n" for i, name in enumerate(("a", "b", "c", "d")))


class Scratch:
    """A folder of its own for each test program."""

    def __init__(self):
        self.made = tempfile.TemporaryDirectory(prefix="flowgen-")

    def path(self, name):
        return os.path.join(self.made.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)


def flowgen(program, *args, **more):
    """Run to the end; returns the CompletedProcess, its output as text."""
    return subprocess.run([program, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_S,
                          check=False, errors="replace", **more)


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def read_rows(path):
    with open(path, encoding="ascii") as file:
        return rows(file.read())


def read_json(path):
    with open(path, encoding="ascii") as file:
        return json.load(file)


class Run:
    """One run of a traffic file to its end."""

    def __init__(self, program, scratch, text, *args, hosts=HOSTS):
        flows, summary, progress = (scratch.path(name) for name in ("flows.csv", "summary.json", "progress"))
        for path in (flows, summary, progress):
            if os.path.exists(path):
                os.unlink(path)
        if "--to" not in args:
            args = ("--traffic", scratch.write("traffic", hosts + text + "\n"), *args)
            if "--port" not in args:
                args += ("--port", str(random.randrange(20000, 30000)))
        self.done = flowgen(program, *args, "--flows", flows, "--summary", summary, "--progress", progress)
        self.flows = read_rows(flows) if os.path.exists(flows) else []
        self.summary = read_json(summary) if os.path.exists(summary) else {}
        self.progress = open(progress, encoding="ascii").read() if os.path.exists(progress) else ""

    def __str__(self):
        return f"status {self.done.returncode}, {self.done.stderr}, {self.summary}"

    def clean(self, flows):
        """Every flow ended, with every byte, and the files agree."""
        total = sum(int(flow["bytes"]) for flow in self.flows)
        return (self.done.returncode == 0 and not self.done.stderr and len(self.flows) == flows
                and self.summary["flows"] == flows and self.summary["unfinished"] == self.summary["failed"] == 0
                and self.summary["done"] + self.summary["stopped"] == flows and self.summary["bytes"] == total
                and all(flow["bytes"] == flow["size_bytes"] for flow in self.flows if flow["end"] == "done")
                and all(int(flow["fct_ns"]) > 0 and int(flow["start_ns"]) >= 0 for flow in self.flows)
                and [int(flow["id"]) for flow in self.flows] == list(range(flows)))


class Serving:
    """A flowgen that serves at host:port while the block runs; then its status and its counts."""

    def __init__(self, program, scratch, host, port):
        self.where = f"{host}:{port}"
        self.path = scratch.path(f"server{port}")
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([program, "--serve", "--listen", self.where, "--summary", self.path],
                                        stderr=subprocess.PIPE, text=True)
        self.status, self.counts = None, {}
        wait_for(lambda: can_connect(port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=HANG_S)
        self.status, self.counts = self.process.returncode, read_json(self.path)


def can_connect(port):
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition):
    for _ in range(HANG_S * 20):
        if condition():
            return
        time.sleep(0.05)
    raise TimeoutError("what was waited for did not come")


def private_network():
    """Run the caller again in a network of its own if that is allowed, so that ports and addresses are free."""
    if os.environ.get("FLOWGEN_TEST_NET"):
        return
    enter = ["unshare", "-rnm", "--", "/bin/sh", "-c", "ip link set lo up && exec \"$@\"", "sh"]
    try:
        allowed = subprocess.run(enter + ["true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    except OSError:
        allowed = False
    os.environ["FLOWGEN_TEST_NET"] = "private" if allowed else "shared"
    if allowed:
        os.execvp(enter[0], enter + [sys.executable, *sys.argv])
