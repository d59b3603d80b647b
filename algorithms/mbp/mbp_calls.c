/* The public calls: what they are given, as the rule that all steps work by. */
#include "mbp.h"
#include "algorithms/points/arguments.h"
#include "weft/listener.h"

/* Whether the arguments are there; then the rule. */
static int rule_of(weft_device *device, const char *call, const weft_bodies *bodies,
                   const weft_mbp_options *options, const weft_halos *halos,
                   mbp_rule *rule) {
    static const weft_mbp_options defaults = {0};
    const weft_mbp_options *o = options ? options : &defaults;
    *rule = (mbp_rule){.call = call,
                       .bodies = bodies,
                       .softening = o->softening,
                       .all_pairs = o->all_pairs != 0};
    return arguments_bodies(device, call, bodies) &&
           arguments_known(device, call, "options", o->reserved, sizeof o->reserved) &&
           arguments_given(device, call, "halos", halos);
}

weft_status weft_mbp(weft_device *device, const weft_bodies *bodies,
                     const weft_mbp_options *options, const weft_halos *halos,
                     weft_array particle, weft_array potential) {
    mbp_rule rule;
    if (rule_of(device, "weft_mbp", bodies, options, halos, &rule))
        mbp_find(device, &rule, halos, particle, potential);
    return weft_check(device);
}

weft_status weft_mbp_share(weft_device *device, const weft_bodies *bodies,
                           const weft_mbp_options *options, const weft_halos *halos,
                           i64 share, i64 shares, weft_array particle,
                           weft_array potential) {
    mbp_rule rule;
    if (!rule_of(device, "weft_mbp_share", bodies, options, halos, &rule))
        return weft_check(device);
    if (share < 0 || share >= shares || shares > INT32_MAX)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: share is %lld, of %lld", rule.call,
                         (long long)share, (long long)shares);
    rule.share = (i32)share;
    rule.shares = (i32)shares;
    mbp_find(device, &rule, halos, particle, potential);
    return weft_check(device);
}

weft_status weft_potential(weft_device *device, const weft_bodies *bodies,
                           const weft_mbp_options *options, const weft_halos *halos,
                           f64 error, weft_array potential) {
    mbp_rule rule;
    if (rule_of(device, "weft_potential", bodies, options, halos, &rule))
        mbp_potentials(device, &rule, halos, error, potential);
    return weft_check(device);
}

weft_status weft_mbp_verify(weft_device *device, const weft_bodies *bodies,
                            const weft_mbp_options *options, const weft_halos *halos,
                            f64 error) {
    mbp_rule rule;
    if (!rule_of(device, "weft_mbp_verify", bodies, options, halos, &rule))
        return weft_check(device);
    rule.verify = 1;
    weft_task_begin(device, rule.call);
    weft_scope_open(device);
    weft_task_until(device, error != 0 ? 0.5 : 1);
    mbp_find(device, &rule, halos, weft_scratch(device, WEFT_U32, halos->count),
             weft_scratch(device, WEFT_F64, halos->count));
    weft_task_until(device, 1);
    if (error != 0)
        mbp_potentials(device, &rule, halos, error,
                       weft_scratch(device, WEFT_F64, halos->members));
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
