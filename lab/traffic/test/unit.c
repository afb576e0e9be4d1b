// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the parts that decide traffic, built with sanitizers
 *
 * The oracles use libm and doubles, which flowgen itself never does.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cdf.h"
#include "../parse.h"
#include "../flows.h"
#include "../proto.h"
#include "../rng.h"
#include "../sock.h"
#include "tap.h"

#define DRAWS	1000000

/* The reference implementation's first outputs from the state 1, 2, 3, 4. */
static void test_rng_vector(void)
{
	static const u64 expect[] = {
		11520, 0, 1509978240, 1215971899390074240, 1216172134540287360,
		607988272756665600,
	};
	struct rng r = { { 1, 2, 3, 4 } };
	bool equal = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expect); i++)
		equal &= rng_next(&r) == expect[i];
	tap_ok(equal, "rng_next: xoshiro256** as published");
}

static bool same_start(u64 seed, const char *owner, const char *purpose)
{
	struct rng a, b;

	rng_seed(&a, 1, "load", "size");
	rng_seed(&b, seed, owner, purpose);
	return !memcmp(&a, &b, sizeof(a));
}

static void test_rng_seed(void)
{
	tap_ok(same_start(1, "load", "size"), "rng_seed: equal names, equal stream");
	tap_ok(!same_start(2, "load", "size"), "rng_seed: another seed, another stream");
	tap_ok(!same_start(1, "loae", "size"), "rng_seed: another owner, another stream");
	tap_ok(!same_start(1, "load", "gap"), "rng_seed: another purpose, another stream");
	tap_ok(!same_start(1, "loads", "ize"), "rng_seed: the names' border counts");
}

static void test_rng_below(void)
{
	u64 count[7] = { 0 }, big = 3ULL << 62, above = 0, i;
	double chi2 = 0, expect = DRAWS / 7.0;
	bool inside = true;
	struct rng r;

	rng_seed(&r, 1, "test", "below");
	for (i = 0; i < DRAWS; i++) {
		u64 n = rng_below(&r, 7);

		inside &= n < 7;
		count[n % 7]++;
		above += rng_below(&r, big) >= big / 3 * 2;
	}
	for (i = 0; i < 7; i++)
		chi2 += (count[i] - expect) * (count[i] - expect) / expect;
	tap_ok(inside, "rng_below: never reaches its bound");
	/* 6 degrees of freedom: 22.5 is passed once in a thousand seeds */
	tap_ok(chi2 < 22.5, "rng_below: uniform, chi-square %.1f", chi2);
	/* Without rejection the upper third would come half as often. */
	tap_ok(fabs(above / (double)DRAWS - 1 / 3.0) < 0.003,
	       "rng_below: unbiased for a bound near 2^64, %.4f", above / (double)DRAWS);
	tap_ok(rng_below(&r, 1) == 0, "rng_below: one value");
}

/* Worst difference from libm over @r, in units of 2^-32. */
static double log_error(u64 r)
{
	long double u = ((long double)r + 1) / 18446744073709551616.0L;

	return fabsl(-logl(u) * 4294967296.0L - neg_ln_q32(r));
}

static void test_log(void)
{
	double worst = 0, sum = 0, squares = 0, x;
	u64 tail = 0, i;
	struct rng r;

	for (i = 0; i < 64; i++) {
		worst = fmax(worst, log_error((1ULL << i) - 1));
		worst = fmax(worst, log_error(1ULL << i));
		worst = fmax(worst, log_error(-(1ULL << i)));
	}
	rng_seed(&r, 1, "test", "log");
	for (i = 0; i < 200000; i++)
		worst = fmax(worst, log_error(rng_next(&r) >> i % 64));
	tap_ok(worst < 2, "neg_ln_q32: within 2^-31 of libm, worst %.2f * 2^-32", worst);
	tap_ok(neg_ln_q32(UINT64_MAX) == 0, "neg_ln_q32: of 1 is 0");
	for (i = 0; i < DRAWS; i++) {
		x = rng_exp_q32(&r) / 4294967296.0;
		sum += x;
		squares += x * x;
		tail += x > 5;
	}
	tap_ok(fabs(sum / DRAWS - 1) < 0.005, "rng_exp_q32: mean %.4f", sum / DRAWS);
	tap_ok(fabs(squares / DRAWS - 2) < 0.03, "rng_exp_q32: second moment %.3f",
	       squares / DRAWS);
	tap_ok(fabs(tail / (DRAWS * exp(-5)) - 1) < 0.05, "rng_exp_q32: tail beyond 5, %.3f",
	       tail / (DRAWS * exp(-5)));
}

