/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The processor's laboratory as who asks it sees it: its table, what it says of the machine, chases that visit what
 * they should, errors, results that are wrong. */

#include "es-lab-cpu-private.h"

#include <dlfcn.h>
#include <glib.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const EskLabTable *esk_lab_module (unsigned abi, char *reason, size_t n);

static const char *module_path;

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

static void
test_module (void)
{
  void *module = dlopen (module_path, RTLD_NOW | RTLD_LOCAL);
  const EskLabTable *table;
  char reason[256] = "";
  EskLabEntry entry;
  EskLab *lab;

  g_assert_nonnull (module);
  entry = (EskLabEntry) dlsym (module, ESK_LAB_ENTRY);
  g_assert_nonnull (entry);
  g_assert_null (entry (ESK_LAB_ABI + 1, reason, sizeof reason));
  g_assert_cmpstr (reason, !=, "");
  table = entry (ESK_LAB_ABI, reason, sizeof reason);
  g_assert_nonnull (table);
  g_assert_cmpuint (table->abi, ==, ESK_LAB_ABI);
  g_assert_cmpstr (table->name, ==, "cpu");
  g_assert_cmpuint (table->count (), ==, 1);
  g_assert_cmpint (table->open (1, &lab, reason, sizeof reason), ==, ESK_LAB_ERROR_ARGUMENT);
  g_assert_null (lab);
  g_assert_cmpint (table->open (0, &lab, reason, sizeof reason), ==, ESK_LAB_OK);
  table->close (lab);
  table->close (NULL);
  /* Nothing else of it is seen. */
  g_assert_null (dlsym (module, "esk_lab_machine_begin"));
  dlclose (module);
}

static void
test_machine (void)
{
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  EskLabMachine machine;
  EskLabState state;
  gint64 until = g_get_monotonic_time () + 60000;

  g_assert_cmpint (table->describe (lab, &machine), ==, ESK_LAB_OK);
  g_assert_cmpstr (machine.id, ==, "cpu");
  g_assert_cmpstr (machine.name, !=, "");
  g_assert_cmpstr (machine.driver, !=, "");
  g_assert_cmpstr (machine.architecture, !=, "");
  g_assert_cmpuint (machine.units, >=, 1);
  g_assert_cmpuint (machine.threads, >=, machine.units);
  g_assert_cmpuint (machine.threads, <=, g_get_num_processors ());
  g_assert_cmpuint (machine.memory, >, 1 << 20);
  g_assert_cmpfloat (machine.clock_hertz, >, 2e8);
  g_assert_cmpfloat (machine.clock_hertz, <, 2e10);
  g_assert_cmpuint (esk_lab_memory_free (), <=, esk_lab_memory_total ());

  /* Busy meanwhile. */
  while (g_get_monotonic_time () < until)
    ;
  g_assert_cmpint (table->state (lab, &state), ==, ESK_LAB_OK);
  g_assert_cmpfloat (state.busy, >, 0);
  g_assert_cmpfloat (state.busy, <=, 1);
  g_assert_cmpfloat (state.watts, <, 0);
  /* Of so short a time nothing is known. */
  g_assert_cmpint (state.others, ==, -1);
  table->close (lab);
}

/* A process for each processor, which does nothing but be busy: whatever else there is, others are. */
static void
test_others (void)
{
  const guint n = g_get_num_processors ();
  g_autofree pid_t *children = g_new (pid_t, n);
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  EskLabState state;

  for (guint i = 0; i < n; i++)
    {
      children[i] = fork ();
      if (children[i] == 0)
        for (alarm (20);;)
          ;
      g_assert_cmpint (children[i], >, 0);
    }
  g_assert_cmpint (table->state (lab, &state), ==, ESK_LAB_OK);
  g_usleep (500000);
  g_assert_cmpint (table->state (lab, &state), ==, ESK_LAB_OK);
  for (guint i = 0; i < n; i++)
    {
      kill (children[i], SIGKILL);
      waitpid (children[i], NULL, 0);
    }
  g_test_message ("%d processors of %u", state.others, n);
  g_assert_cmpint (state.others, >=, 1);
  g_assert_cmpint (state.others, <=, (int) n);
  table->close (lab);
}

/* ---- chases ---- */

