/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A climb as tables and curves. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/es-order.h"
#include "es-lab-ladder-private.h"

/* Of the curve of roofs. */
#define ROOF_POINTS 49
#define ROOF_FROM (1.0 / 64)
#define ROOF_TO 4096.0

static const struct { const char *title, *unit; int digits; } columns[] = {
  { N_("Rung"), NULL, -1 }, { N_("Name"), NULL, -1 }, { N_("Strategies"), NULL, -1 },
  { N_("Time"), "ms", 4 }, { N_("Least"), "ms", 4 }, { N_("Most"), "ms", 4 }, { N_("Spread"), "%", 1 },
  { N_("Over the one below"), "×", 2 }, { N_("Over the first"), "×", 2 },
  { N_("Published"), "ms", 3 }, { N_("Published gain"), "×", 2 },
  { N_("Registers"), NULL, 0 }, { N_("Shared memory"), "B", 0 }, { N_("Local memory"), "B", 0 },
  { N_("Threads"), NULL, 0 }, { N_("Blocks"), NULL, 0 }, { N_("Occupancy"), "%", 0 }, { N_("Launches"), NULL, 0 },
  { N_("Preparation"), "ms", 4 }, { N_("More memory"), "MB", 2 },
  { N_("Asked of memory"), "MB", 2 }, { N_("Arithmetic"), "M", 2 }, { N_("Operations a byte"), NULL, 3 },
  { N_("Bandwidth"), "GB/s", 2 }, { N_("Operations a second"), "G/s", 2 }, { N_("Of its arithmetic's roof"), "%", 1 },
  { N_("Type"), NULL, -1 }, { N_("Error"), NULL, ES_TABLE_SIGNIFICANT + 3 }, { N_("Note"), NULL, -1 },
};

#define PUBLISHED_COLUMN 9

static double
counted (guint n)
{
  return n > 0 ? n : NAN;
}

static void
add_rung (EsTable *table, const EsLadderClimb *climb, guint i)
{
  const EsLadderRung *rung = &climb->rungs[i];
  g_autofree char *why = es_ladder_rung_tell_why (rung);
  const double numbers[] = {
    1e3 * rung->median, 1e3 * rung->least, 1e3 * rung->most, 100 * rung->spread, rung->over_below, rung->over_first,
    1e3 * rung->published, rung->published_gain, counted (rung->registers), rung->shared, rung->local,
    counted (rung->threads), counted (rung->blocks), 100 * rung->occupancy, counted (rung->launches),
    1e3 * rung->preparation, 1e-6 * rung->more_memory, 1e-6 * rung->bytes, 1e-6 * rung->operations, rung->intensity,
    1e-9 * rung->bandwidth, 1e-9 * rung->rate, 100 * rung->rate / rung->roof,
  };
  gconstpointer cells[G_N_ELEMENTS (columns)];
  guint n = 0;

  cells[n++] = rung->id;
  cells[n++] = es_ladder_get_rung_title (climb->backend, climb->ladder->kind, rung->id);
  cells[n++] = rung->strategies;
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    cells[n++] = &numbers[k];
  cells[n++] = rung->type;
  cells[n++] = &rung->error;
  cells[n++] = why != NULL ? why : "";
  g_assert (n == G_N_ELEMENTS (columns));
  es_table_add_row (table, cells);
}

static void
add_rungs (const EsLadderClimb *climb, EsResult *result)
{
  g_autofree char *size = es_ladder_describe_size (climb->ladder, &climb->size);
  /* TRANSLATORS: the title of a table: the rungs of a ladder, and the size of the work */
  g_autofree char *title = g_strdup_printf (_("Rungs: %s"), size);
  EsTable *table = es_table_new ("rungs", title);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    es_table_add_column (table, i == PUBLISHED_COLUMN && !climb->same_size
                                ? _("Published, another size") : g_dgettext (GETTEXT_PACKAGE, columns[i].title),
                         columns[i].unit, columns[i].digits);
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].state != ES_RUNG_LEFT_OUT)
      add_rung (table, climb, i);
  es_result_add_layer (result, ES_LAYER (table));
}

static gboolean
is_used (const EsLadderClimb *climb, double rate)
{
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].state == ES_RUNG_MEASURED && climb->rungs[i].roof == rate)
      return TRUE;
  return FALSE;
}

