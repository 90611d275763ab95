/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-cube-internal.h"
#include "es-cube-metadata.h"

G_BEGIN_DECLS

/* Of each cube. */
typedef struct
{
  EsCube     *original;        /* NULL: itself */
  EsMetadata *metadata;        /* nullable */
  double     *wavelengths;     /* in the unit that they came in; nullable */
  double     *fwhm;
  gboolean    unit_told;
  guint       n_settled;       /* how many of the notes are of what is said, not of how it was read */
  char       *refused;         /* nullable */
} EsCubeTold;

/* es-cube.c. */
EsCubeTold       *_es_cube_get_told    (EsCube *self);
const EsCubeInfo *_es_cube_peek_info   (EsCube *self);
/* es-cube-metadata.c. What is about to be converted is kept as it is said. */
void              _es_cube_told_keep   (EsCubeTold *self, const EsCubeInfo *info);
void              _es_cube_told_clear  (EsCubeTold *self);
/* As provenance and as words of a command line; values: of a result, nullable. */
void              _es_cube_add_metadata    (EsCube *self, JsonBuilder *builder, JsonObject *values);
void              _es_cube_append_metadata (EsCube *self, GString *line, JsonObject *values);

G_END_DECLS
