#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Output for answers of the kernel, for people and as JSON."""

import errno
import json
import re
import struct
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import INTERRUPTED, MULTI, Ctl, ack, done
from shown import COMMANDS, ELSEWHERE, PARTS, members as shown_members, replies
from tap import Tap

FLOW = {"saddr": bytes((10, 0, 0, 1)), "daddr": bytes((10, 0, 1, 2)), "sport": 40000, "dport": 80, "dscp": 10, "scope": 1, "ifindex": 1,
        "owd": -1500, "owd-age": 2000, "threshold": 30000, "beta": 32768, "hold": 0, "hold-total": 5000000, "holds": 3,
        "samples": 17, "records": 4, "stamp-tx": 1, "stamp-rx": 2, "error": 2000, "state": 5}
SHOWN = {"saddr": "10.0.0.1", "sport": 40000, "daddr": "10.0.1.2", "dport": 80, "dscp": 10, "scope": "lo", "dev": "lo", "owd_ns": -1500,
         "owd_age_ns": 2000, "error_ns": 2000, "threshold_ns": 30000, "beta": 0.5, "hold_ns": 0, "hold_total_ns": 5000000,
         "holds": 3, "samples": 17, "records": 4, "stamp_tx": "tracepoint", "stamp_rx": "driver", "state": "below_base"}
OTHER = {**FLOW, "saddr": bytes(15) + b"\1", "daddr": bytes((0x20, 1)) + bytes(14), "ifindex": 4000000000, "state": 99}
NEW = {key: FLOW[key] for key in ("saddr", "daddr", "sport", "dport")}


def dump(ctl, cmd, rows, flags=0):
    return [*(ctl.reply(cmd, row, MULTI | flags) for row in rows), done()]


def flows(tap, ctl):
    answer = dump(ctl, "flow-get", [{"flow": FLOW}, {"flow": OTHER}, {"flow": NEW}])
    ctl.run("-j flows", answer)
    rows = json.loads(ctl.out)
    tap.ok("JSON of a flow", ctl.code == 0 and rows[0] == SHOWN, ctl.outcome())
    tap.ok("a flow that nothing is known of has the same keys, null", list(rows[2]) == list(rows[0]) and rows[2]["owd_ns"] is None)
    tap.ok("IPv6, a device that is gone and a state of tomorrow", rows[1]["daddr"] == "2001::" and rows[1]["dev"] == "if4000000000"
           and rows[1]["state"] == "99", rows[1])
    ctl.run("flows", answer)
    lines = ctl.out.splitlines()
    tap.ok("people see headings and a line each", len(lines) == 4 and lines[0].split()[:3] == ["source", "port", "destination"] and
           "-1.5us" in lines[1] and "30us" in lines[1] and "below_base" in lines[1], ctl.outcome())
    at = lines[0].index("owd")
    tap.ok("columns are aligned", lines[1][at:].startswith("-1.5us") and lines[3][at:].startswith("- "), ctl.outcome())
    for arguments, n in (("peer 10.0.1.0/24", 2), ("peer 10.0.2.0/24", 0), ("peer 2001::", 1), ("peer ::/0", 1), ("dev lo", 1),
                     ("show dev lo peer 10.0.1.2", 1)):
        ctl.run(f"-j flows {arguments}", answer)
        tap.ok(f"flows {arguments}: {n}", ctl.code == 0 and len(json.loads(ctl.out)) == n, ctl.outcome())
    ctl.run("flows peer 192.0.2.1", answer)
    tap.ok("none: people see nothing", ctl.code == 0 and not ctl.out + ctl.err, ctl.outcome())
    ctl.run("-j flows", [done()])
    tap.ok("none: JSON is an empty list", ctl.code == 0 and json.loads(ctl.out) == [], ctl.outcome())
    ctl.run("flows", dump(ctl, "flow-get", [{"flow": NEW}]))
    tap.ok("a column that nobody has is left out", "owd" not in ctl.out and "source" in ctl.out, ctl.outcome())
    many = [b"".join(ctl.reply("flow-get", {"flow": {**FLOW, "samples": i}}, MULTI) for i in range(n, n + 100)) for n in range(0, 9000, 100)]
    ctl.run("flows", [*many, done()])
    tap.ok("very many flows are all there, under one heading", ctl.out.count("10.0.1.2") == 9000 and ctl.out.count("source") == 1)
    ctl.run("-j flows", dump(ctl, "flow-get", [{"flow": FLOW}], INTERRUPTED))
    tap.ok("a dump with changes meanwhile says so", ctl.code == 0 and "the state changed" in ctl.err, ctl.outcome())
    ctl.run("-j flows", dump(ctl, "flow-get", [{"flow": {"saddr": b"abc", "owd": b"x"}}, {"owd": 5}]))
    tap.ok("attributes of a wrong size, and what is no flow, are left out", ctl.code == 0 and
           [row["saddr"] for row in json.loads(ctl.out)] == [None], ctl.outcome())


