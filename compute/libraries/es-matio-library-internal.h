/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* matio, loaded when the first of its functions is called: include this instead of its own headers. What is not known
 * then is a line in matio.names. */

#include <matio.h>

#include "es-library-internal.h"
#include "libraries/es-matio-names.h"
