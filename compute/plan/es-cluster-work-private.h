/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "es-cluster-work.h"
#include "recording/es-recording.h"

G_BEGIN_DECLS

/* steps: GArray of EsClusterStep, that they append to. */
void     _es_cluster_add_pca       (GArray *steps, EsCube *cube, EsParams *params);
void     _es_cluster_add_mnf       (GArray *steps, EsCube *cube, EsParams *params);
void     _es_cluster_add_fastica   (GArray *steps, EsCube *cube, EsParams *params, const EsCluster *cluster,
                                    guint expected);
/* cbf, mvdr. */
gboolean _es_cluster_add_beams     (GArray *steps, EsRecording *recording, EsParams *params, GError **error);
gboolean _es_cluster_add_lofar     (GArray *steps, EsRecording *recording, EsParams *params, GError **error);
gboolean _es_cluster_add_demon     (GArray *steps, EsRecording *recording, EsParams *params, GError **error);
/* Of a recording, by the parameters from and to. ES_COMPUTE_ERROR_PARAMETER where there are none. */
gboolean _es_cluster_find_frames   (EsRecording *recording, EsParams *params, double *frames, GError **error);

G_END_DECLS
