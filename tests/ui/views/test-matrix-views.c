/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is shown of a sparse matrix: the colours of its spy picture, what its facts say, the picture and the page on a
 * display. */

#include <math.h>
#include <string.h>

#include "charts/es-plot-view.h"
#include "es-test-views.h"
#include "job/es-job-internal.h"
#include "lab/matrix/es-matrix-bars.h"
#include "lab/matrix/es-matrix-facts.h"
#include "lab/matrix/es-matrix-lengths.h"
#include "lab/matrix/es-matrix-live.h"
#include "lab/matrix/es-matrix-page.h"
#include "lab/matrix/es-matrix-products.h"
#include "lab/matrix/es-matrix-residual.h"
#include "lab/matrix/es-spy-paint.h"
#include "lab/matrix/es-spy-view.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"

/* ---- matrices ---- */

typedef struct { gint32 row, column; double value; } Entry;

static int
by_place (gconstpointer a, gconstpointer b)
{
  const Entry *one = a, *other = b;

  return one->row != other->row ? (one->row > other->row) - (one->row < other->row)
                                : (one->column > other->column) - (one->column < other->column);
}

static EsSparseMatrix *
make (const char *name, gsize rows, gsize columns, guint n, const Entry *entries, EsSymmetry symmetry)
{
  g_autofree Entry *sorted = g_memdup2 (entries, n * sizeof (Entry));
  gint32 *row_from = g_new0 (gint32, rows + 1), *places = g_new (gint32, MAX (n, 1));
  double *values = g_new (double, MAX (n, 1));
  g_autoptr (GError) error = NULL;
  EsSparseMatrix *matrix;

  if (n > 0)
    qsort (sorted, n, sizeof (Entry), by_place);
  for (guint i = 0; i < n; i++)
    {
      places[i] = sorted[i].column;
      values[i] = sorted[i].value;
      for (gsize row = (gsize) sorted[i].row + 1; row <= rows; row++)
        row_from[row]++;
    }
  matrix = es_sparse_matrix_new (name, rows, columns, row_from, places, values, symmetry, &error);
  g_assert_no_error (error);
  return matrix;
}

/* 2 on the diagonal, -1 beside it. */
static EsSparseMatrix *
make_line (const char *name, gsize n)
{
  gint32 *row_from = g_new (gint32, n + 1), *places = g_new (gint32, 3 * n);
  double *values = g_new (double, 3 * n);
  g_autoptr (GError) error = NULL;
  EsSparseMatrix *matrix;
  gint32 k = 0;

  for (gsize i = 0; i < n; i++)
    {
      row_from[i] = k;
      for (gsize j = i > 0 ? i - 1 : 0; j <= MIN (i + 1, n - 1); j++)
        {
          places[k] = (gint32) j;
          values[k++] = i == j ? 2 : -1;
        }
    }
  row_from[n] = k;
  matrix = es_sparse_matrix_new (name, n, n, row_from, places, values, ES_SYMMETRY_SYMMETRIC, &error);
  g_assert_no_error (error);
  return matrix;
}

/* ---- the picture ---- */

static gboolean
is_colour (const guint8 *pixel, const GdkRGBA *colour)
{
  return pixel[0] == (guint8) lrint (255.0 * colour->red) && pixel[1] == (guint8) lrint (255.0 * colour->green)
         && pixel[2] == (guint8) lrint (255.0 * colour->blue);
}

/* Whatever the size: nothing, one and the most have their colours, and a nonzero never looks like nothing. */
static void
test_paint (void)
{
  const guint32 cells[6] = { 0, 1, 40, 1000, 0, 7 };
  const EsSpyColors *const colours[] = { &es_spy_colors_light, &es_spy_colors_dark };
  const struct { guint columns, rows; } sizes[] = { { 3, 2 }, { 7, 5 }, { 300, 2 }, { 3, 200 }, { 64, 63 } };

  for (guint c = 0; c < G_N_ELEMENTS (colours); c++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        const guint columns = sizes[s].columns, rows = sizes[s].rows;
        g_autofree guint8 *pixels = g_malloc (3 * columns * rows);
        guint seen[6] = { 0 };

        es_spy_paint (cells, 3, 2, columns, rows, colours[c], pixels);
        for (guint y = 0; y < rows; y++)
          for (guint x = 0; x < columns; x++)
            {
              /* The last cell that begins at or before it, where cell k begins at k * pixels / cells. */
              const guint line = y >= rows / 2 ? 1 : 0;
              const guint place = x >= 2 * columns / 3 ? 2 : x >= columns / 3 ? 1 : 0;
              const guint32 n = cells[3 * line + place];
              const guint8 *pixel = pixels + 3 * (y * columns + x);

              seen[3 * line + place]++;
              g_assert_true (is_colour (pixel, &colours[c]->nothing) == (n == 0));
              if (n == 1)
                g_assert_true (is_colour (pixel, &colours[c]->one));
              if (n == 1000)
                g_assert_true (is_colour (pixel, &colours[c]->most));
            }
        for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
          g_assert_cmpuint (seen[i], >, 0);
      }
}

