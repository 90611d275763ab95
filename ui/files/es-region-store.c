/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-store.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/es-error.h"
#include "cube/es-region-set.h"
#include "preparation/es-class-pixels.h"

#define DELAY_MS 500            /* a colour that is being chosen is not written at every step */

/* Of a set: where it is kept, and who is told what goes wrong. */
typedef struct
{
  char    *path;
  GWeakRef shell;
  gboolean told;
} Place;

static G_DEFINE_QUARK (es-region-store, place)

static Place *
place_of (EsRegionSet *set)
{
  return g_object_get_qdata (G_OBJECT (set), place_quark ());
}

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->path);
  g_weak_ref_clear (&place->shell);
  g_free (place);
}

/* Sets that have changed and are not written yet. */
static GHashTable *waiting;
static guint source;

/* A file of classes that is being read; belongs to the callback. */
typedef struct
{
  EsShell    *shell;
  EsDataset  *dataset;          /* the set alone does not keep it */
  EsActivity *activity;
  gboolean    kept;             /* of this data set, not one that a person opens */
  gboolean    over;             /* nothing is to be done when it ends */
  char       *added;            /* whose classes they are, to be told when they are there; nullable */
} Reading;

/* Those that are kept, by their sets, until what is in the file is in the set. */
static GHashTable *readings;

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->shell);
  g_object_unref (reading->dataset);
  g_object_unref (reading->activity);
  g_free (reading->added);
  g_free (reading);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

static GFile *
file_of (EsDataset *dataset)
{
  g_autofree char *identity = g_strndup (es_dataset_get_identity (dataset), 40);
  g_autofree char *name = g_strconcat (identity, ".json", NULL);
  g_autofree char *path = NULL;

  path = g_build_filename (g_get_user_data_dir (), "eigenscope", "classes", name, NULL);
  return g_file_new_for_path (path);
}

static gboolean
keep (EsRegionSet *set, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_list_model_get_n_items (G_LIST_MODEL (set)) == 0)
    {
      g_autoptr (GError) failure = NULL;

      if (g_file_delete (file, NULL, &failure) || g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  g_mkdir_with_parents (folder, 0700);
  return es_region_set_save (set, file, error);
}

/* Whoever closes the window is asked about what could not be kept; it is told when that begins, not at each change. */
static void
write_set (EsRegionSet *set)
{
  Place *place = place_of (set);
  EsCube *cube = es_region_set_get_cube (set);
  g_autoptr (EsShell) shell = g_weak_ref_get (&place->shell);
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;

  if (keep (set, place->path, &error))
    {
      place->told = FALSE;
      return;
    }
  if (place->told || cube == NULL || shell == NULL || !es_shell_is_open (shell))
    return;
  place->told = TRUE;
  sentence = g_strdup_printf (_("The classes of “%s” are not kept: %s"), es_dataset_get_name (ES_DATASET (cube)),
                              error->message);
  es_shell_say (shell, sentence);
}

void
es_region_store_write (void)
{
  g_autoptr (GHashTable) sets = g_steal_pointer (&waiting);
  GHashTableIter iter;
  gpointer set;

  g_clear_handle_id (&source, g_source_remove);
  if (sets == NULL)
    return;
  g_hash_table_iter_init (&iter, sets);
  while (g_hash_table_iter_next (&iter, &set, NULL))
    write_set (set);
}

static gboolean
on_delay (gpointer data)
{
  source = 0;
  es_region_store_write ();
  return G_SOURCE_REMOVE;
}

static void
queue (EsRegionSet *set)
{
  if (waiting == NULL)
    waiting = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_hash_table_add (waiting, g_object_ref (set));
  if (source == 0)
    source = g_timeout_add (DELAY_MS, on_delay, NULL);
}

static void
on_notify (EsNamedRegion *region, GParamSpec *pspec, EsRegionSet *set)
{
  if (g_str_equal (pspec->name, "name") || g_str_equal (pspec->name, "colour"))
    queue (set);
}

static void
on_items_changed (EsRegionSet *set, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (set), i);

      g_signal_connect_object (region, "notify", G_CALLBACK (on_notify), set, 0);
    }
  queue (set);
}

static void
watch (EsRegionSet *set)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (set));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (set), i);

      g_signal_connect_object (region, "notify", G_CALLBACK (on_notify), set, 0);
    }
  g_signal_connect (set, "items-changed", G_CALLBACK (on_items_changed), NULL);
}

/* What cannot be read stays beside what will be written, and is told. FALSE: it is where it was, and nothing may be
 * written there. */
static gboolean
put_aside (EsShell *shell, EsDataset *dataset, EsRegionSet *set, const GError *error)
{
  const char *path = place_of (set)->path;
  g_autofree char *sentence = NULL, *aside = NULL, *name = NULL;
  gboolean moved = FALSE;

  for (guint i = 1; aside == NULL || g_file_test (aside, G_FILE_TEST_EXISTS); i++)
    {
      g_free (aside);
      aside = g_strdup_printf ("%s.damaged-%u", path, i);
    }
  if (g_rename (path, aside) == 0)
    {
      moved = TRUE;
      name = g_path_get_basename (aside);
      sentence = g_strdup_printf (_("The classes that were kept for “%s” are put aside as “%s”: %s"),
                                  es_dataset_get_name (dataset), name, error->message);
    }
  es_shell_say (shell, sentence != NULL ? sentence : error->message);
  return moved;
}

static void read_kept (EsShell *shell, EsDataset *dataset);

/* The reading was cancelled, and now the classes change: what is in the file belongs to them. */
static void
on_changed_unread (EsRegionSet *set, guint position, guint removed, guint added, EsShell *shell)
{
  EsCube *cube = es_region_set_get_cube (set);

  g_signal_handlers_disconnect_by_func (set, on_changed_unread, shell);
  if (cube != NULL)
    read_kept (shell, ES_DATASET (cube));
}

