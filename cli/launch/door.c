#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 64 }; /* descriptors, and the largest number of one */

static int remembered[MOST], n_remembered;

void door_remember(void) {
    n_remembered = 0;
    for (int k = 0; k < MOST; ++k) {
        const int flags = fcntl(k, F_GETFD);
        if (flags >= 0 && !(flags & FD_CLOEXEC))
            remembered[n_remembered++] = k;
    }
}

/* The system gives a name, of five letters after a zero. */
bool door_open(struct door *door, struct io_error *error) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address.sun_family;
    *door = (struct door){.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    bool done = door->socket >= 0 &&
                bind(door->socket, (struct sockaddr *)&address, length) == 0 &&
                listen(door->socket, SOMAXCONN) == 0;
    length = sizeof address;
    done = done && getsockname(door->socket, (struct sockaddr *)&address, &length) == 0;
    if (!done) {
        io_fail(error, "there is no socket for ranks: %s", strerror(errno));
        door_close(door);
        return false;
    }
    snprintf(door->name, sizeof door->name, "%.*s",
             (int)(length - offsetof(struct sockaddr_un, sun_path) - 1),
             address.sun_path + 1);
    return true;
}

void door_close(struct door *door) {
    if (door->socket >= 0)
        close(door->socket);
    door->socket = -1;
}

/* Numbers of descriptors, and beside them the descriptors. */
struct letter {
    int n, number[MOST];
    struct iovec text;
    struct msghdr head;
    _Alignas(struct cmsghdr) char beside[CMSG_SPACE(MOST * sizeof(int))];
};

static void begin(struct letter *letter, int n) {
    memset(letter, 0, sizeof *letter);
    letter->n = n;
    letter->text = (struct iovec){letter, offsetof(struct letter, text)};
    letter->head =
        (struct msghdr){.msg_iov = &letter->text,
                        .msg_iovlen = 1,
                        .msg_control = n > 0 ? letter->beside : NULL,
                        .msg_controllen = n > 0 ? CMSG_SPACE((size_t)n * sizeof(int)) : 0};
}

static bool is_ours(int guest) {
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(guest, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 &&
           who.uid == geteuid();
}

static bool pass(int guest, int input) {
    struct letter letter;
    int given[MOST];
    begin(&letter, n_remembered);
    for (int k = 0; k < n_remembered; ++k) {
        letter.number[k] = remembered[k];
        given[k] = input >= 0 && remembered[k] == STDIN_FILENO ? input : remembered[k];
    }
    const struct cmsghdr head = {.cmsg_level = SOL_SOCKET,
                                 .cmsg_type = SCM_RIGHTS,
                                 .cmsg_len =
                                     CMSG_LEN((size_t)n_remembered * sizeof *given)};
    memcpy(letter.beside, &head, sizeof head);
    memcpy(letter.beside + CMSG_LEN(0), given, (size_t)n_remembered * sizeof *given);
    return sendmsg(guest, &letter.head, MSG_NOSIGNAL) > 0;
}

void door_answer(struct door *door, int input) {
    char name[32];
    const int guest = accept4(door->socket, NULL, NULL, SOCK_CLOEXEC);
    if (guest < 0)
        return;
    /* Opened anew, so that each has a place of its own in it. */
    snprintf(name, sizeof name, "/proc/self/fd/%d", input);
    const int fresh = input >= 0 ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (is_ours(guest) && pass(guest, fresh))
        door->taken++;
    if (fresh >= 0)
        close(fresh);
    close(guest);
}

/* First out of the way of each other's numbers. */
static bool put_in_place(const struct letter *letter, int *came) {
    const int n = letter->n;
    bool done = true;
    for (int k = 0; k < n; ++k) {
        const int aside = fcntl(came[k], F_DUPFD_CLOEXEC, MOST);
        done = done && aside >= 0;
        close(came[k]);
        came[k] = aside;
    }
    for (int k = 0; k < n && done; ++k)
        done = dup2(came[k], letter->number[k]) >= 0;
    for (int k = 0; k < n; ++k) {
        if (came[k] >= 0)
            close(came[k]);
    }
    return done;
}

static bool take(int door, struct letter *letter, int came[static MOST]) {
    begin(letter, MOST);
    const ssize_t bytes = recvmsg(door, &letter->head, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    if (bytes != (ssize_t)offsetof(struct letter, text))
        return false;
    struct cmsghdr head;
    const size_t size = (size_t)letter->n * sizeof *came;
    memcpy(&head, letter->beside, sizeof head);
    if (letter->n > 0 &&
        (letter->head.msg_controllen < CMSG_LEN(size) || head.cmsg_len != CMSG_LEN(size)))
        return false;
    memcpy(came, letter->beside + CMSG_LEN(0), size);
    return true;
}

bool door_knock(const char *name, struct io_error *error) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct letter letter;
    int came[MOST];
    const size_t length = strlen(name);
    const int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (length < sizeof address.sun_path)
        memcpy(address.sun_path + 1, name, length);
    const bool done =
        door >= 0 && length < sizeof address.sun_path - 1 &&
        connect(door, (struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 0 &&
        take(door, &letter, came);
    if (door >= 0)
        close(door); /* it may have the number of one that came */
    return (done && put_in_place(&letter, came)) ||
           io_fail(error, "the command that started this rank is gone");
}
