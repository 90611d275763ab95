/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How a back end behaves over a series of hot spots: the same bytes every time, whatever the tiles where that is
 * promised, from two threads at once, without memory, and when the device goes.
 */

#include "test-conformance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_THREADS 3
#define ROWS 5

/* A tile on the host, interleaved by pixel, and what is computed of it. */
typedef struct
{
  EskTile       tile;
  void         *samples;
  uint32_t     *bands;
  double       *shift;
  EskSelection  selection;
} Work;

static void
work_init (Work    *work,
           EskType  type,
           size_t   width,
           size_t   height,
           size_t   bands,
           guint64  seed)
{
  size_t n = width * height * bands;
  guint64 state = seed * 2 + 1;

  work->samples = g_malloc (n * esk_type_size (type));
  for (size_t k = 0; k < n; k++)
    {
      double x = random_unit (&state);

      if (type == ESK_F32)
        ((float *) work->samples)[k] = (float) (x * 100.0);
      else
        ((int16_t *) work->samples)[k] = (int16_t) (x * 60000.0 - 30000.0);
    }
  work->tile = (EskTile) { work->samples, type, false, width, height, bands, (ptrdiff_t) bands,
                           (ptrdiff_t) (bands * width), 1 };
  work->bands = g_new (uint32_t, bands);
  work->shift = g_new (double, bands);
  for (size_t b = 0; b < bands; b++)
    {
      work->bands[b] = (uint32_t) b;
      work->shift[b] = type == ESK_F32 ? 49.0 : 10.0;
    }
  work->selection = (EskSelection) { work->bands, bands };
}

static void
work_clear (Work *work)
{
  g_free (work->samples);
  g_free (work->bands);
  g_free (work->shift);
}

/* Everything that is computed of a tile, appended to `out`. The first code that is not ESK_OK ends it. */
static int
run_series (const Work *work,
            EskStream  *stream,
            GByteArray *out)
{
  const EskHotspots *table = conformance.table;
  const EskTile *tile = &work->tile;
  size_t n = tile->bands, n_pixels = tile->width * tile->height, stride = (n_pixels + 127) / 128 * 128;
  size_t size = esk_type_size (tile->type);
  EskTile planes = { NULL, tile->type, false, tile->width, tile->height, n, 1, (ptrdiff_t) tile->width,
                     (ptrdiff_t) stride };
  void *memory = table->device->memory_new (conformance.device, stride * n * size);
  uint8_t *valid = table->device->memory_new (conformance.device, stride);
  float *components = table->device->memory_new (conformance.device, ROWS * stride * sizeof (float));
  g_autofree double *sums = g_new0 (double, n);
  g_autofree float *basis_values = g_new (float, ROWS * n), *result = g_new0 (float, ROWS * n_pixels);
  EskMatrix basis = { ROWS, n, basis_values };
  EskPlaneStatistics statistics;
  EskCovariance covariance = { 0 };
  bool exact = esk_type_is_exact (tile->type);
  size_t n_valid = 0;
  int64_t count = 0;
  int code = memory == NULL || valid == NULL || components == NULL ? ESK_ERROR_MEMORY : ESK_OK;

  for (size_t k = 0; k < ROWS * n; k++)
    basis_values[k] = (float) sin ((double) k);
  planes.data = memory;
  memset (&statistics, 0, sizeof statistics);

  if (code == ESK_OK)
    code = table->device->load (stream, tile, &work->selection, &planes, valid);
  if (code == ESK_OK)
    code = table->device->wait (stream);
  if (code == ESK_OK)
    code = table->cube->valid_pixels (stream, &planes, &work->selection, valid, &n_valid);
  if (code == ESK_OK)
    code = table->cube->band_sums (stream, &planes, &work->selection, valid, sums, &count);
  if (code == ESK_OK)
    code = esk_covariance_init (&covariance, n, exact, exact ? NULL : work->shift);
  if (code == ESK_OK)
    code = table->cube->covariance_sums (stream, &planes, &work->selection, valid, &covariance);
  if (code == ESK_OK)
    code = table->device->wait (stream);
  if (code == ESK_OK)
    code = esk_hotspots_collect (table, stream, &covariance);
  if (code == ESK_OK)
    code = table->cube->project (stream, &planes, &work->selection, valid, &basis, sums, components, stride);
  if (code == ESK_OK)
    code = table->device->wait (stream);
  if (code == ESK_OK && ESK_HAS (table, picture, plane_statistics))
    code = table->picture->plane_statistics (stream, components, n_pixels, 1, &statistics);
  if (code == ESK_OK)
    code = table->device->download (stream, result, n_pixels * sizeof (float), components, stride * sizeof (float),
                                    n_pixels * sizeof (float), ROWS);
  if (code == ESK_OK)
    code = table->device->wait (stream);
  else
    table->device->wait (stream);

  if (code == ESK_OK)
    {
      g_byte_array_append (out, (const guint8 *) sums, (guint) (n * sizeof *sums));
      g_byte_array_append (out, (const guint8 *) &covariance.count, sizeof covariance.count);
      for (size_t i = 0; i < n; i++)
        g_byte_array_append (out, exact ? (const guint8 *) (covariance.integer_product + i * n)
                                        : (const guint8 *) (covariance.product + i * n), (guint) ((i + 1) * 8));
      g_byte_array_append (out, (const guint8 *) result, (guint) (ROWS * n_pixels * sizeof (float)));
      g_byte_array_append (out, (const guint8 *) &statistics, sizeof statistics);
    }
  esk_covariance_clear (&covariance);
  table->device->memory_free (conformance.device, memory);
  table->device->memory_free (conformance.device, valid);
  table->device->memory_free (conformance.device, components);

  return code;
}

