#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What the lab's host side makes of parameters and of the files of a run, without a run.

Files of the user's count by what they hold; traces have room for their window or are refused; a topology script has the words
that were given and no more; a run that fails leaves its folder.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import types

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "selftests/qemu"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import boot
from lab.host import capture
from lab.host import delays as owd
from lab import trials
import machine
from lab.host import onramp
from lab.host import module_list
from lab.host import predict
from lab.host import results
from lab.host import sync
from lab.trials import Trial
from lab.host.network import EPOCH_NS
from lab.experiments import bursts, clock
from tap import Tap
from lab.host.units import Refused

POINTS = "50us 0\n100us 0.123456789\n300us 1 # the end\n"


@contextlib.contextmanager
def inside():
    """An empty folder as the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def put(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def fct(*words):
    return Trial("fct", words, 1)


def refused(*words):
    try:
        fct(*words)
    except Refused as why:
        return str(why)
    return ""


def files(tap):
    with inside():
        plain = fct()
        for key in filter(None, plain.texts.values()):
            put(key, POINTS)
        names = ("cc=cubic", "rtt=80us", "rtt=70us,80us", "rtt=uniform:70us-80us", "workload=datamining")
        before = [fct(word).texts for word in names]
        for word in names:
            put(word.partition("=")[2], POINTS)
        tap.ok("files named as defaults change nothing", fct().texts == plain.texts and fct().script() == plain.script(),
               fct().texts)
        tap.ok("nor do files named as other values", [fct(word).texts for word in names] == before)
        put("mine", POINTS)
        put("same", POINTS)
        put("other", POINTS.replace("300us", "301us"))
        texts = [fct(f"rtt={name}").texts["rtt"] for name in ("mine", "same", "other")]
        tap.ok("a file of RTTs counts by what it holds", texts[0] == texts[1] != texts[2]
               and re.fullmatch("file:[0-9a-f]{16}", texts[0]), texts)
        for what, text in (("a byte order mark", f"\ufeff{POINTS}"), ("CRLF ends of lines", POINTS.replace("\n", "\r\n"))):
            put("edited", text)
            tap.ok(f"RTTs with {what} are taken", fct("rtt=edited").params["rtt"](5000) == fct("rtt=mine").params["rtt"](5000))
        with open("edited", "wb") as file:
            file.write(f"\ufeff{POINTS}".encode("utf-16-le"))
        tap.ok("RTTs in UTF-16 are refused as such", "edited: the text is UTF-16, not UTF-8" in refused("rtt=edited"), refused("rtt=edited"))
        tap.ok("a file named as a time has to be called one", fct("rtt=./80us").texts["rtt"] == texts[0])
        texts = [fct(f"workload={name}").texts["workload"] for name in ("mine", "same", "other", "./websearch")]
        tap.ok("so does a workload", texts[0] == texts[1] == texts[3] != texts[2], texts)
        tap.ok("every probability is exact", fct("rtt=mine").params["rtt"](5000)[:3]
               == [50000 + 50000 * (2 * i + 1) * 10**5 // 123456789 for i in range(3)], fct("rtt=mine").params["rtt"](5000)[:3])
        os.mkdir("folder")
        os.mkdir("90us")
        tap.ok("a folder named as a time is a time", fct("rtt=90us").texts["rtt"] == "90us")
        for word in ("rtt=folder", "workload=folder"):
            tap.ok(f"{word}: a folder is no file", "file" in refused(word), refused(word))
        for text, line in (("1us 0\n2us x\n", 2), ("1us 0\n2us inf\n", 2), ("1us 0\n2us -1\n", 2), ("1us zwölf\n", 1),
                           ("1us 0\n\u0662us 1\n", 2), ("1us 0\n2s 1\n", 2), ("1us\n", 1), ("1us 0\n2us 1.0000000000\n", 2)):
            put("bad", text)
            tap.ok(f"RTTs {text.splitlines()[line - 1]!a} are refused by their line", f"bad:{line}:" in refused("rtt=bad"),
                   refused("rtt=bad"))


def clocks(tap):
    """What hosts' clocks are told, and that nobody is told anything who did not ask."""
    plain = fct()
    tap.ok("no clock is mentioned where none was asked for", "clock" not in plain.script() and "phc" not in plain.script()
           and not plain.setting.network.clocks.used)
    words = ("clock=own", "clock_offset=1ms", "clock_rate=20ppm", "clock_wander=3ppb", "clock_ramp=2ppb")
    own = fct(*words)
    told = [line for line in own.script().splitlines() if line.startswith("clock ")]
    tap.ok("each host has a clock, the switch's is true", [line.split()[1] for line in told] == own.setting.network.hosts, told)
    tap.ok("the rest of the topology script is the same", [line for line in own.script().splitlines() if line not in told]
           == plain.script().splitlines())
    own.script()
    used = own.setting.network.clocks.used
    tap.ok("within its spreads, and apart", all(abs(c["offset"]) <= 10**6 and abs(c["rate"]) <= 20000 and abs(c["ramp"]) <= 2
                                               and c["wander"] == 3 and 0 <= c["seed"] < 2**63 for c in used.values())
           and len({c["offset"] for c in used.values()}) == len({c["seed"] for c in used.values()}) == len(told), used)
    tap.ok("results and topology script agree", told == [
        f"clock {host} - " + " ".join(f"{key}={value}" for key, value in clock.items()) for host, clock in used.items()])
    again, other = fct(*words), Trial("fct", words, 2)
    tap.ok("from the seed alone", again.script() == own.script() and again.setting.network.clocks.used == used)
    tap.ok("which is another for another", other.script() and other.setting.network.clocks.used["s1"] != used["s1"])
    steps = fct(*words, "clock_step=r1:2s:-3us,s1:1ns:4s,r1:1s:5ns").script().splitlines()
    tap.ok("steps come behind the run's begin, as they were told", [line for line in steps if "step=" in line] == [
        "clock r1 - step=-3000 at=2000000000", "clock r1 - step=5 at=1000000000", "clock s1 - step=4000000000 at=1"]
           and steps.index("epoch 1000000000") < min(n for n, line in enumerate(steps) if "step=" in line), steps)
    cards = Trial("fabric", (*words, "clock_phc=on", "leaves=2", "hosts=1", "spines=1"), 1)
    told = [line.split()[1:3] for line in cards.script().splitlines() if line.startswith("clock ")]
    tap.ok("cards have their own", told == [[host, card] for host in ("h1", "h2") for card in ("-", "send", "receive")], told)
    tap.ok("at their hosts' ends", cards.script().count("a.phc=1") == 4 and len(cards.setting.network.clocks.used) == 6)


