// SPDX-License-Identifier: GPL-2.0
/*
 * The control socket.  All of a client's state is here, bounded: a line of
 * request, an answer that is made at once.  When there are too many the oldest
 * has to go, so that who only connects keeps nobody out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "server.h"

#define SERVER_CLIENTS	16
#define SERVER_LINE	64
#define SERVER_EVENTS	8

/**
 * struct client - who asks
 * @fd: its socket; -1: this place is free
 * @since: number of its connection
 * @line: what it has said
 * @received: bytes of it
 * @answer: what it is told; NULL: it has not asked yet
 * @size: bytes of it
 * @sent: how many of them it has taken
 */
struct client {
	int	fd;
	unsigned long since;
	char	line[SERVER_LINE];
	size_t	received;
	char	*answer;
	size_t	size;
	size_t	sent;
};

/**
 * struct server - the control socket
 * @listener: where clients connect
 * @epoll: of all
 * @path: of the socket
 * @fill: who fills snapshots
 * @data: for @fill
 * @connections: so far
 * @clients: those that are there
 */
struct server {
	int		listener;
	int		epoll;
	struct sockaddr_un path;
	status_fill_fn	fill;
	void		*data;
	unsigned long	connections;
	struct client	clients[SERVER_CLIENTS];
};

static void server_drop(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	free(client->answer);
	memset(client, 0, sizeof(*client));
	client->fd = -1;
}

static int server_watch(struct server *server, int op, int fd, uint32_t events,
			void *whom)
{
	struct epoll_event event = { .events = events, .data.ptr = whom };

	return epoll_ctl(server->epoll, op, fd, &event);
}

/* A free place, or that of the oldest client. */
static struct client *server_place(struct server *server)
{
	struct client *place = server->clients;
	size_t i;

	for (i = 0; i < SERVER_CLIENTS; i++) {
		if (server->clients[i].fd < 0)
			return &server->clients[i];
		if (server->clients[i].since < place->since)
			place = &server->clients[i];
	}
	server_drop(place);
	return place;
}

/* Return: 0 when nobody waits any more. */
static int server_accept(struct server *server)
{
	struct client *client;
	int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return errno == EINTR || errno == ECONNABORTED;
	client = server_place(server);
	client->fd = fd;
	client->since = ++server->connections;
	if (server_watch(server, EPOLL_CTL_ADD, fd, EPOLLIN, client))
		server_drop(client);
	return 1;
}

static void server_print(struct server *server, FILE *out, char *line)
{
	struct status status = { .n_peers = 0 };
	char *json = strchr(line, ' ');

	if (json)
		*json++ = '\0';
	if (json && strcmp(json, "json")) {
		fprintf(out, "error \"%s\" is not \"json\"\n", json);
	} else if (!status_is(line)) {
		fprintf(out, "error unknown request \"%s\": use %s\n", line,
			"tracking, peers, edges, hosts or stats");
	} else {
		server->fill(&status, server->data);
		fputs("ok\n", out);
		status_print(out, line, &status, !!json);
	}
}

static void server_answer(struct server *server, struct client *client)
{
	FILE *out = open_memstream(&client->answer, &client->size);

	if (!out) {
		server_drop(client);
		return;
	}
	server_print(server, out, client->line);
	fclose(out);
	server_watch(server, EPOLL_CTL_MOD, client->fd, EPOLLOUT, client);
}

static void server_hear(struct server *server, struct client *client)
{
	size_t room = sizeof(client->line) - 1 - client->received;
	ssize_t n = recv(client->fd, client->line + client->received, room, 0);
	char *end;

	if (n <= 0) {
		if (!n || (errno != EAGAIN && errno != EINTR))
			server_drop(client);
		return;
	}
	client->received += n;
	end = memchr(client->line, '\n', client->received);
	if (end) {
		*end = '\0';
		server_answer(server, client);
	} else if ((size_t)n == room) {
		server_drop(client);
	}
}

