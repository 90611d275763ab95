/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-drawings.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-drawing-axes.h"
#include "lab/es-shown-unit.h"

#define PUBLISHED 0xe66100
#define MEMORY 0x613583

/* Of the bars. */
#define ROW 24.0
#define NAMES 250.0
#define VALUES 150.0
#define HEAD 30.0

/* Of the roofline. */
#define ROOFLINE_HEIGHT 440.0
#define LEFT 70.0
#define RIGHT 20.0
#define TOP 16.0
#define BOTTOM 52.0

char *
es_ladder_show (double value, const char *unit)
{
  double factor;
  const char *shown = es_shown_unit (unit, value, &factor);
  g_autofree char *digits = NULL;

  if (!isfinite (value))
    return g_strdup ("–");
  digits = es_shown_digits (value * factor);
  return shown != NULL ? g_strdup_printf ("%s %s", digits, shown) : g_steal_pointer (&digits);
}

static guint32
color_of (EsRungKind kind)
{
  return kind == ES_RUNG_PRODUCTION ? 0x26a269 : kind == ES_RUNG_LIBRARY ? 0x9a9996 : 0x3584e4;
}

static void
widen (EsDrawingScale *scale, double value)
{
  if (!(value > 0) || !isfinite (value))
    return;
  scale->least = isnan (scale->least) ? value : fmin (scale->least, value);
  scale->most = isnan (scale->most) ? value : fmax (scale->most, value);
}

/* To whole powers of ten, which a file that lies does not make 0 or infinite. */
static void
round_scale (EsDrawingScale *scale)
{
  scale->least = CLAMP (scale->least, 1e-100, 1e100);
  scale->most = CLAMP (scale->most, 1e-100, 1e100);
  scale->least = pow (10, floor (log10 (scale->least) + 1e-9));
  scale->most = pow (10, ceil (log10 (scale->most) - 1e-9));
  if (scale->most <= scale->least)
    scale->most = 10 * scale->least;
}

/* ---- bars ---- */

static void
add_decades (EsDrawing *drawing, const EsDrawingScale *scale, double top, double bottom)
{
  for (double at = scale->least; at <= scale->most * 1.01; at *= 10)
    {
      const double x = es_drawing_place (scale, at);
      g_autofree char *label = es_ladder_show (at, "s");

      es_drawing_add_line (drawing, x, top, x, bottom, 1, ES_DRAWING_PALE, FALSE);
      es_drawing_add_text (drawing, x, top - 6, ES_DRAWING_LETTERS - 1, 0.5, ES_DRAWING_QUIET, FALSE, label);
    }
}

static void
add_bar (EsDrawing *drawing, const EsLadderClimb *climb, const EsLadderRung *rung, const EsDrawingScale *scale,
         double y)
{
  const char *title = es_ladder_get_rung_title (climb->backend, climb->ladder->kind, rung->id);
  g_autofree char *name = g_str_equal (title, rung->id) ? g_strdup (title)
                          : g_strdup_printf ("%s · %s", rung->id, title);
  g_autofree char *time = es_ladder_show (rung->median, "s"), *value = NULL;
  const double end = rung->state == ES_RUNG_MEASURED ? es_drawing_place (scale, rung->median) : scale->from;

  es_drawing_add_text (drawing, NAMES - 8, y + 15, ES_DRAWING_LETTERS, 1, ES_DRAWING_INK,
                       rung->kind == ES_RUNG_PRODUCTION, name);
  if (rung->state == ES_RUNG_MEASURED)
    es_drawing_add_box (drawing, scale->from, y + 4, fmax (end - scale->from, 1), ROW - 8, color_of (rung->kind));
  if (climb->same_size && isfinite (rung->published))
    {
      const double x = es_drawing_place (scale, rung->published);

      es_drawing_add_line (drawing, x, y + 2, x, y + ROW - 2, 3, PUBLISHED, FALSE);
    }
  value = rung->state == ES_RUNG_REFUSED ? g_strdup (_("refused"))
          : rung->state == ES_RUNG_WRONG ? g_strdup (_("wrong"))
          : isfinite (rung->over_first) ? g_strdup_printf ("%s  %.2f×", time, rung->over_first) : g_strdup (time);
  es_drawing_add_text (drawing, end + 6, y + 15, ES_DRAWING_LETTERS - 1, 0, ES_DRAWING_QUIET, FALSE, value);
}

