// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration of UTC: which hosts report it, and from which clock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf_test.h"

#define PEERS	"[mesh]\npeers = 1=10.0.0.1 7=10.0.0.7 9=10.0.0.9\n"
#define REFERENCE	PEERS "[coordinator]\nreference = "
#define TAKES	": it takes mean, ID, utc:HOSTS or upper:HOSTS; HOSTS is all or up to 64 ids"
#define PHC	"[node]\nphc = /dev/ptp0\n"

/* Host @id is this one; does it report UTC? */
static bool reports(uint32_t id)
{
	conf.self = conf_find(&conf, id) - conf.peers;
	return conf_has_utc(&conf);
}

static void accepted(void)
{
	tap_ok(!parse(REFERENCE "utc:9,1\n") && conf.reference == CONF_REFERENCE_UTC &&
	       conf.n_utc_hosts == 2 && conf.utc_hosts[0] == 1 && conf.utc_hosts[1] == 9,
	       "two hosts report UTC, sorted");
	tap_ok(reports(1) && reports(9) && !reports(7), "which they know, and a third does not");
	tap_ok(!parse(REFERENCE "utc:9\n  7\n\t1\n") && conf.n_utc_hosts == 3, "or three, on lines of their own");
	tap_ok(!parse(REFERENCE "utc:all\n") && conf.reference == CONF_REFERENCE_UTC && !conf.n_utc_hosts,
	       "or all that have a clock device");
	tap_ok(!reports(1), "which one without it is none of: the system clock may follow the mesh");
	tap_ok(!parse(REFERENCE "utc:all\nutc_error = 20us\n" PHC) && !strcmp(conf.phc, "/dev/ptp0") && reports(1),
	       "and one with it is");
	tap_ok(!parse(REFERENCE "utc:7\nutc_error = 20us\n" PHC) && !reports(1) && reports(7),
	       "of hosts that are named, one that is not is none in spite of its device");
	tap_ok(!parse(REFERENCE "7\n") && conf.reference == CONF_REFERENCE_HOST && conf.reference_id == 7 && !reports(7),
	       "a host whose clock is the reference reports no UTC");
	tap_ok(!parse(REFERENCE "mean\n" "[node]\nphc = none\n") && !*conf.phc && !reports(1), "nor does one of a mean");
}

/* A host whose system clock the mesh sets is not asked what its kernel was told of UTC. */
static void followers(void)
{
	static const struct {
		const char *mode, *node, *reference;
		bool follows;
	} cases[] = {
		{ "publish", "", "utc:1", false }, { "none", "", "utc:1", false },
		{ "steer", "", "utc:1", false }, { "sock", "", "utc:1", false },
		{ "publish", PHC, "utc:1", false }, { "none", PHC, "utc:1", false },
		{ "steer", PHC, "utc:1", true }, { "sock", PHC, "utc:1", true },
		{ "steer", PHC, "utc:all", true }, { "sock", PHC, "utc:all", true },
		{ "steer", "", "utc:7", true }, { "sock", "", "utc:7", true },
		{ "steer", "", "mean", true }, { "publish", "", "mean", false },
	};
	char text[512];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *bound = strstr(cases[i].reference, "utc") ? "utc_error = 20us\n" : "";

		snprintf(text, sizeof(text), REFERENCE "%s\n%s[output]\nmode = %s\n%s",
			 cases[i].reference, bound, cases[i].mode, cases[i].node);
		tap_ok(!parse(text) && (reports(1), conf_is_follower(&conf)) == cases[i].follows,
		       "mode %s, %s, %s clock device: the system clock %s the mesh", cases[i].mode,
		       cases[i].reference, *cases[i].node ? "with a" : "without a",
		       cases[i].follows ? "follows" : "does not follow");
	}
}

