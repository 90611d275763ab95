/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A ladder on its page, of numbers that are written here: what is hidden while it is climbed, guesses, what follows
 * from looking at a rung, one that was refused, strategies that are switched. */

#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "es-test-views.h"
#include "lab/ladder/es-ladder-bar.h"
#include "lab/ladder/es-ladder-diff-view.h"
#include "lab/ladder/es-ladder-guess.h"
#include "lab/ladder/es-ladder-roofs.h"
#include "lab/ladder/es-ladder-row.h"
#include "lab/ladder/es-ladder-rows.h"
#include "lab/ladder/es-ladder-switches.h"
#include "lab/ladder/es-ladder-view.h"
#include "widgets/es-wheel.h"

typedef struct
{
  GtkWidget    *window, *view;
  EsLadderWalk *walk;
} Page;

/* ---- a ladder ---- */

static const struct
{
  const char *id, *title, *strategies;
  EsSheetMark mark;
  int         below;
  double      ms, intensity, published;
  const char *refused;
} rungs[] = {
  { "v0", "One thread an element", "", ES_SHEET_STEP, -1, 812, 0.25, 4210, NULL },
  { "v1", "Neighbours in memory read by neighbouring threads", "G_3", ES_SHEET_STEP, 0, 301, 0.25, 1630, NULL },
  { "v2", "Tiles in shared memory", "G_3 S_5", ES_SHEET_STEP, 1, 57.1, 4, 402, NULL },
  { "v3", "Tiles in constant memory", "G_3 C_1", ES_SHEET_STEP, 1, NAN, NAN, 512,
    "It needs 128 KiB of constant memory, and this card has 64 KiB." },
  { "v4", "Registers of four by four", "G_3 S_5 R_2", ES_SHEET_STEP, 2, 14.2, 16, 121, NULL },
  { "v5", "Without the tile, registers alone", "G_3 R_2", ES_SHEET_STEP, 1, 60.3, 5, NAN, NULL },
  { "production", "Tensor cores, exact", "G_3 S_5 R_2 T", ES_SHEET_PRODUCTION, 4, 1.93, 60, NAN, NULL },
  { "library", "cuBLAS, float32", "", ES_SHEET_LIBRARY, -1, 5.4, 60, NAN, NULL },
};

static void
add_lines (EsSheetRung *rung, guint index)
{
  guint old = 0, new = 0;

  for (guint i = 0; i < 40; i++)
    {
      const gboolean changed = index > 0 && i % 17 == index % 17;
      g_autofree char *text = g_strdup_printf ("  float x%u = samples[%u * stride + threadIdx.x];", i, i);
      g_autofree char *other = g_strdup_printf ("  __shared__ float tile%u[32][33];   /* and a comment that makes this"
                                                " line far longer than most columns are wide on any screen, as lines"
                                                " of kernels sometimes are when nobody wraps them */", i);

      if (changed)
        es_sheet_rung_add_line (rung, ES_SHEET_REMOVED, ++old, 0, text);
      if (changed)
        es_sheet_rung_add_line (rung, ES_SHEET_ADDED, 0, ++new, other);
      if (!changed)
        {
          old++;
          new++;
          es_sheet_rung_add_line (rung, ES_SHEET_SAME, rung->below >= 0 ? old : 0, new, text);
        }
    }
}

