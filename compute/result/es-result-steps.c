/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The steps of a result: as a table, and what is to be said of them. */

#include "layer/es-layer-internal.h"
#include "es-result.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
are_judged (const EsStageTime *stages, guint n)
{
  for (guint i = 0; i < n; i++)
    if (stages[i].advice != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
are_shared (const EsStageTime *stages, guint n)
{
  for (guint i = 0; i < n; i++)
    if (stages[i].processes.n > 1)
      return TRUE;
  return FALSE;
}

EsTable *
es_result_make_step_table (EsResult *self)
{
  EsTable *table = es_table_new ("steps", _("Steps"));
  guint n;
  const EsStageTime *stages = es_result_get_stages (self, &n);
  const gboolean judged = are_judged (stages, n), shared = are_shared (stages, n);
  const double total = es_result_get_total_ms (self), whole = 100, none = NAN;

  es_table_add_column (table, _("Step"), NULL, -1);
  es_table_add_column (table, _("Time"), "ms", 1);
  es_table_add_column (table, _("Share"), "%", 1);
  if (shared)
    {
      es_table_add_column (table, _("Least"), "ms", 1);
      es_table_add_column (table, _("Mean"), "ms", 1);
      es_table_add_column (table, _("Greatest"), "ms", 1);
      es_table_add_column (table, _("Waiting"), "%", 1);
    }
  if (judged)
    es_table_add_column (table, _("Bound by"), NULL, -1);
  for (guint i = 0; i < n; i++)
    {
      double share = total > 0 ? 100 * stages[i].ms / total : 0;
      g_autofree char *bound = es_stage_time_describe_bound (&stages[i]);

      if (shared)
        {
          const EsStageProcesses *of = &stages[i].processes;
          const double waiting = 100 * of->waiting;

          es_table_add_row (table, (gconstpointer[]) { stages[i].title, &stages[i].ms, &share, &of->least_ms,
                                                       &of->mean_ms, &of->greatest_ms, &waiting, bound });
        }
      else
        es_table_add_row (table, (gconstpointer[]) { stages[i].title, &stages[i].ms, &share, bound });
    }
  if (shared)
    es_table_add_row (table, (gconstpointer[]) { _("Total"), &total, &whole, &none, &none, &none, &none, "" });
  else
    es_table_add_row (table, (gconstpointer[]) { _("Total"), &total, &whole, "" });
  return table;
}

char **
es_result_list_advice (EsResult *self)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const EsStageTime *stages = es_result_get_stages (self, &n);

  for (guint i = 0; i < n; i++)
    if (stages[i].advice != NULL)
      /* TRANSLATORS: a step, and what is to be said of it: "Covariance: 1.9 times its bound, ...". */
      g_ptr_array_add (list, g_strdup_printf (_("%s: %s"), stages[i].title, stages[i].advice));
  if (list->len == 0)
    return NULL;
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}
