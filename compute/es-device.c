/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "es-error.h"
#include "es-job-private.h"

struct _EsDevice
{
  GObject             parent_instance;

  char               *id, *name, *backend, *detail;
  const EskHotspots  *hotspots;
  int                 index;         /* of the back end's own devices */
  guint               lanes;
  guint64             memory;

  gsize               measured;      /* g_once */
  double              flops, bandwidth;
};

G_DEFINE_FINAL_TYPE (EsDevice, es_device, G_TYPE_OBJECT)

static void
es_device_finalize (GObject *object)
{
  EsDevice *self = ES_DEVICE (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->backend);
  g_free (self->detail);
  G_OBJECT_CLASS (es_device_parent_class)->finalize (object);
}

static void
es_device_class_init (EsDeviceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_device_finalize;
}

static void
es_device_init (EsDevice *self)
{
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

const char *
es_device_get_detail (EsDevice *self)
{
  return self->detail;
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
es_device_check (EsDevice *self, EskStream *stream, int code, const char *what, GError **error)
{
  switch (code)
    {
    case ESK_OK:
      return TRUE;
    case ESK_ERROR_MEMORY:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("%s has not enough memory for %s; allow more, or choose fewer bands."), self->name, what);
      return FALSE;
    case ESK_ERROR_NO_CONVERGENCE:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, _("%s did not converge."), what);
      return FALSE;
    case ESK_ERROR_DEVICE:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("%s failed at %s: %s."), self->name, what,
                   stream != NULL ? self->hotspots->last_error (stream) : _("no reason given"));
      return FALSE;
    default:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("%s was asked for %s of a size that it cannot do (code %d)."), self->name, what, code);
      return FALSE;
    }
}

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

static EsDevice *
make_cpu (void)
{
  EsDevice *self = g_object_new (ES_TYPE_DEVICE, NULL);

  self->hotspots = esk_cpu_hotspots ();
  self->id = g_strdup ("cpu");
  self->name = cpu_name ();
  self->backend = g_strdup (self->hotspots->name);
  self->lanes = MAX (g_get_num_processors (), 1);
  self->memory = (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);
  self->detail = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u thread, %s, %.1f GB", "%u threads, %s, %.1f GB",
                                               self->lanes),
                                  self->lanes, cpu_simd (), self->memory / 1e9);
  return self;
}

GListModel *
es_devices_get (void)
{
  static gsize once;
  static GListStore *devices;

  if (g_once_init_enter (&once))
    {
      devices = g_list_store_new (ES_TYPE_DEVICE);
      g_autoptr (EsDevice) cpu = make_cpu ();
      g_list_store_append (devices, cpu);
      g_once_init_leave (&once, 1);
    }
  return G_LIST_MODEL (devices);
}

EsDevice *
es_device_find (const char *id, GError **error)
{
  GListModel *devices = es_devices_get ();
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
      if (strcmp (device->id, id) == 0)
        return device;
      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", device->id);
    }

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               _("There is no device “%s”; there are %s."), id, known->str);
  return NULL;
}

EsDevice *
es_device_get_cpu (void)
{
  return es_device_find ("cpu", NULL);
}

const char *
es_devices_why_no_gpu (void)
{
  return _("This build has no GPU support");
}

/* One lane at a known piece of work: covariance sums for the flops, a sum over the bands for the bytes. */
static void
measure (EsDevice *self)
{
  enum { PIXELS = 8192, BANDS = 128 };
  g_autofree float *samples = g_new (float, PIXELS * BANDS);
  g_autofree guint8 *valid = g_malloc (PIXELS);
  g_autofree guint32 *bands = g_new (guint32, BANDS);
  g_autofree double *shift = g_new0 (double, BANDS);
  EskTile tile = { samples, ESK_F32, false, PIXELS, 1, BANDS, 1, PIXELS, PIXELS };
  EskSelection selection = { bands, BANDS, NULL, NULL, NULL };
  EskCovariance sums = { 0 };
  EskStream *stream = self->hotspots->stream_new (self->index);
  double best_covariance = G_MAXDOUBLE, best_sums = G_MAXDOUBLE;

  for (guint i = 0; i < PIXELS * BANDS; i++)
    samples[i] = i % 251;
  memset (valid, 1, PIXELS);
  for (guint i = 0; i < BANDS; i++)
    bands[i] = i;

  self->flops = 2e10;
  self->bandwidth = 5e9;
  if (stream != NULL && esk_covariance_init (&sums, BANDS, false, shift) == ESK_OK)
    {
      for (int i = 0; i < 4; i++)
        {
          gint64 count = 0, start = g_get_monotonic_time ();
          if (self->hotspots->covariance_sums (stream, &tile, &selection, valid, &sums) != ESK_OK)
            break;
          gint64 middle = g_get_monotonic_time ();
          if (self->hotspots->band_sums (stream, &tile, &selection, valid, shift, &count) != ESK_OK)
            break;
          best_covariance = MIN (best_covariance, (middle - start) * 1e-6);
          best_sums = MIN (best_sums, (g_get_monotonic_time () - middle) * 1e-6);
        }
      if (best_covariance < 10)
        self->flops = self->lanes * (double) PIXELS * BANDS * (BANDS + 1) / MAX (best_covariance, 1e-6);
      if (best_sums < 10)
        self->bandwidth = self->lanes * (double) PIXELS * BANDS * sizeof (float) / MAX (best_sums, 1e-6);
    }
  esk_covariance_clear (&sums);
  if (stream != NULL)
    self->hotspots->stream_free (stream);
}

static void
ensure_measured (EsDevice *self)
{
  if (g_once_init_enter (&self->measured))
    {
      measure (self);
      g_once_init_leave (&self->measured, 1);
    }
}

double
es_device_get_flops (EsDevice *self)
{
  ensure_measured (self);
  return self->flops;
}

double
es_device_get_bandwidth (EsDevice *self)
{
  ensure_measured (self);
  return self->bandwidth;
}
