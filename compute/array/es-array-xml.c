/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* Acoular's geometries: <MicArray name="..."><pos Name="Point 1" x="0" y="0" z="0"/>...</MicArray>, in metres. */

typedef struct
{
  const char *name;            /* of the file */
  GArray     *elements;
  gboolean    inside;          /* of <MicArray> */
  gboolean    seen;
} Reading;

static void
refuse (GMarkupParseContext *context, Reading *reading, const char *attribute, const char *found, GError **error)
{
  int line;

  g_markup_parse_context_get_position (context, &line, NULL);
  if (found == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s”, line %d: a <pos> has no attribute “%s”, expected x, y and z."), reading->name, line,
                 attribute);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s”, line %d: “%s” in the attribute “%s” cannot be read, expected a finite number of metres."),
                 reading->name, line, found, attribute);
}

static void
start_element (GMarkupParseContext *context, const char *tag, const char **names, const char **values, gpointer data,
               GError **error)
{
  static const char *const attributes[] = { "x", "y", "z" };
  Reading *reading = data;
  double position[3];
  const char *label = NULL;

  if (g_ascii_strcasecmp (tag, "MicArray") == 0)
    reading->inside = reading->seen = TRUE;
  if (!reading->inside || g_ascii_strcasecmp (tag, "pos") != 0)
    return;
  if (reading->elements->len > ES_ARRAY_MOST_ELEMENTS)
    return;

  for (guint j = 0; j < 3; j++)
    {
      const char *text = NULL;
      char *end = NULL;
      for (guint i = 0; names[i] != NULL; i++)
        if (g_ascii_strcasecmp (names[i], attributes[j]) == 0)
          text = values[i];
      if (text != NULL)
        position[j] = g_ascii_strtod (text, &end);
      while (end != NULL && g_ascii_isspace (*end))
        end++;
      if (text == NULL || end == text || *end != '\0' || !isfinite (position[j]))
        {
          refuse (context, reading, attributes[j], text, error);
          return;
        }
    }
  for (guint i = 0; names[i] != NULL; i++)
    if (g_ascii_strcasecmp (names[i], "name") == 0)
      label = values[i];
  es_array_elements_add (reading->elements, position[0], position[1], position[2], reading->elements->len, label);
}

static void
end_element (GMarkupParseContext *context, const char *tag, gpointer data, GError **error)
{
  Reading *reading = data;

  if (g_ascii_strcasecmp (tag, "MicArray") == 0)
    reading->inside = FALSE;
}

EsArray *
es_array_read_xml (const char *text, gsize length, const char *name, GError **error)
{
  const GMarkupParser parser = { start_element, end_element, NULL, NULL, NULL };
  g_autoptr (GArray) elements = es_array_elements_new ();
  Reading reading = { .name = name, .elements = elements };
  g_autoptr (GMarkupParseContext) context =
    g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reading, NULL);
  g_autoptr (GError) local_error = NULL;
  EsArray *array;

  if (!g_markup_parse_context_parse (context, text, length, &local_error)
      || !g_markup_parse_context_end_parse (context, &local_error))
    {
      /* GLib quotes what it found, whatever bytes those are. */
      g_autofree char *reason = g_utf8_make_valid (local_error->message, -1);
      if (local_error->domain == ES_DATA_ERROR)
        g_propagate_error (error, g_steal_pointer (&local_error));
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not valid XML: %s."), name, reason);
      return NULL;
    }
  if (!reading.seen || elements->len == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   reading.seen ? _("“%s” has a <MicArray> without elements: expected a <pos> for each.")
                                : _("“%s” is XML, but no array: expected a <MicArray> of <pos>."), name);
      return NULL;
    }

  array = es_array_new ((EsElement *) elements->data, elements->len, &local_error);
  if (array == NULL)
    {
      g_set_error (error, local_error->domain, local_error->code, _("“%s” cannot be used: %s"), name,
                   local_error->message);
      return NULL;
    }
  es_array_note_unit (array);
  return array;
}
