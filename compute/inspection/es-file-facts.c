/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-file-facts-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-envi-header-internal.h"
#include "base/es-error.h"
#include "base/es-text-show.h"
#include "cube/es-cube.h"

/* Of 65,535 bands with some facts each. */
#define MOST_FACTS 400000
/* A list of 65,535 numbers is nobody's to read at a glance, but one of 500 is. */
#define LONGEST_VALUE 20000

void
es_file_fact_free (EsFileFact *self)
{
  if (self == NULL)
    return;
  g_free (self->group);
  g_free (self->key);
  g_free (self->value);
  g_free (self);
}

static char *
show (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) strnlen (text, LONGEST_VALUE));
  g_autofree char *shown = NULL;

  /* Lists go over lines in a header, and not here. */
  g_strdelimit (valid, "\r\n\t", ' ');
  shown = es_text_show (valid);

  if (strnlen (text, LONGEST_VALUE + 1) <= LONGEST_VALUE)
    return g_steal_pointer (&shown);
  /* Translators: behind the beginning of a long text */
  return g_strdup_printf (_("%s … (cut)"), shown);
}

gboolean
es_file_facts_add (EsFileFacts *self, const char *group, const char *key, const char *value)
{
  EsFileFact *fact;

  if (self->facts->len >= MOST_FACTS || g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  if (value == NULL)
    return TRUE;
  fact = g_new (EsFileFact, 1);
  *fact = (EsFileFact) { show (group), show (key), show (value) };
  g_ptr_array_add (self->facts, fact);
  return TRUE;
}

/* ---- ENVI ---- */

/* The header among the files that were read for it. */
static char *
find_header (EsDataset *dataset)
{
  g_autoptr (GPtrArray) files = es_dataset_list_files (dataset);

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *path = g_file_get_path (g_ptr_array_index (files, i));

      if (path != NULL && strlen (path) > 4 && g_ascii_strcasecmp (path + strlen (path) - 4, ".hdr") == 0
          && es_envi_header_is_at (path))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static gboolean
list_header (EsFileFacts *self, const char *path, GError **error)
{
  g_autofree char *base = g_path_get_basename (path), *name = g_filename_display_name (base);
  g_autoptr (EsEnviHeader) header = es_envi_header_load (path, name, error);
  const char *field;

  if (header == NULL)
    return FALSE;
  for (guint i = 0; (field = es_envi_header_get_field (header, i)) != NULL; i++)
    {
      const char *value = es_envi_header_get (header, field);

      if (!es_file_facts_add (self, "ENVI", field, value != NULL ? value : ""))
        break;
    }
  return TRUE;
}

/* ---- whatever it is ---- */

static gboolean
is_of (const char *format, const char *part)
{
  return format != NULL && strstr (format, part) != NULL;
}

static const char *
format_of (EsDataset *dataset)
{
  return ES_IS_CUBE (dataset) ? es_cube_get_format_name (ES_CUBE (dataset)) : NULL;
}

static gboolean
list (EsFileFacts *self, EsDataset *dataset, GError **error)
{
  const EsOpenOptions *options = es_dataset_get_options (dataset);
  const char *format = format_of (dataset);
  g_autofree char *header = is_of (format, "ENVI") ? find_header (dataset) : NULL;

  if (header != NULL)
    return list_header (self, header, error);
  if ((is_of (format, "MATLAB") && es_file_facts_mat (self))
      || ((is_of (format, "HDF5") || is_of (format, "netCDF")) && es_file_facts_mdim (self))
      || es_file_facts_gdal (self, self->path, options->driver))
    return TRUE;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("What “%s” says beside its samples cannot be read"),
               es_dataset_get_name (dataset));
  return FALSE;
}

GPtrArray *
es_file_facts_list (EsDataset *dataset, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func ((GDestroyNotify) es_file_fact_free);
  GFile *file = es_dataset_get_file (dataset);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  EsFileFacts self = { path, cancellable, facts };

  g_return_val_if_fail (ES_IS_DATASET (dataset), NULL);

  if (path == NULL)
    return g_steal_pointer (&facts);
  return list (&self, dataset, error) ? g_steal_pointer (&facts) : NULL;
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *facts = es_file_facts_list (source, cancellable, &error);

  if (facts != NULL)
    g_task_return_pointer (task, facts, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
es_file_facts_list_async (EsDataset *dataset, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (dataset, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_file_facts_list_async);
  g_task_run_in_thread (task, list_in_thread);
}

GPtrArray *
es_file_facts_list_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
