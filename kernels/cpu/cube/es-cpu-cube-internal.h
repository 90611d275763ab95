/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills. */

#include "es-hotspots-cube.h"

extern const EskCubeHotspots esk_cpu_cube_hotspots;
