#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The Wireshark dissector against the kernel's parser, as TAP.

    dissector_test.py [--lab]

Datagrams are written to captures, which tshark reads with contrib/wireshark/onramp.lua. Each field that it shows must be the one
that kernel/algo/onramp_wire.h reads from the same bytes. The datagrams are the vectors of docs/wire.md, each of them truncated at
every length, and with bytes changed at random from a fixed seed. If the capture truncated a datagram, the fields shown must be
those captured. --lab also checks the capture of a run in the laboratory.
"""

import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
# pylint: disable-next=wrong-import-position
from tap import Tap  # noqa: E402

LUA = os.path.join(ROOT, "contrib/wireshark/onramp.lua")
PORT = 31901
SEED, CHANGED = 1, 12
# A few round trips of two flows, as short as the scenario lets it be.
LAB = ("ramp", "rate=200mbit", "duration=60ms", "settle=1ms", "join=20ms", "leave=40ms", "step=1ms", "poll=10ms", "rto_min=5ms",
       "host=onramp mode hold threshold 50us clock system error 1us", "--pcap", "to-s1")


def vectors():
    """{name: bytes} of docs/wire.md, and those that are signed."""
    found, name = {}, None
    with open(os.path.join(ROOT, "docs/wire.md"), encoding="utf-8") as file:
        for line in file:
            match = re.match(r"(vector|signed) (.*)", line)
            if match:
                name = line.strip()
                found[name] = b""
            elif name and re.fullmatch(r"    [0-9a-f ]+\n", line):
                found[name] += bytes.fromhex(line)
            elif not line.startswith(("=>", "    ")):
                name = None
    return found


def mangled(datagrams):
    """Cut, longer, and changed."""
    draw = random.Random(SEED)
    for data in datagrams:
        yield from (data[:size] for size in range(1, len(data)))
        yield data + b"\0"
        for _ in range(CHANGED):
            at = draw.randrange(len(data))
            yield data[:at] + bytes([draw.randrange(256)]) + data[at + 1:]
            at = draw.randrange(min(len(data), 16))
            yield data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:]


def frame(data, port=PORT):
    """An Ethernet frame with a datagram in IPv4; without checksums, which are not required."""
    udp = struct.pack("!HHHH", port, port, 8 + len(data), 0) + data
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, b"\xc0\0\2\2", b"\xc0\0\2\1")
    return bytes(12) + b"\x08\0" + ip + udp


def write_capture(path, frames, kept=None):
    """Frames; and how many bytes of each were captured, if not all."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for number, data in enumerate(frames):
            some = data[:kept[number]] if kept else data
            file.write(struct.pack("<IIII", number, 0, len(some), len(data)) + some)


