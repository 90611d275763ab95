/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const EsExperiment *const experiments[] = {
  &es_experiment_arithmetic,
  &es_experiment_branches,
  &es_experiment_private_arrays,
  &es_experiment_atomics,
  &es_experiment_latency,
  &es_experiment_stride,
  &es_experiment_sharing,
  &es_experiment_order,
  &es_experiment_banks,
  &es_experiment_bandwidth,
  &es_experiment_launch,
  &es_experiment_host_memory,
  &es_experiment_host_access,
  &es_experiment_link,
  &es_experiment_registration,
  &es_experiment_peer,
  &es_experiment_zero_copy,
  &es_experiment_mandelbrot,
  &es_experiment_overlap,
  &es_experiment_choose,
  &es_experiment_advice,
  &es_experiment_ladder_covariance,
  &es_experiment_ladder_transform,
  &es_experiment_ladder_ica,
  &es_experiment_ladder_noise,
  &es_experiment_ladder_fourier,
  &es_experiment_ladder_beams,
  &es_experiment_ladder_jacobi,
  &es_experiment_ladder_azimuth,
  NULL
};

static const char *const group_titles[] = {
  N_("Arithmetic and order"),
  N_("Memories"),
  N_("Host and link"),
  N_("What to choose"),
  N_("Ladders"),
};

const EsExperiment * const *
es_experiments_get (void)
{
  return experiments;
}

const EsExperiment *
es_experiment_of (const EsOperation *operation)
{
  for (guint i = 0; experiments[i] != NULL; i++)
    if (experiments[i]->operation == operation)
      return experiments[i];
  return NULL;
}

const char *
es_experiment_group_title (EsExperimentGroup group)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (group_titles) == ES_N_EXPERIMENT_GROUPS);

  g_return_val_if_fail (group < ES_N_EXPERIMENT_GROUPS, NULL);
  return g_dgettext (GETTEXT_PACKAGE, group_titles[group]);
}

static const char *
translate (const char *text)
{
  return text != NULL ? g_dgettext (GETTEXT_PACKAGE, text) : NULL;
}

gboolean
es_experiment_get_axes (const char *operation_id, const char *group, EsExperimentAxes *axes)
{
  for (guint i = 0; experiments[i] != NULL; i++)
    for (guint k = 0; experiments[i]->groups != NULL && experiments[i]->groups[k] != NULL; k++)
      {
        const EsFindingsGroup *found = experiments[i]->groups[k];

        if (strcmp (experiments[i]->operation->id, operation_id) != 0 || strcmp (found->name, group) != 0)
          continue;
        *axes = (EsExperimentAxes) { translate (found->title), translate (found->x_title),
                                     es_findings_group_get_x_unit (found), translate (found->y_title), found->log_y };
        return TRUE;
      }
  return FALSE;
}

const char *
es_experiment_get_question (const EsExperiment *self, EsMachine *machine)
{
  return translate (es_experiment_is_cpu (ES_DATASET (machine)) && self->cpu_question != NULL ? self->cpu_question
                    : self->question);
}

const char *
es_experiment_get_predict (const EsExperiment *self, EsMachine *machine)
{
  return translate (es_experiment_is_cpu (ES_DATASET (machine)) && self->cpu_predict != NULL ? self->cpu_predict
                    : self->predict);
}

gboolean
es_experiment_suits (const EsExperiment *self, EsMachine *machine)
{
  const guint kind = es_experiment_is_cpu (ES_DATASET (machine)) ? ES_EXPERIMENT_ON_CPU : ES_EXPERIMENT_ON_GPU;

  return (self->kinds & kind) != 0;
}

const char *
es_experiment_get_source (const EsExperiment *self, EsMachine *machine)
{
  const EskLabTable *table = self->example != NULL ? es_lab_load (es_machine_get_id (machine), NULL) : NULL;

  return table != NULL ? table->source (self->example) : NULL;
}
