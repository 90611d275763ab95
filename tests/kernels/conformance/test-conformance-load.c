/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles of every layout into planes, byte for byte, and the mask that comes with them. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

#include "../test-scene.h"

typedef enum
{
  HOST_BSQ,
  HOST_BIL,
  HOST_BIP,
  HOST_BSQ_WINDOW,             /* windows of something larger */
  HOST_BIL_WINDOW,
  HOST_BIP_WINDOW,
  HOST_BSQ_UPSIDE_DOWN,        /* negative row stride */
  HOST_BIP_UPSIDE_DOWN,
  HOST_MIRRORED,               /* rows and columns backwards */
  HOST_BANDS_BACKWARDS,
  HOST_COLUMN_MAJOR,           /* rows side by side, bands outside */
  HOST_COLUMN_BAND_ROW,        /* columns outside, rows side by side */
  HOST_COLUMN_ROW_BAND,
  HOST_GAPS,                   /* no stride is 1 */
  N_HOST_LAYOUTS
} HostLayout;

static const char * const layout_names[N_HOST_LAYOUTS] = {
  "BSQ", "BIL", "BIP", "BSQ window", "BIL window", "BIP window", "BSQ upside down", "BIP upside down", "mirrored",
  "bands backwards", "column-major", "column-band-row", "column-row-band", "gaps"
};

/* A tile of random bytes. */
typedef struct
{
  EskTile   tile;
  guint8   *buffer;
  gsize     bytes;
  gboolean  staging;
} HostTile;

static void
host_tile_new (HostTile  *host,
               EskType    type,
               size_t     width,
               size_t     height,
               size_t     bands,
               HostLayout layout,
               gboolean   swapped,
               gboolean   staging,
               guint64    seed)
{
  size_t size = esk_type_size (type), n_samples = width * height * bands, first = 0;
  ptrdiff_t w = (ptrdiff_t) width, h = (ptrdiff_t) height, n = (ptrdiff_t) bands;
  /* Of what a window is of. */
  ptrdiff_t wide = w + 13, high = h + 3;
  guint64 state = seed * 2 + 1;
  EskTile *tile = &host->tile;

  *tile = (EskTile) { NULL, type, swapped, width, height, bands, 1, w, w * h };
  switch (layout)
    {
    case HOST_BSQ: break;
    case HOST_BIL: tile->row_stride = w * n, tile->band_stride = w; break;
    case HOST_BIP: tile->column_stride = n, tile->row_stride = w * n, tile->band_stride = 1; break;
    case HOST_BSQ_WINDOW:
      tile->row_stride = wide, tile->band_stride = wide * high;
      n_samples = (size_t) (wide * high * n);
      first = (size_t) (wide + 5);
      break;
    case HOST_BIL_WINDOW:
      tile->row_stride = wide * n, tile->band_stride = wide;
      n_samples = (size_t) (wide * high * n);
      first = (size_t) (wide * n + 5);
      break;
    case HOST_BIP_WINDOW:
      tile->column_stride = n, tile->row_stride = wide * n, tile->band_stride = 1;
      n_samples = (size_t) (wide * high * n);
      first = (size_t) ((wide + 5) * n);
      break;
    case HOST_BSQ_UPSIDE_DOWN:
      tile->row_stride = -w;
      first = (size_t) (w * (h - 1));
      break;
    case HOST_BIP_UPSIDE_DOWN:
      tile->column_stride = n, tile->row_stride = -w * n, tile->band_stride = 1;
      first = (size_t) (w * n * (h - 1));
      break;
    case HOST_MIRRORED:
      tile->column_stride = -1, tile->row_stride = -w;
      first = width * height - 1;
      break;
    case HOST_BANDS_BACKWARDS:
      tile->column_stride = n, tile->row_stride = w * n, tile->band_stride = -1;
      first = bands - 1;
      break;
    case HOST_COLUMN_MAJOR: tile->column_stride = h, tile->row_stride = 1; break;
    case HOST_COLUMN_BAND_ROW: tile->column_stride = h * n, tile->band_stride = h, tile->row_stride = 1; break;
    case HOST_COLUMN_ROW_BAND: tile->column_stride = h * n, tile->row_stride = n, tile->band_stride = 1; break;
    default:
      tile->column_stride = 3, tile->row_stride = 3 * w + 5, tile->band_stride = (3 * w + 5) * h + 7;
      n_samples = (size_t) (tile->band_stride * n);
    }

  host->bytes = n_samples * size;
  host->staging = staging;
  host->buffer = staging ? conformance.table->device->staging_new (host->bytes) : g_malloc (host->bytes);
  g_assert_nonnull (host->buffer);
  for (gsize k = 0; k < host->bytes; k += 8)
    {
      guint64 x = random_next (&state);

      memcpy (host->buffer + k, &x, MIN (8, host->bytes - k));
    }
  tile->data = host->buffer + first * size;
}

static void
host_tile_clear (HostTile *host)
{
  if (host->staging)
    conformance.table->device->staging_free (host->buffer);
  else
    g_free (host->buffer);
}

