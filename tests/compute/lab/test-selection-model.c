/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* (4.9) and (4.10) with the formulas as they were published: crossovers, and table 4.5. */

#include <math.h>

#include "lab/es-selection-model-internal.h"
#include "recorded-k20c.h"

#define KB 1024.0

typedef struct
{
  EsFitFamily family;
  double      from, to, c[4];
} Published;

/* Formulas of GB/s, as of bytes a second. */
static void
take (EsSegmentedFit *fit, const Published *pieces, guint n)
{
  *fit = (EsSegmentedFit) { .n = n };
  for (guint i = 0; i < n; i++)
    {
      EsFitPiece *piece = &fit->pieces[i];

      *piece = (EsFitPiece) { .family = pieces[i].family, .from = pieces[i].from, .to = pieces[i].to };
      for (guint k = 0; k < 4; k++)
        piece->c[k] = pieces[i].c[k] * (pieces[i].family == ES_FIT_EXPONENTIAL ? 1 : GIGABYTE);
      if (pieces[i].family == ES_FIT_EXPONENTIAL)
        piece->c[0] += log (GIGABYTE);
    }
}

#define TAKE(fit, pieces) take (fit, pieces, G_N_ELEMENTS (pieces))

static void
make_models (EsMemoryModel models[ESK_N_MEMORIES])
{
  static const Published pageable_to[] = {
    { ES_FIT_LOGARITHM, 2 * KB, 256 * KB, { -2.479, 0.360 } },
    { ES_FIT_CUBIC, 256 * KB, 4 * MEGA, { 1.995, -3.838e-8, 2.191e-13, -3.579e-20 } },
    { ES_FIT_CUBIC, 4 * MEGA, 32 * MEGA, { 2.682, 1.072e-7, -5.043e-15, 7.050e-23 } },
    { ES_FIT_EXPONENTIAL, 32 * MEGA, GIGABYTE, { 1.197, -514828.668 } },
  };
  static const Published pageable_from[] = {
    { ES_FIT_LOGARITHM, 16 * KB, 256 * KB, { -2.472, 0.343 } },
    { ES_FIT_CUBIC, 256 * KB, 2 * MEGA, { 1.510, 1.326e-6, -1.133e-12, 2.732e-19 } },
    { ES_FIT_EXPONENTIAL, 2 * MEGA, GIGABYTE, { 1.073, -1012387.498 } },
  };
  static const Published pinned_to[] = {
    { ES_FIT_CUBIC, 2 * KB, 256 * KB, { 0.210, 5.970e-5, -3.382e-10, 6.660e-16 } },
    { ES_FIT_CUBIC, 256 * KB, 2 * MEGA, { 3.365, 6.030e-6, -5.147e-12, 1.278e-18 } },
    { ES_FIT_EXPONENTIAL, 2 * MEGA, GIGABYTE, { 1.776, -278771.750 } },
  };
  static const Published pinned_from[] = {
    { ES_FIT_CUBIC, 4 * KB, 256 * KB, { 0.393, 4.759e-5, -1.974e-10, 3.074e-16 } },
    { ES_FIT_EXPONENTIAL, 256 * KB, 8 * MEGA, { 1.829, -64448.291 } },
    { ES_FIT_EXPONENTIAL, 8 * MEGA, GIGABYTE, { 1.831, -83470.782 } },
  };

  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    models[m] = (EsMemoryModel) { 0 };
  EsMemoryModel *pageable = &models[ESK_MEMORY_PAGEABLE], *registered = &models[ESK_MEMORY_REGISTERED];
  pageable->known = registered->known = TRUE;
  TAKE (&pageable->to, pageable_to);
  TAKE (&pageable->from, pageable_from);
  TAKE (&registered->to, pinned_to);
  TAKE (&registered->from, pinned_from);
  registered->has_lock = TRUE;
  registered->lock = (EsTwoPieceFit) { 0.0935e-3, MEGA, 2.473e-11, 0.1306e-3, 0, 0 };
  registered->unlock = (EsTwoPieceFit) { 8.117e-5, MEGA, 4.254e-11, 0.1579e-3, 0, 0 };
}

static gboolean
is_registered (const EsMemoryModel *models, double bytes, guint to, guint from)
{
  const EsTransferredArray array = { (guint64) bytes, to, from, 0 };

  return es_selection_choose (models, &array, TRUE) == ESK_MEMORY_REGISTERED;
}

/* Pageable just below, registered just above. Of kB and MB, 1000 and 1000^2 bytes. */
static void
crosses (const EsMemoryModel *models, double bytes, guint to, guint from)
{
  g_assert_false (is_registered (models, bytes * 0.98, to, from));
  g_assert_true (is_registered (models, bytes * 1.02, to, from));
}

