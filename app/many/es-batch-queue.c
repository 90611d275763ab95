/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A list of files. */

#include "es-batch-queue.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "base/es-file-name.h"
#include "es-batch-many.h"
#include "ranks/es-ranks.h"

#define JOURNAL ".queue.journal"

/* Names of folders, the same for all processes whoever takes which file. */
static GPtrArray *
name_folders (GPtrArray *groups)
{
  g_autoptr (GHashTable) taken = es_file_names_new ();
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  g_free (es_file_name_make ("report.csv", taken));
  g_free (es_file_name_make ("report.json", taken));
  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *files = g_ptr_array_index (groups, i);
      g_autofree char *base = g_file_get_basename (g_ptr_array_index (files, 0));

      g_ptr_array_add (names, es_file_name_stem (base, taken));
    }
  return names;
}

static char *
name_of (GPtrArray *files)
{
  GFile *file = g_ptr_array_index (files, 0);
  char *path = g_file_get_path (file);

  return path != NULL ? path : g_file_get_uri (file);
}

/* *entry NULL: there is no journal, or another process has it. */
static gboolean
take (EsBatchMany *many, guint i, GPtrArray *files, const char *folder, EsQueueEntry **entry, gboolean *taken,
      GError **error)
{
  g_autoptr (EsQueueEntry) own = NULL;

  *taken = TRUE;
  *entry = NULL;
  if (many->journal == NULL)
    return TRUE;
  own = g_new0 (EsQueueEntry, 1);
  own->key = g_strdup_printf ("%u", i);
  own->name = name_of (files);
  own->identity = g_strdup ("");
  own->folder = g_strdup (folder);
  own->process = many->rank;
  own->host = g_strdup (es_ranks_get_host (many->rank) != NULL ? es_ranks_get_host (many->rank) : g_get_host_name ());
  if (!es_batch_journal_take (many->journal, own, taken, error))
    return FALSE;
  if (*taken)
    *entry = g_steal_pointer (&own);
  return TRUE;
}

static gboolean
work_off (EsBatchMany *many, GPtrArray *groups, GError **error)
{
  g_autoptr (GPtrArray) folders = name_folders (groups);

  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *files = g_ptr_array_index (groups, i);
      g_autoptr (EsQueueEntry) entry = NULL;
      g_autofree char *base = g_file_get_basename (g_ptr_array_index (files, 0));
      g_autofree char *place = g_strdup_printf (_("%s (%u of %u)"), base, i + 1, groups->len);
      gboolean taken;

      if (!take (many, i, files, g_ptr_array_index (folders, i), &entry, &taken, error))
        return FALSE;
      if (!taken)
        continue;
      es_batch_show_progress_of (place);
      if (!es_batch_many_analyse (many, entry, files, NULL, many->size == 1 && i + 1 == groups->len, error))
        return FALSE;
    }
  return TRUE;
}

static GPtrArray *
list_waiting (EsBatchMany *many, GPtrArray *groups)
{
  GPtrArray *waiting = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < groups->len; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i);

      if (many->journal != NULL && es_batch_journal_find (many->journal, key) == NULL)
        g_ptr_array_add (waiting, name_of (g_ptr_array_index (groups, i)));
    }
  return waiting;
}

int
es_batch_queue (const EsBatchAnalysis *analysis, GPtrArray *groups, const char *output)
{
  g_autoptr (GFile) folder = output != NULL ? es_batch_file (output) : NULL;
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;
  g_auto (EsBatchMany) many = { .analysis = analysis, .output = path };
  g_autoptr (GPtrArray) waiting = NULL;
  GError *error = NULL;
  int status;

  if (!es_batch_many_begin (&many, JOURNAL, analysis->what, TRUE, &error))
    {
      g_autoptr (GError) own = error;

      return es_batch_fail (own);
    }
  work_off (&many, groups, &error);
  es_batch_show_progress_of (NULL);
  if (many.journal != NULL && es_batch_journal_look (many.journal, error == NULL ? &error : NULL))
    waiting = list_waiting (&many, groups);
  status = es_batch_many_end (&many, error, FALSE, waiting, NULL);
  /* The report has all that it knew. */
  if (many.journal != NULL && many.rank == 0)
    g_unlink (many.path);
  return status;
}
