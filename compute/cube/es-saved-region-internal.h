/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-region-set.h"

G_BEGIN_DECLS

/* A region as a file lists it. */
typedef struct
{
  char     *name;              /* nullable */
  guint32   colour;            /* 0: none told */
  EsRegion *region;
  guint64   count;             /* of its pixels inside the cube */
} EsSavedRegion;

/* Takes name and region. */
EsSavedRegion *es_saved_region_new  (char *name, guint32 colour, EsRegion *region, guint64 count);
void           es_saved_region_free (gpointer self);

/* All of a file, of EsSavedRegion; nothing where one is damaged. Any thread; transfer full. */
GPtrArray       *es_region_file_read          (GFile *file, EsCube *cube, GCancellable *cancellable, GError **error);

/* Of a list of them. es_region_set_load_finish () does that with the list that a GTask of the set returns. */
void           es_region_set_add_saved (EsRegionSet *self, GPtrArray *regions);

G_END_DECLS
