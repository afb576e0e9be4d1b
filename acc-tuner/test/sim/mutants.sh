#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Break the model of a port, one place at a time, and see whether its tests notice: TAP, a test per mutant, which passes if the
# mutant is killed. A mutation that no longer applies fails too.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../../..
tests='ports windows runs'
level=-O2
# Arguments of mutants.sh: the folder, and what its files need in addition.
algo=$here/../../sim
options="-D_GNU_SOURCE -I$here/../../algo -I$root/kernel/include/uapi -I$root/kernel/algo"
others=$here/../../algo/template.c
for noun in traffic/cdf traffic/flows traffic/parse traffic/rng; do
	others="$others $root/lab/$noun.c"
done
for noun in fail units; do
	others="$others $root/lib/$noun.c"
done

rounds() { [ "$1" != ports ] || echo '-n 20000'; }

# shellcheck source=selftests/lib/mutants.sh
. "$root/selftests/lib/mutants.sh"

event() { mutant ports event "$@"; }
event 'events of a time in any order' 's/ << 64 | e->order;/ << 64;/'
event 'the later one is the child' 's/below += event_before/below += !event_before/'
event 'too early' 's/e->heap\[0\].at_ns > until_ns/0/'
event 'the next of a FIFO is lost' 's/fifo < EVENT_FIFOS \&\& f->begin != f->end/0/'
event 'a FIFO that stays active' 's/f->active = false;/;/'
event 'a ring that grows wrongly' 's/f->ring\[old + i\] = f->ring\[i\];/;/'

bottleneck() { mutant ports bottleneck "$@"; }
bottleneck 'one packet too many' 's/b->queued == b->limit/b->queued > b->limit/'
bottleneck 'drops are not counted' 's/b->count.drops++;/;/'
bottleneck 'the last one is lost' 's/b->packets->at\[b->last\].next = packet;/;/'
bottleneck 'the backlog has no headers' 's/b->backlog -= packet_bytes(p);/b->backlog -= p->payload;/'
bottleneck 'no integral up to the time of reading' '/bottleneck_read/,/^}/s/bottleneck_integrate(b, now_ns);/;/'
bottleneck 'marks by the time of arrival' 's/now_ns - p->queued_ns,/now_ns,/'
bottleneck 'no chance' 's/ecnsharp_wants_random(&b->params) ? prng_next(&b->prng) : 0/0/'
bottleneck 'pmax halved' 's/(u64)t->pmax_ppm << 32/(u64)t->pmax_ppm << 31/'
bottleneck 'the link is free at once' 's/b->free_ns = now_ns + packet_wire_ns.*;/b->free_ns = now_ns;/'
mutant ports packet 'places are not used again' 's/p->vacant = index;/;/;s/p->used--;/;/'

dctcp() { mutant windows dctcp "$@"; }
dctcp 'no slow start' 's/if (d->cwnd < d->ssthresh) {/if (0) {/'
dctcp 'a segment an acknowledgment for ever' 's/++d->grown >= d->cwnd/1/'
dctcp 'grows without use' 's/else if (limited)/else/'
dctcp 'a new connection has alpha 0' 's/.alpha = DCTCP_ONE,/.alpha = 0,/'
dctcp 'the estimate never falls to 0' 's/ ? d->alpha >> DCTCP_G_SHIFT : d->alpha;/;/'
dctcp 'the estimate counts all' 's/d->window_marked += marked;/d->window_marked++;/'
dctcp 'cut by alpha' 's/(2 \* DCTCP_ONE)/DCTCP_ONE/'
dctcp 'cut by every mark' 's/if (d->reducing)$/if (0)/'
dctcp 'a loss does not matter' 's/} else if (!d->reducing) {/} else if (0) {/'
dctcp 'halved by every loss' 's/} else if (!d->reducing) {/} else {\n d->cwnd = d->ssthresh < d->cwnd ? d->ssthresh : d->cwnd;/'
dctcp 'a timeout is a loss' 's/d->cwnd = 1;/;/'
dctcp 'an idle time changes nothing' 's/d->cwnd \/= 2;/break;/'
dctcp 'an idle time leaves less than an initial window' 's/if (d->cwnd < DCTCP_INITIAL)/if (0)/'

paced() { mutant windows paced "$@"; }
paced 'whole bursts at any rate' 's/if (fit > PACED_BURST)/if (1)/'
paced 'nothing is owed' 's/s->owed = wire_bytes \* 8 \* NSEC_PER_SEC;/s->owed = 0;/'
paced 'notifications do not matter' 's/dcqcn_on_cnp(p, &s->rp, &s->stats, now_ns);/;/'
paced 'what was paid is paid again' 's/		s->owed = owed;/		;/'

run() { mutant runs "$@"; }
run scenario 'a load of 1' 's/s->load_ppm >= PPM/0/'
run scenario 'RTTs without limit' 's/s->rtt_ns\[i\] < least ||/0 ||/'
run scenario 'links without the RTT' 's/(s->rtt_ns\[sender\] - fixed) \/ 2/fixed/'
run scenario 'acknowledgments at once' 's/return 2 \* scenario_least_wire_ns(s) + .*;/return 0;/'
run host 'a link without a rate' 's/sender->free_ns += packet_wire_ns.*;/;/'
run host 'a link that saves time' 's/if (sender->free_ns < s->now_ns)/if (0)/'
run host 'endless flows end' 's/if (f->size)/if (1)/;s/!f->size \&\& s->now_ns/s->now_ns/'
run host 'full packets only' 's/f->left < PACKET_PAYLOAD ? f->left : PACKET_PAYLOAD/PACKET_PAYLOAD/'
run window 'no handshake' 's/trip_ns += 2 \* sender->ack_ns;/;/'
run window 'connections are not used again' 's/sender->idle = f->connection;/;/'
run window 'nothing is deferred' 's/return c->window.cwnd - c->inflight < chunk;/return false;/'
run window 'packets in flight are forgotten' 's/c->inflight--;/;/'
run window 'marks do not come back' 's/marked = p->marked;/marked = false;/'
run window 'the packet stays' 's/packets_give(&s->packets, packet);/;/'
run pacing 'marks do not come back' 's/p->marked \&\& dcqcn_on_mark/0 \&\& dcqcn_on_mark/'
run pacing 'every mark is a notification' 's/p->marked \&\& dcqcn_on_mark(.*))$/p->marked)/'
run pacing 'the packet stays' 's/packets_give(&s->packets, packet);/;/'
run pacing 'bursts twice' 's/f->due_ns != s->now_ns || //'
run sim 'a closed loop that stops' 's/sim_add_closed(s, f->sender, at_ns);/;/'
run sim 'a lost packet is lost' 's/events_add(&s->events, s->now_ns + wait_ns, EVENT_RESEND, packet);/;/'
run sim 'what was lost comes' 's/sim_lose(s, packet);/sim_receive(s, packet);/'
run sim 'planned flows come at once' 's/s->flow\[s->started\].start_ns, EVENT_START/0, EVENT_START/'
run sim 'nothing behind the port' 's/s->port.free_ns + SCENARIO_BEHIND_NS/s->port.free_ns/'
run sim 'the link forgets the queue' 's/if (s->port.queued)$/if (0)/'

tap_done
