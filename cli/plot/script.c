/* What gnuplot is told. */
#include "script.h"
#include "plot.h"
#include "io/files/output.h"
#include "io/files/visible.h"

#include <math.h>
#include <string.h>

/* In single quotes gnuplot reads nothing but '' specially. */
void script_quote(FILE *stream, const char *text) {
    fputc('\'', stream);
    for (; *text; ++text) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
    fputc('\'', stream);
}

void script_unit(FILE *stream, const char *text) {
    const size_t length = strlen(text);
    const bool per_h = length > 2 && strcmp(text + length - 2, "/h") == 0;
    if (per_h)
        fputs("{/:Italic h}^{-1} ", stream);
    for (size_t k = 0; k < length - (per_h ? 2 : 0); ++k) {
        if (strncmp(text + k, "1e10 ", 5) == 0) {
            fputs("10^{10} ", stream);
            k += 4;
        } else if (strncmp(text + k, "Msun", 4) == 0) {
            fputs("M_{☉}", stream);
            k += 3;
        } else if (text[k] != '\'') {
            fputc(text[k], stream);
        }
    }
}

/* What an axis shows: (x - shift) / 10^power, so that its numbers are short. */
struct axis {
    double shift, scale;
    int power;
};

static struct axis axis_of(double low, double high, int power) {
    const double far = fmax(fabs(low), fabs(high)), width = high - low;
    const double step = width > 0 ? pow(10, floor(log10(width))) : 1;
    const double shift = far > 100 * width ? floor(low / step) * step : 0;
    return (struct axis){shift, pow(10, power), power};
}

/* Of both axes: as few digits as numbers up to `most` need. */
static int power_of(double most) {
    const int power = most > 0 ? (int)floor(log10(most)) : 0;
    return power >= -2 && power <= 3 ? 0 : power;
}

static double on(const struct axis *axis, double x) {
    return (x - axis->shift) / axis->scale;
}

/* "x - 123  [10^6 Mpc, comoving]" */
static void label(FILE *stream, char name, const struct axis *axis, const char *text) {
    fprintf(stream, "set %clabel '{/:Italic %c}", name, name);
    if (axis->shift != 0)
        fprintf(stream, " %c %.15g", axis->shift > 0 ? '-' : '+', fabs(axis->shift));
    fputs("  [", stream);
    if (axis->power != 0)
        fprintf(stream, "10^{%d} ", axis->power);
    script_unit(stream, text);
    fputs(name == 'x' ? ", comoving]'\n" : ", comoving]' offset 0.8\n", stream);
}

void script_title(FILE *stream, const char *path) {
    enum { MOST = 48, HALF = MOST / 2 };
    char text[4 * 256 + 1];
    const char *slash = strrchr(path, '/');
    visible(slash && slash[1] ? slash + 1 : path, text, sizeof text);
    size_t length = strlen(text), begin = HALF, end = length - HALF;
    if (length > MOST) {
        while ((text[begin] & 0xc0) == 0x80)
            --begin;
        while ((text[end] & 0xc0) == 0x80)
            ++end;
        char cut[MOST + 8];
        snprintf(cut, sizeof cut, "%.*s…%s", (int)begin, text, text + end);
        strcpy(text, cut);
    }
    script_quote(stream, text);
}

/* Dark blue through violet and orange to white: even steps of lightness, so that the log of
 * the density reads off it, in print without colour too. */
static const char palette[] =
    "set palette maxcolors 1024 defined (0 '#04040c', 1 '#0d0a29', 2 '#231151', "
    "3 '#410f75', 4 '#5f187f', 5 '#7b2382', 6 '#982d80', 7 '#b73779', 8 '#d3436e', "
    "9 '#eb5760', 10 '#f8765c', 11 '#fd9a6a', 12 '#febb81', 13 '#fddc9e', "
    "14 '#fcfdbf')\n";

/* The picture is as wide as the map is, or leaves room for the masses. */
enum { WIDTH = 1900, WIDTH_OF_MAP = 1180, HEIGHT = 1080 };

static int width_of(const struct plot_scene *scene) {
    return scene->map_only ? WIDTH_OF_MAP : WIDTH;
}

