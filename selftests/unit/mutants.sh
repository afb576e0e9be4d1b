#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Break the algorithm, one place at a time, and see whether the unit tests notice: TAP, a test per mutant, which passes
# if the mutant is killed. A mutation that no longer applies fails too.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=$here/../../kernel/algo
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../lib/tap.sh"
# shellcheck source=selftests/lib/cpu_limit.sh
. "$here/../lib/cpu_limit.sh"
seconds=60
ecnsharp='ecnsharp_algo ecnsharp_params ecnsharp_oracle port_narrow'
onramp='onramp_algo onramp_oracle'

build() {
	case $1 in
	port_narrow) set -- "$1" port.c -DPORT_NARROW ;;
	qcn | fecn | l2_wire | l2_flow | delay_hist) set -- "$1" "$1.c" ;;
	onramp_*) set -- "$1" "$1.c" oracle_onramp.c oracle_path.c pair_onramp.c ;;
	*) set -- "$1" "$1.c" oracle.c oracle_params.c pair.c ;;
	esac
	program=$1
	shift
	(cd "$here" && "$CC" -std=gnu11 -O0 -w -I . -I "$out/algo" -o "$out/$program" "$@" -lm)
}

# The first test that fails, if any, and whether it does not end; "compiler" if one cannot be built.
killer() {
	for test in $tests; do
		build "$test" 2> "$out/log" || {
			echo compiler
			return
		}
		cpu_limited "$seconds" "$out/$test" > "$out/log" 2>&1
		case $? in
		0) ;;
		"$cpu_exceeded") echo "the limit of $seconds s of CPU time, $test does not end" && return ;;
		*) echo "$test" && return ;;
		esac
	done
}

# mutant NAME FILE SED-SCRIPT, to be killed by one of $tests
mutant() {
	rm -rf "$out/algo"
	cp -r "$algo" "$out/algo"
	sed -i -e "$3" "$out/algo/$2"
	if cmp -s "$algo/$2" "$out/algo/$2"; then
		tap_ok 1 "$1: the mutation does not apply to $2"
	else
		by=$(killer)
		case $by in
		'') tap_ok 1 "$1: survived" ;;
		compiler) tap_ok 1 "$1: does not compile" "$(head -n 5 "$out/log")" ;;
		*) tap_ok 0 "$1: killed by $by" ;;
		esac
	fi
}

# Unchanged code must pass, or every mutant would fail for the wrong reason.
lives() {
	rm -rf "$out/algo"
	cp -r "$algo" "$out/algo"
	tap_silent "$1 as it is passes" killer
}

ecn() { mutant "$1" ecnsharp.h "$2"; }
params() { mutant "$1" ecnsharp_params.h "$2"; }

hold() { mutant "$1" onramp_hold.h "$2"; }
onramp() { mutant "$1" onramp.h "$2"; }
path() { mutant "$1" onramp_path.h "$2"; }
mac() { mutant "$1" onramp_mac.h "$2"; }
replay() { mutant "$1" onramp_replay.h "$2"; }
line() { mutant "$1" onramp_line.h "$2"; }
phc() { mutant "$1" onramp_phc.h "$2"; }
pick() { mutant "$1" onramp_pick.h "$2"; }
due() { mutant "$1" onramp_due.h "$2"; }
hist() { mutant "$1" delay_hist.h "$2"; }
grid() { mutant "$1" onramp_grid.h "$2"; }
unacked() { mutant "$1" onramp_unacked.h "$2"; }
qcn_cp() { mutant "$1" qcn_cp.h "$2"; }
rp() { mutant "$1" qcn_rp.h "$2"; }
fecn() { mutant "$1" fecn_cp.h "$2"; }
fecn_rp() { mutant "$1" fecn_rp.h "$2"; }
rd() { mutant "$1" fecn_wire.h "$2"; }
occupancy() { mutant "$1" cp_occupancy.h "$2"; }
pause() { mutant "$1" cp_pause.h "$2"; }
wire() { mutant "$1" l2_wire.h "$2"; }
flow() { mutant "$1" l2_flow.h "$2"; }
flows() { mutant "$1" qcn_flows.h "$2"; }
delay() { mutant "$1" onramp_delay.h "$2"; }
ring() { mutant "$1" onramp_ring.h "$2"; }

tests=$ecnsharp
lives 'ECN#'

ecn 'ins_target reached is enough' 's/level_ns > p->ins_target_ns/level_ns >= p->ins_target_ns/'
ecn 'pst_target must be exceeded' 's/level_ns < p->pst_target_ns/level_ns <= p->pst_target_ns/'
ecn 'one interval is enough' 's/now_ns > v->first_above_ns/now_ns >= v->first_above_ns/'
ecn 'marked when due, not after' 's/if (now_ns > v->next_ns) {/if (now_ns >= v->next_ns) {/'
ecn 'scheduled from now' 's/v->next_ns += div_u64(/v->next_ns = now_ns + div_u64(/'
ecn 'constant gap' 's/div_u64(p->pst_interval_ns, v->count)/p->pst_interval_ns/'
ecn 'count from 0' 's/v->count = 1;/v->count = 0;/'
ecn 'count never grows' 's/v->count++;/;/'
ecn 'count wraps' 's/if (v->count < U32_MAX)/if (1)/'
ecn 'count stops one early' 's/v->count < U32_MAX/v->count < U32_MAX - 1/'
ecn 'gap rounded up' 's/div_u64(p->pst_interval_ns, v->count)/div_u64(p->pst_interval_ns + v->count - 1, v->count)/'
ecn 'gap before the count' 's/div_u64(p->pst_interval_ns, v->count)/div_u64(p->pst_interval_ns, v->count - 1)/'
ecn 'below target does not reset' '/level_ns < p->pst_target_ns/,/}/s/v->is_above = false;/;/'
ecn 'observation restarts with every packet' 's/if (!v->is_above) {/if (!v->is_above || 1) {/'
ecn 'detected at once' 's/now_ns > v->first_above_ns + p->pst_interval_ns/now_ns > v->first_above_ns/'
ecn 'an episode never ends' '/if (!detected) {/,/}/s/v->marking = false;/;/'
ecn 'the packet that ends an episode is marked' '/if (!detected) {/,/}/s/return false;/return true;/'
ecn 'first mark an interval late' '/ecnsharp_episode_begin(p, v, s, now_ns);/,/}/s/return true;/return false;/'
ecn 'first gap missing' 's/v->next_ns = now_ns + p->pst_interval_ns;/v->next_ns = now_ns;/'
ecn 'an empty queue is no end' 's/if (!x->backlog_bytes)/if (0)/'
ecn 'an empty queue ends no episode' '/void ecnsharp_on_empty/,/^}/s/v->marking = false;/;/'
ecn 'an empty queue leaves what was observed' '/void ecnsharp_on_empty/,/^}/s/v->is_above = false;/;/'
ecn 'an empty queue before the verdict' 's/u32 verdict = ECNSHARP_MARK_NONE;/u32 verdict = ECNSHARP_MARK_NONE; if (!x->backlog_bytes) ecnsharp_on_empty(v);/'
ecn 'persistent cannot be off' 's/if (p->persistent \&\&/if (1 \&\&/'
ecn 'persistent hides instantaneous' 's/verdict |= ECNSHARP_MARK_PST/verdict = ECNSHARP_MARK_PST/'
ecn 'instantaneous hides persistent' 's/if (p->persistent \&\&/if (!verdict \&\& p->persistent \&\&/'
ecn 'length ignored' 's/if (!p->length)/if (1)/'
ecn 'length rounded up' 's/return div64_u64(backlog \* 8000000000ULL, p->rate_bps);/return div64_u64(backlog * 8000000000ULL + p->rate_bps - 1, p->rate_bps);/'
ecn 'length in bytes, not bits' 's/backlog \* 8000000000ULL/backlog * 1000000000ULL/'
ecn 'length overflows' 's/if (backlog > 2147483647)/if (0)/'
ecn 'ramp marks at kmin' 's/level <= p->kmin/level < p->kmin/'
ecn 'ramp certain at kmax' 's/level > p->kmax/level >= p->kmax/'
ecn 'ramp takes one chance more' 's/return random < div_u64/return random <= div_u64/'
ecn 'ramp from 0' 's/p->pmax_q32 \* (level - p->kmin)/p->pmax_q32 * level/'
ecn 'ramp by time with the length signal' 's/p->length ? x->backlog_bytes : level_ns/level_ns/'
ecn 'saturation counted one late' 's/if (now_ns > v->next_ns)$/if (now_ns > v->next_ns + 1)/'
ecn 'saturation counted when due' 's/if (now_ns > v->next_ns)$/if (now_ns >= v->next_ns)/'
ecn 'calm at the target' 's/level_ns < p->pst_target_ns \&\& level_ns <=/level_ns <= p->pst_target_ns \&\& level_ns <=/'
ecn 'calm above ins_target' 's/level_ns < p->pst_target_ns \&\& level_ns <= p->ins_target_ns/level_ns < p->pst_target_ns/'
ecn 'calm above the target before' 's/!ecnsharp_wants_random(p) \&\& !v->is_above/!ecnsharp_wants_random(p)/'
ecn 'calm on a ramp' 's/!ecnsharp_wants_random(p) \&\& !v->is_above/!v->is_above/'
ecn 'episodes not counted' 's/s->pst_episodes++;/;/'
ecn 'random never drawn' 's/return p->ins == ECNSHARP_INS_RAMP;/return false;/'

