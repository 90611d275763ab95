/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every probe of the processor that has () promises, with every set of loops: it gives as many finite positive samples
 * as were asked for, leaves no thread, no lock and no other place to run behind, and ends soon when it is told to. */

#include "es-lab-cpu-private.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define END_SECONDS 0.2

const EskLabTable *esk_lab_module (unsigned abi, char *reason, size_t n);

static EskLab *
open_lab (const EskLabTable **table)
{
  char reason[256] = "";
  EskLab *lab;

  *table = esk_lab_module (ESK_LAB_ABI, reason, sizeof reason);
  g_assert_nonnull (*table);
  g_assert_cmpint ((*table)->open (0, &lab, reason, sizeof reason), ==, ESK_LAB_OK);
  return lab;
}

/* What /proc/self/status says behind a name. */
static guint64
read_status (const char *name)
{
  g_autofree char *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  at = strstr (text, name);
  return at != NULL ? g_ascii_strtoull (at + strlen (name), NULL, 10) : 0;
}

typedef struct
{
  guint64    threads, locked;
  EskLabCpus cpus;
} Left;

static Left
look (void)
{
  Left left = { .locked = read_status ("VmLck:") };

  sched_getaffinity (0, sizeof left.cpus, (cpu_set_t *) &left.cpus);
  /* A thread that was joined may be seen a moment longer. */
  for (guint i = 0; i < 200 && (left.threads = read_status ("Threads:")) > 1; i++)
    g_usleep (1000);
  return left;
}

/* ---- each of them ---- */

static guint n_measured[ESK_N_PROBES];

static void
measure (const EskLabTable *table, EskLab *lab, EskProbe probe)
{
  g_autofree EskProbeResult *result = g_new0 (EskProbeResult, 1);
  g_autofree guint8 *picture = g_malloc0 (64 * 64 * 3);
  Left before, after;
  int code;

  probe.repeats = 2;
  result->picture = picture;
  if (!table->has (lab, &probe))
    return;
  before = look ();
  code = table->measure (lab, &probe, result);
  after = look ();
  if (code != ESK_LAB_OK)
    g_error ("kind %d type %d operation %d variant %u memory %d: %d, %s", probe.kind, probe.type, probe.operation,
             probe.variant, probe.memory, code, table->last_error (lab));
  g_assert_cmpuint (result->n, ==, 2);
  for (guint i = 0; i < result->n; i++)
    {
      g_assert_true (isfinite (result->samples[i]));
      g_assert_cmpfloat (result->samples[i], >, 0.0);
    }
  g_assert_cmpfloat (result->hertz, >, 1e8);
  g_assert_cmpfloat (result->hertz, <, 2e10);
  g_assert_cmpfloat (result->lowest_hertz, >, 0.0);
  g_assert_cmpfloat (result->lowest_hertz, <=, result->hertz * (1 + 1e-9));
  g_assert_true (result->picture == picture);
  g_assert_cmpint (result->fused, >=, -1);
  g_assert_cmpint (result->fused, <=, 1);
  g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
  n_measured[probe.kind]++;
}

/* What runs loops that there are for several instruction sets. */
static void
measure_loops (const EskLabTable *table, EskLab *lab)
{
  static const EskProbeKind streams[] = { ESK_PROBE_READ, ESK_PROBE_WRITE, ESK_PROBE_MOVE };

  for (guint type = 0; type < ESK_N_LAB_TYPES; type++)
    {
      for (guint operation = 0; operation < ESK_N_OPERATIONS; operation++)
        {
          measure (table, lab, (EskProbe) { .kind = ESK_PROBE_ARITHMETIC, .type = type, .operation = operation });
          measure (table, lab, (EskProbe) { .kind = ESK_PROBE_THROUGHPUT, .type = type, .operation = operation,
                                            .threads = 1 });
        }
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_MATRIX, .type = type });
    }
  for (guint64 bytes = 2048; bytes <= 1 << 20; bytes *= 512)
    {
      for (guint threads = 0; threads < 2; threads++)
        for (guint s = 0; s < G_N_ELEMENTS (streams); s++)
          measure (table, lab, (EskProbe) { .kind = streams[s], .bytes = bytes + 40, .threads = threads });
      for (guint variant = 0; variant < 6; variant++)
        measure (table, lab, (EskProbe) { .kind = ESK_PROBE_ORDER, .bytes = bytes, .variant = variant, .stride = 20 });
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_DOT, .bytes = bytes });
    }
  for (guint ways = 1; ways <= 32; ways *= 2)
    measure (table, lab, (EskProbe) { .kind = ESK_PROBE_SHARING, .ways = ways });
  measure (table, lab, (EskProbe) { .kind = ESK_PROBE_MANDELBROT, .stride = 64, .view = { -0.5, 0.0, 3.0 } });
}

