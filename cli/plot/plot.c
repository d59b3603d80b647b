/* The picture: data in a temporary folder, gnuplot on them, and the file into its place. */
#include "plot.h"
#include "ends.h"
#include "io/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { NAME = 4096 };

static const char *const files[] = {"density.bin", "halos.txt", "masses.txt", "spheres.txt",
                                    "plot.gp",     "log.txt",   "picture.png"};
enum { DENSITY, HALOS, MASSES, SPHERES, SCRIPT, LOG, PICTURE, FILES };

static bool no_gnuplot(struct io_error *error) {
    return io_fail(error, "--plot needs gnuplot, and there is none in the PATH");
}

bool plot_ready(struct io_error *error) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/bin:/usr/bin"; *at;) {
        char name[NAME];
        const int length = (int)strcspn(at, ":");
        snprintf(name, sizeof name, "%.*s/gnuplot", length, length ? at : ".");
        if (access(name, X_OK) == 0)
            return true;
        at += length;
        at += *at == ':';
    }
    return no_gnuplot(error);
}

static void name_of(char name[NAME], const char *folder, int file) {
    snprintf(name, NAME, "%s/%s", folder, files[file]);
}

static FILE *open_file(const char *folder, int file, const char *mode,
                       struct io_error *error) {
    char name[NAME];
    name_of(name, folder, file);
    FILE *stream = fopen(name, mode);
    if (stream == NULL)
        io_fail(error, "cannot open %s: %s", name, strerror(errno));
    return stream;
}

static bool close_file(FILE *stream, const char *folder, int file, struct io_error *error) {
    char name[NAME];
    name_of(name, folder, file);
    errno = 0;
    const bool failed = ferror(stream) != 0;
    return (fclose(stream) == 0 && !failed) ||
           io_fail(error, "cannot write %s: %s", name,
                   errno ? strerror(errno) : "no space left");
}

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
    FILE *stream = open_file(folder, DENSITY, "wb", error);
    if (stream == NULL)
        return false;
    for (int i = 0; i < PLOT_SIDE * PLOT_SIDE; ++i) {
        /* The logarithm of nothing would be a hole in the map. */
        const float value = map[i] > 1e-6f ? map[i] : 1e-6f;
        fwrite(&value, sizeof value, 1, stream);
    }
    return close_file(stream, folder, DENSITY, error);
}

/* A circle of the radius at which a sphere of the halo's mass has 200 times the mean
 * density; one over a face of a periodic box is drawn at both ends. */
static bool write_halos(const char *folder, const struct plot_scene *scene,
                        const struct plot_window *window, struct io_error *error) {
    FILE *stream = open_file(folder, HALOS, "w", error);
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
    return close_file(stream, folder, HALOS, error);
}

static bool write_data(const char *folder, const struct plot_scene *scene,
                       struct io_error *error) {
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
    FILE *spheres = open_file(folder, SPHERES, "w", error);
    if (spheres == NULL)
        return false;
    const int sphere_bins =
        scene->sphere_mass
            ? plot_mass_function(spheres, scene->n_halos, scene->sphere_mass, volume)
            : 0;
    if (!close_file(spheres, folder, SPHERES, error))
        return false;
    FILE *masses = open_file(folder, MASSES, "w", error);
    if (masses == NULL)
        return false;
    const int bins = plot_mass_function(masses, scene->n_halos, scene->halo_mass, volume);
    if (!close_file(masses, folder, MASSES, error))
        return false;
    FILE *script = open_file(folder, SCRIPT, "w", error);
    if (script == NULL)
        return false;
    plot_script(script, folder, scene, &window, darkest, brightest, bins, sphere_bins);
    return close_file(script, folder, SCRIPT, error);
}

/* The first line of the log that says something. */
static void read_log(const char *folder, char line[256]) {
    struct io_error ignored;
    FILE *stream = open_file(folder, LOG, "r", &ignored);
    snprintf(line, 256, "it says nothing");
    char read[256];
    while (stream && fgets(read, sizeof read, stream)) {
        read[strcspn(read, "\n")] = '\0';
        const char *word = read + strspn(read, " \t^");
        if (*word)
            snprintf(line, 256, "%s", word);
    }
    if (stream)
        fclose(stream);
}

static bool run_gnuplot(const char *folder, struct io_error *error) {
    char script[NAME], log[NAME], line[256], command[] = "gnuplot";
    char *const arguments[] = {command, script, NULL};
    name_of(script, folder, SCRIPT);
    name_of(log, folder, LOG);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t process;
    const int failed = posix_spawnp(&process, command, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return failed == ENOENT
                   ? no_gnuplot(error)
                   : io_fail(error, "cannot run gnuplot: %s", strerror(failed));
    int status = 0;
    ends_child(process);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    ends_child(0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    read_log(folder, line);
    return io_fail(error, "gnuplot cannot draw the picture: %s", line);
}

static bool move_picture(const char *folder, const char *path, struct io_error *error) {
    FILE *picture = open_file(folder, PICTURE, "rb", error);
    if (picture == NULL)
        return false;
    struct io_output output;
    bool done = io_output_open(&output, path, error);
    if (done) {
        char block[65536];
        size_t count;
        while (done && (count = fread(block, 1, sizeof block, picture)) > 0)
            done = fwrite(block, 1, count, output.stream) == count ||
                   io_output_fail(&output, errno, error);
        done = io_output_close(&output, done, error);
    }
    fclose(picture);
    return done;
}

bool plot_write(const struct plot_scene *scene, struct io_error *error) {
    char folder[NAME - 32], name[NAME];
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/weft-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder) == NULL)
        return io_fail(error, "cannot make a temporary folder %s: %s", folder,
                       strerror(errno));
    ends_guard(folder, files, FILES);
    const bool done = write_data(folder, scene, error) && run_gnuplot(folder, error) &&
                      move_picture(folder, scene->path, error);
    for (int file = 0; file < FILES; ++file) {
        name_of(name, folder, file);
        unlink(name);
    }
    rmdir(folder);
    ends_release();
    return done;
}
