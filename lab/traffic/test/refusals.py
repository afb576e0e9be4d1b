#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Refusals of flowgen, and that the message names the cause: refusals.py FLOWGEN."""

import random
import sys

from common import HOSTS, Scratch, Tap, flowgen

CDF = "0 0\n1000 0.5\n2000 1\n"
LOAD = "group g kind=poisson senders=a,b receivers=c cdf=x.cdf rate=1gbit load=0.5 until=1ms"
QUERY = "group g kind=query senders=a,b receivers=c flows=4 lo=1k hi=2k"
LONG = "group g kind=long senders=a,b receivers=c until=1ms"
CLOSED = "group g kind=closed senders=a,b receivers=c depth=4 count=9 lo=1k hi=2k until=1ms"


def without(line, key):
    return " ".join(token for token in line.split(" ") if not token.startswith(key + "="))


# Traffic files after the host lines, and what the message must hold (with the line of the group: the fifth).
GROUPS = (
    (without(LOAD, "kind"), "kind= is missing"),
    (without(LOAD, "senders"), "senders= is missing"),
    (without(LOAD, "receivers"), "receivers= is missing"),
    (without(LOAD, "cdf"), "cdf= is missing"),
    (without(LOAD, "rate"), "rate= is missing"),
    (without(LOAD, "load"), "load= is missing"),
    (without(LOAD, "until"), "until= is missing"),
    (LOAD.replace("load=0.5", "load=1"), "load: '1' is outside the range 0.000001 to 0.999999"),
    (LOAD.replace("load=0.5", "load=1.2"), "load: '1.2' is outside the range"),
    (LOAD.replace("load=0.5", "load=0"), "load: '0' is outside the range"),
    (LOAD.replace("load=0.5", "load=-0.5"), "load: '-0.5' is not a decimal fraction"),
    (LOAD.replace("load=0.5", "load=70"), "load: '70' is outside the range 0.000001 to 0.999999"),
    (LOAD.replace("load=0.5", "load=nan"), "load: 'nan' is not"),
    (LOAD.replace("rate=1gbit", "rate=999"), "rate: '999' is outside the range 1Kbit to 10Tbit"),
    (LOAD.replace("rate=1gbit", "rate=10001gbit"), "rate: '10001gbit' is outside the range"),
    (LOAD.replace("rate=1gbit", "rate=fast"), "rate: 'fast' is not a rate"),
    (LOAD.replace("until=1ms", "until=25h"), "until: '25h' is not a time"),
    (LOAD.replace("until=1ms", "until=86401s"), "until: '86401s' is outside the range 0ns to 86400s"),
    (LOAD.replace("until=1ms", "until=0"), "until= must be after from="),
    (LOAD + " from=1ms", "until= must be after from="),
    (LOAD.replace("until=1ms", "until=86400s rate2=1"), "there is no key 'rate2'"),
    (LOAD.replace("until=1ms", "until=80000s").replace("1gbit", "10000gbit"), "make more than 16777216 flows"),
    (LOAD.replace("x.cdf", "missing.cdf"), "missing.cdf: No such file"),
    (LOAD + " cc=vegas", "cc: 'vegas' is not one of cubic, dctcp, bbr, reno"),
    (LOAD + " cc=dcqcn", "cc=dcqcn needs line="),
    (LOAD + " cc=dcqcn line=1gbit conn=pool", "conn=pool is not for cc=dcqcn"),
    (LOAD + " cc=dcqcn line=1gbit delack=off", "delack=off is not for cc=dcqcn"),
    (LOAD + " cc=dcqcn line=1gbit demote=1:1", "demote= is not for cc=dcqcn"),
    (LOAD + " line=1gbit", "line= is only for cc=dcqcn and cc=cbr"),
    (LOAD + " rp=paper", "rp= is only for cc=dcqcn"),
    (LOAD + " burst=8", "burst= is only for cc=dcqcn and cc=cbr"),
    (LOAD + " cc=dcqcn line=999kbit", "line: '999kbit' is outside the range 1Mbit to 400Gbit"),
    (LOAD + " cc=dcqcn line=401gbit", "line: '401gbit' is outside the range"),
    (LOAD + " cc=dcqcn line=1gbit rp=none", "rp: 'none' is not one of paper, ns3, cloud"),
    (LOAD + " cc=dcqcn line=1gbit burst=0", "burst: '0' is outside the range 1 to 44"),
    (LOAD + " cc=dcqcn line=1gbit burst=45", "burst: '45' is outside the range 1 to 44"),
    (LONG + " cc=cbr", "cc=cbr needs rate="),
    (LONG + " cc=cbr rate=999", "rate: '999' is outside the range 1Kbit to 10Tbit"),
    (LONG + " cc=cbr rate=10001gbit", "rate: '10001gbit' is outside the range 1Kbit to 10Tbit"),
    (LONG + " cc=dcqcn line=1gbit rate=1gbit", "rate= is not for cc=dcqcn"),
    (LONG + " pattern=cbr", "pattern= is only for cc=cbr"),
    (LONG + " full=wait", "full= is only for cc=cbr"),
    (LONG + " cc=dcqcn line=1gbit full=drop", "full= is only for cc=cbr"),
    (LONG + " cc=cbr rate=1gbit rp=paper", "rp= is only for cc=dcqcn"),
    (LONG + " cc=cbr rate=1gbit pattern=fast", "pattern: 'fast' is not one of cbr, bernoulli, onoff"),
    (LONG + " cc=cbr rate=1gbit full=maybe", "full: 'maybe' is not one of wait, drop"),
    (LONG + " cc=cbr rate=1gbit pattern=bernoulli", "pattern=bernoulli needs line="),
    (LONG + " cc=cbr rate=1gbit pattern=onoff", "pattern=onoff needs line="),
    (LONG + " cc=cbr rate=1001mbit pattern=onoff line=1gbit", "rate= must be line= / 1000 to line="),
    (LONG + " cc=cbr rate=999kbit pattern=bernoulli line=1gbit", "rate= must be line= / 1000 to line="),
    (LONG + " cc=cbr rate=1gbit burst=45", "burst: '45' is outside the range 1 to 44"),
    (LONG + " cc=cbr rate=1gbit delack=off", "delack=off is not for cc=cbr"),
    (LONG + " cc=cbr rate=1gbit demote=1:1", "demote= is not for cc=cbr"),
    (without(LONG, "until") + " size=1m cc=cbr rate=1gbit", "cc=cbr is for kind=long with until="),
    (LOAD + " cc=cbr", "cc=cbr is for kind=long with until="),
    (QUERY + " cc=cbr", "cc=cbr is for kind=long with until="),
    (QUERY + " cc=cbr rate=1gbit", "rate= is not for kind=query"),
    (LOAD + " conn=old", "conn: 'old' is not one of new, pool"),
    (LOAD + " ports=odd", "ports: 'odd' is not one of any, flow"),
    (LOAD + " delack=maybe", "delack: 'maybe' is not one of on, off"),
    (LOAD + " dscp=64", "dscp: '64' is outside the range 0 to 63"),
    (LOAD + " dscp=ef", "dscp: 'ef' is not a whole number in the range 0 to 63"),
    (LOAD + " demote=", "demote: '' is not BYTES:DSCP"),
    (LOAD + " demote=9", "demote: '9' is not BYTES:DSCP"),
    (LOAD + " demote=1k:8,", "demote: '' is not BYTES:DSCP"),
    (LOAD + " demote=0:8", "demote: '0' is outside the range 1 to 1000g"),
    (LOAD + " demote=1001g:8", "demote: '1001g' is outside the range"),
    (LOAD + " demote=-1:8", "demote: '-1' is not a number of bytes"),
    (LOAD + " demote=1k:64", "demote: '64' is outside the range 0 to 63"),
    (LOAD + " demote=1k:ef", "demote: 'ef' is not a whole number"),
    (LOAD + " demote=1k:8:9", "demote: '8:9' is not a whole number"),
    (LOAD + " demote=2k:8,2k:9", "demote: '2k' must be above the bytes before it"),
    (LOAD + " demote=2k:8,1k:9", "demote: '1k' must be above the bytes before it"),
    (LOAD + " demote=1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8", "demote: more than 7 changes"),
    (LOAD + " demote=1k:8 demote=2k:9", "demote= is given twice"),
    (LOAD + " load=0.4", "load= is given twice"),
    (LOAD + " cdf=x.cdf", "cdf= is given twice"),
    (LOAD + " flows=3", "flows= is not for kind=poisson"),
    (LOAD + " size=3", "size= is not for kind=poisson"),
    (LOAD + " jitter=3", "jitter= is not for kind=poisson"),
    (LOAD + " largest=0", "largest: '0' is outside the range 1 to 1000g"),
    (LOAD + " largest=1001g", "largest: '1001g' is outside the range"),
    (LOAD + " largest=big", "largest: 'big' is not a number of bytes"),
    (QUERY + " largest=1k", "largest= is not for kind=query"),
    (LOAD + " loud", "'loud' is not KEY=VALUE"),
    (LOAD.replace("poisson", "fish"), "kind: 'fish' is not one of poisson, query, long, closed"),
    (LOAD.replace("senders=a,b", "senders=a,e"), "senders: there is no host 'e' above this line"),
    (LOAD.replace("senders=a,b", "senders=a,,b"), "senders: there is no host ''"),
    (LOAD.replace("senders=a,b", "senders="), "senders: there is no host ''"),
    (LOAD.replace("senders=a,b", "senders=a,a"), "senders: a host is given twice"),
    (LOAD.replace("senders=a,b", "senders=c"), "the only sender of a receiver is the receiver itself"),
    (LOAD.replace("group g", "group g/h"), "group 'g/h': a name has 1 to 63"),
    (LOAD.replace("group g", "group \"g\""), "a name has 1 to 63"),
    (LOAD.replace("group g", "group " + 64 * "g"), "a name has 1 to 63"),
    (LOAD + "\n" + LOAD, "group 'g' is given twice"),
    ("grope g", "a line starts with host or group, not 'grope'"),
    ("group", "group: the name is missing"),
    ("host", "host: the name is missing"),
    ("host e", "host 'e': addr= is missing"),
    ("host e addr=", "is not a numeric IPv4 or IPv6 address"),
    ("host e addr=e.example", "is not a numeric IPv4 or IPv6 address"),
    ("host e addr=fe80::1%lo", "addr: 'fe80::1%lo': only --to and --listen take a zone"),
    ("host e addr=127.0.0.1:0", "addr: '0' is outside the range 1 to 65535"),
    ("host e addr=127.0.0.1 netns=../e", "netns '../e': a name has"),
    ("host e addr=127.0.0.1 addr=127.0.0.1", "given twice"),
    ("host e addr=127.0.0.1 mac=1", "'mac=1' is not addr=, sink= or netns="),
    ("host e addr=127.0.0.1 sink=", "sink: '' is not a numeric IPv4 or IPv6 address"),
    ("host e addr=127.0.0.1 sink=127.0.0.2:0", "sink: '0' is outside the range 1 to 65535"),
    ("host e addr=127.0.0.1 sink=::1", "host 'e': sink= and addr= are of different address families"),
    ("host e addr=127.0.0.1 sink=127.0.0.2 sink=127.0.0.3", "given twice"),
    ("host e sink=127.0.0.1", "host 'e': addr= is missing"),
    ("host a addr=127.0.0.1", "host 'a' is given twice"),
    ("host all addr=127.0.0.1", "host 'all': a name has"),
    ("host .. addr=127.0.0.1", "host '..': a name has"),
    (without(QUERY, "flows"), "flows= is missing"),
    (without(QUERY, "lo"), "lo= is missing"),
    (without(QUERY, "hi"), "hi= is missing"),
    (QUERY.replace("flows=4", "flows=0"), "flows: '0' is outside the range 1 to 100000"),
    (QUERY.replace("flows=4", "flows=100001"), "flows: '100001' is outside the range"),
    (QUERY.replace("lo=1k", "lo=0"), "lo: '0' is outside the range 1 to 1000g"),
    (QUERY.replace("hi=2k", "hi=1001g"), "hi: '1001g' is outside the range"),
    (QUERY.replace("hi=2k", "hi=2kb"), "hi: '2kb' is not a number of bytes (with k, m or g)"),
    (QUERY.replace("hi=2k", "hi=1.0005k"), "hi: '1.0005k' is not a number of bytes"),
    (QUERY.replace("hi=2k", "hi=999"), "hi= must not be below lo="),
    (QUERY + " count=2", "count= above 1 needs period="),
    (QUERY + " count=0", "count: '0' is outside the range"),
    (QUERY + " count=2 period=0", "period: '0' is outside the range"),
    (QUERY + " count=100000 period=1s", "starts later than a day"),
    (QUERY.replace("flows=4", "flows=100000") + " count=100000 period=1us", "more than 16777216 flows in all"),
    (QUERY + " until=1s", "until= needs period="),
    (QUERY + " period=1ms until=1s count=2", "count= and until= exclude each other"),
    (QUERY + " period=1ms at=1s until=1s", "until= must be after at="),
    (QUERY + " period=1ns until=1s", "flows, period and until make more than 16777216 flows"),
    (QUERY + " spacing=poisson", "spacing=poisson needs until="),
    (QUERY + " spacing=poisson period=1ms count=2", "spacing=poisson needs until="),
    (QUERY + " spacing=bursty", "spacing: 'bursty' is not one of fixed, poisson"),
    (QUERY + " pick=mine", "pick: 'mine' is not one of turns, random"),
    (LOAD + " spacing=poisson", "spacing= is not for kind=poisson"),
    (LONG + " pick=random", "pick= is not for kind=long"),
    (QUERY + " load=0.5", "load= is not for kind=query"),
    (without(LONG, "until"), "either size= or until= is required"),
    (LONG + " size=1m", "either size= or until= is required"),
    (LONG + " conn=pool", "conn= is not for kind=long"),
    (LONG + " from=2ms", "until= must be after from="),
    *((without(CLOSED, key), f"{key}= is missing") for key in ("depth", "count", "lo", "hi", "until")),
    (CLOSED.replace("depth=4", "depth=0"), "depth: '0' is outside the range 1 to 100000"),
    (CLOSED.replace("depth=4", "depth=100001"), "depth: '100001' is outside the range"),
    (CLOSED.replace("count=9", "count=0"), "count: '0' is outside the range 1 to 100000"),
    (CLOSED.replace("count=9", "count=100000").replace("depth=4", "depth=100000"), "depth and count make more than 16777216 flows"),
    (CLOSED.replace("hi=2k", "hi=1"), "hi= must not be below lo="),
    (CLOSED + " from=1ms", "until= must be after from="),
    (CLOSED + " flows=4", "flows= is not for kind=closed"),
    (CLOSED + " period=1ms", "period= is not for kind=closed"),
    (QUERY + " depth=4", "depth= is not for kind=query"),
)

