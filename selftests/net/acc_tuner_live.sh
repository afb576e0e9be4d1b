#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# acc-tuner in a rough environment: 10,000 changes under traffic, links and queues that come and go, and too few rights.
#
# The path is that of acc_tuner.sh.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=acc.sh
. "$(dirname -- "$0")/acc.sh"

CHANGES=${CHANGES-10000}

# memory: of the daemon's heap and other private data, kB
memory()
{
	awk '$1 == "VmData:" { print $2 }' "/proc/$DAEMON/status"
}

order()
{
	# Not tbf, whose bucket lets a burst pass.
	local INTERVAL=500us ABOVE=htb before key value

	bottleneck
	BEFORE=$(dump)
	configure tune r2
	start
	before=$(memory)
	STAT=()
	while IFS='=' read -r key value; do
		STAT[$key]=$value
	done < <("$HERE/acc_order.py" "$H1" "$H2" "$CHANGES" ip netns exec "$R" accctl -s "$SCRATCH/control" stats)
	expect "memory, kB" "$(memory)" "$before"
	expect_ge "changes" "${STAT[changes]-0}" "$CHANGES"
	expect "packets that came" "${STAT[received]-0}" "${STAT[sent]-none}"
	expect_ge "marked packets" "${STAT[marked]-0}" 1000
	expect "packets out of order" "${STAT[reordered]-}" 0
	echo "# ${STAT[changes]-} changes, ${STAT[sent]-} packets, of which ${STAT[marked]-} marked"
	stats 2:
	expect_stat drops=0
	stats 10:
	expect_stat drops=0 drop_limit=0 drop_memory_limit=0
	expect "changes that failed" "$(counter failed)" 0
	stop TERM
	expect "the dump" "$(dump)" "$BEFORE"
	result "$CHANGES changes under traffic: no packet lost or out of order, no memory taken"
}

# flap TIMES: links go down and come up, faster than the daemon polls
flap()
{
	local i

	for ((i = 0; i < $1; i++)); do
		printf 'link set r2 %s\n' down up
	done | ip -n "$R" -batch -
}

# replaced TIMES: a queue goes and another comes
replaced()
{
	local i

	for ((i = 0; i < $1; i++)); do
		printf 'qdisc del dev r2 parent 1:1 handle 10:\nqdisc add dev r2 parent 1:1 handle 10: ecnsharp\n'
	done | rtc -batch -
}

flaps()
{
	local i

	tuned
	flap 50
	busywait state_is r2/10: tuned
	busywait dump_differs "$BEFORE"
	for i in {1..10}; do
		flap 1
		sleep "0.00$((i % 10))"
		ip -n "$H2" link set h2 down
		sleep "0.0$i"
		ip -n "$H2" link set h2 up
	done
	busywait state_is r2/10: tuned
	busywait dump_differs "$BEFORE"
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$BEFORE"
	result "links that flap: tuned in the end, and its own settings afterwards"

	tuned
	replaced 50
	for i in {1..5}; do
		flap 3
		replaced 3
	done
	busywait state_is r2/10: tuned
	busywait dump_differs "$BEFORE"
	expect "changes by others" "$(counter foreign)" 0
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$BEFORE"
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("the file of own settings is still there")
	result "queues that are replaced, links that flap: no other queue's settings"
}

# unprivileged NAME WHAT: what is missing
unprivileged()
{
	local AS=("$HERE/without.py" "$2")

	configure tune r2
	expect_refused "mode tune" "acc-tuner: CAP_NET_ADMIN is missing, which [tuner] mode = tune needs: start the daemon as root" \
		ip netns exec "$R" timeout 20 "${AS[@]}" acc-tuner -f "$SCRATCH/conf"
	expect "the dump" "$(dump)" "$BEFORE"
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("it wrote a file")
	result "without $1: mode tune is refused"

	configure observe r2
	start
	busywait counter_ge decisions 200
	expect "state" "$(state r2/10:)" observed
	expect "changes" "$(counter changes)" 0
	expect "capabilities" "$(grep CapEff "/proc/$DAEMON/status" | cut -f 2)" 0000000000000000
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$BEFORE"
	result "without $1: mode observe observes"
}

rights()
{
	bottleneck
	BEFORE=$(dump)
	chown 65534 "$SCRATCH"
	chmod 711 "$SCRATCH"
	unprivileged "any right, as nobody" rights
	chown 0 "$SCRATCH"
	unprivileged "CAP_NET_ADMIN, as root" 12
}

# The kernel refuses the saved settings: the reason is its own, and not that rights are missing.
not_accepted()
{
	local theirs

	tuned kmin 11us kmax 100us pmax 0.5
	stop KILL
	theirs=$(dump)
	cp "$SCRATCH/saved" "$SCRATCH/whole"
	sed -i -E 's/=11000( |$)/=1000000\1/' "$SCRATCH/saved"
	cp "$SCRATCH/saved" "$SCRATCH/swapped"
	expect_refused "restore of kmin above kmax" "r2/10: cannot be changed back: Invalid argument" restore
	expect_refused "restore of kmin above kmax" "accctl: restore: 1 of 1 queues cannot be changed back" restore
	[[ $(restore 2>&1) != *CAP_NET_ADMIN* ]] || FINDINGS+=("it is said to be for lack of rights")
	configure tune r2
	expect_refused "start with it" "r2/10: cannot be changed back: Invalid argument" ip netns exec "$R" timeout 20 acc-tuner -f "$SCRATCH/conf"
	expect "the dump" "$(dump)" "$theirs"
	cmp -s "$SCRATCH/saved" "$SCRATCH/swapped" || FINDINGS+=("the file is another")
	cp "$SCRATCH/whole" "$SCRATCH/saved"
	expect "accctl restore" "$(restore)" "r2/10: has its own settings again"
	expect "the dump" "$(dump)" "$BEFORE"
	result "kill -9, and the kernel refuses the saved settings: its reason, and nothing is changed"
}

# The saved file is damaged, or may not be used.
not_restored()
{
	local theirs

	tuned
	stop KILL
	theirs=$(dump)
	cp "$SCRATCH/saved" "$SCRATCH/whole"
	chmod 644 "$SCRATCH/saved"
	expect_refused "restore without rights" "1 of 1 queues cannot be changed back: it needs CAP_NET_ADMIN: run it as root" \
		ip netns exec "$R" "$HERE/without.py" rights accctl -f "$SCRATCH/saved" restore
	expect "the dump" "$(dump)" "$theirs"
	cmp -s "$SCRATCH/saved" "$SCRATCH/whole" || FINDINGS+=("the file is another")
	head -c 100 "$SCRATCH/whole" >"$SCRATCH/saved"
	expect_refused "restore of a file that is cut off" "$SCRATCH/saved" restore
	configure tune r2
	expect_refused "start with a file that is cut off" "$SCRATCH/saved" ip netns exec "$R" timeout 20 acc-tuner -f "$SCRATCH/conf"
	expect "the dump" "$(dump)" "$theirs"
	cp "$SCRATCH/whole" "$SCRATCH/saved"
	expect "accctl restore" "$(restore)" "r2/10: has its own settings again"
	expect "the dump" "$(dump)" "$BEFORE"
	result "kill -9, and the saved settings are damaged, or rights are missing: refused by name, nothing is changed"
}

require acc-tuner accctl python3
setup_path
order
traffic
flaps
rights
not_restored
not_accepted
rm -rf "$SCRATCH"
finish
