/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-params.h"

#include <math.h>
#include <string.h>

struct _EsParams
{
  GObject            parent_instance;

  const EsParamSpec *specs;
  double            *values;       /* one a row */
  char             **texts;        /* one a row; NULL is the default: default_text or "" */
  guint              n;
};

G_DEFINE_FINAL_TYPE (EsParams, es_params, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

gboolean
es_param_type_is_text (EsParamType type)
{
  return type == ES_PARAM_TEXT || type == ES_PARAM_FILE || type == ES_PARAM_REGION;
}

guint
es_param_specs_length (const EsParamSpec *specs)
{
  guint n = 0;

  while (specs[n].type != ES_PARAM_END)
    n++;
  return n;
}

const EsParamSpec *
es_param_specs_find (const EsParamSpec *specs, const char *key)
{
  for (const EsParamSpec *spec = specs; spec->type != ES_PARAM_END; spec++)
    if (strcmp (spec->key, key) == 0)
      return spec;
  return NULL;
}

static const char *
default_text (const EsParamSpec *spec)
{
  return spec->default_text != NULL ? spec->default_text : "";
}

static guint
n_choices (const EsParamSpec *spec)
{
  guint n = 0;

  while (spec->choices[n].id != NULL)
    n++;
  return n;
}

static void
es_params_finalize (GObject *object)
{
  EsParams *self = ES_PARAMS (object);

  for (guint i = 0; i < self->n; i++)
    g_free (self->texts[i]);
  g_free (self->texts);
  g_free (self->values);
  G_OBJECT_CLASS (es_params_parent_class)->finalize (object);
}

static void
es_params_class_init (EsParamsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_params_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class),
                                   G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
es_params_init (EsParams *self)
{
}

EsParams *
es_params_new (const EsParamSpec *specs)
{
  EsParams *self = g_object_new (ES_TYPE_PARAMS, NULL);
  guint n = es_param_specs_length (specs);

  self->specs = specs;
  self->n = n;
  self->values = g_new0 (double, MAX (n, 1));
  self->texts = g_new0 (char *, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    self->values[i] = specs[i].default_value;
  return self;
}

EsParams *
es_params_copy (EsParams *self)
{
  EsParams *copy = es_params_new (self->specs);

  memcpy (copy->values, self->values, sizeof (double) * self->n);
  for (guint i = 0; i < self->n; i++)
    copy->texts[i] = g_strdup (self->texts[i]);
  return copy;
}

const EsParamSpec *
es_params_get_specs (EsParams *self)
{
  g_return_val_if_fail (ES_IS_PARAMS (self), NULL);
  return self->specs;
}

guint
es_params_first_changed_stage (EsParams *self, EsParams *other)
{
  guint stage = G_MAXUINT;

  g_return_val_if_fail (self->specs == other->specs, 0);

  for (guint i = 0; i < self->n; i++)
    if (self->values[i] != other->values[i] || g_strcmp0 (self->texts[i], other->texts[i]) != 0)
      stage = MIN (stage, self->specs[i].stage);
  return stage;
}

gboolean
es_params_equal (EsParams *self, EsParams *other)
{
  return self->specs == other->specs && es_params_first_changed_stage (self, other) == G_MAXUINT;
}

static const EsParamSpec *
find_row (EsParams *self, const char *key, double **value)
{
  const EsParamSpec *spec = es_param_specs_find (self->specs, key);

  if (spec == NULL)
    {
      g_critical ("There is no parameter “%s” in this table", key);
      return NULL;
    }
  *value = &self->values[spec - self->specs];
  return spec;
}

double
es_params_get_value (EsParams *self, const char *key)
{
  double *value;

  return find_row (self, key, &value) != NULL ? *value : 0;
}

double
es_params_get_float (EsParams *self, const char *key)
{
  return es_params_get_value (self, key);
}

gint64
es_params_get_int (EsParams *self, const char *key)
{
  return (gint64) es_params_get_value (self, key);
}

gboolean
es_params_get_bool (EsParams *self, const char *key)
{
  return es_params_get_value (self, key) != 0;
}

guint
es_params_get_choice (EsParams *self, const char *key)
{
  return (guint) es_params_get_value (self, key);
}

const char *
es_params_get_choice_id (EsParams *self, const char *key)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);

  g_return_val_if_fail (spec != NULL && spec->type == ES_PARAM_CHOICE, NULL);
  return spec->choices[(guint) *value].id;
}

