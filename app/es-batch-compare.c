/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "es-batch.h"

static guint
columns_of (const char *text)
{
  guint columns = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    columns += g_unichar_iszerowidth (g_utf8_get_char (text)) ? 0 : g_unichar_iswide (g_utf8_get_char (text)) ? 2 : 1;
  return columns;
}

static void
print_cell (const char *text, guint width, gboolean left)
{
  const guint columns = columns_of (text), space = width > columns ? width - columns : 0;

  if (left)
    g_print ("%s%*s", text, (int) space, "");
  else
    g_print ("%*s%s", (int) space, "", text);
}

/* The first column is text, to the left; numbers to the right, with their unit in the heading. */
static void
print_table (EsTable *table, const char *indent)
{
  const guint n = es_table_get_n_columns (table), rows = es_table_get_n_rows (table);
  g_autofree guint *widths = g_new0 (guint, n);
  g_auto (GStrv) headings = g_new0 (char *, n + 1);

  for (guint c = 0; c < n; c++)
    {
      const char *unit = es_table_get_column_unit (table, c);

      headings[c] = unit != NULL ? g_strdup_printf ("%s (%s)", es_table_get_column_title (table, c), unit)
                                 : g_strdup (es_table_get_column_title (table, c));
      widths[c] = columns_of (headings[c]);
      for (guint r = 0; r < rows; r++)
        widths[c] = MAX (widths[c], columns_of (es_table_get_text (table, r, c)));
    }
  for (guint r = 0; r <= rows; r++)
    {
      g_print ("%s", indent);
      for (guint c = 0; c < n; c++)
        {
          print_cell (r == 0 ? headings[c] : es_table_get_text (table, r - 1, c), widths[c],
                      c == 0);
          g_print ("%s", c + 1 < n ? "  " : "\n");
        }
    }
}

/* ---- the run ---- */

typedef struct
{
  GFile             *file;
  EsOpenOptions      open;
  const EsOperation *operation;
  EsParams          *params;
  EsLimits           limits;
  guint              repeats;
  char             **only;               /* ids; NULL: all */
  EsComparison      *comparison;
} Compare;

static void
on_changed (EsComparison *comparison, gpointer data)
{
  if (es_comparison_is_running (comparison))
    es_batch_show_progress (es_comparison_get_status (comparison) ?: "", es_comparison_get_progress (comparison),
                            FALSE);
}

static gboolean
leave_out (Compare *compare, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  const guint n = es_comparison_get_n_contestants (compare->comparison);

  for (guint i = 0; i < n; i++)
    {
      const char *id = es_comparison_get_id (compare->comparison, i);

      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", id);
      es_comparison_set_takes_part (compare->comparison, i,
                                    g_strv_contains ((const char *const *) compare->only, id));
    }
  for (char **id = compare->only; *id != NULL; id++)
    {
      gboolean found = FALSE;

      for (guint i = 0; i < n; i++)
        found |= strcmp (es_comparison_get_id (compare->comparison, i), *id) == 0;
      if (!found)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                       _("There is no device “%s” to compare; there are %s."), *id, known->str);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
work (gpointer data, GCancellable *cancellable, GError **error)
{
  Compare *compare = data;
  g_autoptr (EsDataset) dataset = es_dataset_open (compare->file, &compare->open, cancellable, error);

  if (dataset == NULL)
    return FALSE;
  compare->comparison = es_comparison_new (compare->operation, dataset, compare->params, &compare->limits);
  es_comparison_set_repeats (compare->comparison, compare->repeats);
  if (compare->only != NULL && !leave_out (compare, error))
    return FALSE;
  g_signal_connect (compare->comparison, "changed", G_CALLBACK (on_changed), NULL);
  return es_comparison_run (compare->comparison, cancellable, error);
}

/* ---- output ---- */

static gboolean
is_about (guint published, const EsOperation *operation)
{
  const char *id = es_published_get (published)->operation;

  return id == NULL || strcmp (id, operation->id) == 0;
}

static void
print_comparison (Compare *compare, gboolean published)
{
  EsComparison *comparison = compare->comparison;
  EsDataset *dataset = es_comparison_get_dataset (comparison);
  g_autofree char *description = es_dataset_describe (dataset);
  g_autoptr (EsTable) table = es_comparison_make_table (comparison);

  g_print (_("%s of %s (%s), median of %u\n"), _(compare->operation->short_title), es_dataset_get_name (dataset),
           description, es_comparison_get_repeats (comparison));
  print_table (table, "  ");
  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    if (es_comparison_get_error (comparison, i) != NULL)
      g_printerr ("eigenscope-batch: %s: %s\n", es_comparison_get_title (comparison, i),
                  es_comparison_get_error (comparison, i));

  for (guint i = 0; published && i < es_published_get_n (); i++)
    if (is_about (i, compare->operation))
      {
        const EsPublished *said = es_published_get (i);
        g_autoptr (EsTable) figures = es_published_make_table (i);

        g_print ("\n%s\n  %s: %s\n", said->title, said->source, said->hardware);
        if (said->note != NULL)
          g_print ("  %s\n", said->note);
        print_table (figures, "  ");
      }
}

static void
print_json (Compare *compare)
{
  JsonNode *root = es_comparison_to_json (compare->comparison);
  JsonArray *published = json_array_new ();

  for (guint i = 0; i < es_published_get_n (); i++)
    if (is_about (i, compare->operation))
      json_array_add_element (published, es_published_to_json (i));
  json_object_set_array_member (json_node_get_object (root), "published", published);
  es_batch_print_json (root);
}

static gboolean
read_arguments (Compare *compare, int argc, char **argv, GError **error)
{
  for (int i = 2; i < argc; i++)
    if (es_batch_is_parameter (argv[i]))
      {
        if (!es_batch_parse_parameter (compare->params, argv[i], error))
          return FALSE;
      }
    else if (compare->file != NULL)
      {
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                     _("“compare” takes one file; “%s” is another."), argv[i]);
        return FALSE;
      }
    else
      compare->file = es_batch_file (argv[i]);
  return TRUE;
}

