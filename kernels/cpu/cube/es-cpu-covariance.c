/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sums for a covariance (DESIGN section 4): exact integers for 8- and 16-bit samples, float32 products inside runs
 * of a few hundred samples for float32, float64 for the rest.
 */

#include "es-cpu-cube-private.h"
#include "cpu/core/es-cpu-products-internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * 16-bit samples are multiplied less an offset a band, near the middle of their range, so that more products fit an
 * int32. The offsets hold for an epoch: until a panel comes that they suit badly. Then, and at the end of the tile,
 * x = y + offset is put back exactly:
 *   sum x_i x_j = sum y_i y_j + offset_i sum y_j + offset_j sum y_i + count offset_i offset_j
 */
typedef struct
{
  int64_t  count;
  int64_t *sum;                /* of y */
  int32_t *offset;
  int32_t *magnitude;          /* largest |y| of the panel */
  int32_t *minimum, *maximum;  /* of x in the panel */
  int64_t *panel_sum;          /* of x in the panel */
} Epoch;

static bool
epoch_init (Epoch     *epoch,
            EskStream *stream,
            size_t     n)
{
  const size_t size = 2 * sizeof (int64_t) + 4 * sizeof (int32_t);
  int64_t *data = esk_scratch_get (&stream->state, n, size);

  if (data == NULL)
    return false;
  memset (data, 0, n * size);
  epoch->count = 0;
  epoch->sum = data;
  epoch->panel_sum = data + n;
  epoch->offset = (int32_t *) (data + 2 * n);
  epoch->magnitude = epoch->offset + n;
  epoch->minimum = epoch->magnitude + n;
  epoch->maximum = epoch->minimum + n;

  return true;
}

/* Totals wrap around and come back: only the last value has to fit. */
static void
epoch_close (Epoch         *epoch,
             EskCovariance *covariance)
{
  size_t n = covariance->n_bands;
  uint64_t count = (uint64_t) epoch->count;

  for (size_t i = 0; i < n; i++)
    {
      uint64_t offset = (uint64_t) (int64_t) epoch->offset[i];
      uint64_t sum = (uint64_t) epoch->sum[i];
      uint64_t sum_x = sum + count * offset;
      int64_t *product = covariance->integer_product + i * n;

      for (size_t j = 0; j <= i; j++)
        product[j] = (int64_t) ((uint64_t) product[j] + offset * (uint64_t) epoch->sum[j]
                                + (uint64_t) (int64_t) epoch->offset[j] * sum_x);
      covariance->integer_sum[i] = (int64_t) ((uint64_t) covariance->integer_sum[i] + sum_x);
    }

  epoch->count = 0;
  memset (epoch->sum, 0, n * sizeof (int64_t));
}

static int32_t
largest_magnitude (int32_t minimum,
                   int32_t maximum,
                   int32_t offset)
{
  int32_t below = offset - minimum, above = maximum - offset;

  return below > above ? below : above;
}

/* x - offset must fit an int16; and the offsets should not make runs much shorter than the panel's own would. */
static bool
epoch_suits (const Epoch *epoch,
             size_t       n)
{
  int32_t largest = 0, largest_own = 0;

  for (size_t b = 0; b < n; b++)
    {
      int32_t minimum = epoch->minimum[b] - epoch->offset[b], maximum = epoch->maximum[b] - epoch->offset[b];
      int32_t magnitude = largest_magnitude (minimum, maximum, 0);
      int32_t own = (epoch->maximum[b] - epoch->minimum[b] + 1) / 2;

      if (minimum < INT16_MIN || maximum > INT16_MAX)
        return false;
      largest = magnitude > largest ? magnitude : largest;
      largest_own = own > largest_own ? own : largest_own;
    }

  return largest <= 4096 || largest <= 2 * largest_own;
}

static void
pad_with_zeros (void   *row,
                size_t  size,
                size_t  used,
                size_t  count)
{
  memset ((char *) row + used * size, 0, (count - used) * size);
}

