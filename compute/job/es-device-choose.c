/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which device a run is given to when nobody says: the one that its plan and the measured speeds expect to be done
 * first, its start included. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-cube.h"
#include "device/es-device-internal.h"
#include "resident/es-resident.h"
#include "es-device-choose.h"

/* What looking for GPUs costs where there is one, and what its start does: context, libraries and the first page-locked
 * memory. Measured on an H200: 0.18 to 0.30 s, and 0.18 to 0.35 s. */
#define SEARCH_SECONDS 0.2
#define START_SECONDS 0.3
/* A GPU is worth its memory and its power only where it is quicker by more than the error of such estimates. */
#define WORTH_IT 0.9
/* Of the last second, which is known roughly. */
#define BUSY_DIFFERENCE 0.3

static char *
format_seconds (double seconds)
{
  if (seconds < 0.1)
    return g_strdup_printf (_("%.2g ms"), 1e3 * seconds);
  return seconds < 10 ? g_strdup_printf (_("%.2g s"), seconds) : g_strdup_printf (_("%.0f s"), seconds);
}

static gboolean
has_memory (EsDevice *device, const EsLimits *limits)
{
  guint64 budget;

  for (guint i = 0; i < es_device_get_n_members (device); i++)
    {
      budget = es_device_get_budget (es_device_get_member (device, i));
      if (limits != NULL && limits->device_memory > 0)
        budget = MIN (budget, limits->device_memory);
      if (budget < ES_DEVICE_LEAST_MEMORY)
        return FALSE;
    }
  return TRUE;
}

/* Of two cards of one kind, whether `a` is the better: it has the cube, it has nothing else to do, it was started. */
static gboolean
is_better (EsDevice *a, EsDevice *b, EsDataset *dataset)
{
  EsDeviceStatus status_a, status_b;

  if (ES_IS_CUBE (dataset))
    {
      const gboolean has_a = es_resident_is_on (ES_CUBE (dataset), a), has_b = es_resident_is_on (ES_CUBE (dataset), b);
      if (has_a != has_b)
        return has_a;
    }
  if (es_device_get_status (a, &status_a) && es_device_get_status (b, &status_b)
      && fabs (status_a.busy - status_b.busy) > BUSY_DIFFERENCE)
    return status_a.busy < status_b.busy;
  return es_device_is_started (a) && !es_device_is_started (b);
}

/* What is worth a plan: of cards of one kind the best one, so that no more are started than are used; all together
 * last. *full: one that has no memory. Transfer container. */
static GPtrArray *
candidates (EsDataset *dataset, const EsLimits *limits, guint *n_gpus, EsDevice **full)
{
  g_autoptr (GPtrArray) devices = es_devices_list ();
  GPtrArray *best = g_ptr_array_new ();

  for (guint i = 0; i < devices->len; i++)
    {
      EsDevice *device = g_ptr_array_index (devices, i);
      guint same = 0;

      if (es_device_is_cpu (device))
        continue;
      *n_gpus += 1;
      if (!has_memory (device, limits))
        {
          *full = device;
          continue;
        }
      while (same < best->len
             && strcmp (es_device_get_name (device), es_device_get_name (g_ptr_array_index (best, same))) != 0)
        same++;
      if (same == best->len)
        g_ptr_array_add (best, device);
      else if (is_better (device, g_ptr_array_index (best, same), dataset))
        g_ptr_array_index (best, same) = device;
    }
  return best;
}

EsDevice *
es_device_choose (const EsOperation *operation, EsDataset *dataset, EsParams *params, const EsLimits *limits,
                  char **reason)
{
  EsDevice *cpu = es_device_get_cpu (), *best = cpu, *full = NULL;
  guint n_gpus = 0;

  /* Without a driver the search is over at once, and the CPU need not be measured for a choice of one. */
  if (!es_devices_are_known () && !es_module_is_worth_a_look ())
    g_ptr_array_unref (es_devices_list ());
  if (es_devices_are_known () && es_devices_why_no_gpu () != NULL)
    {
      *reason = g_strdup (es_devices_why_no_gpu ());
      return cpu;
    }

  const EsPlan cpu_plan = operation->plan (dataset, params, cpu, limits);
  const double on_cpu = cpu_plan.seconds;
  g_autofree char *cpu_text = format_seconds (on_cpu), *hedged = es_plan_hedge (&cpu_plan, cpu_text);
  double shortest = on_cpu;

  /* Too short for any card that has to be started first: then none is even looked for. */
  const gboolean known = es_devices_are_known ();
  if (!es_devices_any_started () && on_cpu < START_SECONDS + (known ? 0 : SEARCH_SECONDS))
    {
      *reason = g_strdup_printf (_("expected %s, less than a GPU takes to start"), hedged);
      return cpu;
    }

  g_autoptr (GPtrArray) devices = candidates (dataset, limits, &n_gpus, &full);
  for (guint i = 0; i < devices->len; i++)
    {
      EsDevice *device = g_ptr_array_index (devices, i);
      /* Measuring starts it: the start is part of the price, whoever pays it. */
      double seconds = es_device_is_started (device) ? 0 : START_SECONDS;

      if (seconds >= shortest)
        continue;
      seconds += operation->plan (dataset, params, device, limits).seconds;
      if (seconds < WORTH_IT * shortest && !es_device_is_lost (device))
        {
          shortest = seconds;
          best = device;
        }
    }

  if (best != cpu)
    {
      g_autofree char *seconds = format_seconds (shortest), *text = es_plan_hedge (&cpu_plan, seconds);
      *reason = ES_IS_CUBE (dataset) && es_resident_is_on (ES_CUBE (dataset), best)
        ? g_strdup_printf (_("expected %s, %s on the CPU; the cube is on the card already"), text, cpu_text)
        : g_strdup_printf (_("expected %s, %s on the CPU"), text, cpu_text);
    }
  else if (n_gpus == 0)
    *reason = g_strdup (es_devices_why_no_gpu () != NULL ? es_devices_why_no_gpu () : _("No GPU is usable"));
  else if (full != NULL)
    *reason = g_strdup_printf (_("%s has too little memory free"), es_device_get_name (full));
  else
    *reason = g_strdup_printf (_("expected %s, a GPU would not be quicker"), hedged);
  return best;
}