mutant 'range includes one below' param_info.h 's/(s64)value < info->least/(s64)value + 1 < info->least/'
mutant 'range includes one above' param_info.h 's/(s64)value > info->most/(s64)value > info->most + 1/'
params 'a refused request changes something' 's/struct ecnsharp_settings next = \*s;/struct ecnsharp_settings next = *s; s->value[0]++;/'
params 'refused too late' 's/^	why = ecnsharp_settings_check(&next);/	*s = next; why = ecnsharp_settings_check(\&next);/'
params 'contradictions accepted' 's/^	why = ecnsharp_request_check(req);/	why = ECNSHARP_ACCEPTED;/'
params 'old arguments stay' 's/^	ecnsharp_settings_yield(&next, req);/	;/'
params 'both off accepted' 's/!s->value\[ECNSHARP_INSTANTANEOUS\] && !s->value\[ECNSHARP_PERSISTENT\]/0/'
params 'rate without length accepted' 's/if (!length && ecnsharp_is_given(s, ECNSHARP_BIT(RATE_BPS)))/if (0)/'
params 'rate not forgotten' 's/ecnsharp_unset(s, ECNSHARP_BIT(RATE_BPS));/;/'
params 'ramp order of bytes ignored' 's/s->value\[ECNSHARP_KMIN_BYTES\] > s->value\[ECNSHARP_KMAX_BYTES\]/0/'
params 'average may exceed tail' 's/s->value\[ECNSHARP_RTT_AVG_NS\] > s->value\[ECNSHARP_RTT_TAIL_NS\]/0/'
params 'rule without a range' 's/ecnsharp_target_ns(s, ECNSHARP_INS_TARGET_NS) > most/0/'
params 'ins_target from the average' '/case ECNSHARP_INS_TARGET_NS:/,/return/s/RTT_TAIL_NS/RTT_AVG_NS/'
params 'pst_target from the tail' '/case ECNSHARP_PST_TARGET_NS:/,/return/s/RTT_AVG_NS/RTT_TAIL_NS/'
params 'interval scaled by lambda' 's/^		return s->value\[ECNSHARP_RTT_TAIL_NS\];/		return ecnsharp_lambda_rtt_ns(s, ECNSHARP_RTT_TAIL_NS);/'
params 'a void ins_target stays with a ramp' 's/if (ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP))$/if (0)/'
params 'lambda shown as given' 's/ecnsharp_unset(derived, s->given);/;/'
params 'no lambda shown' 's/ecnsharp_set(derived, ECNSHARP_LAMBDA_PPM, .*/;/'
params 'a target leaves lambda behind' 's/ecnsharp_unset(&derived, ECNSHARP_GIVEN_LAMBDA);/;/'
params 'the rule leaves a ramp' 's/^				   ECNSHARP_GIVEN_RULE))$/				   0))/'
params 'the rule ends the ramp that comes with it' 's/^	else if (ecnsharp_is_given(req, ECNSHARP_BIT(INS_TARGET_NS) |$/	if (ecnsharp_is_given(req, ECNSHARP_BIT(INS_TARGET_NS) |/'
params 'wrong lambda' 's/return 428571;/return 428572;/'
params 'pmax too large by one' 's/p->pmax_q32 = div_u64(/p->pmax_q32 = 1 + div_u64(/'

mutant 'division off at equality' port.h 's/rest >= divisor/rest > divisor/'
mutant 'division forgets the last bit' port.h 's/bit >= 0/bit > 0/'

tests=$onramp
lives 'On-Ramp'

hold 'the whole hold is counted at once' 's/min(now_ns, p->t_next_ns)/p->t_next_ns/'
hold 'a hold never ends' 's/min(now_ns, p->t_next_ns)/now_ns/'
hold 'a hold that ended before it began is counted' 's/end_ns > p->begin_ns ? end_ns - p->begin_ns : 0/end_ns - p->begin_ns/'
hold 'holds of the past are forgotten' 's/return p->done_ns + /return /'
hold 'a replaced hold is forgotten' 's/p->done_ns = onramp_hold_total(p, now_ns);/;/'
hold 'a replaced hold counts to its end' 's/p->done_ns = onramp_hold_total(p, now_ns);/p->done_ns = onramp_hold_total(p, p->t_next_ns);/'
hold 'a hold cannot be shortened' 's/p->t_next_ns = t_next_ns;/p->t_next_ns = t_next_ns > p->t_next_ns ? t_next_ns : p->t_next_ns;/'
hold 'a hold begins with the last' 's/p->begin_ns = max(p->begin_ns, now_ns);/;/'
hold 'a hold begins before the last' 's/p->begin_ns = max(p->begin_ns, now_ns);/p->begin_ns = now_ns;/'

onramp 'a rise counts as 1' '/if (fall_ns <= 0)/,/return/s/return 0;/return ONRAMP_BETA_ONE;/'
onramp 'a rise is not measured' 's/if (v->has_last \&\& x->total_ns > v->total_ns)/if (v->has_last \&\& x->total_ns > v->total_ns \&\& v->owd_ns > x->owd_ns)/'
onramp 'beta above 1' 's/if ((u64)fall_ns >= hold_ns)/if (0)/'
onramp 'a long hold overflows' 's/if (hold_ns >> 47)/if (0)/'
onramp 'a long hold is measured twice as strong' 's/div64_u64(fall_ns, hold_ns \/ ONRAMP_BETA_ONE)/div64_u64(fall_ns, hold_ns \/ ONRAMP_BETA_ONE \/ 2)/'
onramp 'beta rounded down' 's/sum + all \/ 2, all/sum, all/'
onramp 'beta rounded up' 's/sum + all \/ 2, all/sum + all - 1, all/'
onramp 'half the gain' 's/div64_u64(sum + all \/ 2, all)/div64_u64(sum + v->beta_q16 * all + all \/ 2, 2 * all)/'
onramp 'beta is the last measurement' 's/v->beta_q16 = div64_u64(.*/v->beta_q16 = measured_q16;/'
onramp 'the final algorithm weighs, too' 's/if (p->law != ONRAMP_WEIGHTED)/if (p->law == ONRAMP_STRAWMAN)/'
onramp 'the weighted algorithm does not weigh' 's/if (p->law != ONRAMP_WEIGHTED)/if (1)/'
onramp 'the weighted algorithm does not compensate' 's/if (p->law != ONRAMP_STRAWMAN)/if (p->law == ONRAMP_FINAL)/'
onramp 'reports out of order are measured' 's/if (v->has_last \&\& x->tx_ns <= v->tx_ns)/if (0)/'
onramp 'the first packet is measured' 's/if (v->has_last \&\& x->total_ns > v->total_ns)/if (x->total_ns > v->total_ns)/'
onramp 'no hold is measured' 's/x->total_ns > v->total_ns)/x->total_ns >= v->total_ns)/'
onramp 'B is the first packet' 's/^	v->owd_ns = x->owd_ns;/	if (!v->tx_ns) v->owd_ns = x->owd_ns;/'
onramp 'P since the first packet' 's/^	v->total_ns = x->total_ns;/	;/'
onramp 'O grows in G' 's/v->owd_ns - x->owd_ns,/x->owd_ns - v->owd_ns,/'
onramp 'beta is ignored' 's/(hold_rtt_ns >> 16) \* v->beta_q16/(hold_rtt_ns >> 16) * ONRAMP_BETA_ONE/'
onramp 'beta x P loses its low bits' 's/((hold_rtt_ns & 65535) \* v->beta_q16 >> 16)/0/'
onramp 'P is all hold ever' 's/x->total_now_ns - x->total_ns,/x->total_now_ns,/'
onramp 'P is wrapped if time runs back' 's/max_t(s64, x->total_now_ns - x->total_ns, 0)/x->total_now_ns - x->total_ns/'
onramp 'the strawman compensates' 's/if (p->law != ONRAMP_STRAWMAN)/if (1)/'
onramp 'the final algorithm does not' 's/if (p->law != ONRAMP_STRAWMAN)/if (0)/'
onramp 'T is left out' 's/u64 floor_ns = x->threshold_ns;/u64 floor_ns = 0;/'
onramp 'a negative delay is a long one' 's/if (x->owd_ns <= 0 || /if (/'
onramp 'T reached is enough' 's/(u64)x->owd_ns <= floor_ns)/(u64)x->owd_ns + 1 <= floor_ns)/;s/d.hold_ns = (u64)x->owd_ns - floor_ns;/d.hold_ns = (u64)x->owd_ns - floor_ns + 1;/'
onramp 'hold down to 0, not to T' 's/d.hold_ns = (u64)x->owd_ns - floor_ns;/d.hold_ns = (u64)x->owd_ns;/'
onramp 'no bound' 's/if (d.hold_ns > p->max_hold_ns) {/if (0) {/'
onramp 'bounded at max_hold' 's/if (d.hold_ns > p->max_hold_ns) {/if (d.hold_ns >= p->max_hold_ns) {/'
onramp 'bound not reported' 's/d.bounded = true;/;/'
onramp 'learns after it judged' 's/^	onramp_learn(p, v, x);/	struct onramp_decision d = onramp_judge(p, v, x);\n\n	onramp_learn(p, v, x);/;/^onramp_on_sample(/,/^}/s/return onramp_judge(p, v, x);/return d;/'
onramp 'never learns' 's/^	onramp_learn(p, v, x);/	;/'
onramp 'beta begins at 0' 's/\.beta_q16 = beta_q16/.beta_q16 = 0/'

