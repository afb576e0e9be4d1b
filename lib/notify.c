// SPDX-License-Identifier: GPL-2.0
/*
 * Notifications of the service manager.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "notify.h"

#define NOTIFY_TEXT	512
/* Times in which the manager is notified within its limit: one may be late. */
#define NOTIFY_ALIVE	3

static struct sockaddr_un notify_to = { .sun_family = AF_UNIX };
static socklen_t notify_len;
static int notify_fd = -1;
/* Interval of WATCHDOG=1, 0: never; and when the next is due. */
static int64_t notify_watchdog_ns;
static int64_t notify_due_ns;

/* A variable that is no number is none. */
static uint64_t notify_number(const char *name)
{
	const char *text = getenv(name);
	char *end;
	uint64_t number;

	if (!text || *text < '0' || *text > '9')
		return 0;
	number = strtoull(text, &end, 10);
	return *end ? 0 : number;
}

static void notify_open_watchdog(void)
{
	uint64_t pid = notify_number("WATCHDOG_PID");
	uint64_t us = notify_number("WATCHDOG_USEC");

	notify_due_ns = INT64_MIN;
	notify_watchdog_ns = 0;
	if (us <= INT64_MAX / 1000 && (!pid || pid == (uint64_t)getpid()))
		notify_watchdog_ns = (int64_t)us * 1000 / NOTIFY_ALIVE;
}

void notify_open(void)
{
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;

	notify_len = 0;
	notify_open_watchdog();
	if (!len || len >= sizeof(notify_to.sun_path) || !strchr("/@", *path))
		return;
	memcpy(notify_to.sun_path, path, len + 1);
	/* An abstract name begins with a zero, and does not end with one. */
	if (*path == '@')
		*notify_to.sun_path = '\0';
	if (notify_fd < 0)
		notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (notify_fd >= 0)
		notify_len = offsetof(struct sockaddr_un, sun_path) + len;
}

static void notify(const char *text)
{
	if (notify_len)
		(void)!sendto(notify_fd, text, strlen(text), MSG_NOSIGNAL,
			      (struct sockaddr *)&notify_to, notify_len);
}

void notify_ready(void)
{
	notify("READY=1");
}

void notify_alive(int64_t now_ns)
{
	if (!notify_watchdog_ns || now_ns < notify_due_ns)
		return;
	notify_due_ns = now_ns + notify_watchdog_ns;
	notify("WATCHDOG=1");
}

void notify_reloading(void)
{
	char text[NOTIFY_TEXT];
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%lld",
		 now.tv_sec * 1000000LL + now.tv_nsec / 1000);
	notify(text);
}

void notify_stopping(void)
{
	notify("STOPPING=1");
}

void notify_status(const char *format, ...)
{
	char text[NOTIFY_TEXT] = "STATUS=";
	size_t n = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	/* Another line would be another assignment. */
	text[strcspn(text, "\n")] = '\0';
	notify(text);
}
