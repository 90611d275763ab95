/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-line-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "es-cube-bands-private.h"
#include "es-cube-classes.h"
#include "es-cube-info-private.h"
#include "es-cube-metadata-private.h"
#include "es-cube-selection-private.h"
#include "es-cube-taken.h"
#include "georeference/es-georeference-internal.h"
#include "es-wavelength-internal.h"

struct _EsCube
{
  EsDataset       parent_instance;

  /* owned, fixed once made */
  EsCubeInfo      info;
  gboolean       *good;
  guint           n_good;
  EsGeoreference *georeference;    /* NULL without a projection */
  EsCube         *whole;           /* of a part; else NULL */
  guint64         x, y;            /* where it lies in that */
  EsCubeTold      told;            /* beside its file */

  GMutex          mutex;           /* of the rest, which may be told anew */
  EsSelection    *selection;       /* nullable */
  char           *refused;         /* why what lies beside it is not the selection; nullable */
};

G_DEFINE_FINAL_TYPE (EsCube, es_cube, ES_TYPE_DATASET)

enum { PROP_0, PROP_SELECTION, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
es_cube_finalize (GObject *object)
{
  EsCube *self = ES_CUBE (object);

  es_cube_info_clear (&self->info);
  g_free (self->good);
  g_clear_pointer (&self->georeference, es_georeference_free);
  g_clear_pointer (&self->selection, es_selection_unref);
  g_free (self->refused);
  g_mutex_clear (&self->mutex);
  g_clear_object (&self->whole);
  _es_cube_told_clear (&self->told);
  G_OBJECT_CLASS (es_cube_parent_class)->finalize (object);
}

static char *
es_cube_describe (EsDataset *dataset)
{
  EsCubeInfo *info = &ES_CUBE (dataset)->info;
  g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT " × %u", info->width,
                                            info->height, info->bands);
  double lowest = INFINITY, highest = -INFINITY;

  if (info->classes != NULL)
    /* Translators: the size of a classification, and how many classes it tells of. */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, %u class", "%s, %u classes",
                                         es_class_table_get_n (info->classes)), shape,
                            es_class_table_get_n (info->classes));
  if (info->wavelengths == NULL)
    return g_steal_pointer (&shape);
  for (guint b = 0; b < info->bands; b++)
    {
      lowest = MIN (lowest, info->wavelengths[b]);
      highest = MAX (highest, info->wavelengths[b]);
    }
  /* Translators: the size of a cube and its range of wavelengths, "160 × 192 × 224, 418–2445 nm". */
  return g_strdup_printf (_("%s, %.0f–%.0f nm"), shape, lowest, highest);
}

static char *
es_cube_shape (EsDataset *dataset)
{
  EsCubeInfo *info = &ES_CUBE (dataset)->info;

  return g_strdup_printf ("%" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT "x%u", info->width, info->height,
                          info->bands);
}

