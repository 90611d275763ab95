/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Host memory that is advised for twenty arrays, on what was recorded of an H100 (data/profiles/h100.json): the model
 * predicts from formulas that are fitted to the curves, as lab-choose does; what would really pass is simulated from
 * the recorded points alone, one transfer after the other. gpu-lab.md, section 19, system 15: the advised plan is
 * within 3 % of the fastest.
 */

#include <math.h>
#include <string.h>

#include "lab/es-device-profile.h"
#include "lab/es-selection-model-internal.h"

#define N_CASES 20
#define LEAST_GOOD 18
#define AS_FAST 1.03
#define MOST_POINTS 64
#define LEAST_BYTES 16384.0
#define MOST_BYTES (64 * 1048576.0)

static const EskLabMemory kinds[] = { ESK_MEMORY_PAGEABLE, ESK_MEMORY_REGISTERED, ESK_MEMORY_PINNED, ESK_MEMORY_MANAGED,
                                      ESK_MEMORY_MANAGED_AHEAD };
static const char *const names[] = { "Pageable", "Registered", "Page-locked", "Managed", "Managed, prefetched" };
#define N_KINDS G_N_ELEMENTS (kinds)
/* Allocated, and worked on by the processor, as that one is. */
static const guint own_of[N_KINDS] = { 0, 0, 2, 3, 3 }, read_of[N_KINDS] = { 0, 2, 2, 3, 3 };

typedef struct
{
  guint  n;
  double x[MOST_POINTS], seconds[MOST_POINTS];
} Recorded;

/* What was recorded of one kind of memory. */
typedef struct
{
  Recorded to, from, allocate, touch, touch_there, release;
  Recorded turns;              /* one move of many to and fro */
  double   read[2];            /* bytes a second that one thread, and all, read of it */
} Kind;

typedef struct
{
  EsTransferredArray array;
  gboolean           by_all;   /* the processor goes through it with all threads, else with one */
} Case;

static EsDeviceProfile *profile;
static Kind recorded[N_KINDS];
static Recorded lock, unlock;

static gboolean
is_managed (guint kind)
{
  return kinds[kind] == ESK_MEMORY_MANAGED || kinds[kind] == ESK_MEMORY_MANAGED_AHEAD;
}

/* ---- what was recorded ---- */

static void
read_recorded (const char *experiment, const char *group, const char *name, gboolean is_rate, Recorded *into)
{
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);

      if (strcmp (figure->experiment, experiment) != 0 || strcmp (figure->group, group) != 0
          || strcmp (figure->name, name) != 0)
        continue;
      g_assert_cmpuint (into->n, <, MOST_POINTS);
      g_assert_true (into->n == 0 || figure->x > into->x[into->n - 1]);
      into->x[into->n] = figure->x;
      into->seconds[into->n++] = is_rate ? figure->x / figure->value : figure->value;
    }
}

static double
read_rate (const char *group, guint kind)
{
  g_autofree char *name = g_strdup_printf ("%s, read", names[read_of[kind]]);
  const EsFigure *figure = es_device_profile_find (profile, "lab-host-access", group, name, 64 << 20);

  g_assert_nonnull (figure);
  return figure->value;
}

static void
read_all (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("ES_DATA_DIR"), "profiles", "h100.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  profile = es_device_profile_load (file, &error);
  g_assert_no_error (error);
  for (guint k = 0; k < N_KINDS; k++)
    {
      const char *own = names[own_of[k]];

      read_recorded ("lab-link", "to", names[k], TRUE, &recorded[k].to);
      read_recorded ("lab-link", "from", names[k], TRUE, &recorded[k].from);
      read_recorded ("lab-link", "turns", names[k], TRUE, &recorded[k].turns);
      read_recorded ("lab-host-memory", "allocate", own, FALSE, &recorded[k].allocate);
      read_recorded ("lab-host-memory", "touch", own, FALSE, &recorded[k].touch);
      read_recorded ("lab-host-memory", "touch-card", own, FALSE, &recorded[k].touch_there);
      read_recorded ("lab-host-memory", "free", own, FALSE, &recorded[k].release);
      /* What moves does so from a page on. */
      g_assert_cmpuint (recorded[k].to.n, >=, 9);
      g_assert_cmpuint (recorded[k].from.n, >=, 9);
      g_assert_cmpuint (recorded[k].turns.n, >=, is_managed (k) ? 5 : 0);
      g_assert_cmpuint (recorded[k].allocate.n, >=, 2);
      recorded[k].read[0] = read_rate ("one-thread", k);
      recorded[k].read[1] = read_rate ("all-threads", k);
    }
  read_recorded ("lab-registration", "cost", "Page-locking", FALSE, &lock);
  read_recorded ("lab-registration", "cost", "Unlocking", FALSE, &unlock);
  g_assert_cmpuint (lock.n, >=, 4);
}