def traces(tap):
    with open(os.path.join(ROOT, "lab/labnic/watch.c"), encoding="ascii") as file:
        shift = re.search(r"LABNIC_TRACE_MAX = 1 << (\d+)", file.read())
    tap.ok("labnic has the room that is reckoned with", shift and results.TRACE_MAX == 1 << int(shift.group(1)), shift)
    for scenario, at_best in (("fct", 10_000), ("queue", 5_000), ("fabric", 0)):
        for duration in ("1s", "10485760us", "10485761us", "20s", "1000s"):
            setting = Trial(scenario, (f"duration={duration}",), 1).setting
            start, end = setting.window()
            sample = setting.sample_ns()
            told = {int(line.partition("sample=")[2]) for line in setting.watches()}
            tap.ok(f"{scenario}, {duration}: samples have room", told == {sample} and
                   (sample == at_best == 0 or sample >= at_best and (end - start) // sample + 1 <= results.TRACE_MAX), sample)
            if duration == "1s":
                tap.ok(f"{scenario}: a short trace is as fine as it can be", sample == at_best, sample)
    with tempfile.TemporaryDirectory() as raw:
        put(os.path.join(raw, "x.tc.json"), '[{"drops": 3}]')
        for lost in (0, 7):
            put(os.path.join(raw, "x.histogram"), f"pkts_ns 5\ntrace_samples 9\ntrace_lost {lost}\n0 10\n")
            try:
                said = str(results.read_port(raw, "x").drops)
            except boot.LabError as why:
                said = str(why)
            tap.ok(f"a trace that lacks {lost} samples", said == "3" if not lost else "7 samples" in said, said)
        put(os.path.join(raw, "init.json"), '{"epoch_ns": 1000000000, "built_ns": 5, "ran_ns": 3250001499, "finished_ns": 9}')
        tap.ok("virtual seconds are those that traffic took", results.read_seconds(raw) == 2.250001, results.read_seconds(raw))


def ours_needed(tap):
    mine = (*module_list.MODULES, module_list.Module("sch_x/x_core.ko", kinds=("x", "y")), module_list.Module("sch_x/sch_x.ko", kinds=("x",)))
    real, module_list.MODULES = module_list.MODULES, mine
    try:
        always = [module.name for module in real if not module.kinds]
        for qdiscs, wanted in ((([], ["fq"]), []), ((["fq"], ["x", "limit", "5"]), ["x_core.ko", "sch_x.ko"]),
                               ((["y"],), ["x_core.ko"])):
            tap.ok(f"modules that {qdiscs} need", module_list.needed(qdiscs) == always + wanted, module_list.needed(qdiscs))
    finally:
        module_list.MODULES = real
    loaded = [line.split()[1] for line in Trial("rct", ("host=fq_codel",), 1).script(["/elsewhere/mine.ko"]).splitlines()
              if line.startswith("module ")]
    tap.ok("and the user's come last", loaded == always + ["mine.ko"], loaded)


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


def networks(tap):
    """What hosts have in common with others, and what not."""
    setting = Trial("storage", ("readers=3", "clients=2", "servers=4", "rate=10gbit", "uplink=40gbit", "rtt=20us"), 1).setting
    network = setting.network
    tap.ok("racks have the hosts that were asked for", (network.racks, network.reads()) == (
        [["c1", "c2", "r1", "r2", "r3"], ["s1", "s2", "s3", "s4", "d1", "d2"]], [("d1", "r1"), ("d1", "r2"), ("d2", "r3")]), network.racks)
    rates = {line.split()[2 if " to-spine" in line else 1]: line.split("rate=")[1].split()[0] for line in setting.script() if line.startswith("link ")}
    tap.ok("storage servers and switches have wide links, others not", rates == {
        **dict.fromkeys(["c1", "c2", "r1", "r2", "r3", "s1", "s2", "s3", "s4"], "10000000000"),
        **dict.fromkeys(["d1", "d2", "to-spine1", "to-spine2", "to-spine3"], "40000000000")}, rates)
    # 84 bytes on the wire, there and back, over the own link, two wide ones and a host's; three links of 1 us beside the own.
    wire = {"s1": 2 * (67 + 17 + 17 + 67), "d1": 2 * (17 + 17 + 17 + 67)}
    base = {host: 2 * network.delays_ns[host] + 6000 + wire[host] for host in wire}
    tap.ok("base RTTs are the same over links of other rates", all(abs(rtt - 20_000) <= 10 for rtt in base.values()), base)
    tap.ok("a host has an address for what it sends, and one for what it gets", network.addresses("r1") == ["10.1.1.5", "10.2.1.5"],
           network.addresses("r1"))
    script = Trial("rct", ("hosts=2", "gso_size=16384b"), 1).script()
    tap.ok("GSO packets are made smaller at every host, before there is traffic", [line for line in script.splitlines() if "gso_max" in line] == [
        f"exec {host} ip link set dev eth0 gso_max_size 16384" for host in ("h1", "h2")], script)
    tap.ok("and left alone otherwise", "gso_max" not in Trial("rct", ("hosts=2",), 1).script())
    uses = Trial("coexist", ("hosts=2", "host=fq", "other=onramp mode hold clock system error 1us"), 1)
    tap.ok("modules are those of any host's qdisc", "sch_onramp.ko" in uses.modules(), list(uses.modules()))
    tap.ok("delays are measured where any host does", uses.setting.measures())


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
        tap.ok("late SYNs are told from other late flows", setting.late_syns(flows) == 2, setting.late_syns(flows))


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
    told = predict.rtts(sent, left, 10)
    tap.ok("an acknowledgement tells how long ago its packet left; one that acknowledges nothing new tells nothing, nor does one "
           "of a packet that was dropped", told == [(160, data, 170), (360, data, 170)], told)
    found = predict.samples(sent, told, 10)
    tap.ok("a sample is what was learned and what followed it, if that arrived", found == [predict.Sample(160, 170, 90)], found)
    twice = predict.samples(sent, [(20, data, 7), (30, data, 8), (20, back, 9)], 10)
    tap.ok("nothing is asked twice of one packet, nor of a flow without any", twice == [predict.Sample(20, 7, 90)], twice)
    late = predict.samples(sent, [(-predict.FRESH_NS - 1, data, 7)], 10)
    tap.ok("what follows late does not count", not late, late)
    told = predict.predict([1, 2, 3, 4], [10, 20, 30, 1000])
    tap.ok("ranks agree", told["rank_correlation"] == 1.0 and 0.7 < told["correlation"] < 0.8, told)
    tap.ok("or disagree", predict.predict([1, 2, 3], [3, 2, 1])["correlation"] == -1.0)
    tap.ok("equal values share a rank", predict.predict([5, 5, 7], [1, 2, 3])["rank_correlation"] == 0.866,
           predict.predict([5, 5, 7], [1, 2, 3]))
    tap.ok("what does not vary tells nothing", predict.predict([5, 5], [1, 2])["correlation"] is None)


def onramps(tap):
    """The delays that On-Ramp took, and what it held."""
    host = "onramp mode hold threshold 50us clock system error 1us"
    plain, measured = (Trial("rct", ("hosts=3", "clock=own", "clock_error=5us", f"host={words}"), 1)
                       for words in (host.replace("hold", "off"), host))
    told = [line for line in measured.script().splitlines() if line not in plain.script().splitlines()]
    tap.ok("where delays are measured they are recorded, and every host's clock is noted at both ends", sorted(
        line.split()[1:4] for line in told if " delays " in line)
        == sorted([["-", "delays", "begin"], ["-", "delays", "end"]] + [[f"h{n}", "delays", "clock"] for n in (1, 2, 3)] * 2), told)
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
            said = str(owd.read("."))
        except boot.LabError as why:
            said = str(why)
        tap.ok("a record with gaps is refused", "lacks 7" in said, said)
    said = owd.summary([-3000, 1000, 1000, 2000])
    tap.ok("errors are summed with their sign, ranked without", said == {"n": 4, "mean_us": 0.25, "p50_us": 1.0, "p99_us": 3.0, "max_us": 3.0},
           said)
    tap.ok("no delays, no errors", owd.summary([]) == {"n": 0, "mean_us": None, "p50_us": None, "p99_us": None, "max_us": None})
    total = {"holds": 4, "holds_bounded": 1, "holds_new": 2, "holds_observed": 0, "kicks": 3, "held": 2, "hold_ns": 10_000,
             "held_time_ns": 5000}
    held = onramp.holds(total)
    tap.ok("holds in us", held == {"n": 4, "bounded": 1, "new_flows": 2, "observed": 0, "shortened": 3, "packets": 2, "total_us": 10.0,
                                   "mean_us": 2.5, "packet_mean_us": 2.5}, held)
    tap.ok("no holds, no mean", onramp.holds(dict.fromkeys(total, 0))["mean_us"] is None)
    counts = {"packets": 9, "entries": 4, "entries_first": 1, "entries_every": 2, "entries_last": 1, "datagrams": 3, "flows": 1}
    with inside():
        said = [json.dumps(counts), json.dumps(counts, indent=1)]
        put("exec.log", "# topology:3: tc\nwarning {\n" + "".join(f"# topology:{n}: onrampctl\n{text}\n" for n, text in enumerate(said, 7)))
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
    tap.ok("clocks are off by what was asked for", abs(sum(off) / len(off)) < 150 and 900 < spread < 1100, (sum(off) / len(off), spread))


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
    """What is noted of clocks that a daemon keeps."""
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
    tap.ok("a host beside the others is as far off as it was at worst", alone == [[0.0, 900, 60]], alone)
    model = sync.noise("1:2:3:4:5:6:7")
    tap.ok("a model of late software in numbers", model == dict(zip(sync.LATE, range(1, 8))) and sync.noise("none") == {}
           and sync.noise("host")["rx_late"] == 3000, model)


def meshes(tap):
    """What a topology script of the scenario clock has beside that of others."""
    def script(*words):
        return Trial("clock", ("hosts=4", "duration=60s", *words), 3).script().splitlines()

    lines = script("load=0.8", "asymmetry=h2:50us")
    links = [line.split() for line in lines if line.startswith("link h")]
    tap.ok("both ends of all links are loaded", all({"a.cross=800", "b.cross=800", "a.rx_late=3000"} <= set(link) for link in links), links)
    delay = next(int(word[6:]) for word in links[1] if word.startswith("delay="))
    tap.ok("the one that is longer one way is so after what is said of both", links[1][-1] == f"a.delay={delay + 50_000}", links[1])
    links = [line.split() for line in script("load=0.8", "sides=one", "noise=none") if line.startswith("link h")]
    tap.ok("one-sided: from the second half, towards the first", [("a.cross=800" in link, "b.cross=800" in link) for link in links]
           == [(False, True)] * 2 + [(True, False)] * 2 and not any("late" in word for link in links for word in link), links)
    daemons = [line.split() for line in lines if " huygens run " in line]
    tap.ok("all hosts run the daemon with the same words", len({tuple(words[6:]) for words in daemons}) == 1 and len(daemons) == 4
           and [words[1] for words in daemons] == [words[4] for words in daemons], daemons)
    lying = {line.split()[1]: line.split()[-1] for line in script("lies=h2:50us") if " huygens run " in line}
    tap.ok("one that lies believes its edges to be longer one way, by twice the lie", lying == {
        **dict.fromkeys(("h1", "h3", "h4"), "log.statistics=yes"), "h2": "mesh.asymmetry=2-3:100000ns,2-4:200000ns"}, lying)
    tap.ok("with packets there are no bursts", not any("cross=" in line for line in script("load=0.8", "traffic=packets")))
    faulty = script("faults=kill:h1:10s:20s,cut:h2:1500ms:2s,part:h2:30s:40s")
    for wanted in ("spawn h1 huygens kill h1 11.000000000 21.000000000", "spawn sw huygens cut to-h2 10.0.0.5 2.500000000 3.000000000",
                   "spawn sw huygens part 31.000000000 41.000000000 10.0.0.3,10.0.0.5 10.0.0.7,10.0.0.9"):
        tap.ok(f"a fault: {wanted}", wanted in faulty, faulty)
    tap.ok("hardware's stamps want clocks of cards", any("a.phc=1" in line for line in script("stamps=hardware")))
    kept = {name: Trial("e2e", ("hosts=4", f"kept={name}"), 1) for name in ("huygens", "perfect", "ntp", "none")}
    texts = {name: trial.script() for name, trial in kept.items()}
    tap.ok("e2e: the daemon runs where it keeps the clocks alone", [" huygens run " in text for text in texts.values()] == [True, False, False, False])
    tap.ok("e2e: a line by hand where clocks are perfect or NTP's", ["clock set published" in text for text in texts.values()] == [False, True, True, False])
    tap.ok("e2e: nobody vouches for a system's clock", not any("clock set system" in text for text in texts.values()))
    tap.ok("e2e: traffic waits until the daemons have begun", all("from=14000000000ns" in line or "at=14000000000ns" in line
                                                                  for line in kept["none"].setting.groups()))
    tap.ok("e2e: the daemon is in the guest only then", [bool(trial.setting.programs) for trial in kept.values()] == [True, False, False, False])


def cross_traffic(tap):
    """What a topology script of the scenario bursts has, and what is made of probes."""
    def script(*words):
        return Trial("bursts", words, 3).script().splitlines()

    def sent(lines):
        """(host, addresses that its bursts go to)."""
        return [(words[1], words[13:]) for words in map(str.split, lines) if words[2:4] == ["bursts", "send"]]

    scripts = {traffic: script("load=0.8", f"traffic={traffic}") for traffic in ("cross", "ports", "hosts")}
    tap.ok("bursts: with each traffic 4 hosts have daemons and probes, and the fifth has none", all(
        [line.split()[1] for line in lines if " huygens run " in line] == ["h1", "h2", "h3", "h4"]
        and sum("h4=10.0.0.9" in line and "h5=" not in line for line in lines if " pairs " in line) == 1 for lines in scripts.values()), scripts)
    tap.ok("and where they are packets no wire has them without", {traffic: sum("a.cross=800 a.cross_burst=30000 b.cross=800" in line for line in lines)
                                                                   for traffic, lines in scripts.items()} == {"cross": 4, "ports": 0, "hosts": 0}, scripts)
    near = ["10.0.0.3", "10.0.0.5", "10.0.0.7", "10.0.0.9"]
    tap.ok("each port's own: to the host beyond, and from it", sent(scripts["ports"]) == [(f"h{n}", ["10.0.0.11"]) for n in range(1, 5)] + [("h5", [one]) for one in near],
           sent(scripts["ports"]))
    tap.ok("between hosts: to all others", sent(scripts["hosts"]) == [(f"h{n + 1}", [other for other in near if other != one]) for n, one in enumerate(near)], sent(scripts["hosts"]))
    tap.ok("and as packets each draws for itself", len({line.split()[12] for line in scripts["ports"] if " bursts send " in line}) == 8)
    tap.ok("without a load nothing is sent", not sent(script("load=0", "traffic=ports")) and not any(" bursts " in line for line in script("load=0", "traffic=hosts")))
    tap.ok("the host beyond has a fast link that is never late", any(line.startswith("link h5 ") and f"rate={bursts.FAST_BPS}" in line and "late" not in line
                                                                     for line in scripts["cross"]), scripts["cross"])
    # Of the way h1 to h2 the fastest takes 100; one of its four pairs waits, one changes its spacing, and of one comes half.
    delays = {("h1", "h2"): ((100, 900), (20_100, 20_900), (200, 2201), (5000,)), ("h2", "h1"): ((50, 50),)}
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, bursts.PAIRS_FILE), "w", encoding="ascii") as file:
            file.writelines(f"7 {one} {other} {pair} {delay}\n" for (one, other), pairs in delays.items() for pair, several in enumerate(pairs) for delay in several)
        met = bursts.met(folder)
    tap.ok("waits are over the fastest of a way, a pair is pure if its spacing stays", met == {
        "pairs": 4, "wait": {"mean_ns": 5411.0, "p10_ns": 0, "p50_ns": 800, "p90_ns": 20_800, "p99_ns": 20_800},
        "free_percent": 77.778, "pure_percent": 75.0}, met)


