/* A picture: data in a temporary folder, gnuplot on them, and the file into its place. */
#include "folder.h"
#include "ends.h"
#include "io/files/output.h"
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NAME = 4096 };

static const char *const files[FOLDER_FILES] = {
    "density.bin", "halos.txt", "masses.txt", "spheres.txt",
    "members.bin", "radii.txt", "shells.txt", "histories.txt",
    "mergers.txt", "plot.gp",   "log.txt",    "picture.png"};

static bool no_gnuplot(struct io_error *error) {
    return io_fail(error, "a picture needs gnuplot, and there is none in the PATH");
}

bool plot_ready(struct io_error *error) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/bin:/usr/bin"; *at;) {
        char name[NAME];
        const int length = (int)strcspn(at, ":");
        snprintf(name, sizeof name, "%.*s/gnuplot", length, length ? at : ".");
        if (access(name, X_OK) == 0)
            return true;
        at += length;
        at += *at == ':';
    }
    return no_gnuplot(error);
}

static void name_of(char name[NAME], const char *folder, enum folder_file file) {
    snprintf(name, NAME, "%s/%s", folder, files[file]);
}

FILE *folder_open(const char *folder, enum folder_file file, const char *mode,
                  struct io_error *error) {
    char name[NAME];
    name_of(name, folder, file);
    FILE *stream = fopen(name, mode);
    if (stream == NULL)
        io_fail(error, "cannot open %s: %s", name, strerror(errno));
    return stream;
}

bool folder_close(FILE *stream, const char *folder, enum folder_file file,
                  struct io_error *error) {
    char name[NAME];
    name_of(name, folder, file);
    errno = 0;
    const bool failed = ferror(stream) != 0;
    return (fclose(stream) == 0 && !failed) ||
           io_fail(error, "cannot write %s: %s", name,
                   errno ? strerror(errno) : "no space left");
}

/* The first line of the log that says something. */
static void read_log(const char *folder, char line[256]) {
    struct io_error ignored;
    FILE *stream = folder_open(folder, FOLDER_LOG, "r", &ignored);
    snprintf(line, 256, "it says nothing");
    char read[256];
    while (stream && fgets(read, sizeof read, stream)) {
        read[strcspn(read, "\n")] = '\0';
        const char *word = read + strspn(read, " \t^");
        if (*word)
            snprintf(line, 256, "%s", word);
    }
    if (stream)
        fclose(stream);
}

static bool run_gnuplot(const char *folder, struct io_error *error) {
    char script[NAME], log[NAME], line[256], command[] = "gnuplot";
    char *const arguments[] = {command, script, NULL};
    name_of(script, folder, FOLDER_SCRIPT);
    name_of(log, folder, FOLDER_LOG);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t process;
    const int failed = posix_spawnp(&process, command, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return failed == ENOENT
                   ? no_gnuplot(error)
                   : io_fail(error, "cannot run gnuplot: %s", strerror(failed));
    int status = 0;
    ends_child(process);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    ends_child(0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    read_log(folder, line);
    return io_fail(error, "gnuplot cannot draw the picture: %s", line);
}

static bool move_picture(const char *folder, const char *path, struct io_error *error) {
    FILE *picture = folder_open(folder, FOLDER_PICTURE, "rb", error);
    if (picture == NULL)
        return false;
    struct io_output output;
    bool done = io_output_open(&output, path, error);
    if (done) {
        char block[65536];
        size_t count;
        while (done && (count = fread(block, 1, sizeof block, picture)) > 0)
            done = fwrite(block, 1, count, output.stream) == count ||
                   io_output_fail(&output, errno, error);
        done = io_output_close(&output, done, error);
    }
    fclose(picture);
    return done;
}

bool folder_draw(const char *path, folder_fill *fill, const void *of,
                 struct io_error *error) {
    char folder[NAME - 32], name[NAME];
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/weft-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder) == NULL)
        return io_fail(error, "cannot make a temporary folder %s: %s", folder,
                       strerror(errno));
    ends_guard(folder, files, FOLDER_FILES);
    const bool done = fill(folder, of, error) && run_gnuplot(folder, error) &&
                      move_picture(folder, path, error);
    for (int file = 0; file < FOLDER_FILES; ++file) {
        name_of(name, folder, (enum folder_file)file);
        unlink(name);
    }
    rmdir(folder);
    ends_release();
    return done;
}
