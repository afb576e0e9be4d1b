// SPDX-License-Identifier: GPL-2.0
/*
 * The control socket of a daemon.  The state of a client is bounded: a line of
 * request, an answer that is made at once.  If there are too many clients the
 * oldest is dropped, so that a client that only connects keeps nobody out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "control.h"

#define CONTROL_CLIENTS	16
#define CONTROL_EVENTS	8
/* A daemon answers at once; one that was stopped must not block its client. */
#define CONTROL_PATIENCE_S	5

/**
 * struct control_client - a client
 * @fd: its socket; -1: this place is free
 * @since: number of its connection
 * @line: its request
 * @received: bytes of it
 * @answer: the answer; NULL: the request is not complete
 * @size: bytes of it
 * @sent: bytes of it that were sent
 */
struct control_client {
	int	fd;
	unsigned long since;
	char	line[CONTROL_LINE];
	size_t	received;
	char	*answer;
	size_t	size;
	size_t	sent;
};

/**
 * struct control - the control socket
 * @listener: where clients connect
 * @epoll: of all
 * @path: of the socket
 * @answer: makes answers
 * @data: for @answer
 * @asker: socket of the client that is being answered
 * @connections: so far
 * @clients: the clients
 */
struct control {
	int		listener;
	int		epoll;
	struct sockaddr_un path;
	control_answer_fn answer;
	void		*data;
	int		asker;
	unsigned long	connections;
	struct control_client	clients[CONTROL_CLIENTS];
};

static void control_drop(struct control_client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	free(client->answer);
	memset(client, 0, sizeof(*client));
	client->fd = -1;
}

static int control_poll(struct control *control, int op, int fd, uint32_t events,
			void *client)
{
	struct epoll_event event = { .events = events, .data.ptr = client };

	return epoll_ctl(control->epoll, op, fd, &event);
}

/* A free place, or that of the oldest client. */
static struct control_client *control_place(struct control *control)
{
	struct control_client *place = control->clients;
	size_t i;

	for (i = 0; i < CONTROL_CLIENTS; i++) {
		if (control->clients[i].fd < 0)
			return &control->clients[i];
		if (control->clients[i].since < place->since)
			place = &control->clients[i];
	}
	control_drop(place);
	return place;
}

/* Return: 0 when no connection waits any more. */
static int control_accept(struct control *control)
{
	struct control_client *client;
	int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return errno == EINTR || errno == ECONNABORTED;
	client = control_place(control);
	client->fd = fd;
	client->since = ++control->connections;
	if (control_poll(control, EPOLL_CTL_ADD, fd, EPOLLIN, client))
		control_drop(client);
	return 1;
}

static void control_answer(struct control *control, struct control_client *client)
{
	FILE *out = open_memstream(&client->answer, &client->size);

	if (!out) {
		control_drop(client);
		return;
	}
	control->asker = client->fd;
	control->answer(out, client->line, control->data);
	fclose(out);
	control_poll(control, EPOLL_CTL_MOD, client->fd, EPOLLOUT, client);
}

static void control_receive(struct control *control, struct control_client *client)
{
	size_t space = sizeof(client->line) - 1 - client->received;
	ssize_t n = recv(client->fd, client->line + client->received, space, 0);
	char *end;

	if (n <= 0) {
		if (!n || (errno != EAGAIN && errno != EINTR))
			control_drop(client);
		return;
	}
	client->received += n;
	end = memchr(client->line, '\n', client->received);
	if (end) {
		*end = '\0';
		control_answer(control, client);
	} else if ((size_t)n == space) {
		control_drop(client);
	}
}

static void control_send(struct control_client *client)
{
	ssize_t n = send(client->fd, client->answer + client->sent,
			 client->size - client->sent, MSG_NOSIGNAL);

	if (n < 0) {
		if (errno != EAGAIN && errno != EINTR)
			control_drop(client);
		return;
	}
	client->sent += n;
	if (client->sent == client->size)
		control_drop(client);
}

void control_work(struct control *control)
{
	struct epoll_event events[CONTROL_EVENTS];
	int i, n = epoll_wait(control->epoll, events, CONTROL_EVENTS, 0);

	for (i = 0; i < n; i++) {
		struct control_client *client = events[i].data.ptr;

		if (!client)
			while (control_accept(control))
				;
		else if (client->fd < 0)
			continue;	/* an earlier event dropped it */
		else if (client->answer)
			control_send(client);
		else
			control_receive(control, client);
	}
}

