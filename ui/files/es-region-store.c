/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-store.h"

#include "cube/es-region-set.h"

#define DELAY_MS 500            /* a colour that is being chosen is not written at every step */

static G_DEFINE_QUARK (es-region-store, attached)

/* Sets that have changed and are not written yet. */
static GHashTable *waiting;
static guint source;

static GFile *
file_of (EsDataset *dataset)
{
  g_autofree char *identity = g_strndup (es_dataset_get_identity (dataset), 40);
  g_autofree char *name = g_strconcat (identity, ".json", NULL);
  g_autofree char *path = NULL;

  path = g_build_filename (g_get_user_data_dir (), "eigenscope", "classes", name, NULL);
  return g_file_new_for_path (path);
}

/* What cannot be kept is only not there the next time: nothing to trouble anybody with. */
static void
write_set (EsRegionSet *set)
{
  g_autofree char *path = g_strdup (g_object_get_qdata (G_OBJECT (set), attached_quark ()));
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_list_model_get_n_items (G_LIST_MODEL (set)) == 0)
    {
      g_file_delete (file, NULL, NULL);
      return;
    }
  g_mkdir_with_parents (folder, 0700);
  es_region_set_save (set, file, NULL);
}

void
es_region_store_flush (void)
{
  GHashTableIter iter;
  gpointer set;

  g_clear_handle_id (&source, g_source_remove);
  if (waiting == NULL)
    return;
  g_hash_table_iter_init (&iter, waiting);
  while (g_hash_table_iter_next (&iter, &set, NULL))
    {
      write_set (set);
      g_hash_table_iter_remove (&iter);
    }
}

static gboolean
on_delay (gpointer data)
{
  source = 0;
  es_region_store_flush ();
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

void
es_region_store_attach (EsDataset *dataset)
{
  EsRegionSet *set;
  g_autoptr (GFile) file = NULL;
  guint n;

  g_return_if_fail (ES_IS_DATASET (dataset));

  if (!ES_IS_CUBE (dataset) || es_dataset_get_identity (dataset) == NULL)
    return;
  set = es_dataset_get_regions (dataset);
  if (g_object_get_qdata (G_OBJECT (set), attached_quark ()) != NULL)
    return;
  file = file_of (dataset);
  g_object_set_qdata_full (G_OBJECT (set), attached_quark (), g_file_get_path (file), g_free);
  if (g_file_query_exists (file, NULL))
    es_region_set_load (set, file, NULL);
  n = g_list_model_get_n_items (G_LIST_MODEL (set));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (set), i);

      g_signal_connect_object (region, "notify", G_CALLBACK (on_notify), set, 0);
    }
  g_signal_connect (set, "items-changed", G_CALLBACK (on_items_changed), NULL);
}
