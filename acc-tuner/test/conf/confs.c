// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration: what is accepted, what is refused, and with which message.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/log.h"
#include "../../../lib/units.h"
#include "../../../selftests/lib/tap.h"
#include "key.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

static struct acc_conf conf;
static struct conf_error error;

static int parse(const char *text)
{
	memset(&error, 0, sizeof(error));
	return conf_parse(&conf, "f", text, strlen(text), &error);
}

static void test_defaults(void)
{
	tap_ok(!parse(""), "an empty file is enough");
	tap_ok(conf.n_queues == 1 && !*conf.queues[0].dev && !conf.queues[0].handle && !conf.n_rates,
	       "all queues, with their own rates");
	tap_ok(conf.mode == CONF_MODE_OBSERVE && conf.policy == CONF_POLICY_FOLLOW && !*conf.model &&
	       !conf.learn && conf.explore_ppm == 20000, "it observes, by the rule, without a model");
	tap_ok(conf.interval_ns == 1000000 && conf.budget == 32 && !conf.kmax_most_ns &&
	       conf.kmin_least_ns == 1000 && conf.pmax_least_ppm == 10000 &&
	       conf.share_ppm == 100000 && conf.holdoff_ns == 600000000000, "limits");
	tap_ok(!strcmp(conf.user, "acc-tuner") && conf.seccomp &&
	       !strcmp(conf.control, "/run/acc-tuner/control") &&
	       !strcmp(conf.saved, "/run/acc-tuner/saved") &&
	       !strcmp(conf.state, "/var/lib/acc-tuner") && conf.level == LOG_LEVEL_INFO,
	       "security and log");
}

static void test_accepted(void)
{
	tap_ok(!parse("# all forms\n[queues]\nqueues = eth1, eth2/1:\n  eth2/A0:  # behind\n\n"
		      "\trate.4094\nrate = eth1=9.5gbit eth2/a0:=1gbit eth2=100mbit\n[tuner]\r\n"
		      "policy=ddqn\nmodel=/m\nreward = paper\nmode = tune\nlearn = yes\nexplore = 10%\n"
		      "[limits]\nkmin_least = 1us\nkmax_most = 1us\npmax_least = 0.5\nshare = 0\n"
		      "[queues]\n[security]\nuser = none\n"), "all forms (%s)", error.text);
	tap_ok(conf.n_queues == 4 && !strcmp(conf.queues[0].dev, "eth1") && !conf.queues[0].handle &&
	       conf.queues[1].handle == 0x10000 && conf.queues[2].handle == 0xa00000 &&
	       !strcmp(conf.queues[3].dev, "rate.4094"), "queues");
	tap_ok(conf.n_rates == 3 && conf.rates[0].bps == 9500000000 && conf.rates[1].bps == 1000000000,
	       "rates");
	tap_ok(conf.pmax_least_ppm == 500000 && !conf.share_ppm && conf.explore_ppm == 100000 && !*conf.user,
	       "fractions, none");
	tap_ok(conf_is_named(&conf.queues[0], "eth1", NULL) &&
	       conf_is_named(&conf.queues[0], "eth7", "a\0eth1\0") &&
	       !conf_is_named(&conf.queues[0], "eth", NULL) &&
	       !conf_is_named(&conf.queues[0], "eth7", "eth\0eth11\0"),
	       "a device is named by its name, or by an alternative one");
	tap_ok(conf_rate_bps(&conf, "eth2", NULL, 0xa00000) == 1000000000 &&
	       conf_rate_bps(&conf, "eth2", NULL, 0x10000) == 100000000 &&
	       conf_rate_bps(&conf, "eth7", "eth2\0", 0x10000) == 100000000 &&
	       !conf_rate_bps(&conf, "eth3", NULL, 0x10000), "the rate with a handle comes first");
	tap_ok(!parse("[queues]\nqueues = *\n") && conf_is_named(&conf.queues[0], "any", NULL), "any");
}

/* A name may have 127 bytes, and has 63 in a message. */
#define NAME_63	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
#define NAME_64	NAME_63 "f"

#define QUEUES	"it takes 1 to 64 queues, each * or DEVICE[/HANDLE:]"
#define RATES	"it takes auto or 1 to 64 queues, each DEVICE[/HANDLE:]=RATE"

