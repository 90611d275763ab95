/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of named regions: read and measured away from the main thread, then added to a set at once. */

#include "es-region-set-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-json.h"

/* What a person tells apart; each costs a row of a list and a spectrum. */
#define MOST_REGIONS 1000

EsSavedRegion *
es_saved_region_new (char *name, guint32 colour, EsRegion *region, guint64 count)
{
  EsSavedRegion *self = g_new (EsSavedRegion, 1);

  *self = (EsSavedRegion) { .name = name, .colour = colour, .region = region, .count = count };
  return self;
}

void
es_saved_region_free (gpointer data)
{
  EsSavedRegion *saved = data;

  g_free (saved->name);
  es_region_unref (saved->region);
  g_free (saved);
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static EsSavedRegion *
read_region (JsonNode *node, guint number, const char *file_name, EsCube *cube, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *text = object != NULL ? get_string (object, "region") : NULL;
  g_autoptr (GError) local_error = NULL;
  EsRegion *region = text != NULL ? es_region_parse (text, &local_error) : NULL;

  if (region == NULL && local_error != NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s”, region %u: %s"), file_name, number,
                 local_error->message);
  else if (region == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s”, region %u has no text “region”, such as “rectangle 0 0 10 10”."), file_name, number);
  if (region == NULL)
    return NULL;

  const char *colour = get_string (object, "colour");
  return es_saved_region_new (g_strdup (get_string (object, "name")),
                              colour != NULL && *colour == '#' ? g_ascii_strtoull (colour + 1, NULL, 16) & 0xffffff : 0,
                              region, es_region_count (region, es_cube_get_width (cube), es_cube_get_height (cube)));
}

GPtrArray *
es_region_file_read (GFile *file, EsCube *cube, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (JsonNode) root = es_json_load (file, cancellable, error);
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func (es_saved_region_free);

  if (root == NULL)
    return NULL;

  JsonObject *object = JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *list = object != NULL ? json_object_get_member (object, "regions") : NULL;
  JsonArray *array = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;
  const guint n = array != NULL ? json_array_get_length (array) : 0;
  if (array == NULL || n > MOST_REGIONS)
    {
      if (array == NULL)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s” is not a file of regions: expected “regions”: [ … ]."), name);
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                     _("“%s” lists %u regions; %u are read at most."), name, n, MOST_REGIONS);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      EsSavedRegion *saved;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      saved = read_region (json_array_get_element (array, i), i + 1, name, cube, error);
      if (saved == NULL)
        return NULL;
      g_ptr_array_add (regions, saved);
    }
  return g_steal_pointer (&regions);
}

gboolean
es_region_set_load (EsRegionSet *self, GFile *file, GError **error)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_autoptr (GPtrArray) regions = NULL;

  g_return_val_if_fail (cube != NULL, FALSE);

  regions = es_region_file_read (file, cube, NULL, error);
  if (regions != NULL)
    es_region_set_add_saved (self, regions);
  return regions != NULL;
}

/* ---- in the background ---- */

typedef struct
{
  GFile  *file;
  EsCube *cube;
} Loading;

static void
loading_free (gpointer data)
{
  Loading *loading = data;

  g_object_unref (loading->file);
  g_object_unref (loading->cube);
  g_free (loading);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Loading *loading = data;
  GError *error = NULL;
  GPtrArray *regions = es_region_file_read (loading->file, loading->cube, cancellable, &error);

  if (regions != NULL)
    g_task_return_pointer (task, regions, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
es_region_set_load_async (EsRegionSet *self, GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer data)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
  Loading *loading;

  g_return_if_fail (cube != NULL);

  loading = g_new (Loading, 1);
  *loading = (Loading) { g_object_ref (file), g_object_ref (cube) };
  g_task_set_source_tag (task, es_region_set_load_async);
  g_task_set_task_data (task, loading, loading_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, load_in_thread);
}

gboolean
es_region_set_load_finish (EsRegionSet *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) regions = g_task_propagate_pointer (G_TASK (result), error);

  if (regions != NULL && es_region_set_get_cube (self) != NULL)
    es_region_set_add_saved (self, regions);
  return regions != NULL;
}
