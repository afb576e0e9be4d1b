# SPDX-License-Identifier: GPL-2.0
"""How well a sender's signals predict the delay of its next packet: the On-Ramp paper's Fig. 6.

Background flows between random pairs, as in rct. Two measurements that a sender has of its packets are compared with the true one-way
delay of the next packet of the flow that is sent within a millisecond: `owd`, what On-Ramp measures as its OR-ACKs come, by
clocks that are as wrong as clock_error and the other keys say; `rtt`, the round-trip time of the packet acknowledged last.
Good clocks are the default; clock_error=500us is about what NTP's are. Hosts only observe, nothing is held.

`correlation` is Pearson's, `rank_correlation` Spearman's; `tenths` are the tenths of the samples in the order of the signal,
with its median there and percentiles of the next delay. True delays and round-trip times are from captures of every packet
at the switch's ports.
"""

import os

from lab.experiments import rct
from lab.host import capture, clocks, delays, predict
from lab.host.boot import EPOCH_NS as BOOT_NS
from lab.host.keys import Key
from lab.host.network import EPOCH_NS
from lab.host.units import Refused, wire_ns
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Row, Run, seeds as spread
from lab.report.paper_value import PaperValue
from lab.report.run_data import mean

SUMMARY = "prediction of the next packet's delay by one-way delay, with good and bad clocks, and by RTT (On-Ramp Fig. 6)"
ROWS = ("S3-4",)
OWN = ("request", "fanin", "request_load", "spacing")
DEFAULTS = {"duration": "30ms", "clock": "own", clocks.ERROR.name: "200ns",
            "host": "onramp mode observe threshold 50us clock system error 1ms max_error 10ms"}
KEYS = [Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in rct.KEYS if key.name not in OWN]
FULL_FRAME = 1514


class Setting(rct.Setting):
    """As rct without requests, every port captured and every delay recorded."""

    delays_thin = 1

    def __init__(self, p, seed):
        super().__init__({**p, "request": 1, "fanin": 1, "request_load": 0, "spacing": "fixed"}, seed)
        if not self.measures():
            raise Refused("host: signal wants onramp in mode observe or hold, which measures delays")

    def watches(self):
        yield from super().watches()
        for name, (netns, port) in self.network.ports.items():
            yield f"pcap {netns} {port} {name}.pcap snap={capture.SNAP_BYTES}"

    def captured(self, raw):
        """Packets that came to the switch, and packets that left it."""
        came, left = [], []
        for host in self.network.hosts:
            own = delays.number(self.network.address(host))
            for segment in capture.read(os.path.join(raw, f"to-{host}.pcap"), BOOT_NS + EPOCH_NS):
                (came if segment.flow[0] == own else left).append(segment)
        return [sorted(side, key=lambda segment: segment.at) for side in (came, left)]

    def more(self, raw, flows):
        link_ns = self.network.delays_ns[0] + wire_ns(FULL_FRAME, self.p["rate"])
        came, left = self.captured(raw)
        sent = predict.packets(came, left)
        learned_by = {"owd": [(delay.learned_ns - EPOCH_NS, delay.flow, delay.owd_ns) for delay in delays.read(raw)],
                    "rtt": predict.rtts(sent, left, link_ns)}
        return {"signals": {name: self.signal(predict.samples(sent, learned, link_ns)) for name, learned in learned_by.items()}}

    def signal(self, samples):
        """The prediction by one signal, of packets in the window."""
        start, end = self.window()
        chosen = [sample for sample in samples if start <= sample.at < end]
        return {"samples": len(chosen),
                **predict.predict([sample.known for sample in chosen], [sample.next_owd for sample in chosen])}


# Predictors of the next packet's delay: On-Ramp's Fig. 6.

def _signal(what, says):
    return PaperValue("S3-4", "6", "3.3", "100 hosts, bare metal, web search 40 %", f"correlation with the next packet's OWD, {what}", 0.9, 1, "change", says)


PAPER = {
    "signal-rtt": _signal("RTT's to OWD's", "the OWD of the green packet measured using Huygens is highly correlated [...] However, neither the RTT nor the OWD "
                          "measured using NTP correlates well"),
    "signal-ntp": _signal("OWD's by NTP's clocks to good ones'", "neither the RTT nor the OWD measured using NTP correlates well with the actual OWD"),
}


