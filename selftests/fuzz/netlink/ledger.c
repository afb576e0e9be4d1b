// SPDX-License-Identifier: GPL-2.0
/* How requests ended. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ledger.h"

/* errno of the kernel are below it. */
#define LEDGER_ERRORS 134

static uint64_t ledger_ended[GRAMMAR_COMMANDS][LEDGER_ERRORS];
static uint64_t ledger_unheard[GRAMMAR_COMMANDS];

static size_t ledger_row(const struct input *input)
{
	return input->command - grammar_commands;
}

static size_t ledger_error(const struct talk *said)
{
	return said->error < LEDGER_ERRORS ? said->error : LEDGER_ERRORS - 1;
}

/**
 * ledger_count() - a request has ended
 * @input: with it
 * @said: its outcome
 *
 * Where a header is wrong and yet it was taken, it was taken for another one:
 * that counts as not heard.
 */
void ledger_count(const struct input *input, const struct talk *said)
{
	bool other = !said->error &&
		     (input->mutation == MUTATION_HEADER || input->mutation == MUTATION_TRUNCATED);

	if (said->heard && !other)
		ledger_ended[ledger_row(input)][ledger_error(said)]++;
	else
		ledger_unheard[ledger_row(input)]++;
}

/**
 * ledger_report() - a result for each command, as TAP
 * @number: of the last result before
 * @failed: how many failed is added
 *
 * Each must have been taken and refused.
 *
 * Return: the number of the last result.
 */
unsigned int ledger_report(unsigned int number, unsigned int *failed)
{
	size_t row, error;

	for (row = 0; row < grammar_commands_count; row++) {
		const uint64_t *ended = ledger_ended[row];
		uint64_t refused = 0;

		for (error = 1; error < LEDGER_ERRORS; error++)
			refused += ended[error];
		if (!ended[0] || !refused)
			++*failed;
		printf("%s %u - %s: %" PRIu64 " taken, %" PRIu64 " refused",
		       ended[0] && refused ? "ok" : "not ok", ++number, grammar_commands[row].name,
		       ended[0], refused);
		for (error = 1; error < LEDGER_ERRORS; error++)
			if (ended[error])
				printf("%s %" PRIu64 " %s", ended[error] == refused ? ":" : ",",
				       ended[error], strerrorname_np(error) ?: "of no name");
		printf(", %" PRIu64 " without an answer\n", ledger_unheard[row]);
	}
	return number;
}