static void
add_panel_16 (EskStream      *stream,
              const EskPanel *panel,
              Epoch          *epoch,
              int16_t        *values,
              size_t          stride,
              void           *scratch,
              EskCovariance  *covariance)
{
  const EskCpuLoops *loops = stream->loops;
  size_t n = covariance->n_bands, count = esk_round_up (panel->n_pixels, ESK_PRODUCT_ROUND);

  for (size_t b = 0; b < n; b++)
    loops->range_16 (panel->type, panel->rows[b], panel->n_pixels, &epoch->minimum[b], &epoch->maximum[b],
                     &epoch->panel_sum[b]);

  if (epoch->count == 0 || !epoch_suits (epoch, n))
    {
      if (epoch->count > 0)
        epoch_close (epoch, covariance);
      /* Upwards: minimum - offset is then never below -32768, nor maximum - offset above 32767. */
      for (size_t b = 0; b < n; b++)
        epoch->offset[b] = epoch->minimum[b] + (epoch->maximum[b] - epoch->minimum[b] + 1) / 2;
    }

  for (size_t b = 0; b < n; b++)
    {
      int16_t *row = values + b * stride;

      loops->offset_16 (panel->rows[b], panel->n_pixels, epoch->offset[b], row);
      pad_with_zeros (row, sizeof *row, panel->n_pixels, count);
      epoch->magnitude[b] = largest_magnitude (epoch->minimum[b], epoch->maximum[b], epoch->offset[b]);
      epoch->sum[b] += epoch->panel_sum[b] - (int64_t) epoch->offset[b] * (int64_t) panel->n_pixels;
    }
  epoch->count += (int64_t) panel->n_pixels;

  loops->products->i16 (n, values, stride, count, epoch->magnitude, covariance->integer_product, scratch);
}

/* 8-bit samples, stored or quantised; the epoch's offsets stay zero. */
static void
add_panel_8 (EskStream      *stream,
             const EskPanel *panel,
             EskType         type,
             const uint8_t  *quantised,
             size_t          quantised_stride,
             Epoch          *epoch,
             int16_t        *values,
             size_t          stride,
             void           *scratch,
             EskCovariance  *covariance)
{
  const EskCpuLoops *loops = stream->loops;
  size_t n = covariance->n_bands, count = esk_round_up (panel->n_pixels, ESK_PRODUCT_ROUND);

  for (size_t b = 0; b < n; b++)
    {
      const void *samples = quantised != NULL ? quantised + b * quantised_stride : panel->rows[b];
      int16_t *row = values + b * stride;

      loops->widen_8 (type, samples, panel->n_pixels, row, &epoch->panel_sum[b]);
      pad_with_zeros (row, sizeof *row, panel->n_pixels, count);
      epoch->magnitude[b] = UINT8_MAX;
      covariance->integer_sum[b] += epoch->panel_sum[b];
    }

  loops->products->i16 (n, values, stride, count, epoch->magnitude, covariance->integer_product, scratch);
}

/* 8-bit samples where bytes are multiplied by bytes, one without a sign and one with. With u the one and s = u - 128
 * the other, sum u u = sum u s + 128 sum u, and sum s s = sum u s - 128 sum s. Zeros behind the last add nothing. */
static void
add_panel_bytes (EskStream      *stream,
                 const EskPanel *panel,
                 EskType         type,
                 const uint8_t  *quantised,
                 size_t          quantised_stride,
                 Epoch          *epoch,
                 uint8_t        *values,
                 size_t          step,
                 size_t          flipped,
                 EskCovariance  *covariance)
{
  const EskCpuLoops *loops = stream->loops;
  size_t n = covariance->n_bands, count = esk_round_up (panel->n_pixels, ESK_PRODUCT_ROUND);
  size_t as_it_is = type == ESK_U8 ? 0 : flipped, other = type == ESK_U8 ? flipped : 0;

  for (size_t b = 0; b < n; b++)
    {
      const void *samples = quantised != NULL ? quantised + b * quantised_stride : panel->rows[b];
      uint8_t *row = values + b * step;

      memcpy (row + as_it_is, samples, panel->n_pixels);
      loops->flip_8 (type, samples, panel->n_pixels, row + other, &epoch->panel_sum[b]);
      pad_with_zeros (row, 1, panel->n_pixels, count);
      pad_with_zeros (row + flipped, 1, panel->n_pixels, count);
      covariance->integer_sum[b] += epoch->panel_sum[b];
    }

  loops->products->bytes (n, values, step, flipped, count, epoch->panel_sum, type == ESK_U8 ? 128 : 0,
                          type == ESK_U8 ? 0 : -128, covariance->integer_product);
}

static void
add_panel_float (EskStream      *stream,
                 const EskPanel *panel,
                 EskType         type,
                 const uint8_t  *quantised,
                 size_t          quantised_stride,
                 bool            single,
                 void           *values,
                 size_t          stride,
                 void           *scratch,
                 EskCovariance  *covariance)
{
  const EskCpuLoops *loops = stream->loops;
  size_t n = covariance->n_bands, count = esk_round_up (panel->n_pixels, ESK_PRODUCT_ROUND);
  float *floats = values;
  double *doubles = values;

  for (size_t b = 0; b < n; b++)
    {
      const void *samples = quantised != NULL ? quantised + b * quantised_stride : panel->rows[b];
      double sum;

      if (single)
        {
          loops->to_float (type, samples, panel->n_pixels, covariance->shift[b], floats + b * stride, &sum);
          pad_with_zeros (floats + b * stride, sizeof *floats, panel->n_pixels, count);
        }
      else
        {
          loops->to_double (type, samples, panel->n_pixels, covariance->shift[b], doubles + b * stride, &sum);
          pad_with_zeros (doubles + b * stride, sizeof *doubles, panel->n_pixels, count);
        }
      covariance->sum[b] += sum;
    }

  if (single)
    loops->products->f32 (n, floats, stride, count, covariance->product, scratch);
  else
    loops->products->f64 (n, doubles, stride, count, covariance->product, scratch);
}