path 'a longer window' 's/ONRAMP_WINDOW_NS 50000000ULL/ONRAMP_WINDOW_NS 60000000ULL/'
path 'three windows for a clock' 's/ONRAMP_CLOCK_WINDOWS 2/ONRAMP_CLOCK_WINDOWS 3/'
path 'one window for a clock' 's/ONRAMP_CLOCK_WINDOWS 2/ONRAMP_CLOCK_WINDOWS 1/'
path 'one window less for a route' 's/ONRAMP_ROUTE_WINDOWS 40/ONRAMP_ROUTE_WINDOWS 39/'
path 'one window more for a route' 's/ONRAMP_ROUTE_WINDOWS 40/ONRAMP_ROUTE_WINDOWS 41/'
path 'a base is settled a ns too early' 's/ONRAMP_SETTLED_NS 1000000000ULL/ONRAMP_SETTLED_NS 999000000ULL/'
path 'learns a ns too short' 's/ONRAMP_RELEARN_NS 50000000ULL/ONRAMP_RELEARN_NS 49000000ULL/'
path 'a given T is ignored' 's/^	if (p->threshold_ns)$/	if (0)/'
path 'the bound counts once' 's/v->base_ns + 2 \* error_ns/v->base_ns + error_ns/'
path 'no margin' 's/ + p->margin_ns//'
path 'fresh while suspect' 's/v->owd_at_ns \&\& !v->suspect \&\&/v->owd_at_ns \&\&/'
path 'fresh a ns too short' 's/(s64)(now_ns - v->owd_at_ns) <= /(s64)(now_ns - v->owd_at_ns) < /'
path 'not fresh if time runs back' 's/(s64)(now_ns - v->owd_at_ns) <= (s64)fresh_ns/now_ns - v->owd_at_ns <= fresh_ns/'
path 'the latest delay is not dated' 's/v->owd_at_ns = r->now_ns;/if (!v->owd_at_ns) v->owd_at_ns = r->now_ns;/'
path 'a hold does not cut another short' 's/^	onramp_hold_set(&v->held, now_ns, t_next_ns);/	if (t_next_ns > v->held.t_next_ns)\n		onramp_hold_set(\&v->held, now_ns, t_next_ns);/'
path 'a new epoch forgets what is held' 's/ \.held = v->held,//; s/\.held = v->held,//'
path 'epochs are ignored' 's/if (r->epoch != v->epoch)/if (0)/'
path 'a suspect path keeps its base' 's/v->has_base = false;/;/'
path 'suspicion does not learn what it came with' '/^static inline void onramp_path_suspect(/,/^}/s/onramp_path_learn(v, r);/;/'
path 'suspicion goes on counting clocks' '/^static inline void onramp_path_suspect(/,/^}/s/v->stepped = 0;/;/'
path 'suspicion goes on counting routes' '/^static inline void onramp_path_suspect(/,/^}/s/v->alike = 0;/;/'
path 'suspicion does not take what it came with' '/^static inline void onramp_path_suspect(/,/^}/s/onramp_path_window_take(v, r);/;/'
path 'feedback RTTs are not learned' 's/if (!v->has_rtt || onramp_path_rtt(r) < v->rtt_ns)/if (!v->has_rtt)/'
path 'the last feedback RTT is the shortest' 's/if (!v->has_rtt || onramp_path_rtt(r) < v->rtt_ns)/if (1)/'
path 'the first feedback RTT is not taken' 's/if (!v->has_rtt || onramp_path_rtt(r) < v->rtt_ns)/if (onramp_path_rtt(r) < v->rtt_ns)/'
path 'feedback RTTs are not known' 's/v->has_rtt = true;/;/'
path 'the way back is not watched' 's/v->window_back_ns = min(v->window_back_ns, back_ns);/;/'
path 'the last way back counts' 's/v->window_back_ns = min(v->window_back_ns, back_ns);/v->window_back_ns = back_ns;/'
path 'the way back of the window before counts' '/^static inline void onramp_path_window_begin(/,/^}/s/v->window_back_ns = S64_MAX;/;/'
path 'the new base is the lowest delay' 's/v->base_ns = min(v->base_ns, rtt_base_ns);/;/'
path 'the new base is what the feedback RTT gives' 's/v->base_ns = min(v->base_ns, rtt_base_ns);/v->base_ns = rtt_base_ns;/'
path 'the new base is below 0' 's/max_t(s64, onramp_path_rtt_base(v), 0)/onramp_path_rtt_base(v)/'
path 'what is reported to a suspect path counts in the window' '/^static inline void onramp_path_clear(/,/^}/s/onramp_path_window_begin(v, now_ns);/;/'
path 'what is reported to a suspect path gives no base' '/^	if (v->suspect \&\& !v->backoff) {/,/^	}/s/onramp_path_window_take(v, r);/;/'
path 'the bound counts once in what a clock may do' 's/> 2 \* (s64)r->error_ns/> (s64)r->error_ns/'
path 'a clock may do less than twice the bound' 's/> 2 \* (s64)r->error_ns/>= 2 * (s64)r->error_ns/'
path 'any feedback RTT explains' 's/return onramp_path_rtt_base(v) - v->base_ns > .*/return false;/'
path 'no feedback RTT explains' 's/return onramp_path_rtt_base(v) - v->base_ns > .*/return true;/'
path 'alike without the margin' 's/s64 within_ns = p->margin_ns + r->error_ns;/s64 within_ns = r->error_ns;/'
path 'alike without the bound' 's/s64 within_ns = p->margin_ns + r->error_ns;/s64 within_ns = p->margin_ns;/'
path 'alike by less than margin and bound' 's/differs_ns <= within_ns/differs_ns < within_ns/'
path 'alike by less than margin and bound below' 's/differs_ns >= -within_ns/differs_ns > -within_ns/'
path 'any rise is alike' 's/differs_ns <= within_ns \&\& //'
path 'any fall is alike' 's/ \&\& differs_ns >= -within_ns//'
path 'alike to what was before' 's/return v->alike \&\& /return /'
path 'alike to the last' 's/^		v->alike++;/		v->alike++, v->alike_min_ns = v->window_min_ns;/'
path 'nothing need be held in vain' 's/if (above \&\& (held_ns > 0 || v->backoff))/if (above)/'
path 'a clock step is found by scattered windows' '/^static inline void onramp_path_step(/,/^}/s/v->stepped = 0;/;/'
path 'a window that is not in vain leaves the clock as it was' '/^static inline void onramp_path_window_end(/,/^}/s/v->stepped = 0;/;/'
path 'a route change is found by scattered windows' '/^static inline void onramp_path_window_end(/,/^}/s/v->alike = 0;/;/'
path 'another route keeps its feedback RTTs' 's/v->has_rtt = false;/;/'
path 'no clock is suspect' 's/stepped = v->stepped >= ONRAMP_CLOCK_WINDOWS;/stepped = false;/'
path 'the report that ends a window counts in it' '/^static inline bool onramp_path_count_windows(/,/^}/{s/^	onramp_path_window_take(v, r);/	;/;s/^	if (!v->window_ns)/	onramp_path_window_take(v, r);\n&/}'
path 'one point of suspicion less' 's/ONRAMP_SUSPICION_MAX 40/ONRAMP_SUSPICION_MAX 39/'
path 'one point of suspicion more' 's/ONRAMP_SUSPICION_MAX 40/ONRAMP_SUSPICION_MAX 41/'
path 'what is hidden counts less' 's/ONRAMP_SUSPICION_HIDDEN 8/ONRAMP_SUSPICION_HIDDEN 7/'
path 'what is hidden counts more' 's/ONRAMP_SUSPICION_HIDDEN 8/ONRAMP_SUSPICION_HIDDEN 10/'
path 'backs off for a window less' 's/ONRAMP_BACKOFF_WINDOWS 40/ONRAMP_BACKOFF_WINDOWS 39/'
path 'backs off for a window more' 's/ONRAMP_BACKOFF_WINDOWS 40/ONRAMP_BACKOFF_WINDOWS 41/'
path 'what is longer than had passed is not noticed' 's/v->window_long = true;/;/'
path 'nor does it count' 's/if (v->window_long || /if (/'
path 'it needs a hold of more than half' 's/ || (held_ns > 0 \&\& v->window_long)//'
path 'it needs none' 's/(held_ns > 0 \&\& v->window_long)/v->window_long/'
path 'it counts for ever' 's/v->window_long = false;/;/'
path 'nothing is hidden' 's/return v->base_ns - onramp_path_rtt_base(v) > .*/return false;/'
path 'all is hidden' 's/return v->base_ns - onramp_path_rtt_base(v) > .*/return true;/'
path 'the bound alone is hidden' '/^static inline bool onramp_path_is_hidden(/,/^}/s/> 2 \* (s64)r->error_ns/>= 2 * (s64)r->error_ns/'
path 'the bound counts once in what is hidden' '/^static inline bool onramp_path_is_hidden(/,/^}/s/> 2 \* (s64)r->error_ns/> (s64)r->error_ns/'
path 'two thirds are more than two thirds' 's/return 2 \* v->window_sum_ns <$/return 2 * v->window_sum_ns <=/'
path 'all stands' 's/return 2 \* v->window_sum_ns <$/return 0 \* v->window_sum_ns <=/'
path 'the sum of the window before counts' '/^static inline void onramp_path_window_begin(/,/^}/s/v->window_sum_ns = 0;/;/'
path 'the reports of the window before count' '/^static inline void onramp_path_window_begin(/,/^}/s/v->window_reports = 0;/;/'
path 'reports are not counted' 's/^	v->window_reports++;/	v->window_reports = 1;/'
path 'suspicion is not lowered' 's/^		v->suspicion--;/		;/'
path 'suspicion is lowered below 0' 's/else if (v->suspicion)$/else/'
path 'a back-off leaves no suspicion' 's/v->suspicion = ONRAMP_SUSPICION_MAX - 1;/v->suspicion = 0;/'
path 'held while it backs off' '/^static inline void onramp_path_add_suspicion(/,/^}/s/v->suspect = true;/;/'
path 'a delay that is not above T leaves suspicion' '/^	if (!above)$/,/;/s/v->suspicion = 0;/;/'
path 'suspicion goes on counting' '/^static inline void onramp_path_suspect(/,/^}/s/v->suspicion = 0;/;/'
path 'suspicion goes on backing off' '/^static inline void onramp_path_suspect(/,/^}/s/v->backoff = 0;/;/'
path 'a back-off has no end' 's/v->suspect = --v->backoff;/;/'
path 'a back-off counts down at its end only' 's/v->suspect = --v->backoff;/--v->backoff;/'
path 'windows of back-off are compared' '/v->suspect = --v->backoff;/,/^	}/s/^		return;/		;/'
path 'a back-off tells of no clock' 's/(held_ns > 0 || v->backoff)/(held_ns > 0)/'
path 'nothing wakes it' '/^static inline bool onramp_path_backs_off(/,/^}/s/^	v->backoff = 0;/	return true;/'
path 'T wakes it not' '/^static inline bool onramp_path_backs_off(/,/^}/s/r->owd_ns > (s64)/r->owd_ns >= (s64)/'
path 'woken but suspect' '/^static inline bool onramp_path_backs_off(/,/^}/s/v->suspect = false;/;/'
path 'back-off does not matter' 's/if (v->suspect \&\& !v->backoff) {/if (v->suspect) {/'
path 'the way back of the first such window is not known' 's/v->stepped_back_ns = v->window_back_ns;/;/'
path 'of such windows the first counts' 's/v->stepped_back_ns = min(v->stepped_back_ns, v->window_back_ns);/;/'
path 'the sample that showed a clock step is forgotten' 's/v->window_back_ns = min(v->window_back_ns, v->stepped_back_ns);/;/'
path 'the base does not rise' 's/v->base_ns += r->error_ns - v->error_ns;/;/'
path 'the base rises by the whole bound' 's/v->base_ns += r->error_ns - v->error_ns;/v->base_ns += r->error_ns;/'
path 'the base rises and falls with the bound' 's/if (r->error_ns > v->error_ns) {/if (r->error_ns != v->error_ns) {/'
path 'the base follows every delay' 's/if (!v->has_base || r->owd_ns < v->base_ns) {/if (1) {/'
path 'any fall unsettles the base' 's/v->base_ns - r->owd_ns > (s64)r->error_ns)/1)/'
path 'no fall unsettles the base' 's/if (!v->has_base || v->base_ns - r->owd_ns/if (!v->has_base \&\& v->base_ns - r->owd_ns/'
path 'settled a ns too late' 's/r->now_ns - v->base_at_ns >= ONRAMP_SETTLED_NS/r->now_ns - v->base_at_ns > ONRAMP_SETTLED_NS/'
path 'below by the bound is too much' 's/r->owd_ns < v->base_ns - (s64)r->error_ns;/r->owd_ns <= v->base_ns - (s64)r->error_ns;/'
path 'below without the bound' 's/r->owd_ns < v->base_ns - (s64)r->error_ns;/r->owd_ns < v->base_ns;/'
path 'held since ever' '/s64 held_ns = /,/;/s/v->window_total_ns/0/'
path 'less than nothing is long' 's/bool long_held = held_ns > 0 \&\&/bool long_held = held_ns \&\&/'
path 'half is more than half' 's/(u64)held_ns \* 2 > r->now_ns/(u64)held_ns * 2 >= r->now_ns/'
path 'T is above T' 's/bool above = v->window_min_ns > (s64)threshold_ns/bool above = v->window_min_ns >= (s64)threshold_ns/'
path 'the window is not watched' 's/v->window_min_ns = min(v->window_min_ns, r->owd_ns);/;/'
path 'the last delay of a window counts' 's/v->window_min_ns = min(v->window_min_ns, r->owd_ns);/v->window_min_ns = r->owd_ns;/'
path 'suspicion goes on with the old window' '/^static inline void onramp_path_suspect(/,/^}/s/onramp_path_window_begin(v, r->now_ns);/;/'
path 'a given T is cleared by time' '/onramp_path_is_cleared(/,/^}/s/if (p->threshold_ns)/if (0)/'
path 'cleared above T only' 's/return r->owd_ns <= (s64)p->threshold_ns;/return r->owd_ns < (s64)p->threshold_ns;/'
path 'cleared a ns too late' 's/r->now_ns - v->suspect_ns >= ONRAMP_RELEARN_NS/r->now_ns - v->suspect_ns > ONRAMP_RELEARN_NS/'
path 'an unknown clock is accepted' 's/if (!r->clock_ok)/if (0)/'
path 'max_error is too much' 's/if (r->error_ns > p->max_error_ns)/if (r->error_ns >= p->max_error_ns)/'
path 'a negative delay is possible' 's/if (r->owd_ns < 0)/if (0)/'
path 'no delay is negative' 's/if (r->owd_ns < 0)/if (r->owd_ns <= 0)/'
path 'longer than possible' 's/if (r->owd_ns > (s64)(r->now_ns - r->tx_ns))/if (0)/'
path 'as long as possible is too long' 's/if (r->owd_ns > (s64)(r->now_ns - r->tx_ns))/if (r->owd_ns >= (s64)(r->now_ns - r->tx_ns))/'
path 'below the base is only suspect' 's/return ONRAMP_BELOW_BASE;/return ONRAMP_SUSPECT;/'
path 'time runs back' 's/ordered.now_ns = max(v->now_ns, r->now_ns);/;/'
path 'time runs back with an epoch' 's/ \.now_ns = v->now_ns,//'
path 'a suspect path is accepted' 's/if (!onramp_path_is_cleared(p, v, r))/if (0)/'
path 'suspect for ever' 's/v->suspect = false;/;/'
path 'never held in vain' 's/(onramp_path_count_windows(p, v, r) || /((onramp_path_count_windows(p, v, r) \&\& 0) || /'

