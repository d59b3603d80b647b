/* usage: FUZZER SECONDS SEED CURRENT FILE...
 * For compilers without libFuzzer: changes the files at random and gives them to the
 * reader, for SECONDS of the processor or until SIGTERM; what reaches code that nothing
 * reached before is changed further. The input of the moment is in the file CURRENT, also
 * after a crash. Code is counted where it was compiled with -fsanitize-coverage=trace-pc;
 * without that every 1000th input is kept. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { LONGEST = 20480, MOST = 1 << 14, PLACES = 1 << 16, HANGS = 60 };

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);
void __sanitizer_cov_trace_pc(void);

static unsigned char seen[PLACES];
static long places, fresh; /* reached so far; by this input for the first time */

__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void) {
    const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    unsigned char *place = &seen[(pc ^ pc >> 16) % PLACES];
    fresh += *place == 0;
    *place = 1;
}

static volatile sig_atomic_t ended;

static void end_soon(int number) {
    (void)number;
    ended = 1;
}

static struct input {
    unsigned char *bytes;
    size_t n;
} inputs[MOST];
static size_t kept;

static uint64_t state;

static uint64_t any(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (state >> 11) % below : 0;
}

static void keep(const unsigned char *bytes, size_t n) {
    const size_t k = kept < MOST ? kept++ : any(MOST);
    unsigned char *copy = malloc(n + 1);
    if (copy == NULL)
        exit(2);
    memcpy(copy, bytes, n);
    free(inputs[k].bytes);
    inputs[k] = (struct input){copy, n};
}

/* A number of 1, 2, 4 or 8 bytes that is at the end of something, in either order. */
static void put_number(unsigned char *bytes, size_t n) {
    static const int64_t numbers[] = {0, 1, 2, 3, 7, 16, 255, 256, 65535, 1 << 20};
    const size_t width = (size_t)1 << any(4), at = n > width ? any(n - width) : 0;
    uint64_t value = (uint64_t)numbers[any(sizeof numbers / sizeof *numbers)];
    value = any(2) ? value : any(2) ? ~value : (uint64_t)1 << any(64);
    const int big = (int)any(2);
    for (size_t k = 0; n >= width && k < width; ++k)
        bytes[at + (big ? width - 1 - k : k)] = (unsigned char)(value >> 8 * k);
}

static size_t change(unsigned char *bytes, size_t n) {
    const size_t at = any(n), length = any(n - at < 64 ? n - at : 64), to = any(n);
    const struct input *other = &inputs[any(kept)];
    switch (n == 0 ? 5 : any(8)) {
    case 0:
        bytes[at] ^= (unsigned char)(1 << any(8));
        return n;
    case 1:
        bytes[at] = (unsigned char)any(256);
        return n;
    case 2: /* out */
        memmove(bytes + at, bytes + at + length, n - at - length);
        return n - length;
    case 3: /* over others */
        memmove(bytes + to, bytes + at, n - to < length ? n - to : length);
        return n;
    case 4: /* again */
        if (n + length > LONGEST)
            return n;
        memmove(bytes + at + length, bytes + at, n - at);
        return n + length;
    case 5: /* of another */
        if (other->n == 0)
            return n;
        for (size_t k = any(other->n), end = at + any(256); k < other->n && end > at; ++k) {
            const size_t place = at + k % 256;
            if (place < n)
                bytes[place] = other->bytes[k];
            --end;
        }
        return n;
    default:
        put_number(bytes, n);
        return n;
    }
}

/* Seconds of the processor, children's too: a busy machine runs as many inputs. */
static double used(void) {
    double seconds = 0;
    for (int k = 0; k < 2; ++k) {
        struct rusage usage;
        getrusage(k == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &usage);
        seconds += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                   1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    return seconds;
}

/* What is being run, as a file. */
static unsigned char *open_current(const char *path, int *file) {
    *file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (*file < 0 || ftruncate(*file, LONGEST) != 0)
        return NULL;
    void *map = mmap(NULL, LONGEST, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* Of the processor, and not of a busy machine. */
static void limit(long seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {seconds, 0}}, NULL);
}

int main(int argc, char **argv) {
    static unsigned char bytes[LONGEST];
    int file;
    unsigned char *current = argc > 4 ? open_current(argv[3], &file) : NULL;
    if (current == NULL)
        return 2;
    state = 0x9e3779b97f4a7c15u * (uint64_t)(1 + atoll(argv[2]));
    for (int k = 4; k < argc; ++k) {
        FILE *from = fopen(argv[k], "rb");
        if (from == NULL)
            return 2;
        keep(bytes, fread(bytes, 1, sizeof bytes, from));
        fclose(from);
    }
    signal(SIGTERM, end_soon);
    const double end = atof(argv[1]);
    const size_t given = kept;
    long runs = 0, found = 0;
    for (; used() < end && !ended; ++runs) {
        const struct input *of = &inputs[(size_t)runs < given ? (size_t)runs : any(kept)];
        size_t n = of->n;
        memcpy(bytes, of->bytes, n);
        for (uint64_t k = (size_t)runs < given ? 0 : 1 + any(6); k > 0; --k)
            n = change(bytes, n);
        if (ftruncate(file, LONGEST) != 0)
            return 2;
        memcpy(current, bytes, n);
        if (ftruncate(file, (off_t)n) != 0)
            return 2;
        fresh = 0;
        limit(HANGS);
        LLVMFuzzerTestOneInput(bytes, n);
        limit(0);
        places += fresh;
        if ((size_t)runs >= given && (fresh > 0 || (places == 0 && runs % 1000 == 0))) {
            keep(bytes, n);
            ++found;
        }
    }
    unlink(argv[3]);
    printf("%ld runs, %ld places of code, %ld inputs kept\n", runs, places, found);
    return 0;
}
