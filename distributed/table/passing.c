#include "passing.h"

#include <unistd.h>

/* Each call makes all processors of the process forget what they know of its pages, which
 * takes a virtual machine some 0.3 ms: so pages are passed some megabytes ahead. */
enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 64 << 20, AHEAD = 16 << 20 };

size_t passing_page(size_t sent, size_t come) {
    return sent >= HUGE_FROM && come >= HUGE_FROM ? HUGE_PAGE
                                                  : (size_t)sysconf(_SC_PAGESIZE);
}

static char *round_up(char *at, size_t page) {
    return (char *)(((uintptr_t)at + page - 1) / page * page);
}

static char *round_down(char *at, size_t page) {
    return (char *)((uintptr_t)at / page * page);
}

void passing_gone(struct passing *p, int64_t first, int64_t end) {
    char *begin = p->sent + (size_t)first * p->sent_bytes;
    char *last = p->sent + (size_t)end * p->sent_bytes;
    if (begin == p->gone) /* a page of both */
        begin = p->left;
    const struct pages pages = {round_up(begin, p->page), round_down(last, p->page)};
    const bool some = pages.begin < pages.end;
    p->gone = last;
    p->left = some ? pages.end : begin;
    if (some)
        p->spare[p->spares++] = pages;
}

/* Pages for `begin` .. `end`, as far as there are; returns where they end. NULL: memory is
 * out. */
static char *pass(struct passing *p, char *begin, char *end) {
    while (begin < end && p->spares > 0) {
        struct pages *spare = &p->spare[p->spares - 1];
        const char *from = spare->begin;
        if (!pages_pass(spare, begin, end))
            return NULL;
        begin += spare->begin - from;
        if (spare->begin == from) /* The system cannot. */
            pages_give_up(*spare);
        if (spare->begin == from || spare->begin == spare->end)
            --p->spares;
    }
    return begin;
}

static struct passing_stream *stream_of(const struct passing *p, int64_t row) {
    int r = 0;
    while (r < p->ranks && !(p->stream[r].first <= row && row < p->stream[r].end))
        ++r;
    return r < p->ranks ? &p->stream[r] : NULL;
}

bool passing_comes(struct passing *p, int64_t first, int64_t n) {
    struct passing_stream *stream = stream_of(p, first);
    if (n == 0 || stream == NULL)
        return true;
    char *begin = p->receive + (size_t)first * p->receive_bytes;
    char *end = begin + (size_t)n * p->receive_bytes;
    const int64_t last = first < stream->start ? stream->start : stream->end;
    char *most = round_down(p->receive + (size_t)last * p->receive_bytes, p->page);
    char *bare = round_up(begin, p->page);
    if (stream->until > bare && stream->until <= most)
        bare = stream->until;
    if (bare >= end || bare >= most)
        return true;
    char *wanted = round_up(end + AHEAD, p->page);
    stream->until = pass(p, bare, wanted < most ? wanted : most);
    return stream->until != NULL;
}