/* Does the share of draws at most each point's size match its probability? */
static double worst_share(const struct cdf *cdf, const u64 *size)
{
	double worst = 0;
	size_t i, n;

	for (i = 0; i < cdf->n; i++) {
		size_t below = 0;

		/* A step's lower point says nothing of the draws at its size. */
		if (i + 1 < cdf->n && cdf->point[i + 1].size == cdf->point[i].size)
			continue;
		for (n = 0; n < DRAWS; n++)
			below += size[n] <= cdf->point[i].size;
		worst = fmax(worst, fabs(below / (double)DRAWS -
					 cdf->point[i].p / (double)CDF_ONE));
	}
	return worst;
}

static void test_workload(const char *folder, const char *name, double mean)
{
	u64 *size = malloc(DRAWS * sizeof(*size));
	double sum = 0, squares = 0, exact, error;
	struct cdf cdf;
	char path[4096];
	struct rng r;
	size_t i;

	snprintf(path, sizeof(path), "%s/%s.cdf", folder, name);
	if (!tap_ok(size && !cdf_load(&cdf, path), "%s: loads", name)) {
		free(size);
		return;
	}
	exact = cdf_sum2(&cdf) / (2.0 * CDF_ONE);
	tap_ok(fabs(exact / mean - 1) < 0.01, "%s: mean %.0f is the published %.0f", name,
	       exact, mean);
	rng_seed(&r, 1, name, "size");
	for (i = 0; i < DRAWS; i++) {
		size[i] = cdf_draw(&cdf, &r);
		sum += size[i];
		squares += (double)size[i] * size[i];
	}
	error = sqrt((squares / DRAWS - sum / DRAWS * (sum / DRAWS)) / DRAWS);
	tap_ok(fabs(sum / DRAWS - exact) < 4 * error, "%s: mean of draws %.0f +- %.0f", name,
	       sum / DRAWS, error);
	/* Sizes are rounded, so points a few bytes apart may swap a draw. */
	tap_ok(worst_share(&cdf, size) < 0.003, "%s: every point's share, worst off by %.5f", name,
	       worst_share(&cdf, size));
	cdf_free(&cdf);
	free(size);
}

