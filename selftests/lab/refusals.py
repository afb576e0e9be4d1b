#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""lab/run refuses nonsense before it boots anything, and names what is wrong and what would be right."""

import os
import signal
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# With an empty cache every attempt to build or boot would take minutes: a refusal does neither.
CACHE = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = CACHE.name
# pylint: disable=wrong-import-position
from lab import run as lab_run
from lab import trials
from lab.host import program
from tap import Tap

# (arguments, text that the message must have)
REFUSED = (
    ("fct load=1", "load"), ("fct load=1.5", "load"), ("fct load=0", "load"), ("fct load=-1", "load"),
    ("fct load=x", "load"), ("fct load=nan", "load"), ("fct load=inf", "load"), ("fct load=7e-1", "load"),
    ("fct load=0.7777", "at most 3 places"), ("fct load=0_1.0", "load"),
    ("fct rtt=1us", "below the wire's"), ("fct rtt=210us-70us", "backwards"), ("fct rtt=70", "rtt"),
    ("fct rtt=70us-", "rtt"), ("fct rtt=uniform:70us", "range"), ("fct rtt=.", "rtt: '.' is not a time"),
    ("fct rtt=5s", "rtt: '5s' must be from 0ns to 1s"), ("fct rtt=70us-1001ms", "to 1s"), ("fct rtt=70us,2s", "to 1s"),
    ("fct rtt=80.0001us", "finer"), (f"fct rtt={'9' * 5000}us", "rtt"),
    ("fct rate=1mbit", "rate"), ("fct rate=10", "rate"), ("fct rate=1tbit", "rate"),
    ("fct senders=0", "senders"), ("fct senders=1025", "senders"), ("fct senders=seven", "senders"),
    ("fct senders=²", "senders"), (f"fct senders={'1' * 5000}", "senders"),
    ("fct buffer=0", "buffer"), ("fct duration=0s", "duration"), ("fct duration=1", "duration"),
    ("fct cc=vegas", "cc"), ("fct conn=old", "conn"), ("fct gso=maybe", "gso"), ("fct workload=cats", "workload"),
    ("fct workload=../cdf/websearch", "workload"), ("fct workload=.", "workload"),
    ("fct aqm=", "aqm"), ("fct aqm=nonsense", "aqm: 'nonsense' is neither one of the names ecnsharp, tcn, "),
    ("fct aqm=red-median", "nor one of the lab's qdiscs: bfifo, cake, "), ("rct aqm=ingress", "aqm: 'ingress' is neither"),
    ("rct host=nonsense", "host: 'nonsense' is not one of the lab's qdiscs: bfifo, "), (["scheduler", "aqm=ets2 bands 3"], "'ets2'"),
    ("fct colour=red", "colour"), ("fct load", "key=value"), ("fct load=0.5 load=0.6", "twice"),
    ("fct rto_min=0ms", "rto_min"), ("fct initcwnd=0", "initcwnd"), ("fct delack=1", "delack"),
    ("fct dctcp_shift_g=11", "dctcp_shift_g: '11' must be a whole number from 0 to 10"),
    ("fct dctcp_shift_g=-1", "dctcp_shift_g"), ("fct long=1025", "long"),
    ("fct jitter=1s", "jitter"), ("fct coalesce=1s", "coalesce"),
    ("fct --seed -1", "seed"), ("fct --seed 4294967296", "seed"), ("fct --seed one", "--seed"),
    ("fct --json /nowhere/at/all.json", "folder"), ("fct --module /etc/passwd", "module"),
    ("fct --json /", "--json: '/' is a folder"), ("fct --flows /", "--flows: '/' is a folder"),
    ("queue --queue /", "--queue: '/' is a folder"), ("fct --keep /nowhere/at/all", "--keep: /nowhere/at/all: its folder"),
    ("fct --keep /", "--keep: / exists"), ("fct --json same --flows ./same", "the same file"),
    ("fct --module nosuch.ko", "--module: nosuch.ko"), (["fct", "--module", "my mod.ko"], "--module: 'my mod.ko'"),
    (["fct", "--module", "my\nmod.ko"], "--module: 'my\\nmod.ko'"),
    (["fct", "aqm=ecnsharp 'x"], "aqm"), (["fct", "aqm=pfifo 'a\nexec - busybox id'"], "aqm"),
    ("fct --pcap eth7", "port"), ("fct --colour", "--colour"),
    ("queue at=1ms", "at"), ("queue at=199ms", "at"), ("queue fanin=5000", "fanin"), ("queue long=2000", "long"),
    ("threshold aqm=codel", "aqm"), ("threshold threshold=1k", "threshold"), ("threshold threshold=1us", "threshold"),
    ("incast fanin=0", "fanin"), ("incast queries=0", "queries"), ("incast period=0us", "period"),
    ("incast queries=10 duration=40ms", "at, queries, period"), ("incast at=500s", "at, queries, period"),
    ("incast at=120ms queries=1", "at, queries, period"),
    ("scheduler scheduler=wfq", "scheduler"), ("scheduler senders=3", "senders"), ("scheduler turn=0s", "turn"),
    ("scheduler settle=100ms", "settle"), ("scheduler duration=299ms", "duration"), ("scheduler short=-1", "short"),
    ("scheduler load=0.5", "load"), ("scheduler short=200000", "short"),
    ("pias pias=maybe", "pias"), ("pias demote=", "demote"), ("pias demote=1k,", "demote"), ("pias demote=999", "demote"),
    ("pias demote=2g", "demote"), ("pias demote=2k,1k", "demote: '2k,1k' does not rise"),
    ("pias demote=2k,2k", "does not rise"), ("pias demote=2us", "demote"),
    ("pias demote=1k,2k,3k,4k,5k,6k,7k,8k", "more than 7"),
    ("sensitivity pst_target=0x", "pst_target"), ("sensitivity pst_target=-1x", "pst_target"),
    ("sensitivity pst_target=x", "pst_target"), ("sensitivity pst_target=11ms", "pst_target"),
    ("sensitivity pst_target=1001x", "pst_target"), ("sensitivity pst_interval=999ns", "pst_interval"),
    ("sensitivity pst_interval=half", "pst_interval"), ("sensitivity pst_interval=1e2x", "pst_interval"),
    ("sensitivity aqm=codel", "aqm"),
    ("probabilistic kmin=300us", "kmin"), ("probabilistic kmax=0ns", "kmax"), ("probabilistic pmax=0", "pmax"),
    ("probabilistic pmax=1.1", "pmax"), ("probabilistic rp=mine", "rp"), ("probabilistic burst=0", "burst"),
    ("probabilistic burst=45", "burst"), ("probabilistic long=2000", "long"), ("probabilistic cc=dctcp", "cc"),
    ("probabilistic conn=pool", "conn"), ("probabilistic load=1", "load"),
    ("fabric leaves=1", "leaves"), ("fabric leaves=65", "leaves"), ("fabric hosts=0", "hosts"), ("fabric hosts=65", "hosts"),
    ("fabric leaves=64 hosts=17", "more than 1024"), ("fabric spines=0", "spines"), ("fabric spines=65", "spines"),
    ("fabric senders=7", "senders"), ("fct leaves=2", "leaves"), ("fabric largest=0b", "largest"),
    ("fabric largest=1001g", "largest"), ("fabric rtt=6us", "below the wire's"), ("fabric load=1", "load"),
    ("fabric cc=vegas", "cc"), ("fabric cc=dcqcn pias=on", "pias: not with cc=dcqcn"), ("fabric cc=dcqcn kmin=300us", "kmin: must not be above kmax"),
    ("fabric cc=dcqcn conn=pool", "conn: TCP's, not with cc=dcqcn"),
    ("fabric cc=dcqcn initcwnd=20", "initcwnd: TCP's"), ("fabric cc=dcqcn gso=off", "gso: TCP's"), ("fabric demote=2k", "demote: only with pias=on"),
    ("fabric kmax=300us", "kmax: only with cc=dcqcn"), ("fabric rp=cloud", "rp: only with cc=dcqcn"), ("fabric pias=on demote=2k,1k", "demote: '2k,1k' does not rise"),
    ("fabric burst=45", "burst"), ("fabric pmax=1.1", "pmax"), ("fabric aqm=ramp", "aqm: ramp is for cc=dcqcn"), ("fct cc=dcqcn", "cc"),
    ("fabric --queue x.csv", "--queue"), ("fabric --pcap to-spine1", "--pcap"), ("fabric --pcap leaf9.to-spine1", "--pcap"),
    ("probabilistic pmax=0.0011", "pmax"),
    ("fct clock=good", "clock"), ("fct clock_offset=1us", "clock_offset: a perfect clock has none, it wants clock=own"),
    ("fct clock=perfect clock_rate=1ppb", "clock_rate: a perfect"), ("fct clock_wander=1ppb", "clock_wander: a perfect"),
    ("fct clock_step=r1:1s:1us", "clock_step: a perfect"), ("fct clock=own clock_step=r1", "clock_step: 'r1' is not HOST:AT:BY"),
    ("fct clock=own clock_step=:1s:1us", "clock_step: ':1s:1us' is not HOST:AT:BY"),
    ("fct clock=own clock_step=r1:0s:1us", "clock_step: '0s' must be from 1ns to 86400s"),
    ("fct clock=own clock_step=r1:86401s:1us", "clock_step: '86401s' must be from"),
    ("fct clock=own clock_step=r1:-1s:1us", "clock_step: '-1s' is not a time"),
    ("fct clock=own clock_step=r1:1s:0us", "clock_step: '0us' must be from 1ns"), ("fct clock=own clock_step=r1:1s:--1us", "clock_step"),
    ("fct clock=own clock_step=r1:1s:1000001s", "clock_step: '1000001s' must be from"),
    ("fct clock=own clock_step=nobody:1s:1us", "clock_step: there is no host 'nobody'"),
    ("fct clock=own clock_step=" + ",".join(f"r1:{n}s:1us" for n in range(1, 18)), "'r1' has more than 16 steps"),
    ("fct clock_ramp=1ppb", "clock_ramp: a perfect"), ("fabric clock_phc=on", "clock_phc: perfect clocks"),
    ("fct clock=own clock_phc=maybe", "clock_phc"), ("fct clock=own clock_offset=-1us", "clock_offset: '-1us' is not a time"),
    ("fct clock=own clock_offset=1001s", "clock_offset: '1001s' must be from 0ns to 1000s"),
    ("fct clock=own clock_rate=20", "clock_rate: '20' is not a deviation"),
    ("fct clock=own clock_rate=501ppm", "clock_rate: '501ppm' must be from 0ppb to 500000ppb"),
    ("fct clock=own clock_rate=0.0001ppm", "finer"), ("fct clock=own clock_wander=101ppm", "clock_wander: '101ppm' must be"),
    ("fct clock=own clock_ramp=10001ppb", "clock_ramp: '10001ppb' must be from 0ppb to 10000ppb"),
    ("rct hosts=1", "hosts: '1' must be a whole number from 2 to 512"), ("rct hosts=513", "hosts"), ("rct senders=7", "senders"),
    ("rct request=0b", "request: '0b' must be from 1 bytes to"), ("rct request=101m", "request"), ("rct request=2us", "request"),
    ("rct fanin=0", "fanin: '0' must be a whole number from 1 to 1000"), ("rct fanin=1001", "fanin"),
    ("rct request_load=1", "request_load: '1' must be at least 0 and below 1"), ("rct request_load=-0.1", "request_load"),
    ("rct request_load=0.0001", "at most 3 places"), ("rct load=0.6 request_load=0.4", "load, request_load: together"),
    ("rct spacing=bursty", "spacing"), ("rct settle=150ms", "settle: must be shorter"), ("rct settle=200s", "settle"),
    ("rct buffer=250kb", "buffer: '250kb' is not a size (a number with one of the units none, b, k, m, g)"),
    ("rct buffer=14k", "buffer: '14k' must be from 15000 bytes"), ("rct buffer=2g", "buffer"), ("rct buffer=100us", "buffer"),
    ("rct host=", "host: must not be empty"), (["rct", "host=fq 'x"], "host"), (["rct", "host=fq\nexec - busybox id"], "host"),
    ("rct rtt=200ns", "below the wire's"), ("rct cc=vegas", "cc"), ("rct load=1", "load"), ("rct long=3", "long"),
    ("ramp senders=0", "senders"), ("ramp first=3", "first: there is a flow for each sender"), ("ramp first=0", "first"),
    ("ramp join=50ms", "settle, join, leave"), ("ramp leave=650ms", "settle, join, leave"), ("ramp leave=2s", "leave"),
    ("ramp duration=1600ms", "leave"), ("ramp step=99us", "step: '99us' must be from 100us to 10s"),
    ("ramp step=3s", "step: must not be longer"), ("ramp poll=9ms", "poll: '9ms' must be from 10ms to 100s"), ("ramp senders=251", "senders"),
    ("ramp buffer=1b", "buffer"), ("ramp load=0.5", "load"), ("ramp host=", "host"),
    ("signal clock_error=2s", "clock_error: '2s' must be from 0ns to 1s"), ("signal ntp_error=1us", "ntp_error"),
    ("rct clock_error=1us", "clock_error: a perfect clock has none"), ("signal host=fq", "host: signal wants onramp"),
    ("signal request=2k", "request"), ("signal settle=30ms", "settle"), ("signal hosts=1", "hosts"),
    ("fct gso_size=4095b", "gso_size: '4095b' must be from 4096 bytes to 65536 bytes"), ("rct gso_size=65537b", "gso_size"),
    ("coexist leaves=1", "leaves"), ("coexist hosts=0", "hosts"), ("coexist leaves=3 hosts=1", "leaves, hosts: each tenant has at least two"),
    ("coexist spines=0", "spines"), ("coexist uplink=1mbit", "uplink"), ("coexist uplink=101gbit", "uplink"), ("coexist uplink=40", "uplink"),
    ("coexist other=", "other: must not be empty"), ("coexist other=nonsense", "other: 'nonsense' is not one of the lab's qdiscs"),
    ("coexist host=nonsense", "host: 'nonsense' is not one of"), (["coexist", "other=fq\nexec - busybox id"], "other"), ("coexist senders=7", "senders"),
    ("coexist settle=100ms", "settle: must be shorter"), ("coexist load=0.6 request_load=0.4", "load, request_load: together"),
    ("coexist rtt=5us", "below the wire's"), ("coexist leaves=64 hosts=17", "more than 1024"), ("rct other=fq", "other"),
    ("tune tuner=best", "tuner: 'best' must be one of off, observe, static, follow"), ("tune share=51", "share: '51' must be a whole number from 0 to 50"),
    ("tune explore=51", "explore: '51' must be a whole number from 0 to 50"), ("tune explore=2%", "explore: '2%' must be a whole number"),
    ("tune tuner=online interval=2ms", "interval: 2ms is not that of the model, 1ms"), ("tune tuner=online aqm=codel", "aqm: tuner=online needs an ecnsharp"),
    ("tune interval=499us", "interval: '499us' must be from 500us to 100ms"), ("tune tuner=ddqn interval=2ms", "interval: 2ms is not that of the model, 1ms"), ("tune model=nowhere", "model: 'nowhere' is neither ramp20 nor a file"),
    ("tune aqm=ramp-6us", "aqm: 'ramp-6us': the time must be from 6500ns to 100ms"), ("tune aqm=ramp-fast", "'fast' is not a time"),
    ("tune aqm=codel tuner=follow", "aqm: tuner=follow needs an ecnsharp, or one of the names secn0"), ("tune rp=cloud", "rp: only with cc=dcqcn"),
    ("tune tuner=chance duration=21s", "duration: at most 20s with tuner=chance"), ("tune lo=65k", "lo: must not be above hi"),
    ("tune depth=1025", "depth: '1025' must be a whole number from 0 to 1024"), ("tune long=1025", "long"), ("shift phases=1", "phases: '1' must be a whole number from 2 to 100"),
    ("shift duration=30ms", "phases: each must last 20ms, here it is 7500us"), ("shift few=33", "few: must not be above many"), ("shift other=none", "other"),
    ("shift long=1", "long"), ("share senders=1", "senders: there must be at least 2"), ("share settle=250ms", "settle: must be shorter than the duration"),
    ("share tuner=chance", "tuner: chance is of one queue, here are two"), ("share paced=0", "paced"), ("share cc=bbr", "cc"), ("share load=0.5", "load"),
    ("storage readers=201", "readers: '201' must be a whole number from 0 to 200"), ("storage readers=-1", "readers"), ("storage clients=0", "clients"),
    ("storage servers=0", "servers"), ("storage servers=201", "servers"), ("storage spines=65", "spines"), ("storage connections=0", "connections"),
    ("storage connections=101", "connections: '101' must be a whole number from 1 to 100"), ("storage rpc=0b", "rpc"), ("storage rpc=101m", "rpc"),
    ("storage rpc_load=0", "rpc_load: '0' must be at least 0.001 and below 1"), ("storage rpc_load=1", "rpc_load"), ("storage settle=12ms", "settle"),
    ("storage uplink=9mbit", "uplink"), ("storage rate=101gbit", "rate"), ("storage buffer=14k", "buffer: '14k' must be from 15000 bytes"),
    ("storage host=", "host: must not be empty"), ("storage host=nonsense", "host: 'nonsense'"), ("storage load=0.5", "load"),
    ("storage rtt=6us", "below the wire's"), ("storage leaves=2", "leaves"), ("storage workload=websearch", "workload"),
    ("soak duration=224s", "duration"), ("soak duration=226s", "whole rounds of 225s"), ("soak duration=3601s", "duration"), ("soak load=0.6", "load"),
    ("soak aqm=pfifo", "aqm: 'pfifo' is not ecnsharp"), ("soak host=fq", "host: 'fq' is not onramp"), ("soak warm=1s", "warm"),
    ("clock hosts=1", "hosts: '1' must be a whole number from 2 to 64"), ("clock hosts=65", "hosts"), ("clock load=0.951", "load"), ("clock load=1", "load"),
    ("clock traffic=some", "traffic"), ("clock sides=two", "sides"), ("clock burst=1499b", "burst"), ("clock burst=2m", "burst"),
    ("clock noise=loud", "noise: 'loud' must be none or host, or TX_LATE:TX_SPREAD:RX_LATE:RX_SPREAD:LATE_SIGMA:LATE_ODD:LATE_ODD_NS"),
    ("clock noise=1:2:3", "noise"), ("clock noise=1:2:3:4:2001:6:7", "noise: '2001' must be a whole number from 0 to 2000"),
    ("clock noise=1:2:3:4:5:6:-7", "noise"), ("clock degree=0", "degree"), ("clock degree=65", "degree"), ("clock interval=999us", "interval"),
    ("clock interval=2s", "interval"), ("clock pair=21us", "pair"), ("clock window=499ms", "window"), ("clock window=31s", "window"),
    ("clock coded=on", "coded"), ("clock stamps=driver", "stamps"), ("clock output=steer", "output"), ("clock settle=120s", "settle"),
    ("clock faults=burn:h1:1s", "faults: 'burn:h1:1s' is not WHAT:HOST:FROM[:UNTIL]"), ("clock faults=kill:h1", "faults"),
    ("clock faults=kill::1s", "faults"), ("clock faults=kill:h9:1s", "faults: there is no host 'h9'"), ("clock faults=kill:h1:0s", "faults"),
    ("clock faults=kill:h1:2s:1s", "times must rise"), ("clock faults=kill:h1:2s:2s", "times must rise"), ("clock faults=cut:h1:2s", "cut needs UNTIL"),
    ("clock faults=part:h8:1s:2s", "part needs hosts on both sides"), ("clock faults=kill:h1:120s", "must be over before the duration"),
    ("clock asymmetry=h1", "asymmetry: 'h1' is not HOST:TIME"), ("clock asymmetry=h1:0ns", "asymmetry"), ("clock asymmetry=h1:11ms", "asymmetry"),
    ("clock lies=h1", "lies: 'h1' is not HOST:TIME"), ("clock lies=h1:0ns", "lies"), ("clock lies=h9:1us", "lies: there is no host 'h9'"),
    ("clock lies=h8:1us", "lies: the last host has no edges"), ("clock lies=h2:715us", "lies: times the number of other hosts at most 5ms"),
    ("clock lies=h2:1us,h2:2us", "lies"),
    ("clock asymmetry=h1:1us,h1:2us", "asymmetry"), ("clock asymmetry=h9:1us", "asymmetry: there is no host 'h9'"),
    ("clock stamps=hardware clock=perfect clock_offset=0ns clock_rate=0ppm clock_wander=0ppb clock_ramp=0ppb", "stamps: hardware's want clock=own"),
    ("daemons daemon=ntpd", "daemon: 'ntpd' must be one of huygens-lite, chrony, ptp4l"), ("daemons daemon=chrony stamps=hardware", "stamps"),
    ("daemons lies=h1:1us", "lies"), ("daemons faults=kill:h1:1s", "faults"), ("daemons output=none", "output"), ("daemons clock_step=h1:1s:1s", "clock_step"),
    ("daemons hosts=1", "hosts"), ("daemons settle=60s", "settle: must be shorter"),
    ("e2e kept=ptp", "kept: 'ptp' must be one of huygens, perfect, ntp, none"), ("e2e warm=99ms", "warm"), ("e2e settle=100ms", "settle"),
    ("e2e output=none", "output"),
    ("gso", "'gso' is no scenario; it is rct with other keys"), ("help overhead", "it is ramp or rct with other keys"),
    ("fanin pause=1", "pause: '1' must be one of on, off"), ("fanin victim=yes", "victim"), ("fanin full=never", "full: 'never' must be one of wait, drop"),
    ("fanin gso=on", "gso: on needs pause=off"), ("fanin join=200ms", "join, leave"), ("fanin leave=300ms", "join, leave"), ("fanin delay=2ms", "delay"),
    ("fanin aqm=dcb", "'dcb' is neither"), ("fanin host=dcb", "host: 'dcb'"), ("fanin step=301ms", "step: must not be longer than the duration"),
    ("fanin buffer=0", "buffer"), ("fanin clock=perfect load=0.5", "'load' is not a key"),
    ("fanout receivers=0", "receivers: '0' must be a whole number from 1 to 100"), ("fanout receivers=101", "receivers"), ("fanout slow=1mbit", "slow"),
    ("fanout offer=101gbit", "offer: '101gbit' must be from 10mbit to 100gbit"), ("fanout settle=300ms", "settle: must be shorter"), ("fanout cc=cubic", "cc"),
    ("fanout bridges=3", "bridges: '3' must be a whole number from 1 to 2"), ("fanout bridges=0", "bridges"), ("fanout requests=yes", "requests"),
    ("systems traffic=all", "traffic: 'all' must be one of fanin, incast, load, victim, step"), ("systems settle=200ms", "settle: must be shorter"),
    ("systems tuner=follow", "aqm: tuner=follow needs an ecnsharp"), ("systems tuner=learn", "tuner"), ("systems pause=on gso=on", "gso"),
    ("systems long=41", "long: '41' must be a whole number from 0 to 40"), ("systems load=1", "load"), ("systems request=0b", "request"),
    ("explicit line=400mbit", "line: only with pattern="), ("explicit cc=dctcp pattern=onoff line=400mbit", "line: only with pattern="),
    ("explicit pattern=onoff line=199mbit", "line: must be from offer to rate"), ("explicit pattern=onoff line=11gbit", "line: must be from offer to rate"),
    ("explicit pattern=onoff offer=1mbit line=1001mbit", "at most 1000 times offer"), ("explicit pattern=onoff line=fast", "line"),
    ("explicit slow=1mbit", "slow"), ("explicit slow=1gbit flows=1", "slow: needs at least 2 flows"), ("explicit rude=1", "rude"),
    ("fanout delay=2ms", "delay"), ("fct host=fq", "host"), ("dreams", "scenario"), ("help", "help"), ("help dreams", "scenario"),
)

