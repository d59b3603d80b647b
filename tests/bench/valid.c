/* usage: valid FILE.json LOG2_N RUNS
 * That a report of weft-bench is JSON, has the keys that others rely on, and that every row
 * in it is right. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(int good, const char *what, const cJSON *row) {
    if (good)
        return;
    char *text = cJSON_PrintUnformatted(row);
    fprintf(stderr, "%s: %s\n", what, text ? text : "?");
    cJSON_free(text);
    failures++;
}

static const char *const texts[] = {"suite", "name", "types", "by", "backend"};
static const char *const numbers[] = {
    "n",      "threads",   "seconds", "fastest_seconds", "slowest_seconds",
    "spread", "slow_runs", "bytes",   "setup_seconds",   "runs"};

static void check_row(const cJSON *row, double n, int runs) {
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
        expect(cJSON_IsString(cJSON_GetObjectItem(row, texts[k])), texts[k], row);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        expect(cJSON_IsNumber(cJSON_GetObjectItem(row, numbers[k])), numbers[k], row);
    if (failures)
        return;
    expect(cJSON_IsTrue(cJSON_GetObjectItem(row, "verified")), "verified", row);
    expect(cJSON_GetObjectItem(row, "seconds")->valuedouble > 0, "seconds", row);
    expect(cJSON_GetObjectItem(row, "bytes")->valuedouble > 0, "bytes", row);
    if (strcmp(cJSON_GetObjectItem(row, "by")->valuestring, "weft") == 0)
        expect(cJSON_GetObjectItem(row, "runs")->valueint == runs, "runs", row);
    if (strcmp(cJSON_GetObjectItem(row, "suite")->valuestring, "primitives") == 0)
        expect(cJSON_GetObjectItem(row, "n")->valuedouble == n, "n", row);
}

int main(int argc, char **argv) {
    static char text[1 << 20];
    FILE *file = argc == 4 ? fopen(argv[1], "r") : NULL;
    if (file == NULL)
        return 2;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    cJSON *report = cJSON_ParseWithLength(text, length);
    expect(cJSON_IsObject(cJSON_GetObjectItem(report, "machine")), "machine", report);
    expect(cJSON_IsNumber(cJSON_GetObjectItem(report, "copy_gbps")), "copy_gbps", report);
    const cJSON *rows = cJSON_GetObjectItem(report, "rows"), *row;
    const double n = (double)((long long)1 << atoi(argv[2]));
    cJSON_ArrayForEach(row, rows) check_row(row, n, atoi(argv[3]));
    printf("%d rows\n", cJSON_GetArraySize(rows));
    expect(cJSON_GetArraySize(rows) > 0, "rows", report);
    cJSON_Delete(report);
    return failures > 0;
}
