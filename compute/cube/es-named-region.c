/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-set-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-cube-internal.h"
#include "base/es-error.h"
#include "base/es-text-show.h"

/* Of the file, that are read at once. */
#define PORTION ((guint64) 4 << 20)

struct _EsNamedRegion
{
  GObject    parent_instance;

  char      *name;
  guint32    colour;
  EsRegion  *region;
  guint64    count;
  guint      n_bands;
  double    *mean, *deviation;   /* NULL: not computed */
  gboolean   ready;
  GError    *error;
};

G_DEFINE_FINAL_TYPE (EsNamedRegion, es_named_region, G_TYPE_OBJECT)

enum { PROP_0, PROP_NAME, PROP_COLOUR, PROP_COUNT, PROP_READY, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
es_named_region_finalize (GObject *object)
{
  EsNamedRegion *self = ES_NAMED_REGION (object);

  g_free (self->name);
  es_region_unref (self->region);
  g_free (self->mean);
  g_free (self->deviation);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (es_named_region_parent_class)->finalize (object);
}

static void
es_named_region_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  EsNamedRegion *self = ES_NAMED_REGION (object);

  switch (id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_COLOUR:
      g_value_set_uint (value, self->colour);
      break;
    case PROP_COUNT:
      g_value_set_uint64 (value, self->count);
      break;
    case PROP_READY:
      g_value_set_boolean (value, self->ready);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_named_region_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  EsNamedRegion *self = ES_NAMED_REGION (object);

  switch (id)
    {
    case PROP_NAME:
      es_named_region_set_name (self, g_value_get_string (value));
      break;
    case PROP_COLOUR:
      es_named_region_set_colour (self, g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_named_region_class_init (EsNamedRegionClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags flags = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = es_named_region_finalize;
  object_class->get_property = es_named_region_get_property;
  object_class->set_property = es_named_region_set_property;

  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READWRITE | flags);
  properties[PROP_COLOUR] = g_param_spec_uint ("colour", NULL, NULL, 0, 0xffffff, 0, G_PARAM_READWRITE | flags);
  properties[PROP_COUNT] = g_param_spec_uint64 ("count", NULL, NULL, 0, G_MAXUINT64, 0, G_PARAM_READABLE | flags);
  properties[PROP_READY] = g_param_spec_boolean ("ready", NULL, NULL, FALSE, G_PARAM_READABLE | flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_named_region_init (EsNamedRegion *self)
{
}

EsNamedRegion *
es_named_region_new (const char *name, guint32 colour, EsRegion *region, guint64 count, EsCube *cube)
{
  EsNamedRegion *self = g_object_new (ES_TYPE_NAMED_REGION, NULL);

  self->name = g_strdup (name);
  self->colour = colour & 0xffffff;
  self->region = es_region_ref (region);
  self->n_bands = es_cube_get_bands (cube);
  self->count = count;
  return self;
}

const char *
es_named_region_get_name (EsNamedRegion *self)
{
  return self->name;
}

void
es_named_region_set_name (EsNamedRegion *self, const char *name)
{
  if (name == NULL || g_strcmp0 (self->name, name) == 0)
    return;
  g_free (self->name);
  self->name = es_text_show (name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NAME]);
}

guint32
es_named_region_get_colour (EsNamedRegion *self)
{
  return self->colour;
}

void
es_named_region_set_colour (EsNamedRegion *self, guint32 colour)
{
  if (self->colour == (colour & 0xffffff))
    return;
  self->colour = colour & 0xffffff;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COLOUR]);
}

EsRegion *
es_named_region_get_region (EsNamedRegion *self)
{
  return self->region;
}

guint64
es_named_region_get_count (EsNamedRegion *self)
{
  return self->count;
}

const double *
es_named_region_get_mean (EsNamedRegion *self)
{
  return self->mean;
}

const double *
es_named_region_get_deviation (EsNamedRegion *self)
{
  return self->deviation;
}

guint
es_named_region_get_n_bands (EsNamedRegion *self)
{
  return self->n_bands;
}

const GError *
es_named_region_get_error (EsNamedRegion *self)
{
  return self->error;
}

void
es_named_region_take_spectra (EsNamedRegion *self, EsRegionSpectra *spectra, GError *error)
{
  if (spectra != NULL)
    {
      g_free (self->mean);
      g_free (self->deviation);
      self->mean = g_steal_pointer (&spectra->mean);
      self->deviation = g_steal_pointer (&spectra->deviation);
      es_region_spectra_free (spectra);
    }
  g_clear_error (&self->error);
  self->error = error;
  self->ready = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READY]);
}

/* ---- the spectra ---- */

void
es_region_spectra_free (EsRegionSpectra *self)
{
  g_free (self->mean);
  g_free (self->deviation);
  g_free (self->lowest);
  g_free (self->highest);
  g_free (self);
}

