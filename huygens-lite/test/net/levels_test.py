#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Two levels of the daemon itself, on the four hosts of mesh_test.py, as TAP.

    levels_test.py    PROGRAMS in the environment names huygens-lite and huygensctl

Hosts 1 and 3 run two daemons each. Namespaces have one kernel's clock, so hosts of both cells show the same time if what --debug adds
is taken away.

    upper mesh      1       3
    cells         .1 .2   .3 .4
"""

import os
import struct
import sys
import tempfile
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mesh_test
from mesh_test import Mesh, Net, is_near, ok, read, until

LINKS = (1, 3)
CELLS = {1: (1, 2), 3: (3, 4)}
# By which cells' clocks are wrong, ns.
WRONG = {1: 2_000_000_000, 3: -500_000_000}
LOST = "the line has expired: the daemon of the upper mesh does not run"
REFUSED = "a line that the daemon does not write"
# struct huygens_line
LINE = "=IHHIIqqqqdqqqIIIiiIiIq"


class Levels:
    """The upper mesh, and cells by their link."""

    def __init__(self, net, folder):
        own = {host: {"output": {"line_file": os.path.join(folder, f"line{host}")}, "node": {"port": 31901}} for host in LINKS}
        self.upper = Mesh(net, folder, "upper", own=own, hosts=LINKS)
        self.cell = {}
        for link, hosts in CELLS.items():
            sections = {"coordinator": {"reference": f"upper:{link}"}, "node": {"upper_line": os.path.join(folder, f"line{link}")}}
            self.cell[link] = Mesh(net, folder, f"cell{link}", sections, hosts=hosts,
                                   debug={host: f"time_offset={WRONG[link]}ns" for host in hosts})
        self.meshes = (self.upper, *self.cell.values())

    def tracking(self, link):
        """Tracking of the host of a cell that is not in the upper mesh."""
        return self.cell[link].tracking(CELLS[link][1])

    def apart(self):
        """How far the cells' common times are apart, or None."""
        corrections = [self.tracking(link).get("offset_ns") for link in LINKS]
        return None if None in corrections else corrections[0] + WRONG[1] - corrections[1] - WRONG[3]

    def stated(self):
        """Sum that both cells' hosts state."""
        parts = [self.tracking(link).get(key) for link in LINKS for key in ("error_ns", "asymmetry_ns", "upper_error_ns")]
        return None if None in parts else sum(parts)

    def logs(self):
        return [line for mesh in self.meshes if mesh.daemon for line in mesh.logs()]


def write_without_error(path):
    """A line that is valid for a minute, but has an error of 0, takes the place of a file."""
    raw_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    head = (0x48474C4E, 1, struct.calcsize(LINE), 0, 1, raw_ns, raw_ns + 60 * 10**9, 0, time.time_ns(), 0.0)
    line = struct.pack(LINE, *head, *[0] * 5, 77, *[0] * 6)
    with open(path + ".new", "wb") as file:
        file.write(line)
    os.replace(path + ".new", path)


def two_levels(net, folder):
    levels = Levels(net, folder)
    for mesh in levels.cell.values():
        mesh.start()
    ok(all(mesh.waitsync() for mesh in levels.cell.values()), "cells are synchronised without their upper mesh", *levels.logs())
    ok(levels.stated() is None and levels.tracking(1)["upper_epoch"] == 0, "and state nothing of each other", levels.tracking(1))
    ok("No such file or directory: this host does not report it" in read(levels.cell[1].path(1, "log")) and
       "upper_line" not in read(levels.cell[1].path(2, "log")), "the log of a link says why, and that of another host nothing",
       *levels.logs())
    levels.upper.start()
    ok(until(lambda: levels.stated() is not None), "the upper mesh begins: its time is known in both cells", *levels.logs())
    ok(until(lambda: is_near(levels.apart(), 0)), "whose hosts show the same time", levels.apart(), *levels.logs())
    ok(levels.stated() > abs(levels.apart()), "within what they state", levels.apart(), levels.stated())
    epochs = {levels.tracking(link)["upper_epoch"] for link in LINKS}
    ok(len(epochs) == 1 and epochs != {0}, "and name the same upper mesh", epochs)
    ok(all(levels.tracking(link)["reference"] == f"upper {link}" for link in LINKS), "the reference is named",
       *(levels.tracking(link) for link in LINKS))

    levels.upper.daemon[1].kill()
    levels.upper.daemon.pop(1).wait()
    ok(until(lambda: LOST in read(levels.cell[1].path(1, "log"))), "an upper daemon is killed: its line expires", *levels.logs())
    was = levels.tracking(1)["upper_error_ns"]
    ok(until(lambda: levels.tracking(1)["upper_error_ns"] > was + 5000), "and the error to the upper mesh grows", levels.tracking(1))
    ok(all(mesh.is_locked() for mesh in levels.cell.values()), "the cells go on", *levels.logs())
    write_without_error(os.path.join(folder, "line1"))
    ok(until(lambda: REFUSED in read(levels.cell[1].path(1, "log"))), "a file without an error: it is refused, with the reason",
       *levels.logs())
    was = levels.tracking(1)["upper_error_ns"]
    levels.upper.start(1)
    ok(until(lambda: levels.tracking(1)["upper_error_ns"] < was and levels.tracking(1)["upper_epoch"] in epochs),
       "it is started again: the same upper mesh is known", *levels.logs())
    ok(until(lambda: is_near(levels.apart(), 0)), "and cells show the same time", levels.apart())
    ok(all([mesh.stop() for mesh in levels.meshes]), "all end well", *levels.logs())


def main():
    if "MESH_INSIDE" not in os.environ:
        os.environ["MESH_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "-Urn", sys.executable, os.path.abspath(__file__)])
    if not {"huygens-lite", "huygensctl"} <= set(mesh_test.PROGRAMS):
        sys.exit("levels_test.py: PROGRAMS does not name huygens-lite and huygensctl")
    net = Net()
    try:
        with tempfile.TemporaryDirectory() as folder:
            two_levels(net, folder)
    finally:
        net.close()
    mesh_test.TAP.end()


if __name__ == "__main__":
    main()
