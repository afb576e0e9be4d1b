#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Messages that each command sends, read by docs/netlink/onramp.yaml."""

import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import ACK, CONTROL, DUMP, REQUEST, Ctl, ack, attr, done, family, link
from tap import Tap

LINE = "clock set published offset -1.5us drift 12.5ppb error 1us valid 2s epoch 7 base tai ref 1700000000s"
PHC = "phc set dev lo offset -37s drift -12.5ppb error 50ns valid 1s epoch 3 ref 1700000037s"
SENT = (
    ("clock set system error 250ns", "clock-set", {"clock-id": 1, "clock-error": 250}),
    ("clock set system error 1s", "clock-set", {"clock-id": 1, "clock-error": 10**9}),
    (LINE, "clock-set", {"clock-id": 2, "clock-offset": -1500, "clock-drift": 54, "clock-error": 1000, "clock-valid": 2 * 10**9,
                         "clock-epoch": 7, "clock-base": 2, "clock-ref": 1700000000 * 10**9}),
    (LINE.replace("12.5ppb", "-976562.267ppb").replace("tai", "realtime"), "clock-set",
     {"clock-id": 2, "clock-offset": -1500, "clock-drift": -4194303, "clock-error": 1000, "clock-valid": 2 * 10**9,
      "clock-epoch": 7, "clock-base": 0, "clock-ref": 1700000000 * 10**9}),
    ("clock clear system", "clock-set", {"clock-id": 1, "clock-error": 0}),
    ("clock clear published", "clock-set", {"clock-id": 2, "clock-error": 0}),
    ("acker set every 10", "acker-set", {"acker-every": 10}),
    ("acker set rate 5 max_flows 9 idle 1ms delay 100us", "acker-set",
     {"acker-rate": 5, "acker-max-flows": 9, "acker-idle": 10**6, "acker-delay": 10**5}),
    ("acker dev add lo", "acker-dev-add", {"ifindex": 1}),
    ("acker dev del lo", "acker-dev-del", {"ifindex": 1}),
    ("peers add 10.0.0.0/8", "peer-add", {"prefix": bytes((10, 0, 0, 0)), "prefix-len": 8}),
    ("peers add 0.0.0.0/0", "peer-add", {"prefix": bytes(4), "prefix-len": 0}),
    ("peers del 192.0.2.7", "peer-del", {"prefix": bytes((192, 0, 2, 7)), "prefix-len": 32}),
    ("peers add 2001:db8::/32", "peer-add", {"prefix": bytes((0x20, 1, 0xd, 0xb8)) + bytes(12), "prefix-len": 32}),
    ("peers del ::1", "peer-del", {"prefix": bytes(15) + b"\1", "prefix-len": 128}),
    ("stamps set dev lo tx qdisc", "dev-set", {"ifindex": 1, "stamp-wanted-tx": 4}),
    ("stamps set dev lo rx auto tx driver", "dev-set", {"ifindex": 1, "stamp-wanted-tx": 2, "stamp-wanted-rx": 0}),
    ("stamps set dev lo rx hardware tx hardware", "dev-set", {"ifindex": 1, "stamp-wanted-tx": 3, "stamp-wanted-rx": 3}),
    (PHC, "phc-set", {"ifindex": 1, "clock-offset": -37 * 10**9, "clock-drift": -54, "clock-error": 50, "clock-valid": 10**9,
                      "clock-epoch": 3, "clock-ref": 1700000037 * 10**9}),
    (PHC + " bias -5ns window 100ms", "phc-set",
     {"ifindex": 1, "clock-offset": -37 * 10**9, "clock-drift": -54, "clock-error": 50, "clock-valid": 10**9, "clock-epoch": 3,
      "clock-ref": 1700000037 * 10**9, "phc-bias": -5, "phc-window": 10**8}),
    ("phc clear dev lo", "phc-del", {"ifindex": 1}),
    ("hold off", "holding-set", {"holding": 0}),
    ("hold on", "holding-set", {"holding": 1}),
    (("hold", "off", "drill at noon"), "holding-set", {"holding": 0, "holding-why": b"drill at noon\0"}),
    (("hold", "on", "x" * 63), "holding-set", {"holding": 1, "holding-why": b"x" * 63 + b"\0"}),
    ("limits set flows 1048576", "limits-set", {"max-flows": 1048576}),
    ("limits set paths 1 flows 2", "limits-set", {"max-flows": 2, "max-paths": 1}),
    ("limits set memory 1099511627776", "limits-set", {"max-memory": 2**40}),
    ("limits set follow keys memory 65536", "limits-set", {"max-memory": 65536, "follow": 2}),
    ("limits set follow all", "limits-set", {"follow": 0}),
)
KEY = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
# The file that KEYFILE stands for.
KEYS = (
    ("keys add group 7 id 5 file KEYFILE", "key-add", {"group": 7, "key-id": 5, "key": KEY}),
    ("keys add id 255 file KEYFILE group 65535", "key-add", {"group": 65535, "key-id": 255, "key": KEY}),
    ("keys rotate group 7 id 0", "key-rotate", {"group": 7, "key-id": 0}),
    ("keys del group 7", "key-del", {"group": 7}),
    ("keys del group 7 id 5", "key-del", {"group": 7, "key-id": 5}),
    ("keys set group 1 require yes", "key-set", {"group": 1, "key-require": 1}),
    ("keys set group 1 require no", "key-set", {"group": 1, "key-require": 0}),
    ("keys peers add group 1 prefix 10.0.0.0/8", "key-peer-add", {"group": 1, "prefix": bytes((10, 0, 0, 0)), "prefix-len": 8}),
    ("keys peers del prefix ::1 group 1", "key-peer-del", {"group": 1, "prefix": bytes(15) + b"\1", "prefix-len": 128}),
)
ASKED = (("keys", "key-get"), ("flows", "flow-get"), ("flows show", "flow-get"), ("paths", "path-get"), ("peers", "peer-get"), ("stamps", "dev-get"),
         ("phc", "dev-get"))


