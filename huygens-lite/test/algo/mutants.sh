#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Break the algorithms of huygens-lite, one place at a time, and see whether their tests notice: TAP, a test per mutant,
# which passes if the mutant is killed. A mutation that no longer applies fails too.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=$here/../../algo
unit=$here/../../../selftests/unit
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"

# compile WHAT FILE: an object
compile() { (cd "$here" && "$CC" -std=gnu11 -O1 -w -ffp-contract=off -I. -I"$algo" -I"$unit" -c -o "$1" "$2"); }

# What is not broken is compiled once.
mkdir "$out/algo" "$out/test"
for file in "$algo"/*.c; do
	compile "$out/algo/$(basename "$file" .c).o" "$file" || exit 1
done
for test in clouds edges measures graphs networks hosts chairs; do
	compile "$out/test/$test.o" "$here/$test.c" || exit 1
done

# rounds TEST: enough of them for a broken algorithm
rounds() {
	case $1 in
	graphs) ;;
	clouds | networks) echo '-n 12' ;;
	*) echo '-n 40' ;;
	esac
}

# passes TEST: with the objects in $out/algo. Endless loops are not the mutants' privilege.
passes() {
	"$CC" -o "$out/program" "$out/test/$1.o" "$out"/algo/*.o -lm || return 1
	# shellcheck disable=SC2046 # words of an option
	timeout 20 "$out/program" $(rounds "$1") > "$out/log" 2>&1
}

# mutant TEST FILE NAME SED-SCRIPT
mutant() {
	sed -e "$4" "$algo/$2.c" > "$out/$2.c"
	if cmp -s "$algo/$2.c" "$out/$2.c"; then
		tap_ok 1 "$3: the mutation does not apply to $2.c"
		return
	fi
	mv "$out/algo/$2.o" "$out/$2.o"
	if ! compile "$out/algo/$2.o" "$out/$2.c" 2> "$out/log"; then
		tap_ok 1 "$3: does not compile" "$(head -n 5 "$out/log")"
	elif passes "$1"; then
		tap_ok 1 "$3: survived"
	else
		tap_ok 0 "$3: killed by $1"
	fi
	mv "$out/$2.o" "$out/algo/$2.o"
}

# What is not broken must live, or every mutant would die for nothing.
for test in clouds edges measures graphs networks hosts chairs; do
	tap_run "$test passes as it is" passes "$test"
done

guard() { mutant clouds guard "$@"; }
guard 'a fifth is kept' 's/(pairs + 3) \/ 4/(pairs + 4) \/ 5/'
guard 'fewer than twenty are kept' 's/keep < GUARD_KEEP)/keep < 10)/'
guard 'the guard is exclusive' 's/guard_distance(two) > r.eps_ns/guard_distance(two) >= r.eps_ns/'
guard 'the first probe only' 's/sample\[r.samples++\] = two\[1\];/;/'
guard 'a negative distance' 's/return d < 0 ? -d : d;/return d;/'
guard 'off is on' 's/if (!p->coded)/if (0)/'

cloud() { mutant clouds cloud "$@"; }
cloud 'the upper hull' 's/(c->at_ns - a->at_ns) <$/(c->at_ns - a->at_ns) >/'
cloud 'products overflow' 's/(__int128)//g'
cloud 'the last sample is left out' 's/for (at = 0; at < n; at++) {$/for (at = 0; at + 1 < n; at++) {/'
cloud 'one layer only' 's/cloud->layers \* 20 >= samples/1/'
cloud 'only what fits whole is thinned' 's/bool thin = !cloud->layers/bool thin = 1/'
cloud 'the last end is thinned away' 's/n \* (points - 1) \/ (CLOUD_POINTS - 1)/n * (points - 1) \/ CLOUD_POINTS/'
cloud 'equal times twice' 's/if (points \&\& s\[at\].at_ns == .*/if (0)/'

