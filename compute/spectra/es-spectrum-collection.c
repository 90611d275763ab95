/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectrum-collection-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube-taken.h"
#include "cube/es-region-set.h"
#include "es-resampler.h"

/* What was removed together, and from where. */
typedef struct
{
  GPtrArray *kept;             /* of EsKeptSpectrum */
  guint      position;
} Removal;

struct _EsSpectrumCollection
{
  GObject       parent_instance;

  GListStore   *list;
  GArray       *removals;      /* Removal */
  guint         n_reading;
};

static void list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EsSpectrumCollection, es_spectrum_collection, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static guint changed_signal;

static void
clear_removal (gpointer data)
{
  g_ptr_array_unref (((Removal *) data)->kept);
}

static void
es_spectrum_collection_finalize (GObject *object)
{
  EsSpectrumCollection *self = ES_SPECTRUM_COLLECTION (object);

  g_object_unref (self->list);
  g_array_unref (self->removals);
  G_OBJECT_CLASS (es_spectrum_collection_parent_class)->finalize (object);
}

static void
es_spectrum_collection_class_init (EsSpectrumCollectionClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_spectrum_collection_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
on_items_changed (EsSpectrumCollection *self, guint position, guint removed, guint added)
{
  g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
  g_signal_emit (self, changed_signal, 0);
}

static void
es_spectrum_collection_init (EsSpectrumCollection *self)
{
  self->list = g_list_store_new (ES_TYPE_KEPT_SPECTRUM);
  self->removals = g_array_new (FALSE, FALSE, sizeof (Removal));
  g_array_set_clear_func (self->removals, clear_removal);
  g_signal_connect_object (self->list, "items-changed", G_CALLBACK (on_items_changed), self, G_CONNECT_SWAPPED);
}

static GType
get_item_type (GListModel *model)
{
  return ES_TYPE_KEPT_SPECTRUM;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ES_SPECTRUM_COLLECTION (model)->list));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (ES_SPECTRUM_COLLECTION (model)->list), position);
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

EsSpectrumCollection *
es_spectrum_collection_new (void)
{
  return g_object_new (ES_TYPE_SPECTRUM_COLLECTION, NULL);
}

guint
es_spectrum_collection_get_n (EsSpectrumCollection *self)
{
  return get_n_items (G_LIST_MODEL (self));
}

EsKeptSpectrum *
es_spectrum_collection_get (EsSpectrumCollection *self, guint i)
{
  g_autoptr (EsKeptSpectrum) kept = g_list_model_get_item (G_LIST_MODEL (self->list), i);

  return kept;
}

gboolean
es_spectrum_collection_is_busy (EsSpectrumCollection *self)
{
  return self->n_reading > 0;
}

/* ---- adding ---- */

/* Those of regions (es-region-set.c), to be told apart on pictures as well. */
static const guint32 colours[] = { 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0xd55e00, 0xcc79a7, 0x0072b2, 0x999999 };

/* The one used least. */
static guint32
free_colour (EsSpectrumCollection *self)
{
  guint uses[G_N_ELEMENTS (colours)] = { 0 }, best = 0;

  for (guint i = 0; i < es_spectrum_collection_get_n (self); i++)
    for (guint k = 0; k < G_N_ELEMENTS (colours); k++)
      uses[k] += es_spectrum_collection_get (self, i)->colour == colours[k];
  for (guint k = 1; k < G_N_ELEMENTS (colours); k++)
    if (uses[k] < uses[best])
      best = k;
  return colours[best];
}

static void
on_kept_changed (EsSpectrumCollection *self)
{
  g_signal_emit (self, changed_signal, 0);
}

void
es_spectrum_collection_append (EsSpectrumCollection *self, EsKeptSpectrum *kept)
{
  if (kept->colour == 0)
    kept->colour = free_colour (self);
  g_signal_connect_object (kept, "notify", G_CALLBACK (on_kept_changed), self, G_CONNECT_SWAPPED);
  g_list_store_append (self->list, kept);
}

typedef struct
{
  EsCube   *cube;
  EsRegion *region;
  char     *name;
  gboolean  single;            /* one pixel: nothing about it varies */
  guint     turn;
} Request;

typedef struct
{
  EsSpectrum *spectrum;
  double     *deviation, *lowest, *highest;
} Answer;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->cube);
  es_region_unref (request->region);
  g_free (request->name);
  g_free (request);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_clear_object (&answer->spectrum);
  g_free (answer->deviation);
  g_free (answer->lowest);
  g_free (answer->highest);
  g_free (answer);
}

