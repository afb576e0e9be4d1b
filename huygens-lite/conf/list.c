// SPDX-License-Identifier: GPL-2.0
/*
 * Values that are lists.  Each is sorted, so that a search for duplicates looks at
 * neighbours.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/units.h"
#include "key.h"
#include "list.h"

#define LIST_UTC	"utc:"
#define LIST_UPPER	"upper:"

static int list_id(const char *token, uint32_t *id)
{
	int64_t value;

	if (unit_parse_signed(UNIT_COUNT, token, &value) || value < 1 ||
	    value > CONF_ID_MAX)
		return -1;
	*id = value;
	return 0;
}

static int list_is_name(const char *token, size_t most)
{
	size_t len = strlen(token);

	return len && len <= most && *token != '-' &&
	       strspn(token, CONF_NAME_CHARACTERS) == len;
}

static const char *list_bad_ip(const struct in_addr *ip)
{
	uint32_t host = ntohl(ip->s_addr);

	if (host >> 24 == 0)
		return "is not a host's address";
	if (host >> 28 >= 0xe)
		return "is a multicast or reserved address";
	return NULL;
}

static const char *list_bad_ip6(const struct in6_addr *ip)
{
	if (IN6_IS_ADDR_UNSPECIFIED(ip))
		return "is not a host's address";
	if (IN6_IS_ADDR_MULTICAST(ip))
		return "is a multicast address";
	if (IN6_IS_ADDR_LINKLOCAL(ip))
		return "is a link-local address, which a list for all hosts cannot contain";
	if (IN6_IS_ADDR_V4MAPPED(ip))
		return "is an IPv4 address and must be written as one";
	return NULL;
}

const char *list_bad_address(const union conf_address *address)
{
	return address->sa.sa_family == AF_INET ? list_bad_ip(&address->in.sin_addr) :
						  list_bad_ip6(&address->in6.sin6_addr);
}

/*
 * Labels of letters, digits and "-" (RFC 1123).  The last one begins with a letter, so that
 * an address that is mistyped is none.
 */
static int list_is_host(const char *token)
{
	const char *last = strrchr(token, '.'), *at;

	if (strlen(token) >= CONF_HOST_MAX || !isalpha((unsigned char)(last ? last[1] : *token)))
		return 0;
	for (at = token; *at; at++) {
		int edge = at == token || at[-1] == '.' || !at[1] || at[1] == '.';

		if (*at == '.' ? edge && (at == token || at[-1] == '.') :
		    *at == '-' ? edge : !isalnum((unsigned char)*at))
			return 0;
	}
	return 1;
}

/* Return: what is wrong with an address or a host name, or NULL. */
static const char *list_address(const char *token, struct conf_peer *peer)
{
	union conf_address *address = &peer->address;

	if (inet_pton(AF_INET, token, &address->in.sin_addr) == 1)
		address->sa.sa_family = AF_INET;
	else if (inet_pton(AF_INET6, token, &address->in6.sin6_addr) == 1)
		address->sa.sa_family = AF_INET6;
	else if (!list_is_host(token))
		return "has no IPv4 or IPv6 address, nor a host name";
	if (address->sa.sa_family != AF_UNSPEC)
		return list_bad_address(address);
	memset(address, 0, sizeof(*address));
	memcpy(peer->host, token, strlen(token) + 1);
	return NULL;
}

/* Return: what is wrong with an item of peers, or NULL. */
static const char *list_peer(char *token, struct conf_peer *peer, int *numbered)
{
	char *equals = strchr(token, '='), *slash = strchr(token, '/');
	const char *bad;

	memset(peer, 0, sizeof(*peer));
	*numbered = !!equals;
	if (equals) {
		*equals = '\0';
		if (list_id(token, &peer->id))
			return "is not an id, 1 to 65535";
		token = equals + 1;
	}
	if (slash)
		*slash++ = '\0';
	if (slash && !list_is_name(slash, CONF_NAME_MAX - 1))
		return "does not have a name of 1 to 31 letters, digits, \".\", \"_\" or \"-\"";
	bad = list_address(token, peer);
	snprintf(peer->name, sizeof(peer->name), "%s",
		 slash ? slash : bad ? "" : token);
	return bad;
}

