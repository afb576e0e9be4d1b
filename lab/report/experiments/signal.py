# SPDX-License-Identifier: GPL-2.0
"""What predicts the next packet's delay: On-Ramp's Fig. 6."""

import plot
import verdict
from run_data import mean
from experiment import Column, Experiment, Grid, Figure, Row, seeds as spread
from runs import Run

COST_S = 30
# What lab/run is told of the clocks, whose errors have this standard deviation; and beside CUBIC one of another kind.
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
        """Of the signal and of OWD, with the seeds that the signal has."""
        seeds = data.seeds(case(key[1]))
        return [_rank(data, at, seeds) for at in (key, good)]

    def ratios(data):
        return [ours / best for ours, best in zip(*ranks(data))]

    def detail(data):
        return " / ".join(f"{mean(values):.3f}" for values in ranks(data)) + spread(ratios(data))

    def cause(data):
        data = data.only(data.seeds(case(key[1])))
        straight = [data.mean(case(at[1]), f"signals.{at[2]}.correlation") for at in (good, key)]
        low = [[_tenth(data, at, index, "next_p95_us") - _tenth(data, at, index, "next_p5_us") for index in (0, 9)] for at in (good, key)]
        return (f"in ranks; Pearson's correlation is {straight[1]:.3f} to {straight[0]:.3f}, and where the signal is highest the next OWD lies within "
                f"{low[1][1]:.0f} us (5th to 95th percentile), with OWD within {low[0][1]:.0f}" + (": a long RTT may be of the way back" if key[2] == "rtt" else ""))
    return Row(paper_value, f"rank correlation with the next packet's OWD, {key[0]} / {good[0]}", lambda data: mean(ratios(data)), detail,
               (case(key[1]), case(good[1])), verdict.of_direction, "direction", cause=cause, ratios=ratios)


def experiment(seeds):
    """For the report."""
    every = (*(Run(case(clock), "signal", words, seed, COST_S) for clock, words in CLOCKS.items() for seed in seeds),
             Run(case(BBR), "signal", ("cc=bbr", *CLOCKS["good"]), seeds[0], COST_S))

    def of(name):
        return lambda data, key: data.mean(case(key[1]), f"signals.{key[2]}.{name}")

    counted = Column("seeds", lambda data, key: len(data.seeds(case(key[1]))), str)
    return Experiment("signal", every, (_row("signal-rtt", SIGNALS[1]), _row("signal-ntp", SIGNALS[2])), (Figure(
        "signal", "The delay of the next packet, where a signal is low and where it is high",
        "Fig. 6 of the paper. All samples in the order of what the sender knew, in tenths; the median of what the flow's next packet took, by true "
        "clocks. A signal that tells nothing gives a level line.", _figure, ("signal",)),), (Grid(
            "signal", "How well a signal predicts the next packet's delay",
            "Web search at 40 % load, CUBIC unless BBR is said; every OR-ACK and every acknowledgement that another packet follows within 1 ms; true delays.", "signal",
            tuple((key[0], key) for key in (*SIGNALS, *OF_BBR)),
            (counted, Column("rank correlation", of("rank_correlation"), "{:.3f}".format), Column("correlation", of("correlation"), "{:.3f}".format),
             *(Column(f"{which} tenth: next OWD, {percent}, us",
                      lambda data, key, index=index, percent=percent: _tenth(data, key, index, f"next_{percent}_us"), "{:.0f}".format)
               for which, index in (("lowest", 0), ("highest", 9)) for percent in ("p5", "p50", "p95"))),
            ("signal",)),))
