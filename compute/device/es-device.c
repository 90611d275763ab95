/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-object-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-buffer-internal.h"
#include "base/es-error.h"
#include "base/es-memory-internal.h"

/* The line that describes a GPU is made anew after this long, for what is free changes. */
#define DETAIL_SECONDS 2

G_DEFINE_FINAL_TYPE (EsDevice, es_device, G_TYPE_OBJECT)

enum { PROP_0, PROP_LOST, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
es_device_finalize (GObject *object)
{
  EsDevice *self = ES_DEVICE (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->uuid);
  g_free (self->backend);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_mutex_clear (&self->start_lock);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (es_device_parent_class)->finalize (object);
}

static void
es_device_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  switch (id)
    {
    case PROP_LOST:
      g_value_set_boolean (value, es_device_is_lost (ES_DEVICE (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_device_class_init (EsDeviceClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->finalize = es_device_finalize;
  object_class->get_property = es_device_get_property;
  properties[PROP_LOST] = g_param_spec_boolean ("lost", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY
                                                                           | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_device_init (EsDevice *self)
{
  g_mutex_init (&self->start_lock);
  g_mutex_init (&self->lock);
}

/* ---- making them ---- */

/* "AMD EPYC": what the system calls the processor, without the words that say nothing. */
static char *
cpu_name (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)
      && (line = strstr (text, "model name")) != NULL && (line = strchr (line, ':')) != NULL)
    {
      const char *end = strchr (line, '\n');
      g_autofree char *name = g_strndup (line + 1, end != NULL ? end - line - 1 : (gssize) strlen (line + 1));
      char *at = strstr (name, " @ ");
      if (at != NULL)
        *at = '\0';
      g_strstrip (name);
      if (*name != '\0')
        return g_steal_pointer (&name);
    }
  return g_strdup (_("Processor"));
}

static const char *
cpu_simd (void)
{
#if defined (__x86_64__) || defined (__i386__)
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f"))
    return "AVX-512";
  if (__builtin_cpu_supports ("avx2"))
    return "AVX2";
  return "SSE2";
#elif defined (__aarch64__)
  return "NEON";
#else
  return "scalar";
#endif
}

EsDevice *
es_device_new_cpu (void)
{
  EsDevice *self = g_object_new (ES_TYPE_DEVICE, NULL);
  g_autofree char *detail = NULL;

  self->kind = ES_DEVICE_CPU;
  self->hotspots = esk_cpu_hotspots ();
  self->id = g_strdup ("cpu");
  self->name = cpu_name ();
  self->backend = g_strdup (self->hotspots->name);
  self->lanes = MAX (g_get_num_processors (), 1);
  self->memory = es_memory_total ();
  self->started = TRUE;
  self->flops = 2e10;
  self->bandwidth = 5e9;
  detail = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u thread, %s, %.1f GB", "%u threads, %s, %.1f GB",
                                         self->lanes),
                            self->lanes, cpu_simd (), self->memory / 1e9);
  self->detail = g_intern_string (detail);
  return self;
}

/* Bytes a second that copies over the link reach, until that is measured; cards at rest tell of a slower one, and some
 * of none. */
static double
link_bandwidth (const EskDeviceInfo *info)
{
  static const double a_lane[] = { 0, 0.25e9, 0.5e9, 0.985e9, 1.97e9, 3.94e9, 7.56e9 };
  const int generation = CLAMP (info->pcie_generation, 0, (int) G_N_ELEMENTS (a_lane) - 1);

  return MAX (0.85 * a_lane[generation] * info->pcie_width, 6e9);
}

EsDevice *
es_device_new_gpu (const EskHotspots *hotspots, int index, guint n_gpus)
{
  EskDeviceInfo info = { 0 };
  EsDevice *self;

  /* How it is at this moment would have to be asked of somebody who takes long to begin. */
  if ((ESK_HAS (hotspots, device, device_describe) ? hotspots->device->device_describe (index, &info)
                                                   : hotspots->device->device_info (index, &info)) != ESK_OK)
    return NULL;

  self = g_object_new (ES_TYPE_DEVICE, NULL);
  self->kind = ES_DEVICE_GPU;
  self->hotspots = hotspots;
  self->index = index;
  self->backend = g_strdup (hotspots->name);
  self->id = g_strdup_printf ("%s:%d", hotspots->name, index);
  self->name = *info.name != '\0' ? g_utf8_make_valid (info.name, strnlen (info.name, sizeof info.name))
                                  : g_strdup_printf (_("GPU %d"), index);
  self->uuid = g_utf8_make_valid (info.uuid, strnlen (info.uuid, sizeof info.uuid));
  /* Lanes read and copy; a link of 55 GB/s wants five of them or more. */
  self->lanes = CLAMP (g_get_num_processors () / n_gpus, n_gpus > 1 ? 2 : 4, 8);
  self->memory = info.memory;
  self->flops = 0.4 * 2 * 128 * 1.5e9 * MAX (info.multiprocessors, 1);
  self->bandwidth = link_bandwidth (&info);
  return self;
}

/* Takes id and name. */
static EsDevice *
new_group (GPtrArray *gpus, char *id, char *name)
{
  EsDevice *self = g_object_new (ES_TYPE_DEVICE, NULL), *first = g_ptr_array_index (gpus, 0);

  self->kind = ES_DEVICE_ALL_GPUS;
  self->hotspots = first->hotspots;
  self->index = -1;
  self->backend = g_strdup (first->backend);
  self->id = id;
  self->name = name;
  self->members = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < gpus->len; i++)
    {
      EsDevice *member = g_ptr_array_index (gpus, i);

      g_ptr_array_add (self->members, g_object_ref (member));
      self->lanes += member->lanes;
      self->memory += member->memory;
      self->flops += member->flops;
      self->bandwidth += member->bandwidth;
    }
  return self;
}

EsDevice *
es_device_new_all_gpus (GPtrArray *gpus)
{
  EsDevice *self = new_group (gpus, g_strdup_printf ("%s:all", es_device_get_backend (g_ptr_array_index (gpus, 0))),
                              g_strdup (_("All GPUs")));

  for (guint i = 0; i < gpus->len; i++)
    ((EsDevice *) g_ptr_array_index (gpus, i))->all = self;
  return self;
}

EsDevice *
es_device_new_some_gpus (GPtrArray *gpus, const char *id)
{
  const char *name = es_device_get_name (g_ptr_array_index (gpus, 0));

  return new_group (gpus, g_strdup (id), g_strdup_printf ("%u × %s", gpus->len, name));
}

/* ---- what it is ---- */

const char *
es_device_get_uuid (EsDevice *self)
{
  return self->uuid != NULL ? self->uuid : "";
}

const char *
es_device_get_id (EsDevice *self)
{
  return self->id;
}

const char *
es_device_get_name (EsDevice *self)
{
  return self->name;
}

const char *
es_device_get_backend (EsDevice *self)
{
  return self->backend;
}

static char *
gpu_detail (EsDevice *self)
{
  EskDeviceInfo info = { 0 };
  g_autofree char *link = NULL;

  if (es_device_is_lost (self) || self->hotspots->device->device_info (self->index, &info) != ESK_OK)
    return g_strdup (_("lost: not used until the program is started again"));
  link = info.pcie_generation > 0 ? g_strdup_printf (", PCIe %d x%d", info.pcie_generation, info.pcie_width)
                                  : g_strdup ("");
  return g_strdup_printf (_("%.3g GB (%.3g free), compute capability %d.%d%s"), info.memory / 1e9,
                          info.memory_free / 1e9, info.major, info.minor, link);
}

const char *
es_device_get_detail (EsDevice *self)
{
  const gint64 now = g_get_monotonic_time ();
  const char *detail;

  g_mutex_lock (&self->lock);
  if (self->detail == NULL
      || (self->kind == ES_DEVICE_GPU && (self->detail_made == 0
                                          || now - self->detail_made > DETAIL_SECONDS * G_USEC_PER_SEC)))
    {
      g_autofree char *text = self->kind == ES_DEVICE_GPU
        ? gpu_detail (self)
        : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u GPU, %.3g GB together", "%u GPUs, %.3g GB together",
                                        self->members->len),
                           self->members->len, self->memory / 1e9);
      self->detail = g_intern_string (text);
      self->detail_made = now;
    }
  detail = self->detail;
  g_mutex_unlock (&self->lock);
  return detail;
}

