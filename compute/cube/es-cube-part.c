/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What takes part of a cube, as a cube of its own that reads the samples of the whole. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-cube-selection-private.h"
#include "es-cube-taken.h"

/* Pixels of a cube whose left-out ones are drawn. */
#define MOST_DRAWN ((guint64) 1 << 28)

typedef struct
{
  EsSampleSource  parent;

  EsCube         *whole;               /* keeps the source */
  EsSampleSource *source;
  EsCubeWindow    place;
  guint8         *mask;                /* of the place: 0 = left out; NULL: none is */
} PartSource;

static gpointer
part_handle_new (EsSampleSource *source, GError **error)
{
  PartSource *self = (PartSource *) source;

  return self->source->handle_new (self->source, error);
}

static void
part_handle_free (EsSampleSource *source, gpointer handle)
{
  PartSource *self = (PartSource *) source;

  self->source->handle_free (self->source, handle);
}

static EsCubeWindow
in_whole (const PartSource *self, const EsCubeWindow *window)
{
  return (EsCubeWindow) { self->place.x + window->x, self->place.y + window->y, window->width, window->height };
}

static gboolean
part_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  PartSource *self = (PartSource *) source;
  const EsCubeWindow there = in_whole (self, window);

  return self->source->read (self->source, handle, &there, buffer, tile, error);
}

static gboolean
part_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
                EskTile *tile, GError **error)
{
  PartSource *self = (PartSource *) source;
  const EsCubeWindow there = in_whole (self, window);

  return self->source->read_band (self->source, handle, band, &there, buffer, tile, error);
}

static gboolean
part_read_mask (EsSampleSource *source, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                guint8 *mask, GError **error)
{
  PartSource *self = (PartSource *) source;
  const EsCubeWindow there = in_whole (self, window);

  if (self->source->read_mask != NULL
      && !self->source->read_mask (self->source, handle, bands, n, &there, mask, error))
    return FALSE;
  for (guint64 y = 0; self->mask != NULL && y < window->height; y++)
    {
      const guint8 *row = self->mask + (window->y + y) * self->place.width + window->x;

      for (guint64 x = 0; x < window->width; x++)
        mask[y * window->width + x] &= row[x];
    }
  return TRUE;
}

static void
part_free (EsSampleSource *source)
{
  PartSource *self = (PartSource *) source;

  g_object_unref (self->whole);
  g_free (self->mask);
  g_free (self);
}

EsSampleSource *
_es_cube_source_new_of (EsCube *whole, const EsCubeWindow *place, guint8 *mask)
{
  EsSampleSource *source = es_cube_get_source (whole);
  PartSource *self = g_new0 (PartSource, 1);

  self->parent = *source;
  self->parent.handle_new = part_handle_new;
  self->parent.handle_free = part_handle_free;
  self->parent.read = part_read;
  self->parent.read_band = source->read_band != NULL ? part_read_band : NULL;
  self->parent.read_mask = source->read_mask != NULL || mask != NULL ? part_read_mask : NULL;
  self->parent.free = part_free;
  self->whole = g_object_ref (whole);
  self->source = source;
  self->place = *place;
  self->mask = mask;
  return &self->parent;
}

/* ---- which pixels ---- */

/* Adds the pixels of a region to those of mask, or takes them away. */
static void
apply_set (EsRegion *region, gboolean outside, const EsCubeWindow *place, guint8 *mask, guint8 *row)
{
  for (guint64 y = 0; y < place->height; y++)
    {
      guint8 *own = mask + y * place->width;

      es_region_fill_mask (region, place->x, place->y + y, place->width, 1, row);
      for (guint64 x = 0; x < place->width; x++)
        own[x] = outside ? own[x] & !row[x] : own[x] | row[x];
    }
}

