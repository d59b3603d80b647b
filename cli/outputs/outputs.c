#include "outputs.h"
#include "cli/command.h"
#include "io/files/output.h"
#include "io/labels.h"
#include "io/files/path.h"
#include "io/files/standard.h"
#include "io/files/visible.h"
#include "cli/progress.h"

#include <cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *outputs_shown(const char *path) {
    static char text[2][4 * PATH_MAX + 1]; /* each byte as \xNN */
    static int turn;
    turn = 1 - turn;
    return visible(path, text[turn], sizeof text[turn]);
}

int outputs_refuse_input(const char *path) {
    return progress_fail(CLI_USAGE, "%s is the input: it is not written over", path);
}

bool outputs_named(const char *option, const char *path, const char *format,
                   struct io_error *error) {
    static const struct {
        const char *ending, *format;
    } known[] = {{".hdf5", "HDF5"},     {".h5", "HDF5"},       {".csv", "CSV"},
                 {".txt", "CSV"},       {".npy", "NumPy"},     {".png", "PNG"},
                 {".pdf", "PDF"},       {".svg", "SVG"},       {".json", "JSON"},
                 {".f32", "f32"},       {".gio", "GenericIO"}, {".jpg", "JPEG"},
                 {".jpeg", "JPEG"},     {".gif", "GIF"},       {".eps", "EPS"},
                 {".ps", "PostScript"}, {".tif", "TIFF"},      {".tiff", "TIFF"}};
    for (size_t k = 0; path && k < sizeof known / sizeof *known; ++k)
        if (io_ends_in(path, known[k].ending) && strcmp(known[k].format, format) != 0)
            return io_fail(error, "%s: '%s' would be %s, not what %s tells", option, path,
                           format, known[k].ending);
    return true;
}

bool outputs_picture_named(const char *option, const char *path, struct io_error *error) {
    const bool pdf = path && io_ends_in(path, ".pdf"),
               svg = path && io_ends_in(path, ".svg");
    return outputs_named(option, path, pdf ? "PDF" : svg ? "SVG" : "PNG", error);
}

bool outputs_labels_named(const char *option, const char *path, struct io_error *error) {
    static const char *const formats[] = {
        [LABELS_RAW] = "raw int64", [LABELS_NPY] = "NumPy", [LABELS_TEXT] = "CSV"};
    return path == NULL ||
           outputs_named(option, path, formats[labels_form_of(path)], error);
}

static int check_file(const char *path) {
    struct stat status;
    struct io_output output;
    struct io_error error;
    /* Opening a pipe tells its reader that something comes. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return CLI_DONE;
    if (!io_output_open(&output, path, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    io_output_close(&output, false, &error);
    return CLI_DONE;
}

/* Devices and pipes may well be named twice. */
static bool is_same(const char *a, const char *b) {
    struct stat status;
    const bool is_file = stat(a, &status) != 0 || S_ISREG(status.st_mode);
    return is_file && (strcmp(a, b) == 0 || io_same_output(a, b));
}

bool outputs_take_stdout(const char *const *paths, int count) {
    bool taken = false;
    for (int k = 0; k < count; ++k)
        taken = taken || (paths[k] && standard_is(paths[k]));
    return taken;
}

int outputs_check(const char *const *paths, int count) {
    for (int k = 0; k < count; ++k) {
        for (int j = 0; paths[k] && j < k; ++j) {
            if (paths[j] && is_same(paths[j], paths[k]))
                return progress_fail(CLI_USAGE, "%s is named for two outputs", paths[k]);
        }
    }
    int status = CLI_DONE;
    for (int k = 0; k < count && status == CLI_DONE; ++k) {
        if (paths[k])
            status = check_file(paths[k]);
    }
    return status;
}

bool outputs_write_json(const char *path, char *text, const char *what,
                        struct io_error *error) {
    struct io_output output;
    if (text == NULL)
        return io_fail(error, "out of memory: the %s for %s", what, path);
    bool done = io_output_open(&output, path, error);
    if (done) {
        done = fprintf(output.stream, "%s\n", text) >= 0 ||
               io_output_fail(&output, errno, error);
        done = io_output_close(&output, done, error);
    }
    cJSON_free(text);
    return done;
}
