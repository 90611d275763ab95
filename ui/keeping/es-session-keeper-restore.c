/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sessions on their way in: what a process that is gone has left, a file of a person's, data that are found again. */

#include "es-session-keeper-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "es-kept-settings.h"
#include "keeping/es-kept-id.h"
#include "widgets/es-format.h"
#include "widgets/es-export.h"
#include "widgets/es-settings.h"

/* More sentences than these are nobody's to read. */
#define MOST_NOTES 3

typedef struct
{
  EsSessionKeeper *keeper;
  EsActivity      *activity;
  char            *located;      /* id of what is found again; nullable */
  gboolean         crashed;
  gboolean         own;          /* this window's session from now on */
  EsSessionStore  *other;        /* left, and to become a part of it; nullable */
} Opening;

static Opening *
opening_new (EsSessionKeeper *self, GFile *file, const char *title)
{
  Opening *opening = g_new0 (Opening, 1);

  opening->keeper = g_object_ref (self);
  opening->activity = g_object_ref (es_shell_begin (self->shell, title));
  self->opening++;
  return opening;
}

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->keeper);
  g_object_unref (opening->activity);
  g_free (opening->located);
  if (opening->other != NULL)
    es_session_store_end (opening->other, TRUE);
  g_free (opening);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* ---- what has been opened ---- */

static void
take_lost (EsSessionKeeper *self, EsRestored *restored)
{
  const char *id = get_string (restored->told, "id");
  g_autofree char *own = es_kept_id_is (id) ? g_strdup (id) : g_strdup_printf ("%08x%08x%08x%08x", g_random_int (),
                                                                               g_random_int (), g_random_int (),
                                                                               g_random_int ());

  g_hash_table_replace (self->lost, g_strdup (own), json_object_ref (restored->told));
  g_signal_emit_by_name (self, "lost", own, restored->error->message);
}

static void
tell_other (EsSessionKeeper *self, EsRestored *restored)
{
  g_autofree char *name = es_format_shorten (es_dataset_get_name (restored->dataset), 60);
  g_autofree char *sentence =
    g_strdup_printf (restored->results->len > 0
                     ? _("“%s” holds other data than in this session: its results have to be run again.")
                     : _("“%s” holds other data than in this session."), name);

  es_shell_say (self->shell, sentence);
}

static void
take_dataset (EsSessionKeeper *self, EsRestored *restored)
{
  /* Before anybody shows them. */
  _es_session_keeper_take_look (G_OBJECT (restored->dataset), restored->told);
  for (guint i = 0; i < restored->results->len; i++)
    {
      EsRestoredResult *one = g_ptr_array_index (restored->results, i);

      if (one->result != NULL)
        _es_session_keeper_take_look (G_OBJECT (one->result), one->told);
    }
  es_session_restore_add (es_shell_get_session (self->shell), restored);
  for (guint i = 0; i < restored->results->len; i++)
    {
      EsRestoredResult *one = g_ptr_array_index (restored->results, i);

      /* What came from the cache is there. */
      if (one->result != NULL && !es_result_is_absent (one->result))
        g_hash_table_add (self->kept, g_strdup (es_kept_id_of (one->result)));
    }
  if (restored->other)
    tell_other (self, restored);
}

static void
show (EsSessionKeeper *self, GObject *item)
{
  EsShown *shown = es_shell_get_shown (self->shell);
  EsSession *session = es_shell_get_session (self->shell);
  GListModel *datasets = es_session_get_datasets (session);

  if (ES_IS_DATASET (item))
    es_shown_set (shown, ES_DATASET (item), NULL, NULL);
  else if (ES_IS_RESULT (item))
    es_shown_set (shown, es_result_get_dataset (ES_RESULT (item)), ES_RESULT (item), NULL);
  for (guint i = 0; ES_IS_LAYER (item) && i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);
      GListModel *results = es_session_get_results (session, dataset);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (EsResult) result = g_list_model_get_item (results, k);

          if (es_result_find_layer (result, es_layer_get_name (ES_LAYER (item))) == ES_LAYER (item))
            es_shown_set (shown, dataset, result, ES_LAYER (item));
        }
    }
}

static GObject *
find_shown (EsSessionKeeper *self, EsRestoredSession *restored)
{
  EsSession *session = es_shell_get_session (self->shell);
  JsonObject *at = get_object (json_node_get_object (restored->root), "shown");
  const char *reference = get_string (at, "item");
  GObject *item = es_kept_id_find (session, reference);

  if (item == NULL && reference != NULL)
    {
      /* A layer of a result that was not kept. */
      g_autofree char *of = g_strndup (reference, strcspn (reference, "/"));

      item = es_kept_id_find (session, of);
    }
  for (guint i = 0; item == NULL && i < restored->datasets->len; i++)
    item = (GObject *) ((EsRestored *) g_ptr_array_index (restored->datasets, i))->dataset;
  return item;
}

