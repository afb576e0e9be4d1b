#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Resources that a host lacks: open files, congestion controls, links' addresses, space to write: limits.py FLOWGEN."""

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys

from common import HANG_S, HOSTS, Scratch, Tap, can_connect, flowgen, private_network, read_json, wait_for

QUERY = "q kind=query flows=60 lo=90k hi=90k"
FILES = 24


@contextlib.contextmanager
def serving(program, scratch, *args, files=None, listen="127.0.0.1", ready=None, **more):
    """A server, with at most so many open files; a list of its address, and after the block its output and counters."""
    port = random.randrange(20000, 29000)
    limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
    summary, ended = scratch.path(f"server{port}"), []
    # pylint: disable-next=consider-using-with,subprocess-popen-preexec-fn
    process = subprocess.Popen([program, "--serve", "--listen", f"{listen}:{port}", "--summary", summary, *args],
                               stderr=subprocess.PIPE, text=True, preexec_fn=limit, **more)
    wait_for(lambda: process.poll() is not None or (ready or can_connect)(port))
    ended.append(f"{listen}:{port}")
    try:
        yield ended
    finally:
        process.send_signal(signal.SIGTERM)
        stderr = process.communicate(timeout=HANG_S)[1]
        ended += [stderr, read_json(summary) if os.path.exists(summary) else {}]


def open_files(tap, program, scratch):
    with serving(program, scratch, files=FILES) as server:
        flowgen(program, "--to", server[0], "--group", QUERY, "--summary", scratch.path("summary"))
    _, stderr, counts = server
    done = read_json(scratch.path("summary"))
    tap.ok(f"a server with {FILES} files says that they bound it", f"ulimit -n is {FILES}" in stderr and "--max-conns: " in stderr, stderr)
    tap.ok("and counts whom it turned away for that", counts.get("no_files") == counts.get("turned_away") == done["failed"] > 0
           and f"{done['failed']} turned away, {done['failed']} of them for want of open files" in stderr, (stderr, counts, done["failed"]))
    tap.ok("it serves more than one", done["done"] > 1, done)
    # Inherited files in addition to its own: the limit is met by accept.
    given = [os.open("/dev/null", os.O_RDONLY) for _ in range(12)]
    with serving(program, scratch, files=max(given) + 12, pass_fds=given) as server:
        flowgen(program, "--to", server[0], "--group", QUERY, "--summary", scratch.path("summary"))
    for fd in given:
        os.close(fd)
    _, stderr, counts = server
    done = read_json(scratch.path("summary"))
    tap.ok("one whose files are another's says and counts it too", counts.get("no_files") == done["failed"] > 0
           and "accept: Too many open files" in stderr and "ulimit -n is" in stderr,
           (stderr, counts, done["failed"]))
    with serving(program, scratch, "--max-conns", "3") as server:
        flowgen(program, "--to", server[0], "--group", QUERY, "--summary", scratch.path("summary"))
    _, stderr, counts = server
    tap.ok("one that may have more, but serves three, does not report files", counts.get("no_files") == 0 < counts["turned_away"]
           and "ulimit" not in stderr and "turned away, 0 of them" in stderr, (stderr, counts))


def congestion_controls(tap, program, scratch):
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control", encoding="ascii") as file:
        there = file.read().split()
    missing = [cc for cc in ("cubic", "dctcp", "bbr") if cc not in there]
    if not missing:
        tap.ok("a congestion control that is not loaded # SKIP all are loaded here", True)
    for cc in missing:
        with serving(program, scratch) as server:
            pass
        tap.ok(f"cc={cc}, not loaded: the server says what to load", f"cc={cc} is not served" in server[1]
               and f"modprobe tcp_{cc}" in server[1], server[1])
        traffic = scratch.write("traffic", f"{HOSTS}group g kind=query senders=a receivers=b flows=1 lo=1 hi=1 cc={cc}\n")
        run = flowgen(program, "--traffic", traffic)
        tap.ok(f"cc={cc}, not loaded: so does a run", run.returncode == 1 and f"cc={cc}" in run.stderr and f"modprobe tcp_{cc}" in run.stderr,
               run.stderr)
        run = flowgen(program, "--to", "127.0.0.1:9", "--group", f"g kind=query flows=1 lo=1 hi=1 cc={cc}")
        tap.ok(f"cc={cc}, not loaded: so does a requester", run.returncode == 1 and f"modprobe tcp_{cc}" in run.stderr, run.stderr)