CDFS = (
    ("", "no point in the file"),
    ("# only a comment\n", "no point in the file"),
    ("0 0\n1000\n", "x.cdf:2: a line must be SIZE PROBABILITY"),
    ("0 0\n1000 0.5 7\n", "x.cdf:2: a line must be SIZE PROBABILITY"),
    ("0 0\n1000 0.5\n500 1\n", "x.cdf:3: size falls"),
    ("0 0\n1000 0.5\n2000 0.4\n", "x.cdf:3: probability falls"),
    ("0 0\n1000 0.5\n1000 0.5\n2000 1\n", "x.cdf:3: the point is given twice"),
    ("0 0\n1000 0.5\n", "x.cdf:2: the last probability must be 1"),
    ("0 0\n1000 50\n2000 100\n", "x.cdf:2: probability: '50' is not"),
    ("0 0\n1000 1.000000001\n", "x.cdf:2: probability"),
    ("0 0\n1000 -0.1\n2000 1\n", "x.cdf:2: probability"),
    ("0 0\n1000 0.1234567891\n2000 1\n", "x.cdf:2: probability"),
    ("0 0\n1000 nan\n2000 1\n", "x.cdf:2: probability"),
    ("0 0\n1e3 0.5\n2000 1\n", "x.cdf:2: size: '1e3' is not a whole number"),
    ("0 0\n1000000000001 1\n", "x.cdf:2: size: '1000000000001' is outside the range 0 to 1000000000000"),
    ("0 1\n", "x.cdf:1: the largest size must be at least 1"),
    ("0 0\n" + "1" * 300 + " 1\n", "x.cdf:2: the line has more than 254 bytes"),
    ("".join(f"{i} 0.{i:06}\n" for i in range(5000)) + "9999 1\n", "x.cdf:4097: more than 4096 points"),
    ("\x00\xff\n", "or a zero byte"),
    ("\ufeff", "no point in the file"),
    ("0 0\n\ufeff1000 1\n", "x.cdf:2: size: '\ufeff1000' is not a whole number"),
    ("\ufeff\ufeff0 0\n1000 1\n", "x.cdf:1: size: '\ufeff0' is not a whole number"),
)

