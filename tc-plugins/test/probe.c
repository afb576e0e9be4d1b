// SPDX-License-Identifier: GPL-2.0
/*
 * Ask a plugin questions from a script, without a kernel.
 *
 *   probe KIND parse WORDS...               "TYPE BYTES VALUE" for each attribute
 *   probe KIND show [-j] [-d] TYPE:BYTES:VALUE...     prints a dump of these
 *   probe KIND xstats [-j] BYTES            prints statistics whose n-th u64 is n,
 *                                      from 1, cut or zero-padded to BYTES; cp's
 *                                      first says which they are: cBYTES for a class
 *
 * Status 1 if the plugin refuses, with its message on stderr.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "tc_stub.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static struct tc_request request;
static struct qdisc_util *plugin;

static struct qdisc_util *const plugins[] = {
	&cp_qdisc_util, &ecnsharp_qdisc_util, &onramp_qdisc_util,
};

static int probe_parse(int argc, char **argv)
{
	char arguments[4096] = "";
	struct rtattr *opt, *attr;
	int left, i;

	for (i = 0; i < argc; i++) {
		if (strlen(arguments) + strlen(argv[i]) + 2 > sizeof(arguments))
			return 2;
		strcat(strcat(arguments, argv[i]), " ");
	}
	if (tc_stub_parse(plugin, arguments, &request)) {
		fputs(tc_stub_stderr(), stderr);
		return 1;
	}
	opt = tc_stub_options(&request);
	if (!opt)
		return 2;
	left = RTA_PAYLOAD(opt);
	for (attr = RTA_DATA(opt); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left)) {
		uint64_t value;

		if (!attr_get(attr, &value))
			return 2;
		printf("%u %u %" PRIu64 "\n", attr_type(attr),
		       (unsigned int)RTA_PAYLOAD(attr), value);
	}
	return 0;
}

static int probe_show(int argc, char **argv)
{
	struct rtattr *nest;
	int i;

	request.n.nlmsg_len = NLMSG_LENGTH(sizeof(request.t));
	nest = attr_nest(&request.n, TCA_OPTIONS);
	for (i = 0; i < argc; i++) {
		unsigned int type, bytes;
		uint64_t value;

		if (sscanf(argv[i], "%u:%u:%" SCNu64, &type, &bytes,
			   &value) != 3)
			return 2;
		attr_put(&request.n, type, bytes * 8, value);
	}
	attr_nest_end(&request.n, nest);
	plugin->print_qopt(plugin, stdout, nest);
	puts(tc_stub_output());
	return 0;
}

static int probe_xstats(const char *bytes)
{
	static struct {
		struct rtattr head;
		uint64_t value[512];
	} xstats;
	bool class = *bytes == 'c';
	size_t length = strtoul(bytes + class, NULL, 10);
	size_t i;

	if (length > sizeof(xstats.value))
		return 2;
	for (i = 0; i < ARRAY_SIZE(xstats.value); i++)
		xstats.value[i] = i + 1;
	if (plugin == &cp_qdisc_util)
		xstats.value[0] = class;
	/* The payload follows the header at 4 bytes; this one is at 8. */
	memmove(RTA_DATA(&xstats.head), xstats.value, sizeof(xstats.value));
	xstats.head.rta_len = RTA_LENGTH(length);
	plugin->print_xstats(plugin, stdout, &xstats.head);
	puts(tc_stub_output());
	return 0;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	const char *verb = argc > 2 ? argv[2] : "";
	bool details = false;
	bool json = false;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plugins); i++)
		if (!strcmp(plugins[i]->id, kind))
			plugin = plugins[i];
	if (!plugin)
		verb = "";
	argc -= 3;
	argv += 3;
	if (!strcmp(verb, "parse"))
		return probe_parse(argc, argv);
	for (; argc > 0 && argv[0][0] == '-'; argc--, argv++) {
		json |= argv[0][1] == 'j';
		details |= argv[0][1] == 'd';
	}
	tc_stub_begin(json, details);
	if (!strcmp(verb, "show"))
		return probe_show(argc, argv);
	if (!strcmp(verb, "xstats") && argc == 1)
		return probe_xstats(argv[0]);
	fputs("usage: probe KIND parse WORDS\n"
	      "       probe KIND show [-j] [-d] TYPE:BYTES:VALUE...\n"
	      "       probe KIND xstats [-j] BYTES\n",
	      stderr);
	return 2;
}
