// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual output queues: which one a frame counts in, which one is served, and the accounts.
 */
#include <linux/hash.h>
#include <linux/if_vlan.h>
#include <linux/slab.h>

#include "cp.h"

static struct hlist_head *cp_voq_bucket(struct cp_port *q, const struct cp_input *in)
{
	return &q->voqs[hash_ptr(in, CP_VOQ_BITS)];
}

/**
 * cp_voq_init() - a VOQ without frames
 * @q: its output
 * @voq: the VOQ, zeroed
 * @minor: of its class
 *
 * Context: root lock, or nobody knows the port.
 */
void cp_voq_init(struct cp_port *q, struct cp_voq *voq, u32 minor)
{
	INIT_LIST_HEAD(&voq->active);
	voq->port = q;
	voq->minor = minor;
}

static struct cp_voq *cp_voq_of(const struct rb_node *node)
{
	return rb_entry(node, struct cp_voq, by_minor);
}

static bool cp_voq_less(struct rb_node *a, const struct rb_node *b)
{
	return cp_voq_of(a)->minor < cp_voq_of(b)->minor;
}

static struct cp_voq *cp_voq_create(struct cp_port *q, struct cp_input *in)
{
	struct cp_voq *voq;

	if (!refcount_inc_not_zero(&in->refs))
		return &q->foreign;
	voq = kzalloc(sizeof(*voq), GFP_ATOMIC | __GFP_NOWARN);
	if (!voq) {
		cp_input_put(in);
		return NULL;
	}
	cp_voq_init(q, voq, in->minor);
	voq->input = in;
	hlist_add_head(&voq->node, cp_voq_bucket(q, in));
	rb_add(&voq->by_minor, &q->classes, cp_voq_less);
	return voq;
}

/* Return: the input of a device, or of the one that it is a VLAN of; NULL if it is none. */
static struct cp_input *cp_voq_input(const struct cp_port *q, int iif)
{
	struct net *net = dev_net(qdisc_dev(q->sch));
	struct cp_input *in = cp_input_find(q->net, iif);
	struct net_device *dev, *real;

	if (in)
		return in;
	dev = dev_get_by_index_rcu(net, iif);
	if (!dev || !is_vlan_dev(dev))
		return NULL;
	real = vlan_dev_real_dev(dev);
	return net_eq(dev_net(real), net) ? cp_input_find(q->net, real->ifindex) : NULL;
}

static noinline struct cp_voq *cp_voq_search(struct cp_port *q, int iif)
{
	/* Before the table: an input that comes meanwhile is looked for again. */
	u32 gen = smp_load_acquire(&q->net->gen);
	struct cp_voq *voq;
	struct cp_input *in;

	rcu_read_lock();
	in = iif ? cp_voq_input(q, iif) : NULL;
	if (!in) {
		voq = iif ? &q->foreign : &q->local;
		goto found;
	}
	hlist_for_each_entry(voq, cp_voq_bucket(q, in), node)
		if (voq->input == in)
			goto found;
	voq = cp_voq_create(q, in);
found:
	rcu_read_unlock();
	q->last = voq;
	q->last_iif = iif;
	q->last_gen = gen;
	return voq;
}

/**
 * cp_voq_get() - where a frame counts
 * @q: the port that it is for
 * @skb: the frame
 *
 * Context: root lock.
 * Return: the VOQ; NULL if there is no memory for one.
 */
struct cp_voq *cp_voq_get(struct cp_port *q, const struct sk_buff *skb)
{
	if (likely(q->last && q->last_iif == skb->skb_iif &&
		   q->last_gen == READ_ONCE(q->net->gen)))
		return q->last;
	return cp_voq_search(q, skb->skb_iif);
}

static void cp_voq_free(struct cp_port *q, struct cp_voq *voq)
{
	WARN_ON_ONCE(voq->bytes || voq->counted || voq->pausing);
	if (q->last == voq)
		q->last = NULL;
	hlist_del(&voq->node);
	rb_erase(&voq->by_minor, &q->classes);
	cp_input_put(voq->input);
	kfree(voq);
}

