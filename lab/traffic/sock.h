/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sockets, and the network namespaces they live in
 */
#ifndef FLOWGEN_SOCK_H
#define FLOWGEN_SOCK_H

#include <sys/socket.h>

#include "traffic.h"
#include "types.h"

/**
 * struct sock_figures - what TCP_INFO tells of a connection so far
 * @retrans: packets sent again
 * @timeouts: retransmission timeouts; UNKNOWN before Linux 6.7
 * @delivered_ce: packets that the peer received CE
 * @min_rtt_us: least round-trip time
 */
struct sock_figures {
	u32 retrans;
	u32 timeouts;
	u32 delivered_ce;
	u32 min_rtt_us;
};

/**
 * netns_open() - open the namespaces of all hosts
 * @folder: folder that holds them by name; NULL: all hosts live in this one
 * @t: traffic
 *
 * Return: 0, or -1 after a message.
 */
int netns_open(const char *folder, const struct traffic *t);

/**
 * netns_enter() - make the next sockets in a host's namespace
 * @host: index of the host
 *
 * Return: 0, or -1 after a message.
 */
int netns_enter(u32 host);

/**
 * sock_set_cc() - set a socket's congestion control
 * @fd: socket
 * @cc: which
 *
 * Return: 0, or -1 with errno set.
 */
int sock_set_cc(int fd, enum cc cc);

/**
 * sock_cc_error() - say why a congestion control cannot be used, and the way out
 * @cc: congestion control
 * @error: errno of sock_set_cc()
 *
 * Return: text, good until the next call.
 */
const char *sock_cc_error(enum cc cc, int error);

/**
 * sock_set_dscp() - set the codepoint of a socket's packets
 * @fd: socket
 * @family: AF_INET or AF_INET6
 * @dscp: 0 to 63
 *
 * Return: 0, or -1 with errno set.
 */
int sock_set_dscp(int fd, int family, unsigned int dscp);

/**
 * sock_unsent() - count the bytes that were written and not sent yet
 * @fd: connected socket
 */
u32 sock_unsent(int fd);

/**
 * sock_writable_unsent() - say with how much unsent a socket is writable
 * @fd: socket
 * @none: only with nothing; else up to what its buffer holds
 */
void sock_writable_unsent(int fd, bool none);

/**
 * sock_waiting() - count the bytes that have come and were not read yet
 * @fd: connected socket
 */
u32 sock_waiting(int fd);

/**
 * sock_set_ect() - set the codepoint of a datagram socket's packets, and ECT(0)
 * @fd: socket
 * @family: AF_INET or AF_INET6
 * @dscp: 0 to 63
 *
 * Return: 0, or -1 with errno set.
 */
int sock_set_ect(int fd, int family, unsigned int dscp);

/**
 * sock_allow_tentative() - let a socket be bound to an IPv6 address at once
 * @fd: socket
 * @family: AF_INET or AF_INET6
 *
 * Without that an address cannot be used until the kernel knows that no other
 * host has it.
 */
void sock_allow_tentative(int fd, int family);

/**
 * sock_bind() - choose a socket's own port
 * @fd: socket
 * @family: AF_INET or AF_INET6
 * @port: port, 1 to 65535
 *
 * Return: 0, or -1 with errno set.
 */
int sock_bind(int fd, int family, unsigned int port);

/**
 * sock_flow_port() - the port of a flow with ports=flow, above those of servers
 * @id: the flow's place in the list
 */
unsigned int sock_flow_port(u64 id);

/**
 * sock_set_lowat() - let a receiver sleep until that much has come
 * @fd: socket
 * @bytes: how much; the kernel wakes it earlier when its window is full
 */
void sock_set_lowat(int fd, u32 bytes);

/**
 * sock_quickack() - leave the state in which acknowledgements wait for data
 * @fd: connected socket
 */
void sock_quickack(int fd);

/**
 * sock_set_pace() - limit the rate at which the kernel paces a socket's packets
 * @fd: socket
 * @bps: bit/s; TCP counts payload alone
 */
void sock_set_pace(int fd, u64 bps);

/**
 * sock_discard() - take errors, and a datagram, off a socket that expects none
 * @fd: datagram socket
 */
void sock_discard(int fd);

/**
 * sock_reset_on_close() - throw unsent data away on close, with a reset
 * @fd: socket
 */
void sock_reset_on_close(int fd);

/**
 * sock_read_figures() - read TCP_INFO
 * @fd: connected socket
 * @figures: receives them
 *
 * Return: 0, or -1 with errno set.
 */
int sock_read_figures(int fd, struct sock_figures *figures);

/**
 * sock_with_port() - copy an address with another port
 * @to: receives it
 * @from: address
 * @add: added to the port
 *
 * Return: length of the address.
 */
socklen_t sock_with_port(struct sockaddr_storage *to, const struct sockaddr_storage *from,
			 unsigned int add);

/**
 * sock_at_port() - copy an address, but for its port
 * @to: receives it
 * @from: address
 * @port: the port it has then; 0 for any
 *
 * Return: length of the address.
 */
socklen_t sock_at_port(struct sockaddr_storage *to, const struct sockaddr_storage *from,
		       unsigned int port);

#endif
