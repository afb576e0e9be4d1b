#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Break the algorithms of acc-tuner, one place at a time, and see whether their tests notice: TAP, a test per mutant, which
# passes if the mutant is killed. A mutation that no longer applies fails too.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tests='features settings guards nets agents'
level=-O2

# rounds TEST: enough of them for a broken algorithm
rounds() {
	case $1 in
	features) echo '-n 100000' ;;
	nets) echo '-n 2' ;;
	guards) echo '-n 10' ;;
	agents) echo '-n 0' ;;
	esac
}

# shellcheck source=selftests/lib/mutants.sh
. "$here/../../../selftests/lib/mutants.sh"

feature() { mutant features feature "$@"; }
feature 'no overhead' 's/ + packets \* FEATURE_OVERHEAD_BYTES//'
feature 'more than 1' 's/if (part >= whole)/if (0)/'
feature 'the delay is not clipped' 's/delay_ns >= (uint64_t)FEATURE_DELAY_UNIT_NS << FEATURE_DELAY_OCTAVES/0/'
feature 'the fraction of the link' 's/feature_ratio(x->marked_bytes, x->tx_bytes)/feature_marked(x)/'
feature 'an octave too many' 's/value) - 16;/value) - 15;/'
feature 'no bits behind the highest' 's/(value >> octave) - FEATURE_ONE/0/'
feature 'log2 without 1 +' 's/uint64_t value = FEATURE_ONE + /uint64_t value = 1 + /'
feature 'the window stands still' 's/w->value\[i\] = w->value\[i + FEATURE_NR\];/;/'
feature 'the newest comes first' 's/float \*newest = &w->value\[FEATURE_STATE - FEATURE_NR\];/float *newest = w->value;/'
feature 'the template is not normalised' 's/(float)template \/ (float)last/(float)template/'
feature 'marks counted with all that left' 's/x->marked_packets, x->marked_bytes/x->tx_packets, x->tx_bytes/'
feature 'full too late' 's/if (w->intervals < FEATURE_INTERVALS)/if (w->intervals + 1 < FEATURE_INTERVALS)/'
feature 'a mean over microseconds' 's/x->backlog_byte_us \* 1000 \*/x->backlog_byte_us */'

reward() { mutant features reward "$@"; }
reward 'the level is exclusive' 's/template_level_ns(n) < delay_ns/template_level_ns(n) <= delay_ns/'
reward 'a level too many' 's/n < TEMPLATE_LEVELS \&\&/n + 1 < TEMPLATE_LEVELS \&\&/'
reward 'weights exchanged' 's/REWARD_WEIGHT_TX \* utilisation + REWARD_WEIGHT_DELAY/REWARD_WEIGHT_DELAY * utilisation + REWARD_WEIGHT_TX/'
reward 'the paper charges for marks' 's/if (form == REWARD_PAPER)/if (0)/'
reward 'marks never cost' 's/if (form == REWARD_PAPER)/if (1)/'
reward 'marks cost on a full link' 's/(1.0f - utilisation)/1.0f/'
reward 'no queue, and yet its use counts' 's/waits ? utilisation : 1.0f/utilisation/'
reward 'a queue of 1 us' 's/(x) > REWARD_BUSY_NS/(x) >= REWARD_BUSY_NS/'
reward 'busy: weights exchanged' 's/REWARD_BUSY_TX \*/REWARD_BUSY_DELAY */'
reward 'marks are a gain' 's/return value - REWARD_WEIGHT_MARKS/return value + REWARD_WEIGHT_MARKS/'

template() { mutant settings template "$@"; }
template 'half at kmax' 's/if (2 \* (uint64_t)t->pmax_ppm < TEMPLATE_ONE_PPM)/if (1)/'
template 'half at the middle' 's|(TEMPLATE_ONE_PPM / 2) / t->pmax_ppm|1 / 2|'
template 'half of half is above' 's/2 \* (uint64_t)t->pmax_ppm < TEMPLATE_ONE_PPM/2 * (uint64_t)t->pmax_ppm <= TEMPLATE_ONE_PPM/;s/return t->kmax_ns;/return t->kmax_ns + 1;/'
template 'not sorted' 's/^	template_sort(t);/	;/'
template 'sorted downwards' 's/template_before(&moved, &t\[j - 1\])/template_before(\&t[j - 1], \&moved)/'
template 'ties by chance' 's/return a->kmin_ns < b->kmin_ns;/return false;/'
template 'kmin above kmax' 's/t->kmin_ns <= t->kmax_ns/1/'
template 'kmax without limit' 's/t->kmax_ns <= TEMPLATE_MOST_NS/1/'
template 'pmax 0' 's/t->pmax_ppm >= 1/1/'
template 'ramps as steep as steps' 's/level, 4 \* level/level, level/'
template 'the other set' 's/if (set == TEMPLATE_PAPER20)/if (set != TEMPLATE_PAPER20)/'

