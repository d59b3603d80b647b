/* The data sets of an HDF5 catalogue, group by group. */
#include "formats.h"

/* Sets of the file that are no columns of halos, profiles or subhalos. */
enum { OTHERS = 6 };

struct list {
    struct catalogue_set *set;
    int n;
};

static void add(struct list *list, const char *group, const struct catalogue_column *column,
                int64_t n, struct catalogue_rest rest) {
    list->set[list->n++] = (struct catalogue_set){
        group, *column, rest.before, n, rest.before + n + rest.after, CATALOGUE_MEMBER_IDS};
}

static void add_columns(struct list *list, const char *group,
                        const struct catalogue_column *columns, int n_columns, int64_t n,
                        struct catalogue_rest rest) {
    for (int k = 0; k < n_columns; ++k)
        add(list, group, &columns[k], n, rest);
}

/* Whole numbers without a unit. */
static struct catalogue_column numbers(const char *name, const char *description,
                                       const int64_t *data) {
    return (struct catalogue_column){.name = name,
                                     .type = CATALOGUE_I64,
                                     .components = 1,
                                     .unit = "1",
                                     .description = description,
                                     .data = data};
}

/* One more than rows, which the last process writes. */
static void add_offsets(struct list *list, const char *group,
                        const struct catalogue_column *column, int64_t n,
                        struct catalogue_rest rest) {
    const int64_t end = rest.after == 0;
    rest.after += 1 - end;
    add(list, group, column, n + end, rest);
}

static void add_profiles(struct list *list, const struct catalogue *catalogue) {
    const struct catalogue_column edge = {
        .name = "edge",
        .type = CATALOGUE_F64,
        .components = 1,
        .unit = "1",
        .description = "where shells begin and end, in units of the sphere's radius R",
        .data = catalogue->profile_edge,
    };
    add(list, "profiles", &edge, catalogue->profiles[0].components + 1,
        (struct catalogue_rest){0});
    add_columns(list, "profiles", catalogue->profiles, catalogue->n_profiles, catalogue->n,
                catalogue->rest);
}

static void add_members(struct list *list, const struct catalogue *catalogue) {
    const struct catalogue_members *members = catalogue->members;
    const int64_t n = members->offset[catalogue->n] - members->offset[0];
    const struct catalogue_column offset = numbers(
        "offset", "halo i has the members offset[i] to offset[i + 1] - 1", members->offset);
    const struct catalogue_column id = numbers(
        "particle_id",
        "ids of the members, halo by halo in the order of /halos, ascending in each", NULL);
    const struct catalogue_column friends =
        numbers("friends", "particles within the linking length of each member", NULL);
    add_offsets(list, "members", &offset, catalogue->n, catalogue->rest);
    add(list, "members", &id, n, members->rest);
    if (members->has_friends) {
        add(list, "members", &friends, n, members->rest);
        list->set[list->n - 1].pulled = CATALOGUE_MEMBER_FRIENDS;
    }
}

static void add_subhalos(struct list *list, const struct catalogue_subhalos *subhalos) {
    const struct catalogue_column offset =
        numbers("offset", "subhalo i has the members offset[i] to offset[i + 1] - 1",
                subhalos->offset);
    const struct catalogue_column id = numbers(
        "particle_id", "ids of the members, subhalo by subhalo, the most bound first",
        subhalos->particle_id);
    add_columns(list, "subhalos", subhalos->columns, subhalos->n_columns, subhalos->n,
                subhalos->rest);
    if (subhalos->particle_id) {
        add_offsets(list, "subhalos", &offset, subhalos->n, subhalos->rest);
        add(list, "subhalos", &id, subhalos->offset[subhalos->n] - subhalos->offset[0],
            subhalos->members);
    }
}

struct catalogue_set *catalogue_list_sets(const struct catalogue *catalogue, int *n,
                                          struct io_error *error) {
    const int64_t most = catalogue->n_columns + catalogue->n_profiles + OTHERS +
                         (catalogue->subhalos ? catalogue->subhalos->n_columns : 0);
    struct list list = {io_allocate(most, sizeof *list.set, "data sets", error), 0};
    *n = 0;
    if (list.set == NULL)
        return NULL;
    add_columns(&list, "halos", catalogue->columns, catalogue->n_columns, catalogue->n,
                catalogue->rest);
    if (catalogue->n_profiles > 0)
        add_profiles(&list, catalogue);
    if (catalogue->members)
        add_members(&list, catalogue);
    if (catalogue->subhalos)
        add_subhalos(&list, catalogue->subhalos);
    *n = list.n;
    return list.set;
}