/* ---- what would pass ---- */

/* Between two recorded sizes on the line through them, of logarithms as link curves are drawn; beyond the last on with
 * the last two. Nothing recorded costs nothing: memory that is locked when it is made is touched by that. */
static double
simulate (const Recorded *curve, double bytes, gboolean logarithmic)
{
  guint i = 1;

  if (curve->n == 0)
    return 0;
  while (i + 1 < curve->n && curve->x[i] < bytes)
    i++;
  if (logarithmic)
    return curve->seconds[i - 1] * pow (curve->seconds[i] / curve->seconds[i - 1],
                                        log (bytes / curve->x[i - 1]) / log (curve->x[i] / curve->x[i - 1]));
  return fmax (curve->seconds[i - 1] + (curve->seconds[i] - curve->seconds[i - 1]) * (bytes - curve->x[i - 1])
                                       / (curve->x[i] - curve->x[i - 1]), 0);
}

/* All that goes over the link, in turns while there are some of both. */
static double
transfers (const Case *this, guint kind)
{
  const double bytes = (double) this->array.bytes;
  const double to = simulate (&recorded[kind].to, bytes, TRUE), from = simulate (&recorded[kind].from, bytes, TRUE);
  gboolean on_card = this->array.to == 0;
  guint there = 0, back = 0;

  if (!is_managed (kind))
    return this->array.to * to + this->array.from * from;
  for (guint i = 0; i < MAX (this->array.to, this->array.from); i++)
    {
      if (i < this->array.to)
        {
          back += on_card;
          there++;
          on_card = TRUE;
        }
      if (i < this->array.from)
        {
          there += !on_card;
          back++;
          on_card = FALSE;
        }
    }
  /* Those that are not the first of their way are held up. */
  const double all = 2 * ES_SELECTION_TURNS * simulate (&recorded[kind].turns, bytes, TRUE);
  const double longer = fmax ((all / (to + from) - 1) / (ES_SELECTION_TURNS - 1), 0);
  return (there > 0 ? to * (1 + longer * (there - 1)) : 0) + (back > 0 ? from * (1 + longer * (back - 1)) : 0);
}

static double
truth (const Case *this, guint kind)
{
  const double bytes = (double) this->array.bytes;
  const Kind *of = &recorded[kind];
  const Recorded *touch = is_managed (kind) && this->array.to == 0 ? &of->touch_there : &of->touch;
  double seconds = simulate (&of->allocate, bytes, FALSE) + simulate (touch, bytes, FALSE)
                   + simulate (&of->release, bytes, FALSE) + transfers (this, kind);

  if (kinds[kind] == ESK_MEMORY_REGISTERED)
    seconds += simulate (&lock, bytes, FALSE) + simulate (&unlock, bytes, FALSE);
  for (guint i = 0; i < this->array.touched; i++)
    seconds += bytes / of->read[this->by_all];
  return seconds;
}

/* ---- what is predicted ---- */

static void
fit_link (const Recorded *curve, EsSegmentedFit *fit)
{
  double x[MOST_POINTS], rates[MOST_POINTS];
  guint n = 0;

  /* Around the sizes that are asked for, as lab-choose measures them. */
  for (guint i = 0; i < curve->n; i++)
    if (curve->x[i] >= LEAST_BYTES / 16)
      {
        x[n] = curve->x[i];
        rates[n++] = curve->x[i] / curve->seconds[i];
      }
  g_assert_true (es_segmented_fit (x, rates, n, fit));
}

/* As lab-choose does; of two sizes alone a line. */
static void
fit_own (const Kind *of, const Recorded *touch, EsTwoPieceFit *fit)
{
  double x[MOST_POINTS], seconds[MOST_POINTS];
  const guint n = of->allocate.n;

  for (guint i = 0; i < n; i++)
    {
      x[i] = of->allocate.x[i];
      seconds[i] = of->allocate.seconds[i] + simulate (&of->release, x[i], FALSE) + simulate (touch, x[i], FALSE);
    }
  if (n > 2)
    {
      g_assert_true (es_two_piece_fit (x, seconds, n, fit));
      return;
    }
  fit->slope = (seconds[1] - seconds[0]) / (x[1] - x[0]);
  fit->start = seconds[0] - fit->slope * x[0];
  fit->break_at = 0;
}

