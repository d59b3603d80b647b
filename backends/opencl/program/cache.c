/* Built programs on disk, and lists of them. A file is a header and the driver's binary, or
 * the keys of programs; it is written under a name of its own and renamed, so readers see
 * all of it or nothing. Whatever is wrong with a file or the folder is a miss, and the
 * program is built from its text. */
#define _POSIX_C_SOURCE 200809L
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct header {
    char magic[8];
    opencl_hash key, checksum;
    u64 size;
} header;

static const char magic[8] = "weftcl1";

static char *join(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *opencl_cache_folder(void) {
    const char *own = getenv("WEFT_CACHE_DIR");
    const char *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        return join(own, "");
    if (shared && *shared == '/')
        return join(shared, "weft/");
    return home && *home ? join(home, ".cache/weft/") : NULL;
}

/* Makes the folder and those above it, as far as they can be made. */
static void make_folder(char *folder) {
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0700);
        *slash = '/';
    }
}

static char *file_of(const opencl_state *state, opencl_hash key, const char *ending) {
    char name[48];
    snprintf(name, sizeof name, "%016llx%016llx.%s", (unsigned long long)key.word[0],
             (unsigned long long)key.word[1], ending);
    return join(state->cache, name);
}

/* What another user could have put there is not run. */
static int is_mine(const struct stat *about) {
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The checked contents of a cache file; NULL where there are none. */
static unsigned char *read_checked(const char *path, opencl_hash key, size_t *size) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    header h;
    struct stat about;
    unsigned char *bytes = NULL;
    if (fread(&h, sizeof h, 1, file) == 1 && memcmp(h.magic, magic, sizeof magic) == 0 &&
        memcmp(&h.key, &key, sizeof key) == 0 && h.size > 0 &&
        fstat(fileno(file), &about) == 0 && is_mine(&about) &&
        (u64)about.st_size == sizeof h + h.size)
        bytes = malloc(h.size);
    if (bytes && fread(bytes, 1, h.size, file) == h.size) {
        const opencl_hash sum = opencl_hash_bytes(key, bytes, h.size);
        *size = h.size;
        if (memcmp(&sum, &h.checksum, sizeof sum) == 0) {
            fclose(file);
            return bytes;
        }
    }
    free(bytes);
    fclose(file);
    return NULL;
}

cl_program opencl_cache_load(opencl_state *state, opencl_hash key) {
    char *path = state->cache ? file_of(state, key, "bin") : NULL;
    size_t size = 0;
    unsigned char *bytes = read_checked(path, key, &size);
    const unsigned char *binary = bytes;
    cl_program program = NULL;
    cl_int code = CL_INVALID_BINARY, status = CL_SUCCESS;
    if (binary)
        program = clCreateProgramWithBinary(state->context, 1, &state->id, &size, &binary,
                                            &status, &code);
    if (program &&
        (code != CL_SUCCESS || status != CL_SUCCESS ||
         clBuildProgram(program, 1, &state->id, NULL, NULL, NULL) != CL_SUCCESS)) {
        clReleaseProgram(program);
        program = NULL;
    }
    free(bytes);
    free(path);
    return program;
}

static int write_all(int file, const void *bytes, size_t size) {
    const char *p = bytes;
    while (size > 0) {
        const ssize_t written = write(file, p, size);
        if (written <= 0)
            return 0;
        p += written;
        size -= (size_t)written;
    }
    return 1;
}

/* Writes `bytes`, NULL: there are none, after their header, and gives the file its name. */
static void end_file(const opencl_state *state, int file, const char *part, opencl_hash key,
                     const char *ending, const void *bytes, size_t size) {
    header h = {.key = key, .size = size};
    char *path = bytes ? file_of(state, key, ending) : NULL;
    memcpy(h.magic, magic, sizeof magic);
    if (path)
        h.checksum = opencl_hash_bytes(key, bytes, size);
    const int whole = path && write_all(file, &h, sizeof h) && write_all(file, bytes, size);
    if (close(file) != 0 || !whole || rename(part, path) != 0)
        unlink(part);
    free(path);
}

/* A file of a name of its own; below 0: there is none. */
static int begin_file(opencl_state *state, char **part) {
    *part = NULL;
    if (!state->cache)
        return -1;
    make_folder(state->cache);
    *part = join(state->cache, "part-XXXXXX");
    return *part ? mkstemp(*part) : -1;
}

/* The driver's binary; NULL: there is none. */
static unsigned char *binary_of(cl_program program, size_t *size) {
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) !=
            CL_SUCCESS ||
        *size == 0)
        return NULL;
    unsigned char *bytes = malloc(*size);
    if (bytes && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes,
                                  NULL) != CL_SUCCESS) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

/* Some drivers compile all kernels once more for a binary (PoCL takes as long for it as for
 * running them), so it is asked for once there is a file to write it to. */
void opencl_cache_save(opencl_state *state, opencl_hash key, cl_program program) {
    char *part;
    const int file = begin_file(state, &part);
    if (file >= 0) {
        size_t size = 0;
        unsigned char *bytes = binary_of(program, &size);
        end_file(state, file, part, key, "bin", bytes, size);
        free(bytes);
    }
    free(part);
}

size_t opencl_cache_list(const opencl_state *state, opencl_hash key, opencl_hash *list,
                         size_t most) {
    char *path = state->cache ? file_of(state, key, "list") : NULL;
    size_t size = 0;
    unsigned char *bytes = read_checked(path, key, &size);
    const size_t count = bytes && size <= most * sizeof *list ? size / sizeof *list : 0;
    if (count > 0)
        memcpy(list, bytes, count * sizeof *list);
    free(bytes);
    free(path);
    return count;
}

void opencl_cache_save_list(opencl_state *state, opencl_hash key, const opencl_hash *list,
                            size_t count) {
    char *part;
    const int file = begin_file(state, &part);
    if (file >= 0)
        end_file(state, file, part, key, "list", list, count * sizeof *list);
    free(part);
}
