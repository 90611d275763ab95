/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beamformer.h"
#include "es-beam-aim.h"
#include "es-beam-settings.h"

G_BEGIN_DECLS

/*
 * The sound of one far-field beam, on the CPU: channels are read as many whole samples late as they are ahead, what is
 * left of a delay is a phase on the spectra of overlapping Hann-windowed segments (square root on both sides, 50 %),
 * which add up to the sum of the delayed channels without a seam. Also what DEMON and the beam's waveform are made of.
 * Amplitude: a unit plane wave stays one. The sound speed is the array's. One thread at a time. A true bearing is
 * followed segment by segment, each steered for its middle by the navigation that the recording had when this was made;
 * where no heading is told it is silent.
 */
typedef struct _EsBeamSound EsBeamSound;

/* length: of the segments, samples, 0: 8192, and a quarter of a second at most where a bearing is followed. What the
 * array's transit time is does not matter. ES_COMPUTE_ERROR_MEMORY. */
EsBeamSound *es_beam_sound_new  (EsRecording *recording, EsArray *array, EsShading shading, EsBeamAim aim,
                                 guint length, GError **error);
void         es_beam_sound_free (EsBeamSound *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamSound, es_beam_sound_free)
double       es_beam_sound_get_rate (EsBeamSound *self);       /* Hz */
/* Whether some of what was read was silent, for no heading is told there. */
gboolean     es_beam_sound_has_gaps (EsBeamSound *self);
EsArray     *es_beam_sound_get_array (EsBeamSound *self);      /* borrowed */
/* Of the elements of that array, of all that was read: counts are of extremes of segments, not of samples. */
const EsElementHealth *es_beam_sound_get_health (EsBeamSound *self);
EsRecording *es_beam_sound_get_recording (EsBeamSound *self);
/* "60° (1500 m/s)", "60°, elevation 5° (340 m/s)": for those who get it, in no language. Transfer full. */
char        *es_beam_sound_describe (EsBeamSound *self);
/* What it is of; nullable, borrowed. And µPa of its full scale, to which channels that differ are brought; NAN. */
EsCalibration *es_beam_sound_get_calibration (EsBeamSound *self);
double       es_beam_sound_get_full_scale (EsBeamSound *self);
/* Fractions of full scale (calibrated or not). n samples from `first` on; cheapest where calls follow each other. */
gboolean     es_beam_sound_read (EsBeamSound *self, guint64 first, guint n, float *out, GError **error);
/* frames first .. first + n of it as a WAV of float32, as loud as it is in the recording: fractions of full scale,
 * which may be above 1. Its comment says where the beam looks and what full scale is, its date when it begins. Writes
 * beside and renames. */
gboolean     es_beam_sound_save (EsBeamSound *self, guint64 first, guint64 n, GFile *target,
                                 void (*progress) (double fraction, gpointer data), gpointer data,
                                 GCancellable *cancellable, GError **error);

G_END_DECLS
