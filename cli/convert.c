/* weft convert: between particle formats. */
#include "cli/assume/assume.h"
#include "command.h"
#include "io/convert/convert.h"
#include "io/convert/split.h"
#include "cli/notes/left_out.h"
#include "options.h"
#include "cli/outputs/outputs.h"
#include "io/files/standard.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_TO = 256 + 64, KEY_PRECISION, KEY_FILES };

struct convert_command {
    const char *in, *out;
    struct convert_options options;
    bool quiet;
};

static const struct argp_option list[] = {
    {"to", KEY_TO, "FORMAT", 0, "%s (default: what the name of OUT ends in: %s)", 0},
    {"precision", KEY_PRECISION, "f4|f8", 0,
     "width of positions, velocities and masses (default: that of the input; f4 for "
     "Gadget-2 binary and f32)",
     0},
    {"files", KEY_FILES, "N", 0,
     "write GenericIO in N files, OUT#0 and so on, and OUT, which tells of them (default: "
     "1, OUT alone)",
     0},
    {"quiet", 'q', NULL, 0, "print errors only", 0},
    {0},
};

static void parse_precision(struct convert_command *command, const char *text,
                            struct argp_state *state) {
    if (strcmp(text, "f4") != 0 && strcmp(text, "f8") != 0)
        argp_error(state, "--precision: '%s' is neither f4 nor f8", text);
    command->options.bytes = text[1] - '0';
}

static void parse_files(struct convert_command *command, const char *text,
                        struct argp_state *state) {
    const int64_t files = options_integer(state, "--files", text, 1);
    if (files > SPLIT_MOST)
        argp_error(state, "--files: '%s' is above %d", text, SPLIT_MOST);
    command->options.files = (int)files;
}

static void check(struct convert_command *command, struct argp_state *state) {
    struct convert_options *options = &command->options;
    if (command->in == NULL)
        argp_error(state, "the file to read is missing");
    if (command->out == NULL)
        argp_error(state, "the file to write is missing");
    if (options->format == CONVERT_FORMATS)
        options->format = convert_by_path(command->out);
    if (options->format == CONVERT_FORMATS)
        argp_error(state, "the name '%s' tells no format: give --to", command->out);
    if (options->format == CONVERT_F32 && options->bytes == 8)
        argp_error(state, "--precision: f32 holds no f8");
    if (options->files > 1 && options->format != CONVERT_GENERICIO)
        argp_error(state, "--files: only GenericIO is split into several");
    if (options->files > 1 && standard_is(command->out))
        argp_error(state, "--files: standard output is one file");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct convert_command *command = state->input;
    switch (key) {
    case KEY_TO:
        command->options.format = convert_named(text);
        if (command->options.format == CONVERT_FORMATS)
            argp_error(state, "--to: there is no format '%s'", text);
        return 0;
    case KEY_PRECISION:
        parse_precision(command, text, state);
        return 0;
    case KEY_FILES:
        parse_files(command, text, state);
        return 0;
    case 'q':
        command->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (command->out)
            argp_error(state, "one file to read and one to write: '%s' is one too many",
                       text);
        *(command->in ? &command->out : &command->in) = text;
        return 0;
    case ARGP_KEY_END:
        check(command, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *complete(int key, const char *text, void *input) {
    (void)input;
    char names[CONVERT_LIST], endings[CONVERT_LIST], whole[3 * CONVERT_LIST];
    if (key != KEY_TO)
        return (char *)(uintptr_t)text;
    convert_list_names(names);
    convert_list_endings(endings);
    snprintf(whole, sizeof whole, text, names, endings);
    return strdup(whole);
}

static const struct argp_child children[] = {{.argp = &assume_argp}, {0}};
static const struct argp argp = {
    .help_filter = complete,
    .options = list,
    .parser = parse,
    .args_doc = "IN OUT",
    .doc = "Writes the dark matter of a snapshot in another particle format, bit for bit "
           "where that is possible, and names what the format cannot hold.",
    .children = children,
};

/* Whether a file that is to be written, or to be removed as one of an earlier output, is
 * one of the input's. */
static bool is_input(const struct convert_command *command, struct snapshot *snapshot) {
    const bool splits = command->options.format == CONVERT_GENERICIO;
    const int older = splits ? split_told_of(command->out) : 0;
    const int files = command->options.files > older ? command->options.files : older;
    bool found = snapshot_has_part(snapshot, command->out);
    for (int file = 0; file < files && (files > 1 || older > 0) && !found; ++file) {
        char *path = split_path(command->out, files + 1, file, &(struct io_error){0});
        found = path && snapshot_has_part(snapshot, path);
        free(path);
    }
    return found;
}

static int write_out(const struct convert_command *command, struct snapshot *snapshot) {
    const struct snapshot_info *info = snapshot_info(snapshot);
    char losses[CONVERT_LOSSES];
    struct io_error error;
    if (is_input(command, snapshot))
        return outputs_refuse_input(command->out);
    progress_show("writing %s", command->out);
    if (!convert_write(command->out, snapshot, &command->options, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    left_out_tell(command->in, info->count);
    convert_losses(snapshot, &command->options, losses);
    if (losses[0] != '\0')
        progress_note("%s does not hold: %s", command->out, losses);
    if (!command->quiet && !standard_is(command->out))
        printf("%s: %" PRId64 " particle%s; wrote %s\n", outputs_shown(command->in),
               info->n, progress_plural(info->n), outputs_shown(command->out));
    return CLI_DONE;
}

int command_convert(int argc, char **argv) {
    struct convert_command command = {.options.format = CONVERT_FORMATS};
    struct io_error error;
    options_parse(&argp, argc, argv, &command);
    progress_start(argv[0], command.quiet);
    struct snapshot *snapshot = snapshot_open(command.in, &error);
    const int status = snapshot == NULL ? progress_fail(CLI_FAULT, "%s", error.text)
                                        : write_out(&command, snapshot);
    snapshot_close(snapshot);
    return status;
}