/* Parts begin where they say, follow each other, and leave nothing out. */
static void
test_parts (void)
{
  for (guint64 places = 1; places < 40; places++)
    for (guint64 n = 1; n <= places; n++)
      for (guint64 i = 0; i < places; i++)
        {
          const gsize part = es_spy_part (i, places, n);

          g_assert_cmpuint (part, <, n);
          g_assert_cmpuint (es_spy_begin (part, places, n), <=, i);
          g_assert_cmpuint (es_spy_begin (part + 1, places, n), >, i);
        }
  g_assert_cmpuint (es_spy_part (G_MAXINT32 - 1, G_MAXINT32, 4096), ==, 4095);
}

static void
test_fit (void)
{
  guint width, height;

  es_spy_fit (100, 100, 400, 300, &width, &height);
  g_assert_cmpuint (width, ==, 300);
  g_assert_cmpuint (height, ==, 300);
  es_spy_fit (100, 200, 400, 300, &width, &height);
  g_assert_cmpuint (width, ==, 400);
  g_assert_cmpuint (height, ==, 200);
  /* Ten million rows are still to be seen. */
  es_spy_fit (10000000, 3, 400, 300, &width, &height);
  g_assert_cmpuint (width, ==, 75);
  g_assert_cmpuint (height, ==, 300);
  es_spy_fit (1, 1000000, 400, 300, &width, &height);
  g_assert_cmpuint (width, ==, 400);
  g_assert_cmpuint (height, ==, 100);
  es_spy_fit (0, 0, 0, 0, &width, &height);
  g_assert_cmpuint (width, ==, 1);
  g_assert_cmpuint (height, ==, 1);
}

/* ---- facts ---- */

static const EsMatrixFact *
find_fact (GPtrArray *facts, const char *title)
{
  for (guint i = 0; i < facts->len; i++)
    {
      const EsMatrixFact *fact = g_ptr_array_index (facts, i);

      if (g_str_equal (fact->title, title))
        return fact;
    }
  return NULL;
}

static void
assert_fact (GPtrArray *facts, const char *title, const char *value, const char *meaning, gboolean warns)
{
  const EsMatrixFact *fact = find_fact (facts, title);

  g_assert_nonnull (fact);
  if (value != NULL)
    g_assert_cmpstr (fact->value, ==, value);
  g_assert_true (meaning == NULL ? fact->meaning == NULL : strstr (fact->meaning, meaning) != NULL);
  g_assert_true (fact->warns == warns);
}

static void
test_facts_of_line (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("line", 1000);
  g_autoptr (GPtrArray) facts = es_matrix_facts_new (matrix);

  assert_fact (facts, "Rows and columns", "1000 × 1000", "Square", FALSE);
  assert_fact (facts, "Nonzeros", "2998, 0.3 % of the places", "every product reads", FALSE);
  assert_fact (facts, "Symmetry", "Symmetric", "CG suits", FALSE);
  assert_fact (facts, "Nonzeros of a row", NULL, "like length", FALSE);
  assert_fact (facts, "Empty rows", "None", NULL, FALSE);
  assert_fact (facts, "Zeros on the diagonal", "None", "possible", FALSE);
  assert_fact (facts, "Dominant diagonal", "100.0 % of the rows", "dominates every row", FALSE);
  assert_fact (facts, "Diagonals with nonzeros", "3", "DIA suits", FALSE);
  assert_fact (facts, "Bandwidth", "1 below, 1 above the diagonal", "so short", FALSE);
}

