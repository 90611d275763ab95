/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-probe-internal.h"

EsBeamProbe *
es_beam_probe_new (guint n_angles, guint n_eigenvalues, gboolean has_adaptive)
{
  EsBeamProbe *self = g_new0 (EsBeamProbe, 1);

  self->n_angles = n_angles;
  self->n_eigenvalues = n_eigenvalues;
  self->angles = g_try_new (double, n_angles);
  self->patterns[ES_BEAM_CBF] = g_try_new (float, n_angles);
  if (has_adaptive)
    self->patterns[ES_BEAM_MVDR] = g_try_new (float, n_angles);
  if (n_eigenvalues > 0)
    self->eigenvalues = g_try_new (double, n_eigenvalues);
  if (self->angles == NULL || self->patterns[ES_BEAM_CBF] == NULL
      || (has_adaptive && self->patterns[ES_BEAM_MVDR] == NULL) || (n_eigenvalues > 0 && self->eigenvalues == NULL))
    g_clear_pointer (&self, es_beam_probe_free);
  return self;
}

EsBeamProbe *
es_beam_probe_copy (const EsBeamProbe *self)
{
  EsBeamProbe *copy = g_memdup2 (self, sizeof *self);

  copy->angles = g_memdup2 (self->angles, sizeof *self->angles * self->n_angles);
  copy->eigenvalues = g_memdup2 (self->eigenvalues, sizeof *self->eigenvalues * self->n_eigenvalues);
  for (guint i = 0; i < G_N_ELEMENTS (self->patterns); i++)
    copy->patterns[i] = g_memdup2 (self->patterns[i], self->patterns[i] != NULL ? sizeof (float) * self->n_angles : 0);
  return copy;
}

void
es_beam_probe_free (EsBeamProbe *self)
{
  g_free (self->angles);
  g_free (self->eigenvalues);
  for (guint i = 0; i < G_N_ELEMENTS (self->patterns); i++)
    g_free (self->patterns[i]);
  g_free (self);
}
