/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "cube/es-cube-internal.h"
#include "es-resident.h"

G_BEGIN_DECLS

/* Rows by so many keep addresses aligned for the widest loads, whatever the width. */
#define ES_RESIDENT_ROWS 16

/* Which rows the i-th of n devices of this process works on (of several processes all have as many): contiguous, the
 * same for every pass and whatever the tiles; whole blocks of the file. Small cubes leave some devices without any
 * (rows 0). */
void        es_cube_get_share      (EsCube *cube, guint n, guint i, guint64 *top, guint64 *rows);

/* Rows of a cube on one GPU: the selected bands as planes, and which pixels are valid. Counted; holds the memory. */
typedef struct
{
  gatomicrefcount  references;
  EsBuffer        *buffer;
  guint64          top, rows;          /* of the cube */
  EskTile          planes;             /* all of those rows */
  guint8          *valid;              /* NULL: every pixel; rows are planes.row_stride apart */
} EsResident;

/* Whether pixels may be invalid: a mask, floats, and integers where a band has a no-data value. */
gboolean    es_selection_has_valid (EsCube *cube, const EskSelection *selection);
/* Bytes of rows of `n_bands` bands on a GPU; G_MAXUINT64 where they cannot be counted. */
guint64     es_resident_bytes      (EsCube *cube, guint64 rows, gsize n_bands, gboolean has_valid);

/* The rows top .. top + rows of the cube with that selection on one GPU. Transfer full; NULL where they are not. */
EsResident *es_resident_lookup     (EsCube *cube, EsDevice *device, const EskSelection *selection, guint64 top,
                                    guint64 rows);
/* Memory for them, not filled yet. ES_COMPUTE_ERROR_MEMORY. */
EsResident *es_resident_new        (EsCube *cube, EsDevice *device, const EskSelection *selection, guint64 top,
                                    guint64 rows, GError **error);
/* It is filled: others may find it, as long as the cube lives. */
void        es_resident_publish    (EsResident *self, EsCube *cube, const EskSelection *selection);
/* A window of it (whole cube coordinates; within its rows), and the window of `valid`. */
EskTile     es_resident_window     (const EsResident *self, const EsCubeWindow *window, guint8 **valid);
EsResident *es_resident_ref        (EsResident *self);
void        es_resident_unref      (EsResident *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsResident, es_resident_unref)

G_END_DECLS
