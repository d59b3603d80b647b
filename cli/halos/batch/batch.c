#include "batch.h"
#include "again.h"
#include "cli/command.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "io/files/standard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The sentence of the rank that failed, on all. */
static char *share_failure(struct comm *comm, int culprit) {
    enum { LONGEST = 8192 };
    char text[LONGEST] = "";
    if (comm->rank == culprit)
        snprintf(text, sizeof text, "%s", progress_failure());
    comm_broadcast(comm, culprit, text, sizeof text);
    return strdup(text);
}

/* The next snapshot takes the device, unless it failed or still holds something. */
static void leave_device(struct halos_batch *batch, struct halos_run *run) {
    weft_device *device = run->device;
    const bool fresh =
        device && weft_check(device) == WEFT_OK && weft_memory_use(device).used == 0;
    if (device && !fresh)
        weft_close(device);
    batch->device = fresh ? device : NULL;
    if (run->closing.device)
        batch->closing = run->closing;
    batch->threads = run->comm.threads;
}

/* With this limit of the device's memory; 0: none. */
static int run_with(struct halos_batch *batch, const struct batch_result *result,
                    int64_t limit, struct halos_run *run) {
    *run = (struct halos_run){.options = batch->options,
                              .command = batch->command,
                              .device = batch->device,
                              .is_last = result + 1 == batch->result + batch->n};
    run->options.snapshot = result->file;
    run->options.memory_limit = limit;
    comm_open(&run->comm);
    progress_hold(); /* it may begin again */
    if (batch->device) {
        run->comm.threads = batch->threads;
        weft_memory_reset_peak(batch->device);
    }
    timings_start(&run->timings);
    return parallel_meet(&run->comm, halos_run_steps(run));
}

static void end_run(struct halos_batch *batch, struct halos_run *run) {
    halos_release(run);
    leave_device(batch, run);
}

static int run_one(struct halos_batch *batch, struct batch_result *result) {
    struct halos_run run;
    const double begin = now();
    int64_t limit = batch->options.memory_limit;
    int status = run_with(batch, result, limit, &run);
    while (status != CLI_DONE && again_in_pieces(&batch->comm, &run, &limit)) {
        end_run(batch, &run);
        closing_end(&batch->closing);
        status = run_with(batch, result, limit, &run);
    }
    if (status != CLI_DONE) {
        result->message = share_failure(&batch->comm, run.comm.culprit);
        comm_broadcast(&batch->comm, run.comm.culprit, &run.no_device,
                       sizeof run.no_device);
        batch->no_device = run.no_device;
        if (run.comm.culprit == run.comm.rank)
            progress_tell();
        else
            progress_hold(); /* what it says itself is what followed */
    }
    result->status = status != CLI_DONE ? BATCH_FAILED
                     : run.skipped      ? BATCH_SKIPPED
                                        : BATCH_DONE;
    result->output = run.output ? strdup(run.output) : NULL;
    result->particles = run.info.n;
    result->halos = run.rest.before + run.n_halos + run.rest.after;
    if (run.skipped && !batch->options.shared.quiet && batch->comm.rank == 0)
        printf("%s: %s is there\n", result->file, run.output);
    end_run(batch, &run);
    fflush(stdout);
    result->seconds = now() - begin;
    return status;
}

static int count(const struct halos_batch *batch, enum batch_status status) {
    int counted = 0;
    for (int k = 0; k < batch->n; ++k)
        counted += batch->result[k].status == status;
    return counted;
}

/* Names of the first few that failed. */
static void list_failed(const struct halos_batch *batch, char *text, size_t room) {
    enum { NAMED = 5 };
    size_t length = 0;
    int named = 0;
    for (int k = 0; k < batch->n && length < room; ++k) {
        if (batch->result[k].status != BATCH_FAILED)
            continue;
        length +=
            (size_t)snprintf(text + length, room - length, "%s%s", named > 0 ? ", " : "",
                             named < NAMED ? batch->result[k].file : "...");
        if (named++ == NAMED)
            break;
    }
}

/* The last line; and the exit status of several snapshots. */
static int conclude(const struct halos_batch *batch) {
    const int done = count(batch, BATCH_DONE), skipped = count(batch, BATCH_SKIPPED);
    const int failed = count(batch, BATCH_FAILED);
    char names[4096];
    if (batch->comm.rank == 0 && !batch->options.shared.quiet)
        printf("%d snapshots: %d done, %d skipped, %d failed\n", batch->n, done, skipped,
               failed);
    fflush(stdout);
    if (failed == 0)
        return CLI_DONE;
    list_failed(batch, names, sizeof names);
    return progress_fail(CLI_FAULT, "%d of %d snapshots failed: %s", failed, batch->n,
                         names);
}

/* The other ranks need not look at the files. */
static bool share_plan(struct halos_batch *batch, struct comm *comm) {
    if (!comm_broadcast(comm, 0, &batch->n, sizeof batch->n))
        return false;
    int *place = comm_allocate(comm, batch->n, sizeof *place, "the list of snapshots");
    char **files = batch->options.snapshots;
    if (batch->result == NULL)
        batch->result =
            comm_allocate(comm, batch->n, sizeof *batch->result, "the list of snapshots");
    for (int k = 0, at = 0; place && comm->rank == 0 && k < batch->n; ++k) {
        while (files[at] != batch->result[k].file)
            ++at;
        place[k] = at;
    }
    const bool well = comm_broadcast(comm, 0, place, batch->n * (int64_t)sizeof *place);
    for (int k = 0; well && k < batch->n; ++k)
        batch->result[k] = (struct batch_result){.file = files[place[k]]};
    free(place);
    return well;
}

static int run_all(void *context, struct comm *comm) {
    struct halos_batch *batch = context;
    struct io_error error;
    int status = CLI_DONE;
    if (batch->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    if (comm->rank == 0)
        status = batch_plan(batch);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && !share_plan(batch, comm))
        status = parallel_stop(comm);
    if (status != CLI_DONE)
        return status;
    for (int k = 0; k < batch->n && status == CLI_DONE; ++k) {
        if (batch->n > 1)
            progress_number(k + 1, batch->n);
        const int failure = run_one(batch, &batch->result[k]);
        if (batch->n == 1 || batch->no_device)
            status = failure;
    }
    if (comm->rank == 0 && batch->options.summary && !batch_write_summary(batch, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    return status == CLI_DONE && batch->n > 1 ? conclude(batch) : status;
}

static void release(struct halos_batch *batch) {
    weft_close(batch->device);
    closing_end(&batch->closing);
    for (int k = 0; batch->result && k < batch->n; ++k) {
        free(batch->result[k].output);
        free(batch->result[k].message);
    }
    free(batch->result);
    free(batch->command);
}

int command_halos(int argc, char **argv) {
    struct halos_batch batch = {.command = options_join(argc, argv)};
    halos_options_parse(&batch.options, argc, argv);
    bool read_input = false;
    for (int k = 0; k < batch.options.n_snapshots; ++k)
        read_input = read_input || standard_is(batch.options.snapshots[k]);
    const int status = parallel_run(argv[0], &batch.options.shared, read_input, &batch.comm,
                                    run_all, &batch);
    if (batch.closing.device)
        comm_close(); /* takes a while, too */
    release(&batch);
    return status;
}