tests=onramp_mac
lives 'the tag of an OR-ACK'

mac 'one round for a block' '/void onramp_mac_absorb/,/^}/{0,/onramp_mac_round(s);/s/onramp_mac_round(s);/;/}'
mac 'three rounds at the end' '/u64 onramp_mac_end/,/^}/{0,/onramp_mac_round(s);/s/onramp_mac_round(s);/;/}'
mac 'a block is big endian' 's/<< 8 \* i;/<< 8 * (7 - i);/'
mac 'the length is not hashed' 's/(u64)(before + len) << 56/0/'
mac 'the length of the second part only' 's/(u64)(before + len) << 56/(u64)len << 56/'
mac 'half of the key' 's/onramp_mac_u64(key + 8, 8)/onramp_mac_u64(key, 8)/'
mac 'addresses are not hashed' '/u64 onramp_mac_siphash/,/^}/s/onramp_mac_update(&s, first, first_len);/;/'
mac 'only the source is hashed' 's/onramp_mac_update(&s, first, first_len);/onramp_mac_update(\&s, first, first_len \/ 2);/'
mac 'the key number is not hashed' 's/data, tag - data));/data, tag - data - 4));/'
mac 'the tag is not compared whole' 's/return !(tag ^ view->mac_tag);/return !(u32)(tag ^ view->mac_tag);/'
mac 'every tag is good' 's/return !(tag ^ view->mac_tag);/return true;/'
mac 'no tag is good' 's/return !(tag ^ view->mac_tag);/return false;/'

tests=onramp_replay
lives 'the replay window'

replay 'what is old is taken' 's/off_ns < -ONRAMP_REPLAY_NS || //'
replay 'what is ahead of our clock is taken' 's/ || off_ns > ONRAMP_REPLAY_NS//'
replay 'a second old is too old' 's/off_ns < -ONRAMP_REPLAY_NS/off_ns <= -ONRAMP_REPLAY_NS/'
replay 'epochs do not matter' 's/if (!w->started || w->epoch != m->epoch) {/if (!w->started) {/'
replay 'begun anew without a floor' 's/onramp_replay_begin(w, m, w->newest_ns);/onramp_replay_begin(w, m, 0);/'
replay 'the floor is not looked at' 's/if (m->stamp_ns <= w->floor_ns)/if (0)/'
replay 'what is as old as the floor is taken' 's/if (m->stamp_ns <= w->floor_ns)/if (m->stamp_ns < w->floor_ns)/'
replay 'begun anew by what is as new' 's/if (m->stamp_ns <= w->newest_ns)/if (m->stamp_ns < w->newest_ns)/'
replay 'never begun anew' 's/if (m->stamp_ns <= w->newest_ns)/if (1)/'
replay 'any serial ahead is taken' 's/if (ahead >= ONRAMP_REPLAY_WINDOW \&\& behind/if ((s32)ahead < 0 \&\& behind/'
replay 'a window of 63' 's/#define ONRAMP_REPLAY_WINDOW 64/#define ONRAMP_REPLAY_WINDOW 63/'
replay 'the window is not looked at' 's/ \&\& w->seen >> behind & 1)/ \&\& 0)/'
replay 'what was late is not noted' 's/w->seen |= 1ULL << behind;/;/'
replay 'the window does not move' 's/w->seen = w->seen << ahead | 1;/w->seen |= 1;/'
replay 'the window forgets as it moves' 's/w->seen = w->seen << ahead | 1;/w->seen = 1;/'
replay 'the highest does not move' 's/w->top = m->serial;/;/'
replay 'the newest is the last' 's/w->newest_ns = max(w->newest_ns, m->stamp_ns);/w->newest_ns = m->stamp_ns;/'

