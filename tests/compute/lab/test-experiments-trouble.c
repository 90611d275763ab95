/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Experiments on a machine that has nothing, has too little memory, or is taken away in the midst. */

#include <gmodule.h>
#include <math.h>
#include <string.h>

#include "es-test-lab.h"
#include "job/es-job.h"

static void
test_nothing (void)
{
  const EsExperiment * const *experiments = es_experiments_get ();

  g_setenv ("ES_RECORDED_LAB", "none", TRUE);
  /* Ladders have rungs of their own, whatever the laboratory has. */
  for (guint i = 0; experiments[i]->group != ES_EXPERIMENTS_LADDERS; i++)
    {
      g_autoptr (EsResult) result = es_test_lab_run (experiments[i]->operation->id, NULL);
      EsLayer *verdict = es_result_find_layer (result, "verdict");

      es_test_lab_says (result, ES_VERDICT_UNSURE, "has nothing of what this experiment measures");
      g_assert_cmpuint (es_verdict_get_n (ES_VERDICT (verdict)), ==, 1);
      g_assert_cmpuint (g_list_model_get_n_items (es_result_get_layers (result)), ==, 1);
    }
  g_unsetenv ("ES_RECORDED_LAB");
}

static EsJob *running;
static guint measured;

static void
on_measure (void)
{
  if (++measured == 2)
    es_job_cancel (running);
}

static void
test_cancelled (void)
{
  const EsExperiment * const *experiments = es_experiments_get ();
  g_autoptr (EsMachine) machine = es_test_lab_machine ();
  GModule *module = g_module_open (g_getenv ("ES_LAB_CUDA_MODULE"), G_MODULE_BIND_LOCAL);
  void (**hook) (void);

  g_assert_nonnull (module);
  g_assert_true (g_module_symbol (module, "recorded_lab_on_measure", (gpointer *) &hook));
  for (guint i = 0; experiments[i] != NULL; i++)
    {
      const EsOperation *operation = experiments[i]->operation;
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = NULL;

      g_test_message ("%s", operation->id);
      running = es_job_new (operation, ES_DATASET (machine), params, NULL, NULL, NULL);
      measured = 0;
      *hook = on_measure;
      result = es_job_run (running, &error);
      *hook = NULL;
      g_clear_object (&running);
      g_assert_null (result);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      /* Nothing was asked after that. */
      g_assert_cmpuint (measured, ==, 2);
    }
  /* The card can be measured again. */
  g_autoptr (EsResult) again = es_test_lab_run ("lab-banks", NULL);
  g_assert_cmpint (es_test_lab_find (again, "Each further word"), >=, 0);
  g_module_close (module);
}

static guint
count_warnings (EsResult *result, const char *part)
{
  const char * const *warnings = es_result_get_warnings (result);
  guint n = 0;

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    n += strstr (warnings[i], part) != NULL;
  return n;
}

/* What fits is measured, and it is said that the rest did not. */
static void
test_too_little_memory (void)
{
  g_setenv ("ES_RECORDED_LAB", "poor", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-link", NULL);

  g_assert_false (isnan (es_test_lab_figure (result, "to", "Pageable", 48 << 20)));
  g_assert_true (isnan (es_test_lab_figure (result, "to", "Pageable", 64 << 20)));
  g_assert_cmpuint (count_warnings (result, "not enough free memory"), ==, 1);
  g_unsetenv ("ES_RECORDED_LAB");
}

/* A card that was busy before it was measured is told; not that it was so with the measurement just before. */
static void
test_busy (void)
{
  g_setenv ("ES_RECORDED_LAB", "busy", TRUE);
  g_usleep (1600000);
  g_autoptr (EsResult) first = es_test_lab_run ("lab-banks", NULL);
  g_autoptr (EsResult) second = es_test_lab_run ("lab-banks", NULL);

  g_assert_cmpuint (count_warnings (first, "50 % busy with something else"), ==, 1);
  g_assert_cmpuint (count_warnings (second, "busy with something else"), ==, 0);
  g_unsetenv ("ES_RECORDED_LAB");
}

/* A copy that met other work is measured once more. */
static void
test_disturbed (void)
{
  g_autoptr (EsResult) usual = es_test_lab_run ("lab-link", NULL);
  g_setenv ("ES_RECORDED_LAB", "disturbed", TRUE);
  g_autoptr (EsResult) disturbed = es_test_lab_run ("lab-link", NULL);

  g_assert_cmpfloat (es_test_lab_figure (disturbed, "to", "Pageable", 24 << 20), ==,
                     es_test_lab_figure (usual, "to", "Pageable", 24 << 20));
  g_unsetenv ("ES_RECORDED_LAB");
}

int
main (int argc, char **argv)
{
  /* No profile that somebody keeps. */
  g_setenv ("XDG_DATA_HOME", "/nonexistent", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  g_test_add_func ("/experiments-trouble/nothing", test_nothing);
  g_test_add_func ("/experiments-trouble/cancelled", test_cancelled);
  g_test_add_func ("/experiments-trouble/too-little-memory", test_too_little_memory);
  g_test_add_func ("/experiments-trouble/busy", test_busy);
  g_test_add_func ("/experiments-trouble/disturbed", test_disturbed);
  return g_test_run ();
}
