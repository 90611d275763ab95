/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills. */

#include "es-hotspots-sparse.h"

extern const EskSparseHotspots esk_cuda_sparse_hotspots;
