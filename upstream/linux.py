# SPDX-License-Identifier: GPL-2.0
"""The series that adds sch_ecnsharp to Linux: one logical change a patch, each of which builds."""

import json
import os
import re
import subprocess
import sys

from . import adapt, spec
from .series import Series

AUTHOR = ("sharpramp maintainers", "maintainers@sharpramp.example")
SCHED = "net/sched"
UAPI, SPEC = "include/uapi/linux/pkt_sched.h", "Documentation/netlink/specs/tc.yaml"
KCONFIG, MAKEFILE, CONFIG = f"{SCHED}/Kconfig", f"{SCHED}/Makefile", "tools/testing/selftests/tc-testing/config"
TESTS = "tools/testing/selftests/tc-testing/tc-tests/qdiscs/ecnsharp.json"
TOUCHED = ("MAINTAINERS", UAPI, SPEC, KCONFIG, MAKEFILE, CONFIG)
ALGORITHM = ("kernel/algo/param_info.h", "kernel/algo/ecnsharp_params.h", "kernel/algo/ecnsharp.h")
HELPERS = ("kernel/algo/delay_hist.h", "kernel/include/skb_ecn.h", "kernel/include/skb_segments.h", "kernel/include/param_nl.h")
TRACE, QDISC = ("sch_ecnsharp/ecnsharp_trace.h",), ("sch_ecnsharp/sch_ecnsharp.c",)

MAINTAINERS = f"""ECN# QUEUE DISCIPLINE
M:	{AUTHOR[0]} <{AUTHOR[1]}>
L:	netdev@vger.kernel.org
S:	Maintained
"""

MESSAGES = {
    "algorithm": """net/sched: add the ECN# algorithm

ECN# marks on two signals: a packet that waited longer than a high
threshold is marked at once, and a queue that stayed above a low one for
an interval is marked by a schedule that becomes denser until it is
gone.  The high threshold serves flows with long base RTTs, the low one
keeps flows with short ones from building a standing queue.

The algorithm is a set of inline functions without side effects: time,
lengths and random bits are arguments, and the result is a verdict that
the queue discipline carries out.  The table of parameters is its own
file, from which the netlink policy and messages are made.""",
    "helpers": """net/sched: add helpers for ECN, segments, delays and parameters

In a queue discipline the network header cannot be taken on trust: behind
a VLAN tag that is part of the data it may point at the tag.  Read and
set the ECN field of such packets as well, and make shared headers
private before they are changed.

Split a GSO packet into segments that the queue discipline layer counts
as packets, and read, check and dump options by a table, so that a
message names the option and its range.  Count delays in buckets whose
bounds are powers of two.""",
    "uapi": """net/sched: add the netlink interface of ECN#

Options are attributes of their own width, times in nanoseconds and
fractions in parts per million.  The statistics are 64 bits each, and
tell the causes of marks and drops apart.""",
    "trace": """net/sched: add tracepoints of ECN#

One event for each mark, and one for either end of a persistent queue.
The queue discipline uses them.""",
    "qdisc": """net/sched: add the ECN# queue discipline

A FIFO whose packets are judged as they leave by the algorithm ECN#.  It
reads the clock once per operation, marks ECN-capable packets, counts
by cause, and drops only at its limits, or, if so configured, in place
of a mark.""",
    "tests": """selftests/tc-testing: add tests of ECN#

Options at the ends of their ranges, changes, refusals of the kernel,
statistics, and the queue discipline below others.""",
    "spec": """netlink: specs: tc: add ECN#

Describe its options and statistics.""",
}


def entry():
    """The entry of Kconfig, without what is of this project."""
    return re.search(r"^config NET_SCH_ECNSHARP\n.*?(?=^config )", adapt.source("Kconfig"), re.M | re.S)[0].replace("\tdepends on NET_SCHED\n", "")


def before(text, line, more):
    """Put lines before the first of a kind."""
    at = re.search(line, text, re.M)
    if not at:
        raise adapt.Unknown(f"the tree has no line {line}")
    return text[:at.start()] + more + text[at.start():]


def names(tree):
    """Identifiers of tests that the tree has, each of which is used once."""
    found = set()
    for folder, _, files in os.walk(os.path.join(tree, "tools/testing/selftests/tc-testing/tc-tests")):
        for name in files:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found |= set(re.findall(r'"id": "(\w+)"', file.read()))
    return found