/* A place of the whole picture, in this one's units. */
static double across(const struct plot_scene *scene, double x) {
    return x * WIDTH / width_of(scene);
}

static void draw_map(FILE *stream, const struct plot_scene *scene,
                     const struct plot_window *window, float darkest, float brightest) {
    const double width = window->high[0] - window->low[0];
    const double height = window->high[1] - window->low[1];
    const double ratio = fmin(4, fmax(0.25, height / width));
    struct axis x = axis_of(window->low[0], window->high[0], 0),
                y = axis_of(window->low[1], window->high[1], 0);
    const int power =
        power_of(fmax(fmax(fabs(on(&x, window->low[0])), fabs(on(&x, window->high[0]))),
                      fmax(fabs(on(&y, window->low[1])), fabs(on(&y, window->high[1])))));
    x = axis_of(window->low[0], window->high[0], power);
    y = axis_of(window->low[1], window->high[1], power);
    fputs(palette, stream);
    fprintf(stream,
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
            "set tmargin at screen 0.925\nset bmargin at screen 0.085\n"
            "set size ratio %.9g\n"
            "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n"
            "set logscale cb\nset cbrange [%.9g:%.9g]\n"
            "set cbtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, "
            "500, 1000)\n"
            "set colorbox user origin screen %.4f, screen 0.085 size screen %.4f, screen "
            "0.84\n"
            "set cblabel 'surface density / mean' offset 0.4\n",
            across(scene, 0.055), across(scene, 0.545), ratio, on(&x, window->low[0]),
            on(&x, window->high[0]), on(&y, window->low[1]), on(&y, window->high[1]),
            (double)darkest, (double)brightest, across(scene, 0.553), across(scene, 0.011));
    label(stream, 'x', &x, scene->length_unit);
    label(stream, 'y', &y, scene->length_unit);
    fprintf(stream,
            "plot 'density.bin' binary array=(%d,%d) format='%%float32' "
            "origin=(%.17g,%.17g) dx=%.17g dy=%.17g with image notitle, \\\n"
            " 'halos.txt' using (($1-%.17g)/%.17g):(($2-%.17g)/%.17g):($3/%.17g) with "
            "circles lc rgb '#40b8f4ff' lw 1.1 fs "
            "empty notitle\n",
            PLOT_SIDE, PLOT_SIDE, on(&x, window->low[0] + 0.5 * width / PLOT_SIDE),
            on(&y, window->low[1] + 0.5 * height / PLOT_SIDE), width / x.scale / PLOT_SIDE,
            height / y.scale / PLOT_SIDE, x.shift, x.scale, y.shift, y.scale, x.scale);
}

