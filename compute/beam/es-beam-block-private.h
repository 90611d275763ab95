/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beamformer.h"

G_BEGIN_DECLS

/* What the blocks of one beamformer have in common; counted. */
typedef struct
{
  EsBeamSettings *settings;
  EsArray        *array;
  gboolean        calibrated;
} EsBeamForm;

EsBeamForm *es_beam_form_new   (const EsBeamSettings *settings, EsArray *array, gboolean calibrated);
EsBeamForm *es_beam_form_ref   (EsBeamForm *self);
void        es_beam_form_unref (EsBeamForm *self);
/* The same beams: their blocks may stand in one record. What made them (device, library) does not matter. */
gboolean    es_beam_form_equal (EsBeamForm *self, EsBeamForm *other);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamForm, es_beam_form_unref)

struct _EsBeamBlock
{
  guint64     frame;
  double      time, seconds, compute_seconds;
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
};

/* With room for what the settings ask for, not yet filled. NULL: no memory. */
EsBeamBlock *es_beam_block_new (EsBeamForm *form, guint64 frame);

/* With room for patterns of those kinds (CBF always) and eigenvalues; NULL: no memory. */
EsBeamProbe *es_beam_probe_new  (guint n_angles, guint n_eigenvalues, gboolean has_adaptive);
EsBeamProbe *es_beam_probe_copy (const EsBeamProbe *self);
void         es_beam_probe_free (EsBeamProbe *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamProbe, es_beam_probe_free)

G_END_DECLS