GETLINK, ALT_IFNAME = 18, 53


def alternative(tap, ctl):
    """A device's alternative name may be longer than its own: the kernel resolves it."""
    name = "a-name-of-more-than-15"
    for arguments, cmd in (("acker dev add NAME", "acker-dev-add"), ("stamps set dev NAME rx auto", "dev-set"), ("phc clear dev NAME", "phc-del")):
        ctl.run(arguments.replace("NAME", name), family(), [ack()], family_is=link(77))
        first, last = ctl.requests[0], ctl.requests[-1]
        tap.ok(f"'{arguments}' with an alternative name", ctl.code == 0 and len(ctl.requests) == 3 and first.kind == GETLINK and
               attr(ALT_IFNAME, name.encode() + b"\0") in first.attributes and last.cmd == cmd and last.attributes["ifindex"] == 77,
               (ctl.outcome(), [vars(r) for r in ctl.requests]))


def main():
    tap, ctl = Tap(), Ctl()
    alternative(tap, ctl)
    for arguments, cmd, values in SENT + KEYS:
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("0001 0203 0405 0607\n0809 0A0B 0C0D 0E0F\n")
            file.flush()
            ctl.run([argument.replace("KEYFILE", file.name) for argument in (arguments.split() if isinstance(arguments, str) else arguments)], [ack()])
        first, last = ctl.requests[:1], ctl.requests[-1:]
        tap.ok(f"'{arguments}' is sent as {cmd}", ctl.code == 0 and not ctl.out + ctl.err and len(ctl.requests) == 2 and
               first[0].kind == CONTROL and all(r.whole for r in ctl.requests) and last[0].cmd == cmd and
               last[0].flags == REQUEST | ACK and last[0].attributes == values, (ctl.outcome(), [vars(r) for r in ctl.requests]))
        allowed = ctl.spec.operations[cmd]["do"]["request"]["attributes"]
        tap.ok(f"'{arguments}': the YAML lets it", not last or set(last[0].attributes) <= set(allowed), allowed)
    for arguments, cmd in ASKED:
        ctl.run(arguments, [done()])
        last = ctl.requests[-1]
        tap.ok(f"'{arguments}' asks for a dump by {cmd}", ctl.code == 0 and last.cmd == cmd and last.flags == REQUEST | DUMP and
               not last.attributes, ctl.outcome())
    for arguments, cmd in (("clock", "clock-get"), ("clock show", "clock-get"), ("stats", "stats-get"),
                       ("hold", "stats-get"), ("hold show", "stats-get")):
        ctl.run(arguments, [ctl.reply(cmd, {}), ack()])
        last = ctl.requests[-1]
        tap.ok(f"'{arguments}' asks by {cmd}", ctl.code == 0 and last.cmd == cmd and last.flags == REQUEST | ACK and
               not last.attributes, ctl.outcome())
    ctl.run("acker", [done()], [ctl.reply("acker-get", {}), ack()])
    tap.ok("'acker' asks for devices and settings", [r.cmd for r in ctl.requests[1:]] == ["acker-dev-get", "acker-get"], ctl.outcome())
    ctl.run("clock clear", [ack()], [ack()])
    forgotten = [r.attributes for r in ctl.requests[1:]]
    tap.ok("'clock clear' forgets both clocks", forgotten == [{"clock-id": 1, "clock-error": 0}, {"clock-id": 2, "clock-error": 0}],
           forgotten)
    numbers = [r.number for r in ctl.requests]
    tap.ok("requests have numbers of their own", len(set(numbers)) == 3 and 0 not in numbers, numbers)
    tap.end()


if __name__ == "__main__":
    main()
