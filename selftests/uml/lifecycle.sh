#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The life of each of our qdiscs under traffic, as TAP.
#
#	a (10.0.0.1) veth ==[tbf 1 Mbit/s / $KIND]==> veth (10.0.0.2) b
#
# cp, which is a root only, has a rate of its own instead of tbf.
#
# Traffic is paced by a timer: in the lab's virtual time a program that spins, as ping does, stops the clock.
# shellcheck disable=SC2317 # functions are called through tap_run
set -u

# shellcheck source=selftests/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
PIDS=()
# Where the qdisc that has a backlog is; what each needs; what follows the number of a limit.
PLACE=(parent 1:1)
NEEDS=()
UNIT=

check() { tap_run "$KIND: $1" "${@:2}"; }

refused() { ! "$@"; }

# Where the CPU takes time, traffic takes its time to begin.
soon() {
	local i
	for i in {1..50}; do
		"$@" && return
		sleep 0.1
	done
	return 1
}

pair() {
	ip netns add "$1" && ip netns add "$2" || return
	ip link add v netns "$1" type veth peer name v netns "$2"
	ip -n "$1" addr add 10.0.0.1/24 dev v && ip -n "$1" link set v up
	ip -n "$2" addr add 10.0.0.2/24 dev v && ip -n "$2" link set v up
}

# The shaped qdisc in $1, one that has a backlog.
shape() {
	[ "${PLACE[0]}" = root ] || tc -n "$1" qdisc add dev v root handle 1: tbf rate 1mbit burst 3k latency 1s || return
	tc -n "$1" qdisc add dev v "${PLACE[@]}" handle 10: "$KIND" "${@:2}"
}

# From $1 to the other end: 4 Mbit/s of ECT(0), five packets every 10 ms, and as much TCP as goes.
traffic() {
	ip netns exec "$1" python3 -c '
import socket, time
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
out.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 2)
while True:
    for _ in range(5):
        try:
            out.sendto(bytes(1000), ("10.0.0.2", 9))
        except OSError:
            pass    # refused by the other end, or dropped here
    time.sleep(0.01)' &
	PIDS+=($!)
	ip netns exec "$2" python3 -c '
import socket
listener = socket.create_server(("10.0.0.2", 9))
while True:
    came, _ = listener.accept()
    while came.recv(65536):
        pass' &
	PIDS+=($!)
	ip netns exec "$1" python3 -c '
import socket, time
while True:
    try:
        out = socket.create_connection(("10.0.0.2", 9), timeout=1)
        while True:
            out.send(bytes(20000))
            time.sleep(0.01)
    except OSError:
        time.sleep(0.02)' &
	PIDS+=($!)
}

stop_traffic() {
	kill "${PIDS[@]}" 2>/dev/null
	wait "${PIDS[@]}" 2>/dev/null
	PIDS=()
}

stat() { tc -n "$1" -s -j qdisc show dev v | python3 -c "
import json, sys
print(next(q['$2'] for q in json.load(sys.stdin) if q['kind'] == '$KIND'))"; }

changes() {
	local i args
	for i in 1 2 3; do
		for args in "${CHANGES[@]}"; do
			# shellcheck disable=SC2086 # several arguments
			tc -n a qdisc change dev v "${PLACE[@]}" handle 10: "$KIND" $args || return
			sleep 0.02
		done
	done
}

replacements() {
	local i
	for i in 1 2 3; do
		tc -n a qdisc replace dev v "${PLACE[@]}" handle 2"$i": pfifo limit 100 || return
		sleep 0.02
		tc -n a qdisc replace dev v "${PLACE[@]}" handle 10: "$KIND" "${NEEDS[@]}" || return
		sleep 0.02
	done
}

root_rounds() {
	local i
	for i in 1 2 3; do
		tc -n a qdisc replace dev v root "$KIND" "${NEEDS[@]}" limit "$i$UNIT" && sleep 0.005 &&
			tc -n a qdisc del dev v root || return
	done
}

# The stack reads some fields of a root without its lock.
root_changes() {
	local i args
	tc -n a qdisc replace dev v root handle 1: "$KIND" "${NEEDS[@]}" || return
	for i in 1 2 3; do
		for args in "${CHANGES[@]}"; do
			# shellcheck disable=SC2086 # several arguments
			tc -n a qdisc change dev v root handle 1: "$KIND" $args || return
			sleep 0.005
		done
	done
	tc -n a qdisc del dev v root
}

parents() {
	local parent args class
	while read -r parent args; do
		class=1:1
		# shellcheck disable=SC2086 # several arguments
		tc -n a qdisc add dev v root handle 1: $parent $args || return
		case $parent in
		htb) tc -n a class add dev v parent 1: classid 1:1 htb rate 4mbit ;;
		drr) tc -n a class add dev v parent 1: classid 1:1 drr &&
			tc -n a filter add dev v parent 1: matchall flowid 1:1 ;;
		esac || return
		tc -n a qdisc add dev v parent $class "$KIND" "${SHAPED[@]}" || return
		sleep 0.1
		tc -n a qdisc del dev v root || return
	done <<-LIST
		htb default 1
		drr
		ets bands 2
		prio
		tbf rate 4mbit burst 3k latency 1s
	LIST
}