def one(tap, ctl):
    values = {"clock-id": 2, "clock-error": 1000, "clock-state": 1, "clock-base": 1, "clock-offset": -10**18, "clock-drift": -54,
              "clock-ref": 7, "clock-valid": 1500000000, "clock-epoch": 9}
    ctl.run("-j clock", [ctl.reply("clock-get", values), ack()])
    tap.ok("JSON of the clock", json.loads(ctl.out) == {
        "clock": "published", "usable": True, "error_ns": 1000, "valid_ns": 1500000000, "epoch": 9, "base": "raw", "ref_ns": 7,
        "offset_ns": -10**18, "drift_ppb": -12.573}, ctl.outcome())
    ctl.run("clock", [ctl.reply("clock-get", values), ack()])
    tap.ok("the clock for people", ctl.out.splitlines()[:4] == [
        "clock            published", "usable           yes", "error            1us", "valid            1.5s"], ctl.outcome())
    again = dict(line.split() for line in ctl.out.splitlines())
    ctl.run("clock set published " + " ".join(f"{key} {again[key]}" for key in ("offset", "drift", "error", "valid", "epoch", "base", "ref")),
            [ack()])
    sent = ctl.requests[-1].attributes
    tap.ok("what is printed can be set again", sent == {key: value for key, value in values.items() if key != "clock-state"}, sent)
    drifts = []
    for units in (0, 1, -1, 2, 3, 5, 1000, 123456, 4194303, -4194303):
        ctl.run("-j clock", [ctl.reply("clock-get", {"clock-drift": units}), ack()])
        ppb = json.loads(ctl.out)["drift_ppb"]
        ctl.run(f"clock set published offset 0s drift {ppb} error 1us valid 1s epoch 1 base raw ref 0s", [ack()])
        drifts.append((units, ctl.requests[-1].attributes.get("clock-drift")))
    tap.ok("every drift that is printed can be set again", all(a == b for a, b in drifts), drifts)
    ctl.run("clock", [ctl.reply("clock-get", {"clock-id": 1, "clock-state": 0}), ack()])
    tap.ok("a clock that nobody spoke for", ctl.out.split() == ["clock", "system", "usable", "no"], ctl.outcome())


def stats(tap, ctl):
    members = [m["name"].replace("-", "_") for m in ctl.spec.structs["stats"]]
    data = b"".join(struct.pack("=Q", i + 1) for i in range(len(members)))
    ctl.run("-j stats", [ctl.reply("stats-get", {"stats": data}), ack()])
    shown = json.loads(ctl.out)
    tap.ok("each counter has its name", [shown.get(m) for m in members] == list(range(1, len(members) + 1)), ctl.outcome())
    for size, known in ((80, 10), (84, 10), (len(data) + 40, len(members)), (0, 0)):
        answer = [ctl.reply("stats-get", {"stats": (data + bytes(40))[:size]}), ack()]
        ctl.run("-j stats", answer)
        shown = json.loads(ctl.out)
        tap.ok(f"{size} bytes of counters: {known} of them", list(shown)[-len(members):] == members and
               sum(shown[m] is not None for m in members) == known, ctl.outcome())
    ctl.run("stats", [ctl.reply("stats-get", {"stats": data[:80]}), ack()])
    tap.ok("people do not see what an older kernel lacks", "holds_observed" in ctl.out and "flows_failed" not in ctl.out, ctl.outcome())


