/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What passes on cards (of host memory: tests/kernels/fake) stand on: buffers, caches, page-locked memory,
 * streams. */

#include <string.h>

#include "base/es-error.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"

static void
test_caches (void)
{
  EsDevice *device = es_device_find ("cuda:1", NULL);
  const guint64 before = es_buffers_get_used (device);
  EsBufferCache *places[3];
  g_autoptr (GError) error = NULL;

  es_device_set_budget (device, before + 3000);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (EsBuffer) buffer = es_buffer_new (device, 900, &error);
      g_assert_no_error (error);
      places[i] = es_buffer_cache_new ();
      es_buffer_cache_put (places[i], buffer);
    }
  /* The one that was looked at last stays; so does the one that is in use. */
  g_autoptr (EsBuffer) held = es_buffer_cache_get (places[0]);
  es_buffer_unref (es_buffer_cache_get (places[1]));
  {
    g_autoptr (EsBuffer) buffer = es_buffer_new (device, 1000, &error);
    g_assert_no_error (error);
    g_assert_true (es_buffer_cache_has (places[0]));
    g_assert_true (es_buffer_cache_has (places[1]));
    g_assert_false (es_buffer_cache_has (places[2]));
    g_assert_null (es_buffer_cache_get (places[2]));
    g_assert_null (es_buffer_new (device, 2000, &error));
    g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
    g_assert_true (es_buffer_cache_has (places[0]));
    g_clear_error (&error);
  }
  g_clear_pointer (&held, es_buffer_unref);
  es_buffer_caches_clear (device);
  g_assert_cmpuint (es_buffers_get_used (device), ==, before);
  for (guint i = 0; i < 3; i++)
    es_buffer_cache_free (places[i]);
  es_device_set_budget (device, 0);
}

/* What is given back serves the next of its size, until memory is short or some seconds have gone. */
static void
test_idle (void)
{
  EsDevice *device = es_device_find ("cuda:1", NULL);
  const guint64 before = es_buffers_get_used (device);
  const gsize bytes = 1 << 20;
  g_autoptr (EsBuffer) first = (es_buffers_trim (device), es_buffer_new (device, bytes, NULL));
  g_autoptr (EsBuffer) second = NULL;
  void *data = es_buffer_get_data (first);
  EsDeviceStatus status;

  g_clear_pointer (&first, es_buffer_unref);
  g_assert_cmpuint (es_buffers_get_used (device), ==, before);
  g_assert_true (es_device_get_status (device, &status));
  const guint64 free_with_one = status.memory_free;
  first = es_buffer_new (device, bytes - 1000, NULL);
  g_assert_true (es_buffer_get_data (first) == data);
  g_assert_cmpuint (es_buffer_get_size (first), ==, bytes - 1000);
  second = es_buffer_new (device, bytes, NULL);
  g_assert_true (es_buffer_get_data (second) != data);
  g_clear_pointer (&first, es_buffer_unref);
  g_clear_pointer (&second, es_buffer_unref);

  /* No more than the budget is held, idle blocks included. */
  es_device_set_budget (device, before + 2 * bytes + bytes / 2);
  first = es_buffer_new (device, 2 * bytes, NULL);
  g_assert_nonnull (first);
  g_assert_true (es_device_get_status (device, &status));
  g_assert_cmpuint (status.memory_free, ==, free_with_one - bytes);
  g_clear_pointer (&first, es_buffer_unref);
  es_device_set_budget (device, 0);

  for (guint i = 0; i < 300 && status.memory_free != free_with_one + bytes; i++)
    {
      g_usleep (20000);
      g_assert_true (es_device_get_status (device, &status));
    }
  g_assert_cmpuint (status.memory_free, ==, free_with_one + bytes);
}

static void
test_pools (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);
  void *a = es_staging_take (device, 1 << 20), *b = es_staging_take (device, 1 << 20);

  g_assert_true (a != NULL && b != NULL && a != b);
  es_staging_give (device, a, 1 << 20);
  /* Somewhat less is given the same; a sliver is not. */
  void *sliver = es_staging_take (device, 100);
  g_assert_true (sliver != a);
  g_assert_true (es_staging_take (device, 900 << 10) == a);
  es_staging_give (device, a, 900 << 10);
  es_staging_give (device, b, 1 << 20);
  es_staging_give (device, sliver, 100);

  EskStream *stream = es_device_take_stream (device);
  g_assert_nonnull (stream);
  es_device_give_stream (device, stream);
  g_assert_true (es_device_take_stream (device) == stream);
  es_device_give_stream (device, stream);
  es_device_trim_streams (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-memory/caches", test_caches);
  g_test_add_func ("/device-memory/idle", test_idle);
  g_test_add_func ("/device-memory/pools", test_pools);
  return g_test_run ();
}
