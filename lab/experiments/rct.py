# SPDX-License-Identifier: GPL-2.0
"""Request completion times under background load: the On-Ramp paper's Fig. 9 to 14, 19, 21 and 25.

Hosts around one switch. Background flows of the workload run between random pairs at `load` of every host's link.
In addition a random host requests from `fanin` others at once `request` bytes each, as Poisson arrivals of `request_load`
of the links; a request is complete when the last byte of its last answer is there. The others are distinct as long as
there are enough.

Each port of the switch drops at its tail when it holds `buffer` bytes. Every sender has the qdisc `host` at its root.
Connections are taken from a pool (conn=pool), as an application keeps them: no SYN is lost, for which Linux would wait
a second. The paper's hosts have Linux's least retransmission timeout, 200 ms; so has rto_min here. About a
hundredth of the requests waits for it, so that p99_us is 8 or 200 ms as the seed has it; rto_min=5ms has no such step.

Flows that start before `settle` are not measured, nor are queues until then: `requests` and `flows` (small up to 10 KB, medium
up to 1 MB, large) are of those that start later, `utilisation` and `queue` of the time from there to the duration's end.
`drops`, `timeouts` and `retransmits` are of the whole run; `retransmit_percent` is of all segments that hosts sent,
`loss_probes` counts those that TCP sent when a flow's last packets were not acknowledged. `late_syns` are the measured flows that
took over a second, waited for a timeout and had a new connection: its SYN was lost, or the answer, for which Linux waits a second
whatever rto_min is. `sender_qdiscs` sums up what the qdiscs of the senders count. A run goes on until every flow has ended.

With onramp, `holds` is what the senders' qdiscs together say of their holds, each as long as it lasted until it ended or another
took its place: `bounded` were cut to max_hold, `shortened` ended early, `new_flows` began a flow, `observed` mode observe
would have set; `packets` left later than all other rules required, by `packet_mean_us`. `owd_error` is by how much the delays that
senders went by were longer than the true ones, of one in 64 of them: the mean, and the sizes of the errors. clock_error and the
other keys of clocks say how wrong the hosts' clocks are, with clock=own. `or_acks` counts OR-ACKs: `datagrams` with
`entries`, one a data packet that was acked: a burst's `first`, one `every` so many bytes, a burst's `last`; `percent` is their frames'
bytes of the `payload` that came.
"""

from lab.experiments.shared import settings as common
from lab.experiments.shared.requests import (BBR, BIG, BOTH, BUFFERS, CUBIC, ENDS, FCT, HOLDING, LATE_SYNS, LOADS, RCT, T_US,
                                             count_row, fct_rows, fct_value, pair, rct_rows, rct_value, theirs, wide_grid)
from lab.experiments.shared.senders import WIDE_US, onramp
from lab.host import clocks, results
from lab.host.full_mesh import FullMesh, SHAPE
from lab.host.keys import Key, choice, fraction, number, size, time
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Experiment, Figure
from lab.report.paper_value import BASIC, GCP, PaperValue

