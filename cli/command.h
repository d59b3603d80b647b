/* The subcommands, and what their functions return: the exit status. */
#ifndef WEFT_CLI_COMMAND_H
#define WEFT_CLI_COMMAND_H

enum {
    CLI_DONE = 0,
    CLI_FAULT = 1, /* the input or the machine: file, device, memory, disk */
    CLI_USAGE = 2, /* what was asked for */
};

/* argv[0] is "weft NAME". */
typedef int command_function(int argc, char **argv);

command_function command_convert, command_dbscan, command_devices, command_halos,
    command_ics, command_info, command_link, command_power, command_sheet, command_simulate,
    command_sql;

#endif