def tests(taken):
    """The tests of ecnsharp.cases that need no program of this project, with identifiers that nobody has."""
    folder = os.path.join(adapt.ROOT, "selftests/tc-testing")
    text = subprocess.run([sys.executable, "-B", f"{folder}/cases.py", f"{folder}/ecnsharp.cases"], check=True, capture_output=True, text=True).stdout
    chosen, number = [], 0xe500
    for test in json.loads(text):
        used = [test["cmdUnderTest"], test["verifyCmd"], *test["setup"], *test["teardown"]]
        if re.search(r"\$(?:RTM|REFUSED|PASTED)\b", " ".join(used)):
            continue
        while f"{number:x}" in taken:
            number += 1
        chosen.append(test | {"id": f"{number:x}"})
        number += 1
    return json.dumps(chosen, indent=4) + "\n"


def files(paths):
    """{path in net/sched: text}"""
    return {f"{SCHED}/{os.path.basename(path)}": adapt.kernel(path) for path in paths}


def maintained(series, paths):
    """MAINTAINERS with these files as well, in the order of the alphabet."""
    text = series.read("MAINTAINERS")
    entry_of = re.search(rf"^{re.escape(MAINTAINERS)}((?:F:.*\n)+)\n", text, re.M)
    lines = sorted({*(entry_of[1] if entry_of else "").splitlines(True), *(f"F:\t{path}\n" for path in paths)})
    text = text.replace(entry_of[0], "") if entry_of else text
    return before(text, "^ECONET MIPS PLATFORM$", MAINTAINERS + "".join(lines) + "\n")


def added(series, new, changed=None):
    """The files of a patch that adds some, with their maintainers."""
    return new | (changed or {}) | {"MAINTAINERS": maintained(series, new)}


def qdisc(series):
    """The files of the queue discipline's own patch."""
    make = before(series.read(MAKEFILE), r"^obj-\$\(CONFIG_NET_CLS_U32\)",
                  "obj-$(CONFIG_NET_SCH_ECNSHARP)\t+= sch_ecnsharp.o\nCFLAGS_sch_ecnsharp.o\t\t:= -I$(src)\n")
    return added(series, files(QDISC), {MAKEFILE: make, KCONFIG: before(series.read(KCONFIG), "^menuconfig NET_SCH_DEFAULT$", entry())})


def cover():
    """The cover letter: results of README.md with the commands that reproduce them."""
    table = re.search(r"^\| ECN♯, .*?\n\n", adapt.source("README.md"), re.M | re.S)[0]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in table.strip().splitlines()[2:]]
    results = "\n\n".join(f"  {what}\n    paper: {paper}, here: {here} ({verdict})\n    {command}" for what, paper, here, verdict, command in rows)
    return f"""net/sched: ECN#, an AQM that marks on instantaneous and persistent queueing

This series adds the queue discipline ecnsharp, which implements ECN# [1].

A switch must choose one marking threshold for flows whose base RTTs
differ several times.  A high threshold lets flows with short RTTs build a
standing queue, a low one costs flows with long RTTs throughput.  ECN#
keeps the high threshold for bursts, and marks conservatively in addition
while a queue persists.

The queue discipline has been developed and tested out of tree, on Linux
5.14 and later.  Results of the lab of that tree, User-Mode Linux in
virtual time, with the command that reproduces each; none is from a
hardware switch:

{results}

Results of the paper that were not reproduced are listed there, too.

The user space side is a series for iproute2.

[1] Zhang, Bai, Chen, "Enabling ECN for Datacenter Networks with RTT
    Variations", IEEE TCC 2022, doi 10.1109/TCC.2022.3204988
"""


def write(tree, out):
    """Write the series for a tree into a folder."""
    with Series(tree, AUTHOR, TOUCHED) as series:
        series.patch(MESSAGES["algorithm"], added(series, files(ALGORITHM)))
        series.patch(MESSAGES["helpers"], added(series, files(HELPERS)))
        series.patch(MESSAGES["uapi"], {UAPI: re.sub(r"#endif\n\Z", lambda end: f"{adapt.uapi('ecnsharp')}\n{end[0]}", series.read(UAPI))})
        series.patch(MESSAGES["trace"], added(series, files(TRACE)))
        series.patch(MESSAGES["qdisc"], qdisc(series))
        config = before(series.read(CONFIG), "^CONFIG_NET_SCH_ETS=", "CONFIG_NET_SCH_ECNSHARP=m\n")
        series.patch(MESSAGES["tests"], added(series, {TESTS: tests(names(tree))}, {CONFIG: config}))
        series.patch(MESSAGES["spec"], {SPEC: spec.extended(series.read(SPEC), "ecnsharp")})
        series.save(out, "PATCH net-next", cover())
