/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-outlook.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cube/es-cube.h"
#include "resident/es-resident.h"
#include "widgets/es-ui.h"
#include "job/es-device-choose.h"

/* How many are being made. */
static GMutex lock;
static GCond ended;
static guint n_running;

char *
es_outlook_name_device (EsDevice *device)
{
  const char *colon = strchr (es_device_get_id (device), ':');

  switch (es_device_get_kind (device))
    {
    case ES_DEVICE_GPU:
      /* TRANSLATORS: a GPU by its number and name, "GPU 0 – NVIDIA H200" */
      return g_strdup_printf (_("GPU %s – %s"), colon != NULL ? colon + 1 : "", es_device_get_name (device));
    case ES_DEVICE_ALL_GPUS:
      /* TRANSLATORS: all GPUs together, and how many there are */
      return g_strdup_printf (_("All GPUs (%u)"), es_device_get_n_members (device));
    default:
      return g_strdup_printf (_("CPU – %s"), es_device_get_name (device));
    }
}

static void
append_line (GString *text, const char *line)
{
  if (line == NULL || *line == '\0')
    return;
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, line);
}

/* A GPU, or the sums of several. FALSE: nothing is known. */
static gboolean
get_status (EsDevice *device, EsDeviceStatus *all)
{
  guint known = 0;

  for (guint i = 0; i < es_device_get_n_members (device); i++)
    {
      EsDeviceStatus status;

      if (!es_device_get_status (es_device_get_member (device, i), &status))
        continue;
      if (known++ == 0)
        {
          *all = status;
          continue;
        }
      all->memory += status.memory;
      all->memory_free += status.memory_free;
      all->used_here += status.used_here;
      all->busy = MAX (all->busy, status.busy);
    }
  return known > 0;
}

static void
append_memory (GString *text, const EsDeviceStatus *status)
{
  g_autofree char *all = es_ui_format_bytes (status->memory);
  g_autofree char *free = es_ui_format_bytes (status->memory_free);
  /* TRANSLATORS: memory of a GPU */
  g_autofree char *line = g_strdup_printf (_("%s of %s free"), free, all);

  append_line (text, line);
  if (status->busy >= 0)
    g_string_append_printf (text, _(", %.0f %% busy"), status->busy * 100);
}

static void
append_used (GString *text, EsDevice *device, const EsDeviceStatus *status, EsDataset *dataset)
{
  g_autofree char *used = es_ui_format_bytes (status->used_here);
  g_autofree char *line = NULL;

  if (status->used_here == 0)
    return;
  if (dataset != NULL && ES_IS_CUBE (dataset) && es_resident_is_on (ES_CUBE (dataset), device))
    /* TRANSLATORS: memory of a GPU that this program has taken; the cube that is shown lies there already */
    line = g_strdup_printf (_("%s used here, with this cube"), used);
  else
    line = g_strdup_printf (_("%s used here"), used);
  append_line (text, line);
}

static void
append_capability (GString *text, const EsDeviceStatus *status)
{
  g_autofree char *line = g_strdup_printf (_("Compute capability %d.%d"), status->major, status->minor);

  append_line (text, line);
  if (status->pcie_generation > 0)
    g_string_append_printf (text, _(", PCIe %d ×%d"), status->pcie_generation, status->pcie_width);
}

char *
es_outlook_describe_device (EsDevice *device, EsDataset *dataset)
{
  g_autoptr (GString) text = g_string_new (NULL);
  EsDeviceStatus status;

  if (es_device_is_cpu (device) || es_device_is_lost (device) || !get_status (device, &status))
    return g_strdup (es_device_get_detail (device));

  append_memory (text, &status);
  append_used (text, device, &status, dataset);
  if (es_device_get_kind (device) == ES_DEVICE_GPU)
    append_capability (text, &status);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static EsOutlook *
make_outlook (EsDevice *wanted, const EsOperation *operation, EsDataset *dataset, EsParams *params)
{
  EsOutlook *self = g_new0 (EsOutlook, 1);
  EsLimits limits = { 0, };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *description = NULL;
  /* It is computed of what takes part. */
  g_autoptr (EsCube) part = ES_IS_CUBE (dataset) ? es_cube_outline_part (ES_CUBE (dataset)) : NULL;
  EsDataset *computed = part != NULL ? ES_DATASET (part) : dataset;
  const char *why;

  self->automatic = wanted == NULL;
  self->device = wanted;
  if (operation != NULL && wanted == NULL)
    self->device = es_device_choose (operation, computed, params, &limits, &self->reason);
  if (operation != NULL)
    {
      /* Measured where it has not been: a plan divides by that. */
      es_device_get_flops (self->device);
      self->plan = operation->plan (computed, params, self->device, &limits);
      self->has_plan = TRUE;
    }

  if (self->automatic && self->device != NULL)
    {
      g_autofree char *name = es_outlook_name_device (self->device);
      /* TRANSLATORS: a device, and why it is the one: "GPU 0 – NVIDIA H200: expected 0.1 s, 1.9 s on the CPU" */
      g_autofree char *line = g_strdup_printf (_("%s: %s"), name, self->reason);

      append_line (text, line);
    }
  else if (self->automatic)
    append_line (text, _("The device that is expected to be quickest"));
  if (self->device != NULL)
    description = es_outlook_describe_device (self->device, dataset);
  append_line (text, description);
  why = es_devices_why_no_gpu ();
  if (why != NULL && g_strcmp0 (why, self->reason) != 0)
    append_line (text, why);
  self->detail = g_string_free (g_steal_pointer (&text), FALSE);
  return self;
}

void
es_outlook_enter (void)
{
  g_mutex_lock (&lock);
  n_running++;
  g_mutex_unlock (&lock);
}

void
es_outlook_leave (void)
{
  g_mutex_lock (&lock);
  n_running--;
  g_cond_broadcast (&ended);
  g_mutex_unlock (&lock);
}

EsOutlook *
es_outlook_new (EsDevice *wanted, const EsOperation *operation, EsDataset *dataset, EsParams *params)
{
  EsOutlook *self;

  es_outlook_enter ();
  self = make_outlook (wanted, operation, dataset, params);
  es_outlook_leave ();
  return self;
}

void
es_outlook_free (EsOutlook *self)
{
  g_free (self->reason);
  g_free (self->detail);
  g_free (self);
}

void
es_outlook_wait (void)
{
  g_mutex_lock (&lock);
  while (n_running > 0)
    g_cond_wait (&ended, &lock);
  g_mutex_unlock (&lock);
}