static void cp_voq_forget_in(struct cp_port *q, struct hlist_head *bucket,
			     const struct cp_input *in)
{
	struct hlist_node *next;
	struct cp_voq *voq;

	hlist_for_each_entry_safe(voq, next, bucket, node)
		if (!voq->packets && (!in || voq->input == in))
			cp_voq_free(q, voq);
}

/**
 * cp_voq_forget() - give up VOQs without frames
 * @q: the port
 * @in: of an input; NULL: all
 *
 * Context: root lock.
 */
void cp_voq_forget(struct cp_port *q, const struct cp_input *in)
{
	u32 i;

	if (in) {
		cp_voq_forget_in(q, cp_voq_bucket(q, in), in);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(q->voqs); i++)
		cp_voq_forget_in(q, &q->voqs[i], NULL);
}

/* Which bytes of an output decide about PAUSE. */
static u32 cp_voq_level(const struct cp_port *q)
{
	return q->pause_output ? q->counted : 0;
}

static void cp_voq_request_pause(struct cp_port *q, struct cp_voq *voq)
{
	bool hold = q->pause.paused && voq->counted;

	if (!voq->input || voq->pausing == hold)
		return;
	voq->pausing = hold;
	cp_input_request_pause(q, voq->input, hold);
}

/**
 * cp_voq_pause() - an output's level changed: does it want its inputs paused?
 * @q: the output
 * @voq: where it changed; NULL: in none
 *
 * Context: root lock.
 */
void cp_voq_pause(struct cp_port *q, struct cp_voq *voq)
{
	u32 i, level = cp_voq_level(q);

	if (likely(q->pause.paused ? level > q->limits.xon_bytes :
		   level < q->limits.xoff_bytes)) {
		if (unlikely(q->pause.paused) && voq)
			cp_voq_request_pause(q, voq);
		return;
	}
	pause_tx_update(&q->limits, &q->pause, level, cp_now(q));
	for (i = 0; i < ARRAY_SIZE(q->voqs); i++)
		hlist_for_each_entry(voq, &q->voqs[i], node)
			cp_voq_request_pause(q, voq);
}

/* A VOQ with frames is active; what it sent too much before is not forgotten. */
static void cp_voq_activate(struct cp_port *q, struct cp_voq *voq)
{
	if (!list_empty(&voq->active))
		return;
	voq->deficit = min(voq->deficit, 0) + q->quantum;
	list_add_tail(&voq->active, &q->active);
	q->nr_active++;
}

/**
 * cp_voq_put() - queue a frame
 * @q: the port
 * @skb: the frame; its VOQ and its slots are set
 *
 * Context: root lock.
 */
void cp_voq_put(struct cp_port *q, struct sk_buff *skb)
{
	struct cp_voq *voq = cp_cb(skb)->voq;
	u32 len = qdisc_pkt_len(skb);
	u32 class = cp_class(skb);

	cp_cb(skb)->seq = q->seq++;
	q->bytes += len;
	q->packets[class]++;
	q->filled |= BIT(class);
	voq->bytes += len;
	if (!voq->packets++ && voq->input)
		q->nr_inputs++;
	if (q->rr) {
		cp_fifo_put(&voq->fifo, skb);
		cp_voq_activate(q, voq);
	} else {
		cp_fifo_put(&q->fifo, skb);
	}
	qdisc_qstats_backlog_inc(q->sch, skb);
	q->sch->q.qlen++;
}

/* Deficit round robin over active VOQs, without those of which all is paused. */
static struct sk_buff *cp_voq_drr(struct cp_port *q, u8 allowed)
{
	struct sk_buff *skb;
	struct cp_voq *voq;
	u32 blocked = 0;