tests=onramp_phc
lives 'lines between clocks'

line 'time before the beginning' 's/if (one_ns < 0 ||/if (/'
line 'a span that overflows' 's/__builtin_sub_overflow(one_ns, line->ref_ns, &span_ns) ||/((span_ns = (s64)((u64)one_ns - line->ref_ns)), 0) ||/'
line 'a span that is too long' 's/ || span_ns >= ONRAMP_LINE_SPAN_NS)/)/'
line 'a span that is too long, back' 's/span_ns <= -ONRAMP_LINE_SPAN_NS || //'
line 'a span as long as may be' 's/span_ns >= ONRAMP_LINE_SPAN_NS)/span_ns >= ONRAMP_LINE_SPAN_NS - 1)/'
line 'no drift' 's/span_ns \* line->drift >> 32/0 * span_ns/'
line 'a part of a ns is dropped towards 0' 's/span_ns \* line->drift >> 32/span_ns * line->drift \/ 4294967296LL/'
line 'an offset of 32 bit' 's/add_overflow(line->offset_ns,/add_overflow((s64)(s32)line->offset_ns,/'
line 'a result before the beginning' 's/ || sum_ns < 0)/)/'
line 'lines are never apart' 's/ > most_ns;/ > most_ns \&\& 0;/'
line 'lines as far apart as may be are apart' 's/ > most_ns;/ >= most_ns;/'
line 'lines are apart one way only' 's/by_a > by_b ? by_a - by_b : by_b - by_a/by_a > by_b ? by_a - by_b : 0/'
line 'lines are apart the other way only' 's/by_a > by_b ? by_a - by_b : by_b - by_a/by_a > by_b ? 0 : by_b - by_a/'
phc 'a line is never stale' 's/return phc && now_ns < phc->until_ns;/return phc;/'
phc 'a line is stale too late' 's/now_ns < phc->until_ns/now_ns <= phc->until_ns/'
phc 'no stamp is one' 's/if (!stamp_ns)/if (0)/'
phc 'what lies ahead is accepted' 's/age_ns < -(s64)phc->error_ns ||/0 ||/'
phc 'nothing may lie ahead' 's/age_ns < -(s64)phc->error_ns ||/age_ns < 0 ||/'
phc 'what is old is accepted' 's/age_ns > (s64)(phc->window_ns + phc->error_ns))/0)/'
phc 'the error is no part of the window' 's/phc->window_ns + phc->error_ns/phc->window_ns/'
phc 'a stale line must be followed' 's/if (!onramp_phc_is_good(was, now_ns) ||/if (!was ||/'
phc 'epochs must follow' 's/ || was->epoch != next->epoch)/)/'
phc 'only the error of the last counts' 's/(u64)was->error_ns + next->error_ns/(u64)was->error_ns/'
phc 'only the error of the next counts' 's/(u64)was->error_ns + next->error_ns/(u64)next->error_ns/'

tests=onramp_delay
lives 'delays of segments'

delay 'the backlog stays' 's/if (nic_comp)/if (0)/'
delay 'the backlog goes, whatever the user says' 's/if (nic_comp)/if (1)/'
delay 'the backlog is added' 's/d.owd_ns -= onramp_link_ns(x->backlog_bytes/d.owd_ns += onramp_link_ns(x->backlog_bytes/'
delay 'segments leave at once' 's/d.owd_ns -= d.later_ns;/;/'
delay 'no margin for a link of unknown speed' 's/if (d.no_rate)/if (0)/'
delay 'a first segment has no rate' 's/\.no_rate = before_bytes \&\& !bps/.no_rate = !bps/'
delay 'more than 1 GiB' 's/min(bytes, ONRAMP_LINK_BYTES_MAX)/min(bytes, 8 * ONRAMP_LINK_BYTES_MAX)/'

tests=onramp_ring
lives 'the ring of records'

ring 'a number that came round is near' 's/bool young = onramp_ring_forget(r, seq);/bool young = false;/'
ring 'an end that came round is near' 's/young |= onramp_ring_forget(r, end);/;/'
ring 'what is sent again reaches no further' 's/^	onramp_ring_forget(r, end);/	;/'
ring 'what is sent again beyond the end was not sent' '/onramp_ring_again(struct/,/^}/s/r->end = end;/;/'
ring 'a full ring has space' 's/if (r->count == r->size) {/if (0) {/'
ring 'a connection begins a byte too soon' 's/< -(s32)ONRAMP_RING_REACH/<= -(s32)ONRAMP_RING_REACH/'
ring 'the head stays where it was' 's/^	r->head = 0;/	;/'
ring 'idle a ns late' 's/>= (s64)idle_ns/> (s64)idle_ns/'
ring 'a range beyond its packet is in it' 's/ || len > x->len - inside)/)/'
ring 'what is sent again is not ambiguous' 's/x->ambiguous = true;/;/'
ring 'a neighbour of a repeat is ambiguous' 's/begin - offset >= len)$/begin - offset > len)/'

tests=onramp_liar
lives 'the bound on time without a packet'

hold 'the time without a packet is not bounded' 's/return min(now_ns + hold_ns, since_ns + max_hold_ns);/return now_ns + hold_ns;/'
hold 'the time without a packet is bounded from now' 's/u64 since_ns = p->has_first ? p->first_ns : now_ns;/u64 since_ns = now_ns;/'
hold 'each hold begins it anew' 's/if (!p->has_first)$/if (1)/'
hold 'no hold begins it' 's/p->has_first = true;/;/'
hold 'a packet that leaves does not end it' 's/p->has_first = false;/;/'
hold 'twice max_hold' 's/since_ns + max_hold_ns);/since_ns + 2 * max_hold_ns);/'

tests=onramp_pick
lives 'which packets are remembered'

grid 'a grid byte more' 's/(seq - 1) ^ (seq + len - 1)/(seq - 1) ^ (seq + len)/'
grid 'a grid byte less' 's/(seq - 1) ^ (seq + len - 1)/seq ^ (seq + len - 1)/'
grid 'half the grid' 's/~(grid - 1)/~(grid \/ 2 - 1)/'
pick 'large is a byte more' 's/len >= ONRAMP_PICK_LARGE/len > ONRAMP_PICK_LARGE/'
pick 'no grid, none' 's/return true;$/return false;/'
pick 'one more at once' 's/ONRAMP_PICK_BURST 64/ONRAMP_PICK_BURST 65/'
pick 'twice the rate' 's/ONRAMP_PICK_RATE 50000/ONRAMP_PICK_RATE 100000/'
pick 'a new flow counts once' 's/ONRAMP_PICK_NEW : 1/1 : 1/'
pick 'the rate is saved' 's/max(p->used_ns, now_ns)/p->used_ns/'
pick 'debt' 's/p->used_ns = min(used_ns, most_ns)/p->used_ns = used_ns/'
pick 'in any case for nothing' 's/p->used_ns = min(used_ns, most_ns)/if (!must) p->used_ns = used_ns/'
pick 'what was sent before is not in any case' 's/must |= /must = /'
pick 'the same is new' 's/ahead < 0 \&\& /ahead < -1 \&\& /'
pick 'the end does not move' 's/if (!again || /if (!again \&\& /'
pick 'the end moves back' 's/(s32)(seq + len - \*end) > 0/true/'
pick 'no other connection' 's/ \&\& ahead >= -(s32)ONRAMP_RING_REACH//'
pick 'a stretch is one grid' 's/ONRAMP_PICK_STRETCH 2U/ONRAMP_PICK_STRETCH 1U/'
pick 'a byte shorter' 's/seq - r->from > ONRAMP/seq - r->from >= ONRAMP/'
pick 'one stretch is enough' 's/ONRAMP_PICK_STRETCHES 2U/ONRAMP_PICK_STRETCHES 1U/'
pick 'a report on the grid is none' 's/\*r = (struct onramp_pick_reports){};/;/'
pick 'a match counts' 's/^	if (matched)$/	if (0)/'
pick 'all from the first on' 's/^		r->from = seq;$/		;/'
pick 'a byte farther back' 's/ahead >= -(s32)ONRAMP_RING_REACH/ahead > -(s32)ONRAMP_RING_REACH/'

tests=onramp_due
lives 'when OR-ACKs are due'