static gboolean
same_bytes (const GByteArray *a,
            const GByteArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len) == 0;
}

static const struct
{
  EskType type;
  size_t  width, height, bands;
} works[N_THREADS] = { { ESK_I16, 301, 40, 61 }, { ESK_F32, 257, 33, 113 }, { ESK_F32, 1000, 41, 40 } };

static void
init_works (Work *work)
{
  for (guint k = 0; k < N_THREADS; k++)
    work_init (&work[k], works[k].type, conformance.quick ? 31 : works[k].width,
               conformance.quick ? 5 : works[k].height, conformance.quick ? 9 + k : works[k].bands, k);
}

static void
test_repeat (void)
{
  Work work[N_THREADS];

  init_works (work);
  for (guint k = 0; k < N_THREADS; k++)
    {
      g_autoptr (GByteArray) first = g_byte_array_new ();

      conformance_case ("series %u", k);
      conformance_expect ("the first time", run_series (&work[k], conformance.stream, first), ESK_OK);
      for (guint turn = 0; turn < 3; turn++)
        {
          g_autoptr (GByteArray) again = g_byte_array_new ();
          EskStream *stream = conformance.table->stream->stream_new (conformance.device);

          conformance_expect ("once more", run_series (&work[k], stream, again), ESK_OK);
          EXPECT (same_bytes (first, again), "other bytes the next time");
          conformance.table->stream->stream_free (stream);
        }
      work_clear (&work[k]);
    }
}

typedef struct
{
  const Work       *work;
  const GByteArray *expected;
  int               code;
  gboolean          same;
} Turn;

static gpointer
run_turns (gpointer data)
{
  Turn *turn = data;
  EskStream *stream = conformance.table->stream->stream_new (conformance.device);

  turn->same = TRUE;
  for (guint k = 0; k < 6 && turn->code == ESK_OK; k++)
    {
      g_autoptr (GByteArray) again = g_byte_array_new ();

      turn->code = run_series (turn->work, stream, again);
      turn->same = turn->same && same_bytes (turn->expected, again);
    }
  conformance.table->stream->stream_free (stream);

  return NULL;
}

static void
test_threads (void)
{
  Work work[N_THREADS];
  Turn turns[N_THREADS];
  GThread *threads[N_THREADS];
  GByteArray *expected[N_THREADS];

  conformance_case ("%d threads at once", N_THREADS);
  init_works (work);
  for (guint k = 0; k < N_THREADS; k++)
    {
      expected[k] = g_byte_array_new ();
      conformance_expect ("alone", run_series (&work[k], conformance.stream, expected[k]), ESK_OK);
    }
  for (guint k = 0; k < N_THREADS; k++)
    {
      turns[k] = (Turn) { &work[k], expected[k], ESK_OK, FALSE };
      threads[k] = g_thread_new ("conformance", run_turns, &turns[k]);
    }
  for (guint k = 0; k < N_THREADS; k++)
    {
      g_thread_join (threads[k]);
      conformance_expect ("together", turns[k].code, ESK_OK);
      EXPECT (turns[k].same, "other bytes than alone, series %u", k);
      g_byte_array_unref (expected[k]);
      work_clear (&work[k]);
    }
}

