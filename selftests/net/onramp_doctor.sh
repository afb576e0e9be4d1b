#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onrampctl doctor on a real kernel: what it finds in a host that was made ill, and that what it prints mends it.
#
# +-----------------------+          +-----------------------+
# | A   a0: onramp        +----------+ b0: acker           B |
# |         192.0.2.1     |          |         192.0.2.2     |
# +-----------------------+          +-----------------------+
#
# The first test has nothing but the doctor's own commands to make both hosts well; the others begin with hosts that are.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

: "${WATCH:=300ms}"	# how long the doctor watches; traffic has hundreds of packets in it
ROUNDS=25		# findings that are mended, at most, until both hosts are well
TO=192.0.2.2
RESTART="systemctl restart huygens-lite"
KEYS=$(mktemp -d)

# within NS COMMAND...
within()
{
	ip netns exec "$@"
}

# doctor NS [ARGS...]: what it says into OUTPUT, its status into STATUS
doctor()
{
	local ns=$1

	shift
	STATUS=0
	OUTPUT=$(within "$ns" onrampctl doctor "$@" watch "$WATCH" 2>&1) || STATUS=$?
}

# found ID: is it in the output?
found()
{
	grep -qE "^[a-z]+: ([^ ]+: )?$1: " <<<"$OUTPUT"
}

finds()
{
	doctor "$1"
	found "$2"
}

no_longer()
{
	! finds "$@"
}

# remedy ID: the line below a finding
remedy()
{
	grep -E -A 1 "^[a-z]+: ([^ ]+: )?$1: " <<<"$OUTPUT" | sed -n 's/^    //p' | head -n 1
}

# apply NS LINE: run a command where it belongs
apply()
{
	local ns=$1 line=$2 where=

	if [[ $line == "at "* ]]; then
		where=${line#at } where=${where%%: *}
		line=${line#at "$where": }
		case $where in
		192.0.2.1 | "the sender" | "the senders") ns=$A ;;
		192.0.2.2 | "the peer") ns=$B ;;
		*) FINDINGS+=("a command for $where: $line") ;;
		esac
	fi
	(cd "$KEYS" && within "$ns" sh -c "$line") 2>&1 || FINDINGS+=("'$line' failed")
}

# mended NS ID [COMMAND...]: it is found, and after its command, and COMMAND, no longer
mended()
{
	local ns=$1 id=$2 line

	busywait finds "$ns" "$id"
	expect "status" "$STATUS" 1
	line=$(remedy "$id")
	apply "$ns" "$line"
	"${@:3}"
	busywait no_longer "$ns" "$id"
	result "$id: $line"
}

# remedied NS ID LINE COMMAND...: it is found, with LINE, that starts a daemon which no namespace has, and after COMMAND no longer
remedied()
{
	local ns=$1 id=$2

	busywait finds "$ns" "$id"
	expect "status" "$STATUS" 1
	expect "what mends $id" "$(remedy "$id")" "$3"
	"${@:4}"
	busywait no_longer "$ns" "$id"
	result "$id: $3"
}

# talk [BYTES]: TCP from A to B until hush, so much at a time
talk()
{
	local bytes=${1:-2000}

	# Not by within: a function in the background would be a shell, whose end its child would not notice.
	ip netns exec "$B" iperf3 -s -1 >/dev/null 2>&1 &
	PIDS+=($!)
	SERVER=$!
	busywait serving
	ip netns exec "$A" iperf3 -c $TO -t 80000 -b 20M -l "$bytes" >/dev/null 2>&1 &
	TALKER=$!
	PIDS+=("$TALKER")
	busywait grows
}

serving()
{
	within "$B" cat /proc/net/tcp /proc/net/tcp6 | grep -qi ':1451 .* 0A '
}

sent()
{
	within "$A" cat /sys/class/net/a0/statistics/tx_bytes
}

grows()
{
	local before

	before=$(sent)
	sleep 0.1
	[ "$(sent)" -gt $((before + 10000)) ]
}

# again: as another connection, which may do what the first one did not ask for
again()
{
	hush
	talk
}

