/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beamformer.h"
#include "es-health.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "recording/es-recording-internal.h"
#include "result/es-result-internal.h"

G_BEGIN_DECLS

/* What is heard, and how: frames, transforms, band. */
typedef struct
{
  double   rate, sound_speed;
  guint64  first, frames;      /* the stretch */
  guint    length;             /* of a transform, and of what is read at once */
  guint    count;              /* transforms */
  gboolean spread;             /* there is more between them */
  guint    first_bin, bins;
  guint    n;                  /* elements, or channels where there is no array */
} EsHealthSettings;

/* Samples of an element, counted. */
typedef struct
{
  EsElementHealth health;
  guint64 zero, held;          /* exactly 0; the same as many before */
  double  sum;
} EsHealthCount;

typedef struct
{
  EsRecording      *recording;
  EsArray          *array;     /* nullable */
  EsParams         *params;
  EsHealthSettings  settings;
  double           *positions; /* n x 3 */
  guint8           *usable;
  guint            *channels;
  EsElementPair    *pairs;
  guint             n_pairs;
  EsHealthCount    *counts;
  double           *powers, *cross;
  EsElementFinding *findings;
  EsCheckOutcome    outcome;
} EsHealth;

/* ES_COMPUTE_ERROR_PARAMETER, ES_DATA_ERROR_FORMAT. array: nullable. */
gboolean  es_health_settings_read (EsParams *params, EsRecording *recording, EsArray *array,
                                   EsHealthSettings *settings, GError **error);
/* Reads and transforms what the settings say, into counts, powers and cross: of several processes (es-ranks.h), which
 * all call it, each a part, and all have all of it. */
gboolean  es_health_listen        (EsHealth *self, EsJob *job, GError **error);
EsResult *es_health_publish       (EsHealth *self, const EsOperation *operation);

G_END_DECLS