COST_S = 30
# Arguments of lab/run for the clocks, whose errors have this standard deviation; and one transport other than CUBIC.
CLOCKS = {"good": ("clock_error=200ns",), "ntp": ("clock_error=500us",)}
BBR = "bbr"
# (label, case, signal)
SIGNALS = (("OWD, good clocks", "good", "owd"), ("RTT", "good", "rtt"), ("OWD, clocks as NTP's", "ntp", "owd"))
OF_BBR = (("BBR: OWD, good clocks", BBR, "owd"), ("BBR: RTT", BBR, "rtt"))


def case(name):
    return f"signal/{name}"


def _tenth(data, key, index, name):
    _, clock, signal = key
    return mean([result.document["signals"][signal]["tenths"][index][name] for result in data.results(case(clock))])


def _figure(data):
    return plot.Lines(
        name="signal", xlabel="samples in the order of the signal, tenths", ylabel="next OWD, median, us",
        series={key[0]: [(index + 1, _tenth(data, key, index, "next_p50_us")) for index in range(10)] for key in SIGNALS})


def _rank(data, key, seeds):
    return data.only(seeds).values(case(key[1]), f"signals.{key[2]}.rank_correlation")


def _row(paper_value, key):
    """A signal's rank correlation to that of OWD by good clocks."""
    good = SIGNALS[0]

    def ranks(data):
        """Correlations of the signal and of OWD, with the seeds that the signal has."""
        seeds = data.seeds(case(key[1]))
        return [_rank(data, at, seeds) for at in (key, good)]

    def ratios(data):
        return [own / best for own, best in zip(*ranks(data))]

    def detail(data):
        return " / ".join(f"{mean(values):.3f}" for values in ranks(data)) + spread(ratios(data))

    def cause(data):
        data = data.only(data.seeds(case(key[1])))
        straight = [data.mean(case(at[1]), f"signals.{at[2]}.correlation") for at in (good, key)]
        low = [[_tenth(data, at, index, "next_p95_us") - _tenth(data, at, index, "next_p5_us") for index in (0, 9)] for at in (good, key)]
        return (f"in ranks; Pearson's correlation is {straight[1]:.3f} to {straight[0]:.3f}, and where the signal is highest the next OWD lies within "
                f"{low[1][1]:.0f} us (5th to 95th percentile), with OWD within {low[0][1]:.0f}" + (": a long RTT may be of the way back" if key[2] == "rtt" else ""))
    return Row(PAPER[paper_value], f"rank correlation with the next packet's OWD, {key[0]} / {good[0]}", lambda data: mean(ratios(data)), detail,
               (case(key[1]), case(good[1])), verdict.of_direction, "direction", cause=cause, ratios=ratios)


def experiment(seeds):
    """For the report."""
    every = (*(Run(case(clock), "signal", arguments, seed, COST_S) for clock, arguments in CLOCKS.items() for seed in seeds),
             Run(case(BBR), "signal", ("cc=bbr", *CLOCKS["good"]), seeds[0], COST_S))

    def of(name):
        return lambda data, key: data.mean(case(key[1]), f"signals.{key[2]}.{name}")

    counted = Column("seeds", lambda data, key: len(data.seeds(case(key[1]))), str)
    return Experiment("signal", every, (_row("signal-rtt", SIGNALS[1]), _row("signal-ntp", SIGNALS[2])), (Figure(
        "signal", "The delay of the next packet, where a signal is low and where it is high",
        "Fig. 6 of the paper. All samples in the order of what the sender knew, in tenths; the median of what the flow's next packet took, by true "
        "clocks. A signal that tells nothing gives a level line.", _figure, ("signal",)),), (Grid(
            "signal", "How well a signal predicts the next packet's delay",
            "Web search at 40 % load, CUBIC unless the row names BBR; every OR-ACK and every acknowledgement that another packet follows within 1 ms; true delays.", "signal",
            tuple((key[0], key) for key in (*SIGNALS, *OF_BBR)),
            (counted, Column("rank correlation", of("rank_correlation"), "{:.3f}".format), Column("correlation", of("correlation"), "{:.3f}".format),
             *(Column(f"{which} tenth: next OWD, {percent}, us",
                      lambda data, key, index=index, percent=percent: _tenth(data, key, index, f"next_{percent}_us"), "{:.0f}".format)
               for which, index in (("lowest", 0), ("highest", 9)) for percent in ("p5", "p50", "p95"))),
            ("signal",)),))
