// SPDX-License-Identifier: GPL-2.0
/*
 * The table of queues: buckets of trees, by hash.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <net/tcp_states.h>

#include "sch_onramp.h"

/* Queues forgotten on a look-up, and when. */
#define ONRAMPQ_GC_MAX	8
#define ONRAMPQ_GC_AGE_NS	(3ULL * NSEC_PER_SEC)

struct kmem_cache *onrampq_queue_cache;

/*
 * Packets of listeners and of sockets that are not whole (SYN-ACKs, TIME-WAIT)
 * are none of a flow yet, or no more: they have no rate, and many of them, such
 * as those of a SYN flood, must not share a queue.  Nor must those of a socket
 * that is not connected: it may send to many.  But one of TCP that is not has been:
 * the RST of its closer stays behind the data that it is about.
 */
struct onrampq_key onrampq_key_of(const struct onrampq_sched *q, struct sk_buff *skb)
{
	const struct sock *sk = skb->sk;

	if (sk && (!sk_fullsock(sk) || READ_ONCE(sk->sk_state) == TCP_LISTEN))
		skb_orphan(skb);
	sk = skb->sk;
	if (sk && (READ_ONCE(sk->sk_state) != TCP_CLOSE || compat_sk_is_tcp(sk)))
		return (struct onrampq_key){ READ_ONCE(sk->sk_hash), sk };
	return (struct onrampq_key){ skb_get_hash(skb) & q->conf.orphan_mask, NULL };
}

static struct rb_root *onrampq_bucket(const struct onrampq_sched *q, u32 hash)
{
	return &q->table[hash_32(hash, q->table_log)];
}

/* Return: below 0 if @key is left of @f, 0 if it is its. */
static int onrampq_key_compare(const struct onrampq_key *key, const struct onrampq_queue *f)
{
	if (key->hash != f->hash)
		return key->hash < f->hash ? -1 : 1;
	if (key->sk != f->sk)
		return key->sk < f->sk ? -1 : 1;
	return 0;
}

static bool onrampq_is_stale(const struct onrampq_queue *f, u64 now)
{
	return f->state == ONRAMPQ_IDLE && now - f->idle_ns > ONRAMPQ_GC_AGE_NS;
}

/* Forget a queue without packets, that is on no list and does not wait. */
static void onrampq_queue_forget(struct onrampq_sched *q, struct onrampq_queue *f, u64 now)
{
	if (f->binding)
		onrampq_bind_free(q, f, now);
	rb_erase(&f->node, onrampq_bucket(q, f->hash));
	q->nr_queues--;
	q->nr_inactive--;
	kmem_cache_free(onrampq_queue_cache, f);
}

/* On the way to a key, look for what can be forgotten. */
static noinline void onrampq_table_gc(struct onrampq_sched *q, struct rb_root *root,
				      const struct onrampq_key *key, u64 now)
{
	struct onrampq_queue *stale[ONRAMPQ_GC_MAX];
	struct rb_node *node = root->rb_node;
	int n = 0;

	while (node && n < ONRAMPQ_GC_MAX) {
		struct onrampq_queue *f = rb_entry(node, struct onrampq_queue, node);
		int way = onrampq_key_compare(key, f);

		if (!way)
			break;
		if (onrampq_is_stale(f, now))
			stale[n++] = f;
		node = way < 0 ? node->rb_left : node->rb_right;
	}
	q->count.gc += n;
	while (n)
		onrampq_queue_forget(q, stale[--n], now);
}

/*
 * A queue that is there, and on the way to it nothing to be forgotten, which is
 * so of nearly all.  Return: NULL also if there may be one.
 */
static struct onrampq_queue *onrampq_table_meet(struct rb_root *root,
						const struct onrampq_key *key, u64 now)
{
	struct rb_node *node = root->rb_node;

	while (node) {
		struct onrampq_queue *f = rb_entry(node, struct onrampq_queue, node);
		int way = onrampq_key_compare(key, f);

		if (!way)
			return f;
		if (unlikely(onrampq_is_stale(f, now)))
			break;
		node = way < 0 ? node->rb_left : node->rb_right;
	}
	return NULL;
}

