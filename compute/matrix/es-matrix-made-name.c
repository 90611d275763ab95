/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "es-matrix-made-private.h"
#include "es-matrix-number-private.h"

gboolean
_es_made_refuse (const char *name, GError **error, const char *format, ...)
{
  g_autofree char *reason = NULL;
  va_list arguments;

  va_start (arguments, format);
  reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no matrix that can be made: %s"), name, reason);
  return FALSE;
}

static gboolean
take_value (const char *name, const EsMadeKey *key, const char *text, double *value, GError **error)
{
  const char *at = text;
  g_autofree char *shown = es_text_show (text);
  gboolean is_whole;

  if (!_es_matrix_parse_number (&at, value, &is_whole) || *at != '\0' || !(*value >= key->least && *value <= key->most)
      || (key->whole && *value != floor (*value)))
    return _es_made_refuse (name, error,
                            key->whole ? _("%s is “%s”, and a whole number from %.10g to %.10g was expected")
                                       : _("%s is “%s”, and a number from %.10g to %.10g was expected"),
                            key->key, shown, key->least, key->most);
  return TRUE;
}

/* "n, rows, columns" */
static char *
list_keys (const EsMadeKey *keys, guint n_keys, gboolean with_text)
{
  GString *list = g_string_new (keys[0].key);

  for (guint i = 1; i < n_keys; i++)
    g_string_append_printf (list, ", %s", keys[i].key);
  if (with_text)
    g_string_append (list, ", lengths");
  return g_string_free (list, FALSE);
}

gboolean
_es_made_parse_keys (const char *name, const char *list, const EsMadeKey *keys, guint n_keys, double *values,
                     char **text, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (list, ",", -1);
  g_autofree gboolean *told = g_new0 (gboolean, n_keys);

  for (guint i = 0; i < n_keys; i++)
    values[i] = keys[i].otherwise;
  for (char **pair = pairs; *pair != NULL; pair++)
    {
      char *equals = strchr (*pair, '=');
      g_autofree char *key = equals != NULL ? g_strndup (*pair, (gsize) (equals - *pair)) : g_strdup (*pair);
      g_autofree char *shown = es_text_show (key), *all = list_keys (keys, n_keys, text != NULL);
      guint k = 0;

      if (text != NULL && equals != NULL && strcmp (key, "lengths") == 0 && *text == NULL)
        {
          *text = g_strdup (equals + 1);
          continue;
        }
      while (k < n_keys && strcmp (keys[k].key, key) != 0)
        k++;
      if (equals == NULL || k == n_keys)
        return _es_made_refuse (name, error, _("found “%s”, and key=value of %s was expected"), shown, all);
      if (told[k])
        return _es_made_refuse (name, error, _("%s is told twice"), keys[k].key);
      told[k] = TRUE;
      if (!take_value (name, &keys[k], equals + 1, &values[k], error))
        return FALSE;
    }
  for (guint i = 0; i < n_keys; i++)
    if (isnan (values[i]))
      return _es_made_refuse (name, error, _("%s is missing"), keys[i].key);
  return TRUE;
}

gboolean
_es_made_parse_sizes (const char *name, const char *list, guint n_sizes, guint64 *sizes, guint64 *points,
                      GError **error)
{
  const char *at = list;

  for (guint i = 0; i < n_sizes; i++)
    {
      if ((i > 0 && *at++ != 'x') || !_es_matrix_parse_count (&at, &sizes[i]) || sizes[i] == 0
          || sizes[i] > ES_MATRIX_MOST)
        return _es_made_refuse (name, error, n_sizes == 2 ? _("expected two sizes such as 1000x1000")
                                                          : _("expected three sizes such as 100x100x100"));
    }
  if (*at == '\0')
    return TRUE;
  if (*at++ != ':' || !_es_matrix_parse_count (&at, points) || *at != '\0')
    return _es_made_refuse (name, error, _("expected nothing behind its sizes but a colon and a number of points"));
  return TRUE;
}
