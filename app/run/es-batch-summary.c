/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/es-text-show.h"
#include "es-batch-summary.h"
#include "processes/es-batch-shares.h"
#include "recording/es-recording.h"
#include "result/es-stage-time.h"
#include "tool/es-batch-tool.h"

/* Of the name of a step, at least. */
#define NAME_COLUMNS 20

/* What binds each step, and what would help. */
static void
print_advice (EsResult *result)
{
  g_auto (GStrv) advice = es_result_list_advice (result);

  for (char **sentence = advice; sentence != NULL && *sentence != NULL; sentence++)
    g_print ("  %s\n", *sentence);
}

/* Of a step that several processes took part in; its name has so many columns. */
static void
print_processes (const EsStageProcesses *of, guint width)
{
  g_autofree char *blank = es_batch_pad ("", width);

  if (of->n > 1)
    g_print (_("  %-20s %10.1f to %.1f ms, %.1f in the mean, %.1f %% of it waiting\n"), blank, of->least_ms,
             of->greatest_ms, of->mean_ms, 100 * of->waiting);
}

void
es_batch_summary_print (EsResult *result, GFile *directory)
{
  guint n, width = NAME_COLUMNS;
  const EsStageTime *stages = es_result_get_stages (result, &n);
  double total = es_result_get_total_ms (result);
  g_autofree char *last = NULL;

  for (guint i = 0; i < n; i++)
    width = MAX (width, es_batch_count_columns (stages[i].title));
  last = es_batch_pad (_("Total"), width);
  g_print ("%s: %s\n", es_dataset_get_name (es_result_get_dataset (result)), es_result_get_title (result));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *bound = es_stage_time_describe_bound (&stages[i]), *name = es_batch_pad (stages[i].title, width);

      g_print ("  %s %10.1f ms %5.1f %%%s%s\n", name, stages[i].ms,
               total > 0 ? 100 * stages[i].ms / total : 0, stages[i].bound != ES_BOUND_UNKNOWN ? "  " : "",
               stages[i].bound != ES_BOUND_UNKNOWN ? bound : "");
      print_processes (&stages[i].processes, width);
    }
  g_print ("  %s %10.1f ms\n", last, total);
  es_batch_shares_print (result);
  g_print ("  ");
  if (es_result_get_device_reason (result) != NULL)
    g_print (_("computed by %s (%s): %s"), es_result_get_device_name (result),
             es_result_get_device_id (result), es_result_get_device_reason (result));
  else
    g_print (_("computed by %s (%s)"), es_result_get_device_name (result), es_result_get_device_id (result));
  g_print ("\n");
  print_advice (result);
  if (directory != NULL)
    {
      g_autofree char *path = g_file_get_parse_name (directory), *shown = es_text_show (path);
      g_print ("  %s\n", shown);
    }
}

static gboolean
is_among (const char * const *sentences, const char *note)
{
  for (; sentences != NULL && *sentences != NULL; sentences++)
    if (strstr (*sentences, note) != NULL || strstr (note, *sentences) != NULL)
      return TRUE;
  return FALSE;
}

void
es_batch_summary_warn (EsResult *result, GPtrArray *notes, const char *file)
{
  const char * const *warnings = es_result_get_warnings (result);
  EsDataset *dataset = es_result_get_dataset (result);
  const char * const *told = dataset != NULL ? es_dataset_get_notes (dataset) : NULL;

  /* What of a recording was taken and what was not: levels are of it. */
  for (guint i = 0; ES_IS_RECORDING (dataset) && told != NULL && told[i] != NULL; i++)
    if (!is_among (warnings, told[i]))
      es_batch_warn (file, told[i]);
  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    es_batch_warn (file, warnings[i]);
  for (guint i = 0; i < notes->len; i++)
    es_batch_warn (file, g_ptr_array_index (notes, i));
}

char *
es_batch_summary_join (EsResult *result, GPtrArray *notes)
{
  const char * const *warnings = es_result_get_warnings (result);
  g_autoptr (GString) message = g_string_new (NULL);

  for (; warnings != NULL && *warnings != NULL; warnings++)
    g_string_append_printf (message, "%s%s", message->len > 0 ? " " : "", *warnings);
  for (guint i = 0; i < notes->len; i++)
    g_string_append_printf (message, "%s%s", message->len > 0 ? " " : "",
                            (const char *) g_ptr_array_index (notes, i));
  return g_strdup (message->str);
}