hush()
{
	kill "$TALKER" "$SERVER" 2>/dev/null || true
	wait "$TALKER" "$SERVER" 2>/dev/null || true
}

# heal NS: by the first finding's command, until nothing is found, or the same again, which is for the other host to mend
heal()
{
	local round id was=

	for ((round = 0; round < ROUNDS; round++)); do
		doctor "$1"
		id=$(sed -nE '1s/^[a-z]+: ([^ ]+: )?([a-z-]+): .*/\2/p' <<<"$OUTPUT")
		[ "$STATUS" = 1 ] && [ "$id" != "$was" ] || return 0
		echo "# ${1%-*}: $id: $(remedy "$id")"
		apply "$1" "$(remedy "$id")"
		was=$id
	done
}

# From two hosts that know nothing of On-Ramp to two that are well.
from_nothing()
{
	local ns before

	for ns in "$A" "$B" "$A" "$B"; do
		heal "$ns"
	done
	for ns in "$A" "$B"; do
		doctor "$ns"
		expect "status in ${ns%-*}" "$STATUS" 0
		expect "output in ${ns%-*}" "$OUTPUT" "No problem was found."
	done
	result "its own commands make two bare hosts well"
	before=$(held)
	busywait holds_more "$before"
	result "and then delays are measured"
}

held()
{
	json_number "$(within "$A" onrampctl -j stats)" '"samples":'
}

holds_more()
{
	[ "$(held)" -gt "$1" ]
}

# change ARGS...: of A's onramp
change()
{
	tc -n "$A" qdisc change dev a0 root onramp "$@"
}

# publish NS VALID: a line that huygens-lite might publish, for so long
publish()
{
	within "$1" onrampctl clock set published offset 0s drift 0 error 1us valid "$2" epoch 1 base realtime ref "$(date +%s)s"
}

sender_side()
{
	change mode off
	mended "$A" mode-off
	change mode observe
	mended "$A" mode-observe
	change clock published
	remedied "$A" no-clock "$RESTART" publish "$A" 600s
	publish "$A" 1ns
	within "$A" onrampctl clock clear system
	remedied "$A" clock-stale "$RESTART" publish "$A" 600s
	# The peer acks by its system's clock, to which epoch 1 is another one.
	remedied "$A" peer-no-clock "at $TO: $RESTART" publish "$B" 600s
	change clock system error 2us
	mended "$A" peer-no-clock
	change clock system error 2us
	within "$A" onrampctl clock clear published
	within "$B" onrampctl clock clear published
	within "$A" onrampctl clock set system error 2us
	change max_error 1us
	mended "$A" clock-uncertain
	change max_error 100us threshold 1ns
	mended "$A" threshold-low
	# A virtual machine's own margin has headroom for 64 KB.
	change margin 10us
	ip -n "$A" link set dev a0 gso_max_size 65536
	mended "$A" gso-burst
}

