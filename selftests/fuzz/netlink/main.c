// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink requests to our qdiscs and our generic netlink family, made by their
 * grammar and then spoilt, as TAP.  For the guest of selftests/uml/run_uml.py: it ends
 * when the kernel complains, and takes the kernel's programs away.
 */
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "klog.h"
#include "ledger.h"
#include "trial.h"
#include "world.h"

/* Inputs between two looks at the kernel's log. */
#define LOOK 512
/* Complaints of a command that are told: one that is often wrong hides no other. */
#define TOLD 3
/* What there is if nothing is said. */
#define COUNT 10000
/* With fewer inputs than these not every command has its turn at everything. */
#define ENOUGH 100000
/* Without a kernel any number will do. */
#define FAMILY 0x20

static const char usage[] =
	"usage: netlink-fuzz [--seed N] [--from N] [--count N] [--at FILE]\n"
	"       netlink-fuzz --show --seed N --from N\n"
	"       netlink-fuzz --grammar\n"
	"\n"
	"  --seed N        of the inputs (1)\n"
	"  --from N        the first number (0)\n"
	"  --count N       how many (10000)\n"
	"  --at FILE       keep the number there that is next, in case that the kernel dies\n"
	"  --show          print an input, ask no kernel\n"
	"  --grammar       print the grammar\n";

/**
 * struct options - what was asked for
 * @seed: of the inputs
 * @from: the first number
 * @count: how many
 * @at: a file, or -1
 */
struct options {
	uint64_t seed;
	uint64_t from;
	uint64_t count;
	int at;
};

static unsigned int complaints;

static void complain(uint64_t seed, uint64_t number, const struct input *input, const char *error,
		     const char *why)
{
	static unsigned int told[GRAMMAR_COMMANDS];

	complaints++;
	if (told[input->command - grammar_commands]++ < TOLD)
		printf("# --seed %" PRIu64 " --from %" PRIu64 ": %s %s, %s, %s: %s\n", seed, number,
		       input->command->name, input->attribute ? input->attribute->name : "-",
		       mutation_names[input->mutation], error, why);
}

static void one(uint64_t seed, uint64_t number, const struct input *input)
{
	const char *why;
	struct talk said = trial(input, number, &why);

	ledger_count(input, &said);
	if (why)
		complain(seed, number, input, said.error ? strerrorname_np(said.error) : "taken",
			 why);
}

/* Return: false if the kernel complained. */
static bool look(const struct options *options, uint64_t number)
{
	char line[512];

	if (options->at >= 0 &&
	    dprintf(options->at, "%" PRIu64 " %" PRIu64 "\n", options->seed, number) < 0)
		err(2, "--at");
	if (!klog_complains(line, sizeof(line)))
		return true;
	printf("# before --seed %" PRIu64 " --from %" PRIu64 " the kernel says: %s\n",
	       options->seed, number, line);
	return false;
}

static int result(unsigned int number, bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", number, what);
	return !good;
}

static int run(const struct options *options)
{
	static struct input input;
	unsigned int number = 3, failed = 0;
	uint64_t i;
	bool silent = true;
	char what[128];

	klog_open();
	trial_begin();
	for (i = 0; i < options->count && silent; i++) {
		input_make(options->seed, options->from + i, trial_family(), &input);
		one(options->seed, options->from + i, &input);
		if (i % LOOK == LOOK - 1)
			silent = look(options, options->from + i + 1);
	}
	trial_end();
	silent = silent && look(options, options->from + i);
	snprintf(what, sizeof(what),
		 "seed %" PRIu64 " from %" PRIu64 ": %" PRIu64 " inputs end as they may",
		 options->seed, options->from, i);
	failed += result(1, !complaints, what);
	failed += result(2, silent, "the kernel's log has no complaint");
	failed += result(3, world_gone(), "no qdisc outlives its namespace");
	if (i >= ENOUGH)
		number = ledger_report(number, &failed);
	printf("1..%u\n", number);
	return failed ? 1 : 0;
}

static int show(const struct options *options)
{
	static struct input input;
	size_t i;

	input_make(options->seed, options->from, FAMILY, &input);
	printf("%s %s %s world %u speaker %u deed %u%s%s%s", input.command->name,
	       input.attribute ? input.attribute->name : "-", mutation_names[input.mutation],
	       input.world, input.speaker, input.deed, input.hangs_up ? " hangs-up" : "",
	       input.compared ? " compared" : "", input.must_refuse ? " must-refuse" : "");
	for (i = 0; i < input.bytes; i++)
		printf("%s%02x", i % 32 ? i % 4 ? "" : " " : "\n  ", input.message[i]);
	printf("\n");
	return 0;
}

/* Whatever asks for a module asks for it in vain, and soon. */
static void forget_modprobe(void)
{
	int fd = open("/proc/sys/kernel/modprobe", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "\n", 1) != 1)
		err(2, "/proc/sys/kernel/modprobe");
	close(fd);
}

static uint64_t number_of(const char *text)
{
	char *end;
	uint64_t number = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end)
		errx(2, "%s is no number", text);
	return number;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{"seed", required_argument, NULL, 's'},	 {"from", required_argument, NULL, 'f'},
		{"count", required_argument, NULL, 'n'}, {"at", required_argument, NULL, 'a'},
		{"show", no_argument, NULL, 'S'},	 {"grammar", no_argument, NULL, 'G'},
		{"help", no_argument, NULL, 'h'},	 {},
	};
	struct options options = {.seed = 1, .count = COUNT, .at = -1};
	bool shows = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (opt) {
		case 's':
			options.seed = number_of(optarg);
			break;
		case 'f':
			options.from = number_of(optarg);
			break;
		case 'n':
			options.count = number_of(optarg);
			break;
		case 'a':
			options.at = open(optarg, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
			if (options.at < 0)
				err(2, "%s", optarg);
			break;
		case 'S':
			shows = true;
			break;
		case 'G':
			grammar_print();
			return 0;
		default:
			fputs(usage, opt == 'h' ? stdout : stderr);
			return opt == 'h' ? 0 : 2;
		}
	}
	if (optind < argc) {
		fputs(usage, stderr);
		return 2;
	}
	if (shows)
		return show(&options);
	forget_modprobe();
	return run(&options);
}