side() { mutant edges side "$@"; }
side 'the search goes the other way' 's/if (rises > 0)/if (rises < 0)/; s/else if (rises < 0)/else if (rises > 0)/'
side 'too few halvings' 's/#define SIDE_HALVINGS	60/#define SIDE_HALVINGS	12/'
side 'one more of the lowest' 's/side->low = low < 1 ? 1/side->low = low < 1 ? 2/'
side 'nu is rounded down' 's/+ 999999) \/ 1000000/) \/ 1000000/'
side 'far times pass' 's/!side_near(s->at_ns, at_ns) || //'
side 'the mean is a sum' 's/return residuals \/ low.n;/return residuals;/'
side 'the derivative of the other direction' 's/\*rises = -side->sign/*rises = side->sign/'

edge() { mutant edges edge "$@"; }
edge 'theta is not halved' 's/(ahead - behind - p->asymmetry_ns) \/ 2/(ahead - behind - p->asymmetry_ns)/'
edge 'asymmetry the other way' 's/ahead - behind - p->asymmetry_ns/ahead - behind + p->asymmetry_ns/'
edge 'the gap is a difference' 's/fit.gap_ns = ahead + behind;/fit.gap_ns = ahead - behind;/'
edge 'crossed clouds pass' 's/if (ahead + behind < 0)/if (0)/'
edge 'any drift passes' 's/if (fabs(best) > EDGE_DRIFT_MOST_PPB || .*/if (0) {/'
edge 'few samples pass' 's/forward->samples < EDGE_SAMPLES_LEAST/0/'
edge 'too many points pass' 's/	    backward->points > CLOUD_POINTS)/	    0)/'
edge 'the base is not the other way round' 's/-1, at_ns, -base_ns)/-1, at_ns, base_ns)/'
edge 'all slopes are searched' 's/p->within_ppb > 0 ? p->slope_ppb [-+] p->within_ppb : /0 ? 0 : /'
edge 'the known slope is taken whatever the margin' 's/edge_margin(side, best_ppb) - p->noise_ns);/-1e18);/'
edge 'noise makes no slope as good' 's/edge_margin(side, best_ppb) - p->noise_ns);/edge_margin(side, best_ppb));/'
edge 'room is all of the reach' 's/fmax(edge_rise(&side\[0\], slope, least, most),/fmin(0,/'
edge 'the reach forgets the way back' 's/edge_rise(&side\[1\], slope, least, most)/0/'
edge 'all of the room is reached' 's/.offset_ns = room_ns \/ 2 +/.offset_ns = room_ns +/'
edge 'no room for other slopes' 's/edge_margin(side, slope) - room_ns - noise_ns;/edge_margin(side, slope);/'
edge 'slopes are reached one way only' 's/fmax(most - slope, slope - least)/most - slope/'

gap() { mutant measures gap "$@"; }
gap 'nothing is forgotten' 's/\*gap_bucket(gap, gap->minute + 1) = gap_empty;/;/'
gap 'a clock that fell back goes on' 's/minute < gap->minute - 1/0/'
gap 'all is believed' 's/return near >= GAP_WITNESSES;/return true;/'
gap 'nothing is' 's/return near >= GAP_WITNESSES;/return false;/'
gap 'all are witnesses' 's/near += gap->bucket\[b\].witness_ns\[n\] <= most;/near += isfinite(gap->bucket[b].witness_ns[n]);/'
gap 'witnesses are the last, not the least' 's/n \&\& witness\[n - 1\] > gap_ns/0/'
gap 'whoever comes is a witness' 's/!clean/0/'
gap 'near is the same for all stamps' 's/hardware ? GAP_NEAR_HARDWARE_NS : //'

witness() { mutant measures side "$@"; }
witness 'few are a crowd' 's/at >= SIDE_CROWD/at >= 1/; s/SIDE_DENSER \* (above + SIDE_ABOVE)/0/'
witness 'as dense above as at the floor' 's/SIDE_DENSER \* (above + SIDE_ABOVE)/0/'
witness 'nothing is dense' 's/return at >= SIDE_CROWD/return at > 1000/'
edges_of() { mutant measures edge "$@"; }
edges_of 'one way is enough' 's/side_is_dense(&side\[0\], fit->slope_ppb, near_ns) &&/1 \&\&/'