int
es_batch_compare (int argc, char **argv)
{
  g_autofree char *memory = NULL, *gpu_memory = NULL, *variable = NULL, *devices = NULL;
  int threads = 0, width = 0, height = 0, repeats = 3;
  gboolean json = FALSE, published = TRUE;
  GOptionEntry entries[] = {
    { "repeats", 0, 0, G_OPTION_ARG_INT, &repeats, N_("Runs on each device; the median counts"), N_("N") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    { "devices", 0, 0, G_OPTION_ARG_STRING, &devices, N_("Only these, such as cpu-1,cpu,cuda:0"), N_("IDS") },
    { "no-published", 0, G_OPTION_FLAG_REVERSE, G_OPTION_ARG_NONE, &published, N_("Leave out the published figures"),
      NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &threads, N_("Threads at most"), N_("N") },
    { "memory", 0, 0, G_OPTION_ARG_STRING, &memory, N_("Memory for buffers at most, such as 256M"), N_("SIZE") },
    { "gpu-memory", 0, 0, G_OPTION_ARG_STRING, &gpu_memory, N_("Memory of a GPU at most, such as 4G"), N_("SIZE") },
    { "width", 0, 0, G_OPTION_ARG_INT, &width, N_("Width in pixels, where a file does not tell"), N_("N") },
    { "height", 0, 0, G_OPTION_ARG_INT, &height, N_("Height in pixels, where a file does not tell"), N_("N") },
    { "variable", 0, 0, G_OPTION_ARG_STRING, &variable, N_("Variable of a container file"), N_("NAME") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (EsParams) params = NULL;
  g_auto (GStrv) only = NULL;
  g_autoptr (GError) error = NULL;
  Compare compare = { 0 };
  gboolean done;

  if (!es_batch_parse_options (entries,
                               _("compare OPERATION FILE [key=value ...]: runs it with one thread, with all, on each "
                                 "GPU and on all of them, and shows the time of every step."), &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2)
    return es_batch_usage (_("“compare” needs an operation and a file"));
  if ((compare.operation = es_operation_find (argv[1], &error)) == NULL)
    return es_batch_fail (error);
  if (threads < 0 || width < 0 || height < 0)
    return es_batch_usage (_("--threads, --width and --height take positive numbers"));
  if (repeats < 1 || repeats > 99)
    return es_batch_usage (_("--repeats takes a number from 1 to 99"));
  if (memory != NULL && !es_batch_parse_size (memory, &compare.limits.memory))
    return es_batch_usage (_("--memory cannot be “%s”: expected a size such as 256M"), memory);
  if (gpu_memory != NULL && !es_batch_parse_size (gpu_memory, &compare.limits.device_memory))
    return es_batch_usage (_("--gpu-memory cannot be “%s”: expected a size such as 4G"), gpu_memory);

  compare.params = params = es_params_new (compare.operation->params);
  if (!read_arguments (&compare, argc, argv, &error))
    {
      g_clear_object (&compare.file);
      return es_batch_fail (error);
    }
  if (compare.file == NULL)
    return es_batch_usage (_("“compare %s” needs a file"), compare.operation->id);
  compare.limits.threads = threads;
  compare.open = (EsOpenOptions) { width, height, variable };
  compare.repeats = repeats;
  compare.only = only = devices != NULL ? g_strsplit (devices, ",", -1) : NULL;

  done = es_batch_work (work, &compare, &error);
  es_batch_show_progress ("", 1, TRUE);
  if (done && json)
    print_json (&compare);
  else if (done)
    print_comparison (&compare, published);
  g_clear_object (&compare.comparison);
  g_clear_object (&compare.file);
  return done ? ES_EXIT_DONE : es_batch_fail (error);
}
