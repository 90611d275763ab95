/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "saving/es-json-file-internal.h"

/* A million elements with long names. */
#define LARGEST_FILE ((gsize) 256 << 20)

#define METRES_A_FOOT 0.3048
/* Neighbours are rarely so far apart in metres; in millimetres they are. */
#define MANY_METRES 250.0

/* ---- elements ---- */

static void
clear_element (gpointer element)
{
  g_free (((EsElement *) element)->name);
}

GArray *
es_array_elements_new (void)
{
  GArray *elements = g_array_new (FALSE, TRUE, sizeof (EsElement));

  g_array_set_clear_func (elements, clear_element);
  return elements;
}

void
es_array_elements_add (GArray *elements, double x, double y, double z, guint channel, const char *name)
{
  const EsElement element = {
    .x = x, .y = y, .z = z, .channel = channel, .gain = 1,
    .name = name != NULL && *name != '\0' ? g_strdup (name) : NULL,
  };

  g_array_append_val (elements, element);
}

/* ---- units ---- */

static gboolean
is_round (double metres, double step)
{
  const double steps = rint (metres / step);

  return steps > 0 && fabs (metres - steps * step) < 1e-4 * metres;
}

void
es_array_note_unit (EsArray *self)
{
  const double spacing = es_array_get_spacing (self);

  if (es_array_get_n_elements (self) < 2)
    return;
  if (spacing >= MANY_METRES)
    es_array_add_note (self, g_strdup_printf (_("Neighbouring elements are %.6g m apart, if the file gives metres; "
                                                "millimetres are told by a header such as “x_mm”."), spacing));
  /* 4.92126 ft are 1.5 m. */
  else if (es_array_is_uniform (self) && !is_round (spacing, 0.01) && is_round (spacing * METRES_A_FOOT, 0.05))
    es_array_add_note (self, g_strdup_printf (_("A spacing of %.6g is a round number of metres if the file gives feet: "
                                                "positions are expected in metres."), spacing));
}

/* ---- files ---- */

static EsArray *
read_text (const char *text, gsize length, const char *name, GError **error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  const char *first;

  if (length >= 3 && memcmp (text, byte_order_mark, 3) == 0)
    {
      text += 3;
      length -= 3;
    }
  if (memchr (text, '\0', length) != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is no text: expected an array's positions as CSV, XML or JSON."), name);
      return NULL;
    }
  for (first = text; g_ascii_isspace (*first); )
    first++;
  if (*first == '<')
    return es_array_read_xml (text, length, name, error);
  if (*first == '{' || *first == '[')
    return es_array_read_json (text, length, name, error);
  return es_array_read_csv (text, length, name, error);
}

EsArray *
es_array_load (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, cancellable, error);

  return text != NULL ? read_text (text, length, name, error) : NULL;
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsArray *array = es_array_load (data, cancellable, &error);

  if (array != NULL)
    g_task_return_pointer (task, array, (GDestroyNotify) es_array_unref);
  else
    g_task_return_error (task, error);
}

void
es_array_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, es_array_load_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, load_in_thread);
}

EsArray *
es_array_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

GFile *
es_array_sidecar_of (GFile *recording)
{
  return es_json_file_beside (recording, ".array.json");
}