measure() { mutant measures measure "$@"; }
measure 'no slope is known' 's/if (!m->theta.known)$/if (1)/'
measure 'slopes are searched too near' 's/#define MEASURE_LEAST_PPB	.*/#define MEASURE_LEAST_PPB 0.0/; s/MEASURE_SIGMAS \* measure_std_ppb/0.05 * measure_std_ppb/'
measure 'whatever comes agrees' 's/	if (fit->verdict != EDGE_VALID || fit->at_ns <= m->theta.line.at_ns)/	if (1) return true; if (0)/'
measure 'bias is not weighed' 's/			       worth->bias_ns \* worth->bias_ns),/			       0),/'
measure 'a window of nothing forgets' 's/		\*m = before;/		;/'
measure 'a slope at the end is held to' 's/ || measure_is_pressed(&m->gap, \&p, c, \&fit)//'
measure 'whatever presses is believed' 's/return fabs(fit.slope_ppb - p->slope_ppb) > reach.slope_ppb + p->within_ppb;/return true;/'
measure 'any drift is believed' 's/fabs(fit.drift_ppb) > c->drift_most_ppb/0/'
measure 'no bias' 's|.bias_ns = reach.offset_ns +|.bias_ns = 0 * reach.offset_ns +|'
measure 'mixed stamps have no bias more' 's|(c->mixed ? (fit->gap_ns - room_ns) / 2 : 0)|0|'
measure 'the drift is as good as the noise' 's/fmax(noise_ppb, reach.slope_ppb \/ 2)/noise_ppb/'
measure 'noise of the samples only' 's/sqrt(own \* own + /sqrt(/'

graph() { mutant graphs graph "$@"; }
graph 'hosts in order' 's/edge\[a \* k\].i = edge\[other \* k\].i;/edge[a * k].i = a;/; s/edge\[other \* k\].i = a;/;/'
graph 'nothing is swapped' 's/#define GRAPH_SWAPS	8/#define GRAPH_SWAPS	0/'
graph 'the circle is swapped' 's/a \* k + 1 + dice_below(random, k - 1)/a * k + dice_below(random, k)/'
graph 'swaps make doubles' 's/ \&\& !graph_chose(edge, k, b, a)//'
graph 'never full' 's|return graph_neighbours(hosts, k) == hosts - 1;|return k >= hosts - 1;|'

laplace() { mutant networks laplace "$@"; }
laplace 'the diagonal is doubled' 's/laplace_triangle(l, a)\[a\] += l->weight\[e\];/laplace_triangle(l, a)[a] += 2 * l->weight[e];/'
laplace 'the factor forgets a column' 's/row\[a\] - laplace_dot(row, row, a)/row[a] - laplace_dot(row, row, a ? a - 1 : 0)/'
laplace 'gradients stop early' 's/LAPLACE_STEPS \&\& rz > most/2 \&\& rz > most/'
laplace 'variance against any' 's/variance\[row\] += all - 2 \* sums\[row\];/;/'
laplace 'all parts alike' 's/l->right\[row\] = part\[row\];/l->right[row] = 1.0 \/ l->rows;/'
laplace 'sampled against nothing' 's/zero = x\[l->ground\];/zero = 0;/'

robust() { mutant networks robust "$@"; }
robust 'no Huber' 's/if (fabs(residual\[e\]) > most)/if (0)/'
robust 'weights are 1' 's/unit \* unit \/ (std\[e\] \* std\[e\])/1/'
robust 'sigma without freedom' 's/sqrt(sum \/ freedom)/sqrt(sum)/'

vote() { mutant networks vote "$@"; }
vote 'no vote' 's/#define VOTE_ROUNDS	4/#define VOTE_ROUNDS	0/'
vote 'edges backwards' 's/vote_sum(x\[v->i\[e\]\], -v->value\[e\])/vote_sum(x[v->i[e]], v->value[e])/'