/* They are beside what is shown: before: how many there were. */
static void
tell_added (Reading *reading, guint before)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (es_dataset_get_regions (reading->dataset))) - before;
  g_autofree char *sentence = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u class of “%s” was added to “%s”.",
                                                            "%u classes of “%s” were added to “%s”.", n), n,
                                               reading->added, es_dataset_get_name (reading->dataset));

  es_shell_say (reading->shell, sentence);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  EsRegionSet *set = ES_REGION_SET (object);
  g_autoptr (Reading) reading = data;
  g_autoptr (GError) error = NULL;
  gboolean loaded, cancelled, early;
  guint n;

  es_shell_end (reading->shell, reading->activity);
  if (reading->over)
    return;
  /* Classes that a person has made meanwhile are written together with those of the file. */
  n = g_list_model_get_n_items (G_LIST_MODEL (set));
  early = n > 0;
  loaded = es_region_set_load_finish (set, result, &error);
  cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (!reading->kept)
    {
      if (!loaded && !cancelled)
        es_shell_say (reading->shell, error->message);
      else if (loaded && reading->added != NULL)
        tell_added (reading, n);
      return;
    }
  g_hash_table_remove (readings, set);
  if (cancelled && !early)
    {
      g_signal_connect_object (set, "items-changed", G_CALLBACK (on_changed_unread), reading->shell, 0);
      return;
    }
  if (!loaded && !put_aside (reading->shell, reading->dataset, set, error))
    return;
  watch (set);
  if (early)
    queue (set);
  else if (loaded)
    es_region_set_was_saved (set, es_region_set_get_version (set));
}

static Reading *
begin (EsShell *shell, EsRegionSet *set, EsDataset *dataset, GFile *file, EsCube *classification, gboolean kept,
       const char *title)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->shell = g_object_ref (shell);
  reading->dataset = g_object_ref (dataset);
  reading->activity = g_object_ref (es_shell_begin (shell, title));
  reading->kept = kept;
  if (classification != NULL)
    reading->added = g_strdup (es_dataset_get_name (ES_DATASET (classification)));
  if (!kept)
    es_region_set_add_classes_async (set, classification, file, es_activity_get_cancellable (reading->activity),
                                     on_loaded, reading);
  else
    es_region_set_load_async (set, file, es_activity_get_cancellable (reading->activity), on_loaded, reading);
  return reading;
}

static void
read_kept (EsShell *shell, EsDataset *dataset)
{
  EsRegionSet *set = es_dataset_get_regions (dataset);
  g_autoptr (GFile) file = file_of (dataset);
  g_autofree char *title = g_strdup_printf (_("Reading the classes of %s"), es_dataset_get_name (dataset));
  Reading *reading = begin (shell, set, dataset, file, NULL, TRUE, title);

  if (readings == NULL)
    readings = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_hash_table_insert (readings, g_object_ref (set), reading);
}

void
es_region_store_open (EsShell *shell, EsRegionSet *set, GFile *file)
{
  g_autofree char *name = es_error_file_name (file), *title = g_strdup_printf (_("Reading %s"), name);
  EsCube *cube = es_region_set_get_cube (set);

  g_return_if_fail (ES_IS_SHELL (shell));

  if (cube != NULL)
    begin (shell, set, ES_DATASET (cube), file, NULL, FALSE, title);
}

void
es_region_store_add (EsShell *shell, EsRegionSet *set, EsCube *classification)
{
  g_autofree char *title = g_strdup_printf (_("Reading the classes of %s"),
                                            es_dataset_get_name (ES_DATASET (classification)));
  EsCube *cube = es_region_set_get_cube (set);

  g_return_if_fail (ES_IS_SHELL (shell) && ES_IS_CUBE (classification));

  if (cube != NULL)
    begin (shell, set, ES_DATASET (cube), NULL, classification, FALSE, title);
}

void
es_region_store_attach (EsDataset *dataset, EsShell *shell)
{
  EsRegionSet *set;
  Place *place;
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (ES_IS_DATASET (dataset) && ES_IS_SHELL (shell));

  if (!ES_IS_CUBE (dataset) || es_dataset_get_identity (dataset) == NULL)
    return;
  set = es_dataset_get_regions (dataset);
  if (place_of (set) != NULL)
    return;
  file = file_of (dataset);
  place = g_new0 (Place, 1);
  place->path = g_file_get_path (file);
  g_weak_ref_init (&place->shell, shell);
  g_object_set_qdata_full (G_OBJECT (set), place_quark (), place, place_free);
  if (g_file_query_exists (file, NULL))
    read_kept (shell, dataset);
  else
    watch (set);
}

/* What has been made while the file was still being read is joined with it now. */
static void
join_unread (void)
{
  GHashTableIter iter;
  gpointer set, value;

  if (readings == NULL)
    return;
  g_hash_table_iter_init (&iter, readings);
  while (g_hash_table_iter_next (&iter, &set, &value))
    {
      Reading *reading = value;
      g_autoptr (GFile) file = file_of (reading->dataset);
      g_autoptr (GError) error = NULL;

      if (g_list_model_get_n_items (G_LIST_MODEL (set)) == 0)
        continue;
      reading->over = TRUE;
      g_cancellable_cancel (es_activity_get_cancellable (reading->activity));
      if (es_region_set_load (set, file, &error) || put_aside (reading->shell, reading->dataset, set, error))
        {
          watch (set);
          queue (set);
        }
      g_hash_table_iter_remove (&iter);
    }
}

void
es_region_store_flush (void)
{
  join_unread ();
  es_region_store_write ();
}
