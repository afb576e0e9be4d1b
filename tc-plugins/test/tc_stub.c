// SPDX-License-Identifier: GPL-2.0
/*
 * tc's side of a plugin, for tests.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tc_stub.h"

#define TC_STUB_ARGUMENTS	256

int show_details;

static bool stub_json;
static bool stub_in_array;
static char stub_output[65536];
static size_t stub_length;
static char *stub_stderr;

bool is_json_context(void)
{
	return stub_json;
}

static void stub_add(const char *fmt, ...)
{
	size_t space = sizeof(stub_output) - stub_length;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(stub_output + stub_length, space, fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= space)
		abort();
	stub_length += n;
}

/* As in tc: text or JSON, which needs a key but in an array. */
static bool stub_speaks_json(enum output_type t, const char *key)
{
	if (!stub_json || t == PRINT_FP)
		return false;
	if (!key != stub_in_array)
		abort();
	stub_add("%s", strchr("{[", stub_output[stub_length - 1]) ? "" : ",");
	if (key)
		stub_add("\"%s\":", key);
	return true;
}

static bool stub_speaks_text(enum output_type t)
{
	return !stub_json && t != PRINT_JSON;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

int print_color_u64(enum output_type t, enum color_attr color, const char *key,
		    const char *fmt, uint64_t value)
{
	(void)color;
	if (stub_speaks_json(t, key))
		stub_add("%" PRIu64, value);
	else if (stub_speaks_text(t))
		stub_add(fmt, value);
	return 0;
}

int print_color_s64(enum output_type t, enum color_attr color, const char *key,
		    const char *fmt, int64_t value)
{
	(void)color;
	if (stub_speaks_json(t, key))
		stub_add("%" PRId64, value);
	else if (stub_speaks_text(t))
		stub_add(fmt, value);
	return 0;
}

int print_color_string(enum output_type t, enum color_attr color,
		       const char *key, const char *fmt, const char *value)
{
	(void)color;
	if (stub_speaks_json(t, key))
		stub_add("\"%s\"", value);
	else if (stub_speaks_text(t))
		stub_add(fmt, value);
	return 0;
}

int print_color_bool(enum output_type t, enum color_attr color,
		     const char *key, const char *fmt, bool value)
{
	const char *token = value ? "true" : "false";

	(void)color;
	if (stub_speaks_json(t, key))
		stub_add("%s", token);
	else if (stub_speaks_text(t))
		stub_add(fmt, token);
	return 0;
}

#pragma GCC diagnostic pop

void open_json_array(enum output_type t, const char *key)
{
	if (!stub_speaks_json(t, key))
		return;
	stub_add("[");
	stub_in_array = true;
}

void close_json_array(enum output_type t, const char *key)
{
	(void)key;
	if (!stub_json || t == PRINT_FP)
		return;
	stub_add("]");
	stub_in_array = false;
}

void print_nl(void)
{
	if (!stub_json)
		stub_add("\n");
}

void tc_stub_begin(bool json, bool details)
{
	stub_json = json;
	show_details = details;
	stub_length = 0;
	stub_output[0] = 0;
	if (json)
		stub_add("{");
}

const char *tc_stub_output(void)
{
	if (stub_json && stub_output[stub_length - 1] != '}')
		stub_add("}");
	return stub_output;
}

const char *tc_stub_stderr(void)
{
	return stub_stderr ? stub_stderr : "";
}

int tc_stub_parse(const struct qdisc_util *qu, const char *arguments,
		  struct tc_request *req)
{
	FILE *terminal = stderr;
	char *copy = strdup(arguments);
	char *argv[TC_STUB_ARGUMENTS];
	char *save = NULL, *token;
	size_t length;
	int argc = 0;
	int ret;

	for (token = strtok_r(copy, " ", &save); token && argc < TC_STUB_ARGUMENTS;
	     token = strtok_r(NULL, " ", &save))
		argv[argc++] = token;

	memset(req, 0, sizeof(*req));
	req->n.nlmsg_len = NLMSG_LENGTH(sizeof(req->t));
	free(stub_stderr);
	stub_stderr = NULL;
	stderr = open_memstream(&stub_stderr, &length);
	ret = qu->parse_qopt(qu, argc, argv, &req->n, "lo");
	fclose(stderr);
	stderr = terminal;
	free(copy);
	return ret;
}

struct rtattr *tc_stub_options(struct tc_request *req)
{
	struct rtattr *opt = (struct rtattr *)req->buffer;
	int left = (int)req->n.nlmsg_len - (int)NLMSG_LENGTH(sizeof(req->t));

	/* One attribute, whole, and no kernel takes it without the flag. */
	if (!RTA_OK(opt, left) || RTA_ALIGN(opt->rta_len) != (unsigned int)left ||
	    opt->rta_type != (TCA_OPTIONS | NLA_F_NESTED))
		return NULL;
	return opt;
}