static void
take_session (EsSessionKeeper *self, EsRestoredSession *restored, gboolean all)
{
  JsonObject *sections = get_object (json_node_get_object (restored->root), "sections");
  GObject *item;

  es_shell_complete (self->shell);
  if (all && sections != NULL)
    es_kept_settings_take (self->shell, json_object_get_member (sections, "settings"));
  for (guint i = 0; i < restored->datasets->len; i++)
    {
      EsRestored *one = g_ptr_array_index (restored->datasets, i);

      if (one->dataset != NULL)
        take_dataset (self, one);
      else
        take_lost (self, one);
    }
  for (guint i = 0; restored->notes[i] != NULL && i < MOST_NOTES; i++)
    es_shell_say (self->shell, restored->notes[i]);
  item = find_shown (self, restored);
  if (item != NULL)
    show (self, item);
  if (all)
    es_shell_take_sections (self->shell, sections);
  if (self->regions == NULL)
    self->regions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_ptr_array_add (self->regions, g_ptr_array_ref (restored->datasets));
}

/* They are kept with the cube from now on. */
static void
add_regions (EsSessionKeeper *self, EsRestored *restored)
{
  const guint n = restored->dataset != NULL ? es_session_restore_add_regions (restored) : 0;
  g_autofree char *name = n > 0 ? es_format_shorten (es_dataset_get_name (restored->dataset), 60) : NULL;
  g_autofree char *sentence = NULL;

  if (n == 0)
    return;
  sentence = g_strdup_printf (ngettext ("%u class of the session was added to “%s”.",
                                        "%u classes of the session were added to “%s”.", n), n, name);
  es_shell_say (self->shell, sentence);
}

void
_es_session_keeper_add_regions (EsSessionKeeper *self)
{
  g_autoptr (GPtrArray) lists = g_steal_pointer (&self->regions);

  for (guint i = 0; lists != NULL && i < lists->len; i++)
    {
      GPtrArray *datasets = g_ptr_array_index (lists, i);

      for (guint k = 0; k < datasets->len; k++)
        add_regions (self, g_ptr_array_index (datasets, k));
    }
}

/* ---- sessions ---- */

static void
tell_restored (EsSessionKeeper *self, EsRestoredSession *restored)
{
  g_autofree char *what = es_restored_session_describe (restored);
  g_autofree char *sentence = g_strdup_printf (_("Eigenscope ended unexpectedly. Restored: %s"), what);

  /* Else what could not be opened is told, and nothing beside. */
  if (*what != '\0')
    es_shell_say_at_once (self->shell, sentence);
}

/* The file stays as it is, and the window begins anew. */
static void
give_up_store (EsSessionKeeper *self)
{
  g_autoptr (GError) error = NULL;

  if (self->marked)
    es_session_store_mark (self->store, FALSE);
  self->marked = FALSE;
  es_session_store_end (self->store, TRUE);
  self->written = FALSE;
  self->store = es_session_store_new (&error);
  if (self->store == NULL)
    es_shell_set_keeping (self->shell, FALSE);
}

static void
on_restored (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRestoredSession) restored = es_session_restore_finish (result, &error);
  EsSessionKeeper *self = opening->keeper;

  self->opening--;
  if (self->ended || self->shell == NULL || !es_shell_is_open (self->shell))
    {
      if (self->shell != NULL)
        es_shell_end (self->shell, opening->activity);
      return;
    }
  if (restored == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        es_shell_say (self->shell, error->message);
      if (opening->own)
        give_up_store (self);
    }
  else if (opening->located != NULL)
    {
      EsRestored *one = g_ptr_array_index (restored->datasets, 0);

      if (one->dataset != NULL)
        g_hash_table_remove (self->lost, opening->located);
      take_session (self, restored, FALSE);
    }
  else
    {
      take_session (self, restored, TRUE);
      if (opening->crashed)
        tell_restored (self, restored);
      if (opening->other != NULL)
        g_ptr_array_add (self->absorbed, g_steal_pointer (&opening->other));
    }
  es_shell_end (self->shell, opening->activity);
  self->again = FALSE;
  _es_session_keeper_queue (self);
}

/* Nothing is open here yet: this window is that session from now on. Otherwise it becomes a part of what is open. */
static gboolean
take_left (EsSessionKeeper *self, GFile *file, Opening *opening)
{
  EsSessionStore *store = es_session_store_take (file);
  GListModel *datasets = es_session_get_datasets (es_shell_get_session (self->shell));

  if (store == NULL)
    {
      es_shell_say (self->shell, _("This session is open in another window, or is not there any more."));
      return FALSE;
    }
  if (self->store == NULL || g_list_model_get_n_items (datasets) > 0 || g_hash_table_size (self->lost) > 0
      || es_shell_has_work (self->shell) || self->written || self->opening > 1)
    {
      opening->other = store;
      return TRUE;
    }
  es_session_store_end (self->store, FALSE);
  self->store = store;
  self->written = TRUE;
  self->marked = TRUE;
  opening->own = TRUE;
  es_session_store_mark (store, TRUE);
  return TRUE;
}

