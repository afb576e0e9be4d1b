// SPDX-License-Identifier: GPL-2.0
/*
 * A traffic file of any bytes, for hosts that are here and for some that are
 * elsewhere: what is accepted keeps the ranges and names only what is there,
 * what is refused says why, once.  Anything else aborts.
 *
 * The files of flow sizes that it names are not opened (flowgen_cdf_fuzz has
 * those): a fuzzer that opens what chance names would read its own pipes.
 */
#include <arpa/inet.h>

#include "file.h"
#include "stderr_text.h"
#include "../../lab/traffic/datagram.h"
#include "../../lab/traffic/traffic.h"

#define PORT	5000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_cdf_load(struct cdf *cdf, const char *path);

static void require(int good)
{
	if (!good)
		abort();
}

/* In the place of cdf_load(): a step and a slope, or of names with an 'x' none. */
int __wrap_cdf_load(struct cdf *cdf, const char *path)
{
	static const struct cdf_point points[] = {
		{ 1000, CDF_ONE / 2 }, { 1000000, CDF_ONE },
	};

	memset(cdf, 0, sizeof(*cdf));
	if (strchr(path, 'x'))
		return complain(NULL, "%s: no such file", path);
	/* one more, for cdf_cap() */
	cdf->point = calloc(ARRAY_SIZE(points) + 1, sizeof(*points));
	require(cdf->point != NULL);
	memcpy(cdf->point, points, sizeof(points));
	cdf->n = ARRAY_SIZE(points);
	return 0;
}

