/* The picture of a snapshot: its data, and which colours. */
#include "plot.h"
#include "folder.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The densities that the palette spans: nearly all there are. */
static void choose_colours(const float *map, float *darkest, float *brightest) {
    enum { STEP = 31, SAMPLES = PLOT_SIDE * PLOT_SIDE / STEP };
    static float sample[SAMPLES];
    for (int k = 0; k < SAMPLES; ++k)
        sample[k] = map[k * STEP];
    qsort(sample, SAMPLES, sizeof *sample, compare);
    const float low = sample[SAMPLES / 200], high = sample[SAMPLES - SAMPLES / 1000];
    *darkest = low < 0.01f ? 0.01f : low > 0.5f ? 0.5f : low;
    *brightest = high < 5 ? 5 : high;
}

static bool write_density(const char *folder, const float *map, struct io_error *error) {
    FILE *stream = folder_open(folder, FOLDER_DENSITY, "wb", error);
    if (stream == NULL)
        return false;
    for (int i = 0; i < PLOT_SIDE * PLOT_SIDE; ++i) {
        /* The logarithm of nothing would be a hole in the map. */
        const float value = map[i] > 1e-6f ? map[i] : 1e-6f;
        fwrite(&value, sizeof value, 1, stream);
    }
    return folder_close(stream, folder, FOLDER_DENSITY, error);
}

/* A circle of the radius at which a sphere of the halo's mass has 200 times the mean
 * density; one over a face of a periodic box is drawn at both ends. */
static bool write_halos(const char *folder, const struct plot_scene *scene,
                        const struct plot_window *window, struct io_error *error) {
    FILE *stream = folder_open(folder, FOLDER_HALOS, "w", error);
    if (stream == NULL)
        return false;
    const int64_t count = scene->n_halos < PLOT_CIRCLES ? scene->n_halos : PLOT_CIRCLES;
    for (int64_t h = 0; h < count; ++h) {
        const double *center = &scene->halo_center[3 * h];
        const double radius =
            cbrt(3 * scene->halo_mass[h] / (4 * 3.14159265 * 200 * window->mean_density));
        for (int image = 0; image < 9; ++image) {
            const double x = center[0] + (image % 3 - 1) * scene->period[0];
            const double y = center[1] + (image / 3 - 1) * scene->period[1];
            const bool again = (image % 3 != 1 && scene->period[0] == 0) ||
                               (image / 3 != 1 && scene->period[1] == 0);
            if (!again && x > window->low[0] - radius && x < window->high[0] + radius &&
                y > window->low[1] - radius && y < window->high[1] + radius)
                fprintf(stream, "%.17g %.17g %.9g\n", x, y, radius);
        }
    }
    if (count == 0)
        fprintf(stream, "NaN NaN NaN\n");
    return folder_close(stream, folder, FOLDER_HALOS, error);
}

static bool write_data(const char *folder, const void *of, struct io_error *error) {
    const struct plot_scene *scene = of;
    float darkest = 0, brightest = 0;
    const struct plot_window window = plot_window_of(scene);
    float *made = scene->map ? NULL : plot_density(scene, &window, error);
    const float *map = scene->map ? scene->map : made;
    const bool mapped = map != NULL && write_density(folder, map, error);
    if (mapped)
        choose_colours(map, &darkest, &brightest);
    free(made);
    if (!mapped || !write_halos(folder, scene, &window, error))
        return false;
    const double volume = window.has_box ? window.volume : 1;
    FILE *spheres = folder_open(folder, FOLDER_SPHERES, "w", error);
    if (spheres == NULL)
        return false;
    const int sphere_bins =
        scene->sphere_mass
            ? plot_mass_function(spheres, scene->n_halos, scene->sphere_mass, volume)
            : 0;
    if (!folder_close(spheres, folder, FOLDER_SPHERES, error))
        return false;
    FILE *masses = folder_open(folder, FOLDER_MASSES, "w", error);
    if (masses == NULL)
        return false;
    const int bins = plot_mass_function(masses, scene->n_halos, scene->halo_mass, volume);
    if (!folder_close(masses, folder, FOLDER_MASSES, error))
        return false;
    FILE *script = folder_open(folder, FOLDER_SCRIPT, "w", error);
    if (script == NULL)
        return false;
    plot_script(script, folder, scene, &window, darkest, brightest, bins, sphere_bins);
    return folder_close(script, folder, FOLDER_SCRIPT, error);
}

bool plot_write(const struct plot_scene *scene, struct io_error *error) {
    return folder_draw(scene->path, write_data, scene, error);
}
