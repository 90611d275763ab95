/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-hotspots-sums.h"

extern const EskSumsHotspots esk_cuda_sums_hotspots;
