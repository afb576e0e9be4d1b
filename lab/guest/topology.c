// SPDX-License-Identifier: GPL-2.0
/* topology.c - read a topology script, see topology.h */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "topology.h"

#define DEFAULT_DEADLINE 3600000000000ULL	/* an hour, in ns */

/* The line being read; tokens point into a copy of it. */
struct line {
	struct topo *topo;
	struct topo_step *step;
	unsigned int number;
	char **token;
	size_t n;
};

static bool complain(struct topo *topo, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool complain(struct topo *topo, unsigned int line, const char *fmt, ...)
{
	va_list args;
	int len;

	len = snprintf(topo->error, sizeof(topo->error), "topology:%u: ", line);
	va_start(args, fmt);
	vsnprintf(topo->error + len, sizeof(topo->error) - len, fmt, args);
	va_end(args);
	return false;
}

#define bad(at, ...) complain((at)->topo, (at)->number, __VA_ARGS__)

static void *must(void *memory)
{
	if (!memory) {
		fprintf(stderr, "init: out of memory\n");
		abort();
	}
	return memory;
}

static bool read_s64(const struct line *at, const char *name, const char *text,
		     int64_t min, int64_t max, int64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	if (isdigit((unsigned char)text[*text == '-']) && !*end && !errno &&
	    *value >= min && *value <= max)
		return true;
	return bad(at, "%s=%.40s: must be an integer from %lld to %lld", name,
		   text, (long long)min, (long long)max);
}

static bool read_u64(const struct line *at, const char *name, const char *text,
		     uint64_t min, uint64_t max, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (isdigit((unsigned char)*text) && !*end && !errno &&
	    *value >= min && *value <= max)
		return true;
	return bad(at, "%s=%.40s: must be an integer from %llu to %llu", name,
		   text, (unsigned long long)min, (unsigned long long)max);
}

/* Letters, digits and "_.-", neither "." nor ".."; "what" is for the message. */
static bool read_name(const struct line *at, const char *what, const char *text,
		      size_t size, char *name)
{
	size_t i, len = strlen(text);

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_.-", text[i]))
			break;
	if (!len || i < len || len >= size || !strcmp(text, ".") ||
	    !strcmp(text, ".."))
		return bad(at, "%s '%.80s': must be 1 to %zu letters, digits or _.-",
			   what, text, size - 1);
	memcpy(name, text, len + 1);
	return true;
}

static bool read_dev(const struct line *at, const char *text, char *dev)
{
	return read_name(at, "interface", text, IFNAMSIZ, dev);
}

static bool find_ns(const struct line *at, const char *name, unsigned int *ns)
{
	for (*ns = 0; *ns < at->topo->n_ns; ++*ns)
		if (!strcmp(at->topo->ns[*ns], name))
			return true;
	return bad(at, "namespace '%.80s' is not defined above", name);
}

/* A file below the run folder: relative and not leaving it. */
static bool read_file_name(const struct line *at, const char *text, char **name)
{
	const char *part = text;

	if (*text == '/' || !*text)
		return bad(at, "'%.80s': must be a relative path", text);
	while (part) {
		if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
			return bad(at, "'%.80s': must not contain ..", text);
		part = strchr(part, '/');
		if (part)
			part++;
	}
	*name = must(strdup(text));
	return true;
}

static bool read_mac(const struct line *at, const char *text, uint8_t *mac)
{
	char rest;

	if (sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &mac[0],
		   &mac[1], &mac[2], &mac[3], &mac[4], &mac[5], &rest) != 6)
		return bad(at, "'%.40s' is not a MAC address", text);
	if (mac[0] & 1 || !memcmp(mac, "\0\0\0\0\0\0", 6))
		return bad(at, "%.40s is not a unicast MAC address", text);
	return true;
}

/* ADDR or, if @prefix, ADDR/PLEN. */
static bool read_address(const struct line *at, const char *text, bool prefix,
			 struct topo_address *address)
{
	const char *slash = strchr(text, '/');
	char copy[INET6_ADDRSTRLEN];
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	unsigned int most;
	uint64_t plen;

	if (len >= sizeof(copy) || !!slash != prefix)
		return bad(at, "'%.80s' is not an address%s", text,
			   prefix ? " with /LENGTH" : "");
	memcpy(copy, text, len);
	copy[len] = 0;
	address->family = strchr(copy, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(address->family, copy, address->bytes) != 1)
		return bad(at, "'%.80s' is not an address", text);
	most = address->family == AF_INET6 ? 128 : 32;
	address->plen = most;
	if (!prefix)
		return true;
	if (!read_u64(at, "prefix length", slash + 1, 0, most, &plen))
		return false;
	address->plen = plen;
	return true;
}

