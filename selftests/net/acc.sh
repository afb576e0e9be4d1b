# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2120,SC2034,SC2317 # optional arguments, names for other files, indirect calls
# Helpers of acc-tuner's tests; sourced after lib.sh.
#
# setup_path makes the path; the queue under test is on r2 in $R, below what ABOVE names.

SCRATCH=$(mktemp -d)
DAEMON=
AS=()

# configure MODE QUEUES [SETTINGS]: no block is static, so that a tuned queue stays tuned; INTERVAL, else 2ms
configure()
{
	cat >"$SCRATCH/conf" <<-CONF
		[queues]
		queues = $2
		[tuner]
		mode = $1
		interval = ${INTERVAL-2ms}
		[limits]
		share = 0
		[security]
		user = none
		control = $SCRATCH/control
		saved = $SCRATCH/saved
		state = $SCRATCH/state
		${3-}
	CONF
}

# start: the daemon, by the command of AS
start()
{
	: >"$SCRATCH/log"
	ip netns exec "$R" "${AS[@]}" acc-tuner -f "$SCRATCH/conf" 2>>"$SCRATCH/log" &
	DAEMON=$!
	PIDS+=("$DAEMON")
	busywait answers
}

# stop SIGNAL: its status is left in STATUS
stop()
{
	kill "-$1" "$DAEMON"
	STATUS=0
	wait "$DAEMON" 2>/dev/null || STATUS=$?
}

ctl()
{
	ip netns exec "$R" accctl -s "$SCRATCH/control" "$@"
}

answers()
{
	ctl stats >/dev/null 2>&1
}

restore()
{
	ip netns exec "$R" accctl -f "$SCRATCH/saved" restore
}

# state QUEUE: what it is at
state()
{
	ctl -j queues | grep -oE "\"queue\": \"$1\", \"state\": \"[a-z-]+\"" | grep -oE '[a-z-]+"$' | tr -d '"'
}

state_is()
{
	[ "$(state "$1")" = "$2" ]
}

# counter NAME: of all queues
counter()
{
	ctl stats | awk -v name="$1" '$1 == name { print $2 }'
}

counter_ge()
{
	[ "$(counter "$1")" -ge "$2" ]
}

dump()
{
	rtc -d qdisc show dev r2
}

dump_differs()
{
	[ "$(dump)" != "$1" ]
}

# shows HANDLE SETTINGS
shows()
{
	[[ $(rtc -d qdisc show dev r2 handle "$1") == *"$2"* ]]
}

# Half of it is ECN-capable, so that never nearly all is marked; bursts, so that there is a queue that drains.
traffic()
{
	# shellcheck disable=SC2016 # the inner shell expands it
	ip netns exec "$H1" bash -c 'while :; do "$1" send 198.51.100.2 12 1000 02 >/dev/null 2>&1 || :; sleep 0.005; done' - "$UDP" &
	TRAFFIC=$!
	PIDS+=("$TRAFFIC")
}

# The parent of ecnsharp, the name of the queue, its leaves, and additional lines of its configuration.
ABOVE=tbf QUEUE=r2/10: LEAVES=(10:) MORE=

# bottleneck SETTINGS...: a bottleneck whose ecnsharp has these settings
bottleneck()
{
	local parent=(parent 2:1)

	rtc qdisc del dev r2 root 2>/dev/null || true
	case $ABOVE in
	drr | ets | prio | tbf) rtc qdisc add dev r2 root handle 1: tbf rate 100mbit burst 10kb limit 100mb ;;
	esac
	case $ABOVE in
	drr)
		rtc qdisc add dev r2 parent 1:1 handle 2: drr
		rtc class add dev r2 parent 2: classid 2:1 drr
		rtc filter add dev r2 parent 2: protocol all matchall classid 2:1
		;;
	ets) rtc qdisc add dev r2 parent 1:1 handle 2: ets bands 1 quanta 1600 ;;
	prio) rtc qdisc add dev r2 parent 1:1 handle 2: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ;;
	htb)
		rtc qdisc add dev r2 root handle 2: htb default 1
		rtc class add dev r2 parent 2: classid 2:1 htb rate 100mbit quantum 1600
		;;
	mq)
		rtc qdisc add dev r2 root handle 2: mq
		rtc qdisc add dev r2 parent 2:2 handle 20: ecnsharp "$@"
		;;
	root) parent=(root) ;;
	tbf) parent=(parent 1:1) ;;
	esac
	rtc qdisc add dev r2 "${parent[@]}" handle 10: ecnsharp "$@"
}

# tuned SETTINGS...: start, and wait until the queue is tuned; BEFORE is the dump
tuned()
{
	bottleneck "$@"
	BEFORE=$(dump)
	configure tune r2 "$MORE"
	start
	busywait state_is "$QUEUE" tuned
	busywait dump_differs "$BEFORE"
	busywait counter_ge changes 3
}

# reloads TEXT: SIGHUP, and what it logs
reloads()
{
	: >"$SCRATCH/log"
	kill -HUP "$DAEMON"
	busywait grep -q "$1" "$SCRATCH/log"
}

# monitor_sees LIMIT: a change by hand
monitor_sees()
{
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp limit "$1"
	grep -q "limit $1" "$SCRATCH/monitor"
}

# by_hand: changes that the monitor must see, as soon as it listens; what it has seen is forgotten
by_hand()
{
	: >"$SCRATCH/monitor"
	busywait monitor_sees 9999
	busywait monitor_sees 10000
	: >"$SCRATCH/monitor"
}
