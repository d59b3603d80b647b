/* How many words a file has, and which is the longest: words are runs of letters.
 * Thrust: inner_product of neighbours, examples/word_count.cu. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>
#include "word_count.kernel.h"

WEFT_GENERATOR(word_count_is_letter, u32, (in, u8, text))
WEFT_GENERATOR(word_count_length, i64, (in, u32, is_word), (in, i64, length))

static void count(weft_device *device, const char *bytes, i64 n) {
    i64 runs = 0, words = 0, longest = 0, length = 0, first = 0;
    const weft_array text = weft_borrow_const(device, WEFT_U8, (const u8 *)bytes, n);
    const weft_array is_word = weft_array_new(device, WEFT_U32, n);
    const weft_array lengths = weft_array_new(device, WEFT_I64, n);
    weft_run_length_encode(device, weft_lazy(n, word_count_is_letter, .text = text),
                           is_word, lengths, &runs);
    weft_count_if(device, weft_slice(device, is_word, 0, runs), &words);
    const weft_array of_words =
        weft_lazy(runs, word_count_length, .is_word = is_word, .length = lengths);
    weft_max_element(device, of_words, &longest);
    if (words > 0)
        weft_get(device, lengths, longest, &length);
    if (words > 0) /* what comes before a run is the sum of the lengths before it */
        weft_reduce(device, weft_slice(device, lengths, 0, longest), weft_plus(WEFT_I64),
                    &first);
    weft_return(device, text);
    if (weft_check(device) == WEFT_OK)
        printf("%lld words, the longest '%.*s' at byte %lld\n", (long long)words,
               (int)length, bytes + first, (long long)first);
}

/* The bytes of a file; NULL where it cannot be read. */
static char *read_file(const char *name, size_t *n) {
    FILE *file = fopen(name, "rb");
    char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        bytes = size < 0 ? NULL : malloc((size_t)size + 1);
        rewind(file);
        *n = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    }
    if (file)
        fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    size_t n = 0;
    char *bytes = argc == 2 ? read_file(argv[1], &n) : NULL;
    if (!bytes) {
        fprintf(stderr, "usage: word_count FILE, which can be read\n");
        return 2;
    }
    weft_device *device = weft_open(NULL);
    count(device, bytes, (i64)n);
    const weft_status status = weft_check(device);
    if (status != WEFT_OK)
        fprintf(stderr, "word_count: %s\n", weft_error(device));
    weft_close(device);
    free(bytes);
    return status != WEFT_OK;
}