EsDrawing *
es_ladder_draw_bars (const EsLadderClimb *climb)
{
  EsDrawingScale scale = { NAN, NAN, NAMES, ES_LADDER_DRAWING_WIDTH - VALUES };
  EsDrawing *drawing;
  double y = HEAD;
  guint n = 0;

  for (guint i = 0; i < climb->n; i++)
    {
      const EsLadderRung *rung = &climb->rungs[i];

      n += rung->state != ES_RUNG_LEFT_OUT;
      if (rung->state == ES_RUNG_MEASURED)
        widen (&scale, rung->median);
      if (climb->same_size && rung->state != ES_RUNG_LEFT_OUT)
        widen (&scale, rung->published);
    }
  if (isnan (scale.least))
    return NULL;
  scale.least *= 0.8;
  round_scale (&scale);
  drawing = es_drawing_new (ES_LADDER_DRAWING_WIDTH, HEAD + n * ROW + 8);
  add_decades (drawing, &scale, HEAD, HEAD + n * ROW);
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].state != ES_RUNG_LEFT_OUT)
      {
        add_bar (drawing, climb, &climb->rungs[i], &scale, y);
        y += ROW;
      }
  return drawing;
}

/* ---- roofline ---- */

typedef struct
{
  double x, y;
} Point;

static gboolean
is_used (const EsLadderClimb *climb, double rate)
{
  for (guint i = 0; i < climb->n; i++)
    if (climb->rungs[i].roof == rate && isfinite (climb->rungs[i].rate))
      return TRUE;
  return FALSE;
}

static gboolean
find_axes (const EsLadderClimb *climb, EsDrawingAxes *axes)
{
  *axes = (EsDrawingAxes) { { NAN, NAN, LEFT, ES_LADDER_DRAWING_WIDTH - RIGHT },
                            { NAN, NAN, ROOFLINE_HEIGHT - BOTTOM, TOP } };
  for (guint i = 0; i < climb->n; i++)
    {
      const EsLadderRung *rung = &climb->rungs[i];

      if (!isfinite (rung->intensity) || !isfinite (rung->rate))
        continue;
      widen (&axes->x, rung->intensity);
      widen (&axes->y, rung->rate);
      if (isfinite (rung->roof))
        {
          widen (&axes->x, rung->roof / climb->memory);
          widen (&axes->y, rung->roof);
        }
    }
  if (isnan (axes->x.least) || isnan (climb->memory))
    return FALSE;
  axes->x.least /= 2;
  axes->x.most *= 2;
  axes->y.least /= 2;
  axes->y.most *= 1.5;
  round_scale (&axes->x);
  round_scale (&axes->y);
  return TRUE;
}

/* "10⁹" is written as what it is: "1 G/s". */
static char *
show_rate (double rate)
{
  return es_ladder_show (rate, "1/s");
}

/* As far as it is inside. */
static void
add_slope (EsDrawing *drawing, const EsDrawingAxes *axes, double bandwidth, double most, guint32 color, gboolean dashed,
           const char *title)
{
  const double from = fmax (axes->x.least, axes->y.least / bandwidth);
  const double to = fmin (axes->x.most, most / bandwidth);
  g_autofree char *shown = es_ladder_show (bandwidth, "B/s");
  g_autofree char *label = g_strdup_printf ("%s, %s", title, shown);

  if (to <= from)
    return;
  es_drawing_add_between (drawing, axes, from, from * bandwidth, to, to * bandwidth, 2, color, dashed);
  /* Below its line, a little way up. */
  es_drawing_add_text (drawing, es_drawing_place (&axes->x, 2 * from) + 8,
                       es_drawing_place (&axes->y, 2 * from * bandwidth) + 10, ES_DRAWING_LETTERS - 1, 0, color,
                       FALSE, label);
}

static void
add_roof (EsDrawing *drawing, const EsDrawingAxes *axes, const EsLadderClimb *climb, const EsLadderRoof *roof)
{
  const double from = fmax (axes->x.least, roof->rate / climb->memory), y = es_drawing_place (&axes->y, roof->rate);
  g_autofree char *shown = es_ladder_show (roof->rate, "1/s");
  g_autofree char *title = roof->matrix ? g_strdup_printf (_("%s products, %s"), roof->type, shown)
                           : g_strdup_printf ("%s, %s", roof->type, shown);

  es_drawing_add_line (drawing, es_drawing_place (&axes->x, fmin (from, axes->x.most)), y, axes->x.to, y, 2,
                       ES_DRAWING_INK, FALSE);
  es_drawing_add_text (drawing, axes->x.to - 4, y - 5, ES_DRAWING_LETTERS - 1, 1, ES_DRAWING_INK, FALSE, title);
}

/* A name below those that would lie under it. */
static void
add_point (EsDrawing *drawing, const EsDrawingAxes *axes, const EsLadderRung *rung, GArray *taken)
{
  const double x = es_drawing_place (&axes->x, rung->intensity), y = es_drawing_place (&axes->y, rung->rate);
  Point name = { x + 7, y + 4 };

  /* Each moves it once at most, so that there is an end. */
  for (guint tries = 0, i = 0; tries <= taken->len && i < taken->len; i++)
    {
      const Point *other = &g_array_index (taken, Point, i);

      if (fabs (other->x - name.x) < 6 * ES_DRAWING_LETTERS && fabs (other->y - name.y) < ES_DRAWING_LETTERS - 1)
        {
          name.y = other->y + ES_DRAWING_LETTERS;
          tries++;
          i = (guint) -1;
        }
    }
  g_array_append_val (taken, name);
  es_drawing_add_dot (drawing, x, y, 4.5, color_of (rung->kind));
  es_drawing_add_text (drawing, name.x, name.y, ES_DRAWING_LETTERS - 1, 0, ES_DRAWING_INK,
                       rung->kind == ES_RUNG_PRODUCTION, rung->id);
}