/* What cannot be done is said, and marked. */
static void
test_facts_of_bad (void)
{
  static const Entry entries[] = { { 0, 0, 1 }, { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 1, 0, 5 } };
  g_autoptr (EsSparseMatrix) square = make ("square", 4, 4, G_N_ELEMENTS (entries), entries, ES_SYMMETRY_GENERAL);
  g_autoptr (EsSparseMatrix) wide = make ("wide", 2, 6, G_N_ELEMENTS (entries), entries, ES_SYMMETRY_GENERAL);
  g_autoptr (EsSparseMatrix) none = make ("none", 3, 3, 0, NULL, ES_SYMMETRY_GENERAL);
  g_autoptr (GPtrArray) of_square = es_matrix_facts_new (square), of_wide = es_matrix_facts_new (wide);
  g_autoptr (GPtrArray) of_none = es_matrix_facts_new (none);

  assert_fact (of_square, "Symmetry", "Not symmetric", "GMRES", FALSE);
  assert_fact (of_square, "Empty rows", "2", "singular", TRUE);
  assert_fact (of_square, "Zeros on the diagonal", "3", "multigrid and preconditioners by the diagonal", TRUE);
  assert_fact (of_square, "Nonzeros of a row", "0 to 4; mean 1.25, deviation 1.64", "unlike length", FALSE);
  assert_fact (of_square, "Diagonals with nonzeros", "5", "does not suit", FALSE);

  assert_fact (of_wide, "Rows and columns", "2 × 6", "Not square", TRUE);
  g_assert_null (find_fact (of_wide, "Symmetry"));
  g_assert_null (find_fact (of_wide, "Zeros on the diagonal"));
  g_assert_null (find_fact (of_wide, "Dominant diagonal"));

  assert_fact (of_none, "Nonzeros", "0", "nothing to multiply", TRUE);
  g_assert_null (find_fact (of_none, "Diagonals with nonzeros"));
  g_assert_null (find_fact (of_none, "Bandwidth"));
}

static void
test_lengths (void)
{
  static const Entry entries[] = { { 0, 0, 1 }, { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 1, 0, 5 }, { 3, 3, 1 } };
  g_autoptr (EsSparseMatrix) matrix = make ("a", 4, 4, G_N_ELEMENTS (entries), entries, ES_SYMMETRY_GENERAL);
  g_autoptr (EsPlot) plot = es_matrix_lengths_plot_new (matrix);
  g_autofree char *text = es_plot_to_text (plot);
  g_auto (GStrv) lines = g_strsplit (g_strstrip (text), "\n", -1);

  /* Two rows of one, none of two or three, one of four; the empty one has no place. */
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_cmpstr (lines[1], ==, "1\t2");
  g_assert_cmpstr (lines[2], ==, "2\t0");
  g_assert_cmpstr (lines[3], ==, "4\t1");
}

/* ---- on a display ---- */

static gboolean
is_drawn (gpointer view)
{
  return es_spy_view_is_drawn (view);
}

static void
wait_for (gboolean (*condition) (gpointer), gpointer data)
{
  const gint64 latest = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  while (!condition (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, latest);
      g_main_context_iteration (NULL, FALSE);
    }
}

/* Until what has come is laid out, too. */
static void
settle (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  const gint64 latest = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  const gint64 last = gdk_frame_clock_get_frame_counter (clock) + 3;

  while (gdk_frame_clock_get_frame_counter (clock) < last)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, latest);
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
      g_main_context_iteration (NULL, TRUE);
    }
}

