#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Break the algorithms of huygens-lite, one place at a time, and see whether their tests notice: TAP, a test per mutant,
# which passes if the mutant is killed. A mutation that no longer applies fails too.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tests='envelopes edge_histories edges edge_filters graphs equations networks utcs hosts states elections'
level=-O1

# rounds TEST: enough of them for a broken algorithm
rounds() {
	case $1 in
	graphs) ;;
	envelopes | equations | networks) echo '-n 12' ;;
	edge_filters) echo '-n 20' ;;
	*) echo '-n 40' ;;
	esac
}

# shellcheck source=selftests/lib/mutants.sh
. "$here/../../../selftests/lib/mutants.sh"

pair_filter() { mutant envelopes pair_filter "$@"; }
pair_filter 'a fifth is kept' 's/(pairs + 3) \/ 4/(pairs + 4) \/ 5/'
pair_filter 'fewer than twenty are kept' 's/keep < PAIR_FILTER_KEEP)/keep < 10)/'
pair_filter 'the tolerance is exclusive' 's/pair_filter_distance(two) > r.eps_ns/pair_filter_distance(two) >= r.eps_ns/'
pair_filter 'the first probe only' 's/sample\[r.samples++\] = two\[1\];/;/'
pair_filter 'a negative distance' 's/return d < 0 ? -d : d;/return d;/'
pair_filter 'off is on' 's/if (!p->coded)/if (0)/'

envelope() { mutant envelopes envelope "$@"; }
envelope 'the upper hull' 's/(c->at_ns - a->at_ns) <$/(c->at_ns - a->at_ns) >/'
envelope 'products overflow' 's/(__int128)//g'
envelope 'the last sample is left out' 's/for (at = 0; at < n; at++) {$/for (at = 0; at + 1 < n; at++) {/'
envelope 'one hull only' 's/envelope->hulls \* 20 >= samples/1/'
envelope 'only what fits whole is thinned' 's/bool thin = !envelope->hulls/bool thin = 1/'
envelope 'the last end is thinned away' 's/n \* (points - 1) \/ (ENVELOPE_POINTS - 1)/n * (points - 1) \/ ENVELOPE_POINTS/'
envelope 'equal times twice' 's/if (points \&\& s\[at\].at_ns == .*/if (0)/'

joined() { mutant edge_histories envelope "$@"; }
joined 'a union forgets the other' 's/n < other->points/n < 0 * other->points/'
joined 'a union stands for one of them' 's/__builtin_add_overflow(envelope->samples, other->samples, &envelope->samples)/0/'
joined 'samples of a union overflow' 's/^		envelope->samples = UINT32_MAX;/		;/'
joined 'points of a message are in order' 's/	envelope_sort(sample, points);/	;/'

history() { mutant edge_histories edge_history "$@"; }
history 'the newest replaces the newest' 's/(history->newest + 1) % EDGE_HISTORY_WINDOWS/0/'
history 'windows are counted the other way' 's/EDGE_HISTORY_WINDOWS - ago/ago/'
history 'any time is within' 's/ || newest_ns - at_ns > ns//'
history 'times that fell back count' 's/at_ns >= after_ns || //'
history 'the directions are swapped' 's/.forward = \*forward, .backward = \*backward/.forward = *backward, .backward = *forward/'
history 'one more is joined' 's/ago < until/ago <= until/'

direction() { mutant edges direction "$@"; }
direction 'the search goes the other way' 's/if (rises > 0)/if (rises < 0)/; s/else if (rises < 0)/else if (rises > 0)/'
direction 'a search ends early' 's/#define DIRECTION_FINE_PPB	0.000001/#define DIRECTION_FINE_PPB	1e4/'
direction 'one more of the lowest' 's/direction->low = low < 1 ? 1/direction->low = low < 1 ? 2/'
direction 'nu is rounded down' 's/+ 999999) \/ 1000000/) \/ 1000000/'
direction 'far times pass' 's/!direction_near(s->at_ns, at_ns) || //'
direction 'the mean is a sum' 's/return residuals \/ low.n;/return residuals;/'
direction 'the derivative of the other direction' 's/\*rises = -direction->sign/*rises = direction->sign/'