/* *mask NULL: all of the place takes part. */
static gboolean
make_mask (EsCube *self, EsSelection *selection, GPtrArray *regions, const EsCubeWindow *place, guint8 **mask,
           GError **error)
{
  const gsize pixels = place->width * place->height;
  g_autofree guint8 *made = NULL, *row = NULL;
  gboolean any_inside = FALSE;
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (selection, &n);

  *mask = NULL;
  if (n == 0)
    return TRUE;
  made = g_try_malloc (pixels);
  row = g_try_malloc (place->width);
  if (made == NULL || row == NULL)
    return es_compute_error_no_memory (_("a mask"), error);
  for (guint i = 0; i < n; i++)
    any_inside = any_inside || !sets[i]->outside;
  memset (made, !any_inside, pixels);
  for (guint i = 0; i < n; i++)
    if (!sets[i]->outside)
      apply_set (g_ptr_array_index (regions, i), FALSE, place, made, row);
  for (guint i = 0; i < n; i++)
    if (sets[i]->outside)
      apply_set (g_ptr_array_index (regions, i), TRUE, place, made, row);
  if (memchr (made, 1, pixels) == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("No pixel of “%s” takes part: regions and masks leave out every one."),
                   es_dataset_get_name (ES_DATASET (self)));
      return FALSE;
    }
  if (memchr (made, 0, pixels) != NULL)
    *mask = g_steal_pointer (&made);
  return TRUE;
}

/* ---- the cube ---- */

static void
describe (EsCube *self, EsCubeInfo *info)
{
  const guint bands = es_cube_get_bands (self);
  const double *wavelengths = es_cube_get_wavelengths (self), *fwhm = es_cube_get_fwhm (self);

  info->bands = bands;
  info->type = es_cube_get_type_code (self);
  info->format_name = g_strdup (es_cube_get_format_name (self));
  info->wavelengths = wavelengths != NULL ? g_memdup2 (wavelengths, bands * sizeof (double)) : NULL;
  info->wavelength_unit = g_strdup ("nm");
  info->fwhm = fwhm != NULL ? g_memdup2 (fwhm, bands * sizeof (double)) : NULL;
  info->no_data = g_new (double, bands);
  info->scale = g_new (double, bands);
  info->offset = g_new (double, bands);
  info->band_names = g_new0 (char *, bands + 1);
  info->unit = g_strdup (es_cube_get_unit (self));
  for (guint b = 0; b < bands; b++)
    {
      const char *name = es_cube_get_band_name (self, b);

      if (!es_cube_get_no_data (self, b, &info->no_data[b]))
        info->no_data[b] = NAN;
      info->scale[b] = es_cube_get_scale (self, b);
      info->offset[b] = es_cube_get_offset (self, b);
      info->band_names[b] = g_strdup (name != NULL ? name : "");
    }
  for (guint i = 0; i < 3; i++)
    info->default_bands[i] = -1;
}

EsCube *
es_cube_take_part (EsCube *self, EsSelection *selection, gboolean outline, GError **error)
{
  g_autoptr (GPtrArray) regions = NULL;
  g_autofree gboolean *taken = NULL;
  g_autofree guint8 *mask = NULL;
  EsCubeWindow place;
  EsCubeInfo info = { 0 };
  guint n;

  if (es_selection_is_everything (selection))
    return g_object_ref (self);
  taken = es_cube_find_taken (self, selection, &n, error);
  if (taken == NULL)
    return NULL;
  if (n == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("No band of “%s” takes part: all %u are left out."), es_dataset_get_name (ES_DATASET (self)),
                   es_cube_get_bands (self));
      return NULL;
    }
  regions = _es_cube_parse_sets (self, selection, error);
  if (regions == NULL || !_es_cube_find_window (self, selection, regions, &place, error)
      || (!outline && !make_mask (self, selection, regions, &place, &mask, error)))
    return NULL;

  info.width = place.width;
  info.height = place.height;
  info.good_bands = g_steal_pointer (&taken);
  info.settled = outline;
  describe (self, &info);
  info.source = _es_cube_source_new_of (self, &place, g_steal_pointer (&mask));
  return _es_cube_new_part (self, place.x, place.y, &info, error);
}