/* Tokens from @from on, joined by one blank. */
static char *join(const struct line *at, size_t from)
{
	size_t i, len = 1;
	char *text;

	for (i = from; i < at->n; i++)
		len += strlen(at->token[i]) + 1;
	text = must(calloc(1, len));
	for (i = from; i < at->n; i++) {
		if (i > from)
			strcat(text, " ");
		strcat(text, at->token[i]);
	}
	return text;
}

static char **copy_argv(const struct line *at, size_t from)
{
	char **argv = must(calloc(at->n - from + 1, sizeof(*argv)));
	size_t i;

	for (i = from; i < at->n; i++)
		argv[i - from] = must(strdup(at->token[i]));
	return argv;
}

/* module FILE.ko [param=value ...] */
static bool read_module(struct line *at)
{
	at->step->value = join(at, 2);
	return read_file_name(at, at->token[1], &at->step->text);
}

/* ns NAME */
static bool read_ns(struct line *at)
{
	struct topo *topo = at->topo;
	unsigned int i;

	if (topo->n_ns == TOPO_NS_MAX)
		return bad(at, "more than %d namespaces", TOPO_NS_MAX - 1);
	for (i = 0; i < topo->n_ns; i++)
		if (!strcmp(topo->ns[i], at->token[1]))
			return bad(at, "namespace '%.80s' is defined twice",
				   at->token[1]);
	if (!read_name(at, "namespace", at->token[1], TOPO_NAME_MAX + 1,
		       topo->ns[topo->n_ns]))
		return false;
	at->step->ns = topo->n_ns++;
	return true;
}

struct link_key {
	const char *name;
	int attr;
	uint64_t min;
	uint64_t max;
};

