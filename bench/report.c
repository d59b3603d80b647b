#include "report.h"
#include "json.h"
#include "machine.h"

#include "io/files/output.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_BANDWIDTHS = 256 };

struct report {
    bool table;
    int n_results, room, n_bandwidths;
    struct result *results;
    double copy[MOST_BANDWIDTHS], read[MOST_BANDWIDTHS];
};

struct report *report_new(const struct bench *bench, bool table) {
    struct report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return NULL;
    report->table = table;
    if (table)
        printf("%s · %s · %d at once\n%-24s %-8s %12s %-11s %10s %8s %8s %6s %6s %9s\n",
               weft_backend_name(bench->device), weft_device_name(bench->device),
               bench->threads, "row", "types", "n", "by", "ms", "Gitem/s", "GB/s", "copy",
               "spread", "setup s");
    return report;
}

void report_bandwidth(struct report *report, double copy, double read) {
    if (report->n_bandwidths == MOST_BANDWIDTHS)
        return;
    report->copy[report->n_bandwidths] = copy;
    report->read[report->n_bandwidths++] = read;
}

static const char *verdict_of(const struct result *result) {
    return !result->checked ? "  unchecked" : result->verified ? "" : "  WRONG";
}

static void print_row(const struct result *result) {
    const struct timing *timing = &result->timing;
    printf("%-24s %-8s %12" PRId64 " %-11s %10.4f %8.3f %8.1f %6.2f %6.2f %9.3f%s",
           result->name, result->types, result->n, result->by, 1e3 * timing->median,
           1e-9 * (double)result->n / timing->median,
           1e-9 * (double)result->bytes / timing->median, result->copy.wall, timing->spread,
           timing->first - timing->median, verdict_of(result));
    if (result->bytes_a_particle >= 0)
        printf("  %.1f bytes a particle", result->bytes_a_particle);
    if (result->pairs > 0)
        printf("  %.2f Gpairs/s", 1e-9 * result->pairs / timing->median);
    if (result->error > 0)
        printf("  error %.1e", result->error);
    if (result->cells > 0)
        printf("  %.3f M/s of %.1f cells", 1e-6 * (double)result->n / timing->median,
               result->cells);
    putchar('\n');
    fflush(stdout);
}

bool report_add(struct report *report, const struct result *result) {
    if (report->n_results == report->room) {
        report->room = 2 * report->room + 32;
        struct result *more = realloc(report->results, (size_t)report->room * sizeof *more);
        if (more == NULL) {
            fputs("weft-bench: out of memory\n", stderr);
            return false;
        }
        report->results = more;
    }
    report->results[report->n_results++] = *result;
    if (report->table)
        print_row(result);
    return true;
}

static void write_row(FILE *stream, const struct result *result) {
    const struct {
        const char *key, *text;
    } texts[] = {{"suite", result->suite},
                 {"name", result->name},
                 {"types", result->types},
                 {"by", result->by},
                 {"backend", result->backend}};
    fputs("    {", stream);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        json_member(stream, texts[k].key, texts[k].text);
        fputs(", ", stream);
    }
    const struct timing *timing = &result->timing;
    const struct {
        const char *key;
        double number;
        bool optional;
    } numbers[] = {
        {"n", (double)result->n, false},
        {"threads", result->threads, false},
        {"seconds", timing->median, false},
        {"fastest_seconds", timing->fastest, false},
        {"slowest_seconds", timing->slowest, false},
        {"processor_seconds", timing->processor, false},
        {"spread", timing->spread, false},
        {"runs", timing->runs, false},
        {"slow_runs", timing->slow_runs, false},
        {"bytes", (double)result->bytes, false},
        {"setup_seconds", timing->first - timing->median, false},
        {"copy_share", result->copy.wall, false},
        {"processor_copy_share", result->copy.processor, false},
        {"read_share", result->read.wall, true},
        {"processor_read_share", result->read.processor, true},
        {"pairs", result->pairs, true},
        {"cells", result->cells, true},
        {"error", result->error, true},
        {"peak_bytes_a_particle", result->bytes_a_particle, true},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        if (numbers[k].optional && numbers[k].number <= 0)
            continue;
        json_number(stream, numbers[k].key, numbers[k].number);
        fputs(", ", stream);
    }
    fprintf(stream, "\"verified\": %s}",
            !result->checked   ? "null"
            : result->verified ? "true"
                               : "false");
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int count) {
    double sorted[MOST_BANDWIDTHS];
    if (count == 0)
        return NAN;
    for (int k = 0; k < count; ++k)
        sorted[k] = values[k];
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return sorted[count / 2];
}

static void write_all(FILE *stream, const struct report *report,
                      const struct bench *bench) {
    fputs("{\n  \"machine\": ", stream);
    machine_write(stream, bench);
    fputs(",\n  ", stream);
    json_number(stream, "copy_gbps", 1e-9 * median(report->copy, report->n_bandwidths));
    fputs(",\n  ", stream);
    json_number(stream, "read_gbps", 1e-9 * median(report->read, report->n_bandwidths));
    fputs(",\n  \"rows\": [\n", stream);
    for (int k = 0; k < report->n_results; ++k) {
        write_row(stream, &report->results[k]);
        fputs(k + 1 < report->n_results ? ",\n" : "\n", stream);
    }
    fputs("  ]\n}\n", stream);
}

bool report_write(const struct report *report, const struct bench *bench,
                  const char *path) {
    if (path[0] == '-' && path[1] == '\0') {
        write_all(stdout, report, bench);
        return true; /* what standard output could not hold is told at the end */
    }
    struct io_output output;
    struct io_error error;
    bool good = io_output_open(&output, path, &error);
    if (good) {
        write_all(output.stream, report, bench);
        if (ferror(output.stream))
            good = io_output_fail(&output, errno, &error);
        good = io_output_close(&output, good, &error);
    }
    if (!good)
        fprintf(stderr, "weft-bench: %s\n", error.text);
    return good;
}

void report_free(struct report *report) {
    if (report == NULL)
        return;
    free(report->results);
    free(report);
}