static void
measure_rest (const EskLabTable *table, EskLab *lab)
{
  static const EskLabMemory memories[] = { ESK_MEMORY_PAGEABLE, ESK_MEMORY_REGISTERED, ESK_MEMORY_LARGE_PAGES,
                                           ESK_MEMORY_PINNED };

  measure (table, lab, (EskProbe) { .kind = ESK_PROBE_EMPTY });
  for (guint type = 0; type < ESK_N_LAB_TYPES; type++)
    for (guint variant = 0; variant < 3; variant++)
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_ATOMIC, .type = type, .variant = variant });
  for (guint64 bytes = 128; bytes <= 4 << 20; bytes *= 32)
    {
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_CHASE, .bytes = bytes });
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_CHASE, .bytes = bytes, .stride = 3 });
    }
  for (guint ways = 1; ways <= 32; ways *= 2)
    {
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_COPY, .bytes = 65536, .ways = ways });
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_DIVERGENCE, .ways = ways });
    }
  for (guint threads = 0; threads < 2; threads++)
    measure (table, lab, (EskProbe) { .kind = ESK_PROBE_LIBRARY_COPY, .bytes = 65536, .threads = threads });
  for (guint variant = 0; variant < 6; variant++)
    {
      for (guint m = 0; m < G_N_ELEMENTS (memories); m++)
        {
          measure (table, lab, (EskProbe) { .kind = ESK_PROBE_HOST_ACCESS, .bytes = 65536, .variant = variant,
                                            .memory = memories[m] });
          measure (table, lab, (EskProbe) { .kind = ESK_PROBE_ALLOCATE, .bytes = 3 << 20, .variant = variant,
                                            .memory = memories[m] });
        }
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_LAUNCH, .variant = variant });
      measure (table, lab, (EskProbe) { .kind = ESK_PROBE_BARRIER, .variant = variant });
    }
}

static void
test_loops (gconstpointer data)
{
  static const EskProbeKind always[] = { ESK_PROBE_ARITHMETIC, ESK_PROBE_THROUGHPUT, ESK_PROBE_MATRIX, ESK_PROBE_READ,
                                         ESK_PROBE_WRITE, ESK_PROBE_MOVE, ESK_PROBE_DOT, ESK_PROBE_MANDELBROT };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  const EskLabLoops *loops = esk_lab_loops_get (GPOINTER_TO_UINT (data));

  if (loops == NULL)
    {
      g_test_skip ("this processor has no such instructions");
      table->close (lab);
      return;
    }
  memset (n_measured, 0, sizeof n_measured);
  lab->loops = loops;
  measure_loops (table, lab);
  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    g_assert_cmpuint (n_measured[always[i]], >, 0);
  if (loops->gather != NULL)
    g_assert_cmpuint (n_measured[ESK_PROBE_SHARING] * n_measured[ESK_PROBE_ORDER], >, 0);
  table->close (lab);
}

static void
test_rest (void)
{
  static const EskProbeKind always[] = { ESK_PROBE_EMPTY, ESK_PROBE_CHASE, ESK_PROBE_DIVERGENCE, ESK_PROBE_COPY,
                                         ESK_PROBE_LIBRARY_COPY, ESK_PROBE_HOST_ACCESS, ESK_PROBE_ATOMIC,
                                         ESK_PROBE_LAUNCH, ESK_PROBE_ALLOCATE, ESK_PROBE_BARRIER };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);

  memset (n_measured, 0, sizeof n_measured);
  measure_rest (table, lab);
  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    g_assert_cmpuint (n_measured[always[i]], >, 0);
  table->close (lab);
}

/* What is read is what is compiled. */
static void
test_source (void)
{
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  guint n = 0;

  for (guint kind = 0; kind < ESK_N_PROBES; kind++)
    {
      const char *text = table->source (&(EskProbe) { .kind = kind });

      if (text != NULL)
        {
          n++;
          g_assert_true (g_str_has_suffix (text, "\n"));
          g_assert_null (strstr (text, "lab end"));
          g_assert_true (g_utf8_validate (text, -1, NULL));
        }
    }
  /* Of all that is measured but the library's copy, and of nothing else. */
  g_assert_cmpuint (n, ==, 19);
  g_assert_nonnull (strstr (table->source (&(EskProbe) { .kind = ESK_PROBE_CHASE }), "chase_pointers (void *data)"));
  g_assert_nonnull (strstr (table->source (&(EskProbe) { .kind = ESK_PROBE_ARITHMETIC }), "#define CHAIN("));
  table->close (lab);
}

/* The whole picture, and the same of every set of loops. */
static void
test_picture (void)
{
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  const EskLabLoops *loops;
  guint8 first[61 * 61 * 3];
  guint distinct = 0;
  gboolean seen[256] = { FALSE };

  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    {
      g_autofree EskProbeResult *result = g_new0 (EskProbeResult, 1);
      guint8 picture[sizeof first];
      EskProbe probe = { .kind = ESK_PROBE_MANDELBROT, .stride = 61, .view = { -0.7, 0.1, 2.6 }, .repeats = 1 };

      result->picture = level == 0 ? first : picture;
      lab->loops = loops;
      g_assert_cmpint (table->measure (lab, &probe, result), ==, ESK_LAB_OK);
      if (level > 0)
        g_assert_cmpmem (picture, sizeof picture, first, sizeof first);
    }
  for (guint i = 0; i < sizeof first; i++)
    if (!seen[first[i]])
      {
        seen[first[i]] = TRUE;
        distinct++;
      }
  g_assert_cmpuint (distinct, >, 10);
  g_assert_true (seen[255]);
  table->close (lab);
}

