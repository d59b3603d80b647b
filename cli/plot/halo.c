#include "halo.h"
#include "folder.h"
#include "plot.h"
#include "script.h"

#include <inttypes.h>
#include <math.h>

enum { WIDTH = 1900, HEIGHT = 1000 };

static bool write_members(const char *folder, const struct plot_halo *halo,
                          struct io_error *error) {
    FILE *stream = folder_open(folder, FOLDER_MEMBERS, "wb", error);
    if (stream == NULL)
        return false;
    fwrite(halo->member, 2 * sizeof *halo->member, (size_t)halo->n, stream);
    return folder_close(stream, folder, FOLDER_MEMBERS, error);
}

/* Each circle, and its name on it, at another angle each. */
static bool write_radii(const char *folder, const struct plot_halo *halo,
                        struct io_error *error) {
    FILE *stream = folder_open(folder, FOLDER_RADII, "w", error);
    if (stream == NULL)
        return false;
    for (int k = 0; k < halo->rings; ++k) {
        const double radius = halo->ring[k].radius;
        const double angle = 3.14159265 * (0.5 - 0.11 * k);
        fprintf(stream, "%.9g %.9g %.9g %s\n", radius, radius * cos(angle),
                radius * sin(angle), halo->ring[k].name);
    }
    return folder_close(stream, folder, FOLDER_RADII, error);
}

/* Radius, density and the ends of its 68 % interval, of shells that hold something. Returns
 * their number; -1 after an error. */
static int write_shells(const char *folder, const struct plot_halo *halo,
                        struct io_error *error) {
    FILE *stream = folder_open(folder, FOLDER_SHELLS, "w", error);
    int lines = 0;
    if (stream == NULL)
        return -1;
    for (int k = 0; k < halo->shells; ++k) {
        const struct plot_shell *s = &halo->shell[k];
        const double count = (double)s->count;
        const double volume =
            4 * 3.14159265358979323846 / 3 * (pow(s->to, 3) - pow(s->from, 3));
        if (s->count == 0)
            continue;
        fprintf(stream, "%.9g %.9g %.9g %.9g\n", sqrt(s->from * s->to), s->mass / volume,
                s->mass / volume * plot_at_least(count) / count,
                s->mass / volume * plot_at_most(count) / count);
        ++lines;
    }
    return folder_close(stream, folder, FOLDER_SHELLS, error) ? lines : -1;
}

static void draw_members(FILE *stream, const struct plot_halo *halo) {
    double half = 0;
    for (int64_t k = 0; k < 2 * halo->n; ++k)
        half = fmax(half, fabs((double)halo->member[k]));
    for (int k = 0; k < halo->rings; ++k)
        half = fmax(half, halo->ring[k].radius);
    half = half > 0 ? 1.05 * half : 1;
    fprintf(stream,
            "set lmargin at screen 0.06\nset rmargin at screen 0.5\n"
            "set tmargin at screen 0.925\nset bmargin at screen 0.09\nset size ratio 1\n"
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n",
            -half, half, -half, half);
    for (const char *axis = "xy"; *axis; ++axis) {
        fprintf(stream, "set %clabel '{/:Italic %c} from the center  [", *axis, *axis);
        script_unit(stream, halo->length_unit);
        fputs(", comoving]'\n", stream);
    }
    fputs("plot 'members.bin' binary format='%float32%float32' using 1:2 with ", stream);
    fputs(halo->n > 20000 ? "dots" : "points pt 7 ps 0.25", stream);
    fputs(" lc rgb '#5f187f' notitle", stream);
    if (halo->rings > 0) /* of labels without a place gnuplot dies */
        fputs(
            ", \\\n 'radii.txt' using (0):(0):1 with circles lc rgb '#eb5760' lw 1.4 fs "
            "empty "
            "notitle, \\\n"
            " 'radii.txt' using 2:3:(sprintf('{/:Italic R}_{%s}', strcol(4))) with labels "
            "font ',11' tc rgb '#b02030' offset 0, 0.6 notitle",
            stream);
    fputs("\n", stream);
}

