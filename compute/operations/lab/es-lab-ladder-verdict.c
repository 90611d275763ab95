/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a climb says: which step brought most, what of the published holds, whether what the program does is the
 * fastest, and how far that is from what anybody could. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-ladder-private.h"

static void say (EsVerdict *verdict, EsVerdictState state, gboolean meaning, const char *rule, const char *format, ...)
  G_GNUC_PRINTF (5, 6);

static void
say (EsVerdict *verdict, EsVerdictState state, gboolean meaning, const char *rule, const char *format, ...)
{
  g_autofree char *sentence = NULL;
  va_list arguments;

  va_start (arguments, format);
  sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  es_verdict_add (verdict, state, meaning, sentence, rule);
}

static const char *
title_of (const EsLadderClimb *climb, int i)
{
  return es_ladder_get_rung_title (climb->backend, climb->ladder->kind, climb->rungs[i].id);
}

static void
add_time (EsVerdict *verdict, const EsLadderClimb *climb, int i)
{
  es_verdict_add_number (verdict, title_of (climb, i), climb->rungs[i].median, "s");
}

/* With what it needs first, where that counts. */
static void
add_whole (EsVerdict *verdict, const EsLadderClimb *climb, int i)
{
  const EsLadderRung *rung = &climb->rungs[i];
  g_autofree char *title = NULL;

  if (!(rung->whole > rung->median))
    {
      add_time (verdict, climb, i);
      return;
    }
  /* TRANSLATORS: a rung of a ladder, whose time is with that of its preparation */
  title = g_strdup_printf (_("%s, with what it needs first"), title_of (climb, i));
  es_verdict_add_number (verdict, title, rung->whole, "s");
}

static void
tell_best_step (EsVerdict *verdict, const EsLadderClimb *climb)
{
  const int best = es_ladder_climb_find_best_step (climb), fastest = es_ladder_climb_find_kind (climb, ES_RUNG_STEP);

  if (best >= 0)
    {
      const int below = climb->rungs[best].below_index;

      say (verdict, ES_VERDICT_TELLS, FALSE, NULL, _("“%s” brings most: it is %.2f times as fast as “%s”."),
           title_of (climb, best), climb->rungs[best].over_below, title_of (climb, below));
      add_time (verdict, climb, below);
      add_time (verdict, climb, best);
    }
  if (fastest >= 0 && climb->rungs[fastest].over_first > 1)
    {
      say (verdict, ES_VERDICT_TELLS, FALSE, NULL,
           _("The fastest step, “%s”, is %.2f times as fast as “%s”, the first that was measured."),
           title_of (climb, fastest), climb->rungs[fastest].over_first, title_of (climb, climb->first));
      add_time (verdict, climb, climb->first);
      add_time (verdict, climb, fastest);
    }
}

static void
judge_published (EsVerdict *verdict, const EsLadderClimb *climb)
{
  const char *rule = _("A published gain holds where three quarters of it, by its logarithm, are found; in part from a "
                       "quarter on.");

  for (guint i = 0; i < climb->n; i++)
    {
      const EsLadderRung *rung = &climb->rungs[i];
      const EsVerdictState state = es_ladder_judge (climb, i);

      if (state == ES_VERDICT_TELLS)
        continue;
      say (verdict, state, FALSE, rule, state == ES_VERDICT_YES
           ? _("“%s”: %.2f times was published, and %.2f times it is here.")
           : state == ES_VERDICT_UNSURE ? _("“%s”: %.2f times was published, and only %.2f times it is here.")
           : _("“%s”: %.2f times was published, and that does not hold here: %.2f times it is."),
           title_of (climb, (int) i), rung->published_gain, rung->over_below);
      add_time (verdict, climb, rung->below_index);
      add_time (verdict, climb, (int) i);
    }
}

static void
judge_production (EsVerdict *verdict, const EsLadderClimb *climb)
{
  const int own = es_ladder_climb_find_kind (climb, ES_RUNG_PRODUCTION);
  const char *rule = _("Medians, with what each needs first for the data: those that differ by less than their "
                       "spreads are alike.");
  double apart;
  int best;

  if (own < 0)
    return;
  best = (int) es_ladder_climb_find_rival (climb, (guint) own);
  apart = climb->rungs[own].whole / climb->rungs[best].whole;
  if (best == own)
    say (verdict, ES_VERDICT_YES, FALSE, rule, _("What Eigenscope does is the fastest of all."));
  else if (apart < 1 + climb->rungs[own].spread + climb->rungs[best].spread)
    say (verdict, ES_VERDICT_UNSURE, FALSE, rule, _("What Eigenscope does is as fast as “%s”."),
         title_of (climb, best));
  else
    say (verdict, ES_VERDICT_NO, FALSE, rule, _("“%s” is %.2f times as fast as what Eigenscope does."),
         title_of (climb, best), apart);
  add_whole (verdict, climb, own);
  if (best != own)
    add_whole (verdict, climb, best);
}

static void
judge_library (EsVerdict *verdict, const EsLadderClimb *climb)
{
  const int own = es_ladder_climb_find_kind (climb, ES_RUNG_PRODUCTION);
  const int library = es_ladder_climb_find_kind (climb, ES_RUNG_LIBRARY);

  if (own < 0 || library < 0)
    return;
  say (verdict, ES_VERDICT_TELLS, FALSE, NULL, _("“%s” takes %.2f times as long as what Eigenscope does."),
       title_of (climb, library), climb->rungs[library].whole / climb->rungs[own].whole);
  add_whole (verdict, climb, own);
  add_whole (verdict, climb, library);
}

static void
tell_others (EsVerdict *verdict, const EsLadderClimb *climb)
{
  for (guint i = 0; i < climb->n; i++)
    {
      g_autofree char *why = es_ladder_rung_tell_why (&climb->rungs[i]);

      if (climb->rungs[i].state == ES_RUNG_WRONG)
        /* TRANSLATORS: a rung of a ladder, then a sentence about it */
        say (verdict, ES_VERDICT_NO, FALSE, NULL, _("“%s”: %s"), title_of (climb, (int) i), why);
      else if (climb->rungs[i].state == ES_RUNG_REFUSED)
        say (verdict, ES_VERDICT_UNSURE, FALSE, NULL, _("“%s”: %s"), title_of (climb, (int) i), why);
    }
}

/* What it means is said of what the program does: that is what everybody waits for. */
static void
tell_meaning (EsVerdict *verdict, const EsLadderClimb *climb)
{
  const int own = es_ladder_climb_find_kind (climb, ES_RUNG_PRODUCTION);
  g_autofree char *says = own >= 0 ? es_ladder_explain (climb, (guint) own) : NULL;
  double bound;

  if (says == NULL)
    {
      say (verdict, ES_VERDICT_TELLS, TRUE, NULL,
           _("What Eigenscope does of this was not measured here, and cannot be compared."));
      return;
    }
  say (verdict, ES_VERDICT_TELLS, TRUE, NULL, _("What Eigenscope does: %s"), says);
  bound = es_ladder_climb_get_bound (climb, (guint) own, NULL);
  if (isfinite (bound))
    es_verdict_add_number (verdict, _("Least possible"), bound, "s");
  add_time (verdict, climb, own);
}

EsVerdict *
es_lab_ladder_make_verdict (const EsLadderClimb *climb)
{
  EsVerdict *verdict = es_verdict_new ("verdict", _("Verdict"));

  tell_best_step (verdict, climb);
  judge_published (verdict, climb);
  judge_production (verdict, climb);
  judge_library (verdict, climb);
  tell_others (verdict, climb);
  tell_meaning (verdict, climb);
  return verdict;
}