/* Exact totals are the same whatever the tiles; windows of planes are tiles too. */
static void
test_tiles (void)
{
  const EskType types[] = { ESK_U8, ESK_I16, ESK_U16 };
  const EskHotspots *table = conformance.table;

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    {
      g_autoptr (Planes) planes = planes_new (types[t], conformance.quick ? 20 : 203, conformance.quick ? 6 : 67, 45,
                                              SHAPE_ALIGNED, FILL_NOISE, MASK_NONE, t);
      size_t width = planes->host.width, height = planes->host.height, n = planes->host.bands;
      EskCovariance whole, parts;

      conformance_case ("%s in tiles", esk_type_name (types[t]));
      g_assert_cmpint (esk_covariance_init (&whole, n, true, NULL), ==, ESK_OK);
      g_assert_cmpint (esk_covariance_init (&parts, n, true, NULL), ==, ESK_OK);
      conformance_expect ("covariance_sums", table->cube->covariance_sums (conformance.stream, &planes->card,
                                                                           &planes->selection, NULL, &whole), ESK_OK);
      for (size_t y = 0; y < height; y += 7)
        for (size_t x = 0; x < width; x += 31)
          {
            EskTile tile = planes->card;

            tile.data = (const guint8 *) tile.data + (y * width + x) * esk_type_size (tile.type);
            tile.width = MIN (31, width - x);
            tile.height = MIN (7, height - y);
            conformance_expect ("covariance_sums", table->cube->covariance_sums (conformance.stream, &tile,
                                                                                 &planes->selection, NULL, &parts),
                                ESK_OK);
          }
      if (ESK_HAS (table, cube, covariance_collect))
        {
          conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, &whole),
                              ESK_OK);
          conformance_expect ("covariance_collect", table->cube->covariance_collect (conformance.stream, &parts),
                              ESK_OK);
        }
      EXPECT (whole.count == parts.count, "%" G_GINT64_FORMAT " pixels, not %" G_GINT64_FORMAT, (gint64) parts.count,
              (gint64) whole.count);
      for (size_t i = 0; i < n; i++)
        EXPECT (whole.integer_sum[i] == parts.integer_sum[i]
                && memcmp (whole.integer_product + i * n, parts.integer_product + i * n, (i + 1) * 8) == 0,
                "other totals of band %zu", i);
      esk_covariance_clear (&whole);
      esk_covariance_clear (&parts);
    }
}

/* Rows of a window come down, and nothing beside them is touched. */
static void
test_download (void)
{
  guint8 bytes[64 * 40], rows[20 * 30];
  CardBuffer buffer;

  conformance_case ("a window comes down");
  for (guint k = 0; k < sizeof bytes; k++)
    bytes[k] = (guint8) (k * 7 + k / 256);
  if (!card_new (&buffer, sizeof bytes, 0))
    return;
  card_put (&buffer, bytes);
  memset (rows, POISON, sizeof rows);
  conformance_expect ("download", conformance.table->device->download (conformance.stream, rows + 3, 30,
                                                                       buffer.data + 5, 64, 23, 20), ESK_OK);
  conformance_expect ("wait", conformance.table->device->wait (conformance.stream), ESK_OK);
  for (guint y = 0; y < 20; y++)
    for (guint x = 0; x < 30; x++)
      {
        guint8 expected = x >= 3 && x < 26 ? bytes[64 * y + 5 + x - 3] : POISON;

        EXPECT (rows[30 * y + x] == expected, "row %u, byte %u is %02x, not %02x", y, x, rows[30 * y + x], expected);
      }
  card_free (&buffer);
}

/* --- failure -------------------------------------------------------------------------------------------------- */

static void
set_number (const char *name,
            const char *fake_name,
            guint       n,
            const char *suffix,
            const char *fake_suffix)
{
  g_autofree char *text = g_strdup_printf ("%u%s", n, suffix), *fake = g_strdup_printf ("%u%s", n, fake_suffix);

  setenv (name, text, 1);
  setenv (fake_name, fake, 1);
}

static void
unset_numbers (void)
{
  unsetenv ("ES_CUDA_FAIL_ALLOCATION");
  unsetenv ("ES_FAKE_FAIL_ALLOCATION");
}

/* Each allocation of a series made to fail, once and for good: the code says so, and afterwards all is well. */
static void
test_memory (void)
{
  const guint most = 80;
  g_autoptr (GPtrArray) streams = g_ptr_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  Work work;

  work_init (&work, ESK_F32, 61, 13, 23, 1);
  conformance_expect ("with memory", run_series (&work, conformance.stream, expected), ESK_OK);
  for (guint only = 0; only < 2; only++)
    for (guint n = 1; n <= most; n++)
      {
        g_autoptr (GByteArray) out = g_byte_array_new (), after = g_byte_array_new ();
        EskStream *stream;
        int code;

        conformance_case ("allocation %u%s fails", n, only ? "" : " and all after it");
        set_number ("ES_CUDA_FAIL_ALLOCATION", "ES_FAKE_FAIL_ALLOCATION", n, only ? "!" : "", only ? "" : "+");
        /* Streams that are given back keep their memory: these are not. */
        stream = conformance.table->stream->stream_new (conformance.device);
        if (stream == NULL)
          {
            unset_numbers ();
            continue;
          }
        g_ptr_array_add (streams, stream);
        code = run_series (&work, stream, out);
        unset_numbers ();
        EXPECT (code == ESK_OK || code == ESK_ERROR_MEMORY, "answers %d (%s)", code,
                conformance.table->stream->last_error (stream));
        EXPECT (code != ESK_OK || same_bytes (out, expected), "wrong, and does not say so");
        EXPECT (n > 1 || code == ESK_ERROR_MEMORY, "does without any memory");
        conformance_expect ("with memory again", run_series (&work, stream, after), ESK_OK);
        EXPECT (same_bytes (after, expected), "other bytes after an error");
        if (code == ESK_OK)
          break;
        EXPECT (n < most, "more allocations than are tried");
      }
  for (guint k = 0; k < streams->len; k++)
    conformance.table->stream->stream_free (streams->pdata[k]);
  work_clear (&work);
}

