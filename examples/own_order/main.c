/* File names in the order of people: a comparison of one's own on structs, the same C
 * function on every device. Names that differ in leading zeros alone keep their order.
 * Thrust: stable_sort with a functor, examples/lexicographical_sort.cu. */
#include <stdio.h>
#include <weft/weft.h>
#include "own_order.kernel.h"

WEFT_COMPARISON(own_order_before, file_name)

enum { FILES = 3000 };

int main(void) {
    static file_name files[FILES];
    weft_device *device = weft_open(NULL);
    for (int k = 0; k < FILES; k++) {
        static const char *const stems[] = {"snap", "halos", "a"};
        const int n = k * 1009 % FILES;
        snprintf((char *)files[k].text, sizeof files[k].text,
                 n % 5 ? "%s_%d" : "%s_%05d.h5", stems[n % 3], n / 3);
    }
    const weft_array names = weft_borrow(device, WEFT_STRUCT(file_name), files, FILES);
    weft_sort_with(device, names, weft_comparison_of(own_order_before));
    const weft_status status = weft_return(device, names);
    if (status == WEFT_OK)
        for (int k = 0; k < FILES; k += k < 12 ? 1 : 150)
            printf("%.16s\n", (const char *)files[k].text);
    else
        fprintf(stderr, "own_order: %s\n", weft_error(device));
    weft_close(device);
    return status != WEFT_OK;
}