static void test_number(void)
{
	static const struct {
		const char *text;
		struct range range;
		bool good;
		u64 value;
	} tries[] = {
		{ "0", { QUANTITY_COUNT, 0, 9 }, true, 0 },
		{ "10", { QUANTITY_COUNT, 0, 9 }, false, 0 },
		{ "1k", { QUANTITY_COUNT, 0, 9999 }, false, 0 },
		{ "-1", { QUANTITY_COUNT, 0, 9 }, false, 0 },
		{ "+1", { QUANTITY_COUNT, 0, 9 }, false, 0 },
		{ " 1", { QUANTITY_COUNT, 0, 9 }, false, 0 },
		{ "", { QUANTITY_COUNT, 0, 9 }, false, 0 },
		{ "0x9", { QUANTITY_COUNT, 0, 99 }, true, 9 },
		{ "18446744073709551615", { QUANTITY_COUNT, 0, UINT64_MAX }, true, UINT64_MAX },
		{ "18446744073709551616", { QUANTITY_COUNT, 0, UINT64_MAX }, false, 0 },
		{ "99999999999999999999999", { QUANTITY_COUNT, 0, UINT64_MAX }, false, 0 },
		{ "5", { QUANTITY_TIME, 0, 9999 }, true, 5 },
		{ "5us", { QUANTITY_TIME, 0, 9999 }, true, 5000 },
		{ "3s", { QUANTITY_TIME, 0, UINT64_MAX }, true, 3000000000ULL },
		{ "1.5s", { QUANTITY_TIME, 0, UINT64_MAX }, true, 1500000000 },
		{ "1.5ns", { QUANTITY_TIME, 0, UINT64_MAX }, false, 0 },
		{ "5m", { QUANTITY_TIME, 0, UINT64_MAX }, false, 0 },
		{ "18446744074s", { QUANTITY_TIME, 0, UINT64_MAX }, false, 0 },
		{ "10gbit", { QUANTITY_RATE, 0, UINT64_MAX }, true, 10000000000ULL },
		{ "10000bit", { QUANTITY_RATE, 0, UINT64_MAX }, true, 10000 },
		{ "10g", { QUANTITY_RATE, 0, UINT64_MAX }, false, 0 },
		{ "64k", { QUANTITY_BYTES, 0, UINT64_MAX }, true, 64000 },
		{ "64kb", { QUANTITY_BYTES, 0, UINT64_MAX }, false, 0 },
		{ "0.7", { QUANTITY_FRACTION, 1, PPM - 1 }, true, 700000 },
		{ ".7", { QUANTITY_FRACTION, 1, PPM - 1 }, true, 700000 },
		{ "0.000001", { QUANTITY_FRACTION, 1, PPM - 1 }, true, 1 },
		{ "0.0000001", { QUANTITY_FRACTION, 1, PPM - 1 }, false, 0 },
		{ "1", { QUANTITY_FRACTION, 1, PPM - 1 }, false, 0 },
		{ "1.000000", { QUANTITY_FRACTION, 1, PPM - 1 }, false, 0 },
		{ "0", { QUANTITY_FRACTION, 1, PPM - 1 }, false, 0 },
		{ ".", { QUANTITY_FRACTION, 1, PPM - 1 }, false, 0 },
		{ "7e-1", { QUANTITY_FRACTION, 1, PPM - 1 }, false, 0 },
		{ "18446744073710", { QUANTITY_FRACTION, 1, UINT64_MAX }, false, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		u64 value = 42;
		int ret = parse_number(NULL, "n", tries[i].text, &tries[i].range, &value);

		tap_ok(ret == (tries[i].good ? 0 : -1) &&
		       value == (tries[i].good ? tries[i].value : 42),
		       "parse_number: '%s' is %s", tries[i].text,
		       tries[i].good ? "read" : "refused");
	}
}

static void test_address(void)
{
	static const struct {
		const char *text;
		unsigned int port;
		int family;
		unsigned int expect;
	} tries[] = {
		{ "10.0.0.1", 5000, AF_INET, 5000 },
		{ "10.0.0.1:80", 5000, AF_INET, 80 },
		{ "fd00::1", 5000, AF_INET6, 5000 },
		{ "[fd00::1]", 5000, AF_INET6, 5000 },
		{ "[fd00::1]:80", 0, AF_INET6, 80 },
		{ "10.0.0.1", 0, 0, 0 },
		{ "[fd00::1]", 0, 0, 0 },
		{ "fd00::1", 0, 0, 0 },
		{ "10.0.0.1:0", 0, 0, 0 },
		{ "10.0.0.1:65536", 0, 0, 0 },
		{ "10.0.0.1:", 0, 0, 0 },
		{ "10.0.0:80", 0, 0, 0 },
		{ "[fd00::1", 80, 0, 0 },
		{ "[fd00::1]80", 80, 0, 0 },
		{ "[10.0.0.1.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25]:8",
		  0, 0, 0 },
		{ "host.example:80", 0, 0, 0 },
		{ "", 80, 0, 0 },
		{ "[fe80::1%lo]:80", 0, AF_INET6, 80 },
		{ "fe80::1%lo", 80, AF_INET6, 80 },
		{ "[fe80::1%1]:80", 0, AF_INET6, 80 },
		{ "[ff02::1%lo]:80", 0, 0, 0 },
		{ "[fe80::1]:80", 0, 0, 0 },
		{ "[fe80::1%]:80", 0, 0, 0 },
		{ "[fe80::1%0]:80", 0, 0, 0 },
		{ "[fe80::1%4294967297]:80", 0, 0, 0 },
		{ "[fe80::1%nosuch]:80", 0, 0, 0 },
		{ "[fe80::1%lo%lo]:80", 0, 0, 0 },
		{ "[%lo]:80", 0, 0, 0 },
		{ "[fd00::1%lo]:80", 0, 0, 0 },
		{ "10.0.0.1%lo:80", 0, 0, 0 },
	};
	struct sockaddr_storage a;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		int ret = parse_address(NULL, "a", tries[i].text, tries[i].port, &a);
		const struct sockaddr_in *v4 = (const struct sockaddr_in *)&a;

		/* The port is in the same place in both families. */
		tap_ok(tries[i].family ? !ret && a.ss_family == tries[i].family &&
		       ntohs(v4->sin_port) == tries[i].expect : ret == -1,
		       "parse_address: '%s' is %s", tries[i].text,
		       tries[i].family ? "read" : "refused");
		if (tries[i].family && strchr(tries[i].text, '%'))
			tap_ok(((struct sockaddr_in6 *)&a)->sin6_scope_id == 1,
			       "parse_address: '%s' is of lo", tries[i].text);
	}
}

