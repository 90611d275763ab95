/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills. */

#include "es-hotspots-neighbours.h"

extern const EskNeighboursHotspots esk_cuda_neighbours_hotspots;
