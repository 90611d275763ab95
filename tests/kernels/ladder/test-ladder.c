/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Every rung of every ladder of a module against the definition, at sizes that end in the middle of everything; what
 * the rungs of one ladder bring is the same. With --climb it tells what each takes instead, and how it is placed.
 * usage: test-ladder MODULE [--device INDEX] [--production MODULE] [--only LADDER] [--quick] [--climb [KEY=NUMBER...]]
 * --quick: the first of the sizes alone
 */

#include <dlfcn.h>
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "es-ladder.h"

static const EskLadderTable *table;
static const EskHotspots *production;
static unsigned device;
static const char *only;
static gboolean quick;

static const char *const names[ESK_N_LADDERS] = {
  "covariance", "transform", "ica", "noise", "fourier", "beams", "jacobi", "azimuth",
};

/* Odd ones, and one that is smaller than any tile. */
static const EskLadderSize sizes[ESK_N_LADDERS][3] = {
  { { .width = 33, .height = 31, .bands = 37 }, { .width = 257, .height = 65, .bands = 129 },
    { .width = 1, .height = 1, .bands = 1 } },
  { { .width = 33, .height = 31, .bands = 37, .rows = 5 }, { .width = 257, .height = 65, .bands = 129, .rows = 27 },
    { .width = 1, .height = 1, .bands = 1, .rows = 1 } },
  { { .width = 33, .height = 31, .rows = 5 }, { .width = 257, .height = 65, .rows = 27 },
    { .width = 2, .height = 1, .rows = 1 } },
  { { .width = 33, .height = 31, .bands = 5 }, { .width = 257, .height = 65, .bands = 7 },
    { .width = 1, .height = 1, .bands = 1 } },
  { { .elements = 3, .samples = 96, .bins = 17 }, { .elements = 5, .samples = 1024, .bins = 513 },
    { .elements = 1, .samples = 16, .bins = 1 } },
  { { .elements = 33, .angles = 19, .ranges = 3, .bins = 7 },
    { .elements = 129, .angles = 61, .ranges = 8, .bins = 33 },
    { .elements = 2, .angles = 1, .ranges = 1, .bins = 1 } },
  { { .elements = 17, .samples = 34 }, { .elements = 66, .samples = 132 }, { .elements = 131, .threads = 64 } },
  { { .elements = 17, .angles = 19 }, { .elements = 66, .angles = 61, .threads = 32 }, { .elements = 2, .angles = 1 } },
};

/* Of the ladder's own measure of what may differ. */
#define FACTOR 4.0

static EskLadder *
open_ladder (void)
{
  EskLadder *ladder = NULL;
  char reason[512] = "";
  const int code = table->open (device, production, &ladder, reason, sizeof reason);

  if (code != ESK_LADDER_OK)
    g_printerr ("%s\n", reason);
  g_assert_cmpint (code, ==, ESK_LADDER_OK);
  return ladder;
}

static void
compare (const double *first,
         const double *now,
         gint64        n,
         double        tolerance,
         const char   *id)
{
  double largest = 0, worst = 0;

  for (gint64 k = 0; k < n; k++)
    {
      largest = fmax (largest, fabs (first[k]));
      worst = fmax (worst, fabs (now[k] - first[k]));
      g_assert_true (isfinite (now[k]));
    }
  if (worst > FACTOR * tolerance * largest)
    g_error ("rung %s: differs by %g of %g from the first, where %g may be", id, worst, largest, tolerance * largest);
}