static void server_tell(struct client *client)
{
	ssize_t n = send(client->fd, client->answer + client->sent,
			 client->size - client->sent, MSG_NOSIGNAL);

	if (n < 0) {
		if (errno != EAGAIN && errno != EINTR)
			server_drop(client);
		return;
	}
	client->sent += n;
	if (client->sent == client->size)
		server_drop(client);
}

void server_work(struct server *server)
{
	struct epoll_event events[SERVER_EVENTS];
	int i, n = epoll_wait(server->epoll, events, SERVER_EVENTS, 0);

	for (i = 0; i < n; i++) {
		struct client *client = events[i].data.ptr;

		if (!client)
			while (server_accept(server))
				;
		else if (client->fd < 0)
			continue;	/* it went while this was to be told */
		else if (client->answer)
			server_tell(client);
		else
			server_hear(server, client);
	}
}

int server_fd(const struct server *server)
{
	return server->epoll;
}

/* Return: 1 if somebody listens there. */
static int server_is_taken(const struct sockaddr_un *path)
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

/* What is not a socket is somebody's, and stays. */
static int server_clear(const struct sockaddr_un *path)
{
	struct stat st;

	if (lstat(path->sun_path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		errno = ENOTSOCK;
		return -1;
	}
	if (server_is_taken(path)) {
		errno = EADDRINUSE;
		return -1;
	}
	return unlink(path->sun_path);
}

static int server_listen(struct server *server)
{
	mode_t mask;
	int bad;

	server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (server->listener < 0 || server->epoll < 0 || server_clear(&server->path))
		return -1;
	/* From its first instant nobody else may connect; a chmod() follows links. */
	mask = umask(0007);
	bad = bind(server->listener, (struct sockaddr *)&server->path,
		   sizeof(server->path));
	umask(mask);
	if (bad || listen(server->listener, SERVER_CLIENTS))
		return -1;
	/* On the edge, or a listener without file descriptors would spin. */
	return server_watch(server, EPOLL_CTL_ADD, server->listener,
			    EPOLLIN | EPOLLET, NULL);
}

/* What errno says of a socket of that path, and what to do. */
static void server_explain(const char *path, char *why, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (errno == ENOENT && slash)
		snprintf(why, size,
			 "control socket %s: its directory is missing; systemd creates it for the unit, otherwise run mkdir -p %.*s",
			 path, slash == path ? 1 : (int)(slash - path), path);
	else
		snprintf(why, size, "control socket %s: %s", path,
			 errno == EADDRINUSE ? "another huygens-lite is using it" :
			 errno == ENOTSOCK ? "it exists and is not a socket" :
					     strerror(errno));
}

struct server *server_open(const char *path, status_fill_fn fill, void *data,
			   char *why, size_t size)
{
	struct server *server = calloc(1, sizeof(*server));
	size_t i;

	if (!server || strlen(path) >= sizeof(server->path.sun_path)) {
		snprintf(why, size, "control socket %s: %s", path,
			 server ? "the path is too long" : "no memory");
		free(server);
		return NULL;
	}
	server->fill = fill;
	server->data = data;
	server->listener = -1;
	server->epoll = -1;
	server->path.sun_family = AF_UNIX;
	memcpy(server->path.sun_path, path, strlen(path) + 1);
	for (i = 0; i < SERVER_CLIENTS; i++)
		server->clients[i].fd = -1;
	if (!server_listen(server))
		return server;
	server_explain(path, why, size);
	/* The name is not ours. */
	*server->path.sun_path = '\0';
	server_close(server);
	return NULL;
}

void server_close(struct server *server)
{
	size_t i;

	if (!server)
		return;
	for (i = 0; i < SERVER_CLIENTS; i++)
		server_drop(&server->clients[i]);
	if (*server->path.sun_path)
		unlink(server->path.sun_path);
	if (server->listener >= 0)
		close(server->listener);
	if (server->epoll >= 0)
		close(server->epoll);
	free(server);
}
