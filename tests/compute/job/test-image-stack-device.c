/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Stacks and planes in the memory of cards (of host memory: tests/kernels/fake). */

#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "layer/es-device-plane.h"
#include "base/es-error.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "es-test-devices.h"

enum { WIDTH = 37, HEIGHT = 23, PLANES = 3 };

static void
assert_used (EsDevice *device, guint64 bytes)
{
  for (guint i = 0; i < 100 && es_buffers_get_used (device) != bytes; i++)
    g_usleep (20000);
  g_assert_cmpuint (es_buffers_get_used (device), ==, bytes);
}

static float
value_at (guint plane, guint64 x, guint64 y)
{
  return plane * 10000.0f + y * 100.0f + x;
}

/* Writes rows as an operation does: where they lie on their card. */
static void
write_rows (EsImageStack *stack, EsDevice *member, guint64 top, guint64 rows)
{
  const EskHotspots *hotspots = es_device_get_hotspots (member);
  EskStream *stream = es_device_take_stream (member);
  g_autofree float *row = g_new (float, WIDTH);
  gsize plane_stride;

  for (guint64 y = top; y < top + rows; y++)
    {
      float *to = es_image_stack_get_device_rows (stack, member, y, &plane_stride);

      for (guint plane = 0; plane < PLANES; plane++)
        {
          for (guint x = 0; x < WIDTH; x++)
            row[x] = value_at (plane, x, y);
          g_assert_cmpint (hotspots->device->upload (stream, to + plane * plane_stride, row, WIDTH * sizeof (float)),
                           ==, ESK_OK);
        }
    }
  g_assert_cmpint (hotspots->device->wait (stream), ==, ESK_OK);
  es_device_give_stream (member, stream);
  es_image_stack_mark_written (stack, top, WIDTH, rows);
}

static EsImageStack *
make_stack (const char *id, const guint64 *rows_from, guint64 host_limit)
{
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new_on_device ("layer", "Layer", WIDTH, PLANES, es_device_find (id, NULL),
                                                      rows_from, host_limit, &error);

  g_assert_no_error (error);
  return stack;
}

static void
fill (EsImageStack *stack, const char *id, const guint64 *rows_from)
{
  EsDevice *device = es_device_find (id, NULL);

  for (guint i = 0; i < es_device_get_n_members (device); i++)
    if (rows_from[i + 1] > rows_from[i])
      write_rows (stack, es_device_get_member (device, i), rows_from[i], rows_from[i + 1] - rows_from[i]);
}

static void
check_window (EsImageStack *stack, guint plane, guint64 x, guint64 y, guint64 w, guint64 h, guint step,
              guint64 written)
{
  gsize n = (w + step - 1) / step * ((h + step - 1) / step), k = 0;
  g_autofree float *out = g_new (float, n + 1);
  g_autoptr (GError) error = NULL;

  out[n] = -7;
  g_assert_true (es_image_stack_read (stack, plane, x, y, w, h, step, out, &error));
  g_assert_no_error (error);
  for (guint64 j = 0; j < h; j += step)
    for (guint64 i = 0; i < w; i += step, k++)
      if (y + j < written)
        g_assert_cmpfloat (out[k], ==, value_at (plane, x + i, y + j));
      else
        g_assert_true (isnan (out[k]));
  g_assert_cmpfloat (out[n], ==, -7);
}

static void
check_windows (EsImageStack *stack, guint64 written)
{
  for (guint plane = 0; plane < PLANES; plane++)
    for (guint step = 1; step < 50; step += 3)
      {
        check_window (stack, plane, 0, 0, WIDTH, HEIGHT, step, written);
        check_window (stack, plane, 3, 2, 20, 19, step, written);
        check_window (stack, plane, 36, 22, 1, 1, step, written);
        check_window (stack, plane, 0, 7, WIDTH, 12, step, written);
      }
}

static const guint64 whole[] = { 0, HEIGHT }, halves[] = { 0, 16, HEIGHT }, first_only[] = { 0, HEIGHT, HEIGHT };