# Below a parent a root only is refused.
no_parent() {
	tc -n a qdisc add dev v root handle 1: prio || return
	refused tc -n a qdisc add dev v parent 1:1 "$KIND" "${NEEDS[@]}" && tc -n a qdisc del dev v root
}

vanish() {
	local i
	for i in 1 2 3 4; do
		pair "x$i" "y$i" && shape "x$i" "${SHAPED[@]}" || return
		traffic "x$i" "y$i"
		sleep 0.05
		# The namespace goes with its last process, or before it with its name.
		ip netns del "x$i"
		[ $((i % 2)) = 0 ] || ip netns del "y$i"
		stop_traffic
		[ $((i % 2)) = 1 ] || ip netns del "y$i"
	done
	return 0
}

live() {
	KIND=$1
	check "two namespaces" pair a b
	check "the module loads by name" shape a "${SHAPED[@]}"
	traffic a b
	sleep 0.3
	check "traffic is marked" soon marked
	check "rmmod is refused while it is used" refused rmmod "sch_$KIND"
	check "change under traffic" changes
	check "replace under traffic" replacements
	sleep 0.1
	check "it still sends" [ "$(stat a packets)" -gt 0 ]
	check "delete under traffic" tc -n a qdisc del dev v root
	check "at the root, added and deleted under traffic" root_rounds
	check "at the root, changed under traffic" root_changes
	case ${PLACE[0]} in
	root) check "as a leaf it is refused under traffic" no_parent ;;
	*) check "as a leaf of every parent under traffic" parents ;;
	esac
	stop_traffic
	check "namespaces vanish under traffic" vanish
	ip netns del a
	ip netns del b
}

SHAPED=(nonect drop)
CHANGES=("limit 5" "limit 1000 memory_limit 65536" "rtt_avg 100us rtt_tail 200us nonect drop"
	"kmin 10us kmax 100us pmax 0.5 split_gso on" "ins_target 1us signal length rate 4mbit"
	"preset testbed signal sojourn nonect pass" "persistent off" "persistent on memory_limit 32mb"
	"bypass on split_gso off" "bypass off")
marked() { [ $(($(stat a ins_marks) + $(stat a pst_marks) + $(stat a both_marks))) -gt 0 ]; }
live ecnsharp

# A leaf that paces is one of which htb says, once, that it is not work-conserving, as it does of fq.
SHAPED=(ce_threshold 1us nopacing)
CHANGES=("limit 5" "limit 1000 flow_limit 3 buckets 4" "buckets 8192 flow_limit 100 nopacing" "maxrate 500kbit pacing"
	"mode observe clock system error 1us" "mode hold g 1/4 threshold 50us" "weights 16384 16384 16384"
	"priomap 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0" "mode off" "mode hold clock published" "maxrate 0 horizon 1ms horizon_cap"
	"limit 10000 horizon 10s horizon_drop mode off")
marked() { [ "$(stat a ce_mark)" -gt 0 ]; }
live onramp

PLACE=(root) NEEDS=(law none) UNIT=mb
SHAPED=(law step k 3000b signal ecn rate 1mbit limit 100000b)
CHANGES=("limit 10000b service rr" "law qcn at input sample random buffer 100000b qeq 2000b" "law qcn sample largest service fifo"
	"pause input xoff 9000b xon 3000b" "pause output quanta 1" "law step k 3000b at output sample random signal ecn limit 1mb"
	"cnpv 1 defense edge" "law none pause off" "cnpv 255 rate 0" "rate 1mbit service rr" "law step k 3000b signal ecn service fifo")
marked() { [ "$(stat a marks)" -gt 0 ]; }
live cp
tap_done
