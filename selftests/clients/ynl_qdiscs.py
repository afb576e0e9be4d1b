#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's ynl sets and reads our qdiscs by docs/netlink/qdiscs.yaml, and tc says the same. TAP."""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, "/usr/lib/ynl")
# pylint: disable=wrong-import-position,import-error
from lib import Netlink, NlError, YnlFamily
import testbed
from tap import Tap

ROOT_PARENT, HANDLE = 0xffffffff, 0x10000
NEW = [Netlink.NLM_F_CREATE, Netlink.NLM_F_EXCL]
# The kernel answers a request for one qdisc only with this flag.
ECHO = 0x08
# A new qdisc of each kind, and one option that is changed.
KINDS = {
    "ecnsharp": ({"rtt-tail-ns": 200000, "rtt-avg-ns": 100000, "transport": "dctcp"}, {"limit": 500}),
    "onramp": ({"mode": "observe", "rp": "off", "law": "final", "maxrate-bps": 40_000_000_000}, {"gain": 16}),
    "cp": ({"law": "qcn", "w": -3, "pause": "off", "qeq": 30000}, {"defense": "edge"}),
}


def unpadded(reply):
    """A reply without what only aligns others."""
    return {name: unpadded(value) if isinstance(value, dict) else value for name, value in reply.items() if name != "pad"}


class Client:
    """ynl's requests about the root qdisc of one device."""

    def __init__(self, path, index):
        # The library of 6.12 takes a pad for unknown; User-Mode Linux has some.
        self.family = YnlFamily(path, "", process_unknown=True)
        self.index = index

    def ask(self, method, flags=(), **more):
        """A request about the root qdisc, and its answer."""
        return self.family.do(method, {"ifindex": self.index, "parent": ROOT_PARENT} | more, list(flags))

    def set(self, kind, options, flags=()):
        """Add the qdisc, or change it."""
        self.ask("newqdisc", flags, handle=HANDLE, kind=kind, options=dict(options))

    def get(self):
        """The qdisc with its options and statistics."""
        return unpadded(self.ask("getqdisc", [ECHO]))


def refused(request):
    """The complaint about a request: the kernel's, or the library's before it asks."""
    try:
        request()
    except NlError as why:
        return str(why.nl_msg.extack)
    except (KeyError, ValueError, Exception) as why:  # pylint: disable=broad-exception-caught # the library raises Exception itself
        return f"{type(why).__name__} {why}"
    return ""


def kind_test(tap, client, kind, options, change):
    """One kind of qdisc: set, read, changed, refused."""
    client.set(kind, options, NEW)
    got = client.get()
    tap.ok(f"{kind}: what was set is read", got["kind"] == kind and options.items() <= got["options"].items(), got)
    client.set(kind, change)
    wanted = got["options"] | change
    got = client.get()["options"]
    tap.ok(f"{kind}: a change of one option leaves the others", got == wanted, (got, wanted))
    given = {name: value for name, value in got.items() if name != "derived"}
    client.set(kind, given)
    tap.ok(f"{kind}: all {len(given)} options that are read can be set", client.get()["options"] == got, given)
    testbed.send()
    reply = client.get()
    stats, basic = reply["stats2"]["app"], reply["stats2"]["basic"]
    tc = testbed.shown()
    members = {name.replace("-", "_"): value for name, value in stats.items()}
    same = {name for name, value in tc.items() if members.get(name) == value and not isinstance(value, bool)}
    tap.ok(f"{kind}: statistics are those of tc", basic["packets"] == tc["packets"] >= testbed.PACKETS and len(same) > 10, (stats, tc))
    tap.ok(f"{kind}: in both attributes", reply["xstats"].keys() == stats.keys() and len(stats) > 20, reply["xstats"])


def refusals(tap, client):
    """Wrong values are refused by what knows the range; nothing changes."""
    client.set("ecnsharp", {}, NEW)
    before = client.get()["options"]
    # The kernel's message has the limit; the library of 6.12 fails to look for the offender below options, and says that.
    for what, options, why in (("a number out of range", {"limit": 0}, "options"), ("a name that it has not", {"transport": "bbr"}, "bbr"),
                               ("an option that it has not", {"qeq": 1}, "qeq"), ("a number that is too wide", {"split-gso": 256}, "error")):
        said = refused(lambda options=options: client.set("ecnsharp", options))
        tap.ok(f"{what}: refused, nothing changes", why in said and client.get()["options"] == before, said)


def others(tap, client):
    """A dump has other qdiscs, too."""
    testbed.run("tc", "qdisc", "add", "dev", "lo", "root", "handle", "7:", "fq_codel")
    client.set("ecnsharp", {}, NEW)
    found = {each["kind"]: each for each in client.family.dump("getqdisc", {})}
    testbed.run("tc", "qdisc", "del", "dev", "lo", "root")
    tap.ok("a dump has qdiscs of other kinds", found["ecnsharp"]["options"] and found["fq_codel"]["options"] == {}, found)


def classes(tap, client):
    """Classes of cp have statistics of their own."""
    client.set("cp", {"law": "none"}, NEW)
    testbed.send()
    found = client.family.dump("gettclass", {"ifindex": client.index})
    stats = [each["stats2"]["app"] for each in found if each["kind"] == "cp"]
    tap.ok("cp: a class has the packets that were sent here", [each["tx-packets"] for each in stats if not each["ifindex"]][:1] == [testbed.PACKETS], found)


def control(tap, client):
    """A description in which an attribute has another's number is noticed."""
    with open(testbed.DESCRIPTION, encoding="utf-8") as file:
        text = file.read()
    wrong = text.replace("name: limit\n        type: u32\n", "name: gone\n        type: u32\n      -\n        name: limit\n        type: u32\n", 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "wrong.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(wrong)
        said = refused(lambda: Client(path, client.index).set("cp", {"law": "none", "limit": 20000}, NEW))
        got = client.get()["options"].get("limit") if not said else None
        tap.ok("a number that is another's would be noticed", wrong != text and got != 20000, said)


def main():
    tap = Tap()
    for kind, (options, change) in KINDS.items():
        kind_test(tap, Client(testbed.DESCRIPTION, testbed.device()), kind, options, change)
    for test in (refusals, others, classes, control):
        test(tap, Client(testbed.DESCRIPTION, testbed.device()))
    tap.end()


if __name__ == "__main__":
    main()
