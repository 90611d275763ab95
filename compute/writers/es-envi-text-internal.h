/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What writers of ENVI files share: names and header text. */

/*
 * The files that belong to a target: "scene.img" and "scene.hdr" whichever of the two was meant, "scene" with
 * "scene.hdr" where it has no extension of raster data; stem is the path without any ("scene"). Transfer
 * full; stem may be NULL.
 */
void es_envi_paths            (const char *target, char **data, char **header, char **stem);
/* A file beside a header, other than data and replaced (nullable), that may be what the header describes; NULL where
 * there is none, or it is no header. Transfer full. */
char *es_envi_other_data      (const char *header, const char *data, const char *replaced);
/* "key = {text}" with everything taken out of the text that would end the braces. */
void es_envi_append_text      (GString *header, const char *key, const char *text);
/* "key = {a, b}"; commas within a name become semicolons. */
void es_envi_append_names     (GString *header, const char *key, const char * const *names, guint n);
/*
 * "map info" and "coordinate system string" of GDAL's affine transform and a WKT (nullable). FALSE, and
 * nothing appended, where the transform has a shear: ENVI knows pixel sizes and a rotation only.
 */
gboolean es_envi_append_georeference (GString *header, const double *transform, const char *projection);

G_END_DECLS
