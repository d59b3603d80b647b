/* Properties and profiles of the same spheres: a sphere's list, from which the profile is
 * made, begins with what is inside. */
#include "algorithms/points/arguments.h"
#include "inside.h"
#include "so_prefix.kernel.h"
#include "weft/listener.h"
#include "weft/transform.h"

#include <stdlib.h>

WEFT_BUNDLE(so_prefix_lists, (value, i64, first), (in, i64, offset, 0), (in, f64, r2, 0),
            (in, u32, who, 0))
WEFT_KERNEL(so_prefix_reach, (in, f64, inner), (in, f64, outer), (out, f64, reach2))
WEFT_KERNEL(so_prefix_count, (bundle, so_prefix_lists, of), (in, f64, reach2, 0),
            (out, i64, count), (out, i64, inside))
WEFT_KERNEL(so_prefix_copy, (bundle, so_prefix_lists, of), (value, i64, spheres),
            (in, i64, offset, 0), (out, f64, r2), (out, u32, who))

static const char NAME[] = "weft_so_measure_both";

typedef struct both {
    so_inside_properties properties;
    so_inside_shells shells;
    weft_array reach2; /* of what is inside */
    const i64 *count;  /* on the host */
} both;

/* That as many are inside of each list as were announced; `offset`, [spheres + 1], adds
 * them up. */
static void compare(weft_device *device, const both *b, const so_members *members,
                    weft_array count, i64 *offset) {
    const i64 n = members->spheres;
    offset[0] = 0;
    if (weft_read(device, count, offset + 1) != WEFT_OK)
        return;
    for (i64 k = 0; k < n; k++) {
        const i64 announced = b->count[members->first + k];
        so_members_compare(device, NAME, members->first + k, offset[k + 1],
                           announced > 0 ? announced : 0);
        offset[k + 1] += offset[k];
    }
}

/* What is inside, as lists of their own. */
static void measure_copies(weft_device *device, const so_task *task, both *b,
                           const so_prefix_lists_arrays *of, const i64 *offset,
                           i64 spheres) {
    const so_members inside = {.first = of->first,
                               .spheres = spheres,
                               .members = offset[spheres],
                               .offset = weft_scratch(device, WEFT_I64, spheres + 1),
                               .r2 = weft_scratch(device, WEFT_F64, offset[spheres]),
                               .who = weft_scratch(device, WEFT_U32, offset[spheres])};
    weft_write(device, inside.offset, offset);
    weft_for_each(device, inside.members, so_prefix_copy, .of = *of, .spheres = spheres,
                  .offset = inside.offset, .r2 = inside.r2, .who = inside.who);
    so_inside_measure(device, task, &inside, &b->properties);
}

static void measure(weft_device *device, const so_task *task, const so_members *members,
                    void *context) {
    both *b = context;
    const i64 n = members->spheres;
    const so_prefix_lists_arrays of = {members->first, members->offset, members->r2,
                                       members->who};
    const weft_array count = weft_scratch(device, WEFT_I64, n);
    i64 *offset = malloc((size_t)(n + 1) * sizeof *offset);
    b->properties.end = weft_scratch(device, WEFT_I64, n);
    weft_for_each(device, n, so_prefix_count, .of = of, .reach2 = b->reach2, .count = count,
                  .inside = b->properties.end);
    if (!offset)
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory", NAME);
    else
        compare(device, b, members, count, offset);
    if (weft_check(device) == WEFT_OK && task->told > 0)
        so_inside_measure(device, task, members, &b->properties);
    else if (weft_check(device) == WEFT_OK) {
        b->properties.end = (weft_array){0};
        measure_copies(device, task, b, &of, offset, n);
    }
    so_inside_shell(device, task, members, &b->shells);
    free(offset);
}

static void find(weft_device *device, const weft_bodies *bodies, so_task *task,
                 const weft_so_spheres *spheres, const weft_so_measures *measures,
                 const weft_profiles_options *shells, const weft_so_properties *properties,
                 const weft_profiles *profiles) {
    const i64 n = task->search.centers;
    so_inside_tell(device, bodies, task);
    const so_known known = so_known_of(device, task, spheres, measures->threshold);
    weft_profiles_options how = *shells;
    i64 *count = malloc((size_t)(n + 1) * sizeof *count);
    how.radius = known.radius;
    how.velocity = properties->velocity;
    both b = {.properties =
                  so_inside_with(device, bodies, task, &known, measures, properties),
              .shells = so_inside_shells_with(device, bodies, task, &how, profiles),
              .reach2 = known.reach2,
              .count = count};
    const weft_array reach2 = weft_scratch(device, WEFT_F64, n);
    weft_for_each(device, n, so_prefix_reach, .inner = known.reach2,
                  .outer = b.shells.reach2, .reach2 = reach2);
    weft_task_until(device, 1);
    if (!count)
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory", NAME);
    else if (weft_read(device, known.count, count) == WEFT_OK)
        so_members_each(device, task, reach2, (weft_array){0}, measure, &b);
    free(count);
}

static void check(weft_device *device, const weft_bodies *bodies,
                  const weft_so_measures *measures, const weft_profiles_options *shells) {
    so_inside_check(device, NAME, bodies, measures);
    so_inside_check_shells(device, NAME, shells);
    if (shells->radius.type || shells->velocity.type)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: shells have no '%s' of their own: it is that of the spheres", NAME,
                  shells->radius.type ? "radius" : "velocity");
}

weft_status weft_so_measure_both(weft_device *device, const weft_bodies *bodies,
                                 const weft_points *centers, const weft_so_options *options,
                                 const weft_so_spheres *spheres,
                                 const weft_so_measures *measures,
                                 const weft_profiles_options *shells,
                                 weft_so_properties *properties, weft_profiles *profiles) {
    so_task task;
    if (properties)
        *properties = (weft_so_properties){0};
    if (profiles)
        *profiles = (weft_profiles){0};
    if (!arguments_given(device, NAME, "properties", properties) ||
        !arguments_given(device, NAME, "profiles", profiles) ||
        !arguments_given(device, NAME, "spheres", spheres) ||
        !arguments_given(device, NAME, "measures", measures) ||
        !arguments_given(device, NAME, "shells", shells))
        return weft_check(device);
    const int some = so_task_begin(device, NAME, bodies, centers, options, &task);
    if (weft_check(device) == WEFT_OK) {
        const i64 n = centers->count;
        const int moves = bodies->velocity.type != 0;
        so_known_check(device, options, n, spheres, measures->threshold, &task);
        check(device, bodies, measures, shells);
        so_inside_make(device, n, moves, properties);
        so_inside_make_shells(device, n, shells->bins, moves, profiles);
    }
    if (some && weft_check(device) == WEFT_OK)
        find(device, bodies, &task, spheres, measures, shells, properties, profiles);
    so_task_end(device, options, &task);
    if (weft_check(device) != WEFT_OK) {
        weft_so_properties_free(device, properties);
        weft_profiles_free(device, profiles);
    }
    return weft_check(device);
}
