#define _GNU_SOURCE /* O_TMPFILE */
#include "spill.h"
#include "cli/backends.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "halos.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <weft/allocator.h>

/* Beside the catalogue; where that is none, with other temporary files. */
static void choose_folder(const struct halos_run *run, char *folder, size_t room) {
    const char *temporary = getenv("TMPDIR"), *output = run->output;
    const char *slash = output ? strrchr(output, '/') : NULL;
    if (output == NULL || strcmp(output, "-") == 0 ||
        (slash && (size_t)(slash - output) >= room))
        snprintf(folder, room, "%s", temporary && *temporary ? temporary : "/tmp");
    else if (slash == NULL)
        snprintf(folder, room, ".");
    else
        snprintf(folder, room, "%.*s", (int)(slash - output) + 1, output);
}

static int open_nameless(const char *folder) {
    char path[sizeof((struct spill *)NULL)->folder + 32];
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    snprintf(path, sizeof path, "%s/.weft-spill-XXXXXX", folder);
    const int named = mkostemp(path, O_CLOEXEC);
    if (named >= 0)
        unlink(path);
    return named;
}

/* Pages that the disk has no room for would end the process: it is taken first. */
static void *allocate(void *user, size_t bytes, size_t alignment) {
    struct spill *spill = user;
    const int file = open_nameless(spill->folder);
    void *memory = MAP_FAILED;
    (void)alignment; /* to which pages lie */
    spill->trouble = file < 0 ? errno : posix_fallocate(file, 0, (off_t)bytes);
    if (spill->trouble == 0) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        spill->trouble = memory == MAP_FAILED ? errno : 0;
    }
    if (file >= 0)
        close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

static void release(void *user, void *memory, size_t bytes) {
    (void)user;
    munmap(memory, bytes);
}

/* One of the processors: the run's own, or else that with threads. False: there is none. */
static bool name_device(const weft_device *limited, char *name, size_t room) {
    const char *backend = weft_backend_name(limited);
    const char *threads = backend_that_takes(BACKEND_TAKES_THREADS);
    if (backend_takes(backend) == BACKEND_TAKES_THREADS)
        snprintf(name, room, "%s:%" PRId64, backend, weft_concurrency(limited));
    else if (backend_takes(backend) == BACKEND_TAKES_NOTHING)
        snprintf(name, room, "%s", backend);
    else
        snprintf(name, room, "%s", backend_is_built_in(threads) ? threads : "serial");
    return backend_is_built_in(name) || strchr(name, ':') != NULL;
}

static bool open_device(struct halos_run *run, int64_t particles, int64_t needed) {
    struct spill *spill = &run->spill;
    char name[64];
    if (!name_device(run->device, name, sizeof name)) {
        io_fail(&run->comm.error,
                "--memory-limit: the %" PRId64 " particles of or around a halo do not fit "
                "%" PRId64 " bytes: the least that does is %" PRId64,
                particles, run->options.memory_limit, needed);
        return comm_fail(&run->comm, CLI_FAULT);
    }
    choose_folder(run, spill->folder, sizeof spill->folder);
    weft_device *device = weft_open(name);
    weft_use_allocator(
        device, &(weft_allocator){.allocate = allocate, .release = release, .user = spill});
    if (weft_check(device) != WEFT_OK) {
        io_fail(&run->comm.error, "%s", progress_error(device));
        weft_close(device);
        return comm_fail(&run->comm, CLI_FAULT);
    }
    progress_note("--memory-limit: %" PRId64 " particles of or around a halo need %" PRId64
                  " bytes, which are in a file without a name in %s",
                  particles, needed, spill->folder);
    spill->device = progress_hear(device);
    return true;
}

bool spill_begin(struct halos_run *run, int64_t particles, int64_t needed) {
    struct spill *spill = &run->spill;
    if (spill->device == NULL && !open_device(run, particles, needed))
        return false;
    spill->limited = run->device;
    run->device = spill->device;
    return true;
}

void spill_end(struct halos_run *run) {
    struct spill *spill = &run->spill;
    if (spill->limited == NULL)
        return;
    if (spill->trouble)
        progress_note("the file for halos that --memory-limit does not hold, in %s: %s",
                      spill->folder, strerror(spill->trouble));
    weft_memory_trim(spill->device);
    run->device = spill->limited;
    spill->limited = NULL;
    spill->trouble = 0;
}

void spill_close(struct halos_run *run) {
    weft_close(run->spill.device);
    run->spill.device = NULL;
}
