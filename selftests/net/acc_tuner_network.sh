#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# acc-tuner's network on a router: it decides and learns within its limits, and a model that is damaged is refused by its name.
#
# The path is that of acc_tuner.sh.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=acc.sh
. "$(dirname -- "$0")/acc.sh"

MODEL=${MODEL-$HERE/../../acc-tuner/models/ramp20.accm}
# That of the model.
INTERVAL=1ms
# Some templates of the model are outside.
LIMITS=$'[limits]\nkmin_least = 6us\nkmax_most = 300us\npmax_least = 50%'

# network MODEL [SETTINGS]: lines of the configuration
network()
{
	printf '[tuner]\npolicy = ddqn\nmodel = %s\n%s\n' "$1" "${2-}"
}

# outside: thresholds that tc monitor saw and LIMITS do not allow
outside()
{
	awk '
		function ns(text) {
			return text * (text ~ /us$/ ? 1e3 : text ~ /ms$/ ? 1e6 : text ~ /ns$/ ? 1 : 1e9)
		}
		/ecnsharp/ && / kmin / {
			seen++
			for (i = 1; i < NF; i++) {
				if ($i == "kmin") kmin = ns($(i + 1))
				if ($i == "kmax") kmax = ns($(i + 1))
				if ($i == "pmax") pmax = $(i + 1) * ($(i + 1) ~ /%$/ ? 1 : 100)
			}
			if (kmin < 6000 || kmax > 300000 || kmin > kmax || pmax < 50)
				print
		}
		END { if (seen < 20) print seen + 0, "changes were seen" }' "$SCRATCH/monitor"
}

learns()
{
	MORE=$(network "$MODEL" "learn = yes")$'\n'$LIMITS
	bottleneck
	ip netns exec "$R" tc monitor >>"$SCRATCH/monitor" &
	PIDS+=("$!")
	by_hand
	tuned
	busywait counter_ge updates 30
	busywait counter_ge decisions 1000
	busywait counter_ge changes 40
	expect_ge "updates" "$(counter updates)" 30
	expect_ge "decisions" "$(counter decisions)" 1000
	expect "changes that failed" "$(counter failed)" 0
	expect "changes by others" "$(counter foreign)" 0
	ctl explain r2/10: >"$SCRATCH/explained" || FINDINGS+=("accctl explain failed")
	stats 10:
	expect_stat drops=0 drop_limit=0 drop_memory_limit=0
	# Those by hand, and the queue's own, are no ramps.
	expect "thresholds outside of the limits" "$(outside)" ""
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$BEFORE"
	result "policy ddqn learns: its updates grow, and each threshold is within the limits"

	[ "$(wc -c <"$SCRATCH/state/learned.accm")" -eq "$(wc -c <"$MODEL")" ] || FINDINGS+=("what was learned is no model")
	cmp -s "$SCRATCH/state/learned.accm" "$MODEL" && FINDINGS+=("nothing was learned")
	configure observe r2 "$(network "$SCRATCH/state/learned.accm")"
	expect_done "the learned model" acc-tuner -f "$SCRATCH/conf" -t
	result "what it learned is a model, and another than that it began with"
}

# learned_file NAME TEXT: the daemon begins with this file of its own, and says TEXT of it, or nothing
learned_file()
{
	cp "$SCRATCH/damaged/$1" "$SCRATCH/state/learned.accm"
	tuned
	grep -qF "learned.accm: $2" "$SCRATCH/log" || FINDINGS+=("$1: not '$2': $(cat "$SCRATCH/log")")
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$BEFORE"
}

# Files that the daemon wrote may be damaged, too; after kill -9 it goes on from the last whole file.
resumes()
{
	learned_file weight "damaged: its SHA-256 is another: begins from [tuner] model"
	learned_file half "7616 bytes, where a model has 15232: begins from [tuner] model"
	result "a damaged file of what was learned is named, and the model is used"

	cp "$MODEL" "$SCRATCH/state/learned.accm"
	tuned
	busywait counter_ge updates 10
	stop KILL
	cmp -s "$SCRATCH/state/learned.accm" "$MODEL" || FINDINGS+=("kill -9 left another file")
	[ "$(ls "$SCRATCH/state")" = learned.accm ] || FINDINGS+=("kill -9 left: $(ls "$SCRATCH/state")")
	expect "accctl restore" "$(restore)" "r2/10: has its own settings again"
	expect "the dump" "$(dump)" "$BEFORE"
	result "kill -9 while it learns: accctl restore, and what was learned is whole"
	rm "$SCRATCH/state/learned.accm"
}

# refused_everywhere NAME TEXT: by -t, at start and by SIGHUP
refused_everywhere()
{
	local file=$SCRATCH/damaged/$1

	configure tune r2 "$(network "$file")"
	expect_refused "$1, test" "acc-tuner: $file: $2" acc-tuner -f "$SCRATCH/conf" -t
	expect_refused "$1, start" "acc-tuner: $file: $2" ip netns exec "$R" timeout 20 acc-tuner -f "$SCRATCH/conf"
	expect "the dump after $1" "$(dump)" "$BEFORE"
}

# A daemon that runs keeps its model, configuration and queue.
reload_refused()
{
	configure tune r2 "$(network "$SCRATCH/damaged/$1")"
	reloads "configuration not reloaded: $SCRATCH/damaged/$1: $2"
	expect "state after $1" "$(state r2/10:)" tuned
}

damaged()
{
	local name message was

	bottleneck
	BEFORE=$(dump)
	while read -r name message; do
		refused_everywhere "$name" "$message"
	done <"$SCRATCH/list"
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("a file of own settings was written")
	result "a damaged model is refused by its name, for each of $(wc -l <"$SCRATCH/list") damages"

	MORE=$(network "$MODEL")
	tuned
	was=$(ctl -j explain r2/10: | grep -o '"kmax_ns": [0-9]*' | tr -d '\n')
	while read -r name message; do
		reload_refused "$name" "$message"
	done <"$SCRATCH/list"
	expect "templates" "$(ctl -j explain r2/10: | grep -o '"kmax_ns": [0-9]*' | tr -d '\n')" "$was"
	busywait counter_ge changes $(($(counter changes) + 3))
	stop TERM
	expect "the dump" "$(dump)" "$BEFORE"
	result "SIGHUP with a damaged model: the old one decides"
}

require acc-tuner accctl python3
[ -e "$MODEL" ] || skip_all "needs $MODEL"
setup_path
traffic
mkdir "$SCRATCH/damaged"
python3 "$HERE/acc_models.py" "$MODEL" "$SCRATCH/damaged" >"$SCRATCH/list"
learns
resumes
damaged
rm -rf "$SCRATCH"
finish
