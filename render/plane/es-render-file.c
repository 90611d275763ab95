/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "saving/es-durable.h"
#include "base/es-error.h"
#include "es-render-file-internal.h"

gboolean
es_render_file_fail (GFile *target, const char *reason, GError **error)
{
  g_autofree char *name = es_error_file_name (target);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” cannot be written: %s."), name, reason);
  return FALSE;
}

gboolean
es_render_file_replace (GFile *target, GBytes *contents, GError **error)
{
  gsize size;
  const void *data = g_bytes_get_data (contents, &size);

  return es_durable_write (target, data, size, error);
}
