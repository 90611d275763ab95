/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-profiles.h"

#include "base/es-task.h"

/* More than these are no comparison, and nobody's session. */
#define MOST_FILES 20

typedef struct
{
  EsDeviceProfile *profile;
  GFile           *file;             /* NULL: installed */
  gboolean         chosen;
} Entry;

struct _EsLabProfiles
{
  GObject    parent_instance;

  GPtrArray *entries;                /* of Entry; NULL until they are asked for */
};

G_DEFINE_FINAL_TYPE (EsLabProfiles, es_lab_profiles, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  es_device_profile_unref (entry->profile);
  g_clear_object (&entry->file);
  g_free (entry);
}

static void
es_lab_profiles_finalize (GObject *object)
{
  g_clear_pointer (&ES_LAB_PROFILES (object)->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (es_lab_profiles_parent_class)->finalize (object);
}

static void
es_lab_profiles_class_init (EsLabProfilesClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_lab_profiles_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_lab_profiles_init (EsLabProfiles *self)
{
}

EsLabProfiles *
es_lab_profiles_new (void)
{
  return g_object_new (ES_TYPE_LAB_PROFILES, NULL);
}

/* ---- which there are ---- */

static void
add (EsLabProfiles *self, EsDeviceProfile *profile, GFile *file, gboolean chosen)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->profile = es_device_profile_ref (profile);
  entry->file = file != NULL ? g_object_ref (file) : NULL;
  entry->chosen = chosen;
  g_ptr_array_add (self->entries, entry);
}

static GPtrArray *
get_entries (EsLabProfiles *self)
{
  g_autoptr (GPtrArray) shipped = NULL;

  if (self->entries != NULL)
    return self->entries;
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  shipped = es_device_profiles_shipped ();
  for (guint i = 0; i < shipped->len; i++)
    add (self, g_ptr_array_index (shipped, i), NULL, FALSE);
  return self->entries;
}

guint
es_lab_profiles_get_n (EsLabProfiles *self)
{
  g_return_val_if_fail (ES_IS_LAB_PROFILES (self), 0);
  return get_entries (self)->len;
}

static Entry *
get_entry (EsLabProfiles *self, guint i)
{
  return i < get_entries (self)->len ? g_ptr_array_index (self->entries, i) : NULL;
}

EsDeviceProfile *
es_lab_profiles_get (EsLabProfiles *self, guint i)
{
  g_return_val_if_fail (ES_IS_LAB_PROFILES (self) && get_entry (self, i) != NULL, NULL);
  return get_entry (self, i)->profile;
}

gboolean
es_lab_profiles_is_chosen (EsLabProfiles *self, guint i)
{
  g_return_val_if_fail (ES_IS_LAB_PROFILES (self) && get_entry (self, i) != NULL, FALSE);
  return get_entry (self, i)->chosen;
}

void
es_lab_profiles_set_chosen (EsLabProfiles *self, guint i, gboolean chosen)
{
  g_return_if_fail (ES_IS_LAB_PROFILES (self) && get_entry (self, i) != NULL);

  if (get_entry (self, i)->chosen == !!chosen)
    return;
  get_entry (self, i)->chosen = !!chosen;
  g_signal_emit (self, signals[CHANGED], 0);
}

GPtrArray *
es_lab_profiles_list (EsLabProfiles *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) es_device_profile_unref);

  g_return_val_if_fail (ES_IS_LAB_PROFILES (self), list);

  /* Nobody compares with anything: no file needs to be read. */
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    if (get_entry (self, i)->chosen)
      g_ptr_array_add (list, es_device_profile_ref (get_entry (self, i)->profile));
  return list;
}

/* ---- files ---- */

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsDeviceProfile *profile = es_device_profile_load (data, &error);

  if (profile != NULL)
    g_task_return_pointer (task, profile, (GDestroyNotify) es_device_profile_unref);
  else
    g_task_return_error (task, error);
}

void
es_lab_profile_read_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_lab_profile_read_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  es_task_run_in_thread (task, open_in_thread);
}

EsDeviceProfile *
es_lab_profile_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
es_lab_profiles_open_async (EsLabProfiles *self, GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_lab_profiles_open_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  es_task_run_in_thread (task, open_in_thread);
}

/* The same file again takes the place of what it was. */
static void
forget_file (EsLabProfiles *self, GFile *file)
{
  for (guint i = get_entries (self)->len; i-- > 0;)
    if (get_entry (self, i)->file != NULL && g_file_equal (get_entry (self, i)->file, file))
      g_ptr_array_remove_index (self->entries, i);
}

gboolean
es_lab_profiles_open_finish (EsLabProfiles *self, GAsyncResult *result, GError **error)
{
  g_autoptr (EsDeviceProfile) profile = g_task_propagate_pointer (G_TASK (result), error);
  GFile *file = g_task_get_task_data (G_TASK (result));

  if (profile == NULL)
    return FALSE;
  forget_file (self, file);
  add (self, profile, file, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
  return TRUE;
}

/* ---- sessions ---- */

JsonNode *
es_lab_profiles_tell (EsLabProfiles *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  gboolean any = FALSE;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "compared");
  json_builder_begin_array (builder);
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    if (get_entry (self, i)->chosen && get_entry (self, i)->file == NULL)
      {
        json_builder_add_string_value (builder, es_device_profile_get_name (get_entry (self, i)->profile));
        any = TRUE;
      }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "opened");
  json_builder_begin_array (builder);
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    if (get_entry (self, i)->chosen && get_entry (self, i)->file != NULL)
      {
        g_autofree char *uri = g_file_get_uri (get_entry (self, i)->file);

        json_builder_add_string_value (builder, uri);
        any = TRUE;
      }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return any ? json_builder_get_root (builder) : NULL;
}

static guint
get_strings (JsonNode *told, const char *name, const char *strings[MOST_FILES])
{
  JsonNode *node = told != NULL && JSON_NODE_HOLDS_OBJECT (told)
                   ? json_object_get_member (json_node_get_object (told), name) : NULL;
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = 0;

  for (guint i = 0; array != NULL && i < json_array_get_length (array) && n < MOST_FILES; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING)
        strings[n++] = json_node_get_string (element);
    }
  return n;
}

static void
on_taken (GObject *source, GAsyncResult *result, gpointer data)
{
  es_lab_profiles_open_finish (ES_LAB_PROFILES (source), result, NULL);
}

void
es_lab_profiles_take (EsLabProfiles *self, JsonNode *told)
{
  const char *strings[MOST_FILES];
  guint n;

  g_return_if_fail (ES_IS_LAB_PROFILES (self));

  n = get_strings (told, "compared", strings);
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < es_lab_profiles_get_n (self); i++)
      if (g_strcmp0 (es_device_profile_get_name (es_lab_profiles_get (self, i)), strings[k]) == 0)
        es_lab_profiles_set_chosen (self, i, TRUE);
  n = get_strings (told, "opened", strings);
  for (guint k = 0; k < n; k++)
    {
      g_autoptr (GFile) file = g_file_new_for_uri (strings[k]);

      es_lab_profiles_open_async (self, file, NULL, on_taken, NULL);
    }
}
