/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes: a simulated scene of 480 x 360 pixels and 210 bands, what is found of it, and how it is looked at. */

#include <math.h>

#include "analyse/es-comparison-dialog.h"
#include "charts/es-plot-view.h"
#include "es-pictures.h"
#include "es-test-hands.h"
#include "faces/es-faces-window.h"
#include "inspector/es-inspector-private.h"
#include "inspector/es-scatter-canvas-private.h"
#include "places/es-section-columns.h"
#include "session/es-judgement.h"
#include "spectra/es-spectra-view.h"
#include "viewer/es-viewer-private.h"

#define SCENE "simulated.img"

static const char *const other_sections[] = { "spectrum", "histogram", "eigenvalues" };

static EsDisplay *
display_of (EsWindow *window)
{
  return es_test_viewer (window)->left.display;
}

static EsInspector *
inspector_of (EsWindow *window)
{
  return es_test_viewer (window)->inspector;
}

static void
select_pixel (EsWindow *window, guint x, guint y)
{
  es_viewer_select_pixel (es_test_viewer (window), x, y);
  es_pictures_settle (window);
}

static void
expand (EsWindow *window, const char *id, gboolean expanded)
{
  es_section_set_expanded (es_inspector_get_section (inspector_of (window), id), expanded);
}

/* Which of the sections that come first make room. */
static void
fold_first (EsWindow *window, guint n)
{
  for (guint i = 0; i < n; i++)
    expand (window, other_sections[i], FALSE);
}

static EsResult *
dup_result (EsWindow *window, guint i)
{
  return g_list_model_get_item (es_session_get_results (es_window_get_session (window),
                                                        es_viewer_get_dataset (es_test_viewer (window))), i);
}

static void
show_result (EsWindow *window, guint i)
{
  g_autoptr (EsResult) result = i == G_MAXUINT ? NULL : dup_result (window, i);

  es_shown_set (es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE)),
                es_viewer_get_dataset (es_test_viewer (window)), result, NULL);
  es_pictures_settle (window);
}

static void
point_at (EsWindow *window, guint x, guint y)
{
  g_signal_emit_by_name (es_test_viewer (window)->left.view, "hovered", TRUE, x, y);
  es_pictures_settle (window);
}

static void
open_scene (EsWindow *window)
{
  es_pictures_open (window, SCENE);
}

/* Colours of two results: PCA, then MNF on top. */
static void
run_both (EsWindow *window)
{
  open_scene (window);
  es_pictures_run (window, "pca", NULL);
  es_pictures_run (window, "mnf", NULL);
}

/* ---- looking ---- */

static void
take_composite (EsWindow *window)
{
  open_scene (window);
  select_pixel (window, 255, 283);
  point_at (window, 144, 77);
  es_pictures_take (GTK_WIDGET (window), "composite");
}

static void
take_components (EsWindow *window)
{
  open_scene (window);
  es_pictures_run (window, "pca", NULL);
  select_pixel (window, 255, 283);
  es_pictures_take (GTK_WIDGET (window), "components");
}

static void
take_dark (EsWindow *window)
{
  open_scene (window);
  es_pictures_run (window, "fastica", "components=10");
  select_pixel (window, 255, 263);
  es_pictures_take (GTK_WIDGET (window), "dark");
}

static void
take_chinese (EsWindow *window)
{
  open_scene (window);
  es_pictures_run (window, "mnf", NULL);
  select_pixel (window, 255, 267);
  es_pictures_take (GTK_WIDGET (window), "chinese");
}

static gboolean
is_painted (gpointer view)
{
  return !es_faces_view_is_busy (view) && es_faces_view_get_texture (view, ES_FACE_TOP) != NULL;
}

static void
take_colours (EsWindow *window)
{
  const guint planes[] = { 0, 1, 2 };
  GtkWidget *faces;

  run_both (window);
  es_display_show_rgb (display_of (window), planes);
  select_pixel (window, 255, 283);
  es_pictures_take (GTK_WIDGET (window), "colours");

  es_test_activate (window, "cube-faces");
  faces = es_test_find_toplevel (ES_TYPE_FACES_WINDOW);
  ES_PICTURES_WAIT (is_painted, es_faces_window_get_view (ES_FACES_WINDOW (faces)));
  es_pictures_settle (window);
  es_pictures_take (faces, "faces");
  gtk_window_close (GTK_WINDOW (faces));
}

