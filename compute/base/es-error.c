/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-error.h"

#include "es-text-show.h"

G_DEFINE_QUARK (es-data-error-quark, es_data_error)
G_DEFINE_QUARK (es-compute-error-quark, es_compute_error)

char *
es_error_file_name (GFile *file)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *display = g_filename_display_name (base != NULL ? base : "?"), *name = es_text_show (display);
  glong length = g_utf8_strlen (name, -1);

  if (length <= 60)
    return g_steal_pointer (&name);

  g_autofree char *head = g_utf8_substring (name, 0, 28);
  g_autofree char *tail = g_utf8_substring (name, length - 28, length);
  return g_strdup_printf ("%s…%s", head, tail);
}
