/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-companion-internal.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "es-envi-text-internal.h"

static G_DEFINE_QUARK (es-companion-agreed, agreed)

void
es_companion_agree (GFile *target)
{
  g_object_set_qdata (G_OBJECT (target), agreed_quark (), GINT_TO_POINTER (TRUE));
}

gboolean
es_companion_is_agreed (GFile *target)
{
  return g_object_get_qdata (G_OBJECT (target), agreed_quark ()) != NULL;
}

/* What else a companion belongs to, in words; NULL: to nothing, or to the file. Transfer full. */
static char *
owner_of (const char *file, const char *companion, const char *replaced, gboolean *foreign)
{
  struct stat status;
  g_autofree char *other = NULL;

  *foreign = FALSE;
  if (lstat (companion, &status) != 0)
    return NULL;
  other = es_envi_other_data (companion, file, replaced);
  *foreign = other != NULL || (replaced == NULL && lstat (file, &status) != 0);
  if (other == NULL)
    return NULL;
  g_autoptr (GFile) owner = g_file_new_for_path (other);
  return es_error_file_name (owner);
}

gboolean
es_companion_check (const char *file, const char *companion, const char *replaced, GError **error)
{
  gboolean foreign;
  g_autofree char *owner = owner_of (file, companion, replaced, &foreign);

  if (!foreign)
    return TRUE;

  g_autoptr (GFile) beside = g_file_new_for_path (companion), target = g_file_new_for_path (file);
  g_autofree char *name = es_error_file_name (beside), *wanted = es_error_file_name (target);
  if (owner != NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                 _("“%s” is not replaced: it belongs to “%s” as well; choose another name."), name, owner);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                 _("“%s” is not replaced: it is there without “%s” and belongs to something else; choose another "
                   "name."), name, wanted);
  return FALSE;
}

GFile *
es_companion_find_foreign (GFile *target)
{
  const char *path = g_file_peek_path (target);
  g_autofree char *data = NULL, *header = NULL, *owner = NULL;
  gboolean foreign;

  if (path == NULL)
    return NULL;
  es_envi_paths (path, &data, &header, NULL);
  owner = owner_of (data, header, NULL, &foreign);
  return foreign ? g_file_new_for_path (header) : NULL;
}
