/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Independent components on the fake cards: the CPU's. */

#include "fake-device.h"

static int
fake_compact (EskStream *stream, const float *planes, size_t n, size_t plane_stride, size_t n_planes,
              const EskSampling *sampling, float *out, size_t out_stride, size_t *count)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->ica->compact (stream->cpu, planes, n, plane_stride, n_planes,
                                                                    sampling, out, out_stride, count);
}

static int
fake_ica_step (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
               const EskContrast *contrast, const EskMatrix *w, EskIcaSums *sums)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->ica->ica_step (stream->cpu, whitened, count, plane_stride,
                                                                     contrast, w, sums);
}

static int
fake_ica_moments (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                  const EskContrast *contrast, const EskMatrix *w, EskIcaMoments *moments)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->ica->ica_moments (stream->cpu, whitened, count, plane_stride,
                                                                        contrast, w, moments);
}

static int
fake_moment_sums (EskStream *stream, const float *whitened, size_t count, size_t plane_stride, size_t m,
                  EskCovariance *sums)
{
  int code = fake_work (stream);

  if (code == ESK_OK)
    code = fake_device_sums_of (sums);
  return code != ESK_OK ? code : esk_cpu_hotspots ()->ica->moment_sums (stream->cpu, whitened, count, plane_stride, m,
                                                                        sums->device_sums);
}

const EskIcaHotspots fake_ica_hotspots = {
  .compact = fake_compact,
  .ica_step = fake_ica_step,
  .ica_moments = fake_ica_moments,
  .moment_sums = fake_moment_sums,
};
