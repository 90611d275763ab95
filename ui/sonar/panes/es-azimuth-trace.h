/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beam-settings.h"
#include "signal/es-beam-peaks.h"

G_BEGIN_DECLS

/*
 * Points of a curve over the bearing, dB, of powers as they are shown (es_beam_history_get_shown_row ()): the beams
 * themselves, and the tops of peaks between two of them where those are. Room for n_angles + ES_BEAM_MOST_LIFTS; how
 * many. lifts: nullable.
 */
guint es_azimuth_trace      (const EsBeamSettings *settings, const float *powers, const EsBeamLift *lifts,
                             guint n_lifts, double *bearings, double *levels);
/* The point that is a peak's. */
guint es_azimuth_find_place (const double *bearings, const double *levels, guint n, const EsBeamPeak *peak);

G_END_DECLS
