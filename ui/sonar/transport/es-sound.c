/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sound.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#if ES_HAS_GSTREAMER
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#endif

#include "base/es-error.h"

/* Loudness that is aimed at, of full scale; and how much a beam may be raised for it. */
#define TARGET_LEVEL 0.15
#define MAX_GAIN     1e5
/* Gain follows the level within so many seconds where it gets quieter; at once where it gets louder. */
#define RELEASE      2.0

#define BUFFER_SECONDS 0.02
#define RING_SECONDS   2.0
#define HEAD_START     0.15

struct _EsSound
{
  GObject     parent_instance;

  double      rate;
  GMutex      lock;
  /* Under the lock. */
  float      *ring;
  guint       size, first, n;
  gboolean    flowing;           /* enough has come to begin with */
  guint       waited;            /* samples of silence since then */
  double      level;             /* mean square, smoothed */
  guint64     played;

#if ES_HAS_GSTREAMER
  GstElement *pipeline;
  guint64     given;             /* samples, silence included; the pipeline's thread alone */
  guint       watch;
#endif
};

G_DEFINE_FINAL_TYPE (EsSound, es_sound, G_TYPE_OBJECT)

enum { FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
es_sound_push (EsSound *self, const float *samples, guint n)
{
  g_return_if_fail (ES_IS_SOUND (self));

  g_mutex_lock (&self->lock);
  if (n > self->size)
    {
      samples += n - self->size;
      n = self->size;
    }
  if (self->n + n > self->size)
    {
      guint dropped = self->n + n - self->size;

      self->first = (self->first + dropped) % self->size;
      self->n -= dropped;
    }
  for (guint i = 0, at = (self->first + self->n) % self->size; i < n; i++)
    {
      self->ring[at] = isfinite (samples[i]) ? samples[i] : 0;
      at = at + 1 == self->size ? 0 : at + 1;
    }
  self->n += n;
  g_mutex_unlock (&self->lock);
}

void
es_sound_flush (EsSound *self)
{
  g_return_if_fail (ES_IS_SOUND (self));

  g_mutex_lock (&self->lock);
  self->n = 0;
  self->flowing = FALSE;
  self->waited = 0;
  g_mutex_unlock (&self->lock);
}

guint64
es_sound_get_played (EsSound *self)
{
  guint64 played;

  g_return_val_if_fail (ES_IS_SOUND (self), 0);

  g_mutex_lock (&self->lock);
  played = self->played;
  g_mutex_unlock (&self->lock);
  return played;
}

#if ES_HAS_GSTREAMER

/* The next n samples, made loud enough; silence where nothing has come. */
static void
take (EsSound *self, float *out, guint n)
{
  const double release = exp (-1 / (RELEASE * self->rate));
  guint there;

  g_mutex_lock (&self->lock);
  /* Blocks come a second at a time, not to the millisecond: begun at once, it would stutter between them. */
  if (!self->flowing && self->n > 0)
    {
      self->waited += n;
      self->flowing = self->waited >= (guint) (HEAD_START * self->rate);
    }
  there = self->flowing ? MIN (n, self->n) : 0;
  if (self->n == 0)
    {
      self->flowing = FALSE;
      self->waited = 0;
    }
  for (guint i = 0; i < there; i++)
    {
      double sample = self->ring[self->first], square = sample * sample;
      double gain;

      self->first = self->first + 1 == self->size ? 0 : self->first + 1;
      self->level = square > 16 * self->level ? square / 16 : release * self->level + (1 - release) * square;
      gain = self->level > 0 ? fmin (TARGET_LEVEL / sqrt (self->level), MAX_GAIN) : 0;
      out[i] = (float) CLAMP (gain * sample, -0.98, 0.98);
    }
  self->n -= there;
  self->played += there;
  g_mutex_unlock (&self->lock);
  memset (out + there, 0, (n - there) * sizeof *out);
}

static void
on_need_data (GstAppSrc *source, guint length, gpointer data)
{
  EsSound *self = data;
  guint n = MAX (1, (guint) (self->rate * BUFFER_SECONDS));
  float *samples = g_new (float, n);
  GstBuffer *buffer;

  take (self, samples, n);
  /* Each buffer has its time, and the sink takes it then: that keeps the pace. */
  buffer = gst_buffer_new_wrapped (samples, n * sizeof (float));
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (self->given, GST_SECOND, (guint64) llround (self->rate));
  GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale (n, GST_SECOND, (guint64) llround (self->rate));
  self->given += n;
  gst_app_src_push_buffer (source, buffer);
}

static void
fail (EsSound *self, const char *reason)
{
  g_autofree char *sentence = g_strdup_printf (_("The sound stopped: %s"), reason);

  g_signal_emit (self, signals[FAILED], 0, sentence);
}

/* Whoever gives the samples may let go last, on a thread: the bus keeps a weak reference. */
static gboolean
on_message (GstBus *bus, GstMessage *message, gpointer data)
{
  g_autoptr (EsSound) self = g_weak_ref_get (data);
  g_autoptr (GError) error = NULL;

  if (self == NULL || GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR)
    return G_SOURCE_CONTINUE;
  gst_message_parse_error (message, &error, NULL);
  self->watch = 0;
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  fail (self, error->message);
  return G_SOURCE_REMOVE;
}

static void
weak_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static gboolean
has_element (const char *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  return factory != NULL;
}

gboolean
es_sound_is_possible (char **why)
{
  static const char * const needed[] = { "appsrc", "audioconvert", "audioresample", "autoaudiosink" };
  const char *sink = g_getenv ("ES_SOUND_SINK");
  g_autoptr (GError) error = NULL;

  if (!gst_init_check (NULL, NULL, &error))
    {
      if (why != NULL)
        *why = g_strdup_printf (_("No sound: %s"), error->message);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!has_element (needed[i]) && !(sink != NULL && i == G_N_ELEMENTS (needed) - 1))
      {
        if (why != NULL)
          *why = g_strdup_printf (_("No sound: GStreamer’s element “%s” is not installed."), needed[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
start (EsSound *self, GError **error)
{
  const char *sink = g_getenv ("ES_SOUND_SINK");
  g_autofree char *description =
    g_strdup_printf ("appsrc name=source format=time block=false "
                     "! audioconvert ! audioresample ! %s", sink != NULL ? sink : "autoaudiosink");
  g_autoptr (GstElement) source = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GError) local = NULL;
  GstAppSrcCallbacks callbacks = { .need_data = on_need_data };
  GWeakRef *weak;

  self->pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &local);
  if (self->pipeline == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, _("No sound: %s"), local->message);
      return FALSE;
    }
  gst_object_ref_sink (self->pipeline);
  source = gst_bin_get_by_name (GST_BIN (self->pipeline), "source");
  caps = gst_caps_new_simple ("audio/x-raw", "format", G_TYPE_STRING,
                              G_BYTE_ORDER == G_LITTLE_ENDIAN ? "F32LE" : "F32BE", "layout", G_TYPE_STRING,
                              "interleaved", "rate", G_TYPE_INT, (int) lround (self->rate), "channels", G_TYPE_INT, 1,
                              NULL);
  gst_app_src_set_caps (GST_APP_SRC (source), caps);
  gst_app_src_set_max_bytes (GST_APP_SRC (source), (guint64) (0.1 * self->rate) * sizeof (float));
  gst_app_src_set_callbacks (GST_APP_SRC (source), &callbacks, self, NULL);
  bus = gst_element_get_bus (self->pipeline);
  weak = g_new (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  self->watch = gst_bus_add_watch_full (bus, G_PRIORITY_DEFAULT, on_message, weak, weak_free);
  if (gst_element_set_state (self->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, _("No sound: no loudspeaker could be opened."));
      return FALSE;
    }
  return TRUE;
}

static void
stop (EsSound *self)
{
  g_clear_handle_id (&self->watch, g_source_remove);
  if (self->pipeline != NULL)
    {
      gst_element_set_state (self->pipeline, GST_STATE_NULL);
      g_clear_pointer (&self->pipeline, gst_object_unref);
    }
}

#else

gboolean
es_sound_is_possible (char **why)
{
  if (why != NULL)
    *why = g_strdup (_("No sound: Eigenscope was built without GStreamer."));
  return FALSE;
}

static gboolean
start (EsSound *self, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("No sound: Eigenscope was built without GStreamer."));
  return FALSE;
}

static void
stop (EsSound *self)
{
}

#endif

static void
es_sound_dispose (GObject *object)
{
  /* Its thread calls back until it has stopped. */
  stop (ES_SOUND (object));
  G_OBJECT_CLASS (es_sound_parent_class)->dispose (object);
}

static void
es_sound_finalize (GObject *object)
{
  EsSound *self = ES_SOUND (object);

  g_free (self->ring);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (es_sound_parent_class)->finalize (object);
}

static void
es_sound_class_init (EsSoundClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_sound_dispose;
  G_OBJECT_CLASS (class)->finalize = es_sound_finalize;
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
es_sound_init (EsSound *self)
{
  g_mutex_init (&self->lock);
}

EsSound *
es_sound_new (double rate, GError **error)
{
  g_autoptr (EsSound) self = NULL;
  g_autofree char *why = NULL;

  g_return_val_if_fail (rate > 0, NULL);

  if (!es_sound_is_possible (&why))
    {
      g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, why);
      return NULL;
    }
  if (!(rate >= 100 && rate <= 2e6))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("No sound: %.0f samples a second can not be made audible."), rate);
      return NULL;
    }
  self = g_object_new (ES_TYPE_SOUND, NULL);
  self->rate = rate;
  self->size = (guint) ceil (RING_SECONDS * rate);
  self->ring = g_new0 (float, self->size);
  return start (self, error) ? g_steal_pointer (&self) : NULL;
}
