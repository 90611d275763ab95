/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Lines as they are told: by text, and whether they lie in a picture. */

#include "es-profile.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

EsProfileLine *
es_profile_line_new (guint n, const EsProfilePlace *places, EsProfileSampling sampling, guint width)
{
  EsProfileLine *self = g_new0 (EsProfileLine, 1);

  self->n = n;
  self->places = g_memdup2 (places, n * sizeof *places);
  self->sampling = sampling;
  self->width = width;
  return self;
}

EsProfileLine *
es_profile_line_copy (const EsProfileLine *self)
{
  return self != NULL ? es_profile_line_new (self->n, self->places, self->sampling, self->width) : NULL;
}

void
es_profile_line_free (EsProfileLine *self)
{
  if (self == NULL)
    return;
  g_free (self->places);
  g_free (self);
}

gboolean
es_profile_line_equal (const EsProfileLine *self, const EsProfileLine *other)
{
  if (self == NULL || other == NULL)
    return self == other;
  if (self->n != other->n || self->sampling != other->sampling || self->width != other->width)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (self->places[i].x != other->places[i].x || self->places[i].y != other->places[i].y)
      return FALSE;
  return TRUE;
}

static gboolean
refuse (const char *text, GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no line: x and y of two places or more were expected, such as “10,20,30,40”."), text);
  return FALSE;
}

EsProfileLine *
es_profile_line_parse (const char *text, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  const char *p = text;

  while (numbers->len <= 2 * ES_PROFILE_MOST_PLACES)
    {
      char *end;
      const double value = g_ascii_strtod (p, &end);

      if (end == p || !isfinite (value))
        break;
      g_array_append_val (numbers, value);
      p = end + strspn (end, " ");
      if (*p == '\0' || (p == end && *p != ',' && *p != ';'))
        break;
      p += *p == ',' || *p == ';';
    }
  if (*p != '\0' || numbers->len < 4 || numbers->len % 2 != 0 || numbers->len > 2 * ES_PROFILE_MOST_PLACES)
    {
      refuse (text, error);
      return NULL;
    }
  return es_profile_line_new (numbers->len / 2, (const EsProfilePlace *) numbers->data, ES_PROFILE_NEAREST, 1);
}

char *
es_profile_line_format (const EsProfileLine *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    {
      char number[2][G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s%s,%s", i > 0 ? "," : "",
                              g_ascii_formatd (number[0], sizeof number[0], "%.10g", self->places[i].x),
                              g_ascii_formatd (number[1], sizeof number[1], "%.10g", self->places[i].y));
    }
  return g_string_free (text, FALSE);
}

gboolean
es_profile_line_check (const EsProfileLine *self, guint64 width, guint64 height, GError **error)
{
  if (self->n < 2 || self->n > ES_PROFILE_MOST_PLACES)
    {
      g_autofree char *text = es_profile_line_format (self);

      return refuse (text, error);
    }
  if (self->width == 0 || self->width % 2 == 0 || self->width > ES_PROFILE_MOST_WIDTH)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A profile %u pixels wide: an odd number from 1 to %u was expected."), self->width,
                   ES_PROFILE_MOST_WIDTH);
      return FALSE;
    }
  for (guint i = 0; i < self->n; i++)
    if (!(self->places[i].x >= 0 && self->places[i].x <= (double) width - 1
          && self->places[i].y >= 0 && self->places[i].y <= (double) height - 1))
      {
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                     _("The line goes through %.10g, %.10g, outside of the %.0f × %.0f pixels that there are."),
                     self->places[i].x, self->places[i].y, (double) width, (double) height);
        return FALSE;
      }
  return TRUE;
}

static const char * const sampling_ids[] = { "nearest", "bilinear" };

const char *
es_profile_sampling_id (EsProfileSampling sampling)
{
  return sampling_ids[sampling];
}

gboolean
es_profile_sampling_find (const char *id, EsProfileSampling *sampling)
{
  for (guint i = 0; id != NULL && i < G_N_ELEMENTS (sampling_ids); i++)
    if (strcmp (id, sampling_ids[i]) == 0)
      {
        *sampling = (EsProfileSampling) i;
        return TRUE;
      }
  return FALSE;
}
