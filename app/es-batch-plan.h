/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-batch.h"
#include "plan/es-cluster.h"

G_BEGIN_DECLS

/* Whether a cluster is meant that is no file: this machine. */
gboolean   es_batch_cluster_is_here (const char *name);
/* A file, the name of one that is installed ("sixty-four"), or "here": this machine, with all its threads and its
 * loopback measured. Transfer full. */
EsCluster *es_batch_cluster_load    (const char *name, GError **error);

G_END_DECLS