# Command lines; TRAFFIC stands for a good file.
OPTIONS = (
    ((), "--traffic is missing"),
    (("--bogus",), "there is no option '--bogus'"),
    (("-h",), "there is no option '-h'"),
    (("traffic",), "there is no option 'traffic'"),
    (("--traffic",), "--traffic: FILE is missing"),
    (("--traffic=",), "--traffic: the value is empty"),
    (("--traffic", "TRAFFIC", "--traffic", "TRAFFIC"), "--traffic is given twice"),
    (("--traffic", "/nowhere/t"), "/nowhere/t: No such file"),
    (("--traffic", "TRAFFIC", "--seed", "-1"), "--seed: '-1' is not a whole number in the range 0 to 18446744073709551615"),
    (("--traffic", "TRAFFIC", "--seed", "18446744073709551616"), "--seed: '18446744073709551616' is outside the range"),
    (("--traffic", "TRAFFIC", "--seed", "one"), "--seed: 'one' is not a whole number"),
    (("--traffic", "TRAFFIC", "--give-up", "0"), "--give-up: '0' is outside the range 1 to 86400"),
    (("--traffic", "TRAFFIC", "--give-up", "86401"), "--give-up: '86401' is outside the range"),
    (("--traffic", "TRAFFIC", "--epoch", "0"), "--epoch: '0' is outside the range"),
    (("--traffic", "TRAFFIC", "--port", "0"), "--port: '0' is outside the range 1 to 65000"),
    (("--traffic", "TRAFFIC", "--port", "65001"), "--port: '65001' is outside the range"),
    (("--traffic", "TRAFFIC", "--lowat", "0"), "--lowat: '0' is outside the range 1 to 1g"),
    (("--traffic", "TRAFFIC", "--lowat", "2g"), "--lowat: '2g' is outside the range"),
    (("--traffic", "TRAFFIC", "--step", "999"), "--step: '999' is outside the range 1us to 1000s"),
    (("--traffic", "TRAFFIC", "--step", "1001s"), "--step: '1001s' is outside the range"),
    (("--traffic", "TRAFFIC", "--step", "often"), "--step: 'often' is not a time"),
    (("--serve", "--series", "x"), "--series: not with --serve"),
    (("--traffic", "TRAFFIC", "--dry-run", "--series", "x"), "--series: not with --dry-run"),
    (("--traffic", "TRAFFIC", "--group", "h"), "kind= is missing"),
    (("--traffic", "TRAFFIC", "--group", "g kind=long"), "group 'g' is given twice"),
    (("--traffic", "TRAFFIC", "--listen", "127.0.0.1:1"), "--listen: not with hosts in this process"),
    (("--traffic", "TRAFFIC", "--max-conns", "9"), "--max-conns: not with hosts in this process"),
    (("--traffic", "TRAFFIC", "--serve"), "--traffic: not with --serve"),
    (("--serve", "--dry-run"), "--serve and --dry-run exclude each other"),
    (("--serve=1",), "--serve takes no value"),
    (("--serve", "--to", "127.0.0.1:1"), "--to: not with --serve"),
    (("--serve", "--seed", "1"), "--seed: not with --serve"),
    (("--serve", "--listen", "127.0.0.1"), "--listen: '127.0.0.1' lacks its port"),
    (("--serve", "--listen", "127.0.0.300:5000"), "--listen: '127.0.0.300:5000' is not a numeric"),
    (("--to", "1.2.3.4.5:6000", "--group", "g kind=long until=1s"), "--to: '1.2.3.4.5:6000' is not a numeric"),
    (("--to", "name of a host:5000", "--group", "g kind=long until=1s"), "--to: 'name of a host:5000': "),
    (("--traffic", "TRAFFIC", "--flows", "-", "--summary", "-"), "only one of --flows, --summary and --series can be -"),
    (("--traffic", "TRAFFIC", "--progress", "-"), "--progress: a file, and not standard output"),
    (("--serve", "--listen", "127.0.0.1:65536"), "--listen: '65536' is outside the range 1 to 65535"),
    (("--serve", "--max-conns", "0"), "--max-conns: '0' is outside the range 1 to 1000000"),
    (("--serve", "--max-size", "1001g"), "--max-size: '1001g' is outside the range 1 to 1000g"),
    (("--serve", "--request-timeout", "0"), "--request-timeout: '0' is outside the range 1 to 3600"),
    (("--serve", "--idle-timeout", "0"), "--idle-timeout: '0' is outside the range 1 to 86400"),
    (("--serve", "--listen", "[fe80::1]:5000"), "--listen: '[fe80::1]:5000' is link-local: it lacks its zone, %DEVICE"),
    (("--serve", "--listen", "[fe80::1%nosuch]:5000"), "--listen: '[fe80::1%nosuch]:5000': there is no device 'nosuch'"),
    (("--serve", "--listen", "[fd00::1%lo]:5000"), "--listen: '[fd00::1%lo]:5000' has a zone, but is not link-local"),
    (("--to", "127.0.0.1%lo:1", "--group", "g kind=long size=1"), "--to: '127.0.0.1%lo:1' has a zone, but is not link-local"),
    (("--to", "127.0.0.1:1"), "--to needs --traffic or --group"),
    (("--to", "127.0.0.1", "--group", "g kind=long size=1"), "--to: '127.0.0.1' lacks its port"),
    (("--to", "127.0.0.1:1", "--netns", "/run/netns", "--group", "g kind=long size=1"), "--netns: not with --to"),
    (("--to", "127.0.0.1:1", "--group", "g kind=long size=1 receivers=to1"), "the receiver is here"),
    (("--to", "127.0.0.1:1", "--group", "g kind=long size=1 senders=here"), "senders are to1"),
    (("--to", "127.0.0.1:1", "--traffic", "TRAFFIC"), "host: not with --to"),
    (("--to", "127.0.0.1:1", "--group", "g kind=long size=1 cc=dcqcn line=1gbit"), "cc=dcqcn: not with --to"),
    (("--to", "127.0.0.1:1", "--group", "g kind=long until=1s cc=cbr rate=1gbit"), "rate= of kind=long: not with --to"),
    (("--to", "127.0.0.1:1", "--group", "g kind=long until=1s cc=dctcp rate=1gbit"), "rate= of kind=long: not with --to"),
    (("--traffic", "TRAFFIC", "--dry-run", "--flows", "x"), "--flows: not with --dry-run"),
    (("--traffic", "TRAFFIC", "--dry-run", "--netns", "x"), "--netns: not with --dry-run"),
)

