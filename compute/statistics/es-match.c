/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which component belongs to which, and the truth beside a simulated cube. */

#include "es-correlate.h"
#include "readers/es-open.h"

#include <math.h>
#include <string.h>

/*
 * The Hungarian method with potentials (Kuhn 1955, Munkres 1957; in the form of shortest augmenting paths, Jonker and
 * Volgenant 1987): the cheapest assignment of n rows to m >= n columns in O(n^2 m). cost: n x m. column_of: n.
 */
static void
assign (const double *cost, guint n, guint m, guint *column_of)
{
  /* Numbered from 1; 0 is where a path starts. */
  g_autofree double *row_potential = g_new0 (double, n + 1), *column_potential = g_new0 (double, m + 1);
  g_autofree double *shortest = g_new (double, m + 1);
  g_autofree guint *row_of = g_new0 (guint, m + 1), *way = g_new0 (guint, m + 1);
  g_autofree gboolean *used = g_new (gboolean, m + 1);

  for (guint row = 1; row <= n; row++)
    {
      guint column = 0;

      row_of[0] = row;
      for (guint j = 0; j <= m; j++)
        {
          shortest[j] = INFINITY;
          used[j] = FALSE;
        }
      do
        {
          const guint from = row_of[column];
          guint next = 0;
          double step = INFINITY;

          used[column] = TRUE;
          for (guint j = 1; j <= m; j++)
            {
              if (used[j])
                continue;
              const double length = cost[(gsize) (from - 1) * m + j - 1] - row_potential[from] - column_potential[j];
              if (length < shortest[j])
                {
                  shortest[j] = length;
                  way[j] = column;
                }
              if (shortest[j] < step)
                {
                  step = shortest[j];
                  next = j;
                }
            }
          for (guint j = 0; j <= m; j++)
            if (used[j])
              {
                row_potential[row_of[j]] += step;
                column_potential[j] -= step;
              }
            else
              shortest[j] -= step;
          column = next;
        }
      while (row_of[column] != 0);
      for (; column != 0; column = way[column])
        row_of[column] = row_of[way[column]];
    }
  for (guint j = 1; j <= m; j++)
    if (row_of[j] != 0)
      column_of[row_of[j] - 1] = j - 1;
}

EsComponentMatch *
es_match_components (EsMatrix *correlations, guint *n)
{
  const guint n_rows = es_matrix_get_n_rows (correlations), n_columns = es_matrix_get_n_columns (correlations);
  const gboolean turned = n_rows > n_columns;
  const guint few = MIN (n_rows, n_columns), many = MAX (n_rows, n_columns);
  const double *values = es_matrix_get_values (correlations);
  g_autofree double *cost = g_new (double, MAX ((gsize) few * many, 1));
  g_autofree guint *partner = g_new0 (guint, MAX (few, 1)), *column_of = g_new (guint, MAX (n_rows, 1));
  EsComponentMatch *matches = g_new0 (EsComponentMatch, MAX (few, 1));

  for (guint i = 0; i < few; i++)
    for (guint j = 0; j < many; j++)
      {
        const double r = turned ? values[(gsize) j * n_columns + i] : values[(gsize) i * n_columns + j];
        cost[(gsize) i * many + j] = isnan (r) ? 0 : -fabs (r);
      }
  assign (cost, few, many, partner);

  for (guint row = 0; row < n_rows; row++)
    column_of[row] = G_MAXUINT;
  for (guint i = 0; i < few; i++)
    column_of[turned ? partner[i] : i] = turned ? i : partner[i];
  *n = 0;
  for (guint row = 0; row < n_rows; row++)
    if (column_of[row] != G_MAXUINT && !isnan (values[(gsize) row * n_columns + column_of[row]]))
      matches[(*n)++] = (EsComponentMatch) { row, column_of[row], values[(gsize) row * n_columns + column_of[row]] };
  return matches;
}

/* ---- the truth ---- */

/* Nullable. */
static GFile *
truth_file (EsDataset *dataset)
{
  GFile *file = es_dataset_get_file (dataset);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  char *dot;

  if (name == NULL || folder == NULL)
    return NULL;
  dot = strrchr (name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  g_autofree char *truth = g_strconcat (name, "_abundances.img", NULL);
  return g_file_get_child (folder, truth);
}

gboolean
es_dataset_has_truth (EsDataset *dataset)
{
  g_autoptr (GFile) file = truth_file (dataset);

  return file != NULL && g_file_query_exists (file, NULL);
}

EsDataset *
es_dataset_open_truth (EsDataset *dataset, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = truth_file (dataset);

  if (file == NULL || !g_file_query_exists (file, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return es_dataset_open (file, NULL, cancellable, error);
}

static void
open_truth_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsDataset *truth = es_dataset_open_truth (source, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, truth, g_object_unref);
}

void
es_dataset_open_truth_async (EsDataset *dataset, GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (dataset, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_dataset_open_truth_async);
  g_task_run_in_thread (task, open_truth_thread);
}

EsDataset *
es_dataset_open_truth_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