bool control_asker_is_root(const struct control *control)
{
	struct ucred asker = { .uid = -1 };
	socklen_t size = sizeof(asker);

	return !getsockopt(control->asker, SOL_SOCKET, SO_PEERCRED, &asker, &size) &&
	       !asker.uid;
}

int control_fd(const struct control *control)
{
	return control->epoll;
}

/* Return: 1 if a program listens there. */
static int control_is_taken(const struct sockaddr_un *path)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int taken;

	if (fd < 0)
		return 0;
	taken = !connect(fd, (const struct sockaddr *)path, sizeof(*path)) ||
		errno == EAGAIN;
	close(fd);
	return taken;
}

/* A file that is not a socket is left alone. */
static int control_clear(const struct sockaddr_un *path)
{
	struct stat st;

	if (lstat(path->sun_path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		errno = ENOTSOCK;
		return -1;
	}
	if (control_is_taken(path)) {
		errno = EADDRINUSE;
		return -1;
	}
	return unlink(path->sun_path);
}

static int control_listen(struct control *control)
{
	mode_t mask;
	int bad;

	control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	control->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (control->listener < 0 || control->epoll < 0 || control_clear(&control->path))
		return -1;
	/* From its first instant nobody else may connect; a chmod() follows links. */
	mask = umask(0007);
	bad = bind(control->listener, (struct sockaddr *)&control->path,
		   sizeof(control->path));
	umask(mask);
	if (bad || listen(control->listener, CONTROL_CLIENTS))
		return -1;
	/* On the edge, or a listener without file descriptors would spin. */
	return control_poll(control, EPOLL_CTL_ADD, control->listener,
			    EPOLLIN | EPOLLET, NULL);
}

/* Explain errno for a socket of that path. */
static void control_explain(const char *program, const char *path, char *why, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (errno == ENOENT && slash)
		snprintf(why, size,
			 "control socket %s: its directory is missing; systemd creates it for the unit, otherwise run mkdir -p %.*s",
			 path, slash == path ? 1 : (int)(slash - path), path);
	else if (errno == EADDRINUSE)
		snprintf(why, size, "control socket %s: another %s is using it",
			 path, program);
	else
		snprintf(why, size, "control socket %s: %s", path,
			 errno == ENOTSOCK ? "it exists and is not a socket" :
					     strerror(errno));
}

struct control *control_open(const char *path, const char *program,
			     control_answer_fn answer, void *data, char *why,
			     size_t size)
{
	struct control *control = calloc(1, sizeof(*control));
	size_t i;

	if (!control || strlen(path) >= sizeof(control->path.sun_path)) {
		snprintf(why, size, "control socket %s: %s", path,
			 control ? "the path is too long" : "no memory");
		free(control);
		return NULL;
	}
	control->answer = answer;
	control->data = data;
	control->listener = -1;
	control->epoll = -1;
	control->path.sun_family = AF_UNIX;
	memcpy(control->path.sun_path, path, strlen(path) + 1);
	for (i = 0; i < CONTROL_CLIENTS; i++)
		control->clients[i].fd = -1;
	if (!control_listen(control))
		return control;
	control_explain(program, path, why, size);
	/* The name is not this daemon's. */
	*control->path.sun_path = '\0';
	control_close(control);
	return NULL;
}

void control_close(struct control *control)
{
	size_t i;

	if (!control)
		return;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		control_drop(&control->clients[i]);
	if (*control->path.sun_path)
		unlink(control->path.sun_path);
	if (control->listener >= 0)
		close(control->listener);
	if (control->epoll >= 0)
		close(control->epoll);
	free(control);
}

static int control_connect(const char *path)
{
	const struct timeval patience = { .tv_sec = CONTROL_PATIENCE_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	close(fd);
	return -1;
}

/* The whole answer, with a zero at its end; NULL if there is none. */
static char *control_read(int fd)
{
	size_t size = 0;
	char buffer[4096];
	char *answer = NULL;
	FILE *out = open_memstream(&answer, &size);
	ssize_t n;

	if (!out)
		return NULL;
	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		fwrite(buffer, 1, n, out);
	fclose(out);
	if (!n && size)
		return answer;
	free(answer);
	return NULL;
}

int control_request(const char *path, const char *line, char **answer)
{
	ssize_t len = strlen(line);
	int fd = control_connect(path);

	*answer = NULL;
	if (fd < 0)
		return -1;
	if (send(fd, line, len, MSG_NOSIGNAL) == len)
		*answer = control_read(fd);
	close(fd);
	return 0;
}
