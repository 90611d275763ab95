/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* --start and --heading: when a recording began, and where its array points. */

#include <glib/gi18n.h>
#include <math.h>

#include "base/es-error.h"
#include "es-batch-open.h"
#include "readers/es-open.h"

gboolean
es_batch_navigation_is_told (EsBatchOpen *self)
{
  return self->start != NULL || self->heading != NULL;
}

const char *
es_batch_navigation_get_option (EsBatchOpen *self)
{
  return self->start != NULL ? "--start" : "--heading";
}

/* Degrees; FALSE: the option names a file. */
static gboolean
read_degrees (const char *text, double *degrees)
{
  char *end;

  *degrees = g_ascii_strtod (text, &end);
  return end != text && *end == '\0';
}

gboolean
es_batch_navigation_settle (EsBatchOpen *self)
{
  g_autoptr (GDateTime) start = NULL;
  g_autoptr (GError) error = NULL;
  double degrees;

  if (self->start != NULL && (start = es_navigation_parse_start (self->start, &error)) == NULL)
    {
      es_batch_usage (_("--start cannot be %s"), error->message);
      return FALSE;
    }
  if (self->heading != NULL && read_degrees (self->heading, &degrees) && !(degrees >= -360 && degrees <= 360))
    {
      es_batch_usage (_("--heading cannot be %s: expected degrees clockwise from true north, or a file"),
                      self->heading);
      return FALSE;
    }
  return TRUE;
}

/* The start that was told, or that is known already; nullable, transfer full. */
static GDateTime *
settle_start (EsBatchOpen *self, EsRecording *recording)
{
  return self->start != NULL ? es_navigation_parse_start (self->start, NULL) : es_recording_dup_start (recording);
}

gboolean
es_batch_navigation_give (EsBatchOpen *self, EsRecording *recording, GError **error)
{
  g_autoptr (GDateTime) start = settle_start (self, recording);
  g_autoptr (EsNavigation) before = es_recording_dup_navigation (recording);
  g_autoptr (EsNavigation) told = NULL, timed = NULL;
  double degrees;

  if (self->heading == NULL)
    told = before != NULL ? es_navigation_with_start (before, start) : es_navigation_new (start, NULL, NULL, 0, error);
  else if (g_strcmp0 (self->heading, "none") == 0)
    told = es_navigation_new (start, NULL, NULL, 0, error);
  else if (read_degrees (self->heading, &degrees))
    told = es_navigation_new (start, NULL, &degrees, 1, error);
  else
    {
      g_autoptr (GFile) file = es_batch_file (self->heading);

      told = es_navigation_load (file, start, error);
    }
  if (told == NULL)
    return FALSE;
  /* What was named goes before what a file says of the start. */
  timed = self->start != NULL ? es_navigation_with_start (told, start) : es_navigation_ref (told);
  es_recording_name_navigation (recording, timed);
  return TRUE;
}
