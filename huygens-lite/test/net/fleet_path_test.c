// SPDX-License-Identifier: GPL-2.0
/*
 * Paths that are longer one way than back: no protocol sees the error, and the bound that
 * applications get covers it.
 */
#include "fleet_test.h"

#define HOSTS		4
/* The last host's, to it; half of it is error. */
#define FAR_NS		100000

/**
 * struct judged - of many instants
 * @worst_ns: greatest difference of the common times of a host and the one of the long path
 * @without: instants at which it was above both bounds
 * @with: instants at which it was above both bounds with what asymmetry may add
 * @asymmetry_ns: greatest that the host of the long path was told
 */
struct judged {
	int64_t		worst_ns;
	uint32_t	without;
	uint32_t	with;
	double		asymmetry_ns;
};

static double bound(const struct fleet_host *h, bool asymmetry)
{
	return slew_at(&h->mesh.host_clock.slew, fleet_local(h, h->fleet->now_ns)).bound_ns +
	       (asymmetry ? h->mesh.host_clock.asymmetry_ns : 0);
}

static void judge(const struct fleet *f, uint32_t near_host, struct judged *j)
{
	const struct fleet_host *a = &f->host[near_host], *b = &f->host[HOSTS - 1];
	int64_t off_ns = llabs(fleet_common(a) - fleet_common(b));

	j->worst_ns = off_ns > j->worst_ns ? off_ns : j->worst_ns;
	j->without += (double)off_ns > bound(a, false) + bound(b, false);
	j->with += (double)off_ns > bound(a, true) + bound(b, true);
	j->asymmetry_ns = fmax(j->asymmetry_ns, b->mesh.host_clock.asymmetry_ns);
}

static struct judged judged(const char *more, uint64_t seed)
{
	struct fleet *f = fleet_make(HOSTS, more, seed, false);
	struct judged j = { 0 };
	uint32_t i, s;

	f->host[HOSTS - 1].far_ns = FAR_NS;
	fleet_pass(f, 20 * FLEET_S);
	for (s = 0; s < 60 && fleet_is_locked(f, 0, HOSTS); s++) {
		fleet_pass(f, FLEET_S / 2);
		for (i = 0; i < HOSTS - 1; i++)
			judge(f, i, &j);
	}
	tap_ok(s == 60, "seed %llu: all hosts are locked while one path is asymmetric",
	       (unsigned long long)seed);
	fleet_free(f);
	return j;
}

static void test_covered(void)
{
	uint64_t seed;

	for (seed = 1; seed <= 3; seed++) {
		struct judged j = judged("", seed);

		tap_ok(j.worst_ns > FAR_NS / 2 - 5000 && j.worst_ns < FAR_NS / 2 + 5000,
		       "seed %llu: half of the asymmetry is error", (unsigned long long)seed);
		tap_ok(j.without == 180,
		       "seed %llu: no bound without it covers that",
		       (unsigned long long)seed);
		tap_ok(!j.with, "seed %llu: every bound with it does", (unsigned long long)seed);
		tap_remark("worst %lld ns, asymmetry %.0f ns", (long long)j.worst_ns,
			   j.asymmetry_ns);
	}
}

static void test_shares(void)
{
	struct judged half = judged("[mesh]\nmax_asymmetry = 50%", 1);
	struct judged most = judged("[mesh]\nmax_asymmetry = 95%", 1);
	struct judged none = judged("[mesh]\nmax_asymmetry = 0", 1);

	/* 100 us of 120. */
	tap_ok(half.with == 180, "a path more asymmetric than max_asymmetry is not covered");
	tap_ok(!most.with, "one that is less is");
	tap_ok(!none.asymmetry_ns && none.with == none.without, "0 adds nothing");
}

static void test_reference(void)
{
	struct fleet *f = fleet_make(HOSTS, "[coordinator]\nreference = 30", 1, false);
	uint32_t i, zeros = 0;

	fleet_pass(f, 20 * FLEET_S);
	for (i = 0; i < HOSTS; i++)
		zeros += !f->host[i].mesh.host_clock.asymmetry_ns;
	check(zeros == 1 && !f->host[2].mesh.host_clock.asymmetry_ns, f,
	      "the reference alone has no asymmetry against itself");
	check(f->host[0].mesh.host_clock.asymmetry_ns > FLEET_DELAY_NS &&
	      f->host[0].mesh.host_clock.asymmetry_ns < 2 * FLEET_DELAY_NS, f,
	      "others have about half of the least round trip");
	invalidate(&f->host[0], FLEET_S);
	check(!f->host[0].mesh.host_clock.asymmetry_ns, f, "a host that begins anew has none");
	fleet_free(f);
}

int main(void)
{
	test_covered();
	test_shares();
	test_reference();
	return tap_done();
}