static void
test_read (void)
{
  static const struct { const char *id; const guint64 *rows_from; } cases[] = {
    { "cuda:0", whole }, { "cuda:1", whole }, { "cuda:all", halves }, { "cuda:all", first_only },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      EsDevice *device = es_device_find (cases[i].id, NULL);
      const guint64 before = es_buffers_get_used (device);
      g_autoptr (EsImageStack) stack = make_stack (cases[i].id, cases[i].rows_from, 0);

      g_assert_cmpuint (es_buffers_get_used (device), ==, before + WIDTH * HEIGHT * PLANES * sizeof (float));
      check_windows (stack, 0);
      g_assert_null (es_image_stack_peek (stack, 0));
      g_assert_null (es_image_stack_get_device_plane (stack, 0));
      fill (stack, cases[i].id, cases[i].rows_from);
      check_windows (stack, HEIGHT);

      g_autoptr (EsDevicePlane) plane = es_image_stack_get_device_plane (stack, 1);
      g_assert_cmpint (plane != NULL, ==, cases[i].rows_from != halves);
      const float *values = es_image_stack_peek (stack, 1);
      g_assert_nonnull (values);
      g_assert_true (values == es_image_stack_peek (stack, 1));
      g_assert_cmpfloat (values[5 * WIDTH + 4], ==, value_at (1, 4, 5));
      g_assert_cmpfloat (values[22 * WIDTH + 36], ==, value_at (1, 36, 22));
      check_windows (stack, HEIGHT);

      /* A plane that is looked at keeps the memory that it lies in. */
      g_clear_object (&stack);
      if (plane != NULL)
        {
          float value;
          g_assert_cmpuint (es_buffers_get_used (device), >, before);
          g_assert_true (es_device_plane_read (plane, 4, 5, 1, 1, 1, &value, NULL));
          g_assert_cmpfloat (value, ==, value_at (1, 4, 5));
        }
      g_clear_pointer (&plane, es_device_plane_unref);
      assert_used (device, before);
    }
}

/* Row by row, as a preview sees it. */
static void
test_unwritten (void)
{
  g_autoptr (EsImageStack) stack = make_stack ("cuda:0", whole, 0);

  for (guint y = 0; y < HEIGHT; y++)
    {
      g_assert_false (es_image_stack_is_complete (stack));
      check_window (stack, 2, 1, 0, 30, HEIGHT, 2, y);
      write_rows (stack, es_device_find ("cuda:0", NULL), y, 1);
    }
  g_assert_true (es_image_stack_is_complete (stack));

  /* In memory and in parts of rows as well. */
  g_autoptr (EsImageStack) memory = es_image_stack_new ("layer", "Layer", WIDTH, 2, 1, 0, NULL, NULL);
  float values[WIDTH], out[2 * WIDTH];
  for (guint x = 0; x < WIDTH; x++)
    values[x] = x;
  g_assert_true (es_image_stack_write (memory, 0, 0, 20, 1, values, WIDTH, NULL));
  g_assert_true (es_image_stack_read (memory, 0, 0, 0, WIDTH, 2, 1, out, NULL));
  g_assert_true (isnan (out[0]) && isnan (out[WIDTH]));
  g_assert_true (es_image_stack_write (memory, 20, 0, WIDTH - 20, 1, values + 20, WIDTH, NULL));
  g_assert_true (es_image_stack_read (memory, 0, 0, 0, WIDTH, 2, 1, out, NULL));
  g_assert_cmpmem (out, sizeof values, values, sizeof values);
  g_assert_true (isnan (out[WIDTH]));
  g_assert_null (es_image_stack_peek (memory, 0));
  g_assert_true (es_image_stack_write (memory, 0, 1, WIDTH, 1, values, WIDTH, NULL));
  g_assert_nonnull (es_image_stack_peek (memory, 0));
}

/* Where a pass is repeated, columns of its first attempt do not count. */
static void
test_repeated (void)
{
  g_autoptr (EsImageStack) stack = es_image_stack_new ("layer", "Layer", WIDTH, 1, 1, 0, NULL, NULL);
  float values[WIDTH] = { 0 }, out[WIDTH];

  g_assert_true (es_image_stack_write (stack, 0, 0, 20, 1, values, WIDTH, NULL));
  es_image_stack_forget_written (stack);
  g_assert_true (es_image_stack_write (stack, 0, 0, 20, 1, values, WIDTH, NULL));
  g_assert_false (es_image_stack_is_complete (stack));
  g_assert_true (es_image_stack_read (stack, 0, 0, 0, WIDTH, 1, 1, out, NULL));
  g_assert_true (isnan (out[0]) && isnan (out[WIDTH - 1]));
  g_assert_true (es_image_stack_write (stack, 20, 0, WIDTH - 20, 1, values, WIDTH, NULL));
  g_assert_true (es_image_stack_is_complete (stack));
}

static int reading;

static gpointer
read_slowly (gpointer stack)
{
  float *out = g_new (float, WIDTH * HEIGHT);

  g_atomic_int_set (&reading, TRUE);
  g_assert_true (es_image_stack_read (stack, 0, 0, 0, WIDTH, HEIGHT, 1, out, NULL));
  return out;
}

