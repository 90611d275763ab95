/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where the planes of a profile come from, what its columns are as a curve, and what takes it again. */

#include "es-profile-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-cube-line-internal.h"
#include "dataset/es-dataset-internal.h"
#include "layer/es-layer-internal.h"
#include "selection/es-band-ranges.h"

/* ---- planes in memory ---- */

typedef struct
{
  guint               n;
  const float * const *planes;
  guint64             width;
} Memory;

static gboolean
read_memory (gpointer source, guint64 x, guint64 y, guint64 width, guint64 height, float *out,
             GCancellable *cancellable, GError **error)
{
  const Memory *memory = source;

  for (guint plane = 0; plane < memory->n; plane++)
    for (guint64 row = 0; row < height; row++, out += width)
      memcpy (out, memory->planes[plane] + (y + row) * memory->width + x, width * sizeof *out);
  return TRUE;
}

EsProfile *
es_profile_of_planes (const EsProfileLine *line, guint n, const float * const *planes, guint64 width, guint64 height,
                      GError **error)
{
  Memory memory = { n, planes, width };

  g_return_val_if_fail (line != NULL && (n == 0 || planes != NULL), NULL);
  return _es_profile_take (line, n, width, height, read_memory, &memory, NULL, error);
}

/* ---- cubes and stacks ---- */

/* Metres along the map, part after part: a map's pixels need not be squares. */
static void
measure (EsProfile *self, const EsProfileLine *line, EsCube *cube)
{
  double before = 0, pixels = 0;
  guint i = 0;

  if (cube == NULL || es_cube_get_geotransform (cube) == NULL)
    return;
  self->metres = g_new0 (double, self->n);
  for (guint part = 0; part + 1 < line->n; part++)
    {
      const EsProfilePlace from = line->places[part], to = line->places[part + 1];
      const double length = hypot (to.x - from.x, to.y - from.y);
      const double metres = length > 0 ? es_cube_measure_metres (cube, from.x, from.y, to.x, to.y) : 0;

      if (length > 0 && !(metres > 0))
        {
          g_clear_pointer (&self->metres, g_free);
          return;
        }
      for (; i < self->n && (self->distances[i] <= pixels + length * (1 + 1e-12) || part + 2 == line->n); i++)
        self->metres[i] = before + (length > 0 ? (self->distances[i] - pixels) * metres / length : 0);
      pixels += length;
      before += metres;
    }
}

typedef struct
{
  EsCubeReader *reader;
  guint         n;
  const guint  *bands;
} Bands;

static gboolean
read_bands (gpointer source, guint64 x, guint64 y, guint64 width, guint64 height, float *out,
            GCancellable *cancellable, GError **error)
{
  const Bands *bands = source;
  const EsCubeWindow window = { x, y, width, height };

  return es_cube_reader_read_bands (bands->reader, &window, bands->n, bands->bands, out, cancellable, error);
}

EsProfile *
es_profile_of_cube (const EsProfileLine *line, EsCube *cube, guint n, const guint *bands, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (EsCubeReader) reader = NULL;
  EsProfile *self;

  g_return_val_if_fail (line != NULL && ES_IS_CUBE (cube), NULL);
  for (guint i = 0; i < n; i++)
    g_return_val_if_fail (bands[i] < es_cube_get_bands (cube), NULL);

  if ((reader = es_cube_reader_new (cube, error)) == NULL)
    return NULL;
  self = _es_profile_take (line, n, es_cube_get_width (cube), es_cube_get_height (cube), read_bands,
                           &(Bands) { reader, n, bands }, cancellable, error);
  if (self != NULL)
    measure (self, line, cube);
  return self;
}

typedef struct
{
  EsImageStack *stack;
  guint         n;
  const guint  *planes;
} Planes;

static gboolean
read_planes (gpointer source, guint64 x, guint64 y, guint64 width, guint64 height, float *out,
             GCancellable *cancellable, GError **error)
{
  const Planes *planes = source;

  for (guint i = 0; i < planes->n; i++, out += width * height)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !es_image_stack_read (planes->stack, planes->planes[i], x, y, width, height, 1, out, error))
      return FALSE;
  return TRUE;
}

EsProfile *
es_profile_of_stack (const EsProfileLine *line, EsImageStack *stack, EsCube *cube, guint n, const guint *planes,
                     GCancellable *cancellable, GError **error)
{
  EsProfile *self;

  g_return_val_if_fail (line != NULL && ES_IS_IMAGE_STACK (stack), NULL);
  for (guint i = 0; i < n; i++)
    g_return_val_if_fail (planes[i] < es_image_stack_get_planes (stack), NULL);

  self = _es_profile_take (line, n, es_image_stack_get_width (stack), es_image_stack_get_height (stack), read_planes,
                           &(Planes) { stack, n, planes }, cancellable, error);
  /* A stack of another size than its cube's lies elsewhere on the map. */
  if (self != NULL && cube != NULL && es_cube_get_width (cube) == es_image_stack_get_width (stack)
      && es_cube_get_height (cube) == es_image_stack_get_height (stack))
    measure (self, line, cube);
  return self;
}

/* ---- a command ---- */

char *
es_profile_to_command (const EsProfileLine *line, EsCube *cube, guint n, const guint *bands)
{
  g_autoptr (GString) text = g_string_new ("eigenscope-batch profile ");
  g_autofree char *places = es_profile_line_format (line);
  const guint all = es_cube_get_bands (cube);

  _es_dataset_append_files (ES_DATASET (cube), text);
  g_string_append_printf (text, " line=%s", places);
  if (n > 0)
    {
      g_autofree gboolean *which = g_new0 (gboolean, all);
      g_autofree char *list = NULL;

      for (guint i = 0; i < n; i++)
        if (bands[i] < all)
          which[bands[i]] = TRUE;
      list = es_band_ranges_format (which, all);
      g_string_append_printf (text, " bands=%s", list);
    }
  if (line->width > 1)
    g_string_append_printf (text, " width=%u", line->width);
  if (line->sampling != ES_PROFILE_NEAREST)
    g_string_append_printf (text, " sampling=%s", es_profile_sampling_id (line->sampling));
  g_string_append (text, " -o profile.csv");
  _es_dataset_append_input (ES_DATASET (cube), text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- columns ---- */

EsCurve *
es_profile_to_curve (const EsProfile *self, const char * const *titles, const char *unit)
{
  EsCurve *curve = es_curve_new ("profile", _("Profile"), "profile", self->n, self->distances, _("Distance"),
                                 _("pixels"));
  g_autofree double *x = g_new (double, self->n);
  g_autofree double *y = g_new (double, self->n);

  for (guint i = 0; i < self->n; i++)
    {
      x[i] = self->places[i].x;
      y[i] = self->places[i].y;
    }
  if (self->metres != NULL)
    es_curve_add_series (curve, _("Distance"), "m", ES_CURVE_LISTED, FALSE, self->metres);
  es_curve_add_series (curve, "x", _("pixels"), ES_CURVE_LISTED, FALSE, x);
  es_curve_add_series (curve, "y", _("pixels"), ES_CURVE_LISTED, FALSE, y);
  for (guint plane = 0; plane < self->n_planes; plane++)
    es_curve_add_series (curve, titles[plane], unit, ES_CURVE_LINE, FALSE, self->values + (gsize) plane * self->n);
  return curve;
}
