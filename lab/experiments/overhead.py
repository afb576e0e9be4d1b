# SPDX-License-Identifier: GPL-2.0
"""The cost of OR-ACKs: On-Ramp's section 4.1, as far as virtual time shows it."""

from lab.experiments.shared.requests import T_US
from lab.experiments.shared.senders import WIDE_US, onramp
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Row, Run
from lab.report.paper_value import BASIC, PaperValue

_41 = "1 OR-ACK is sent per about 10 MTU-sized packets. Therefore, at 40% load on a 10 Gbps network and 78 Bytes per OR-ACK [...] about 21 Mbps"


PAPER = {
    "or-ack-bytes": PaperValue("S3-5", "", "4.1", BASIC, "bytes of an OR-ACK", 78, None, "bytes", _41),
    "or-ack-share": PaperValue("S3-5", "", "4.1", BASIC, "OR-ACKs, 21 Mbit/s of data's 4 Gbit/s", 0.525, None, "%", _41),
}


EVERY = (1, 5, 10, 20)
# The receivers' default: the paper's "about 10 MTU-sized packets".
DEFAULT = 10
# On one axis; single packets cost some tens of percent, whatever every is.
DRAWN = ("long", "websearch")
SMALL = ("hosts=9", "fanin=8", "rto_min=5ms", "settle=5ms")
# name -> (title, scenario, arguments, T, cost)
TRAFFIC = {
    "long": ("2 long flows", "ramp", ("duration=300ms", "join=100ms", "leave=200ms", "settle=20ms", "poll=100ms"), WIDE_US, 5),
    "websearch": ("web search at 40 %, 2 KB incast", "rct", (*SMALL, "duration=40ms"), T_US, 6),
    "short": ("search RPCs at 1 %", "rct", (*SMALL, "duration=25ms", "workload=googlerpc", "load=0.01", "request_load=0"), T_US, 4),
}


def case(traffic, every):
    """Name of the case of a traffic and a frequency."""
    return f"overhead/{traffic}/{every}"


def _run(traffic, every, seed):
    _, scenario, arguments, threshold_us, cost_s = TRAFFIC[traffic]
    return Run(case(traffic, every), scenario, ("cc=cubic", *arguments, f"acker=every {every}", f"host={onramp(threshold_us)}"), seed, cost_s)


def _percent(traffic):
    return lambda data: data.mean(case(traffic, DEFAULT), "or_acks.percent")


def _detail(traffic):
    def detail(data):
        size, payload = (data.mean(case(traffic, DEFAULT), f"or_acks.{name}") for name in ("bytes", "payload"))
        return f"{size / 1000:.0f} KB of frames for {payload / 1e6:.1f} MB of data; one seed"
    return detail


def _share(name):
    return lambda data, key: data.mean(case(*key), f"or_acks.{name}") / data.mean(case(*key), "or_acks.entries")


def _cause(traffic):
    def cause(data):
        first, last = (_share(name)(data, (traffic, DEFAULT)) for name in ("first", "last"))
        return (f"{first * 100:.0f} % of the packets that are acked begin a burst and {last * 100:.0f} % end one, in addition to those that the bytes since the "
                "last one ask for: the paper does not say that it acks these")
    return cause


def _rows():
    def single(data):
        return data.mean(case("long", DEFAULT), "or_acks.bytes") / data.mean(case("long", DEFAULT), "or_acks.datagrams")

    def row(paper_value, what, traffic, measured=None):
        return Row(PAPER[paper_value], what, measured or _percent(traffic), _detail(traffic), (case(traffic, DEFAULT),), verdict.of_count, "count", cause=_cause(traffic))
    return (row("or-ack-bytes", "2 long flows: bytes of an OR-ACK's frame", "long", single),
            row("or-ack-share", "web search at 40 %: OR-ACKs, % of the data's bytes, one for 10 MTUs", "websearch"))


def _figure(data):
    return plot.Bars(
        name="overhead", ylabel="OR-ACKs, % of the data's bytes", groups=[f"every={every}" for every in EVERY],
        series={TRAFFIC[traffic][0]: [data.mean(case(traffic, every), "or_acks.percent") for every in EVERY] for traffic in DRAWN})


def experiment(seeds):
    """The first seed."""
    every = tuple(_run(traffic, number, seeds[0]) for traffic in TRAFFIC for number in EVERY)
    lines = tuple((f"{TRAFFIC[traffic][0]}, every={number}", (traffic, number)) for traffic in TRAFFIC for number in EVERY)

    def of(path):
        return lambda data, key: data.mean(case(*key), path)

    def per_hundred(data, key):
        return 100 * of("or_acks.datagrams")(data, key) / of("or_acks.data_packets")(data, key)

    return Experiment("overhead", every, _rows(), (Figure(
        "overhead", "OR-ACKs cost a long flow half a percent, and short ones more",
        "Section 4.1 of the paper: bytes of OR-ACKs' frames, one of 78 bytes for every so many MTUs of payload, in percent of the payload. A burst's "
        "first packet and its last are acked too: of a flow of one packet that is all, so that search RPCs cost as much whatever `every` is (the table).",
        _figure, tuple(f"overhead/{traffic}" for traffic in DRAWN)),), (Grid(
            "overhead", "Cost of OR-ACKs", "A frame with one entry has 78 bytes, each further entry 20 bytes. `first` and `last` are the first and last packet of a burst, "
            "`every` are packets on the grid. Long flows and web search at T = 150 and 50 us.", "traffic and acker", lines,
            (Column("OR-ACKs, % of the data's bytes", of("or_acks.percent"), "{:.3f}".format), Column("datagrams for 100 data packets", per_hundred, "{:.1f}".format),
             *(Column(f"acked as {name}", _share(name), "{:.2f}".format) for name in ("first", "every", "last")),
             Column("a packet's wait in the switch, us", of("queue.mean_sojourn_us"), "{:.0f}".format), Column("drops", of("drops"), "{:.0f}".format)),
            ("overhead",)),))
