#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""huygensctl and the control socket: what is shown, what is refused, what a hostile client can do. O=, PROGRAMS=."""

import contextlib
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../selftests/lib"))
# pylint: disable=wrong-import-position
from tap import Tap

SERVE = os.path.join(os.environ["O"], "serve")
CTL = next(path for path in os.environ["PROGRAMS"].split() if path.endswith("/huygensctl"))
PATIENCE = 60

KEYS = {
    "tracking": "id name state reference coordinator term window age_ns offset_ns last_change_ns rms_change_ns drift_ppb skew_ppb "
                "error_ns asymmetry_ns utc_error_ns upper_epoch upper_error_ns leap tai_s delay_sum_ns mode remaining_ns stamps hosts hosts_known "
                "list next_list "
                "hosts_differ",
    "peers": "id name address alive out in stamps sent received accepted lost_stamps tolerance_ns age_ns",
    "edges": "i j valid why stamps window theta_ns drift_ppb delay_sum_ns weight residual_ns points_ij points_ji",
    "hosts": "id name state differs edges outliers offset_ns drift_ppb std_ns error_ns",
}

TRACKING = """\
Host            : 1
Name            : web1
State           : locked
Reference       : utc 3
Coordinator     : 2
Term            : 5
Window          : 1234567890123
Window age      : 2100ms
Correction      : -123.5ms
Last offset     : +12ns
RMS offset      : 15ns
Frequency       : -12345.678ppb
Skew            : -
Error bound     : 830ns
Asymmetry       : 6500ns
UTC error       : 1200us
Upper epoch     : 77
Upper error     : 900ns
Leap second     : insert
TAI-UTC (s)     : 37
Delay sum       : 100.0us
Output          : publish
Remaining       : -
Stamps          : software
Hosts           : 3
Hosts known     : 4
List            : 89abcdef
Next list       : -
Hosts differing : 2
"""

PEERS = """\
 Id  Name   Alive  Out   In    Stamps  Sent  Received  Accepted  Lost  Tolerance   LastRx
  2  web2     yes  yes   no  software   100        98        70     1     2000ns  12.35ms
300  a"b\\c     no   no  yes         -     0         0         0     0          -        -
"""

EDGES = """\
I  J  Valid  Why  Stamps   Offset   Frequency  DelaySum  Weight  Residual  There  Back
1  2    yes    -   mixed  -1234ns  +10.500ppb    6000ns   1e-05      +3ns    140   139
1  3     no  few       -        -           -         -       -         -      0     0
"""


