// SPDX-License-Identifier: GPL-2.0
/*
 * The commands' functions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/onramp.h>
#include <linux/onramp_wire.h>

#include "request.h"
#include "out.h"
#include "run.h"
#include "show.h"

/* Kernels before 6.3 cannot put a device's name into a message. */
static bool run_lacks_nic(const struct command *command,
			  const struct nl_refusal *why)
{
	return command->cmd == ONRAMP_CMD_ACKER_DEV_ADD &&
	       strstr(why->text, "attach it");
}

/* A next step, as far as the error implies one. */
static void run_advise(const struct command *command,
		       const struct nl_refusal *why, bool family)
{
	bool acker = command->cmd >= ONRAMP_CMD_ACKER_SET &&
		     command->cmd <= ONRAMP_CMD_ACKER_DEV_GET;

	if (!family && why->error == ENOENT)
		fprintf(stderr,
			"onrampctl: the module is not loaded: run 'modprobe -a sch_onramp onramp_acker'\n");
	else if (why->error == EPERM || why->error == EACCES)
		fprintf(stderr,
			"onrampctl: root, or CAP_NET_ADMIN in this network namespace, is needed\n");
	else if (acker && why->error == EOPNOTSUPP)
		fprintf(stderr,
			"onrampctl: the module is not loaded: run 'modprobe onramp_acker'\n");
	else if (why->error == EOPNOTSUPP && !*why->text)
		fprintf(stderr, "onrampctl: the module is older than this program\n");
	else if (command->cmd == ONRAMP_CMD_PEER_DEL && why->error == ENOENT)
		fprintf(stderr, "onrampctl: 'onrampctl peers' lists the peers\n");
	else if (command->cmd == ONRAMP_CMD_ACKER_DEV_DEL &&
		 why->error == ENOENT)
		fprintf(stderr, "onrampctl: 'onrampctl acker' lists the devices\n");
	else if (run_lacks_nic(command, why))
		fprintf(stderr, "onrampctl: 'onrampctl doctor' names the NIC\n");
	else if (command->cmd >= ONRAMP_CMD_KEY_ADD && why->error == ENOENT)
		fprintf(stderr, "onrampctl: 'onrampctl keys' lists the groups\n");
}

/* The parameter that a refusal is about, if it is about one. */
static const struct command_param *
run_culprit(const struct command *command, const struct nl_refusal *why)
{
	const struct command_param *param;

	for (param = command->params; why->attr && param->range.kind; param++)
		if (param->attr == why->attr)
			return param;
	return NULL;
}

int run_refused(const struct command *command,
		const struct nl_refusal *why, bool family)
{
	const struct command_param *param = run_culprit(command, why);

	fprintf(stderr, "onrampctl: %s: ", command->path);
	if (param)
		fprintf(stderr, "%s%s: ",
			param->name ? param->name : param->operand,
			why->missing ? " is missing" : "");
	if (*why->text)
		fprintf(stderr, "%s: ", why->text);
	fprintf(stderr, "%s", strerror(why->error));
	if (param && *value_range_text(&param->range).text)
		fprintf(stderr, " (%s)", value_range_text(&param->range).text);
	fprintf(stderr, "\n");
	run_advise(command, why, family);
	return RUN_FAILED;
}

int run_open(const struct command *command)
{
	struct nl_refusal why = { 0 };

	if (onramp_open(&why))
		return run_refused(command, &why, false);
	return RUN_OK;
}

static void run_put_number(struct nl_request *request, uint16_t attr,
			   uint8_t bits, uint64_t number)
{
	uint32_t u32 = number;
	uint8_t u8 = number;

	if (bits == 8)
		genl_put(request, attr, &u8, sizeof(u8));
	else if (bits == 32)
		genl_put(request, attr, &u32, sizeof(u32));
	else
		genl_put(request, attr, &number, sizeof(number));
}

static void run_put(struct nl_request *request,
		    const struct command_param *param, const struct value *v)
{
	if (!v->given || !param->attr)
		return;
	if (param->range.kind == VALUE_TEXT) {
		genl_put(request, param->attr, v->text, strlen(v->text) + 1);
		return;
	}
	if (!v->address_len) {
		run_put_number(request, param->attr, param->bits, v->number);
		return;
	}
	genl_put(request, param->attr, v->address, v->address_len);
	if (param->range.kind == VALUE_PREFIX)
		run_put_number(request, ONRAMP_A_PREFIX_LEN, 8, v->prefix_len);
}

