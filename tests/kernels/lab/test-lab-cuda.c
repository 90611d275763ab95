/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The laboratory's CUDA module as any machine sees it: its entry, refusals, and the source that it shows; where there
 * is a card, what it says of itself, and a few probes. The first argument names the module.
 */

#include <glib.h>

#include "es-lab.h"

#include <dlfcn.h>
#include <string.h>

static EskLabEntry entry;
static const EskLabTable *table;

static EskLab *
open_card (void)
{
  char reason[256] = "";
  EskLab *lab = NULL;

  if (table->open (0, &lab, reason, sizeof reason) != ESK_LAB_OK)
    {
      g_assert_null (lab);
      g_assert_cmpuint (strlen (reason), >, 10);
      g_assert_false (g_str_has_suffix (reason, "."));
      g_test_skip (reason);
    }

  return lab;
}

static void
test_entry (void)
{
  char reason[256] = "", one[1] = "x";
  EskLab *lab = (EskLab *) reason;

  g_assert_null (entry (ESK_LAB_ABI + 1, reason, sizeof reason));
  g_assert_cmpuint (strlen (reason), >, 20);
  g_assert_null (entry (ESK_LAB_ABI + 1, one, sizeof one));
  g_assert_cmpint (one[0], ==, '\0');

  g_assert_nonnull (table);
  g_assert_cmpuint (table->abi, ==, ESK_LAB_ABI);
  g_assert_cmpstr (table->name, ==, "cuda");
  /* A card that is not there: a sentence, whether because of its number or because there is none at all. */
  g_assert_cmpint (table->open (table->count (), &lab, reason, sizeof reason), !=, ESK_LAB_OK);
  g_assert_null (lab);
  g_assert_cmpuint (strlen (reason), >, 10);
  g_assert_false (g_str_has_suffix (reason, "."));
  g_assert_cmpint (table->open (table->count (), &lab, NULL, 0), !=, ESK_LAB_OK);
}

static void
test_source (void)
{
  const struct
  {
    EskProbeKind kind;
    const char  *text;
  } expected[] = {
    { ESK_PROBE_CHASE, "ld.global.u64 %0, [%0];" }, { ESK_PROBE_CHASE, "lab_shuffled (uint32_t i" },
    { ESK_PROBE_ARITHMETIC, "fma.rn.f32 %0, %0, %1, %2;" }, { ESK_PROBE_ARITHMETIC, "lab_clock (void)" },
    { ESK_PROBE_THROUGHPUT, "lab_chains" }, { ESK_PROBE_MATRIX, "mma.sync.aligned" },
    { ESK_PROBE_BRANCH_ORDER, "LAB_BRANCH(k)" }, { ESK_PROBE_SHARING, "threadIdx.x / ways * ways" },
    { ESK_PROBE_CONFLICT, "threadIdx.x % ways * row" }, { ESK_PROBE_PRIVATE_ARRAY, "own[j + 1] = moved;" },
    { ESK_PROBE_READ, "lab_read" }, { ESK_PROBE_ATOMIC, "atomicAdd (sum, one);" },
    { ESK_PROBE_BARRIER, "ld.acquire.gpu" }, { ESK_PROBE_DOT, "__shfl_down_sync" },
    { ESK_PROBE_MANDELBROT, "lab_iterate" }, { ESK_PROBE_OVERLAP, "lab_work" },
  };
  EskProbe probe = { 0 };

  for (gsize e = 0; e < G_N_ELEMENTS (expected); e++)
    {
      const char *source;

      probe.kind = expected[e].kind;
      source = table->source (&probe);
      g_assert_nonnull (source);
      g_assert_nonnull (strstr (source, expected[e].text));
      g_assert_null (strstr (source, "lab end"));
      g_assert_true (source == table->source (&probe));
    }
  probe.kind = ESK_PROBE_PLAN;
  g_assert_null (table->source (&probe));
  probe.kind = ESK_N_PROBES;
  g_assert_null (table->source (&probe));
}

static void
test_machine (void)
{
  EskLab *lab = open_card ();
  EskLabMachine machine;
  EskLabState state;

  if (lab == NULL)
    return;
  g_assert_cmpint (table->describe (lab, &machine), ==, ESK_LAB_OK);
  g_assert_cmpstr (machine.id, ==, "cuda:0");
  g_assert_cmpuint (strlen (machine.name), >, 0);
  g_assert_cmpuint (machine.warp, ==, 32);
  g_assert_cmpuint (machine.units, >, 0);
  g_assert_cmpuint (machine.memory, >, 1u << 28);
  g_assert_cmpint (table->state (lab, &state), ==, ESK_LAB_OK);
  g_assert_cmpfloat (state.busy, <=, 1.0);
  table->close (lab);
}

