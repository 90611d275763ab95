/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-params.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-error.h"
#include "cube/es-region.h"

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

static gboolean
is_percent (const EsParamSpec *spec)
{
  return g_strcmp0 (spec->unit, "%") == 0;
}

static gboolean
refuse (GError **error, const char *key, const char *text, const char *expected)
{
  g_autofree char *shown = g_utf8_make_valid (text, -1);

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("The parameter “%s” cannot be “%s”: expected %s."), key, shown, expected);
  return FALSE;
}

static gboolean
parse_choice (EsParams *self, const EsParamSpec *spec, const char *text, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; spec->choices[i].id != NULL; i++)
    {
      if (g_ascii_strcasecmp (spec->choices[i].id, text) == 0)
        {
          es_params_set_value (self, spec->key, i);
          return TRUE;
        }
      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", spec->choices[i].id);
    }

  g_autofree char *expected = g_strdup_printf (_("one of %s"), known->str);
  return refuse (error, spec->key, text, expected);
}

static gboolean
parse_bool (EsParams *self, const EsParamSpec *spec, const char *text, GError **error)
{
  static const char *const yes[] = { "yes", "true", "on", "1", NULL };
  static const char *const no[] = { "no", "false", "off", "0", NULL };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  if (g_strv_contains (yes, lower))
    es_params_set_value (self, spec->key, 1);
  else if (g_strv_contains (no, lower))
    es_params_set_value (self, spec->key, 0);
  else
    return refuse (error, spec->key, text, _("yes or no"));
  return TRUE;
}

static gboolean
parse_number (EsParams *self, const EsParamSpec *spec, const char *text, GError **error)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);
  gboolean read = end != text && isfinite (value);

  if (read && is_percent (spec) && *end == '%')
    {
      value /= 100;
      end++;
    }
  if (read)
    while (g_ascii_isspace (*end))
      end++;

  if (!read || *end != '\0' || value < spec->minimum || value > spec->maximum
      || (spec->type == ES_PARAM_INT && value != rint (value)))
    {
      char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (low, sizeof low, "%.15g", spec->minimum);
      g_ascii_formatd (high, sizeof high, "%.15g", spec->maximum);
      g_autofree char *expected =
        g_strdup_printf (spec->type == ES_PARAM_INT ? _("a whole number from %s to %s") : _("a number from %s to %s"),
                         low, high);
      return refuse (error, spec->key, text, expected);
    }
  es_params_set_value (self, spec->key, value);
  return TRUE;
}

static gboolean
parse_text (EsParams *self, const EsParamSpec *spec, const char *text, GError **error)
{
  if (!g_utf8_validate (text, -1, NULL))
    return refuse (error, spec->key, text, _("text in UTF-8"));
  if (spec->type == ES_PARAM_REGION && *text != '\0')
    {
      g_autoptr (EsRegion) region = es_region_parse (text, error);
      if (region == NULL)
        return FALSE;
    }
  if (spec->check != NULL && *text != '\0' && !spec->check (text, error))
    return FALSE;
  es_params_set_text (self, spec->key, text);
  return TRUE;
}

gboolean
es_params_parse (EsParams *self, const char *key, const char *text, GError **error)
{
  const EsParamSpec *spec = es_param_specs_find (self->specs, key);

  if (spec == NULL)
    {
      g_autofree char *shown = g_utf8_make_valid (key, -1);
      g_autoptr (GString) known = g_string_new (NULL);
      for (spec = self->specs; spec->type != ES_PARAM_END; spec++)
        g_string_append_printf (known, "%s%s", known->len == 0 ? "" : ", ", spec->key);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("There is no parameter “%s”; there are %s."), shown, known->str);
      return FALSE;
    }

  if (spec->type == ES_PARAM_CHOICE)
    return parse_choice (self, spec, text, error);
  if (spec->type == ES_PARAM_BOOL)
    return parse_bool (self, spec, text, error);
  if (es_param_type_is_text (spec->type))
    return parse_text (self, spec, text, error);
  return parse_number (self, spec, text, error);
}

char *
es_params_format (EsParams *self, const char *key)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (spec == NULL)
    return NULL;
  if (spec->type == ES_PARAM_CHOICE)
    return g_strdup (spec->choices[(guint) *value].id);
  if (spec->type == ES_PARAM_BOOL)
    return g_strdup (*value != 0 ? "yes" : "no");
  if (es_param_type_is_text (spec->type))
    return g_strdup (es_params_get_text (self, key));

  /* The shortest text that reads back as the same number. */
  for (int precision = 6; precision <= 17; precision++)
    {
      g_autofree char *format = g_strdup_printf ("%%.%dg", precision);
      g_ascii_formatd (buffer, sizeof buffer, format, *value);
      if (g_ascii_strtod (buffer, NULL) == *value)
        break;
    }
  return g_strdup (buffer);
}

/* A region by its extent: far enough out that no image ends before it. */
static char *
describe_region (const char *text)
{
  const guint64 far = G_MAXINT32;
  guint64 x, y, width, height;
  g_autoptr (EsRegion) region = es_region_parse (text, NULL);

  if (region == NULL || !es_region_get_bounds (region, far, far, &x, &y, &width, &height))
    return g_strdup (text);
  /* TRANSLATORS: the size of a drawn region and the column and row of its corner */
  return g_strdup_printf (_("%d × %d pixels at %d, %d"), (int) width, (int) height, (int) x, (int) y);
}

char *
es_params_format_for_people (EsParams *self, const char *key)
{
  double *value;
  const EsParamSpec *spec = find_row (self, key, &value);

  if (spec == NULL)
    return NULL;
  if (spec->type == ES_PARAM_CHOICE)
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, spec->choices[(guint) *value].label));
  if (spec->type == ES_PARAM_BOOL)
    return g_strdup (*value != 0 ? _("Yes") : _("No"));
  if (es_param_type_is_text (spec->type))
    {
      const char *text = es_params_get_text (self, key);

      if (*text == '\0')
        return g_strdup (spec->zero_label != NULL ? g_dgettext (GETTEXT_PACKAGE, spec->zero_label) : _("None"));
      if (spec->type == ES_PARAM_FILE)
        {
          g_autoptr (GFile) file = g_file_parse_name (text);
          return es_error_file_name (file);
        }
      return spec->type == ES_PARAM_REGION ? describe_region (text) : g_strdup (text);
    }
  if (*value == 0 && spec->zero_label != NULL)
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, spec->zero_label));
  if (is_percent (spec))
    return g_strdup_printf ("%.*f %%", spec->digits, *value * 100);
  /* Many digits are for what spans powers of ten. */
  g_autofree char *number = spec->digits > 6 ? g_strdup_printf ("%.6g", *value)
                                             : g_strdup_printf ("%.*f", spec->digits, *value);
  return spec->unit == NULL ? g_steal_pointer (&number)
                            : g_strdup_printf ("%s %s", number, g_dgettext (GETTEXT_PACKAGE, spec->unit));
}
