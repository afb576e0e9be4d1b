# SPDX-License-Identifier: GPL-2.0
"""On-Ramp end to end: request completion times as in rct, with the clocks that huygens-lite keeps, or others.

Each host has a clock of its own, which clock_offset and the other keys make wrong, and software that is as late as `noise` says.
The qdisc uses the published common time. `kept` selects its source: huygens, the daemon's in each host; perfect, that of perfect
clocks; ntp, that of clocks which are off by a normal error of 100 us, its bound published (three times that); none: nobody
publishes one, so that no flow may be held. With host=fq there is no On-Ramp, which is what the others are measured by.

Traffic begins `warm` after the daemons do, and all that is measured is measured as in rct from there on. `common` is how far
apart the hosts' common times were meanwhile, as in scenario clock.
"""

import module_list
import sync
from keys import Key, choice, time
from clock_mesh import ClockMesh
from scenarios import clock, rct
from units import Refused

SUMMARY = "request completion times of On-Ramp with clocks of huygens-lite, perfect clocks, NTP's, or none"
ROWS = ("S3-22",)
DEFAULTS = {**clock.OWN, "hosts": "16", "fanin": "15", "duration": "100ms", "rto_min": "5ms", "jitter": "0ns",
            "host": "onramp mode hold threshold 50us clock published max_error 1ms"}
OWN = ("output",)
KEYS = [
    *(Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in rct.KEYS),
    *(key for key in sync.KEYS if key.name not in OWN),
    Key("kept", "huygens", choice("huygens", "perfect", "ntp", "none"), "what the common time is: huygens, perfect, ntp, none"),
    Key("warm", "14s", time("100ms", "1000s"), "from the daemons' begin to the traffic's"),
]
# Of clocks as NTP keeps them: the deviation, and the bound that is published of it; of perfect ones.
NTP_NS, NTP_BOUND_NS, PERFECT_BOUND_NS = 100_000, 300_000, 1_000
TRUE = {"clock_offset": 0, "clock_error": 0, "clock_rate": 0, "clock_wander": 0, "clock_ramp": 0}
EVERY_NS = 10_000_000
# A time of the guest's CLOCK_REALTIME within the 600 s for which a line may be published.
REFERENCE_S = 1735689601


def clocks_of(p):
    """The hosts' clocks as what keeps them says."""
    if p["kept"] == "ntp":
        return {**p, **TRUE, "clock_error": NTP_NS}
    if p["kept"] == "perfect":
        return {**p, **TRUE, "clock": "perfect"}
    return p


class Setting(rct.Setting):
    """As rct, later."""

    topology = ClockMesh
    published = True

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        warm = p["warm"]
        p = {**p, "settle": p["settle"] + warm, "duration": p["duration"] + warm}
        unused = {"traffic": "packets", "sides": "both", "asymmetry": {}, "output": "publish"}
        if p["stamps"] == "hardware" and p["kept"] == "huygens":
            p = {**p, "clock_phc": "on"}
        super().__init__({**clocks_of(p), **unused}, seed)

    @property
    def programs(self):
        """Who publishes lines by hand needs no daemon."""
        return module_list.HUYGENS if self.p["kept"] == "huygens" else ()

    def published(self):
        """Lines of a topology script: a common time for good."""
        bound = {"ntp": NTP_BOUND_NS, "perfect": PERFECT_BOUND_NS}.get(self.p["kept"])
        for host in self.network.hosts if bound else ():
            yield (f"exec {host} onrampctl clock set published offset 0ns drift 0ppb error {bound}ns valid 600s epoch 1 "
                   f"base realtime ref {REFERENCE_S}s")

    def watches(self):
        yield from super().watches()
        if self.on_ramps(self.network.sending):
            yield from self.published()
        if self.p["kept"] == "huygens":
            yield from sync.daemons(self.p, self.network)
        yield from sync.truth(self.network, self.p["duration"], EVERY_NS)

    def groups(self):
        for line in super().groups():
            yield f"{line} {'from' if 'kind=poisson' in line else 'at'}={self.p['warm']}ns"

    def more(self, raw, flows):
        every = sync.rounds(sync.read(raw), EVERY_NS)
        return {**super().more(raw, flows), "common": sync.live(every, self.window())}
