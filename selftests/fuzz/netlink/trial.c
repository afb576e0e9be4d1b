// SPDX-License-Identifier: GPL-2.0
/* One input, done to the kernel and judged. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "snapshot.h"
#include "talk.h"
#include "trial.h"
#include "world.h"

/* Between two numbers that pause, timers, work and RCU have this long, ns. */
#define TRIAL_PAUSE_NS 2000000

static struct world trial_worlds[INPUT_WORLDS];

/**
 * trial_begin() - make the namespaces
 */
void trial_begin(void)
{
	size_t i;

	for (i = 0; i < INPUT_WORLDS; i++)
		world_begin(&trial_worlds[i]);
}

/**
 * trial_end() - and let them go
 */
void trial_end(void)
{
	size_t i;

	for (i = 0; i < INPUT_WORLDS; i++)
		world_end(&trial_worlds[i]);
}

/**
 * trial_family() - the number of the generic netlink family
 *
 * Return: it.
 */
uint16_t trial_family(void)
{
	return world_family(&trial_worlds[0]);
}

static void trial_deed(struct world *world, const struct input *input)
{
	const struct timespec pause = {.tv_nsec = TRIAL_PAUSE_NS};

	switch (input->deed) {
	case DEED_PACKET:
		world_packet(world, input->device);
		break;
	case DEED_UNPLUG:
		world_replug(world, input->device);
		break;
	case DEED_END:
		world_end(world);
		world_begin(world);
		break;
	case DEED_PAUSE:
		nanosleep(&pause, NULL);
		break;
	default:
		break;
	}
}

/* Was it meant as what it is? Else it may end as something else does. */
static bool trial_is_straight(const struct input *input)
{
	return input->mutation < MUTATION_TRUNCATED;
}

static bool trial_may_end_in(const struct input *input, int error)
{
	const struct grammar_command *command = input->command;
	size_t i;

	if (error == EINVAL || error == ERANGE || error == EOPNOTSUPP)
		return true;
	if (error == EPERM)
		return input->speaker == SPEAKER_POWERLESS;
	for (i = 0; i < GRAMMAR_ERRORS && command->errors[i]; i++)
		if (command->errors[i] == error)
			return true;
	/* It may be another command, or none. */
	return !trial_is_straight(input) && (error == ENOENT || error == ENODEV ||
					     error == EEXIST || error == EBUSY || error == ENOSPC);
}

/* Return: what is wrong, or NULL. */
static const char *trial_judge(const struct input *input, const struct talk *said)
{
	if (said->error && !trial_may_end_in(input, said->error))
		return "this errno is not expected";
	if (!trial_is_straight(input) || input->hangs_up)
		return NULL;
	if (!said->heard)
		return "there is no answer";
	if (!said->error && input->must_refuse)
		return "it is taken, but must be refused";
	if (!said->error && input->command->admin && input->speaker == SPEAKER_POWERLESS)
		return "it is taken from somebody without CAP_NET_ADMIN";
	return NULL;
}

/**
 * trial() - do it
 * @input: what
 * @number: its number
 * @why: written: what is wrong, or NULL
 *
 * Return: how the request ended.
 */
struct talk trial(const struct input *input, uint32_t number, const char **why)
{
	static struct snapshot before, after;
	struct world *world = &trial_worlds[input->world];
	enum world_door door =
		input->command->language == LANGUAGE_GENL ? DOOR_GENERIC : DOOR_ROUTE;
	static char words[128];
	struct talk said = {};
	const char *change;

	trial_deed(world, input);
	if (input->compared)
		snapshot_take(world, &before);
	if (input->hangs_up) {
		world_say(world, door, input->speaker, input->message, input->bytes);
		world_reopen(world, door, input->speaker);
	} else {
		said = talk(world->sockets[door][input->speaker], input->message, input->bytes,
			    number, NULL, NULL);
	}
	*why = trial_judge(input, &said);
	if (!*why && input->compared && said.error) {
		snapshot_take(world, &after);
		change = snapshot_differs(&before, &after);
		if (change && !snapshot_clock_ended(&before, &after)) {
			snprintf(words, sizeof(words), "it is refused, but changed %s", change);
			*why = words;
		}
	}
	return said;
}