/* Of one band; values less the first of them. */
typedef struct
{
  double count, shift, sum, square, lowest, highest;
} BandSums;

static void
add_band (BandSums *sums, const float *values, const guint8 *mask, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      if (!mask[i] || !isfinite (values[i]))
        continue;
      if (sums->count == 0)
        sums->shift = values[i];
      const double value = values[i] - sums->shift;
      sums->count++;
      sums->sum += value;
      sums->square += value * value;
      sums->lowest = MIN (sums->lowest, value);
      sums->highest = MAX (sums->highest, value);
    }
}

static gboolean
add_rows (EsCube *cube, EsCubeReader *reader, const EsCubeWindow *window, const guint8 *mask, float *values,
          BandSums *sums, GError **error)
{
  const gsize n = window->width * window->height;
  const gboolean by_band = es_cube_get_source (cube)->mask_by_band;
  g_autofree guint8 *present = es_cube_has_mask (cube) ? g_malloc (n) : NULL;
  EskTile tile;

  if (!es_cube_reader_read (reader, window, &tile, error))
    return FALSE;
  for (guint32 band = 0; band < es_cube_get_bands (cube); band++)
    {
      double no_data = NAN;

      if (present != NULL && (band == 0 || by_band))
        {
          memcpy (present, mask, n);
          if (!es_cube_reader_mask (reader, window, &band, 1, present, error))
            return FALSE;
        }
      es_cube_get_no_data (cube, band, &no_data);
      if (esk_convert_band (&tile, band, no_data, es_cube_get_scale (cube, band), es_cube_get_offset (cube, band),
                            values) != ESK_OK)
        {
          g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                               _("A band could not be turned into numbers"));
          return FALSE;
        }
      add_band (&sums[band], values, present != NULL ? present : mask, n);
    }
  return TRUE;
}

static EsRegionSpectra *
finish (const BandSums *sums, guint n)
{
  EsRegionSpectra *self = g_new (EsRegionSpectra, 1);

  self->mean = g_new (double, n);
  self->deviation = g_new (double, n);
  self->lowest = g_new (double, n);
  self->highest = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      const double mean = sums[i].sum / sums[i].count;
      const double square = MAX (sums[i].square - sums[i].count * mean * mean, 0);

      self->mean[i] = sums[i].count > 0 ? sums[i].shift + mean : NAN;
      self->deviation[i] = sums[i].count > 1 ? sqrt (square / (sums[i].count - 1)) : NAN;
      self->lowest[i] = sums[i].count > 0 ? sums[i].shift + sums[i].lowest : NAN;
      self->highest[i] = sums[i].count > 0 ? sums[i].shift + sums[i].highest : NAN;
    }
  return self;
}

EsRegionSpectra *
es_region_spectra_compute (EsCube *cube, EsRegion *region, GCancellable *cancellable, GError **error)
{
  const guint n = es_cube_get_bands (cube);
  g_autofree BandSums *sums = g_new0 (BandSums, n);
  guint64 x, y, width, height;

  if (!es_region_get_bounds (region, es_cube_get_width (cube), es_cube_get_height (cube), &x, &y, &width, &height))
    return finish (sums, n);

  const EsCubeWindow row = { x, y, width, 1 };
  const guint64 portion = CLAMP (PORTION / es_cube_window_bytes (cube, &row), 1, height);
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, error);
  g_autofree guint8 *mask = g_malloc (portion * width);
  g_autofree float *values = g_new (float, portion * width);
  if (reader == NULL)
    return NULL;
  for (guint64 top = y; top < y + height; top += portion)
    {
      const EsCubeWindow window = { x, top, width, MIN (portion, y + height - top) };

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      es_region_fill_mask (region, x, top, width, window.height, mask);
      if (memchr (mask, 1, width * window.height) != NULL
          && !add_rows (cube, reader, &window, mask, values, sums, error))
        return NULL;
    }
  return finish (sums, n);
}

static void
take (double *out, const double *values, guint n)
{
  if (out != NULL)
    memcpy (out, values, n * sizeof (double));
}

gboolean
es_region_read_spectra (EsRegion *region, EsCube *cube, double *mean, double *deviation, double *lowest,
                        double *highest, GCancellable *cancellable, GError **error)
{
  const guint n = es_cube_get_bands (cube);
  EsRegionSpectra *spectra = es_region_spectra_compute (cube, region, cancellable, error);

  if (spectra == NULL)
    return FALSE;
  take (mean, spectra->mean, n);
  take (deviation, spectra->deviation, n);
  take (lowest, spectra->lowest, n);
  take (highest, spectra->highest, n);
  es_region_spectra_free (spectra);
  return TRUE;
}