static void
open_session (EsSessionKeeper *self, GFile *file, gboolean left, gboolean crashed)
{
  Opening *opening = opening_new (self, file, _("Opening a session"));

  if (left && !take_left (self, file, opening))
    {
      self->opening--;
      es_shell_end (self->shell, opening->activity);
      opening_free (opening);
      return;
    }
  opening->crashed = crashed;
  es_session_restore_async (file, es_activity_get_cancellable (opening->activity), on_restored, opening);
}

void
es_session_keeper_open (EsSessionKeeper *self, GFile *file, gboolean left)
{
  g_return_if_fail (ES_IS_SESSION_KEEPER (self) && G_IS_FILE (file));
  open_session (self, file, left, FALSE);
}

void
es_session_keeper_locate (EsSessionKeeper *self, const char *id, GFile *file)
{
  JsonObject *told = g_hash_table_lookup (self->lost, id);
  Opening *opening;

  g_return_if_fail (ES_IS_SESSION_KEEPER (self) && G_IS_FILE (file));

  if (told == NULL)
    return;
  opening = opening_new (self, file, _("Opening what was found again"));
  opening->located = g_strdup (id);
  es_session_restore_located_async (told, file, es_activity_get_cancellable (opening->activity), on_restored, opening);
}

void
es_session_keeper_forget (EsSessionKeeper *self, const char *id)
{
  JsonObject *told = g_hash_table_lookup (self->lost, id);

  if (told == NULL)
    return;
  g_hash_table_replace (self->forgotten, g_strdup (id), json_object_ref (told));
  g_hash_table_remove (self->lost, id);
  _es_session_keeper_queue (self);
}

void
es_session_keeper_remember (EsSessionKeeper *self, const char *id)
{
  JsonObject *told = g_hash_table_lookup (self->forgotten, id);

  if (told == NULL)
    return;
  g_hash_table_replace (self->lost, g_strdup (id), json_object_ref (told));
  g_hash_table_remove (self->forgotten, id);
  _es_session_keeper_queue (self);
}

/* ---- what was left ---- */

static EsLeftSession *
find_left (GPtrArray *list, gboolean crashed)
{
  for (guint i = 0; i < list->len; i++)
    if (((EsLeftSession *) g_ptr_array_index (list, i))->crashed == crashed)
      return g_ptr_array_index (list, i);
  return NULL;
}

typedef struct
{
  EsSessionKeeper *keeper;
  gboolean         files;
} LookingBack;

static void
on_list (GObject *source, GAsyncResult *result, gpointer data)
{
  LookingBack *looking = data;
  g_autoptr (EsSessionKeeper) self = looking->keeper;
  const gboolean files = looking->files;
  g_autoptr (GPtrArray) list = es_session_store_list_finish (result);
  g_autofree char *start = g_settings_get_string (es_settings_get (), "session-start");
  EsLeftSession *crashed = find_left (list, TRUE), *closed = find_left (list, FALSE);

  g_free (looking);
  if (self->ended || !es_shell_is_open (self->shell))
    return;
  if (crashed != NULL && !crashed->tried && !files)
    open_session (self, crashed->file, TRUE, TRUE);
  else if (crashed != NULL)
    {
      /* It would have been opened over what was asked for, or has just ended the program. */
      g_autofree char *sentence = g_strdup_printf (_("Eigenscope ended unexpectedly. Not restored yet: %s"),
                                                   crashed->description);
      g_autofree char *uri = g_file_get_uri (crashed->file);

      es_shell_say_with_action (self->shell, sentence, _("_Restore"), "win.continue-session",
                                g_variant_new_string (uri));
    }
  else if (closed != NULL && !files && g_str_equal (start, "continue"))
    open_session (self, closed->file, TRUE, FALSE);
}

void
_es_session_keeper_look_back (EsSessionKeeper *self, gboolean files)
{
  LookingBack *looking = g_new0 (LookingBack, 1);

  looking->keeper = g_object_ref (self);
  looking->files = files;
  es_session_store_list_async (on_list, looking);
}

/* ---- files of a person ---- */

static void
on_target_chosen (GtkNativeDialog *dialog, int response, EsSessionKeeper *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                                                           : NULL;
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;

  if (name == NULL)
    return;
  if (!es_session_file_is (file))
    {
      /* Under another name it would be taken for something else. */
      g_autofree char *ended = g_strconcat (name, ES_SESSION_ENDING, NULL);
      g_autoptr (GFile) folder = g_file_get_parent (file);
      GFile *target = g_file_get_child (folder, ended);

      g_object_unref (file);
      file = target;
      if (g_file_query_exists (file, NULL))
        {
          g_autofree char *sentence = g_strdup_printf (_("“%s” is there already; choose it, or another name."), ended);

          es_shell_say (self->shell, sentence);
          return;
        }
    }
  es_session_keeper_save_as (self, file);
}

void
es_session_keeper_choose (EsSessionKeeper *self)
{
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (self->shell))
    return;
  chooser = gtk_file_chooser_native_new (_("Save Session"), es_shell_get_window (self->shell),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  /* Beside what it is of it finds that wherever both are moved. */
  es_export_place_apply (chooser);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "session" ES_SESSION_ENDING);
  es_shell_choose (self->shell, chooser, G_CALLBACK (on_target_chosen), self);
}