static const guint8 *
host_sample (const HostTile *host,
             size_t          column,
             size_t          row,
             size_t          band)
{
  const EskTile *tile = &host->tile;
  ptrdiff_t at = (ptrdiff_t) column * tile->column_stride + (ptrdiff_t) row * tile->row_stride
                 + (ptrdiff_t) band * tile->band_stride;

  return (const guint8 *) tile->data + at * (ptrdiff_t) esk_type_size (tile->type);
}

static double
native_value (const HostTile *host,
              size_t          column,
              size_t          row,
              size_t          band)
{
  g_autofree double *pixel = g_new (double, host->tile.bands);

  esk_convert_pixel (&host->tile, column, row, pixel);
  return pixel[band];
}

/* Which bands: all; every second; here and there; the last. */
static uint32_t *
select_bands (size_t  n,
              guint   kind,
              size_t *n_selected)
{
  uint32_t *bands = g_new (uint32_t, n);
  guint64 state = 77;

  *n_selected = 0;
  for (size_t b = 0; b < n; b++)
    if (kind == 0 || (kind == 1 && b % 2 == 0) || (kind == 2 && random_next (&state) % 3 != 0)
        || (kind == 3 && b + 1 == n))
      bands[(*n_selected)++] = (uint32_t) b;
  if (*n_selected == 0)
    bands[(*n_selected)++] = (uint32_t) (n - 1);

  return bands;
}

static void
check_load (HostTile *host,
            guint     selected,
            Shape     shape,
            gboolean  with_valid,
            gboolean  with_no_data)
{
  const EskHotspots *table = conformance.table;
  const EskTile *tile = &host->tile;
  size_t size = esk_type_size (tile->type), n, width = tile->width, height = tile->height;
  g_autofree uint32_t *bands = select_bands (tile->bands, selected, &n);
  g_autofree double *no_data = g_new (double, n);
  EskSelection selection = { bands, n, with_no_data ? no_data : NULL };
  EskTile planes = { NULL, tile->type, false, width, height, n, 1, (ptrdiff_t) width,
                     (ptrdiff_t) (width * height) };
  g_autofree guint8 *got = NULL, *expected = NULL;
  CardBuffer buffer, mask = { NULL };
  gsize misaligned = 0, n_mask;
  int code;

  if (shape == SHAPE_ALIGNED)
    {
      planes.band_stride = (planes.band_stride + 127) / 128 * 128;
    }
  else if (shape == SHAPE_PADDED)
    {
      planes.row_stride += 5;
      planes.band_stride = planes.row_stride * (ptrdiff_t) (height + 2);
      misaligned = 3 * size;
    }
  for (size_t b = 0; b < n; b++)
    no_data[b] = b % 3 == 2 ? NAN : native_value (host, (b * 7) % width, (b * 5) % height, bands[b]);

  if (!card_new (&buffer, ((n - 1) * (size_t) planes.band_stride + (height - 1) * (size_t) planes.row_stride + width)
                          * size, misaligned))
    return;
  n_mask = (height - 1) * (size_t) planes.row_stride + width;
  if (with_valid && !card_new (&mask, n_mask, misaligned % 16))
    return;
  planes.data = buffer.data;
  code = table->device->load (conformance.stream, tile, &selection, &planes, with_valid ? mask.data : NULL);
  if (conformance_expect ("load", code, ESK_OK)
      && conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK))
    {
      got = card_get (&buffer);
      expected = g_malloc (buffer.size);
      memset (expected, POISON, buffer.size);
      for (size_t b = 0; b < n; b++)
        for (size_t y = 0; y < height; y++)
          {
            guint8 *to = expected + (b * (size_t) planes.band_stride + y * (size_t) planes.row_stride) * size;
            const guint8 *from = host_sample (host, 0, y, bands[b]);
            ptrdiff_t step = tile->column_stride * (ptrdiff_t) size;

            for (size_t x = 0; x < width; x++, to += size, from += step)
              if (!tile->byte_swapped)
                memcpy (to, from, size);
              else
                for (size_t k = 0; k < size; k++)
                  to[k] = from[size - 1 - k];
          }
      if (memcmp (got, expected, buffer.size) != 0)
        for (gsize k = 0; k < buffer.size; k++)
          if (got[k] != expected[k])
            {
              size_t at = k / size;

              conformance_fail ("band %zu, row %zu, column %zu, byte %zu is %02x, not %02x",
                                at / (size_t) planes.band_stride,
                                at % (size_t) planes.band_stride / (size_t) planes.row_stride,
                                at % (size_t) planes.band_stride % (size_t) planes.row_stride, k % size, got[k],
                                expected[k]);
              break;
            }
    }
  if (with_valid)
    {
      g_autofree guint8 *marks = card_get (&mask), *packed = g_malloc (width * height), *rows = g_malloc (n_mask);
      size_t n_valid;

      memset (packed, 1, width * height);
      memset (rows, POISON, n_mask);
      g_assert_cmpint (conformance.cpu->cube->valid_pixels (conformance.cpu_stream, tile, &selection, packed, &n_valid),
                       ==, ESK_OK);
      for (size_t y = 0; y < height; y++)
        memcpy (rows + y * (size_t) planes.row_stride, packed + y * width, width);
      for (gsize k = 0; k < n_mask; k++)
        if (marks[k] != rows[k])
          {
            conformance_fail ("the mask of row %zu, column %zu is %02x, not %02x", k / (size_t) planes.row_stride,
                              k % (size_t) planes.row_stride, marks[k], rows[k]);
            break;
          }
      card_free (&mask);
    }
  card_free (&buffer);
}

