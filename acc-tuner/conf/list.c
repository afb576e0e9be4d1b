// SPDX-License-Identifier: GPL-2.0
/*
 * Values that are lists of queues, and fractions.
 */
#include <stdlib.h>
#include <string.h>

#include "../../lib/units.h"
#include "key.h"
#include "list.h"

/* Characters between the parts of an item, which a device's name does not have. */
#define LIST_FORBIDDEN	"/:=*"

/* A handle as tc prints it: "10:", hexadecimal. */
static int list_handle(const char *token, uint32_t *handle)
{
	size_t len = strspn(token, "0123456789abcdefABCDEF");
	unsigned long major;

	if (!len || len > 4 || token[len] != ':' || token[len + 1])
		return -1;
	major = strtoul(token, NULL, 16);
	*handle = major << 16;
	/* ffff: is the ingress side. */
	return major && major < 0xffff ? 0 : -1;
}

/* Return: what is wrong with "DEV" or "DEV/HANDLE", or NULL. */
static const char *list_queue(char *token, struct conf_queue *queue)
{
	char *slash = strchr(token, '/');

	memset(queue, 0, sizeof(*queue));
	if (slash) {
		*slash++ = '\0';
		if (list_handle(slash, &queue->handle))
			return "does not have a handle such as 10: behind the /";
	}
	if (!*token || strlen(token) >= CONF_DEV_MAX || strpbrk(token, LIST_FORBIDDEN) ||
	    !strcmp(token, ".") || !strcmp(token, ".."))
		return "is not the name of a device";
	memcpy(queue->dev, token, strlen(token));
	return NULL;
}

static bool list_same_queue(const struct conf_queue *a, const struct conf_queue *b)
{
	return a->handle == b->handle && !strcmp(a->dev, b->dev);
}

/* The token as it was, for messages, before it is cut. */
struct list_token {
	char text[64];
};

static struct list_token list_token(const char *token)
{
	struct list_token copy;

	snprintf(copy.text, sizeof(copy.text), "%s", token);
	return copy;
}

static int list_read_queue(struct conf_value *value, char *token)
{
	struct acc_conf *conf = value->conf;
	struct conf_queue *queue = &conf->queues[conf->n_queues];
	struct list_token copy = list_token(token);
	const char *bad = NULL;
	size_t i;

	if (conf->n_queues == CONF_QUEUES_MAX)
		return conf_value_refuse(value, value->tokens.line, copy.text, "is one too many");
	if (strcmp(token, "*"))
		bad = list_queue(token, queue);
	else
		memset(queue, 0, sizeof(*queue));
	for (i = 0; !bad && i < conf->n_queues; i++)
		if (list_same_queue(&conf->queues[i], queue))
			bad = "is given twice";
	if (bad)
		return conf_value_refuse(value, value->tokens.line, copy.text, bad);
	conf->n_queues++;
	return 0;
}

static int list_read_queues(struct conf_value *value)
{
	char *token;

	while ((token = conf_token(&value->tokens)))
		if (list_read_queue(value, token))
			return -1;
	if (((struct acc_conf *)value->conf)->n_queues)
		return 0;
	return conf_value_refuse(value, value->line, ",", "names no queue");
}

static bool list_same_queues(const void *a, const void *b)
{
	const struct acc_conf *x = a, *y = b;
	size_t i;

	for (i = 0; i < x->n_queues && i < y->n_queues; i++)
		if (!list_same_queue(&x->queues[i], &y->queues[i]))
			return false;
	return x->n_queues == y->n_queues;
}

const struct conf_form list_queues = {
	.items = "queues, each * or DEVICE[/HANDLE:]",
	.read = list_read_queues,
	.same = list_same_queues,
};

static const char *list_rate(char *token, struct conf_rate *rate)
{
	char *equals = strchr(token, '=');

	if (!equals)
		return "does not have a rate behind a =";
	*equals++ = '\0';
	if (unit_parse_rate(equals, &rate->bps) || rate->bps < CONF_RATE_LEAST ||
	    rate->bps > CONF_RATE_MOST)
		return "does not have a rate of 1kbit to 1tbit";
	return list_queue(token, &rate->queue);
}

static int list_read_rate(struct conf_value *value, char *token)
{
	struct acc_conf *conf = value->conf;
	struct conf_rate *rate = &conf->rates[conf->n_rates];
	struct list_token copy = list_token(token);
	const char *bad;
	size_t i;

	if (conf->n_rates == CONF_RATES_MAX)
		return conf_value_refuse(value, value->tokens.line, copy.text, "is one too many");
	bad = list_rate(token, rate);
	for (i = 0; !bad && i < conf->n_rates; i++)
		if (list_same_queue(&conf->rates[i].queue, &rate->queue))
			bad = "is given twice";
	if (bad)
		return conf_value_refuse(value, value->tokens.line, copy.text, bad);
	conf->n_rates++;
	return 0;
}

static int list_read_rates(struct conf_value *value)
{
	char *token;

	while ((token = conf_token(&value->tokens)))
		if (list_read_rate(value, token))
			return -1;
	if (((struct acc_conf *)value->conf)->n_rates)
		return 0;
	return conf_value_refuse(value, value->line, ",", "names no queue");
}

static bool list_same_rates(const void *a, const void *b)
{
	const struct acc_conf *x = a, *y = b;
	size_t i;

	for (i = 0; i < x->n_rates && i < y->n_rates; i++)
		if (!list_same_queue(&x->rates[i].queue, &y->rates[i].queue) ||
		    x->rates[i].bps != y->rates[i].bps)
			return false;
	return x->n_rates == y->n_rates;
}

const struct conf_form list_rates = {
	.items = "queues, each DEVICE[/HANDLE:]=RATE",
	.read = list_read_rates,
	.same = list_same_rates,
};

static int list_read_fraction(struct conf_value *value, uint64_t least, uint64_t most, int64_t *ppm)
{
	uint64_t number;

	if (unit_parse_fraction(value->tokens.at, &number) || number < least || number > most)
		return conf_value_refuse(value, value->line, value->tokens.at, "is out of range");
	*ppm = number;
	return 0;
}

static int list_read_explore(struct conf_value *value)
{
	struct acc_conf *conf = value->conf;

	return list_read_fraction(value, 0, LIST_EXPLORE_MOST, &conf->explore_ppm);
}

static bool list_is_same_explore(const void *a, const void *b)
{
	const struct acc_conf *x = a, *y = b;

	return x->explore_ppm == y->explore_ppm;
}

const struct conf_form list_explore = {
	.items = "0% to 50%",
	.read = list_read_explore,
	.same = list_is_same_explore,
};

static int list_read_share(struct conf_value *value)
{
	struct acc_conf *conf = value->conf;

	return list_read_fraction(value, 0, LIST_SHARE_MOST, &conf->share_ppm);
}

static bool list_is_same_share(const void *a, const void *b)
{
	const struct acc_conf *x = a, *y = b;

	return x->share_ppm == y->share_ppm;
}

const struct conf_form list_share = {
	.items = "0% to 50%",
	.read = list_read_share,
	.same = list_is_same_share,
};

static int list_read_pmax(struct conf_value *value)
{
	struct acc_conf *conf = value->conf;

	return list_read_fraction(value, 1, LIST_PMAX_MOST, &conf->pmax_least_ppm);
}

static bool list_is_same_pmax(const void *a, const void *b)
{
	const struct acc_conf *x = a, *y = b;

	return x->pmax_least_ppm == y->pmax_least_ppm;
}

const struct conf_form list_pmax = {
	.items = "0.0001% to 100%",
	.read = list_read_pmax,
	.same = list_is_same_pmax,
};
