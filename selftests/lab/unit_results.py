#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Results from the files that a run leaves, without a run."""

import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab import trials
from lab.experiments import clock
from lab.host import boot, capture
from lab.host import delays as owd
from lab.host import onramp, predict, results, sync
from lab.host.network import EPOCH_NS
from lab.trials import Trial
from tap import Tap
from unit_folder import inside, put



def flow(query=0, start=0, fct=1000, size=1, timeouts=0):
    row = {"group": "g", "sender": "a", "receiver": "b", "size_bytes": size, "start_ns": start,
           "fct_ns": "" if fct is None else fct, "conn": "new", "retrans": 0, "timeouts": timeouts, "bytes": size, "query": query}
    return results.Flow(row, lambda sender, receiver: 1000, 10**9, results.TCP_TRIPS)


def summaries(tap):
    flows = [flow(n, 10 * n + late, 1000 * (n + 1)) for n in range(100) for late in (0, 5)]
    found = results.summarise_requests(flows)
    tap.ok("a request lasts from its first flow's start to its last one's end", found == {
        "n": 100, "mean_us": 50.505, "p50_us": 50.005, "p90_us": 90.005, "p95_us": 95.005, "p99_us": 99.005, "with_timeout": 0}, found)
    found = results.summarise_requests(flows + [flow(7, timeouts=2), flow(7, fct=None), flow(100, timeouts=1), flow(100)])
    tap.ok("one that has not ended is none", found["n"] == 100 and found["with_timeout"] == 1, found)
    tap.ok("no request, no times", results.summarise_requests([]) == {"n": 0, "mean_us": None, "p50_us": None, "p90_us": None,
                                                                      "p95_us": None, "p99_us": None, "with_timeout": 0})
    found = results.buckets([flow(size=size) for size in (0, 1, 10, 11, 20, 21)], (("a", 10), ("b", 20), ("c", None)))
    tap.ok("a bound belongs to the class below it", [found[name]["n"] for name in ("all", "a", "b", "c")] == [5, 2, 2, 1], found)
    with inside():
        put("a", '[{"kind": "fq", "root": true, "drops": 3, "flows": 2}, {"kind": "fq", "parent": "1:1", "drops": 9}]')
        put("b", '[{"kind": "fq", "root": true, "drops": 4}]')
        tap.ok("counters of roots are summed", results.sum_qdiscs(["a", "b"]) == {"drops": 7, "flows": 2}, results.sum_qdiscs(["a", "b"]))


def late_syns(tap):
    """Only what was measured, on a new connection, with a timeout, and over a second."""
    setting = Trial("rct", ("hosts=3",), 1).setting
    head = "id,group,sender,receiver,size_bytes,start_ns,fct_ns,conn,retrans,timeouts,delivered_ce,min_rtt_us,bytes,query,end\n"
    rows = ("0,load,h1,h2,5,30000000,1020000000,new,1,1,0,9,5,0,done", "1,load,h1,h2,5,30000000,1020000000,reuse,1,1,0,9,5,0,done",
            "2,load,h1,h2,5,30000000,1020000000,new,1,0,0,9,5,0,done", "3,load,h1,h2,5,30000000,20000000,new,1,1,0,9,5,0,done",
            "4,load,h1,h2,5,10000000,1020000000,new,1,1,0,9,5,0,done", "5,request,h1,h2,5,30000000,1000000001,new,1,2,0,9,5,7,done",
            "6,request,h1,h2,5,10000000,1020000000,new,1,2,0,9,5,6,done", "7,load,h1,h2,5,30000000,,new,1,1,0,9,5,0,failed")
    with inside():
        put("flows.csv", head + "\n".join(rows) + "\n")
        flows = setting.flows(".")
        tap.ok("late SYNs are distinguished from other late flows", setting.late_syns(flows) == 2, setting.late_syns(flows))