static void
test_crossovers (void)
{
  g_autofree EsMemoryModel *models = g_new (EsMemoryModel, ESK_N_MEMORIES);

  make_models (models);
  crosses (models, 619e3, 1, 0);
  /* The cost of registering jumps at 1 MB. */
  g_assert_true (is_registered (models, MEGA - 1, 1, 0));
  g_assert_false (is_registered (models, MEGA, 1, 0));
  crosses (models, 4.17e6, 1, 0);
  crosses (models, 565e3, 0, 1);
  g_assert_true (is_registered (models, MEGA - 1, 0, 1));
  g_assert_false (is_registered (models, MEGA, 0, 1));
  crosses (models, 1.15e6, 0, 1);
  crosses (models, 295e3, 1, 1);
  crosses (models, 168e3, 4, 0);
  crosses (models, 61e3, 10, 0);
  crosses (models, 123e3, 0, 4);
  crosses (models, 50e3, 0, 10);
}

static void
test_table (void)
{
  static const struct { EsTransferredArray array; double pageable, registered; } rows[] = {
    { { 149501632, 1, 0, 0 }, 42.192, 33.959 }, { { 200704, 0, 1, 0 }, 0.109, 0.216 },
    { { 200704, 1, 0, 0 }, 0.097, 0.222 }, { { 72081144, 0, 1, 0 }, 23.292, 15.907 },
  };
  g_autofree EsMemoryModel *models = g_new (EsMemoryModel, ESK_N_MEMORIES);

  make_models (models);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_cmpfloat_with_epsilon (1e3 * es_selection_seconds (&models[ESK_MEMORY_PAGEABLE], &rows[i].array, TRUE),
                                      rows[i].pageable, 0.002 * rows[i].pageable + 5e-4);
      g_assert_cmpfloat_with_epsilon (1e3 * es_selection_seconds (&models[ESK_MEMORY_REGISTERED], &rows[i].array, TRUE),
                                      rows[i].registered, 0.002 * rows[i].registered + 5e-4);
      g_assert_cmpint (es_selection_choose (models, &rows[i].array, TRUE), ==,
                       rows[i].pageable < rows[i].registered ? ESK_MEMORY_PAGEABLE : ESK_MEMORY_REGISTERED);
    }
}

/* Memory that is quick to copy and slow to read, or dear to have, is chosen where that does not count. */
static void
test_other_kinds (void)
{
  g_autofree EsMemoryModel *models = g_new (EsMemoryModel, ESK_N_MEMORIES);
  const EsTransferredArray left_alone = { 64 << 20, 1, 0, 0 }, touched = { 64 << 20, 1, 0, 1 };

  make_models (models);
  EsMemoryModel *combined = &models[ESK_MEMORY_WRITE_COMBINED];
  *combined = models[ESK_MEMORY_REGISTERED];
  combined->has_lock = FALSE;
  combined->touch = 0.1e9;
  models[ESK_MEMORY_REGISTERED].touch = 10e9;
  models[ESK_MEMORY_PAGEABLE].touch = 10e9;
  g_assert_cmpint (es_selection_choose (models, &left_alone, TRUE), ==, ESK_MEMORY_WRITE_COMBINED);
  g_assert_cmpint (es_selection_choose (models, &touched, TRUE), ==, ESK_MEMORY_REGISTERED);
  models[ESK_MEMORY_REGISTERED].has_own = TRUE;
  combined->has_own = TRUE;
  combined->own = (EsTwoPieceFit) { 0, 0, 1e-9, 0, 0, 0 };
  g_assert_cmpint (es_selection_choose (models, &left_alone, FALSE), ==, ESK_MEMORY_REGISTERED);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    models[m].known = FALSE;
  g_assert_cmpint (es_selection_choose (models, &left_alone, FALSE), ==, ESK_N_MEMORIES);
}

/* How often an array goes there and comes back: counted here turn by turn. */
static void
test_moves (void)
{
  const EsMemoryModel moving = { .moves = TRUE }, copied = { 0 };

  for (guint t = 0; t < 6; t++)
    for (guint f = t == 0; f < 6; f++)
      {
        const EsTransferredArray array = { 4096, t, f, 0, 0 };
        guint ups = 0, downs = 0, there = 0, back = 0, to, from;
        gboolean on_card = t == 0;

        while (ups < t || downs < f)
          {
            if (ups < t)
              {
                back += on_card;
                there++;
                on_card = TRUE;
                ups++;
              }
            if (downs < f)
              {
                there += !on_card;
                back++;
                on_card = FALSE;
                downs++;
              }
          }
        es_selection_moves (&moving, &array, &to, &from);
        g_assert_cmpuint (to, ==, there);
        g_assert_cmpuint (from, ==, back);
        es_selection_moves (&copied, &array, &to, &from);
        g_assert_cmpuint (to, ==, t);
        g_assert_cmpuint (from, ==, f);
      }
}

