#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The command line of acc-train: refusals that name the option and its range, short runs. TAP.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../../..
# shellcheck source=selftests/lib/tap.sh
. "$root/selftests/lib/tap.sh"
sizes=$root/lab/traffic/cdf
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# refused TEXT ARGUMENT...: status 2, and TEXT on standard error
refused() {
	text=$1
	shift
	"$ACC_TRAIN_SAN" "$@" > "$out/stdout" 2> "$out/stderr"
	[ $? -eq 2 ] && [ ! -s "$out/stdout" ] && grep -qF -- "$text" "$out/stderr"
	tap_ok $? "refused: acc-train $*" "$(cat "$out/stderr")"
}

refused 'gate, sim or evaluate must be given'
refused "'dance' is not gate, sim or evaluate" dance
refused "--seed: '0' is not from 1 to 1000000" gate --seed 0
refused "--seeds: 'many' is not from 1 to 100" gate --seeds many
refused "--jobs: '65' is not from 1 to 64" gate --jobs 65
refused "--duration: '2' is not from 10ms to 100s" gate --duration 2
refused "--interval: '1us' is not from 500us to 100ms" gate --interval 1us
refused "--interval must not be above --duration" gate --interval 100ms --duration 50ms
refused "--delay: 'soon' is not from 0ns to 100ms" evaluate --delay soon
refused "--rtt: '1us' is not from 5us to 100ms" gate --rtt 1us-2us
refused "--rtt: '200us-100us' runs backwards" gate --rtt 200us-100us
refused "--steps: '1' is not from 1000 to 10000000" sim --steps 1 -o "$out/x"
refused "--templates: 'ten' is neither ramp20 nor paper20" gate --templates ten
refused "--reward: 'more' is not marks, paper or busy" sim --reward more -o "$out/x"
refused '-o FILE must be given' sim
refused 'the model file must be given' evaluate
refused "'more' is not an option" gate more
refused "'more' is not an option" evaluate x.accm more
refused "'x.accm' is not an option" sim -o "$out/x" x.accm
refused "--delay: '101ms' is not from 0ns to 100ms" evaluate --delay 101ms x.accm

# Options of other commands, in place of being without effect.
for option in --delay=0ns --steps=1000 --reward=marks --shuffle --unseen --output=x; do
	refused "gate has no option ${option%%=*}" gate "$option"
done
for option in --delay=0ns --duration=1s --rtt=8us --unseen --json; do
	refused "sim has no option ${option%%=*}" sim "$option" -o "$out/x"
done
for option in --interval=1ms --steps=1000 --reward=marks --shuffle --templates=ramp20 --output=x; do
	refused "evaluate has no option ${option%%=*}" evaluate "$option" x.accm
done

"$ACC_TRAIN_SAN" gate --workloads "$out" > "$out/stdout" 2> "$out/stderr"
[ $? -eq 1 ] && grep -q "$out/websearch.cdf: No such file" "$out/stderr"
tap_ok $? "a folder without workloads is named" "$(cat "$out/stderr")"

"$ACC_TRAIN_SAN" --help | grep -q '^usage: acc-train gate'
tap_ok $? "--help"

"$ACC_TRAIN" -V | grep -qx 'acc-train (sharpramp) [0-9][^ ]*'
tap_ok $? "--version"

# Options of the help, and of the page.
"$ACC_TRAIN" --help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z]*\).*/\2/p' > "$out/help"
sed -n 's/\\//g; s/^\.B[IR]* \(-. ", " \)\{0,1\}\(--[a-z]*\).*/\2/p' "$root/acc-tuner/acc-train.1" > "$out/page"
diff "$out/help" "$out/page" > "$out/diff" && [ "$(wc -l < "$out/help")" -eq 17 ]
tap_ok $? "help and man page have the same options" "$(cat "$out/diff")"
{ man --warnings -E UTF-8 -l -Tutf8 -Z "$root/acc-tuner/acc-train.1" > "$out/stdout"; groff -t -man -ww -z -Kutf8 "$root/acc-tuner/acc-train.1"; } 2> "$out/stderr"
[ ! -s "$out/stderr" ]
tap_ok $? "the man page is clean" "$(cat "$out/stderr")"

"$ACC_TRAIN_SAN" gate --duration 10ms --seeds 1 --workloads "$sizes" > "$out/one" 2> "$out/stderr" &&
	grep -q '^The best single template is ' "$out/one" && [ ! -s "$out/stderr" ]
tap_ok $? "the gate, with sanitizers" "$(cat "$out/stderr")"
"$ACC_TRAIN" gate --duration 10ms --seeds 1 --jobs 2 --workloads "$sizes" > "$out/two"
cmp -s "$out/one" "$out/two"
tap_ok $? "two processes write the same"
"$ACC_TRAIN" gate --duration 10ms --seeds 1 -j --workloads "$sizes" | python3 -c '
import json, sys
printed = json.load(sys.stdin)
assert len(printed["conditions"]) == 6 and len(printed["settings"]) == 30
assert all(len(s["conditions"]) == 6 for s in printed["settings"])
'
tap_ok $? "as JSON"
# Training: the programs for tests are compiled otherwise, and must come to the same.
"$ACC_TRAIN" sim --steps 1000 --seeds 1 -o "$out/model" --workloads "$sizes" > "$out/stdout" &&
	"$ACC_TRAIN_SAN" sim --steps 1000 --seeds 1 -o "$out/again" --workloads "$sizes" > "$out/stdout" 2> "$out/stderr" &&
	cmp -s "$out/model" "$out/again"
tap_ok $? "training writes the same bytes, compiled with sanitizers, too" "$(cat "$out/stderr")"
strings -n 30 "$out/model" | grep -q '^acc-train sim --seed 1 --seeds 1 --steps 1000 --reward marks --templates ramp20; best: seed '
tap_ok $? "the model says where it is from" "$(strings -n 30 "$out/model" | head -n 1)"
"$ACC_TRAIN" sim --seed 3 --steps 1000 --seeds 1 -o "$out/other" --workloads "$sizes" > "$out/stdout" &&
	! cmp -s "$out/model" "$out/other"
tap_ok $? "another seed writes another model"
"$ACC_TRAIN_SAN" evaluate "$out/model" --duration 10ms --seeds 1 --workloads "$sizes" > "$out/stdout" 2> "$out/stderr" &&
	[ "$(grep -c '^control: ' "$out/stdout")" -eq 4 ] && grep -q 'one good static ramp' "$out/stdout"
tap_ok $? "a model is evaluated with its controls" "$(cat "$out/stderr")"
"$ACC_TRAIN" evaluate "$root/acc-tuner/models/ramp20.accm" --duration 10ms --seeds 1 --workloads "$sizes" > "$out/stdout" 2> "$out/stderr" &&
	grep -q '^Model: acc-train sim --seed 1 --seeds 2 --steps 250000 ' "$out/stdout"
tap_ok $? "so is the model of the tree" "$(cat "$out/stderr")"
head -c 1000 "$out/model" > "$out/short"
"$ACC_TRAIN_SAN" evaluate "$out/short" --workloads "$sizes" > "$out/stdout" 2> "$out/stderr"
[ $? -eq 1 ] && grep -q "$out/short" "$out/stderr"
tap_ok $? "a damaged model is refused" "$(cat "$out/stderr")"

"$ACC_TRAIN" gate --duration 10ms --seeds 1 --workloads "$sizes" > /dev/full 2> "$out/stderr"
[ $? -eq 1 ] && grep -q 'No space left' "$out/stderr"
tap_ok $? "a full disk is an error"
tap_done
