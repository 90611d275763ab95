/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/es-buffer-internal.h"
#include "gl/es-gl-painter-internal.h"
#include "job/es-job-internal.h"
#include "es-test-picture.h"
#include "perf-uploaders.h"

#define SIDE 2048
#define N_WARM 3
#define N_RUNS 31
#define VIEW_WIDTH 1280
#define VIEW_HEIGHT 960

static double
now (void)
{
  return g_get_monotonic_time () / 1e3;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *times)
{
  qsort (times, N_RUNS, sizeof *times, compare_doubles);
  return times[N_RUNS / 2];
}

typedef struct
{
  EsGlDevice *device;
  GBytes *bytes;
  EsDevicePlane *on_gpu;
  EsPlane *host;
  EsGlCopy copy;
  EsDeviceTexture *sharing;
  const EskHotspots *hotspots; /* the same without what lies between */
  EskStream *stream;
  EskTexture *registered;
  float *samples;
  GLuint picture_texture;      /* RGBA8, as large as the plane */
  EsFrame frame;
  guint8 *pixels;
} Perf;

/* Each brings the plane into its texture, as often as it is called. */

static gboolean
by_cuda (Perf *self, GError **error)
{
  return es_device_texture_copy (self->sharing, self->on_gpu, error);
}

/* Until the card has done it: what the ceilings of the card are measured by. OpenGL learns of it in its own time. */
static gboolean
by_cuda_alone (Perf *self, GError **error)
{
  int code = self->hotspots->picture->gl_copy (self->stream, self->registered, self->samples, SIDE, SIDE);

  if (code == ESK_OK)
    code = self->hotspots->device->wait (self->stream);
  return es_device_check (es_device_plane_get_device (self->on_gpu), self->stream, code, "a copy", error);
}

static gboolean
by_pbo (Perf *self, GError **error)
{
  glBindTexture (GL_TEXTURE_2D, self->copy.texture);
  return es_gl_fill_from_host (&self->copy, self->host, 0, self->device, error);
}

static gboolean
by_pbo_through_host (Perf *self, GError **error)
{
  g_autofree float *values = g_new (float, (gsize) SIDE * SIDE);

  if (!es_device_plane_read (self->on_gpu, 0, 0, SIDE, SIDE, 1, values, error))
    return FALSE;
  glBindTexture (GL_TEXTURE_2D, self->copy.texture);

  EsPlane brought = *self->host;
  brought.levels[0].values = values;
  return es_gl_fill_from_host (&self->copy, &brought, 0, self->device, error);
}

/* Colours on the CPU, and the pixels to a texture as GTK does it. */
static gboolean
by_memory (Perf *self, GError **error)
{
  es_frame_paint (&self->frame, self->pixels, 4 * SIDE, ES_FRAME_CHECKERED);
  glBindTexture (GL_TEXTURE_2D, self->picture_texture);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, self->pixels);
  return es_gl_check ("copying pixels", error);
}

static gboolean
measure (Perf *self, gboolean (*way) (Perf *, GError **), gboolean finish, double *result, GError **error)
{
  double times[N_RUNS];

  for (int i = -N_WARM; i < N_RUNS; i++)
    {
      glFinish ();
      double begin = now ();
      if (!way (self, error))
        return FALSE;
      if (finish)
        glFinish ();
      if (i >= 0)
        times[i] = now () - begin;
    }
  *result = median (times);
  return TRUE;
}

/* A component that was computed on the GPU, from there to a drawn view: statistics, copies, one draw. */
static gboolean
measure_view (Perf *self, GdkGLContext *context, const char *uploader, double *result, GError **error)
{
  g_autoptr (EsPicture) picture = es_picture_new ();
  double times[N_RUNS];

  g_setenv ("ES_UPLOADER", uploader, TRUE);
  for (int i = -N_WARM; i < N_RUNS; i++)
    {
      double begin = now ();
      g_autoptr (EsPlane) plane = es_plane_new_from_device (self->on_gpu, error);

      if (plane == NULL)
        return FALSE;
      es_picture_show_planes (picture, 1, &plane, 1, SIDE, SIDE);
      g_autoptr (GdkTexture) texture = es_picture_render (picture, context, VIEW_WIDTH, VIEW_HEIGHT,
                                                          &(EsViewport) { 300, 200, 1 });
      if (i >= 0)
        times[i] = now () - begin;
    }
  g_unsetenv ("ES_UPLOADER");
  if (g_strcmp0 (es_picture_get_uploader (picture), uploader) != 0)
    printf ("(drawn by %s instead of %s)\n", es_picture_get_uploader (picture), uploader);
  *result = median (times);
  return TRUE;
}

/* Only statistics. */
static gboolean
measure_statistics (Perf *self, double *result, GError **error)
{
  double times[N_RUNS];

  for (int i = -N_WARM; i < N_RUNS; i++)
    {
      double begin = now ();
      g_autoptr (EsPlane) plane = es_plane_new_from_device (self->on_gpu, error);

      if (plane == NULL)
        return FALSE;
      if (i >= 0)
        times[i] = now () - begin;
    }
  *result = median (times);
  return TRUE;
}