def logged(tap):
    """What daemons' logs say of windows, read beside the truth."""
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


def daemons_beside(tap):
    """What other daemons are told."""
    for daemon, first, others in (("chrony", "allow", "server 10.0.0.3"), ("ptp4l", "unicast_listen 1", "UDPv4 10.0.0.3")):
        trial = Trial("daemons", (f"daemon={daemon}", "hosts=4"), 1)
        lines = [line for line in trial.script().splitlines() if "/run/lab/keep" in line]
        tap.ok(f"daemons: {daemon} in each host, the first is the others' server", len(lines) == 4 and first in lines[0] and others not in lines[0]
               and all(others in line and first not in line.split() for line in lines[1:]), lines)
        tap.ok(f"daemons: {daemon} with its script, and no huygens-lite", "keep" in trial.setting.files() and " huygens run " not in trial.script()
               and {program.name for program in trial.setting.programs} == {"chronyd", "ptp4l"}, trial.setting.programs)
    same = [[line for line in Trial("daemons", (f"daemon={daemon}", "hosts=4", "load=0.8"), 5).script().splitlines() if line.startswith(("clock ", "link "))]
            for daemon in ("huygens-lite", "chrony", "ptp4l")]
    tap.ok("daemons: the same clocks and links whatever keeps them", same[0] == same[1] == same[2] and any(line.startswith("clock ") for line in same[0]), same[0])


