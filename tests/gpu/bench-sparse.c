/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sparse matrices on a card: what of its bandwidth products and solvers use, and how a library's products compare, in
 * one run.
 *
 *   bench-sparse [--device ID] [--scale N] [--output FILE] [MATRIX ...]
 *
 * --scale 4: matrices of a quarter of the rows, for a quick look. FILE: the same as JSON. 77: no card.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "bench-sparse.h"

#define STREAM_BYTES ((gsize) 512 << 20)
#define STREAM_RUNS 10

void
bench_sparse_check (BenchSparse *bench, int code, const char *what)
{
  if (code != ESK_OK)
    g_error ("%s answers %d: %s", what, code, bench->hotspots->stream->last_error (bench->stream));
}

EsBuffer *
bench_sparse_buffer (BenchSparse *bench, const void *from, gsize bytes)
{
  g_autoptr (GError) error = NULL;
  EsBuffer *buffer = es_buffer_new (bench->device, bytes, &error);

  if (buffer == NULL)
    g_error ("%s", error->message);
  if (from != NULL && bench->hotspots->device == NULL)
    memcpy (es_buffer_get_data (buffer), from, bytes);
  else if (from != NULL)
    {
      bench_sparse_check (bench, bench->hotspots->device->upload (bench->stream, es_buffer_get_data (buffer), from,
                                                                  bytes), "upload");
      bench_sparse_check (bench, bench->hotspots->device->wait (bench->stream), "upload");
    }
  return buffer;
}

void
bench_sparse_fetch (BenchSparse *bench, void *to, const void *from, gsize bytes)
{
  if (bench->hotspots->device == NULL)
    {
      memcpy (to, from, bytes);
      return;
    }
  bench_sparse_check (bench, bench->hotspots->device->download (bench->stream, to, 0, from, 0, bytes, 1), "download");
  bench_sparse_check (bench, bench->hotspots->device->wait (bench->stream), "download");
}

/* Seconds of a call, which is launched STREAM_RUNS times. */
static double
time_stream (BenchSparse *bench, gboolean reading, void *x, void *y, double *slots)
{
  const EskVectorsHotspots *vectors = bench->hotspots->vectors;
  const gsize n = STREAM_BYTES / sizeof (double);
  const EskTerm term = { { 1, { NULL }, { NULL }, FALSE }, x };
  const void *both[] = { x, y };
  double best = G_MAXDOUBLE;

  for (int turn = 0; turn < 4; turn++)
    {
      const gint64 start = g_get_monotonic_time ();

      for (int i = 0; i < STREAM_RUNS; i++)
        bench_sparse_check (bench,
                            reading ? vectors->dots (bench->stream, ESK_F64, n, 1, both, both + 1, slots)
                                    : vectors->combine (bench->stream, ESK_F64, n, 1, &term, y, 0, NULL, NULL),
                            "stream");
      bench_sparse_check (bench, esk_hotspots_wait (bench->hotspots, bench->stream), "stream");
      best = MIN (best, (g_get_monotonic_time () - start) * 1e-6 / STREAM_RUNS);
    }
  return best;
}

static void
measure_bandwidth (BenchSparse *bench)
{
  g_autoptr (EsBuffer) x = bench_sparse_buffer (bench, NULL, STREAM_BYTES);
  g_autoptr (EsBuffer) y = bench_sparse_buffer (bench, NULL, STREAM_BYTES);
  g_autoptr (EsBuffer) slots = bench_sparse_buffer (bench, NULL, 256);
  void *data[2] = { es_buffer_get_data (x), es_buffer_get_data (y) };
  double reading, copying;

  for (int k = 0; k < 2; k++)
    bench_sparse_check (bench,
                        bench->hotspots->vectors->fill (bench->stream, ESK_F64, STREAM_BYTES / sizeof (double), 1,
                                                        data[k]), "fill");
  reading = 2.0 * STREAM_BYTES / time_stream (bench, TRUE, data[0], data[1], es_buffer_get_data (slots));
  copying = 2.0 * STREAM_BYTES / time_stream (bench, FALSE, data[0], data[1], NULL);
  bench->bandwidth = MAX (reading, copying);
  printf ("bandwidth: reading %.0f GB/s, copying %.0f GB/s\n", reading * 1e-9, copying * 1e-9);
  g_string_append_printf (bench->json, " \"read_gb_per_s\": %.1f,\n \"copy_gb_per_s\": %.1f,\n", reading * 1e-9,
                          copying * 1e-9);
}

int
main (int argc, char **argv)
{
  g_autofree char *id = NULL, *output = NULL;
  g_auto (GStrv) names = NULL;
  int scale = 1;
  GOptionEntry entries[] = {
    { "device", 0, 0, G_OPTION_ARG_STRING, &id, NULL, NULL },
    { "scale", 0, 0, G_OPTION_ARG_INT, &scale, NULL, NULL },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &output, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) json = g_string_new ("{\n");
  const gint64 start = g_get_monotonic_time ();
  BenchSparse bench = { .json = json };
  const char *library;

  setvbuf (stdout, NULL, _IOLBF, 0);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "bench-sparse: %s\n", error->message);
      return 2;
    }
  bench.scale = (guint) MAX (scale, 1);
  bench.device = es_device_find (id != NULL ? id : "cuda:0", &error);
  if (bench.device == NULL)
    {
      fprintf (stderr, "bench-sparse: %s\n", error->message);
      return 77;
    }
  if (!es_device_prepare (bench.device, &error))
    g_error ("%s", error->message);
  bench.hotspots = es_device_get_hotspots (bench.device);
  if (bench.hotspots->sparse == NULL || bench.hotspots->vectors == NULL)
    {
      fprintf (stderr, "bench-sparse: %s has no products of sparse matrices\n", es_device_get_name (bench.device));
      return 77;
    }
  bench.stream = es_device_take_stream (bench.device);
  library = bench.hotspots->sparse->library (bench.stream);
  printf ("%s, %s; %s\n", es_device_get_name (bench.device), es_device_get_detail (bench.device),
          library != NULL ? library : "no library");
  g_string_append_printf (json, " \"library\": \"%s\",\n", library != NULL ? library : "");
  measure_bandwidth (&bench);
  bench_sparse_products (&bench, names);
  if (names == NULL || names[0] == NULL)
    bench_sparse_solvers (&bench);
  printf ("%.1f s in all\n", (g_get_monotonic_time () - start) * 1e-6);
  g_string_append_printf (json, " \"seconds\": %.1f\n}\n", (g_get_monotonic_time () - start) * 1e-6);
  if (output != NULL && !g_file_set_contents (output, json->str, -1, &error))
    g_error ("%s", error->message);
  es_device_give_stream (bench.device, bench.stream);
  es_devices_stop ();
  return 0;
}
