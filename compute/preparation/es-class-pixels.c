/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-class-pixels.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "cube/es-cube-classes.h"
#include "cube/es-saved-region-internal.h"
#include "readers/es-open.h"

#define MOST_REGIONS 1000
#define MOST_VALUES  1000000
#define BLOCK        (1 << 20)
/* From there on float32 takes several whole numbers for one. */
#define MOST_VALUE   16777216.f

/* What is known of a class while the pixels are gone through. */
typedef struct
{
  gint64   value;
  guint64  pixels;
  GString *runs;               /* nullable: not wanted */
  guint64  row;                /* of the last run */
} Seen;

static void
seen_free (gpointer data)
{
  Seen *seen = data;

  if (seen->runs != NULL)
    g_string_free (seen->runs, TRUE);
  g_free (seen);
}

typedef struct
{
  EsCube     *cube;
  GHashTable *seen;            /* of gint64 -> Seen, keyed by its value */
  gboolean    with_runs;
  guint       most;
  guint64     missing;
} Walk;

static gboolean
refuse_many (const Walk *walk, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("“%s” has more than %u different values: expected a classification of fewer classes"),
               es_dataset_get_name (ES_DATASET (walk->cube)), walk->most);
  return FALSE;
}

/* n pixels of a row that are alike. */
static gboolean
take_run (Walk *walk, float sample, guint64 x, guint64 y, guint64 n, GError **error)
{
  gint64 value;
  Seen *seen;

  if (isnan (sample))
    {
      walk->missing += n;
      return TRUE;
    }
  if (fabsf (sample) >= MOST_VALUE)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds %.9g at column %llu, row %llu: classes whose numbers are %.0f and more, or as far "
                     "below 0, cannot be told apart"), es_dataset_get_name (ES_DATASET (walk->cube)), sample,
                   (unsigned long long) x, (unsigned long long) y, MOST_VALUE);
      return FALSE;
    }
  if (sample != floorf (sample))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds %g at column %llu, row %llu: expected whole numbers, which stand for classes"),
                   es_dataset_get_name (ES_DATASET (walk->cube)), sample, (unsigned long long) x,
                   (unsigned long long) y);
      return FALSE;
    }
  value = (gint64) sample;
  seen = g_hash_table_lookup (walk->seen, &value);
  if (seen == NULL)
    {
      if (g_hash_table_size (walk->seen) >= walk->most)
        return refuse_many (walk, error);
      seen = g_new0 (Seen, 1);
      seen->value = value;
      seen->row = G_MAXUINT64;
      seen->runs = walk->with_runs ? g_string_new ("runs") : NULL;
      g_hash_table_insert (walk->seen, &seen->value, seen);
    }
  seen->pixels += n;
  if (seen->runs != NULL)
    {
      if (seen->row != y)
        g_string_append_printf (seen->runs, " %llu:", (unsigned long long) y);
      g_string_append_printf (seen->runs, "%s%llu-%llu", seen->row != y ? "" : ",", (unsigned long long) x,
                              (unsigned long long) (x + n - 1));
      seen->row = y;
    }
  return TRUE;
}

static gboolean
walk_pixels (Walk *walk, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_cube_get_width (walk->cube), height = es_cube_get_height (walk->cube);
  const guint64 columns = MIN (width, BLOCK), rows = MAX (BLOCK / columns, 1);
  g_autofree float *values = g_new (float, columns * rows);

  /* Wider ones than a block are gone through in pieces of their rows: runs end there. */
  for (guint64 y = 0; y < height; y += rows)
    for (guint64 left = 0; left < width; left += columns)
      {
        const guint64 w = MIN (columns, width - left), h = MIN (rows, height - y);

        if (g_cancellable_set_error_if_cancelled (cancellable, error)
            || !es_cube_read_band (walk->cube, 0, left, y, w, h, 1, values, cancellable, error))
          return FALSE;
        for (guint64 j = 0; j < h; j++)
          for (guint64 i = 0, from = 0; i < w; i = from)
            {
              const float *row = values + j * w;

              for (from = i + 1; from < w && (row[from] == row[i] || (isnan (row[from]) && isnan (row[i]))); from++)
                ;
              if (!take_run (walk, row[i], left + i, y + j, from - i, error))
                return FALSE;
            }
      }
  return TRUE;
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const EsClassCount *x = a, *y = b;

  return x->value < y->value ? -1 : x->value > y->value;
}