SHOWN = (
    ("list", "fct"), ("", "fct"), ("list", "  gso  "), ("list", "  sweep  "), ("list", "  combine  "), ("list", "  overhead  "),
    ("help rct", "gso_size=65536b"), ("help rct", "lab/run rct gso_size=16384b"), ("help ramp", "lab/run ramp acker='every 1'"),
    ("help coexist", "other=fq"), ("help storage", "connections=8"), ("help fct", "load=0.7"), ("help queue", "fanin=100"),
    ("help threshold", "threshold=250k"), ("help incast", "queries=3"), ("help scheduler", "turn=100ms"),
    ("help pias", "demote=140k,280k,420k"), ("help sensitivity", "pst_interval=1x"), ("help probabilistic", "kmax=220us"),
    ("help fabric", "spines=8"), ("help fct", "clock=perfect"), ("help rct", "fanin=40"), ("help ramp", "join=600ms"),
    ("help signal", "clock_error=200ns"), ("help clock", "noise=host"), ("help e2e", "kept=huygens"),
    ("help systems", "traffic=fanin"), ("help fanin", "full=wait"), ("help fanout", "receivers=8"),
)


def command(arguments):
    """Run lab/run as a user does."""
    return subprocess.run([os.path.join(ROOT, "lab/run"), *arguments], capture_output=True, text=True, check=False, timeout=60)