def scripts(tap):
    for scenario, count in (("fct", 1), ("scheduler", 3)):
        lines = Trial(scenario, ("aqm=codel  limit 7   ecn",), 1).script().splitlines()
        found = [line for line in lines if line.endswith(": codel limit 7 ecn")]
        tap.ok(f"{scenario}: a qdisc's words are parted by one blank", len(found) == count, lines)
    for text in ("pfifo 'a\nexec - busybox id'", "pfifo\nns x", "pfifo\tlimit 5", "pfifo \x7f", "pfifo \xa0", "pfifo\udcff",
                 "codel 'limit 5'", 'codel "x"', "codel \\x"):
        tap.ok(f"aqm={text!a} is refused", "aqm" in refused(f"aqm={text}"), refused(f"aqm={text}"))


def leftovers(tap):
    """What stays of a run that boot() ends so."""
    def run(failure, folder=None):
        def end(made, *_words, **_keys):
            put(os.path.join(made, "stall.txt"), "what the kernel did\n")
            seen.append(made)
            raise failure
        real, trials.boot.boot = boot.boot, end
        try:
            fct().run(lab, folder=folder)
            return None
        except BaseException as why:    # pylint: disable=broad-exception-caught
            return why
        finally:
            trials.boot.boot = real

    seen = []
    with inside() as here:
        lab = types.SimpleNamespace(modules_dir=here, kernel_dir=here, image=lambda programs: here)
        for name in (module.name for module in module_list.MODULES):
            put(name, "")
        os.environ["TMPDIR"] = here
        why = run(boot.LabStalled("time stood still; see stall.txt"))
        tap.ok("a stalled run says where its folder is", isinstance(why, boot.LabStalled) and "stall.txt" in str(why)
               and seen[-1] in str(why), why)
        tap.ok("where its topology script and stall.txt are", {"topology", "traffic", "stall.txt"} <= set(os.listdir(seen[-1])), seen)
        run(KeyboardInterrupt())
        tap.ok("one that the user ended leaves nothing", not os.path.exists(seen[-1]))
        why = run(boot.LabCrashed("oops"), "mine")
        tap.ok("a folder that was asked for stays", seen[-1] == os.path.join(here, "mine") and "topology" in os.listdir("mine")
               and seen[-1] in str(why), why)
        run(KeyboardInterrupt(), "interrupted")
        tap.ok("whatever ended the run", "stall.txt" in os.listdir("interrupted"))


