#include "progress.h"
#include "command.h"
#include "io/files/visible.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
    const char *command;
    bool quiet, shown, held;
    char kept[8192]; /* a failure that is not told yet */
    char last[8192]; /* that which came last */
} progress = {.command = "weft"};

void progress_start(const char *command, bool quiet) {
    progress.command = command;
    progress.quiet = quiet;
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

void progress_show(const char *format, ...) {
    if (progress.quiet || !isatty(STDERR_FILENO))
        return;
    char said[256], line[512];
    struct winsize window;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    visible(said, line, sizeof line);
    /* A line that runs on into the next could not be taken away. */
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 &&
        strlen(line) >= window.ws_col)
        line[window.ws_col - 1] = '\0';
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    progress.shown = true;
}

void progress_end(void) {
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
}

static void say(const char *format, va_list arguments) {
    char line[8192], shown[16384];
    vsnprintf(line, sizeof line, format, arguments);
    progress_end();
    fprintf(stderr, "%s: %s\n", progress.command, visible(line, shown, sizeof shown));
}

void progress_note(const char *format, ...) {
    if (progress.quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
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

const char *progress_failure(void) {
    return progress.kept[0] ? progress.kept : progress.last;
}

int progress_finish(int status) {
    progress_end();
    errno = 0;
    if (status != CLI_DONE || (fflush(stdout) == 0 && !ferror(stdout)))
        return status;
    return progress_fail(CLI_FAULT, "cannot write to standard output: %s",
                         errno ? strerror(errno) : "an earlier write failed");
}
