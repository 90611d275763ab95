/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From where bearings and ranges of an array are counted. */

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

const EsOrigin *
es_array_get_origin (EsArray *self)
{
  return &self->origin;
}

void
es_array_get_origin_place (EsArray *self, double place[3])
{
  if (self->origin.kind == ES_ORIGIN_ELEMENT)
    {
      const EsElement *e = &self->elements[self->origin.element];

      memcpy (place, (double[]) { e->x, e->y, e->z }, 3 * sizeof (double));
    }
  else if (self->origin.kind == ES_ORIGIN_POINT)
    memcpy (place, self->origin.place, 3 * sizeof (double));
  else
    memcpy (place, self->centre, 3 * sizeof (double));
}

gboolean
es_origin_equal (const EsOrigin *a, const EsOrigin *b)
{
  if (a->kind != b->kind)
    return FALSE;
  if (a->kind == ES_ORIGIN_ELEMENT)
    return a->element == b->element;
  return a->kind == ES_ORIGIN_CENTRE || memcmp (a->place, b->place, sizeof a->place) == 0;
}

/* ---- as text ---- */

gboolean
es_origin_parse (const char *text, EsOrigin *origin, GError **error)
{
  g_auto (GStrv) parts = NULL;
  char *end = NULL;

  *origin = (EsOrigin) { .kind = ES_ORIGIN_CENTRE };
  if (strcmp (text, "centre") == 0)
    return TRUE;
  if (g_str_has_prefix (text, "element:") && g_ascii_isdigit (text[8]))
    {
      const guint64 number = g_ascii_strtoull (text + 8, &end, 10);

      *origin = (EsOrigin) { .kind = ES_ORIGIN_ELEMENT, .element = (guint) (number - 1) };
      if (*end == '\0' && number >= 1 && number <= ES_ARRAY_MOST_ELEMENTS)
        return TRUE;
    }
  parts = g_strsplit (text, ",", 4);
  if (g_strv_length (parts) == 3)
    {
      guint n = 0;

      *origin = (EsOrigin) { .kind = ES_ORIGIN_POINT };
      while (n < 3)
        {
          const double place = g_ascii_strtod (parts[n], &end);

          if (end == parts[n] || *end != '\0' || !(fabs (place) <= ES_ARRAY_MOST_METRES))
            break;
          origin->place[n++] = place + 0.0;
        }
      if (n == 3)
        return TRUE;
    }
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no origin: expected centre, element:NUMBER (counted from 1), or X,Y,Z in metres."), text);
  return FALSE;
}

char *
es_origin_to_text (const EsOrigin *origin)
{
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE], z[G_ASCII_DTOSTR_BUF_SIZE];

  if (origin->kind == ES_ORIGIN_CENTRE)
    return g_strdup ("centre");
  if (origin->kind == ES_ORIGIN_ELEMENT)
    return g_strdup_printf ("element:%u", origin->element + 1);
  return g_strdup_printf ("%s,%s,%s", g_ascii_dtostr (x, sizeof x, origin->place[0]),
                          g_ascii_dtostr (y, sizeof y, origin->place[1]),
                          g_ascii_dtostr (z, sizeof z, origin->place[2]));
}

char *
es_array_describe_origin (EsArray *self)
{
  double place[3];

  es_array_get_origin_place (self, place);
  switch (self->origin.kind)
    {
    case ES_ORIGIN_ELEMENT:
      return g_strdup_printf (_("element %u"), self->origin.element + 1);
    case ES_ORIGIN_POINT:
      return g_strdup_printf (_("(%.6g, %.6g, %.6g) m"), place[0], place[1], place[2]);
    case ES_ORIGIN_CENTRE:
    default:
      return g_strdup (_("the centre of the array"));
    }
}

char *
es_array_head_from_origin (EsArray *self, const char *title)
{
  g_autofree char *origin = es_array_describe_origin (self);

  /* Translators: what a table lists, and from where its bearings and ranges are counted: "Peaks, from the centre of
   * the array". */
  return g_strdup_printf (C_("table", "%s, from %s"), title, origin);
}

void
es_array_add_origin (EsArray *self, JsonObject *values)
{
  g_autofree char *text = es_origin_to_text (&self->origin);
  JsonArray *place = json_array_new ();
  double at[3];

  es_array_get_origin_place (self, at);
  for (guint j = 0; j < 3; j++)
    json_array_add_double_element (place, at[j]);
  json_object_set_string_member (values, "origin", text);
  json_object_set_array_member (values, "origin_m", place);
}

/* ---- another one ---- */

EsArray *
es_array_with_origin (EsArray *self, const EsOrigin *origin, GError **error)
{
  EsArray *copy;

  if (origin->kind == ES_ORIGIN_ELEMENT && origin->element >= self->n)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   ngettext ("Bearings cannot be counted from element %u: the array has only %u.",
                             "Bearings cannot be counted from element %u: the array has %u.", self->n),
                   origin->element + 1, self->n);
      return NULL;
    }
  copy = es_array_copy (self);
  copy->origin = *origin;
  return copy;
}