EsDeviceKind
es_device_get_kind (EsDevice *self)
{
  return self->kind;
}

gboolean
es_device_is_cpu (EsDevice *self)
{
  return self->kind == ES_DEVICE_CPU;
}

guint
es_device_get_lanes (EsDevice *self)
{
  return self->lanes;
}

guint64
es_device_get_memory (EsDevice *self)
{
  return self->memory;
}

guint
es_device_get_n_members (EsDevice *self)
{
  return self->members != NULL ? self->members->len : 1;
}

EsDevice *
es_device_get_member (EsDevice *self, guint i)
{
  return self->members != NULL ? g_ptr_array_index (self->members, i) : self;
}

const EskHotspots *
es_device_get_hotspots (EsDevice *self)
{
  return self->hotspots;
}

int
es_device_get_index (EsDevice *self)
{
  return self->index;
}

gboolean
es_device_get_status (EsDevice *self, EsDeviceStatus *status)
{
  EskDeviceInfo info = { 0 };
  int code;

  memset (status, 0, sizeof *status);
  if (self->kind != ES_DEVICE_GPU || es_device_is_lost (self))
    return FALSE;
  code = self->hotspots->device->device_info (self->index, &info);
  if (code == ESK_ERROR_LOST)
    es_device_mark_lost (self);
  if (code != ESK_OK)
    return FALSE;

  *status = (EsDeviceStatus) {
    .memory = info.memory, .memory_free = info.memory_free, .used_here = es_buffers_get_used (self),
    .busy = info.busy, .temperature = info.temperature, .major = info.major, .minor = info.minor,
    .pcie_generation = info.pcie_generation, .pcie_width = info.pcie_width, .driver = info.driver,
  };
  return TRUE;
}