/* ---- cancelling ---- */

typedef struct
{
  const EskLabTable *table;
  EskLab            *lab;
  gulong             after;
  gint64             when;
} Cancel;

static gpointer
cancel_later (gpointer data)
{
  Cancel *cancel = data;

  g_usleep (cancel->after);
  cancel->when = g_get_monotonic_time ();
  cancel->table->cancel (cancel->lab);
  return NULL;
}

/* Seconds from cancel () to the end; negative: it was done before. */
static double
end_of (const EskLabTable *table, EskLab *lab, const EskProbe *probe, gulong after)
{
  g_autofree EskProbeResult *result = g_new0 (EskProbeResult, 1);
  Cancel cancel = { table, lab, after, 0 };
  GThread *thread = g_thread_new ("cancel", cancel_later, &cancel);
  int code = table->measure (lab, probe, result);
  gint64 end = g_get_monotonic_time ();

  g_thread_join (thread);
  if (code != ESK_LAB_OK)
    {
      g_assert_cmpint (code, ==, ESK_LAB_ERROR_CANCELLED);
      g_assert_cmpuint (result->n, ==, 0);
      /* Until resume (), all that is asked. */
      g_assert_cmpint (table->measure (lab, probe, result), ==, ESK_LAB_ERROR_CANCELLED);
    }
  table->resume (lab);
  return code == ESK_LAB_OK ? -1.0 : (double) (end - cancel.when) * 1e-6;
}

static void
test_cancel (void)
{
  static const EskProbe probes[] = {
    { .kind = ESK_PROBE_EMPTY, .repeats = 64 },
    { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_FLOAT64, .operation = ESK_OPERATION_SINE, .repeats = 64 },
    { .kind = ESK_PROBE_CHASE, .bytes = 192 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_THROUGHPUT, .type = ESK_TYPE_LAB_FLOAT32, .repeats = 64 },
    { .kind = ESK_PROBE_MATRIX, .type = ESK_TYPE_LAB_FLOAT64, .repeats = 64 },
    { .kind = ESK_PROBE_DIVERGENCE, .ways = 32, .repeats = 64 },
    { .kind = ESK_PROBE_ORDER, .variant = 3, .bytes = 64 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_COPY, .ways = 1, .bytes = 192 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_READ, .bytes = 384 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_MOVE, .bytes = 384 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_LIBRARY_COPY, .bytes = 192 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_ATOMIC, .type = ESK_TYPE_LAB_FLOAT64, .variant = 2, .repeats = 64 },
    { .kind = ESK_PROBE_LAUNCH, .variant = 0, .repeats = 64 },
    { .kind = ESK_PROBE_LAUNCH, .variant = 1, .repeats = 64 },
    { .kind = ESK_PROBE_BARRIER, .variant = 2, .repeats = 64 },
    { .kind = ESK_PROBE_BARRIER, .variant = 3, .repeats = 64 },
    { .kind = ESK_PROBE_ALLOCATE, .variant = 2, .bytes = 384 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_DOT, .bytes = 384 << 20, .repeats = 64 },
    { .kind = ESK_PROBE_MANDELBROT, .stride = 8192, .view = { -0.5, 0.0, 0.1 }, .repeats = 64 },
  };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);

  if (esk_lab_memory_free () < (guint64) 1 << 30)
    {
      g_test_skip ("less than a gigabyte of memory is free");
      table->close (lab);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (probes); i++)
    {
      const Left before = look ();
      double best = G_MAXDOUBLE;

      if (!table->has (lab, &probes[i]))
        continue;
      /* While it prepares, and while it measures. That a thread has to wait for others' is not its fault: once. */
      for (gulong after = 10000; after <= 90000; after += 80000)
        {
          for (guint again = 0; again < 3 && !(best <= END_SECONDS); again++)
            best = MIN (best, end_of (table, lab, &probes[i], after));
          if (best > END_SECONDS)
            g_error ("probe %u ended %.3f s after cancel ()", i, best);
          best = G_MAXDOUBLE;
        }
      const Left after = look ();
      g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
    }
  table->close (lab);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint level = 0; level < 3; level++)
    {
      g_autofree char *name = g_strdup_printf ("/kernels/lab-cpu-probes/loops/%u", level);
      g_test_add_data_func (name, GUINT_TO_POINTER (level), test_loops);
    }
  g_test_add_func ("/kernels/lab-cpu-probes/rest", test_rest);
  g_test_add_func ("/kernels/lab-cpu-probes/source", test_source);
  g_test_add_func ("/kernels/lab-cpu-probes/picture", test_picture);
  g_test_add_func ("/kernels/lab-cpu-probes/cancel", test_cancel);
  return g_test_run ();
}
