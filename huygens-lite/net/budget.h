/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often a host may probe, so that with all it has to say it transmits at
 * most 3 Mbit/s (On-Ramp 4.1).
 *
 * Pure.
 */
#ifndef HUYGENS_BUDGET_H
#define HUYGENS_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Planned part of 3 Mbit/s; the rest is for random peaks. */
#define BUDGET_BPS	2850000

/*
 * So many pairs to a neighbour in a window at least: half of what is required of a
 * configuration, since only one host has to, as long as it coordinates.
 */
#define BUDGET_PAIRS	20

/**
 * struct budget - what a host has to say
 * @hosts: of the mesh
 * @neighbours: of this host
 * @candidates: for coordinator
 * @is_coordinator: this host coordinates
 * @is_signed: messages are signed
 * @is_ipv6: heads are longer
 * @coded: pairs, else single probes
 * @window_ns: length of a window
 * @hello_ns: between HELLOs
 */
struct budget {
	uint32_t	hosts;
	uint32_t	neighbours;
	uint32_t	candidates;
	bool		is_coordinator;
	bool		is_signed;
	bool		is_ipv6;
	bool		coded;
	int64_t		window_ns;
	int64_t		hello_ns;
};

/**
 * budget_repeats() - whether there is bandwidth to send solutions twice
 * @hosts: of the mesh
 *
 * Return: whether there is.
 */
bool budget_repeats(uint32_t hosts);

/**
 * budget_other_bps() - rate of all messages but probes
 * @b: what there is to say
 *
 * Return: bit/s, with the heads of UDP, IP and Ethernet.
 */
double budget_other_bps(const struct budget *b);

/**
 * budget_fits() - whether a host can keep within 3 Mbit/s, by probing less often
 * @b: what there is to say
 *
 * Return: whether there is space for BUDGET_PAIRS to each neighbour in a window.
 */
bool budget_fits(const struct budget *b);

/**
 * budget_interval() - between pairs to a neighbour
 * @b: what there is to say, which fits
 * @wanted_ns: as configured
 *
 * Return: that, or longer if it would be too much.
 */
int64_t budget_interval(const struct budget *b, int64_t wanted_ns);

/**
 * budget_greets() - whom a coordinator greets, where it cannot greet all
 * @hosts: of the mesh
 * @tick: number of the HELLO
 * @index: of a host that is not a candidate
 *
 * Others hear from it each window as well, and choose no coordinator.
 *
 * Return: whether it is this host's turn.
 */
bool budget_greets(uint32_t hosts, uint64_t tick, uint32_t index);

#endif /* HUYGENS_BUDGET_H */
