#ifndef OWN_ORDER_KERNEL_H
#define OWN_ORDER_KERNEL_H

#include <weft/kernel.h>

typedef struct file_name {
    u8 text[16]; /* zeros behind it */
} file_name;

static inline int own_order_is_digit(u8 c) {
    return c >= '0' && c <= '9';
}

/* The number that begins at *k, which is moved behind it. */
static inline u32 own_order_number(file_name a, int *k) {
    u32 number = 0;
    for (; *k < 16 && own_order_is_digit(a.text[*k]); ++*k)
        number = 10 * number + (u32)(a.text[*k] - '0');
    return number;
}

/* As people sort: snap_9 before snap_10. Digits are compared as the numbers that they are.
 */
static inline int own_order_before(file_name a, file_name b) {
    int i = 0, j = 0;
    while (i < 16 && j < 16 && (a.text[i] || b.text[j])) {
        if (own_order_is_digit(a.text[i]) && own_order_is_digit(b.text[j])) {
            const u32 m = own_order_number(a, &i), n = own_order_number(b, &j);
            if (m != n)
                return m < n;
        } else {
            if (a.text[i] != b.text[j])
                return a.text[i] < b.text[j];
            i++;
            j++;
        }
    }
    return 0;
}

#endif