EsRegion *
es_cube_find_left_out (EsCube *self, EsSelection *selection)
{
  const guint64 width = es_cube_get_width (self), height = es_cube_get_height (self);
  g_autoptr (GPtrArray) regions = NULL;
  g_autofree guint8 *mask = NULL, *all = NULL;
  EsCubeWindow place;

  g_return_val_if_fail (ES_IS_CUBE (self), NULL);

  if (es_selection_is_everything (selection) || width * height > MOST_DRAWN
      || (regions = _es_cube_parse_sets (self, selection, NULL)) == NULL
      || !_es_cube_find_window (self, selection, regions, &place, NULL)
      || !make_mask (self, selection, regions, &place, &mask, NULL)
      || (mask == NULL && place.width == width && place.height == height)
      || (all = g_try_malloc (width * height)) == NULL)
    return NULL;
  memset (all, 1, width * height);
  for (guint64 y = 0; y < place.height; y++)
    for (guint64 x = 0; x < place.width; x++)
      all[(place.y + y) * width + place.x + x] = mask != NULL && mask[y * place.width + x] == 0;
  return es_region_new_mask (all, width, height);
}

/* Where both are; FALSE: nowhere. */
static gboolean
meet (const EsCubeWindow *a, const EsCubeWindow *b, EsCubeWindow *both)
{
  const guint64 x = MAX (a->x, b->x), y = MAX (a->y, b->y);
  const guint64 right = MIN (a->x + a->width, b->x + b->width), bottom = MIN (a->y + a->height, b->y + b->height);

  *both = (EsCubeWindow) { x, y, right > x ? right - x : 0, bottom > y ? bottom - y : 0 };
  return both->width > 0 && both->height > 0;
}

/* mask: of the place, nullable; all of both becomes a region of the whole cube. NULL: none is left. */
static EsRegion *
cut_by_mask (EsCube *self, EsRegion *region, const EsCubeWindow *place, const guint8 *mask, GError **error)
{
  const guint64 width = es_cube_get_width (self), height = es_cube_get_height (self);
  g_autofree guint8 *all = g_try_malloc0 (width * height), *row = g_try_malloc (place->width);
  gboolean any = FALSE;

  if (all == NULL || row == NULL)
    {
      es_compute_error_no_memory (_("a mask"), error);
      return NULL;
    }
  for (guint64 y = 0; y < place->height; y++)
    {
      guint8 *own = all + (place->y + y) * width + place->x;

      es_region_fill_mask (region, place->x, place->y + y, place->width, 1, row);
      for (guint64 x = 0; x < place->width; x++)
        {
          own[x] = row[x] != 0 && (mask == NULL || mask[y * place->width + x] != 0);
          any = any || own[x];
        }
    }
  return any ? es_region_new_mask (all, width, height) : NULL;
}

EsRegion *
es_cube_cut_region (EsCube *self, EsRegion *region, GError **error)
{
  const guint64 width = es_cube_get_width (self), height = es_cube_get_height (self);
  g_autoptr (EsSelection) selection = NULL;
  g_autoptr (GPtrArray) regions = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autofree guint8 *mask = NULL;
  EsCubeWindow box, place, window;
  EsRegion *cut = NULL;

  g_return_val_if_fail (ES_IS_CUBE (self), NULL);

  selection = es_cube_dup_selection (self);
  /* What lies outside of the cube is told by whoever reads it. */
  if (es_selection_is_everything (selection)
      || !es_region_get_box (region, width, height, &box.x, &box.y, &box.width, &box.height))
    return es_region_ref (region);
  regions = _es_cube_parse_sets (self, selection, error);
  if (regions == NULL || !_es_cube_find_window (self, selection, regions, &window, error))
    return NULL;
  if (meet (&box, &window, &place) && make_mask (self, selection, regions, &place, &mask, &local_error))
    {
      if (mask == NULL && place.width == box.width && place.height == box.height)
        return es_region_ref (region);
      cut = cut_by_mask (self, region, &place, mask, &local_error);
    }
  if (local_error != NULL && !g_error_matches (local_error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (cut == NULL)
    {
      g_autofree char *told = es_selection_describe (selection);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("No pixel there takes part of “%s” (%s)."),
                   es_dataset_get_name (ES_DATASET (self)), told);
    }
  return cut;
}

EsCube *
es_cube_outline_part (EsCube *self)
{
  g_autoptr (EsSelection) selection = NULL;
  EsCube *part;

  g_return_val_if_fail (ES_IS_CUBE (self), NULL);

  selection = es_cube_dup_selection (self);
  part = es_cube_take_part (self, selection, TRUE, NULL);
  return part != NULL ? part : g_object_ref (self);
}
