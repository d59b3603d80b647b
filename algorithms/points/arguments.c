#include "arguments.h"
#include "weft/version.h"

#include <float.h>

int arguments_given(weft_device *device, const char *call, const char *name,
                    const void *argument) {
    if (!argument && weft_check(device) == WEFT_OK)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: '%s' is NULL", call, name);
    return weft_check(device) == WEFT_OK;
}

int arguments_known(weft_device *device, const char *call, const char *name,
                    const void *reserved, size_t bytes) {
    const unsigned char *byte = reserved;
    for (size_t k = 0; k < bytes && weft_check(device) == WEFT_OK; k++)
        if (byte[k] != 0)
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: '%s' has members that version %s does not know: initialise it "
                      "by the names of its members, or use a newer library",
                      call, name, weft_version());
    return weft_check(device) == WEFT_OK;
}

int arguments_bodies(weft_device *device, const char *call, const weft_bodies *bodies) {
    return arguments_given(device, call, "bodies", bodies) &&
           arguments_known(device, call, "bodies", bodies->reserved,
                           sizeof bodies->reserved);
}

void arguments_array(weft_device *device, const char *call, const char *name,
                     weft_array array, weft_type type, int64_t least) {
    const int floats = array.type == WEFT_F32 || array.type == WEFT_F64;
    if (weft_check(device) == WEFT_OK && !(type ? array.type == type : floats))
        weft_fail(device, WEFT_E_TYPE, "%s: array '%s' is not of type %s", call, name,
                  type == WEFT_U32   ? "u32"
                  : type == WEFT_I64 ? "i64"
                  : type             ? "f64"
                                     : "f32 or f64");
    if (weft_check(device) == WEFT_OK && array.length < least)
        weft_fail(device, WEFT_E_SHAPE,
                  "%s: array '%s' has %lld elements, at least %lld are needed", call, name,
                  (long long)array.length, (long long)least);
}

void arguments_scales(weft_device *device, const char *call, const weft_bodies *bodies) {
    for (int axis = 0; axis < 3; axis++)
        if (!(bodies->box[axis] >= 0 && bodies->box[axis] <= DBL_MAX))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not 0 or a size", call,
                      axis, bodies->box[axis]);
    if (bodies->mass.type)
        arguments_array(device, call, "mass", bodies->mass, 0, bodies->points.count);
    else if (!(bodies->particle_mass > 0 && bodies->particle_mass <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: particle_mass is %g, not above 0", call,
                  bodies->particle_mass);
}