/* Of a kind of which nobody knows how quickly it is read, or what it costs to have, the sum is not known either: it is
 * not the cheapest because nothing was added. */
static void
test_unknown (void)
{
  g_autofree EsMemoryModel *models = g_new (EsMemoryModel, ESK_N_MEMORIES);
  const EsTransferredArray touched = { 64 << 20, 1, 0, 100 };

  make_models (models);
  models[ESK_MEMORY_PAGEABLE].touch = 10e9;
  g_assert_true (isnan (es_selection_seconds (&models[ESK_MEMORY_REGISTERED], &touched, TRUE)));
  g_assert_cmpint (es_selection_choose (models, &touched, TRUE), ==, ESK_MEMORY_PAGEABLE);
  models[ESK_MEMORY_REGISTERED].touch = 10e9;
  g_assert_cmpint (es_selection_choose (models, &touched, TRUE), ==, ESK_MEMORY_REGISTERED);
  models[ESK_MEMORY_PAGEABLE].has_own = TRUE;
  models[ESK_MEMORY_PAGEABLE].own = (EsTwoPieceFit) { 0, 0, 1e-9, 0, 0, 0 };
  g_assert_true (isnan (es_selection_seconds (&models[ESK_MEMORY_REGISTERED], &touched, FALSE)));
  g_assert_cmpint (es_selection_choose (models, &touched, FALSE), ==, ESK_MEMORY_PAGEABLE);

  /* Nor managed memory of a machine that was measured without it. */
  const EsTransferredArray used = { 64 << 20, 1, 0, 0, 5 };
  EsMemoryModel *managed = &models[ESK_MEMORY_MANAGED];
  managed->moves = TRUE;
  g_assert_true (isnan (es_selection_seconds (managed, &used, TRUE)));
  managed->known = TRUE;
  managed->to = managed->from = models[ESK_MEMORY_PAGEABLE].to;
  g_assert_true (isnan (es_selection_seconds (managed, &used, TRUE)));
  managed->has_use = TRUE;
  managed->use = models[ESK_MEMORY_PAGEABLE].to;
  g_assert_false (isnan (es_selection_seconds (managed, &used, TRUE)));
  /* Nor how much longer moves take that are not the first. */
  const EsTransferredArray again = { 64 << 20, 2, 1, 0, 0 };
  g_assert_true (isnan (es_selection_seconds (managed, &again, TRUE)));
  managed->has_turns = TRUE;
  managed->turns = models[ESK_MEMORY_PAGEABLE].to;
  g_assert_false (isnan (es_selection_seconds (managed, &again, TRUE)));
}

/* Pieces begin at 2, 4 or 16 KB. A copy of less takes as long as one of that, not less in proportion: formula (4.1) has
 * 16 bytes at 7 us, as 4 KB. */
static void
test_smaller (void)
{
  static const double least[] = { 2 * KB, 16 * KB };
  g_autofree EsMemoryModel *models = g_new (EsMemoryModel, ESK_N_MEMORIES);

  make_models (models);
  for (guint way = 0; way < 2; way++)
    for (guint64 bytes = 1; bytes < least[way]; bytes *= 2)
      {
        const EsTransferredArray array = { bytes, way == 0, way == 1, 0 };
        const EsTransferredArray at = { (guint64) least[way], way == 0, way == 1, 0 };
        const double seconds = es_selection_seconds (&models[ESK_MEMORY_PAGEABLE], &array, TRUE);

        g_assert_cmpfloat (seconds, ==, es_selection_seconds (&models[ESK_MEMORY_PAGEABLE], &at, TRUE));
        if (bytes >= 16 && way == 0)
          g_assert_cmpfloat (fabs (log (seconds * k20c_link (ESK_MEMORY_PAGEABLE, 0, (double) bytes) / (double) bytes)),
                             <, log (2));
      }
}