due 'the last is acked at any time' 's/ \&\& now_ns >= v->fresh_ns//'
due 'a ns longer' 's/now_ns >= v->fresh_ns/now_ns > v->fresh_ns/'
due 'longer than idleness takes' 's/min(p->idle_ns, ONRAMP_DUE_FRESH_NS)/ONRAMP_DUE_FRESH_NS/'
due 'as long as idleness takes' 's/min(p->idle_ns, ONRAMP_DUE_FRESH_NS)/p->idle_ns/'
due 'after the first, too' '/due = ONRAMP_DUE_FIRST;/s/$/ v->fresh_ns = onramp_due_fresh(p, now_ns);/'
due 'idle a ns later' 's/now_ns - v->last_ns >= p->idle_ns/now_ns - v->last_ns > p->idle_ns/'
due 'the first at time 0 is none' 's/!v->seen || //'
due 'the grid before idleness' 's/} else if (onramp_grid_has(seq, payload, grid)) {/} if (onramp_grid_has(seq, payload, grid)) {/'
due 'the last a ns early' 's/now_ns < onramp_due_at/now_ns + 1 < onramp_due_at/'
due 'the last again and again' '/ONRAMP_DUE_NOT;/,/LAST/s/v->waiting = false;/;/'
due 'a dense path acks the first' 's/if (!dense && (!v->seen || \(.*\))) {/if (!v->seen || \1) {/'
due 'a dense path acks the last' 's/ == ONRAMP_DUE_NOT && !dense / == ONRAMP_DUE_NOT /'
due 'dense a grid sooner' 's/ONRAMP_DENSE_GRIDS 6/ONRAMP_DENSE_GRIDS 5/'
due 'dense a grid later' 's/ONRAMP_DENSE_GRIDS 6/ONRAMP_DENSE_GRIDS 7/'
due 'dense for a grid longer' 's/ONRAMP_DENSE_MORE 4/ONRAMP_DENSE_MORE 5/'
due 'dense without end' 's/d->used_ns = min(\(.*\), most_ns);/d->used_ns = \1;/'
due 'what was long ago makes a path dense' 's/max(d->used_ns, now_ns) + gap_ns/d->used_ns + gap_ns/'
due 'a packet on the grid is one packet' 's/p->every \* ONRAMP_PICK_GAP_NS/ONRAMP_PICK_GAP_NS/'
due 'dense from the first on' 's/d->used_ns > free_ns ? d->used_ns - free_ns : 0/d->used_ns/'
due 'the grid of one MTU' 's/(u64)p->every \* mtu/mtu/'
due 'a rate for each burst' 's/used_ns - now_ns > ONRAMP_RATE/used_ns - now_ns >= ONRAMP_RATE/'
due 'budget without end' 's/min(\*budget + bytes, ONRAMP_BUDGET_BYTES)/*budget + bytes/'
due 'one byte on credit' 's/if (\*budget < bytes)/if (*budget + 1 < bytes)/'
due 'back-off is never longer' 's/b->length_ns \* 2/b->length_ns/'
due 'back-off without end' 's/min(b->length_ns \* 2, ONRAMP_BACKOFF_MAX_NS)/b->length_ns * 2/'

tests=onramp_unacked
lives 'paths that nobody acks'

unacked 'nine packets' 's/ONRAMP_UNACKED_PACKETS 10/ONRAMP_UNACKED_PACKETS 9/'
unacked 'eleven packets' 's/ONRAMP_UNACKED_PACKETS 10/ONRAMP_UNACKED_PACKETS 11/'
unacked 'a ns longer' 's/ONRAMP_UNACKED_NS 500000000ULL/ONRAMP_UNACKED_NS 500000001ULL/'
unacked 'a new path is not counted at once' 's/!acked_ns || //'
unacked 'an OR-ACK is not dated' 's/\.acked_ns = max(v->acked_ns, now_ns)/.acked_ns = 0/'
unacked 'the last OR-ACK is the latest' 's/max(v->acked_ns, now_ns)/now_ns/'
unacked 'an OR-ACK leaves what was counted' 's/\*v = (struct onramp_unacked){.*/v->acked_ns = max(v->acked_ns, now_ns); v->unacked = false;/'
unacked 'unacknowledged for ever' 's/\.acked_ns = max(v->acked_ns, now_ns)/.acked_ns = max(v->acked_ns, now_ns), .unacked = v->unacked/'
unacked 'acknowledged again is not reported' 's/return was_unacked;/return false;/'
unacked 'half a second from the first packet' 's/^		v->full_ns = now_ns;/		v->full_ns = v->packets == 1 ? now_ns : v->full_ns;/'
unacked 'half a second for nothing' 's/(s64)(now_ns - v->full_ns) >= (s64)ONRAMP_UNACKED_NS/true/'
unacked 'more than half a second' 's/(s64)(now_ns - v->full_ns) >= /(s64)(now_ns - v->full_ns) > /'
unacked 'counted a ns too late' 's/(s64)(now_ns - acked_ns) >= /(s64)(now_ns - acked_ns) > /'
unacked 'time that runs back is long' 's/(s64)(now_ns - v->full_ns) >= (s64)ONRAMP_UNACKED_NS/now_ns - v->full_ns >= ONRAMP_UNACKED_NS/'
unacked 'time that runs back is long, since an OR-ACK' 's/(s64)(now_ns - acked_ns) >= (s64)ONRAMP_UNACKED_NS/now_ns - acked_ns >= ONRAMP_UNACKED_NS/'
unacked 'unacknowledged again and again' 's/if (v->unacked || /if (/'

tests=qcn
lives 'QCN'