edge() { mutant edges edge "$@"; }
edge 'theta is not halved' 's/(ahead - behind - p->asymmetry_ns) \/ 2/(ahead - behind - p->asymmetry_ns)/'
edge 'asymmetry the other way' 's/ahead - behind - p->asymmetry_ns/ahead - behind + p->asymmetry_ns/'
edge 'the delay sum is a difference' 's/fit.delay_sum_ns = ahead + behind;/fit.delay_sum_ns = ahead - behind;/'
edge 'crossed envelopes pass' 's/if (ahead + behind < 0)/if (0)/'
edge 'any drift passes' 's/if (fabs(best) > EDGE_DRIFT_MOST_PPB || .*/if (0) {/'
edge 'few samples pass' 's/forward->samples < EDGE_SAMPLES_LEAST/0/'
edge 'too many points pass' 's/	    backward->points > ENVELOPE_POINTS)/	    0)/'
edge 'the base is not the other way round' 's/-1, at_ns, -base_ns)/-1, at_ns, base_ns)/'
edge 'all slopes are searched' 's/p->within_ppb > 0 ? p->slope_ppb [-+] p->within_ppb : /0 ? 0 : /'
edge 'the known slope is taken whatever the margin' 's/edge_margin(direction, best_ppb) - p->noise_ns);/-1e18);/'
edge 'noise makes no slope as good' 's/edge_margin(direction, best_ppb) - p->noise_ns);/edge_margin(direction, best_ppb));/'
edge 'the excess is all of the reach' 's/fmax(edge_rise(&direction\[0\], slope, least, most),/fmin(0,/'
edge 'the reach forgets the way back' 's/edge_rise(&direction\[1\], slope, least, most)/0/'
edge 'all of the excess is reached' 's/.offset_ns = excess_ns \/ 2 +/.offset_ns = excess_ns +/'
edge 'no excess for other slopes' 's/edge_margin(direction, slope) - excess_ns - noise_ns;/edge_margin(direction, slope);/'
edge 'slopes are reached one way only' 's/fmax(most - slope, slope - least)/most - slope/'

delay_sum() { mutant edge_filters delay_sum "$@"; }
delay_sum 'nothing is forgotten' 's/\*delay_sum_bucket(delay_sum, delay_sum->minute + 1) = delay_sum_empty;/;/'
delay_sum 'a clock that fell back goes on' 's/minute < delay_sum->minute - 1/0/'
delay_sum 'any sum is valid' 's/return near >= DELAY_SUM_CLEAN;/return true;/'
delay_sum 'no sum is valid' 's/return near >= DELAY_SUM_CLEAN;/return false;/'
delay_sum 'all are clean windows' 's/near += delay_sum->bucket\[b\].clean_ns\[n\] <= most;/near += isfinite(delay_sum->bucket[b].clean_ns[n]);/'
delay_sum 'clean windows are the last, not the least' 's/n \&\& clean_ns\[n - 1\] > delay_sum_ns/0/'
delay_sum 'any window is clean' 's/!clean/0/'
delay_sum 'near is the same for all stamps' 's/hardware ? DELAY_SUM_NEAR_HARDWARE_NS : //'