static GtkWidget *
show_in_window (GtkWidget *child, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static char *
describe_cell (EsSpyView *view, double across, double down)
{
  GtkWidget *canvas = gtk_widget_get_first_child (GTK_WIDGET (view));
  const double side = MIN (gtk_widget_get_width (canvas), gtk_widget_get_height (canvas));
  const double top = floor ((gtk_widget_get_height (canvas) - side) / 2);

  return es_spy_view_describe (view, across * side, top + down * side);
}

/* Counts and what is told are those of what is seen. */
static void
test_spy (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("line", 5);
  EsSpyView *view = ES_SPY_VIEW (es_spy_view_new (matrix, 400));
  GtkWidget *window = show_in_window (GTK_WIDGET (view), 600, 500);
  const EsMatrixWindow corner = { 2, 2, 3, 1 }, beyond = { 4, 100, 9, 2 };
  g_autofree char *first = NULL, *outer = NULL, *zoomed = NULL;

  wait_for (is_drawn, view);
  first = describe_cell (view, 0.1, 0.1);
  g_assert_cmpstr (first, ==, "Row 1, column 1: 1 nonzero");
  outer = describe_cell (view, 0.9, 0.1);
  g_assert_cmpstr (outer, ==, "Row 1, column 5: 0 nonzeros");
  g_assert_null (es_spy_view_describe (view, -1, 5));

  es_spy_view_set_window (view, &corner);
  g_assert_false (es_spy_view_is_drawn (view));
  wait_for (is_drawn, view);
  zoomed = es_spy_view_describe (view, 2, gtk_widget_get_height (gtk_widget_get_first_child (GTK_WIDGET (view))) / 2
                                          + 10);
  g_assert_cmpstr (zoomed, ==, "Row 4, column 4: 1 nonzero");
  /* What would lie outside is moved into the matrix. */
  es_spy_view_set_window (view, &beyond);
  g_assert_cmpuint (es_spy_view_get_window (view)->row, ==, 0);
  g_assert_cmpuint (es_spy_view_get_window (view)->n_rows, ==, 5);
  g_assert_cmpuint (es_spy_view_get_window (view)->column, ==, 3);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "spy.whole", NULL));
  g_assert_cmpuint (es_spy_view_get_window (view)->n_columns, ==, 5);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "spy.in", NULL));
  g_assert_cmpuint (es_spy_view_get_window (view)->n_columns, ==, 2);
  for (guint i = 0; i < 5; i++)
    gtk_widget_activate_action (GTK_WIDGET (view), "spy.in", NULL);
  g_assert_cmpuint (es_spy_view_get_window (view)->n_columns, ==, 1);
  for (guint i = 0; i < 5; i++)
    gtk_widget_activate_action (GTK_WIDGET (view), "spy.out", NULL);
  g_assert_cmpuint (es_spy_view_get_window (view)->n_columns, ==, 5);
  wait_for (is_drawn, view);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* One pixel of a picture of a large matrix stands for many places, and none of its nonzeros is lost. */
