// SPDX-License-Identifier: GPL-2.0
/*
 * The model file: what is written is read back, and whatever else is refused.  -s SEED
 * repeats, -n is the number of files in which several bytes are changed.
 */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/digest.h"
#include "model.h"
#include "options.h"
#include "random.h"

#define WHY	400

static void example(struct model *m)
{
	struct prng prng;

	memset(m, 0, sizeof(*m));
	m->reward = REWARD_PAPER;
	m->interval_ns = 1000000;
	template_fill(TEMPLATE_RAMP20, m->template);
	snprintf(m->provenance, sizeof(m->provenance), "acc-train sim --seed 1");
	prng_seed(&prng, 1);
	net_init(&m->net, &prng);
}

static void set_checksum(uint8_t *data)
{
	struct sha256_ctx sha;

	sha256_init(&sha);
	sha256_update(&sha, MODEL_BYTES - SHA256_DIGEST_SIZE, data);
	digest_sha256(&sha, data + MODEL_BYTES - SHA256_DIGEST_SIZE);
}

static void put(uint8_t *at, uint64_t value, int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*at++ = value;
}

/* Return: refused, with a reason, and nothing was changed. */
static bool refused(const uint8_t *data, size_t bytes, const char *reason)
{
	static struct model m, was;
	char why[WHY] = "";
	bool right;

	memset(&m, 0x5a, sizeof(m));
	was = m;
	right = model_parse(&m, data, bytes, why, sizeof(why)) && strstr(why, reason) &&
		!memcmp(&m, &was, sizeof(m));
	if (!right)
		tap_remark("%s", why);
	return right;
}

/* Structs have holes, files do not. */
static bool is_same(const struct model *a, const struct model *b)
{
	uint8_t one[MODEL_BYTES], other[MODEL_BYTES];

	model_format(a, one);
	model_format(b, other);
	return !memcmp(one, other, sizeof(one));
}

static void test_round(const struct model *m)
{
	static struct model back;
	uint8_t data[MODEL_BYTES];
	char why[WHY];

	model_format(m, data);
	tap_ok(!model_parse(&back, data, sizeof(data), why, sizeof(why)) && is_same(&back, m) &&
	       back.interval_ns == m->interval_ns && back.template[7].kmax_ns == 105000 &&
	       back.reward == m->reward && !memcmp(&back.net, &m->net, sizeof(m->net)) &&
	       !strcmp(back.provenance, m->provenance), "a model is read back as it was");
}

/* Of the file that make acc-model writes, as sha256sum(1) prints it. */
static void test_sum(const struct model *m)
{
	char command[300], printed[MODEL_SHA256] = "", why[WHY];
	const char *path = "../../models/ramp20.accm";
	static struct model shipped, back;
	uint8_t data[MODEL_BYTES];
	FILE *from;

	snprintf(command, sizeof(command), "sha256sum < %s", path);
	from = popen(command, "r");
	if (!from || !fgets(printed, sizeof(printed), from))
		tap_remark("no sha256sum");
	if (from)
		pclose(from);
	tap_ok(!model_read(&shipped, path, why, sizeof(why)) && strlen(shipped.sha256) == 64 &&
	       !strcmp(shipped.sha256, printed), "the sum of a file is sha256sum's");
	model_format(m, data);
	tap_ok(!*m->sha256 && !model_parse(&back, data, sizeof(data), why, sizeof(why)) &&
	       strlen(back.sha256) == 64 && strcmp(back.sha256, shipped.sha256),
	       "another file has another, and a model that was not read has none");
}

