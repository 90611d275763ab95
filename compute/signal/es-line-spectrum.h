/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "es-taper.h"

G_BEGIN_DECLS

/*
 * Spectra of one line of samples (an element, a beam). Any thread.
 *
 * One-sided mean power spectrum: segments of `length` samples (even, at least 2), each `overlap` (0..0.95) of its
 * length over the one before. out: length / 2 + 1 powers at k * rate / length; their sum is the mean square of the
 * samples, so that a sine of amplitude 1 reads 0.5, with a window other than the rectangle spread over neighbouring
 * bins (sonar.md 3). Fewer samples than a segment are one segment, filled up with zeros. Samples that are not finite
 * count as 0. FALSE where n is 0, length is none, or there is no memory.
 */
gboolean es_power_spectrum (const float *samples, gsize n, guint length, EsWindowKind window, double overlap,
                            float *out);

/* The same for one stretch of n samples after the other. NULL where the above is FALSE. For one thread at a time. */
typedef struct _EsPowerSpectrum EsPowerSpectrum;
EsPowerSpectrum *es_power_spectrum_new  (gsize n, guint length, EsWindowKind window, double overlap);
void             es_power_spectrum_free (EsPowerSpectrum *self);
/* FALSE: cancellable (nullable), which is looked at round each transform, was cancelled. */
gboolean         es_power_spectrum_run  (EsPowerSpectrum *self, const float *samples, float *out,
                                         GCancellable *cancellable);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsPowerSpectrum, es_power_spectrum_free)

/*
 * DEMON: what beats in the noise of a band, as propellers make it. The samples' band low..high (Hz) as an analytic
 * signal, its squared magnitude, and the power spectrum of that (Hann window, its mean removed) relative to the mean
 * squared: a band of noise modulated in power by 1 + m cos has a line of m^2 / 2. One transform of n samples: *n_out
 * powers from 0 to max_frequency, *step = rate / n Hz apart; transfer full. All 0 where the band is silent.
 * ES_COMPUTE_ERROR_PARAMETER: a band or a frequency that is not between 0 and rate / 2 in Hz, a band narrower than
 * max_frequency, fewer than 16 samples. ES_COMPUTE_ERROR_MEMORY. cancellable (nullable): looked at between transforms.
 */
gboolean es_demon_spectrum (const float *samples, gsize n, double rate, double low, double high, double max_frequency,
                            float **out, guint *n_out, double *step, GCancellable *cancellable, GError **error);
/* How many powers that are. */
guint64  es_demon_count_bins (gsize n, double rate, double max_frequency);

G_END_DECLS
