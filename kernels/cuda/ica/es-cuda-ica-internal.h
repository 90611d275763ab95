/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills. */

#include "es-hotspots-ica.h"

extern const EskIcaHotspots esk_cuda_ica_hotspots;
