/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-fallback-internal.h"

#include "base/es-error.h"
#include "device/es-device-internal.h"

/* A quarter of what each GPU might use; 0 where that is too little to try. */
static guint64
quarter_of_memory (EsDevice *device, guint64 limit)
{
  guint64 memory = limit > 0 ? limit : G_MAXUINT64;

  for (guint i = 0; i < es_device_get_n_members (device); i++)
    memory = MIN (memory, es_device_get_budget (es_device_get_member (device, i)));
  return memory / 4 >= ES_DEVICE_LEAST_MEMORY ? memory / 4 : 0;
}

static gboolean
is_made_up_for (const GError *error, EsFallbackFor what_for)
{
  if (error->domain != ES_COMPUTE_ERROR)
    return FALSE;
  switch ((EsComputeError) error->code)
    {
    case ES_COMPUTE_ERROR_MEMORY:
      return TRUE;
    case ES_COMPUTE_ERROR_DEVICE:
      return what_for >= ES_FALLBACK_FOR_DEVICE;
    case ES_COMPUTE_ERROR_OPERATION:
    case ES_COMPUTE_ERROR_NUMERIC:
      return what_for >= ES_FALLBACK_FOR_ANYTHING;
    case ES_COMPUTE_ERROR_PARAMETER:
    default:
      return FALSE;
    }
}

EsFallback
es_device_fall_back (EsDevice *device, const GError *error, EsFallbackFor what_for, guint64 *memory)
{
  guint64 quarter;

  if (device == NULL || es_device_is_cpu (device) || !is_made_up_for (error, what_for))
    return ES_FALLBACK_NONE;
  if (memory != NULL && error->code == ES_COMPUTE_ERROR_MEMORY && (quarter = quarter_of_memory (device, *memory)) > 0)
    {
      *memory = quarter;
      return ES_FALLBACK_LESS_MEMORY;
    }
  return ES_FALLBACK_CPU;
}