static void
test_spy_of_large (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("line", 200000);
  EsSpyView *view = ES_SPY_VIEW (es_spy_view_new (matrix, 300));
  GtkWidget *window = show_in_window (GTK_WIDGET (view), 400, 320);
  GdkTexture *texture;
  g_autofree guint8 *pixels = NULL;
  int width, height;

  wait_for (is_drawn, view);
  texture = es_spy_view_get_texture (view);
  width = gdk_texture_get_width (texture);
  height = gdk_texture_get_height (texture);
  pixels = g_malloc ((gsize) (4 * width) * (gsize) height);
  gdk_texture_download (texture, pixels, (gsize) (4 * width));
  for (int i = 0; i < MIN (width, height); i++)
    {
      const guint8 *on = pixels + 4 * ((gsize) i * (gsize) width + (gsize) i);
      const guint8 *off = pixels + 4 * ((gsize) i * (gsize) width + (gsize) ((i + width / 2) % width));

      g_assert_true (memcmp (on, off, 3) != 0);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
has_facts (gpointer page)
{
  return es_views_find (page, ES_TYPE_PLOT_VIEW) != NULL;
}

static void
test_page (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("a matrix of a very long name, as long as the names of files can be, "
                                                 "which are longer than any place for them", 300);
  static const Entry one = { 0, 0, 3 };
  g_autoptr (EsSparseMatrix) single = make ("1 x 1", 1, 1, 1, &one, ES_SYMMETRY_SYMMETRIC);
  g_autoptr (EsSparseMatrix) none = make ("none", 2, 2, 0, NULL, ES_SYMMETRY_GENERAL);
  GtkWidget *page = es_matrix_page_new (), *window = show_in_window (page, 975, 640);
  g_autoptr (GdkTexture) picture = NULL;

  es_matrix_page_show (ES_MATRIX_PAGE (page), matrix, NULL);
  wait_for (has_facts, page);
  wait_for (is_drawn, es_views_find (page, ES_TYPE_SPY_VIEW));
  settle (page);
  picture = es_matrix_page_render (ES_MATRIX_PAGE (page));
  g_assert_nonnull (picture);
  es_views_screenshot (window, "matrix-page");
  /* It fits the room between the columns of the smallest window. */
  g_assert_cmpint (gtk_widget_get_width (page), ==, 975);

  es_matrix_page_show (ES_MATRIX_PAGE (page), single, NULL);
  wait_for (has_facts, page);
  wait_for (is_drawn, es_views_find (page, ES_TYPE_SPY_VIEW));
  es_views_screenshot (window, "matrix-page-single");
  es_matrix_page_show (ES_MATRIX_PAGE (page), none, NULL);
  wait_for (is_drawn, es_views_find (page, ES_TYPE_SPY_VIEW));
  g_assert_null (es_views_find (page, ES_TYPE_PLOT_VIEW));
  es_matrix_page_show (ES_MATRIX_PAGE (page), NULL, NULL);
  g_assert_null (es_views_find (page, ES_TYPE_SPY_VIEW));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* It goes while the matrix is still being gone through and drawn. */
static void
test_page_goes (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("line", 300000);

  for (guint turns = 0; turns < 6; turns++)
    {
      GtkWidget *page = es_matrix_page_new (), *window = show_in_window (page, 975, 640);

      es_matrix_page_show (ES_MATRIX_PAGE (page), matrix, NULL);
      for (guint i = 0; i < 4 * turns; i++)
        g_main_context_iteration (NULL, FALSE);
      gtk_window_destroy (GTK_WINDOW (window));
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* ---- what was found ---- */

static const EsParamSpec solve_params[] = {
  { .key = "tolerance", .label = "Tolerance", .help = "Tolerance.", .type = ES_PARAM_FLOAT, .maximum = 1, .digits = 9,
    .default_value = 1e-6 },
  { .type = ES_PARAM_END }
};

static EsCurve *
make_residual (guint n)
{
  g_autofree double *x = g_new (double, n), *residual = g_new (double, n), *seconds = g_new (double, n);
  EsCurve *curve;

  for (guint i = 0; i < n; i++)
    {
      x[i] = i;
      residual[i] = pow (10, -0.1 * i);
      seconds[i] = 0.5 * i;
    }
  curve = es_curve_new ("residual", "Residual by iteration", "residual", n, x, "Iteration", NULL);
  es_curve_add_series (curve, "Residual", NULL, ES_CURVE_LINE, FALSE, residual);
  es_curve_add_series (curve, "Time", "s", ES_CURVE_LINE, TRUE, seconds);
  es_curve_set_log_y (curve, TRUE);
  return curve;
}

/* A longer curve every few milliseconds, until it is cancelled. */
static EsResult *
run_slowly (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  for (guint n = 2; !g_cancellable_set_error_if_cancelled (es_job_get_cancellable (job), error); n++)
    {
      g_autoptr (EsCurve) curve = make_residual (n);

      es_job_set_live_curve (job, curve);
      g_usleep (5000);
    }
  return NULL;
}

static const EsOperation solve = {
  .id = "test-solve", .title = "Solve", .short_title = "Solve", .summary = "Solves.", .version = 1,
  .takes = ES_DATASET_MATRIX, .params = solve_params, .on_host = TRUE, .run = run_slowly,
};

static gboolean
has_longer_curve (gpointer live)
{
  EsCurve *curve = es_matrix_live_get_curve (live);

  return curve != NULL && es_curve_get_length (curve) >= 10;
}

static gboolean
has_ended (gpointer live)
{
  return es_matrix_live_get_job (live) == NULL;
}

/* The curve grows while it runs, with the tolerance below it; it goes with the run. */
static void
test_live (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("line", 10);
  g_autoptr (EsParams) params = es_params_new (solve_params);
  g_autoptr (EsJob) job = es_job_new (&solve, ES_DATASET (matrix), params, es_device_get_cpu (), NULL, NULL);
  GtkWidget *live = es_matrix_live_new (), *window = show_in_window (live, 700, 500);
  g_autofree char *text = NULL;
  GtkWidget *view;

  g_assert_false (gtk_widget_get_visible (live));
  es_job_start (job);
  es_matrix_live_set_job (ES_MATRIX_LIVE (live), job);
  g_assert_true (gtk_widget_get_visible (live));
  wait_for (has_longer_curve, live);
  view = es_views_find (live, ES_TYPE_PLOT_VIEW);
  g_assert_nonnull (view);
  text = es_plot_to_text (es_plot_view_get_plot (ES_PLOT_VIEW (view)));
  g_assert_nonnull (strstr (text, "Tolerance"));
  g_assert_cmpuint (es_plot_get_n_series (es_plot_view_get_plot (ES_PLOT_VIEW (view))), ==, 3);
  es_views_screenshot (window, "matrix-live");
  /* The same view all the while: what was zoomed stays so. */
  g_assert_true (es_views_find (live, ES_TYPE_PLOT_VIEW) == view);

  es_job_cancel (job);
  wait_for (has_ended, live);
  g_assert_false (gtk_widget_get_visible (live));
  g_assert_null (es_views_find (live, ES_TYPE_PLOT_VIEW));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The line of the tolerance is as long as the curve, and there is none where nothing has to be reached. */
static void
test_tolerance (void)
{
  g_autoptr (EsCurve) few = make_residual (4), more = make_residual (9);
  g_autoptr (EsPlot) plot = es_matrix_residual_plot_new (few, 1e-3), without = es_matrix_residual_plot_new (few, NAN);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_cmpuint (es_plot_get_n_series (without), ==, 2);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 3);
  g_assert_true (es_plot_is_logarithmic (plot));
  es_matrix_residual_plot_follow (plot, more, 1e-3);
  text = es_plot_to_text (plot);
  lines = g_strsplit (g_strstrip (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 10);
  g_assert_true (g_str_has_suffix (lines[1], "\t0.001"));
  g_assert_true (g_str_has_suffix (lines[2], "\t8\t0.001"));
}

/* ---- products ---- */

static EsResult *
make_products (EsSparseMatrix *matrix, const char *json)
{
  g_autoptr (EsParams) params = es_params_new (solve_params);
  g_autoptr (EsTable) table = es_table_new ("products", "Products");
  g_autoptr (JsonNode) node = json_from_string (json, NULL);
  EsResult *result = es_result_new (&solve, ES_DATASET (matrix), params);

  es_table_add_column (table, "Format", NULL, -1);
  es_table_add_row (table, (gconstpointer[]) { "COO" });
  es_table_add_row (table, (gconstpointer[]) { "SELL" });
  es_table_add_row (table, (gconstpointer[]) { "DIA" });
  es_result_add_layer (result, ES_LAYER (table));
  es_result_set_values (result, json_object_ref (json_node_get_object (node)));
  es_result_set_title (result, "Products");
  return result;
}

static void
test_products (void)
{
  g_autoptr (EsSparseMatrix) matrix = make_line ("line", 10);
  g_autoptr (EsResult) result = make_products (matrix,
    "{ \"chosen\": \"sell\", \"products\": ["
    "  { \"format\": \"coo\", \"seconds\": 0.002, \"share\": 0.25 },"
    "  { \"format\": \"sell\", \"seconds\": 0.0005, \"share\": 1 },"
    "  { \"format\": \"dia\", \"missing\": \"It would store 40 times the nonzeros.\" } ] }");
  g_autoptr (EsResult) fewer = make_products (matrix, "{ \"chosen\": 3, \"products\": [ { } ] }");
  g_autoptr (EsResult) odd = make_products (matrix, "{ \"products\": [ 1, null, \"a\" ] }");
  g_autoptr (EsResult) none = make_products (matrix, "{ }");
  GtkWidget *bars = es_matrix_products_new (result), *page = es_matrix_page_new ();
  GtkWidget *window = show_in_window (page, 975, 640);
  g_autofree char *text = es_matrix_bars_to_text (ES_MATRIX_BARS (g_object_ref_sink (bars)));

  g_assert_cmpstr (text, ==, "COO: 2 ms, 25.0 %\nSELL: 500 µs, 100.0 %, chosen\n"
                             "DIA: It would store 40 times the nonzeros.");
  g_assert_null (es_matrix_products_new (fewer));
  g_assert_null (es_matrix_products_new (odd));
  g_assert_null (es_matrix_products_new (none));

  es_matrix_page_show (ES_MATRIX_PAGE (page), matrix, result);
  settle (page);
  g_assert_nonnull (es_views_find (page, ES_TYPE_MATRIX_BARS));
  es_views_screenshot (window, "matrix-products");
  es_matrix_page_show (ES_MATRIX_PAGE (page), matrix, odd);
  settle (page);
  g_assert_null (es_views_find (page, ES_TYPE_MATRIX_BARS));
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (bars);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  g_test_add_func ("/matrix-views/paint", test_paint);
  g_test_add_func ("/matrix-views/parts", test_parts);
  g_test_add_func ("/matrix-views/fit", test_fit);
  g_test_add_func ("/matrix-views/facts/line", test_facts_of_line);
  g_test_add_func ("/matrix-views/facts/bad", test_facts_of_bad);
  g_test_add_func ("/matrix-views/lengths", test_lengths);
  g_test_add_func ("/matrix-views/spy", test_spy);
  g_test_add_func ("/matrix-views/spy/large", test_spy_of_large);
  g_test_add_func ("/matrix-views/page", test_page);
  g_test_add_func ("/matrix-views/page/goes", test_page_goes);
  g_test_add_func ("/matrix-views/live", test_live);
  g_test_add_func ("/matrix-views/tolerance", test_tolerance);
  g_test_add_func ("/matrix-views/products", test_products);
  return g_test_run ();
}
