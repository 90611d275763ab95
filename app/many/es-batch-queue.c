/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A list of files. */

#include "es-batch-queue.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/es-file-name.h"
#include "es-batch-many.h"
#include "ranks/es-ranks.h"

#define JOURNAL ".queue.journal"

/* What tells it from every other data set of the list, also in the next run: its files as they are now. */
static char *
make_key (GPtrArray *files, guint occurrence)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *which = g_strdup_printf ("%u", occurrence);

  g_checksum_update (sum, (const guchar *) which, strlen (which) + 1);
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *uri = g_file_get_uri (g_ptr_array_index (files, i)), *state = NULL;
      g_autofree char *path = g_file_get_path (g_ptr_array_index (files, i));
      GStatBuf now = { 0 };

      if (path != NULL && g_stat (path, &now) != 0)
        now = (GStatBuf) { 0 };
      state = g_strdup_printf ("%s\t%lld\t%lld.%09ld", uri, (long long) now.st_size, (long long) now.st_mtim.tv_sec,
                               now.st_mtim.tv_nsec);
      g_checksum_update (sum, (const guchar *) state, strlen (state) + 1);
    }
  return g_strdup (g_checksum_get_string (sum));
}

/* Keys of all; what is named twice is analysed twice. */
static GPtrArray *
make_keys (GPtrArray *groups)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < groups->len; i++)
    {
      char *key = NULL;

      for (guint occurrence = 0; key == NULL || g_hash_table_contains (seen, key); occurrence++)
        {
          g_free (key);
          key = make_key (g_ptr_array_index (groups, i), occurrence);
        }
      g_hash_table_add (seen, key);
      g_ptr_array_add (keys, key);
    }
  return keys;
}

/* Processes of hosts that see other files would take other ones by the same names. */
static gboolean
compare_lists (GPtrArray *keys, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < keys->len; i++)
    g_checksum_update (sum, g_ptr_array_index (keys, i), -1);
  return es_ranks_compare (_("The list of files, as they are,"), g_checksum_get_string (sum), error);
}

static const EsQueueEntry *
find_before (EsBatchMany *many, const char *key)
{
  return many->journal != NULL ? es_batch_journal_find (many->journal, key) : NULL;
}

/* Names of folders, the same for all processes whoever takes which file, and those that an earlier run has given: each
 * of the others has the first name that is free, which none that was given since can be. */
static GPtrArray *
name_folders (EsBatchMany *many, GPtrArray *groups, GPtrArray *keys)
{
  g_autoptr (GHashTable) taken = es_file_names_new ();
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  g_free (es_file_name_make ("report.csv", taken));
  g_free (es_file_name_make ("report.json", taken));
  for (guint i = 0; many->journal != NULL && i < es_batch_journal_get_n (many->journal); i++)
    g_free (es_file_name_make (es_batch_journal_get (many->journal, i)->folder, taken));
  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *files = g_ptr_array_index (groups, i);
      g_autofree char *base = g_file_get_basename (g_ptr_array_index (files, 0));
      const EsQueueEntry *before = find_before (many, g_ptr_array_index (keys, i));

      g_ptr_array_add (names, before != NULL && *before->folder != '\0' ? g_strdup (before->folder)
                                                                        : es_file_name_stem (base, taken));
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
take (EsBatchMany *many, const char *key, GPtrArray *files, const char *folder, EsQueueEntry **entry, gboolean *taken,
      GError **error)
{
  g_autoptr (EsQueueEntry) own = NULL;

  *taken = TRUE;
  *entry = NULL;
  if (many->journal == NULL)
    return TRUE;
  own = g_new0 (EsQueueEntry, 1);
  own->key = g_strdup (key);
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
work_off (EsBatchMany *many, GPtrArray *groups, GPtrArray *keys, GError **error)
{
  g_autoptr (GPtrArray) folders = name_folders (many, groups, keys);

  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *files = g_ptr_array_index (groups, i);
      g_autoptr (EsQueueEntry) entry = NULL;
      g_autofree char *base = g_file_get_basename (g_ptr_array_index (files, 0));
      g_autofree char *place = g_strdup_printf (_("%s (%u of %u)"), base, i + 1, groups->len);
      gboolean taken;

      if (!take (many, g_ptr_array_index (keys, i), files, g_ptr_array_index (folders, i), &entry, &taken, error))
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
list_waiting (EsBatchMany *many, GPtrArray *groups, GPtrArray *keys)
{
  GPtrArray *waiting = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < groups->len; i++)
    if (find_before (many, g_ptr_array_index (keys, i)) == NULL)
      g_ptr_array_add (waiting, name_of (g_ptr_array_index (groups, i)));
  return waiting;
}

/* How many of the list are done; settled: or have failed. */
static guint
count_done (EsBatchMany *many, GPtrArray *keys, gboolean settled)
{
  guint n = 0;

  for (guint i = 0; i < keys->len; i++)
    {
      const EsQueueEntry *entry = find_before (many, g_ptr_array_index (keys, i));

      n += entry != NULL && (entry->state == ES_QUEUE_DONE
                             ? settled || es_batch_journal_has_result (many->journal, entry)
                             : settled && entry->state == ES_QUEUE_FAILED);
    }
  return n;
}

static void
begin_again (EsBatchMany *many, GPtrArray *keys)
{
  const guint n = count_done (many, keys, FALSE);

  es_batch_journal_try_again (many->journal);
  if (many->rank == 0 && n > 0 && !many->analysis->quiet)
    g_print (_("Analysed before: %u of %u\n"), n, keys->len);
}

/* The report has all that it knew; what is still to be done is gone on with from it. */
static void
remove_journal (EsBatchMany *many, GPtrArray *keys)
{
  if (many->rank == 0 && count_done (many, keys, TRUE) == keys->len)
    g_unlink (many->path);
}

int
es_batch_queue (const EsBatchAnalysis *analysis, GPtrArray *groups, const char *output, gboolean resume)
{
  g_autoptr (GFile) folder = output != NULL ? es_batch_file (output) : NULL;
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;
  g_auto (EsBatchMany) many = { .analysis = analysis, .output = path };
  g_autoptr (GPtrArray) keys = make_keys (groups), waiting = NULL;
  GError *error = NULL;
  int status;

  if (!compare_lists (keys, &error) || !es_batch_many_begin (&many, JOURNAL, analysis->about, !resume, &error))
    {
      g_autoptr (GError) own = error;

      return es_batch_fail (own);
    }
  if (many.journal != NULL)
    many.stopped = _("The queue was stopped: the same command with --resume goes on with what is not done.");
  if (many.journal != NULL && resume)
    begin_again (&many, keys);
  work_off (&many, groups, keys, &error);
  es_batch_show_progress_of (NULL);
  if (many.journal != NULL && es_batch_journal_look (many.journal, error == NULL ? &error : NULL))
    waiting = list_waiting (&many, groups, keys);
  status = es_batch_many_end (&many, error, FALSE, waiting, NULL);
  if (many.journal != NULL)
    remove_journal (&many, keys);
  return status;
}