def zones(tap, program, scratch):
    if os.environ["FLOWGEN_TEST_NET"] != "private" or subprocess.run(
            ["ip", "addr", "add", "fe80::1/64", "dev", "lo", "nodad"], check=False).returncode:
        tap.ok("zones # SKIP no network of its own", True)
        return

    def listens(port):
        with open("/proc/net/tcp6", encoding="ascii") as file:
            return f":{port:04X} 00000000000000000000000000000000:0000 0A" in file.read()

    with serving(program, scratch, listen="[fe80::1%lo]", ready=listens) as server:
        run = flowgen(program, "--to", server[0], "--group", QUERY, "--summary", scratch.path("summary"))
    tap.ok("link-local addresses: both ends take a zone", run.returncode == 0 and not run.stderr
           and read_json(scratch.path("summary"))["done"] == 60, run.stderr + server[1])
    alternative_names(tap, program, scratch, listens)


def alternative_names(tap, program, scratch, listens):
    """Names that are longer than a device's own can be, up to the kernel's limit of 127 bytes."""
    def requester(zone):
        return flowgen(program, "--dry-run", "--to", f"[fe80::1%{zone}]:5000", "--group", QUERY)

    names = "short", "longer-than-15-characters", "n" * 127
    for name in names:
        if subprocess.run(["ip", "link", "property", "add", "dev", "lo", "altname", name], check=False).returncode:
            tap.ok("alternative names # SKIP the kernel has none", True)
            return
        run = requester(name)
        tap.ok(f"zone by an alternative name of {len(name)} bytes", run.returncode == 0 and not run.stderr, run.stderr)
    for name in ("longer-than-15-character", "longer-than-15-characterss", "Longer-than-15-characters", "n" * 126, "n" * 128, "n" * 230):
        run = requester(name)
        tap.ok(f"zone of {len(name)} bytes that is no device's name: refused", run.returncode == 2
               and run.stderr == f"flowgen: --to: '[fe80::1%{name}]:5000': there is no device '{name}'\n", run.stderr)
    with serving(program, scratch, listen=f"[fe80::1%{names[1]}]", ready=listens) as server:
        run = flowgen(program, "--to", server[0], "--group", QUERY, "--summary", scratch.path("summary"))
    tap.ok("link-local addresses by a long alternative name: flows end", run.returncode == 0
           and read_json(scratch.path("summary"))["done"] == 60, run.stderr + server[1])


def outputs(tap, program, scratch):
    def reported(what, done):
        tap.ok(f"{what} into a full device: a line and a status", done.returncode == 1 and done.stderr.count("\n") == 1
               and "No space left" in done.stderr and done.stderr.startswith("flowgen: "), (done.returncode, done.stderr))

    with open("/dev/full", "w", encoding="ascii") as full:
        for option in ("--help", "--version"):
            reported(option, subprocess.run([program, option], stdout=full, stderr=subprocess.PIPE, text=True, check=False))
        traffic = scratch.write("traffic", f"{HOSTS}group g kind=query senders=a receivers=b flows=9 lo=1 hi=9k\n")
        reported("--dry-run", subprocess.run([program, "--dry-run", "--traffic", traffic], stdout=full, stderr=subprocess.PIPE, text=True,
                                           check=False))
    for option in ("--progress", "--flows", "--summary", "--series"):
        reported(option, flowgen(program, "--traffic", traffic, "--port", str(random.randrange(20000, 29000)), option, "/dev/full"))
    for options in (["--help"], ["--dry-run", "--traffic", traffic]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([program, *options], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        tap.ok(f"{options[0]} into a closed pipe: quiet", done.returncode in (1, -signal.SIGPIPE) and not done.stderr, (done.returncode, done.stderr))


def main():
    private_network()
    program, tap, scratch = os.path.abspath(sys.argv[1]), Tap(), Scratch()
    open_files(tap, program, scratch)
    congestion_controls(tap, program, scratch)
    zones(tap, program, scratch)
    outputs(tap, program, scratch)
    tap.end()


main()
