/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-set-private.h"

#include "es-cube-metadata.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "saving/es-durable.h"
#include "base/es-json.h"
#include "base/es-text-show.h"

#define FORMAT_VERSION 1

struct _EsRegionSet
{
  GObject     parent_instance;

  EsDataset  *dataset;         /* weak: it owns the set */
  GListStore *regions;
  GHashTable *computing;       /* EsNamedRegion -> GCancellable */
  guint       version, saved;  /* counts changes; what it was when all of it was written */
};

static void list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EsRegionSet, es_region_set, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
es_region_set_finalize (GObject *object)
{
  EsRegionSet *self = ES_REGION_SET (object);

  g_clear_weak_pointer (&self->dataset);
  g_object_unref (self->regions);
  g_hash_table_unref (self->computing);
  G_OBJECT_CLASS (es_region_set_parent_class)->finalize (object);
}

static void
es_region_set_class_init (EsRegionSetClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_region_set_finalize;
}

static void
on_region_changed (EsNamedRegion *region, GParamSpec *pspec, EsRegionSet *self)
{
  if (g_str_equal (pspec->name, "name") || g_str_equal (pspec->name, "colour"))
    self->version++;
}

static void
on_items_changed (EsRegionSet *self, guint position, guint removed, guint added)
{
  self->version++;
  g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
}

static void
es_region_set_init (EsRegionSet *self)
{
  self->regions = g_list_store_new (ES_TYPE_NAMED_REGION);
  self->computing = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  g_signal_connect_object (self->regions, "items-changed", G_CALLBACK (on_items_changed), self, G_CONNECT_SWAPPED);
}

static GType
get_item_type (GListModel *model)
{
  return ES_TYPE_NAMED_REGION;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ES_REGION_SET (model)->regions));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (ES_REGION_SET (model)->regions), position);
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

EsRegionSet *
es_dataset_get_regions (EsDataset *dataset)
{
  EsRegionSet *self = g_object_get_data (G_OBJECT (dataset), "es-regions");

  if (self != NULL)
    return self;
  self = g_object_new (ES_TYPE_REGION_SET, NULL);
  g_set_weak_pointer (&self->dataset, dataset);
  g_object_set_data_full (G_OBJECT (dataset), "es-regions", self, g_object_unref);
  return self;
}

EsCube *
es_region_set_get_cube (EsRegionSet *self)
{
  return self->dataset != NULL ? ES_CUBE (self->dataset) : NULL;
}

/* ---- spectra, one region after the other ---- */

typedef struct
{
  EsCube   *cube;
  EsRegion *region;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_object_unref (self->cube);
  es_region_unref (self->region);
  g_free (self);
}

static void
compute_in_pool (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  EsRegionSpectra *spectra = es_region_spectra_compute (request->cube, request->region, g_task_get_cancellable (task),
                                                        &error);

  if (spectra != NULL)
    g_task_return_pointer (task, spectra, (GDestroyNotify) es_region_spectra_free);
  else
    g_task_return_error (task, error);
}

/* A queue of its own: a pool costs no thread, which idle pools share, and regions that waited behind a job, or behind
 * stacks that wait for their time (es_image_stack_settle ()), would stay without a spectrum that long. */
static GThreadPool *
computing_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (compute_in_pool, NULL, 1, FALSE, NULL));
  return pool;
}

static void
on_computed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsRegionSet) self = data;
  EsNamedRegion *region = ES_NAMED_REGION (object);
  GError *error = NULL;
  EsRegionSpectra *spectra = g_task_propagate_pointer (G_TASK (result), &error);

  g_hash_table_remove (self->computing, region);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_error_free (error);
  else
    es_named_region_take_spectra (region, spectra, error);
}

static void
compute (EsRegionSet *self, EsNamedRegion *region, EsCube *cube)
{
  GCancellable *cancellable = g_cancellable_new ();
  GTask *task = g_task_new (region, cancellable, on_computed, g_object_ref (self));
  Request *request = g_new (Request, 1);

  *request = (Request) { g_object_ref (cube), es_region_ref (es_named_region_get_region (region)) };
  g_task_set_source_tag (task, compute);
  g_task_set_task_data (task, request, request_free);
  g_hash_table_insert (self->computing, g_object_ref (region), cancellable);
  g_thread_pool_push (computing_pool (), task, NULL);
}

static void
stop_computing (EsRegionSet *self, EsNamedRegion *region)
{
  GCancellable *cancellable = g_hash_table_lookup (self->computing, region);

  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

/* ---- adding and removing ---- */

static EsNamedRegion *
peek (EsRegionSet *self, guint i)
{
  g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (self->regions), i);

  return region;
}

/* Of Okabe and Ito, "Color Universal Design" (2008), which the colour-blind tell apart; black as a grey, to be seen on
 * dark images. */
static const guint32 colours[] = { 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0xd55e00, 0xcc79a7, 0x0072b2, 0x999999 };

/* What names and colours are free for the next regions: looked for once, however many come together. */
typedef struct
{
  GHashTable *names;           /* that are taken */
  guint       next;            /* number, below which none is free */
  guint       uses[G_N_ELEMENTS (colours)];
} Free;

static void
count_region (Free *vacant, EsNamedRegion *region)
{
  g_hash_table_add (vacant->names, g_strdup (es_named_region_get_name (region)));
  for (guint k = 0; k < G_N_ELEMENTS (colours); k++)
    vacant->uses[k] += es_named_region_get_colour (region) == colours[k];
}

static Free
find_free (EsRegionSet *self)
{
  Free vacant = { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), 1, { 0 } };

  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    count_region (&vacant, peek (self, i));
  return vacant;
}

static void
free_clear (Free *vacant)
{
  g_hash_table_unref (vacant->names);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Free, free_clear)

