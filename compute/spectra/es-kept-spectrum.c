/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectrum-collection-private.h"

#include "base/es-text-show.h"

G_DEFINE_FINAL_TYPE (EsKeptSpectrum, es_kept_spectrum, G_TYPE_OBJECT)

enum { PROP_0, PROP_NAME, PROP_COLOUR, PROP_SHOWN, PROP_READY, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
es_kept_spectrum_finalize (GObject *object)
{
  EsKeptSpectrum *self = ES_KEPT_SPECTRUM (object);

  g_free (self->name);
  g_free (self->unit);
  g_free (self->source);
  g_free (self->identity);
  g_clear_object (&self->spectrum);
  g_free (self->deviation);
  g_free (self->lowest);
  g_free (self->highest);
  g_clear_pointer (&self->region, es_region_unref);
  g_clear_error (&self->error);
  for (guint i = 0; i < G_N_ELEMENTS (self->told); i++)
    g_clear_pointer (&self->told[i], json_array_unref);
  G_OBJECT_CLASS (es_kept_spectrum_parent_class)->finalize (object);
}

static void
es_kept_spectrum_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  EsKeptSpectrum *self = ES_KEPT_SPECTRUM (object);

  switch (id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_COLOUR:
      g_value_set_uint (value, self->colour);
      break;
    case PROP_SHOWN:
      g_value_set_boolean (value, self->shown);
      break;
    case PROP_READY:
      g_value_set_boolean (value, self->ready);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_kept_spectrum_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  EsKeptSpectrum *self = ES_KEPT_SPECTRUM (object);

  switch (id)
    {
    case PROP_NAME:
      es_kept_spectrum_set_name (self, g_value_get_string (value));
      break;
    case PROP_COLOUR:
      es_kept_spectrum_set_colour (self, g_value_get_uint (value));
      break;
    case PROP_SHOWN:
      es_kept_spectrum_set_shown (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_kept_spectrum_class_init (EsKeptSpectrumClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags both = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = es_kept_spectrum_finalize;
  object_class->get_property = es_kept_spectrum_get_property;
  object_class->set_property = es_kept_spectrum_set_property;
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, both);
  properties[PROP_COLOUR] = g_param_spec_uint ("colour", NULL, NULL, 0, 0xffffff, 0, both);
  properties[PROP_SHOWN] = g_param_spec_boolean ("shown", NULL, NULL, TRUE, both);
  properties[PROP_READY] = g_param_spec_boolean ("ready", NULL, NULL, FALSE,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_kept_spectrum_init (EsKeptSpectrum *self)
{
  self->shown = TRUE;
}

EsKeptSpectrum *
es_kept_spectrum_new (EsKeptKind kind, const char *name, guint32 colour)
{
  EsKeptSpectrum *self = g_object_new (ES_TYPE_KEPT_SPECTRUM, NULL);

  self->kind = kind;
  self->name = es_text_show (name);
  self->colour = colour & 0xffffff;
  return self;
}

void
es_kept_spectrum_take (EsKeptSpectrum *self, EsSpectrum *spectrum, double *deviation, double *lowest, double *highest,
                       GError *error)
{
  g_clear_object (&self->spectrum);
  g_free (self->deviation);
  g_free (self->lowest);
  g_free (self->highest);
  g_clear_error (&self->error);
  for (guint i = 0; i < G_N_ELEMENTS (self->told); i++)
    g_clear_pointer (&self->told[i], json_array_unref);
  self->spectrum = spectrum;
  self->deviation = deviation;
  self->lowest = lowest;
  self->highest = highest;
  self->error = error;
  self->ready = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READY]);
}

const char *
es_kept_spectrum_get_name (EsKeptSpectrum *self)
{
  return self->name;
}

void
es_kept_spectrum_set_name (EsKeptSpectrum *self, const char *name)
{
  if (name == NULL || *name == '\0' || g_strcmp0 (self->name, name) == 0)
    return;
  g_free (self->name);
  self->name = es_text_show (name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NAME]);
}

guint32
es_kept_spectrum_get_colour (EsKeptSpectrum *self)
{
  return self->colour;
}

void
es_kept_spectrum_set_colour (EsKeptSpectrum *self, guint32 colour)
{
  if (self->colour == (colour & 0xffffff))
    return;
  self->colour = colour & 0xffffff;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COLOUR]);
}

gboolean
es_kept_spectrum_get_shown (EsKeptSpectrum *self)
{
  return self->shown;
}

void
es_kept_spectrum_set_shown (EsKeptSpectrum *self, gboolean shown)
{
  if (self->shown == shown)
    return;
  self->shown = shown;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWN]);
}

EsKeptKind
es_kept_spectrum_get_kind (EsKeptSpectrum *self)
{
  return self->kind;
}

EsSpectrum *
es_kept_spectrum_get_spectrum (EsKeptSpectrum *self)
{
  return self->spectrum;
}

const double *
es_kept_spectrum_get_deviation (EsKeptSpectrum *self)
{
  return self->deviation;
}

const double *
es_kept_spectrum_get_lowest (EsKeptSpectrum *self)
{
  return self->lowest;
}

const double *
es_kept_spectrum_get_highest (EsKeptSpectrum *self)
{
  return self->highest;
}

guint64
es_kept_spectrum_get_count (EsKeptSpectrum *self)
{
  return self->count;
}

const char *
es_kept_spectrum_get_unit (EsKeptSpectrum *self)
{
  return self->unit;
}

const char *
es_kept_spectrum_get_source (EsKeptSpectrum *self)
{
  return self->source != NULL ? self->source : "";
}

EsRegion *
es_kept_spectrum_get_region (EsKeptSpectrum *self)
{
  return self->region;
}

gboolean
es_kept_spectrum_is_of (EsKeptSpectrum *self, EsCube *cube)
{
  return cube != NULL && self->identity != NULL
         && g_strcmp0 (self->identity, es_dataset_get_identity (ES_DATASET (cube))) == 0;
}

const GError *
es_kept_spectrum_get_error (EsKeptSpectrum *self)
{
  return self->error;
}