qcn_cp 'sampled a byte early' 's/if (v->sample_bytes >= 0)/if (v->sample_bytes > 0)/'
qcn_cp 'the offset counts twice' 's/q_offset_bytes \* 1024/q_offset_bytes * 2048/'
qcn_cp 'the change does not count' 's/ + (s64)q_delta_bytes \* p->w_q10//'
qcn_cp 'the change is of 32 bits' 's/(s64)q_delta_bytes \* p->w_q10/(s32)(q_delta_bytes * p->w_q10)/'
qcn_cp 'more than the largest feedback' 's/min_t(u64, fb, most)/(u64)fb/'
qcn_cp 'a queue below the set point is congested' 's/if (fb <= 0)/if (0)/'
qcn_cp 'feedback is rounded up' 's/\* QCN_QNTZ_FB_MAX, most)/* QCN_QNTZ_FB_MAX + most - 1, most)/'
qcn_cp 'feedback of 7 bits' 's/QCN_QNTZ_FB_MAX 63U/QCN_QNTZ_FB_MAX 64U/'
qcn_cp 'the queue is remembered at each frame' 's/^	v->sample_bytes -= x->len;/&\n	if (v->sample_bytes >= 0)\n		v->q_old_bytes = x->q_bytes;/'
qcn_cp 'the queue is remembered at a notification' 's/^	v->q_old_bytes = x->q_bytes;/	if (f.qntz_fb)\n	&/'
qcn_cp 'a row further' 's/qntz_fb >> 3/(qntz_fb + 1 >> 3) % 8/'
qcn_cp 'less jitter' 's/mean \* 30/mean * 29/'
qcn_cp 'the table at all times' 's/if (!p->sample_table)/if (0)/'
qcn_cp 'a debt is carried' 's/v->sample_bytes = qcn_cp_interval/v->sample_bytes += qcn_cp_interval/'
qcn_cp 'K is above K' 's/q_bytes > k_bytes/q_bytes >= k_bytes/'
rp 'the target is not lowered' 's/^		v->tgt_bps = v->cur_bps;/		;/'
rp 'the target is lowered at each CNM' 's/^	if (v->byte_stage) {/	if (1) {/'
rp 'the byte counter goes on' '/^	if (v->byte_stage) {/,/}/s/v->left_bytes = p->bytes;/;/'
rp 'the byte stage stays' '/bool qcn_rp_on_cnm/,/^}/s/v->byte_stage = 0;/;/'
rp 'the time stage stays' '/bool qcn_rp_on_cnm/,/^}/s/v->time_stage = 0;/;/'
rp 'the timer goes on' '/bool qcn_rp_on_cnm/,/^}/s/v->time_up_ns = now_ns + p->time_ns;/;/'
rp 'no least rate' 's/100 \* one), p->min_bps)/100 * one), 1)/'
rp 'no limit of a cut' 's/p->min_dec_percent \* one)/0)/'
rp 'feedback 64' 's/qntz_fb > 63/qntz_fb > 64/'
rp 'feedback 0' 's/if (!qntz_fb || /if (/'
rp 'fast recovery a stage longer' 's/if (larger < p->threshold)/if (larger <= p->threshold)/'
rp 'active increase a stage longer' 's/if (smaller < p->threshold)/if (smaller <= p->threshold)/'
rp 'hyper increase does not grow' 's/ \* (smaller - p->threshold + 1)//'
rp 'no target is far away' 's/v->tgt_bps > 10 \* v->cur_bps/0/'
rp 'ten times is far away' 's/v->tgt_bps > 10 \* v->cur_bps/v->tgt_bps >= 10 * v->cur_bps/'
rp 'far away by bytes only' 's/v->byte_stage == 1 || v->time_stage == 1/v->byte_stage == 1/'
rp 'no highest target' 's/min(v->tgt_bps + increase, 2 \* p->max_bps)/v->tgt_bps + increase/'
rp 'no highest rate' 's/min((v->cur_bps + v->tgt_bps) \/ 2, p->max_bps)/(v->cur_bps + v->tgt_bps) \/ 2/'
rp 'never halved' 's/return stage >= p->threshold;/return false;/'
rp 'halved a stage later' 's/return stage >= p->threshold;/return stage > p->threshold;/'
rp 'up a ns later' 's/now_ns >= v->time_up_ns; events++/now_ns > v->time_up_ns; events++/'
rp 'sleeps for an event longer' 's/QCN_RP_EVENTS_MAX 64U/QCN_RP_EVENTS_MAX 65U/'
rp 'the timer counts from now' 's/v->time_up_ns += qcn_rp_is_half/v->time_up_ns = now_ns + qcn_rp_is_half/'
rp 'up a byte later' 's/v->left_bytes <= 0 \&\&/v->left_bytes < 0 \&\&/'
rp 'bytes beyond are lost' 's/v->left_bytes += qcn_rp_is_half/v->left_bytes = qcn_rp_is_half/'
rp 'no gap between segments' 's/len + QCN_RP_SEGMENT_BYTES \* segments/len/'
rp 'a departure that was late is made up for' 's/return max(qcn_rp_next_ns(v), now_ns - min(now_ns, p->late_ns))/return qcn_rp_next_ns(v) ? qcn_rp_next_ns(v) : now_ns/'
rp 'a departure that was early is forgotten' 's/return max(qcn_rp_next_ns(v), now_ns - min(now_ns, p->late_ns))/return now_ns/'
rp 'a departure that was a little late costs rate' 's/now_ns - min(now_ns, p->late_ns)/now_ns/'
rp 'before the beginning of time' 's/now_ns - min(now_ns, p->late_ns)/now_ns - p->late_ns/'
rp 'released with its departure' '/void qcn_rp_release/,/^}/s/(struct qcn_rp_vars){}/(struct qcn_rp_vars){ .sent_ns = v->sent_ns, .sent_bytes = v->sent_bytes }/'
occupancy 'a unit is whole' 's/(len - 1) \/ CP_UNIT_BYTES + 1/len \/ CP_UNIT_BYTES + 1/'
occupancy 'each slot alike' 's/if (cp_below(random, o->longest) < o->slots\[index\].units)/if (1)/'
occupancy 'the last that was tried' 's/return cp_occupancy_at_unit(o, .*/return index;/'
occupancy 'the unit before' 's/while (unit >= o->slots\[i\].units)/while (unit > o->slots[i].units)/'
occupancy 'groups have no blocks' '/u32 cp_occupancy_at_unit/,/^}/s/^	i \*= CP_BLOCK;/	;/'
occupancy 'the moved frame is not named' '/void \*cp_occupancy_remove/,/^}/s/return o->slots\[index\].frame;/return NULL;/'
occupancy 'a slot too many' 's/if (o->count == o->size)/if (o->count > o->size)/'
occupancy 'what left is in its bucket' 's/^	o->flows->units\[bucket\] -= o->slots\[index\].units;/	;/'
occupancy 'what left is in its block' 's/^		cp_sums_add(o->sums, index, -units);/		;/'
occupancy 'what moved is in its old block' 's/^		cp_sums_add(o->sums, o->count, -units);/		;/'
occupancy 'what moved is in no ring' 's/^		cp_flows_move(o, o->count, index);/		;/'
occupancy 'the longest stays' 's/^		o->longest = 0;/		;/'
occupancy 'the smallest bucket' 's/f->units\[left\] < f->units\[right\]/f->units[left] > f->units[right]/'
occupancy 'the last bucket of a tie' 's/f->units\[left\] < f->units\[right\]/f->units[left] <= f->units[right]/'
occupancy 'a winner that lost stays' 's/if (left == f->winner\[node\] \&\& left != bucket)/if (left != bucket)/'
occupancy 'always its first frame' '/u32 cp_occupancy_largest/,/^}/s/\*cursor = o->links\[index\].next;/;/'
occupancy 'a cursor at what left' 's/o->flows->cursor\[bucket\] = link.next;/;/'
occupancy 'a frame that is gone' 's/index < o->count \&\& //'
pause 'above xoff' 's/q_bytes < p->xoff_bytes/q_bytes <= p->xoff_bytes/'
pause 'below xon' 's/q_bytes <= p->xon_bytes/q_bytes < p->xon_bytes/'
pause 'repeated at its end' 's/p->pause_ns \/ 2/p->pause_ns/'
pause 'repeated a ns later' 's/now_ns < v->refresh_ns/now_ns <= v->refresh_ns/'
pause 'never repeated' 's/v->paused ? now_ns < v->refresh_ns/v->paused ? 1/'
pause 'a repeated PAUSE is a break' 's/if (now_ns >= v->until_ns)$/if (1)/'
pause 'there is no break' 's/^	if (now_ns >= v->until_ns)$/	if (!v->until_ns)/'
pause 'PAUSE counts in a storm' '/void pause_rx_frame/,/^}/s/if (now_ns < v->storm_ns)/if (0)/'
pause 'a storm a ns earlier' 's/now_ns < v->since_ns + PAUSE_STORM_AFTER_NS/now_ns + 1 < v->since_ns + PAUSE_STORM_AFTER_NS/'
pause 'paused after a storm' 's/^	v->until_ns = 0;/	;/'
pause 'storms are not counted' 's/s->storms++;/;/'
pause 'looked at when it ends' 's/return min(v->until_ns, .*/return v->until_ns;/'
mutant 'a frame at a rate has 32 bits' cp_params.h 's/len \* 8000000000ULL/(u32)(len * 8000000000ULL)/'
mutant 'no law is one' cp_params.h 's/if (!law)/if (0)/'
mutant 'what another law needs stays' cp_params.h '/^	cp_settings_yield(&next, req);/d'
mutant 'xon at xoff' cp_params.h 's/s->value\[CP_P_XON\] >= s->value/s->value[CP_P_XON] > s->value/'
mutant 'qeq at buffer' cp_params.h 's/s->value\[CP_P_QEQ\] >= s->value/s->value[CP_P_QEQ] > s->value/'
mutant 'a refused request of cp changes something' cp_params.h 's/^	why = cp_law_check(&next);/	*s = next; &/'
mutant 'the least rate above the highest' qcn_rp_params.h 's/if (s->value\[QCN_RP_MIN_RATE_BPS\] > .*/if (0)/'

tests=fecn
lives 'FECN'

fecn 'the set point is above itself' 's/if (q_bytes <= p->qeq_bytes)/if (q_bytes < p->qeq_bytes)/;s/if (q_bytes > p->qeq_bytes)/if (q_bytes >= p->qeq_bytes)/'
fecn 'gamma at all times' 's/if (q_bytes > p->qeq_bytes)/if (1)/'
fecn 'no gamma' 's/if (q_bytes > p->qeq_bytes)/if (0)/'
fecn 'c is not the least' 's/return max(f, p->c_milli \* FECN_ONE \/ 1000);/return f;/'
fecn 'a above, too' 's/fecn_cp_hyperbola(p, p->b_milli, q_bytes)/fecn_cp_hyperbola(p, p->a_milli, q_bytes)/'
fecn 'stages are all alike' 's/(u64)n \* p->k_ppm \* part/(u64)p->k_ppm * part/'
fecn 'the last stage ends' 's/n < p->stages ? min_t(u64, above, p->qeq_bytes) : above/min_t(u64, above, p->qeq_bytes)/'
fecn 'a stage in 32 bits' 's/(u64)n \* p->k_ppm \* part/(u32)(n * p->k_ppm * (u32)part)/'
fecn 'stages below 0' 's/if (sum >= 1000000ULL \* p->qeq_bytes)/if (0)/'
fecn 'stages are rounded up' 's/ + 15625ULL \* p->qeq_bytes - 1,/,/'
fecn 'an empty interval changes nothing' 's/min(capacity, 2ULL \* rate_kbps)/rate_kbps/'
fecn 'an empty interval has no limit' 's/min(capacity, 2ULL \* rate_kbps)/2ULL * rate_kbps/'
fecn 'growth without a limit' 's/FECN_GROWTH_MAX \* FECN_ONE)/U64_MAX)/'
fecn 'no moving average' 's/rate_kbps \* (u64)(FECN_WEIGHT_ONE - p->weight)/0ULL/;s/share \* p->weight/share * FECN_WEIGHT_ONE/'
fecn 'no floor' 's/min_t(u64, max_t(u64, kbps, least), p->capacity_kbps)/min_t(u64, kbps + !least, p->capacity_kbps)/'
fecn 'no ceiling' 's/min_t(u64, max_t(u64, kbps, least), p->capacity_kbps)/max_t(u64, kbps, least)/'
fecn 'an interval ends a ns late' 's/if (now_ns < v->end_ns)/if (now_ns <= v->end_ns)/'
fecn 'bytes are carried on' '/u32 fecn_cp_advance/,/^}/s/v->bytes = 0;/;/'
fecn 'bytes in each interval' '/u32 fecn_cp_advance/,/^}/s/fecn_cp_step(p, v->rate_kbps, 0, q_bytes)/fecn_cp_step(p, v->rate_kbps, arrival, q_bytes)/'
fecn 'one empty interval more' 's/steps <= FECN_IDLE_MAX/steps <= FECN_IDLE_MAX + 1/'
fecn 'intervals begin with what comes' 's/v->end_ns += (over + 1) \* p->interval_ns/v->end_ns = now_ns + p->interval_ns/'
fecn 'the first rate is the capacity' 's/p->capacity_kbps \/ p->flows)/p->capacity_kbps)/'
fecn_rp 'an RD a ns early' 's/now_ns >= v->rd\[/now_ns + 1 >= v->rd[/'
fecn_rp 'half after six' 's/v->unanswered == FECN_RP_UNANSWERED/v->unanswered > FECN_RP_UNANSWERED/'
fecn_rp 'half once only' '/bool fecn_rp_on_sent/,/^}/s/v->unanswered = 0;/;/'
fecn_rp 'half before an answer' 's/bool halved = v->answered \&\& /bool halved = /'
fecn_rp 'never as a new flow' 's/v->sent - v->answered >= FECN_RP_FORGET/0/'
fecn_rp 'as a new flow at once' 's/#define FECN_RP_FORGET 64U/#define FECN_RP_FORGET 63U/'
fecn_rp 'an answer is not counted' '/fecn_rp_on_answer(/,/^}/s/v->unanswered = 0;/;/'
fecn_rp 'half without end' 's/v->cur_kbps = max(v->cur_kbps \/ 2, p->min_kbps);/v->cur_kbps \/= 2;/'
fecn_rp 'seven RDs' 's/v->sent - FECN_RP_RDS : 0/v->sent - FECN_RP_RDS + 1 : 0/'
fecn_rp 'answers again' 's/if (number <= v->answered)/if (0)/'
fecn_rp 'answers in any order' 's/v->answered = number;/v->answered = v->answered;/'
fecn_rp 'answers of any age' 's/if (now_ns > v->rd\[/if (0 \&\& now_ns > v->rd[/'
fecn_rp 'a rate below the least' 's/min(max(kbps, p->min_kbps), p->max_kbps)/min(kbps, p->max_kbps)/'
fecn_rp 'a rate above the most' 's/min(max(kbps, p->min_kbps), p->max_kbps)/max(kbps, p->min_kbps)/'
fecn_rp 'hot at each message' 's/if (now_ns < v->hot_ns)/if (0)/'
rd 'any magic' 's/if (fecn_get32(at) != FECN_RD_MAGIC)/if (0)/'
rd 'any version' 's/if (at\[4\] != FECN_RD_VERSION)/if (0)/'
rd 'any flags' 's/if (at\[5\] != FECN_RD_FORWARD \&\& at\[5\] != FECN_RD_BACK)/if (!at[5])/'
rd 'behind a CN-TAG' 's/ || h.has_cn_tag)/)/'
rd 'with its CN-TAG' 's/ - (h.has_cn_tag ? L2_TAG_BYTES : 0)//'
rd 'a byte less' 's/len < h.bytes + 2 + FECN_RD_BYTES/len + 1 < h.bytes + 2 + FECN_RD_BYTES/'
rd 'to a group' 's/!l2_is_station(frame) ||/0 ||/'
rd 'an equal rate is less' 's/if (kbps >= fecn_get32(body + 24))/if (kbps > fecn_get32(body + 24))/'
rd 'hops begin again' 's/hops == 0xffff ? hops : hops + 1/hops + 1/'
rd 'hops of the least only' '/bool fecn_rd_pass/,/^}/{/l2_put16(body + 6/d;s/^	fecn_put32(body + 24, kbps);/	l2_put16(body + 6, hops == 0xffff ? hops : hops + 1);\n&/}'
rd 'the queue of another' '/bool fecn_rd_pass/,/^}/s/fecn_put32(body + 28, q_bytes);/(void)q_bytes;/'
rd 'reflected forward' 's/frame\[body + 5\] = FECN_RD_BACK;/frame[body + 5] = FECN_RD_FORWARD;/'
rd 'the time in 32 bits' 's/(u64)fecn_get32(at + 16) << 32 | //'