ACCEPTED = (
    LOAD, LOAD + " from=1us dscp=63 conn=pool delack=off cc=dctcp", LOAD.replace("senders=a,b", "senders=all"),
    LOAD.replace("load=0.5", "load=0.999999"), LOAD.replace("load=0.5", "load=.000001"),
    LOAD.replace("load=0.5", "load=70%").replace("until=1ms", "until=0.5ms"),
    LOAD + " demote=1:63", LOAD + " demote=1:1,2:2,3:3,4:4,5:5,6:6,1000g:0",
    LOAD + " largest=1", LOAD + " largest=1000g",
    QUERY, QUERY + " at=1s period=1ms count=10 jitter=10us", LONG, LONG.replace("until=1ms", "size=1g flows=9"),
    QUERY + " cc=dcqcn line=400gbit rp=cloud burst=44", LONG + " cc=cbr rate=1mbit pattern=onoff line=1gbit full=drop burst=44",
    LONG + " cc=cbr rate=1gbit pattern=bernoulli line=1gbit", LONG + " cc=cbr rate=1kbit", LONG + " cc=dctcp rate=1gbit", CLOSED + " from=1us conn=pool",
    "# nothing\n\n   \t\n" + LOAD + " # as above", "host e addr=[fd00::1]:7 netns=x\r\n" + LOAD + "\r",
)


