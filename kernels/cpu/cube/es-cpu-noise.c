/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Noise residuals of a tile (hyperspectral.md 2.4). Planes in native byte order are read where they lie, band after
 * band. Other tiles are worked through in strips of columns, narrow enough for three rows of all bands to stay in the
 * second-level cache.
 */

#include "es-cpu-cube-private.h"
#include "es-cpu-noise-private.h"

#include <string.h>

#define STRIP_BYTES 300000
#define LARGEST_STRIP 1024
#define SMALLEST_STRIP 64
#define CHECKED 512

typedef struct
{
  EskStream          *stream;
  const EskTile      *tile;
  const EskSelection *selection;
  EskNoiseKind        kind;
  EskNoisePart        part;
  EskMargin           need;    /* of the kind */
  size_t              left, top;   /* of the first pixel that has a residual */
  const EskTile      *out;
  const uint8_t      *out_valid;
  uint32_t           *overflow;
  EskType             type;    /* of what residuals are made of: the tile's, or ESK_U8 */
  EskCpuNoiseRow     *row;
} Noise;

/* --- what counts ---------------------------------------------------------------------------------------------- */

static void
mark_valid (const Noise   *noise,
            const uint8_t *valid,
            uint8_t       *out_valid)
{
  const size_t width = noise->tile->width;
  const EskMargin *need = &noise->need;

  for (size_t y = 0; y < noise->out->height; y++)
    {
      uint8_t *marks = out_valid + (ptrdiff_t) y * noise->out->row_stride;
      const uint8_t *at;

      memset (marks, 1, noise->out->width);
      if (valid == NULL)
        continue;
      at = valid + (noise->top + y) * width + noise->left;
      if (noise->kind == ESK_NOISE_LOWER_RIGHT)
        {
          for (size_t x = 0; x < noise->out->width; x++)
            marks[x] = (at[x] != 0) & (at[x + width + 1] != 0);
          continue;
        }
      for (size_t i = 0; i <= need->top + need->bottom; i++)
        for (size_t j = 0; j <= need->left + need->right; j++)
          {
            const uint8_t *from = at + (ptrdiff_t) ((i - need->top) * width + (j - need->left));

            for (size_t x = 0; x < noise->out->width; x++)
              marks[x] &= from[x] != 0;
          }
    }
}

/* --- one row -------------------------------------------------------------------------------------------------- */

/* Clamped residuals are at the ends of their range, as few others are: of those that count it is asked again. */
static bool
at_the_ends (const int16_t *r,
             const uint8_t *valid,
             size_t         n)
{
  uint8_t any = 0;

  if (valid == NULL)
    return true;
  for (size_t k = 0; k < n; k++)
    any |= ((r[k] == INT16_MAX) | (r[k] == INT16_MIN)) & valid[k];

  return any != 0;
}

static bool
does_not_fit (const Noise       *noise,
              const void *const  rows[3],
              const uint8_t     *valid,
              size_t             n)
{
  int16_t high[CHECKED], low[CHECKED];
  size_t size = esk_type_size (noise->type);

  for (size_t start = 0; start < n; start += CHECKED)
    {
      size_t length = n - start < CHECKED ? n - start : CHECKED;
      const void *part[3];

      for (int i = 0; i < 3; i++)
        part[i] = rows[i] != NULL ? (const char *) rows[i] + start * size : NULL;
      noise->row (noise->type, noise->kind, ESK_NOISE_HIGH, part, length, high);
      noise->row (noise->type, noise->kind, ESK_NOISE_LOW, part, length, low);
      for (size_t k = 0; k < length; k++)
        {
          int32_t r = 256 * high[k] + low[k];

          if ((r < INT16_MIN || r > INT16_MAX) && (valid == NULL || valid[start + k]))
            return true;
        }
    }

  return false;
}

/* n residuals of band b from (column, row) of `out` on. */
static void
make_row (const Noise       *noise,
          const void *const  rows[3],
          size_t             b,
          size_t             column,
          size_t             row,
          size_t             n)
{
  const EskTile *out = noise->out;
  ptrdiff_t at = (ptrdiff_t) column + (ptrdiff_t) row * out->row_stride;
  const uint8_t *valid = noise->out_valid != NULL ? noise->out_valid + at : NULL;
  void *target = (char *) out->data + (at + (ptrdiff_t) b * out->band_stride) * (ptrdiff_t) esk_type_size (out->type);

  if (noise->row (noise->type, noise->kind, noise->part, rows, n, target)
      && noise->overflow != NULL && *noise->overflow == 0 && at_the_ends (target, valid, n)
      && does_not_fit (noise, rows, valid, n))
    *noise->overflow = 1;
}

/* --- planes --------------------------------------------------------------------------------------------------- */