static bool valid_request(const struct request *r, u64 max)
{
	if (r->dscp > 63)
		return false;
	if (r->flags == REQUEST_ENDLESS)
		return !r->size;
	return r->flags <= REQUEST_KEEP && r->size && r->size <= max;
}

/* Changes of the codepoint as a request may ask for them, or nearly. */
static void draw_demotions(struct rng *r, struct demotions *d)
{
	u64 at = 0;

	for (d->n = 0; d->n < DEMOTIONS_MAX && rng_below(r, 4); d->n++) {
		at += rng_next(r) >> (24 + rng_below(r, 40));
		d->step[d->n] = (struct demotion){ at, rng_below(r, 64) };
	}
}

static bool valid_demotions(const struct demotions *d)
{
	u64 last = 0;
	u8 i;

	for (i = 0; i < d->n; i++) {
		if (d->step[i].at <= last || d->step[i].at > FLOW_SIZE_MAX ||
		    d->step[i].dscp > 63)
			return false;
		last = d->step[i].at;
	}
	return d->n <= DEMOTIONS_MAX;
}

static bool same_demotions(const struct demotions *a, const struct demotions *b)
{
	bool same = a->n == b->n;
	u8 i;

	for (i = 0; same && i < a->n; i++)
		same = a->step[i].at == b->step[i].at && a->step[i].dscp == b->step[i].dscp;
	return same;
}

static void test_request(void)
{
	struct request in = { 0x0102030405060708, 1000000, 46, REQUEST_KEEP, {
		{ { 1, 63 }, { 140000, 0 }, { FLOW_SIZE_MAX, 8 } }, 3 } }, out;
	u8 wire[REQUEST_MAX];
	size_t len = request_pack(&in, wire);

	tap_ok(len == 48 && request_length(wire, len) == len && request_length(wire, 23) == 24,
	       "request: its length is known once its head is there");
	tap_ok(!request_unpack(&out, wire, 1000000) && out.flow == in.flow &&
	       out.size == in.size && out.dscp == in.dscp && out.flags == in.flags &&
	       same_demotions(&out.demotions, &in.demotions),
	       "request: what is packed is unpacked");
	tap_ok(request_unpack(&out, wire, 999999) == -1, "request: above the largest size");
	wire[6] = DEMOTIONS_MAX + 1;
	tap_ok(request_length(wire, 24) == 24 && request_unpack(&out, wire, 1000000) == -1,
	       "request: more changes than there can be");
}

static void test_damaged_request(void)
{
	unsigned int taken = 0, wrong = 0, i;
	struct request in = { 0 }, out;
	u8 wire[REQUEST_MAX];
	struct rng r;

	rng_seed(&r, 1, "test", "request");
	for (i = 0; i < DRAWS; i++) {
		u32 flips = rng_below(&r, 3);

		in.size = rng_next(&r) >> rng_below(&r, 64);
		in.dscp = rng_below(&r, 64);
		in.flags = rng_below(&r, 4);
		draw_demotions(&r, &in.demotions);
		memset(wire, 0, sizeof(wire));
		request_pack(&in, wire);
		while (flips--)
			wire[rng_below(&r, REQUEST_MAX)] ^= 1 << rng_below(&r, 8);
		if (request_unpack(&out, wire, FLOW_SIZE_MAX))
			continue;
		taken++;
		wrong += !valid_request(&out, FLOW_SIZE_MAX) || memcmp(wire, "fgr1", 4) ||
			 !valid_demotions(&out.demotions) || wire[7];
	}
	tap_ok(taken > DRAWS / 100 && taken < DRAWS && !wrong,
	       "request: %u of %u damaged ones are taken, none that is invalid", taken, DRAWS);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		double mean;
	} workloads[] = {
		/* alistorage: added up by hand, as no source states a mean */
		{ "websearch", 1.71e6 }, { "datamining", 12.7e6 }, { "fbhadoop", 120e3 },
		{ "googlerpc", 440.8 }, { "alistorage", 40.87e3 },
	};
	size_t i;

	if (argc != 2) {
		fprintf(stderr, "usage: unit FOLDER-OF-CDFS\n");
		return 2;
	}
	/* Refusals are meant here; their texts are tested elsewhere. */
	if (!freopen("/dev/null", "w", stderr))
		return 2;
	test_rng_vector();
	test_rng_seed();
	test_rng_below();
	test_log();
	for (i = 0; i < ARRAY_SIZE(workloads); i++)
		test_workload(argv[1], workloads[i].name, workloads[i].mean);
	test_number();
	test_address();
	test_request();
	test_damaged_request();
	return tap_done();
}