int run_set(const struct command *command, const struct value *values,
	    bool json)
{
	struct nl_refusal why = { 0 };
	struct nl_request request;
	int i;

	if (run_open(command))
		return RUN_FAILED;
	onramp_begin(&request, command->cmd, 0);
	if (command->fixed)
		run_put_number(&request, command->fixed, 8, command->fixed_value);
	for (i = 0; command->params[i].range.kind; i++)
		run_put(&request, &command->params[i], &values[i]);
	i = request_send(&request, NULL, NULL, &why);
	/* There may be a key in it. */
	explicit_bzero(&request, sizeof(request));
	return i ? run_refused(command, &why, true) : RUN_OK;
}

/* A bound of 0 withdraws it. */
static int run_forget_clock(const struct command *command, uint8_t clock)
{
	struct nl_refusal why = { 0 };
	struct nl_request request;

	onramp_begin(&request, command->cmd, 0);
	run_put_number(&request, ONRAMP_A_CLOCK_ID, 8, clock);
	run_put_number(&request, ONRAMP_A_CLOCK_ERROR, 32, 0);
	if (request_send(&request, NULL, NULL, &why))
		return run_refused(command, &why, true);
	return RUN_OK;
}

int run_clock_clear(const struct command *command, const struct value *values,
		    bool json)
{
	if (run_open(command))
		return RUN_FAILED;
	if (values[0].given)
		return run_forget_clock(command, values[0].number);
	return run_forget_clock(command, ONRAMP_CLOCK_SYSTEM) ?:
	       run_forget_clock(command, ONRAMP_CLOCK_PUBLISHED);
}

/**
 * struct run_listing - how answers are printed
 * @fields: which attributes
 * @nest: attribute that they are in; 0: none
 * @dev: filter; not given: none
 * @peer: filter; not given: none
 */
struct run_listing {
	const struct show_field	*fields;
	uint16_t		nest;
	struct value		dev;
	struct value		peer;
};

static bool run_is_wanted(const struct run_listing *l,
			  const struct nlattr **attrs)
{
	static const struct show_field dev = {
		.attr = ONRAMP_A_IFINDEX,
		.range = { .kind = VALUE_DEVICE },
	};
	static const struct show_field daddr = {
		.attr = ONRAMP_A_DADDR,
		.range = { .kind = VALUE_ADDRESS },
	};
	struct value v;

	if (l->dev.given &&
	    (!show_read(attrs, &dev, &v) || v.number != l->dev.number))
		return false;
	return !l->peer.given || (show_read(attrs, &daddr, &v) &&
				  value_contains(&l->peer, &v));
}

static void run_on_row(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	const struct nlattr *inner[ONRAMP_A_MAX + 1];
	const struct run_listing *l = data;

	if (l->nest) {
		if (!attrs[l->nest])
			return;
		onramp_parse_nest(attrs[l->nest], inner);
		attrs = inner;
	}
	if (!run_is_wanted(l, attrs))
		return;
	out_row();
	show_fields(attrs, l->fields);
}

static int run_list(const struct command *command, struct run_listing *l,
		    bool json)
{
	struct nl_refusal why = { 0 };
	struct nl_request request;

	if (run_open(command))
		return RUN_FAILED;
	onramp_begin(&request, command->cmd, 1);
	out_begin(json, OUT_TABLE);
	if (request_send(&request, run_on_row, l, &why)) {
		out_end();
		return run_refused(command, &why, true);
	}
	return out_end() ? RUN_FAILED : RUN_OK;
}

int run_peers_show(const struct command *command, const struct value *values,
		   bool json)
{
	struct run_listing l = { .fields = show_peer };

	return run_list(command, &l, json);
}

int run_keys_show(const struct command *command, const struct value *values,
		  bool json)
{
	struct run_listing l = { .fields = show_key };

	return run_list(command, &l, json);
}

int run_flows_show(const struct command *command, const struct value *values,
		   bool json)
{
	struct run_listing l = {
		.fields = show_flow,
		.nest = ONRAMP_A_FLOW,
		.peer = values[0],
		.dev = values[1],
	};

	return run_list(command, &l, json);
}

int run_paths_show(const struct command *command, const struct value *values,
		   bool json)
{
	struct run_listing l = {
		.fields = show_path,
		.nest = ONRAMP_A_PATH,
		.peer = values[0],
	};

	return run_list(command, &l, json);
}

int run_stamps_show(const struct command *command, const struct value *values,
		    bool json)
{
	struct run_listing l = { .fields = show_source };

	return run_list(command, &l, json);
}

int run_phc_show(const struct command *command, const struct value *values,
		 bool json)
{
	struct run_listing l = { .fields = show_phc };

	return run_list(command, &l, json);
}

