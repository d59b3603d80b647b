/* weft-bench: how fast the primitives and the halo finders are here, beside their peers. */
#include "bench.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "peers/peers.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

enum {
    KEY_SUITE = 256,
    KEY_LOG2_N,
    KEY_REPEAT,
    KEY_DATA,
    KEY_TILE,
    KEY_PARTICLES,
    KEY_NFW,
    KEY_JSON,
    KEY_ROWS,
    KEY_PEERS,
    KEY_NO_PEERS,
    KEY_NO_CHECK,
    KEY_LINKING_LENGTH,
    MOST_LOG2_N = 32,
    MOST_REPEAT = 1000,
    MOST_TILE = 64,
};

static const struct argp_option list[] = {
    {.doc = "What to measure:", .group = 1},
    {"suite", KEY_SUITE, "NAME", 0,
     "primitives, halos, sheet, gravity or all (default: primitives)", 1},
    {"rows", KEY_ROWS, "LIST", 0,
     "only rows whose name, or name and types, match one of these patterns, separated by "
     "commas: sort*,fof f32",
     1},
    {"log2-n", KEY_LOG2_N, "K", 0, "2^K elements for the primitives (default: 24)", 1},
    {"repeat", KEY_REPEAT, "R", 0, "timed runs per row (default: 7)", 1},
    {"data", KEY_DATA, "SNAPSHOT", 0,
     "particles for halos, sheets and gravity (default: examples/data/lcdm64.hdf5)", 1},
    {"tile", KEY_TILE, "T", 0, "repeat that box T times along each axis (default: 1)", 1},
    {"particles", KEY_PARTICLES, "N", 0,
     "use N of its particles, evenly chosen, and scale the linking length; for more than "
     "it has, tile it (default: all)",
     1},
    {"nfw", KEY_NFW, "N", 0,
     "particles of the rows mbp:nfw and mbp:mixed (default: 2^20, on GPUs 2^23; for rows "
     "over all pairs 2^16, on GPUs 2^20)",
     1},
    {"linking-length", KEY_LINKING_LENGTH, "B", 0,
     "linking length in mean separations (default: 0.2)", 1},
    {"peers", KEY_PEERS, "LIST", 0,
     "only peers that match these patterns: thrust*,paper (default: all)", 1},
    {"no-peers", KEY_NO_PEERS, NULL, 0, "run no peers", 1},
    {"no-check", KEY_NO_CHECK, NULL, 0,
     "do not check results; in JSON \"verified\" is null", 1},
    {"json", KEY_JSON, "FILE", 0,
     "also write the table as JSON; -: JSON on standard output, and no table", 1},
    {0},
};

static void check(const struct bench_options *options, struct argp_state *state) {
    if (strcmp(options->suite, "primitives") != 0 && strcmp(options->suite, "halos") != 0 &&
        strcmp(options->suite, "sheet") != 0 && strcmp(options->suite, "gravity") != 0 &&
        strcmp(options->suite, "all") != 0)
        argp_error(state,
                   "--suite: '%s' is none of primitives, halos, sheet, gravity and all",
                   options->suite);
}

static int64_t between(struct argp_state *state, const char *option, const char *text,
                       int64_t least, int64_t most) {
    const int64_t value = options_integer(state, option, text, least);
    if (value > most)
        argp_error(state, "%s: '%s' is more than %lld", option, text, (long long)most);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct bench_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->where; /* after those of --help */
        return 0;
    case KEY_SUITE:
        options->suite = text;
        return 0;
    case KEY_LOG2_N:
        options->log2_n = between(state, "--log2-n", text, 0, MOST_LOG2_N);
        return 0;
    case KEY_REPEAT:
        options->repeat = between(state, "--repeat", text, 1, MOST_REPEAT);
        return 0;
    case KEY_DATA:
        options->data = text;
        return 0;
    case KEY_TILE:
        options->tile = between(state, "--tile", text, 1, MOST_TILE);
        return 0;
    case KEY_PARTICLES:
        options->particles = between(state, "--particles", text, 1, UINT32_MAX - 1);
        return 0;
    case KEY_NFW:
        options->nfw = between(state, "--nfw", text, 1, UINT32_MAX - 1);
        return 0;
    case KEY_NO_CHECK:
        options->no_check = true;
        return 0;
    case KEY_LINKING_LENGTH:
        options->linking_length = options_number(state, "--linking-length", text, 0);
        return 0;
    case KEY_PEERS:
        options->peers = text;
        return 0;
    case KEY_JSON:
        options->json = text;
        return 0;
    case KEY_ROWS:
        options->rows = text;
        return 0;
    case KEY_NO_PEERS:
        options->no_peers = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is not an option", text);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{.argp = &device_argp}, {0}};
static const struct argp parser = {
    .children = children,
    .options = list,
    .parser = parse,
    .doc = "Times the primitives and the halo finders, in turn with the peers that were "
           "found when this was built, and checks every result.",
};

static int run(struct bench *bench) {
    const bool plain = bench->options.json && strcmp(bench->options.json, "-") == 0;
    bench->report = report_new(bench, !plain);
    bool good = bench->report != NULL && bench_primitives(bench) && bench_halos(bench) &&
                bench_sheet(bench) && bench_gravity(bench);
    /* What was measured before a failure is worth keeping. */
    if (bench->report && bench->options.json)
        good &= report_write(bench->report, bench, bench->options.json);
    report_free(bench->report);
    if (good && !bench->all_verified)
        return progress_fail(CLI_FAULT, "not every result was right");
    return good ? CLI_DONE : CLI_FAULT;
}

int main(int argc, char **argv) {
    struct bench bench = {
        .options = {.suite = "primitives",
                    .data = "examples/data/lcdm64.hdf5",
                    .log2_n = 24,
                    .repeat = BENCH_RUNS,
                    .tile = 1,
                    .linking_length = 0.2},
        .all_verified = true,
    };
    char title[] = "weft-bench";
    argv[0] = title;
    options_parse(&parser, argc, argv, &bench.options);
    int status = CLI_FAULT;
    bench.device = options_open(&bench.options.where, &status);
    if (bench.device == NULL)
        return status;
    bench.threads = (int)weft_concurrency(bench.device);
    const struct peer *peers[PEERS_MOST];
    bench.n_peers = peers_find(&bench, peers);
    bench.peers = peers;
    status = run(&bench);
    weft_close(bench.device);
    return progress_finish(status);
}