static void
take_compare (EsWindow *window)
{
  EsViewer *viewer = es_test_viewer (window);

  run_both (window);
  es_display_show_plane (display_of (window), 1);
  if (!es_viewer_show_beside (viewer, G_OBJECT (es_viewer_get_dataset (viewer)), G_MAXUINT))
    g_error ("the cube cannot stand beside its result");
  g_object_set (viewer, "compare-mode", "swipe", NULL);
  select_pixel (window, 255, 283);
  es_pictures_take (GTK_WIDGET (window), "compare");
}

static void
take_correlations (EsWindow *window)
{
  es_pictures_open (window, "i.img");
  es_pictures_run (window, "fastica", "components=10");
  es_pictures_activate (GTK_WIDGET (es_test_viewer (window)), "view.correlate", NULL);
  es_pictures_settle (window);
  select_pixel (window, 255, 283);
  es_pictures_take (GTK_WIDGET (window), "correlations");
}

/* At a share of the width of a plot. */
static void
point_in_plot (EsWindow *window, GtkWidget *plot, double share)
{
  cairo_rectangle_t area;

  if (!es_test_has_hands ())
    g_error ("the display has no XTest");
  if (!es_plot_get_area (es_plot_view_get_plot (ES_PLOT_VIEW (plot)), gtk_widget_get_width (plot),
                         gtk_widget_get_height (plot), &area))
    g_error ("the plot is empty");
  es_test_point (plot, area.x + share * area.width, area.y + 0.5 * area.height);
  es_pictures_settle (window);
}

static void
take_spectra (EsWindow *window)
{
  static const struct { guint x, y; } places[] = { { 49, 100 }, { 255, 5 }, { 89, 283 }, { 383, 188 } };
  EsViewer *viewer = es_test_viewer (window);

  open_scene (window);
  g_object_set (viewer, "spectra", TRUE, NULL);
  es_pictures_settle (window);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      select_pixel (window, places[i].x, places[i].y);
      es_test_activate (window, "keep-pixel");
      es_pictures_settle (window);
    }
  point_in_plot (window, es_pictures_find (es_spectra_view_get_plot_view (es_viewer_get_spectra (viewer)),
                                           ES_TYPE_PLOT_VIEW, NULL), 0.48);
  es_pictures_take (GTK_WIDGET (window), "spectra");
}

static gboolean
has_profile (gpointer pane)
{
  return !es_profile_pane_is_loading (pane) && es_profile_pane_get_profile (pane) != NULL;
}

static void
take_profile (EsWindow *window)
{
  EsProfilePane *pane = es_inspector_get_profile (inspector_of (window));
  g_autoptr (EsProfileLine) line = es_profile_line_parse ("64,35,365,268", NULL);

  run_both (window);
  show_result (window, G_MAXUINT);
  select_pixel (window, 101, 67);
  es_inspector_show_profile (inspector_of (window), ES_PROFILE_LINE);
  es_profile_pane_set_line (pane, line);
  es_image_view_set_tool (es_test_viewer (window)->left.view, ES_IMAGE_TOOL_LINE);
  es_pictures_settle (window);
  ES_PICTURES_WAIT (has_profile, pane);
  es_pictures_scroll (GTK_WIDGET (es_inspector_get_section (inspector_of (window), "profile")));
  es_pictures_settle (window);
  point_in_plot (window, es_pictures_find (pane, ES_TYPE_PLOT_VIEW, NULL), 0.41);
  es_pictures_take (GTK_WIDGET (window), "profile");
}

/* ---- judging ---- */

static void
take_judge (EsWindow *window)
{
  g_autoptr (EsResult) result = NULL;

  open_scene (window);
  es_pictures_run (window, "mnf", NULL);
  result = dup_result (window, 0);
  es_judgement_set_kept (es_judgement_of (result), 4, FALSE);
  g_signal_emit_by_name (inspector_of (window), "reconstruct", result, "1-4");
  es_pictures_settle (window);
  show_result (window, 0);
  es_display_show_plane (display_of (window), 1);
  fold_first (window, 3);
  expand (window, "components", TRUE);
  expand (window, "reconstruction", TRUE);
  select_pixel (window, 255, 283);
  es_pictures_take (GTK_WIDGET (window), "judge");
}