def everything(tap, ctl):
    """Each attribute of each reply, and each member of its structs, alone: under its own key, with its value, and nowhere else."""
    spec, missed = ctl.spec, []
    for command, (operation, _) in COMMANDS.items():
        rows, wrong = shown_members(spec, command), []
        for key, sent, printed in rows:
            answer = [ctl.reply(operation, sent, MULTI), done()] if "dump" in spec.operations[operation] else [ctl.reply(operation, sent), ack()]
            ctl.run(f"-j {command}", *([[done()]] if command == "acker" else []), answer)
            row = json.loads(ctl.out)
            row = row[0] if isinstance(row, list) else row
            row.pop("devices", None)
            there = {each for each, value in row.items() if value not in (None, 0)}
            if there != {key} or printed is not None and row.get(key) != printed:
                wrong.append((key, sent, printed, row.get(key), there))
            if set(row) != {each for each, _, _ in rows}:
                wrong.append(set(row) ^ {each for each, _, _ in rows})
        tap.ok(f"{command}: each of {len(rows)} members that the kernel tells, and no other", rows and not wrong, wrong)
    for operation, attributes in replies(spec).items():
        mine = "|".join(which for other, which in COMMANDS.values() if other == operation)
        missed += [(operation, each) for each in attributes if operation not in ELSEWHERE and each not in PARTS.values() and
                   not re.fullmatch(mine, each)]
    tap.ok("of every reply that docs/netlink/onramp.yaml has", not missed, missed)
    tell, wrong = spec.operations["event"]["event"]["attributes"], []
    rows = [("why" if key == "holding_why" else key, sent, printed) for command in ("clock", "stats", "paths") for key, sent, printed in shown_members(spec, command)
            if set(sent) & set(tell)]
    for key, sent, printed in rows:
        ctl.run("-j monitor", [ctl.reply("event", {"event": 1} | ({"holding": 1} if key == "why" else {}) | sent), errno.ENOBUFS])
        row = json.loads(ctl.out)
        if row["event"] != "clock" or row.get(key) in (None, 0) or printed is not None and row[key] != printed:
            wrong.append((key, sent, printed, row))
    tap.ok("monitor: each attribute of an event", {"event", *(each for _, sent, _ in rows for each in sent)} == set(tell) and not wrong, (wrong, tell))


def switch(tap, ctl):
    for holding, why, state in ((0, "drill \"at\" noon", "off"), (0, 63 * '"', "off"), (0, 63 * "\\", "off"), (1, None, "on")):
        answer = [ctl.reply("stats-get", {"holding": holding} | ({"holding-why": why.encode() + b"\0"} if why else {})), ack()]
        ctl.run("-j hold", answer)
        tap.ok(f"JSON of the switch, {state}", json.loads(ctl.out) == {"holding": state, "why": why}, ctl.outcome())
        ctl.run("hold", answer)
        tap.ok(f"the switch for people, {state}", ctl.out.split(maxsplit=3)[:2] == ["holding", state] and ("why" in ctl.out) == bool(why), ctl.outcome())
    ctl.run("-j hold", [ctl.reply("stats-get", {}), ack()])
    tap.ok("an older kernel has no switch", json.loads(ctl.out) == {"holding": None, "why": None}, ctl.outcome())
    ctl.run("-j hold", [ctl.reply("stats-get", {"holding": 0, "holding-why": b"not ended"}), ack()])
    tap.ok("a reason that does not end is none", json.loads(ctl.out)["why"] is None, ctl.outcome())