static void draw_masses(FILE *stream, const struct plot_scene *scene,
                        const struct plot_window *window, int bins, int sphere_bins) {
    fputs("unset colorbox\nset size noratio\n"
          "set lmargin at screen 0.685\nset rmargin at screen 0.985\n"
          "set autoscale\nset xlabel 'halo mass  {/:Italic M}  [",
          stream);
    script_unit(stream, scene->mass_unit);
    if (window->has_box) {
        const bool one_word = strpbrk(scene->length_unit, " /") == NULL;
        fprintf(stream, "]'\nset ylabel 'd{/:Italic n} / d log_{10} {/:Italic M}  [%s",
                one_word ? "" : "(");
        script_unit(stream, scene->length_unit);
        fprintf(stream, "%s^{-3}, comoving]' offset 0.4\n", one_word ? "" : ")");
    } else {
        fputs("]'\nset ylabel 'd{/:Italic N} / d log_{10} {/:Italic M}' offset 0.4\n",
              stream);
    }
    if (bins == 0) {
        fputs("unset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n"
              "set label 'no halos' at graph 0.5, 0.5 center\nplot NaN notitle\n",
              stream);
        return;
    }
    fprintf(stream,
            "set logscale xy\nset format xy '10^{%%L}'\nset grid lc rgb '#dddddd' lw 0.8\n"
            "stats 'masses.txt' using 1 nooutput\n"
            "middle = sqrt(STATS_min * STATS_max)\n"
            "reach = STATS_max / middle * 2\nreach = reach < 7 ? 7 : reach\n"
            "set xrange [middle / reach:middle * reach]\n"
            "stats 'masses.txt' using 3 nooutput\nlow = STATS_min\n"
            "stats 'masses.txt' using 4 nooutput\nhigh = STATS_max\n");
    if (sphere_bins > 0)
        fputs("stats 'spheres.txt' using 3 nooutput\nlow = STATS_min < low ? STATS_min : "
              "low\n"
              "stats 'spheres.txt' using 4 nooutput\n"
              "high = STATS_max > high ? STATS_max : high\nset key top right\n",
              stream);
    fputs("set yrange [low/2:high*2]\n", stream);
    if (window->equal_masses && scene->min_members > 0) {
        const double least = (double)scene->min_members * window->mean_mass;
        fprintf(stream,
                "least = %.9g\n"
                "if (least > middle / reach && least < middle * reach) {\n"
                "set arrow from least, graph 0 to least, graph 1 nohead dt 2 lc rgb "
                "'#888888'\n"
                "set label '%lld particles' at least, graph 0.02 rotate left offset 0.8, 0 "
                "tc rgb '#666666' font ',10'\n}\n",
                least, (long long)scene->min_members);
    }
    fputs("plot 'masses.txt' using 1:2:3:4 with yerrorbars pt 7 ps 1.1 lw 1.6 lc rgb "
          "'#5f187f' ",
          stream);
    if (sphere_bins > 0)
        fprintf(stream,
                "title 'friends-of-friends', \\\n"
                " 'spheres.txt' using 1:2:3:4 with yerrorbars pt 6 ps 1.1 lw 1.6 lc rgb "
                "'#eb5760' title '{/:Italic M}_{%s}'\n",
                scene->sphere_name);
    else
        fputs("notitle\n", stream);
}

void script_terminal(FILE *stream, const char *path, int width, int height) {
    const bool pdf = io_ends_in(path, ".pdf");
    const double unit = pdf ? 100 : 1; /* of pixels */
    fprintf(stream,
            "\nset terminal %s size %g, %g enhanced font 'DejaVu Sans,12' linewidth 1.2\n",
            pdf                        ? "pdfcairo"
            : io_ends_in(path, ".svg") ? "svg"
                                       : "pngcairo",
            width / unit, height / unit);
}

void plot_script(FILE *stream, const char *folder, const struct plot_scene *scene,
                 const struct plot_window *window, float darkest, float brightest,
                 int mass_bins, int sphere_bins) {
    fputs("set encoding utf8\ncd ", stream);
    script_quote(stream, folder);
    script_terminal(stream, scene->path, width_of(scene), HEIGHT);
    fputs("set output 'picture.png'\nset multiplot\n"
          "set tics front out nomirror scale 0.7\nset border lw 1\n",
          stream);
    fputs("set label 1 ", stream);
    script_title(stream, scene->title);
    fprintf(stream, " noenhanced at screen %.4f, screen 0.962 font ',15'\n",
            across(scene, 0.055));
    fprintf(stream, "set label 2 '%lld particles", (long long)scene->n);
    if (!scene->map_only)
        fprintf(stream, ", %lld halos", (long long)scene->n_halos);
    if (scene->n_halos > PLOT_CIRCLES)
        fprintf(stream, " (circles: the %d largest)", PLOT_CIRCLES);
    if (!isnan(scene->redshift))
        fprintf(stream, ", {/:Italic z} = %.4g",
                fabs(scene->redshift) < 1e-9 ? 0 : scene->redshift);
    fprintf(stream, "' at screen %.4f, screen 0.962 right font ',12'\n",
            across(scene, 0.545));
    draw_map(stream, scene, window, darkest, brightest);
    if (scene->map_only) {
        fputs("unset multiplot\nset output\n", stream);
        return;
    }
    fputs("unset label 1\nunset label 2\nset label 3 'Halo mass function' at screen 0.685, "
          "screen 0.962 font ',15'\n",
          stream);
    draw_masses(stream, scene, window, mass_bins, sphere_bins);
    fputs("unset multiplot\nset output\n", stream);
}
