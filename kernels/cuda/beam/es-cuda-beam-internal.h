/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The tables that this room fills. */

#include "es-hotspots-adaptive.h"
#include "es-hotspots-beam.h"

extern const EskBeamHotspots     esk_cuda_beam_hotspots;
extern const EskAdaptiveHotspots esk_cuda_adaptive_hotspots;
