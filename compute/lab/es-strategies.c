/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-strategies.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-lab-rules-internal.h"
#include "es-machine-internal.h"
#include "es-shown-unit.h"
#include "es-strategies-private.h"

static void
advice_free (gpointer data)
{
  EsStrategyAdvice *self = data;

  g_free (self->first_title);
  g_free (self->second_title);
  g_free (self);
}

/* ---- figures ---- */

static gboolean
is_better (const EsFigure *figure, const EsFigure *than, double x)
{
  if (x == ES_AT_FIRST)
    return figure->x < than->x;
  if (x == ES_AT_LAST)
    return figure->x > than->x;
  return strcmp (figure->unit, "s") == 0 || strcmp (figure->unit, "clocks") == 0 ? figure->value < than->value
                                                                                 : figure->value > than->value;
}

static const EsFigure *
find (GPtrArray *figures, const EsStrategyFigure *wanted)
{
  const EsFigure *found = NULL;

  for (guint i = 0; wanted->group != NULL && i < figures->len; i++)
    {
      const EsFigure *figure = g_ptr_array_index (figures, i);

      if (strcmp (figure->experiment, wanted->experiment) != 0 || strcmp (figure->group, wanted->group) != 0
          || strcmp (figure->name, wanted->name) != 0 || !(figure->value >= 0)
          || isnan (figure->x) != (wanted->x == ES_ALONE))
        continue;
      if (wanted->x == ES_ALONE || wanted->x >= 0)
        {
          /* As profiles are asked for an x. */
          if (wanted->x == ES_ALONE || fabs (figure->x - wanted->x) <= 0.01 * wanted->x)
            return figure;
        }
      else if (found == NULL || is_better (figure, found, wanted->x))
        found = figure;
    }
  return found;
}

/* "Constant memory, 32": of a series, where in it. */
static char *
name_figure (const EsFigure *figure)
{
  const char *name = g_dgettext (GETTEXT_PACKAGE, figure->name);
  g_autofree char *x = NULL;
  double factor;

  if (isnan (figure->x))
    return g_strdup (name);
  x = g_strcmp0 (figure->x_unit, "B") == 0 ? es_shown_bytes (figure->x) : es_shown_digits (figure->x);
  const char *unit = g_strcmp0 (figure->x_unit, "B") != 0 ? es_shown_unit (figure->x_unit, figure->x, &factor) : NULL;
  return unit != NULL ? g_strdup_printf ("%s, %s %s", name, x, g_dgettext (GETTEXT_PACKAGE, unit))
                      : g_strdup_printf ("%s, %s", name, x);
}

/* ---- one strategy ---- */

/* One value after the other, on every thread: two operations each time that one is done. */
static double
chain_rate (const EskLabMachine *machine, double clocks)
{
  return 2 * machine->clock_hertz / clocks * MAX (machine->threads, 1);
}

static double
find_gain (const EsStrategy *strategy, double first, double second, const EskLabMachine *machine)
{
  switch (strategy->rule)
    {
    case ES_GAINS_RATE:
    case ES_GAINS_ELEMENTS:
      return second / first;
    case ES_IGNORES:
      return MAX (first, second) / MIN (first, second);
    case ES_GAINS_VECTORS:
      return second / chain_rate (machine, first);
    case ES_GAINS_TIME:
    default:
      return first / second;
    }
}

static EsStrategyAdvice *
judge (const EsStrategy *strategy, GPtrArray *figures, const EskLabMachine *machine, gboolean is_cpu)
{
  const EsFigure *first = find (figures, &strategy->first), *second = find (figures, &strategy->second);
  EsStrategyAdvice *self = g_new0 (EsStrategyAdvice, 1);

  self->code = strategy->code;
  self->advice = g_dgettext (GETTEXT_PACKAGE, strategy->advice);
  self->note = strategy->note != NULL && !is_cpu ? g_dgettext (GETTEXT_PACKAGE, strategy->note) : NULL;
  self->ignores = strategy->rule == ES_IGNORES;
  self->experiment = strategy->first.experiment;
  self->state = ES_STRATEGY_UNMEASURED;
  self->gain = self->first = self->second = NAN;
  if (first == NULL || second == NULL || (strategy->rule == ES_GAINS_VECTORS && !(machine->clock_hertz > 0)))
    return self;
  self->first = first->value;
  self->second = second->value;
  self->first_title = name_figure (first);
  self->second_title = name_figure (second);
  self->unit = g_intern_string (first->unit);
  if (strategy->rule == ES_GAINS_ELEMENTS)
    self->first *= self->first;
  if (strategy->rule == ES_GAINS_VECTORS)
    {
      g_free (self->first_title);
      self->first_title = g_strdup (_("One chain of single values a thread"));
      self->first = chain_rate (machine, first->value);
      self->unit = g_intern_string (second->unit);
    }
  /* Not a single element in registers is less than one. */
  const double from = strategy->rule == ES_GAINS_RATE || strategy->rule == ES_GAINS_ELEMENTS ? MAX (self->first, 1)
                                                                                             : first->value;
  self->gain = find_gain (strategy, from, second->value, machine);
  if (!isfinite (self->gain))
    {
      self->gain = NAN;
      return self;
    }
  self->state = es_rule_is_slower (1, self->gain) != self->ignores ? ES_STRATEGY_HOLDS : ES_STRATEGY_FAILS;
  return self;
}

/* ---- all of them ---- */

static int
compare (gconstpointer a, gconstpointer b)
{
  const EsStrategyAdvice *p = *(const EsStrategyAdvice *const *) a, *q = *(const EsStrategyAdvice *const *) b;

  if (p->state != q->state)
    return p->state < q->state ? -1 : 1;
  if (p->ignores != q->ignores)
    return p->ignores - q->ignores;
  if (p->state == ES_STRATEGY_UNMEASURED || p->gain == q->gain)
    return 0;
  return p->gain > q->gain ? -1 : 1;
}

GPtrArray *
es_strategies_judge (GPtrArray *figures, const EskLabMachine *machine, gboolean is_cpu)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (advice_free);
  const guint where = is_cpu ? ES_STRATEGY_ON_CPU : ES_STRATEGY_ON_GPU;

  for (guint i = 0; i < es_n_strategies; i++)
    if ((es_strategies[i].where & where) != 0)
      g_ptr_array_add (list, judge (&es_strategies[i], figures, machine, is_cpu));
  g_ptr_array_sort (list, compare);
  return list;
}

GPtrArray *
es_strategies_of (EsDeviceProfile *profile)
{
  const EskLabMachine *machine = es_device_profile_get_machine (profile);
  g_autoptr (GPtrArray) figures = g_ptr_array_new ();

  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    g_ptr_array_add (figures, (gpointer) es_device_profile_get (profile, i));
  return es_strategies_judge (figures, machine, strcmp (es_device_profile_get_id (profile), "cpu") == 0);
}

char *
es_strategy_describe_figures (const EsStrategyAdvice *self)
{
  double factor;

  if (isnan (self->first) || isnan (self->second))
    return NULL;
  const char *unit = es_shown_unit (self->unit, MAX (self->first, self->second), &factor);
  g_autofree char *first = es_shown_digits (self->first * factor), *second = es_shown_digits (self->second * factor);

  return g_strdup_printf (unit != NULL ? _("%s: %s, %s: %s %s") : _("%s: %s, %s: %s"), self->first_title, first,
                          self->second_title, second, unit);
}
