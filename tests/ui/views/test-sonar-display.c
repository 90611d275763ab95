/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the sonar displays share, without any of them: what changes together is told once. */

#include <math.h>

#include "es-test-sonar-view.h"
#include "sonar/display/es-row-sweep.h"

typedef struct
{
  EsTestSonar    *test;
  EsBeamHistory  *history;
  EsSonarDisplay *display;
  EsSonarCursor  *cursor;
  EsSonarExtent  *extent;
  EsSonarLook    *look;
  guint           n, last;       /* changes that were told, and the last of them */
} Fixture;

static void
on_changed (Fixture *fixture, guint change)
{
  fixture->n++;
  fixture->last = change;
}

static void
set_up (Fixture *fixture, gconstpointer unused)
{
  fixture->test = es_test_sonar_new (600);
  fixture->history = es_beam_history_new (0);
  fixture->display = es_sonar_display_new ();
  fixture->cursor = es_sonar_display_get_cursor (fixture->display);
  fixture->extent = es_sonar_display_get_extent (fixture->display);
  fixture->look = es_sonar_display_get_look (fixture->display);
  g_signal_connect_swapped (fixture->display, "changed", G_CALLBACK (on_changed), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer unused)
{
  g_object_unref (fixture->display);
  g_object_unref (fixture->history);
  es_test_sonar_free (fixture->test);
}

/* Exactly one change since the last time, and that one. */
#define ASSERT_TOLD(fixture, change) \
  G_STMT_START { g_assert_cmpuint ((fixture)->n, ==, 1); g_assert_cmphex ((fixture)->last, ==, (change)); \
    (fixture)->n = 0; } G_STMT_END

static void
test_source (Fixture *fixture, gconstpointer unused)
{
  double top, span;

  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_ALL);
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  g_assert_cmpuint (fixture->n, ==, 0);
  /* The first block begins the history, and is a row of it. */
  es_test_sonar_fill (fixture->test, fixture->history, 0, 1);
  g_assert_cmpfloat (es_sonar_cursor_get_bearing (fixture->cursor), ==, 30);
  fixture->n = 0;
  es_test_sonar_fill (fixture->test, fixture->history, 1, 1);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_FILLED | ES_SONAR_CHANGE_MOMENT
                        | ES_SONAR_CHANGE_SCROLL);
  es_sonar_extent_get_rows (fixture->extent, &top, &span);
  g_assert_cmpfloat (top, ==, 2);
  es_beam_history_clear (fixture->history);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_ALL);
  es_sonar_display_set_source (fixture->display, NULL, NULL, NULL);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_ALL);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 1);
  g_assert_cmpuint (fixture->n, ==, 0);
}

static void
test_cursor (Fixture *fixture, gconstpointer unused)
{
  double top, span;

  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 400);
  fixture->n = 0;
  /* In view; then one that comes into view, which is no following any more. */
  es_sonar_cursor_set_row (fixture->cursor, 350);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_MOMENT);
  g_assert_true (es_sonar_extent_get_follow (fixture->extent));
  es_sonar_cursor_set_row (fixture->cursor, 350);
  g_assert_cmpuint (fixture->n, ==, 0);
  es_sonar_cursor_set_row (fixture->cursor, 20);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_SCROLL);
  g_assert_false (es_sonar_extent_get_follow (fixture->extent));
  es_sonar_extent_get_rows (fixture->extent, &top, &span);
  g_assert_cmpfloat (top, ==, 20 + span);
  /* The moment is held: a new row changes nothing of it. */
  es_test_sonar_fill (fixture->test, fixture->history, 400, 1);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_FILLED);
  es_sonar_display_set_follow (fixture->display, TRUE);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_SCROLL);
  g_assert_true (isnan (es_sonar_cursor_get_time (fixture->cursor)));
  es_sonar_display_set_follow (fixture->display, TRUE);
  g_assert_cmpuint (fixture->n, ==, 0);
  es_sonar_cursor_clear (fixture->cursor);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_FREQUENCY);
  /* Who has cleared it gets no bearing by himself. */
  es_test_sonar_fill (fixture->test, fixture->history, 401, 1);
  g_assert_true (isnan (es_sonar_cursor_get_bearing (fixture->cursor)));
}