static void refused(void)
{
	static const struct {
		const char *text, *message;
	} refusals[] = {
		{ REFERENCE "utc\n", "f:4: [coordinator] reference: \"utc\" is none" TAKES },
		{ REFERENCE "UTC:1\n", "f:4: [coordinator] reference: \"UTC:1\" is none" TAKES },
		{ REFERENCE "utc:\n", "f:4: [coordinator] reference: \"utc:\" has no id after it" TAKES },
		{ REFERENCE "utc: 1\n", "\"utc:\" has no id after it" },
		{ REFERENCE "utc:,1\n", "\"utc:\" has no id after it" },
		{ REFERENCE "utc:0\n", "\"0\" is not an id, 1 to 65535" TAKES },
		{ REFERENCE "utc:65536\n", "\"65536\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:-1\n", "\"-1\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:1,x\n", "\"x\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:1,utc:7\n", "\"utc:7\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:all,1\n", "\"all\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:1,all\n", "\"all\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:1 7 1\n", "f:4: [coordinator] reference: \"1\" is given twice" TAKES },
		{ REFERENCE "utc:1,8\n", "f:4: [coordinator] reference: 8 is missing in [mesh] peers" },
		{ REFERENCE "1,7\n", "\"1,7\" is none" },
		{ REFERENCE "mean 7\n", "\"mean 7\" is none" },
		{ PEERS PHC, "f:4: [node] phc: UTC is not used: set [coordinator] reference to utc:all or utc:ID" },
		{ REFERENCE "7\n" PHC, "f:6: [node] phc: UTC is not used" },
		{ REFERENCE "mean\nutc_error = 1us\n" PHC, "f:7: [node] phc: UTC is not used" },
		{
			REFERENCE "utc:all\n" PHC,
			"f:6: [node] phc: the device does not report its error: set [coordinator] utc_error, 1ns to 1s",
		},
		{ REFERENCE "utc:1\nutc_error = auto\n" PHC, "the device does not report its error" },
		{ REFERENCE "utc:1\nutc_error = 1us\n[node]\nphc = ptp0\n", "[node] phc: \"ptp0\" is not none or an absolute path" },
		{ REFERENCE "utc:1\nutc_error = 1us\n[node]\nphc =\n", "[node] phc: \"\" is not none or an absolute path" },
		{ REFERENCE "utc:1\nutc_error = 1us\n[node]\nphc = /dev/ptp0 /dev/ptp1\n", "is not none or an absolute path" },
	};
	size_t i;

	for (i = 0; i < N(refusals); i++)
		if (!tap_ok(parse(refusals[i].text) == -1 && strstr(error.text, refusals[i].message),
			    "refused: %s", refusals[i].message))
			tap_remark("%s", error.text);
}

/* As many as are compared, and one more. */
static void most(void)
{
	char text[4096];
	int n = snprintf(text, sizeof(text), "[mesh]\npeers ="), i;

	for (i = 1; i <= CONF_UTC_MAX + 1; i++)
		n += snprintf(text + n, sizeof(text) - n, " 10.0.1.%d", i);
	n += snprintf(text + n, sizeof(text) - n, "\n[coordinator]\nreference = utc:1");
	for (i = 2; i <= CONF_UTC_MAX; i++)
		n += snprintf(text + n, sizeof(text) - n, ",%d", i);
	tap_ok(!parse(text) && conf.n_utc_hosts == CONF_UTC_MAX, "%d hosts report UTC", CONF_UTC_MAX);
	snprintf(text + n, sizeof(text) - n, ",%d", CONF_UTC_MAX + 1);
	tap_ok(parse(text) == -1 && strstr(error.text, "[coordinator] reference: \"65\" exceeds the maximum number"),
	       "refused: one more");
}

static void reloads(void)
{
	static const char before[] = REFERENCE "utc:1,7\n";
	static const char *const after[] = { "utc:1\n", "utc:all\n", "utc:1,9\n", "1\n", "mean\n" };
	char path[] = "/tmp/huygens-conf.XXXXXX", text[200];
	struct huygens_conf next;
	FILE *file = fdopen(mkstemp(path), "w");
	size_t i;

	for (i = 0; i < N(after); i++) {
		parse(before);
		conf.id = 1;
		snprintf(text, sizeof(text), "[node]\nid = 1\n" REFERENCE "%s", after[i]);
		rewind(file);
		if (ftruncate(fileno(file), 0) || fputs(text, file) < 0 || fflush(file))
			tap_remark("no file");
		tap_ok(conf_reload(&next, &conf, path, NULL, 0, &error) == -1 &&
		       strstr(error.text, "a change needs a restart") && conf.n_utc_hosts == 2,
		       "reload: refused, and nothing changed: reference = %.*s", (int)strcspn(after[i], "\n"), after[i]);
		conf_free(&next);
	}
	fclose(file);
	unlink(path);
}

int main(void)
{
	accepted();
	followers();
	refused();
	most();
	reloads();
	conf_free(&conf);
	return tap_done();
}
