/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Values of parameters as text: read, written so that they are read back, and as people read them. */

#include "es-params.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-error.h"
#include "es-text-show.h"

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
  if (spec->check != NULL && *text != '\0' && !spec->check (text, error))
    return FALSE;
  es_params_set_text (self, spec->key, text);
  return TRUE;
}

gboolean
es_params_parse (EsParams *self, const char *key, const char *text, GError **error)
{
  const EsParamSpec *specs = es_params_get_specs (self), *spec = es_param_specs_find (specs, key);

  if (spec == NULL)
    {
      g_autofree char *shown = g_utf8_make_valid (key, -1);
      g_autoptr (GString) known = g_string_new (NULL);
      for (spec = specs; spec->type != ES_PARAM_END; spec++)
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

static const EsParamSpec *
find_row (EsParams *self, const char *key)
{
  const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (self), key);

  if (spec == NULL)
    g_critical ("There is no parameter “%s” in this table", key);
  return spec;
}

char *
es_params_format (EsParams *self, const char *key)
{
  const EsParamSpec *spec = find_row (self, key);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (spec == NULL)
    return NULL;
  if (es_param_type_is_text (spec->type))
    return g_strdup (es_params_get_text (self, key));

  const double value = es_params_get_value (self, key);
  if (spec->type == ES_PARAM_CHOICE)
    return g_strdup (spec->choices[(guint) value].id);
  if (spec->type == ES_PARAM_BOOL)
    return g_strdup (value != 0 ? "yes" : "no");

  /* The shortest text that reads back as the same number. */
  for (int precision = 6; precision <= 17; precision++)
    {
      g_autofree char *format = g_strdup_printf ("%%.%dg", precision);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  return g_strdup (buffer);
}

static char *
format_text_for_people (const EsParamSpec *spec, const char *text)
{
  if (*text == '\0')
    return g_strdup (spec->zero_label != NULL ? g_dgettext (GETTEXT_PACKAGE, spec->zero_label) : _("None"));
  if (spec->type == ES_PARAM_FILE)
    {
      g_autoptr (GFile) file = g_file_parse_name (text);
      return es_error_file_name (file);
    }
  return spec->describe != NULL ? spec->describe (text) : g_strdup (text);
}

char *
es_params_format_for_people (EsParams *self, const char *key)
{
  const EsParamSpec *spec = find_row (self, key);

  if (spec == NULL)
    return NULL;
  if (es_param_type_is_text (spec->type))
    {
      g_autofree char *text = format_text_for_people (spec, es_params_get_text (self, key));

      return es_text_show (text);
    }

  const double value = es_params_get_value (self, key);
  if (spec->type == ES_PARAM_CHOICE)
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, spec->choices[(guint) value].label));
  if (spec->type == ES_PARAM_BOOL)
    return g_strdup (value != 0 ? _("Yes") : _("No"));
  if (value == 0 && spec->zero_label != NULL)
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, spec->zero_label));
  if (is_percent (spec))
    return g_strdup_printf ("%.*f %%", spec->digits, value * 100);
  /* Many digits are for what spans powers of ten. */
  g_autofree char *number = spec->digits > 6 ? g_strdup_printf ("%.6g", value)
                                             : g_strdup_printf ("%.*f", spec->digits, value);
  return spec->unit == NULL ? g_steal_pointer (&number)
                            : g_strdup_printf ("%s %s", number, g_dgettext (GETTEXT_PACKAGE, spec->unit));
}
