// SPDX-License-Identifier: GPL-2.0
/*
 * profile: a plugin of QEMU's emulator that counts the instructions of each place of
 * the guest's kernel.
 *
 *	qemu-system-x86_64 -plugin profile.so,out=FILE ...
 *
 * At the end FILE has a line for each 16 bytes of which something was executed: the
 * address and how many instructions.  Functions begin at multiples of 16.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qemu_plugin.h"

#define PLACE_BITS	4
#define PLACES		4194304U
#define KERNEL		0x8000000000000000ULL

/**
 * struct place - 16 bytes of instructions
 * @address: of the first, without its last bits; 0: none yet
 * @count: executed
 */
struct place {
	uint64_t address;
	uint64_t count;
};

static struct place places[PLACES];
static FILE *out;

static struct place *place_of(uint64_t address)
{
	uint64_t number = address >> PLACE_BITS;
	uint32_t at = number * 0x9e3779b97f4a7c15ULL >> 42;

	while (places[at].address && places[at].address != number)
		at = (at + 1) % PLACES;
	places[at].address = number;
	return &places[at];
}

static void executed(unsigned int cpu, void *data)
{
	struct place *place = data;

	(void)cpu;
	place->count++;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	size_t number;

	(void)id;
	for (number = 0; number < qemu_plugin_tb_n_insns(block); number++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, number);
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		/* Programs' addresses mean something else in each. */
		if (address & KERNEL)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, NO_REGISTERS,
							       place_of(address));
	}
}

static void ended(uint64_t id, void *data)
{
	struct place *place;

	(void)id;
	(void)data;
	for (place = places; place < places + PLACES; place++)
		if (place->count)
			fprintf(out, "%llx %llu\n",
				(unsigned long long)(place->address << PLACE_BITS),
				(unsigned long long)place->count);
	fclose(out);
}

/* Called by QEMU.  Return: 0, or -1 and QEMU ends. */
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info;
	out = plugin_out("profile", argc, argv);
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