/* Rows that are marked while they are read may have been read before they were written. */
static void
test_marked_meanwhile (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DELAY_US", "600000", NULL))
    return;
  g_autoptr (EsImageStack) stack = make_stack ("cuda:0", whole, 0);
  GThread *thread = g_thread_new ("read", read_slowly, stack);

  while (!g_atomic_int_get (&reading))
    g_usleep (1000);
  g_usleep (300000);
  es_image_stack_mark_written (stack, 0, WIDTH, HEIGHT);
  g_autofree float *out = g_thread_join (thread);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_true (isnan (out[i]));
}

/* Nothing begins in the background once the program ends. */
static void
test_settle_stopped (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DEVICES", "1", NULL))
    return;
  g_autoptr (EsImageStack) stack = make_stack ("cuda:0", whole, 1 << 20);

  fill (stack, "cuda:0", whole);
  es_image_stack_settle (stack);
  es_devices_stop ();
  g_usleep (2 * G_USEC_PER_SEC);
  g_assert_null (es_image_stack_get_host (stack, 0));
  g_assert_nonnull (es_image_stack_peek (stack, 0));
}

/* Once all planes are on the host the card's memory may be taken. */
static void
test_settle (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);
  const gsize bytes = WIDTH * HEIGHT * PLANES * sizeof (float);
  const guint64 before = es_buffers_get_used (device);
  g_autoptr (EsImageStack) small = make_stack ("cuda:0", whole, bytes);
  g_autoptr (EsImageStack) large = make_stack ("cuda:0", whole, bytes - 1);
  g_autoptr (EsImageStack) gone = make_stack ("cuda:0", whole, bytes);
  g_autoptr (GError) error = NULL;

  fill (small, "cuda:0", whole);
  fill (large, "cuda:0", whole);
  fill (gone, "cuda:0", whole);
  es_image_stack_settle (gone);
  g_clear_object (&gone);
  es_image_stack_settle (small);
  es_image_stack_settle (large);
  g_assert_cmpuint (es_buffers_get_used (device), ==, before + 2 * bytes);

  /* In the background, after a while. */
  for (guint i = 0; i < 300 && es_buffers_get_used (device) > before + bytes; i++)
    {
      g_usleep (20000);
      es_buffer_caches_clear (device);
    }
  g_assert_cmpuint (es_buffers_get_used (device), ==, before + bytes);
  g_assert_null (es_image_stack_get_device_plane (small, 0));
  check_windows (small, HEIGHT);
  g_autoptr (EsDevicePlane) plane = es_image_stack_get_device_plane (large, 0);
  g_assert_nonnull (plane);
  g_clear_pointer (&plane, es_device_plane_unref);

  /* Where somebody looks at all of them, the same happens at once; a plane in use stays. */
  for (guint i = 0; i < PLANES; i++)
    g_assert_nonnull (es_image_stack_peek (large, i));
  plane = es_image_stack_get_device_plane (large, 2);
  g_assert_nonnull (plane);
  es_buffer_caches_clear (device);
  g_assert_cmpuint (es_buffers_get_used (device), ==, before + bytes);
  g_clear_pointer (&plane, es_device_plane_unref);
  es_device_set_budget (device, 4 * bytes);
  g_autoptr (EsBuffer) buffer = es_buffer_new (device, 4 * bytes, &error);
  g_assert_no_error (error);
  g_assert_nonnull (buffer);
  g_assert_null (es_image_stack_get_device_plane (large, 0));
  check_windows (large, HEIGHT);
  es_device_set_budget (device, 0);
}