static void
check_size (EskLadder           *ladder,
            EskLadderKind        kind,
            const EskLadderSize *size)
{
  unsigned n;
  const EskRung *rungs = table->rungs (kind, &n);
  /* By definition. */
  double *first[2] = { NULL, NULL };
  g_autofree double *now = NULL;
  gint64 n_values;
  double loosest = 0;

  g_assert_cmpint (table->prepare (ladder, kind, size), ==, ESK_LADDER_OK);
  for (unsigned r = 0; r < n; r++)
    {
      EskRungResult result;
      const int code = table->measure (ladder, r, 2, 60.0, &result);

      if (code == ESK_LADDER_ERROR_REFUSED)
        {
          g_assert_cmpint (result.why, !=, ESK_WHY_NONE);
          g_test_message ("%s %s: refused (%d) %s", names[kind], rungs[r].id, result.why, result.needs);
          continue;
        }
      if (code != ESK_LADDER_OK)
        g_error ("%s %s: %d %s", names[kind], rungs[r].id, code, table->last_error (ladder));
      g_assert_cmpuint (result.n, >=, 1);
      for (unsigned k = 0; k < result.n; k++)
        g_assert_true (result.samples[k] > 0 && isfinite (result.samples[k]));
      if (!(result.error <= result.tolerance))
        g_error ("%s %s: %g off, where %g may be", names[kind], rungs[r].id, result.error, result.tolerance);
      loosest = fmax (loosest, result.tolerance);
      n_values = table->output (ladder, NULL, 0);
      g_assert_cmpint (n_values, >, 0);
      g_assert_cmpuint (rungs[r].definition, <, G_N_ELEMENTS (first));
      g_free (now);
      now = g_new0 (double, n_values);
      g_assert_cmpint (table->output (ladder, now, (size_t) n_values), ==, n_values);
      if (first[rungs[r].definition] == NULL)
        first[rungs[r].definition] = g_memdup2 (now, n_values * sizeof *now);
      compare (first[rungs[r].definition], now, n_values, fmax (loosest, result.tolerance), rungs[r].id);
    }
  for (guint d = 0; d < G_N_ELEMENTS (first); d++)
    g_free (first[d]);
}

static void
test_conforms (gconstpointer data)
{
  const EskLadderKind kind = GPOINTER_TO_UINT (data);
  EskLadder *ladder = open_ladder ();

  for (guint s = 0; s < (quick ? 1 : G_N_ELEMENTS (sizes[kind])); s++)
    check_size (ladder, kind, &sizes[kind][s]);
  table->close (ladder);
}

static void
test_rungs (void)
{
  for (guint kind = 0; kind < ESK_N_LADDERS; kind++)
    {
      unsigned n, at;
      const EskRung *rungs = table->rungs (kind, &n);

      for (unsigned r = 0; r < n; r++)
        {
          g_assert_nonnull (rungs[r].id);
          g_assert_nonnull (rungs[r].strategies);
          if (rungs[r].kind == ESK_RUNG_STEP)
            g_assert_nonnull (rungs[r].source);
          if (rungs[r].below == NULL)
            continue;
          for (at = 0; at < r && strcmp (rungs[at].id, rungs[r].below) != 0; at++)
            ;
          g_assert_cmpuint (at, <, r);
        }
    }
}

static void
test_refuses (void)
{
  EskLadder *ladder = open_ladder ();
  const EskLadderSize none = { 0 }, small = sizes[ESK_LADDER_COVARIANCE][0];
  EskRungResult result;
  double value;

  g_assert_cmpint (table->measure (ladder, 0, 1, 1, &result), ==, ESK_LADDER_ERROR_ARGUMENT);
  g_assert_cmpint (table->output (ladder, &value, 1), <, 0);
  for (guint kind = 0; kind < ESK_N_LADDERS; kind++)
    {
      unsigned n;

      table->rungs (kind, &n);
      if (n > 0)
        g_assert_cmpint (table->prepare (ladder, kind, &none), ==, ESK_LADDER_ERROR_ARGUMENT);
      g_assert_cmpstr (table->last_error (ladder), !=, "");
    }
  g_assert_cmpint (table->prepare (ladder, ESK_LADDER_COVARIANCE, &small), ==, ESK_LADDER_OK);
  g_assert_cmpint (table->measure (ladder, 99, 1, 1, &result), ==, ESK_LADDER_ERROR_ARGUMENT);
  g_assert_cmpint (table->measure (ladder, 0, 0, 1, &result), ==, ESK_LADDER_ERROR_ARGUMENT);
  g_assert_cmpint (table->measure (ladder, 0, 1, 0, &result), ==, ESK_LADDER_ERROR_ARGUMENT);
  /* Nothing is done in a nanosecond. */
  g_assert_cmpint (table->measure (ladder, 0, 1, 1e-9, &result), ==, ESK_LADDER_ERROR_REFUSED);
  g_assert_cmpint (result.why, ==, ESK_WHY_TIME);
  g_assert_cmpfloat (result.amount, >, result.limit);
  table->cancel (ladder);
  g_assert_cmpint (table->measure (ladder, 0, 1, 1, &result), ==, ESK_LADDER_ERROR_CANCELLED);
  table->resume (ladder);
  g_assert_cmpint (table->measure (ladder, 0, 1, 1, &result), ==, ESK_LADDER_OK);
  table->close (ladder);
}

