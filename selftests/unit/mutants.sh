#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Break the law, one place at a time, and see whether the unit tests notice: TAP, a test per mutant, which passes
# if the mutant is killed. A mutation that no longer applies fails too.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=$here/../../kernel/algo
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
n=0 failed=0
tests='ecnsharp_law ecnsharp_params ecnsharp_oracle ecnsharp_growth port_narrow'

build() {
	case $1 in
	port_narrow) set -- "$1" port.c -DPORT_NARROW ;;
	*) set -- "$1" "$1.c" oracle.c oracle_params.c pair.c ;;
	esac
	program=$1
	shift
	(cd "$here" && "$CC" -std=gnu11 -O0 -w -I . -I "$out/algo" -o "$out/$program" "$@" -lm)
}

# The first test that fails, if any; "compiler" if one cannot be built. Endless loops are not the mutants' privilege.
killer() {
	for test in $tests; do
		build "$test" 2> "$out/log" || {
			echo compiler
			return
		}
		timeout 60 "$out/$test" > "$out/log" 2>&1 || {
			echo "$test"
			return
		}
	done
}

# mutant NAME FILE SED-SCRIPT
mutant() {
	n=$((n + 1))
	rm -rf "$out/algo"
	cp -r "$algo" "$out/algo"
	sed -i -e "$3" "$out/algo/$2"
	if cmp -s "$algo/$2" "$out/algo/$2"; then
		echo "not ok $n - $1: the mutation does not apply to $2"
		failed=$((failed + 1))
	else
		by=$(killer)
		case $by in
		'')
			echo "not ok $n - $1: survived"
			failed=$((failed + 1))
			;;
		compiler)
			echo "not ok $n - $1: does not compile"
			sed 's/^/# /' "$out/log" | head -n 5
			failed=$((failed + 1))
			;;
		*) echo "ok $n - $1: killed by $by" ;;
		esac
	fi
}

law() { mutant "$1" ecnsharp.h "$2"; }
params() { mutant "$1" ecnsharp_params.h "$2"; }

# What is not broken must live, or every mutant would die for nothing.
cp -r "$algo" "$out/algo"
n=1
if [ -z "$(killer)" ]; then
	echo 'ok 1 - the law as it is passes'
else
	echo 'not ok 1 - the law as it is passes'
	failed=1
fi

law 'ins_target reached is enough' 's/level_ns > p->ins_target_ns/level_ns >= p->ins_target_ns/'
law 'pst_target must be exceeded' 's/level_ns < p->pst_target_ns/level_ns <= p->pst_target_ns/'
law 'one interval is enough' 's/now_ns > v->first_above_ns/now_ns >= v->first_above_ns/'
law 'marked when due, not after' 's/if (now_ns > v->next_ns) {/if (now_ns >= v->next_ns) {/'
law 'scheduled from now' 's/v->next_ns += div_u64(/v->next_ns = now_ns + div_u64(/'
law 'constant gap' 's/div_u64(p->pst_interval_ns, v->count)/p->pst_interval_ns/'
law 'count from 0' 's/v->count = 1;/v->count = 0;/'
law 'count never grows' 's/v->count++;/;/'
law 'count wraps' 's/if (v->count < U32_MAX)/if (1)/'
law 'count stops one early' 's/v->count < U32_MAX/v->count < U32_MAX - 1/'
law 'gap rounded up' 's/div_u64(p->pst_interval_ns, v->count)/div_u64(p->pst_interval_ns + v->count - 1, v->count)/'
law 'gap before the count' 's/div_u64(p->pst_interval_ns, v->count)/div_u64(p->pst_interval_ns, v->count - 1)/'
law 'below target does not reset' '/level_ns < p->pst_target_ns/,/}/s/v->is_above = false;/;/'
law 'observation restarts with every packet' 's/if (!v->is_above) {/if (!v->is_above || 1) {/'
law 'detected at once' 's/now_ns > v->first_above_ns + p->pst_interval_ns/now_ns > v->first_above_ns/'
law 'an episode never ends' '/if (!detected) {/,/}/s/v->marking = false;/;/'
law 'the packet that ends an episode is marked' '/if (!detected) {/,/}/s/return false;/return true;/'
law 'first mark an interval late' '/ecnsharp_episode_begin(p, v, s, now_ns);/,/}/s/return true;/return false;/'
law 'first gap missing' 's/v->next_ns = now_ns + p->pst_interval_ns;/v->next_ns = now_ns;/'
law 'an empty queue is no end' 's/if (!x->backlog_bytes)/if (0)/'
law 'an empty queue ends no episode' '/void ecnsharp_on_empty/,/^}/s/v->marking = false;/;/'
law 'an empty queue leaves what was observed' '/void ecnsharp_on_empty/,/^}/s/v->is_above = false;/;/'
law 'an empty queue before the verdict' 's/u32 verdict = ECNSHARP_MARK_NONE;/u32 verdict = ECNSHARP_MARK_NONE; if (!x->backlog_bytes) ecnsharp_on_empty(v);/'
law 'persistent cannot be off' 's/if (p->persistent \&\&/if (1 \&\&/'
law 'persistent hides instantaneous' 's/verdict |= ECNSHARP_MARK_PST/verdict = ECNSHARP_MARK_PST/'
law 'instantaneous hides persistent' 's/if (p->persistent \&\&/if (!verdict \&\& p->persistent \&\&/'
law 'length ignored' 's/if (!p->length)/if (1)/'
law 'length rounded up' 's/return div64_u64(backlog \* 8000000000ULL, p->rate_bps);/return div64_u64(backlog * 8000000000ULL + p->rate_bps - 1, p->rate_bps);/'
law 'length in bytes, not bits' 's/backlog \* 8000000000ULL/backlog * 1000000000ULL/'
law 'length overflows' 's/if (backlog > 2147483647)/if (0)/'
law 'ramp marks at kmin' 's/level <= p->kmin/level < p->kmin/'
law 'ramp certain at kmax' 's/level > p->kmax/level >= p->kmax/'
law 'ramp takes one chance more' 's/return random < div_u64/return random <= div_u64/'
law 'ramp from 0' 's/p->pmax_q32 \* (level - p->kmin)/p->pmax_q32 * level/'
law 'ramp by time with the length signal' 's/p->length ? x->backlog_bytes : level_ns/level_ns/'
law 'saturation counted one late' 's/if (now_ns > v->next_ns)$/if (now_ns > v->next_ns + 1)/'
law 'saturation counted when due' 's/if (now_ns > v->next_ns)$/if (now_ns >= v->next_ns)/'
law 'episodes not counted' 's/s->pst_episodes++;/;/'
law 'random never asked for' 's/return p->ins == ECNSHARP_INS_RAMP;/return false;/'