dense() { mutant edge_filters direction "$@"; }
dense 'few are a crowd' 's/at >= DIRECTION_CROWD/at >= 1/; s/DIRECTION_DENSER \* (above + DIRECTION_ABOVE)/0/'
dense 'as dense above as at the floor' 's/DIRECTION_DENSER \* (above + DIRECTION_ABOVE)/0/'
dense 'nothing is dense' 's/return at >= DIRECTION_CROWD/return at > 1000/'
edges_of() { mutant edge_filters edge "$@"; }
edges_of 'the floor of the other direction' 's/int64_t base_ns = backward ? -fit->theta_ns : fit->theta_ns;/int64_t base_ns = fit->theta_ns;/'
edges_of 'a floor is dense' 's/.dense = direction_is_dense(&direction, fit->slope_ppb, near_ns),/.dense = true,/'

filter() { mutant edge_filters edge_filter "$@"; }
filter 'no slope is known' 's/if (!theta->known)$/if (1)/'
filter 'slopes are searched too near' 's/#define EDGE_FILTER_LEAST_PPB	.*/#define EDGE_FILTER_LEAST_PPB 0.0/; s/EDGE_FILTER_SIGMAS \* edge_filter_std_ppb/0.05 * edge_filter_std_ppb/'
filter 'whatever comes agrees' 's/	if (fit->verdict != EDGE_VALID || fit->at_ns <= m->theta.line.at_ns)/	if (1) return true; if (0)/'
filter 'bias is not weighed' 's/^				error->bias_ns \* error->bias_ns) \*/				0) */'
filter 'a window of nothing forgets' 's/	if (line\[0\].fit.verdict != EDGE_VALID)$/	if (anew) *m = (struct edge_filter){ 0 }; if (line[0].fit.verdict != EDGE_VALID)/'
filter 'a slope at the end is held to' 's/edge_filter_is_pressed(&m->delay_sum, &p, c, &fit);/0;/'
filter 'whatever presses is accepted' 's/return fabs(fit.slope_ppb - p->slope_ppb) > reach.slope_ppb + p->within_ppb;/return true;/'
filter 'any drift is accepted' 's/fabs(fit.drift_ppb) > c->drift_most_ppb/0/'
filter 'no bias' 's|.bias_ns = reach.offset_ns + line|.bias_ns = line|'
filter 'mixed stamps have no bias more' 's|(c->mixed ? (line->fit.delay_sum_ns - excess_ns) / 2 : 0)|0|'
filter 'the drift is as good as the noise' 's/fmax(noise_ppb, reach.slope_ppb \/ 2)/noise_ppb/'
filter 'noise of the samples only' 's/sqrt(own \* own + /sqrt(/'
filter 'one way is enough' 's/!edge_filter_has_floor(m, line, false) || //'
filter 'no unions' 's/edge_filter_unions\[n\] <= windows/0/'
filter 'ramps do not leave a union' 's/line->curved_ns = .*/line->curved_ns = 0;/'
filter 'lines that share windows are worth as much' 's/worth->sigma_ns \*= sqrt(best->windows);/;/'
filter 'lines that share windows are learned as if they did not' 's/error->bias_ns) \* line->windows),/error->bias_ns)),/; s/error->sigma_ppb \* sqrt(line->windows)/error->sigma_ppb/'
filter 'a window is an observation in each union' 's/m->since < line->windows ||/0 ||/'
filter 'a union is clean if any of its windows is' 's/if (floor.ns < least.ns)/if (floor.dense)/'
filter 'unions of a NIC are as fine' 's/line->window.hardware = false;/;/'
filter 'windows before a step are kept' 's/	if (anew)$/	if (anew) { m->theta = (struct kalman){ 0 }; m->delay_sum = (struct delay_sum){ 0 }; } if (0)/'

graph() { mutant graphs graph "$@"; }
graph 'hosts in order' 's/edge\[a \* k\].i = edge\[other \* k\].i;/edge[a * k].i = a;/; s/edge\[other \* k\].i = a;/;/'
graph 'nothing is swapped' 's/#define GRAPH_SWAPS	8/#define GRAPH_SWAPS	0/'
graph 'the circle is swapped' 's/a \* k + 1 + prng_below(random, k - 1)/a * k + prng_below(random, k)/'
graph 'swaps make doubles' 's/ \&\& !graph_chose(edge, k, b, a)//'
graph 'never full' 's|return graph_neighbours(hosts, k) == hosts - 1;|return k >= hosts - 1;|'