/* Errors, and the messages with which they are refused. */
static const struct refusal {
	const char *text, *message;
} refusals[] = {
	{ "mode = tune\n", "f:1: mode: a section such as [queues] must come first" },
	{
		"\n[tunes]\n",
		"f:2: [tunes]: unknown section; the sections are [queues], [tuner], [limits], [security] and [log]",
	},
	{ "[tuner\n", "f:1: a section must be [name] on a line of its own" },
	{ "[tuner]\nspeed = 1\n", "f:2: [tuner] speed: unknown key; acc-tuner --help-keys lists the keys" },
	{ "[tuner]\nshare = 1%\n", "f:2: [tuner] share: unknown key; it belongs to section [limits]" },
	{ "[tuner]\nMode = tune\n", "f:2: [tuner] Mode: unknown key; acc-tuner --help-keys lists the keys" },
	{ "[tuner]\nmode = tune\nmode = tune\n", "f:3: [tuner] mode: given twice, first in line 2" },
	{ "[tuner]\nmode\n", "f:2: neither \"key = value\" nor [section]" },
	{ "[tuner]\nmode = watch\n", "f:2: [tuner] mode: \"watch\" is not observe or tune" },
	{ "[tuner]\nmode =\n", "f:2: [tuner] mode: \"\" is not observe or tune" },
	{ "[tuner]\nmode = observe tune\n", "f:2: [tuner] mode: \"observe tune\" is not observe or tune" },
	{ "[tuner]\npolicy = dqn\n", "f:2: [tuner] policy: \"dqn\" is not follow, ddqn or static" },
	{ "[tuner]\nlearn = on\n", "f:2: [tuner] learn: \"on\" is not no or yes" },
	{ "[tuner]\nexplore = 51%\n", "f:2: [tuner] explore: \"51%\" is out of range: it takes 0% to 50%" },
	{ "[tuner]\nexplore = -0.1\n", "f:2: [tuner] explore: \"-0.1\" is out of range: it takes 0% to 50%" },
	{ "[tuner]\nexplore = yes\n", "f:2: [tuner] explore: \"yes\" is out of range: it takes 0% to 50%" },
	{ "[tuner]\nexplore =\n", "f:2: [tuner] explore: \"\" is not 0% to 50%" },
	{ "[limits]\nexplore = 1%\n", "f:2: [limits] explore: unknown key; it belongs to section [tuner]" },
	{ "[tuner]\nreward = j\n", "f:2: [tuner] reward: \"j\" is not marks, paper or busy" },
	{ "[tuner]\ninterval = 1\n", "f:2: [tuner] interval: \"1\" is not 500us to 100ms" },
	{ "[tuner]\ninterval = 499999ns\n", "f:2: [tuner] interval: \"499999ns\" is not 500us to 100ms" },
	{ "[tuner]\ninterval = 100.000001ms\n", "f:2: [tuner] interval: \"100.000001ms\" is not 500us to 100ms" },
	{ "[tuner]\ninterval = -1ms\n", "f:2: [tuner] interval: \"-1ms\" is not 500us to 100ms" },
	{ "[tuner]\nbudget = 0\n", "f:2: [tuner] budget: \"0\" is not 1 to 1024" },
	{ "[tuner]\nbudget = 1.5\n", "f:2: [tuner] budget: \"1.5\" is not 1 to 1024" },
	{ "[tuner]\nbudget = 99999999999999999999\n", "f:2: [tuner] budget: \"99999999999999999999\" is not 1 to 1024" },
	{
		"[tuner]\nmodel = x.accm\n",
		"f:2: [tuner] model: \"x.accm\" is not none or an absolute path of up to 255 characters",
	},
	{ "[tuner]\n\npolicy = ddqn\n", "f:3: [tuner] policy: ddqn needs a file in [tuner] model" },
	{ "[tuner]\nlearn = yes\n", "f:2: [tuner] learn: yes needs [tuner] policy = ddqn" },
	{
		"[tuner]\npolicy = ddqn\nmodel = /m\nlearn = yes\n",
		"f:4: [tuner] learn: yes needs [tuner] mode = tune",
	},
	{ "[queues]\nqueues = ,\n", "f:2: [queues] queues: \",\" names no queue: " QUEUES },
	{ "[queues]\nqueues = * *\n", "f:2: [queues] queues: \"*\" is given twice: " QUEUES },
	{ "[queues]\nqueues = a\n b a\n", "f:3: [queues] queues: \"a\" is given twice: " QUEUES },
	{ "[queues]\nqueues = a/1: a/01:\n", "f:2: [queues] queues: \"a/01:\" is given twice: " QUEUES },
	{
		"[queues]\nqueues = " NAME_64 NAME_64 "\n",
		"f:2: [queues] queues: \"" NAME_63 "\" is not the name of a device: " QUEUES,
	},
	{ "[queues]\nqueues = eth*\n", "f:2: [queues] queues: \"eth*\" is not the name of a device: " QUEUES },
	{ "[queues]\nqueues = ..\n", "f:2: [queues] queues: \"..\" is not the name of a device: " QUEUES },
	{ "[queues]\nqueues = /1:\n", "f:2: [queues] queues: \"/1:\" is not the name of a device: " QUEUES },
	{ "[queues]\nqueues = a=1\n", "f:2: [queues] queues: \"a=1\" is not the name of a device: " QUEUES },
	{ "[queues]\nrate = *=1gbit\n", "f:2: [queues] rate: \"*=1gbit\" is not the name of a device: " RATES },
	{ "[queues]\nrate = a\n", "f:2: [queues] rate: \"a\" does not have a rate behind a =: " RATES },
	{ "[queues]\nrate = a=\n", "f:2: [queues] rate: \"a=\" does not have a rate of 1kbit to 1tbit: " RATES },
	{ "[queues]\nrate = a=999\n", "f:2: [queues] rate: \"a=999\" does not have a rate of 1kbit to 1tbit: " RATES },
	{ "[queues]\nrate = a=1.001tbit\n", "f:2: [queues] rate: \"a=1.001tbit\" does not have a rate of 1kbit to 1tbit: " RATES },
	{ "[queues]\nrate = a=-1gbit\n", "f:2: [queues] rate: \"a=-1gbit\" does not have a rate of 1kbit to 1tbit: " RATES },
	{ "[queues]\nrate = a=1ms\n", "f:2: [queues] rate: \"a=1ms\" does not have a rate of 1kbit to 1tbit: " RATES },
	{ "[queues]\nrate = a=1gbit a=2gbit\n", "f:2: [queues] rate: \"a=2gbit\" is given twice: " RATES },
	{ "[limits]\nshare = 51%\n", "f:2: [limits] share: \"51%\" is out of range: it takes 0% to 50%" },
	{ "[limits]\nshare = -1%\n", "f:2: [limits] share: \"-1%\" is out of range: it takes 0% to 50%" },
	{ "[limits]\nshare = 10% 10%\n", "f:2: [limits] share: \"10% 10%\" is out of range: it takes 0% to 50%" },
	{ "[limits]\nshare =\n", "f:2: [limits] share: \"\" is not 0% to 50%" },
	{ "[limits]\npmax_least = 0\n", "f:2: [limits] pmax_least: \"0\" is out of range: it takes 0.0001% to 100%" },
	{ "[limits]\npmax_least = 101%\n", "f:2: [limits] pmax_least: \"101%\" is out of range: it takes 0.0001% to 100%" },
	{ "[limits]\nkmin_least = 99ns\n", "f:2: [limits] kmin_least: \"99ns\" is not 100ns to 100ms" },
	{ "[limits]\nkmax_most = 101ms\n", "f:2: [limits] kmax_most: \"101ms\" is not auto or 100ns to 100ms" },
	{ "[limits]\nkmax_most = none\n", "f:2: [limits] kmax_most: \"none\" is not auto or 100ns to 100ms" },
	{
		"[limits]\nkmax_most = 10us\nkmin_least = 11us\n",
		"f:2: [limits] kmax_most: 10us is below kmin_least, 11us",
	},
	{ "[limits]\nholdoff = 999ms\n", "f:2: [limits] holdoff: \"999ms\" is not 1s to 1440min" },
	{ "[limits]\nholdoff = 1441min\n", "f:2: [limits] holdoff: \"1441min\" is not 1s to 1440min" },
	{
		"[security]\nuser = a b\n",
		"f:2: [security] user: \"a b\" is not none or a name of 1 to 31 letters, digits, \".\", \"_\" or \"-\"",
	},
	{ "[security]\nseccomp = off\n", "f:2: [security] seccomp: \"off\" is not no or yes" },
	{
		"[security]\ncontrol = none\n",
		"f:2: [security] control: \"none\" is not an absolute path of up to 107 characters",
	},
	{
		"[security]\nsaved = saved\n",
		"f:2: [security] saved: \"saved\" is not an absolute path of up to 255 characters",
	},
	{ "[log]\nlevel = all\n", "f:2: [log] level: \"all\" is not error, warning, info or debug" },
	{ "[log]\nlevel = in\x01" "fo\n", "f:2: character 0x01 is not text" },
	{ "\xff\xfe[\0l\0o\0g", "f:1: " CONF_TEXT_WIDE },
};