GArray *
es_class_count_pixels (EsCube *classification, guint64 *missing, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, seen_free);
  EsClassTable *classes = es_cube_get_classes (classification);
  Walk walk = { .cube = classification, .seen = seen, .most = MOST_VALUES };
  GArray *counts;
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (ES_IS_CUBE (classification), NULL);

  if (!walk_pixels (&walk, cancellable, error))
    return NULL;
  counts = g_array_new (FALSE, FALSE, sizeof (EsClassCount));
  for (guint i = 0; classes != NULL && i < es_class_table_get_n (classes); i++)
    {
      const EsClass *class = es_class_table_get (classes, i);
      const Seen *found = g_hash_table_lookup (seen, &class->value);
      const EsClassCount count = { class->value, found != NULL ? found->pixels : 0, TRUE };

      g_array_append_val (counts, count);
    }
  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Seen *found = value;
      const EsClassCount count = { found->value, found->pixels, FALSE };

      if (classes == NULL || es_class_table_find (classes, found->value) == NULL)
        g_array_append_val (counts, count);
    }
  g_array_sort (counts, compare_counts);
  if (missing != NULL)
    *missing = walk.missing;
  return counts;
}

static void
count_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  guint64 *missing = g_new0 (guint64, 1);
  GError *error = NULL;
  GArray *counts = es_class_count_pixels (ES_CUBE (source), missing, cancellable, &error);

  g_task_set_task_data (task, missing, g_free);
  if (counts != NULL)
    g_task_return_pointer (task, counts, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

void
es_class_count_pixels_async (EsCube *classification, GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer data)
{
  g_autoptr (GTask) task = g_task_new (classification, cancellable, callback, data);

  g_task_set_source_tag (task, es_class_count_pixels_async);
  g_task_run_in_thread (task, count_in_thread);
}

GArray *
es_class_count_pixels_finish (GAsyncResult *result, guint64 *missing, GError **error)
{
  GArray *counts = g_task_propagate_pointer (G_TASK (result), error);

  if (counts != NULL && missing != NULL)
    *missing = *(guint64 *) g_task_get_task_data (G_TASK (result));
  return counts;
}

/* ---- as the classes of a cube ---- */

/* What stands for no class. */
static gboolean
is_unclassified (EsClassTable *classes, gint64 value)
{
  const EsClass *class = es_class_table_find (classes, value);
  const char *name = class != NULL ? class->name : NULL;

  return value == 0 && (name == NULL || g_ascii_strcasecmp (name, "unclassified") == 0
                        || g_ascii_strcasecmp (name, "no data") == 0 || g_ascii_strcasecmp (name, "nodata") == 0
                        || g_ascii_strcasecmp (name, "background") == 0);
}

static gboolean
check_size (EsCube *cube, EsCube *raster, GError **error)
{
  const char *name = es_dataset_get_name (ES_DATASET (raster));

  if (es_cube_get_bands (raster) != 1)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 g_dngettext (GETTEXT_PACKAGE, "“%s” has %u band: a classification has one.",
                              "“%s” has %u bands: a classification has one.", es_cube_get_bands (raster)), name,
                 es_cube_get_bands (raster));
  else if (es_cube_get_width (raster) != es_cube_get_width (cube)
           || es_cube_get_height (raster) != es_cube_get_height (cube))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("The classification “%s” has %llu × %llu pixels: expected %llu × %llu, as “%s” has."), name,
                 (unsigned long long) es_cube_get_width (raster), (unsigned long long) es_cube_get_height (raster),
                 (unsigned long long) es_cube_get_width (cube), (unsigned long long) es_cube_get_height (cube),
                 es_dataset_get_name (ES_DATASET (cube)));
  else
    return TRUE;
  return FALSE;
}