/* A moment is that of every source of the recording; one that is shorter has none of it. */
static void
test_kept (Fixture *fixture, gconstpointer unused)
{
  g_autoptr (EsBeamHistory) shorter = es_beam_history_new (0);

  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 400);
  es_test_sonar_fill (fixture->test, shorter, 0, 100);
  es_sonar_cursor_set_row (fixture->cursor, 50);
  es_sonar_display_set_source (fixture->display, shorter, NULL, NULL);
  g_assert_cmpfloat (es_sonar_cursor_get_time (fixture->cursor), ==, 50.5);
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  es_sonar_cursor_set_row (fixture->cursor, 350);
  fixture->n = 0;
  es_sonar_display_set_source (fixture->display, shorter, NULL, NULL);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_ALL);
  g_assert_true (isnan (es_sonar_cursor_get_time (fixture->cursor)));
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  g_assert_cmpfloat (es_sonar_cursor_get_time (fixture->cursor), ==, 350.5);
  /* Whoever asks for none has none anywhere. */
  es_sonar_display_set_source (fixture->display, shorter, NULL, NULL);
  es_sonar_cursor_set_time (fixture->cursor, NAN);
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  g_assert_true (isnan (es_sonar_cursor_get_time (fixture->cursor)));
}

/* Where the bins become others, a frequency that is not among them is dropped, and one that is stays. */
static void
test_band (Fixture *fixture, gconstpointer unused)
{
  EsBeamSettings *settings = fixture->test->settings;
  const double low = es_beam_settings_get_frequency (settings, settings->first_bin + 10);
  const double high = es_beam_settings_get_frequency (settings, settings->first_bin + 300);
  EsTestSonar *higher = es_test_sonar_new (600);
  g_autoptr (EsBeamHistory) other = es_beam_history_new (0);

  higher->settings->first_bin += 200;
  higher->settings->cbf_first += 200;
  higher->settings->lofar_first += 200;
  es_test_sonar_renew (higher);
  es_test_sonar_fill (higher, other, 0, 2);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 2);
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  es_sonar_cursor_set_frequency (fixture->cursor, high);
  es_sonar_display_set_source (fixture->display, other, NULL, NULL);
  g_assert_cmpfloat (es_sonar_cursor_get_frequency (fixture->cursor), ==, high);
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  es_sonar_cursor_set_frequency (fixture->cursor, low);
  fixture->n = 0;
  es_sonar_display_set_source (fixture->display, other, NULL, NULL);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_ALL);
  g_assert_true (isnan (es_sonar_cursor_get_frequency (fixture->cursor)));
  /* What was put outside by hand, by a line of harmonics, stays. */
  es_sonar_cursor_set_frequency (fixture->cursor, low / 50);
  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  g_assert_cmpfloat (es_sonar_cursor_get_frequency (fixture->cursor), ==, low / 50);
  es_test_sonar_free (higher);
}

/* The newest row is looked at, and scrolled out of view: where it is replaced, it does not come back. */
static void
test_replaced (Fixture *fixture, gconstpointer unused)
{
  g_autoptr (EsBeamBlock) block = es_test_sonar_make (fixture->test, 399);
  double top, span;

  es_sonar_display_set_source (fixture->display, fixture->history, NULL, NULL);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 400);
  es_sonar_cursor_set_row (fixture->cursor, 399);
  es_sonar_extent_set_rows (fixture->extent, 100, 50);
  fixture->n = 0;
  es_beam_history_replace (fixture->history, block);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_FILLED | ES_SONAR_CHANGE_MOMENT);
  es_sonar_extent_get_rows (fixture->extent, &top, &span);
  g_assert_cmpfloat (top, ==, 100);
  g_assert_cmpfloat (span, ==, 50);
}