def tshark(path, *arguments):
    """Output of tshark for a capture, with the dissector."""
    env = {**os.environ, "HOME": os.path.dirname(path), "XDG_CONFIG_HOME": os.path.dirname(path)}
    done = subprocess.run(["tshark", "-n", "-X", f"lua_script:{LUA}", "-r", path, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=env, check=False)
    if done.returncode or "Lua" in done.stderr:
        sys.exit(f"tshark: {done.stderr}")
    return done.stdout


class Packet:
    """A packet of tshark's."""

    def __init__(self, element):
        protos = {proto.get("name"): proto for proto in element.findall("proto")}
        self.orack = protos.get("orack")
        self.names = list(protos)
        self.payload = next((bytes.fromhex(field.get("value")) for proto in element.findall("proto")
                             for field in proto.findall("field") if field.get("name") == "udp.payload"), b"")

    @staticmethod
    def fault(tree, what=r"refused\.(\w+)"):
        """Why it was refused, right here and not below; or None."""
        for field in tree.findall("field"):
            for output in [field] + field.findall("field"):
                match = re.fullmatch(rf"orack\.{what}", output.get("name"))
                if match:
                    return match.group(1).replace("_", " ")
        return None

    def is_cut(self):
        """Does it show that the capture has only a part?"""
        return bool(self.fault(self.orack, "(cut)"))

    @staticmethod
    def numbers(tree):
        """{last part of a field's name: number}"""
        found = {}
        for field in tree.iter("field"):
            if re.match(r"orack\.", field.get("name")) and re.fullmatch(r"0x[0-9a-f]+|\d+", field.get("show") or ""):
                found.setdefault(field.get("name").removeprefix("orack."), int(field.get("show"), 0))
        return found

    def report(self):
        """As the parser has it."""
        fault = self.fault(self.orack)
        if fault:
            return f"=> refused: {fault}\n"
        n = self.numbers(self.orack)
        line = f"=> clock {n['clock']} epoch {n['epoch']} error {n['error']} serial {n['serial']}"
        line += " not valid" * n["flags.no_clock"]
        if n["flags.mac"]:
            line += f" key {n['mac.key']} tag {n['mac.tag']} over {16 + 20 * n['count'] + 4} bytes"
        return line + "\n" + self.entries()

    def entries(self):
        """As the parser has them, those that are shown."""
        return "".join(self.entry(field) for field in self.orack.findall("field") if field.get("name") == "orack.entry")

    def entry(self, tree):
        fault = self.fault(tree)
        if fault:
            return f"=> refused: {fault}\n"
        n = {name.removeprefix("entry."): value for name, value in self.numbers(tree).items()}
        return f"=> {n['sport']} > {n['dport']} seq {n['seq']} len {n['len']} stamp {n['stamp']} at {n['time']}\n"


def packets(path, *arguments):
    """Those of a capture, or some of them."""
    return [Packet(element) for element in ET.fromstring(tshark(path, "-T", "pdml", *arguments)).findall("packet")]


def parsed(folder, datagrams):
    """Result of the kernel's parser for each."""
    program = os.path.join(folder, "parse")
    if not os.path.exists(program):
        subprocess.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{ROOT}/selftests/unit",
                        f"-I{ROOT}/kernel/algo", "-o", program, os.path.join(HERE, "parse.c")], check=True)
    output = subprocess.run([program], input="".join(data.hex() + "\n" for data in datagrams), stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    return [report + "\n" for report in output.split("\n\n")[:-1]]


def differing(folder, name, datagrams):
    """[(bytes, parser's text, tshark's text)] where they are not the same."""
    path = os.path.join(folder, f"{name}.pcap")
    write_capture(path, map(frame, datagrams))
    shown = [packet.report() if packet.orack is not None else None for packet in packets(path)]
    wanted = parsed(folder, datagrams)
    if not len(shown) == len(wanted) == len(datagrams):
        return [(b"", f"{len(wanted)} of {len(datagrams)}", f"{len(shown)}")]
    return [(data.hex(), *pair) for data, *pair in zip(datagrams, wanted, shown) if pair[0] != pair[1]]


def difference(data, kept, wanted, packet):
    """Errors in the display of a datagram of which so many bytes were captured; or None. wanted: of the whole."""
    refusal = re.match("=> refused: (.*)", wanted)
    fault = packet.fault(packet.orack)
    entries = "".join(wanted.splitlines(keepends=True)[1:][:max(0, kept - 16) // 20])
    # Bytes that are not captured are not judged: bytes of the trailer, or, but for its length, of the header.
    unseen = refusal and (refusal.group(1) == "reserved" and kept < len(data) - 8 or kept < 16 <= len(data))
    if fault != (refusal.group(1) if refusal and not unseen else None):
        return f"refused: {fault}"
    if packet.is_cut() != (not fault and kept < len(data)):
        return f"cut: {packet.is_cut()}"
    if kept >= 16 and not refusal and packet.entries() != entries:
        return packet.entries()
    numbers = packet.numbers(packet.orack)
    if kept >= 16 and numbers.get("serial") != int.from_bytes(data[12:16], "big"):
        return f"serial {numbers.get('serial')}"
    if not refusal and ("mac.tag" in numbers) != (kept == len(data) and " tag " in wanted):
        return f"tag {numbers.get('mac.tag')}"
    return None


def snapped(tap, folder, known, changed):
    """A capture of a part of each frame: nothing that is not there is held against what is."""
    draw = random.Random(SEED)
    parts = [(data, kept) for data in known for kept in range(1, len(data) + 1)]
    parts += [(data, draw.randrange(1, len(data) + 1)) for data in changed]
    path = os.path.join(folder, "snapped.pcap")
    head = len(frame(b""))
    write_capture(path, [frame(data) for data, _ in parts], [head + kept for _, kept in parts])
    seen = packets(path)
    wanted = parsed(folder, [data for data, _ in parts])
    bad = [(data.hex(), kept, why) for (data, kept), report, packet in zip(parts, wanted, seen)
           if (why := difference(data, kept, report, packet))]
    cut = sum(packet.is_cut() for packet in seen)
    tap.ok(f"{len(parts)} of which a capture has a part: what it has is as the parser has it",
           len(seen) == len(wanted) == len(parts) and cut > 500 and not bad, bad[:2])


def snapped_lines(tap, folder):
    """Findings about such in one line."""
    good = vectors()["vector with a trailer"]
    path = os.path.join(folder, "lines.pcap")
    head = len(frame(b""))
    sizes = (head, head + 8, head + 16, head + 36, head + 37, head + 47, head + 48)
    write_capture(path, [frame(good)] * len(sizes) + [frame(good[:-1])], [*sizes, head + 20])
    lines = tshark(path, "-T", "fields", "-e", "_ws.col.Info").splitlines()
    cut = ", cut short by the capture"
    wanted = ["?" + cut, *["1 packet, serial 1" + cut] * 2, *["1 packet, serial 1, key 5" + cut] * 2, "1 packet, serial 1, key 5"]
    tap.ok("and a line for each", lines[1:] == [*wanted, "refused: length"], lines)
    found = tshark(path, "-Y", "orack.cut && orack.entry.seq", "-T", "fields", "-e", "frame.number")
    tap.ok("what is cut can be searched for", found.split() == ["4", "5", "6"], found)
    found = tshark(path, "-Y", '_ws.malformed || _ws.expert.group == "Malformed"', "-T", "fields", "-e", "frame.number")
    tap.ok("and is no error", found.split() == ["8"], found)


def others(tap, folder):
    """By the port, and by nothing else; and what is shown in one line."""
    good = vectors()["vector with a trailer"]
    path = os.path.join(folder, "others.pcap")
    write_capture(path, [frame(good, PORT + 1), frame(good), frame(good[:-1])])
    seen = packets(path)
    tap.ok("another port is nobody's", seen[0].orack is None and seen[1].orack is not None, seen[0].names)
    lines = tshark(path, "-T", "fields", "-e", "_ws.col.Protocol", "-e", "_ws.col.Info").splitlines()
    tap.ok("a line for each", lines[1:] == ["OR-ACK\t1 packet, serial 1, key 5", "OR-ACK\trefused: length"], lines)
    found = tshark(path, "-Y", "orack.mac.key == 5 && orack.entry.dport == 50000", "-T", "fields", "-e", "frame.number")
    tap.ok("fields can be searched for", found.split() == ["2"], found)
    found = tshark(path, "-Y", "orack.refused.length", "-T", "fields", "-e", "frame.number")
    tap.ok("and so can what is refused", found.split() == ["3"], found)
    output = tshark(path, "-q", "-z", "expert,error")
    tap.ok("which is an error of Wireshark's expert", "refused: length" in output and "Malformed" in output, output)


def lab(tap, folder):
    """Result of a receiver's kernel."""
    done = subprocess.run([os.path.join(ROOT, "lab/run"), *LAB], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode:
        tap.ok("a run in the laboratory", False, done.stdout[-2000:])
        return
    seen = packets(os.path.join(folder, "to-s1.pcap"), "-Y", "orack")
    wanted = parsed(folder, [packet.payload for packet in seen])
    shown = [packet.report() for packet in seen]
    wrong = [pair for pair in zip(wanted, shown) if pair[0] != pair[1]]
    tap.ok(f"{len(seen)} OR-ACKs of the laboratory: every field is as the parser has it", len(seen) > 10 and not wrong and
           not any("refused" in report for report in shown), wrong[:2])


def main():
    tap = Tap()
    if not shutil.which("tshark"):
        print("1..0 # SKIP needs tshark (tshark, package tshark)")
        return
    with tempfile.TemporaryDirectory() as folder:
        # No dissector is called for a datagram of no bytes.
        known = {name: data for name, data in vectors().items() if data}
        wrong = {data: pair for data, *pair in differing(folder, "known", list(known.values()))}
        for name, data in known.items():
            tap.ok(f"{name}: every field is as the parser has it", data.hex() not in wrong and "" not in wrong, wrong)
        changed = list(mangled(known.values()))
        bad = differing(folder, "mangled", changed)
        tap.ok(f"{len(changed)} cut and changed ones, too", len(changed) > 1000 and not bad, bad[:2])
        snapped(tap, folder, known.values(), changed)
        snapped_lines(tap, folder)
        others(tap, folder)
        if "--lab" in sys.argv[1:]:
            lab(tap, folder)
    tap.end()


if __name__ == "__main__":
    main()
