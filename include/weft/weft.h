/* All public headers except <weft/kernel.h>, which kernel files include, and its words for
 * types, <weft/short_names.h>. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include "array.h"
#include "bodies.h"
#include "compare.h"
#include "cosmology.h"
#include "dbscan.h"
#include "device.h"
#include "element.h"
#include "expand.h"
#include "fof.h"
#include "halo_properties.h"
#include "halos.h"
#include "histogram.h"
#include "in_place.h"
#include "lazy.h"
#include "mbp.h"
#include "mcp.h"
#include "operators.h"
#include "points.h"
#include "poisson.h"
#include "reduce.h"
#include "register.h"
#include "runs.h"
#include "scan.h"
#include "search.h"
#include "select.h"
#include "sine_transform.h"
#include "so.h"
#include "sort.h"
#include "transform.h"
#include "typed.h"
#include "types.h"
#include "version.h"

#endif
