/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-fill.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "lab/es-shown-unit.h"
#include "ladder/es-ladder-diff.h"
#include "ladder/es-ladders.h"
#include "layer/es-share.h"
#include "widgets/es-format.h"

#define COUNTED 1e9            /* what arithmetic is counted in */

static const EsSheetMark marks[] = {
  [ES_RUNG_STEP] = ES_SHEET_STEP, [ES_RUNG_PRODUCTION] = ES_SHEET_PRODUCTION, [ES_RUNG_LIBRARY] = ES_SHEET_LIBRARY,
};

/* ---- a rung ---- */

/* Lines of both, in the order in which they are read; without a rung below all are its own. */
static void
add_lines (EsSheetRung *rung, const EsLadderRung *its, const EsLadderRung *below)
{
  static const EsSheetChange changes[] = {
    [ES_DIFF_SAME] = ES_SHEET_SAME, [ES_DIFF_REMOVED] = ES_SHEET_REMOVED, [ES_DIFF_ADDED] = ES_SHEET_ADDED,
  };
  const gboolean compared = below != NULL && below->source != NULL;
  g_autoptr (EsLadderDiff) diff = its->source != NULL
                                  ? es_ladder_diff_new (compared ? below->source : its->source, its->source) : NULL;

  for (guint r = 0; diff != NULL && r < diff->n; r++)
    {
      const EsDiffRun *run = &diff->runs[r];

      for (guint i = 0; i < run->n; i++)
        es_sheet_rung_add_line (rung, changes[run->kind],
                                compared && run->kind != ES_DIFF_ADDED ? run->before + i + 1 : 0,
                                run->kind != ES_DIFF_REMOVED ? run->after + i + 1 : 0,
                                es_ladder_diff_get_line (diff, r, i));
    }
}

static void
add_share (EsSheetRung *rung, const char *title, double share)
{
  g_autofree char *text = es_format_share (share);

  if (text != NULL)
    es_sheet_rung_add_number (rung, title, NAN, NULL, text);
}

/* Nothing of what is not known. */
static void
add_known (EsSheetRung *rung, const char *title, double value, const char *unit, const char *text)
{
  if (isfinite (value))
    es_sheet_rung_add_number (rung, title, value, unit, text);
}

/* As rates count bytes, so that one divided by the other is a time. */
static void
add_bytes (EsSheetRung *rung, const char *title, double bytes)
{
  g_autofree char *text = isfinite (bytes) ? es_shown_traffic (bytes) : NULL;

  if (text != NULL)
    es_sheet_rung_add_number (rung, title, NAN, NULL, text);
}

static void
add_threads (EsSheetRung *rung, const EsLadderRung *its, gboolean card)
{
  g_autofree char *text = NULL;

  if (its->threads == 0)
    return;
  text = card ? g_strdup_printf ("%u × %u", its->blocks, its->threads) : g_strdup_printf ("%u", its->threads);
  es_sheet_rung_add_number (rung, card ? _("Blocks × threads") : _("Threads"), NAN, NULL, text);
}

static void
add_error (EsSheetRung *rung, const EsLadderRung *its)
{
  g_autofree char *text = NULL;

  if (isnan (its->error))
    return;
  /* TRANSLATORS: an error, and how large it may be */
  text = its->error > 0 ? g_strdup_printf (_("%.1e of %.1e"), its->error, its->tolerance) : g_strdup (_("none"));
  es_sheet_rung_add_number (rung, _("Error"), NAN, NULL, text);
}

