/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The rungs of a ladder's page, one section each. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-ladder-page-private.h"
#include "ladder/es-ladder-diff.h"
#include "lab/es-shown-unit.h"

/* Lines round a change. */
#define CONTEXT 3

static void
append_strategies (GString *page, const EsLadderRung *rung)
{
  g_auto (GStrv) ids = es_strategies_split (rung->strategies);

  if (ids[0] == NULL)
    return;
  g_string_append (page, "<ul>\n");
  for (guint i = 0; ids[i] != NULL; i++)
    {
      const EsStrategy *strategy = es_strategy_find (ids[i]);

      g_string_append (page, "<li><b>");
      es_report_append_text (page, ids[i]);
      g_string_append (page, "</b> ");
      if (strategy != NULL)
        {
          es_report_append_text (page, g_dgettext (GETTEXT_PACKAGE, strategy->title));
          g_string_append (page, ". ");
          es_report_append_text (page, g_dgettext (GETTEXT_PACKAGE, strategy->sentence));
        }
      g_string_append (page, "</li>\n");
    }
  g_string_append (page, "</ul>\n");
}

static void
append_count (GString *page, const char *title, guint value, gboolean bytes)
{
  g_autofree char *shown = bytes ? es_shown_bytes (value) : g_strdup_printf ("%u", value);

  if (value > 0)
    es_report_append_fact (page, title, shown, FALSE);
}

static void
append_value (GString *page, const char *title, double value, const char *unit, gboolean changed)
{
  g_autofree char *shown = g_str_equal (unit, "%") ? g_strdup_printf ("%.1f %%", 100 * value)
                           : g_str_equal (unit, "×") ? g_strdup_printf ("%.2f ×", value)
                           : g_str_equal (unit, "B") ? es_shown_traffic (value) : es_ladder_show (value, unit);

  if (isfinite (value))
    es_report_append_fact (page, title, shown, changed);
}

static void
append_numbers (GString *page, const EsLadderClimb *climb, const EsLadderRung *rung)
{
  /* TRANSLATORS: the size that a published gain is of: "2048", elements */
  g_autofree char *gain = g_strcmp0 (rung->gain_row, climb->row) == 0 || rung->gain_row == NULL
                          ? g_strdup (_("Published gain"))
                          : g_strdup_printf (_("Published gain (%s)"), rung->gain_row);

  g_string_append (page, "<div class=\"columns\"><table class=\"facts\">\n");
  append_value (page, _("Time"), rung->median, "s", TRUE);
  append_value (page, _("Least"), rung->least, "s", FALSE);
  append_value (page, _("Most"), rung->most, "s", FALSE);
  append_value (page, _("Spread"), rung->spread, "%", FALSE);
  append_count (page, _("Repeats"), rung->repeats, FALSE);
  append_value (page, _("Over the one below"), rung->over_below, "×", TRUE);
  append_value (page, _("Over the first"), rung->over_first, "×", FALSE);
  append_value (page, climb->same_size ? _("Published") : _("Published, another size"), rung->published, "s", FALSE);
  append_value (page, gain, rung->published_gain, "×", FALSE);
  if (rung->table != NULL && isfinite (rung->published))
    {
      es_report_append_fact (page, _("Published in"), rung->table->source, FALSE);
      es_report_append_fact (page, _("Hardware"), rung->table->hardware, FALSE);
    }
  append_count (page, _("Registers"), rung->registers, FALSE);
  append_count (page, _("Shared memory"), rung->shared, TRUE);
  append_count (page, _("Local memory"), rung->local, TRUE);
  append_count (page, _("Threads"), rung->threads, FALSE);
  append_count (page, _("Blocks"), rung->blocks, FALSE);
  append_count (page, _("Launches"), rung->launches, FALSE);
  append_value (page, _("Occupancy"), rung->occupancy, "%", FALSE);
  append_value (page, _("Preparation"), rung->preparation > 0 ? rung->preparation : NAN, "s", FALSE);
  append_value (page, _("Plans and tables"), rung->setup > 0 ? rung->setup : NAN, "s", FALSE);
  append_value (page, _("More memory"), rung->more_memory > 0 ? rung->more_memory : NAN, "B", FALSE);
  append_value (page, _("Asked of memory"), rung->bytes, "B", FALSE);
  append_value (page, _("Bandwidth"), rung->bandwidth, "B/s", FALSE);
  append_value (page, _("Operations a second"), rung->rate, "1/s", FALSE);
  append_value (page, _("Of its arithmetic's roof"), rung->rate / rung->roof, "%", FALSE);
  append_value (page, _("Operations a byte"), rung->intensity, "", FALSE);
  if (rung->repeats > 0)
    {
      g_autofree char *error = rung->error > 0
                               ? g_strdup_printf ("%.1e (%.1e)", rung->error, rung->tolerance) : g_strdup (_("none"));

      es_report_append_fact (page, _("Error (allowed)"), error, FALSE);
    }
  g_string_append (page, "</table></div>\n");
}