/* ---- preparing ---- */

/* Such that each takes a second or more to make. */
static const EskLadderSize large[ESK_N_LADDERS] = {
  { .width = 8000, .height = 8000, .bands = 8 }, { .width = 8000, .height = 8000, .bands = 4, .rows = 1 },
  { .width = 8000, .height = 8000, .rows = 2 }, { .width = 8000, .height = 8000, .bands = 4 },
  { .elements = 8192, .samples = 8192, .bins = 1 }, { .elements = 8192, .angles = 2000, .ranges = 8, .bins = 1 },
  { .elements = 1024, .samples = 32768 }, { .elements = 8192, .angles = 1 },
};

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (G_USEC_PER_SEC / 10);
  table->cancel (data);
  return NULL;
}

static int
prepare_cancelled (EskLadder           *ladder,
                   EskLadderKind        kind,
                   const EskLadderSize *size)
{
  GThread *thread = g_thread_new ("cancel", cancel_soon, ladder);
  const gint64 began = g_get_monotonic_time ();
  const int code = table->prepare (ladder, kind, size);

  g_assert_cmpint (g_get_monotonic_time () - began, <, 5 * G_USEC_PER_SEC);
  g_thread_join (thread);
  table->resume (ladder);
  return code;
}

/* Nobody waits for samples that are not wanted any more. */
static void
test_cancels_preparing (void)
{
  EskLadder *ladder = open_ladder ();

  for (guint kind = 0; kind < ESK_N_LADDERS; kind++)
    {
      unsigned n;

      table->rungs (kind, &n);
      if (n == 0)
        continue;
      table->cancel (ladder);
      g_assert_cmpint (table->prepare (ladder, kind, &sizes[kind][0]), ==, ESK_LADDER_ERROR_CANCELLED);
      table->resume (ladder);
      g_assert_cmpint (prepare_cancelled (ladder, kind, &large[kind]), ==, ESK_LADDER_ERROR_CANCELLED);
      g_assert_cmpint (table->prepare (ladder, kind, &sizes[kind][0]), ==, ESK_LADDER_OK);
    }
  table->close (ladder);
}

static double
memory_of_all (void)
{
  g_autofree char *text = NULL;
  const char *at = g_file_get_contents ("/proc/meminfo", &text, NULL, NULL) ? strstr (text, "MemTotal:") : NULL;

  return at != NULL ? 1024 * g_ascii_strtod (at + strlen ("MemTotal:"), NULL) : 0;
}

