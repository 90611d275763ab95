/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the kinds of noise need and are divided by (hyperspectral.md 2.4). */

#include "es-noise.h"

EskMargin
esk_noise_margin (EskNoiseKind kind)
{
  switch (kind)
    {
    case ESK_NOISE_MEAN:
    case ESK_NOISE_MEDIAN: return (EskMargin) { .left = 1, .top = 1, .right = 1, .bottom = 1 };
    case ESK_NOISE_RIGHT: return (EskMargin) { .right = 1 };
    case ESK_NOISE_LOWER: return (EskMargin) { .bottom = 1 };
    case ESK_NOISE_LOWER_RIGHT: return (EskMargin) { .right = 1, .bottom = 1 };
    default: return (EskMargin) { 0 };
    }
}

double
esk_noise_divisor (EskNoiseKind kind,
                   bool         integer)
{
  switch (kind)
    {
    case ESK_NOISE_MEAN: return integer ? 81.0 : 1.0;
    case ESK_NOISE_RIGHT:
    case ESK_NOISE_LOWER:
    case ESK_NOISE_LOWER_RIGHT: return 2.0;
    default: return 1.0;
    }
}
