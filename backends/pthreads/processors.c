#define _GNU_SOURCE
#include "processors.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, TEXT = 65536 };

/* Reads a file as text, as far as there is room; 0: there is none. */
static int read_text(const char *path, char *text, size_t room) {
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    const size_t length = fread(text, 1, room - 1, file);
    text[length] = '\0';
    fclose(file);
    return length > 0;
}

/* A number above 0, or 0; `end`: what follows it. */
static long long positive(const char *text, char **end) {
    const long long number = strtoll(text, end, 10);
    return *end != text && number > 0 ? number : 0;
}

static i64 whole(long long quota, long long period) {
    return quota > 0 && period > 0 ? (i64)(quota / period + (quota % period > 0)) : 0;
}

/* Version 2: "QUOTA PERIOD" or "max PERIOD". */
static i64 quota_of_one_file(const char *folder) {
    char path[PATH + 32], text[128], *end;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (!read_text(path, text, sizeof text))
        return 0;
    const long long quota = positive(text, &end);
    return whole(quota, quota ? positive(end, &end) : 0);
}

/* Version 1; a quota of -1 is none. */
static i64 quota_of_two_files(const char *folder) {
    char path[PATH + 32], quota[128], period[128], *end;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!read_text(path, quota, sizeof quota))
        return 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (!read_text(path, period, sizeof period))
        return 0;
    return whole(positive(quota, &end), positive(period, &end));
}

static i64 smaller(i64 a, i64 b) {
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The smallest quota from a group up to the root of its hierarchy. */
static i64 quota_upwards(const char *mount, const char *group,
                         i64 quota_of(const char *folder)) {
    char folder[PATH];
    const int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || length >= PATH)
        return 0;
    i64 quota = 0;
    for (char *end = folder + length; end;) {
        *end = '\0';
        quota = smaller(quota, quota_of(folder));
        char *slash = strrchr(folder, '/');
        end = slash && slash >= folder + strlen(mount) ? slash : NULL;
    }
    return quota;
}

/* Whether a word is in a list that commas separate. */
static int lists(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return 1;
    return 0;
}

/* Copies one line, and returns where the next begins; NULL: there was none. */
static const char *next_line(const char *text, char *line, size_t room) {
    if (!*text)
        return NULL;
    const size_t length = strcspn(text, "\n");
    snprintf(line, room, "%.*s", (int)(length < room ? length : room - 1), text);
    return text + length + (text[length] == '\n');
}

/* Where a hierarchy is mounted: cgroup2, or the cgroup with the controller cpu. `root`:
 * which of its groups lies there. In a line: "ID PARENT DEVICE ROOT POINT ... - TYPE SOURCE
 * OPTIONS". */
static int find_mount(const char *mounts, int version, char root[PATH], char point[PATH]) {
    char line[2 * PATH];
    while ((mounts = next_line(mounts, line, sizeof line)) != NULL) {
        char type[32], options[PATH];
        const char *rest = strstr(line, " - ");
        if (!rest || sscanf(rest, " - %31s %*s %4095s", type, options) != 2 ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) != 2)
            continue;
        if (version == 2 ? strcmp(type, "cgroup2") == 0
                         : strcmp(type, "cgroup") == 0 && lists(options, "cpu"))
            return 1;
    }
    return 0;
}

/* In a container the group's path may begin above what is mounted, or lie outside of it. */
static const char *below(const char *group, const char *root) {
    const size_t length = strlen(root);
    if (strncmp(group, "/..", 3) == 0)
        return "";
    if (strcmp(root, "/") == 0)
        return group;
    return strncmp(group, root, length) == 0 && (group[length] == '/' || !group[length])
               ? group + length
               : "";
}

i64 processors_quota(const char *groups, const char *mounts, const char *root) {
    char line[2 * PATH], top[PATH], point[PATH], mount[2 * PATH];
    i64 quota = 0;
    while ((groups = next_line(groups, line, sizeof line)) != NULL) {
        char *controllers = strchr(line, ':'); /* "NUMBER:CONTROLLERS:PATH" */
        char *group = controllers ? strchr(++controllers, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        const int version = *controllers ? 1 : 2;
        if ((version == 1 && !lists(controllers, "cpu")) ||
            !find_mount(mounts, version, top, point))
            continue;
        snprintf(mount, sizeof mount, "%s%s", root, point);
        quota = smaller(
            quota, quota_upwards(mount, below(group, top),
                                 version == 2 ? quota_of_one_file : quota_of_two_files));
    }
    return quota;
}

static i64 allowed(void) {
    cpu_set_t sets[8]; /* 8192 processors, Linux's largest number */
    if (sched_getaffinity(0, sizeof sets, sets) == 0)
        return CPU_COUNT_S(sizeof sets, sets);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? online : 1;
}

i64 team_processors(void) {
    char *groups = malloc(TEXT), *mounts = malloc(TEXT);
    i64 count = allowed();
    if (groups && mounts && read_text("/proc/self/cgroup", groups, TEXT) &&
        read_text("/proc/self/mountinfo", mounts, TEXT))
        count = smaller(count, processors_quota(groups, mounts, ""));
    free(groups);
    free(mounts);
    return count;
}
