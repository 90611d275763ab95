/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of the processor's laboratory against the same operations one by one, for every instruction set that this
 * machine has: chains, rates, memory, products of vectors, the Mandelbrot set, gathered vectors. */

#include "es-lab-cpu-private.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* ---- chains and rates ---- */

/* By C's own operators on the type itself, with nothing that keeps a compiler from anything. */
#define REFERENCE_WHOLE(name, T, U) \
static T \
name (EskLabOperation operation, T r, T a, T b, gsize n) \
{ \
  for (gsize i = 0; i < n; i++) \
    r = operation == ESK_OPERATION_ADD ? (T) ((U) r + (U) a) \
        : operation == ESK_OPERATION_SUBTRACT ? (T) ((U) r - (U) a) \
        : operation == ESK_OPERATION_MULTIPLY ? (T) ((U) r * (U) a) : operation == ESK_OPERATION_DIVIDE ? (T) (a / r) \
        : (T) ((U) r * (U) a + (U) b); \
  return r; \
}
REFERENCE_WHOLE (reference_u32, guint32, guint32)
REFERENCE_WHOLE (reference_i32, gint32, guint32)
REFERENCE_WHOLE (reference_i64, gint64, guint64)
REFERENCE_WHOLE (reference_i8, gint8, guint)

#define REFERENCE_FLOAT(name, T, f) \
static T \
name (EskLabOperation operation, T r, T a, T b, gsize n, gboolean fused) \
{ \
  for (gsize i = 0; i < n; i++) \
    switch (operation) \
      { \
      case ESK_OPERATION_ADD: r = r + a; break; \
      case ESK_OPERATION_SUBTRACT: r = r - a; break; \
      case ESK_OPERATION_MULTIPLY: r = r * a; break; \
      case ESK_OPERATION_DIVIDE: case ESK_OPERATION_FAST_DIVIDE: r = a / r; break; \
      case ESK_OPERATION_MULTIPLY_ADD: r = fused ? fma ## f (r, a, b) : r * a + b; break; \
      case ESK_OPERATION_SINE: r = sin ## f (r) + a; break; \
      case ESK_OPERATION_COSINE: r = cos ## f (r); break; \
      case ESK_OPERATION_EXP2: r = exp2 ## f (r) - a; break; \
      case ESK_OPERATION_LOG2: r = log2 ## f (r) + a; break; \
      case ESK_OPERATION_RECIPROCAL: r = 1 / r; break; \
      default: r = 1 / sqrt ## f (r); break; \
      } \
  return r; \
}
REFERENCE_FLOAT (reference_f32, float, f)
REFERENCE_FLOAT (reference_f64, double, )

static void
assert_value (const EskLabLoops *loops, EskLabType type, EskLabOperation operation, EskLabOperands in, gsize n,
              EskLabValue value)
{
  const gboolean rough = operation == ESK_OPERATION_FAST_DIVIDE || operation == ESK_OPERATION_RECIPROCAL
                         || operation == ESK_OPERATION_RECIPROCAL_ROOT;
  double wanted, found;

  switch (type)
    {
    case ESK_TYPE_LAB_UINT32:
      g_assert_cmpuint (value.u32, ==, reference_u32 (operation, in.start.u32, in.a.u32, in.b.u32, n));
      return;
    case ESK_TYPE_LAB_INT32:
      g_assert_cmpint (value.i32, ==, reference_i32 (operation, in.start.i32, in.a.i32, in.b.i32, n));
      return;
    case ESK_TYPE_LAB_INT64:
      g_assert_cmpint (value.i64, ==, reference_i64 (operation, in.start.i64, in.a.i64, in.b.i64, n));
      return;
    case ESK_TYPE_LAB_INT8:
      g_assert_cmpint (value.i8, ==, reference_i8 (operation, in.start.i8, in.a.i8, in.b.i8, n));
      return;
    case ESK_TYPE_LAB_FLOAT32:
      wanted = reference_f32 (operation, in.start.f32, in.a.f32, in.b.f32, n, loops->fused);
      found = value.f32;
      break;
    default:
      wanted = reference_f64 (operation, in.start.f64, in.a.f64, in.b.f64, n, loops->fused);
      found = value.f64;
      break;
    }
  if (rough)
    g_assert_cmpfloat (fabs (log (found / wanted)), <=, (double) n / 2048);
  else
    g_assert_cmpfloat (found, ==, wanted);
}

