# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2120,SC2317 # optional arguments, indirect calls
# Helpers of the tests here; sourced, not run.
#
# A test is a script that sources this file, makes namespaces by setup_ns or setup_path, calls its
# test functions and ends with finish. A test function states what it expects (expect, expect_ge)
# and closes with result, which prints one line of TAP. Nothing outside the namespaces that a test
# made is touched; they go when it ends, however it ends.

set -eu

: "${WAIT_S:=60}"	# longest wait for something that will happen; not a time that is tested

export KSFT_PASS=0 KSFT_FAIL=1 KSFT_SKIP=4
HERE=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
UDP=${UDP-$HERE/../../build/selftests/udp}	# see udp.c

# shellcheck source=selftests/lib/tap.sh
. "$HERE/../lib/tap.sh"

FINDINGS=()
NAMESPACES=()
PIDS=()
# Modules that a test loads and that hold others, which other tests unload.
MODULES=()
declare -A STAT=()

# --- TAP

skip_all()
{
	echo "1..0 # SKIP $*"
	exit "$KSFT_SKIP"
}

# expect WHAT GOT WANT: they must be equal
expect()
{
	[ "$2" = "$3" ] || FINDINGS+=("$1 is $2, not $3")
}

# expect_ge WHAT GOT LEAST
expect_ge()
{
	[ "$2" -ge "$3" ] || FINDINGS+=("$1 is $2, below $3")
}

# expect_done WHAT COMMAND...: the command must succeed
expect_done()
{
	local what=$1 output
	shift
	output=$("$@" 2>&1) || FINDINGS+=("$what failed: $output")
}

# expect_refused WHAT TEXT COMMAND...: the command must fail and say TEXT
expect_refused()
{
	local what=$1 text=$2 output
	shift 2
	if output=$("$@" 2>&1); then
		FINDINGS+=("$what was accepted")
	elif [[ $output != *"$text"* ]]; then
		FINDINGS+=("$what was refused without '$text': $output")
	fi
}

# result NAME: one line of TAP for what was expected since the last
result()
{
	tap_ok "${#FINDINGS[@]}" "$1" "$(printf '%s\n' "${FINDINGS[@]}")"
	FINDINGS=()
}

result_skip()
{
	tap_skip "$1" "$2"
	FINDINGS=()
}

finish()
{
	tap_done || exit "$KSFT_FAIL"
	exit "$KSFT_PASS"
}

# --- what is needed

# require_root PROGRAM...: root, and these
require_root()
{
	local program

	[ "$(id -u)" = 0 ] || skip_all "needs root"
	for program; do
		command -v "$program" >/dev/null || skip_all "needs $program"
	done
}

require_module()
{
	modprobe -q "$1" || [ -d "/sys/module/$1" ] || skip_all "no module $1: make install"
}

require()
{
	require_root ip tc "$UDP" "$@"
	require_module sch_ecnsharp
	tc qdisc add dev lo root ecnsharp help 2>&1 | grep -q ins_target ||
		skip_all "tc has no ecnsharp: make install, or set TC_LIB_DIR"
}

# --- namespaces and processes