static int
compare_seen (gconstpointer a, gconstpointer b)
{
  const Seen *x = *(Seen * const *) a, *y = *(Seen * const *) b;

  return x->value < y->value ? -1 : x->value > y->value;
}

/* Of EsSavedRegion, by value. */
static GPtrArray *
read_classes (EsCube *cube, EsCube *raster, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, seen_free);
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func (es_saved_region_free), sorted = g_ptr_array_new ();
  g_autoptr (EsClassTable) none = es_class_table_new ();
  EsClassTable *classes = es_cube_get_classes (raster) != NULL ? es_cube_get_classes (raster) : none;
  Walk walk = { .cube = raster, .seen = seen, .with_runs = TRUE, .most = MOST_REGIONS };
  GHashTableIter iter;
  gpointer value;

  if (!check_size (cube, raster, error) || !walk_pixels (&walk, cancellable, error))
    return NULL;
  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (sorted, value);
  g_ptr_array_sort (sorted, compare_seen);
  for (guint i = 0; i < sorted->len; i++)
    {
      const Seen *found = g_ptr_array_index (sorted, i);
      EsRegion *region;

      if (is_unclassified (classes, found->value))
        continue;
      region = es_region_parse (found->runs->str, error);
      if (region == NULL)
        return NULL;
      /* A colour of 0 would be none. */
      g_ptr_array_add (regions, es_saved_region_new (es_class_table_name (classes, found->value),
                                                     MAX (es_class_table_colour (classes, found->value), 1), region,
                                                     found->pixels));
    }
  if (regions->len > 0)
    return g_steal_pointer (&regions);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” has no pixel of a class."),
               es_dataset_get_name (ES_DATASET (raster)));
  return NULL;
}

typedef struct
{
  EsCube *cube, *raster;       /* raster is nullable */
  GFile  *file;                /* nullable */
} Adding;

static void
adding_free (gpointer data)
{
  Adding *adding = data;

  g_object_unref (adding->cube);
  g_clear_object (&adding->raster);
  g_clear_object (&adding->file);
  g_free (adding);
}

/* By how it begins: no raster does so. */
static gboolean
is_json (GFile *file)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  char head[64] = "";
  gsize n = 0;

  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head - 1, &n, NULL, NULL))
    return FALSE;
  for (const char *at = head; *at != '\0'; at++)
    if (!g_ascii_isspace (*at))
      return *at == '{';
  return FALSE;
}

static void
add_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Adding *adding = data;
  g_autoptr (EsDataset) opened = NULL;
  EsCube *raster = adding->raster;
  GPtrArray *regions = NULL;
  GError *error = NULL;

  if (raster == NULL && is_json (adding->file))
    regions = es_region_file_read (adding->file, adding->cube, cancellable, &error);
  else if (raster == NULL)
    {
      opened = es_dataset_open (adding->file, NULL, cancellable, &error);
      if (opened != NULL && !ES_IS_CUBE (opened))
        g_set_error (&error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                     _("“%s” is no raster: expected a classification."), es_dataset_get_name (opened));
      raster = opened != NULL && error == NULL ? ES_CUBE (opened) : NULL;
    }
  if (raster != NULL)
    regions = read_classes (adding->cube, raster, cancellable, &error);
  if (regions != NULL)
    g_task_return_pointer (task, regions, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
es_region_set_add_classes_async (EsRegionSet *self, EsCube *classification, GFile *file, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer data)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
  Adding *adding;

  g_return_if_fail (cube != NULL && (classification != NULL || file != NULL));

  adding = g_new0 (Adding, 1);
  adding->cube = g_object_ref (cube);
  g_set_object (&adding->raster, classification);
  g_set_object (&adding->file, file);
  g_task_set_source_tag (task, es_region_set_add_classes_async);
  g_task_set_task_data (task, adding, adding_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, add_in_thread);
}