COMPLAINTS = (
    "Kernel panic - not syncing: Fatal exception", "BUG: KASAN: slab-use-after-free in hello_uaf+0x61/0xa0",
    "BUG: sleeping function called from invalid context at hello.c:60", "WARNING: possible circular locking dependency detected",
    "WARNING: suspicious RCU usage", "UBSAN: shift-out-of-bounds in hello.c:30:9", "ODEBUG: free active (active state 0) object: 61",
    "refcount_t: addition on 0; use-after-free.", "list_del corruption, 61->next is LIST_POISON1",
    "kmemleak: 1 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
    # What is off finds nothing, and is as silent as what has nothing to find.
    "kmemleak: Cannot allocate a kmemleak_object structure", "kmemleak: Kernel memory leak detector disabled")
NO_COMPLAINTS = (
    "kmemleak: Kernel memory leak detector initialized (mem pool available: 31000)", "debug: ignoring loglevel setting.",
    "rcu: RCU debug extended QS entry/exit.", "Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar")


def complaints(tap):
    for whose, pattern in (("the lab", boot.CRASH_RE), ("a virtual machine", machine.COMPLAINT)):
        unheard = [line for line in COMPLAINTS if not pattern.search(f"[    1.0] {line}\n")]
        tap.ok(f"{whose} hears each complaint of the kernel, and that a detector is off", not unheard, unheard)
        heard = [line for line in NO_COMPLAINTS if pattern.search(f"[    1.0] {line}\n")]
        tap.ok(f"{whose} is not bothered by what is none", not heard, heard)


