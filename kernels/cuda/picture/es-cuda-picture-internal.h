/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills. */

#include "es-hotspots-picture.h"

extern const EskPictureHotspots esk_cuda_picture_hotspots;
