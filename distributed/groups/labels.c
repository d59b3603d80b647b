#include "labels.h"
#include "distributed/table/pages.h"
#include "io/crew/crew.h"

#include <stdlib.h>
#include <string.h>
#include <weft/lazy.h>
#include <weft/select.h>
#include <weft/transform.h>

static const char what[] = "the lists of particles that move";

static bool out_of_memory(struct comm *comm) {
    io_fail(&comm->error, "no memory for %s", what);
    return comm_fail(comm, 1);
}

bool labels_new(struct comm *comm, weft_device *device, int64_t n, bool there,
                struct labels *labels) {
    *labels = (struct labels){0};
    if (there) { /* with room for those that come */
        labels->there = weft_array_new(device, WEFT_U32, n + n / 16);
        return table_well(comm, device);
    }
    labels->host = comm_allocate(comm, n, sizeof *labels->host, "groups");
    if (labels->host)
        pages_touch(comm->threads, labels->host, (size_t)n * sizeof *labels->host);
    return labels->host != NULL;
}

void labels_free(weft_device *device, struct labels *labels) {
    if (labels->there.type)
        weft_array_free(device, labels->there);
    free(labels->host);
    *labels = (struct labels){0};
}

void labels_read(weft_device *device, const struct labels *labels, const uint32_t *row,
                 int64_t first, int64_t n, uint32_t *out) {
    for (int64_t k = 0; labels->host && k < n; ++k)
        out[k] = labels->host[row ? row[k] : first + k];
    if (labels->host || n == 0)
        return;
    if (row == NULL) {
        weft_read(device, weft_slice(device, labels->there, first, n), out);
        return;
    }
    weft_scope_open(device);
    const weft_array found = weft_scratch(device, WEFT_U32, n);
    const weft_array rows = weft_borrow_const(device, WEFT_U32, row, n);
    weft_gather(device, labels->there, rows, found);
    weft_read(device, found, out);
    weft_return(device, rows);
    weft_scope_close(device);
}

static bool replace_here(struct comm *comm, struct labels *labels, const uint32_t *row,
                         const uint32_t *label, int64_t n, int64_t before,
                         const uint32_t *more, int64_t n_more) {
    uint32_t *longer =
        realloc(labels->host, (size_t)(before + n_more + 1) * sizeof *longer);
    if (longer == NULL)
        return out_of_memory(comm);
    for (int64_t k = 0; k < n; ++k)
        longer[row[k]] = label[k];
    for (int64_t k = 0; k < n_more; ++k)
        longer[before + k] = more[k];
    labels->host = longer;
    return true;
}

bool labels_replace(struct comm *comm, weft_device *device, struct labels *labels,
                    const uint32_t *row, const uint32_t *label, int64_t n, int64_t before,
                    const uint32_t *more, int64_t n_more) {
    if (labels->host)
        return replace_here(comm, labels, row, label, n, before, more, n_more);
    if (n > 0) {
        const weft_array rows = weft_borrow_const(device, WEFT_U32, row, n);
        const weft_array values = weft_borrow_const(device, WEFT_U32, label, n);
        weft_scatter(device, values, rows, labels->there);
        weft_return(device, values);
        weft_return(device, rows);
    }
    if (before + n_more > labels->there.length) {
        const weft_array longer = weft_array_new(device, WEFT_U32, before + n_more);
        weft_copy(device, weft_slice(device, labels->there, 0, before),
                  weft_slice(device, longer, 0, before));
        weft_array_free(device, labels->there);
        labels->there = longer;
    }
    weft_write(device, weft_slice(device, labels->there, before, n_more), more);
    return table_well(comm, device);
}

/* What each thread finds of its rows. */
struct found {
    int64_t n, room; /* -1: memory was out */
    struct labels_member *list;
};
struct looking {
    const uint32_t *label;
    const struct names *names;
    uint64_t *bits;      /* a row's bit: it is the first of such a group */
    struct found *found; /* [threads] */
};

