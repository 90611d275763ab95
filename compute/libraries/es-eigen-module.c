/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ES_LIBRARY_MODULE

#include "es-eigen-library-internal.h"
