// SPDX-License-Identifier: GPL-2.0
/*
 * Result of the kernel's parser for frames, one a line in hexadecimal, to compare tshark with: a
 * line for each.  With an argument: the CNM that is written for each, in hexadecimal.
 */
#include <stdio.h>
#include <string.h>

#include "l2_wire.h"

static void say_bytes(const u8 *at, u32 n)
{
	while (n--)
		printf("%02x", *at++);
}

static void say_cnm(const struct l2_cnm *cnm)
{
	printf("cnm %u ", cnm->qntz_fb);
	say_bytes(cnm->cpid, L2_CPID_BYTES);
	printf(" %d %d %u ", cnm->q_offset, cnm->q_delta, cnm->priority);
	say_bytes(cnm->da, L2_ADDRESS_BYTES);
	printf(" %u ", cnm->msdu_bytes);
	say_bytes(cnm->msdu, cnm->msdu_bytes);
	printf("\n");
}

static void say_pause(const struct l2_pause *pause)
{
	u32 i;

	if (pause->is_pfc)
		printf("pfc %u", pause->priorities);
	else
		printf("pause %u", pause->quanta[0]);
	for (i = 0; pause->is_pfc && i < L2_PRIORITIES; i++)
		printf(" %u", pause->quanta[i]);
	printf("\n");
}

static void say(const u8 *frame, size_t len)
{
	static const char * const refused[L2_FAULTS] = {
		[L2_SHORT] = "short", [L2_BAD_VERSION] = "version", [L2_BAD_FEEDBACK] = "feedback", [L2_BAD_MSDU] = "msdu",
	};
	struct l2_pause pause;
	struct l2_header h;
	struct l2_cnm cnm;
	enum l2_fault fault = l2_cnm_parse(frame, len, &h, &cnm);

	if (!fault)
		say_cnm(&cnm);
	else if (!l2_pause_parse(frame, len, &pause))
		say_pause(&pause);
	else
		printf("%s\n", refused[fault] ? refused[fault] : "other");
}

int main(int argc, char **argv)
{
	static const u8 port[] = { 2, 0, 0, 0, 0, 0x99 }, cpid[] = { 2, 0, 0, 0, 0, 0x99, 0, 1 };
	const struct l2_cnm cnm = { .cpid = cpid, .qntz_fb = 42, .q_offset = -500, .q_delta = 3, .priority = 5 };
	u8 frame[2048], out[L2_CNM_MAX_BYTES];
	char line[2 * sizeof(frame) + 2];
	size_t len, i;

	(void)argv;
	while (fgets(line, sizeof(line), stdin)) {
		len = strspn(line, "0123456789abcdef") / 2;
		for (i = 0; i < len; i++)
			if (sscanf(line + 2 * i, "%2hhx", &frame[i]) != 1)
				return 2;
		if (argc == 1) {
			say(frame, len);
			continue;
		}
		say_bytes(out, l2_cnm_put(out, port, frame, len, &cnm, L2_CNM_MSDU_MAX));
		printf("\n");
	}
	return 0;
}
