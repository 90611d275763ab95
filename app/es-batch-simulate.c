/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch.h"

typedef struct
{
  GFile    *target;
  EsParams *params;
} Simulation;

static void
show (double fraction, gpointer data)
{
  es_batch_show_progress (_("Simulating"), fraction, FALSE);
}

static gboolean
simulate (gpointer data, GCancellable *cancellable, GError **error)
{
  Simulation *simulation = data;

  return es_simulate_cube (simulation->target, simulation->params, show, NULL, cancellable, error);
}

int
es_batch_simulate (int argc, char **argv)
{
  g_autofree char *output = NULL;
  GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("File to be written (.img, with its header)"), N_("FILE") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);

  if (!es_batch_parse_options (entries,
                               _("simulate cube -o FILE [key=value ...]: writes a synthetic cube and its truths."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2 || strcmp (argv[1], "cube") != 0)
    return es_batch_usage (_("“simulate” needs what to simulate: cube"));
  for (int i = 2; i < argc; i++)
    {
      g_auto (GStrv) pair = g_strsplit (argv[i], "=", 2);
      if (pair[1] == NULL)
        return es_batch_usage (_("“%s” is not of the form key=value"), argv[i]);
      if (!es_batch_parse_parameter (params, argv[i], &error))
        return es_batch_fail (error);
    }
  if (output == NULL)
    return es_batch_usage (_("“simulate cube” needs -o FILE"));

  g_autoptr (GFile) target = es_batch_file (output);
  Simulation simulation = { target, params };
  gboolean done = es_batch_work (simulate, &simulation, &error);
  es_batch_show_progress ("", 1, TRUE);
  return done ? ES_EXIT_DONE : es_batch_fail (error);
}
