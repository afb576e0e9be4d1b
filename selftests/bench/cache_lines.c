// SPDX-License-Identifier: GPL-2.0
/*
 * cache_lines: a plugin of QEMU's emulator that counts the lines of memory that a
 * cache would not have had, of data, between two marks in the guest.
 *
 *	qemu-system-x86_64 -plugin cache_lines.so,out=FILE ...
 *
 * The guest marks where counting begins by "xchg %bx, %bx" and where it ends by
 * "xchg %cx, %cx", which change nothing and which no compiler makes.  At each end a
 * number is appended to FILE.
 *
 * The cache has 1 MiB, 16 ways and lines of 64 bytes, as the second level of many
 * CPUs; of a set the line leaves whose last use is the longest ago.  It has what was
 * used before the first mark, too.  Addresses are virtual: the kernel's direct map
 * has each once.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qemu_plugin.h"

#define LINE_BITS	6
#define SETS		1024
#define WAYS		16

static const uint8_t begin_mark[] = { 0x66, 0x87, 0xdb }, end_mark[] = { 0x66, 0x87, 0xc9 };

/* Lines by set, the last used first; 0 is none. */
static uint64_t cache[SETS][WAYS];
static uint64_t missed;
static bool counting;
static FILE *out;

static void accessed(unsigned int cpu, uint32_t info, uint64_t address, void *data)
{
	uint64_t line = address >> LINE_BITS, *set = cache[line % SETS];
	unsigned int way;

	(void)cpu;
	(void)info;
	(void)data;
	for (way = 0; way < WAYS - 1 && set[way] != line; way++)
		;
	missed += counting && set[way] != line;
	memmove(set + 1, set, way * sizeof(*set));
	*set = line;
}

static void begun(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	missed = 0;
	counting = true;
}

static void ended(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (!counting)
		return;
	counting = false;
	fprintf(out, "%llu\n", (unsigned long long)missed);
	fflush(out);
}

static bool is_mark(const struct qemu_plugin_insn *insn, const uint8_t *mark)
{
	if (qemu_plugin_insn_size(insn) != sizeof(begin_mark))
		return false;
#if QEMU_PLUGIN_API < 3
	return !memcmp(qemu_plugin_insn_data(insn), mark, sizeof(begin_mark));
#else
	uint8_t bytes[sizeof(begin_mark)];

	qemu_plugin_insn_data(insn, bytes, sizeof(bytes));
	return !memcmp(bytes, mark, sizeof(begin_mark));
#endif
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	size_t number;

	(void)id;
	for (number = 0; number < qemu_plugin_tb_n_insns(block); number++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, number);

		if (is_mark(insn, begin_mark))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, begun, NO_REGISTERS, NULL);
		else if (is_mark(insn, end_mark))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, ended, NO_REGISTERS, NULL);
		else
			qemu_plugin_register_vcpu_mem_cb(insn, accessed, NO_REGISTERS,
							 READ_AND_WRITE, NULL);
	}
}

/* Called by QEMU.  Return: 0, or -1 and QEMU ends. */
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info;
	out = plugin_out("cache_lines", argc, argv);
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