static void look_name(const char *name)
{
	size_t length = strnlen(name, NAME_MAX_LEN + 1);
	size_t i;

	require(length >= 1 && length <= NAME_MAX_LEN && *name != '.' && *name != '-');
	for (i = 0; i < length; i++)
		require((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z') ||
			(name[i] >= '0' && name[i] <= '9') || strchr("_.-", name[i]));
}

static void look_address(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;

	require(address->ss_family == AF_INET || address->ss_family == AF_INET6);
	require(ntohs(address->ss_family == AF_INET ? v4->sin_port : v6->sin6_port) >= 1);
}

static void look_host(const struct traffic *t, u32 n)
{
	const struct host *host = &t->host[n];
	u32 i;

	look_name(host->name);
	look_name(host->netns);
	require(strcmp(host->name, "all"));
	for (i = 0; i < n; i++)
		require(strcmp(host->name, t->host[i].name));
	/* With --to the first is here and the others are not. */
	if (t->host[t->hosts - 1].remote) {
		require(host->remote == (n > 0));
		if (host->remote)
			look_address(&host->address);
		return;
	}
	look_address(&host->address);
	look_address(&host->sink);
	require(host->address.ss_family == host->sink.ss_family);
}

/* Each there, once, and on its side. */
static void look_list(const struct traffic *t, const struct host_list *list, bool remote)
{
	u32 i, j;

	require(list->n >= 1 && list->n <= t->hosts);
	for (i = 0; i < list->n; i++) {
		require(list->index[i] < t->hosts && t->host[list->index[i]].remote == remote);
		for (j = 0; j < i; j++)
			require(list->index[i] != list->index[j]);
	}
}

static void look_demotions(const struct demotions *d)
{
	u64 last = 0;
	u8 i;

	require(d->n <= DEMOTIONS_MAX);
	for (i = 0; i < d->n; i++) {
		require(d->step[i].at > last && d->step[i].at <= FLOW_SIZE_MAX);
		require(d->step[i].dscp <= 63);
		last = d->step[i].at;
	}
}

static void look_poisson(const struct group *g)
{
	require(g->rate >= 1000 && g->rate <= 10000000000000ULL);
	require(g->load >= 1 && g->load < PPM);
	require(g->until > g->from && g->until <= TIME_MAX);
	require(g->largest >= 1 && g->largest <= FLOW_SIZE_MAX);
	require(g->cdf.n >= 1 && g->cdf.point[g->cdf.n - 1].p == CDF_ONE);
	require(g->cdf.point[g->cdf.n - 1].size >= 1);
	require(g->cdf.point[g->cdf.n - 1].size <= g->largest);
}

static void look_query(const struct group *g)
{
	require(g->lo >= 1 && g->hi >= g->lo && g->hi <= FLOW_SIZE_MAX);
	require(g->flows >= 1 && g->at <= TIME_MAX && g->jitter <= TIME_MAX && g->pick <= 1);
	require(!g->until || (g->until > g->at && g->until <= TIME_MAX && g->period));
	require(g->count >= 1 && (g->count == 1 || (g->period && !g->until)));
	require(g->at + (u128)g->period * (g->count - 1) <= TIME_MAX);
	require(!g->poisson || (g->period && g->until));
}

static void look_group(const struct traffic *t, const struct group *g, bool remote)
{
	u32 i;

	look_name(g->name);
	for (i = 0; &t->group[i] != g; i++)
		require(strcmp(g->name, t->group[i].name));
	look_list(t, &g->senders, remote);
	look_list(t, &g->receivers, false);
	look_demotions(&g->demotions);
	require(g->cc < CC_COUNT && g->dscp <= 63 && g->pool <= 1 && g->flow_ports <= 1);
	require(g->delack_off <= 1 && g->from <= TIME_MAX);
	if (g->kind == KIND_POISSON)
		look_poisson(g);
	else if (g->kind == KIND_QUERY)
		look_query(g);
	else
		require(g->kind == KIND_LONG && g->flows >= 1 && !g->size != !g->until);
	if (g->cc != CC_DCQCN)
		return;
	require(g->line >= DCQCN_LINE_MIN && g->line <= DCQCN_LINE_MAX);
	require(g->burst >= 1 && g->burst <= BURST_MAX && !remote);
	require(!g->pool && !g->delack_off && !g->demotions.n);
	require(g->dcqcn.line_bps == g->line && g->dcqcn.min_bps && g->dcqcn.ai_bps);
}

static void look(const struct traffic *t, bool remote)
{
	u32 i;

	require(t->hosts <= HOSTS_MAX && t->groups <= GROUPS_MAX);
	for (i = 0; i < t->hosts; i++)
		look_host(t, i);
	for (i = 0; i < t->groups; i++)
		look_group(t, &t->group[i], remote);
}

/* How it was refused, or what it is. */
static void judge(const struct traffic *t, int refused, bool remote)
{
	require(refused == 0 || refused == -1);
	if (refused) {
		require(stderr_is_a_refusal("flowgen: "));
	} else {
		require(!stderr_printed[0]);
		look(t, remote);
	}
}

static void run_here(const char *path)
{
	struct traffic t = { 0 };

	stderr_listen();
	judge(&t, traffic_load(&t, path, PORT), false);
	traffic_free(&t);
}

/* The first line is the address of --to, and then a group of --group. */
static void run_remote(const char *path, const char *line)
{
	struct traffic t = { 0 };

	stderr_listen();
	if (traffic_add_remote(&t, line)) {
		require(stderr_is_a_refusal("flowgen: --to: "));
		traffic_free(&t);
		require(!traffic_add_remote(&t, "[::1]:5000"));
	}
	stderr_listen();
	judge(&t, traffic_add_group(&t, line), true);
	traffic_free(&t);
	stderr_listen();
	require(!traffic_add_remote(&t, "127.0.0.1:5000") &&
		!traffic_add_remote(&t, "127.0.0.2:5000"));
	judge(&t, traffic_load(&t, path, PORT), true);
	traffic_free(&t);
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: what is in the file
 * @size: its length
 *
 * Return: 0; does not return if something is wrong with the reader.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file = file_of(data, size);
	char *line = strndup((const char *)data, size);

	require(line != NULL);
	line[strcspn(line, "\n")] = 0;
	run_here(file.path);
	run_remote(file.path, line);
	free(line);
	file_close(&file);
	return 0;
}