static char *
free_name (Free *vacant)
{
  for (;; vacant->next++)
    {
      g_autofree char *name = g_strdup_printf (_("Class %u"), vacant->next);

      if (!g_hash_table_contains (vacant->names, name))
        return g_steal_pointer (&name);
    }
}

/* The one used least. */
static guint32
free_colour (const Free *vacant)
{
  guint best = 0;

  for (guint k = 1; k < G_N_ELEMENTS (colours); k++)
    if (vacant->uses[k] < vacant->uses[best])
      best = k;
  return colours[best];
}

static EsNamedRegion *
add (EsRegionSet *self, EsCube *cube, const char *name, EsRegion *region, guint32 colour, guint64 count, Free *vacant)
{
  g_autofree char *given = name != NULL && *name != '\0' ? es_text_show (name) : free_name (vacant);
  g_autoptr (EsNamedRegion) named = NULL;

  named = es_named_region_new (given, colour != 0 ? colour : free_colour (vacant), region, count, cube);
  compute (self, named, cube);
  /* The first to hear of it: others ask then whether the set is saved. */
  g_signal_connect_object (named, "notify", G_CALLBACK (on_region_changed), self, 0);
  g_list_store_append (self->regions, named);
  count_region (vacant, named);
  return named;
}

EsNamedRegion *
es_region_set_add (EsRegionSet *self, const char *name, EsRegion *region, guint32 colour)
{
  EsCube *cube = es_region_set_get_cube (self);

  g_return_val_if_fail (cube != NULL && region != NULL, NULL);

  g_auto (Free) vacant = find_free (self);
  return add (self, cube, name, region, colour,
              es_region_count (region, es_cube_get_width (cube), es_cube_get_height (cube)), &vacant);
}

void
es_region_set_add_saved (EsRegionSet *self, GPtrArray *regions)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_auto (Free) vacant = find_free (self);

  for (guint i = 0; i < regions->len; i++)
    {
      const EsSavedRegion *saved = g_ptr_array_index (regions, i);

      add (self, cube, saved->name, saved->region, saved->colour, saved->count, &vacant);
    }
}

EsRegionSet *
es_region_set_copy (EsRegionSet *self)
{
  EsRegionSet *copy = g_object_new (ES_TYPE_REGION_SET, NULL);
  EsCube *cube = es_region_set_get_cube (self);

  g_return_val_if_fail (cube != NULL, copy);

  g_set_weak_pointer (&copy->dataset, ES_DATASET (cube));
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      EsNamedRegion *region = peek (self, i);
      g_autoptr (EsNamedRegion) named =
        es_named_region_new (es_named_region_get_name (region), es_named_region_get_colour (region),
                             es_named_region_get_region (region), es_named_region_get_count (region), cube);

      g_list_store_append (copy->regions, named);
    }
  return copy;
}

void
es_region_set_remove (EsRegionSet *self, EsNamedRegion *region)
{
  guint position;

  if (!g_list_store_find (self->regions, region, &position))
    return;
  stop_computing (self, region);
  g_list_store_remove (self->regions, position);
}

void
es_region_set_clear (EsRegionSet *self)
{
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    stop_computing (self, peek (self, i));
  g_list_store_remove_all (self->regions);
}

void
es_dataset_pass_regions (EsDataset *from, EsDataset *to)
{
  EsRegionSet *self = g_object_steal_data (G_OBJECT (from), "es-regions");

  if (self == NULL)
    return;
  g_set_weak_pointer (&self->dataset, to);
  g_object_set_data_full (G_OBJECT (to), "es-regions", self, g_object_unref);
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      stop_computing (self, peek (self, i));
      compute (self, peek (self, i), ES_CUBE (to));
    }
}

/* ---- as JSON; read by es-region-file.c ---- */

char *
es_region_set_to_text (EsRegionSet *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "regions_version");
  json_builder_add_int_value (builder, FORMAT_VERSION);
  if (self->dataset != NULL)
    {
      g_autofree char *shape = es_dataset_shape (self->dataset);

      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, es_dataset_get_name (self->dataset));
      json_builder_set_member_name (builder, "identity");
      json_builder_add_string_value (builder, es_dataset_get_identity (self->dataset));
      json_builder_set_member_name (builder, "shape");
      json_builder_add_string_value (builder, shape);
    }
  json_builder_set_member_name (builder, "regions");
  json_builder_begin_array (builder);
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      EsNamedRegion *region = peek (self, i);
      g_autofree char *colour = g_strdup_printf ("#%06x", es_named_region_get_colour (region));
      g_autofree char *pixels = es_region_format (es_named_region_get_region (region));

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, es_named_region_get_name (region));
      json_builder_set_member_name (builder, "colour");
      json_builder_add_string_value (builder, colour);
      json_builder_set_member_name (builder, "region");
      json_builder_add_string_value (builder, pixels);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  return es_json_to_text (root);
}

gboolean
es_region_set_is_saved (EsRegionSet *self)
{
  g_return_val_if_fail (ES_IS_REGION_SET (self), TRUE);
  return self->saved == self->version || get_n_items (G_LIST_MODEL (self)) == 0;
}

guint
es_region_set_get_version (EsRegionSet *self)
{
  g_return_val_if_fail (ES_IS_REGION_SET (self), 0);
  return self->version;
}

void
es_region_set_was_saved (EsRegionSet *self, guint version)
{
  g_return_if_fail (ES_IS_REGION_SET (self));
  self->saved = version;
}

gboolean
es_region_set_save (EsRegionSet *self, GFile *target, GError **error)
{
  g_autofree char *text = es_region_set_to_text (self);

  if (!es_durable_write_text (target, text, error))
    return FALSE;
  es_region_set_was_saved (self, self->version);
  return TRUE;
}
