/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A watched folder: whoever has nothing to do looks at it, and takes the first file that has settled and that a reader
 * opens. What it holds is compared with the last look, which every file system can do, also one of another host, where
 * nobody would be told of changes.
 */

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "es-batch-many.h"
#include "ranks/es-ranks.h"

#define JOURNAL "watch.journal"
/* Between two looks; a folder that takes long to be read is read less often. */
#define SHORTEST_PAUSE_US (200 * 1000)
#define PAUSE_FOR_LOOK 10
#define STEP_US (50 * 1000)

/* A file as it was seen last. */
typedef struct
{
  gint64   size, modified;     /* bytes, nanoseconds since 1970 */
  gint64   since;              /* monotonic: it has been so */
  guint    look;               /* the last that has seen it */
  guint    tried;              /* how often the folder had changed when no reader would open it; 0: not yet */
  gboolean is_companion;       /* it is opened by another one's name */
  char    *refused;            /* nullable: what the readers said */
} Seen;

typedef struct
{
  EsBatchMany       *many;
  const EsBatchWatch *options;
  char              *folder;   /* as the system knows it */
  GHashTable        *seen;     /* name: Seen */
  guint              look, changes;
  gint64             busy;     /* monotonic: when there was something new the last time */
  guint              reported; /* how far the journal had come with the last report */

  /* what was found */
  EsQueueEntry      *entry;    /* NULL: it has been idle for long enough */
  GPtrArray         *files;
  EsDataset         *dataset;  /* NULL with an entry: refused, by */
  GError            *why;
} Watch;

static void
seen_free (gpointer data)
{
  Seen *seen = data;

  g_free (seen->refused);
  g_free (seen);
}

static void
watch_clear (Watch *watch)
{
  g_clear_pointer (&watch->entry, es_queue_entry_free);
  g_clear_pointer (&watch->files, g_ptr_array_unref);
  g_clear_object (&watch->dataset);
  g_clear_error (&watch->why);
}

/* ---- looking ---- */

static gboolean
get_state (Watch *watch, const char *name, gint64 *size, gint64 *modified)
{
  g_autofree char *path = g_build_filename (watch->folder, name, NULL);
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;
  *size = status.st_size;
  *modified = (gint64) status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  return TRUE;
}

static void
see (Watch *watch, const char *name)
{
  const gint64 now = g_get_monotonic_time ();
  Seen *seen = g_hash_table_lookup (watch->seen, name);
  gint64 size, modified;

  if (!get_state (watch, name, &size, &modified))
    return;
  if (seen == NULL)
    {
      seen = g_new0 (Seen, 1);
      seen->size = -1;
      g_hash_table_insert (watch->seen, g_strdup (name), seen);
    }
  seen->look = watch->look;
  if (seen->size == size && seen->modified == modified)
    return;
  seen->size = size;
  seen->modified = modified;
  seen->since = watch->busy = now;
  seen->tried = 0;
  seen->is_companion = FALSE;
  g_clear_pointer (&seen->refused, g_free);
  watch->changes++;
}

static gboolean
is_gone (gpointer name, gpointer data, gpointer watch)
{
  return ((const Seen *) data)->look != ((const Watch *) watch)->look;
}

static gboolean
look (Watch *watch, GError **error)
{
  g_autoptr (GError) own = NULL;
  g_autoptr (GDir) dir = g_dir_open (watch->folder, 0, &own);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("The watched folder cannot be read: %s"), own->message);
      return FALSE;
    }
  watch->look++;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (*name != '.')
      see (watch, name);
  if (g_hash_table_foreach_remove (watch->seen, is_gone, watch) > 0)
    watch->changes++;
  return TRUE;
}

static gboolean
has_settled (Watch *watch, const Seen *seen)
{
  return g_get_monotonic_time () - seen->since >= watch->options->settle * G_USEC_PER_SEC;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Borrowed names, in order. */
static GPtrArray *
list_names (Watch *watch)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, watch->seen);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* ---- what a file is ---- */