/* Operands that no chain is measured with, and those that they are measured with. */
static EskLabOperands
get_operands (EskLabType type, EskLabOperation operation, gboolean usual)
{
  EskLabOperands in = esk_lab_operands (type, operation);

  if (usual)
    return in;
  switch (type)
    {
    case ESK_TYPE_LAB_UINT32:
      in.start.u32 = 60013;
      in.a.u32 = 4000000007u;
      in.b.u32 = 77;
      break;
    case ESK_TYPE_LAB_INT32:
      in.start.i32 = -30011;
      in.a.i32 = 1900000043;
      in.b.i32 = -3;
      break;
    case ESK_TYPE_LAB_INT64:
      in.start.i64 = -3000000019;
      in.a.i64 = G_MAXINT64 - 24;
      in.b.i64 = 12345678901;
      break;
    case ESK_TYPE_LAB_INT8:
      in.start.i8 = -101;
      in.a.i8 = 93;
      break;
    case ESK_TYPE_LAB_FLOAT32:
      if (operation <= ESK_OPERATION_MULTIPLY_ADD)
        in = (EskLabOperands) { { .f32 = 1.1f }, { .f32 = 0.987654f }, { .f32 = 0.3f } };
      break;
    default:
      if (operation <= ESK_OPERATION_MULTIPLY_ADD)
        in = (EskLabOperands) { { .f64 = 1.1 }, { .f64 = 0.987654321 }, { .f64 = 0.3 } };
      break;
    }
  return in;
}

static void
test_chains (void)
{
  const EskLabLoops *loops;
  guint n = 0;

  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    for (guint type = 0; type < ESK_N_LAB_TYPES; type++)
      for (guint operation = 0; operation < ESK_N_OPERATIONS; operation++)
        for (guint usual = 0; usual < 2 && loops->chain[type][operation] != NULL; usual++)
          {
            EskLabOperands in = get_operands (type, operation, usual);
            EskLabValue end = { 0 };

            loops->chain[type][operation] (3, &in.start, &in.a, &in.b, &end);
            assert_value (loops, type, operation, in, 3 * ESK_LAB_BLOCK, end);
            n++;
          }
  /* Five operations on three types of whole numbers, and more on two of others. */
  g_assert_cmpuint (n, >=, 2 * (15 + 2 * 9));
}

static void
test_rates (void)
{
  static const guint sizes[ESK_N_LAB_TYPES] = { 4, 4, 8, 1, 2, 2, 4, 4, 8, 1 };
  const EskLabLoops *loops;
  guint n = 0;

  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    for (guint type = 0; type < ESK_N_LAB_TYPES; type++)
      for (guint operation = 0; operation < ESK_N_OPERATIONS; operation++)
        for (guint usual = 0; usual < 2 && loops->rate[type][operation] != NULL; usual++)
          {
            const guint values = loops->values[type][operation];
            EskLabOperands in = get_operands (type, operation, usual);
            g_autofree guint8 *ends = g_malloc0 (values * sizes[type] + 1);

            g_assert_cmpuint (values, >, 0);
            loops->rate[type][operation] (2, &in.start, &in.a, &in.b, ends);
            for (guint i = 0; i < values; i++)
              {
                EskLabValue value = { 0 };

                memcpy (&value, ends + i * sizes[type], sizes[type]);
                assert_value (loops, type, operation, in, 2 * ESK_LAB_BLOCK, value);
              }
            n++;
          }
  g_assert_cmpuint (n, >=, 2 * (15 + 2 + 2 * 9));
}

/* ---- memory ---- */

static void
test_streams (void)
{
  const gsize words = 5 * ESK_LAB_GRAIN / 8;
  const EskLabLoops *loops;

  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    {
      g_autofree guint8 *memory = g_malloc0 (3 * words * 8 + 64);
      guint64 *from = (guint64 *) (memory + (64 - (guintptr) memory % 64) % 64), *to = from + words + ESK_LAB_GRAIN / 8;
      guint64 sum = 0;

      for (gsize i = 0; i < words; i++)
        sum += from[i] = i * i * 0x123456789abcdefull + 5;
      g_assert_cmphex (loops->read (from, words * 8, 1), ==, sum);
      g_assert_cmphex (loops->read (from, words * 8, 7), ==, 7 * sum);
      g_assert_cmphex (loops->read (from, ESK_LAB_GRAIN, 0), ==, 0);

      for (guint past = 0; past < 2; past++)
        {
          if (past && loops->stream == NULL)
            continue;
          memset (to - 8, 0x55, words * 8 + 128);
          (past ? loops->stream : loops->write) (to, words * 8, 2, 0xfeed0123456789abull);
          for (gsize i = 0; i < words; i++)
            g_assert_cmphex (to[i], ==, 0xfeed0123456789abull);
          g_assert_cmphex (to[-1], ==, 0x5555555555555555ull);
          g_assert_cmphex (to[words], ==, 0x5555555555555555ull);

          (past ? loops->move_past : loops->move) (to, from, words * 8, 2);
          g_assert_cmpmem (to, words * 8, from, words * 8);
          g_assert_cmphex (to[-1], ==, 0x5555555555555555ull);
          g_assert_cmphex (to[words], ==, 0x5555555555555555ull);
        }
    }
}

