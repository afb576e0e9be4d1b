/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stage.h - what the parts of the lab's /init offer one another
 *
 * stage is process 1 of the guest.  Any failure ends the run: fail() writes
 * the reason to result/status and to the console and powers off, so that
 * nothing here returns errors.
 */
#ifndef STAGE_H
#define STAGE_H

#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#include "plan.h"

#define RUN_DIR "/run/lab"
#define RESULT_DIR RUN_DIR "/result"
#define NETNS_DIR "/run/netns"

/* stage.c */
noreturn void fail(unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t now_ns(void);
void write_text(unsigned int line, const char *path, const char *text);

/* guest.c: mounts, modules, namespaces, sysctls, power */
void guest_mount(void);
void guest_load(const struct plan_step *step);
void guest_sysctl(unsigned int line, const char *key, const char *value);
void guest_warnings(void);
noreturn void guest_power_off(void);

/* netns.c: network namespaces */
void netns_start(unsigned int n);
void netns_create(const struct plan *plan, const struct plan_step *step);
void netns_enter(unsigned int ns);
void netns_leave(void);
int netns_fd(unsigned int ns);

/* net.c: links, addresses, routes, neighbours, over rtnetlink */
void net_open(unsigned int ns);
void net_up_lo(unsigned int ns, unsigned int line);
void net_link(const struct plan_step *step);
void net_addr(const struct plan *plan, const struct plan_step *step);
void net_route(const struct plan_step *step);
void net_neigh(const struct plan_step *step);
void net_watch(const struct plan *plan, const struct plan_step *step);

/* child.c: other programs */
void child_setup(void);
void child_exec(const struct plan_step *step, unsigned int ns, uint64_t until);
void child_spawn(const struct plan_step *step);
pid_t child_fork(const struct plan_step *step, unsigned int ns);
void child_adopt(pid_t pid, unsigned int line, bool must_succeed);
void child_end(void);
void child_output(unsigned int line, unsigned int ns, char *const *argv,
		  const char *path);

/* pcap.c: recording */
void pcap_start(const struct plan_step *step);

/* collect.c: results */
void collect_port(const struct plan_step *step);
void collect_counters(const struct plan *plan);

/* books.c: what every port sent, received and dropped */
void books_wait(const struct plan *plan);
void books_write(const struct plan *plan);

#endif /* STAGE_H */
