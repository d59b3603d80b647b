/* That pointers into host memory point to what arrays hold. */
#include "core.h"
#include "weft/typed.h"

#include <string.h>

static int fits(weft_type pointed, weft_type type, int many) {
    if (pointed == 0 || type == 0 || pointed == type)
        return 1;
    if (pointed < WEFT_STRUCTS && type < WEFT_STRUCTS)
        return many && pointed == WEFT_U8; /* bytes */
    return many || WEFT_SIZE(pointed) == WEFT_SIZE(type);
}

int weft_typed(weft_device *device, const char *argument, weft_type pointed, weft_type type,
               i64 length, void *result) {
    char given[32], wanted[32];
    const int many = length >= 0;
    if (fits(pointed, type, many) || (many && weft_check(device) != WEFT_OK))
        return 1;
    const size_t size =
        WEFT_SIZE(pointed) < WEFT_SIZE(type) ? WEFT_SIZE(pointed) : WEFT_SIZE(type);
    if (result)
        memset(result, 0, (many ? (size_t)length : 1) * size);
    weft_fail(device, WEFT_E_TYPE, "%s points to %s, but the elements are %s", argument,
              weft_type_name(pointed, given), weft_type_name(type, wanted));
    return 0;
}
