// SPDX-License-Identifier: GPL-2.0
/*
 * The model file.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/digest.h"
#include "../../lib/fail.h"
#include "../../lib/save.h"
#include "model.h"

#define MODEL_MAGIC	"ACCMODEL"
#define MODEL_VERSION	1
#define MODEL_SUM_AT	(MODEL_BYTES - SHA256_DIGEST_SIZE)
#define MODEL_WHY	200

static const uint32_t model_width[] = { NET_IN, NET_H1, NET_H2, NET_H3, NET_OUT };

#define MODEL_WIDTHS	(sizeof(model_width) / sizeof(*model_width))

_Static_assert(MODEL_BYTES == 8 + 4 + 4 + 8 + 4 * MODEL_WIDTHS + TEMPLATE_NR * 20 +
	       MODEL_PROVENANCE + 4 * NET_PARAMS + SHA256_DIGEST_SIZE, "the size of a file");
_Static_assert(sizeof(float) == sizeof(uint32_t), "float32");

static void model_put(uint8_t **at, uint64_t value, int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*(*at)++ = value;
}

static uint64_t model_get(const uint8_t **at, int bytes)
{
	uint64_t value = 0;
	int i;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)*(*at)++ << 8 * i;
	return value;
}

static void model_sum(const uint8_t *data, size_t bytes, uint8_t *sum)
{
	struct sha256_ctx sha;

	sha256_init(&sha);
	sha256_update(&sha, bytes, data);
	digest_sha256(&sha, sum);
}

static void model_print_sum(const uint8_t *data, char text[MODEL_SHA256])
{
	uint8_t sum[SHA256_DIGEST_SIZE];
	size_t i;

	model_sum(data, MODEL_BYTES, sum);
	for (i = 0; i < sizeof(sum); i++)
		sprintf(text + 2 * i, "%02x", sum[i]);
}

/**
 * struct model_range - a number, and what it may be
 * @name: its name
 * @value: the number
 * @least: at least
 * @most: at most
 */
struct model_range {
	const char *name;
	uint64_t value;
	uint64_t least;
	uint64_t most;
};

static int model_check_template(const struct template *t, uint32_t place, char *why, size_t size)
{
	const struct model_range range[] = {
		{ "kmin_ns", t->kmin_ns, TEMPLATE_LEAST_NS, TEMPLATE_MOST_NS },
		{ "kmax_ns", t->kmax_ns, t->kmin_ns, TEMPLATE_MOST_NS },
		{ "pmax_ppm", t->pmax_ppm, 1, TEMPLATE_ONE_PPM },
	};
	const struct model_range *r;

	for (r = range; r < range + sizeof(range) / sizeof(*range); r++)
		if (r->value < r->least || r->value > r->most)
			return fail(why, size, "template %u: %s %ju is not between %ju and %ju",
				    place, r->name, (uintmax_t)r->value, (uintmax_t)r->least,
				    (uintmax_t)r->most);
	return 0;
}

static int model_check_templates(const struct model *m, char *why, size_t size)
{
	uint32_t i;

	for (i = 0; i < TEMPLATE_NR; i++) {
		if (model_check_template(&m->template[i], i, why, size))
			return -1;
		if (i && !template_before(&m->template[i - 1], &m->template[i]))
			return fail(why, size, "template %u is not in ascending order", i);
	}
	return 0;
}

/* Printable, and nothing behind its end. */
static int model_check_provenance(const struct model *m, char *why, size_t size)
{
	size_t length = strnlen(m->provenance, MODEL_PROVENANCE), i;

	for (i = 0; i < MODEL_PROVENANCE; i++)
		if (i < length ? m->provenance[i] < ' ' || m->provenance[i] > '~' :
				 m->provenance[i])
			return fail(why, size, "byte %zu of the provenance is not printable text",
				    i);
	return length < MODEL_PROVENANCE ? 0 : fail(why, size, "the provenance has no end");
}

static int model_check_net(const struct model *m, char *why, size_t size)
{
	uint32_t i;

	/* Written so that what is not a number fails, too. */
	for (i = 0; i < NET_PARAMS; i++)
		if (!(fabsf(m->net.w[i]) <= MODEL_PARAMETER_MOST))
			return fail(why, size, "parameter %u of the network is not between +-%g", i,
				    (double)MODEL_PARAMETER_MOST);
	return 0;
}

int model_check(const struct model *m, char *why, size_t size)
{
	if (m->reward >= REWARD_NR)
		return fail(why, size, "reward %u is not known", m->reward);
	if (m->interval_ns < MODEL_INTERVAL_LEAST_NS || m->interval_ns > MODEL_INTERVAL_MOST_NS)
		return fail(why, size, "an interval of %ju ns is not between %llu and %llu ns",
			    (uintmax_t)m->interval_ns, MODEL_INTERVAL_LEAST_NS,
			    MODEL_INTERVAL_MOST_NS);
	if (model_check_templates(m, why, size) || model_check_provenance(m, why, size))
		return -1;
	return model_check_net(m, why, size);
}

