/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page about two runs, with a figure
 */
#ifndef FLOWGEN_PAGE_H
#define FLOWGEN_PAGE_H

#include "compare.h"

/**
 * page_write() - write the table of a comparison and the distributions as HTML
 * @path: file
 * @c: comparison
 *
 * The figures are SVG by gnuplot(1), which must be installed.
 *
 * Return: 0, or -1 after a message; then the file is as it was.
 */
int page_write(const char *path, const struct comparison *c);

#endif
