/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-internal.h"

gsize
es_cube_window_bytes (EsCube *cube, const EsCubeWindow *window)
{
  /* No more than the whole cube, which es_cube_new () has checked. */
  return (gsize) window->width * window->height * es_cube_get_bands (cube)
         * esk_type_size (es_cube_get_type_code (cube));
}