static void
test_refusals (void)
{
  static const EskProbe wrong[] = {
    { .kind = ESK_N_PROBES, .repeats = 1 },
    { .kind = ESK_PROBE_EMPTY, .repeats = 0 },
    { .kind = ESK_PROBE_EMPTY, .repeats = ESK_LAB_MOST_REPEATS + 1 },
    { .kind = ESK_PROBE_CHASE, .repeats = 1 },
    { .kind = ESK_PROBE_CHASE, .space = ESK_N_SPACES, .bytes = 4096, .repeats = 1 },
    { .kind = ESK_PROBE_CHASE, .bytes = 1024, .stride = 256, .repeats = 1 },
    { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_UINT32, .operation = ESK_OPERATION_SINE, .repeats = 1 },
    { .kind = ESK_PROBE_SHARING, .ways = 3, .repeats = 1 },
    { .kind = ESK_PROBE_SHARING, .ways = 1, .threads = 48, .repeats = 1 },
    { .kind = ESK_PROBE_BARRIER, .variant = 2, .blocks = 60000, .threads = 1024, .repeats = 1 },
    { .kind = ESK_PROBE_PEER, .ways = 0, .bytes = 4096, .repeats = 1 },
    { .kind = ESK_PROBE_COPY, .ways = 3, .bytes = 4096, .repeats = 1 },
    { .kind = ESK_PROBE_PRIVATE_ARRAY, .ways = 100000, .repeats = 1 },
  };
  EskLab *lab = open_card ();
  g_autofree EskProbeResult *result = g_new0 (EskProbeResult, 1);

  if (lab == NULL)
    return;
  for (gsize w = 0; w < G_N_ELEMENTS (wrong); w++)
    {
      int code = table->measure (lab, &wrong[w], result);

      g_assert_true (code == ESK_LAB_ERROR_ARGUMENT || code == ESK_LAB_ERROR_SUPPORT);
      g_assert_cmpuint (result->n, ==, 0);
      g_assert_cmpuint (strlen (table->last_error (lab)), >, 10);
    }
  table->close (lab);
}

/* What is asked of it holds for every card: orders of sizes, and repeats that agree. */
static void
test_probes (void)
{
  static const EskProbe probes[] = {
    { .kind = ESK_PROBE_EMPTY, .repeats = 10 },
    { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_FLOAT32, .operation = ESK_OPERATION_ADD, .repeats = 10 },
    { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_INT32, .operation = ESK_OPERATION_DIVIDE, .repeats = 10 },
    { .kind = ESK_PROBE_CHASE, .space = ESK_SPACE_SHARED, .bytes = 8192, .repeats = 10 },
    { .kind = ESK_PROBE_CHASE, .space = ESK_SPACE_GLOBAL, .bytes = 8192, .repeats = 10 },
    { .kind = ESK_PROBE_CHASE, .space = ESK_SPACE_GLOBAL, .bytes = 512 << 20, .repeats = 10 },
  };
  EskLab *lab = open_card ();
  g_autofree EskProbeResult *result = g_new0 (EskProbeResult, 1);
  double means[G_N_ELEMENTS (probes)];

  if (lab == NULL)
    return;
  for (gsize p = 0; p < G_N_ELEMENTS (probes); p++)
    {
      means[p] = 0.0;
      g_assert_cmpint (table->measure (lab, &probes[p], result), ==, ESK_LAB_OK);
      g_assert_cmpuint (result->n, ==, probes[p].repeats);
      g_assert_cmpfloat (result->hertz, >, 1e8);
      for (guint k = 0; k < result->n; k++)
        means[p] += result->samples[k] / result->n;
    }
  g_assert_cmpfloat (ABS (means[0]), <, 0.1);
  g_assert_cmpfloat (means[1], >, 1.0);
  g_assert_cmpfloat (means[1], <, 40.0);
  g_assert_cmpfloat (means[2], >, 3.0 * means[1]);
  g_assert_cmpfloat (means[3], <, means[4] + 5.0);
  g_assert_cmpfloat (means[4], <, means[5]);

  /* Cancelled, and then not any more. */
  table->cancel (lab);
  g_assert_cmpint (table->measure (lab, &probes[0], result), ==, ESK_LAB_ERROR_CANCELLED);
  table->resume (lab);
  g_assert_cmpint (table->measure (lab, &probes[0], result), ==, ESK_LAB_OK);
  table->close (lab);
}

int
main (int    argc,
      char **argv)
{
  char reason[256];
  void *module, *symbol;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  module = dlopen (argv[1], RTLD_NOW | RTLD_LOCAL);
  if (module == NULL)
    g_error ("%s", dlerror ());
  symbol = dlsym (module, ESK_LAB_ENTRY);
  g_assert_nonnull (symbol);
  memcpy (&entry, &symbol, sizeof symbol);
  table = entry (ESK_LAB_ABI, reason, sizeof reason);

  g_test_add_func ("/lab-cuda/entry", test_entry);
  g_test_add_func ("/lab-cuda/source", test_source);
  g_test_add_func ("/lab-cuda/machine", test_machine);
  g_test_add_func ("/lab-cuda/refusals", test_refusals);
  g_test_add_func ("/lab-cuda/probes", test_probes);

  return g_test_run ();
}