EsDrawing *
es_ladder_draw_roofline (const EsLadderClimb *climb)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (Point));
  double most = 0;
  EsDrawing *drawing;
  EsDrawingAxes axes;

  if (!find_axes (climb, &axes))
    return NULL;
  drawing = es_drawing_new (ES_LADDER_DRAWING_WIDTH, ROOFLINE_HEIGHT);
  es_drawing_add_grid (drawing, &axes, show_rate, _("Operations a byte that it asks for"));
  for (guint i = 0; i < climb->n_roofs; i++)
    if (is_used (climb, climb->roofs[i].rate))
      {
        add_roof (drawing, &axes, climb, &climb->roofs[i]);
        most = fmax (most, climb->roofs[i].rate);
      }
  most = most > 0 ? most : axes.y.most;
  add_slope (drawing, &axes, climb->memory, most, MEMORY, FALSE, _("Memory"));
  if (climb->cache > climb->memory)
    add_slope (drawing, &axes, climb->cache, most, MEMORY, TRUE, _("Cache"));
  for (guint i = 0; i < climb->n; i++)
    if (isfinite (climb->rungs[i].intensity) && isfinite (climb->rungs[i].rate))
      add_point (drawing, &axes, &climb->rungs[i], taken);
  return drawing;
}

/* ---- threads ---- */

EsDrawing *
es_ladder_draw_threads (const EsLadderClimb *climb)
{
  EsDrawingScale scale = { NAN, NAN, NAMES, ES_LADDER_DRAWING_WIDTH - VALUES };
  EsDrawing *drawing;

  for (guint i = 0; i < climb->n_sweep; i++)
    {
      widen (&scale, climb->sweep[i].median);
      if (climb->same_size)
        widen (&scale, climb->sweep[i].published);
    }
  if (isnan (scale.least))
    return NULL;
  scale.least *= 0.8;
  round_scale (&scale);
  drawing = es_drawing_new (ES_LADDER_DRAWING_WIDTH, HEAD + climb->n_sweep * ROW + 8);
  add_decades (drawing, &scale, HEAD, HEAD + climb->n_sweep * ROW);
  for (guint i = 0; i < climb->n_sweep; i++)
    {
      const EsLadderSweep *at = &climb->sweep[i];
      const double y = HEAD + i * ROW, end = at->median > 0 ? es_drawing_place (&scale, at->median) : scale.from;
      g_autofree char *name = g_strdup_printf (_("%u threads"), at->threads);
      g_autofree char *time = es_ladder_show (at->median, "s");

      es_drawing_add_text (drawing, NAMES - 8, y + 15, ES_DRAWING_LETTERS, 1, ES_DRAWING_INK, FALSE, name);
      es_drawing_add_box (drawing, scale.from, y + 4, fmax (end - scale.from, 1), ROW - 8, color_of (ES_RUNG_STEP));
      if (climb->same_size && at->published > 0)
        es_drawing_add_line (drawing, es_drawing_place (&scale, at->published), y + 2,
                             es_drawing_place (&scale, at->published), y + ROW - 2, 3, PUBLISHED, FALSE);
      es_drawing_add_text (drawing, end + 6, y + 15, ES_DRAWING_LETTERS - 1, 0, ES_DRAWING_QUIET, FALSE, time);
    }
  return drawing;
}

/* ---- a page ---- */

EsDrawing *
es_ladder_draw_page (const EsLadderClimb *climb)
{
  g_autoptr (EsDrawing) bars = es_ladder_draw_bars (climb), roofline = es_ladder_draw_roofline (climb);
  g_autoptr (EsDrawing) threads = es_ladder_draw_threads (climb);
  EsDrawing *const parts[] = { bars, roofline, threads };
  g_autofree char *size = es_ladder_describe_size (climb->ladder, &climb->size);
  g_autofree char *by = g_strdup_printf ("%s · %s · %s", climb->machine, size, climb->date);
  EsDrawing *page = es_drawing_new (ES_LADDER_DRAWING_WIDTH, 0);
  double y = 70;

  es_drawing_add_text (page, 0, 24, 20, 0, ES_DRAWING_INK, TRUE, g_dgettext (GETTEXT_PACKAGE, climb->ladder->title));
  es_drawing_add_text (page, 0, 46, ES_DRAWING_LETTERS, 0, ES_DRAWING_QUIET, FALSE, by);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      {
        es_drawing_add_drawing (page, parts[i], y);
        y += parts[i]->height + 24;
      }
  page->height = y;
  return page;
}
