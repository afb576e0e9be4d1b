# SPDX-License-Identifier: GPL-2.0
"""An AQM in each class of a scheduler: the ECN# paper's Fig. 19 and 20.

Three classes, weights 2:1:1. A long flow runs in class 1 from the start, another in class 2 from `turn` on and one in
class 3 from 2 `turn` on: the three phases. `short` flows of 3 to 60 KB in each class start at random times from the
other senders. Each class may hold `buffer` packets.

The paper does not say which RTTs its long flows had. long=middle takes the three senders in the middle of the
distribution, long=spread one in the middle of each third. A class gets less than its share while its queue is empty,
and ECN#'s pst_target of 10 us, two packets of a quarter of 10 Gbit/s, empties that of a long RTT now and then.

`goodput_gbps` of a phase is what each class's long flow received, without the first `settle`; `class_gbps` and
`shares` are the whole class's, its short flows too; `off` is the largest difference of a share from its weight's among
the classes that have a long flow.
"""

import os

import aqm
import classes
import results
from scenarios.common import StarSetting, keys
from keys import Key, choice, number, time
from units import Refused

SUMMARY = "three classes 2:1:1, long flows in turn, short flows (ECN# Fig. 19, 20)"
ROWS = ("S0-19", "S0-20")
WEIGHTS = (2, 1, 1)
CLASSES = len(WEIGHTS)
KEYS = keys(without=("workload", "load"), senders="16", rtt="80us-240us", buffer="600", duration="300ms") + [
    Key("scheduler", "drr", choice("drr", "ets"), "what shares the bottleneck: drr, ets"),
    Key("turn", "100ms", time("1ms", "100s"), "from the start of one class's long flow to that of the next's"),
    Key("settle", "20ms", time("0ns", "100s"), "how much of each phase's beginning is not measured"),
    Key("long", "middle", choice("middle", "spread"), "senders of the long flows: of middle RTTs, or spread over them"),
    Key("short", "100", number(0, 100000), "short flows in each class, 0 to 100000"),
]


class Setting(StarSetting):
    """A star whose bottleneck has classes."""

    aqm_setup = aqm.SCHEDULER
    series_ns = 1_000_000

    def __init__(self, p, seed):
        if p["senders"] < CLASSES + 1:
            raise Refused(f"senders: there must be at least {CLASSES + 1}, one of them for the short flows")
        if p["settle"] >= p["turn"]:
            raise Refused("settle: must be shorter than the turn")
        if p["duration"] < CLASSES * p["turn"]:
            raise Refused(f"duration: must be at least {CLASSES} times the turn")
        super().__init__(p, seed)
        senders = self.star.senders
        if p["long"] == "middle":
            first = (len(senders) - CLASSES) // 2
            self.long = senders[first:first + CLASSES]
        else:
            self.long = [senders[(2 * i + 1) * len(senders) // (2 * CLASSES)] for i in range(CLASSES)]
        self.short = [name for name in senders if name not in self.long]

    def tc(self, port):
        return classes.discipline(port, self.p["scheduler"], WEIGHTS, self.qdisc)

    def script(self):
        yield from super().script()
        # A sender's SYN-ACK is in its flow's class.
        yield from (f"sysctl {host} net.ipv4.tcp_reflect_tos 1" for host in self.star.senders)

    def groups(self):
        p = self.p
        for index, sender in enumerate(self.long):
            common = f"receivers={self.star.receiver} cc={p['cc']} dscp={classes.dscp(index + 1)}"
            yield (f"group long{index + 1} kind=long senders={sender} {common} "
                   f"from={index * p['turn']}ns until={p['duration']}ns")
            if p["short"]:
                yield (f"group short{index + 1} kind=query senders={','.join(self.short)} {common} conn={p['conn']} "
                       f"flows={p['short']} lo=3000 hi=60000 jitter={p['duration']}ns")

    def more(self, raw, flows):
        series = results.read_series(os.path.join(raw, "series.csv"))
        return {
            "phases": [self.phase(series, flows, index) for index in range(CLASSES)],
            "short_by_class": [results.summarise_flows([flow for flow in flows if flow.group == f"short{number}"])
                               for number in range(1, CLASSES + 1)],
            "classes": list(classes.read([os.path.join(raw, "bottleneck.tc.json")], CLASSES)),
        }

    def phase(self, series, flows, index):
        """What happened from the start of long flow index + 1 to that of the next."""
        p = self.p
        start, end = index * p["turn"], (index + 1) * p["turn"] if index + 1 < CLASSES else p["duration"]

        def received(kind):
            return [results.received(series.get(f"{kind}{number}", ()), start + p["settle"], end)
                    for number in range(1, CLASSES + 1)]

        long = received("long")
        whole = [a + b for a, b in zip(long, received("short"))]
        span = end - start - p["settle"]
        return {
            "goodput_gbps": [results.quotient(8 * size, span) for size in long],
            "class_gbps": [results.quotient(8 * size, span) for size in whole],
            "shares": [results.quotient(size, sum(whole), 4) for size in whole],
            "off": max(results.quotient(abs(size * sum(WEIGHTS[:index + 1]) - weight * sum(whole[:index + 1])),
                                        weight * sum(whole[:index + 1]), 4)
                       for weight, size in zip(WEIGHTS, whole[:index + 1])),
            "short": results.summarise_flows([flow for flow in flows if flow.size and start <= flow.start_ns < end]),
        }
