/* Snapshots, for Python: what is in them, their particles, other formats. */
#include "glue.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "io/convert/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int (*step)(const char *line);
    void (*note)(const char *sentence);
} heard;

static bool hear_step(const char *line) {
    return heard.step(line) != 0;
}

static void hear_note(const char *sentence) {
    heard.note(sentence);
}

const char *weft_python_message(void) {
    return progress_failure();
}

void weft_python_listen(int (*step)(const char *line), void (*note)(const char *sentence)) {
    static const struct progress_listener listener = {.step = hear_step, .note = hear_note};
    progress_start("weft", true);
    progress_hold();
    heard.step = step;
    heard.note = note;
    progress_listen(step ? &listener : NULL);
}

static void describe(const struct snapshot_info *info, struct weft_python_snapshot *out) {
    snprintf(out->format, sizeof out->format, "%s", info->format);
    memcpy(out->length_unit, info->length_unit, sizeof out->length_unit);
    memcpy(out->mass_unit, info->mass_unit, sizeof out->mass_unit);
    memcpy(out->count, info->count, sizeof out->count);
    memcpy(out->box, info->box, sizeof out->box);
    out->n = info->n;
    out->parts = info->n_parts;
    out->mass = info->mass;
    out->redshift = info->redshift;
    out->scale_factor = info->scale_factor;
    out->h = info->cosmology.h;
    out->omega_matter = info->cosmology.omega_matter;
    out->omega_lambda = info->cosmology.omega_lambda;
    out->omega_baryon = info->cosmology.omega_baryon;
    for (int axis = 0; axis < 3; ++axis)
        out->periodic[axis] = info->periodic[axis];
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        out->bytes[f] = info->bytes[f];
}

static int read_fields(struct snapshot *snapshot, unsigned fields,
                       struct weft_python_snapshot *out) {
    struct snapshot_particles particles;
    struct io_error error;
    snapshot_tell(snapshot, progress_part);
    if (!snapshot_read(snapshot, fields, &particles, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    if (particles.ids_from == SNAPSHOT_IDS_INDEX) {
        free(particles.field[SNAPSHOT_IDS]);
        particles.field[SNAPSHOT_IDS] = NULL;
    }
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        out->field[f] = particles.field[f];
        if (particles.field[f])
            out->bytes[f] = particles.bytes[f];
    }
    memcpy(out->ids_note, particles.ids_note, sizeof out->ids_note);
    return CLI_DONE;
}

int weft_python_read(const char *path, int type, unsigned fields, int verify,
                     struct weft_python_snapshot *out) {
    struct io_error error;
    int status = CLI_DONE;
    *out = (struct weft_python_snapshot){0};
    struct snapshot *snapshot = type == 1
                                    ? snapshot_open(path, &error)
                                    : snapshot_open_type(path, type, SNAPSHOT_ALL, &error);
    if (snapshot == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    describe(snapshot_info(snapshot), out);
    struct snapshot_contents contents = {0};
    if (verify && !snapshot_list(snapshot, &contents, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    free(contents.arrays);
    if (status == CLI_DONE && fields)
        status = read_fields(snapshot, fields, out);
    snapshot_close(snapshot);
    return status;
}

void weft_python_free(struct weft_python_snapshot *snapshot) {
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        free(snapshot->field[f]);
}

int weft_python_convert(const char *in, const char *out, const char *format, int bytes) {
    struct io_error error;
    char losses[CONVERT_LOSSES];
    struct convert_options options = {.bytes = bytes};
    options.format = format ? convert_named(format) : convert_by_path(out);
    if (options.format == CONVERT_FORMATS && format)
        return progress_fail(CLI_USAGE, "format: there is no format '%s'", format);
    if (options.format == CONVERT_FORMATS)
        return progress_fail(CLI_USAGE, "the name '%s' tells no format: give format", out);
    if (options.format == CONVERT_F32 && bytes == 8)
        return progress_fail(CLI_USAGE, "precision: f32 holds no f8");
    struct snapshot *snapshot = snapshot_open(in, &error);
    if (snapshot == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    int status = CLI_DONE;
    if (snapshot_has_part(snapshot, out))
        status = progress_fail(CLI_USAGE, "%s is the input: it is not written over", out);
    else if (!convert_write(out, snapshot, &options, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    convert_losses(snapshot, &options, losses);
    if (status == CLI_DONE && losses[0] != '\0')
        progress_note("%s does not hold: %s", out, losses);
    snapshot_close(snapshot);
    return status;
}
