/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "array/es-array.h"
#include "beam/es-beamformer.h"
#include "result/es-result-internal.h"

G_BEGIN_DECLS

/* Adds to what is known of a channel: n samples of it, step apart, as es_recording_read () gives them. */
void es_element_health_add  (EsElementHealth *health, EsRecording *recording, const float *samples, gsize n,
                             gsize step);
/* Warns of elements whose samples are no numbers, are clipped or silent. health: n_elements; dead ones are passed over.
 * array is nullable: elements are numbered from first_number on then, otherwise named as the array has them. */
void es_element_health_warn (EsResult *result, EsArray *array, const EsElementHealth *health, guint n_elements,
                             guint first_number);

/* Of a recording that is still being written, where no end was told: that this is of it as far as `end`, s. */
void es_result_warn_of_growth (EsResult *result, EsRecording *recording, EsParams *params, double end);

G_END_DECLS
