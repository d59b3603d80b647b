#include "convert.h"

#include "io/particles.h"
#include "split.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Redshifts of 0 are often 1e-16 or so, which is no reason to touch a velocity. */
static const double SAME = 1e-12;

/* What a format can hold beside positions. */
struct target {
    const char *name, *about; /* about: where the name does not say it */
    particles_writer *write;
    const char *endings[3];
    bool fields, box, redshift, cosmology, units; /* fields: velocities, masses, ids */
    bool others;                                  /* arrays beside the fields */
    bool gadget; /* velocities over sqrt(a), and a mass table */
    int bytes;   /* of a number where nothing is asked; 0: as it is */
};

static const struct target targets[CONVERT_FORMATS] = {
    [CONVERT_HDF5] = {.name = "hdf5",
                      .write = hdf5_write_particles,
                      .endings = {".hdf5", ".h5"},
                      .fields = true,
                      .box = true,
                      .redshift = true,
                      .cosmology = true,
                      .units = true,
                      .others = true,
                      .gadget = true},
    [CONVERT_SWIFT] = {.name = "swift",
                       .about = " (HDF5 as swiftsimio reads it)",
                       .write = hdf5_write_swift,
                       .fields = true,
                       .box = true,
                       .redshift = true,
                       .cosmology = true,
                       .units = true,
                       .others = true},
    [CONVERT_GENERICIO] = {.name = "genericio",
                           .write = genericio_write_particles,
                           .endings = {".gio", ".genericio"},
                           .fields = true,
                           .box = true,
                           .others = true},
    [CONVERT_GADGET1] = {.name = "gadget1",
                         .about = " (Gadget-2 binary, format 1)",
                         .write = gadget1_write_particles,
                         .endings = {".gadget1"},
                         .fields = true,
                         .box = true,
                         .redshift = true,
                         .cosmology = true,
                         .gadget = true,
                         .bytes = 4},
    [CONVERT_GADGET2] = {.name = "gadget2",
                         .about = " (format 2)",
                         .write = gadget2_write_particles,
                         .endings = {".gadget2", ".gadget"},
                         .fields = true,
                         .box = true,
                         .redshift = true,
                         .cosmology = true,
                         .gadget = true,
                         .bytes = 4},
    [CONVERT_NPY] = {.name = "npy", .write = npy_write_particles, .endings = {".npy"}},
    [CONVERT_TEXT] = {.name = "csv",
                      .write = text_write_particles,
                      .endings = {".csv", ".txt"},
                      .fields = true},
    [CONVERT_F32] = {.name = "f32",
                     .write = f32_write_particles,
                     .endings = {".f32"},
                     .bytes = 4},
};

enum convert_format convert_named(const char *name) {
    enum convert_format format = 0;
    while (format < CONVERT_FORMATS && strcasecmp(targets[format].name, name) != 0)
        ++format;
    return format;
}

static const char *ending_of(const struct target *target, const char *path) {
    for (int k = 0; k < 3 && target->endings[k] != NULL; ++k) {
        if (io_ends_in(path, target->endings[k]))
            return target->endings[k];
    }
    return NULL;
}

enum convert_format convert_by_path(const char *path) {
    enum convert_format format = 0;
    while (format < CONVERT_FORMATS && ending_of(&targets[format], path) == NULL)
        ++format;
    return format;
}

const char *convert_ending(const char *path) {
    const enum convert_format format = convert_by_path(path);
    return format == CONVERT_FORMATS ? NULL : ending_of(&targets[format], path);
}

static void add_word(char text[CONVERT_LIST], const char *before, const char *word) {
    const size_t length = strlen(text);
    snprintf(text + length, CONVERT_LIST - length, "%s%s", length > 0 ? before : "", word);
}

void convert_list_endings(char text[CONVERT_LIST]) {
    text[0] = '\0';
    for (enum convert_format format = 0; format < CONVERT_FORMATS; ++format) {
        for (int k = 0; k < 3 && targets[format].endings[k] != NULL; ++k)
            add_word(text, k == 0 ? ", " : " ", targets[format].endings[k]);
    }
}

void convert_list_names(char text[CONVERT_LIST]) {
    text[0] = '\0';
    for (enum convert_format format = 0; format < CONVERT_FORMATS; ++format) {
        add_word(text, format + 1 == CONVERT_FORMATS ? " or " : ", ", targets[format].name);
        if (targets[format].about)
            add_word(text, "", targets[format].about);
    }
}

/* The masses that each particle has by the header alone; 0 where it has none. */
static double table_mass(const struct snapshot_info *info) {
    const bool told =
        info->bytes[SNAPSHOT_MASSES] == 0 && strcmp(info->mass_unit, "1") != 0;
    return told ? info->mass : 0;
}

/* sqrt(a), of the redshift as it will be read again. */
static double gadget_factor(const struct snapshot_info *info) {
    return isnan(info->redshift) ? 1 : sqrt(1 / (1 + info->redshift));
}