static void test_refusals(void)
{
	const struct refusal *r;

	for (r = refusals; r < refusals + N(refusals); r++)
		if (!tap_ok(parse(r->text) && !strcmp(error.text, r->message), "refused: %s",
			    r->message))
			tap_remark("it says: %s", error.text);
}

/* Each number just in and just out of its range. */
static void test_ranges(void)
{
	const struct conf_key *key;
	char text[200];

	for (key = acc_table.keys; key < acc_table.keys + acc_table.n; key++) {
		const int64_t in[] = { key->least, key->most }, out[] = { key->least - 1, key->most + 1 };
		size_t i;

		if (key->kind > CONF_KEY_PPB)
			continue;
		for (i = 0; i < 2; i++) {
			/* The rule between kmin_least and kmax_most is another matter. */
			const char *other = strcmp(key->name, "kmin_least") ? "kmin_least = 100ns" : "kmax_most = 100ms";

			snprintf(text, sizeof(text), "[limits]\n%s\n[%s]\n%s = %s\n",
				 !strncmp(other, key->name, strlen(key->name)) ? "" : other, key->section,
				 key->name, unit_format_signed((enum unit_kind)key->kind, in[i]).text);
			tap_ok(!parse(text), "%s accepts its %s", key->name, i ? "maximum" : "minimum");
			snprintf(text, sizeof(text), "[%s]\n%s = %s\n", key->section, key->name,
				 unit_format_signed((enum unit_kind)key->kind, out[i]).text);
			tap_ok(parse(text) && strstr(error.text, key->name), "%s refuses what is %s", key->name,
			       i ? "above" : "below");
		}
	}
}

