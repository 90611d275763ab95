/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab-experiments-internal.h"
#include "lab/es-selection-model-internal.h"

G_BEGIN_DECLS

/* Allocating, touching first (there: by the card) and freeing `bytes` of a kind; *has FALSE: none of it can be
 * measured. Name (nullable): of a figure in the open group. */
gboolean es_lab_choose_own   (EsExperimentRun *run, EskLabMemory memory, gboolean there, guint64 bytes,
                              const char *name, double *seconds, gboolean *has, GError **error);
/* How long the card takes to read `bytes` of a kind once they are there, or the least that it can go through; *has
 * FALSE: it cannot be measured. Name (nullable): of a figure in the open group, which is a rate. */
gboolean es_lab_choose_use   (EsExperimentRun *run, EskLabMemory memory, guint64 bytes, const char *name,
                              double *seconds, gboolean *has, GError **error);
/* What managed memory is on this card, as far as it is known. */
void     es_lab_choose_tell_managed (EsExperimentRun *run, const EsMemoryModel models[ESK_N_MEMORIES], guint64 bytes);
/* Runs every array in every kind of memory that the models know, and tells predictions beside measurements and how good
 * the advice was. counts_own: allocating counts. */
gboolean es_lab_choose_plans (EsExperimentRun *run, const EsMemoryModel models[ESK_N_MEMORIES], GArray *arrays,
                              gboolean counts_own, GError **error);

G_END_DECLS