def each(tap):
    """selftests/uml/each.sh names the suites that end badly, and goes on."""
    def said(*suites):
        return subprocess.run([os.path.join(ROOT, "selftests/uml/each.sh"), *suites], capture_output=True, text=True, check=False).stdout

    tap.ok("each says nothing of a suite that ends well", said("true") == "", said("true"))
    tap.ok("each names one that ends badly", said("false", "true") == "not ok - false ended with status 1\n", said("false", "true"))
    missing = "not ok - suite ended with status 127\n"
    tap.ok("each goes on after one that cannot be run", said("/nonexistent/suite", "pwd").removeprefix(missing) not in ("", missing)
           and said("/nonexistent/suite", "pwd").startswith(missing), said("/nonexistent/suite", "pwd"))


PRINTERS = ("lab/run list", "lab/run help rct", "lab/run --help", "lab/report/report --help",
            "lab/report/acceptance --help", "lab/report/demo --help")


def printed(tap):
    """What is printed is written, or that is said; where nobody reads on, there is nobody to say it to."""
    for command in PRINTERS:
        words = [os.path.join(ROOT, command.split()[0]), *command.split()[1:]]
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        name = words[0].removeprefix(ROOT + "/")
        tap.ok(f"{command}, into a full device: a line and a status", done.returncode == 1
               and done.stderr == f"{name}: cannot write: No space left on device\n", (done.returncode, done.stderr))
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        tap.ok(f"{command}, into a closed pipe: a status and no word", done.returncode == 1 and not done.stderr, (done.returncode, done.stderr))