static bool
is_direct (const Noise *noise)
{
  const EskTile *tile = noise->tile;
  size_t size = esk_type_size (tile->type);

  return tile->column_stride == 1 && !(tile->byte_swapped && size > 1) && noise->selection->minimum == NULL
         && (uintptr_t) tile->data % size == 0;
}

static int
work_directly (const Noise *noise)
{
  const EskTile *tile = noise->tile;
  ptrdiff_t size = (ptrdiff_t) esk_type_size (tile->type);

  for (size_t b = 0; b < noise->selection->n_bands; b++)
    for (size_t y = 0; y < noise->out->height; y++)
      {
        const char *at = (const char *) tile->data
                         + ((ptrdiff_t) noise->left + (ptrdiff_t) (noise->top + y) * tile->row_stride
                            + (ptrdiff_t) noise->selection->bands[b] * tile->band_stride) * size;
        const void *rows[3] = { NULL, at, NULL };

        if (esk_is_cancelled (noise->stream->cancelled))
          return ESK_ERROR_CANCELLED;
        if (noise->need.top > 0)
          rows[0] = at - tile->row_stride * size;
        if (noise->need.bottom > 0)
          rows[2] = at + tile->row_stride * size;
        make_row (noise, rows, b, 0, y, noise->out->width);
      }

  return ESK_OK;
}

/* --- other tiles ---------------------------------------------------------------------------------------------- */

typedef struct
{
  size_t     n;                /* samples of a row, those beside the residuals' too */
  size_t     stride;           /* samples from band to band, read and kept */
  uint8_t   *rows;             /* three rows of all bands, row y in place y % 3 */
  uint8_t   *raw;              /* a row of all bands as stored, where it is quantised; else NULL */
  ptrdiff_t *offsets;
} Strip;

static bool
strip_init (Strip       *strip,
            const Noise *noise,
            size_t      *width)
{
  size_t size = esk_type_size (noise->tile->type), n_bands = noise->selection->n_bands, n_samples;
  size_t n = STRIP_BYTES / (3 * size) / n_bands / 16 * 16;
  bool quantises = noise->selection->minimum != NULL;

  n = n < SMALLEST_STRIP ? SMALLEST_STRIP : n > LARGEST_STRIP ? LARGEST_STRIP : n;
  if (n > noise->out->width)
    n = noise->out->width;
  *width = n;
  n += noise->need.left + noise->need.right;
  strip->stride = esk_cpu_stride (n, size);
  if (__builtin_mul_overflow (3 * n_bands, strip->stride, &n_samples))
    return false;
  strip->rows = esk_scratch_get (&noise->stream->panel, n_samples, esk_type_size (noise->type));
  strip->offsets = esk_scratch_get (&noise->stream->offsets, n, sizeof (ptrdiff_t));
  strip->raw = quantises ? esk_scratch_get (&noise->stream->raw, n_bands * strip->stride, size) : NULL;

  return strip->rows != NULL && strip->offsets != NULL && (!quantises || strip->raw != NULL);
}

static uint8_t *
strip_row (const Strip *strip,
           const Noise *noise,
           size_t       row)
{
  return strip->rows + row % 3 * noise->selection->n_bands * strip->stride * esk_type_size (noise->type);
}

/* Row `row` of the tile from `column` on, all bands, in native byte order. */
static void
read_row (Strip       *strip,
          const Noise *noise,
          size_t       column,
          size_t       row)
{
  const EskTile *tile = noise->tile;
  const EskSelection *selection = noise->selection;
  const EskCpuLoops *loops = noise->stream->loops;
  const uint32_t *bands = selection->bands;
  size_t size = esk_type_size (tile->type), n_bands = selection->n_bands;
  uint8_t *rows = strip_row (strip, noise, row), *to = strip->raw != NULL ? strip->raw : rows;
  const char *from = (const char *) tile->data + ((ptrdiff_t) column * tile->column_stride
                                                  + (ptrdiff_t) row * tile->row_stride) * (ptrdiff_t) size;

  if (tile->column_stride == 1)
    {
      for (size_t b = 0; b < n_bands; b++)
        memcpy (to + b * strip->stride * size, from + (ptrdiff_t) bands[b] * tile->band_stride * (ptrdiff_t) size,
                strip->n * size);
    }
  else
    {
      for (size_t k = 0; k < strip->n; k++)
        strip->offsets[k] = (ptrdiff_t) k * tile->column_stride;
      for (size_t first = 0, next; first < n_bands; first = next)
        {
          const char *samples = from + (ptrdiff_t) bands[first] * tile->band_stride * (ptrdiff_t) size;

          next = first + 1;
          if (tile->band_stride == 1)
            while (next < n_bands && bands[next] == bands[next - 1] + 1)
              next++;
          loops->transpose (size, samples, strip->offsets, strip->n, next - first, to + first * strip->stride * size,
                            strip->stride);
        }
    }
  if (tile->byte_swapped)
    for (size_t b = 0; b < n_bands; b++)
      loops->swap (size, to + b * strip->stride * size, strip->n);
  if (strip->raw != NULL)
    for (size_t b = 0; b < n_bands; b++)
      loops->quantise (tile->type, to + b * strip->stride * size, strip->n, selection->minimum[b],
                       selection->maximum[b], rows + b * strip->stride);
}