static EsLadderSheet *
make_sheet (const char *of, double factor)
{
  EsLadderSheet *sheet = es_ladder_sheet_new ("Covariance", of);

  sheet->measured = factor > 0;
  es_ladder_sheet_add_strategy (sheet, "G_3", "Coalesced access", "Threads of a warp read neighbouring addresses.");
  es_ladder_sheet_add_strategy (sheet, "S_5", "Tiles in shared memory", "What several threads need is read once.");
  es_ladder_sheet_add_strategy (sheet, "C_1", "Constant memory", "What all threads read at once is broadcast.");
  es_ladder_sheet_add_strategy (sheet, "R_2", "Register blocking", "A thread computes several results.");
  es_ladder_sheet_add_strategy (sheet, "T", "Tensor cores", "Matrix instructions.");
  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    {
      EsSheetRung *rung = es_ladder_sheet_add_rung (sheet, rungs[i].mark, rungs[i].id, rungs[i].id, rungs[i].title);

      g_strfreev (rung->strategies);
      rung->strategies = *rungs[i].strategies != '\0' ? g_strsplit (rungs[i].strategies, " ", -1) : g_new0 (char *, 1);
      rung->below = rungs[i].below;
      rung->text = g_strdup ("What it changes and why that should help, in a paragraph that is long enough to be"
                             " wrapped: the same samples are read again by every thread of a block, and a tile of them"
                             " in shared memory is read from there.");
      rung->published = rungs[i].published / 1000;
      rung->hardware = isfinite (rung->published) ? g_strdup ("Tesla K20c") : NULL;
      if (rungs[i].mark != ES_SHEET_LIBRARY)
        add_lines (rung, i);
      if (factor <= 0)
        continue;
      rung->refused = g_strdup (rungs[i].refused);
      rung->seconds = rungs[i].ms / 1000 * factor;
      rung->low = rung->seconds * 0.93;
      rung->high = rung->seconds * 1.12;
      rung->over_below = rungs[i].below >= 0 ? rungs[rungs[i].below].ms / rungs[i].ms : NAN;
      rung->over_first = rungs[0].ms / rungs[i].ms;
      rung->intensity = rungs[i].intensity;
      rung->rate = 3.4e10 / rung->seconds;
      es_sheet_rung_add_number (rung, "Time", rung->seconds, "s", NULL);
      es_sheet_rung_add_number (rung, "Registers", 40 + i, NULL, "a thread");
      es_sheet_rung_add_number (rung, "Shared memory", 4224, "B", "a block");
      es_sheet_rung_add_number (rung, "Occupancy", NAN, NULL, "62 %");
    }
  es_ladder_sheet_add_roof (sheet, "Memory, 2.9 TB/s", TRUE, 2.9e12);
  es_ladder_sheet_add_roof (sheet, "Cache, 5.5 TB/s", TRUE, 5.5e12);
  es_ladder_sheet_add_roof (sheet, "float32, 51 T/s", FALSE, 5.1e13);
  es_ladder_sheet_add_roof (sheet, "int8, 67 T/s", FALSE, 6.7e13);
  es_ladder_sheet_add_roof (sheet, "int8, tensor cores, 1.3 P/s", FALSE, 1.3e15);
  return sheet;
}

static guint
index_of (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    if (g_str_equal (rungs[i].id, id))
      return i;
  g_assert_not_reached ();
}

/* ---- the page ---- */

static void
settle (void)
{
  for (guint i = 0; i < 30; i++)
    {
      g_usleep (4000);
      while (g_main_context_pending (NULL))
        g_main_context_iteration (NULL, FALSE);
    }
}

static Page
open_page (EsLadderSheet *sheet, int width, int height)
{
  Page page = { gtk_window_new (), NULL, es_ladder_walk_new () };
  GtkWidget *scroller = gtk_scrolled_window_new ();

  page.view = es_ladder_view_new (page.walk, sheet, "ladder-covariance");
  gtk_widget_set_margin_start (page.view, 18);
  gtk_widget_set_margin_end (page.view, 18);
  gtk_widget_set_margin_top (page.view, 18);
  gtk_widget_set_margin_bottom (page.view, 18);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), page.view);
  gtk_window_set_child (GTK_WINDOW (page.window), scroller);
  gtk_window_set_default_size (GTK_WINDOW (page.window), width, height);
  gtk_window_present (GTK_WINDOW (page.window));
  settle ();
  return page;
}

static void
close_page (Page *page)
{
  gtk_window_destroy (GTK_WINDOW (page->window));
  g_object_unref (page->walk);
  settle ();
}

