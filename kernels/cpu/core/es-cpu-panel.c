/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles of any layout, cut into panels of valid pixels: one contiguous row a band, native byte order. */

#include "es-cpu-internal.h"

#include <limits.h>
#include <string.h>

/* A panel's share of the second-level cache (half a mebibyte on the machines meant here). */
#define PANEL_BYTES 460000
#define LARGEST_CAPACITY 2048
#define SMALLEST_CAPACITY 128
/* Bytes of a band in a panel: what is left of shorter ones is added up too often. */
#define SHORTEST_ROW 1024
#define GROUPED_ROW 4096
/* Runs shorter than this are cheaper to copy sample by sample. */
#define SHORT_RUN 12

int
esk_cpu_check (EskStream          *stream,
               const EskTile      *tile,
               const EskSelection *selection)
{
  size_t n_pixels;

  if (stream == NULL || tile == NULL || selection == NULL || tile->data == NULL || selection->bands == NULL)
    return ESK_ERROR_ARGUMENT;
  if (esk_type_size (tile->type) == 0 || tile->width == 0 || tile->height == 0 || tile->bands == 0
      || __builtin_mul_overflow (tile->width, tile->height, &n_pixels) || n_pixels > PTRDIFF_MAX)
    return ESK_ERROR_ARGUMENT;
  if (selection->n_bands == 0 || selection->n_bands > INT_MAX / 2
      || (selection->minimum == NULL) != (selection->maximum == NULL))
    return ESK_ERROR_ARGUMENT;
  for (size_t b = 0; b < selection->n_bands; b++)
    if (selection->bands[b] >= tile->bands || (b > 0 && selection->bands[b] <= selection->bands[b - 1]))
      return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

size_t
esk_cpu_capacity (size_t n_bands,
                  size_t size)
{
  size_t capacity = PANEL_BYTES / size / n_bands / 64 * 64;

  if (capacity < SMALLEST_CAPACITY)
    return SMALLEST_CAPACITY;
  return capacity > LARGEST_CAPACITY ? LARGEST_CAPACITY : capacity;
}

size_t
esk_products_capacity (const EskCpuProducts *products,
                       size_t                n_bands,
                       size_t                size)
{
  size_t capacity = PANEL_BYTES / size / n_bands / ESK_PRODUCT_ROUND * ESK_PRODUCT_ROUND;

  if (products->long_rows || capacity * size < SHORTEST_ROW)
    return GROUPED_ROW / size;
  return capacity > LARGEST_CAPACITY ? LARGEST_CAPACITY : capacity;
}

size_t
esk_cpu_stride (size_t capacity,
                size_t size)
{
  size_t lines = esk_round_up (capacity * size, ESK_PANEL_ALIGNMENT) / ESK_PANEL_ALIGNMENT;

  /* An odd number of cache lines. */
  return (lines | 1) * ESK_PANEL_ALIGNMENT / size;
}

int
esk_panel_start (EskPanelReader     *reader,
                 EskStream          *stream,
                 const EskTile      *tile,
                 const EskSelection *selection,
                 const uint8_t      *valid,
                 size_t              capacity)
{
  size_t n_samples;

  memset (reader, 0, sizeof *reader);
  reader->stream = stream;
  reader->tile = *tile;
  reader->selection = selection;
  reader->valid = valid;
  reader->n_pixels = tile->width * tile->height;
  reader->element_size = esk_type_size (tile->type);
  reader->capacity = capacity;
  reader->stride = esk_cpu_stride (capacity, reader->element_size);

  /* Where one row follows the other, the tile is one long row. */
  if (tile->height == 1 || tile->row_stride == (ptrdiff_t) tile->width * tile->column_stride)
    {
      reader->tile.width = reader->n_pixels;
      reader->tile.height = 1;
    }

  if (__builtin_mul_overflow (selection->n_bands, reader->stride, &n_samples))
    return ESK_ERROR_MEMORY;
  reader->raw = esk_scratch_get (&stream->raw, n_samples, reader->element_size);
  reader->rows = esk_scratch_get (&stream->rows, selection->n_bands, sizeof (void *));
  reader->runs = esk_scratch_get (&stream->runs, capacity, sizeof (EskRun));
  reader->offsets = esk_scratch_get (&stream->offsets, capacity, sizeof (ptrdiff_t));
  if (reader->raw == NULL || reader->rows == NULL || reader->runs == NULL || reader->offsets == NULL)
    return ESK_ERROR_MEMORY;

  return ESK_OK;
}

/* The next valid pixels, at most capacity of them; returns how many. */
static size_t
find_runs (EskPanelReader *reader,
           size_t         *n_runs)
{
  const EskTile *tile = &reader->tile;
  size_t n_pixels = 0;

  *n_runs = 0;
  while (n_pixels < reader->capacity && reader->row < tile->height)
    {
      size_t pixel = reader->row * tile->width + reader->column;
      size_t end = reader->column + (reader->capacity - n_pixels);
      size_t column = reader->column;
      size_t start;

      if (end > tile->width)
        end = tile->width;
      if (reader->valid != NULL)
        {
          const uint8_t *valid = reader->valid + reader->row * tile->width;

          while (column < tile->width && !valid[column])
            column++;
          pixel += column - reader->column;
          end = tile->width - column < reader->capacity - n_pixels ? tile->width
                                                                   : column + (reader->capacity - n_pixels);
          start = column;
          while (column < end && valid[column])
            column++;
        }
      else
        {
          start = column;
          column = end;
        }

      if (column > start)
        {
          reader->runs[*n_runs] = (EskRun) {
            pixel, column - start,
            (ptrdiff_t) start * tile->column_stride + (ptrdiff_t) reader->row * tile->row_stride
          };
          n_pixels += column - start;
          ++*n_runs;
        }
      reader->column = column;
      if (column == tile->width)
        {
          reader->column = 0;
          reader->row++;
        }
    }

  return n_pixels;
}

static void
fill_offsets (EskPanelReader *reader,
              size_t          n_runs)
{
  ptrdiff_t *offsets = reader->offsets;

  for (size_t r = 0; r < n_runs; r++)
    for (size_t k = 0; k < reader->runs[r].length; k++)
      *offsets++ = reader->runs[r].offset + (ptrdiff_t) k * reader->tile.column_stride;
}

static const uint8_t *
sample_at (const EskPanelReader *reader,
           ptrdiff_t             offset)
{
  return (const uint8_t *) reader->tile.data + offset * (ptrdiff_t) reader->element_size;
}

static void
copy_runs (EskPanelReader *reader,
           size_t          n_runs,
           ptrdiff_t       band_offset,
           uint8_t        *out)
{
  for (size_t r = 0; r < n_runs; r++)
    {
      size_t bytes = reader->runs[r].length * reader->element_size;

      memcpy (out, sample_at (reader, reader->runs[r].offset + band_offset), bytes);
      out += bytes;
    }
}

/* Bands beside each other in the file are turned into rows together. */
static void
transpose_bands (EskPanelReader *reader,
                 size_t          n_pixels)
{
  const uint32_t *bands = reader->selection->bands;
  size_t n_bands = reader->selection->n_bands;

  for (size_t first = 0, next; first < n_bands; first = next)
    {
      for (next = first + 1; next < n_bands && bands[next] == bands[next - 1] + 1; next++)
        ;
      reader->stream->loops->transpose (reader->element_size, sample_at (reader, (ptrdiff_t) bands[first]),
                                        reader->offsets, n_pixels, next - first,
                                        reader->raw + first * reader->stride * reader->element_size,
                                        reader->stride);
    }
}

bool
esk_panel_next (EskPanelReader *reader,
                EskPanel       *panel)
{
  const EskTile *tile = &reader->tile;
  const EskCpuLoops *loops = reader->stream->loops;
  size_t n_bands = reader->selection->n_bands, size = reader->element_size;
  size_t n_runs, n_pixels;

  if (esk_is_cancelled (reader->stream->cancelled))
    {
      reader->code = ESK_ERROR_CANCELLED;
      return false;
    }
  n_pixels = find_runs (reader, &n_runs);
  if (n_pixels == 0)
    return false;

  if (tile->column_stride == 1 && n_runs == 1 && !(tile->byte_swapped && size > 1)
      && (uintptr_t) tile->data % size == 0)
    {
      for (size_t b = 0; b < n_bands; b++)
        reader->rows[b] = sample_at (reader, reader->runs[0].offset
                                             + (ptrdiff_t) reader->selection->bands[b] * tile->band_stride);
    }
  else
    {
      bool by_run = tile->column_stride == 1 && n_pixels >= n_runs * SHORT_RUN;
      bool transposed = !by_run && tile->band_stride == 1;

      if (!by_run)
        fill_offsets (reader, n_runs);
      if (transposed)
        transpose_bands (reader, n_pixels);
      for (size_t b = 0; b < n_bands; b++)
        {
          ptrdiff_t band_offset = (ptrdiff_t) reader->selection->bands[b] * tile->band_stride;
          uint8_t *row = reader->raw + b * reader->stride * size;

          if (by_run)
            copy_runs (reader, n_runs, band_offset, row);
          else if (!transposed)
            loops->gather (size, sample_at (reader, band_offset), reader->offsets, n_pixels, row);
          if (tile->byte_swapped)
            loops->swap (size, row, n_pixels);
          reader->rows[b] = row;
        }
    }

  *panel = (EskPanel) {
    .type = tile->type,
    .n_pixels = n_pixels,
    .rows = (const void * const *) reader->rows,
    .runs = reader->runs,
    .n_runs = n_runs,
  };

  return true;
}