static int
work_in_strips (const Noise *noise)
{
  const EskMargin *need = &noise->need;
  size_t size = esk_type_size (noise->type), width;
  Strip strip;

  if (!strip_init (&strip, noise, &width))
    return ESK_ERROR_MEMORY;

  for (size_t column = 0; column < noise->out->width; column += width)
    {
      size_t n = noise->out->width - column < width ? noise->out->width - column : width;
      size_t read = noise->top - need->top;

      strip.n = n + need->left + need->right;
      for (size_t y = 0; y < noise->out->height; y++)
        {
          size_t row = noise->top + y;

          if (esk_is_cancelled (noise->stream->cancelled))
            return ESK_ERROR_CANCELLED;
          for (; read <= row + need->bottom; read++)
            read_row (&strip, noise, noise->left - need->left + column, read);
          for (size_t b = 0; b < noise->selection->n_bands; b++)
            {
              size_t at = (b * strip.stride + need->left) * size;
              const void *rows[3] = {
                need->top > 0 ? strip_row (&strip, noise, row - 1) + at : NULL,
                strip_row (&strip, noise, row) + at,
                need->bottom > 0 ? strip_row (&strip, noise, row + 1) + at : NULL
              };

              make_row (noise, rows, b, column, y, n);
            }
        }
    }

  return ESK_OK;
}

/* --- the hot spot --------------------------------------------------------------------------------------------- */

static bool
is_place (const EskTile *out,
          size_t         width,
          size_t         height,
          size_t         bands,
          EskType        type)
{
  ptrdiff_t span;

  if (out == NULL || out->data == NULL || out->byte_swapped || out->type != type || out->width != width
      || out->height != height || out->bands != bands || (width > 1 && out->column_stride != 1)
      || (uintptr_t) out->data % esk_type_size (type) != 0)
    return false;
  if (height > 1 && out->row_stride < (ptrdiff_t) width)
    return false;
  if (height > 1 && __builtin_mul_overflow ((ptrdiff_t) (height - 1), out->row_stride, &span))
    return false;
  span = height > 1 ? span + (ptrdiff_t) width : (ptrdiff_t) width;
  return bands == 1 || out->band_stride >= span;
}

int
esk_cpu_noise_residual (EskStream          *stream,
                        const EskTile      *tile,
                        const EskSelection *selection,
                        const uint8_t      *valid,
                        EskNoiseKind        kind,
                        EskNoisePart        part,
                        const EskMargin    *margin,
                        const EskTile      *out,
                        uint8_t            *out_valid,
                        uint32_t           *overflow)
{
  Noise noise;
  EskMargin need;
  bool exact;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;
  if (margin == NULL || (unsigned) kind >= ESK_N_NOISE_KINDS || (unsigned) part > ESK_NOISE_SUM
      || (valid != NULL && out_valid == NULL))
    return ESK_ERROR_ARGUMENT;
  need = esk_noise_margin (kind);
  exact = esk_type_is_exact (tile->type) || selection->minimum != NULL;
  if (margin->left < need.left || margin->top < need.top || margin->right < need.right
      || margin->bottom < need.bottom || margin->left >= tile->width || margin->right >= tile->width - margin->left
      || margin->top >= tile->height || margin->bottom >= tile->height - margin->top
      || (!exact && part != ESK_NOISE_WHOLE))
    return ESK_ERROR_ARGUMENT;
  if (!is_place (out, tile->width - margin->left - margin->right, tile->height - margin->top - margin->bottom,
                 selection->n_bands, exact ? ESK_I16 : ESK_F32))
    return ESK_ERROR_ARGUMENT;

  noise = (Noise) {
    .stream = stream,
    .tile = tile,
    .selection = selection,
    .kind = kind,
    .part = part,
    .need = need,
    .left = margin->left,
    .top = margin->top,
    .out = out,
    .out_valid = out_valid,
    .overflow = overflow,
    .type = selection->minimum != NULL ? ESK_U8 : tile->type,
    .row = esk_cpu_noise_row (stream),
  };
  if (out_valid != NULL)
    mark_valid (&noise, valid, out_valid);

  return is_direct (&noise) ? work_directly (&noise) : work_in_strips (&noise);
}