least_squares() { mutant equations least_squares "$@"; }
least_squares 'the diagonal is doubled' 's/least_squares_triangle(l, a)\[a\] += l->weight\[e\];/least_squares_triangle(l, a)[a] += 2 * l->weight[e];/'
least_squares 'the factor forgets a column' 's/row\[a\] - least_squares_dot(row, row, a)/row[a] - least_squares_dot(row, row, a ? a - 1 : 0)/'
least_squares 'gradients stop early' 's/LEAST_SQUARES_STEPS \&\& rz > most/2 \&\& rz > most/'
least_squares 'variance against any' 's/variance\[row\] += all - 2 \* sums\[row\];/;/'
least_squares 'all shares alike' 's/l->right\[row\] = share\[row\];/l->right[row] = 1.0 \/ l->rows;/'
least_squares 'sampled against nothing' 's/zero = x\[l->ground\];/zero = 0;/'

robust() { mutant networks robust "$@"; }
robust 'no Huber' 's/if (fabs(residual\[e\]) > most)/if (0)/'
robust 'weights are 1' 's/unit \* unit \/ (std\[e\] \* std\[e\])/1/'
robust 'sigma without freedom' 's/sqrt(sum \/ freedom)/sqrt(sum)/'

estimate() { mutant networks estimate "$@"; }
estimate 'no medians' 's/#define ESTIMATE_ROUNDS	4/#define ESTIMATE_ROUNDS	0/'
estimate 'edges backwards' 's/estimate_sum(x\[v->i\[e\]\], -v->value\[e\])/estimate_sum(x[v->i[e]], v->value[e])/'

network() { mutant networks network "$@"; }
lines() { mutant networks network_lines "$@"; }
network 'edges of one time' 's/n->value\[e\] = left + .*/n->value[e] = left;/'
network 'drifts of one clock' 's/(n->rate\[n->i\[e\]\] + shift) \/ 1e9/0/'
lines 'drift of the reference'\''s time' 's/line->drift_ppb \/= 1 - line->drift_ppb \/ 1e9;/;/'
network 'outliers stay' 's/if (off > most \&\& !last)/if (0)/'
network 'bent ones go with the worst' 's/most = fmax(most, network_off(n, e) \/ NETWORK_BENT);/;/'
network 'any component' 's/if (n->size\[h\] > n->size\[best\])/if (0)/'
network 'the greatest component, not the reference'\''s' 's/return n->component\[datum->host\];/;/'
network 'alone is reached' 's/ \&\& n->size\[component\] > 1;/;/'
network 'absurd edges count' 's/e->i < e->j \&\& //'
network 'infinite errors count' 's/network_within(e->sigma_ns, NETWORK_STD_LEAST, NETWORK_STD_MOST)/1/'
lines 'bias is averaged over all' 's/j->bias_ns += n->weight\[e\] \* bias;/;/'
network 'bias does not weigh' 's/edge->bias_ns \* edge->bias_ns);/0);/'
lines 'hosts that were known badly count' 's/network_prior(n, row, drifts)) : 1/0) : 1/'
lines 'hosts that are known badly count' 's/1 \/ (unit \* unit \/ share\[row\] +/1 \/ (/'
network 'errors are those from the reference' 's/l->ground = !n->known \&\& /l->ground = /'
lines 'the common time never moves' 's/r->frame_ns = network_frame(n, false, moved);/;/'
lines 'it moves by what was known' 's/followed += worth \* worth \* prior;/followed += worth;/'
lines 'it moves without priors' 's/if (!isfinite(prior))/if (0)/'
lines 'the datum moves lines only' 's/line->offset_ns = network_limited(line->offset_ns + shift_ns);/;/'

