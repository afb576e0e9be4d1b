/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's tables: dumps of qdiscs, of devices and of classes of htb.
 */
#ifndef ACC_SCAN_H
#define ACC_SCAN_H

#include "tree.h"

#define SCAN_RECORDS	2048
#define SCAN_CLASSES	2048
#define SCAN_DEVICES	1024

/**
 * struct scan - tables
 * @record: qdiscs
 * @class: classes
 * @device: devices
 * @tree: where they are, and how many
 * @overflow: some had no space
 * @ethtool: socket for link rates; -1: none
 * @links: socket that receives changes of links
 */
struct scan {
	struct record record[SCAN_RECORDS];
	struct record_class class[SCAN_CLASSES];
	struct record_device device[SCAN_DEVICES];
	struct tree tree;
	bool overflow;
	int ethtool;
	int links;
};

/**
 * scan_open() - open the sockets in the present network namespace
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: tables, empty, or NULL.
 */
struct scan *scan_open(char *why, size_t size);

/**
 * scan_qdiscs() - read all qdiscs
 * @s: tables
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, 1 if they changed meanwhile, or -1.
 */
int scan_qdiscs(struct scan *s, char *why, size_t size);

/**
 * scan_devices() - read all devices with their rates, and classes of those that have htb
 * @s: tables, after scan_qdiscs()
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int scan_devices(struct scan *s, char *why, size_t size);

/**
 * scan_links() - read what there is to hear of links
 * @s: tables
 */
void scan_links(struct scan *s);

/**
 * scan_close() - close the sockets
 * @s: tables, or NULL
 */
void scan_close(struct scan *s);

#endif /* ACC_SCAN_H */
