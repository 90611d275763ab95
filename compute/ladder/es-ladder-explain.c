/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the numbers of a rung say, by rule: what it brought, what changed with it, what it waits for, and whether what
 * was published of it holds. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-ladder.h"
#include "es-ladder-climb.h"
#include "lab/es-shown-unit.h"

/* Less than this, or than what repeats differ by, is no difference. */
#define NO_DIFFERENCE 0.03
/* Of bytes, operations and warps: what is worth a sentence. */
#define CLEARLY 1.25
/* What asks for so much more than memory gives is served by caches. */
#define FROM_CACHE 1.1
/* Share of a roof from which on a rung waits for it; below the other for neither. */
#define BUSY 0.5
#define IDLE 0.25
/* Share of a published gain, by its logarithm. */
#define HOLDS 0.75
#define PART_HOLDS 0.25
#define SOME_GAIN 1.05

static char *
show (double value, const char *unit)
{
  double factor;
  const char *shown = es_shown_unit (unit, value, &factor);
  g_autofree char *digits = es_shown_digits (value * factor);

  return g_strdup_printf ("%s %s", digits, shown != NULL ? shown : "");
}

/* ---- refusals ---- */

static char *
tell_refusal (const EsLadderRung *self)
{
  g_autofree char *amount = isfinite (self->amount) ? es_shown_bytes (self->amount) : g_strdup ("?");
  g_autofree char *limit = isfinite (self->limit) ? es_shown_bytes (self->limit) : g_strdup ("?");

  /* Only a file leaves them out. */
  if ((self->why == ESK_WHY_THREADS || self->why == ESK_WHY_TIME) && (isnan (self->amount) || isnan (self->limit)))
    return g_strdup (_("It was refused."));
  switch (self->why)
    {
    case ESK_WHY_FEATURE:
      return g_strdup_printf (_("It needs %s, which is not here."), self->needs);
    case ESK_WHY_SHARED:
      return g_strdup_printf (_("It needs %s of shared memory a block, and there are %s."), amount, limit);
    case ESK_WHY_CONSTANT:
      return g_strdup_printf (_("It needs %s of constant memory, and there are %s."), amount, limit);
    case ESK_WHY_THREADS:
      return g_strdup_printf (_("It needs %.0f threads a block, and %.0f are possible."), self->amount, self->limit);
    case ESK_WHY_MEMORY:
      return self->amount > 0 ? g_strdup_printf (_("It needs %s of memory, and %s are free."), amount, limit)
             : g_strdup (_("There is not enough free memory for it."));
    case ESK_WHY_TIME:
      return g_strdup_printf (_("A single run would take %.3g s, and %.3g s are granted."), self->amount, self->limit);
    case ESK_WHY_SIZE:
      return g_strdup_printf (_("It cannot do work of this size: %s."), self->needs);
    case ESK_WHY_LIBRARY:
      return g_strdup_printf (_("“%s” cannot be loaded."), self->needs);
    default:
      return g_strdup_printf (_("The device failed: %s."), *self->needs != '\0' ? self->needs : _("no reason given"));
    }
}

char *
es_ladder_rung_tell_why (const EsLadderRung *self)
{
  switch (self->state)
    {
    case ES_RUNG_REFUSED:
      return tell_refusal (self);
    case ES_RUNG_WRONG:
      return g_strdup_printf (_("Its result is off by %.1e of the largest value, and %.1e is allowed: its times count "
                                "for nothing."), self->error, self->tolerance);
    case ES_RUNG_LEFT_OUT:
      return g_strdup (_("It was left out."));
    case ES_RUNG_MEASURED:
    default:
      return NULL;
    }
}

/* ---- what was published ---- */

EsVerdictState
es_ladder_judge (const EsLadderClimb *self, guint i)
{
  const EsLadderRung *rung = &self->rungs[i];
  const double here = rung->over_below, then = rung->published_gain;

  if (isnan (here) || isnan (then))
    return ES_VERDICT_TELLS;
  if (then > SOME_GAIN)
    return log (here) >= HOLDS * log (then) ? ES_VERDICT_YES
           : log (here) >= PART_HOLDS * log (then) ? ES_VERDICT_UNSURE : ES_VERDICT_NO;
  if (then < 1 / SOME_GAIN)
    return here < 1 - NO_DIFFERENCE ? ES_VERDICT_YES : ES_VERDICT_NO;
  return here > 1 - NO_DIFFERENCE ? ES_VERDICT_YES : ES_VERDICT_NO;
}

