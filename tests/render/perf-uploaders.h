/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

#include "device/es-device.h"

G_BEGIN_DECLS

/* Prints how long a plane of 2048 x 2048 samples takes to its texture and to a drawn view, for each uploader: medians,
 * milliseconds. gpu drives the context. 0, or 1 with a message on stderr. */
int es_perf_uploaders (GdkGLContext *context, EsDevice *gpu);

G_END_DECLS