static void draw_profile(FILE *stream, const struct plot_halo *halo, int lines) {
    fputs("set size noratio\nset lmargin at screen 0.6\nset rmargin at screen 0.985\n"
          "set autoscale\nset xlabel '{/:Italic r}  [",
          stream);
    script_unit(stream, halo->length_unit);
    fputs(", comoving]'\nset ylabel 'density  [", stream);
    script_unit(stream, halo->mass_unit);
    fputs(" / (", stream);
    script_unit(stream, halo->length_unit);
    fputs(")^3, comoving]' offset 0.4\n", stream);
    if (lines == 0) {
        fputs("unset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n"
              "set label 'no particles' at graph 0.5, 0.5 center\nplot NaN notitle\n",
              stream);
        return;
    }
    fputs("set logscale xy\nset format y '10^{%L}'\nset grid lc rgb '#dddddd' lw 0.8\n"
          "set key bottom left\nstats 'shells.txt' using 1 nooutput\n"
          "set xrange [STATS_min/1.5:STATS_max*1.5]\nset samples 300\n",
          stream);
    for (int k = 0; k < halo->rings; ++k)
        fprintf(stream,
                "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead dt 2 lc rgb "
                "'#eb5760'\nset label '{/:Italic R}_{%s}' at %.9g, graph 0.98 rotate right "
                "offset 0.7, 0 tc rgb '#b02030' font ',10'\n",
                halo->ring[k].radius, halo->ring[k].radius, halo->ring[k].name,
                halo->ring[k].radius);
    const double c = halo->concentration;
    const bool fitted = c > 0 && halo->radius > 0;
    if (fitted)
        fprintf(stream, "nfw(r) = %.17g / (%.17g * r * (1 + %.17g * r)**2)\n",
                halo->mass * c * c * c /
                    (4 * 3.14159265358979323846 * pow(halo->radius, 3) *
                     (log(1 + c) - c / (1 + c))),
                c / halo->radius, c / halo->radius);
    fputs("plot 'shells.txt' using 1:2:3:4 with yerrorbars pt 7 ps 1.1 lw 1.6 lc rgb "
          "'#5f187f' title 'all particles'",
          stream);
    if (fitted)
        fprintf(stream,
                ", \\\n nfw(x) with lines lw 2 lc rgb '#1f77b4' title 'NFW, c = %.3g'", c);
    fputs("\n", stream);
}

static bool write_data(const char *folder, const void *of, struct io_error *error) {
    const struct plot_halo *halo = of;
    if (!write_members(folder, halo, error) || !write_radii(folder, halo, error))
        return false;
    const int lines = write_shells(folder, halo, error);
    FILE *stream = lines >= 0 ? folder_open(folder, FOLDER_SCRIPT, "w", error) : NULL;
    if (stream == NULL)
        return false;
    fputs("set encoding utf8\ncd ", stream);
    script_quote(stream, folder);
    script_terminal(stream, halo->path, WIDTH, HEIGHT);
    fputs("set output 'picture.png'\nset multiplot\n"
          "set tics front out nomirror scale 0.7\nset border lw 1\nset label 1 ",
          stream);
    script_title(stream, halo->title);
    fputs(" noenhanced at screen 0.06, screen 0.962 font ',15'\n", stream);
    fprintf(stream, "set label 2 'halo %" PRId64 ", %" PRId64 " particles", halo->tag,
            halo->count);
    if (halo->n < halo->count)
        fprintf(stream, " (%" PRId64 " of them drawn)", halo->n);
    if (!isnan(halo->redshift))
        fprintf(stream, ", {/:Italic z} = %.4g",
                fabs(halo->redshift) < 1e-9 ? 0 : halo->redshift);
    fputs("' at screen 0.5, screen 0.962 right font ',12'\n", stream);
    draw_members(stream, halo);
    fputs("unset label 1\nunset label 2\n", stream);
    draw_profile(stream, halo, lines);
    fputs("unset multiplot\nset output\n", stream);
    return folder_close(stream, folder, FOLDER_SCRIPT, error);
}

bool plot_halo_write(const struct plot_halo *halo, struct io_error *error) {
    return folder_draw(halo->path, write_data, halo, error);
}