/* Keys with an attribute of labnic's; profile, mtu, queues, mac are apart. */
static const struct link_key link_keys[] = {
#define LABNIC_P(NAME, name, min, max, host, sw) \
	{ #name, IFLA_LABNIC_##NAME, min, max },
	LABNIC_PARAMS(LABNIC_P)
#undef LABNIC_P
};

static bool read_profile(struct line *at, const char *value,
			 struct topo_end *end)
{
	end->given |= 1ULL << IFLA_LABNIC_PROFILE;
	end->value[IFLA_LABNIC_PROFILE] = LABNIC_PROFILE_HOST;
	if (!strcmp(value, "switch"))
		end->value[IFLA_LABNIC_PROFILE] = LABNIC_PROFILE_SWITCH;
	else if (strcmp(value, "host"))
		return bad(at, "profile=%.40s: must be host or switch", value);
	return true;
}

/* One key=value of one end. */
static bool read_link_key(struct line *at, const char *key, const char *value,
			  struct topo_end *end)
{
	uint64_t number;
	size_t i;

	for (i = 0; i < sizeof(link_keys) / sizeof(*link_keys); i++) {
		const struct link_key *k = &link_keys[i];

		if (strcmp(key, k->name))
			continue;
		end->given |= 1ULL << k->attr;
		return read_u64(at, key, value, k->min, k->max,
				&end->value[k->attr]);
	}
	if (!strcmp(key, "profile"))
		return read_profile(at, value, end);
	if (!strcmp(key, "mac"))
		return read_mac(at, value, end->mac);
	if (!strcmp(key, "mtu")) {
		if (!read_u64(at, key, value, 68, 65517, &number))
			return false;
		end->mtu = number;
		return true;
	}
	if (!strcmp(key, "queues")) {
		if (!read_u64(at, key, value, 1, 64, &number))
			return false;
		end->queues = number;
		return true;
	}
	return bad(at, "unknown key '%.40s'", key);
}

/* [a.|b.]key=value */
static bool read_link_option(struct line *at, char *token)
{
	char *equals = strchr(token, '=');
	bool one = !strncmp(token, "a.", 2) || !strncmp(token, "b.", 2);
	char *key = one ? token + 2 : token;
	unsigned int i;

	if (!equals)
		return bad(at, "'%.80s' is not key=value", token);
	*equals = 0;
	if (!one && !strcmp(key, "mac"))
		return bad(at, "mac is for one end: a.mac= or b.mac=");
	for (i = 0; i < 2; i++) {
		if (one && token[0] != "ab"[i])
			continue;
		if (!read_link_key(at, key, equals + 1, &at->step->end[i]))
			return false;
	}
	return true;
}

static void default_mac(struct topo_end *end, unsigned int link,
			unsigned int side)
{
	const uint8_t mac[6] = { 0x02, 0x4c, link >> 16, link >> 8, link,
				 side };

	memcpy(end->mac, mac, sizeof(mac));
}

/* link NS IF NS IF rate=BPS delay=NS [key=value ...] */
static bool read_link(struct line *at)
{
	const uint64_t needed = 1ULL << IFLA_LABNIC_RATE |
				1ULL << IFLA_LABNIC_DELAY;
	struct topo_end end[2] = { 0 };
	size_t i;

	for (i = 0; i < 2; i++) {
		default_mac(&end[i], at->topo->n_steps, i);
		if (!find_ns(at, at->token[1 + 2 * i], &end[i].ns) ||
		    !read_dev(at, at->token[2 + 2 * i], end[i].dev))
			return false;
		if (topo_find_end(at->topo, end[i].ns, end[i].dev, NULL))
			return bad(at, "interface %s of %s is defined twice",
				   end[i].dev, at->token[1 + 2 * i]);
	}
	if (end[0].ns == end[1].ns && !strcmp(end[0].dev, end[1].dev))
		return bad(at, "both ends of the link have the same name");
	at->step->end = must(malloc(sizeof(end)));
	memcpy(at->step->end, end, sizeof(end));
	for (i = 5; i < at->n; i++)
		if (!read_link_option(at, at->token[i]))
			return false;
	if ((at->step->end[0].given & needed) != needed ||
	    (at->step->end[1].given & needed) != needed)
		return bad(at, "rate= and delay= must be given for both ends");
	return true;
}

/* NS IF as tokens 1 and 2, the interface being one of a link above */
static bool read_port(struct line *at)
{
	struct topo_step *step = at->step;

	if (!find_ns(at, at->token[1], &step->ns) ||
	    !read_dev(at, at->token[2], step->dev))
		return false;
	if (!topo_find_end(at->topo, step->ns, step->dev, NULL))
		return bad(at, "no link above has the interface %s in %s",
			   step->dev, at->token[1]);
	return true;
}

/* bridge NS NAME IF [IF ...] */
static bool read_bridge(struct line *at)
{
	struct topo_step *step = at->step;
	char dev[IFNAMSIZ];
	size_t i, j;

	step->argv = copy_argv(at, 3);
	if (!find_ns(at, at->token[1], &step->ns) ||
	    !read_dev(at, at->token[2], step->dev))
		return false;
	if (topo_find_end(at->topo, step->ns, step->dev, NULL))
		return bad(at, "interface %s of %s is defined twice", step->dev,
			   at->token[1]);
	for (i = 3; i < at->n; i++) {
		if (!read_dev(at, at->token[i], dev))
			return false;
		if (!topo_find_end(at->topo, step->ns, dev, NULL))
			return bad(at, "no link above has the interface %s in %s",
				   dev, at->token[1]);
		for (j = 3; j < i; j++)
			if (!strcmp(at->token[i], at->token[j]))
				return bad(at, "port %s is given twice", dev);
	}
	return true;
}

/* addr NS IF ADDR/PLEN */
static bool read_addr(struct line *at)
{
	return find_ns(at, at->token[1], &at->step->ns) &&
	       read_dev(at, at->token[2], at->step->dev) &&
	       read_address(at, at->token[3], true, &at->step->address);
}

/* initcwnd=N or quickack=N at the end of a route */
static bool read_route_key(struct line *at, char *token)
{
	char *equals = strchr(token, '=');

	*equals = 0;
	if (!strcmp(token, "initcwnd"))
		return read_u64(at, token, equals + 1, 1, 65535,
				&at->step->initcwnd);
	if (!strcmp(token, "quickack"))
		return read_u64(at, token, equals + 1, 0, 1,
				&at->step->quickack);
	return bad(at, "unknown key '%.40s'", token);
}

/* route NS PREFIX via ADDR dev IF [ADDR dev IF ...] [key=value ...] */
static bool read_route(struct line *at)
{
	struct topo_step *step = at->step;
	size_t i, n = at->n;

	while (n > 4 && strchr(at->token[n - 1], '='))
		if (!read_route_key(at, at->token[--n]))
			return false;
	if (!find_ns(at, at->token[1], &step->ns) ||
	    !read_address(at, at->token[2], true, &step->address))
		return false;
	if (strcmp(at->token[3], "via") || n == 4 || (n - 4) % 3)
		return bad(at, "expected: via ADDR dev IF [ADDR dev IF ...]");
	step->nhops = (n - 4) / 3;
	if (step->nhops > TOPO_HOPS_MAX)
		return bad(at, "more than %d next hops", TOPO_HOPS_MAX);
	step->hop = must(calloc(step->nhops, sizeof(*step->hop)));
	for (i = 0; i < step->nhops; i++) {
		struct topo_hop *hop = &step->hop[i];
		char **token = &at->token[4 + 3 * i];

		if (strcmp(token[1], "dev"))
			return bad(at, "'%.40s' where dev was expected",
				   token[1]);
		if (!read_address(at, token[0], false, &hop->via) ||
		    !read_dev(at, token[2], hop->dev))
			return false;
		if (hop->via.family != step->address.family)
			return bad(at, "'%.40s' is of another address family",
				   token[0]);
	}
	return true;
}

/* neigh NS IF ADDR MAC */
static bool read_neigh(struct line *at)
{
	return find_ns(at, at->token[1], &at->step->ns) &&
	       read_dev(at, at->token[2], at->step->dev) &&
	       read_address(at, at->token[3], false, &at->step->address) &&
	       read_mac(at, at->token[4], at->step->mac);
}

/* sysctl NS KEY VALUE ...; blanks in the value become one */
static bool read_sysctl(struct line *at)
{
	size_t i, len = strlen(at->token[2]);

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)at->token[2][i]) &&
		    !strchr("_.-/", at->token[2][i]))
			break;
	if (i < len || strstr(at->token[2], "..") || *at->token[2] == '/' ||
	    *at->token[2] == '.')
		return bad(at, "'%.80s' is not a sysctl key", at->token[2]);
	at->step->text = must(strdup(at->token[2]));
	at->step->value = join(at, 3);
	return find_ns(at, at->token[1], &at->step->ns);
}