/* Operations a byte: some of all, and those of the rungs, so that each has its point. */
static guint
list_intensities (const EsLadderClimb *climb, double *x)
{
  guint n = 0, kept = 0;

  for (guint i = 0; i < ROOF_POINTS; i++)
    x[n++] = ROOF_FROM * pow (ROOF_TO / ROOF_FROM, i / (ROOF_POINTS - 1.0));
  for (guint i = 0; i < climb->n; i++)
    if (isfinite (climb->rungs[i].intensity) && isfinite (climb->rungs[i].rate))
      x[n++] = climb->rungs[i].intensity;
  qsort (x, n, sizeof *x, es_compare_doubles);
  for (guint i = 0; i < n; i++)
    if (kept == 0 || x[i] > x[kept - 1])
      x[kept++] = x[i];
  return kept;
}

static void
add_roof (EsCurve *curve, const char *title, guint n, const double *x, double bandwidth, double rate)
{
  g_autofree double *y = g_new (double, n);

  for (guint i = 0; i < n; i++)
    y[i] = 1e-9 * fmin (x[i] * bandwidth, rate);
  es_curve_add_series (curve, title, "G/s", ES_CURVE_LINE, FALSE, y);
}

/* A rung is a series of one point. */
static void
add_points (EsCurve *curve, const EsLadderClimb *climb, guint n, const double *x)
{
  g_autofree double *y = g_new (double, n);

  for (guint k = 0; k < climb->n; k++)
    {
      const EsLadderRung *rung = &climb->rungs[k];

      if (!isfinite (rung->intensity) || !isfinite (rung->rate))
        continue;
      for (guint i = 0; i < n; i++)
        y[i] = x[i] == rung->intensity ? 1e-9 * rung->rate : NAN;
      es_curve_add_series (curve, rung->id, "G/s", ES_CURVE_STEM, FALSE, y);
    }
}

static void
add_roofline (const EsLadderClimb *climb, EsResult *result)
{
  g_autofree double *x = g_new (double, ROOF_POINTS + climb->n);
  const guint n = list_intensities (climb, x);
  EsCurve *curve;

  if (isnan (climb->memory))
    return;
  curve = es_curve_new ("roofline", _("What memory and arithmetic allow"), "roofline", n, x,
                        _("Operations a byte"), NULL);
  es_curve_set_y_title (curve, _("Operations a second"));
  es_curve_set_log_y (curve, TRUE);
  for (guint i = 0; i < climb->n_roofs; i++)
    if (is_used (climb, climb->roofs[i].rate))
      {
        /* TRANSLATORS: roofs of arithmetic: of products of matrices, or of single operations, of a type */
        g_autofree char *title = g_strdup_printf (climb->roofs[i].matrix ? _("Memory, %s products") : _("Memory, %s"),
                                                  climb->roofs[i].type);

        add_roof (curve, title, n, x, climb->memory, climb->roofs[i].rate);
      }
  if (!isnan (climb->cache))
    add_roof (curve, _("Cache"), n, x, climb->cache, INFINITY);
  add_points (curve, climb, n, x);
  es_result_add_layer (result, ES_LAYER (curve));
}

static void
add_sweep (const EsLadderClimb *climb, EsResult *result)
{
  g_autofree double *x = g_new (double, climb->n_sweep + 1), *y = g_new (double, climb->n_sweep + 1);
  g_autofree double *published = g_new (double, climb->n_sweep + 1);
  gboolean any = FALSE;
  EsCurve *curve;

  if (climb->n_sweep == 0)
    return;
  for (guint i = 0; i < climb->n_sweep; i++)
    {
      x[i] = climb->sweep[i].threads;
      y[i] = 1e3 * climb->sweep[i].median;
      published[i] = 1e3 * climb->sweep[i].published;
      any = any || !isnan (published[i]);
    }
  curve = es_curve_new ("threads", _("By threads of a block"), "experiment", climb->n_sweep, x, _("Threads"), NULL);
  es_curve_set_y_title (curve, _("Time"));
  es_curve_add_series (curve, es_ladder_get_rung_title (climb->backend, climb->ladder->kind, climb->swept), "ms",
                       ES_CURVE_LINE, FALSE, y);
  if (any)
    es_curve_add_series (curve, _("Published"), "ms", ES_CURVE_LINE, FALSE, published);
  es_result_add_layer (result, ES_LAYER (curve));
}

void
es_lab_ladder_publish (const EsLadderClimb *climb, EsResult *result)
{
  g_autoptr (EsVerdict) verdict = es_lab_ladder_make_verdict (climb);

  add_rungs (climb, result);
  add_roofline (climb, result);
  add_sweep (climb, result);
  es_result_add_layer (result, ES_LAYER (verdict));
}