static uint32_t name_of(const struct names *names, uint32_t label) {
    int64_t low = 0, high = names->n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (names->label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void add(struct found *found, struct labels_member member) {
    if (found->n == found->room) {
        const int64_t room = 2 * found->room + 1024;
        struct labels_member *longer = realloc(found->list, (size_t)room * sizeof *longer);
        found->list = longer ? longer : found->list;
        found->room = longer ? room : -1;
    }
    if (found->n < found->room)
        found->list[found->n++] = member;
}

/* Nearly all rows are of others, which is found out in the cache. */
static void look(void *context, int64_t begin, int64_t end, int part) {
    const struct looking *looking = context;
    const uint32_t *label = looking->label;
    const uint64_t *bits = looking->bits;
    struct found found = {0};
    for (int64_t i = begin; i < end && found.room >= 0; ++i) {
        if (bits[label[i] / 64] >> label[i] % 64 & 1)
            add(&found,
                (struct labels_member){(uint32_t)i, name_of(looking->names, label[i])});
    }
    looking->found[part] = found;
}

/* Those of all threads, one after the other. */
static struct labels_member *join(struct comm *comm, struct found *found, int threads,
                                  int64_t *count) {
    int64_t all = 0;
    bool well = true;
    for (int t = 0; t < threads; ++t) {
        well = well && found[t].room >= 0;
        all += found[t].n;
    }
    if (!well)
        out_of_memory(comm);
    struct labels_member *list = well ? comm_allocate(comm, all, sizeof *list, what) : NULL;
    *count = list ? all : 0;
    for (int64_t t = 0, at = 0; t < threads; ++t) {
        if (list && found[t].n > 0)
            memcpy(list + at, found[t].list, (size_t)found[t].n * sizeof *list);
        at += found[t].n;
        free(found[t].list);
    }
    return list;
}

static struct labels_member *look_here(struct comm *comm, const uint32_t *label, int64_t n,
                                       const struct names *names, int64_t *count) {
    const int threads = crew_parts(comm->threads, n);
    const int64_t words = n / 64 + 1;
    struct looking looking = {.label = label, .names = names};
    struct labels_member *list = NULL;
    looking.bits = comm_allocate(comm, words, sizeof *looking.bits, what);
    looking.found = comm_allocate(comm, threads, sizeof *looking.found, what);
    if (looking.bits && looking.found) {
        memset(looking.bits, 0, (size_t)words * sizeof *looking.bits);
        for (int64_t k = 0; k < names->n; ++k)
            looking.bits[names->label[k] / 64] |= UINT64_C(1) << names->label[k] % 64;
        crew_run(comm->threads, n, look, &looking);
        list = join(comm, looking.found, threads, count);
    }
    free(looking.bits);
    free(looking.found);
    return list;
}

/* At the first of each such group the number of its name, from 1 on. */
static struct labels_member *look_there(struct comm *comm, weft_device *device,
                                        weft_array label, int64_t n,
                                        const struct names *names, int64_t *count) {
    const uint32_t zero = 0;
    weft_scope_open(device);
    const weft_array firsts = weft_borrow_const(device, WEFT_U32, names->label, names->n);
    const weft_array mark = weft_scratch(device, WEFT_U32, n);
    const weft_array name = weft_scratch(device, WEFT_U32, n);
    const weft_array rows = weft_scratch(device, WEFT_U32, n);
    weft_fill(device, mark, &zero);
    weft_scatter(device, weft_counting(names->n, (uint32_t)1), firsts, mark);
    weft_gather(device, mark, weft_slice(device, label, 0, n), name);
    weft_copy_if(device, weft_counting(n, (uint32_t)0), name, rows, count);
    weft_copy_if(device, name, name, mark, count);
    struct labels_member *list = comm_allocate(comm, *count, sizeof *list, what);
    uint32_t *both = comm_allocate(comm, 2 * *count, sizeof *both, what);
    if (list && both) {
        weft_read(device, weft_slice(device, rows, 0, *count), both);
        weft_read(device, weft_slice(device, mark, 0, *count), both + *count);
        for (int64_t k = 0; k < *count; ++k)
            list[k] = (struct labels_member){both[k], both[*count + k] - 1};
    }
    free(both);
    weft_return(device, firsts);
    weft_scope_close(device);
    table_well(comm, device);
    return list;
}

struct labels_member *labels_members(struct comm *comm, weft_device *device,
                                     const struct labels *labels, int64_t n,
                                     const struct names *names, int64_t *count) {
    *count = 0;
    return labels->host ? look_here(comm, labels->host, n, names, count)
                        : look_there(comm, device, labels->there, n, names, count);
}
