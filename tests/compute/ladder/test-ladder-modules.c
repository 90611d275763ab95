/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The modules that were built: everything of theirs has its words, and every ladder of this processor is climbed at a
 * small size. */

#include <string.h>

#include "es-test-lab.h"
#include "job/es-job.h"
#include "ladder/es-ladder-climb.h"
#include "ladder/es-ladder-module-internal.h"

/* Small, but not too small for vectors, blocks and cards' tiles. */
static const struct { EsLadderKind kind; const char *settings[12]; } small[] = {
  { ES_LADDER_COVARIANCE, { "width", "61", "height", "37", "bands", "35", NULL } },
  { ES_LADDER_TRANSFORM, { "width", "61", "height", "37", "bands", "35", "rows", "7", NULL } },
  { ES_LADDER_ICA, { "width", "61", "height", "37", "rows", "7", NULL } },
  { ES_LADDER_NOISE, { "width", "61", "height", "37", "bands", "5", NULL } },
  { ES_LADDER_FOURIER, { "elements", "6", "samples", "512", "bins", "40", NULL } },
  { ES_LADDER_BEAMS, { "elements", "24", "angles", "19", "ranges", "2", "bins", "9", NULL } },
  { ES_LADDER_JACOBI, { "elements", "24", NULL } },
  { ES_LADDER_AZIMUTH, { "elements", "24", "angles", "19", NULL } },
};

static gboolean
is_there (const char *variable)
{
  const char *path = g_getenv (variable);

  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static void
check_words (const char *backend, const char *id)
{
  g_autoptr (GError) error = NULL;
  const EskLadderTable *table = es_ladder_load (id, &error);

  if (table == NULL)
    {
      g_test_skip (error->message);
      return;
    }
  for (guint kind = 0; kind < ES_N_LADDERS; kind++)
    {
      unsigned n = 0;
      const EskRung *rungs = table->rungs ((EskLadderKind) kind, &n);

      g_assert_cmpuint (n, >, 0);
      for (guint i = 0; i < n; i++)
        {
          g_auto (GStrv) strategies = es_strategies_split (rungs[i].strategies);

          if (es_ladder_get_rung_text (backend, (EsLadderKind) kind, rungs[i].id) == NULL)
            g_error ("nobody has written of %s of %s, %s", rungs[i].id, es_ladder_get ((EsLadderKind) kind)->id,
                     backend);
          for (guint s = 0; strategies[s] != NULL; s++)
            if (es_strategy_find (strategies[s]) == NULL)
              g_error ("nobody knows the strategy %s of %s of %s, %s", strategies[s], rungs[i].id,
                       es_ladder_get ((EsLadderKind) kind)->id, backend);
        }
    }
}

static void
test_words_of_processor (void)
{
  if (!is_there ("ES_LADDER_MODULE"))
    g_test_skip ("the module was not built");
  else
    check_words ("cpu", "cpu");
}

static void
test_words_of_cards (void)
{
  if (!is_there ("ES_LADDER_CUDA_MODULE"))
    g_test_skip ("the module was not built");
  else
    check_words ("cuda", "cuda:0");
}

static EsResult *
run_small (const EsLadder *ladder, const char *const *settings)
{
  const EsOperation *operation = es_operation_find (ladder->operation, NULL);
  g_autoptr (EsMachine) machine = es_machine_open ("cpu", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsJob) job = NULL;
  EsResult *result;

  es_params_parse (params, "size", "custom", &error);
  es_params_parse (params, "repeats", "2", &error);
  for (guint i = 0; settings[i] != NULL; i += 2)
    es_params_parse (params, settings[i], settings[i + 1], &error);
  g_assert_no_error (error);
  job = es_job_new (operation, ES_DATASET (machine), params, NULL, NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static void
test_climbs (void)
{
  if (!is_there ("ES_LADDER_MODULE"))
    {
      g_test_skip ("the module was not built");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (small); i++)
    {
      const EsLadder *ladder = es_ladder_get (small[i].kind);
      g_autoptr (EsResult) result = run_small (ladder, small[i].settings);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsLadderClimb) climb = es_ladder_climb_new_from (result, &error);
      guint counted = 0;

      g_assert_no_error (error);
      for (guint k = 0; k < climb->n; k++)
        {
          g_autofree char *why = es_ladder_rung_tell_why (&climb->rungs[k]);

          /* Vectors that the processor lacks, a library that is not there. */
          if (climb->rungs[k].state != ES_RUNG_MEASURED)
            g_test_message ("%s, %s: %s", ladder->id, climb->rungs[k].id, why);
          g_assert_cmpint (climb->rungs[k].state, !=, ES_RUNG_WRONG);
          counted += climb->rungs[k].state == ES_RUNG_MEASURED;
        }
      g_test_message ("%s: %u of %u rungs", ladder->id, counted, climb->n);
      g_assert_cmpuint (counted, >=, 3);
      g_assert_cmpint (es_ladder_climb_find_kind (climb, ES_RUNG_PRODUCTION), >=, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ladder-modules/words-of-processor", test_words_of_processor);
  g_test_add_func ("/ladder-modules/words-of-cards", test_words_of_cards);
  g_test_add_func ("/ladder-modules/climbs", test_climbs);
  return g_test_run ();
}
