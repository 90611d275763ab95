/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hot spots of cubes on the fake cards: the CPU's, of planes, with sums "on the card". */

#include "fake-device.h"

#include <stdlib.h>
#include <string.h>

static int
fake_valid_pixels (EskStream *stream, const EskTile *tile, const EskSelection *selection, uint8_t *valid,
                   size_t *n_valid)
{
  int code = fake_work (stream);
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  whole.no_data = selection != NULL ? selection->no_data : NULL;
  if (code == ESK_OK && !fake_are_planes (tile))
    code = ESK_ERROR_ARGUMENT;
  if (code != ESK_OK)
    return code;
  uint8_t *packed = (uint8_t *) fake_packed_valid (stream, tile, valid);
  code = esk_cpu_hotspots ()->cube->valid_pixels (stream->cpu, tile, &whole, packed, n_valid);
  for (size_t y = 0; packed != valid && y < tile->height; y++)
    memcpy (valid + y * (size_t) tile->row_stride, packed + y * tile->width, tile->width);
  return code;
}

static int
fake_band_ranges (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                  double *minimum, double *maximum)
{
  int code = fake_are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->cube->band_ranges (stream->cpu, tile, &whole, fake_packed_valid (stream, tile, valid),
                                                 minimum, maximum);
}

static int
fake_band_sums (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                double *sum, int64_t *count)
{
  int code = fake_are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->cube->band_sums (stream->cpu, tile, &whole, fake_packed_valid (stream, tile, valid), sum,
                                               count);
}

/* What has been summed "on the card". */
static void
free_sums (void *data)
{
  EskCovariance *sums = data;

  esk_covariance_clear (sums);
  free (sums);
}

/* The sums "on the card" that go with these, made where there are none yet. */
int
fake_device_sums_of (EskCovariance *covariance)
{
  EskCovariance *sums;
  int code;

  if (covariance->device_sums != NULL)
    return ESK_OK;
  sums = malloc (sizeof *sums);
  code = esk_covariance_init (sums, covariance->n_bands, covariance->exact, covariance->shift);
  sums->precise = covariance->precise;
  covariance->device_sums = sums;
  covariance->device_sums_free = free_sums;
  return code;
}

static int
fake_covariance_sums (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                      EskCovariance *covariance)
{
  int code = fake_are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  if (code == ESK_OK)
    code = fake_device_sums_of (covariance);
  return code != ESK_OK ? code
                        : esk_cpu_hotspots ()->cube->covariance_sums (stream->cpu, tile, &whole,
                                                                      fake_packed_valid (stream, tile, valid),
                                                                      covariance->device_sums);
}

static int
fake_covariance_collect (EskStream *stream, EskCovariance *covariance)
{
  int code = fake_work (stream);

  if (code == ESK_OK && covariance->device_sums != NULL)
    {
      code = esk_covariance_merge (covariance, covariance->device_sums);
      esk_covariance_reset (covariance->device_sums);
    }
  return code;
}

static int
fake_project (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
              const EskMatrix *basis, const double *mean, float *out, size_t plane_stride)
{
  int code = fake_are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->cube->project (stream->cpu, tile, &whole, fake_packed_valid (stream, tile, valid), basis,
                                             mean, out, plane_stride);
}

static int
fake_noise_residual (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                     EskNoiseKind kind, EskNoisePart part, const EskMargin *margin, const EskTile *out,
                     uint8_t *out_valid, uint32_t *overflow)
{
  int code = fake_are_planes (tile) && fake_are_planes (out) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->cube->noise_residual (stream->cpu, tile, &whole, fake_packed_valid (stream, tile, valid),
                                                    kind, part, margin, out, out_valid, overflow);
}

static int
fake_project_error (EskStream *stream, const EskTile *tile, const EskSelection *selection, const uint8_t *valid,
                    const EskMatrix *forward, const EskMatrix *backward, const double *mean, const double *scale,
                    const double *offset, float *rmse, float *angle, EskErrorSums *sums)
{
  int code = fake_are_planes (tile) ? fake_work (stream) : ESK_ERROR_ARGUMENT;
  EskSelection whole = fake_whole_selection (stream, tile, selection);

  if (code != ESK_OK)
    return code;
  return esk_cpu_hotspots ()->cube->project_error (stream->cpu, tile, &whole, fake_packed_valid (stream, tile, valid),
                                                   forward, backward, mean, scale, offset, rmse, angle, sums);
}

const EskCubeHotspots fake_cube_hotspots = {
  .valid_pixels = fake_valid_pixels,
  .band_ranges = fake_band_ranges,
  .band_sums = fake_band_sums,
  .covariance_sums = fake_covariance_sums,
  .covariance_collect = fake_covariance_collect,
  .project = fake_project,
  .project_error = fake_project_error,
  .noise_residual = fake_noise_residual,
};
