#ifndef REGISTER_TABLES_H
#define REGISTER_TABLES_H

#include <weft/kernel.h>
#include "register_body.h"

CONSTANT u32 register_weights[4] = {2, 3, 5, 7};

#endif
