/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "gl/es-uploader-internal.h"
#include "es-picture.h"

G_BEGIN_DECLS

struct _EsPicture
{
  GObject parent_instance;

  guint n_planes;              /* 0: empty */
  EsPlane *planes[3];
  guint step, full_width, full_height;
  EsPlane *detail[3];          /* n_planes of them, or none */
  guint detail_step, detail_x, detail_y;
  gboolean detail_complete;

  double stretches[6];         /* low, high of each plane */
  gboolean stretched;          /* somebody, or the first planes, chose them */
  EsStretch curve;
  EsPlaneStatistics *bases[3]; /* of other values than all of a plane's; nullable */
  EsColormap map;
  guint8 *palette;             /* nullable */
  guint n_named;               /* values that it names */
  float first_named;

  EsUploaders *uploaders;
  const char *uploader;        /* what the last render used */
};

/* Tells that something else is shown. */
void                     es_picture_changed   (EsPicture *self);
/* What the stretch of a plane is of: the values that were told, or all of the plane where none of those is valid, of
 * which nothing can be said. es-picture-look.c. Borrowed. */
const EsPlaneStatistics *es_picture_get_basis (EsPicture *self, guint plane);

G_END_DECLS