/**
 * run_one() - show the one answer to a request without attributes
 * @command: whose
 * @show: prints it
 * @json: for programs
 *
 * Return: enum run_result.
 */
static int run_one(const struct command *command, onramp_reply_fn show, bool json)
{
	struct nl_refusal why = { 0 };
	struct nl_request request;

	if (run_open(command))
		return RUN_FAILED;
	onramp_begin(&request, command->cmd, 0);
	out_begin(json, OUT_PAIRS);
	if (request_send(&request, show, NULL, &why))
		return run_refused(command, &why, true);
	return out_end() ? RUN_FAILED : RUN_OK;
}

static void run_on_clock(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	out_row();
	show_fields(attrs, show_clock);
}

int run_clock_show(const struct command *command, const struct value *values,
		   bool json)
{
	return run_one(command, run_on_clock, json);
}

/**
 * struct run_devices - names of devices, as two lists
 * @text: for people
 * @json: for programs
 */
struct run_devices {
	FILE	*text;
	FILE	*json;
	int	n;
};

static void run_on_device(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	struct run_devices *d = data;
	struct value v;

	if (!show_read(attrs, show_device, &v))
		return;
	fprintf(d->text, "%s%s", d->n ? " " : "",
		value_for_people(&show_device->range, &v).text);
	fprintf(d->json, "%s%s", d->n ? "," : "[",
		value_for_json(&show_device->range, &v).text);
	d->n++;
}

static int run_print_devices(struct nl_refusal *why)
{
	char *text = NULL, *json = NULL;
	struct nl_request request;
	struct run_devices d = { 0 };
	size_t text_len, json_len;
	int status;

	d.text = open_memstream(&text, &text_len);
	d.json = open_memstream(&json, &json_len);
	if (!d.text || !d.json) {
		fprintf(stderr, "onrampctl: no memory\n");
		exit(RUN_USAGE);
	}
	onramp_begin(&request, ONRAMP_CMD_ACKER_DEV_GET, 1);
	status = request_send(&request, run_on_device, &d, why);
	fprintf(d.json, "%s", d.n ? "]" : "[]");
	fclose(d.text);
	fclose(d.json);
	if (!status)
		out_cell("devices", "devices", d.n ? text : "none", json);
	free(text);
	free(json);
	return status;
}

static void run_on_acker(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	show_fields(attrs, show_acker);
	show_counters(attrs[ONRAMP_A_ACKER_STATS], show_acker_counters);
}

int run_acker_show(const struct command *command, const struct value *values,
		   bool json)
{
	struct nl_refusal why = { 0 };
	struct nl_request request;

	if (run_open(command))
		return RUN_FAILED;
	onramp_begin(&request, command->cmd, 0);
	out_begin(json, OUT_PAIRS);
	out_row();
	if (run_print_devices(&why) ||
	    request_send(&request, run_on_acker, NULL, &why))
		return run_refused(command, &why, true);
	return out_end() ? RUN_FAILED : RUN_OK;
}

static void run_on_stats(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	out_row();
	show_fields(attrs, show_core);
	show_counters(attrs[ONRAMP_A_STATS], show_core_counters);
}

int run_stats_show(const struct command *command, const struct value *values,
		   bool json)
{
	return run_one(command, run_on_stats, json);
}

static void run_on_holding(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	out_row();
	show_fields(attrs, show_holding);
}

int run_hold_show(const struct command *command, const struct value *values,
		  bool json)
{
	return run_one(command, run_on_holding, json);
}

static void run_on_event(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	const struct nlattr *inner[ONRAMP_A_MAX + 1];

	if (cmd != ONRAMP_CMD_EVENT)
		return;
	out_row();
	show_fields(attrs, show_event);
	if (!attrs[ONRAMP_A_PATH]) {
		show_fields(attrs, attrs[ONRAMP_A_HOLDING] ? show_holding :
							     show_clock);
		return;
	}
	onramp_parse_nest(attrs[ONRAMP_A_PATH], inner);
	show_fields(inner, show_path);
}

static void run_on_lost(void *data)
{
	fprintf(stderr, "onrampctl: monitor: too slow, events were lost\n");
}

int run_monitor(const struct command *command, const struct value *values,
		bool json)
{
	struct nl_refusal why = { 0 };

	if (run_open(command))
		return RUN_FAILED;
	out_begin(json, OUT_LINE);
	onramp_listen(run_on_event, run_on_lost, NULL, &why);
	out_end();
	return run_refused(command, &why, true);
}