static void
es_cube_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SELECTION)
    g_value_take_boxed (value, es_cube_dup_selection (ES_CUBE (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_cube_class_init (EsCubeClass *class)
{
  EsDatasetClass *dataset_class = ES_DATASET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = es_cube_finalize;
  G_OBJECT_CLASS (class)->get_property = es_cube_get_property;
  properties[PROP_SELECTION] = g_param_spec_boxed ("selection", NULL, NULL, ES_TYPE_SELECTION,
                                                   G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
  dataset_class->kind = ES_DATASET_CUBE;
  dataset_class->describe = es_cube_describe;
  dataset_class->shape = es_cube_shape;
  dataset_class->add_input = _es_cube_add_input;
  dataset_class->append_input = _es_cube_append_input;
}

static void
es_cube_init (EsCube *self)
{
  g_mutex_init (&self->mutex);
}

static void
settle_wavelengths (EsCube *self)
{
  EsCubeInfo *info = &self->info;
  EsDataset *dataset = ES_DATASET (self);
  gboolean rises = TRUE, falls = TRUE;

  if (info->wavelengths == NULL)
    {
      g_clear_pointer (&info->fwhm, g_free);
      return;
    }
  if (!es_wavelengths_to_nanometres (info->wavelengths, info->fwhm, info->bands, info->wavelength_unit))
    {
      const char *unit = info->wavelength_unit;

      if (unit != NULL && !es_wavelength_unit_is_known (unit) && g_ascii_strcasecmp (unit, "unknown") != 0)
        _es_dataset_add_note (dataset, _("The bands are numbered by “%s”, not by wavelength."), unit);
      else
        _es_dataset_add_note (dataset,
                              _("The list of wavelengths holds values that are none and was ignored."));
      g_clear_pointer (&info->wavelengths, g_free);
      g_clear_pointer (&info->fwhm, g_free);
      return;
    }

  for (guint b = 1; b < info->bands; b++)
    {
      rises = rises && info->wavelengths[b] > info->wavelengths[b - 1];
      falls = falls && info->wavelengths[b] < info->wavelengths[b - 1];
    }
  if (!rises && !falls)
    _es_dataset_add_note (dataset,
                          _("The wavelengths are not monotonic: detectors overlap, or bands repeat."));
}

static void
make_showable (char **text)
{
  char *given = *text;

  *text = es_text_show (given);
  g_free (given);
}

static void
settle_good_bands (EsCube *self)
{
  EsCubeInfo *info = &self->info;

  self->good = g_new (gboolean, info->bands);
  for (guint b = 0; b < info->bands; b++)
    self->good[b] = info->good_bands == NULL || info->good_bands[b];
  if (!info->settled && info->classes == NULL)
    es_cube_leave_out_empty_bands (self, self->good);
  for (guint b = 0; b < info->bands; b++)
    self->n_good += self->good[b];
}

EsCube *
es_cube_new (GFile *file, EsCubeInfo *info, GError **error)
{
  g_autoptr (EsCube) self = NULL;

  if (!es_cube_info_check_size (info, file, error))
    {
      es_cube_info_clear (info);
      return NULL;
    }

  self = g_object_new (ES_TYPE_CUBE, NULL);
  self->info = *info;
  memset (info, 0, sizeof *info);
  /* What a header calls them goes to terminals, lists and the headers of what is written. */
  for (char **name = self->info.band_names; name != NULL && *name != NULL; name++)
    make_showable (name);
  make_showable (&self->info.unit);
  if (file != NULL)
    {
      g_autofree char *base = g_file_get_basename (file);
      g_autofree char *name = g_filename_display_name (base != NULL ? base : "");
      g_autofree char *identity = _es_dataset_identity_of (file);

      _es_dataset_set_file (ES_DATASET (self), file, name);
      _es_dataset_set_identity (ES_DATASET (self), identity);
    }
  if (self->info.projection != NULL)
    self->georeference = es_georeference_new (self->info.projection);
  es_cube_info_round_no_data (&self->info);
  es_cube_info_settle_scale (&self->info);
  _es_cube_told_keep (&self->told, &self->info);
  settle_wavelengths (self);
  settle_good_bands (self);
  self->told.n_settled = es_dataset_get_notes (ES_DATASET (self)) != NULL
                         ? g_strv_length ((char **) es_dataset_get_notes (ES_DATASET (self))) : 0;
  return g_steal_pointer (&self);
}

EsCube *
_es_cube_new_part (EsCube *whole, guint64 x, guint64 y, EsCubeInfo *info, GError **error)
{
  EsDataset *dataset = ES_DATASET (whole);
  EsCube *self = es_cube_new (NULL, info, error);

  if (self == NULL)
    return NULL;
  self->whole = g_object_ref (whole);
  self->x = x;
  self->y = y;
  _es_dataset_set_file (ES_DATASET (self), es_dataset_get_file (dataset), es_dataset_get_name (dataset));
  _es_dataset_set_identity (ES_DATASET (self), es_dataset_get_identity (dataset));
  return self;
}

EsCubeTold *
_es_cube_get_told (EsCube *self)
{
  return &self->told;
}

const EsCubeInfo *
_es_cube_peek_info (EsCube *self)
{
  return &self->info;
}

EsCube *
es_cube_get_whole (EsCube *self)
{
  return self->whole != NULL ? self->whole : self;
}

EsCubeWindow
es_cube_get_place (EsCube *self)
{
  return (EsCubeWindow) { self->x, self->y, self->info.width, self->info.height };
}

gboolean
es_cube_is_window (EsCube *self)
{
  return self->whole != NULL
         && (self->info.width != self->whole->info.width || self->info.height != self->whole->info.height);
}

EsSelection *
es_cube_dup_selection (EsCube *self)
{
  EsSelection *selection;

  g_return_val_if_fail (ES_IS_CUBE (self), NULL);

  g_mutex_lock (&self->mutex);
  selection = self->selection != NULL ? es_selection_ref (self->selection) : NULL;
  g_mutex_unlock (&self->mutex);
  return selection;
}

static gboolean
notify_selection (gpointer data)
{
  g_object_notify_by_pspec (data, properties[PROP_SELECTION]);
  return G_SOURCE_REMOVE;
}

void
es_cube_set_selection (EsCube *self, EsSelection *selection)
{
  EsSelection *old;

  g_return_if_fail (ES_IS_CUBE (self));

  g_mutex_lock (&self->mutex);
  old = self->selection;
  self->selection = selection != NULL ? es_selection_ref (selection) : NULL;
  /* Words of a command line change what lies beside the cube, and that could not be read. */
  if (selection == NULL || es_selection_get_source (selection) != ES_SELECTION_NAMED)
    g_clear_pointer (&self->refused, g_free);
  g_mutex_unlock (&self->mutex);
  /* At once where this is the main thread; else there as soon as it comes round. */
  if (old != selection && g_main_context_is_owner (NULL))
    notify_selection (self);
  else if (old != selection)
    g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, notify_selection, g_object_ref (self), g_object_unref);
  g_clear_pointer (&old, es_selection_unref);
}

void
_es_cube_set_refused (EsCube *self, const char *sentence)
{
  g_mutex_lock (&self->mutex);
  g_free (self->refused);
  self->refused = g_strdup (sentence);
  g_mutex_unlock (&self->mutex);
}

char *
es_cube_dup_refused (EsCube *self)
{
  char *sentence;

  g_return_val_if_fail (ES_IS_CUBE (self), NULL);

  g_mutex_lock (&self->mutex);
  sentence = g_strdup (self->refused);
  g_mutex_unlock (&self->mutex);
  return sentence;
}

EsClassTable *
es_cube_get_classes (EsCube *self)
{
  return self->info.classes;
}

guint64
es_cube_get_width (EsCube *self)
{
  return self->info.width;
}

guint64
es_cube_get_height (EsCube *self)
{
  return self->info.height;
}

guint
es_cube_get_bands (EsCube *self)
{
  return self->info.bands;
}

EskType
es_cube_get_type_code (EsCube *self)
{
  return self->info.type;
}

const char *
es_cube_get_type_name (EsCube *self)
{
  return esk_type_name (self->info.type);
}

const char *
es_cube_get_format_name (EsCube *self)
{
  return self->info.format_name != NULL ? self->info.format_name : "";
}

guint64
es_cube_get_bytes (EsCube *self)
{
  return self->info.width * self->info.height * self->info.bands * esk_type_size (self->info.type);
}

EsSampleSource *
es_cube_get_source (EsCube *self)
{
  return self->info.source;
}

gboolean
es_cube_has_mask (EsCube *self)
{
  return self->info.source->read_mask != NULL;
}

void
es_cube_get_block (EsCube *self, guint64 *block_width, guint64 *block_height)
{
  *block_width = MIN (MAX (self->info.source->block_width, 1), self->info.width);
  *block_height = MIN (MAX (self->info.source->block_height, 1), self->info.height);
}

const double *
es_cube_get_wavelengths (EsCube *self)
{
  return self->info.wavelengths;
}

const double *
es_cube_get_fwhm (EsCube *self)
{
  return self->info.fwhm;
}

const gboolean *
es_cube_get_good_bands (EsCube *self)
{
  return self->good;
}

guint
es_cube_get_n_good_bands (EsCube *self)
{
  return self->n_good;
}

const double *
es_cube_get_geotransform (EsCube *self)
{
  return self->info.geotransform;
}

const char *
es_cube_get_projection (EsCube *self)
{
  return self->info.projection;
}

gboolean
es_cube_get_map_coordinate (EsCube *self, double x, double y, double *easting, double *northing)
{
  const double *t = self->info.geotransform;

  if (t == NULL)
    return FALSE;
  *easting = t[0] + t[1] * (x + 0.5) + t[2] * (y + 0.5);
  *northing = t[3] + t[4] * (x + 0.5) + t[5] * (y + 0.5);
  return TRUE;
}

gboolean
es_cube_get_geographic (EsCube *self, double x, double y, double *latitude, double *longitude)
{
  double easting, northing;

  if (self->info.places != NULL && self->info.geotransform == NULL)
    return es_places_get (self->info.places, x, y, latitude, longitude);
  return self->georeference != NULL && es_cube_get_map_coordinate (self, x, y, &easting, &northing) &&
         es_georeference_to_geographic (self->georeference, easting, northing, latitude, longitude);
}

double
es_cube_get_pixel_metres (EsCube *self)
{
  const double *t = self->info.geotransform;
  double easting, northing;

  if (self->georeference == NULL ||
      !es_cube_get_map_coordinate (self, (self->info.width - 1) / 2.0, (self->info.height - 1) / 2.0,
                                   &easting, &northing))
    return 0;
  return es_georeference_metres (self->georeference, easting, northing, t[1], t[4]);
}

double
es_cube_measure_metres (EsCube *self, double x0, double y0, double x1, double y1)
{
  double east[2], north[2], easting, northing;

  g_return_val_if_fail (ES_IS_CUBE (self), 0);

  if (self->georeference == NULL || !es_cube_get_map_coordinate (self, x0, y0, &east[0], &north[0])
      || !es_cube_get_map_coordinate (self, x1, y1, &east[1], &north[1])
      || !es_cube_get_map_coordinate (self, (x0 + x1) / 2, (y0 + y1) / 2, &easting, &northing))
    return 0;
  return es_georeference_metres (self->georeference, easting, northing, east[1] - east[0], north[1] - north[0]);
}
