/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model file: what was learned, and from what.
 *
 * All numbers are little-endian; the size is fixed.
 *
 *   offset   bytes   content
 *        0       8   "ACCMODEL"
 *        8       4   version of the format, 1
 *       12       4   reward, enum reward
 *       16       8   interval, ns
 *       24      20   widths of the network: 12, 20, 40, 40, 20
 *       44     400   20 templates of kmin (8 bytes, ns), kmax (8, ns), pmax (4, ppm), in
 *                    ascending order
 *      444     516   provenance: printable text, then zeros
 *      960   14240   parameters of the network, float32
 *    15200      32   SHA-256 of all that precedes it
 *
 * A reader takes a file as a whole or not at all.
 */
#ifndef ACC_MODEL_H
#define ACC_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "net.h"
#include "reward.h"
#include "template.h"

#define MODEL_BYTES		15232
#define MODEL_PROVENANCE	516
/* Digits of a SHA-256, and a zero. */
#define MODEL_SHA256		65

#define MODEL_INTERVAL_LEAST_NS	500000ULL
#define MODEL_INTERVAL_MOST_NS	100000000ULL

/* No parameter of a network that learned anything comes near this. */
#define MODEL_PARAMETER_MOST	1000.0f

/**
 * struct model - what an agent needs to decide
 * @reward: form that it was trained with
 * @interval_ns: time between decisions that it was trained with
 * @template: templates in their order
 * @provenance: command, seed and version that it came from
 * @sha256: of the whole file that it was read from, as sha256sum(1) prints it; else empty
 * @net: the network
 */
struct model {
	enum reward reward;
	uint64_t interval_ns;
	struct template template[TEMPLATE_NR];
	char provenance[MODEL_PROVENANCE];
	char sha256[MODEL_SHA256];
	struct net net;
};

/**
 * model_check() - may a model be used?
 * @m: the model
 * @why: filled if not
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int model_check(const struct model *m, char *why, size_t size);

/**
 * model_parse() - the bytes of a file to a model
 * @m: filled
 * @data: the bytes
 * @bytes: how many
 * @why: filled if they are refused
 * @size: bytes of @why
 *
 * Return: 0, or -1, and then @m is as it was.
 */
int model_parse(struct model *m, const uint8_t *data, size_t bytes, char *why, size_t size);

/**
 * model_format() - a model to the bytes of a file
 * @m: a model that passed model_check()
 * @data: filled
 */
void model_format(const struct model *m, uint8_t data[MODEL_BYTES]);

/**
 * model_read() - read a file
 * @m: filled
 * @path: the file
 * @why: filled if it is refused: the path, and the reason
 * @size: bytes of @why
 *
 * Return: 0, or -1, and then @m is as it was.
 */
int model_read(struct model *m, const char *path, char *why, size_t size);

/**
 * model_write() - write a file: the old one or the new one, never half
 * @m: the model; one that would not be read is not written
 * @path: the file
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int model_write(const struct model *m, const char *path, char *why, size_t size);

#endif /* ACC_MODEL_H */
