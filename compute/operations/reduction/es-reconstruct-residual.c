/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The residual as a cube without samples of its own. What band b lacks is a projection, too:
 * s (e_b - w_b) . (x - mean), w_b being row b of backward times forward; so that a plane costs one pass of the samples
 * and no more. A run that writes all of them computes them at once, as components are.
 */

#include "es-reconstruct-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* Of the file, that are read at once. */
#define PORTION ((guint64) 8 << 20)

typedef struct
{
  EsCube           *cube;
  EsLinearModel    *model;
  EsReconstruction  reconstruction;
  float            *basis;                 /* n x n: row b as above */
} Residual;

static void
residual_free (gpointer data)
{
  Residual *self = data;

  es_reconstruction_clear (&self->reconstruction);
  es_linear_model_unref (self->model);
  g_object_unref (self->cube);
  g_free (self->basis);
  g_free (self);
}

/* valid: of every step-th column of a window, what the cube's mask says. */
static gboolean
mask_pixels (Residual *self, EsCubeReader *reader, const EsCubeWindow *window, guint step, guint8 *valid,
             GError **error)
{
  const EskSelection *selection = &self->reconstruction.selection;
  const gsize n = window->width * window->height;
  guint64 taken = 0;

  if (step == 1 || !es_cube_has_mask (self->cube))
    {
      memset (valid, 1, ((window->width - 1) / step + 1) * window->height);
      return es_cube_reader_mask (reader, window, selection->bands, selection->n_bands, valid, error);
    }
  g_autofree guint8 *mask = g_try_malloc (n);
  if (mask == NULL)
    return es_compute_error_no_memory (_("a mask"), error);
  memset (mask, 1, n);
  if (!es_cube_reader_mask (reader, window, selection->bands, selection->n_bands, mask, error))
    return FALSE;
  for (guint64 y = 0; y < window->height; y++)
    for (guint64 x = 0; x < window->width; x += step)
      valid[taken++] = mask[y * window->width + x];
  return TRUE;
}

/* The residual in `rows` bands from `first` on of the pixels of a tile, plane after plane `stride` apart. */
static gboolean
project_tile (Residual *self, const EskHotspots *hotspots, EskStream *stream, const EskTile *tile, guint8 *valid,
              guint first, guint rows, float *out, gsize stride, GError **error)
{
  const EskSelection *selection = &self->reconstruction.selection;
  const EskMatrix basis = { rows, self->model->n, self->basis + (gsize) first * self->model->n };
  gsize n_valid;
  int code;

  code = hotspots->cube->valid_pixels (stream, tile, selection, valid, &n_valid);
  if (code == ESK_OK)
    code = hotspots->cube->project (stream, tile, selection, valid, &basis, self->model->mean, out, stride);
  return es_device_check (es_device_get_cpu (), stream, code, _("the residual"), error);
}

/* Every step-th pixel of a window; planes are `stride` apart. */
static gboolean
project_window (Residual *self, guint first, guint n_planes, const EsCubeWindow *window, guint step, float *out,
                gsize stride, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (es_device_get_cpu ());
  const EsCubeWindow row = { window->x, 0, window->width, 1 };
  const guint64 columns = (window->width - 1) / step + 1;
  /* Where rows are skipped, those between need not be read. */
  const guint64 portion = step > 1 ? 1 : CLAMP (PORTION / es_cube_window_bytes (self->cube, &row), 1, window->height);
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (self->cube, error);
  g_autofree guint8 *valid = g_try_malloc (columns * portion);
  EskStream *stream;
  gboolean done = TRUE;

  if (reader == NULL)
    return FALSE;
  stream = hotspots->stream->stream_new (0);
  if (stream == NULL || valid == NULL)
    {
      if (stream != NULL)
        hotspots->stream->stream_free (stream);
      return es_compute_error_no_memory (_("the residual"), error);
    }
  for (guint64 y = 0; done && y < window->height; y += step > 1 ? step : portion)
    {
      const EsCubeWindow part = { window->x, window->y + y, window->width, MIN (portion, window->height - y) };
      EskTile tile;

      done = es_cube_reader_read (reader, &part, &tile, error);
      if (!done)
        break;
      tile.width = columns;
      tile.column_stride *= (ptrdiff_t) step;
      done = mask_pixels (self, reader, &part, step, valid, error)
             && project_tile (self, hotspots, stream, &tile, valid, first, n_planes, out, stride, error);
      out += columns * part.height;
    }
  hotspots->stream->stream_free (stream);
  return done;
}

static gboolean
read_plane (gpointer data, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, guint step, float *out,
            GError **error)
{
  const EsCubeWindow window = { x, y, width, height };

  return project_window (data, plane, 1, &window, step, out, width * height, error);
}

static gboolean
read_rows (gpointer data, guint64 y, guint64 height, float *out, GError **error)
{
  Residual *self = data;
  const EsCubeWindow window = { 0, y, es_cube_get_width (self->cube), height };

  return project_window (self, 0, self->model->n, &window, 1, out, window.width * height, error);
}

/* n x n: row b as above. Transfer full. */
static double *
make_basis (const EsReconstruction *self)
{
  const gsize n = self->model->n;
  double *basis = es_reconstruction_make_matrix (self);

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      basis[i * n + j] = self->scale[i] * ((i == j) - basis[i * n + j]);
  return basis;
}

EsImageStack *
es_reconstruction_compute_residual (EsJob *job, EsCube *cube, const EsReconstruction *self, double weight,
                                    GError **error)
{
  g_autofree double *basis = make_basis (self);
  const EsProjection projection = { .name = "residual", .title = _("Residual"), .basis = basis, .is_signed = TRUE,
                                    .weight = weight };
  EsImageStack *stack = es_reconstruction_project (job, cube, self, &projection, error);

  if (stack != NULL)
    es_image_stack_set_hint (stack, ES_IMAGE_HINT_DIVERGING);
  return stack;
}

EsImageStack *
es_reconstruction_make_residual (EsCube *cube, const EsLinearModel *model, const gboolean *kept, GError **error)
{
  const guint n = model->n;
  Residual *self = g_new0 (Residual, 1);
  g_autofree double *matrix = NULL;
  EsImageStack *stack;

  self->cube = g_object_ref (cube);
  self->model = es_linear_model_ref (model);
  es_reconstruction_init (&self->reconstruction, cube, model, kept);
  matrix = make_basis (&self->reconstruction);
  self->basis = g_new (float, (gsize) n * n);
  for (gsize i = 0; i < (gsize) n * n; i++)
    self->basis[i] = (float) matrix[i];

  stack = es_image_stack_new_computed ("residual", _("Residual"), es_cube_get_width (cube), es_cube_get_height (cube),
                                       n, read_plane, self, residual_free, error);
  if (stack == NULL)
    return NULL;
  es_image_stack_set_read_rows (stack, read_rows);
  es_reduction_frame_stack (stack, cube);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *title = es_cube_get_band_label (cube, model->bands[i]);
      es_image_stack_set_plane (stack, i, title, NAN);
    }
  es_image_stack_set_signed (stack, TRUE);
  es_image_stack_set_hint (stack, ES_IMAGE_HINT_DIVERGING);
  es_image_stack_set_unit (stack, es_cube_get_unit (cube));
  if (es_cube_get_wavelengths (cube) != NULL)
    {
      g_autofree double *wavelengths = g_new (double, n);
      for (guint i = 0; i < n; i++)
        wavelengths[i] = es_cube_get_wavelengths (cube)[model->bands[i]];
      es_image_stack_set_wavelengths (stack, wavelengths);
    }
  return stack;
}