def acker(tap, ctl):
    members = [m["name"].replace("-", "_") for m in ctl.spec.structs["acker-stats"]]
    data = b"".join(struct.pack("=Q", i + 1) for i in range(len(members)))
    values = {"acker-every": 10, "acker-delay": 100000, "acker-idle": 10**6, "acker-rate": 1000, "acker-max-flows": 64, "acker-stats": data}
    answers = dump(ctl, "acker-dev-get", [{"ifindex": 1}, {"ifindex": 3999999999}]), [ctl.reply("acker-get", values), ack()]
    ctl.run("-j acker", *answers)
    shown = json.loads(ctl.out)
    tap.ok("JSON of the acker", [shown.pop(key) for key in ("devices", "every", "delay_ns", "idle_ns", "rate", "max_flows")] ==
           [["lo", "if3999999999"], 10, 100000, 10**6, 1000, 64] and list(shown.values()) == list(range(1, len(members) + 1)) and
           list(shown) == members, ctl.outcome())
    ctl.run("acker show", *answers)
    tap.ok("the acker for people", ctl.out.splitlines()[:3] == ["devices          lo if3999999999", "every            10",
                                                                 "delay            100us"], ctl.outcome())
    ctl.run("-j acker", [done()], answers[1])
    tap.ok("no device: an empty list", json.loads(ctl.out)["devices"] == [], ctl.outcome())
    peers = [{"prefix": bytes((10, 0, 0, 0)), "prefix-len": 8}, {"prefix": bytes(16), "prefix-len": 0}]
    ctl.run("-j peers", dump(ctl, "peer-get", peers))
    tap.ok("JSON of peers", json.loads(ctl.out) == [{"prefix": "10.0.0.0/8"}, {"prefix": "::/0"}], ctl.outcome())
    ctl.run("peers", dump(ctl, "peer-get", peers))
    tap.ok("peers for people", ctl.out.splitlines() == ["prefix", "10.0.0.0/8", "::/0"], ctl.outcome())
    keys = [{"group": 7, "key-id": 5, "key-other": 6, "key-require": 1, "prefix": bytes((10, 0, 0, 0)), "prefix-len": 8},
            {"group": 8, "key-id": 0, "key-require": 0}]
    ctl.run("-j keys", dump(ctl, "key-get", keys))
    tap.ok("JSON of keys", json.loads(ctl.out) == [{"group": 7, "prefix": "10.0.0.0/8", "signs": 5, "other": 6, "require": True},
           {"group": 8, "prefix": None, "signs": 0, "other": None, "require": False}], ctl.outcome())
    ctl.run("keys", dump(ctl, "key-get", keys))
    tap.ok("keys for people", [line.split() for line in ctl.out.splitlines()] == [["group", "prefix", "signs", "other", "require"],
           ["7", "10.0.0.0/8", "5", "6", "yes"], ["8", "-", "0", "-", "no"]], ctl.outcome())
    path = {"saddr": FLOW["saddr"], "daddr": FLOW["daddr"], "dscp": 0, "owd": 20000, "base": 10000, "threshold": 22000, "state": 0}
    ctl.run("-j paths", dump(ctl, "path-get", [{"path": path}]))
    shown = json.loads(ctl.out)[0]
    tap.ok("JSON of a path", [shown[key] for key in ("saddr", "daddr", "dscp", "owd_ns", "base_ns", "threshold_ns", "state", "samples")] ==
           ["10.0.0.1", "10.0.1.2", 0, 20000, 10000, 22000, "valid", None], ctl.outcome())