utc() { mutant utcs utc "$@"; }
utc 'half is enough' 's/2 \* count > views/2 * count >= views/'
utc 'two are enough' 's/2 \* count > views/count >= 2/'
utc 'the error of a clock does not count' 's/1 \/ (error_ns \* error_ns)/1/'
utc 'clocks beyond the range count' 's/!utc_contains(most, view\[i\].miss_ns)/0/'
utc 'the nearer end is the bound' 's/below_ns > above_ns/below_ns < above_ns/'
utc 'the last beginning' 's/range.low_ns < most->low_ns/range.low_ns > most->low_ns/'
utc 'the first end' 's/range.high_ns > most->high_ns/most->high_ns == INT64_MIN/'
utc 'ends are outside' 's/range->high_ns >= ns/range->high_ns > ns/'

datum() { mutant hosts datum "$@"; }
datum 'no priors' 's/return reached\[h\] \&\& g->prior \&\& g->prior\[h\].known;/return false;/'
datum 'priors of old' 's/line_at(wanted, line->at_ns)/wanted->offset_ns/'
datum 'the error of a solution does not count' 's/, bound_ns\[utc->host\])/, 0)/'
datum 'the rate of UTC is any' 's/(utc->line.drift_ppb - line\[utc->host\].drift_ppb) \*/utc->line.drift_ppb */'
datum 'a jump to the reference' 's/approach = datum_limited(miss - shift,/approach = (miss - shift) + 0 * datum_limited(miss - shift,/'
datum 'all weigh the same' 's/fmin(sample\[n\].weight, most)/1/'
datum 'one may weigh all' 's/return sample\[3 \* (samples - 1) \/ 4\].weight;/return INFINITY;/'
datum 'no mean' 's/(weights > 0 ? line_round(sum \/ weights) : 0)/0/'
datum 'a mean of anything' 's/fmax(fmin(off, far), -far)/off/'
datum 'a rate that nobody knows turns slowly' 's/most = fmax(most, datum_std(scratch, n));/;/'
datum 'a turn at once' 's/approach = datum_limited_ppb(miss - shift, most);/approach = miss - shift;/'
datum 'many that are off alike are accepted' 's/sqrt(1 \/ sample\[n\].weight + 1 \/ most)/sqrt(1 \/ sample[n].weight + 4 \/ most)/'
datum 'samples that were too far do not count' 's/fabs(over) \/ weights/0/'
datum 'mean of the wrong sign' 's/return n ? -(int64_t)(sum \/ n) : 0;/return n ? (int64_t)(sum \/ n) : 0;/'

kalman() { mutant hosts kalman "$@"; }
kalman 'no memory' 's/gain\[i\] = p->var\[i\]\[state\] \/ sum;/gain[i] = i == (int)state;/'
kalman 'what was measured is known as before' 's/-= gain\[i\] \* row\[j\];/-= 0;/'
kalman 'no ramp' 's/p->ramp_ppb += gain\[KALMAN_RAMP\] \* off;/;/'
kalman 'a ramp does not bend the line ahead' 's/ + step.offset_ramp \* p->ramp_ppb//'
kalman 'nor turn it' 's/p->line.drift_ppb += step.drift_ramp \* p->ramp_ppb;/;/'
kalman 'a ramp lasts' 's/.keep = 1 \/ (1 + ramps),/.keep = 1,/'
kalman 'drifts spread nothing' 's/{ 1, step->s, step->offset_ramp },/{ 1, 0, 0 },/'
kalman 'drifts do not walk' 's/KALMAN_DRIFT, KALMAN_DRIFT, walk + /KALMAN_DRIFT, KALMAN_DRIFT, /'
kalman 'back in time' 's/if (now_ns > p->line.at_ns)/if (1)/'
kalman 'old windows count' 's/m->line.at_ns <= p->line.at_ns/0/'
kalman 'forgets the drift' 's/	p->known = false;/	*p = (struct kalman){ 0 };/'
kalman 'a window worth little takes all' 's/return fmin(kalman/return fmax(kalman/'
kalman 'what moved is known as before' 's/KALMAN_OFFSET, std_ns \* std_ns/KALMAN_OFFSET, 0/'
kalman 'its rate too' 's/KALMAN_DRIFT, std_ppb \* std_ppb/KALMAN_DRIFT, 0/'
kalman 'always the drift' 's/if (!m->keep_drift)/if (1)/'