/* Nobody can end what LAPACK has begun: of a processor it is not begun where it takes too long. */
static void
test_refuses_eigenproblems (void)
{
  const EskLadderSize size = { .elements = 5000, .angles = 1 };
  EskLadder *ladder = open_ladder ();
  EskRungResult result;

  if (g_str_equal (table->name, "cpu"))
    {
      g_assert_cmpint (table->prepare (ladder, ESK_LADDER_AZIMUTH, &size), ==, ESK_LADDER_OK);
      g_assert_cmpint (table->measure (ladder, 0, 1, 1000, &result), ==, ESK_LADDER_ERROR_REFUSED);
      g_assert_true (result.why == ESK_WHY_TIME || result.why == ESK_WHY_MEMORY);
      g_assert_cmpfloat (result.amount, >, result.limit);
    }
  table->close (ladder);
}

/* What the system would grant, and then has nobody to take from but others. */
static void
test_leaves_memory (void)
{
  const guint side = (guint) sqrt (0.9 * memory_of_all () / 64);
  const EskLadderSize most = { .width = side, .height = side, .bands = 64 };
  EskLadder *ladder = open_ladder ();

  if (side > 0)
    g_assert_cmpint (prepare_cancelled (ladder, ESK_LADDER_COVARIANCE, &most), ==, ESK_LADDER_ERROR_MEMORY);
  table->close (ladder);
}

/* ---- climbing ---- */

static const EskLadderSize usual[ESK_N_LADDERS] = {
  { .width = 614, .height = 1087, .bands = 224 },
  { .width = 614, .height = 1087, .bands = 224, .rows = 28 },
  { .width = 614, .height = 1087, .rows = 27 },
  { .width = 614, .height = 1087, .bands = 224 },
  { .elements = 1024, .samples = 8192, .bins = 493 },
  { .elements = 1024, .angles = 160, .ranges = 8, .bins = 166 },
  { .elements = 1024 },
  { .elements = 1024, .angles = 180 },
};

static void
set_number (EskLadderSize *size,
            const char    *text)
{
  static const struct { const char *key; size_t at; } keys[] = {
    { "width=", offsetof (EskLadderSize, width) }, { "height=", offsetof (EskLadderSize, height) },
    { "bands=", offsetof (EskLadderSize, bands) }, { "rows=", offsetof (EskLadderSize, rows) },
    { "elements=", offsetof (EskLadderSize, elements) }, { "angles=", offsetof (EskLadderSize, angles) },
    { "ranges=", offsetof (EskLadderSize, ranges) }, { "bins=", offsetof (EskLadderSize, bins) },
    { "samples=", offsetof (EskLadderSize, samples) }, { "threads=", offsetof (EskLadderSize, threads) },
  };

  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    if (g_str_has_prefix (text, keys[k].key))
      *(uint32_t *) ((char *) size + keys[k].at) = (uint32_t) g_ascii_strtoull (text + strlen (keys[k].key), NULL, 10);
}

static int
by_value (const void *a,
          const void *b)
{
  const double difference = *(const double *) a - *(const double *) b;

  return (difference > 0) - (difference < 0);
}

static void
climb (EskLadder     *ladder,
       EskLadderKind  kind,
       EskLadderSize  size)
{
  unsigned n;
  const EskRung *rungs = table->rungs (kind, &n);
  double bytes, operations;

  if (n == 0)
    return;
  table->least (kind, &size, &bytes, &operations);
  g_print ("%s: at least %.3g bytes, %.3g operations\n", names[kind], bytes, operations);
  if (table->prepare (ladder, kind, &size) != ESK_LADDER_OK)
    {
      g_print ("  %s\n", table->last_error (ladder));
      return;
    }
  for (unsigned r = 0; r < n; r++)
    {
      EskRungResult result;
      const int code = table->measure (ladder, r, 7, 10.0, &result);

      if (code != ESK_LADDER_OK)
        {
          g_print ("  %-12s code %d why %d %g of %g %s %s\n", rungs[r].id, code, result.why, result.amount,
                   result.limit, result.needs, table->last_error (ladder));
          continue;
        }
      qsort (result.samples, result.n, sizeof *result.samples, by_value);
      g_print ("  %-12s %10.4f ms (%.4f .. %.4f, %u)  %7.1f GB/s %8.1f Gop/s  prepared %.2f set up %.2f ms  "
               "regs %u shared %u local %u threads %u occupancy %.2f  error %.2g of %.2g\n", rungs[r].id,
               1e3 * result.samples[result.n / 2], 1e3 * result.samples[0],
               1e3 * result.samples[result.n - 1], result.n,
               1e-9 * result.bytes / result.samples[result.n / 2],
               1e-9 * result.operations / result.samples[result.n / 2], 1e3 * result.preparation, 1e3 * result.setup,
               result.registers, result.shared, result.local, result.threads, result.occupancy,
               result.error, result.tolerance);
    }
}

