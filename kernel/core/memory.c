// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory flows, their records and paths of a namespace may take.
 *
 * Packets make them, most in softirq, where there is no task to charge: of what is
 * allocated there __GFP_ACCOUNT charges nobody, and where a task sends it charges
 * the cgroup of that task, without which it would be nobody's either.  So it is
 * asked for, and what bounds it is counted here.
 *
 * Where there are peers, strangers have half of it at most: what a peer needs as a
 * packet leaves, when nothing can make room, is there.
 */
#include <linux/log2.h>

#include "core.h"

/* As the kernel's allocator rounds what flows, paths and records ask for. */
static s64 onramp_memory_size(size_t bytes)
{
	return roundup_pow_of_two(bytes);
}

/**
 * onramp_memory_take() - may so much be allocated?
 * @on: the namespace
 * @bytes: how much, not 0
 * @is_peer: for a peer
 *
 * Context: any.
 * Return: true if so, and it counts until onramp_memory_give().
 */
bool onramp_memory_take(struct onramp_net *on, size_t bytes, bool is_peer)
{
	s64 size = onramp_memory_size(bytes);
	s64 most = READ_ONCE(on->max_memory);
	s64 strange = 0;

	if (!is_peer) {
		strange = atomic64_add_return(size, &on->memory_strange);
		if (onramp_peers_known(on))
			strange *= 2;
	}
	if (atomic64_add_return(size, &on->memory) <= most && strange <= most)
		return true;
	onramp_memory_give(on, bytes, is_peer);
	return false;
}

/**
 * onramp_memory_give() - so much was freed
 * @on: the namespace
 * @bytes: as it was taken
 * @is_peer: likewise, or as it was changed to
 *
 * Context: any.
 */
void onramp_memory_give(struct onramp_net *on, size_t bytes, bool is_peer)
{
	s64 size = onramp_memory_size(bytes);

	atomic64_sub(size, &on->memory);
	if (!is_peer)
		atomic64_sub(size, &on->memory_strange);
}

/**
 * onramp_memory_change() - what was a stranger's is a peer's, or the other way
 * @on: the namespace
 * @bytes: as it was taken
 * @is_peer: a peer's from now on
 *
 * Context: any.
 */
void onramp_memory_change(struct onramp_net *on, size_t bytes, bool is_peer)
{
	s64 size = onramp_memory_size(bytes);

	atomic64_add(is_peer ? -size : size, &on->memory_strange);
}
