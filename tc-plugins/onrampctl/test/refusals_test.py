#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Refusals: by the program, which then sends nothing, and by the kernel, whose message is passed on."""

import errno
import os
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import Ctl, ack, done, family
from tap import Tap

LINE = "clock set published offset 1us drift 1 error 1us valid 2s epoch 7 base tai ref 1s"


PHC = "phc set dev lo offset 1us drift 1 error 1us valid 2s epoch 7 ref 1s bias 1us window 1ms"


def line(name, value, of=LINE):
    """A published clock with one argument's value replaced."""
    arguments = of.split()
    arguments[arguments.index(name, 2) + 1] = value
    return " ".join(arguments)


def of_phc(name, value):
    """A device's clock, the same way."""
    return line(name, value, PHC)


USAGE = (
    ("", "a command is missing"),
    ("bogus", "not one of clock, hold, acker, peers, keys, flows, paths, stats, limits, stamps, phc, doctor, top, monitor"),
    ("-x clock", "the options are -j"),
    ("s", '"s" is not one of clock,'), ("st", '"st" is not one of clock,'), ("p show", '"p" is not one of clock,'), ("Clock", '"Clock" is not one of'),
    ("clocks", '"clocks" is not one of'), ("ho o", 'hold: "o" is not one of show, off, on'), ("cl s", 'clock: "s" is not one of show, set, clear'),
    ("cl se p", "offset is missing"), ("cl se", "one of system, published"), ("pe a", "peers add: PREFIX is missing"), ("cl c al", 'CLOCK "al": not one of'),
    ("clock set system e 1us", "e is not a parameter"), ("met fi x", "fi is not a parameter"), ("help s", '"s" is not one of clock,'),
    ("clock bogus", 'clock: "bogus" is not one of show, set, clear'),
    ("clock set", "one of system, published"),
    ("clock set bogus", "is not one of system, published"),
    ("clock show now", "now is not a parameter"),
    ("clock clear all", 'clock clear: CLOCK "all": not one of system|published'),
    ("clock clear system published", "published is an extra argument"),
    ("clock set system", "error is missing"),
    ("clock set system error", "error needs a value"),
    ("clock set system error 5", 'error "5": not a time such as 85us: 1ns to 1s'),
    ("clock set system error 0ns", 'error "0ns": out of range: 1ns to 1s'),
    ("clock set system error 1.001s", "out of range: 1ns to 1s"),
    ("clock set system error -1us", "not a time"),
    ("clock set system error 0.5ns", "finer than 1ns"),
    ("clock set system error 99999999999s", "out of range: 1ns to 1s"),
    ("clock set system error 1us error 1us", "error is given twice"),
    ("clock set system bound 1us", "bound is not a parameter"),
    ("clock set published", "offset is missing"),
    (LINE.replace("ref 1s", ""), "ref is missing"),
    (LINE.replace("drift 1 ", ""), "drift is missing"),
    (line("offset", "1"), 'offset "1": not a time such as 85us or -85us'),
    (line("offset", "--1us"), "not a time"),
    (line("offset", "9223372036854775808ns"), "out of range"),
    (line("drift", "976562.5ppb"), "out of range: -976562.267ppb to 976562.267ppb"),
    (line("drift", "-976562.5ppb"), "out of range"),
    (line("drift", "1e3"), "not a drift such as 12.5ppb"),
    (line("drift", "1us"), "not a drift"),
    (line("drift", "0.0001"), "finer than 0.001ppb"),
    (line("drift", "99999999ppm"), "out of range"),
    (line("valid", "0s"), "valid \"0s\": out of range: 1ns to 600s"),
    (line("valid", "600.000000001s"), "out of range: 1ns to 600s"),
    (line("epoch", "0"), "epoch \"0\": out of range: 1 to 4294967295"),
    (line("epoch", "4294967296"), "out of range"),
    (line("epoch", "1.5"), "not a whole number"),
    (line("base", "utc"), "base \"utc\": not one of realtime|raw|tai"),
    (line("base", "RAW"), "not one of"),
    ("hold bogus", 'hold: "bogus" is not one of show, off, on'),
    ("hold show now", "now is not a parameter"),
    ("hold off too much", "much is an extra argument"),
    (("hold", "off", ""), "out of range: 1 to 63 characters"),
    (("hold", "on", "x" * 64), "out of range: 1 to 63 characters"),
    (("hold", "off", "bell\a"), "not printable ASCII"),
    (("hold", "off", "caf\u00e9"), "not printable ASCII"),
    ("acker bogus", "is not one of show, set, dev"),
    ("acker set", "no parameter is given"),
    ("acker set every 0", 'acker set: every "0": out of range: 1 to 1000'),
    ("acker set every 1001", "out of range: 1 to 1000"),
    ("acker set every ten", "not a number: 1 to 1000"),
    ("acker set every -1", "not a number"),
    ("acker set delay 999ns", "out of range: 1us to 100ms"),
    ("acker set delay 100.001ms", "out of range: 1us to 100ms"),
    ("acker set delay 1", "not a time such as 85us: 1us to 100ms"),
    ("acker set idle 9999ns", "out of range: 10us to 10s"),
    ("acker set idle 11s", "out of range: 10us to 10s"),
    ("acker set rate 0", "out of range: 1 to 10000000"),
    ("acker set rate 10000001", "out of range"),
    ("acker set max_flows 1048577", "out of range: 1 to 1048576"),
    ("acker set every 10 every 20", "every is given twice"),
    ("acker set every 10 speed", "speed is not a parameter"),
    ("acker dev", "one of add, del"),
    ("acker dev add", "DEV is missing"),
    ("acker dev add nowhere0", 'DEV "nowhere0": no such device in this network namespace'),
    ("acker dev add lo lo", "lo is an extra argument"),
    ("peers add", "PREFIX is missing"),
    ("peers add bogus", "not an IPv4 or IPv6 prefix"),
    ("peers add 10.0.0.0/33", "length out of range: 0 to 32"),
    ("peers add ::/129", "length out of range: 0 to 128"),
    ("peers add 10.0.0.0/", "length out of range"),
    ("peers add 10.0.0.0/-1", "length out of range"),
    ("peers add 10.0.0.0/8p", "length out of range"),
    ("peers add 10.0.0.1/8", "bits beyond the prefix length are set"),
    ("peers add 10.0.0/8", "not an IPv4 or IPv6 prefix"),
    ("peers add 1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8:9:1:2:3:4", "not an IPv4 or IPv6 prefix"),
    ("peers del 10.0.0.0/8 10.0.0.0/9", "10.0.0.0/9 is an extra argument"),
    ("keys bogus", "is not one of show, add, rotate, del, set, peers"),
    ("keys add", "group is missing"),
    ("keys add group 1 id 1", "file is missing"),
    ("keys add group 0 id 1 file /dev/null", 'group "0": out of range: 1 to 65535'),
    ("keys add group 65536 id 1 file /dev/null", "out of range: 1 to 65535"),
    ("keys add group 1 id 256 file /dev/null", 'id "256": out of range: 0 to 255'),
    ("keys add group 1 id -1 file /dev/null", "not a number: 0 to 255"),
    ("keys add group 1 id 1 file /nowhere/key", "No such file or directory"),
    ("keys add group 1 id 1 file /", "directory"),
    ("keys add group 1 id 1 file /dev/null", "has fewer than 32 hexadecimal digits"),
    ("keys add group 1 id 1 file", "file needs a value"),
    ("keys add group 1 id 1 key 00", "key is not a parameter"),
    ("keys rotate group 1", "id is missing"),
    ("keys rotate id 1", "group is missing"),
    ("keys del", "group is missing"),
    ("keys del id 1", "group is missing"),
    ("keys set group 1", "require is missing"),
    ("keys set group 1 require maybe", "not one of no|yes"),
    ("keys peers", "one of add, del"),
    ("keys peers add prefix ::/0", "group is missing"),
    ("keys peers add group 1", "prefix is missing"),
    ("keys peers add group 1 prefix 10.0.0.1/8", "bits beyond the prefix length are set"),
    ("keys peers del group 1 10.0.0.0/8", "10.0.0.0/8 is not a parameter"),
    ("flows bogus", "bogus is not a parameter"),
    ("flows dev", "dev needs a value"),
    ("flows dev nowhere0", "no such device"),
    ("flows peer 300.0.0.1", "not an IPv4 or IPv6 prefix"),
    ("paths dev lo", "dev is not a parameter"),
    ("stats clear", "is not one of show"),
    ("limits", "one of set"),
    ("limits set", "no parameter is given"),
    ("limits set flows 0", "flows \"0\": out of range: 1 to 1048576"),
    ("limits set flows 1048577", "out of range"),
    ("limits set paths 1k", "not a number"),
    ("limits set memory 65535", "memory \"65535\": out of range: 65536 to 1099511627776"),
    ("limits set memory 1099511627777", "out of range"),
    ("limits set memory", "memory"),
    ("limits set follow strangers", "not one of all|peers|keys"),
    ("limits set follow", "follow"),
    ("stamps set dev lo tx soft", "not one of auto|tracepoint|driver|hardware|qdisc"),
    ("phc bogus", "is not one of show, set, clear"),
    ("phc set", "dev is missing"),
    ("phc clear", "dev is missing"),
    (PHC.replace(" ref 1s", ""), "ref is missing"),
    (PHC.replace(" error 1us", ""), "error is missing"),
    (of_phc("dev", "nowhere0"), "no such device"),
    (of_phc("error", "0ns"), 'error "0ns": out of range: 1ns to 1s'),
    (of_phc("ref", "-1ns"), "out of range: 0ns to"),
    (of_phc("drift", "977ppm"), "out of range: -976562.267ppb to 976562.267ppb"),
    (of_phc("epoch", "0"), "out of range: 1 to 4294967295"),
    (of_phc("bias", "1000001ns"), 'bias "1000001ns": out of range: -1ms to 1ms'),
    (of_phc("bias", "-1000001ns"), "out of range: -1ms to 1ms"),
    (of_phc("window", "999ns"), 'window "999ns": out of range: 1us to 100ms'),
    (of_phc("window", "101ms"), "out of range: 1us to 100ms"),
    ("monitor -x", "-x is not a parameter"),
    ("top -n", "-n needs a value"),
    ("top -n 0", '-n "0": out of range: 1 to 4294967295'),
    ("top -n 1 -n 2", "-n is given twice"),
    ("top -i 1", "not a time such as 85us"),
    ("top -i 9ms", 'out of range: 10ms to 3600s'),
    ("top -i 3601s", "out of range"),
    ("top 5", "5 is not a parameter"),
    ("top dev lo", "dev is not a parameter"),
    ("help bogus", '"bogus" is not one of'),
    ("help acker set every", '"every" is not one of'),
)