static void
add_numbers (EsSheetRung *rung, const EsLadderClimb *climb, const EsLadderRung *its)
{
  const gboolean card = g_strcmp0 (climb->backend, "cpu") != 0;
  g_autofree char *spread = es_format_share (its->spread);
  g_autofree char *of_row = its->gain_row != NULL && g_strcmp0 (its->gain_row, climb->row) != 0
                            ? g_strdup_printf ("× (%s)", its->gain_row) : g_strdup ("×");
  g_autofree char *around = spread != NULL ? g_strdup_printf ("± %s", spread) : NULL;

  add_known (rung, _("Time"), its->median, "s", around);
  if (its->registers > 0)
    {
      es_sheet_rung_add_number (rung, _("Registers a thread"), its->registers, NULL, NULL);
      es_sheet_rung_add_number (rung, _("Shared memory a block"), its->shared, "B", NULL);
      es_sheet_rung_add_number (rung, _("Local memory a thread"), its->local, "B", NULL);
    }
  add_threads (rung, its, card);
  add_share (rung, _("Occupancy"), its->occupancy);
  if (its->launches > 0)
    es_sheet_rung_add_number (rung, card ? _("Launches") : _("Regions of threads"), its->launches, NULL, NULL);
  add_bytes (rung, _("Asked of memory"), its->bytes);
  add_known (rung, _("Arithmetic"), its->operations / COUNTED, NULL, _("× 10⁹"));
  add_known (rung, _("Operations a byte"), its->intensity, NULL, NULL);
  add_known (rung, _("Bandwidth"), its->bandwidth, "B/s", NULL);
  add_known (rung, _("Operations a second"), its->rate, "1/s", its->type);
  add_share (rung, _("Of its arithmetic's roof"), its->rate / its->roof);
  if (its->preparation > 0)
    add_known (rung, _("Preparation"), its->preparation, "s", NULL);
  if (its->more_memory > 0)
    add_bytes (rung, _("More memory"), its->more_memory);
  add_error (rung, its);
  add_known (rung, _("Published gain"), its->published_gain, NULL, of_row);
}

/* What a step changes, and of what a library is what. */
static char *
describe (const EsRungText *text)
{
  return text != NULL && text->change != NULL ? g_strdup (g_dgettext (GETTEXT_PACKAGE, text->change)) : NULL;
}

static void
add_rung (EsLadderSheet *sheet, const EsLadderClimb *climb, guint i)
{
  const EsLadderRung *its = &climb->rungs[i];
  const EsLadderKind kind = climb->ladder->kind;
  /* Beside what it is compared with, in source as in time. */
  const int below = its->state == ES_RUNG_MEASURED && its->below_index >= 0 ? its->below_index
                    : es_ladder_climb_find (climb, its->below);
  EsSheetRung *rung = es_ladder_sheet_add_rung (sheet, marks[its->kind], its->id, its->id,
                                                es_ladder_get_rung_title (climb->backend, kind, its->id));

  rung->text = describe (es_ladder_get_rung_text (climb->backend, kind, its->id));
  g_strfreev (rung->strategies);
  rung->strategies = es_strategies_split (its->strategies);
  rung->below = below < (int) i ? below : -1;
  rung->source = g_strdup (its->source);
  rung->published = its->published;
  if (its->table != NULL && isfinite (its->published))
    {
      rung->hardware = g_strdup (its->table->hardware);
      rung->source_of = g_strdup (its->table->source);
    }
  add_lines (rung, its, rung->below >= 0 ? &climb->rungs[rung->below] : NULL);
  if (!sheet->measured)
    return;
  if (its->state == ES_RUNG_WRONG)
    rung->wrong = es_ladder_rung_tell_why (its);
  else
    rung->refused = es_ladder_rung_tell_why (its);
  rung->seconds = its->median;
  rung->low = its->least;
  rung->high = its->most;
  rung->over_below = its->over_below;
  rung->over_first = its->over_first;
  rung->intensity = its->intensity;
  rung->rate = its->rate;
  rung->found = es_ladder_explain (climb, i);
  add_numbers (rung, climb, its);
}

/* ---- the ladder ---- */

static void
add_roof (EsLadderSheet *sheet, const char *name, gboolean sloped, double value)
{
  g_autofree char *number = es_format_value (value, sloped ? "B/s" : "1/s");
  g_autofree char *title = g_strdup_printf (_("%s, %s"), name, number);

  if (isfinite (value) && value > 0)
    es_ladder_sheet_add_roof (sheet, title, sloped, value);
}

/* Whether a rung computes in that way: other roofs would only be in the way. */
static gboolean
is_used (const EsLadderClimb *climb, const EsLadderRoof *roof)
{
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].state == ES_RUNG_MEASURED && climb->rungs[i].roof == roof->rate)
      return TRUE;
  return FALSE;
}

static char *
name_roof (const EsLadderClimb *climb, const EsLadderRoof *roof)
{
  if (!roof->matrix)
    return g_strdup (roof->type);
  if (g_strcmp0 (climb->backend, "cpu") == 0)
    /* TRANSLATORS: what a processor has for products, of a type: "int8, dot products" */
    return g_strdup_printf (_("%s, dot products"), roof->type);
  /* TRANSLATORS: products of matrices, of a type: "int8, matrices" */
  return g_strdup_printf (_("%s, matrices"), roof->type);
}