growth() { mutant hosts error_growth "$@"; }
growth 'one standard deviation' 's/ERROR_GROWTH_SIGMAS \* std_ppb/std_ppb/'
growth 'nothing known is all known' 's/!(ppb <= most_ppb)/ppb > most_ppb/'
growth 'better than the least' 's/fmax(ppb, least_ppb)/ppb/'
growth 'never faster' 's/.turn_ppb = ERROR_GROWTH_TURN_PPB/.turn_ppb = 0/'
growth 'faster for ever' 's/return fmin(age_s, left_ppb \/ growth->turn_ppb);/return age_s;/'
growth 'the turn twice' 's/(age_s - turns_s \/ 2)/age_s/'
growth 'it shrinks before' 's/double age_s = fmax((double)age_ns \/ 1e9, 0);/double age_s = (double)age_ns \/ 1e9;/'

slew() { mutant hosts slew "$@"; }
slew 'a jump' 's/from.offset_ns = slew_at(slew, now_ns).x_ns;/from.offset_ns = line_at(\&aim->line, now_ns);/'
slew 'any rate' 's/fmax((double)aim->meet_ns, fabs(missing) \/ aim->slew_most_ppb \* 1e9)/aim->meet_ns/'
slew 'a bound that stands' 's/error_growth_ns(&slew->growth, now_ns - slew->bound_at_ns)/0/'
slew 'the way to go does not count' 's/	       fabs((double)off_ns);/	       0;/'
slew 'a slew counts as its end' 's/slew_piece(slew, since_ns)/\&slew->line/'
slew 'what it leads to moves once' 's/slew->bound_ns += ns;/slew->bound_ns = fmax(slew->bound_ns, ns);/'
slew 'suspicions stay' '/static void slew_bound/,/^}/s/slew->suspicion_ns = 0;/;/'
slew 'a step is no epoch' 's/slew->epoch++;/;/'

state() { mutant states state "$@"; }
state 'steps for ever' 's/(far \&\& state->updates < p->step_updates)/far/'
state 'poor windows count' 's/if (u->window_ns <= (double)p->limit_ns)/if (1)/'
state 'poor windows are always used' 's/state->phase == STATE_ACQUIRE || u->bound_ns <= (double)p->limit_ns/1/'
state 'the windows own bound is no excuse' 's/u->bound_ns + u->window_ns/u->bound_ns/'
state 'poor windows are absurd' 's/(double)state_size(u->change_ns) > u->window_ns/1/'
state 'absurd where nothing is known' 's/state->phase != STATE_INIT \&\&/true \&\&/'
state 'never absurd' 's/state_size(u->change_ns) > (uint64_t)p->max_change_ns/0/'
state 'absurd at once' 's/state->absurd > p->max_change_ignore/1/'
state 'absurd for ever' 's/state->absurd \/ 2 > p->max_change_ignore/0/'
state 'absurd ones add up' 's/	state->absurd = 0;/	;/'
state 'no suspicion' 's/v->suspicion_ns = (double)change_ns;/;/'
state 'patient' 's/now_ns - state->received_ns > p->silence_ns/0/'
state 'never lost' 's/!(bound_ns <= (double)p->limit_ns)/0/'
state 'lost for ever' 's/if (state->phase == STATE_UNSYNC) {/if (0) {/'
state 'locked at once' 's/state->in_a_row >= p->acquire/1/'
state 'back without a look' 's/(double)state_size(u->change_ns) > u->bound_ns/0/'
state 'any drift' 's/!(u->std_ppb <= p->drift_std_ppb) \&\&/false \&\&/'
state 'no drift is better than none' 's/!(u->std_ppb < known_ppb)/true/'
state 'nothing known is known' 's/u->known_ppb > 0 ? u->known_ppb : STATE_UNKNOWN_PPB/u->known_ppb/'
state 'cut off is no matter' 's/if (!u->reached) {/if (0) {/'

