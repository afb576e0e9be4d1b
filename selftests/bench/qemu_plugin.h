/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QEMU's plugin interface, as far as it is used here.  QEMU_PLUGIN_API is its version:
 * 1 for QEMU up to 9.0, 3 for later ones, which refuse 1.  Debian has no package with
 * QEMU's own header.
 */
#ifndef SHARPRAMP_QEMU_PLUGIN_H
#define SHARPRAMP_QEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT		__attribute__((visibility("default")))

#define NO_REGISTERS	0	/* QEMU_PLUGIN_CB_NO_REGS */
#define READ_AND_WRITE	3	/* QEMU_PLUGIN_MEM_RW */

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void translated_fn(uint64_t id, struct qemu_plugin_tb *block);
typedef void executed_fn(unsigned int cpu, void *data);
typedef void ended_fn(uint64_t id, void *data);
typedef void accessed_fn(unsigned int cpu, uint32_t info, uint64_t address, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated_fn *call);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, executed_fn *call,
					    int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, accessed_fn *call, int flags,
				      int which, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, ended_fn *call, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t number);
#if QEMU_PLUGIN_API < 3
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
#else
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t most);
#endif
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

/* QEMU reads it. */
EXPORT int qemu_plugin_version = QEMU_PLUGIN_API;

/* Open the file of the only argument, out=FILE.  Return: it, or NULL after an error message. */
static inline FILE *plugin_out(const char *name, int argc, char **argv)
{
	FILE *out;

	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		fprintf(stderr, "%s: takes out=FILE\n", name);
		return NULL;
	}
	out = fopen(argv[0] + 4, "w");
	if (!out)
		perror(argv[0] + 4);
	return out;
}

#endif /* SHARPRAMP_QEMU_PLUGIN_H */