/* ---- what it may use ---- */

static guint64
default_budget (guint64 memory_free)
{
  /* 80 %, and half a gigabyte for contexts and libraries; of small cards less. */
  const double reserve = MIN (512.0 * (1 << 20), 0.1 * memory_free);

  return 0.8 * memory_free - reserve;
}

gboolean
es_device_get_free (EsDevice *self, guint64 *bytes)
{
  EskDeviceInfo info = { 0 };
  int code;

  if (g_atomic_int_get (&self->started) && ESK_HAS (self->hotspots, device, device_memory))
    code = self->hotspots->device->device_memory (self->index, bytes);
  else
    {
      code = self->hotspots->device->device_info (self->index, &info);
      *bytes = info.memory_free;
    }
  if (code == ESK_ERROR_LOST)
    es_device_mark_lost (self);
  return code == ESK_OK;
}

/* A card that was full when it was looked at first is looked at again, while nothing of this program lies on it. */
static guint64
gpu_budget (EsDevice *self)
{
  guint64 budget, bytes;
  gboolean ask;

  g_mutex_lock (&self->lock);
  ask = self->wanted_budget == 0
        && (!self->has_first_budget || (self->first_budget < self->memory / 16 && es_buffers_get_used (self) == 0));
  g_mutex_unlock (&self->lock);
  /* Without the lock, which one that is lost takes. */
  ask = ask && es_device_get_free (self, &bytes);

  g_mutex_lock (&self->lock);
  if (ask)
    {
      self->first_budget = default_budget (bytes);
      self->has_first_budget = TRUE;
    }
  budget = self->wanted_budget > 0 ? self->wanted_budget : self->first_budget;
  g_mutex_unlock (&self->lock);
  return budget;
}

guint64
es_device_get_budget (EsDevice *self)
{
  guint64 budget = 0;

  if (self->kind != ES_DEVICE_CPU)
    for (guint i = 0; i < es_device_get_n_members (self); i++)
      budget += gpu_budget (es_device_get_member (self, i));
  return budget;
}

void
es_device_set_budget (EsDevice *self, guint64 bytes)
{
  const guint n = es_device_get_n_members (self);

  if (self->kind == ES_DEVICE_CPU)
    return;
  for (guint i = 0; i < n; i++)
    {
      EsDevice *member = es_device_get_member (self, i);
      g_mutex_lock (&member->lock);
      member->wanted_budget = MIN (bytes / n, member->memory);
      g_mutex_unlock (&member->lock);
    }
}

/* ---- speed ---- */

static GPrivate guessing = G_PRIVATE_INIT (NULL);

void
es_device_begin_guess (void)
{
  g_private_set (&guessing, GUINT_TO_POINTER (TRUE));
}

void
es_device_end_guess (void)
{
  g_private_set (&guessing, NULL);
}

/* The main loop takes the estimate rather than wait for a card that has yet to be started. */
static void
ensure_measured (EsDevice *self)
{
  if (g_atomic_pointer_get (&self->measured) == 0 && self->kind == ES_DEVICE_CPU && g_private_get (&guessing) != NULL)
    return;
  if (g_atomic_pointer_get (&self->measured) == 0 && self->kind != ES_DEVICE_CPU && es_devices_must_not_wait ())
    {
      if (g_atomic_int_compare_and_exchange (&self->measure_asked, FALSE, TRUE))
        es_devices_measure_later (self);
      return;
    }
  if (g_once_init_enter (&self->measured))
    {
      double flops = self->flops, bandwidth = self->bandwidth;

      es_device_measure (self, &flops, &bandwidth);
      g_mutex_lock (&self->lock);
      self->flops = flops;
      self->bandwidth = bandwidth;
      g_mutex_unlock (&self->lock);
      g_once_init_leave (&self->measured, 1);
    }
}

gboolean
es_device_peek_speed (EsDevice *self, double *flops, double *bandwidth)
{
  const gboolean measured = g_atomic_pointer_get (&self->measured) != 0;

  g_mutex_lock (&self->lock);
  *flops = self->flops;
  *bandwidth = self->bandwidth;
  g_mutex_unlock (&self->lock);
  return measured;
}

double
es_device_get_flops (EsDevice *self)
{
  ensure_measured (self);
  g_mutex_lock (&self->lock);
  double flops = self->flops;
  g_mutex_unlock (&self->lock);
  return flops;
}

double
es_device_get_bandwidth (EsDevice *self)
{
  ensure_measured (self);
  g_mutex_lock (&self->lock);
  double bandwidth = self->bandwidth;
  g_mutex_unlock (&self->lock);
  return bandwidth;
}