static bool need_epoch(struct line *at)
{
	return at->topo->epoch ||
	       bad(at, "an epoch directive must stand above");
}

/* key=value of a clock */
static bool read_clock_option(struct line *at, char *token)
{
	struct osc_setting *clock = at->step->clock;
	char *equals = strchr(token, '=');
	unsigned int key;

	if (!equals)
		return bad(at, "'%.80s' is not key=value", token);
	*equals = 0;
	for (key = 0; key < OSC_N; key++)
		if (!strcmp(osc_range(key)->name, token))
			break;
	if (key == OSC_N)
		return bad(at, "unknown key '%.40s'", token);
	if (clock->given & 1U << key)
		return bad(at, "%s= is given twice", token);
	clock->given |= 1U << key;
	/* Times of a script are after the epoch, and never beyond a day. */
	if (key == OSC_AT) {
		if (!need_epoch(at))
			return false;
		return read_s64(at, token, equals + 1, 0, TOPO_TIME_MAX,
				&clock->value[key]);
	}
	return read_s64(at, token, equals + 1, osc_range(key)->min,
			osc_range(key)->max, &clock->value[key]);
}

/* clock NS - key=value ..., or of a NIC: clock NS IF key=value ... */
static bool read_clock(struct line *at)
{
	struct topo_step *step = at->step;
	const struct topo_end *end;
	size_t i;

	step->clock = must(calloc(1, sizeof(*step->clock)));
	if (!find_ns(at, at->token[1], &step->ns))
		return false;
	if (strcmp(at->token[2], "-")) {
		if (!read_port(at))
			return false;
		end = topo_find_end(at->topo, step->ns, step->dev, NULL);
		if (!end->value[IFLA_LABNIC_PHC])
			return bad(at, "%s has no clock, its link wants phc=1",
				   step->dev);
	}
	for (i = 3; i < at->n; i++)
		if (!read_clock_option(at, at->token[i]))
			return false;
	if (!(step->clock->given & 1U << OSC_STEP) !=
	    !(step->clock->given & 1U << OSC_AT))
		return bad(at, "step= and at= belong together");
	return true;
}

/* exec NS ARGV... and spawn NS ARGV... */
static bool read_exec(struct line *at)
{
	at->step->argv = copy_argv(at, 2);
	return find_ns(at, at->token[1], &at->step->ns);
}

