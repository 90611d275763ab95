/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CUDA module below its hot spots: what its entry answers on any machine, and where there is a card its numbers,
 * copies, streams from several threads, and refusals. ES_CUDA_MODULE names the module.
 */

#include <glib.h>

#include "es-eigen.h"
#include "es-hotspots.h"

#include <dlfcn.h>
#include <string.h>

static EskModuleEntry entry;
static const EskHotspots *table;
static int n_devices;
static char why[256];

static gboolean
without_device (void)
{
  if (n_devices > 0)
    return FALSE;

  g_test_skip (why);
  return TRUE;
}

static guint8 *
random_bytes (void   *to,
              gsize   n,
              guint32 seed)
{
  guint32 *words = to;

  for (gsize k = 0; k < n / sizeof *words; k++)
    words[k] = seed = seed * 1664525u + 1013904223u;
  return to;
}

static void
test_entry (void)
{
  char reason[256], one[1];

  /* Another interface is refused with a sentence, whatever the machine. */
  g_assert_null (entry (ESK_HOTSPOTS_ABI + 1, reason, sizeof reason));
  g_assert_cmpuint (strlen (reason), >, 20);
  g_assert_null (entry (ESK_HOTSPOTS_ABI - 1, one, sizeof one));
  g_assert_cmpint (one[0], ==, '\0');

  if (table == NULL)
    {
      g_assert_cmpuint (strlen (why), >, 10);
      g_assert_false (g_str_has_suffix (why, "."));
      return;
    }
  g_assert_cmpuint (table->abi, ==, ESK_HOTSPOTS_ABI);
  g_assert_cmpstr (table->name, ==, "cuda");
  g_assert_true (entry (ESK_HOTSPOTS_ABI, reason, sizeof reason) == table);
  g_assert_true (n_devices > 0 || why[0] != '\0');
}

static void
test_devices (void)
{
  EskDeviceInfo info;

  if (table == NULL)
    {
      g_test_skip (why);
      return;
    }

  /* Numbers that nobody has. */
  for (int wrong = n_devices; wrong < n_devices + 100; wrong += 33)
    {
      g_assert_cmpint (table->device->device_info (wrong, &info), ==, ESK_ERROR_ARGUMENT);
      g_assert_cmpint (table->device->device_warm_up (wrong), ==, ESK_ERROR_ARGUMENT);
      g_assert_null (table->stream->stream_new (wrong));
      g_assert_null (table->device->memory_new (wrong, 100));
    }
  g_assert_null (table->stream->stream_new (-1));

  for (int device = 0; device < n_devices; device++)
    {
      g_assert_cmpint (table->device->device_info (device, &info), ==, ESK_OK);
      g_assert_cmpuint (strlen (info.name), >, 0);
      g_assert_cmpint (info.major, >=, 7);
      g_assert_cmpint (info.multiprocessors, >, 0);
      g_assert_cmpuint (info.memory, >, 1 << 28);
      g_assert_cmpuint (info.memory_free, <=, info.memory);
      g_assert_cmpint (info.driver, >=, 12000);
      g_assert_cmpfloat (info.busy, <=, 1.0);
      g_assert_cmpint (info.temperature, <, 150);
      g_assert_cmpint (table->device->device_warm_up (device), ==, ESK_OK);
    }
}

static void
test_copies (void)
{
  const gsize n = 3 << 20;
  EskStream *stream;
  guint8 *from, *memory;
  g_autofree guint8 *to = g_malloc (n);

  if (without_device ())
    return;
  stream = table->stream->stream_new (0);
  from = table->device->staging_new (n);
  memory = table->device->memory_new (0, n);
  g_assert_true (stream != NULL && from != NULL && memory != NULL);
  random_bytes (from, n, 1);

  /* To memory that is not page-locked, too. */
  g_assert_cmpint (table->device->upload (stream, memory, from, n), ==, ESK_OK);
  g_assert_cmpint (table->device->download (stream, to, n, memory, n, n, 1), ==, ESK_OK);
  g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);
  g_assert_cmpmem (from, n, to, n);

  /* A window: rows of 777 bytes, 1024 apart there and 1000 here, and nothing beside them. */
  memset (to, 0xa5, n);
  g_assert_cmpint (table->device->download (stream, to + 100, 1000, memory + 333, 1024, 777, 64), ==, ESK_OK);
  g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);
  for (gsize k = 0; k < 70000; k++)
    {
      gsize row = (k - 100) / 1000, column = (k - 100) % 1000;
      gboolean inside = k >= 100 && row < 64 && column < 777;

      g_assert_cmpint (to[k], ==, inside ? from[333 + row * 1024 + column] : 0xa5);
    }

  /* Rows one behind the other are one run. */
  g_assert_cmpint (table->device->download (stream, to, 1000, memory, 1000, 1000, 50), ==, ESK_OK);
  g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);
  g_assert_cmpmem (from, 50000, to, 50000);

  /* Nothing is no error; what overlaps is one, and does not spoil what follows. */
  g_assert_cmpint (table->device->upload (stream, memory, from, 0), ==, ESK_OK);
  g_assert_cmpint (table->device->download (stream, to, 10, memory, 10, 0, 5), ==, ESK_OK);
  g_assert_cmpint (table->device->download (stream, to, 10, memory, 10, 11, 5), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (table->device->upload (stream, NULL, from, 10), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);

  table->device->memory_free (0, memory);
  table->device->memory_free (0, NULL);
  table->device->staging_free (from);
  table->device->staging_free (NULL);
  table->stream->stream_free (stream);
  table->stream->stream_free (NULL);
}