static gboolean
is_there (GtkWidget *widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Whether any label, or tooltip, that can be seen below it contains a text. */
static gboolean
says (GtkWidget *root, const char *text)
{
  const char *tip = es_get_tooltip (root) != NULL ? es_get_tooltip (root) : gtk_widget_get_tooltip_text (root);

  if (!gtk_widget_get_visible (root))
    return FALSE;
  if ((GTK_IS_LABEL (root) && strstr (gtk_label_get_label (GTK_LABEL (root)), text) != NULL)
      || (tip != NULL && strstr (tip, text) != NULL))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

static GtkListBox *
list_of (Page *page)
{
  return GTK_LIST_BOX (es_views_find (es_views_find (page->view, ES_TYPE_LADDER_ROWS), GTK_TYPE_LIST_BOX));
}

static GtkWidget *
row_of (Page *page, const char *id)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (list_of (page), (int) index_of (id)));
}

static EsPlot *
plot_of (Page *page)
{
  return es_ladder_roofs_get_plot (ES_LADDER_ROOFS (es_views_find (page->view, ES_TYPE_LADDER_ROOFS)));
}

/* Points that the roofline shows of rungs. */
static guint
count_points (Page *page)
{
  EsLadderRoofs *roofs = ES_LADDER_ROOFS (es_views_find (page->view, ES_TYPE_LADDER_ROOFS));
  GtkWidget *plot = es_views_find (GTK_WIDGET (roofs), ES_TYPE_PLOT_VIEW);
  guint n = 0, series, point;

  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    {
      double x, y;

      n += isfinite (rungs[i].ms)
           && es_plot_point_of (plot_of (page), rungs[i].intensity, 3.4e10 / (rungs[i].ms / 1000) / 1e9,
                                gtk_widget_get_width (plot), gtk_widget_get_height (plot), &x, &y)
           && es_plot_pick_point (plot_of (page), x, y, gtk_widget_get_width (plot), gtk_widget_get_height (plot),
                                  &series, &point)
           && es_ladder_roofs_find (roofs, series, point) == (int) i;
    }
  return n;
}

static void
guess (Page *page, const char *text)
{
  GtkWidget *entry = es_views_find (es_views_find (page->view, ES_TYPE_LADDER_GUESS), GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
  settle ();
}

/* Everything at once, and the one that was refused says why instead of a time. */
static void
test_all (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet ("NVIDIA H100", 1);
  Page page = open_page (sheet, 1000, 720);

  g_assert_false (says (page.view, "not revealed"));
  g_assert_true (says (row_of (&page, "v2"), "57.1 ms"));
  g_assert_true (says (row_of (&page, "v2"), "5.27×"));
  g_assert_true (says (row_of (&page, "v2"), "14.2×"));
  g_assert_true (says (row_of (&page, "v2"), "402 ms"));
  g_assert_true (says (row_of (&page, "v2"), "Tesla K20c"));
  g_assert_true (says (page.view, "◇ Tesla K20c"));
  g_assert_true (says (row_of (&page, "v2"), "What several threads need is read once."));
  g_assert_true (says (row_of (&page, "v3"), "this card has 64 KiB"));
  g_assert_false (says (row_of (&page, "v2"), "this card has 64 KiB"));
  g_assert_false (is_there (es_views_find (row_of (&page, "v3"), ES_TYPE_LADDER_BAR)));
  g_assert_true (is_there (es_views_find (row_of (&page, "v2"), ES_TYPE_LADDER_BAR)));
  g_assert_true (says (row_of (&page, "production"), "what Eigenscope uses"));
  g_assert_true (says (row_of (&page, "library"), "library"));
  g_assert_false (is_there (es_views_find (page.view, ES_TYPE_LADDER_GUESS)));
  g_assert_cmpuint (count_points (&page), ==, 7);
  es_views_screenshot (page.window, "ladder");
  close_page (&page);
}

/* Nothing tells a time before its turn: no text, no tooltip, no point; guesses are kept beside what was found. */
static void
test_climb (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet ("NVIDIA H100", 1);
  Page page = open_page (sheet, 1000, 720);

  gtk_widget_activate_action (page.view, "ladder.climb", NULL);
  settle ();
  g_assert_true (is_there (es_views_find (page.view, ES_TYPE_LADDER_GUESS)));
  g_assert_false (says (page.view, " ms"));
  g_assert_false (says (page.view, "this card has 64 KiB"));
  g_assert_false (says (page.view, "a thread"));
  g_assert_cmpuint (count_points (&page), ==, 0);
  g_assert_false (es_ladder_view_tells_all (ES_LADDER_VIEW (page.view)));
  /* What it changes is seen: it is what a guess is made of. */
  g_assert_true (says (row_of (&page, "v2"), "Tiles in shared memory"));

  guess (&page, "");
  g_assert_true (says (row_of (&page, "v0"), "812 ms"));
  g_assert_false (says (row_of (&page, "v1"), " ms"));
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, 0);
  g_assert_cmpuint (count_points (&page), ==, 1);

  /* What is no number is neither a guess nor taken. */
  guess (&page, "twice");
  g_assert_cmpint (es_ladder_walk_get_next (page.walk), ==, 1);
  guess (&page, "2x");
  g_assert_cmpint (es_ladder_walk_get_next (page.walk), ==, 2);
  g_assert_cmpfloat (es_ladder_walk_get_guess (page.walk, 1), ==, 2);
  g_assert_true (says (row_of (&page, "v1"), "2.70×"));
  g_assert_true (says (row_of (&page, "v1"), "2×\n1.35× too little"));
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, 1);
  guess (&page, "10");
  g_assert_true (says (row_of (&page, "v2"), "10×\n1.90× too much"));
  es_views_screenshot (page.window, "ladder-climb");

  /* Enter on the list does the same, also without a guess; a rung that was refused is revealed as such. */
  gtk_widget_activate (row_of (&page, "v2"));
  settle ();
  g_assert_true (says (row_of (&page, "v3"), "this card has 64 KiB"));
  g_assert_false (says (row_of (&page, "v4"), " ms"));
  gtk_widget_activate_action (page.view, "ladder.reveal-all", NULL);
  settle ();
  g_assert_true (says (row_of (&page, "library"), "5.4 ms"));
  g_assert_cmpuint (count_points (&page), ==, 7);
  g_assert_true (es_ladder_view_tells_all (ES_LADDER_VIEW (page.view)));
  g_assert_true (says (row_of (&page, "v1"), "1.35× too little"));

  gtk_widget_activate_action (page.view, "ladder.restart", NULL);
  settle ();
  g_assert_false (says (page.view, " ms"));
  g_assert_false (says (page.view, "too little"));
  gtk_widget_activate_action (page.view, "ladder.climb", NULL);
  settle ();
  g_assert_true (says (row_of (&page, "v4"), "14.2 ms"));
  close_page (&page);
}