tests=l2_wire
lives 'frames of layer 2'

wire 'any version' 's/if (at\[0\] >> 4)/if (0)/'
wire 'a feedback of reserved bits' 's/if (!(at\[1\] \& L2_CNM_QNTZ_FB_MAX))/if (!at[1])/'
wire 'reserved bits are feedback' 's/\.qntz_fb = at\[1\] \& L2_CNM_QNTZ_FB_MAX/.qntz_fb = at[1]/'
wire 'an MSDU of any length' 's/msdu_bytes > L2_CNM_MSDU_MAX || //'
wire 'an MSDU beyond the end' 's/ || msdu_bytes > len - got.bytes - 2 - L2_CNM_BYTES)/)/'
wire 'a byte less' 's/len < got.bytes + 2 + L2_CNM_BYTES/len + 1 < got.bytes + 2 + L2_CNM_BYTES/'
wire 'CNMs to groups' 's/if (!l2_is_station(frame) || /if (/'
wire 'CNMs for CNMs' 's/ ||\n	    h.type == L2_TYPE_CNM//;s/h.type == L2_TYPE_CNM || //'
wire 'CNMs to nobody' 's/return !l2_is_group(address) \&\& !l2_is_zero(address);/return !l2_is_group(address);/'
wire 'no padding' 's/return l2_put_zero(at, out + L2_MIN_BYTES) - out;/return at - out;/'
wire 'three VLAN tags' 's/vlans == L2_VLAN_TAGS_MAX/vlans == 3/'
wire 'the inner VLAN tag' 's/} else if (!vlans++) {/} else if (++vlans) {/'
wire 'two CN-TAGs' 's/if (got.has_cn_tag || (got.type/if ((got.type/'
wire 'units are rounded down' 's/bytes \/ L2_CNM_UNIT_BYTES;/bytes >> 6;/'
wire 'units are not saturated' 's/return units > 32767 ? 32767 : units < -32768 ? -32768 : units;/return units;/'
wire 'the priority is in the lowest bits' 's/(cnm->priority \& 7) << 13/cnm->priority \& 7/'
wire 'PAUSE to anybody' 's/if (!l2_is_pause_address(frame) || /if (/'
wire 'any opcode is PAUSE' 's/if (!is_pfc \&\& l2_get16(frame + 14) != L2_OPCODE_PAUSE)/if (0)/'
wire 'PFC as short as PAUSE' 's/len < (is_pfc ? 18 + 2 \* L2_PRIORITIES : 18)/len < 18/'
wire 'reserved bits are priorities' 's/is_pfc ? frame\[17\] : 0xff/is_pfc ? frame[16] : 0xff/'
wire 'quanta of priorities that are not named' 's/pause->priorities >> i \& 1 ? l2_get16(frame + 18 + 2 \* i) : 0/l2_get16(frame + 18 + 2 * i)/'

tests=l2_flow
lives 'flows of frames and of CNMs'

flow 'fragments have ports' 's/if (l2_get16(ip + 6) \& L2_IPV4_FRAGMENT)/if (0)/'
flow 'last fragments only' 's/L2_IPV4_FRAGMENT 0x3fff/L2_IPV4_FRAGMENT 0x1fff/'
flow 'do not fragment is a fragment' 's/L2_IPV4_FRAGMENT 0x3fff/L2_IPV4_FRAGMENT 0x7fff/'
flow 'options are not skipped' 's/return l2_flow_ports(ip + header, /return l2_flow_ports(ip + L2_IPV4_BYTES, /'
flow 'any version of IPv4' 's/if (ip\[0\] >> 4 != 4 || /if (/'
flow 'any length of a header' 's/ || header < L2_IPV4_BYTES)/)/'
flow 'any version of IPv6' 's/len < L2_IPV6_BYTES || ip\[0\] >> 4 != 6/len < L2_IPV6_BYTES/'
flow 'ports that are not there' 's/if (len < 4)/if (0)/'
flow 'ports of every protocol' 's/if (!l2_proto_has_ports(f->proto))/if (0)/'
flow 'no ports of SCTP' 's/ || proto == 132//'
flow 'no destination port' 's/f->dport = l2_get16(at + 2);/;/'
flow 'no destination address' 's/l2_flow_mapped(f->daddr, ip + 16);/;/'
flow 'no address of the frame' 's/l2_put_bytes(f.da, da, L2_ADDRESS_BYTES);/(void)da;/'
flow 'more of a frame than a CNM has' 's/len = min_t(size_t, len, L2_CNM_MSDU_MAX);/;/'
flow 'a length is an EtherType' 's/if (f.type < L2_TYPE_LEAST)/if (0)/'
flow 'a flow of CNMs' 's/h.type == L2_TYPE_CNM ||/0 ||/'
flow 'a flow of MAC control' 's/h.type == L2_TYPE_MAC_CONTROL)/0)/'
flow 'written though not known' 's/^	if (known)$/	if (1)/'
flows 'a tag may be 0' 's/return hash >> 32 | 1;/return hash >> 32;/'
flows 'limited flows go first' 's/return !a->point;/return a->point;/'
flows 'limited flows are as others' 's/if (!a->point != !b->point)/if (0)/'
flows 'the newest goes' 's/return now - a->seen > now - b->seen;/return now - a->seen < now - b->seen;/'
flows 'ticks do not wrap' 's/return now - a->seen > now - b->seen;/return a->seen < b->seen;/'
flows 'a new flow keeps the reaction point of the old' 's/f->point = 0;/;/'
flows 'never seen again' 's/^	f->seen = now;/	if (!f->seen)\n		f->seen = now;/'
flows 'recent by one tick less' 's/return now - f->seen <= most/return now - f->seen < most/'
flows 'a clock that is ahead' 's/ || f->seen - now <= most;/;/'
flows 'names begin at 0' 's/if (id > last)/if (id >= last)/'
flows 'names overflow' 's/return id > U32_MAX - max ? max + place : id + max;/return id + max;/'

tests=delay_hist
lives 'distribution of delays'

hist 'a bound is in the next bucket' 's/(ns - !!ns)/ns/'
hist 'no delay wraps' 's/(ns - !!ns)/(ns - 1)/'
hist 'the last bucket is one early' 's/(DELAY_HIST_BUCKETS - 2)/(DELAY_HIST_BUCKETS - 3)/'
hist 'twice the unit' 's/(u32)units << 1 | 1/(u32)units << 2 | 3/'
hist 'no sum' 's/h->sum_ns += ns;/;/'

tap_done