def predictions(tap):
    """Packets of 100 bytes; the switch keeps them for a while, the link takes 10 ns."""
    data, back = (1, 2, 3, 4), (2, 1, 4, 3)
    stays = {0: 50, 1: 70, 2: None, 3: 90}
    starts = {0: 0, 1: 200, 2: 400, 3: 600}
    base = predict.SEQUENCE - 150        # sequence numbers wrap
    came = [capture.Segment(starts[n], data, (base + 100 * n) % predict.SEQUENCE, None, 100) for n in stays]
    left = [capture.Segment(starts[n] + stays[n], data, (base + 100 * n) % predict.SEQUENCE, None, 100)
            for n in stays if stays[n] is not None]
    left += [capture.Segment(at, back, 9, (base + ack) % predict.SEQUENCE, 0) for at, ack in ((150, 100), (350, 200), (550, 200))]
    left.sort(key=lambda segment: segment.at)
    sent = predict.packets(came, left)
    reported = predict.rtts(sent, left, 10)
    tap.ok("an acknowledgement tells how long ago its packet left; one that acknowledges nothing new tells nothing, nor does one "
           "of a packet that was dropped", reported == [(160, data, 170), (360, data, 170)], reported)
    found = predict.samples(sent, reported, 10)
    tap.ok("a sample is what was learned and what followed it, if that arrived", found == [predict.Sample(160, 170, 90)], found)
    twice = predict.samples(sent, [(20, data, 7), (30, data, 8), (20, back, 9)], 10)
    tap.ok("no packet is predicted twice, nor a flow without any", twice == [predict.Sample(20, 7, 90)], twice)
    late = predict.samples(sent, [(-predict.FRESH_NS - 1, data, 7)], 10)
    tap.ok("what follows late does not count", not late, late)
    reported = predict.predict([1, 2, 3, 4], [10, 20, 30, 1000])
    tap.ok("ranks agree", reported["rank_correlation"] == 1.0 and 0.7 < reported["correlation"] < 0.8, reported)
    tap.ok("or disagree", predict.predict([1, 2, 3], [3, 2, 1])["correlation"] == -1.0)
    tap.ok("equal values share a rank", predict.predict([5, 5, 7], [1, 2, 3])["rank_correlation"] == 0.866,
           predict.predict([5, 5, 7], [1, 2, 3]))
    tap.ok("what does not vary tells nothing", predict.predict([5, 5], [1, 2])["correlation"] is None)


def onramps(tap):
    """The delays that On-Ramp took, and what it held."""
    host = "onramp mode hold threshold 50us clock system error 1us"
    plain, measured = (Trial("rct", ("hosts=3", "clock=own", "clock_error=5us", f"host={qdisc}"), 1)
                       for qdisc in (host.replace("hold", "off"), host))
    reported = [line for line in measured.script().splitlines() if line not in plain.script().splitlines()]
    tap.ok("where delays are measured they are recorded, and every host's clock is noted at both ends", sorted(
        line.split()[1:4] for line in reported if " delays " in line)
        == sorted([["-", "delays", "begin"], ["-", "delays", "end"]] + [[f"h{n}", "delays", "clock"] for n in (1, 2, 3)] * 2), reported)
    tap.ok("and not where nothing is measured", " delays " not in plain.script(), plain.script())
    clock = "mono_ns {} true_ns 0 clock_ns 0 error_ns {} rate_ppb 5\n"
    event = ("  x-1 [000] ..s.. 1.000515: onramp_ack: netns=1 src=[::ffff:10.0.0.3]:5 dst=[::ffff:10.0.0.5]:6 tx_ns={} rx_ns={} "
             "owd_ns={} threshold_ns=0 stamp_tx=1 stamp_rx=3 validity=0 seq=77\n")
    with inside():
        put("clock-b", clock.format(0, 1999) + clock.format(1000000, 2001))
        # It came at 500000 of true time, when b's clock was 2000 ns ahead; a's was 400 behind when it left.
        put("delays", "# tracer\n" + event.format(490000, boot.EPOCH_NS + 502000, 12400) + event.format(490000, boot.EPOCH_NS + 502000, 10000)
            + "overrun: 0\ndropped events: 0\n")
        found = owd.read(".")
        flow_ = (10 << 24 | 3, 10 << 24 | 5, 5, 6)
        tap.ok("an event is read", found[0] == owd.Delay(1000515000, flow_, 490000, boot.EPOCH_NS + 502000, 12400, (1, 3), 77), found)
        wrong = owd.errors(found, {flow_[0]: owd.Clock(), flow_[1]: owd.Clock("clock-b")})
        tap.ok("its error is what it is longer than the truth", wrong == [2400, 0], wrong)
        put("delays", "overrun: 3\ndropped events: 4\n")
        try:
            message = str(owd.read("."))
        except boot.LabError as why:
            message = str(why)
        tap.ok("a record with gaps is refused", "lacks 7" in message, message)
    message = owd.summary([-3000, 1000, 1000, 2000])
    tap.ok("errors are summed with their sign, ranked without", message == {"n": 4, "mean_us": 0.25, "p50_us": 1.0, "p99_us": 3.0, "max_us": 3.0},
           message)
    tap.ok("no delays, no errors", owd.summary([]) == {"n": 0, "mean_us": None, "p50_us": None, "p99_us": None, "max_us": None})
    total = {"holds": 4, "holds_bounded": 1, "holds_new": 2, "holds_observed": 0, "kicks": 3, "held": 2, "hold_ns": 10_000,
             "held_time_ns": 5000}
    held = onramp.holds(total)
    tap.ok("holds in us", held == {"n": 4, "bounded": 1, "new_flows": 2, "observed": 0, "shortened": 3, "packets": 2, "total_us": 10.0,
                                   "mean_us": 2.5, "packet_mean_us": 2.5}, held)
    tap.ok("no holds, no mean", onramp.holds(dict.fromkeys(total, 0))["mean_us"] is None)
    counts = {"packets": 9, "entries": 4, "entries_first": 1, "entries_every": 2, "entries_last": 1, "datagrams": 3, "flows": 1}
    with inside():
        message = [json.dumps(counts), json.dumps(counts, indent=1)]
        put("exec.log", "# topology:3: tc\nwarning {\n" + "".join(f"# topology:{n}: onrampctl\n{text}\n" for n, text in enumerate(message, 7)))
        acks = onramp.or_acks(".", 10_000)
        tap.ok("OR-ACKs of all receivers are summed, in bytes of their frames", acks == {
            "data_packets": 18, "entries": 8, "first": 2, "every": 4, "last": 2, "datagrams": 6, "bytes": 6 * 58 + 8 * 20, "payload": 10_000,
            "percent": 5.08}, acks)
        put("exec.log", "")
        tap.ok("no data, no share", onramp.or_acks(".", 0)["percent"] is None)
    setting = Trial("signal", ("hosts=500", "clock_error=1us"), 1).setting
    list(setting.script())
    off = [clock["offset"] for clock in setting.network.clocks.used.values()]
    spread = (sum(x * x for x in off) / len(off)) ** 0.5
    tap.ok("clocks are off by the configured amount", abs(sum(off) / len(off)) < 150 and 900 < spread < 1100, (sum(off) / len(off), spread))


