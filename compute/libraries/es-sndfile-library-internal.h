/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* libsndfile, loaded when the first of its functions is called: include this instead of its own headers. What is not
 * known then is a line in sndfile.names. */

#include <sndfile.h>

#include "es-library-internal.h"
#include "libraries/es-sndfile-names.h"