static void
add_roofs (EsLadderSheet *sheet, const EsLadderClimb *climb)
{
  add_roof (sheet, _("Memory"), TRUE, climb->memory);
  add_roof (sheet, _("Cache"), TRUE, climb->cache);
  for (guint i = 0; i < climb->n_roofs; i++)
    {
      g_autofree char *name = name_roof (climb, &climb->roofs[i]);

      if (is_used (climb, &climb->roofs[i]))
        add_roof (sheet, name, FALSE, climb->roofs[i].rate);
    }
}

/* In the order in which they are listed, those that a rung applies. */
static void
add_strategies (EsLadderSheet *sheet)
{
  for (guint s = 0; s < es_strategies_get_n (); s++)
    {
      const EsStrategy *strategy = es_strategies_get (s);

      for (guint i = 0; i < es_ladder_sheet_get_n (sheet); i++)
        if (es_sheet_rung_has (es_ladder_sheet_get (sheet, i), strategy->id))
          {
            es_ladder_sheet_add_strategy (sheet, strategy->id, g_dgettext (GETTEXT_PACKAGE, strategy->title),
                                          g_dgettext (GETTEXT_PACKAGE, strategy->sentence));
            break;
          }
    }
}

static gboolean
is_measured (const EsLadderClimb *climb)
{
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].state != ES_RUNG_LEFT_OUT)
      return TRUE;
  return FALSE;
}

/* What the published times are about. */
static char *
describe_row (const EsLadderClimb *climb)
{
  for (const EsLadderNamedSize *named = climb->ladder->sizes; named->id != NULL; named++)
    if (g_strcmp0 (named->row, climb->row) == 0)
      return es_ladder_describe_size (climb->ladder, &named->size);
  return NULL;
}

EsLadderSheet *
es_ladder_sheet_new_from (const EsLadderClimb *climb)
{
  EsLadderSheet *sheet;

  g_return_val_if_fail (climb != NULL, NULL);

  sheet = es_ladder_sheet_new (g_dgettext (GETTEXT_PACKAGE, climb->ladder->title), climb->machine);
  sheet->size = es_ladder_describe_size (climb->ladder, &climb->size);
  sheet->published_size = climb->same_size ? NULL : describe_row (climb);
  sheet->measured = is_measured (climb);
  for (guint i = 0; i < climb->n; i++)
    add_rung (sheet, climb, i);
  add_strategies (sheet);
  if (sheet->measured)
    add_roofs (sheet, climb);
  return sheet;
}

/* ---- published ---- */

static const EsPublished *
find_table (const EsLadderClimb *climb)
{
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].table != NULL && isfinite (climb->rungs[i].published))
      return climb->rungs[i].table;
  return NULL;
}

EsLadderSheet *
es_ladder_sheet_new_published (const EsLadderClimb *climb)
{
  g_autoptr (EsLadderSheet) sheet = NULL;
  const EsPublished *table;
  guint n = 0;

  g_return_val_if_fail (climb != NULL, NULL);

  table = find_table (climb);
  if (table == NULL)
    return NULL;
  sheet = es_ladder_sheet_new (g_dgettext (GETTEXT_PACKAGE, climb->ladder->title), table->hardware);
  /* TRANSLATORS: a ladder of published times */
  sheet->label = g_strdup (_("Published"));
  sheet->size = describe_row (climb);
  sheet->measured = TRUE;
  for (guint i = 0; i < climb->n; i++)
    {
      const EsLadderRung *its = &climb->rungs[i];
      const EsLadderKind kind = climb->ladder->kind;
      EsSheetRung *rung = es_ladder_sheet_add_rung (sheet, marks[its->kind], its->id, its->id,
                                                    es_ladder_get_rung_title (climb->backend, kind, its->id));
      const int below = es_ladder_climb_find (climb, its->below);

      rung->text = describe (es_ladder_get_rung_text (climb->backend, kind, its->id));
      g_strfreev (rung->strategies);
      rung->strategies = es_strategies_split (its->strategies);
      rung->below = below < (int) i ? below : -1;
      rung->source = g_strdup (its->source);
      add_lines (rung, its, rung->below >= 0 ? &climb->rungs[rung->below] : NULL);
      if (its->table != table || isnan (its->published))
        {
          rung->refused = g_strdup (_("Nothing was published of it."));
          continue;
        }
      rung->seconds = its->published;
      rung->over_below = its->published_gain;
      rung->source_of = g_strdup (table->source);
      n++;
    }
  add_strategies (sheet);
  return n >= 2 ? g_steal_pointer (&sheet) : NULL;
}