/* All but the header, the network's widths and the sum. */
static void model_take(struct model *m, const uint8_t *at)
{
	uint32_t i;

	for (i = 0; i < TEMPLATE_NR; i++) {
		m->template[i].kmin_ns = model_get(&at, 8);
		m->template[i].kmax_ns = model_get(&at, 8);
		m->template[i].pmax_ppm = model_get(&at, 4);
	}
	memcpy(m->provenance, at, MODEL_PROVENANCE);
	at += MODEL_PROVENANCE;
	for (i = 0; i < NET_PARAMS; i++) {
		uint32_t bits = model_get(&at, 4);

		memcpy(&m->net.w[i], &bits, sizeof(bits));
	}
}

/* Is it a file of this format, and whole? */
static int model_check_file(const uint8_t *data, size_t bytes, char *why, size_t size)
{
	const uint8_t *at = data + strlen(MODEL_MAGIC);
	uint8_t sum[SHA256_DIGEST_SIZE];
	uint32_t version;

	if (bytes < strlen(MODEL_MAGIC) || memcmp(data, MODEL_MAGIC, strlen(MODEL_MAGIC)))
		return fail(why, size, "not a model of acc-tuner");
	if (bytes != MODEL_BYTES)
		return fail(why, size, "%zu bytes, where a model has %d", bytes, MODEL_BYTES);
	version = model_get(&at, 4);
	if (version != MODEL_VERSION)
		return fail(why, size, "a model of version %u, where %d is known", version,
			    MODEL_VERSION);
	model_sum(data, MODEL_SUM_AT, sum);
	if (memcmp(sum, data + MODEL_SUM_AT, sizeof(sum)))
		return fail(why, size, "damaged: its SHA-256 is another");
	return 0;
}

int model_parse(struct model *m, const uint8_t *data, size_t bytes, char *why, size_t size)
{
	const uint8_t *at = data + strlen(MODEL_MAGIC) + 4;
	struct model read;
	uint32_t i;

	if (model_check_file(data, bytes, why, size))
		return -1;
	read.reward = model_get(&at, 4);
	read.interval_ns = model_get(&at, 8);
	for (i = 0; i < MODEL_WIDTHS; i++) {
		uint32_t width = model_get(&at, 4);

		if (width != model_width[i])
			return fail(why, size, "layer %u of the network is %u wide and not %u", i,
				    width, model_width[i]);
	}
	model_take(&read, at);
	if (model_check(&read, why, size))
		return -1;
	model_print_sum(data, read.sha256);
	*m = read;
	return 0;
}

void model_format(const struct model *m, uint8_t data[MODEL_BYTES])
{
	uint8_t *at = data;
	uint32_t i;

	memcpy(at, MODEL_MAGIC, strlen(MODEL_MAGIC));
	at += strlen(MODEL_MAGIC);
	model_put(&at, MODEL_VERSION, 4);
	model_put(&at, m->reward, 4);
	model_put(&at, m->interval_ns, 8);
	for (i = 0; i < MODEL_WIDTHS; i++)
		model_put(&at, model_width[i], 4);
	for (i = 0; i < TEMPLATE_NR; i++) {
		model_put(&at, m->template[i].kmin_ns, 8);
		model_put(&at, m->template[i].kmax_ns, 8);
		model_put(&at, m->template[i].pmax_ppm, 4);
	}
	memcpy(at, m->provenance, MODEL_PROVENANCE);
	at += MODEL_PROVENANCE;
	for (i = 0; i < NET_PARAMS; i++) {
		uint32_t bits;

		memcpy(&bits, &m->net.w[i], sizeof(bits));
		model_put(&at, bits, 4);
	}
	model_sum(data, MODEL_SUM_AT, at);
}

/* Return: how many bytes, MODEL_BYTES + 1 at most, or -1 with errno. */
static ssize_t model_load(const char *path, uint8_t *data)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n, bytes = 0;
	int error;

	if (fd < 0)
		return -1;
	do {
		n = read(fd, data + bytes, MODEL_BYTES + 1 - bytes);
		if (n > 0)
			bytes += n;
	} while (n > 0);
	error = errno;
	close(fd);
	errno = error;
	return n < 0 ? -1 : bytes;
}

int model_read(struct model *m, const char *path, char *why, size_t size)
{
	uint8_t data[MODEL_BYTES + 1];
	ssize_t bytes = model_load(path, data);
	char cause[MODEL_WHY];

	if (bytes < 0)
		return fail(why, size, "%s: %s", path, strerror(errno));
	if (model_parse(m, data, bytes, cause, sizeof(cause)))
		return fail(why, size, "%s: %s", path, cause);
	return 0;
}

int model_write(const struct model *m, const char *path, char *why, size_t size)
{
	uint8_t data[MODEL_BYTES];
	char cause[MODEL_WHY];

	if (model_check(m, cause, sizeof(cause)))
		return fail(why, size, "%s: not written: %s", path, cause);
	model_format(m, data);
	return save_file(path, data, sizeof(data), why, size);
}