def devices(tap, ctl):
    ctl.run("-j stamps", dump(ctl, "dev-get", [{"ifindex": 1, "hook": 1, "stamp-wanted-tx": 0, "stamp-tx": 2,
                                             "stamp-wanted-rx": 1, "stamp-rx": 0}]))
    tap.ok("JSON of a device", ctl.code == 0 and json.loads(ctl.out) == [
        {"dev": "lo", "hook": True, "wanted_tx": "auto", "stamp_tx": "driver", "wanted_rx": "tracepoint",
         "stamp_rx": "none"}], ctl.outcome())
    counters = {f"phc-{name}": count for count, name in enumerate(("tx-good", "tx-stale", "rx-good", "rx-missing", "rx-stale", "rx-implausible"))}
    line = {"clock-state": 1, "clock-error": 50, "phc-bias": -5, "phc-window": 10**6, "clock-offset": -37 * 10**9, "clock-drift": -54,
            "clock-ref": 17 * 10**8, "clock-valid": 10**9, "clock-epoch": 3}
    ctl.run("-j phc", dump(ctl, "dev-get", [{"ifindex": 1, "phc": 1, **counters, **line}, {"ifindex": 1, "phc": 0}]))
    shown, other = json.loads(ctl.out)
    tap.ok("JSON of a hardware clock", shown == {
        "dev": "lo", "phc": True, "usable": True, "error_ns": 50, "valid_ns": 10**9, "epoch": 3, "ref_ns": 17 * 10**8,
        "offset_ns": -37 * 10**9, "drift_ppb": -12.573, "bias_ns": -5, "window_ns": 10**6, "tx_good": 0, "tx_stale": 1, "rx_good": 2,
        "rx_missing": 3, "rx_stale": 4, "rx_implausible": 5}, ctl.outcome())
    tap.ok("JSON of a device without", other["phc"] is False and shown.keys() == other.keys() and other["offset_ns"] is None, ctl.outcome())


def monitor(tap, ctl):
    path = {"saddr": FLOW["saddr"], "daddr": FLOW["daddr"], "dscp": 3, "state": 6}
    events = [ctl.reply("event", {"event": 1, "clock-id": 1, "clock-error": 500, "clock-state": 1}),
              ctl.reply("event", {"event": 3, "path": path}), ctl.reply("event", {"event": 5, "path": path | {"state": 7}}),
              ctl.reply("event", {"event": 6, "path": path | {"state": 8}}),
              ctl.reply("event", {"event": 7, "holding": 0, "holding-why": b"drill\0"}), errno.ENOBUFS, ctl.reply("clock-get", {"event": 2})]
    ctl.run("-j monitor", events)
    lines = [json.loads(line) for line in ctl.out.splitlines()]
    tap.ok("it joins the group", "joined 9" in ctl.err, ctl.outcome())
    tap.ok("JSON of events, a line each", [line["event"] for line in lines] == ["clock", "suspect", "unacked", "acked", "holding"] and lines[0]["error_ns"] == 500 and
           lines[1]["daddr"] == "10.0.1.2", ctl.outcome())
    tap.ok("lost events are reported", "events were lost" in ctl.err, ctl.outcome())
    tap.ok("it ends when the kernel is gone", ctl.code == 1 and "cannot receive" in ctl.err, ctl.outcome())
    ctl.run("monitor", events)
    tap.ok("events for people", ctl.out.splitlines() == ["event clock clock system usable yes error 500ns",
           *(f"event {event} source 10.0.0.1 destination 10.0.1.2 dscp 3 state {state}" for event, state in
             (("suspect", "suspect"), ("unacked", "unacked"), ("acked", "switched_off"))), "event holding holding off why drill"], ctl.outcome())


def full(tap, ctl):
    """Output that cannot be written ends the program, with one message."""
    event = ctl.reply("event", {"event": 1, "clock-id": 1, "clock-error": 500, "clock-state": 1})
    for arguments, answers in (("flows", [dump(ctl, "flow-get", [{"flow": FLOW}])]), ("-j clock", [[ctl.reply("clock-get", {}), ack()]]), ("monitor", [[event] * 3])):
        with open("/dev/full", "w", encoding="ascii") as device:
            ctl.run(arguments, *answers, stdout=device)
        tap.ok(f"{arguments} into a full device: a line and a status", ctl.code == 1 and ctl.err.count("No space left on device") == 1 and
               "cannot receive" not in ctl.err, ctl.err)


def main():
    tap, ctl = Tap(), Ctl()
    for part in (everything, flows, one, stats, switch, acker, devices, monitor, full):
        part(tap, ctl)
    tap.end()


if __name__ == "__main__":
    main()