static void
try_load (EskType    type,
          size_t     width,
          size_t     height,
          size_t     bands,
          HostLayout layout,
          guint      k)
{
  gboolean swapped = k % 2, staging = k % 5 == 0;
  guint selected = k / 3 % 4, shape = k / 2 % N_SHAPES;
  HostTile host;

  conformance_case ("%s %zux%zux%zu %s%s%s, selection %u, shape %u", esk_type_name (type), width, height, bands,
                    layout_names[layout], swapped ? ", other byte order" : "", staging ? ", page-locked" : "",
                    selected, shape);
  host_tile_new (&host, type, width, height, bands, layout, swapped, staging, k);
  check_load (&host, selected, shape, k % 3 != 0, k % 4 != 0);
  host_tile_clear (&host);
}

static void
test_load_layouts (void)
{
  guint k = 0;

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_HOST_LAYOUTS; layout++)
      for (guint turn = 0; turn < (conformance.quick ? 1 : 6); turn++)
        try_load (type, turn % 2 ? 67 : 150, conformance.quick ? 3 : 9, turn < 2 ? 35 : 70, layout, k++ * 7 + turn);
}

static void
test_load_sizes (void)
{
  size_t n;
  const ConformanceSize *sizes = conformance_sizes (&n);
  guint k = 0;

  for (size_t s = 0; s < n; s++)
    for (guint layout = 0; layout < N_HOST_LAYOUTS; layout++, k++)
      {
        size_t samples = sizes[s].width * sizes[s].height * sizes[s].bands;
        EskType type = (k / 3 + layout) % ESK_N_TYPES;

        if (samples > 2000000 && (k + s) % 5 != 0)
          continue;
        try_load (type, sizes[s].width, sizes[s].height, sizes[s].bands, layout, k);
      }
}

static void
test_load_bad (void)
{
  const EskHotspots *table = conformance.table;
  uint32_t bands[] = { 0, 2, 1 };
  EskSelection selection = { bands, 2 };
  HostTile host;
  CardBuffer buffer;
  EskTile planes;

  conformance_case ("tiles that cannot be right");
  if (conformance.fake)
    return;
  host_tile_new (&host, ESK_I16, 20, 10, 3, HOST_BIP, FALSE, FALSE, 1);
  card_new (&buffer, 20 * 10 * 3 * 2, 0);
  planes = (EskTile) { buffer.data, ESK_I16, false, 20, 10, 2, 1, 20, 200 };
#define REFUSED(change, what)                                                                                    \
  G_STMT_START                                                                                                   \
    {                                                                                                            \
      EskTile tile_before = host.tile, planes_before = planes;                                                   \
      EskSelection selection_before = selection;                                                                 \
                                                                                                                 \
      change;                                                                                                    \
      conformance_expect (what, table->device->load (conformance.stream, &host.tile, &selection, &planes, NULL), \
                          ESK_ERROR_ARGUMENT);                                                                   \
      host.tile = tile_before;                                                                                   \
      planes = planes_before;                                                                                    \
      selection = selection_before;                                                                              \
    }                                                                                                            \
  G_STMT_END
  REFUSED (selection.n_bands = 0, "no bands");
  REFUSED (selection.n_bands = 3, "bands that do not ascend");
  REFUSED (host.tile.bands = 2, "a band that there is not");
  REFUSED (planes.width = 19, "planes of another width");
  REFUSED (planes.type = ESK_U16, "planes of another type");
  REFUSED (planes.bands = 1, "planes of another number of bands");
  REFUSED (planes.row_stride = 19, "rows that overlap");
  REFUSED (planes.band_stride = 199, "bands that overlap");
  REFUSED (planes.column_stride = 2, "columns apart");
  REFUSED (planes.byte_swapped = true, "planes in the other byte order");
  REFUSED (planes.data = buffer.data + 1, "planes at an odd address");
  REFUSED (planes.data = NULL, "no planes");
  REFUSED (host.tile.data = NULL, "no tile");
  REFUSED (host.tile.width = 0; planes.width = 0, "no columns");
#undef REFUSED
  conformance_expect ("load", table->device->load (conformance.stream, &host.tile, &selection, &planes, NULL), ESK_OK);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
  card_free (&buffer);
  host_tile_clear (&host);
}

void
conformance_add_load (void)
{
  conformance_add ("load/bad", test_load_bad);
  conformance_add ("load/layouts", test_load_layouts);
  conformance_add ("load/sizes", test_load_sizes);
}