static int
climb_all (int    argc,
           char **argv)
{
  EskLadder *ladder = open_ladder ();

  for (guint kind = 0; kind < ESK_N_LADDERS; kind++)
    {
      EskLadderSize size = usual[kind];

      for (int a = 0; a < argc; a++)
        set_number (&size, argv[a]);
      if (only == NULL || g_str_equal (only, names[kind]))
        climb (ladder, kind, size);
    }
  table->close (ladder);
  return 0;
}

/* ---- the module ---- */

static gpointer
symbol (const char *path,
        const char *name)
{
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);

  if (module == NULL)
    g_printerr ("%s\n", dlerror ());
  return module != NULL ? dlsym (module, name) : NULL;
}

int
main (int    argc,
      char **argv)
{
  char reason[512] = "";
  const char *path = argc > 1 ? argv[1] : NULL, *hotspots = NULL;
  EskLadderEntry entry = path != NULL ? (EskLadderEntry) symbol (path, ESK_LADDER_ENTRY) : NULL;
  int a = 2, climbing = 0;

  g_test_init (&argc, &argv, NULL);
  for (; a < argc && !climbing; a++)
    if (g_str_equal (argv[a], "--device") && a + 1 < argc)
      device = (unsigned) atoi (argv[++a]);
    else if (g_str_equal (argv[a], "--production") && a + 1 < argc)
      hotspots = argv[++a];
    else if (g_str_equal (argv[a], "--only") && a + 1 < argc)
      only = argv[++a];
    else if (g_str_equal (argv[a], "--quick"))
      quick = TRUE;
    else if (g_str_equal (argv[a], "--climb"))
      climbing = 1;
  if (entry == NULL || entry (ESK_LADDER_ABI + 1, reason, sizeof reason) != NULL || *reason == '\0')
    g_error ("%s: no module of ladders, or one of any interface", path != NULL ? path : "nothing");
  table = entry (ESK_LADDER_ABI, reason, sizeof reason);
  g_assert_nonnull (table);
  production = g_str_equal (table->name, "cpu") ? esk_cpu_hotspots () : NULL;
  if (hotspots != NULL)
    production = ((EskModuleEntry) symbol (hotspots, ESK_MODULE_ENTRY)) (ESK_HOTSPOTS_ABI, reason, sizeof reason);
  if (climbing)
    return climb_all (argc - a, argv + a);

  g_test_add_func ("/ladder/rungs", test_rungs);
  /* Where there is a card, or none is needed. */
  if (production != NULL)
    {
      g_test_add_func ("/ladder/refuses", test_refuses);
      g_test_add_func ("/ladder/cancels-preparing", test_cancels_preparing);
      g_test_add_func ("/ladder/leaves-memory", test_leaves_memory);
      g_test_add_func ("/ladder/refuses-eigenproblems", test_refuses_eigenproblems);
      for (guint kind = 0; kind < ESK_N_LADDERS; kind++)
        {
          unsigned n;
          g_autofree char *name = g_strconcat ("/ladder/", names[kind], NULL);

          table->rungs (kind, &n);
          if (n > 0 && (only == NULL || g_str_equal (only, names[kind])))
            g_test_add_data_func (name, GUINT_TO_POINTER (kind), test_conforms);
        }
    }
  return g_test_run ();
}
