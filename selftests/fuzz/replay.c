// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a fuzz target without libFuzzer: files of a corpus, then inputs made of
 * seeded random bytes and of pieces of the corpus.
 *
 *   replay [-n INPUTS] [-s SEED] FILE...
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"

#define LONGEST		4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t input[LONGEST];

static size_t load(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file) {
		perror(path);
		exit(2);
	}
	size = fread(input, 1, sizeof(input), file);
	fclose(file);
	return size;
}

/* Overwrite, insert and cut: whatever keeps most of the input as it is. */
static size_t mutate(uint64_t *seed, size_t size)
{
	unsigned int changes = 1 + random_below(seed, 8);
	size_t at, length;

	while (changes--) {
		at = size ? random_below(seed, size) : 0;
		length = 1 + random_below(seed, 16);
		if (at + length > sizeof(input))
			continue;
		switch (random_below(seed, 3)) {
		case 0:
			size = at + length > size ? at + length : size;
			while (length--)
				input[at + length] = random_u64(seed);
			break;
		case 1:
			if (size + length > sizeof(input))
				break;
			memmove(input + at + length, input + at, size - at);
			size += length;
			break;
		default:
			if (at + length > size)
				break;
			memmove(input + at, input + at + length, size - at - length);
			size -= length;
			break;
		}
	}
	return size;
}

static void usage(const char *name)
{
	fprintf(stderr, "usage: %s [-n INPUTS] [-s SEED] FILE...\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	unsigned long inputs = 0, i;
	uint64_t seed = 1;
	int opt, files;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		if (opt == 'n')
			inputs = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			seed = strtoull(optarg, NULL, 0);
		else
			usage(argv[0]);
	}
	files = argc - optind;
	if (files < 1)
		usage(argv[0]);

	for (i = optind; i < (unsigned long)argc; i++)
		LLVMFuzzerTestOneInput(input, load(argv[i]));
	for (i = 0; i < inputs; i++) {
		size_t size = load(argv[optind + random_below(&seed, files)]);

		LLVMFuzzerTestOneInput(input, mutate(&seed, size));
	}
	printf("%d files, %lu more inputs\n", files, inputs);
	return 0;
}