network() { mutant networks network "$@"; }
network 'edges of one time' 's/n->value\[e\] = left + .*/n->value[e] = left;/'
network 'drifts of one clock' 's/(n->rate\[n->i\[e\]\] + shift) \/ 1e9/0/'
network 'drift of the reference'\''s time' 's/line->drift_ppb \/= 1 - line->drift_ppb \/ 1e9;/;/'
network 'outliers stay' 's/if (off > most \&\& !last)/if (0)/'
network 'bent ones go with the worst' 's/most = fmax(most, network_off(n, e) \/ NETWORK_BENT);/;/'
network 'any part' 's/if (n->size\[h\] > n->size\[best\])/if (0)/'
network 'the greatest part, not the reference'\''s' 's/return n->part\[gauge->host\];/;/'
network 'alone is reached' 's/ \&\& n->size\[part\] > 1;/;/'
network 'absurd edges count' 's/e->i < e->j \&\& //'
network 'infinite errors count' 's/network_within(e->sigma_ns, NETWORK_STD_LEAST, NETWORK_STD_MOST)/1/'
network 'bias is averaged over all' 's/j->bias_ns += n->weight\[e\] \* bias;/;/'
network 'bias does not weigh' 's/edge->bias_ns \* edge->bias_ns);/0);/'
network 'hosts that were known badly count' 's/			    network_prior(n, row, drifts))/			    0)/'
network 'hosts that are known badly count' 's/1 \/ (unit \* unit \/ part\[row\] +/1 \/ (/'
network 'errors are those from the reference' 's/l->ground = !n->known \&\& /l->ground = /'
network 'the common time never moves' 's/r->frame_ns = network_frame(n, false, moved);/;/'
network 'it moves by what was known' 's/followed += worth \* worth \* prior;/followed += worth;/'
network 'it moves without priors' 's/if (!isfinite(prior))/if (0)/'
network 'the gauge moves lines only' 's/line->offset_ns = network_limited(line->offset_ns + shift_ns);/;/'

gauge() { mutant hosts gauge "$@"; }
gauge 'no priors' 's/return reached\[h\] \&\& g->prior \&\& g->prior\[h\].known;/return false;/'
gauge 'priors of old' 's/line_at(wanted, line->at_ns)/wanted->offset_ns/'
gauge 'a jump to the reference' 's/follow = gauge_limited(miss - shift,/follow = (miss - shift) + 0 * gauge_limited(miss - shift,/'
gauge 'all weigh the same' 's/fmin(vote\[n\].weight, most)/1/'
gauge 'one may weigh all' 's/return vote\[3 \* (votes - 1) \/ 4\].weight;/return INFINITY;/'
gauge 'no mean' 's/(weights > 0 ? line_round(sum \/ weights) : 0)/0/'
gauge 'a mean of anything' 's/fmax(fmin(off, far), -far)/off/'
gauge 'a rate that nobody knows turns slowly' 's/most = fmax(most, gauge_std(scratch, n));/;/'
gauge 'a turn at once' 's/follow = gauge_limited_ppb(miss - shift, most);/follow = miss - shift;/'
gauge 'many that are off alike are believed' 's/sqrt(1 \/ vote\[n\].weight + 1 \/ most)/sqrt(1 \/ vote[n].weight + 4 \/ most)/'
gauge 'nobody is told that some were too far' 's/fabs(over) \/ weights/0/'
gauge 'mean of the wrong sign' 's/return n ? -(int64_t)(sum \/ n) : 0;/return n ? (int64_t)(sum \/ n) : 0;/'