/* flowgen ARGS... */
static bool read_flowgen(struct line *at)
{
	at->step->argv = copy_argv(at, 0);
	return true;
}

/* epoch NS */
static bool read_epoch(struct line *at)
{
	if (at->topo->epoch)
		return bad(at, "a second epoch");
	return read_u64(at, "epoch", at->token[1], 1, TOPO_TIME_MAX,
			&at->topo->epoch);
}

/* deadline NS */
static bool read_deadline(struct line *at)
{
	return read_u64(at, "deadline", at->token[1], 1, TOPO_TIME_MAX,
			&at->topo->deadline);
}

/* wait NS */
static bool read_wait(struct line *at)
{
	return need_epoch(at) && read_u64(at, "wait", at->token[1], 0,
					  TOPO_TIME_MAX, &at->step->from);
}

/* watch NS IF from=NS until=NS sample=NS */
static bool read_watch(struct line *at)
{
	static const char *const key[] = { "from=", "until=", "sample=" };
	uint64_t *value[] = { &at->step->from, &at->step->until,
			      &at->step->sample };
	size_t i;

	if (!need_epoch(at) || !read_port(at))
		return false;
	for (i = 0; i < 3; i++) {
		const char *token = at->token[3 + i];
		size_t len = strlen(key[i]);

		if (strncmp(token, key[i], len))
			return bad(at, "'%.80s' where %s was expected", token,
				   key[i]);
		if (!read_u64(at, key[i], token + len, 0, TOPO_TIME_MAX,
			      value[i]))
			return false;
	}
	if (at->step->until <= at->step->from)
		return bad(at, "until must be after from");
	return true;
}

/* pcap NS IF FILE [snap=BYTES] */
static bool read_pcap(struct line *at)
{
	if (!read_port(at) ||
	    !read_file_name(at, at->token[3], &at->step->text))
		return false;
	at->step->snap = TOPO_SNAP_MAX;
	if (at->n == 4)
		return true;
	if (strncmp(at->token[4], "snap=", 5))
		return bad(at, "'%.80s' where snap= was expected", at->token[4]);
	return read_u64(at, "snap", at->token[4] + 5, TOPO_SNAP_MIN,
			TOPO_SNAP_MAX, &at->step->snap);
}

/* collect NS IF NAME */
static bool read_collect(struct line *at)
{
	char name[TOPO_NAME_MAX + 1];

	if (!read_port(at) ||
	    !read_name(at, "name", at->token[3], sizeof(name), name))
		return false;
	at->step->text = must(strdup(name));
	return true;
}

/* Number of tokens with the directive itself; most 0: any number. */
static const struct grammar {
	const char *name;
	size_t least;
	size_t most;
	bool (*read)(struct line *at);
} grammar[TOPO_KINDS] = {
	[TOPO_MODULE] = { "module", 2, 0, read_module },
	[TOPO_NS] = { "ns", 2, 2, read_ns },
	[TOPO_LINK] = { "link", 7, 0, read_link },
	[TOPO_BRIDGE] = { "bridge", 4, 0, read_bridge },
	[TOPO_ADDR] = { "addr", 4, 4, read_addr },
	[TOPO_ROUTE] = { "route", 7, 0, read_route },
	[TOPO_NEIGH] = { "neigh", 5, 5, read_neigh },
	[TOPO_SYSCTL] = { "sysctl", 4, 0, read_sysctl },
	[TOPO_CLOCK] = { "clock", 4, 0, read_clock },
	[TOPO_EXEC] = { "exec", 3, 0, read_exec },
	[TOPO_EPOCH] = { "epoch", 2, 2, read_epoch },
	[TOPO_DEADLINE] = { "deadline", 2, 2, read_deadline },
	[TOPO_WATCH] = { "watch", 6, 6, read_watch },
	[TOPO_PCAP] = { "pcap", 4, 5, read_pcap },
	[TOPO_SPAWN] = { "spawn", 3, 0, read_exec },
	[TOPO_WAIT] = { "wait", 2, 2, read_wait },
	[TOPO_FLOWGEN] = { "flowgen", 1, 0, read_flowgen },
	[TOPO_COLLECT] = { "collect", 4, 4, read_collect },
};

