/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures from the fake cards. */

#include "fake-device.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct _EskTexture {
  unsigned texture;
};

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static int
fake_plane_statistics (EskStream *stream, const float *plane, size_t n, size_t step, EskPlaneStatistics *out)
{
  float *sorted = malloc ((n / step + 1) * sizeof *sorted);
  size_t count = 0;
  double sum = 0, squares = 0;
  int code = fake_work (stream);

  memset (out, 0, sizeof *out);
  for (size_t i = 0; i < n; i += step)
    if (isfinite (plane[i]))
      {
        sorted[count++] = plane[i];
        sum += plane[i];
      }
  if (count > 0)
    {
      qsort (sorted, count, sizeof *sorted, compare_floats);
      out->n_valid = count;
      out->minimum = sorted[0];
      out->maximum = sorted[count - 1];
      out->mean = sum / (double) count;
      for (size_t i = 0; i < count; i++)
        {
          double span = out->maximum - out->minimum;
          double bin = span > 0 ? (sorted[i] - out->minimum) / span * 256 : 0;

          out->histogram[bin < 0 ? 0 : bin > 255 ? 255 : (unsigned) bin]++;
          squares += (sorted[i] - out->mean) * (sorted[i] - out->mean);
        }
      out->deviation = count > 1 ? sqrt (squares / (double) (count - 1)) : 0;
      for (unsigned q = 0; q <= 1000; q++)
        {
          double place = q / 1000.0 * (double) (count - 1);
          size_t below = (size_t) place, above = below + 1 < count ? below + 1 : count - 1;

          out->quantiles[q] = sorted[below] + ((double) sorted[above] - sorted[below]) * (place - (double) below);
        }
    }
  free (sorted);
  return code;
}

static int
fake_plane_halve (EskStream *stream, const float *from, size_t width, size_t height, float *to)
{
  for (size_t y = 0; y < (height + 1) / 2; y++)
    for (size_t x = 0; x < (width + 1) / 2; x++)
      {
        size_t right = 2 * x + 1 < width ? 2 * x + 1 : width - 1, below = 2 * y + 1 < height ? 2 * y + 1 : 2 * y;
        float four[4] = { from[2 * y * width + 2 * x], from[2 * y * width + right],
                          from[below * width + 2 * x], from[below * width + right] };
        float all = (four[0] + four[1]) + (four[2] + four[3]), sum = 0;
        int n = 0;

        for (int i = 0; i < 4; i++)
          if (!isnan (four[i]))
            {
              sum += four[i];
              n++;
            }
        to[y * ((width + 1) / 2) + x] = !isnan (all) ? all * 0.25f : n > 0 ? sum / (float) n : NAN;
      }
  return fake_work (stream);
}

static int
fake_plane_decimate (EskStream *stream, const float *from, size_t stride, size_t width, size_t height, size_t step,
                     float *to)
{
  for (size_t y = 0; y < height; y += step)
    for (size_t x = 0; x < width; x += step)
      *to++ = from[y * stride + x];
  return fake_work (stream);
}

/* ---- OpenGL: without linking it, by the names that a program with a context has ---- */

#define GL_TEXTURE_2D 0x0de1
#define GL_TEXTURE_BINDING_2D 0x8069
#define GL_RED 0x1903
#define GL_FLOAT 0x1406

static void *
gl (const char *name)
{
  static void *library;

  if (library == NULL)
    library = dlopen ("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
  return library != NULL ? dlsym (library, name) : NULL;
}

static int
fake_gl_shares (EskStream *stream, int device)
{
  (void) stream;
  (void) device;
  return fake_number ("ES_FAKE_GL", 0) == 1 ? 1 : ESK_ERROR_DEVICE;
}

static int
fake_gl_register (EskStream *stream, unsigned texture, EskTexture **out)
{
  int code = fake_number ("ES_FAKE_GL", 0) == 1 ? fake_work (stream) : ESK_ERROR_DEVICE;

  *out = NULL;
  if (code == ESK_OK)
    {
      *out = malloc (sizeof **out);
      (*out)->texture = texture;
    }
  return code;
}

static void
fake_gl_unregister (EskStream *stream, EskTexture *texture)
{
  (void) stream;
  free (texture);
}

static int
fake_gl_copy (EskStream *stream, EskTexture *texture, const float *plane, size_t width, size_t height)
{
  void (*get_integer) (unsigned, int *) = (void (*) (unsigned, int *)) gl ("glGetIntegerv");
  void (*bind_texture) (unsigned, unsigned) = (void (*) (unsigned, unsigned)) gl ("glBindTexture");
  void (*sub_image) (unsigned, int, int, int, int, int, unsigned, unsigned, const void *) =
    (void (*) (unsigned, int, int, int, int, int, unsigned, unsigned, const void *)) gl ("glTexSubImage2D");
  int before = 0, code = fake_work (stream);

  if (code != ESK_OK)
    return code;
  if (get_integer == NULL || bind_texture == NULL || sub_image == NULL)
    return ESK_ERROR_DEVICE;
  get_integer (GL_TEXTURE_BINDING_2D, &before);
  bind_texture (GL_TEXTURE_2D, texture->texture);
  sub_image (GL_TEXTURE_2D, 0, 0, 0, (int) width, (int) height, GL_RED, GL_FLOAT, plane);
  bind_texture (GL_TEXTURE_2D, (unsigned) before);
  return ESK_OK;
}

const EskPictureHotspots fake_picture_hotspots = {
  .plane_statistics = fake_plane_statistics,
  .plane_halve = fake_plane_halve,
  .plane_decimate = fake_plane_decimate,
  .gl_shares = fake_gl_shares,
  .gl_register = fake_gl_register,
  .gl_unregister = fake_gl_unregister,
  .gl_copy = fake_gl_copy,
};