predict() { mutant hosts predict "$@"; }
predict 'no memory' 's/double gain = p->var_offset \/ sum;/double gain = 1;/'
predict 'drifts of windows as they are' 's/double gain = p->var_drift \/ sum;/double gain = 1;/'
predict 'old windows count' 's/m->line.at_ns <= p->line.at_ns/0/'
predict 'forgets the drift' 's/	p->known = false;/	*p = (struct predict){ 0 };/'
predict 'a window worth little takes all' 's/return fmin(predict/return fmax(predict/'
predict 'what moved is known as before' 's/p->var_offset += std_ns \* std_ns;/;/'
predict 'its rate too' 's/p->var_drift += std_ppb \* std_ppb;/;/'
predict 'always the drift' 's/if (!m->keep_drift)/if (1)/'

growth() { mutant hosts growth "$@"; }
growth 'one standard deviation' 's/GROWTH_SIGMAS \* std_ppb/std_ppb/'
growth 'nothing known is all known' 's/!(ppb <= most_ppb)/ppb > most_ppb/'
growth 'better than the least' 's/fmax(ppb, least_ppb)/ppb/'
growth 'never faster' 's/.turn_ppb = GROWTH_TURN_PPB/.turn_ppb = 0/'
growth 'faster for ever' 's/return fmin(age_s, left_ppb \/ growth->turn_ppb);/return age_s;/'
growth 'the turn twice' 's/(age_s - turns_s \/ 2)/age_s/'
growth 'it shrinks before' 's/double age_s = fmax((double)age_ns \/ 1e9, 0);/double age_s = (double)age_ns \/ 1e9;/'

track() { mutant hosts track "$@"; }
track 'a jump' 's/from.offset_ns = track_at(track, now_ns).x_ns;/from.offset_ns = line_at(\&aim->line, now_ns);/'
track 'any rate' 's/fmax((double)aim->meet_ns, fabs(missing) \/ aim->slew_most_ppb \* 1e9)/aim->meet_ns/'
track 'a bound that stands' 's/growth_ns(&track->growth, now_ns - track->bound_at_ns)/0/'
track 'the way to go is not told' 's/	       fabs((double)off_ns);/	       0;/'
track 'a slew is told as its end' 's/track_piece(track, told_ns)/\&track->line/'
track 'what it leads to moves once' 's/track->bound_ns += ns;/track->bound_ns = fmax(track->bound_ns, ns);/'
track 'doubts stay' '/static void track_bound/,/^}/s/track->doubt_ns = 0;/;/'
track 'a step is no epoch' 's/track->epoch++;/;/'

state() { mutant hosts state "$@"; }
state 'steps for ever' 's/(far \&\& state->updates < p->step_updates)/far/'
state 'poor windows count' 's/if (u->window_ns <= (double)p->limit_ns)/if (1)/'
state 'poor windows are always heard' 's/state->phase == STATE_ACQUIRE || u->bound_ns <= (double)p->limit_ns/1/'
state 'the windows own bound is no excuse' 's/u->bound_ns + u->window_ns/u->bound_ns/'
state 'poor windows are absurd' 's/(double)state_size(u->change_ns) > u->window_ns/1/'
state 'absurd where nothing is known' 's/state->phase != STATE_INIT \&\&/true \&\&/'
state 'never absurd' 's/state_size(u->change_ns) > (uint64_t)p->max_change_ns/0/'
state 'absurd at once' 's/state->absurd > p->max_change_ignore/1/'
state 'absurd for ever' 's/state->absurd \/ 2 > p->max_change_ignore/0/'
state 'absurd ones add up' 's/	state->absurd = 0;/	;/'
state 'no doubt' 's/v->doubt_ns = (double)change_ns;/;/'
state 'patient' 's/now_ns - state->heard_ns > p->silence_ns/0/'
state 'never lost' 's/!(bound_ns <= (double)p->limit_ns)/0/'
state 'lost for ever' 's/if (state->phase == STATE_UNSYNC) {/if (0) {/'
state 'locked at once' 's/state->in_a_row >= p->acquire/1/'
state 'back without a look' 's/(double)state_size(u->change_ns) > u->bound_ns/0/'
state 'any drift' 's/!(u->std_ppb <= p->drift_std_ppb) \&\&/false \&\&/'
state 'no drift is better than none' 's/!(u->std_ppb < known_ppb)/true/'
state 'nothing known is known' 's/u->known_ppb > 0 ? u->known_ppb : STATE_UNKNOWN_PPB/u->known_ppb/'
state 'cut off is no matter' 's/if (!u->reached) {/if (0) {/'

