/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What came out of a comparison: steps, totals, speed-up. */

#include "es-comparison-private.h"

#include <math.h>

static gboolean
is_done (const EsContestant *contestant)
{
  return contestant->state == ES_CONTESTANT_DONE && contestant->steps != NULL;
}

/* The steps of all, each where the first contestant that has it takes it. Transfer full. */
static GArray *
union_of_steps (EsComparison *self)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (EsComparisonStep));

  g_rec_mutex_lock (&self->lock);
  for (guint i = 0; i < self->contestants->len; i++)
    {
      EsContestant *contestant = g_ptr_array_index (self->contestants, i);
      guint place = 0;

      if (!is_done (contestant))
        continue;
      for (guint s = 0; s < contestant->steps->len; s++)
        {
          EsComparisonStep *step = &g_array_index (contestant->steps, EsComparisonStep, s);
          guint at = 0;

          while (at < all->len && g_array_index (all, EsComparisonStep, at).name != step->name)
            at++;
          if (at == all->len)
            g_array_insert_val (all, place++, *step);
          else
            place = at + 1;
        }
    }
  g_rec_mutex_unlock (&self->lock);
  return all;
}

guint
es_comparison_get_n_steps (EsComparison *self)
{
  g_autoptr (GArray) steps = union_of_steps (self);

  return steps->len;
}

const char *
es_comparison_get_step_name (EsComparison *self, guint step)
{
  g_autoptr (GArray) steps = union_of_steps (self);

  g_return_val_if_fail (step < steps->len, NULL);
  return g_array_index (steps, EsComparisonStep, step).name;
}

const char *
es_comparison_get_step_title (EsComparison *self, guint step)
{
  g_autoptr (GArray) steps = union_of_steps (self);

  g_return_val_if_fail (step < steps->len, NULL);
  return g_array_index (steps, EsComparisonStep, step).title;
}

double
es_comparison_get_step_ms (EsComparison *self, guint i, guint step)
{
  EsContestant *contestant = es_comparison_get_contestant (self, i);
  const char *name = es_comparison_get_step_name (self, step);
  double ms = NAN;

  g_return_val_if_fail (contestant != NULL && name != NULL, NAN);
  g_rec_mutex_lock (&self->lock);
  if (is_done (contestant))
    {
      ms = 0;
      for (guint s = 0; s < contestant->steps->len; s++)
        if (g_array_index (contestant->steps, EsComparisonStep, s).name == name)
          ms += g_array_index (contestant->steps, EsComparisonStep, s).ms;
    }
  g_rec_mutex_unlock (&self->lock);
  return ms;
}

double
es_comparison_get_total_ms (EsComparison *self, guint i)
{
  EsContestant *contestant = es_comparison_get_contestant (self, i);
  double total;

  g_return_val_if_fail (contestant != NULL, NAN);
  g_rec_mutex_lock (&self->lock);
  total = is_done (contestant) ? contestant->total : NAN;
  g_rec_mutex_unlock (&self->lock);
  return total;
}

gboolean
es_comparison_get_spread (EsComparison *self, guint i, double *fastest, double *slowest)
{
  EsContestant *contestant = es_comparison_get_contestant (self, i);
  gboolean done;

  g_return_val_if_fail (contestant != NULL, FALSE);
  g_rec_mutex_lock (&self->lock);
  done = is_done (contestant);
  *fastest = done ? contestant->fastest : NAN;
  *slowest = done ? contestant->slowest : NAN;
  g_rec_mutex_unlock (&self->lock);
  return done;
}

double
es_comparison_get_speed_up (EsComparison *self, guint contestant)
{
  for (guint i = 0; i < self->contestants->len; i++)
    {
      double first = es_comparison_get_total_ms (self, i);

      if (!isnan (first))
        return first / es_comparison_get_total_ms (self, contestant);
    }
  return NAN;
}
