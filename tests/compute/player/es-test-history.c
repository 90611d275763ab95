/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-history.h"

#include <math.h>

#include "beam/es-beam-block-private.h"

EsBeamForm *
es_test_history_form (guint n_angles, guint n_bins)
{
  g_autofree double *angles = g_new (double, n_angles);
  double ranges[2] = { 100, INFINITY };
  const EsBeamSettings settings = {
    .rate = 1000, .sound_speed = 1500, .block = 1000, .length = 1024, .window_length = 1000, .hop = 1000,
    .snapshots = 1,
    .first_bin = 3, .n_bins = n_bins, .cbf_first = 3, .cbf_bins = n_bins, .lofar_first = 3, .lofar_bins = n_bins,
    .angles = angles, .n_angles = n_angles, .ranges = ranges, .n_ranges = 2,
  };

  for (guint i = 0; i < n_angles; i++)
    angles[i] = i;
  return es_beam_form_new (&settings, NULL, FALSE);
}

EsBeamBlock *
es_test_history_block (EsBeamForm *form, guint64 index)
{
  EsBeamBlock *block = es_beam_block_new (form, index * 1000);
  const EsBeamSettings *settings = form->settings;

  for (guint i = 0; i < 2 * settings->n_angles; i++)
    block->field[i] = (float) (index * 1000 + i);
  for (guint i = 0; i < settings->n_angles * settings->n_bins; i++)
    block->spectra[i] = (float) pow (10, fmod (index + i * 0.0137, 30) - 15);
  return block;
}

void
es_test_history_count_rows (EsBeamHistory *history, guint n, gpointer data)
{
  *(guint *) data += n;
}

void
es_test_history_count (gpointer data)
{
  ++*(guint *) data;
}