static void
test_no_room (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);
  const guint64 before = es_buffers_get_used (device);
  g_autoptr (GError) error = NULL;

  es_device_set_budget (device, 1000);
  g_assert_null (es_image_stack_new_on_device ("layer", "Layer", WIDTH, PLANES, device, whole, 0, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  es_device_set_budget (device, 0);
  g_clear_error (&error);
  g_assert_null (es_buffer_new (device, (gsize) 1 << 60, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "cuda:0"));
  g_assert_cmpuint (es_buffers_get_used (device), ==, before);
}

/* ---- planes ---- */

static void
test_plane (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  g_autofree float *out = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;
  const guint64 before = es_buffers_get_used (device);

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i % 11 == 0 ? NAN : i;
  g_autoptr (EsDevicePlane) plane = es_device_plane_new_from_host (device, values, WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  g_assert_true (es_device_plane_get_device (plane) == device);
  g_assert_true (es_device_plane_read (plane, 0, 0, WIDTH, HEIGHT, 1, out, &error));
  g_assert_cmpmem (out, WIDTH * HEIGHT * sizeof (float), values, WIDTH * HEIGHT * sizeof (float));
  g_assert_true (es_device_plane_read (plane, 2, 3, 30, 11, 4, out, &error));
  for (guint j = 0; j < 3; j++)
    for (guint i = 0; i < 8; i++)
      {
        const float a = out[j * 8 + i], b = values[(3 + 4 * j) * WIDTH + 2 + 4 * i];
        g_assert_true (a == b || (isnan (a) && isnan (b)));
      }

  EsDevicePlaneStatistics statistics;
  g_assert_true (es_device_plane_get_statistics (plane, 1, &statistics, &error));
  g_assert_cmpuint (statistics.n_valid, ==, WIDTH * HEIGHT - (WIDTH * HEIGHT + 10) / 11);
  g_assert_cmpfloat (statistics.minimum, ==, 1);
  g_assert_cmpfloat (statistics.maximum, ==, WIDTH * HEIGHT - 1);
  g_assert_cmpfloat (statistics.quantiles[1000], ==, WIDTH * HEIGHT - 1);

  g_autoptr (EsDevicePlane) half = es_device_plane_halve (plane, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_device_plane_get_width (half), ==, 19);
  g_assert_cmpuint (es_device_plane_get_height (half), ==, 12);
  g_assert_true (es_device_plane_read (half, 18, 11, 1, 1, 1, out, &error));
  g_assert_cmpfloat (out[0], ==, values[WIDTH * HEIGHT - 1]);

  g_assert_null (es_device_texture_new (es_device_get_cpu (), 1, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_clear_pointer (&half, es_device_plane_unref);
  g_clear_pointer (&plane, es_device_plane_unref);
  assert_used (device, before);
}

/* Large ones come in pieces; of a card that is gone one sentence comes. */
static void
test_pieces_and_loss (void)
{
  enum { WIDE = 1500, HIGH = 2100 };

  if (!es_test_in_own_process ("ES_FAKE_DEVICES", "1", NULL))
    return;

  EsDevice *device = es_device_find ("cuda:0", NULL);
  g_autofree float *values = g_new (float, WIDE * HIGH);
  g_autofree float *out = g_new (float, WIDE * HIGH);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = make_stack ("cuda:0", whole, 0);

  for (guint i = 0; i < WIDE * HIGH; i++)
    values[i] = i;
  g_autoptr (EsDevicePlane) plane = es_device_plane_new_from_host (device, values, WIDE, HIGH, &error);
  g_assert_true (es_device_plane_read (plane, 0, 0, WIDE, HIGH, 1, out, &error));
  g_assert_cmpmem (out, WIDE * HIGH * sizeof (float), values, WIDE * HIGH * sizeof (float));
  g_assert_true (es_device_plane_read (plane, 100, 3, 1400, 2000, 1, out, &error));
  for (guint i = 0; i < 2000; i++)
    g_assert_cmpmem (out + i * 1400, 1400 * sizeof (float), values + (i + 3) * WIDE + 100, 1400 * sizeof (float));

  fill (stack, "cuda:0", whole);
  g_assert_nonnull (es_image_stack_peek (stack, 0));
  g_setenv ("ES_FAKE_LOSE_AT", "1", TRUE);
  g_assert_false (es_image_stack_read (stack, 1, 0, 0, WIDTH, HEIGHT, 1, out, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_true (es_device_is_lost (device));
  g_assert_false (es_image_stack_read (stack, 1, 0, 0, WIDTH, HEIGHT, 1, out, &error));
  g_assert_nonnull (strstr (error->message, "compute it again"));
  g_assert_null (es_image_stack_peek (stack, 1));
  g_assert_null (es_image_stack_get_device_plane (stack, 0));
  /* What has come to the host before stays. */
  check_window (stack, 0, 0, 0, WIDTH, HEIGHT, 1, HEIGHT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image-stack-device/read", test_read);
  g_test_add_func ("/image-stack-device/unwritten", test_unwritten);
  g_test_add_func ("/image-stack-device/repeated", test_repeated);
  g_test_add_func ("/image-stack-device/marked-meanwhile", test_marked_meanwhile);
  g_test_add_func ("/image-stack-device/settle", test_settle);
  g_test_add_func ("/image-stack-device/settle-stopped", test_settle_stopped);
  g_test_add_func ("/image-stack-device/no-room", test_no_room);
  g_test_add_func ("/image-stack-device/plane", test_plane);
  g_test_add_func ("/image-stack-device/pieces-and-loss", test_pieces_and_loss);
  return g_test_run ();
}