static char *
make_key (const char *name, const Seen *seen)
{
  return g_strdup_printf ("%s:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, name, seen->size, seen->modified);
}

/* Of the two files of such a cube or recording it is the samples that count. */
static gboolean
is_header (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_str_has_suffix (lower, ".hdr") || g_str_has_suffix (lower, ".sigmf-meta");
}

/* Whether other is called like name without its ending, with another one or none: "scene.hdr" and "scene.img.hdr" like
 * "scene.img". */
static gboolean
is_namesake (const char *name, const char *other)
{
  const char *dot = strrchr (name, '.');
  const gsize length = dot != NULL && dot > name ? (gsize) (dot - name) : strlen (name);

  return strncmp (name, other, length) == 0 && (other[length] == '.' || other[length] == '\0');
}

/* What is called like it has settled, too: a header and its samples land one after the other. *has_samples: there is
 * something whose header it may be. */
static gboolean
namesakes_have_settled (Watch *watch, const char *name, gboolean *has_samples)
{
  GHashTableIter iter;
  gpointer other, seen;

  *has_samples = FALSE;
  g_hash_table_iter_init (&iter, watch->seen);
  while (g_hash_table_iter_next (&iter, &other, &seen))
    if (strcmp (other, name) != 0 && is_namesake (name, other))
      {
        *has_samples |= !is_header (other);
        if (!has_settled (watch, seen))
          return FALSE;
      }
  return TRUE;
}

/* FALSE: another of its files has still to settle, or this one changed while it was opened. */
static gboolean
all_have_settled (Watch *watch, const char *name, Seen *seen, EsDataset *dataset)
{
  g_autoptr (GPtrArray) files = es_dataset_list_files (dataset);
  gint64 size, modified;

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *other = g_file_get_basename (g_ptr_array_index (files, i));
      const Seen *its = g_hash_table_lookup (watch->seen, other);

      if (its != NULL && !has_settled (watch, its))
        return FALSE;
      if (strcmp (other, name) != 0 && is_header (name))
        seen->is_companion = TRUE;
    }
  return get_state (watch, name, &size, &modified) && size == seen->size && modified == seen->modified;
}

/* Nothing that a reader knows, so far: what is missing may still land. */
static gboolean
is_not_for_readers (const GError *error)
{
  return g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT)
         || g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
}

static EsQueueEntry *
make_entry (Watch *watch, const char *name, const Seen *seen)
{
  const guint rank = watch->many->rank;
  EsQueueEntry *entry = g_new0 (EsQueueEntry, 1);

  entry->key = make_key (name, seen);
  entry->name = g_strdup (name);
  entry->identity = g_strdup (watch->dataset != NULL ? es_dataset_get_identity (watch->dataset) : "");
  entry->process = rank;
  entry->host = g_strdup (es_ranks_get_host (rank) != NULL ? es_ranks_get_host (rank) : g_get_host_name ());
  return entry;
}

/* Opens it, and takes it where it can be; watch->entry tells. */
static gboolean
try_file (Watch *watch, const char *name, Seen *seen, GCancellable *cancellable, GError **error)
{
  const EsBatchAnalysis *analysis = watch->many->analysis;
  g_autofree char *path = g_build_filename (watch->folder, name, NULL);
  gboolean taken, has_samples;

  if (!namesakes_have_settled (watch, name, &has_samples))
    return TRUE;
  watch->files = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (watch->files, g_file_new_for_path (path));
  watch->dataset = analysis->open (analysis->data, watch->files, cancellable, &watch->why);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  g_clear_pointer (&seen->refused, g_free);
  /* What is wrong with them the samples are told. */
  seen->is_companion = watch->dataset == NULL && is_header (name) && has_samples;
  if (watch->dataset == NULL && !seen->is_companion && is_not_for_readers (watch->why))
    {
      seen->tried = watch->changes;
      seen->refused = g_strdup (watch->why->message);
      watch_clear (watch);
      return TRUE;
    }
  if (seen->is_companion
      || (watch->dataset != NULL && (!all_have_settled (watch, name, seen, watch->dataset) || seen->is_companion)))
    {
      watch_clear (watch);
      return TRUE;
    }
  watch->entry = make_entry (watch, name, seen);
  if (!es_batch_journal_take (watch->many->journal, watch->entry, &taken, error))
    return FALSE;
  if (!taken)
    watch_clear (watch);
  return TRUE;
}

