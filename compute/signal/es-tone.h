/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-taper.h"

G_BEGIN_DECLS

/*
 * Power spectra and tones. Bins whose sum is the mean square of the samples (es_power_spectrum ()) hold of a tone what
 * the window puts there: 0.67 of its power with Hann's and the tone in the middle of a bin, 0.48 between two bins.
 * Noise fills so many bins as one: the window's equivalent noise bandwidth (Harris 1978).
 */

/* What bins are multiplied by so that a tone in the middle of one reads its power: the equivalent noise bandwidth in
 * bins (1, 1.5 for Hann's). */
double es_window_get_noise_bandwidth (EsWindowKind kind);
/* The share of a tone's power that a bin holds which is `offset` bins away from it. Of long transforms. */
double es_window_get_share (EsWindowKind kind, double offset);

/*
 * The tone whose strongest bin is the second of three (bins as above, any of them): least squares over where it is
 * (*offset: in bins from the second, -0.5 to 0.5) and its power (mean square), background being noise in each bin.
 * spacing: of the bins, over the rate divided by the window's length; below 1 where zeros follow the window.
 */
void   es_tone_measure (EsWindowKind kind, double spacing, const double bins[3], double background, double *offset,
                        double *power);

G_END_DECLS