/* ---- sentences ---- */

static void
say (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
say (GString *text, const char *format, ...)
{
  va_list arguments;

  /* Chinese sentences follow each other without a space. */
  if (text->len > 0 && !g_str_has_suffix (text->str, "。"))
    g_string_append_c (text, ' ');
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static const char *
title_of (const EsLadderClimb *self, const EsLadderRung *rung)
{
  return es_ladder_get_rung_title (self->backend, self->ladder->kind, rung->id);
}

static void
say_gain (GString *text, const EsLadderClimb *self, const EsLadderRung *rung, const EsLadderRung *below)
{
  const double least = fmax (NO_DIFFERENCE, rung->spread + below->spread);

  if (rung->over_below > 1 + least)
    say (text, _("It is %.2f times as fast as “%s”."), rung->over_below, title_of (self, below));
  else if (rung->over_below < 1 / (1 + least))
    say (text, _("It takes %.2f times as long as “%s”."), 1 / rung->over_below, title_of (self, below));
  else
    say (text, _("It takes as long as “%s”, within what repeats differ by."), title_of (self, below));
}

static void
say_change (GString *text, const EsLadderRung *rung, const EsLadderRung *below)
{
  if (rung->definition != below->definition)
    say (text, _("It computes something else than that."));
  if (below->local > 0 && rung->local == 0)
    say (text, _("What lay in local memory, %u bytes a thread, is in registers now."), below->local);
  if (rung->operations * CLEARLY < below->operations)
    say (text, _("It does %.1f times less arithmetic."), below->operations / rung->operations);
  else if (rung->operations > below->operations * CLEARLY)
    say (text, _("It does %.1f times as much arithmetic."), rung->operations / below->operations);
  /* Of steps alone: what the program and libraries ask for is known by what comes in and goes out. */
  if (rung->kind == ES_RUNG_STEP && rung->bytes * CLEARLY < below->bytes)
    say (text, _("It asks memory for %.1f times fewer bytes."), below->bytes / rung->bytes);
  else if (rung->kind == ES_RUNG_STEP && rung->bytes > below->bytes * CLEARLY)
    say (text, _("It asks memory for %.1f times as many bytes."), rung->bytes / below->bytes);
  if (rung->launches > 0 && below->launches >= 2 * rung->launches)
    say (text, _("%u launches have become %u."), below->launches, rung->launches);
  if (rung->occupancy > CLEARLY * below->occupancy || rung->occupancy * CLEARLY < below->occupancy)
    say (text, _("Resident warps go from %.0f %% of what a multiprocessor holds to %.0f %%."), 100 * below->occupancy,
         100 * rung->occupancy);
}

static void
say_preparation (GString *text, const EsLadderRung *rung)
{
  g_autofree char *first = show (rung->preparation, "s"), *once = show (rung->setup, "s");

  if (rung->preparation > NO_DIFFERENCE * rung->median)
    say (text, _("What it needs first takes %s, once for the data: that is counted where rungs are compared with the "
                 "program's."), first);
  if (rung->setup > rung->median)
    say (text, _("Its plans and tables take %s, once for a size."), once);
}

/* What it waits for: the roof that it is nearest to. */
static void
say_roof (GString *text, const EsLadderClimb *self, const EsLadderRung *rung)
{
  const double arithmetic = rung->rate / rung->roof, memory = rung->bandwidth / self->memory;
  const double cache = rung->bandwidth / self->cache;
  g_autofree char *asked = show (rung->bandwidth, "B/s");

  if (rung->local > 0)
    say (text, _("%u bytes a thread lie in local memory, off the chip."), rung->local);
  if (arithmetic >= BUSY && !(memory > arithmetic && memory <= FROM_CACHE))
    say (text, rung->matrix ? _("Its products reach %.0f %% of what this device does of them in %s.")
                            : _("Its arithmetic reaches %.0f %% of what this device does in %s."),
         100 * arithmetic, rung->type);
  else if (memory > FROM_CACHE && !isnan (cache))
    say (text, _("It asks for %s, which is %.1f times what memory gives and %.0f %% of what the cache does: caches "
                 "serve it."), asked, memory, 100 * cache);
  else if (memory > FROM_CACHE)
    say (text, _("It asks for %s, %.1f times what memory gives: caches serve it."), asked, memory);
  else if (memory >= BUSY)
    say (text, _("It asks for %s, %.0f %% of what memory gives: memory is what it waits for."), asked, 100 * memory);
  else if (memory < IDLE && arithmetic < IDLE)
    say (text, strcmp (self->backend, "cpu") == 0
         ? _("It keeps neither memory (%.0f %%) nor arithmetic (%.0f %%) busy: it waits for results, one after the "
             "other, or uses a part of the units only.")
         : _("It keeps neither memory (%.0f %%) nor arithmetic (%.0f %%) busy: it waits for answers, one after the "
             "other, or for launches."), 100 * memory, 100 * arithmetic);
}

static void
say_published (GString *text, const EsLadderClimb *self, guint i, const EsLadderRung *below)
{
  const EsLadderRung *rung = &self->rungs[i];
  const EsRungText *about = es_ladder_get_rung_text (self->backend, self->ladder->kind, rung->id);
  const EsVerdictState state = es_ladder_judge (self, i);

  if (state == ES_VERDICT_TELLS)
    return;
  if (state == ES_VERDICT_YES)
    {
      say (text, _("%.2f times was published of this step: it holds here."), rung->published_gain);
      return;
    }
  say (text, state == ES_VERDICT_UNSURE ? _("%.2f times was published of this step: only part of it holds here.")
                                        : _("%.2f times was published of this step: it does not hold here."),
       rung->published_gain);
  if (rung->published_gain < 1)
    return;
  if (below->bandwidth > FROM_CACHE * self->memory)
    say (text, _("The rung below already gets from caches what it asks for, %.1f times what memory gives."),
         below->bandwidth / self->memory);
  if (about != NULL && about->today != NULL)
    say (text, "%s", g_dgettext (GETTEXT_PACKAGE, about->today));
}

static void
say_bound (GString *text, const EsLadderClimb *self, guint i)
{
  gboolean by_memory;
  const double bound = es_ladder_climb_get_bound (self, i, &by_memory), times = self->rungs[i].median / bound;
  g_autofree char *shown = isfinite (bound) ? show (bound, "s") : NULL;

  if (shown == NULL || !(bound > 0))
    return;
  if (times < 1)
    say (text, _("It is quicker than %s, which %s alone would take: what it needs is in a cache."), shown,
         by_memory ? _("reading and writing memory once") : _("the arithmetic of its definition"));
  else
    say (text, by_memory ? _("Reading what comes in and writing what goes out takes %s by itself here: it takes %.2f "
                             "times that.")
                         : _("The arithmetic that nobody can do without takes %s by itself here: it takes %.2f times "
                             "that."), shown, times);
}

char *
es_ladder_explain (const EsLadderClimb *self, guint i)
{
  const EsLadderRung *rung, *below;
  GString *text;

  g_return_val_if_fail (i < self->n, NULL);
  rung = &self->rungs[i];
  if (rung->state != ES_RUNG_MEASURED)
    return es_ladder_rung_tell_why (rung);
  below = rung->below_index >= 0 ? &self->rungs[rung->below_index] : NULL;
  text = g_string_new (NULL);
  if (below != NULL)
    {
      say_gain (text, self, rung, below);
      say_change (text, rung, below);
    }
  say_preparation (text, rung);
  say_roof (text, self, rung);
  if (rung->kind != ES_RUNG_STEP)
    say_bound (text, self, i);
  if (below != NULL)
    say_published (text, self, i, below);
  if (text->len == 0)
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  return g_string_free (text, FALSE);
}