static guint n_runs;

static void
on_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_assert_cmpstr (g_variant_get_string (parameter, NULL), ==, "ladder-covariance");
  n_runs++;
}

/* Before it has run: what the rungs change, and what was published; to reveal is to run; the guess stays. */
static void
test_before (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet (NULL, 0), found = make_sheet ("NVIDIA H100", 1);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) run = g_simple_action_new ("lab-run", G_VARIANT_TYPE_STRING);
  Page page = open_page (sheet, 1000, 720);

  g_signal_connect (run, "activate", G_CALLBACK (on_run), NULL);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (run));
  gtk_widget_insert_action_group (page.window, "win", G_ACTION_GROUP (group));
  g_assert_true (says (row_of (&page, "v2"), "Tiles in shared memory"));
  g_assert_true (says (row_of (&page, "v2"), "402 ms"));
  g_assert_false (says (row_of (&page, "v2"), "57.1"));
  g_assert_cmpuint (count_points (&page), ==, 0);
  gtk_widget_activate_action (page.view, "ladder.reveal", NULL);
  g_assert_cmpuint (n_runs, ==, 0);
  gtk_widget_activate_action (page.view, "ladder.climb", NULL);
  guess (&page, "");
  g_assert_cmpuint (n_runs, ==, 1);
  es_ladder_walk_set_sheet (page.walk, found);
  settle ();
  g_assert_true (es_ladder_walk_is_on (page.walk));
  g_assert_false (says (page.view, " ms"));
  guess (&page, "");
  g_assert_true (says (row_of (&page, "v0"), "812 ms"));
  close_page (&page);
}

