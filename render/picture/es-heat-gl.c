/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A heat map with OpenGL: the rows that a view looks at lie in a texture that is a ring of rows of one level; what the
 * next view needs besides is copied, which is one row where one was appended.
 */
#include "config.h"

#include <math.h>

#include "gl/es-gl-painter-internal.h"
#include "es-heat-frame-private.h"
#include "gl/es-uploader-internal.h"

#define SMALLEST_RING 1024

struct _EsHeatGl
{
  EsGlDevice *device;
  EsGlRing *slots;
  GLuint values, columns, rows, places, entries;

  guint n_columns, ring;       /* size of the texture `values`; 0: none */
  guint level;
  guint64 from, to;            /* rows of the level that lie in it */
  guint64 changed_from, changed_to;    /* rows of level 0 that are not what they were; from >= to: none */
  guint64 uploaded;
  GBytes *shape;               /* what lies in `places` */
};

EsHeatGl *
es_heat_gl_new (GdkDisplay *display, GError **error)
{
  EsGlDevice *device = es_gl_device_get (display, error);

  if (device == NULL)
    return NULL;
  if (device->software && !es_uploader_is_forced (&es_uploader_pbo))
    {
      es_gl_device_unref (device);
      g_set_error_literal (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "OpenGL is drawn in software");
      return NULL;
    }

  GdkGLContext *previous = es_gl_device_enter (device);
  gboolean ready = es_gl_device_prepare_heat (device, error);
  EsHeatGl *self = NULL;

  if (ready)
    {
      self = g_new0 (EsHeatGl, 1);
      self->device = device;
      self->slots = es_gl_ring_new (device);
      self->values = es_gl_texture_new ();
      self->columns = es_gl_texture_new ();
      self->rows = es_gl_texture_new ();
      self->places = es_gl_texture_new ();
      self->entries = es_gl_texture_new ();
    }
  es_gl_device_leave (device, previous);
  if (!ready)
    es_gl_device_unref (device);
  return self;
}

void
es_heat_gl_free (EsHeatGl *self)
{
  GdkGLContext *previous = es_gl_device_enter (self->device);

  glDeleteTextures (5, (GLuint[]) { self->values, self->columns, self->rows, self->places, self->entries });
  es_gl_device_leave (self->device, previous);
  g_clear_pointer (&self->shape, g_bytes_unref);
  es_gl_ring_unref (self->slots);
  es_gl_device_unref (self->device);
  g_free (self);
}

guint64
es_heat_gl_get_uploaded (EsHeatGl *self)
{
  return self->uploaded;
}

void
es_heat_gl_reset (EsHeatGl *self)
{
  self->from = self->to = 0;
  self->changed_from = self->changed_to = 0;
}

void
es_heat_gl_changed (EsHeatGl *self, guint64 from, guint64 to)
{
  gboolean none = self->changed_from >= self->changed_to;

  self->changed_from = none ? from : MIN (self->changed_from, from);
  self->changed_to = none ? to : MAX (self->changed_to, to);
}

static gboolean
make_room (EsHeatGl *self, const EsHeatFrame *frame, GError **error)
{
  guint most = (guint) self->device->max_texture_size, ring = MIN (SMALLEST_RING, most);

  while (ring < frame->n_rows && ring < most)
    ring = MIN (2 * ring, most);
  if (frame->n_rows > ring || frame->n_columns > most)
    {
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE,
                   "%u columns and %" G_GUINT64_FORMAT " rows, at most %u fit the texture", frame->n_columns,
                   frame->n_rows, most);
      return FALSE;
    }
  if (self->n_columns == frame->n_columns && self->ring >= ring)
    return TRUE;

  es_heat_gl_reset (self);
  self->n_columns = self->ring = 0;
  glTexImage2D (GL_TEXTURE_2D, 0, GL_R32F, MAX (frame->n_columns, 1), ring, 0, GL_RED, GL_FLOAT, NULL);
  if (!es_gl_check ("making a texture for the rows", error))
    return FALSE;
  self->n_columns = frame->n_columns;
  self->ring = ring;
  return TRUE;
}

static void
upload (EsHeatGl *self, EsHeatmap *map, guint64 from, guint64 to)
{
  g_autofree float *missing = NULL;

  while (from < to)
    {
      guint64 run, place = from % self->ring;
      const float *values = es_heatmap_peek_rows (map, self->level, from, &run);
      guint n = (guint) MIN (MIN (run, to - from), self->ring - place);

      if (values == NULL)
        {
          gsize size = (gsize) n * self->n_columns;

          g_free (missing);
          missing = g_new (float, size);
          for (gsize i = 0; i < size; i++)
            missing[i] = NAN;
          values = missing;
        }
      glTexSubImage2D (GL_TEXTURE_2D, 0, 0, (GLint) place, (GLsizei) self->n_columns, (GLsizei) n, GL_RED, GL_FLOAT,
                       values);
      self->uploaded += n;
      from += n;
    }
}