servo() { mutant hosts servo "$@"; }
servo 'any slew' 's/wanted = servo_limited(wanted, p->max_slew_ppb);/;/'
servo 'three windows each time' 's/if (!servo->slewing || now_ns >= servo->end_ns) {/if (1) {/'
servo 'steps for ever' 's/servo->updates < p->step_updates/1/'
servo 'beyond 500 ppm' 's/c.frequency_ppb = servo_limited(c.after_ppb + wanted,/c.frequency_ppb = (c.after_ppb + wanted) + 0 * servo_limited(0,/'

chair() { mutant chairs chair "$@"; }
chair 'the dead live' 's/			c->alive = false;/			;/'
chair 'no listening' 's/return now_ns - chair->began_ns >= chair->dead_ns;/return true;/'
chair 'no new epoch' 's/chair->epoch = chair->epoch < CHAIR_EPOCH_MOST ? chair->epoch + 1 : 1;/;/'
chair 'epochs do not go round' 's/chair->epoch < CHAIR_EPOCH_MOST ? chair->epoch + 1 : 1/chair->epoch + 1/'
chair 'the round has a bit more' 's/left = 64 - CHAIR_EPOCH_BITS/left = 63 - CHAIR_EPOCH_BITS/'
chair 'any epoch' 's/chair_ahead(chair, epoch) <= CHAIR_EPOCH_JUMP/1/'
chair 'an epoch beyond the greatest' 's/epoch <= CHAIR_EPOCH_MOST \&\&/1 \&\&/'
chair 'who knows no epoch is of another age' 's/return !epoch || (epoch/return (epoch/'
chair 'any first epoch' 's/return epoch <= CHAIR_EPOCH_JUMP;/return true;/'
chair 'any first claim' 's/hello->epoch > CHAIR_EPOCH_MOST/0/'
chair 'only what half the round holds is claimed' 's/hello->epoch > CHAIR_EPOCH_MOST/hello->epoch > CHAIR_EPOCH_MOST \/ 2/'
chair 'the last claim' 's/(chair->claim \&\& epoch >= chair->claim)/0/'
chair 'who claims does not live' 's/	if (who)$/	if (who \&\& believed)/'
chair 'claims are believed at once' 's/!chair->claim || !chair_has_listened(chair, now_ns)/!chair->claim/'
chair 'nobody follows' 's/if (!lowest || !lowest->afar || *$/if (1 || !lowest ||/'
chair 'followed at once' 's/now_ns - lowest->afar_ns <= CHAIR_ASTRAY \* chair->dead_ns/0/'
chair 'who follows sits on' '/static void chair_follow/,/^}/s/chair->sitting = false;/;/'
chair 'followed whatever it says since' 's/	who->afar = afar;/	who->afar |= afar;/'
chair 'the dead are still afar' 's/			c->afar = false;/			;/'
chair 'anybody is followed' 's/if (chair->candidate\[n\].alive)$/if (chair->candidate[n].afar)/'
chair 'sits beside a later epoch' '/static bool chair_learn/,/^}/s/chair->sitting = false;/;/'
chair 'the higher holds a tie' 's/holder >= chair->holder/holder <= chair->holder/'
chair 'anybody' 's/!chair_find(chair, id) ||/0 ||/'
chair 'no fence' 's/return epoch == chair->epoch \&\& id == chair->holder;/return true;/'
chair 'the first that lives' 's/		if (chair->candidate\[n\].alive)$/		if (0)/'

mutant hosts fallback 'half is enough' 's/stamped < sent - sent \/ 2/stamped <= sent - sent \/ 2/'

tap_done
