// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration of a cell: which hosts report the upper mesh's time, and what does not go
 * with that.
 */
#include <stdio.h>
#include <string.h>

#include "conf_test.h"

#define PEERS	"[mesh]\npeers = 1=10.0.0.1 7=10.0.0.7 9=10.0.0.9\n"
#define REFERENCE	PEERS "[coordinator]\nreference = "
#define TAKES	": it takes mean, ID, utc:HOSTS or upper:HOSTS; HOSTS is all or up to 64 ids"
#define LINE	"[node]\nupper_line = /run/upper/line\n"

/* Host @id is this one; does it report the upper mesh's time? */
static bool reports(uint32_t id)
{
	conf.self = conf_find(&conf, id) - conf.peers;
	return conf_has_utc(&conf);
}

static void accepted(void)
{
	tap_ok(!parse(REFERENCE "upper:9,1\n" LINE) && conf.reference == CONF_REFERENCE_UPPER &&
	       conf.n_utc_hosts == 2 && !strcmp(conf.upper_line, "/run/upper/line") &&
	       conf_takes_time(&conf),
	       "two hosts report the upper mesh's time");
	tap_ok(reports(1) && reports(9) && !reports(7), "which they know, and a third with the same file does not");
	tap_ok(!conf_is_reference(&conf), "their system clocks may follow the mesh");
	tap_ok(!parse(REFERENCE "upper:all\n" LINE) && !conf.n_utc_hosts && reports(7), "or all that have a line of it");
	tap_ok(!parse(REFERENCE "upper:all\n") && !reports(7), "which one without a line is none of");
	tap_ok(conf.compare == CONF_COMPARE_MESH, "On-Ramp compares delays within the mesh");
	tap_ok(!parse(REFERENCE "upper:all\n[output]\ncompare = upper\n") && conf.compare == CONF_COMPARE_UPPER,
	       "or within all meshes below the upper one");
	tap_ok(!parse(REFERENCE "upper:all\n[output]\nclockbound = /a\n"), "clients of ClockBound may get its UTC");
	tap_ok(!parse(REFERENCE "upper:all\n[mesh]\nwindow = 3s\n[output]\nvalid = 6s\n"), "a window of 3 s");
	tap_ok(!parse(PEERS "[node]\nupper_line = none\n") && !*conf.upper_line && !conf_takes_time(&conf), "none is none");
}

static void refused(void)
{
	static const struct {
		const char *text, *message;
	} refusals[] = {
		{ REFERENCE "upper\n", "f:4: [coordinator] reference: \"upper\" is none" TAKES },
		{ REFERENCE "Upper:1\n", "f:4: [coordinator] reference: \"Upper:1\" is none" TAKES },
		{ REFERENCE "upper:\n", "f:4: [coordinator] reference: \"upper:\" has no id after it" TAKES },
		{ REFERENCE "upper: 1\n", "\"upper:\" has no id after it" },
		{ REFERENCE "upper:,1\n", "\"upper:\" has no id after it" },
		{ REFERENCE "upper:0\n", "\"0\" is not an id, 1 to 65535" TAKES },
		{ REFERENCE "upper:1,utc:7\n", "\"utc:7\" is not an id, 1 to 65535" },
		{ REFERENCE "utc:1,upper:7\n", "\"upper:7\" is not an id, 1 to 65535" },
		{ REFERENCE "upper:all,1\n", "\"all\" is not an id, 1 to 65535" },
		{ REFERENCE "upper:1 7 1\n", "\"1\" is given twice" TAKES },
		{ REFERENCE "upper:1,8\n" LINE, "f:4: [coordinator] reference: 8 is missing in [mesh] peers" },
		{ REFERENCE "upper:1\n", "f:4: [coordinator] reference: upper:ID needs [node] upper_line" },
		{
			REFERENCE "utc:1\n" LINE,
			"f:6: [node] upper_line: it is not used: set [coordinator] reference to upper:all or upper:ID",
		},
		{ REFERENCE "mean\n" LINE, "f:6: [node] upper_line: it is not used" },
		{ REFERENCE "1\n" LINE, "f:6: [node] upper_line: it is not used" },
		{ PEERS LINE, "f:4: [node] upper_line: it is not used" },
		{
			REFERENCE "upper:1\n" LINE "[output]\nline_file = /run/upper/line\n",
			"f:6: [node] upper_line: /run/upper/line is line_file of this mesh",
		},
		{
			REFERENCE "upper:all\nutc_error = 1us\n",
			"f:5: [coordinator] utc_error: the upper mesh reports its error: set it there",
		},
		{
			REFERENCE "upper:all\n[mesh]\nwindow = 3001ms\n[output]\nvalid = 7s\n",
			"f:6: [mesh] window: 3001ms is above 3s, the maximum below an upper mesh",
		},
		{ REFERENCE "upper:all\n[node]\nphc = /dev/ptp0\n", "[node] phc: UTC is not used" },
		{ REFERENCE "upper:all\n[node]\nupper_line = line\n", "[node] upper_line: \"line\" is not none or an absolute path" },
		{ REFERENCE "upper:all\n[node]\nupper_line =\n", "[node] upper_line: \"\" is not none or an absolute path" },
		{ REFERENCE "upper:all\n[output]\ncompare = all\n", "[output] compare: \"all\" is not mesh or upper" },
		{ REFERENCE "upper:all\n[output]\ncompare =\n", "[output] compare: \"\" is not mesh or upper" },
		{
			REFERENCE "utc:1\n[output]\ncompare = upper\n",
			"f:6: [output] compare: there is no upper mesh: set [coordinator] reference to upper:all or upper:ID",
		},
		{ PEERS "[output]\ncompare = upper\n", "f:4: [output] compare: there is no upper mesh" },
	};
	size_t i;

	for (i = 0; i < N(refusals); i++)
		if (!tap_ok(parse(refusals[i].text) == -1 && strstr(error.text, refusals[i].message),
			    "refused: %s", refusals[i].message))
			tap_remark("%s", error.text);
}

int main(void)
{
	accepted();
	refused();
	conf_free(&conf);
	return tap_done();
}