/* By what reads it for every other display, in all its digits. */
static gboolean
read_pixel (const Request *request, double *values, GError **error)
{
  guint64 x, y, width, height;

  if (!es_region_get_bounds (request->region, es_cube_get_width (request->cube), es_cube_get_height (request->cube),
                             &x, &y, &width, &height))
    {
      for (guint i = 0; i < es_cube_get_bands (request->cube); i++)
        values[i] = NAN;
      return TRUE;
    }
  return es_cube_read_spectrum (request->cube, x, y, values, error);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  const guint n = es_cube_get_bands (request->cube);
  g_autofree gboolean *taken = es_cube_dup_taken (request->cube);
  g_autofree double *mean = g_new (double, n);
  g_autoptr (EsSpectralAxis) axis = NULL;
  Answer *answer = g_new0 (Answer, 1);
  GError *error = NULL;

  if (!request->single)
    {
      answer->deviation = g_new (double, n);
      answer->lowest = g_new (double, n);
      answer->highest = g_new (double, n);
    }
  if (!(request->single ? read_pixel (request, mean, &error)
        : es_region_read_spectra (request->region, request->cube, mean, answer->deviation, answer->lowest,
                                  answer->highest, cancellable, &error)))
    {
      answer_free (answer);
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < n; i++)
    if (!taken[i])
      {
        mean[i] = NAN;
        if (!request->single)
          answer->deviation[i] = answer->lowest[i] = answer->highest[i] = NAN;
      }
  axis = es_spectral_axis_of_cube (request->cube);
  answer->spectrum = es_spectrum_new (request->name, axis, mean, NULL);
  g_task_return_pointer (task, answer, answer_free);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsSpectrumCollection) self = data;
  EsKeptSpectrum *kept = ES_KEPT_SPECTRUM (object);
  GError *error = NULL;
  Answer *answer = g_task_propagate_pointer (G_TASK (result), &error);
  const Request *request = g_task_get_task_data (G_TASK (result));

  self->n_reading--;
  if (request->turn != kept->turn)
    {
      g_clear_pointer (&answer, answer_free);
      g_clear_error (&error);
      return;
    }
  if (answer == NULL)
    {
      es_kept_spectrum_take (kept, NULL, NULL, NULL, NULL, error);
      return;
    }
  es_kept_spectrum_take (kept, g_steal_pointer (&answer->spectrum), g_steal_pointer (&answer->deviation),
                         g_steal_pointer (&answer->lowest), g_steal_pointer (&answer->highest), NULL);
  answer_free (answer);
}

static void
begin_reading (EsSpectrumCollection *self, EsKeptSpectrum *kept, EsCube *cube)
{
  g_autoptr (GTask) task = g_task_new (kept, NULL, on_read, g_object_ref (self));
  Request *request = g_new (Request, 1);

  g_free (kept->unit);
  kept->unit = g_strdup (es_cube_get_unit (cube));
  *request = (Request) { g_object_ref (cube), es_region_ref (kept->region), g_strdup (kept->name), kept->count == 1,
                         ++kept->turn };
  g_task_set_source_tag (task, begin_reading);
  g_task_set_task_data (task, request, request_free);
  self->n_reading++;
  g_task_run_in_thread (task, read_in_thread);
}

static void
begin_reading_again (EsSpectrumCollection *self, EsKeptSpectrum *kept, EsCube *cube)
{
  if (kept->region != NULL && es_kept_spectrum_is_of (kept, cube))
    begin_reading (self, kept, cube);
}

static char *
name_of_place (EsRegion *region, EsKeptKind kind, EsCube *cube)
{
  guint64 x, y, width, height;

  if (!es_region_get_bounds (region, es_cube_get_width (cube), es_cube_get_height (cube), &x, &y, &width, &height))
    return g_strdup (_("Region"));
  if (kind == ES_KEPT_PIXEL)
    return g_strdup_printf (_("x %u  y %u"), (guint) x, (guint) y);
  if (kind == ES_KEPT_MEAN)
    return g_strdup_printf (_("x %u  y %u, %u × %u"), (guint) (x + width / 2), (guint) (y + height / 2),
                            (guint) width, (guint) height);
  return g_strdup_printf (_("Region at x %u  y %u"), (guint) (x + width / 2), (guint) (y + height / 2));
}

EsKeptSpectrum *
es_spectrum_collection_add_region (EsSpectrumCollection *self, EsCube *cube, EsRegion *region, EsKeptKind kind,
                                   const char *name, guint32 colour)
{
  g_autofree char *place = name != NULL && *name != '\0' ? g_strdup (name) : name_of_place (region, kind, cube);
  g_autoptr (EsKeptSpectrum) kept = es_kept_spectrum_new (kind, place, colour);

  g_return_val_if_fail (ES_IS_SPECTRUM_COLLECTION (self), NULL);

  kept->region = es_region_ref (region);
  kept->count = es_region_count (region, es_cube_get_width (cube), es_cube_get_height (cube));
  kept->source = g_strdup (es_dataset_get_name (ES_DATASET (cube)));
  kept->identity = g_strdup (es_dataset_get_identity (ES_DATASET (cube)));
  es_spectrum_collection_append (self, kept);
  begin_reading (self, kept, cube);
  return kept;
}