follow() { mutant settings follow "$@"; }
follow 'full is exclusive' 's/>= FOLLOW_FULL/> FOLLOW_FULL/'
follow 'rises without marks' 's/else if (x->marked_bytes)/else/'
follow 'rises while full' 's/FOLLOW_FALL \/ 100/FOLLOW_RISE \/ 100/'
follow 'no floor' 's/f->kmax_ns < FOLLOW_LEAST_NS/0/'
follow 'no ceiling' 's/f->kmax_ns > FOLLOW_MOST_NS/0/'

idle() { mutant settings idle "$@"; }
idle 'at kmin' 's/delay_ns < kmin_ns/delay_ns <= kmin_ns/'
idle 'one too early' 's/p->same == IDLE_SAME/p->same + 1 == IDLE_SAME/'
idle 'no way back' 's/p->same = 0;/;/'
idle 'rewards do not matter' 's/ || p->same == IDLE_SAME//'

guard() { mutant guards guard "$@"; }
guard 'drops do not matter' 's/if (x->drops)/if (0)/'
guard 'triggers while static' '/^static enum guard_verdict guard_trigger/,/^}/s/if (v->is_static) {/if (0) {/'
guard 'marks in any three' 's/guard_is_marked(x) ? v->marked_run + 1 : 0/v->marked_run + guard_is_marked(x)/'
guard 'marks on a used link' 's/ \&\& x->utilisation < GUARD_UTILISATION//'
guard 'marks at the limit' 's/x->marked_fraction > GUARD_MARKED/x->marked_fraction >= GUARD_MARKED/'
guard 'delay at the limit' 's/v->tuned_delay.ns > GUARD_DELAY_FACTOR/v->tuned_delay.ns >= GUARD_DELAY_FACTOR/'
guard 'short delays count' 's/v->tuned_delay.ns >= GUARD_DELAY_LEAST_NS/1/'
guard 'the delay of an idle link' 's/x->utilisation < GUARD_UTILISATION)$/0)/'
guard 'the delay is never learned' 's/^	mean->ns += .*/	;/'
guard 'the static mean of few intervals' 's/v->static_delay.count < GUARD_DELAY_SPAN || //'
guard 'the tuned mean of few intervals' 's/ || v->tuned_delay.count < GUARD_DELAY_SPAN//'
guard 'the mean is the newest' 's/- mean->ns) \/ mean->count/- mean->ns)/'
guard 'the tuned mean is kept' 's/v->tuned_delay = (struct guard_mean){};/;/'
guard 'hold-off never doubles' 's/v->holdoff_ns \*= 2;/;/'
guard 'hold-off without limit' 's/v->holdoff_ns > p->holdoff_most_ns/0/'
guard 'hold-off is never the first again' 's/^		v->holdoff_ns = p->holdoff_ns;/		;/'
guard 'hold-off counts from the fall' 's/now_ns - v->until_ns >= p->holdoff_most_ns/now_ns - v->until_ns + v->holdoff_ns >= p->holdoff_most_ns/'
guard 'no end of the hold-off' 's/if (x->now_ns < v->until_ns)/if (1)/'
guard 'the arms exchanged' 's/v->is_static ? &v->fixed : &v->tuned/v->is_static ? \&v->tuned : \&v->fixed/'
guard 'the begin of a block counts' 's/if (v->position < GUARD_SKIP)/if (0)/'
guard 'one standard error' 's/> 9 \* GUARD_PAIRS/> GUARD_PAIRS/'
guard 'better is worse' 's/return mean < 0 \&\&/return/'
guard 'variance of the mean' 's|squares / (n - 1) / n|squares / n / n|'
guard 'fewer rounds' 's/v->pairs < GUARD_PAIRS_LEAST)/v->pairs + 1 < GUARD_PAIRS_LEAST)/'
guard 'early looks as the last one' 's|9 \* GUARD_PAIRS / n|9|'
guard 'a round is never over' 's/if (!v->left)$/if (v->left == 1)/'
guard 'a round ends with each block' 's/^	if (!v->left)$/	if (1)/'
guard 'two static blocks in a round' 's/^		v->due = false;/		;/'
guard 'no static block' 's/^		v->due = true;/		;/'
guard 'rounds of the wrong length' 's/ < rest)/ >= rest)/'
guard 'always the first block of a round' 's/random \* v->left >> 32/random * 0 >> 32/'
guard 'a fallback keeps the round' 's/^	v->left = 0;/	;/'

