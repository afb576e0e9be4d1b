# SPDX-License-Identifier: GPL-2.0
"""PIAS: a port's priority band for each part of a flow, the first bytes' first; senders demote a flow as they send it.

The ECN# paper gives no thresholds; its authors' simulation demotes after every 140 KB.
"""

from lab.host import classes
from lab.host.keys import Key, choice, rising, size

DEMOTE = Key("demote", "140k,280k,420k", rising(7, size("1k", "1g")),
             "bytes after which a flow goes down a band, 1 to 7 of 1k to 1g, rising")


def keys(default):
    """Whether there are bands, and where they part a flow."""
    return [Key("pias", default, choice("on", "off"), "bands and demotion, or the AQM alone"), DEMOTE]


class Bands:
    """Those of a set of parameters; with pias=off there are none."""

    def __init__(self, p):
        self.demote = p["demote"] if p["pias"] == "on" else []

    def __bool__(self):
        return bool(self.demote)

    def tc(self, port, leaf):
        """Arguments of tc for a port: prio with the AQM in each band."""
        return classes.discipline(port, "prio", [1] * (len(self.demote) + 1), leaf)

    def arguments(self):
        """Settings of a group of flows."""
        return " demote=" + ",".join(f"{at}:{classes.dscp(number)}" for number, at in enumerate(self.demote, 2)) if self else ""

    def results(self, paths, flows):
        """Packets that each band of some ports sent, and the payload by the flows' sizes."""
        bands = list(classes.read(paths, len(self.demote) + 1))
        for band, start, end in zip(bands, [0, *self.demote], [*self.demote, None]):
            band["flows_bytes"] = sum(max(0, (flow.size if end is None else min(flow.size, end)) - start) for flow in flows)
        return bands