/* Rows, roofline, source and strategies are about one and the same rung. */
static void
test_selection (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet ("NVIDIA H100", 1);
  Page page = open_page (sheet, 1000, 720);
  EsLadderRoofs *roofs = ES_LADDER_ROOFS (es_views_find (page.view, ES_TYPE_LADDER_ROOFS));
  EsLadderSwitches *switches = ES_LADDER_SWITCHES (es_views_find (page.view, ES_TYPE_LADDER_SWITCHES));
  EsLadderDiffView *diff = ES_LADDER_DIFF_VIEW (es_views_find (page.view, ES_TYPE_LADDER_DIFF_VIEW));
  GtkWidget *plot = es_views_find (GTK_WIDGET (roofs), ES_TYPE_PLOT_VIEW);
  guint series, point;
  double x, y;

  gtk_list_box_select_row (list_of (&page), GTK_LIST_BOX_ROW (row_of (&page, "v2")));
  settle ();
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, (int) index_of ("v2"));
  g_assert_true (says (page.view, "v2 · Tiles in shared memory"));
  g_assert_true (says (GTK_WIDGET (diff), "Beside v1: +3 −3 lines"));
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (es_ladder_switches_get (switches, "S_5"))));
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (es_ladder_switches_get (switches, "R_2"))));

  /* A point where it is drawn, and back from there to the row. */
  g_assert_true (es_plot_point_of (plot_of (&page), rungs[4].intensity, 3.4e10 / (rungs[4].ms / 1000) / 1e9,
                                   gtk_widget_get_width (plot), gtk_widget_get_height (plot), &x, &y));
  g_assert_true (es_plot_pick_point (plot_of (&page), x + 3, y - 3, gtk_widget_get_width (plot),
                                     gtk_widget_get_height (plot), &series, &point));
  g_assert_cmpint (es_ladder_roofs_find (roofs, series, point), ==, 4);
  g_assert_false (es_plot_pick_point (plot_of (&page), x + 40, y + 40, gtk_widget_get_width (plot),
                                      gtk_widget_get_height (plot), &series, &point));
  es_ladder_walk_select (page.walk, 4);
  settle ();
  g_assert_true (gtk_list_box_get_selected_row (list_of (&page)) == GTK_LIST_BOX_ROW (row_of (&page, "v4")));
  es_views_screenshot (page.window, "ladder-selected");
  close_page (&page);
}

/* Off and on again leads to the rung that differs in it alone; where there is none the button says so. */
static void
test_switches (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet ("NVIDIA H100", 1);
  Page page = open_page (sheet, 1000, 720);
  EsLadderSwitches *switches = ES_LADDER_SWITCHES (es_views_find (page.view, ES_TYPE_LADDER_SWITCHES));
  GtkWidget *tile = es_ladder_switches_get (switches, "S_5"), *tensor = es_ladder_switches_get (switches, "T");

  es_ladder_walk_select (page.walk, index_of ("v4"));
  g_assert_true (gtk_widget_get_sensitive (tile));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tile), FALSE);
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, (int) index_of ("v5"));
  g_assert_false (gtk_widget_get_sensitive (tensor));
  g_assert_nonnull (strstr (es_get_tooltip (tensor), "No variant of this ladder"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tile), TRUE);
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, (int) index_of ("v4"));
  g_assert_true (gtk_widget_get_sensitive (tensor));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tensor), TRUE);
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, (int) index_of ("production"));
  close_page (&page);
}

/* What changed and what stands near it, or all; what it is without one below. */
static void
test_source (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet ("NVIDIA H100", 1);
  GtkWidget *widget = g_object_ref_sink (es_ladder_diff_view_new ());
  EsLadderDiffView *diff = ES_LADDER_DIFF_VIEW (widget);
  const EsSheetRung *first = es_ladder_sheet_get (sheet, 0), *second = es_ladder_sheet_get (sheet, 1);
  g_autofree char *parts = NULL, *whole = NULL, *alone = NULL;

  es_ladder_diff_view_show (diff, second, first);
  parts = es_ladder_diff_view_get_text (diff);
  g_assert_nonnull (strstr (parts, "- " "  float x1 = samples[1 "));
  g_assert_nonnull (strstr (parts, "+ " "  __shared__ float tile1[32]"));
  g_assert_null (strstr (parts, "float x9 ="));
  es_ladder_diff_view_set_whole (diff, TRUE);
  whole = es_ladder_diff_view_get_text (diff);
  g_assert_nonnull (strstr (whole, "float x9 ="));
  g_assert_nonnull (strstr (whole, "- " "  float x1 ="));
  es_ladder_diff_view_show (diff, first, NULL);
  alone = es_ladder_diff_view_get_text (diff);
  g_assert_null (strstr (alone, "\n- "));
  g_assert_null (strstr (alone, "\n+ "));
  /* A library's has none. */
  es_ladder_diff_view_show (diff, es_ladder_sheet_get (sheet, 7), NULL);
  g_assert_true (says (widget, "There is no source to read"));
  es_ladder_diff_view_show (diff, NULL, NULL);
  g_object_unref (widget);
}