def delays(tap):
    module = trials.scenario("ramp")
    found = module.summary([(0, 10), (100, 30), (150, 20)], 50, 250)
    tap.ok("delays are weighted by their time", found == {"min_us": 0.01, "mean_us": 0.02, "p1_us": 0.01, "p50_us": 0.02,
                                                          "p99_us": 0.03, "max_us": 0.03}, found)
    samples = [(0, {}), (1, {"threshold_ns": 9000}), (2, {"threshold_ns": 5000}), (3, {"threshold_ns": 7000}), (4, {"threshold_ns": 6000}),
             (5, {"threshold_ns": 1000})]
    later = [(3, {"threshold_ns": 8000}), (4, {"threshold_ns": 8500})]
    found = module.drifts([samples, later, samples[:2]], [2 * 10**6, 4 * 10**6, 2 * 10**6], 5 * 10**6)
    tap.ok("a threshold's way is that of its time, for each sender from a time of its own", found == {"thresholds": [
        {"first_us": 5.0, "last_us": 6.0, "min_us": 5.0, "max_us": 7.0, "rise_us": 2.0},
        {**dict.fromkeys(("first_us", "last_us", "min_us", "max_us"), 8.5), "rise_us": 0.0}, {}]}, found)
    tap.ok("a qdisc without a threshold has none",
           module.drifts([[(2, {"limit": 1}), (3, {"threshold_ns": 0})]] * 2, [0, 0], 10**7) == {})


# At 1 s all three are known, b's line is of another epoch at 1.1 s, and nobody knows c then.
TRUTH = """1000000000 a 5000 10 100 40 9000 1
1000000004 b -7000 20 -50 30 9000 1
1000000008 c 0 30 130 10 9000 1
1100000000 a 5000 10 110 50 9000 1
1100000004 b -7000 20 -40 60 9000 2
1100000008 c 0 30
1200000000 a 5000 10 0 50 9000 2
1200000004 b -7000 20 900 60 9000 2
1200000008 c 0 30 -100 50 9000 2
"""


