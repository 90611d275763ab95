/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beamformer.h"

G_BEGIN_DECLS

/* With room for patterns of those kinds (CBF always) and eigenvalues; NULL: no memory. */
EsBeamProbe *es_beam_probe_new  (guint n_angles, guint n_eigenvalues, gboolean has_adaptive);
EsBeamProbe *es_beam_probe_copy (const EsBeamProbe *self);
void         es_beam_probe_free (EsBeamProbe *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamProbe, es_beam_probe_free)

G_END_DECLS
