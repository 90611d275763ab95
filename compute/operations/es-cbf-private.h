/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-peaks.h"
#include "es-beamformer.h"
#include "es-job-private.h"
#include "es-layer-private.h"
#include "es-result-private.h"

G_BEGIN_DECLS

extern const EsOperation es_operation_cbf;

/* What is gathered from the blocks of a run. */
typedef struct
{
  EsRecording    *recording;
  EsArray        *array;
  EsBeamSettings *settings;
  EsParams       *params;      /* borrowed */
  EsJob          *job;         /* borrowed */
  guint64         first, n_blocks;     /* frame of the first, how many */
  guint           n_peaks;
  double          peak_range;

  guint64         done;
  double         *field;       /* n_ranges x n_angles: sums */
  double         *spectra;     /* n_angles x n_bins: sums; NULL where there is no far row */
  EsField        *btr, *lofar;
  EsTable        *detections;
  /* LOFAR of the beam that turns out to be the strongest: blocks are kept while they do not take more than this. */
  guint           lofar_angle; /* G_MAXUINT: not known yet */
  GPtrArray      *kept;        /* NULL: they did */
  guint64         kept_limit;

  double          setup_seconds, run_seconds, input_ms, transform_ms, beams_ms;
  EsElementHealth *health;     /* n_elements */
} EsCbf;

EsCbf    *es_cbf_new       (EsJob *job, EsRecording *recording, EsParams *params, GError **error);
void      es_cbf_free      (EsCbf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCbf, es_cbf_free)
/* EsBeamTake. */
gboolean  es_cbf_take      (EsBeamBlock *block, gpointer data, GError **error);
/* After the last block: the mean field and spectra, and LOFAR, for which it may go through the recording once more. */
gboolean  es_cbf_finish    (EsCbf *self, GError **error);
/* Frames from..to of the parameters as whole blocks. ES_COMPUTE_ERROR_PARAMETER. */
gboolean  es_cbf_find_blocks (EsRecording *recording, EsParams *params, const EsBeamSettings *settings, guint64 *first,
                              guint64 *n_blocks, GError **error);
/* The angle nearest to a bearing. */
guint     es_cbf_find_angle (const EsBeamSettings *settings, double bearing);

EsResult *es_cbf_describe  (EsCbf *self, GError **error);

G_END_DECLS
