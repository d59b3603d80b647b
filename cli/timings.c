#include "timings.h"
#include "io/output.h"

#include <cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <weft/array.h>

static const char *const names[TIMINGS_STEPS] = {
    "read", "upload", "fof", "group", "properties", "centers", "write", "plot", "dbscan",
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

double timings_total(const struct timings *timings) {
    return now() - timings->begin;
}

int64_t timings_peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
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
    cJSON_AddStringToObject(root, "backend", weft_backend_name(device));
    cJSON_AddStringToObject(root, "device", weft_device_name(device));
    cJSON_AddNumberToObject(root, "n_particles", (double)n_particles);
    cJSON *steps = cJSON_AddObjectToObject(root, "steps");
    int64_t bytes = 0;
    for (int k = 0; k < TIMINGS_STEPS; ++k) {
        add_step(steps, names[k], timings->seconds[k], timings->bytes[k]);
        bytes += timings->bytes[k];
    }
    add_step(steps, "total", timings_total(timings), bytes);
    cJSON *centers = cJSON_AddObjectToObject(root, "centers");
    for (int k = 0; k < TIMINGS_KINDS && timings->centers[k].name; ++k)
        cJSON_AddNumberToObject(centers, timings->centers[k].name,
                                timings->centers[k].seconds);
    cJSON *peak = cJSON_AddObjectToObject(root, "peak_memory");
    cJSON_AddNumberToObject(peak, "process", (double)timings_peak_memory());
    cJSON_AddNumberToObject(peak, "device", (double)weft_memory_use(device).peak);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

bool timings_write(const char *path, const struct timings *timings,
                   const weft_device *device, const char *command, int64_t n_particles,
                   struct io_error *error) {
    struct io_output output;
    char *text = print(timings, device, command, n_particles);
    if (text == NULL)
        return io_fail(error, "out of memory: the timings for %s", path);
    bool done = io_output_open(&output, path, error);
    if (done) {
        done = fprintf(output.stream, "%s\n", text) >= 0 ||
               io_output_fail(&output, errno, error);
        done = io_output_close(&output, done, error);
    }
    cJSON_free(text);
    return done;
}
