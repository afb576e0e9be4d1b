#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Frames of QCN in tshark against the kernel's parser and builder, as TAP.

CNMs that kernel/algo/l2_wire.h writes for frames with and without tags, shown by contrib/wireshark/cnm.lua, and PAUSE and PFC, shown
by tshark's own dissector, must be what the parser reads from the same bytes, and so must what becomes of them with bytes changed at
random from a fixed seed and cut at every length.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
# pylint: disable-next=wrong-import-position
from dissector_test import ROOT, Tap, write_capture  # noqa: E402

LUA = os.path.join(ROOT, "contrib/wireshark/cnm.lua")
SEED, CHANGED = 1, 30
TO, FROM = "0200000000b2", "0200000000a1"
CULPRITS = {
    "untagged": TO + FROM + "0800" + "45" * 100,
    "to a group": "01005e000001" + FROM + "0800" + "4500001c",
    "VLAN": TO + FROM + "8100" + "6064" + "86dd" + "60" * 100,
    "CN-TAG": TO + FROM + "22e9" + "beef" + "0800" + "45" * 100,
    "two VLANs and CN-TAG": TO + FROM + "88a8" + "0001" + "8100" + "0fff" + "22e9" + "beef" + "0800" + "45",
}
PAUSES = {
    "XOFF": "0180c2000001" + FROM + "8808" + "0001" + "ffff" + "00" * 42,
    "XON": "0180c2000001" + FROM + "8808" + "0001" + "0000" + "00" * 42,
    "PFC": "0180c2000001" + FROM + "8808" + "0101" + "00ff" + "".join(f"{1000 * n:04x}" for n in range(8)) + "00" * 26,
}
CNM = [f"cnm.{name}" for name in ("feedback", "cpid", "q_offset", "q_delta", "priority", "da", "length", "msdu")]
PFC = ["macc.cbfc.enbv"] + [f"macc.cbfc.pause_time.c{n}" for n in range(8)]
FIELDS = ["_ws.expert.message", "macc.opcode", "macc.pause_time", *PFC, *CNM]


def parser(folder, frames, *arguments):
    """Result of the kernel's parser for each; with an argument: the CNM for each."""
    program = os.path.join(folder, "l2_parse")
    if not os.path.exists(program):
        subprocess.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{ROOT}/kernel/algo", "-o", program,
                        os.path.join(HERE, "l2_parse.c")], check=True)
    return subprocess.run([program, *arguments], input="".join(frame + "\n" for frame in frames), stdout=subprocess.PIPE, text=True,
                          check=True).stdout.splitlines()


def shown_fields(shown):
    """The same, of the fields that tshark shows."""
    fields = dict(zip(FIELDS, shown.split("\t")))
    for message in fields["_ws.expert.message"].split(","):
        if message.startswith("refused: "):
            return message.removeprefix("refused: ")
    if fields["cnm.feedback"]:
        return "cnm " + " ".join(fields[name].replace(":", "") for name in CNM)
    if fields["macc.opcode"] == "0x0001":
        return "pause " + fields["macc.pause_time"]
    if fields["macc.opcode"] == "0x0101":
        # Times of classes that are not enabled are shown, too; they do not count.
        enabled = int(fields[PFC[0]], 16) & 0xff
        return f"pfc {enabled} " + " ".join(fields[PFC[n + 1]] if enabled >> n & 1 else "0" for n in range(8))
    return "other"


def tshark(folder, frames):
    """Output of tshark for each."""
    path = os.path.join(folder, "frames.pcap")
    write_capture(path, [bytes.fromhex(frame) for frame in frames])
    env = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder}
    done = subprocess.run(["tshark", "-n", "-X", f"lua_script:{LUA}", "-r", path, "-T", "fields",
                           *(argument for name in FIELDS for argument in ("-e", name))], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=env, check=False)
    if done.returncode or "Lua" in done.stderr:
        sys.exit(f"tshark: {done.stderr}")
    return [shown_fields(line) for line in done.stdout.splitlines()]


def mangled(frame, first):
    """Changed, and cut, from a byte on: before it is what tells tshark which dissector to take."""
    draw = random.Random(SEED)
    data = bytes.fromhex(frame)
    # Version, feedback and length of a CNM.
    for at, value in ((first, 0x10), (first + 1, 0), (first + 22, 1)):
        yield (data[:at] + bytes([value]) + data[at + 1:]).hex()
    for _ in range(CHANGED):
        at = draw.randrange(first, len(data))
        yield (data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:]).hex()
    yield from (data[:size].hex() for size in range(first, len(data)))


def main():
    tap = Tap()
    if not shutil.which("tshark"):
        print("1..0 # SKIP needs tshark (tshark, package tshark)")
        return
    with tempfile.TemporaryDirectory() as folder:
        cnms = dict(zip(CULPRITS, parser(folder, CULPRITS.values(), "write")))
        known = {**cnms, **PAUSES}
        wanted, shown = parser(folder, known.values()), tshark(folder, known.values())
        for name, want, got in zip(known, wanted, shown):
            tap.ok(f"{name}: every field is as the parser has it", want == got and want.startswith(("cnm", "pause", "pfc")),
                   f"parser {want}, tshark {got}")
        # PAUSE that is too short is dissected by tshark as far as it goes.
        changed = [frame for cnm in cnms.values() for frame in mangled(cnm, cnm.index("22e7") // 2 + 2)]
        changed += [frame for pause in PAUSES.values() for frame in mangled(pause, 16) if len(frame) == len(pause)]
        pairs = list(zip(parser(folder, changed), tshark(folder, changed), changed))
        wrong = [pair for pair in pairs if pair[0] != pair[1]]
        tap.ok(f"{len(changed)} cut and changed ones, too", len(pairs) == len(changed) > 300 and not wrong, wrong[:3])
        tap.ok("each reason is among them", {"short", "version", "feedback", "msdu"} <= {pair[0] for pair in pairs})
    tap.end()


if __name__ == "__main__":
    main()
