// SPDX-License-Identifier: GPL-2.0
/*
 * A configuration of acc-tuner of any bytes: what is accepted keeps the ranges of its
 * table, what is refused says why in a message that can be printed.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../acc-tuner/conf/key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
	if (!good)
		abort();
}

static void look_key(const struct acc_conf *conf, const struct conf_key *key)
{
	const char *text = (const char *)conf + key->offset;
	int64_t value;

	if (key->kind <= CONF_KEY_PPB) {
		value = *(const int64_t *)text;
		require((!value && key->zero) || (value >= key->least && value <= key->most));
	} else if (key->kind == CONF_KEY_NAME || key->kind == CONF_KEY_PATH) {
		require((int64_t)strlen(text) <= key->most);
		require(*text ? key->kind == CONF_KEY_NAME || *text == '/' : key->zero != NULL);
	}
}

static void look_queue(const struct conf_queue *queue)
{
	require(strlen(queue->dev) < CONF_DEV_MAX && !strpbrk(queue->dev, "/:=*"));
	require(!(queue->handle & 0xffff) && queue->handle >> 16 != 0xffff);
}

static void look(const struct acc_conf *conf)
{
	size_t i;

	for (i = 0; i < acc_table.n; i++)
		look_key(conf, &acc_table.keys[i]);
	require(conf->n_queues && conf->n_queues <= CONF_QUEUES_MAX && conf->n_rates <= CONF_RATES_MAX);
	for (i = 0; i < conf->n_queues; i++) {
		look_queue(&conf->queues[i]);
		require(conf_is_named(&conf->queues[i],
				      *conf->queues[i].dev ? conf->queues[i].dev : "x", NULL));
	}
	for (i = 0; i < conf->n_rates; i++) {
		require(conf_rate_bps(conf, conf->rates[i].queue.dev, NULL,
				      conf->rates[i].queue.handle));
		look_queue(&conf->rates[i].queue);
		require(*conf->rates[i].queue.dev && conf->rates[i].bps >= CONF_RATE_LEAST &&
			conf->rates[i].bps <= CONF_RATE_MOST);
	}
	require(conf->explore_ppm >= 0 && conf->explore_ppm <= 500000);
	require(conf->share_ppm >= 0 && conf->share_ppm <= 500000);
	require(conf->pmax_least_ppm >= 1 && conf->pmax_least_ppm <= 1000000);
	require(conf->policy != CONF_POLICY_DDQN || *conf->model);
	require(!conf->learn || (conf->policy == CONF_POLICY_DDQN && conf->mode == CONF_MODE_TUNE));
	require(!conf->kmax_most_ns || conf->kmax_most_ns >= conf->kmin_least_ns);
}

static void look_refusal(const struct conf_error *error)
{
	const char *at = error->text;

	require(!strncmp(at, "f:", 2) && at[2]);
	for (; *at; at++)
		require(isprint((unsigned char)*at) || (unsigned char)*at >= 0x80 ||
			strchr("\t\r\n", *at));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct acc_conf conf;
	struct conf_error error = { "" };

	if (conf_parse(&conf, "f", (const char *)data, size, &error))
		look_refusal(&error);
	else
		look(&conf);
	return 0;
}