/* ---- changed lines ---- */

static void
append_line (GString *page, const char *class, const char *line)
{
  g_string_append_printf (page, "<span%s%s%s>", class != NULL ? " class=\"" : "", class != NULL ? class : "",
                          class != NULL ? "\"" : "");
  es_report_append_text (page, line);
  g_string_append (page, "</span>");
}

static void
append_same (GString *page, const EsLadderDiff *diff, guint run)
{
  const EsDiffRun *at = &diff->runs[run];
  const guint head = run > 0 ? CONTEXT : 0, tail = run + 1 < diff->n ? CONTEXT : 0;

  for (guint line = 0; line < at->n; line++)
    if (line < head || line + tail >= at->n || at->n <= head + tail + 1)
      append_line (page, NULL, es_ladder_diff_get_line (diff, run, line));
    else if (line == head)
      {
        const guint left = at->n - head - tail;
        g_autofree char *says = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u line that is the same",
                                                              "%u lines that are the same", left), left);

        append_line (page, "gap", says);
      }
}

static void
append_diff (GString *page, const EsLadderClimb *climb, const EsLadderRung *rung, const EsLadderRung *below)
{
  g_autoptr (EsLadderDiff) diff = es_ladder_diff_new (below->source, rung->source);
  g_autofree char *title = g_strdup_printf (_("Changed against “%s”: %u lines less, %u lines more"),
                                            es_ladder_get_rung_title (climb->backend, climb->ladder->kind, below->id),
                                            es_ladder_diff_count (diff, ES_DIFF_REMOVED),
                                            es_ladder_diff_count (diff, ES_DIFF_ADDED));

  es_report_append_element (page, "p", "class=\"quiet\"", title);
  g_string_append (page, "<pre class=\"diff\">");
  for (guint run = 0; run < diff->n; run++)
    if (diff->runs[run].kind == ES_DIFF_SAME)
      append_same (page, diff, run);
    else
      for (guint line = 0; line < diff->runs[run].n; line++)
        append_line (page, diff->runs[run].kind == ES_DIFF_ADDED ? "plus" : "minus",
                     es_ladder_diff_get_line (diff, run, line));
  g_string_append (page, "</pre>\n");
}

/* Against what it changes, whether or not that was climbed; the whole of it behind a fold. */
static void
append_source (GString *page, const EsLadderClimb *climb, const EsLadderRung *rung)
{
  const int below = es_ladder_climb_find (climb, rung->below);

  if (rung->source == NULL)
    return;
  if (below >= 0 && climb->rungs[below].source != NULL)
    append_diff (page, climb, rung, &climb->rungs[below]);
  g_string_append (page, "<details><summary>");
  es_report_append_text (page, _("The source"));
  g_string_append (page, "</summary>\n");
  es_report_append_element (page, "pre", NULL, rung->source);
  g_string_append (page, "</details>\n");
}

static void
append_rung (GString *page, const EsLadderClimb *climb, guint i)
{
  const EsLadderRung *rung = &climb->rungs[i];
  const EsRungText *text = es_ladder_get_rung_text (climb->backend, climb->ladder->kind, rung->id);
  const char *title = es_ladder_get_rung_title (climb->backend, climb->ladder->kind, rung->id);
  g_autofree char *heading = text != NULL ? g_strdup_printf ("%s · %s", rung->id, title) : g_strdup (title);
  g_autofree char *says = es_ladder_explain (climb, i);

  es_report_append_element (page, "h3", NULL, heading);
  if (text != NULL)
    es_report_append_element (page, "p", NULL, g_dgettext (GETTEXT_PACKAGE, text->change));
  append_strategies (page, rung);
  if (says != NULL)
    es_report_append_element (page, "p", rung->state == ES_RUNG_MEASURED ? NULL : "class=\"warning\"", says);
  if (text != NULL && text->today != NULL && es_ladder_judge (climb, i) != ES_VERDICT_NO
      && es_ladder_judge (climb, i) != ES_VERDICT_UNSURE)
    es_report_append_element (page, "p", "class=\"quiet\"", g_dgettext (GETTEXT_PACKAGE, text->today));
  if (rung->repeats > 0)
    append_numbers (page, climb, rung);
  append_source (page, climb, rung);
}

void
es_ladder_page_append_rungs (GString *page, const EsLadderClimb *climb)
{
  es_report_begin_section (page, _("Rung by rung"));
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].state != ES_RUNG_LEFT_OUT)
      append_rung (page, climb, i);
}