static bool read_directive(struct line *at)
{
	struct topo *topo = at->topo;
	size_t kind;

	for (kind = 0; kind < TOPO_KINDS; kind++)
		if (!strcmp(grammar[kind].name, at->token[0]))
			break;
	if (kind == TOPO_KINDS)
		return bad(at, "unknown directive '%.40s'", at->token[0]);
	if (at->n < grammar[kind].least)
		return bad(at, "%s needs at least %zu arguments",
			   at->token[0], grammar[kind].least - 1);
	if (grammar[kind].most && at->n > grammar[kind].most)
		return bad(at, "%s takes at most %zu arguments, '%.40s' is too many",
			   at->token[0], grammar[kind].most - 1,
			   at->token[grammar[kind].most]);
	if (topo->n_steps == TOPO_DIRECTIVES_MAX)
		return bad(at, "more than %d directives", TOPO_DIRECTIVES_MAX);
	if (!(topo->n_steps & (topo->n_steps + 1)))	/* 0, 1, 3, 7, ... */
		topo->step = must(realloc(topo->step, sizeof(*topo->step) *
					  2 * (topo->n_steps + 1)));
	at->step = &topo->step[topo->n_steps];
	memset(at->step, 0, sizeof(*at->step));
	at->step->kind = kind;
	at->step->line = at->number;
	/* Counted at once, so that topo_free() sees what a failure left. */
	topo->n_steps++;
	return grammar[kind].read(at);
}

static bool read_line(struct topo *topo, unsigned int number, char *text)
{
	struct line at = { .topo = topo, .number = number };
	char *save, *token;
	bool ok = true;

	at.token = must(calloc(strlen(text) / 2 + 2, sizeof(*at.token)));
	for (token = strtok_r(text, " \t\r\n", &save); token;
	     token = strtok_r(NULL, " \t\r\n", &save))
		at.token[at.n++] = token;
	if (at.n && at.token[0][0] != '#')
		ok = read_directive(&at);
	free(at.token);
	return ok;
}

/**
 * topo_read() - read and check a topology script
 * @topo: where to; to be freed with topo_free() whatever the result
 * @file: the script's text
 *
 * Return: true, or false with @topo->error saying what is wrong in which line.
 */
bool topo_read(struct topo *topo, FILE *file)
{
	unsigned int number = 0;
	char *text = NULL;
	size_t size = 0;
	bool ok = true;
	ssize_t len;

	memset(topo, 0, sizeof(*topo));
	topo->deadline = DEFAULT_DEADLINE;
	topo->ns = must(calloc(TOPO_NS_MAX, sizeof(*topo->ns)));
	topo->ns[topo->n_ns++][0] = '-';
	while (ok && (len = getline(&text, &size, file)) >= 0) {
		number++;
		if (len > TOPO_LINE_MAX)
			ok = complain(topo, number, "longer than %d bytes",
				      TOPO_LINE_MAX);
		else if (strlen(text) != (size_t)len)
			ok = complain(topo, number, "contains a zero byte");
		else
			ok = read_line(topo, number, text);
	}
	if (ok && ferror(file))
		ok = complain(topo, number, "cannot be read: %s",
			      strerror(errno));
	free(text);
	return ok;
}

/**
 * topo_free() - free what topo_read() allocated
 * @topo: topology script, read in whole or in part
 */
void topo_free(struct topo *topo)
{
	size_t i;
	char **arg;

	for (i = 0; i < topo->n_steps; i++) {
		struct topo_step *step = &topo->step[i];

		for (arg = step->argv; arg && *arg; arg++)
			free(*arg);
		free(step->argv);
		free(step->end);
		free(step->hop);
		free(step->text);
		free(step->clock);
		free(step->value);
	}
	free(topo->step);
	free(topo->ns);
}

/**
 * topo_find_end() - find the link that an interface is an end of
 * @topo: topology script
 * @ns: index of the namespace
 * @dev: name of the interface
 * @other: where to put the other end, or NULL
 *
 * Return: this end or NULL if no link has it.
 */
const struct topo_end *topo_find_end(const struct topo *topo, unsigned int ns,
				     const char *dev,
				     const struct topo_end **other)
{
	size_t i, side;

	for (i = 0; i < topo->n_steps; i++) {
		const struct topo_end *end = topo->step[i].end;

		for (side = 0; end && side < 2; side++) {
			if (end[side].ns != ns || strcmp(end[side].dev, dev))
				continue;
			if (other)
				*other = &end[1 - side];
			return &end[side];
		}
	}
	return NULL;
}
