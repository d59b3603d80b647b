#include "machine.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The rest of the first line of a file that begins with `key`, after ": "; "" for none. */
static void look_up(const char *path, const char *key, char *text, size_t room) {
    text[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *colon = *key ? strchr(line, ':') : NULL;
        snprintf(text, room, "%s", colon ? colon + 2 : line);
        break;
    }
    fclose(file);
}

static void file_member(FILE *stream, const char *name, const char *path, const char *key) {
    char text[256];
    look_up(path, key, text, sizeof text);
    json_member(stream, name, text);
    fputs(", ", stream);
}

void machine_write(FILE *stream, const struct bench *bench) {
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    struct utsname system = {0};
    uname(&system);
    double load = 0;
    getloadavg(&load, 1);

    fputs("{", stream);
    file_member(stream, "processor", "/proc/cpuinfo", "model name");
    file_member(stream, "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled", "");
    json_member(stream, "system", system.sysname);
    fputs(", ", stream);
    json_member(stream, "kernel", system.release);
    fputs(", ", stream);
    json_number(stream, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN));
    fputs(", ", stream);
    json_number(stream, "memory_bytes",
                (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
    fputs(", ", stream);
    json_number(stream, "load", load);
    fputs(", ", stream);
    json_member(stream, "backend", weft_backend_name(bench->device));
    fputs(", ", stream);
    json_member(stream, "device", weft_device_name(bench->device));
    fputs(", ", stream);
    json_member(stream, "weft", weft_version());
    fputs(", ", stream);
    json_member(stream, "compiler", __VERSION__);
    fputs(", ", stream);
    json_member(stream, "date", date);
    fputs(", \"peers\": {", stream);
    for (int k = 0; k < bench->n_peers; ++k) {
        if (k > 0)
            fputs(", ", stream);
        json_member(stream, bench->peers[k]->name, bench->peers[k]->describe());
    }
    fputs("}}", stream);
}
