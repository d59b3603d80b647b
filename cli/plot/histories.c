#include "histories.h"
#include "folder.h"
#include "script.h"

#include <inttypes.h>
#include <math.h>

enum { WIDTH = 1300, HEIGHT = 1000 };

/* In the colours of the density maps, and between them what tells neighbours apart. */
static const char *const colours[PLOT_HISTORIES] = {
    "#231151", "#eb5760", "#1f77b4", "#fd9a6a", "#2a9d8f",
    "#982d80", "#7f7f7f", "#8c6d31", "#17becf", "#5f187f"};

/* Moments one after the other, a blank line after each `length` of them. */
static void write_moments(FILE *stream, const struct plot_moment *moment, int64_t n,
                          int64_t length) {
    for (int64_t k = 0; k < n; ++k) {
        fprintf(stream, "%.17g %.17g\n", moment[k].stretch, moment[k].mass);
        if ((k + 1) % length == 0)
            fputc('\n', stream);
    }
    fputc('\n', stream);
}

/* A block a history, which a blank line and one more end. */
static bool write_blocks(const char *folder, const struct plot_histories *h,
                         enum folder_file file, struct io_error *error) {
    FILE *stream = folder_open(folder, file, "w", error);
    if (stream == NULL)
        return false;
    for (int k = 0; k < h->n; ++k) {
        const struct plot_history *one = &h->history[k];
        if (file == FOLDER_HISTORIES)
            write_moments(stream, one->moment, one->moments, one->moments);
        else if (one->mergers > 0)
            write_moments(stream, one->merger, 2 * one->mergers, 2);
    }
    return folder_close(stream, folder, file, error);
}

/* Time from left to right, with the redshifts of snapshots that are not too close. */
static void draw_axes(FILE *stream, const struct plot_histories *h) {
    const double first = h->stretch[0], last = h->stretch[h->snapshots - 1];
    const double decades = fmax(log(first / last), 1e-3);
    double before = INFINITY;
    fprintf(stream,
            "set lmargin at screen 0.095\nset rmargin at screen 0.975\n"
            "set tmargin at screen 0.925\nset bmargin at screen 0.085\n"
            "set logscale xy\nset format y '10^{%%L}'\nset grid lc rgb '#dddddd' lw 0.8\n"
            "set xrange [%.17g:%.17g]\nset xlabel 'redshift  {/:Italic z}'\n"
            "set ylabel '%s  {/:Italic M}  [",
            first * exp(0.03 * decades), last / exp(0.03 * decades),
            h->kind[0] == 's' ? "bound mass" : "mass");
    script_unit(stream, h->mass_unit);
    fputs("]' offset 0.4\nset xtics (", stream);
    for (int s = h->snapshots - 1; s >= 0; --s) {
        const double at = log(h->stretch[s] / last);
        if (s < h->snapshots - 1 && at < before + 0.05 * decades)
            continue;
        fprintf(stream, "%s'%.3g' %.17g", s < h->snapshots - 1 ? ", " : "",
                fabs(h->stretch[s] - 1) < 1e-9 ? 0 : h->stretch[s] - 1, h->stretch[s]);
        before = at;
    }
    fputs(")\n", stream);
}

static void draw_lines(FILE *stream, const struct plot_histories *h) {
    int merging = 0;
    if (h->n == 0) {
        fputs("set xrange [1:2]\nset yrange [1:2]\nunset xtics\nunset ytics\n"
              "set label 'no halos' at graph 0.5, 0.5 center\nplot NaN notitle\n",
              stream);
        return;
    }
    fputs("set key bottom right spacing 1.1\nplot ", stream);
    for (int k = 0; k < h->n; ++k)
        if (h->history[k].mergers > 0)
            fprintf(stream,
                    "'mergers.txt' index %d using 1:2 with lines lw 1.2 dt 2 lc rgb '%s' "
                    "notitle, \\\n ",
                    merging++, colours[k]);
    for (int k = 0; k < h->n; ++k)
        fprintf(stream,
                "'histories.txt' index %d using 1:2 with linespoints pt 7 ps 0.8 lw 2 lc "
                "rgb '%s' title '%" PRId64 "'%s",
                k, colours[k], h->history[k].tag, k + 1 < h->n ? ", \\\n " : "\n");
}

static bool write_data(const char *folder, const void *of, struct io_error *error) {
    const struct plot_histories *h = of;
    FILE *stream = write_blocks(folder, h, FOLDER_HISTORIES, error) &&
                           write_blocks(folder, h, FOLDER_MERGERS, error)
                       ? folder_open(folder, FOLDER_SCRIPT, "w", error)
                       : NULL;
    if (stream == NULL)
        return false;
    fputs("set encoding utf8\ncd ", stream);
    script_quote(stream, folder);
    script_terminal(stream, h->path, WIDTH, HEIGHT);
    fputs("set output 'picture.png'\nset tics front out nomirror scale 0.7\nset border lw "
          "1\nset label 1 ",
          stream);
    script_title(stream, h->title);
    fprintf(stream,
            " noenhanced at screen 0.095, screen 0.962 font ',15'\n"
            "set label 2 'the %d largest of %" PRId64 " %s, by tag, and what merged with "
            "them' at screen 0.975, screen 0.962 right font ',12'\n",
            h->n, h->n_halos, h->kind);
    draw_axes(stream, h);
    draw_lines(stream, h);
    fputs("set output\n", stream);
    return folder_close(stream, folder, FOLDER_SCRIPT, error);
}

bool plot_histories_write(const struct plot_histories *histories, struct io_error *error) {
    return folder_draw(histories->path, write_data, histories, error);
}
