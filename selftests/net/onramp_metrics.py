#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onrampctl metrics on two hosts, as TAP.

    A a0 [onramp] ======== b0 [ecnsharp] B, acker

The output has Prometheus' format. It contains each member of the interface's structs of counters and each number that the commands
print as JSON, and the settings of qdiscs with their values. With traffic some counters rise and none falls.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
# pylint: disable=wrong-import-position
from prometheus import names, parse, missing_metrics
from script import enter, finish, leave, result, run

A, B = f"metrics-a-{os.getpid()}", f"metrics-b-{os.getpid()}"
UAPI = os.path.join(HERE, "../../kernel/include/uapi/linux")
# Where each struct's members are, and whose they are.
STRUCTS = (("onramp.h", "onramp_stats", "onramp", A), ("onramp.h", "onramp_acker_stats", "onramp_acker", B),
           ("pkt_sch_onramp.h", "tc_onramp_xstats", "onramp_qdisc", A), ("pkt_sch_ecnsharp.h", "tc_ecnsharp_xstats", "ecnsharp_qdisc", B))
# Commands whose JSON is read, the names of its members, and their labels.
FAMILIES = {"onrampctl -j stats": ("onramp", ()), "onrampctl -j acker": ("onramp_acker", ()), "onrampctl -j clock": ("onramp_clock", ()),
        "onrampctl -j paths": ("onramp_path", ("saddr", "daddr", "dscp")), "onrampctl -j phc": ("onramp_phc", ("dev",)),
        "tc -j -s qdisc": (None, ("dev", "handle", "parent"))}
# Settings, which nobody changes here.
SETTINGS = "options_.*|devices|max_.*|every|delay_ns|idle_ns|rate"
# That must have risen, and where.
RISEN = (("onramp_samples_total", A), ("onramp_records_total", A), ("onramp_acks_total", A),
         ("onramp_path_samples_total", A), ("onramp_qdisc_records_total", A), ("onramp_qdisc_bytes_total", A),
         ("onramp_acker_entries_total", B), ("ecnsharp_qdisc_tx_packets_total", B))


def inside(name, command):
    """Output of a command in a namespace."""
    return subprocess.run(["ip", "netns", "exec", name, *command.split()], capture_output=True, text=True, check=False)


def hosts():
    """Both, with all there is to count."""
    for module in ("sch_onramp", "onramp_acker", "sch_ecnsharp"):
        run(f"modprobe {module}")
    for name in (A, B):
        run(f"ip netns add {name}")
    run(f"ip -n {A} link add a0 type veth peer name b0 netns {B}")
    for name, dev, address in ((A, "a0", "192.0.2.1"), (B, "b0", "192.0.2.2")):
        run(f"ip -n {name} addr add {address}/24 dev {dev}")
        run(f"ip -n {name} link set {dev} up")
        run(f"ip netns exec {name} onrampctl clock set system error 1us")
    run(f"tc -n {A} qdisc add dev a0 root onramp mode hold clock system error 1us threshold 1us max_hold 1ms")
    run(f"tc -n {B} qdisc add dev b0 root ecnsharp")
    run(f"ip netns exec {B} onrampctl peers add 192.0.2.0/24")
    run(f"ip netns exec {B} onrampctl acker dev add b0")


def talk():
    """A connection's bytes from A to B, in pieces, so that some leave after a report of others."""
    enter(B)
    with socket.create_server(("192.0.2.2", 5001)) as listener:
        enter(A)
        with socket.create_connection(("192.0.2.2", 5001)) as sender:
            receiver = listener.accept()[0]
            for _ in range(50):
                sender.sendall(bytes(20000))
                receiver.recv(20000, socket.MSG_WAITALL)
                time.sleep(0.002)
            receiver.close()