static gboolean
measure_alone (Perf *self, EsDevice *gpu, double *result, GError **error)
{
  g_autoptr (EsBuffer) buffer = es_buffer_new (gpu, sizeof (float) * SIDE * SIDE, error);
  gboolean done;
  int code;

  if (buffer == NULL)
    return FALSE;
  self->hotspots = es_device_get_hotspots (gpu);
  self->stream = es_device_take_stream (gpu);
  if (self->stream == NULL)
    return es_device_check (gpu, NULL, ESK_ERROR_MEMORY, "a stream", error);

  self->samples = es_buffer_get_data (buffer);
  code = self->hotspots->device->upload (self->stream, self->samples, self->host->levels[0].values,
                                         sizeof (float) * SIDE * SIDE);
  if (code == ESK_OK)
    code = self->hotspots->device->wait (self->stream);
  if (code == ESK_OK)
    code = self->hotspots->picture->gl_register (self->stream, self->copy.texture, &self->registered);
  done = es_device_check (gpu, self->stream, code, "a texture", error);
  if (done)
    {
      done = measure (self, by_cuda_alone, FALSE, result, error);
      self->hotspots->picture->gl_unregister (self->stream, self->registered);
    }
  es_device_give_stream (gpu, self->stream);
  return done;
}

static gboolean
run (Perf *self, GdkGLContext *context, EsDevice *gpu, GError **error)
{
  double cuda, alone = 0, held_up, pbo, through_host, memory, statistics, register_time, views[3];

  self->copy.texture = es_gl_texture_new ();
  glTexImage2D (GL_TEXTURE_2D, 0, GL_R32F, SIDE, SIDE, 0, GL_RED, GL_FLOAT, NULL);
  self->picture_texture = es_gl_texture_new ();
  glFinish ();

  double begin = now ();
  self->sharing = es_device_texture_new (gpu, self->copy.texture, error);
  register_time = now () - begin;
  if (self->sharing == NULL || !measure (self, by_cuda, TRUE, &cuda, error)
      || !measure (self, by_cuda, FALSE, &held_up, error))
    return FALSE;
  g_clear_pointer (&self->sharing, es_device_texture_free);
  if (!measure_alone (self, gpu, &alone, error) || !measure (self, by_pbo, TRUE, &pbo, error)
      || !measure (self, by_pbo_through_host, TRUE, &through_host, error)
      || !measure (self, by_memory, TRUE, &memory, error) || !measure_statistics (self, &statistics, error)
      || !measure_view (self, context, "cuda", &views[0], error)
      || !measure_view (self, context, "pbo", &views[1], error)
      || !measure_view (self, context, "memory", &views[2], error))
    return FALSE;

  printf ("%s, OpenGL on %s; a plane of %d x %d float32; medians of %d, ms\n", es_device_get_name (gpu),
          (const char *) glGetString (GL_RENDERER), SIDE, SIDE, N_RUNS);
  printf ("uploader  in its texture  GPU to a drawn view of %d x %d (with statistics)\n", VIEW_WIDTH, VIEW_HEIGHT);
  printf ("cuda      %15.3f  %10.3f   (%.3f until glFinish () returns; the thread is held up for %.3f)\n", alone,
          views[0], cuda, held_up);
  printf ("pbo       %15.3f  %10.3f   (plane on the host; %.3f from the GPU through the host)\n", pbo, views[1],
          through_host);
  printf ("memory    %15.3f  %10.3f   (plane on the host; colours and all)\n", memory, views[2]);
  printf ("registering a texture, once: %.3f; statistics on the GPU: %.3f\n", register_time, statistics);
  return TRUE;
}

int
es_perf_uploaders (GdkGLContext *context, EsDevice *gpu)
{
  static const double stretch[2] = { 0, 1 };
  gsize n = (gsize) SIDE * SIDE;
  float *values = g_new (float, n);
  guint32 state = 7;
  g_autoptr (GError) error = NULL;
  Perf self = { NULL };
  gboolean done = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      state = state * 1664525u + 1013904223u;
      values[i] = (float) (state >> 8) / (1 << 24);
    }
  self.bytes = g_bytes_new_take (values, n * sizeof (float));
  self.host = es_plane_new (self.bytes, SIDE, SIDE);
  self.pixels = g_malloc (4 * n);
  es_frame_init (&self.frame, 1, &self.host, stretch, ES_COLORMAP_VIRIDIS, 1, SIDE, SIDE,
                 (EsFrameAxis) { 0, 1, SIDE }, (EsFrameAxis) { 0, 1, SIDE });
  self.on_gpu = es_device_plane_new_from_host (gpu, values, SIDE, SIDE, &error);
  if (self.on_gpu != NULL)
    self.device = es_gl_device_get (gdk_gl_context_get_display (context), &error);
  if (self.device != NULL)
    {
      GdkGLContext *previous = es_gl_device_enter (self.device);

      done = run (&self, context, gpu, &error);
      g_clear_pointer (&self.sharing, es_device_texture_free);
      glDeleteTextures (1, &self.copy.texture);
      glDeleteTextures (1, &self.picture_texture);
      es_gl_device_leave (self.device, previous);
      es_gl_device_unref (self.device);
    }
  if (!done)
    fprintf (stderr, "%s\n", error->message);

  es_frame_clear (&self.frame);
  g_clear_pointer (&self.on_gpu, es_device_plane_unref);
  es_plane_unref (self.host);
  g_bytes_unref (self.bytes);
  g_free (self.pixels);
  return done ? 0 : 1;
}
