/* Options that commands share, and how values are read. */
#ifndef WEFT_CLI_OPTIONS_H
#define WEFT_CLI_OPTIONS_H

#include "backends.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <weft/device.h>

/* --backend, --device and --threads, and beside them --quiet and --timings: child parsers,
 * whose input is this. */
struct shared_options {
    const char *backend, *device, *timings; /* NULL where not given */
    int64_t threads, devices;               /* 0 where not given */
    bool quiet;
};
extern const struct argp device_argp, shared_argp;

/* Runs a command's parser, and beside it one for --help, which comes first among its
 * children; --help and usage errors end the process there, with 0 and 2. */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* From now on what is wrong with options is not told: another rank, which was started
 * alike, tells it. */
void options_silence(void);

/* From now on other ranks parse the same options. Where the memory of one is out all end:
 * this tells whether all are `well`, and if not, whether this one says so. */
typedef bool options_agreement(bool well, bool *tells);
void options_share(options_agreement *agree);

/* A finite number of at least `least`, and the like; anything else is a usage error, which
 * names the option. */
double options_number(struct argp_state *state, const char *option, const char *text,
                      double least);
int64_t options_integer(struct argp_state *state, const char *option, const char *text,
                        int64_t least);

/* Below this many bytes of the device nothing is done. */
enum { OPTIONS_LEAST_MEMORY = 512 << 10 };

/* Bytes: a number, and perhaps K, M, G or T. */
int64_t options_size(struct argp_state *state, const char *option, const char *text);

/* The command line, quoted where a shell would need it, for free(); NULL: out of memory. */
char *options_join(int argc, char **argv);

/* What chooses among the devices of the backend that was asked for. */
enum backend_takes options_take(const struct shared_options *options);

/* Opens the device that was asked for. NULL after a failure, which is told on standard
 * error and whose exit status is left in *status. */
weft_device *options_open(const struct shared_options *options, int *status);

/* The same in two steps, of which the first tells nothing and may be another thread's. */
weft_device *options_try(const struct shared_options *options);
weft_device *options_judge(const struct shared_options *options, weft_device *device,
                           int *status);

#endif