/* Golden: where what lies, byte by byte. */
static void test_layout(const struct model *m)
{
	uint8_t data[MODEL_BYTES];
	uint32_t bits;

	model_format(m, data);
	tap_ok(!memcmp(data, "ACCMODEL\1\0\0\0\1\0\0\0\x40\x42\x0f\0\0\0\0\0", 24) &&
	       !memcmp(data + 24, "\x0c\0\0\0\x14\0\0\0\x28\0\0\0\x28\0\0\0\x14\0\0\0", 20),
	       "layout: header");
	tap_ok(!memcmp(data + 44, "\x64\x19\0\0\0\0\0\0\x64\x19\0\0\0\0\0\0", 16) &&
	       !memcmp(data + 60, "\x40\x42\x0f\0", 4), "layout: the first template");
	tap_ok(!memcmp(data + 444, "acc-train sim --seed 1", 23) && !data[959],
	       "layout: provenance");
	memcpy(&bits, &m->net.w[0], 4);
	tap_ok(data[960] == (bits & 255) && data[963] == bits >> 24, "layout: parameters");
}

static void test_damage(const struct model *m)
{
	uint8_t data[MODEL_BYTES + 1] = { 0 };
	bool all = true;
	size_t i;

	model_format(m, data);
	for (i = 0; i < MODEL_BYTES; i++)
		all = all && refused(data, i, i < 8 ? "not a model" : "bytes, where a model has");
	tap_ok(all, "truncated at each byte: refused");
	tap_ok(refused(data, MODEL_BYTES + 1, "bytes, where a model has"),
	       "a byte too many: refused");
	for (i = 0; i < MODEL_BYTES; i++) {
		data[i] ^= 1 << i % 8;
		all = all && refused(data, MODEL_BYTES, i < 8 ? "not a model" :
				     i < 12 ? "a model of version" : "damaged");
		data[i] ^= 1 << i % 8;
	}
	tap_ok(all, "each byte changed: refused");
}

/* With a right sum, so that the content itself is judged. */
static void test_content(const struct model *m)
{
	static const struct {
		const char *name;
		size_t at;
		uint64_t value;
		int bytes;
		const char *reason;
	} vector[] = {
		{ "version 0", 8, 0, 4, "version 0" },
		{ "version 2", 8, 2, 4, "version 2" },
		{ "an unknown reward", 12, 3, 4, "reward 3" },
		{ "a reward above 31 bits", 12, 0xffffffff, 4, "reward" },
		{ "an interval of 499.999 us", 16, 499999, 8, "interval of 499999" },
		{ "an interval above 100 ms", 16, 100000001, 8, "interval of 100000001" },
		{ "13 inputs", 24, 13, 4, "layer 0" },
		{ "21 units", 28, 21, 4, "layer 1" },
		{ "39 units", 32, 39, 4, "layer 2" },
		{ "no units", 36, 0, 4, "layer 3" },
		{ "10 actions", 40, 10, 4, "layer 4" },
		{ "kmin of 99 ns", 44, 99, 8, "template 0: kmin_ns 99 is not" },
		{ "kmin above kmax", 44, 6501, 8, "template 0: kmax_ns 6500 is not" },
		{ "kmax above 100 ms", 44 + 19 * 20 + 8, 100000001, 8,
		  "template 19: kmax_ns" },
		{ "pmax 0", 44 + 5 * 20 + 16, 0, 4, "template 5: pmax_ppm" },
		{ "pmax above 1", 44 + 5 * 20 + 16, 1000001, 4, "template 5: pmax_ppm" },
		{ "templates that are equal", 44 + 20 + 8, 6500, 8, "template 1 is not in" },
		{ "templates out of order", 44 + 10 * 20 + 8, 7000, 8, "template 10 is not in" },
		{ "a provenance with a newline", 444, '\n', 1, "byte 0 of the provenance" },
		{ "a provenance with 8 bits", 445, 0x80, 1, "byte 1 of the provenance" },
		{ "bytes behind the provenance", 959, 'x', 1, "byte 515 of the provenance" },
		{ "a parameter that is NaN", 960, 0x7fc00000, 4, "parameter 0 " },
		{ "a parameter that is infinite", 964, 0x7f800000, 4, "parameter 1 " },
		{ "one that is -infinite", 964, 0xff800000, 4, "parameter 1 " },
		{ "a signalling NaN", 15196, 0x7f800001, 4, "parameter 3559 " },
		{ "a parameter above 1000", 15196, 0x447a0001, 4, "parameter 3559 " },
		{ "a parameter below -1000", 15196, 0xc47a0001, 4, "parameter 3559 " },
	};
	uint8_t data[MODEL_BYTES];
	static struct model back;
	char why[WHY];
	size_t i;

	for (i = 0; i < sizeof(vector) / sizeof(*vector); i++) {
		model_format(m, data);
		put(data + vector[i].at, vector[i].value, vector[i].bytes);
		set_checksum(data);
		tap_ok(refused(data, sizeof(data), vector[i].reason), "%s: refused",
		       vector[i].name);
	}
	model_format(m, data);
	put(data + 16, 500000, 8);
	put(data + 960, 0x447a0000, 4);
	put(data + 964, 0xc47a0000, 4);
	set_checksum(data);
	tap_ok(!model_parse(&back, data, sizeof(data), why, sizeof(why)) &&
	       back.interval_ns == 500000 && back.net.w[0] == 1000 && back.net.w[1] == -1000,
	       "the ends of ranges: taken");
	memset(data + 444, 'x', MODEL_PROVENANCE);
	set_checksum(data);
	tap_ok(refused(data, sizeof(data), "no end"), "a provenance without an end: refused");
}