def refused(tap, what, run, expect):
    good = (run.returncode == 2 and not run.stdout and run.stderr.startswith("flowgen: ")
            and run.stderr.count("\n") == 1 and any(part in run.stderr for part in expect.split("|")))
    tap.ok(f"refused: {what}", good, f"status {run.returncode}, output: {run.stderr}{run.stdout}")


def damage(text, rng):
    """A traffic file with some of its bytes changed, lost or doubled."""
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(data))
        how = rng.randrange(4)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            data[at] = rng.choice(b"0123456789=, \n\t#.:[]-")
        elif how == 2:
            del data[at:at + rng.randrange(1, 30)]
        else:
            data[at:at] = data[at:at + rng.randrange(1, 2000)]
        if not data:
            return b""
    return bytes(data)


def damaged(tap, program, scratch, runs):
    rng = random.Random(1)
    taken, bad = 0, []
    for _ in range(runs):
        with open(scratch.path("damaged"), "wb") as file:
            file.write(damage(HOSTS + rng.choice((LOAD, QUERY, LONG, CLOSED)) + "\n", rng))
        run = flowgen(program, "--dry-run", "--traffic", scratch.path("damaged"))
        taken += run.returncode == 0
        if run.returncode not in (0, 2) or (run.returncode == 2) != run.stderr.startswith("flowgen: "):
            bad.append(run.stderr)
    tap.ok(f"{runs} damaged files are read ({taken}) or refused, nothing else", 0 < taken < runs and not bad, "\n".join(bad))