static void
test_copies (void)
{
  for (guint element = 1; element <= 16; element *= 2)
    {
      const gsize bytes = 37 * element;
      g_autofree guint8 *from = g_malloc (bytes), *to = g_malloc (bytes + 1);

      for (gsize i = 0; i < bytes; i++)
        from[i] = (guint8) (i * 37 + 11);
      memset (to, 0x55, bytes + 1);
      esk_lab_copy_elements (element, to, from, bytes);
      g_assert_cmpmem (to, bytes, from, bytes);
      g_assert_cmphex (to[bytes], ==, 0x55);
    }
}

/* ---- works ---- */

static void
test_dot (void)
{
  static const gsize lengths[] = { 0, 1, 7, 63, 64, 65, 1000, 4096, 5001, 20011 };
  const EskLabLoops *loops;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree float *x = g_new (float, 20012), *y = g_new (float, 20012);

  for (gsize i = 0; i < 20012; i++)
    {
      x[i] = (float) g_rand_double_range (random, -1, 1);
      y[i] = (float) g_rand_double_range (random, -1, 1);
    }
  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    for (guint l = 0; l < G_N_ELEMENTS (lengths); l++)
      {
        double wanted = 0, size = 0;

        /* From an odd place: nothing is aligned. */
        for (gsize i = 1; i <= lengths[l]; i++)
          {
            wanted += (double) x[i] * y[i];
            size += fabs ((double) x[i] * y[i]);
          }
        g_assert_cmpfloat (fabs (loops->dot (x + 1, y + 1, lengths[l]) - wanted), <=, 2e-6 * size);
      }
}

static guint8
count (double c_re, double c_im)
{
  double re = 0, im = 0;

  for (guint n = 0; n < 255; n++)
    {
      const double next = re * re - im * im + c_re;

      if (re * re + im * im > 4)
        return (guint8) n;
      im = 2 * re * im + c_im;
      re = next;
    }
  return 255;
}

static void
test_mandelbrot (void)
{
  const EskLabLoops *loops;

  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    {
      for (gsize n = 1; n < 41; n += 13)
        for (double y = -1.3; y < 1.3; y += 0.11)
          {
            guint8 counts[48];

            memset (counts, 0xaa, sizeof counts);
            loops->mandelbrot (-2.1, 3.0 / (double) n, y, n, counts);
            for (gsize i = 0; i < n; i++)
              g_assert_cmpuint (counts[i], ==, count (-2.1 + 3.0 / (double) n * (double) i, y));
            for (gsize i = n; i < sizeof counts; i++)
              g_assert_cmpuint (counts[i], ==, 0xaa);
          }
      /* 0 and -2 never leave, 3 does at once, 1e200 overflows. */
      for (guint i = 0; i < 4; i++)
        {
          static const double at[] = { 0, -2, 3, 1e200 };
          static const guint8 wanted[] = { 255, 255, 1, 1 };
          guint8 found;

          loops->mandelbrot (at[i], 0, 0, 1, &found);
          g_assert_cmpuint (found, ==, wanted[i]);
        }
    }
}

static void
test_gather (void)
{
  const EskLabLoops *loops;
  gint32 table[257];

  for (gint32 i = 0; i < 257; i++)
    table[i] = (i * 3 + 1) % 257;
  for (guint level = 0; (loops = esk_lab_loops_get (level)) != NULL; level++)
    if (loops->gather != NULL)
      {
        gint32 index[16], wanted[16];

        for (gint32 lane = 0; lane < 16; lane++)
          wanted[lane] = index[lane] = lane * 16;
        loops->gather (table, 48, index);
        for (guint lane = 0; lane < loops->width / 4; lane++)
          {
            for (guint step = 0; step < 48; step++)
              wanted[lane] = table[wanted[lane]];
            g_assert_cmpint (index[lane], ==, wanted[lane]);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/lab-cpu-loops/chains", test_chains);
  g_test_add_func ("/kernels/lab-cpu-loops/rates", test_rates);
  g_test_add_func ("/kernels/lab-cpu-loops/streams", test_streams);
  g_test_add_func ("/kernels/lab-cpu-loops/copies", test_copies);
  g_test_add_func ("/kernels/lab-cpu-loops/dot", test_dot);
  g_test_add_func ("/kernels/lab-cpu-loops/mandelbrot", test_mandelbrot);
  g_test_add_func ("/kernels/lab-cpu-loops/gather", test_gather);
  return g_test_run ();
}
