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
  EsCalibration  *calibration;         /* nullable, also where what it was is not known any more */
} EsBeamForm;

EsBeamForm *es_beam_form_new   (const EsBeamSettings *settings, EsArray *array, gboolean calibrated);
/* With the numbers (nullable), before anybody else has it. */
EsBeamForm *es_beam_form_new_calibrated (const EsBeamSettings *settings, EsArray *array, EsCalibration *calibration);
EsBeamForm *es_beam_form_ref   (EsBeamForm *self);
void        es_beam_form_unref (EsBeamForm *self);
/* The same beams: their blocks may stand in one record. What made them (device, library) does not matter. */
gboolean    es_beam_form_equal (EsBeamForm *self, EsBeamForm *other);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamForm, es_beam_form_unref)

/* What the block has in common with others of its beamformer. Borrowed. */
EsBeamForm *es_beam_block_get_form (EsBeamBlock *block);

G_END_DECLS