static void
make_models (EsMemoryModel models[ESK_N_MEMORIES], gboolean by_all)
{
  memset (models, 0, ESK_N_MEMORIES * sizeof *models);
  for (guint k = 0; k < N_KINDS; k++)
    {
      EsMemoryModel *model = &models[kinds[k]];

      model->known = model->has_own = TRUE;
      fit_link (&recorded[k].to, &model->to);
      fit_link (&recorded[k].from, &model->from);
      fit_own (&recorded[k], &recorded[k].touch, &model->own);
      model->moves = model->has_own_there = model->has_turns = is_managed (k);
      if (model->moves)
        fit_link (&recorded[k].turns, &model->turns);
      fit_own (&recorded[k], &recorded[k].touch_there, &model->own_there);
      model->touch = recorded[k].read[by_all];
    }
  models[ESK_MEMORY_REGISTERED].has_lock = TRUE;
  g_assert_true (es_two_piece_fit (lock.x, lock.seconds, lock.n, &models[ESK_MEMORY_REGISTERED].lock));
  g_assert_true (es_two_piece_fit (unlock.x, unlock.seconds, unlock.n, &models[ESK_MEMORY_REGISTERED].unlock));
}

/* ---- cases ---- */

static void
make_cases (guint32 seed, Case cases[N_CASES])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < N_CASES; i++)
    {
      const double octaves = g_rand_double_range (random, log2 (LEAST_BYTES), log2 (MOST_BYTES));

      cases[i] = (Case) { .array = { .bytes = (guint64) exp2 (octaves) } };
      do
        {
          cases[i].array.to = (guint) exp2 (g_rand_double_range (random, 0, 6)) - 1;
          cases[i].array.from = (guint) exp2 (g_rand_double_range (random, 0, 6)) - 1;
        }
      while (cases[i].array.to + cases[i].array.from == 0);
      cases[i].array.touched = (guint) g_rand_int_range (random, 0, 5);
      cases[i].by_all = g_rand_boolean (random);
    }
}

static guint
index_of (EskLabMemory memory)
{
  for (guint k = 0; k < N_KINDS; k++)
    if (kinds[k] == memory)
      return k;
  g_assert_not_reached ();
}

/* For how many the plan is within 3 % of the fastest; always: the same kind for all instead of what is advised. */
static guint
count_good (guint32 seed, int always, guint chosen[N_KINDS])
{
  EsMemoryModel *models[2] = { g_new (EsMemoryModel, ESK_N_MEMORIES), g_new (EsMemoryModel, ESK_N_MEMORIES) };
  Case cases[N_CASES];
  guint good = 0;

  make_models (models[0], FALSE);
  make_models (models[1], TRUE);
  make_cases (seed, cases);
  memset (chosen, 0, N_KINDS * sizeof *chosen);
  for (guint i = 0; i < N_CASES; i++)
    {
      const Case *this = &cases[i];
      const guint advised = always >= 0 ? (guint) always
                            : index_of (es_selection_choose (models[this->by_all], &this->array, FALSE));
      double times[N_KINDS], least = INFINITY;

      for (guint k = 0; k < N_KINDS; k++)
        least = fmin (least, times[k] = truth (this, k));
      chosen[advised]++;
      good += times[advised] <= AS_FAST * least;
      if (always < 0)
        g_test_message ("%9" G_GUINT64_FORMAT " B, %2u to, %2u from, touched %u by %s: %s advised, %.1f us; %.1f, "
                        "%.1f, %.1f, %.1f, %.1f%s", this->array.bytes, this->array.to, this->array.from,
                        this->array.touched, this->by_all ? "all" : "one", names[advised],
                        1e6 * es_selection_seconds (&models[this->by_all][kinds[advised]], &this->array, FALSE),
                        1e6 * times[0], 1e6 * times[1], 1e6 * times[2], 1e6 * times[3], 1e6 * times[4],
                        times[advised] <= AS_FAST * least ? "" : ": not the fastest");
    }
  g_free (models[0]);
  g_free (models[1]);
  return good;
}

static void
test_cases (void)
{
  guint chosen[N_KINDS], unused[N_KINDS];
  const guint good = count_good (20261127, -1, chosen);

  g_test_message ("%u of %u; %u pageable, %u registered, %u page-locked, %u managed, %u managed and prefetched", good,
                  N_CASES, chosen[0], chosen[1], chosen[2], chosen[3], chosen[4]);
  g_assert_cmpuint (good, >=, LEAST_GOOD);
  /* It is no answer that is always the same. */
  for (guint k = 0; k < N_KINDS; k++)
    g_assert_cmpuint (count_good (20261127, (int) k, unused), <, LEAST_GOOD);
}

/* Nor is it luck: of four hundred other cases nine in ten as well. */
static void
test_many (void)
{
  guint chosen[N_KINDS], good = 0;

  for (guint32 seed = 1; seed <= 20; seed++)
    good += count_good (seed, -1, chosen);
  g_test_message ("%u of %u", good, 20 * N_CASES);
  g_assert_cmpuint (good, >=, 20 * LEAST_GOOD);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  read_all ();
  g_test_add_func ("/selection-cases/twenty", test_cases);
  g_test_add_func ("/selection-cases/many", test_many);
  status = g_test_run ();
  es_device_profile_unref (profile);
  return status;
}
