/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* GDAL, loaded when the first of its functions is called: include this instead of its own headers. What is not known
 * then is a line in gdal.names. */

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_http.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include "es-library-internal.h"
#include "libraries/es-gdal-names.h"
