/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-form-internal.h"
#include "es-beam-probe-internal.h"

G_BEGIN_DECLS

struct _EsBeamBlock
{
  guint64     frame;
  double      time, seconds, compute_seconds;
  double      adaptive_time;   /* of MVDR and MUSIC */
  EsBeamForm *form;
  float      *field;           /* n_ranges x n_angles */
  float      *far;             /* inside field; NULL */
  float      *spectra;         /* n_angles x n_bins; NULL */

  /* Of MVDR and MUSIC, as the settings have them; those of CBF are the ones above and NULL here. */
  float      *fields[ES_N_BEAM_KINDS], *by_bin[ES_N_BEAM_KINDS];
  double     *eigenvalues;     /* n_bins x n_eigenvalues; NULL */
  guint       n_eigenvalues, used;
  EsAdaptiveReport report;
  EsBeamProbe *probe;          /* nullable, owned */
  gboolean    has_loose_tones; /* adaptive beams smear a tone between two bins */
};

/* With room for what the settings ask for, not yet filled. NULL: no memory. */
EsBeamBlock *es_beam_block_new (EsBeamForm *form, guint64 frame);

G_END_DECLS