# nobody [PREFIX]: B acks no data that comes, but that of an address that nobody has
nobody()
{
	local prefix

	within "$B" onrampctl peers | tail -n +2 | while read -r prefix; do
		within "$B" onrampctl peers del "$prefix"
	done
	[ $# = 0 ] || within "$B" onrampctl peers add "$1"
}

receiver_side()
{
	within "$B" onrampctl acker dev del b0
	busywait finds "$A" no-acks
	expect "remedy of a sender without OR-ACKs" "$(remedy no-acks)" "at $TO: onrampctl peers add 192.0.2.1"
	mended "$B" acker-unattached
	nobody
	mended "$B" peers-empty
	nobody 203.0.113.0/24
	mended "$B" peer-not-listed
	nobody 203.0.113.0/24
	mended "$A" no-acks
	within "$B" onrampctl clock clear
	mended "$A" peer-no-clock
	within "$B" onrampctl clock clear
	mended "$B" acker-no-clock
}

# key NS ID: group 1 gets it, from a file of the name that the doctor gives it; the first one signs
key()
{
	(umask 077; echo "0000000000000000000000000000000$2" >"$KEYS/key$2")
	within "$1" onrampctl keys add group 1 id "$2" file "$KEYS/key$2"
}

keys()
{
	key "$A" 5
	within "$A" onrampctl keys peers add group 1 prefix 192.0.2.2
	within "$A" onrampctl keys set group 1 require yes
	mended "$A" key-missing
	key "$B" 6
	within "$B" onrampctl keys rotate group 1 id 6
	mended "$A" key-unknown
	within "$A" onrampctl keys del group 1
	within "$B" onrampctl keys del group 1
}

# A user without privileges gets the same output.
unprivileged()
{
	local own

	change mode off
	doctor "$A"
	own=$OUTPUT
	STATUS=0
	OUTPUT=$(within "$A" python3 -c '
import os, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
os.execvp("onrampctl", ["onrampctl", "doctor", "watch", sys.argv[1]])' "$WATCH" 2>&1) || STATUS=$?
	expect "status" "$STATUS" 1
	expect "findings" "$(grep -c '^[a-z]*:' <<<"$OUTPUT")" "$(grep -c '^[a-z]*:' <<<"$own")"
	found mode-off || FINDINGS+=("without root: $OUTPUT")
	change mode hold
	result "without root the same is found"
}

# DEV: of one device
of_a_device()
{
	ip -n "$A" link add a1 type veth peer name a2
	ip -n "$A" link set a1 up
	doctor "$A" dev a1
	found wrong-qdisc || FINDINGS+=("of a1: $OUTPUT")
	doctor "$A" dev nowhere0
	expect "status" "$STATUS" 2
	ip -n "$A" link del a1
	result "for one device it reports that one, and status 2 for none"
}

# top ARGS...: lines that it prints
top()
{
	within "$A" onrampctl top "$@"
}

seen()
{
	local lines

	lines=$(top -n 2 -i 200ms)
	expect "headings" "$(grep -c '^source .*owd.*threshold' <<<"$lines")" 2
	expect_ge "lines of the path" "$(grep -c "^192.0.2.1 *$TO " <<<"$lines")" 2
	expect_ge "samples a second" "$(json_number "$(top -n 1 -i 500ms -j)" '"samples_per_s":')" 1
	result "top shows the path, its delay and how often it is measured"
}

# marks BYTES: an ecnsharp that has seen nothing yet, and traffic in such pieces
marks()
{
	hush
	tc -n "$A" qdisc replace dev a0 root pfifo
	tc -n "$A" qdisc replace dev a0 root ecnsharp
	talk "$1"
}

marker()
{
	hush
	tc -n "$A" qdisc replace dev a0 root ecnsharp
	talk
	mended "$A" ecn-not-ect again
	marks 60000
	mended "$A" ecn-gso
	marks 2000
	if modprobe -q ifb && modprobe -q act_mirred && modprobe -q cls_matchall; then
		tc -n "$B" qdisc replace dev b0 root ecnsharp
		mended "$B" ecn-direction
	else
		result_skip "ecn-direction" "no ifb in this kernel"
	fi
}

not_tcp()
{
	hush
	tc -n "$A" qdisc del dev a0 root
	tc -n "$A" qdisc replace dev a0 root onramp mode hold clock system error 2us
	ip netns exec "$A" "$UDP" send $TO 50 500 0 forever >/dev/null &
	PIDS+=($!)
	mended "$A" not-tcp
	kill "${PIDS[-1]}"
}

require iperf3 onrampctl python3
modinfo sch_onramp onramp_acker >/dev/null 2>&1 || skip_all "no modules sch_onramp, onramp_acker"
for module in sch_onramp onramp_acker; do
	modprobe -q $module || true
done
MODULES+=(onramp_acker)
setup_ns A B
link_pair "$A" a0 11 "$B" b0 22
ip -n "$A" -batch - <<<"$(end a0 192.0.2 2001:db8:1 1 2 22)"
ip -n "$B" -batch - <<<"$(end b0 192.0.2 2001:db8:1 2 1 11)"
settle "$A" a0
talk
from_nothing
sender_side
receiver_side
keys
unprivileged
of_a_device
seen
marker
not_tcp
rm -rf "$KEYS"
finish
