#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Calls between the files of net and daemon go one way, as TAP: each file uses those before it only.

    file_order.py   PROGRAMS in the environment names huygens-lite, next to which the objects are
"""

import glob
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
from tap import Tap

ORDER = {
    "net": "wire auth count member_list membership budget schedule prober collector change transport agent host_clock "
           "coordinator_leap coordinator_utc coordinator mesh_state mesh_burst mesh_change mesh_send mesh_window mesh_receive mesh phc nic reading suspend vmclock phc_line "
           "clock utc_clock upper_clock socket",
    "daemon": "keyfile device report engine_phc engine_upper engine_clock engine_socket engine_reload engine_ops engine engine_open main",
}


def main():
    path = os.path.join(ROOT, "scripts/check-file-order")
    loader = importlib.machinery.SourceFileLoader("one_way", path)
    one_way = importlib.util.module_from_spec(importlib.util.spec_from_loader("one_way", loader))
    loader.exec_module(one_way)
    built = os.path.dirname(next(path for path in os.environ["PROGRAMS"].split() if path.endswith("huygens-lite")))
    tap = Tap()
    for part, nouns in ORDER.items():
        files = {os.path.basename(name)[:-2] for name in glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..", part, "*.c"))}
        objects = [os.path.join(built, part, f"{noun}.o") for noun in nouns.split() if noun in files]
        late = [f"{os.path.basename(objects[user])} uses {os.path.basename(objects[used])}: {', '.join(names)}"
                for user, used, names in one_way.uses(objects) if used > user]
        late += [f"{noun} is in no order" for noun in sorted(files - set(nouns.split()))]
        late += [f"there is no file {noun}.c" for noun in sorted(set(nouns.split()) - files)]
        tap.ok(f"no file of {part} uses one that comes after it", not late, "\n".join(late))
    tap.end()


if __name__ == "__main__":
    main()