FULL = "mount -t tmpfs -o size=4k none {0} && ! dd if=/dev/zero of={0}/all bs=8k count=1 2>/dev/null"
READ_ONLY = "mount -t tmpfs -o ro none {0}"


def folders(tap):
    """Disks that are full, and folders that cannot be written: the line names the folder and the way out."""
    def mounted(how, *words, **env):
        script = f"{how} && exec \"$@\""
        return subprocess.run(["unshare", "-rm", "--", "/bin/sh", "-c", script, "sh", *words], env={**os.environ, **env},
                              capture_output=True, text=True, check=False)

    lab_run = os.path.join(ROOT, "lab/run")
    with inside() as here:
        os.mkdir("home")
        os.mkdir("other")
        home, there = os.path.join(here, "home"), os.path.join(here, "other")
        if mounted(FULL.format(home), "true").returncode or mounted(READ_ONLY.format(home), "true").returncode:
            tap.ok("full and read-only folders # SKIP no namespaces here", True)
            return
        env = {"HOME": home, "XDG_CACHE_HOME": ""}
        done = mounted(READ_ONLY.format(home), lab_run, "fct", **env)
        tap.ok("a read-only home: a line", done.returncode == 1 and done.stderr.count("\n") == 1
               and f"lab/run: {home}/.cache" in done.stderr and "Read-only file system; XDG_CACHE_HOME names another" in done.stderr, done.stderr)
        for how, why in ((FULL, "No space left on device"), (READ_ONLY, "Read-only file system")):
            left = f"\"$@\"; status=$?; ls -d {there}/lab-* 2>/dev/null; exit $status; true"
            done = mounted(f"{how.format(there)} && {left}", sys.executable, "-c", LASTING.format(ROOT), TMPDIR=there)
            tap.ok(f"TMPDIR, {why}: a line", done.returncode == 1 and done.stderr.count("\n") == 1 and f"unit: {there}/lab-" in done.stderr
                   and f"{why}; TMPDIR names another" in done.stderr, done.stderr)
            tap.ok(f"TMPDIR, {why}: nothing is left", not done.stdout, done.stdout)
            done = mounted(how.format(there), sys.executable, "-c", SAVE.format(ROOT, os.path.join(there, "results.json")))
            tap.ok(f"--json, {why}: a line, and no half of a file", done.returncode == 1
                   and done.stderr == f"unit: {there}/results.json: {why}\n" and done.stdout == "gone\n", (done.stderr, done.stdout))
        done = mounted("for d in /tmp /var/tmp; do mount -t tmpfs -o ro none $d || exit; done; cd /proc", sys.executable, "-c", IN_TURN.format(ROOT), TMPDIR="")
        tap.ok("no folder for what is there for a time: a line", done.returncode == 1 and done.stderr.count("\n") == 1
               and "TMPDIR names another" in done.stderr, done.stderr)
    memory = "import sys; sys.path.insert(0, '{}'); from lab.host import boot; print(boot.Lab.environment(1 << 20).get('TMPDIR'))".format(ROOT)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs none /tmp", sys.executable, "-c", memory)
    tap.ok("/dev/shm noexec: the guest's memory lies in /tmp", done.stdout == "/tmp\n", done.stderr + done.stdout)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o noexec none /tmp", sys.executable, "-c", memory, TMPDIR="")
    tap.ok("/tmp too: refused, and both are named", "LabError: no folder for the guest's memory: /dev/shm is mounted noexec, /tmp is mounted noexec; "
           "TMPDIR names another" in done.stderr, done.stderr)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o size=64k none /tmp", sys.executable, "-c", memory, TMPDIR="")
    tap.ok("/tmp too small: so is that", "/dev/shm is mounted noexec, /tmp has not the 1 MiB that it takes; TMPDIR" in done.stderr, done.stderr)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o size=64k none /tmp && mount -t tmpfs none /mnt", sys.executable, "-c",
                   memory, TMPDIR="/mnt")
    tap.ok("TMPDIR serves then", done.stdout == "/mnt\n", done.stderr + done.stdout)