def main():
    program, tap, scratch = sys.argv[1], Tap(), Scratch()
    scratch.write("x.cdf", CDF)
    traffic = scratch.write("traffic", HOSTS + LOAD + "\n")
    for text, expect in GROUPS:
        path = scratch.write("bad", HOSTS + text + "\n")
        refused(tap, text.replace("\n", " / ")[:100], flowgen(program, "--dry-run", "--traffic", path), expect)
    for text, expect in CDFS:
        scratch.write("x.cdf", text)
        refused(tap, f"cdf {text[:40]!r}", flowgen(program, "--dry-run", "--traffic", traffic), expect)
    scratch.write("x.cdf", CDF)
    for args, expect in OPTIONS:
        arguments = [traffic if argument == "TRAFFIC" else argument for argument in args]
        refused(tap, "flowgen " + " ".join(args), flowgen(program, *arguments), expect)
    path = scratch.write("bad", HOSTS + "\n# six\n" + LOAD.replace("load=0.5", "load=2") + "\n")
    run = flowgen(program, "--dry-run", "--traffic", path)
    tap.ok("a refusal tells the line", f"flowgen: {path}:7: " in run.stderr, run.stderr)
    for text in ACCEPTED:
        path = scratch.write("good", HOSTS + text + "\n")
        run = flowgen(program, "--dry-run", "--traffic", path)
        tap.ok(f"accepted: {text[:100]!r}", run.returncode == 0 and run.stdout.startswith("id,") and not run.stderr, run.stderr)
    for what, text in (("a byte order mark", "\ufeff" + CDF), ("CRLF", CDF.replace("\n", "\r\n")),
                       ("a byte order mark before a comment, and CRLF", "\ufeff# made elsewhere\r\n" + CDF.replace("\n", "\r\n"))):
        scratch.write("x.cdf", text)
        run = flowgen(program, "--dry-run", "--traffic", traffic)
        tap.ok(f"accepted: a CDF with {what}", run.returncode == 0 and run.stdout.startswith("id,") and not run.stderr, run.stderr)
    scratch.write("x.cdf", CDF)
    path = scratch.write("good", "\ufeff" + (HOSTS + LOAD + "\n").replace("\n", "\r\n"))
    run = flowgen(program, "--dry-run", "--traffic", path)
    tap.ok("accepted: a traffic file with a byte order mark and CRLF", run.returncode == 0 and not run.stderr, run.stderr)
    for name, path in (("x.cdf", scratch.path("x.cdf")), ("traffic", traffic)):
        kept = open(path, encoding="ascii").read()
        for coding in ("utf-16-le", "utf-16-be"):
            with open(path, "wb") as file:
                file.write(("\ufeff" + kept).encode(coding))
            refused(tap, f"{name} in {coding}", flowgen(program, "--dry-run", "--traffic", traffic), f"{name}:1: the text is UTF-16, not UTF-8")
        scratch.write(name, kept)
    damaged(tap, program, scratch, 200)
    tap.end()


main()