/* Another machine's instead, and its times below one's own. */
static void
test_others (void)
{
  g_autoptr (EsLadderSheet) own = make_sheet ("NVIDIA H100", 1), other = make_sheet ("NVIDIA A100", 2);
  Page page = open_page (own, 1000, 720);
  GtkWidget *beside;

  es_ladder_view_add_sheet (ES_LADDER_VIEW (page.view), other);
  beside = es_views_find (page.view, GTK_TYPE_DROP_DOWN);
  g_assert_true (gtk_widget_get_visible (beside));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (beside), 1);
  settle ();
  es_views_screenshot (page.window, "ladder-beside");
  g_assert_true (says (row_of (&page, "v2"), "57.1 ms"));
  es_ladder_walk_select (page.walk, 2);
  for (GtkWidget *child = es_views_find (page.view, GTK_TYPE_TOGGLE_BUTTON); child != NULL; )
    {
      GtkWidget *box = gtk_widget_get_next_sibling (child), *last = gtk_widget_get_last_child (box);

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (last), TRUE);
      break;
    }
  settle ();
  g_assert_true (es_ladder_walk_get_sheet (page.walk) == other);
  g_assert_true (says (row_of (&page, "v2"), "114.2 ms"));
  g_assert_cmpint (es_ladder_walk_get_selected (page.walk), ==, 2);
  close_page (&page);
}

/* In either style and on wide screens, where it stands side by side: pictures for who looks. */
static void
test_looks (void)
{
  g_autoptr (EsLadderSheet) sheet = make_sheet ("NVIDIA H100", 1);
  Page page = open_page (sheet, 1880, 1150);
  GtkWidget *diff = es_views_find (page.view, ES_TYPE_LADDER_DIFF_VIEW);
  GtkWidget *roofs = es_views_find (page.view, ES_TYPE_LADDER_ROOFS);
  GtkWidget *scroller = gtk_widget_get_ancestor (page.view, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t left, right;

  /* Also on a screen that is not. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (page.view, 1840, -1);
  es_ladder_walk_select (page.walk, 4);
  settle ();
  g_assert_true (gtk_widget_compute_bounds (diff, page.view, &left));
  g_assert_true (gtk_widget_compute_bounds (roofs, page.view, &right));
  g_assert_cmpfloat (left.origin.x + left.size.width, <, right.origin.x);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  settle ();
  es_views_screenshot (page.window, "ladder-wide-dark");
  gtk_widget_set_size_request (page.view, -1, -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_window_set_default_size (GTK_WINDOW (page.window), 900, 1150);
  settle ();
  g_assert_true (gtk_widget_compute_bounds (diff, page.view, &left));
  g_assert_true (gtk_widget_compute_bounds (roofs, page.view, &right));
  g_assert_cmpfloat (left.origin.y + left.size.height, <, right.origin.y);
  es_views_screenshot (page.window, "ladder-dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  close_page (&page);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  g_test_add_func ("/ladder/all", test_all);
  g_test_add_func ("/ladder/climb", test_climb);
  g_test_add_func ("/ladder/before", test_before);
  g_test_add_func ("/ladder/selection", test_selection);
  g_test_add_func ("/ladder/switches", test_switches);
  g_test_add_func ("/ladder/source", test_source);
  g_test_add_func ("/ladder/others", test_others);
  g_test_add_func ("/ladder/looks", test_looks);
  return g_test_run ();
}