static void test_random(const struct model *m, struct options o)
{
	uint8_t data[MODEL_BYTES], again[MODEL_BYTES];
	static struct model back;
	uint64_t state = o.seed;
	unsigned long i, taken = 0;
	bool same = true;
	char why[WHY];

	for (i = 0; i < o.n; i++) {
		int changes = random_below(&state, 4) + 1;

		model_format(m, data);
		while (changes--) {
			size_t range = random_below(&state, 2) ? 1000 : MODEL_BYTES;
			size_t at = random_below(&state, range);

			data[at] = random_u64(&state);
		}
		set_checksum(data);
		if (model_parse(&back, data, sizeof(data), why, sizeof(why)))
			continue;
		taken++;
		model_format(&back, again);
		same = same && !memcmp(data, again, sizeof(data));
	}
	tap_ok(same && taken && taken < o.n, "changed at random: refused, or the same bytes again");
	tap_remark("%lu of %lu were taken", taken, o.n);
}

static void test_files(const struct model *m)
{
	char folder[] = "/tmp/acc-model.XXXXXX", path[64], part[80], why[WHY];
	static struct model back, bad;
	struct stat st;

	if (!mkdtemp(folder))
		return;
	snprintf(path, sizeof(path), "%s/a.accm", folder);
	snprintf(part, sizeof(part), "%s.part", path);
	tap_ok(model_read(&back, path, why, sizeof(why)) && strstr(why, path) &&
	       strstr(why, "No such file"), "no file: %s", why);
	tap_ok(!model_write(m, path, why, sizeof(why)) &&
	       !model_read(&back, path, why, sizeof(why)) && is_same(&back, m),
	       "a file is read as it was written");
	tap_ok(stat(part, &st), "no other file is left");

	bad = *m;
	bad.net.w[7] = NAN;
	tap_ok(model_write(&bad, path, why, sizeof(why)) && strstr(why, "parameter 7") &&
	       !model_read(&back, path, why, sizeof(why)) && is_same(&back, m),
	       "one that would not be read is not written over one that would");
	tap_ok(!symlink("/etc/hostname", part) && model_write(m, path, why, sizeof(why)) &&
	       strstr(why, path), "no link is followed");
	tap_ok(model_read(&back, folder, why, sizeof(why)) && strstr(why, "Is a directory"),
	       "a folder is not a model");
	unlink(part);
	unlink(path);
	rmdir(folder);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 3000, "changed files");
	static struct model m;

	example(&m);
	test_round(&m);
	test_sum(&m);
	test_layout(&m);
	test_damage(&m);
	test_content(&m);
	test_random(&m, o);
	test_files(&m);
	return tap_done();
}