static void
test_single_cycle (void)
{
  static const gsize lengths[] = { 1, 2, 3, 64, 1000, 70001 };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);

  for (guint l = 0; l < G_N_ELEMENTS (lengths); l++)
    for (gsize size = 8; size <= 64; size *= 8)
      {
        const gsize n = lengths[l];
        g_autofree guint8 *data = g_malloc0 (n * size), *seen = g_malloc0 (n);
        gpointer at = data;
        gsize neighbours = 0;

        g_assert_cmpint (esk_lab_chase_link (lab, data, n, size), ==, ESK_LAB_OK);
        for (gsize step = 0; step < n; step++)
          {
            const gsize offset = (gsize) ((guint8 *) at - data);

            g_assert_cmpuint (offset % size, ==, 0);
            g_assert_cmpuint (offset / size, <, n);
            g_assert_cmpuint (seen[offset / size], ==, 0);
            seen[offset / size] = 1;
            neighbours += *(guint8 **) at == (guint8 *) at + size;
            at = *(gpointer *) at;
          }
        g_assert_true (at == data);
        /* In random order: one of them is followed by its neighbour, on average. */
        if (n >= 64)
          g_assert_cmpuint (neighbours, <, 12);
      }
  g_assert_cmpint (esk_lab_chase_link (lab, NULL, 0, 8), ==, ESK_LAB_ERROR_ARGUMENT);
  table->close (lab);
}

static gsize
greatest_common_divisor (gsize a, gsize b)
{
  return b == 0 ? a : greatest_common_divisor (b, a % b);
}

static void
test_stride (void)
{
  static const gsize lengths[] = { 2, 7, 2048, 2047 };

  for (guint l = 0; l < G_N_ELEMENTS (lengths); l++)
    for (gsize stride = 1; stride <= lengths[l] && stride <= 1024; stride += stride < 40 ? 1 : 123)
      {
        const gsize n = lengths[l];
        g_autofree guint32 *data = g_new (guint32, n);
        gsize visited = 0;
        guint32 at = 0;

        esk_lab_chase_stride (data, n, stride);
        do
          {
            g_assert_cmpuint (at % 4, ==, 0);
            at = data[at / 4];
            visited++;
          }
        while (at != 0 && visited <= n);
        g_assert_cmpuint (visited, ==, n / greatest_common_divisor (n, stride));
      }
}

/* ---- errors ---- */

static void
test_refused (void)
{
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  EskProbeResult result = { 0 };
  EskProbe probe = { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_FLOAT32, .repeats = 1 };

  g_assert_cmpint (table->measure (lab, &probe, &result), ==, ESK_LAB_OK);
  probe.repeats = 0;
  g_assert_cmpint (table->measure (lab, &probe, &result), ==, ESK_LAB_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (table->last_error (lab), "repeats"));
  probe.repeats = ESK_LAB_MOST_REPEATS + 1;
  g_assert_cmpint (table->measure (lab, &probe, &result), ==, ESK_LAB_ERROR_ARGUMENT);
  probe.repeats = 1;
  probe.operation = ESK_N_OPERATIONS;
  g_assert_cmpint (table->measure (lab, &probe, &result), ==, ESK_LAB_ERROR_SUPPORT);
  g_assert_cmpstr (table->last_error (lab), ==, "");
  probe.kind = ESK_N_PROBES;
  g_assert_cmpint (table->has (lab, &probe), ==, 0);
  g_assert_cmpint (table->measure (lab, &probe, &result), ==, ESK_LAB_ERROR_ARGUMENT);
  g_assert_null (table->source (&probe));

  /* More threads than there are; none to share a footprint with. */
  probe = (EskProbe) { .kind = ESK_PROBE_READ, .bytes = 1 << 20, .threads = lab->threads + 1, .repeats = 1 };
  g_assert_false (table->has (lab, &probe));
  probe.threads = 1;
  g_assert_true (table->has (lab, &probe));
  probe.bytes = 8;
  g_assert_false (table->has (lab, &probe));

  /* Cards' own. */
  for (guint kind = ESK_PROBE_LINK; kind <= ESK_PROBE_PEER; kind++)
    g_assert_false (table->has (lab, &(EskProbe) { .kind = kind, .bytes = 4096, .repeats = 1 }));
  table->close (lab);
}

/* Who may lock nothing has no memory that is locked, also who is root of a container. */
static void
test_no_locking (void)
{
  const EskProbe probe = { .kind = ESK_PROBE_ALLOCATE, .memory = ESK_MEMORY_REGISTERED, .bytes = 4096, .variant = 1,
                           .repeats = 1 };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  const pid_t child = fork ();
  int status = 0;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
      struct __user_cap_data_struct rights[2];
      const struct rlimit none = { 0, 0 };

      if (syscall (SYS_capget, &head, rights) != 0 || setrlimit (RLIMIT_MEMLOCK, &none) != 0)
        _exit (77);
      rights[CAP_TO_INDEX (CAP_IPC_LOCK)].effective &= ~CAP_TO_MASK (CAP_IPC_LOCK);
      /* Sanitizers' own mlock () locks nothing and never fails. */
      if (syscall (SYS_capset, &head, rights) != 0 || mlock (&status, sizeof status) == 0)
        _exit (77);
      _exit (table->has (lab, &probe) ? 1 : 0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 77)
    g_test_skip ("rights cannot be given up here");
  else
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  table->close (lab);
}