servo() { mutant states servo "$@"; }
servo 'any slew' 's/wanted = servo_limited(wanted, p->max_slew_ppb);/;/'
servo 'three windows each time' 's/if (!servo->slewing || now_ns >= servo->end_ns) {/if (1) {/'
servo 'steps for ever' 's/servo->updates < p->step_updates/1/'
servo 'beyond 500 ppm' 's/c.frequency_ppb = servo_limited(c.after_ppb + wanted,/c.frequency_ppb = (c.after_ppb + wanted) + 0 * servo_limited(0,/'

election() { mutant elections election "$@"; }
election 'the dead live' 's/			c->alive = false;/			;/'
election 'no listening' 's/return now_ns - election->began_ns >= election->dead_ns;/return true;/'
election 'no new term' 's/election->term = election->term < ELECTION_TERM_MOST ? election->term + 1 : 1;/;/'
election 'terms do not go round' 's/election->term < ELECTION_TERM_MOST ? election->term + 1 : 1/election->term + 1/'
election 'the round has a bit more' 's/left = 64 - ELECTION_TERM_BITS/left = 63 - ELECTION_TERM_BITS/'
election 'any term' 's/election_ahead(election, term) <= ELECTION_TERM_JUMP/1/'
election 'an term beyond the greatest' 's/term <= ELECTION_TERM_MOST \&\&/1 \&\&/'
election 'a host without a term is of another age' 's/return !term || (term/return (term/'
election 'any first term' 's/return term <= ELECTION_TERM_JUMP;/return true;/'
election 'any first claim' 's/hello->term > ELECTION_TERM_MOST/0/'
election 'only what half the round holds is claimed' 's/hello->term > ELECTION_TERM_MOST/hello->term > ELECTION_TERM_MOST \/ 2/'
election 'the last claim' 's/(election->claim \&\& term >= election->claim)/0/'
election 'a claimant does not count as alive' 's/	if (candidate)$/	if (candidate \&\& accepted)/'
election 'claims are accepted at once' 's/!election->claim || !election_has_listened(election, now_ns)/!election->claim/'
election 'no term is adopted' 's/if (!lowest || !lowest->afar || *$/if (1 || !lowest ||/'
election 'adopted at once' 's/now_ns - lowest->afar_ns <= ELECTION_ASTRAY \* election->dead_ns/0/'
election 'a host that adopts another term leads on' '/static void election_adopt/,/^}/s/election->leading = false;/;/'
election 'adopted whatever it says since' 's/	candidate->afar = afar;/	candidate->afar |= afar;/'
election 'the dead are still afar' 's/			c->afar = false;/			;/'
election 'any candidates term is adopted' 's/if (election->candidate\[n\].alive)$/if (election->candidate[n].afar)/'
election 'leads despite a later term' '/static bool election_learn/,/^}/s/election->leading = false;/;/'
election 'the higher leads a tie' 's/leader >= election->leader/leader <= election->leader/'
election 'anybody' 's/!election_find(election, id) ||/0 ||/'
election 'no fence' 's/return term == election->term \&\& id == election->leader;/return true;/'
election 'the first that lives' 's/		if (election->candidate\[n\].alive)$/		if (0)/'

mutant states fallback 'half is enough' 's/stamped < sent - sent \/ 2/stamped <= sent - sent \/ 2/'

tap_done
