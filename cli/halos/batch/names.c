#include "names.h"
#include "cli/halos/halos.h"
#include "cli/outputs/names.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The option that a word is the value of; NULL: none. */
static const char *option_of(const struct halos_options *options, const char *word) {
    const bool name = halos_so_is_name(word) || strcmp(word, "none") == 0;
    const bool axes = *word && word[strspn(word, "xyz")] == '\0';
    return options->properties && name       ? "--properties"
           : options->periodic_given && axes ? "--periodic"
                                             : NULL;
}

bool halos_names_are_snapshots(const struct halos_options *options,
                               struct io_error *error) {
    for (int k = 0; k < options->n_snapshots; ++k) {
        const char *word = options->snapshots[k], *option = option_of(options, word);
        if (option && access(word, F_OK) != 0)
            return io_fail(error, "%s takes its value behind an equals sign: %s=%s", option,
                           option, word);
    }
    return true;
}

static const char place[] = "{}"; /* what the stem fills in */

/* Besides the catalogue's and its description's. */
enum { FILLED = sizeof((struct halos_run *)0)->filled / sizeof(char *) };

bool halos_names_differ(const char *name) {
    return names_folder(name) || strstr(name, place);
}

bool halos_names_are_several(const struct halos_options *options, struct io_error *error) {
    const struct {
        const char *option, *name;
    } names[] = {{"--output", options->output},
                 {"--labels", options->labels},
                 {"--plot", options->plot},
                 {"--plot-halo", options->plot_halo},
                 {"--timings", options->shared.timings}};
    for (size_t k = 0; options->n_snapshots > 1 && k < sizeof names / sizeof *names; ++k) {
        if (names[k].name && !halos_names_differ(names[k].name))
            return io_fail(error,
                           "%s: several snapshots cannot share the file '%s': put {} where "
                           "their names go",
                           names[k].option, names[k].name);
    }
    return true;
}

/* The name with the stem in each of its places. */
static char *fill(const char *name, const char *stem) {
    size_t places = 0;
    for (const char *at = name; (at = strstr(at, place)) != NULL; at += 2)
        ++places;
    char *filled = malloc(strlen(name) + places * strlen(stem) + 1), *end = filled;
    if (filled == NULL)
        return NULL;
    for (const char *at; (at = strstr(name, place)) != NULL; name = at + 2) {
        memcpy(end, name, (size_t)(at - name));
        end = stpcpy(end + (at - name), stem);
    }
    strcpy(end, name);
    return filled;
}

static char *catalogue_name(const char *asked, const char *stem) {
    return asked && !names_folder(asked) ? fill(asked, stem)
                                         : names_output(asked, stem, ".halos.hdf5");
}

bool halos_names_settle(struct halos_run *run) {
    struct halos_options *options = &run->options;
    const char **const others[FILLED] = {&options->labels, &options->plot,
                                         &options->plot_halo, &options->shared.timings};
    char *stem = names_stem(options->snapshot, run->info.n_parts > 1);
    bool done = stem != NULL;
    if (done)
        run->output = catalogue_name(options->output, stem);
    if (done && run->output && options->xdmf)
        run->xdmf = names_xdmf(run->output);
    done = done && run->output && (!options->xdmf || run->xdmf);
    for (int k = 0; done && k < FILLED; ++k) {
        if (*others[k] == NULL)
            continue;
        run->filled[k] = fill(*others[k], stem);
        *others[k] = run->filled[k];
        done = run->filled[k] != NULL;
    }
    free(stem);
    return done;
}

void halos_names_free(struct halos_run *run) {
    free(run->output);
    free(run->xdmf);
    for (int k = 0; k < FILLED; ++k)
        free(run->filled[k]);
}

void halos_names_list(const struct halos_run *run, const char *paths[NAMES_MOST]) {
    const struct halos_options *options = &run->options;
    const char *const all[NAMES_MOST] = {run->output,        run->xdmf,
                                         options->labels,    options->plot,
                                         options->plot_halo, options->shared.timings,
                                         options->summary};
    memcpy(paths, all, sizeof all);
}