static gboolean
is_candidate (Watch *watch, const char *name, const Seen *seen)
{
  g_autofree char *key = make_key (name, seen);
  const EsQueueEntry *entry = es_batch_journal_find (watch->many->journal, key);

  return has_settled (watch, seen) && !seen->is_companion && seen->tried != watch->changes
         && (entry == NULL || !es_batch_journal_is_taken (watch->many->journal, entry));
}

static gboolean
try_all (Watch *watch, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (watch);

  for (guint i = 0; i < names->len && watch->entry == NULL; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      Seen *seen = g_hash_table_lookup (watch->seen, name);

      if (is_candidate (watch, name, seen) && !try_file (watch, name, seen, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- waiting ---- */

/* Some process of this run is at a file, or one has not settled yet. */
static gboolean
is_busy (Watch *watch)
{
  EsBatchJournal *journal = watch->many->journal;
  GHashTableIter iter;
  gpointer seen;

  for (guint i = 0; i < es_batch_journal_get_n (journal); i++)
    {
      const EsQueueEntry *entry = es_batch_journal_get (journal, i);

      if (entry->state == ES_QUEUE_BEGUN && es_batch_journal_is_ours (journal, entry))
        return TRUE;
    }
  g_hash_table_iter_init (&iter, watch->seen);
  while (g_hash_table_iter_next (&iter, NULL, &seen))
    if (!has_settled (watch, seen))
      return TRUE;
  return FALSE;
}

static GPtrArray *
list_unopened (Watch *watch)
{
  g_autoptr (GPtrArray) names = list_names (watch);
  GPtrArray *pairs = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      const Seen *seen = g_hash_table_lookup (watch->seen, name);

      if (seen->refused == NULL)
        continue;
      g_ptr_array_add (pairs, g_strdup (name));
      g_ptr_array_add (pairs, g_strdup (seen->refused));
    }
  return pairs;
}

/* While there is nothing else to do: a report as of now. */
static gboolean
report_now (Watch *watch, GError **error)
{
  EsBatchJournal *journal = watch->many->journal;
  g_autoptr (GPtrArray) unopened = NULL;
  guint known = 1;

  for (guint i = 0; i < es_batch_journal_get_n (journal); i++)
    known += es_batch_journal_get (journal, i)->state == ES_QUEUE_BEGUN ? 1 : 2;
  if (watch->many->rank > 0 || known == watch->reported)
    return TRUE;
  watch->reported = known;
  unopened = list_unopened (watch);
  return es_batch_many_report (watch->many, FALSE, NULL, unopened, error);
}

/* On a thread, under the signals: until a file was taken, or nothing has come for long. */
static gboolean
find_next (gpointer data, GCancellable *cancellable, GError **error)
{
  Watch *watch = data;

  watch->busy = g_get_monotonic_time ();
  for (;;)
    {
      const gint64 start = g_get_monotonic_time ();

      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !look (watch, error)
          || !es_batch_journal_look (watch->many->journal, error) || !try_all (watch, cancellable, error))
        return FALSE;
      if (watch->entry != NULL)
        return TRUE;

      const gint64 now = g_get_monotonic_time ();
      if (is_busy (watch))
        watch->busy = now;
      else if (watch->options->until_idle >= 0 && now - watch->busy >= watch->options->until_idle * G_USEC_PER_SEC)
        return TRUE;
      if (!report_now (watch, error))
        return FALSE;
      for (gint64 end = now + MAX (SHORTEST_PAUSE_US, (now - start) * PAUSE_FOR_LOOK);
           g_get_monotonic_time () < end && !g_cancellable_is_cancelled (cancellable);)
        g_usleep (STEP_US);
    }
}

static gboolean
work_off (Watch *watch, GError **error)
{
  for (;;)
    {
      gboolean done;

      es_batch_show_progress_of (NULL);
      if (!es_batch_work (find_next, watch, error))
        return FALSE;
      if (watch->entry == NULL)
        return TRUE;
      es_batch_show_progress_of (watch->entry->name);
      done = watch->dataset == NULL
             ? es_batch_many_refuse (watch->many, watch->entry, g_steal_pointer (&watch->why), error)
             : es_batch_many_analyse (watch->many, watch->entry, watch->files, watch->dataset, FALSE, error);
      watch_clear (watch);
      if (!done)
        return FALSE;
    }
}

/* ---- beginning ---- */

/* As the system knows it, also where its end is not there yet. Transfer full. */
static char *
resolve (const char *path)
{
  g_autofree char *canonical = g_canonicalize_filename (path, NULL), *real = NULL, *above = NULL, *name = NULL;
  char *found = realpath (canonical, NULL);

  if (found != NULL)
    {
      real = g_strdup (found);
      free (found);
      return g_steal_pointer (&real);
    }
  if (strcmp (canonical, "/") == 0)
    return g_steal_pointer (&canonical);
  name = g_path_get_basename (canonical);
  above = g_path_get_dirname (canonical);
  real = resolve (above);
  return g_build_filename (real, name, NULL);
}

static gboolean
is_in (const char *path, const char *folder)
{
  const gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0
         && (path[length] == '\0' || path[length] == '/' || folder[length - 1] == '/');
}

/* What is analysed is never what was written. */
static gboolean
check_folders (const char *folder, const char *output, GError **error)
{
  g_autofree char *watched = resolve (folder), *written = resolve (output), *shown = es_text_show (folder);

  if (!g_file_test (watched, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("There is no folder “%s” to watch."), shown);
      return FALSE;
    }
  if (is_in (watched, written))
    {
      g_autofree char *target = es_text_show (output);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("The watched folder “%s” is the folder of the results, “%s”, or in it: what is written would be "
                     "analysed."), shown, target);
      return FALSE;
    }
  return TRUE;
}

static char *
describe (const EsBatchAnalysis *analysis, const char *folder)
{
  g_autofree char *real = resolve (folder);

  return g_strdup_printf ("%s --watch %s", analysis->what, real);
}

int
es_batch_watch (const EsBatchAnalysis *analysis, const EsBatchWatch *options, const char *output)
{
  g_autoptr (GFile) target = es_batch_file (output);
  g_autofree char *path = g_file_get_path (target), *about = describe (analysis, options->folder);
  g_autofree char *folder = resolve (options->folder);
  g_auto (EsBatchMany) many = { .analysis = analysis, .output = path };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, seen_free);
  Watch watch = { .many = &many, .options = options, .folder = folder, .seen = seen, .changes = 1 };
  g_autoptr (GPtrArray) unopened = NULL;
  g_autoptr (GError) early = NULL;
  GError *error = NULL;

  if (path == NULL)
    return es_batch_usage (_("--watch writes to a folder of this machine: -o cannot be “%s”"), output);
  if (!es_ranks_agree (check_folders (options->folder, path, &early), &early)
      || !es_batch_many_begin (&many, JOURNAL, about, FALSE, &early))
    return es_batch_fail (early);
  work_off (&watch, &error);
  watch_clear (&watch);
  es_batch_show_progress ("", 1, TRUE);
  unopened = list_unopened (&watch);
  return es_batch_many_end (&many, error, TRUE, NULL, unopened);
}
