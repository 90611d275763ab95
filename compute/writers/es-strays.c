/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-strays-internal.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>

#include "base/es-error.h"

static const char *const stray_ends[] = { ".msk", ".aux.xml", ".ovr" };

gboolean
es_strays_keep (EsOutputs *outputs, const char *path, GPtrArray *kept, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (stray_ends); i++)
    {
      g_autofree char *stray = g_strconcat (path, stray_ends[i], NULL);
      struct stat status;

      if (stat (stray, &status) != 0 || !S_ISREG (status.st_mode))
        continue;
      if (!es_kept_add (kept, stray, cancellable, error))
        return FALSE;
      es_outputs_remove (outputs, stray);
    }
  return TRUE;
}

char *
es_strays_tell (GPtrArray *kept)
{
  g_autofree char *names = es_kept_names (kept);

  if (names == NULL)
    return NULL;
  return g_strdup_printf (_("Masks, statistics or smaller copies of other files would have been taken for those of a "
                            "new one of the same name; they are kept as %s."), names);
}

gboolean
es_strays_check (const char *path, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (stray_ends); i++)
    {
      g_autofree char *stray = g_strconcat (path, stray_ends[i], NULL);

      if (g_file_test (stray, G_FILE_TEST_IS_REGULAR))
        {
          g_autoptr (GFile) file = g_file_new_for_path (path), beside = g_file_new_for_path (stray);
          g_autofree char *name = es_error_file_name (file), *found = es_error_file_name (beside);

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                       _("“%s” is not written: “%s”, which is there already, would be taken for a part of it; choose "
                         "another name."), name, found);
          return FALSE;
        }
    }
  return TRUE;
}
