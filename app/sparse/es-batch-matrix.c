/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch-matrix.h"

/* "word:": something is meant to be made, which a path or an address ("https://") is not. */
static gboolean
looks_made (const char *name)
{
  const gsize letters = strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

  return letters > 1 && name[letters] == ':';
}

EsDataset *
es_batch_matrix_make (GPtrArray *files, gboolean *is_one, GCancellable *cancellable, GError **error)
{
  GFile *file = g_ptr_array_index (files, 0);
  g_autofree char *name = g_file_get_basename (file), *here = g_get_current_dir ();
  g_autoptr (GFile) folder = g_file_get_parent (file), where = g_file_new_for_path (here);
  EsDataset *made;

  *is_one = files->len == 1 && looks_made (name) && folder != NULL && g_file_equal (folder, where)
            && !g_file_query_exists (file, NULL);
  if (!*is_one)
    return NULL;
  made = es_sparse_matrix_make (name, cancellable, error);
  if (made == NULL && !es_sparse_matrix_is_made_name (name))
    /* Translators: before "“poison2d:3x3” is no matrix that can be made: expected …" */
    g_prefix_error (error, "%s", _("There is no such file, and "));
  return made;
}

static const char *
name_symmetry (EsSymmetry symmetry)
{
  switch (symmetry)
    {
    case ES_SYMMETRY_SYMMETRIC:
      return "symmetric";
    case ES_SYMMETRY_SKEW:
      return "skew-symmetric";
    case ES_SYMMETRY_GENERAL:
    default:
      return "general";
    }
}

/* "3", "4-7": the lengths of one bin. Transfer full. */
static char *
name_bin (guint bin)
{
  const guint64 from = bin == 0 ? 0 : G_GUINT64_CONSTANT (1) << (bin - 1);

  return bin < 2 ? g_strdup_printf ("%" G_GUINT64_FORMAT, from)
                 : g_strdup_printf ("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, from, 2 * from - 1);
}

void
es_batch_matrix_print (EsSparseMatrix *matrix)
{
  EsDataset *dataset = ES_DATASET (matrix);
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);
  const char * const *notes = es_dataset_get_notes (dataset);
  g_autofree char *description = es_dataset_describe (dataset);

  g_print ("%s\n  %s\n", es_dataset_get_name (dataset), description);
  g_print ("  %s\n", !statistics->is_square ? _("not square") : statistics->is_symmetric ? _("symmetric")
                                                                                         : _("not symmetric"));
  g_print (_("  nonzeros of a row: %zu to %zu, on average %.4g, standard deviation %.4g\n"), statistics->shortest,
           statistics->longest, statistics->mean, statistics->deviation);
  if (statistics->n_empty_rows > 0)
    g_print (_("  empty rows: %zu\n"), statistics->n_empty_rows);
  g_print (_("  bandwidth: %zu below the diagonal, %zu above; diagonals that hold a nonzero: %zu\n"), statistics->lower,
           statistics->upper, statistics->n_diagonals);
  if (statistics->is_square)
    g_print (_("  zeros of the diagonal: %zu; rows where it dominates: %.4g %%\n"), statistics->n_zero_diagonal,
             100 * statistics->dominant);
  g_print (_("  rows by their nonzeros:\n"));
  for (guint bin = 0; bin < G_N_ELEMENTS (statistics->lengths); bin++)
    {
      g_autofree char *name = name_bin (bin);

      if (statistics->lengths[bin] > 0)
        g_print ("  %22s  %" G_GUINT64_FORMAT "\n", name, statistics->lengths[bin]);
    }
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    g_print ("  %s\n", notes[i]);
}

JsonNode *
es_batch_matrix_json (EsSparseMatrix *matrix)
{
  EsDataset *dataset = ES_DATASET (matrix);
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);
  const char * const *notes = es_dataset_get_notes (dataset);
  JsonObject *root = json_object_new (), *told = json_object_new ();
  JsonArray *lengths = json_array_new (), *list = json_array_new ();
  JsonNode *node = json_node_init_object (json_node_alloc (), root);

  json_object_set_string_member (root, "kind", "matrix");
  json_object_set_string_member (root, "name", es_dataset_get_name (dataset));
  json_object_set_string_member (root, "identity", es_dataset_get_identity (dataset));
  json_object_set_int_member (root, "rows", (gint64) es_sparse_matrix_get_n_rows (matrix));
  json_object_set_int_member (root, "columns", (gint64) es_sparse_matrix_get_n_columns (matrix));
  json_object_set_int_member (root, "nonzeros", (gint64) es_sparse_matrix_get_n_nonzeros (matrix));
  json_object_set_string_member (root, "stored_as", name_symmetry (es_sparse_matrix_get_symmetry (matrix)));
  json_object_set_int_member (root, "duplicates", (gint64) es_sparse_matrix_get_n_duplicates (matrix));
  json_object_set_boolean_member (told, "square", statistics->is_square);
  json_object_set_boolean_member (told, "symmetric", statistics->is_symmetric);
  json_object_set_int_member (told, "empty_rows", (gint64) statistics->n_empty_rows);
  json_object_set_int_member (told, "shortest_row", (gint64) statistics->shortest);
  json_object_set_int_member (told, "longest_row", (gint64) statistics->longest);
  json_object_set_double_member (told, "mean_row", statistics->mean);
  json_object_set_double_member (told, "deviation_row", statistics->deviation);
  json_object_set_int_member (told, "lower_bandwidth", (gint64) statistics->lower);
  json_object_set_int_member (told, "upper_bandwidth", (gint64) statistics->upper);
  json_object_set_int_member (told, "diagonals", (gint64) statistics->n_diagonals);
  json_object_set_int_member (told, "zero_diagonal", (gint64) statistics->n_zero_diagonal);
  json_object_set_double_member (told, "dominant_rows", statistics->dominant);
  for (guint bin = 0; bin < G_N_ELEMENTS (statistics->lengths); bin++)
    if (statistics->lengths[bin] > 0)
      {
        JsonObject *one = json_object_new ();

        json_object_set_int_member (one, "from", bin == 0 ? 0 : (gint64) 1 << (bin - 1));
        json_object_set_int_member (one, "to", bin == 0 ? 0 : ((gint64) 1 << bin) - 1);
        json_object_set_int_member (one, "rows", (gint64) statistics->lengths[bin]);
        json_array_add_object_element (lengths, one);
      }
  json_object_set_array_member (told, "lengths", lengths);
  json_object_set_object_member (root, "statistics", told);
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    json_array_add_string_element (list, notes[i]);
  json_object_set_array_member (root, "notes", list);
  json_object_unref (root);
  return node;
}