def scrape(name):
    """The metrics of a namespace, by way of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "onramp.prom")
        printed = inside(name, f"onrampctl metrics file {path}")
        try:
            with open(path, encoding="ascii") as file:
                text = file.read()
        except FileNotFoundError:
            text = ""
    found = parse(text)
    result(not printed.returncode and text and not found.wrong, f"{name.split('-')[1]}: a file in Prometheus' format", printed, *found.wrong)
    return found


def all_there(found):
    """Each member of each struct has a metric."""
    for header, struct, prefix, name in STRUCTS:
        with open(os.path.join(UAPI, header), encoding="ascii") as file:
            body = re.search(rf"struct {struct} \{{(.*?)\n\}}", file.read(), re.S).group(1)
        missing = []
        for member, is_array in re.findall(r"__[us]64\s+(\w+)(\[\w+\])?;", body):
            metrics = (f"{prefix}_{member}_seconds_bucket",) if is_array else names(prefix, member)
            missing += [] if any(metric in found[name].samples for metric in metrics) else [member]
        result(not missing, f"every member of struct {struct}", missing)


def matches(found):
    """Each member of each object that the commands print has its labels as a metric; of what may have moved since, the value does not count."""
    for command, (prefix, named) in FAMILIES.items():
        missing, options, rows = [], {}, 0
        for name in (A, B):
            printed = inside(name, command).stdout
            objects = json.loads(printed) if printed else []
            for row in objects if isinstance(objects, list) else [objects]:
                kind = row.get("kind", "onramp")
                if kind not in ("onramp", "ecnsharp"):
                    continue
                labels = {key: str(row[key]) for key in named if key in row} | ({"parent": "root"} if row.get("root") else {})
                missing += missing_metrics(found[name], prefix or f"{kind}_qdisc", row, labels, SETTINGS)
                options |= {kind: row["options"]} if "options" in row else {}
                rows += 1
        result(rows and not missing, f"every member of '{command}'", rows, *missing)
    result(all(len(options.get(kind, ())) > least for kind, least in (("onramp", 20), ("ecnsharp", 8))), "with the settings of both qdiscs", options)
    untyped = [metric for name in (A, B) for metric, kind in found[name].types.items() if kind == "untyped"]
    result(not untyped, "and each number has a type", untyped)


def total(found, metric):
    """The sum of a metric's samples."""
    return sum(value for _, value in found.samples.get(metric, ()))


def main():
    """Set up, look, talk, look again."""
    try:
        hosts()
        before = {name: scrape(name) for name in (A, B)}
        talk()
        after = {name: scrape(name) for name in (A, B)}
        all_there(after)
        matches(after)
        for metric, name in RISEN:
            result(total(after[name], metric) > total(before[name], metric), f"{metric} has risen", before[name].samples.get(metric))
        fallen = [metric for name in (A, B) for metric in before[name].samples
                  if metric.endswith("_total") and total(after[name], metric) < total(before[name], metric)]
        result(not fallen, "and no counter has fallen", fallen)
        sent, counted = (total(after[B], f"ecnsharp_qdisc_{metric}") for metric in ("tx_packets_total", "sojourn_hist_seconds_count"))
        result(sent == counted > 0, "every packet that left ecnsharp is in its histogram", sent, counted)
        invalid = sum(total(after[A], f"onramp_qdisc_{why}_total")
                      for why in ("no_clock", "uncertain", "negative", "too_long", "below_base", "suspect"))
        samples, counted = total(after[A], "onramp_qdisc_samples_total"), total(after[A], "onramp_qdisc_owd_hist_seconds_count")
        result(samples == counted + invalid and counted, "every valid delay of onramp is in its histogram", samples, invalid, counted)
        paths = after[A].samples.get("onramp_path_state", ())
        result(any(labels["daddr"] == "192.0.2.2" and labels["state"] == "valid" for labels, _ in paths), "the path says its state", paths)
        inside(A, "onrampctl hold off drill")
        off = scrape(A)
        result([labels for labels, _ in off.samples.get("onramp_holding", ())] == [{"holding": "off"}], "and so does the switch")
        ups = {labels["source"]: int(value) for labels, value in off.samples["sharpramp_up"]}
        result(ups["onramp"] == ups["qdisc"] == ups["onramp_path"] == 1, "each source that answers is up", ups)
        run(f"tc -n {A} qdisc del dev a0 root")
        result(not any(metric.startswith("onramp_qdisc") for metric in scrape(A).samples), "a removed qdisc is not reported")
    finally:
        leave()
        for name in (A, B):
            subprocess.run(["ip", "netns", "del", name], check=False)
        # It holds onramp, which others unload.
        subprocess.run(["rmmod", "onramp_acker"], check=False)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