static gboolean
has_scatter (gpointer view)
{
  return !es_scatter_view_is_loading (view) && es_scatter_view_get_detail (view) != NULL;
}

/* As it is drawn by hand: the line stays. */
static void
draw_loop (EsWindow *window, const double *points, guint n)
{
  EsScatterCanvas *canvas = ES_SCATTER_CANVAS (es_pictures_find (inspector_of (window)->scatter,
                                                                 ES_TYPE_SCATTER_CANVAS, NULL));

  g_array_set_size (canvas->lasso, 0);
  for (guint i = 0; i < n; i++)
    g_array_append_val (canvas->lasso, ((EsScatterValue) { points[2 * i], points[2 * i + 1] }));
  canvas->closed = TRUE;
  _es_scatter_canvas_signal_lasso (canvas);
}

static void
take_scatter (EsWindow *window)
{
  static const double loop[] = {
    26, 8, 45, 11, 73, 12, 99, 11, 111, 5, 113, -25, 99, -23, 76, -15, 58, -11, 36, -7, 26, -3,
  };
  EsScatterView *view = inspector_of (window)->scatter;

  open_scene (window);
  es_pictures_run (window, "mnf", NULL);
  es_display_show_plane (display_of (window), 1);
  fold_first (window, 3);
  expand (window, "components", FALSE);
  expand (window, "reconstruction", FALSE);
  expand (window, "classes", TRUE);
  expand (window, "scatter", TRUE);
  es_pictures_settle (window);
  ES_PICTURES_WAIT (has_scatter, view);
  draw_loop (window, loop, G_N_ELEMENTS (loop) / 2);
  es_pictures_settle (window);
  select_pixel (window, 255, 283);
  es_pictures_take (GTK_WIDGET (window), "scatter");
}

/* ---- devices ---- */

static gboolean
has_stopped (gpointer dialog)
{
  return !es_comparison_dialog_is_running (dialog);
}

static void
take_devices (EsWindow *window)
{
  GtkWidget *dialog;

  open_scene (window);
  es_pictures_choose (window, "pca", NULL);
  es_test_activate (window, "compare-devices");
  dialog = es_test_find_toplevel (ES_TYPE_COMPARISON_DIALOG);
  es_comparison_dialog_run (ES_COMPARISON_DIALOG (dialog));
  ES_PICTURES_WAIT (has_stopped, dialog);
  es_pictures_settle (window);
  es_pictures_take (dialog, "devices");
  gtk_window_close (GTK_WINDOW (dialog));
}

static void
take_gpu (EsWindow *window)
{
  es_pictures_open (window, "sample.img");
  es_device_choice_want (es_session_get_device_choice (es_window_get_session (window)), "cuda:0");
  es_pictures_run (window, "pca", "threshold=0.9972");
  expand (window, "spectrum", FALSE);
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "gpu");
}

const EsPictureScene es_pictures_of_cubes[] = {
  { "composite", 1280, 800, FALSE, FALSE, NULL, take_composite },
  { "components", 1440, 900, FALSE, FALSE, NULL, take_components },
  { "dark", 1280, 800, TRUE, FALSE, NULL, take_dark },
  { "chinese", 1280, 800, FALSE, TRUE, NULL, take_chinese },
  { "colours", 1440, 900, FALSE, FALSE, NULL, take_colours },
  { "compare", 1440, 900, FALSE, FALSE, NULL, take_compare },
  { "correlations", 1440, 900, FALSE, FALSE, NULL, take_correlations },
  { "spectra", 1280, 800, FALSE, FALSE, NULL, take_spectra },
  { "profile", 1440, 900, FALSE, FALSE, NULL, take_profile },
  { "judge", 1440, 900, FALSE, FALSE, NULL, take_judge },
  { "scatter", 1440, 900, FALSE, FALSE, NULL, take_scatter },
  { "devices", 1440, 900, FALSE, FALSE, NULL, take_devices },
  { "gpu", 1280, 800, FALSE, FALSE, "cuda:0", take_gpu },
  { 0 }
};