void
es_spectrum_collection_read_again (EsSpectrumCollection *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_SPECTRUM_COLLECTION (self));
  g_return_if_fail (ES_IS_CUBE (cube));

  for (guint i = 0; i < es_spectrum_collection_get_n (self); i++)
    begin_reading_again (self, es_spectrum_collection_get (self, i), cube);
  for (guint i = 0; i < self->removals->len; i++)
    {
      GPtrArray *removed = g_array_index (self->removals, Removal, i).kept;

      for (guint k = 0; k < removed->len; k++)
        begin_reading_again (self, g_ptr_array_index (removed, k), cube);
    }
}

EsKeptSpectrum *
es_spectrum_collection_add_pixel (EsSpectrumCollection *self, EsCube *cube, guint64 x, guint64 y, guint size)
{
  g_autoptr (EsRegion) region = NULL;
  const gint64 half = size / 2;

  g_return_val_if_fail (size % 2 == 1, NULL);

  if (x >= es_cube_get_width (cube) || y >= es_cube_get_height (cube))
    return NULL;
  region = es_region_new_rectangle ((gint64) x - half, (gint64) y - half, size, size);
  return es_spectrum_collection_add_region (self, cube, region, size == 1 ? ES_KEPT_PIXEL : ES_KEPT_MEAN, NULL, 0);
}

EsKeptSpectrum *
es_spectrum_collection_add (EsSpectrumCollection *self, EsSpectrum *spectrum, const char *source, const char *unit)
{
  g_autoptr (EsKeptSpectrum) kept = NULL;

  g_return_val_if_fail (ES_IS_SPECTRUM_COLLECTION (self), NULL);

  kept = es_kept_spectrum_new (ES_KEPT_LIBRARY, es_spectrum_get_name (spectrum), 0);
  kept->source = g_strdup (source);
  kept->unit = g_strdup (unit);
  es_kept_spectrum_take (kept, g_object_ref (spectrum), NULL, NULL, NULL, NULL);
  es_spectrum_collection_append (self, kept);
  return kept;
}

/* ---- removing, and back ---- */

static void
remove_range (EsSpectrumCollection *self, guint position, guint n)
{
  Removal removal = { g_ptr_array_new_with_free_func (g_object_unref), position };

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (removal.kept, g_list_model_get_item (G_LIST_MODEL (self->list), position + i));
  g_array_append_val (self->removals, removal);
  g_list_store_splice (self->list, position, n, NULL, 0);
}

void
es_spectrum_collection_remove (EsSpectrumCollection *self, EsKeptSpectrum *kept)
{
  guint position;

  g_return_if_fail (ES_IS_SPECTRUM_COLLECTION (self));

  if (g_list_store_find (self->list, kept, &position))
    remove_range (self, position, 1);
}

void
es_spectrum_collection_clear (EsSpectrumCollection *self)
{
  g_return_if_fail (ES_IS_SPECTRUM_COLLECTION (self));

  if (es_spectrum_collection_get_n (self) > 0)
    remove_range (self, 0, es_spectrum_collection_get_n (self));
}

gboolean
es_spectrum_collection_can_undo (EsSpectrumCollection *self)
{
  return self->removals->len > 0;
}

gboolean
es_spectrum_collection_undo (EsSpectrumCollection *self)
{
  Removal *last;
  g_autoptr (GPtrArray) kept = NULL;
  guint position;

  g_return_val_if_fail (ES_IS_SPECTRUM_COLLECTION (self), FALSE);

  if (self->removals->len == 0)
    return FALSE;
  last = &g_array_index (self->removals, Removal, self->removals->len - 1);
  kept = g_ptr_array_ref (last->kept);
  position = MIN (last->position, es_spectrum_collection_get_n (self));
  g_array_set_size (self->removals, self->removals->len - 1);
  g_list_store_splice (self->list, position, 0, kept->pdata, kept->len);
  return TRUE;
}

EsSpectralLibrary *
es_spectrum_collection_to_library (EsSpectrumCollection *self)
{
  EsSpectralLibrary *library = es_spectral_library_new (_("Collected spectra"));
  const char *unit = NULL;
  gboolean same = TRUE;

  for (guint i = 0; i < es_spectrum_collection_get_n (self); i++)
    {
      EsKeptSpectrum *kept = es_spectrum_collection_get (self, i);
      g_autoptr (EsSpectrum) named = NULL;

      if (kept->spectrum == NULL)
        continue;
      named = es_spectrum_new (kept->name, es_spectrum_get_axis (kept->spectrum),
                               es_spectrum_get_values (kept->spectrum), es_spectrum_get_details (kept->spectrum));
      same = same && (es_spectral_library_get_n (library) == 0 || g_strcmp0 (unit, kept->unit) == 0);
      unit = kept->unit;
      es_spectral_library_add (library, named);
    }
  es_spectral_library_set_unit (library, same ? unit : NULL);
  return library;
}