void
es_params_set_value (EsParams *self, const char *key, double new_value)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);

  if (spec == NULL)
    return;

  switch (spec->type)
    {
    case ES_PARAM_BOOL:
      new_value = new_value != 0;
      break;
    case ES_PARAM_CHOICE:
      new_value = CLAMP (floor (new_value), 0, n_choices (spec) - 1);
      break;
    case ES_PARAM_INT:
      new_value = CLAMP (rint (new_value), spec->minimum, spec->maximum);
      break;
    case ES_PARAM_FLOAT:
      new_value = CLAMP (new_value, spec->minimum, spec->maximum);
      break;
    case ES_PARAM_TEXT:
    case ES_PARAM_FILE:
    case ES_PARAM_REGION:
    case ES_PARAM_END:
    default:
      g_return_if_reached ();
    }

  if (isnan (new_value) || *value == new_value)
    return;
  *value = new_value;
  g_signal_emit (self, signals[CHANGED], g_quark_from_string (spec->key), spec->key);
}

const char *
es_params_get_text (EsParams *self, const char *key)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);

  g_return_val_if_fail (spec != NULL && es_param_type_is_text (spec->type), "");
  return self->texts[spec - self->specs] != NULL ? self->texts[spec - self->specs] : default_text (spec);
}

void
es_params_set_text (EsParams *self, const char *key, const char *text)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);
  char **place;

  g_return_if_fail (spec != NULL && es_param_type_is_text (spec->type));

  /* NULL alone stands for the default, so that equal values are equal pointers or equal strings. */
  if (text != NULL && (*text == '\0' || strcmp (text, default_text (spec)) == 0))
    text = NULL;
  place = &self->texts[spec - self->specs];
  if (g_strcmp0 (*place, text) == 0)
    return;
  g_free (*place);
  *place = g_strdup (text);
  g_signal_emit (self, signals[CHANGED], g_quark_from_string (spec->key), spec->key);
}

void
es_params_reset_key (EsParams *self, const char *key)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);

  if (spec == NULL)
    return;
  if (es_param_type_is_text (spec->type))
    es_params_set_text (self, key, NULL);
  else
    es_params_set_value (self, key, spec->default_value);
}

void
es_params_reset (EsParams *self)
{
  for (const EsParamSpec *spec = self->specs; spec->type != ES_PARAM_END; spec++)
    es_params_reset_key (self, spec->key);
}

gboolean
es_params_is_key_default (EsParams *self, const char *key)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);

  if (spec == NULL)
    return TRUE;
  return es_param_type_is_text (spec->type) ? self->texts[spec - self->specs] == NULL : *value == spec->default_value;
}

gboolean
es_params_is_default (EsParams *self)
{
  for (const EsParamSpec *spec = self->specs; spec->type != ES_PARAM_END; spec++)
    if (!es_params_is_key_default (self, spec->key))
      return FALSE;
  return TRUE;
}

gboolean
es_params_is_visible (EsParams *self, const char *key)
{
  const EsParamSpec *spec = es_param_specs_find (self->specs, key);

  if (spec == NULL || spec->visible_if == NULL)
    return spec != NULL;

  g_auto (GStrv) condition = g_strsplit (spec->visible_if, "=", 2);
  g_auto (GStrv) wanted = g_strsplit (condition[1] != NULL ? condition[1] : "", "|", -1);
  g_autofree char *present = es_params_format (self, condition[0]);
  return present != NULL && g_strv_contains ((const char * const *) wanted, present);
}
