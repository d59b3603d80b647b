#include "timings.h"
#include "cli/outputs/outputs.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <weft/array.h>

static const char *const names[TIMINGS_STEPS] = {
    "read",  "upload", "fof",    "group", "properties", "centers", "so",    "subhalos",
    "write", "plot",   "dbscan", "sheet", "power",      "ics",     "links", "simulate",
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void timings_start(struct timings *timings) {
    *timings = (struct timings){.begin = now()};
    timings->mark = timings->begin;
}

void timings_end(struct timings *timings, enum timings_step step, int64_t bytes) {
    const double moment = now();
    timings->seconds[step] += moment - timings->mark;
    timings->bytes[step] += bytes;
    timings->mark = moment;
}

void timings_move(struct timings *timings, enum timings_step from, enum timings_step to,
                  double seconds) {
    timings->seconds[from] -= seconds;
    timings->seconds[to] += seconds;
}

void timings_add_center(struct timings *timings, const char *name, double seconds) {
    for (int k = 0; k < TIMINGS_KINDS; ++k) {
        if (timings->centers[k].name == NULL)
            timings->centers[k].name = name;
        if (timings->centers[k].name == name) {
            timings->centers[k].seconds += seconds;
            return;
        }
    }
}

/* Seconds since timings_start. */
static double total_seconds(const struct timings *timings) {
    return now() - timings->begin;
}

int64_t timings_peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
}

bool timings_gather(struct timings *timings, struct comm *comm) {
    struct timings_ranks *ranks = &timings->ranks;
    comm_end(comm, COMM_REST);
    int64_t most[2] = {0, timings_peak_memory()};
    ranks->peak = most[1];
    for (int k = 0; k < COMM_STAGES; ++k) {
        ranks->mean[k] = ranks->most[k] = comm->seconds[k];
        ranks->sent[k] = comm->sent[k];
        most[0] += comm->sent[k];
    }
    if (!comm_reduce_f64(comm, ranks->mean, COMM_STAGES, COMM_SUM) ||
        !comm_reduce_f64(comm, ranks->most, COMM_STAGES, COMM_MAX) ||
        !comm_reduce_i64(comm, ranks->sent, COMM_STAGES, COMM_SUM) ||
        !comm_reduce_i64(comm, &ranks->peak, 1, COMM_SUM) ||
        !comm_reduce_i64(comm, most, 2, COMM_MAX))
        return false;
    for (int k = 0; k < COMM_STAGES; ++k)
        ranks->mean[k] /= comm->size;
    ranks->count = comm->size;
    ranks->sent_most = most[0];
    ranks->peak_most = most[1];
    return true;
}

int64_t timings_sent(const struct timings *timings) {
    int64_t sent = 0;
    for (int k = 0; k < COMM_STAGES; ++k)
        sent += timings->ranks.sent[k];
    return sent;
}

static void add_ranks(cJSON *root, const struct timings_ranks *ranks) {
    static const char *const stages[COMM_STAGES] = {
        "start", "domains", "ghosts", "link", "merge", "gather", "rest",
    };
    cJSON *all = cJSON_AddObjectToObject(root, "ranks");
    cJSON_AddNumberToObject(all, "count", ranks->count);
    cJSON_AddNumberToObject(all, "sent_most", (double)ranks->sent_most);
    cJSON_AddNumberToObject(all, "peak_memory", (double)ranks->peak);
    cJSON_AddNumberToObject(all, "peak_memory_most", (double)ranks->peak_most);
    cJSON_AddNumberToObject(all, "together", (double)ranks->together);
    cJSON_AddNumberToObject(all, "finders", (double)ranks->finders);
    for (int k = 0; k < COMM_STAGES; ++k) {
        cJSON *stage = cJSON_AddObjectToObject(all, stages[k]);
        cJSON_AddNumberToObject(stage, "seconds", ranks->mean[k]);
        cJSON_AddNumberToObject(stage, "seconds_most", ranks->most[k]);
        cJSON_AddNumberToObject(stage, "sent", (double)ranks->sent[k]);
    }
}

void timings_note_device(struct timings *timings, const weft_device *device) {
    snprintf(timings->device.backend, sizeof timings->device.backend, "%s",
             weft_backend_name(device));
    snprintf(timings->device.name, sizeof timings->device.name, "%s",
             weft_device_name(device));
    timings->device.peak = (uint64_t)weft_memory_use(device).peak;
}

static void add_step(cJSON *steps, const char *name, double seconds, int64_t bytes) {
    cJSON *step = cJSON_AddObjectToObject(steps, name);
    cJSON_AddNumberToObject(step, "seconds", seconds);
    cJSON_AddNumberToObject(step, "bytes", (double)bytes);
}

static char *print(const struct timings *timings, const weft_device *device,
                   const char *command, int64_t n_particles) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", weft_version());
    cJSON_AddStringToObject(root, "command", command);
    cJSON_AddStringToObject(root, "backend",
                            device ? weft_backend_name(device) : timings->device.backend);
    cJSON_AddStringToObject(root, "device",
                            device ? weft_device_name(device) : timings->device.name);
    cJSON_AddNumberToObject(root, "n_particles", (double)n_particles);
    cJSON *steps = cJSON_AddObjectToObject(root, "steps");
    int64_t bytes = 0;
    for (int k = 0; k < TIMINGS_STEPS; ++k) {
        add_step(steps, names[k], timings->seconds[k], timings->bytes[k]);
        bytes += timings->bytes[k];
    }
    add_step(steps, "total", total_seconds(timings), bytes);
    cJSON *centers = cJSON_AddObjectToObject(root, "centers");
    for (int k = 0; k < TIMINGS_KINDS && timings->centers[k].name; ++k)
        cJSON_AddNumberToObject(centers, timings->centers[k].name,
                                timings->centers[k].seconds);
    cJSON *peak = cJSON_AddObjectToObject(root, "peak_memory");
    cJSON_AddNumberToObject(peak, "process", (double)timings_peak_memory());
    cJSON_AddNumberToObject(
        peak, "device",
        (double)(device ? weft_memory_use(device).peak : timings->device.peak));
    if (timings->ranks.count > 1)
        add_ranks(root, &timings->ranks);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

bool timings_write(const char *path, const struct timings *timings,
                   const weft_device *device, const char *command, int64_t n_particles,
                   struct io_error *error) {
    return outputs_write_json(path, print(timings, device, command, n_particles), "timings",
                              error);
}
