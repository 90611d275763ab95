/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch.h"

/* What can be simulated. */
static const struct
{
  const char        *what;
  const EsParamSpec *params;
  gboolean         (*simulate) (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                                gpointer data, GCancellable *cancellable, GError **error);
} kinds[] = {
  { "cube", es_simulate_cube_params, es_simulate_cube },
  { "recording", es_simulate_recording_params, es_simulate_recording },
  { "matrix", es_simulate_matrix_params, es_simulate_matrix },
};

typedef struct
{
  GFile    *target;
  EsParams *params;
  guint     kind;
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

  return kinds[simulation->kind].simulate (simulation->target, simulation->params, show, NULL, cancellable, error);
}

int
es_batch_simulate (int argc, char **argv)
{
  g_autofree char *output = NULL;
  GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_("File to be written (cube: .img, with its header; recording: .wav, .w64, .rf64, .h5, .sio, .raw; matrix: "
         ".mtx, .mtx.gz)"),
      N_("FILE") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsParams) params = NULL;
  guint kind = 0;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  if (!es_batch_parse_options (entries,
                               _("simulate cube|recording|matrix -o FILE [key=value ...]: writes a synthetic cube or "
                                 "recording and its truths, or a sparse matrix."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  while (argc >= 2 && kind < G_N_ELEMENTS (kinds) && strcmp (argv[1], kinds[kind].what) != 0)
    kind++;
  if (argc < 2 || kind == G_N_ELEMENTS (kinds))
    return es_batch_usage (_("“simulate” needs what to simulate: cube, recording or matrix"));
  params = es_params_new (kinds[kind].params);
  for (int i = 2; i < argc; i++)
    {
      g_auto (GStrv) pair = g_strsplit (argv[i], "=", 2);
      if (pair[1] == NULL)
        return es_batch_usage (_("“%s” is not of the form key=value"), argv[i]);
      if (!es_batch_parse_parameter (params, argv[i], &error))
        return es_batch_fail (error);
    }
  if (output == NULL)
    return es_batch_usage (_("“simulate %s” needs -o FILE"), kinds[kind].what);
  if (*output == '\0')
    return es_batch_usage (_("-o cannot be “”: expected a file"));

  g_autoptr (GFile) target = es_batch_file (output);
  Simulation simulation = { target, params, kind };
  gboolean done = es_batch_work (simulate, &simulation, &error);
  es_batch_show_progress ("", 1, TRUE);
  return done ? ES_EXIT_DONE : es_batch_fail (error);
}