/* Twenty cases, the truth of which is added up here term by term. */
static void
test_generated (void)
{
  g_autofree EsMemoryModel *models = g_new (EsMemoryModel, ESK_N_MEMORIES);
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (guint trial = 0; trial < 20; trial++)
    {
      const double bytes = exp2 (g_rand_double_range (random, 12, 30));
      const EsTransferredArray array = { (guint64) bytes, (guint) g_rand_int_range (random, 0, 5),
                                         (guint) g_rand_int_range (random, 1, 5),
                                         (guint) g_rand_int_range (random, 0, 4),
                                         (guint) g_rand_int_range (random, 0, 4) };
      const gboolean without_own = trial % 2 == 0;
      double truth[ESK_N_MEMORIES];
      guint best = 0;

      make_models (models);
      for (guint m = 0; m < ESK_N_MEMORIES; m++)
        {
          const double to = g_rand_double_range (random, 1e9, 50e9), from = g_rand_double_range (random, 1e9, 50e9);
          const double touch = g_rand_double_range (random, 1e8, 50e9), slope = g_rand_double_range (random, 0, 1e-9);
          const double use = g_rand_double_range (random, 1e11, 4e12), size = (double) array.bytes;
          const double longer = g_rand_double_range (random, 0.5, 6), pair = size / to + size / from;
          /* Eight there and eight back, all but the first of each so many times as long. */
          const double turning = 16 * size / (pair * (1 + 7 * longer));
          const gboolean moves = m == ESK_MEMORY_MANAGED || m == ESK_MEMORY_MANAGED_AHEAD;
          const guint there = !moves ? array.to : array.to == 0 ? array.from - 1 : MAX (array.to, array.from);
          const guint back = moves && array.to > array.from ? array.to - 1 : array.from;

          models[m] = (EsMemoryModel) { .known = TRUE, .moves = moves, .touch = touch, .has_own = TRUE,
                                        .has_lock = m == 1, .has_use = TRUE, .has_own_there = TRUE,
                                        .has_turns = TRUE };
          models[m].turns = (EsSegmentedFit) { .n = 1, .pieces = { { ES_FIT_LINEAR, 1, 1e12, { turning }, 0, 0 } } };
          models[m].use = (EsSegmentedFit) { .n = 1, .pieces = { { ES_FIT_LINEAR, 1, 1e12, { use }, 0, 0 } } };
          models[m].to = (EsSegmentedFit) { .n = 1, .pieces = { { ES_FIT_LINEAR, 1, 1e12, { to }, 0, 0 } } };
          models[m].from = (EsSegmentedFit) { .n = 1, .pieces = { { ES_FIT_LINEAR, 1, 1e12, { from }, 0, 0 } } };
          models[m].own = (EsTwoPieceFit) { 1e-5, MEGA, slope, 2e-5, 0, 0 };
          models[m].own_there = (EsTwoPieceFit) { 3e-5, MEGA, slope / 3, 5e-5, 0, 0 };
          models[m].lock = models[m].unlock = (EsTwoPieceFit) { 1e-4, MEGA, slope / 2, 2e-4, 0, 0 };
          truth[m] = array.touched * size / touch + array.used * size / use
                     + (without_own ? 0 : moves && array.to == 0 ? (size < MEGA ? 3e-5 : 5e-5 + slope / 3 * size)
                        : size < MEGA ? 1e-5 : 2e-5 + slope * size)
                     + (m == 1 ? 2 * (size < MEGA ? 1e-4 : 2e-4 + slope / 2 * size) : 0);
          for (guint i = 0; i < there; i++)
            truth[m] += size / to * (moves && i > 0 ? longer : 1);
          for (guint i = 0; i < back; i++)
            truth[m] += size / from * (moves && i > 0 ? longer : 1);
          best = truth[m] < truth[best] ? m : best;
          g_assert_cmpfloat_with_epsilon (es_selection_seconds (&models[m], &array, without_own), truth[m],
                                          1e-9 * truth[m]);
        }
      g_assert_cmpuint (es_selection_choose (models, &array, without_own), ==, best);
    }
}

static void
test_parse (void)
{
  g_autoptr (GArray) arrays = es_transferred_arrays_parse (" 149501632:1:0,200704 : 1 : 2 : 3, 8:1:0:0:7", NULL);

  g_assert_nonnull (arrays);
  g_assert_cmpuint (arrays->len, ==, 3);
  g_assert_cmpuint (g_array_index (arrays, EsTransferredArray, 0).bytes, ==, 149501632);
  g_assert_cmpuint (g_array_index (arrays, EsTransferredArray, 1).to, ==, 1);
  g_assert_cmpuint (g_array_index (arrays, EsTransferredArray, 1).from, ==, 2);
  g_assert_cmpuint (g_array_index (arrays, EsTransferredArray, 1).touched, ==, 3);
  g_assert_cmpuint (g_array_index (arrays, EsTransferredArray, 1).used, ==, 0);
  g_assert_cmpuint (g_array_index (arrays, EsTransferredArray, 2).used, ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/selection-model/crossovers", test_crossovers);
  g_test_add_func ("/selection-model/table", test_table);
  g_test_add_func ("/selection-model/other-kinds", test_other_kinds);
  g_test_add_func ("/selection-model/moves", test_moves);
  g_test_add_func ("/selection-model/unknown", test_unknown);
  g_test_add_func ("/selection-model/smaller", test_smaller);
  g_test_add_func ("/selection-model/generated", test_generated);
  g_test_add_func ("/selection-model/parse", test_parse);
  return g_test_run ();
}
