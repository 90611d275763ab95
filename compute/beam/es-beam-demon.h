/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-aim.h"
#include "es-beam-settings.h"

G_BEGIN_DECLS

/*
 * DEMON of one far-field beam over a stretch of a recording, without anything being played: the mean of the spectra of
 * segments of its sound (es_beam_sound_new (), es_demon_spectrum ()), on the CPU. Any thread.
 */
typedef struct
{
  EsRecording *recording;
  EsArray     *array;
  EsShading    shading;
  EsBeamAim    aim;
  guint64      first, n;       /* frames */
  guint        segment;        /* samples; of a shorter stretch: all of it, so that lines are farther apart */
  guint        most_segments;  /* each half over the one before; where there would be more, as many, evenly apart */
  double       low, high;      /* Hz of the band */
  double       highest;        /* Hz of the envelope */
} EsBeamDemon;

/* *n_out powers, *step Hz apart from 0 on, of *n_segments; transfer full. Told after each segment what share is done:
 * progress is nullable. The errors of the two functions above; G_IO_ERROR_CANCELLED. */
gboolean es_beam_demon (const EsBeamDemon *self, void (*progress) (double share, gpointer data), gpointer data,
                        float **out, guint *n_out, double *step, guint *n_segments, GCancellable *cancellable,
                        GError **error);
/* How many segments that are, and the frame where one begins. */
guint    es_beam_demon_count (const EsBeamDemon *self);
guint64  es_beam_demon_find_segment (const EsBeamDemon *self, guint index);

G_END_DECLS