/* What the frame looks at, and no more than was not there. The texture is bound. */
static void
copy_rows (EsHeatGl *self, EsHeatmap *map, const EsHeatFrame *frame)
{
  guint64 from = frame->base, to = frame->base + frame->n_rows, unit = 1;
  guint64 changed_from, changed_to;

  for (guint k = 0; k < frame->level; k++)
    unit *= ES_HEAT_FACTOR;
  if (self->level != frame->level)
    self->from = self->to = 0;
  self->level = frame->level;

  /* Changed rows that lie here are copied again; at the newest end they are cut off, and so come with the new ones. */
  changed_from = self->changed_from / unit;
  changed_to = self->changed_from < self->changed_to ? (self->changed_to - 1) / unit + 1 : changed_from;
  self->changed_from = self->changed_to = 0;
  if (changed_from < changed_to && changed_to >= self->to)
    self->to = MAX (self->from, MIN (self->to, changed_from));
  else if (changed_from < changed_to && changed_from <= self->from)
    self->from = MIN (self->to, MAX (self->from, changed_to));
  else if (changed_from < changed_to)
    upload (self, map, changed_from, changed_to);

  if (from >= to)
    return;
  if (self->from >= self->to || to < self->from || from > self->to)
    {
      upload (self, map, from, to);
      self->from = from;
      self->to = to;
      return;
    }
  if (from < self->from)
    {
      self->to = MIN (self->to, from + self->ring);
      upload (self, map, from, self->from);
      self->from = from;
    }
  if (to > self->to)
    {
      upload (self, map, self->to, to);
      self->to = to;
      if (self->to - self->from > self->ring)
        self->from = self->to - self->ring;
    }
}

static void
bind_table (GLuint unit, GLuint texture)
{
  glActiveTexture (GL_TEXTURE0 + unit);
  glBindTexture (GL_TEXTURE_2D, texture);
}

static void
bind_tables (EsHeatGl *self, const EsHeatFrame *frame)
{
  const EsGlHeat *heat = &self->device->heat;

  bind_table (4, self->entries);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8UI, 256, 1, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, frame->entries);
  bind_table (3, self->places);
  if (frame->places != NULL && self->shape != frame->places)
    {
      glTexImage2D (GL_TEXTURE_2D, 0, GL_RG32I, frame->width, frame->height, 0, GL_RG_INTEGER, GL_INT,
                    g_bytes_get_data (frame->places, NULL));
      g_clear_pointer (&self->shape, g_bytes_unref);
      self->shape = g_bytes_ref (frame->places);
    }
  bind_table (1, self->columns);
  if (frame->places == NULL)
    glTexImage2D (GL_TEXTURE_2D, 0, GL_RG32I, frame->width, 1, 0, GL_RG_INTEGER, GL_INT, frame->columns);
  bind_table (2, self->rows);
  if (frame->places == NULL)
    glTexImage2D (GL_TEXTURE_2D, 0, GL_RG32I, frame->height, 1, 0, GL_RG_INTEGER, GL_INT, frame->rows);

  glUniform1i (heat->at_by_place, frame->places != NULL);
  glUniform1i (heat->at_awaiting, frame->awaiting);
  glUniform1i (heat->at_ring, (GLint) self->ring);
  glUniform1i (heat->at_offset, (GLint) (frame->base % self->ring));
  glUniform1f (heat->at_low, frame->low);
  glUniform1f (heat->at_scale, frame->scale);
}

static GdkTexture *
draw (EsHeatGl *self, EsHeatmap *map, const EsHeatFrame *frame, GError **error)
{
  bind_table (0, self->values);
  if (!make_room (self, frame, error))
    return NULL;
  copy_rows (self, map, frame);
  glUseProgram (self->device->heat.program);
  bind_tables (self, frame);
  return es_gl_device_fill (self->device, self->slots, frame->width, frame->height, error);
}

GdkTexture *
es_heat_gl_draw (EsHeatGl *self, EsHeatmap *map, const EsHeatFrame *frame, GError **error)
{
  if (MAX (frame->width, frame->height) > self->device->max_texture_size)
    {
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE, "a view of %d × %d pixels does not fit a texture",
                   frame->width, frame->height);
      return NULL;
    }

  GdkGLContext *previous = es_gl_device_enter (self->device);
  GdkTexture *texture = draw (self, map, frame, error);
  es_gl_device_leave (self->device, previous);
  return texture;
}