static struct onrampq_queue *onrampq_queue_make(const struct onrampq_sched *q,
						const struct onrampq_key *key, u64 now)
{
	struct onrampq_queue *f;

	f = kmem_cache_zalloc(onrampq_queue_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (unlikely(!f))
		return NULL;
	f->hash = key->hash;
	f->sk = key->sk;
	f->credit = q->conf.initial_quantum;
	onrampq_drr_idle(f, now);
	return f;
}

/* Where a key is, or would be. */
static struct rb_node **onrampq_table_find(struct rb_root *root,
					   const struct onrampq_key *key,
					   struct rb_node **parent)
{
	struct rb_node **link = &root->rb_node;

	*parent = NULL;
	while (*link) {
		int way = onrampq_key_compare(key, rb_entry(*link, struct onrampq_queue,
							    node));

		if (!way)
			break;
		*parent = *link;
		link = way < 0 ? &(*link)->rb_left : &(*link)->rb_right;
	}
	return link;
}

struct onrampq_queue *onrampq_table_get(struct onrampq_sched *q, const struct onrampq_key *key,
					u64 now)
{
	struct rb_root *root = onrampq_bucket(q, key->hash);
	struct rb_node **link, *parent;
	struct onrampq_queue *f;

	f = onrampq_table_meet(root, key, now);
	if (likely(f))
		return f;
	onrampq_table_gc(q, root, key, now);
	link = onrampq_table_find(root, key, &parent);
	if (*link)
		return rb_entry(*link, struct onrampq_queue, node);

	f = onrampq_queue_make(q, key, now);
	if (unlikely(!f)) {
		q->count.alloc_errors++;
		return NULL;
	}
	rb_link_node(&f->node, parent, link);
	rb_insert_color(&f->node, root);
	q->nr_queues++;
	q->nr_inactive++;
	return f;
}

struct rb_root *onrampq_table_alloc(struct Qdisc *sch, u8 log)
{
	return kvzalloc_node(sizeof(struct rb_root) << log, GFP_KERNEL,
			     netdev_queue_numa_node_read(sch->dev_queue));
}

struct rb_root *onrampq_table_set(struct onrampq_sched *q, struct rb_root *table,
				  u8 log)
{
	struct rb_root *old = q->table;
	struct onrampq_queue *f, *next;

	for (f = onrampq_table_first(q); f; f = next) {
		const struct onrampq_key key = { f->hash, f->sk };
		struct rb_root *root = &table[hash_32(f->hash, log)];
		struct rb_node **link, *parent;

		next = onrampq_table_next(q, f);
		rb_erase(&f->node, onrampq_bucket(q, f->hash));
		link = onrampq_table_find(root, &key, &parent);
		rb_link_node(&f->node, parent, link);
		rb_insert_color(&f->node, root);
	}
	q->table = table;
	q->table_log = log;
	return old;
}

/* The first queue of the first bucket from @bucket on that has any. */
static struct onrampq_queue *onrampq_table_from(const struct onrampq_sched *q, u32 bucket)
{
	for (; q->table && bucket < 1U << q->table_log; bucket++) {
		struct rb_node *node = rb_first(&q->table[bucket]);

		if (node)
			return rb_entry(node, struct onrampq_queue, node);
	}
	return NULL;
}

struct onrampq_queue *onrampq_table_first(const struct onrampq_sched *q)
{
	return onrampq_table_from(q, 0);
}

struct onrampq_queue *onrampq_table_next(const struct onrampq_sched *q,
					 const struct onrampq_queue *f)
{
	struct rb_node *node = rb_next(&f->node);

	if (node)
		return rb_entry(node, struct onrampq_queue, node);
	return onrampq_table_from(q, hash_32(f->hash, q->table_log) + 1);
}

void onrampq_table_detach(struct onrampq_sched *q, u64 now)
{
	struct onrampq_queue *f;

	for (f = onrampq_table_first(q); f; f = onrampq_table_next(q, f))
		if (f->binding)
			onrampq_bind_detach(q, f, now);
	onrampq_wait_kicked(q, now);
	for (f = onrampq_table_first(q); f; f = onrampq_table_next(q, f))
		if (f->state == ONRAMPQ_WAIT)
			onrampq_wait_resort(q, f, now);
}

/* A queue, which no band's list has any more, loses its packets. */
static void onrampq_queue_empty(struct onrampq_sched *q, struct onrampq_queue *f, u64 now)
{
	if (f->state == ONRAMPQ_WAIT)
		onrampq_wait_leave(q, f);
	if (f->qlen)
		q->nr_inactive++;
	onrampq_queue_purge(f);
	onrampq_drr_idle(f, now);
}

void onrampq_table_purge(struct onrampq_sched *q, u64 now)
{
	struct onrampq_queue *f, *next;

	onrampq_drr_init(q);
	onrampq_queue_empty(q, &q->spare, now);
	for (f = onrampq_table_first(q); f; f = next) {
		next = onrampq_table_next(q, f);
		onrampq_queue_empty(q, f, now);
		onrampq_queue_forget(q, f, now);
	}
}
