// SPDX-License-Identifier: GPL-2.0
/*
 * Peers by id.
 */
#include "conf.h"

const struct conf_peer *conf_find(const struct huygens_conf *conf, uint32_t id)
{
	size_t low = 0, high = conf->n_peers;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (conf->peers[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < conf->n_peers && conf->peers[low].id == id ?
	       &conf->peers[low] : NULL;
}