@contextlib.contextmanager
def serving(folder, *arguments):
    """A server that answers; yields its socket's path."""
    path = os.path.join(folder, "control")
    with subprocess.Popen([SERVE, path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout.readline() != "ready\n":
                raise RuntimeError("serve is not ready")
            yield path
        finally:
            server.stdin.close()
            server.wait(PATIENCE)


def ctl(path, *arguments):
    return subprocess.run([CTL, "-s", path, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          check=False)


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.settimeout(PATIENCE)
    return client


def ask(path, request):
    """The answer to a client that sends raw bytes."""
    with connect(path) as client:
        client.sendall(request)
        reported = b""
        while True:
            try:
                part = client.recv(65536)
            except ConnectionError:
                return reported
            if not part:
                return reported
            reported += part


def shown(tap, folder):
    with serving(folder) as path:
        for _ in range(3):
            output = ctl(path, "tracking").stdout
        tap.ok("tracking, for people", output == TRACKING, output)
        output = ctl(path, "peers").stdout
        tap.ok("peers, for people", output == PEERS, output)
        output = ctl(path, "edges").stdout
        tap.ok("edges, for people", output == EDGES, output)
        output = ctl(path, "hosts").stdout
        tap.ok("hosts: a host that does not coordinate names the coordinator",
               output == "Only the coordinator, host 2, knows all hosts: run this command there.\n", output)
        output = ctl(path, "stats").stdout
        tap.ok("stats, for people", output == f"{'probes_sent':<24} 18446744073709551615  probes sent\n"
                                            f"{'stamps_lost':<24} {0:>12}  Tx stamps lost\n", output)
        for what in ("tracking", "peers", "edges"):
            reported = json.loads(ctl(path, "-j", what).stdout)
            rows = reported if isinstance(reported, list) else [reported]
            tap.ok(f"{what} -j: its keys, in their order", rows and all(" ".join(row) == KEYS[what] for row in rows), rows)
        reported = json.loads(ctl(path, "tracking", "--json").stdout)
        tap.ok("-j: what is not known is null", reported["skew_ppb"] is None and reported["remaining_ns"] is None, reported)
        tap.ok("-j: times are whole ns", reported["offset_ns"] == -123456789 and reported["drift_ppb"] == -12345.678, reported)
        reported = json.loads(ctl(path, "-j", "peers").stdout)
        tap.ok("-j: names are quoted, yes and no are true and false",
               reported[1]["name"] == 'a"b\\c' and reported[1]["alive"] is False and reported[0]["alive"] is True, reported)
        tap.ok("-j: hosts on a host that does not coordinate are none", json.loads(ctl(path, "-j", "hosts").stdout) == [])
        tap.ok("-j: stats", json.loads(ctl(path, "-j", "stats").stdout) == {"probes_sent": 2**64 - 1, "stamps_lost": 0})
        mode = stat.S_IMODE(os.stat(path).st_mode)
        tap.ok("the socket's mode is 0770", mode == 0o770, oct(mode))
    tap.ok("the socket goes with the daemon", not os.path.exists(path))
    with serving(folder, "20000") as path:
        reported = json.loads(ctl(path, "-j", "hosts").stdout)
        tap.ok("-j hosts: 20000 of them", len(reported) == 20000 and all(" ".join(row) == KEYS["hosts"] for row in reported))
        tap.ok("hosts: 20000 lines and a head", len(ctl(path, "hosts").stdout.splitlines()) == 20001)


def waitsync(tap, folder):
    with serving(folder) as path:
        done = ctl(path, "-i", "1ms", "waitsync")
        tap.ok("waitsync waits until locked", not done.returncode and done.stdout ==
               "try: 1, state: init, error: 0.000000830\ntry: 2, state: acquire, error: 0.000000830\n"
               "try: 3, state: locked, error: 0.000000830\n", done.stdout)
        tap.ok("waitsync 1us", not ctl(path, "-i", "1ms", "waitsync", "1us").returncode)
        done = ctl(path, "-i", "1ms", "waitsync", "829ns", "3")
        tap.ok("waitsync 829ns 3: three tries, then status 1", done.returncode == 1 and len(done.stdout.splitlines()) == 3, done.stdout)
    done = ctl(path, "-i", "1ms", "waitsync", "0", "2")
    tap.ok("waitsync without a daemon", done.returncode == 1 and done.stdout == "try: 1, no answer\ntry: 2, no answer\n", done.stdout)
    tap.ok("says once what to do", done.stderr.count("check that huygens-lite is running: systemctl status huygens-lite") == 1, done.stderr)


def tries_as_json(tap, folder):
    with serving(folder) as path:
        done = ctl(path, "-i", "1ms", "-j", "waitsync", "1us")
        tries = [json.loads(line) for line in done.stdout.splitlines()]
        tap.ok("waitsync -j: an object for each try", not done.returncode and tries == [
            {"try": number + 1, "state": state, "error_ns": 830} for number, state in enumerate(("init", "acquire", "locked"))], done.stdout)
    done = ctl(path, "-i", "1ms", "--json", "waitsync", "0", "2")
    tap.ok("waitsync -j without a daemon: null, and status 1", done.returncode == 1 and [json.loads(line) for line in done.stdout.splitlines()] ==
           [{"try": number, "state": None, "error_ns": None} for number in (1, 2)], done.stdout)
    done = ctl(path, "-j", "waitsync", "5")
    tap.ok("refused: waitsync -j 5: text, and no JSON", done.returncode == 2 and not done.stdout and "MAX_ERR must be a time" in done.stderr,
           done.stderr)


def state_of(path):
    return json.loads(ctl(path, "-j", "tracking").stdout)["state"]


def acting(tap, folder):
    """The one that connects is root, or it is not; a socket that all may open does not change that."""
    os.chmod(folder, 0o755)
    root = not os.geteuid()
    with serving(folder) as path:
        os.chmod(path, 0o777)
        for _ in range(3):
            before = state_of(path)
        for arguments in (["reset"], ["-j", "reset"], ["reload"], ["-j", "reload"], ["burst"], ["-j", "burst"]):
            done = subprocess.run([CTL, "-s", path, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                                  check=False, **({"user": 65534, "group": 65534, "extra_groups": []} if root else {}))
            tap.ok(f"refused: huygensctl {' '.join(arguments)} of a user that is not root", before == "locked" and done.returncode == 1 and
                   not done.stdout and done.stderr == f"huygensctl: {arguments[-1]}: only root may do this\n" and state_of(path) == "locked", done.stderr)
        for request, reported in ((b"reset now\n", b'error "now" is not "json"\n'), (b"RESET\n", b"error unknown request"),
                                  (b"resets\n", b"error unknown request"), (b"reload now\n", b'error "now" is not "json"\n'),
                                  (b"burst 3\n", b'error "3" is not "json"\n')):
            output = ask(path, request)
            tap.ok(f"refused: {request}, and nothing is done", output.startswith(reported) and state_of(path) == "locked", output)
        done = ctl(path, "reset", "now")
        tap.ok("refused: huygensctl reset now", done.returncode == 2 and "unexpected argument now" in done.stderr and state_of(path) == "locked")
        if not root:
            tap.ok("root resets # SKIP not root", True)
            return
        for arguments in (["reload"], ["-j", "reload"]):
            done = ctl(path, *arguments)
            tap.ok(f"root: {' '.join(arguments)} that is refused says why", done.returncode == 1 and not done.stdout and
                   done.stderr == 'huygensctl: reload: f:3: [mesh] degree: "x" is not 1 to 64\n' and state_of(path) == "locked", done)
        done = ctl(path, "burst")
        tap.ok("root: burst", not done.returncode and done.stdout == "probes at burst_interval for 12 windows\n" and state_of(path) == "init",
               done)
        for _ in range(3):
            state_of(path)
        done = ctl(path, "reset")
        tap.ok("root resets", not done.returncode and done.stdout == "synchronisation starts over\n" and state_of(path) == "init", done)
        done = ctl(path, "-j", "reset")
        tap.ok("reset -j", not done.returncode and json.loads(done.stdout) == {"reset": True} and state_of(path) == "init", done)


def refused(tap, folder):
    path = os.path.join(folder, "control")
    for arguments, text in (
            ([], "a command is missing"), (["trackings"], "unknown command trackings"), ([""], "a command is missing"),
            (["tracking", "x"], "unexpected argument x"), (["w", "x"], "waitsync: MAX_ERR must be"), (["tr", "x"], "unexpected argument x"),
            (["waitsync", "x"], "MAX_ERR must be a time such as 10us, not x"), (["waitsync", "-1us"], "invalid option"),
            (["waitsync", "5"], "MAX_ERR must be a time"), (["waitsync", "1us", "x"], "TRIES must be a number from 0 up, not x"),
            (["waitsync", "1us", "1", "1"], "unexpected argument 1"), (["-i", "0", "waitsync"], "-i must be a time above 0"),
            (["-i", "x", "waitsync"], "-i must be a time above 0"), (["-i", "2000000s", "waitsync"], "-i must be a time above 0"),
            (["-x", "tracking"], "invalid option")):
        done = ctl(path, *arguments)
        tap.ok(f"refused: huygensctl {' '.join(arguments)}", done.returncode == 2 and text in done.stderr and not done.stdout, done.stderr)
    done = ctl(path, "tracking")
    tap.ok("no daemon: says what to do", done.returncode == 1 and "check that huygens-lite is running: systemctl status huygens-lite" in done.stderr,
           done.stderr)
    done = ctl("/" + "x" * 200, "tracking")
    tap.ok("a path too long", done.returncode == 1 and "name too long" in done.stderr, done.stderr)
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(path)
        other.listen()
        with subprocess.Popen([CTL, "-s", path, "tracking"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as asking:
            client, _ = other.accept()
            client.recv(100)
            client.sendall(b"HTTP/1.0 200 OK\n")
            client.close()
            output = asking.stderr.read()
            tap.ok("something else answers", asking.wait(PATIENCE) == 1 and "huygens-lite does not answer" in output, output)
        done = ctl(path, "-i", "1ms", "waitsync", "0", "1")
        tap.ok("a server that sends nothing is not waited for without end", done.returncode == 1 and done.stdout == "try: 1, no answer\n",
               done.stdout)
    done = subprocess.run([SERVE, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
    tap.ok("a socket that nobody listens at is replaced", done.stdout == "ready\n", done.stdout)
    missing = os.path.join(folder, "missing/run")
    done = subprocess.run([SERVE, f"{missing}/control"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                          check=False)
    tap.ok("a socket without a folder: says how to make it", done.returncode == 1 and
           f"{missing}/control: its directory is missing; systemd creates it for the unit, otherwise run mkdir -p {missing}\n" in done.stdout, done.stdout)
    with serving(folder) as path:
        done = subprocess.run([SERVE, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
        tap.ok("two daemons: the second is refused", done.returncode == 1 and "another huygens-lite is using it" in done.stdout,
               done.stdout)
        tap.ok("and the first goes on", not ctl(path, "tracking").returncode)
    with open(path, "w", encoding="ascii") as file:
        file.write("mine")
    done = subprocess.run([SERVE, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
    with open(path, encoding="ascii") as file:
        tap.ok("a file of somebody's is not replaced", done.returncode == 1 and "it exists and is not a socket" in done.stdout
               and file.read() == "mine", done.stdout)
    os.unlink(path)


def received(client):
    """Bytes that a client receives until it is disconnected; None: nothing came for long."""
    reported = b""
    try:
        while part := client.recv(65536):
            reported += part
    except ConnectionError:
        pass
    except TimeoutError:
        return None
    return reported


def crowded(tap, path):
    """Sixteen may be there, and the seventeenth has the place of the first."""
    clients = [connect(path) for _ in range(17)]
    tap.ok("of 17 clients the first is disconnected", received(clients[0]) == b"")
    for client in clients[1:]:
        with contextlib.suppress(ConnectionError):
            client.sendall(b"sync\n")
    reported = [received(client) for client in clients[1:]]
    tap.ok("and 16 are there, and answered", all(part and part.startswith(b"ok\n") for part in reported), reported)
    for client in clients:
        client.close()
    silent = [connect(path) for _ in range(40)]
    tap.ok("40 idle clients lock no other out", ask(path, b"sync\n").startswith(b"ok\n"))
    for client in silent:
        client.close()


def hostile(tap, folder):
    with serving(folder, "5000") as path:
        for request, reported in ((b"\n", b'error unknown request ""'), (b"tracking xml\n", b'error "xml" is not "json"\n'),
                                  (b"tracking json json\n", b'error "json json" is not "json"\n'), (b"TRACKING\n", b"error unknown request"),
                                  (b"\0\n", b"error unknown request"), (b"../../etc/passwd\n", b"error unknown request"),
                                  (b"%s%s%n\n", b'error unknown request "%s%s%n"')):
            output = ask(path, request)
            tap.ok(f"refused: {request}", output.startswith(reported) and output.count(b"\n") == 1, output)
        tap.ok("a line without an end is hung up on", ask(path, b"x" * 64) == b"")
        tap.ok("what follows the line is not read", ask(path, b"sync\n" + b"stats\n").startswith(b"ok\n"))
        crowded(tap, path)
        slow = [connect(path) for _ in range(8)]
        for client in slow:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.sendall(b"hosts json\n")
        tap.ok("8 clients that do not read block no other", ask(path, b"sync\n").startswith(b"ok\n"))
        for client in slow[:4]:
            client.close()
        reported = b""
        while part := slow[7].recv(65536):
            reported += part
        tap.ok("a client that reads late gets all", len(json.loads(reported[3:])) == 5000)
        for client in slow[4:]:
            client.close()
        with connect(path) as client:
            for byte in b"stats\n":
                client.sendall(bytes([byte]))
            tap.ok("a line that comes byte by byte", client.recv(3) == b"ok\n")
        for _ in range(2000):
            connect(path).close()
        tap.ok("2000 clients that hang up at once", ask(path, b"sync\n").startswith(b"ok\n"))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        shown(tap, folder)
        waitsync(tap, folder)
        tries_as_json(tap, folder)
        acting(tap, folder)
        refused(tap, folder)
        hostile(tap, folder)
    tap.end()


if __name__ == "__main__":
    main()