/* The system would promise it. */
static void
test_too_much (void)
{
  static const EskProbeKind kinds[] = { ESK_PROBE_CHASE, ESK_PROBE_READ, ESK_PROBE_MOVE, ESK_PROBE_COPY,
                                        ESK_PROBE_ALLOCATE, ESK_PROBE_DOT };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  EskProbeResult result = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint large = 0; large < 2; large++)
      {
        EskProbe probe = { .kind = kinds[i], .variant = kinds[i] == ESK_PROBE_ALLOCATE ? 2 : 0, .ways = 4, .repeats = 1,
                           .bytes = large ? G_MAXUINT64 - 4096 : esk_lab_memory_total () };
        int code = table->measure (lab, &probe, &result);

        g_assert_true (code == ESK_LAB_ERROR_MEMORY || code == ESK_LAB_ERROR_ARGUMENT);
        g_assert_cmpuint (result.n, ==, 0);
        if (!large)
          g_assert_nonnull (strstr (table->last_error (lab), "memory"));
      }
  table->close (lab);
}

/* ---- results that are wrong ---- */

static void
wrong_chain (size_t blocks, const EskLabValue *start, const EskLabValue *a, const EskLabValue *b, EskLabValue *end)
{
  *end = *start;
}

static uint64_t
wrong_read (const void *from, size_t bytes, size_t passes)
{
  return 1;
}

static void
wrong_move (void *to, const void *from, size_t bytes, size_t passes)
{
  memmove (to, from, bytes - 8);
}

static double
wrong_dot (const float *x, const float *y, size_t n)
{
  return 1e6;
}

static void
wrong_mandelbrot (double left, double step, double y, size_t n, uint8_t *counts)
{
  memset (counts, 7, n);
}

static void
test_wrong (void)
{
  static const EskProbe probes[] = {
    { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_INT32, .repeats = 1 },
    { .kind = ESK_PROBE_READ, .bytes = 65536, .repeats = 1 },
    { .kind = ESK_PROBE_MOVE, .bytes = 65536, .repeats = 1 },
    { .kind = ESK_PROBE_DOT, .bytes = 65536, .repeats = 1 },
    { .kind = ESK_PROBE_MANDELBROT, .stride = 32, .view = { -0.5, 0.0, 3.0 }, .repeats = 1 },
  };
  const EskLabTable *table;
  EskLab *lab = open_lab (&table);
  EskLabLoops wrong = *lab->loops;
  EskProbeResult result = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (probes); i++)
    {
      g_assert_cmpint (table->measure (lab, &probes[i], &result), ==, ESK_LAB_OK);
      g_assert_cmpuint (result.n, ==, 1);
    }
  wrong.chain[ESK_TYPE_LAB_INT32][ESK_OPERATION_ADD] = wrong_chain;
  wrong.move = wrong.move_past = wrong_move;
  wrong.dot = wrong_dot;
  wrong.mandelbrot = wrong_mandelbrot;
  lab->loops = &wrong;
  for (guint i = 0; i < G_N_ELEMENTS (probes); i++)
    {
      if (probes[i].kind == ESK_PROBE_READ)
        wrong.read = wrong_read;
      g_assert_cmpint (table->measure (lab, &probes[i], &result), ==, ESK_LAB_ERROR_WRONG);
      g_assert_cmpuint (result.n, ==, 0);
      g_assert_cmpstr (table->last_error (lab), !=, "");
      wrong.read = esk_lab_loops_get (0)->read;
    }
  table->close (lab);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  module_path = argc > 1 ? argv[1] : "";
  g_test_add_func ("/kernels/lab-cpu/module", test_module);
  g_test_add_func ("/kernels/lab-cpu/machine", test_machine);
  g_test_add_func ("/kernels/lab-cpu/others", test_others);
  g_test_add_func ("/kernels/lab-cpu/single-cycle", test_single_cycle);
  g_test_add_func ("/kernels/lab-cpu/stride", test_stride);
  g_test_add_func ("/kernels/lab-cpu/refused", test_refused);
  g_test_add_func ("/kernels/lab-cpu/no-locking", test_no_locking);
  g_test_add_func ("/kernels/lab-cpu/too-much", test_too_much);
  g_test_add_func ("/kernels/lab-cpu/wrong", test_wrong);
  return g_test_run ();
}
