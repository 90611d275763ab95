/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* HDF5, loaded when the first of its functions is called: include this instead of its own headers. What is not known
 * then is a line in hdf5.names. */

#include <hdf5.h>
#include <hdf5_hl.h>

#include "es-library-internal.h"
#include "libraries/es-hdf5-names.h"