# A run whose boot() is seen to begin, and lasts; one that finds no place; results that find none.
LASTING = """
import os, sys, time, types
sys.dont_write_bytecode = True
sys.path.insert(0, "{0}")
from lab import trials
from lab.host import module_list, program
def boot(made, *_words, **_keys):
    print(made, flush=True)
    time.sleep(600)
trials.boot.boot = boot
lab = types.SimpleNamespace(modules_dir=os.getcwd(), kernel_dir="", image=lambda programs: "")
for name in (module.name for module in module_list.MODULES):
    open(name, "w").close()
program.run("unit", lambda: trials.Trial("fct", (), 1).run(lab))
"""
IN_TURN = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "{0}")
from lab import trials
from lab.host import program
program.run("unit", lambda: trials.Trial("fct", (), 1).rehearse("/nowhere"))
"""
SAVE = """
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "{0}")
from lab.host import program
def main():
    try:
        with program.writing("{1}"), open("{1}", "w", encoding="ascii") as file:
            file.write("results")
    finally:
        print("there" if os.path.exists("{1}") else "gone")
program.run("unit", main)
"""


def ended(tap):
    """Signals that end a run, a closed terminal's too: nothing stays, unless the terminal is not to matter."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        with inside() as here:
            with subprocess.Popen([sys.executable, "-c", LASTING.format(ROOT)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "TMPDIR": here},
                                  # Below nohup it would be ignored.
                                  preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)) as process:
                made = process.stdout.readline().strip()
                there = os.path.isfile(os.path.join(made, "topology"))
                process.send_signal(number)
                said = process.communicate(timeout=60)[1]
            tap.ok(f"{number.name}: the run's folder goes", there and not os.path.exists(made), (made, said))
            tap.ok(f"{number.name}: a status and no word", process.returncode == 128 + number and not said, (process.returncode, said))


def main():
    tap = Tap()
    complaints(tap)
    each(tap)
    files(tap)
    clocks(tap)
    traces(tap)
    scripts(tap)
    ours_needed(tap)
    summaries(tap)
    networks(tap)
    late_syns(tap)
    predictions(tap)
    onramps(tap)
    delays(tap)
    syncs(tap)
    meshes(tap)
    cross_traffic(tap)
    logged(tap)
    daemons_beside(tap)
    leftovers(tap)
    printed(tap)
    folders(tap)
    ended(tap)
    tap.end()


if __name__ == "__main__":
    main()