/* More than there is. */
static void
test_too_much (void)
{
  EskDeviceInfo info;
  void *memory;

  /* Tools take the refusal of the driver for a mistake of the program. */
  if (conformance.quick)
    return;
  conformance_case ("more memory than there is");
  conformance_expect ("device_info", conformance.table->device->device_info (conformance.device, &info), ESK_OK);
  memory = conformance.table->device->memory_new (conformance.device, info.memory + (1 << 20));
  EXPECT (memory == NULL, "there is more than there is");
  conformance.table->device->memory_free (conformance.device, memory);
  conformance.table->device->memory_free (conformance.device, NULL);
  EXPECT (conformance.table->device->memory_new (conformance.device, SIZE_MAX / 2) == NULL, "any size is given");
  conformance_expect ("wait", conformance.table->device->wait (conformance.stream), ESK_OK);
}

/* The device goes: in a process of its own, for it stays away. */
static void
lose (guint n)
{
  const EskHotspots *table = conformance.table;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  EskStream *stream;
  EskDeviceInfo info;
  gint64 start;
  void *memory = table->device->memory_new (conformance.device, 1000);
  Work work;
  int code;

  conformance_case ("the device is lost at wait %u", n);
  work_init (&work, ESK_I16, 61, 13, 23, 1);
  set_number ("ES_CUDA_FAIL_WAIT", "ES_FAKE_LOSE_AT", n, "", "");
  code = run_series (&work, conformance.stream, out);
  EXPECT (code == ESK_ERROR_LOST, "answers %d", code);
  EXPECT (table->stream->last_error (conformance.stream)[0] != '\0', "no reason");

  start = g_get_monotonic_time ();
  g_byte_array_set_size (out, 0);
  code = run_series (&work, conformance.stream, out);
  EXPECT (code == ESK_ERROR_LOST || code == ESK_ERROR_MEMORY, "answers %d afterwards", code);
  EXPECT (table->device->memory_new (conformance.device, 1000) == NULL, "still gives memory");
  EXPECT (table->device->wait (conformance.stream) == ESK_ERROR_LOST, "still waits");
  conformance_expect ("device_info", table->device->device_info (conformance.device, &info), ESK_ERROR_LOST);
  stream = table->stream->stream_new (conformance.device);
  if (stream != NULL)
    {
      EXPECT (table->device->wait (stream) == ESK_ERROR_LOST, "a new stream works");
      table->stream->stream_free (stream);
    }
  table->device->memory_free (conformance.device, memory);
  EXPECT (g_get_monotonic_time () - start < 2000000, "takes its time to say so");
  work_clear (&work);
}

static void
test_lost (void)
{
  static const char * const paths[] = { "1", "2", "3", "4" };

  for (guint k = 0; k < G_N_ELEMENTS (paths) - (conformance.quick ? 3 : 0); k++)
    {
      g_autofree char *path = g_strdup_printf ("/conformance/run/lost/subprocess/%s", paths[k]);

      g_test_trap_subprocess (path, 60 * G_USEC_PER_SEC, 0);
      conformance_case ("the device is lost at wait %s", paths[k]);
      EXPECT (g_test_trap_has_passed (), "the process that it was lost to says so");
    }
}

static void lose_1 (void) { lose (1); }
static void lose_2 (void) { lose (2); }
static void lose_3 (void) { lose (3); }
static void lose_4 (void) { lose (4); }

void
conformance_add_run (void)
{
  conformance_add ("run/download", test_download);
  conformance_add ("run/repeat", test_repeat);
  conformance_add ("run/tiles", test_tiles);
  conformance_add ("run/threads", test_threads);
  conformance_add ("run/too-much", test_too_much);
  conformance_add ("run/memory", test_memory);
  conformance_add ("run/lost", test_lost);
  conformance_add ("run/lost/subprocess/1", lose_1);
  conformance_add ("run/lost/subprocess/2", lose_2);
  conformance_add ("run/lost/subprocess/3", lose_3);
  conformance_add ("run/lost/subprocess/4", lose_4);
}
