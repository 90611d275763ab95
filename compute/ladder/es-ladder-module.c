/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The modules that climb are loaded like those that measure: by who needs them. */

#include "es-ladder-module-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "lab/es-lab-module-internal.h"

const EskLadderTable *
es_ladder_load (const char *id, GError **error)
{
  static const EsLabModule modules[] = {
    { "ES_LADDER_MODULE", "../kernels/ladder/cpu", "libeigenscope-ladder.so", ESK_LADDER_ENTRY, ESK_LADDER_ABI },
    { "ES_LADDER_CUDA_MODULE", "../kernels/ladder/cuda", "libeigenscope-ladder-cuda.so", ESK_LADDER_ENTRY,
      ESK_LADDER_ABI },
  };
  static const EskLadderTable *tables[G_N_ELEMENTS (modules)];
  static char *why[G_N_ELEMENTS (modules)];
  static GMutex lock;
  const guint i = strcmp (id, "cpu") != 0;

  g_mutex_lock (&lock);
  if (tables[i] == NULL && why[i] == NULL)
    tables[i] = es_lab_module_load (&modules[i], &why[i]);
  g_mutex_unlock (&lock);
  if (tables[i] == NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("The module of ladders for “%s” cannot be used: "
                                                                     "%s."), id, why[i]);
  return tables[i];
}