/* Every row once: those in view first, coarse to fine. */
static void
test_sweep (Fixture *fixture, gconstpointer unused)
{
  enum { ROWS = 30000 };
  EsRowSweep *sweep = es_row_sweep_new ();
  guint row, n = 0;

  es_row_sweep_reset (sweep, ROWS);
  es_row_sweep_set_view (sweep, 20000.5, 25000.2, TRUE);
  for (; n < 625 && es_row_sweep_next (sweep, &row); n++)
    {
      g_assert_cmpuint (row % 8, ==, 0);
      g_assert_cmpuint (row, >=, 20000);
      g_assert_cmpuint (row, <=, 25000);
      es_row_sweep_set (sweep, row, ES_ROW_FILLED);
    }
  for (; n < 5001 && es_row_sweep_next (sweep, &row); n++)
    {
      g_assert_cmpuint (row, >=, 20000);
      g_assert_cmpuint (row, <=, 25000);
      g_assert_cmpint (es_row_sweep_get (sweep, row), ==, ES_ROW_EMPTY);
      es_row_sweep_set (sweep, row, ES_ROW_FILLED);
    }
  g_assert_false (es_row_sweep_is_done (sweep));
  for (; es_row_sweep_next (sweep, &row); n++)
    {
      g_assert_cmpint (es_row_sweep_get (sweep, row), ==, ES_ROW_EMPTY);
      es_row_sweep_set (sweep, row, ES_ROW_FILLED);
    }
  g_assert_cmpuint (n, ==, ROWS);
  g_assert_true (es_row_sweep_is_done (sweep));
  /* What gave its memory back comes again where it is in view, and more rows by themselves. */
  es_row_sweep_set (sweep, 7, ES_ROW_DROPPED);
  es_row_sweep_set (sweep, 700, ES_ROW_DROPPED);
  es_row_sweep_extend (sweep, 1);
  es_row_sweep_set_view (sweep, 0, 100, TRUE);
  g_assert_true (es_row_sweep_next (sweep, &row));
  g_assert_cmpuint (row, ==, 7);
  g_assert_true (es_row_sweep_next (sweep, &row));
  g_assert_cmpuint (row, ==, ROWS);
  g_assert_false (es_row_sweep_next (sweep, &row));
  es_row_sweep_reset (sweep, 0);
  g_assert_false (es_row_sweep_next (sweep, &row));
  es_row_sweep_free (sweep);
}

static void
test_look (Fixture *fixture, gconstpointer unused)
{
  es_sonar_look_set_normaliser (fixture->look, ES_NORMALISER_NONE + 1);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_NORMALISER | ES_SONAR_CHANGE_LOOK);
  es_sonar_look_set_colormap (fixture->look, ES_COLORMAP_MAGMA);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_LOOK);
  es_sonar_look_set_harmonics (fixture->look, TRUE);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_FREQUENCY);
  es_sonar_look_set_beside (fixture->look, FALSE);
  ASSERT_TOLD (fixture, ES_SONAR_CHANGE_MARKS);
  es_sonar_look_set_beside (fixture->look, FALSE);
  g_assert_cmpuint (fixture->n, ==, 0);
}

/* However loud one line is, the colours of what is normalised begin at its background, and weaker lines are seen. */
static void
test_over_background (Fixture *fixture, gconstpointer unused)
{
  enum { N = 100 };
  static const double ranges[] = { 30, 0, 20 };
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  float powers[N];

  for (guint i = 0; i < N; i++)
    powers[i] = 1;
  powers[40] = (float) pow (10, 5.1);
  powers[60] = 10;
  es_heatmap_reset (map, N, 0, TRUE);
  es_heatmap_extend (map, 1);
  es_heatmap_set_row (map, 0, powers);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      double low = NAN, high = NAN;

      es_sonar_look_set_range (fixture->look, ranges[i]);
      es_sonar_look_fit (fixture->look, map, 0, 1, TRUE, &low, &high);
      es_heatmap_get_range (map, &low, &high);
      g_assert_cmpfloat (low, ==, -2);
      g_assert_cmpfloat (high, ==, ranges[i] > 0 ? ranges[i] - 2 : 51);
    }
  /* A level of its own stays relative to the loudest. */
  double low = NAN, high = NAN;
  es_sonar_look_fit (fixture->look, map, 0, 1, FALSE, &low, &high);
  es_heatmap_get_range (map, &low, &high);
  g_assert_cmpfloat (low, ==, 31);
  g_assert_cmpfloat (high, ==, 51);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/sonar-display/source", Fixture, NULL, set_up, test_source, tear_down);
  g_test_add ("/sonar-display/cursor", Fixture, NULL, set_up, test_cursor, tear_down);
  g_test_add ("/sonar-display/kept", Fixture, NULL, set_up, test_kept, tear_down);
  g_test_add ("/sonar-display/band", Fixture, NULL, set_up, test_band, tear_down);
  g_test_add ("/sonar-display/replaced", Fixture, NULL, set_up, test_replaced, tear_down);
  g_test_add ("/sonar-display/sweep", Fixture, NULL, set_up, test_sweep, tear_down);
  g_test_add ("/sonar-display/look", Fixture, NULL, set_up, test_look, tear_down);
  g_test_add ("/sonar-display/over-background", Fixture, NULL, set_up, test_over_background, tear_down);
  return g_test_run ();
}