/* False where the integer totals could no longer be told to fit 64 bits. */
static bool
totals_fit (const EskCovariance *covariance,
            size_t               n_pixels,
            bool                 eight_bits)
{
  const uint64_t square = eight_bits ? 255 * 255 : (uint64_t) 65535 * 65535;

  return covariance->count >= 0 && (uint64_t) covariance->count + n_pixels <= (uint64_t) INT64_MAX / square;
}

int
esk_cpu_covariance_sums (EskStream          *stream,
                         const EskTile      *tile,
                         const EskSelection *selection,
                         const uint8_t      *valid,
                         EskCovariance      *covariance)
{
  EskPanelReader reader;
  EskPanel panel;
  Epoch epoch;
  size_t n, n_rows, capacity, stride, value_size, quantised_stride = 0;
  uint8_t *quantised = NULL;
  void *values, *scratch = NULL;
  bool quantising, eight_bits, bytes, single;
  EskType type;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;

  quantising = selection->minimum != NULL;
  type = quantising ? ESK_U8 : tile->type;
  eight_bits = type == ESK_U8 || type == ESK_I8;
  n = selection->n_bands;
  if (covariance == NULL || covariance->n_bands != n || (covariance->exact && !esk_type_is_exact (type)))
    return ESK_ERROR_ARGUMENT;
  single = (type == ESK_F32 || esk_type_is_exact (type)) && !covariance->precise;
  if (covariance->exact && !totals_fit (covariance, tile->width * tile->height, eight_bits))
    return ESK_ERROR_ARGUMENT;

  value_size = covariance->exact ? sizeof (int16_t) : single ? sizeof (float) : sizeof (double);
  bytes = covariance->exact && eight_bits && stream->loops->products->bytes != NULL;
  /* Of bytes there are two, the sample and the other factor, in the place of an int16. */
  capacity = esk_products_capacity (stream->loops->products, n, value_size);
  stride = esk_cpu_stride (capacity, value_size);
  n_rows = esk_round_up (n, ESK_BAND_BLOCK);

  code = esk_panel_start (&reader, stream, tile, selection, valid, capacity);
  if (code != ESK_OK)
    return code;
  if (n_rows > SIZE_MAX / stride / value_size)
    return ESK_ERROR_MEMORY;
  values = esk_scratch_get (&stream->panel, n_rows * stride, value_size);
  if (values == NULL || !epoch_init (&epoch, stream, n))
    return ESK_ERROR_MEMORY;
  /* The rows that only fill up the last block. */
  memset ((char *) values + n * stride * value_size, 0, (n_rows - n) * stride * value_size);
  if (covariance->exact ? !eight_bits : stream->loops->products->float_room)
    {
      size_t band_room = covariance->exact ? esk_halves_step (esk_halves_stride (capacity)) : n * value_size;

      scratch = esk_scratch_get (&stream->products, n_rows, band_room);
      if (scratch == NULL)
        return ESK_ERROR_MEMORY;
    }
  if (quantising)
    {
      quantised_stride = esk_cpu_stride (capacity, 1);
      quantised = esk_scratch_get (&stream->quantised, n, quantised_stride);
      if (quantised == NULL)
        return ESK_ERROR_MEMORY;
    }

  while (esk_panel_next (&reader, &panel))
    {
      if (quantising)
        for (size_t b = 0; b < n; b++)
          stream->loops->quantise (panel.type, panel.rows[b], panel.n_pixels, selection->minimum[b],
                                   selection->maximum[b], quantised + b * quantised_stride);

      if (!covariance->exact)
        add_panel_float (stream, &panel, type, quantised, quantised_stride, single, values, stride, scratch,
                         covariance);
      else if (bytes)
        add_panel_bytes (stream, &panel, type, quantised, quantised_stride, &epoch, values, stride * value_size,
                         capacity, covariance);
      else if (eight_bits)
        add_panel_8 (stream, &panel, type, quantised, quantised_stride, &epoch, values, stride, scratch, covariance);
      else
        add_panel_16 (stream, &panel, &epoch, values, stride, scratch, covariance);
      covariance->count += (int64_t) panel.n_pixels;
    }
  if (covariance->exact && epoch.count > 0)
    epoch_close (&epoch, covariance);

  return reader.code;
}