def main():
    tap, ctl = Tap(), Ctl()
    for arguments, text in USAGE:
        ctl.run(arguments)
        tap.ok(f"'{arguments}': {text}", ctl.code == 2 and text in ctl.err and not ctl.out and not ctl.requests, ctl.outcome())

    # 1 would say that the doctor has findings.
    for arguments, text in (("doctor dev", "dev needs a value"), ("doctor dev nowhere0", "no such device"), ("doctor lo", "lo is not a parameter"),
                        ("doctor watch 5", "not a time such as 85us"), ("doctor watch 3601s", "out of range: 0ns to 3600s"),
                        ("doctor watch 1s watch 1s", "watch is given twice"), ("doctor peer 10.0.0.1", "peer is not a parameter")):
        ctl.run(arguments)
        tap.ok(f"'{arguments}' could not look: {text}", ctl.code == 2 and text in ctl.err and not ctl.out and not ctl.requests, ctl.outcome())

    for what, text, mode in (("is short by a digit", "0" * 31, 0o600), ("has a digit too many", "0" * 33, 0o600),
                             ("is no number", "0x" + "0" * 30, 0o600), ("has a comment", "0" * 32 + " # mine", 0o600),
                             ("its group may read", "0" * 32, 0o640), ("all may read", "0" * 32, 0o604)):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            os.chmod(file.name, mode)
            ctl.run(f"keys add group 1 id 1 file {file.name}")
            tap.ok(f"a key file that {what}", ctl.code == 2 and ("digit" in ctl.err or "chmod 600" in ctl.err) and
                   text not in ctl.err and not ctl.requests, ctl.outcome())

    mark = "\N{ZERO WIDTH NO-BREAK SPACE}"
    for what, text, good in (("a byte order mark before it is taken", mark + "0" * 32 + "\r\n", True), ("a second one is not", 2 * mark + "0" * 32, False),
                             ("one that is not at the beginning is not", "0" * 32 + mark, False)):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.chmod(file.name, 0o600)
            ctl.run(f"keys add group 1 id 1 file {file.name}", [ack()])
            tap.ok(f"a key file: {what}", bool(ctl.requests) is good and ("not a hexadecimal digit" in ctl.err) is not good, ctl.outcome())

    def refused(what, *texts):
        tap.ok(what, ctl.code == 1 and all(text in ctl.err for text in texts), ctl.outcome())

    ctl.run("clock", family_is=[ack(errno.ENOENT)])
    refused("without the module: what to do", "not loaded", "modprobe -a sch_onramp onramp_acker'")
    ctl.run("clock", family_is=[errno.ENODATA])
    refused("a dead socket", "cannot receive from the kernel")
    ctl.run("acker set every 5", [ack(errno.EPERM)])
    refused("without root: what to do", "acker set: Operation not permitted", "CAP_NET_ADMIN")
    ctl.run("acker", [ack(errno.EOPNOTSUPP, "load onramp_acker")])
    refused("without the acker: what to do", "load onramp_acker", "modprobe onramp_acker'")
    ctl.run("peers", [ack(errno.EOPNOTSUPP)])
    refused("a list that the module does not know without it is of an older one", "older than this program")
    ctl.run("limits set flows 9", [ack(errno.EOPNOTSUPP)])
    refused("a command that the module does not know", "older than this program")
    ctl.run("stamps set dev lo rx hardware", [ack(errno.EOPNOTSUPP, "stamps: no such clock")])
    tap.ok("what it knows and cannot do is not for its age", ctl.code == 1 and "stamps: no such clock" in ctl.err and "older" not in ctl.err,
           ctl.outcome())
    ctl.run("clock set system error 1us", [ack(errno.EINVAL, "no, thanks")])
    refused("the kernel's own message is passed on", "clock set system: no, thanks: Invalid argument")
    for name, answers in (("a-name-of-more-than-15", [ack(errno.ENODEV)]), ("x" * 127, [ack(errno.EPERM)]), ("x" * 128, [])):
        ctl.run(f"acker dev add {name}", family_is=answers)
        tap.ok(f"no device has a name of {len(name)}", ctl.code == 2 and f'DEV "{name}": no such device in this network namespace' in ctl.err and
               len(ctl.requests) == bool(answers), ctl.outcome())
    # Behind two headers and the clock's id lies the error.
    ctl.run("clock set system error 1us", [ack(errno.ERANGE, "too good", offset=28)])
    refused("the parameter that it names, and its range", "error: too good: ", "(1ns to 1s)")
    ctl.run("clock set system error 1us", [ack(errno.EINVAL, missing=ctl.spec.attributes["clock-error"]["value"])])
    refused("or misses", "error is missing: Invalid argument")
    ctl.run("clock set system error 1us", [ack(errno.EINVAL, "x", offset=27)])
    refused("a place where nothing lies names nothing", "clock set system: x: ")
    ctl.run("peers del ::1", [ack(errno.ENOENT)])
    refused("a peer that is not there: where to look", "'onrampctl peers' lists")
    ctl.run("acker dev del lo", [ack(errno.ENOENT)])
    refused("a device that is not attached: where to look", "'onrampctl acker' lists")
    below = "ifindex: it gets its packets from the NIC below: attach "
    ctl.run("acker dev add lo", [ack(errno.EINVAL, below + "it")])
    refused("a kernel that cannot name the NIC: where to look", below + "it: Invalid argument", "'onrampctl doctor' names the NIC")
    ctl.run("acker dev add lo", [ack(errno.EINVAL, below + "eth0")])
    tap.ok("where it is named there is no need to look", ctl.code == 1 and below + "eth0" in ctl.err and "doctor" not in ctl.err, ctl.outcome())
    ctl.run("clock clear", [ack()], [ack(errno.EPERM)])
    refused("the second request of two may be refused", "Operation not permitted")
    ctl.run("flows", [done(errno.ENOMEM)])
    refused("a dump that ends in an error", "Cannot allocate memory")
    ctl.run("flows", [b"\x10\0"])
    refused("an answer that is cut off ends the program", "onrampctl: flows show: ")
    ctl.run("monitor", family_is=family(group=False))
    refused("no group to listen to", "no group monitor")
    tap.end()


if __name__ == "__main__":
    main()