def forked(arguments):
    """Run lab/run in a child of this process, which has its modules loaded: most of what a command's start takes."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            status = 1
            try:
                signal.alarm(600)
                program.run("lab/run", lambda: lab_run.main(arguments))
            except SystemExit as end:
                status = end.code
            except BaseException:  # pylint: disable=broad-exception-caught # the parent must never go on twice
                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(arguments, status, out.read(), err.read())


def workloads(tap, cache):
    """Messages of flowgen about a user's file, which need no kernel."""
    for text, wanted in (("hello\n", ":1: a line must be SIZE PROBABILITY"), ("10 0\n20 1.5\n", ":2: probability"),
                         ("10 0\n20 0.5\n", ":2: the last probability must be 1"), ("", "no point")):
        with tempfile.NamedTemporaryFile("w", prefix="my sizes-", suffix=".cdf") as file:
            file.write(text)
            file.flush()
            done = forked(["fct", f"workload={file.name}"])
            tap.ok(f"a workload of {text!a} is refused in the user's terms", done.returncode == 2 and not done.stdout
                   and f"workload: {file.name}" in done.stderr and wanted in done.stderr, done.stderr)
    for arguments in ("fct duration=1000s rate=100gbit workload=googlerpc load=0.999",
                  "rct duration=1000s request=1b fanin=1 request_load=0.9 load=0.05"):
        done = forked(arguments.split())
        tap.ok(f"more flows than the tool has space for are refused: {arguments}", done.returncode == 2 and "flows" in done.stderr,
               done.stderr)
    built = os.listdir(os.path.join(cache, "sharpramp"))
    tap.ok("neither a kernel nor anything for it was built", built == ["lab-tools"], built)


def check_refused(tap, how, arguments, wanted):
    """One refusal: nothing on standard output, and the reason in the message."""
    arguments = arguments if isinstance(arguments, list) else arguments.split()
    done = how(arguments)
    tap.ok(f"lab/run {' '.join(arguments)!a:.80}", done.returncode == 2 and wanted in done.stderr and not done.stdout,
           f"status {done.returncode}, output: {done.stderr}{done.stdout}")


def check_shown(tap, how, arguments, wanted):
    """Content of lists and help pages."""
    done = how(arguments.split())
    tap.ok(f"lab/run {arguments}", done.returncode == 0 and wanted in done.stdout, done.stderr)


def main():
    tap = Tap()
    for name in trials.scenario_names():
        trials.scenario(name)
    check_refused(tap, command, *REFUSED[0])
    check_shown(tap, command, *SHOWN[0])
    for arguments, wanted in REFUSED:
        check_refused(tap, forked, arguments, wanted)
    tap.ok("nothing was built", not os.listdir(CACHE.name), os.listdir(CACHE.name))
    workloads(tap, CACHE.name)
    for arguments, wanted in SHOWN:
        check_shown(tap, forked, arguments, wanted)
    tap.end()


if __name__ == "__main__":
    main()