SUMMARY = "request completion times of incast with background flows, 41 hosts at a switch (On-Ramp Fig. 9 to 14, 19, 21, 25)"
ROWS = ("S3-5", "S3-7", "S3-8", "S3-9", "S3-10", "S3-11", "S3-12", "S3-13", "S3-18", "S3-20")
ALSO = (
    ("gso", "gso_size=16384b", "GSO packets of 16 KB in the place of 64 KB (On-Ramp Fig. 19)"),
    ("sweep", "host='onramp mode hold threshold 300us g 1/4 clock system error 1us'", "T and g (On-Ramp Fig. 21)"),
    ("combine", "cc=dctcp aqm='ecnsharp ins_target 78us pst_interval 80us pst_target 40us' host='onramp mode hold threshold 50us clock system "
     "error 1us'", "ECN# at the switch and On-Ramp at the hosts"),
    ("overhead", "acker='every 1' host='onramp mode hold threshold 50us clock system error 1us'", "what OR-ACKs cost short flows (On-Ramp 4.1)"),
)
KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer"), shape=SHAPE, cc="cubic", load="0.4", rtt="25us", duration="150ms", conn="pool",
                 rto_min="200ms"),
    common.BUFFER,
    common.HOST,
    common.ACKER,
    clocks.ERROR,
    Key("request", "2k", size("1b", "100m"), "bytes that each of the queried hosts sends, 1b to 100m; the paper has 2k, 500k"),
    Key("fanin", "40", number(1, 1000), "hosts that a request asks, 1 to 1000; above the number of others some send several"),
    Key("request_load", "0.02", fraction(0, 1), "offered load of the requests, a fraction of every host's link; 0 for none"),
    Key("spacing", "poisson", choice("poisson", "fixed"), "times between requests: poisson, fixed"),
    Key("settle", "20ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]

# The paper's sizes of flows: a name and the most bytes.
BOUNDS = (("small", 10_000), ("medium", 1_000_000), ("large", None))
SECOND_NS = 10**9


class Setting(common.Setting):
    """Poisson arrivals between all pairs, and requests."""

    memory = "4G"
    topology = FullMesh

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        if p["load"] + p["request_load"] >= 1000:
            raise Refused("load, request_load: together they must be below 1")
        super().__init__(common.tail_drop(p), self.topology(p, seed))

    def window(self):
        return self.p["settle"], self.p["duration"]

    def tenants(self):
        """Hosts that have flows among themselves, under what the names of their groups of flows end in."""
        return {"": self.network.hosts}

    def period_ns(self, hosts):
        """Mean time from one request of some hosts to the next, of all of them."""
        p = self.p
        bits = p["fanin"] * p["request"] * 8
        return max(1, bits * 10**9 * 1000 // (len(hosts) * p["rate"] * p["request_load"]))

    def groups(self):
        p = self.p
        for name, hosts in self.tenants().items():
            yield self.arrivals(f"load{name}", self.ends(hosts, hosts), len(hosts) * p["rate"])
            if p["request_load"]:
                yield (f"group request{name} kind=query {self.ends(hosts, hosts)} conn={p['conn']} flows={p['fanin']} pick=random "
                       f"lo={p['request']} hi={p['request']} spacing={p['spacing']} period={self.period_ns(hosts)}ns "
                       f"until={p['duration']}ns")

    def background(self, flows, names=None):
        """Flows of the tenants' background that start in the window."""
        groups = {f"load{name}" for name in names or self.tenants()}
        return [flow for flow in flows if flow.group in groups and flow.start_ns >= self.p["settle"]]

    def requests(self, flows, names=None):
        """Flows of the tenants' requests whose first starts in the window."""
        groups = {f"request{name}" for name in names or self.tenants()}
        chosen = [flow for flow in flows if flow.group in groups]
        early = {(flow.group, flow.query) for flow in chosen if flow.start_ns < self.p["settle"]}
        return [flow for flow in chosen if (flow.group, flow.query) not in early]

    def classes(self, flows):
        return results.buckets(self.background(flows), BOUNDS)

    def late_syns(self, flows):
        """How many measured flows waited for a second SYN, or for a second answer to it."""
        measured = self.background(flows) + self.requests(flows)
        return sum(flow.new and flow.timeouts > 0 and (flow.fct_ns or 0) > SECOND_NS for flow in measured)

    def more(self, raw, flows):
        drops = {name: results.read_port(raw, name).drops for name in self.network.aqm_ports}
        return {
            "requests": results.summarise_requests(self.requests(flows)),
            "late_syns": self.late_syns(flows),
            **self.sent_again(raw),
            "drops_by_port": {name: count for name, count in drops.items() if count},
            "sender_qdiscs": self.sender_qdiscs(raw),
        }


# The report's part: On-Ramp's Fig. 9, 10 to 14, 18 and 25.

WITH_BBR = f"{GCP}, BBR, web search 40 %, 2 KB incast 2 %"
_9A = "the mean, 90th, 95th and 99th percentile RCTs of an incast request are reduced by 2.6x, 3.0x, 3.1x and 2.8x, respectively"
_9B = "On-Ramp improves the mean FCT of the WebSearch background traffic flows by 21%, 19%, and 7% [...] of small, medium and large sizes"
_10A = "the mean and tail RCTs of an incast request are reduced by On-Ramp by 4.2x - 5.6x"
_10B = ("reduces the mean FCT of the WebSearch background traffic flows by 28% and 25% for the small and medium sizes respectively, and tail FCT "
        "by 51% and 37%, while maintaining the same performance as the baseline for the large flows")


PAPER = {
    "rct-cubic-mean": rct_value("S3-7", "9a", "5.2.1", BASIC, "mean", 2.6, _9A),
    "rct-cubic-p90": rct_value("S3-7", "9a", "5.2.1", BASIC, "90th percentile", 3.0, _9A),
    "rct-cubic-p95": rct_value("S3-7", "9a", "5.2.1", BASIC, "95th percentile", 3.1, _9A),
    "rct-cubic-p99": rct_value("S3-7", "9a", "5.2.1", BASIC, "99th percentile", 2.8, _9A),
    "fct-cubic-small": fct_value("S3-8", "9b", "5.2.1", BASIC, "small flows, mean", 21, _9B),
    "fct-cubic-medium": fct_value("S3-8", "9b", "5.2.1", BASIC, "medium flows, mean", 19, _9B),
    "fct-cubic-large": fct_value("S3-8", "9b", "5.2.1", BASIC, "large flows, mean", 7, _9B),
    "again-cubic": PaperValue("S3-8", "9b", "5.2.1", BASIC, "packets retransmitted, On-Ramp to without", 0.0314, 0.0693, "%",
                         "the percentage of packets retransmitted reduces from 0.0693% to 0.0314%"),
    "rct-bbr-least": rct_value("S3-9", "10a", "5.2.1", WITH_BBR, "the least gain", 4.2, _10A),
    "rct-bbr-most": rct_value("S3-9", "10a", "5.2.1", WITH_BBR, "the greatest gain", 5.6, _10A),
    "fct-bbr-small": fct_value("S3-9", "10b", "5.2.1", WITH_BBR, "small flows, mean", 28, _10B),
    "fct-bbr-medium": fct_value("S3-9", "10b", "5.2.1", WITH_BBR, "medium flows, mean", 25, _10B),
    "fct-bbr-large": fct_value("S3-9", "10b", "5.2.1", WITH_BBR, "large flows, mean", 0, _10B),
    "fct-bbr-small-p95": fct_value("S3-9", "10b", "5.2.1", WITH_BBR, "small flows, 95th percentile", 51, _10B),
    "fct-bbr-medium-p95": fct_value("S3-9", "10b", "5.2.1", WITH_BBR, "medium flows, 95th percentile", 37, _10B),
    "again-bbr": PaperValue("S3-9", "10", "5.2.1", WITH_BBR, "packets retransmitted, On-Ramp to without", 0.0005, 0.0105, "%",
                       "the fraction of packets retransmitted reduces by 21x, from 0.0105% to 0.0005%"),
}

CONTROLS = ("fq", "off", "strawman", "onramp")
# Schemes that also run at the T of the criteria.
REQUIRED = {CUBIC: ("strawman", "onramp"), BBR: ("onramp",)}
CLOCK_ERRORS_US = (0, 1, 10, 30, 100, 300)


def _bars(name, baseline, metrics, names, what, paper_values):
    """Everything over the paper's baseline."""
    def figure(data):
        shown = [number for number, paper_value in enumerate(paper_values) if paper_value]
        return plot.Bars(
            name=name, ylabel=f"{what} / {baseline.base}'s", groups=[label for label, _ in metrics],
            series={scheme: [data.ratio(baseline.setting.case(scheme, baseline.threshold_us), baseline.pair[1], path) for _, path in metrics] for scheme in names},
            top=1.6, paper=[("onramp", number, paper_values[number]) for number in shown], line=1, line_label=baseline.base)
    return figure


def _figures(setting, names, fig, rct, fct):
    baseline = theirs(setting)
    cases = tuple(setting.case(scheme, baseline.threshold_us) for scheme in (*names, baseline.base))
    return (
        Figure(f"rct-{setting.name}", f"{setting.title}: time until a request's 40 answers are there, relative to {baseline.base}'s",
              f"Fig. {fig}a of the paper: 2 KB from each of 40 hosts, with background web-search flows at 40 % load; T = {baseline.threshold_us} us and {baseline.base}, as the "
              "paper has them. Below the line is faster; the diamonds are the paper's.", _bars(f"rct-{setting.name}", baseline, RCT, names, "RCT", rct), cases),
        Figure(f"fct-{setting.name}", f"{setting.title}: mean completion times of the background's flows, relative to {baseline.base}'s",
              f"Fig. {fig}b of the paper: up to 10 KB, up to 1 MB, and larger.", _bars(f"fct-{setting.name}", baseline, FCT, names, "FCT", fct), cases),
    )


QUOTED = {"cubic": ((1 / 2.6, 1 / 3.0, 1 / 3.1, 1 / 2.8), (0.79, 0.81, 0.93)), "bbr": ((1 / 4.2, None, None, 1 / 5.6), (0.72, 0.75, 1.0))}


def _clock_case(error_us):
    return CUBIC.case(f"clock-{error_us}us")


def _clock_runs(seed):
    """T is as far above the idle path's delay as Fig. 18 has it: by two standard deviations more."""
    for error_us in CLOCK_ERRORS_US:
        spec = onramp(T_US + 2 * error_us, error_us=max(1, 3 * error_us))
        yield CUBIC.run(f"clock-{error_us}us", seed, spec, ("clock=own", f"clock_error={error_us}us"))


def _clock_figure(data):
    return plot.Bars(
        name="clocks", ylabel="RCT / fq's", groups=[str(error_us) for error_us in CLOCK_ERRORS_US[:-1]] + [f"{CLOCK_ERRORS_US[-1]} us"],
        series={name: [data.ratio(_clock_case(error_us), CUBIC.case("fq"), path) for error_us in CLOCK_ERRORS_US]
                for name, path in (RCT[0], RCT[3])}, line=1, line_label="fq")


def experiment(seeds):
    """For the report: Fig. 9 and 10, what shows that it is the holds, and the same with the T of all that On-Ramp must do."""
    every = (*(run for setting in BOTH for run in setting.runs(CONTROLS, seeds)),
             *(run for setting in BOTH for run in setting.runs(("onramp",), seeds, WIDE_US)), *CUBIC.runs(("strawman",), seeds, WIDE_US),
             *CUBIC.runs(("fq_codel",), seeds), *CUBIC.runs(("nic_comp",), seeds[:1]))
    figures = (*_figures(CUBIC, ("fq", "strawman", "onramp"), "9", *QUOTED["cubic"]), *_figures(BBR, ("off", "onramp"), "10", *QUOTED["bbr"]))

    def titled(scheme, threshold_us):
        return plot.label(scheme) + (f", T = {threshold_us} us" if scheme in HOLDING else "")

    lines = tuple((f"{setting.title}, {titled(scheme, threshold_us)}", (setting.case("fq"), setting.case(scheme, threshold_us)))
                  for setting, names in ((CUBIC, (*CONTROLS[1:], "nic_comp", "fq_codel")), (BBR, CONTROLS[1:])) for scheme in names
                  for threshold_us in ((WIDE_US, T_US) if scheme in REQUIRED[setting] else (T_US,)))
    return Experiment("rct", every, (), figures, (wide_grid(
        "rct", "Request completion, background flows and losses", f"Numbers are means of the seeds (nic_comp: of one), compared with fq with the same seeds. The criteria apply to "
        f"T = {WIDE_US} us. With mode off the same qdisc holds nothing. {ENDS} {LATE_SYNS}",
        "hosts", lines),))


def _wider(name, title, text, settings, seeds):
    """fq and On-Ramp in other settings."""
    every = tuple(run for setting in settings for run in setting.runs(("fq", "onramp"), seeds[:1] if setting.once else seeds))
    return Experiment(name, every, (), (), (wide_grid(
        name, title, f"{text} T = {T_US} us. Means of the seeds. {ENDS}", "setting", tuple((setting.title, pair(setting)[::-1]) for setting in settings)),))


def loads(seeds):
    """Fig. 11, 12, 14 and 25."""
    return _wider("loads", "Other loads and another workload", "2 KB incast at 2 %, except where the row has 20 %: the paper has larger gains at higher loads (Fig. 12, "
                  f"25), of which the rows S3-11 above say where it is so here, and gains with FB_Hadoop's flows (Fig. 11). "
                  f"The switch marks DCTCP's packets from 65 on. {LATE_SYNS}", LOADS, seeds)


def big(seeds):
    """Fig. 13."""
    return _wider("big", "Requests of 500 KB from each host", f"Web search at 40 % with incast at 20 and at 2 % (Fig. 13 of the paper). {LATE_SYNS}", BIG, seeds)


def buffers(seeds):
    """Settings that the paper does not give for its network, and DCTCP."""
    return _wider("buffers", "Other buffers, Linux's own rto_min, and DCTCP", "Web search at 40 %, 2 KB incast at 2 %.", BUFFERS, seeds)


def clock_errors(seeds):
    """Fig. 18."""
    every, base = tuple(_clock_runs(seeds[0])), CUBIC.case("fq")
    return Experiment("clocks", (*CUBIC.runs(("fq",), seeds[:1]), *every), (), (Figure(
        "clocks", "What clocks that are off cost, CUBIC, relative to fq",
        "Fig. 18 of the paper: the hosts' clocks are off by a normal error with this standard deviation, and T is 50 us and twice that.", _clock_figure,
        (base, *(run.case for run in every))),), (wide_grid(
            "clocks", "How much clocks matter", "The hosts' clocks are off by a normal error; T is 50 us and twice its standard deviation. The first seed.",
            "standard deviation", tuple((f"{error_us} us", (base, _clock_case(error_us))) for error_us in CLOCK_ERRORS_US), seeds[:1]),))


def short(seeds):
    """For the demo: hosts that hold nothing compared with hosts that do, by the paper's baseline and T."""
    every, rows, figures = [], [], []
    for baseline, fig, least, most in ((theirs(CUBIC), "9", "mean", "p99"), (theirs(BBR), "10", "least", "most")):
        setting = baseline.setting
        every += [*setting.runs((baseline.base, "off"), seeds), *setting.runs(("onramp",), seeds, baseline.threshold_us)]
        rows += [*rct_rows(baseline, {"mean": PAPER[f"rct-{setting.name}-{least}"], "p99": PAPER[f"rct-{setting.name}-{most}"]}),
                 *fct_rows(baseline, {size: PAPER[f"fct-{setting.name}-{size}"] for size, _ in FCT}),
                 count_row(baseline, PAPER[f"again-{setting.name}"], "sent again, % of segments", "retransmit_percent")]
        figures.append(Figure(
            f"rct-{setting.name}", f"On-Ramp, {setting.title}: time until a request's 40 answers are there, relative to {baseline.base}'s",
            f"41 hosts; 2 KB from each of 40 hosts, with background web-search flows at 40 % load, T = {baseline.threshold_us} us (On-Ramp's Fig. {fig}a). Below the line is "
            "faster; the diamonds are the paper's. With mode off the same qdisc, which is a fair queue as fq is, holds nothing.",
            _bars(f"rct-{setting.name}", baseline, RCT, ("off", "onramp"), "RCT", QUOTED[setting.name][0]), (f"rct/{setting.name}",)))
    return Experiment("rct", tuple(every), tuple(rows), tuple(figures))