static void test_files(void)
{
	char path[] = "/tmp/acc-conf-XXXXXX";
	static char big[CONF_TEXT_MAX + 2];
	char many[4096] = "[queues]\nqueues =";
	struct acc_conf next;
	int fd = mkstemp(path), i;

	tap_ok(!conf_parse(&conf, "f", "\xef\xbb\xbf[log]\nlevel = debug\n", 22, &error) &&
	       conf.level == LOG_LEVEL_DEBUG, "UTF-8's byte order mark is left out");
	tap_ok(conf_parse(&conf, "f", "[log]\0", 6, &error), "a zero is refused");
	memset(big, '#', sizeof(big) - 1);
	tap_ok(parse(big) && strstr(error.text, "more than"), "a file of over a megabyte is refused");
	for (i = 0; i < CONF_QUEUES_MAX; i++)
		sprintf(many + strlen(many), " d%d", i);
	tap_ok(!parse(many) && conf.n_queues == CONF_QUEUES_MAX, "as many queues as there may be");
	strcat(many, " last");
	tap_ok(parse(many) && strstr(error.text, "\"last\" is one too many"), "and one more");
	tap_ok(conf_read(&conf, "/nonexistent", &error) && strstr(error.text, "cannot read it"), "no file");
	tap_ok(conf_read(&conf, "/dev/null", &error), "a device is not a configuration");

	parse("");
	if (write(fd, "[limits]\nshare = 5%\n", 20) != 20)
		abort();
	tap_ok(!conf_reload(&next, &conf, path, &error) && next.share_ppm == 50000 && conf.share_ppm == 100000,
	       "a live key is reloaded");
	if (write(fd, "[tuner]\nmode = tune\n", 20) != 20)
		abort();
	tap_ok(conf_reload(&next, &conf, path, &error) &&
	       strstr(error.text, ":4: [tuner] mode: another value needs a restart"), "another mode needs a restart");
	close(fd);
	unlink(path);
}

int main(void)
{
	test_defaults();
	test_accepted();
	test_refusals();
	test_ranges();
	test_files();
	return tap_done();
}
