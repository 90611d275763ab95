/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills. */

#include "es-hotspots-vectors.h"

extern const EskVectorsHotspots esk_cuda_vectors_hotspots;