struct particles convert_lay_out(struct snapshot *snapshot,
                                 const struct convert_options *options) {
    const struct target *target = &targets[options->format];
    const struct snapshot_info *info = &snapshot->info;
    const int bytes = options->format == CONVERT_F32 ? 4
                      : options->bytes != 0          ? options->bytes
                                                     : target->bytes;
    struct particles particles = {.snapshot = snapshot, .n = info->n};
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        if (info->bytes[f] == 0 || (f != SNAPSHOT_COORDINATES && !target->fields))
            continue;
        particles.bytes[f] = f == SNAPSHOT_IDS ? 8 : bytes != 0 ? bytes : info->bytes[f];
    }
    if (target->gadget)
        particles.table_mass = table_mass(info);
    else if (target->fields && table_mass(info) > 0)
        particles.bytes[SNAPSHOT_MASSES] = bytes != 0 ? bytes : 8;
    const double factor =
        snapshot->velocity_factor / (target->gadget ? gadget_factor(info) : 1);
    particles.velocity_factor = fabs(factor - 1) < SAME ? 1 : factor;
    return particles;
}

static void add(char text[CONVERT_LOSSES], bool lost, const char *what) {
    const size_t length = strlen(text);
    if (lost)
        snprintf(text + length, CONVERT_LOSSES - length, "%s%s", length > 0 ? ", " : "",
                 what);
}

void convert_losses(const struct snapshot *snapshot, const struct convert_options *options,
                    char text[CONVERT_LOSSES]) {
    static const char *const names[] = {"positions", "velocities", "masses", "ids"};
    const struct target *target = &targets[options->format];
    const struct snapshot_info *info = &snapshot->info;
    const struct particles particles =
        convert_lay_out((struct snapshot *)(uintptr_t)snapshot, options);
    const bool has_box = info->box[0] > 0 || info->box[1] > 0 || info->box[2] > 0;
    const bool cube = info->box[0] == info->box[1] && info->box[1] == info->box[2];
    const bool holds_box = target->box && (cube || options->format == CONVERT_HDF5 ||
                                           options->format == CONVERT_SWIFT ||
                                           options->format == CONVERT_GENERICIO);
    text[0] = '\0';
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const bool there =
            info->bytes[f] != 0 || (f == SNAPSHOT_MASSES && table_mass(info) > 0);
        add(text, there && f != SNAPSHOT_COORDINATES && !target->fields, names[f]);
    }
    add(text, snapshot->more || (snapshot->n_others > 0 && !target->others),
        snapshot->more && target->others ? "some other arrays" : "other arrays");
    add(text, has_box && !holds_box, "the box");
    bool wrapped = true;
    for (int axis = 0; axis < 3; ++axis)
        wrapped = wrapped && info->periodic[axis] == (info->box[axis] > 0);
    add(text, has_box && holds_box && !wrapped, "that the box is not periodic");
    add(text, !isnan(info->redshift) && !target->redshift, "the redshift");
    add(text, info->cosmology.h > 0 && !target->cosmology, "the cosmology");
    add(text,
        !target->units && (strcmp(info->length_unit, "code") != 0 ||
                           (target->fields && strcmp(info->mass_unit, "code") != 0 &&
                            strcmp(info->mass_unit, "1") != 0)),
        "the units");
    add(text,
        target->units && particles.table_mass > 0 && strcmp(info->mass_unit, "code") != 0 &&
            !particles_tell_mass_unit(&particles),
        "the unit of masses");
    for (enum snapshot_field f = 0; f < SNAPSHOT_IDS; ++f) {
        char what[64];
        snprintf(what, sizeof what, "the digits of %s beyond float32", names[f]);
        add(text, particles.bytes[f] == 4 && info->bytes[f] == 8, what);
    }
    if (particles.bytes[SNAPSHOT_VELOCITIES] != 0 && particles.velocity_factor != 1)
        add(text, true, "the last bit of velocities, which were scaled");
}

/* Several files of GenericIO. */
static bool write_split(const char *path, int files, const struct particles *particles,
                        struct io_error *error) {
    struct split split = split_of(path, files, particles);
    const bool done = split_open(&split, error) &&
                      split_put(&split, NULL, 0, split_pieces(&split), error);
    return split_close(&split, done, error);
}

bool convert_write(const char *path, struct snapshot *snapshot,
                   const struct convert_options *options, struct io_error *error) {
    const struct particles particles = convert_lay_out(snapshot, options);
    struct io_output output;
    if (options->files > 1)
        return write_split(path, options->files, &particles, error);
    const int older = options->format == CONVERT_GENERICIO ? split_told_of(path) : 0;
    if (!io_output_open(&output, path, error))
        return false;
    const bool done = targets[options->format].write(&output, &particles, error);
    const bool closed = io_output_close(&output, done, error);
    if (closed)
        split_remove_older(path, 1, older);
    return closed;
}
