/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output files of a run
 */
#ifndef FLOWGEN_REPORT_H
#define FLOWGEN_REPORT_H

#include "flows.h"
#include "server.h"

/**
 * report_is_stdout() - whether a file is standard output, "-"
 * @path: file, or NULL
 */
bool report_is_stdout(const char *path);

/**
 * report_open() - make a file to be written
 * @path: file; "-" is standard output
 *
 * Return: it, or NULL after a message.
 */
FILE *report_open(const char *path);

/**
 * report_close() - end a file
 * @f: file of report_open()
 * @path: its name, for the message
 *
 * Return: 0 if all was written, or -1 after a message.
 */
int report_close(FILE *f, const char *path);

/**
 * report_flows() - write the flows that began, as CSV in the order of their ids
 * @path: file
 * @flows: flows
 * @t: traffic
 *
 * Return: 0, or -1 after a message.
 */
int report_flows(const char *path, const struct flows *flows, const struct traffic *t);

/**
 * report_summary() - write the totals of a run, as JSON
 * @path: file
 * @flows: flows
 * @t: traffic
 * @seed: the run's seed
 *
 * Return: 0, or -1 after a message.
 */
int report_summary(const char *path, const struct flows *flows, const struct traffic *t, u64 seed);

/**
 * report_server() - write the totals of a server, as JSON
 * @path: file
 * @counts: what it saw
 *
 * Return: 0, or -1 after a message.
 */
int report_server(const char *path, const struct server_counts *counts);

/**
 * progress_open() - begin to tell how far the run is
 * @path: file, or NULL; standard error is used too if it is a terminal
 *
 * Return: 0, or -1 after a message.
 */
int progress_open(const char *path);

/**
 * progress_close() - tell it one last time
 *
 * Return: 0, or -1 when the file could not be written, after an error message.
 */
int progress_close(void);

#endif