cleanup()
{
	local status=$? ns pid module

	trap - EXIT INT TERM
	for pid in "${PIDS[@]-}"; do
		[ -z "$pid" ] || kill "$pid" 2>/dev/null || true
	done
	wait 2>/dev/null || true
	for ns in "${NAMESPACES[@]-}"; do
		[ -z "$ns" ] || ip netns del "$ns" 2>/dev/null || true
	done
	for module in "${MODULES[@]-}"; do
		[ -z "$module" ] || rmmod "$module" 2>/dev/null || true
	done
	exit "$status"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# setup_ns VARIABLE...: a namespace each, its name in the variable
setup_ns()
{
	local name ns

	for name in "$@"; do
		ns="ecnsharp-${name,,}-$$"
		ip netns add "$ns"
		NAMESPACES+=("$ns")
		printf -v "$name" %s "$ns"
		# shellcheck disable=SC2016 # the inner shell expands it
		ip netns exec "$ns" sh -c '
			# Packets are counted, so that nothing but the tests may send any.
			for key in all default; do
				cd /proc/sys/net/ipv6/conf/$key 2>/dev/null || break
				echo 0 >accept_dad
				echo 0 >dad_transmits
				echo 0 >router_solicitations
				echo 1 >addr_gen_mode
				echo 1 >mldv2_unsolicited_report_interval
			done
			ip link set lo up'
	done
}

# busywait COMMAND...: until the command succeeds, WAIT_S at most; asks less often the longer it takes
busywait()
{
	local until=$((SECONDS + WAIT_S)) ms=10

	until "$@"; do
		if [ "$SECONDS" -ge "$until" ]; then
			FINDINGS+=("waited in vain for: $*")
			return 0
		fi
		sleep "$(printf 0.%03d $ms)"
		[ $ms -ge 320 ] || ms=$((ms * 2))
	done
}

# --- the path: h1 -- r -- h2, and VLANs between r and h2

# link_pair NS1 DEV1 MAC1 NS2 DEV2 MAC2 [arguments of the first end]
link_pair()
{
	local ns1=$1 dev1=$2 mac1=02:00:00:00:00:$3 ns2=$4 dev2=$5 mac2=02:00:00:00:00:$6

	shift 6
	ip link add "$dev1" netns "$ns1" address "$mac1" mtu 1600 "$@" type veth \
		peer name "$dev2" netns "$ns2" address "$mac2" mtu 1600
}

# end DEV NET4 NET6 HOST PEER MAC: ip commands for one end of a subnet, with its neighbour
end()
{
	cat <<-EOF
	link set $1 up
	addr add $2.$4/24 dev $1
	addr add $3::$4/64 dev $1 nodad
	neigh add $2.$5 lladdr 02:00:00:00:00:$6 dev $1 nud permanent
	neigh add $3::$5 lladdr 02:00:00:00:00:$6 dev $1 nud permanent
	EOF
}

# setup_path [arguments of r2]: namespaces $H1, $R, $H2; the qdisc under test belongs on r2 in $R
setup_path()
{
	setup_ns H1 R H2
	link_pair "$H1" h1 11 "$R" r1 12
	link_pair "$R" r2 21 "$H2" h2 22 "$@"
	ip netns exec "$R" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
				  echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
	ip -n "$R" -batch - <<-EOF
	$(end r1 192.0.2 2001:db8:1 2 1 11)
	$(end r2 198.51.100 2001:db8:2 1 2 22)
	EOF
	ip -n "$H1" -batch - <<-EOF
	$(end h1 192.0.2 2001:db8:1 1 2 12)
	route add default via 192.0.2.2
	route add default via 2001:db8:1::2
	EOF
	ip -n "$H2" -batch - <<-EOF
	$(end h2 198.51.100 2001:db8:2 2 1 21)
	route add default via 198.51.100.1
	route add default via 2001:db8:2::1
	EOF
	settle "$R" r2
}

# settled NS DEV
settled()
{
	ip -n "$1" link show "$2" | grep -q 'state UP'
}

# settle NS DEV...: until the devices have sent all that they send by themselves (MLD reports)
settle()
{
	local ns=$1 dev

	shift
	for dev in "$@"; do
		busywait settled "$ns" "$dev"
	done
	sleep 0.3
}

# vlans DEV HOST PEER MAC: ip commands for one end of both VLANs
vlans()
{
	cat <<-EOF
	link add link $1 name $1.10 type vlan id 10
	link add link $1 name $1.20 type vlan proto 802.1ad id 20
	link set $1.20 up
	link add link $1.20 name $1.20.30 type vlan id 30
	$(end "$1.10" 203.0.113 2001:db8:3 "$2" "$3" "$4")
	$(end "$1.20.30" 198.18.0 2001:db8:4 "$2" "$3" "$4")
	EOF
}

# setup_vlans: 203.0.113.0/24 with one tag (10) on r2, 198.18.0.0/24 with two (802.1ad 20, then 30)
setup_vlans()
{
	vlans r2 1 2 22 | ip -n "$R" -batch -
	vlans h2 2 1 21 | ip -n "$H2" -batch -
	settle "$R" r2.10 r2.20 r2.20.30
}

# --- the qdisc under test, on r2 of $R

rtc()
{
	tc -n "$R" "$@"
}

# stats HANDLE [NS DEV]: all numbers of a qdisc into STAT
stats()
{
	local line key value

	STAT=()
	line=$(tc -n "${2-$R}" -s -j qdisc show dev "${3-r2}" | sed 's/{"kind"/\n&/g' | grep "\"handle\":\"$1\"") || true
	[ -n "$line" ] || { FINDINGS+=("there is no qdisc $1"); return 0; }
	while IFS=: read -r key value; do
		STAT[${key//\"/}]=$value
	done < <(grep -oE '"[a-z_]+":[0-9]+' <<<"$line")
}

# stat HANDLE KEY
stat()
{
	stats "$1"
	echo "${STAT[$2]-}"
}

stat_is()
{
	[ "$(stat "$1" "$2")" = "$3" ]
}

stat_ge()
{
	[ "$(stat "$1" "$2")" -ge "$3" ]
}

# expect_stat KEY=VALUE...: of the STAT that stats read last
expect_stat()
{
	local pair

	for pair in "$@"; do
		expect "${pair%%=*}" "${STAT[${pair%%=*}]-missing}" "${pair#*=}"
	done
}

# A bottleneck that holds its packets until they are released. A tbf at the root (1:) lets
# one packet go, and then, at 6 bytes a second and 65000 bytes of overhead a packet, none for hours:
# the next packet is parked in front of it, the others wait behind.
HOLD_TBF="rate 48bit burst 20000 overhead 65000 limit 100mb"
RELEASE_TBF="rate 10gbit burst 10mb limit 100mb"

# hold: the tbf, without a child yet
hold()
{
	rtc qdisc del dev r2 root 2>/dev/null || true
	# shellcheck disable=SC2086 # several arguments
	rtc qdisc add dev r2 root handle 1: tbf $HOLD_TBF
}

# empty_bucket: send the packet that the bucket lets go
empty_bucket()
{
	send 4 1 1000 0
}

# retune ARGS...: the tbf with other arguments, whatever waits in it
retune()
{
	rtc qdisc change dev r2 handle 1: root tbf "$@"
}

# release: open the bottleneck; a last packet, not ECN-capable, makes it look
release()
{
	# shellcheck disable=SC2086 # several arguments
	retune $RELEASE_TBF
	send 4 1 1000 0
}

# --- traffic from h1 to h2: 4 and 6 plain, 4v and 6v one tag, 4q and 6q two tags

declare -A DESTINATION=([4]=198.51.100.2 [6]=2001:db8:2::2 [4v]=203.0.113.2 [6v]=2001:db8:3::2
			[4q]=198.18.0.2 [6q]=2001:db8:4::2)

# send PATH COUNT SIZE CODEPOINTS [SEGMENT]
send()
{
	local to=${DESTINATION[$1]}

	shift
	ip netns exec "$H1" "$UDP" send "$to" "$@"
}

# flood PATH COUNT SIZE CODEPOINTS: send in the background until stop_flood, or the end of the test
flood()
{
	# Not by send: a function in the background would be a shell, whose end its child would not notice.
	ip netns exec "$H1" "$UDP" send "${DESTINATION[$1]}" "${@:2}" forever >/dev/null &
	FLOOD=$!
	PIDS+=("$FLOOD")
}

stop_flood()
{
	kill "$FLOOD"
	wait "$FLOOD" 2>/dev/null || true
}

# listen COUNT: count what comes to h2, into a file; received reads it
listen()
{
	COUNTS=$(mktemp)
	ip netns exec "$H2" "$UDP" receive "$@" >"$COUNTS" &
	LISTENER=$!
	PIDS+=("$LISTENER")
	busywait grep -q ready "$COUNTS"
}

# received: wait for the listener's end; its counts go to STAT
received()
{
	local key value

	wait "$LISTENER" || FINDINGS+=("the receiver did not get all that it waited for")
	STAT=()
	while IFS='=' read -r key value; do
		STAT[$key]=$value
	done < <(grep '=' "$COUNTS")
	rm -f "$COUNTS"
}

# --- TCP from h1 to h2, by iperf3

serving()
{
	ip netns exec "$H2" cat /proc/net/tcp /proc/net/tcp6 | grep -qi ':1451 .* 0A '
}

# json_number JSON PATTERN: the number at the last place of the pattern, else "none"
json_number()
{
	tr -d ' \n\t' <<<"$1" | grep -oE "$2[0-9]+" | tail -n 1 | grep -oE '[0-9]+$' || echo none
}

# transfer CC TO [OPTIONS OF THE CLIENT]: BYTES from h1 to h2
#
# RECEIVED, RETRANSMITS, CWND (the largest) and MS (the receiver's time) say how it went.
# shellcheck disable=SC2034
transfer()
{
	local log cc=$1 to=$2 end='"sum_received":\{'

	shift 2
	ip netns exec "$H2" iperf3 -s -1 >/dev/null 2>&1 &
	PIDS+=($!)
	busywait serving
	log=$(ip netns exec "$H1" iperf3 -c "$to" -C "$cc" -n "$BYTES" -J "$@") || FINDINGS+=("iperf3 failed: $log")
	wait "${PIDS[-1]}" || true
	RECEIVED=$(json_number "$log" "${end}[^}]*\"bytes\":")
	RETRANSMITS=$(json_number "$log" '"retransmits":')
	CWND=$(json_number "$log" '"max_snd_cwnd":')
	MS=$(tr -d ' \n\t' <<<"$log" | grep -oE "${end}[^}]*\"seconds\":[0-9.]+" | sed 's/.*://' | awk '{ print int($1 * 1000) }')
}
