/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-settings.h"

G_BEGIN_DECLS

/*
 * Angles at which beams are formed, as the array resolves them. A beam falls to its half where k sigma du = 0.8, with k
 * the wave number, sigma the spread (standard deviation) of the elements along a line (or across a bearing, the widest
 * way) and du a step of the cosine of a line's angle (or of the azimuth in radians): 0.886 lambda / (n d) for n
 * elements of a line in a row. Angles are a third of that width apart, half as far for adaptive beams, and never
 * further than 0.6 of what the largest distance of two elements needs for the curve between them to be known
 * (Nyquist).
 */

/* Ascending from 0 to 180 degrees of a line, from -180 on all round otherwise. high: Hz, the top of the band. Transfer
 * full. */
double  *es_beam_grid_new     (EsArray *array, double high, double sound_speed, gboolean adaptive, guint *n);
/* Fills in settings->line and ->angles_fine of the angles that are there. */
void     es_beam_grid_judge   (EsBeamSettings *settings, EsArray *array);

G_END_DECLS
