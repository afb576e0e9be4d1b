/* SPDX-License-Identifier: GPL-2.0 */
/* Complaints of the kernel. */
#ifndef FUZZ_KLOG_H
#define FUZZ_KLOG_H

#include <stdbool.h>
#include <stddef.h>

void klog_open(void);
bool klog_is_complaint(const char *line);
bool klog_complains(char *line, size_t bytes);

#endif /* FUZZ_KLOG_H */