	while (blocked < q->nr_active) {
		voq = list_first_entry(&q->active, struct cp_voq, active);
		if (!(voq->fifo.filled & allowed)) {
			blocked++;
		} else if (voq->deficit <= 0) {
			blocked = 0;
			voq->deficit += q->quantum;
		} else {
			skb = cp_fifo_take(&voq->fifo, allowed);
			voq->deficit -= qdisc_pkt_len(skb);
			if (!voq->fifo.filled) {
				list_del_init(&voq->active);
				q->nr_active--;
			}
			return skb;
		}
		list_move_tail(&voq->active, &q->active);
	}
	return NULL;
}

/**
 * cp_voq_take() - take the frame that is next
 * @q: the port
 * @allowed: priorities that may leave, a bit each
 *
 * Context: root lock.
 * Return: the frame, on no list, which cp_voq_uncharge() has still to account for; NULL if there
 *	is none.
 */
struct sk_buff *cp_voq_take(struct cp_port *q, u8 allowed)
{
	struct sk_buff *skb;

	if (likely(!q->rr && !q->nr_active))
		return cp_fifo_take(&q->fifo, allowed);
	if (likely(q->rr && !q->fifo.filled))
		return cp_voq_drr(q, allowed);
	/* Service was changed. */
	skb = q->rr ? cp_fifo_take(&q->fifo, allowed) : cp_voq_drr(q, allowed);
	if (!skb)
		skb = q->rr ? cp_voq_drr(q, allowed) : cp_fifo_take(&q->fifo, allowed);
	cp_voq_set_service(q, q->rr_next);
	return skb;
}

/**
 * cp_voq_uncharge() - account for a frame that was taken
 * @q: the port
 * @skb: the frame; nobody else has it from here on
 *
 * Context: root lock.
 */
void cp_voq_uncharge(struct cp_port *q, struct sk_buff *skb)
{
	struct cp_voq *voq = cp_cb(skb)->voq;
	u32 len = qdisc_pkt_len(skb);
	u32 class = cp_class(skb);

	q->sch->q.qlen--;
	qdisc_qstats_backlog_dec(q->sch, skb);
	q->bytes -= len;
	if (!--q->packets[class])
		q->filled &= ~BIT(class);
	if (likely(cp_cb(skb)->slot_out != CP_OUTSIDE)) {
		q->counted -= len;
		cp_point_remove(&q->point, skb);
	}
	voq->bytes -= len;
	if (!--voq->packets && voq->input)
		q->nr_inputs--;
	if (voq->input)
		cp_input_uncharge(q, voq, skb);
	cp_voq_pause(q, voq);
	if (!voq->packets && voq->input && unlikely(READ_ONCE(voq->input->dead)))
		cp_voq_free(q, voq);
}

/**
 * cp_voq_set_service() - change the order in which frames leave
 * @q: the port
 * @rr: deficit round robin over VOQs
 *
 * Frames that wait are not moved: they leave first, in the order of the service with which
 * they were queued, so that the frames of each input keep their order.  While such frames
 * wait, those that come are not queued by a third service.
 *
 * Context: root lock.
 */
void cp_voq_set_service(struct cp_port *q, bool rr)
{
	q->rr_next = rr;
	if (rr ? !q->nr_active : !q->fifo.filled)
		q->rr = rr;
}

/**
 * cp_voq_next() - the VOQ that follows, by the number of its class
 * @q: the port
 * @minor: least number
 *
 * Context: root lock.
 * Return: the VOQ, or NULL.
 */
struct cp_voq *cp_voq_next(struct cp_port *q, u32 minor)
{
	struct rb_node *node = q->classes.rb_node, *best = NULL;

	if (minor <= q->local.minor)
		return &q->local;
	if (minor <= q->foreign.minor)
		return &q->foreign;
	while (node) {
		if (cp_voq_of(node)->minor < minor) {
			node = node->rb_right;
		} else {
			best = node;
			node = node->rb_left;
		}
	}
	return best ? cp_voq_of(best) : NULL;
}