static gpointer
work (gpointer data)
{
  enum { N = 60 };
  const gsize n = 1 << 20;
  guint32 seed = GPOINTER_TO_UINT (data);
  int device = (int) (seed % (guint) n_devices);
  g_autofree guint8 *from = g_malloc (n), *to = g_malloc (n);
  g_autofree double *matrix = g_new (double, N * N), *values = g_new (double, N), *vectors = g_new (double, N * N);

  for (guint round = 0; round < 10; round++)
    {
      EskStream *stream = table->stream->stream_new (device);
      void *memory = table->device->memory_new (device, n);

      g_assert_true (stream != NULL && memory != NULL);
      random_bytes (from, n, seed * 100 + round);
      g_assert_cmpint (table->device->upload (stream, memory, from, n), ==, ESK_OK);
      g_assert_cmpint (table->device->download (stream, to, n, memory, n, n, 1), ==, ESK_OK);
      g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);
      g_assert_cmpmem (from, n, to, n);

      for (guint i = 0; i < N; i++)
        for (guint j = 0; j <= i; j++)
          matrix[i * N + j] = matrix[j * N + i] = (double) from[i * N + j] + (i == j ? 100.0 * i * seed : 0.0);
      g_assert_cmpint (table->eigen->eigen_symmetric (stream, N, matrix, values, vectors), ==, ESK_OK);
      g_assert_cmpfloat (esk_eigen_residual (N, matrix, values, vectors), <, 1e-12);

      table->device->memory_free (device, memory);
      table->stream->stream_free (stream);
    }

  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[6];

  if (without_device ())
    return;

  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    threads[t] = g_thread_new ("work", work, GUINT_TO_POINTER (t + 1));
  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    g_thread_join (threads[t]);
}

/* What OpenGL is asked without a context fails with a reason, and nothing else fails after it. */
static void
test_no_context (void)
{
  EskStream *stream;
  EskTexture *texture = (EskTexture *) &stream;
  float value = 1.0f;
  void *memory;

  if (without_device ())
    return;
  stream = table->stream->stream_new (0);
  memory = table->device->memory_new (0, sizeof value);
  g_assert_nonnull (memory);

  g_assert_cmpint (table->picture->gl_shares (stream, 0), <, 0);
  g_assert_cmpint (table->picture->gl_register (stream, 1, &texture), ==, ESK_ERROR_DEVICE);
  g_assert_null (texture);
  g_assert_cmpuint (strlen (table->stream->last_error (stream)), >, 10);
  g_assert_cmpint (table->picture->gl_copy (stream, NULL, memory, 1, 1), ==, ESK_ERROR_ARGUMENT);
  table->picture->gl_unregister (stream, NULL);

  /* Told once, and then forgotten. */
  g_assert_cmpint (table->device->wait (stream), ==, ESK_ERROR_DEVICE);
  g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);
  g_assert_cmpint (table->device->upload (stream, memory, &value, sizeof value), ==, ESK_OK);
  g_assert_cmpint (table->device->wait (stream), ==, ESK_OK);

  table->device->memory_free (0, memory);
  table->stream->stream_free (stream);
}

int
main (int    argc,
      char **argv)
{
  const char *path = g_getenv ("ES_CUDA_MODULE");
  void *module, *symbol;

  g_test_init (&argc, &argv, NULL);
  if (path == NULL)
    {
      g_print ("1..0 # SKIP ES_CUDA_MODULE names no module\n");
      return 0;
    }

  module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (module == NULL)
    g_error ("%s", dlerror ());
  symbol = dlsym (module, ESK_MODULE_ENTRY);
  g_assert_nonnull (symbol);
  memcpy (&entry, &symbol, sizeof entry);
  table = entry (ESK_HOTSPOTS_ABI, why, sizeof why);
  n_devices = table != NULL ? table->device->device_count (why, sizeof why) : 0;

  g_test_add_func ("/kernels/cuda-runtime/entry", test_entry);
  g_test_add_func ("/kernels/cuda-runtime/devices", test_devices);
  g_test_add_func ("/kernels/cuda-runtime/copies", test_copies);
  g_test_add_func ("/kernels/cuda-runtime/threads", test_threads);
  g_test_add_func ("/kernels/cuda-runtime/no-context", test_no_context);

  return g_test_run ();
}
