#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tenants that share a network, with and without On-Ramp: coexist, storage, and what OR-ACKs cost.

Each statement is tested with the feature and with what takes it away: On-Ramp at one tenant's hosts keeps both tenants' flows
going and the shared queue short, mode off does not; held storage leaves small requests quick at nearly its whole
throughput, fq does not; one OR-ACK for 10 MTUs costs a long flow at most 0.6 % of its bytes, one for each does not.
"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

AMPLE = "limit 100000 flow_limit 10000"
FQ = f"fq {AMPLE}"


def onramp(threshold, mode="hold"):
    return f"onramp {AMPLE} mode {mode} threshold {threshold} clock system error 1us"


def run(lab, scenario, *arguments):
    trial = Trial(scenario, arguments, 1)
    return trial, trial.run(lab)


def coexist(tap, lab):
    """Four hosts in each of two racks; the uplinks carry less than the hosts ask for."""
    arguments = ("hosts=4", "uplink=10gbit", "load=0.5", "fanin=3", "duration=14ms", "settle=4ms", "rto_min=5ms", f"other={FQ}")
    (trial, on), (_, off) = (run(lab, "coexist", *arguments, f"host={onramp('50us', mode)}") for mode in ("hold", "off"))
    first, second = trial.setting.tenants().values()
    tap.ok("coexist: a tenant has half of each rack", not set(first) & set(second) and sorted(first + second) == sorted(
        trial.setting.network.hosts) and {trial.setting.network.place(host)[0] for host in first} == {1, 2}, (first, second))
    script = trial.script()
    tap.ok("coexist: each has its own qdisc, and only hosts with On-Ramp ack", all(
        (f"exec {host} tc qdisc add dev send root onramp " in script) == (host in first) == (f"exec {host} onrampctl acker dev add" in script)
        for host in first + second), script)
    tap.ok("coexist: all flows end", on["unfinished"] == off["unfinished"] == 0)
    tap.ok("coexist: delays are the true ones, across racks too", on["owd_error"]["n"] > 20 and on["owd_error"]["max_us"] == 0.0, on["owd_error"])
    waits = [document["tiers"]["up"]["queue"]["mean_sojourn_us"] for document in (on, off)]
    tap.ok("coexist: the shared queue is shorter than where nothing is held", waits[0] < 0.8 * waits[1], waits)
    for tenant in on["tenants"]:
        large = [document["tenants"][tenant]["flows"]["large"]["mean_us"] for document in (on, off)]
        requests = [document["tenants"][tenant]["requests"]["n"] for document in (on, off)]
        tap.ok(f"coexist: {tenant} does not starve: its large flows take no half longer", requests[0] == requests[1] > 10 and large[0] < 1.5 * large[1],
               (large, requests))


def storage(tap, lab):
    """Four storage clients ask for more than the one uplink carries."""
    arguments = ("clients=3", "servers=3", "readers=4", "spines=1", "uplink=80gbit", "duration=6ms", "settle=3ms", "rpc_load=0.03", "connections=3")
    (trial, held), (_, free) = (run(lab, "storage", *arguments, f"host={host}") for host in (onramp("30us"), FQ))
    network = trial.setting.network
    script = trial.script()
    tap.ok("storage: its servers hold and its clients ack, nobody else does", {host for host in network.hosts if f"exec {host} tc qdisc add dev send root "
           "onramp " in script} == set(network.stores + network.readers) == {host for host in network.hosts if f"exec {host} onrampctl acker dev" in script}, script)
    tap.ok("storage: a server for each pair of clients", network.reads() == [("d1", "r1"), ("d1", "r2"), ("d2", "r3"), ("d2", "r4")], network.reads())
    tap.ok("storage: all small requests end", held["unfinished"] == free["unfinished"] == 0 and held["rpc"]["n"] == free["rpc"]["n"] > 100,
           (held["rpc"], free["rpc"]))
    tap.ok("storage: delays are the true ones", held["owd_error"]["n"] > 20 and held["owd_error"]["max_us"] == 0.0, held["owd_error"])
    tap.ok("storage: held, it leaves small requests twice as quick as with fq", held["rpc"]["p50_us"] < 0.5 * free["rpc"]["p50_us"],
           (held["rpc"], free["rpc"]))
    tap.ok("storage: and loses little throughput", 0.9 * free["storage_gbps"] < held["storage_gbps"] < 80, (held["storage_gbps"], free["storage_gbps"]))


def overhead(tap, lab):
    """Bytes of OR-ACKs for two long flows, with one OR-ACK for each 1 and each 10 MTUs."""
    arguments = ("duration=60ms", "join=20ms", "leave=40ms", "settle=5ms", "poll=10ms", f"host={onramp('150us')}")
    acks = {every: run(lab, "ramp", *arguments, f"acker=every {every}")[1]["or_acks"] for every in (1, 10)}
    tap.ok("overhead: one OR-ACK for 10 MTUs is at most 0.6 % of a long flow's bytes", 0.3 < acks[10]["percent"] <= 0.6, acks[10])
    tap.ok("overhead: one for each is not", acks[1]["percent"] > 1, acks[1])
    for every, counted in acks.items():
        tap.ok(f"overhead, every={every}: what was acked was acked for a reason, in frames of 78 bytes or more", counted["entries"] == counted["first"]
               + counted["every"] + counted["last"] and counted["bytes"] == 58 * counted["datagrams"] + 20 * counted["entries"], counted)
        tap.ok(f"overhead, every={every}: as many data packets as the payload needs", 0.9 < counted["data_packets"] * 1448 / counted["payload"] < 1.1, counted)


def main():
    tap = Tap()
    lab = Lab()
    coexist(tap, lab)
    storage(tap, lab)
    overhead(tap, lab)
    tap.end()


if __name__ == "__main__":
    main()
