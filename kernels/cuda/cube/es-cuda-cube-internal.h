/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The tables that this room fills. */

#include "es-hotspots-cube.h"
#include "es-hotspots-ica.h"

extern const EskCubeHotspots esk_cuda_cube_hotspots;
extern const EskIcaHotspots  esk_cuda_ica_hotspots;