static int list_by_id(const void *a, const void *b)
{
	const struct conf_peer *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int list_by_address(const void *a, const void *b)
{
	const struct conf_peer *x = a, *y = b;

	return strcmp(x->host, y->host) ? : memcmp(&x->address, &y->address, sizeof(x->address));
}

static int list_by_name(const void *a, const void *b)
{
	const struct conf_peer *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Sort peers; none is to equal its neighbour. */
static int list_twins(struct conf_value *list, int (*compare)(const void *, const void *),
		      const char *why)
{
	const struct huygens_conf *conf = list->conf;
	struct conf_peer *peers = conf->peers;
	size_t n = conf->n_peers, i;

	qsort(peers, n, sizeof(*peers), compare);
	for (i = 1; i < n; i++)
		if (!compare(&peers[i - 1], &peers[i]))
			return conf_value_refuse(list, list->line, peers[i].name, why);
	return 0;
}

static int list_check_peers(struct conf_value *list)
{
	const struct huygens_conf *conf = list->conf;
	sa_family_t family = AF_UNSPEC;
	size_t i;

	for (i = 0; i < conf->n_peers; i++) {
		const struct conf_peer *peer = &conf->peers[i];

		if (*peer->host)
			continue;
		if (family != AF_UNSPEC && peer->address.sa.sa_family != family)
			return conf_value_refuse(list, list->line, peer->name,
					   "differs from the first host in address family");
		family = peer->address.sa.sa_family;
	}
	/* Last by id, and so it stays. */
	return list_twins(list, list_by_address, "has the same address as another") ||
	       list_twins(list, list_by_name, "has the same name as another") ||
	       list_twins(list, list_by_id, "has the same id as another") ? -1 : 0;
}

static int list_read_peers(struct conf_value *list)
{
	struct huygens_conf *conf = list->conf;
	int numbered, all = 0;
	struct conf_peer *peer;
	const char *bad;
	char copy[CONF_HOST_MAX + CONF_NAME_MAX + 8];
	char *token;

	while ((token = conf_token(&list->tokens))) {
		if (strlen(token) >= sizeof(copy))
			return conf_value_refuse(list, list->tokens.line, token, "is too long");
		memcpy(copy, token, strlen(token) + 1);
		peer = conf_value_grow(&conf->peers, &conf->n_peers, sizeof(*peer),
				       list->key->most);
		if (!peer)
			return conf_value_refuse(list, list->tokens.line, token,
					   "exceeds the maximum number");
		bad = list_peer(token, peer, &numbered);
		if (!bad && conf->n_peers > 1 && numbered != all)
			bad = "differs from the hosts before it: either all or none have an id";
		if (bad)
			return conf_value_refuse(list, list->tokens.line, copy, bad);
		all = numbered;
		if (!numbered)
			peer->id = conf->n_peers;
	}
	if ((int64_t)conf->n_peers < list->key->least)
		return conf_value_refuse(list, list->line, conf->n_peers ? conf->peers[0].name : "",
				   "is below the minimum number");
	return list_check_peers(list);
}

static int list_compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The ids that are left, in ascending order. */
static int list_read_id_array(struct conf_value *list, uint32_t **ids, size_t *n, int64_t most)
{
	uint32_t *id;
	char *token;
	size_t i;

	while ((token = conf_token(&list->tokens))) {
		id = conf_value_grow(ids, n, sizeof(*id), most);
		if (!id || list_id(token, id))
			return conf_value_refuse(list, list->tokens.line, token,
					   id ? "is not an id, 1 to 65535" :
					   "exceeds the maximum number");
		for (i = 0; i + 1 < *n; i++)
			if ((*ids)[i] == *id)
				return conf_value_refuse(list, list->tokens.line, token,
						   "is given twice");
	}
	if (*n)
		qsort(*ids, *n, sizeof(**ids), list_compare_ids);
	return 0;
}

static int list_read_ids(struct conf_value *list)
{
	struct huygens_conf *conf = list->conf;

	return list_read_id_array(list, &conf->candidates, &conf->n_candidates,
				  list->key->most);
}

/* Error of a stamp: the range of tx_comp and rx_comp. */
static int list_comp(const char *token, int64_t *ns)
{
	const struct conf_key *range = conf_key_find(&huygens_table, "node", "tx_comp");

	return unit_parse_signed(UNIT_TIME, token, ns) || *ns < range->least ||
	       *ns > range->most ? -1 : 0;
}

/* NAME[/TX/RX]; returns what is wrong, or NULL. */
static const char *list_link(char *token, struct conf_link *link)
{
	char *tx = strchr(token, '/'), *rx = tx ? strchr(tx + 1, '/') : NULL;

	memset(link, 0, sizeof(*link));
	if (tx)
		*tx++ = '\0';
	if (rx)
		*rx++ = '\0';
	if (!*token || strlen(token) >= sizeof(link->name))
		return "is not a device name";
	memcpy(link->name, token, strlen(token) + 1);
	link->has_comp = tx;
	if (tx && (!rx || list_comp(tx, &link->tx_comp_ns) ||
		   list_comp(rx, &link->rx_comp_ns)))
		return "does not have two times after its name";
	return NULL;
}

static int list_read_links(struct conf_value *list)
{
	struct huygens_conf *conf = list->conf;
	struct conf_link *link;
	char copy[DEVICE_NAME_MAX + 64];
	const char *bad;
	char *token;
	size_t i;

	while ((token = conf_token(&list->tokens))) {
		if ((int64_t)conf->n_links == list->key->most)
			return conf_value_refuse(list, list->tokens.line, token,
					   "exceeds the maximum number");
		strncpy(copy, token, sizeof(copy) - 1);
		copy[sizeof(copy) - 1] = '\0';
		link = &conf->links[conf->n_links];
		bad = list_link(token, link);
		for (i = 0; !bad && i < conf->n_links; i++)
			if (!strcmp(conf->links[i].name, link->name))
				bad = "is given twice";
		if (bad)
			return conf_value_refuse(list, list->tokens.line, copy, bad);
		conf->n_links++;
	}
	return 0;
}

/* ID-ID:TIME */
static int list_asymmetry(char *token, struct conf_asymmetry *item)
{
	char *minus = strchr(token, '-'), *colon = strchr(token, ':');

	if (!minus || !colon || colon < minus)
		return -1;
	*minus = *colon = '\0';
	if (list_id(token, &item->from) || list_id(minus + 1, &item->to) ||
	    item->from == item->to || unit_parse_signed(UNIT_TIME, colon + 1, &item->ns))
		return -1;
	return item->ns < -10000000 || item->ns > 10000000 ? -1 : 0;
}

static int list_same_pair(const struct conf_asymmetry *a,
			  const struct conf_asymmetry *b)
{
	return (a->from == b->from && a->to == b->to) ||
	       (a->from == b->to && a->to == b->from);
}

static int list_read_asymmetries(struct conf_value *list)
{
	struct huygens_conf *conf = list->conf;
	struct conf_asymmetry *item;
	char copy[64];
	char *token;
	size_t i;

	while ((token = conf_token(&list->tokens))) {
		strncpy(copy, token, sizeof(copy) - 1);
		copy[sizeof(copy) - 1] = '\0';
		item = conf_value_grow(&conf->asymmetries, &conf->n_asymmetries, sizeof(*item),
				       list->key->most);
		if (!item)
			return conf_value_refuse(list, list->tokens.line, copy,
					   "exceeds the maximum number");
		if (list_asymmetry(token, item))
			return conf_value_refuse(list, list->tokens.line, copy, "is none");
		for (i = 0; i + 1 < conf->n_asymmetries; i++)
			if (list_same_pair(&conf->asymmetries[i], item))
				return conf_value_refuse(list, list->tokens.line, copy,
						   "gives the same pair twice");
	}
	return 0;
}

/* all, or ids, after a word */
static int list_read_hosts(struct conf_value *list, enum conf_reference reference,
			   const char *word)
{
	struct huygens_conf *conf = list->conf;

	conf->reference = reference;
	list->tokens.at += strlen(word);
	if (!strcmp(list->tokens.at, "all"))
		return 0;
	if (!*list->tokens.at || isspace((unsigned char)*list->tokens.at) ||
	    *list->tokens.at == ',')
		return conf_value_refuse(list, list->line, word, "has no id after it");
	return list_read_id_array(list, &conf->utc_hosts, &conf->n_utc_hosts,
				  CONF_UTC_MAX);
}

static int list_read_reference(struct conf_value *list)
{
	struct huygens_conf *conf = list->conf;
	uint32_t id = 0;

	if (!strncmp(list->tokens.at, LIST_UTC, strlen(LIST_UTC)))
		return list_read_hosts(list, CONF_REFERENCE_UTC, LIST_UTC);
	if (!strncmp(list->tokens.at, LIST_UPPER, strlen(LIST_UPPER)))
		return list_read_hosts(list, CONF_REFERENCE_UPPER, LIST_UPPER);
	conf->reference = CONF_REFERENCE_MEAN;
	if (strcmp(list->tokens.at, "mean")) {
		conf->reference = CONF_REFERENCE_HOST;
		if (list_id(list->tokens.at, &id))
			return conf_value_refuse(list, list->line, list->tokens.at, "is none");
	}
	conf->reference_id = id;
	return 0;
}

static bool list_same_array(const void *a, size_t n_a, const void *b, size_t n_b,
			    size_t size)
{
	return n_a == n_b && (!n_a || !memcmp(a, b, n_a * size));
}

static bool list_same_peers(const void *a, const void *b)
{
	const struct huygens_conf *x = a, *y = b;

	return list_same_array(x->peers, x->n_peers, y->peers, y->n_peers,
			       sizeof(*x->peers));
}

static bool list_same_ids(const void *a, const void *b)
{
	const struct huygens_conf *x = a, *y = b;

	return list_same_array(x->candidates, x->n_candidates, y->candidates, y->n_candidates,
			       sizeof(*x->candidates));
}

static bool list_same_links(const void *a, const void *b)
{
	const struct huygens_conf *x = a, *y = b;

	return list_same_array(x->links, x->n_links, y->links, y->n_links,
			       sizeof(*x->links));
}

static bool list_same_asymmetries(const void *a, const void *b)
{
	const struct huygens_conf *x = a, *y = b;

	return list_same_array(x->asymmetries, x->n_asymmetries, y->asymmetries, y->n_asymmetries,
			       sizeof(*x->asymmetries));
}

static int list_read_max_asymmetry(struct conf_value *value)
{
	struct huygens_conf *conf = value->conf;
	uint64_t ppm;

	if (unit_parse_fraction(value->tokens.at, &ppm) || ppm > CONF_FRACTION_ONE)
		return conf_value_refuse(value, value->line, value->tokens.at, "is out of range");
	conf->max_asymmetry_ppm = ppm;
	return 0;
}

static bool list_same_max_asymmetry(const void *a, const void *b)
{
	const struct huygens_conf *x = a, *y = b;

	return x->max_asymmetry_ppm == y->max_asymmetry_ppm;
}

static bool list_same_reference(const void *a, const void *b)
{
	const struct huygens_conf *x = a, *y = b;

	return x->reference == y->reference && x->reference_id == y->reference_id &&
	       list_same_array(x->utc_hosts, x->n_utc_hosts, y->utc_hosts, y->n_utc_hosts,
			       sizeof(*x->utc_hosts));
}

const struct conf_form list_peers = {
	.items = "hosts, each [ID=]ADDRESS[/NAME]",
	.read = list_read_peers,
	.same = list_same_peers,
};

const struct conf_form list_ids = {
	.items = "ids of peers",
	.read = list_read_ids,
	.same = list_same_ids,
};

const struct conf_form list_links = {
	.items = "devices, each NAME[/TX_COMP/RX_COMP]",
	.read = list_read_links,
	.same = list_same_links,
};

const struct conf_form list_asymmetries = {
	.items = "of ID-ID:TIME, at most 10ms",
	.read = list_read_asymmetries,
	.same = list_same_asymmetries,
};

const struct conf_form list_max_asymmetry = {
	.items = "0% to 100%",
	.read = list_read_max_asymmetry,
	.same = list_same_max_asymmetry,
};

const struct conf_form list_reference = {
	.items = "mean, ID, utc:HOSTS or upper:HOSTS; HOSTS is all or up to 64 ids",
	.read = list_read_reference,
	.same = list_same_reference,
};