net() { mutant nets net "$@"; }
net 'no bias' 's/y\[o\] = w\[in \* out + o\];/y[o] = 0;/'
net 'weights transposed' 's/y\[o\] += w\[i \* out + o\]/y[o] += w[(o * in + i) % (in * out)]/'
net 'no ReLU' 's/y\[i\] > 0.0f ? y\[i\] : 0.0f/y[i]/'
net 'ReLU passes slopes' 's/x\[i\] > 0.0f ? \(sum.*\) : 0.0f/\1/'
net 'a sum of three' 's/ + (sum\[2\] + sum\[3\])/ + sum[2]/'
net 'gradient of the biases' 's/gradient\[in \* out + o\] += slope\[o\];/;/'
net 'gradients are not summed' 's/gradient\[i \* out + o\] += x/gradient[i * out + o] = x/'
net 'the last of equal ones' 's/value\[a\] > value\[best\]/value[a] >= value[best]/'
net 'any action' 's/allowed >> a & 1 \&\&/1 \&\&/'
net 'deviation of the inputs' 's/sqrtf(2.0f/sqrtf(1.0f/'
net 'biases by chance' '/for (; i < (in + 1)/,/;/s/w\[i\] = 0.0f;/w[i] = 1.0f;/'

adam() { mutant nets adam "$@"; }
adam 'no correction of the mean' 's/(mean \/ (1.0f - a->power1))/mean/'
adam 'no correction of the square' 's/square \/ (1.0f - a->power2)/square/'
adam 'uphill' 's/n->w\[i\] -= rate/n->w[i] += rate/'
adam 'no root' 's/(sqrtf(square/((square/'
adam 'the mean is the gradient' 's/a->mean.w\[i\] = mean;/a->mean.w[i] = g;/'
adam 'squares are forgotten' 's/a->square.w\[i\] = square;/;/'
adam 'norms are squares' 's/norm = sqrtf(squares);/norm = squares;/'
adam 'no limit' 's/if (norm <= most)/if (1)/'
adam 'always at the limit' 's/if (norm <= most)/if (0)/'

agent() { mutant agents agent "$@"; }
agent 'no next value' 's/x->reward + p->gamma \* t.out\[best\]/x->reward/'
agent 'not double: the older copy chooses' 's/net_forward(&a->net, x->next, &t);/net_forward(\&a->target, x->next, \&t);/'
agent 'not double: the network says what it is worth' 's/net_forward(&a->target, x->next, &t);/net_forward(\&a->net, x->next, \&t);/'
agent 'any next action' '/^static float agent_target/,/^}/s/net_best(t.out, allowed)/net_best(t.out, 0xfffff)/'
agent 'the loss of another action' 's/slope\[x->action\] = agent_huber_slope/slope[0] = agent_huber_slope/'
agent 'no Huber' 's/if (error > 1.0f)/if (0)/'
agent 'Huber to the wrong side' 's/error < -1.0f ? -1.0f/error < -1.0f ? 1.0f/'
agent 'Huber is a square' 's/size <= 1.0f ? /1 ? /'
agent 'a sum for the mean' 's|agent_huber_slope(error) / (float)p->batch|agent_huber_slope(error) * 2|'
agent 'the norm is free' 's/adam_limit(&a->gradient, p->norm_most);/;/'
agent 'the copy is never renewed' 's/		a->target = a->net;/		;/'
agent 'the copy is always new' 's/% p->target_every == 0/>= 0/'
agent 'learns from less than a batch' 's/a->replay.count < p->batch/a->replay.count < 1/'
agent 'chance does not fall' 's/a->explore -= a->explore \/ p->explore_decay;/;/'
agent 'chance falls twice as fast' 's/a->explore -= a->explore \/ p->explore_decay;/a->explore -= 2 * a->explore \/ p->explore_decay;/'
agent 'chance falls to nothing' 's/a->explore + p->explore_least/a->explore/'
agent 'chance takes what it may not' 's/prng_below(&a->prng, __builtin_popcount(allowed))/prng_below(\&a->prng, 20)/;s/return agent_bit(allowed, \(.*\));$/return \1;/'
agent 'one neighbour only' 's/1U << (present + 1) | 1U << present >> 1/1U << (present + 1)/'
agent 'neighbours offline, too' 's/if (p->neighbours)/if (1)/'
agent 'no neighbours' 's/if (p->neighbours)/if (0)/'

tap_done
