/* The catalogue as one file of all ranks: the first lays it out, each writes its rows. */
#include "cli/command.h"
#include "collect.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/halos/halos.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct writing {
    struct halos_run *run;
    const struct catalogue *catalogue;
    struct io_output output;
    bool open; /* on the first rank */
    struct catalogue_place place;
    char path[PATH_MAX];          /* as other ranks find it */
    int64_t before;               /* bytes of text of ranks before this one */
    struct catalogue_check check; /* of the rows here */
};

/* On the first rank; the others need a name. */
static bool lay_out(struct writing *w, struct io_error *error) {
    w->open = io_output_open(&w->output, w->run->output, error);
    return w->open && catalogue_lay_out(&w->output, w->catalogue, &w->place, error) &&
           io_output_name(&w->output, error) &&
           (realpath(w->output.temporary, w->path) != NULL ||
            io_output_fail(&w->output, errno, error));
}

static bool tell_places(struct writing *w) {
    struct comm *comm = &w->run->comm;
    return comm_broadcast(comm, 0, w->path, sizeof w->path) &&
           comm_broadcast(comm, 0, w->place.at, w->place.n * (int64_t)sizeof *w->place.at);
}

static bool measure(struct writing *w, struct io_error *error) {
    struct comm *comm = &w->run->comm;
    int64_t bytes = 0;
    const bool done = catalogue_measure(w->run->output, w->catalogue, &bytes, error);
    struct catalogue_rest rest;
    if (!done) {
        comm->error = *error;
        comm_fail(comm, CLI_FAULT);
    }
    if (!collect_rest(comm, bytes, &rest))
        return done && io_fail(error, "%s", comm->error.text);
    w->before = rest.before;
    return true;
}

static bool put(struct writing *w, struct io_error *error) {
    const char *path = w->run->output;
    const bool first = w->run->comm.rank == 0;
    const int descriptor =
        first ? fileno(w->output.stream) : open(w->path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return io_fail(error,
                       "rank %d cannot write its part of %s: %s; all ranks have to reach "
                       "its folder",
                       w->run->comm.rank, path, strerror(errno));
    const bool done = catalogue_put(path, descriptor, w->catalogue, &w->place, w->before,
                                    &w->check, error);
    if (!first && close(descriptor) != 0 && done)
        return io_fail(error, "cannot write %s: %s", path, strerror(errno));
    return done;
}

/* Where there are checksums, the first rank makes one of those of all. */
static bool seal(const struct writing *w) {
    struct comm *comm = &w->run->comm;
    if (!catalogue_is_checked(w->run->output))
        return true;
    struct catalogue_check *all =
        comm_allocate(comm, comm->size, sizeof *all, "checksums of the catalogue");
    const bool well = comm_share(comm, &w->check, sizeof w->check, all);
    if (well && comm->rank == 0 &&
        !catalogue_seal(w->run->output, fileno(w->output.stream), w->catalogue, &w->place,
                        all, comm->size, &comm->error))
        comm_fail(comm, CLI_FAULT);
    free(all);
    return well && comm->trouble == 0;
}

/* Its own failure, or that of another rank, which tells why. */
static int end(struct halos_run *run, bool done, const struct io_error *error) {
    if (done || run->comm.trouble)
        return done ? CLI_DONE : parallel_stop(&run->comm);
    return progress_fail(CLI_FAULT, "%s", error->text);
}

int halos_write_shared(struct halos_run *run, const struct catalogue *catalogue) {
    struct comm *comm = &run->comm;
    struct io_error error = {""};
    struct writing w = {.run = run, .catalogue = catalogue};
    bool done = catalogue_place_new(catalogue, &w.place, &error) &&
                (comm->rank > 0 || lay_out(&w, &error));
    int status = parallel_meet(comm, done ? CLI_DONE : end(run, false, &error));
    if (status == CLI_DONE && !tell_places(&w))
        status = parallel_stop(comm);
    if (status == CLI_DONE) {
        done = measure(&w, &error) && put(&w, &error);
        status = end(run, done, &error);
        if (done && !seal(&w))
            status = parallel_stop(comm);
        else if (done && run->members.place && !halos_members_finish(comm, &run->members))
            status = parallel_stop(comm);
        status = parallel_meet(comm, status);
    }
    if (w.open && !io_output_close(&w.output, status == CLI_DONE, &error) &&
        status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    catalogue_place_free(&w.place);
    return status;
}