params 'range includes one below' 's/value < info->least/value + 1 < info->least/'
params 'range includes one above' 's/value > info->most/value > info->most + 1/'
params 'a refused request changes something' 's/struct ecnsharp_settings next = \*s;/struct ecnsharp_settings next = *s; s->value[0]++;/'
params 'refused too late' 's/^	why = ecnsharp_settings_check(&next);/	*s = next; why = ecnsharp_settings_check(\&next);/'
params 'contradictions accepted' 's/^	why = ecnsharp_request_check(req);/	why = ECNSHARP_ACCEPTED;/'
params 'old words stay' 's/^	ecnsharp_settings_yield(&next, req);/	;/'
params 'both off accepted' 's/!s->value\[ECNSHARP_INSTANTANEOUS\] && !s->value\[ECNSHARP_PERSISTENT\]/0/'
params 'stray rate accepted' 's/if (!length && ecnsharp_is_given(s, ECNSHARP_BIT(RATE_BPS)))/if (0)/'
params 'rate not forgotten' 's/ecnsharp_unset(s, ECNSHARP_BIT(RATE_BPS));/;/'
params 'ramp order of bytes ignored' 's/s->value\[ECNSHARP_KMIN_BYTES\] > s->value\[ECNSHARP_KMAX_BYTES\]/0/'
params 'average may exceed tail' 's/s->value\[ECNSHARP_RTT_AVG_NS\] > s->value\[ECNSHARP_RTT_TAIL_NS\]/0/'
params 'rule without a range' 's/ecnsharp_target_ns(s, ECNSHARP_INS_TARGET_NS) > most/0/'
params 'ins_target from the average' '/case ECNSHARP_INS_TARGET_NS:/,/return/s/RTT_TAIL_NS/RTT_AVG_NS/'
params 'pst_target from the tail' '/case ECNSHARP_PST_TARGET_NS:/,/return/s/RTT_AVG_NS/RTT_TAIL_NS/'
params 'interval scaled by lambda' 's/^		return s->value\[ECNSHARP_RTT_TAIL_NS\];/		return ecnsharp_lambda_rtt_ns(s, ECNSHARP_RTT_TAIL_NS);/'
params 'a void ins_target stays beside a ramp' 's/if (ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP))$/if (0)/'
params 'lambda shown as given' 's/ecnsharp_unset(derived, s->given);/;/'
params 'no lambda shown' 's/ecnsharp_set(derived, ECNSHARP_LAMBDA_PPM, .*/;/'
params 'a target leaves lambda behind' 's/ecnsharp_unset(&derived, ECNSHARP_GIVEN_LAMBDA);/;/'
params 'the rule leaves a ramp' 's/^				   ECNSHARP_GIVEN_RULE))$/				   0))/'
params 'the rule ends the ramp that comes with it' 's/^	else if (ecnsharp_is_given(req, ECNSHARP_BIT(INS_TARGET_NS) |$/	if (ecnsharp_is_given(req, ECNSHARP_BIT(INS_TARGET_NS) |/'
params 'wrong lambda' 's/return 428571;/return 428572;/'
params 'pmax too large by one' 's/p->pmax_q32 = div_u64(/p->pmax_q32 = 1 + div_u64(/'

mutant 'division off at equality' port.h 's/rest >= divisor/rest > divisor/'
mutant 'division forgets the last bit' port.h 's/bit >= 0/bit > 0/'

echo "1..$n"
[ "$failed" -eq 0 ]
