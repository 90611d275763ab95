/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube.h"

G_BEGIN_DECLS

/* A window of pixels; all bands. */
typedef struct
{
  guint64 x, y, width, height;
} EsCubeWindow;

/* Of the samples of a window that lies in the cube, as stored. */
gsize es_cube_window_bytes (EsCube *cube, const EsCubeWindow *window);

G_END_DECLS
