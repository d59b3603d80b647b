#include "progress.h"
#include "command.h"
#include "io/files/visible.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static struct {
    const char *command;
    bool quiet, shown, held, stopped, parted;
    const struct progress_listener *listener;
    char kept[8192]; /* a failure that is not told yet */
    char last[8192]; /* that which came last */
    char line[256];  /* what is going on, */
    double since;    /*   since when, and which part of a hundred is done */
    int percent;
    int number, of; /* snapshots; 0: one alone */
} progress = {.command = "weft"};

void progress_start(const char *command, bool quiet) {
    progress.command = command;
    progress.quiet = quiet;
}

void progress_listen(const struct progress_listener *listener) {
    progress.listener = listener;
    progress.stopped = false;
}

bool progress_stopped(void) {
    return progress.stopped;
}

void progress_hold(void) {
    progress.held = true;
    progress.kept[0] = '\0';
}

void progress_tell(void) {
    progress_end();
    char shown[2 * sizeof progress.kept];
    if (progress.kept[0])
        fprintf(stderr, "%s: %s\n", progress.command,
                visible(progress.kept, shown, sizeof shown));
    progress.kept[0] = '\0';
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_seen(void) {
    return !progress.quiet && isatty(STDERR_FILENO);
}

static void tell_listener(void) {
    if (progress.listener && !progress.stopped)
        progress.stopped = !progress.listener->step(progress.line);
}

/* The line, and more of it that is not cut off where the terminal is narrow. */
static void draw(const char *more) {
    char line[2 * sizeof progress.line];
    struct winsize window;
    int width = (int)sizeof line;
    visible(progress.line, line, sizeof line);
    /* A line that runs on into the next could not be taken away. */
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        width = window.ws_col - 1;
    const int rest = (int)strlen(more) < width ? (int)strlen(more) : 0;
    fprintf(stderr, "\r\033[K%.*s%s", width - rest, line, rest > 0 ? more : "");
    fflush(stderr);
    progress.shown = true;
}

void progress_show(const char *format, ...) {
    if (!is_seen() && !progress.listener)
        return;
    va_list arguments;
    int length = 0;
    if (progress.of > 0)
        length = snprintf(progress.line, sizeof progress.line, "[%d/%d] ", progress.number,
                          progress.of);
    va_start(arguments, format);
    vsnprintf(progress.line + length, sizeof progress.line - (size_t)length, format,
              arguments);
    va_end(arguments);
    progress.since = now();
    progress.percent = -1;
    progress.parted = false;
    tell_listener();
    if (is_seen())
        draw("");
}

/* ", 2:05 left" */
static void tell_left(double seconds, char *text, size_t room) {
    const long left = (long)ceil(seconds);
    if (left < 3600)
        snprintf(text, room, ", %ld:%02ld left", left / 60, left % 60);
    else
        snprintf(text, room, ", %ld h %02ld min left", left / 3600, left / 60 % 60);
}

static void show_part(double part) {
    char more[64], left[48] = "";
    const double passed = now() - progress.since;
    if (passed > 1 && part > 0)
        tell_left(passed * (1 - part) / part, left, sizeof left);
    snprintf(more, sizeof more, ": %d %%%s", progress.percent, left);
    draw(more);
}

/* Whether it is more than is shown. */
static bool is_new(double part) {
    const int percent = (int)(100 * part), before = progress.percent;
    progress.percent = percent;
    return percent != before;
}

void progress_part(int64_t done, int64_t total) {
    tell_listener();
    if (total <= 0 || !is_seen() || progress.line[0] == '\0')
        return;
    progress.parted = total > 1;
    if (is_new((double)done / (double)total))
        show_part((double)done / (double)total);
}

/* Of one call of the library: its parts begin anew with each. */
static void show_inside(double done) {
    if (progress.parted)
        return;
    if (done <= 0) {
        progress.since = now();
        progress.percent = -1;
    }
    if (!is_new(done))
        return;
    tell_listener();
    if (is_seen() && progress.line[0] != '\0')
        show_part(done);
}

static int hear(void *context, const char *call, double done) {
    (void)context;
    (void)call;
    show_inside(done);
    return progress.stopped;
}

weft_device *progress_hear(weft_device *device) {
    if (device && (is_seen() || progress.listener))
        weft_listen(device, hear, NULL);
    return device;
}

void progress_unhear(weft_device *device) {
    weft_listen(device, NULL, NULL);
}

void progress_number(int number, int of) {
    progress.number = number;
    progress.of = of;
}

static void wipe(void) {
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
}

void progress_end(void) {
    wipe();
    progress.line[0] = '\0';
}

static void say(const char *format, va_list arguments) {
    char line[8192], shown[16384];
    vsnprintf(line, sizeof line, format, arguments);
    if (progress.parted)
        wipe(); /* its other parts are to come */
    else
        progress_end();
    fprintf(stderr, "%s: %s\n", progress.command, visible(line, shown, sizeof shown));
}

void progress_note(const char *format, ...) {
    char sentence[8192];
    va_list arguments;
    va_start(arguments, format);
    if (progress.listener) {
        vsnprintf(sentence, sizeof sentence, format, arguments);
        progress.listener->note(sentence);
    } else if (!progress.quiet) {
        say(format, arguments);
    }
    va_end(arguments);
}

int progress_fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(progress.last, sizeof progress.last, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    if (!progress.held)
        say(format, arguments);
    else if (!progress.kept[0])
        vsnprintf(progress.kept, sizeof progress.kept, format, arguments);
    va_end(arguments);
    return status;
}

const char *progress_error(const weft_device *device) {
    const char *text = weft_error(device);
    const size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
    const bool called =
        strncmp(text, "weft_", 5) == 0 && strncmp(text + name, ": ", 2) == 0;
    return called ? text + name + 2 : text;
}

const char *progress_failure(void) {
    return progress.kept[0] ? progress.kept : progress.last;
}

const char *progress_plural(int64_t count) {
    return count == 1 ? "" : "s";
}

int progress_finish(int status) {
    progress_end();
    errno = 0;
    if (status != CLI_DONE || (fflush(stdout) == 0 && !ferror(stdout)))
        return status;
    progress_fail(CLI_FAULT, "cannot write to standard output: %s",
                  errno ? strerror(errno) : "an earlier write failed");
    if (progress.held)
        progress_tell();
    return CLI_FAULT;
}