def syncs(tap):
    """Samples of clocks that a daemon keeps."""
    with inside():
        put("truth", TRUTH)
        samples = sync.read(".")
    every = sync.rounds(samples)
    tap.ok("samples are read, by host, after the run's begin", [len(seen) for seen in samples.values()] == [3, 3, 3]
           and samples["b"][0] == sync.Sample(4, -7000, 20, -50, 30, 9000, 1) and samples["c"][1] == sync.Sample(100_000_008, 0, 30), samples)
    tap.ok("and put together by time", [at for at, _ in every] == [0, 100_000_000, 200_000_000] and set(every[1][1]) == set("abc"), every)
    found = [sorted(sync.pairs(of_all)) for _, of_all in every]
    tap.ok("pairs that share a common time have an error and a bound", found == [[(30, 50), (150, 70), (180, 40)], [], [(100, 100), (900, 110), (1000, 110)]], found)
    tap.ok("all have a common time when the last has", sync.first_common(every, 3) == 0.0 and sync.first_common(every[1:], 3) == 0.2
           and sync.first_common(every[1:2], 3) is None)
    live = sync.live(every, (0, 10**9))
    tap.ok("errors are ranked, bounds held or not, hosts without a common time counted", live == {
        "error": {"n": 6, "p50_ns": 150, "p90_ns": 1000, "p99_ns": 1000, "max_ns": 1000},
        "bound": {"p50_ns": 70, "max_ns": 110, "held_percent": 33.333}, "published_percent": 88.89}, live)
    live = sync.live(every, (100_000_000, 200_000_000))
    tap.ok("of no pair there is no error", live["error"]["n"] == 0 and live["error"]["p99_ns"] is None and live["bound"]["held_percent"] is None, live)
    series = list(sync.series(every, 200_000_000))
    tap.ok("a series has the middle, the worst, the largest bound, the fewest hosts", series == [[0.0, 150, 180, 70, 2], [0.2, 900, 1000, 110, 3]], series)
    alone = sync.alone(every, "b", 10**9)
    tap.ok("a host compared with the others has its largest error", alone == [[0.0, 900, 60]], alone)
    model = sync.noise("1:2:3:4:5:6:7")
    tap.ok("a model of late software in numbers", model == dict(zip(sync.LATE, range(1, 8))) and sync.noise("none") == {}
           and sync.noise("host")["rx_late"] == 3000, model)


def logged(tap):
    """Windows in the daemons' logs, compared with the truth."""
    samples = {host: [sync.Sample(at * 10**9, 0, ahead + drift * at) for at in range(5)] for host, ahead, drift in (("h1", 1000, 100), ("h2", -5000, 0))}
    tracking = "2025-01-01 00:00:01 {} locked 1 7 - 1.5 - 900 {} {}\n"
    begin = EPOCH_NS
    text = {
        # At 1.5 s h1's raw clock is 1150 ns ahead, at 2 s 1200; h2's is 5000 behind.
        "h1/tracking.log": "=====\n   Date\n" + tracking.format(77, begin + 1_500_001_150, 50_000) + tracking.format(78, begin + 1_500_001_150, 50_000)
                           + tracking.format(79, begin + 2_000_001_200, 60_000) + tracking.format(80, begin + 9 * 10**9, 1) + tracking.format(81, "-", "-"),
        "h2/tracking.log": tracking.format(77, begin + 1_500_000_000 - 5000, 56_100) + tracking.format(79, begin + 2_000_000_000 - 5000, 66_700),
        "h1/statistics.log": "   Date\n2025-01-01 00:00:01 77 1 2 yes -3 1.0 9 40 5 5\n2025-01-01 00:00:01 78 1 2 old -3 1.0 9 40 5 5\n",
        "h2/statistics.log": "2025-01-01 00:00:01 79 1 2 yes -3 1.0 9 - 5 5\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in text.items():
            path = os.path.join(folder, "huygens", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(lines)
        found = clock.middles(folder, samples, (0, 4 * 10**9))
        late = clock.middles(folder, samples, (1_900_000_000, 4 * 10**9))
    # h1 is at 51150, then 61200; h2 at 51100, then 61700.
    tap.ok("errors of windows at their middle, of pairs", (found["mid"]["n"], found["mid"]["p50_ns"], found["mid"]["max_ns"]) == (2, 50, 500), found)
    tap.ok("and of edges: what they disagree by comes to it", (found["edges"]["n"], found["edges"]["max_ns"]) == (1, 90), found)
    tap.ok("windows before those that are measured do not count", (late["mid"]["n"], late["mid"]["max_ns"], late["edges"]["n"]) == (1, 500, 0), late)


def main():
    tap = Tap()
    summaries(tap)
    late_syns(tap)
    predictions(tap)
    onramps(tap)
    delays(tap)
    syncs(tap)
    logged(tap)
    tap.end()


if __name__ == "__main__":
    main()
