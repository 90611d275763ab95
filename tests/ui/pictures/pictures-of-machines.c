/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The laboratory: this processor, a card where there is one, what was measured of an H100, a plan for a cluster; and
 * sparse matrices. */

#include "es-pictures.h"
#include "lab/es-lab-page-private.h"
#include "lab/es-lab-workspace.h"
#include "lab/es-profile-window.h"
#include "lab/ladder/es-ladder-roofs.h"
#include "lab/matrix/es-matrix-live.h"
#include "lab/matrix/es-matrix-workspace.h"
#include "lab/matrix/es-spy-view.h"

static EsLabWorkspace *
lab_of (EsWindow *window)
{
  return ES_LAB_WORKSPACE (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE));
}

static void
open_device (EsWindow *window, const char *id)
{
  es_pictures_activate (GTK_WIDGET (window), "win.open-device", id);
  es_pictures_settle (window);
}

static gboolean
is_through (gpointer series)
{
  return !es_lab_series_is_running (series);
}

static void
take_processor (EsWindow *window)
{
  open_device (window, "cpu");
  es_test_activate (window, "lab-run-all");
  ES_PICTURES_WAIT (is_through, es_lab_workspace_get_series (lab_of (window)));
  es_pictures_settle (window);
  es_shown_set (es_workspace_get_shown (ES_WORKSPACE (lab_of (window))),
                es_shown_get_dataset (es_workspace_get_shown (ES_WORKSPACE (lab_of (window)))), NULL, NULL);
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "lab-overview");
  es_pictures_activate (GTK_WIDGET (window), "win.lab-show", "lab-latency");
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "lab-latency");
}

static gboolean
has_profile_window (gpointer data)
{
  return es_test_find_toplevel (ES_TYPE_PROFILE_WINDOW) != NULL;
}

/* One that is installed. */
static char *
find_data (const char *name)
{
  return g_build_filename (g_getenv ("ES_DATA_DIR"), name, NULL);
}

static void
take_profile (EsWindow *window)
{
  g_autofree char *path = find_data ("profiles/h100.json");
  GtkWidget *profile;

  es_pictures_open (window, path);
  ES_PICTURES_WAIT (has_profile_window, NULL);
  profile = es_test_find_toplevel (ES_TYPE_PROFILE_WINDOW);
  es_pictures_settle (window);
  gtk_window_set_default_size (GTK_WINDOW (profile), 1180, 1000);
  es_pictures_settle (window);
  es_pictures_take (profile, "lab-profile");
  gtk_window_close (GTK_WINDOW (profile));
}

static EsLabPage *
page_of (EsWindow *window)
{
  return ES_LAB_PAGE (es_pictures_find (window, ES_TYPE_LAB_PAGE, NULL));
}

static gboolean
has_roofs (gpointer window)
{
  return es_test_find (window, ES_TYPE_LADDER_ROOFS, NULL) != NULL;
}

static void
take_ladder (EsWindow *window)
{
  g_autofree char *path = find_data ("ladders/h100/covariance/result.json");
  EsLadderWalk *walk;

  es_pictures_open (window, path);
  es_test_activate (window, "sidebar");
  ES_PICTURES_WAIT (has_roofs, window);
  walk = g_hash_table_lookup (page_of (window)->walks, "ladder-covariance");
  es_ladder_walk_select (walk, (guint) es_ladder_sheet_find (es_ladder_walk_get_sheet (walk), "v4"));
  es_pictures_settle (window);
  es_pictures_scroll (es_pictures_find (page_of (window), GTK_TYPE_LABEL, "ii-3"));
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "lab-ladder");
}

static void
take_plan (EsWindow *window)
{
  open_device (window, "cpu");
  es_test_activate (window, "lab-plan");
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "cluster-plan");
}

/* ---- a card ---- */

static void
take_of_card (EsWindow *window, const char *experiment, const char *values, const char *heading)
{
  open_device (window, "cuda:0");
  es_pictures_choose (window, experiment, values);
  es_pictures_activate (GTK_WIDGET (window), "win.lab-run", experiment);
  es_pictures_settle (window);
  es_pictures_scroll (es_pictures_find (page_of (window), GTK_TYPE_LABEL, heading));
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), experiment);
}

static void
take_link (EsWindow *window)
{
  take_of_card (window, "lab-link", NULL, "To the card, by size");
}

static void
take_choose (EsWindow *window)
{
  take_of_card (window, "lab-choose", NULL, "Arrays: predicted and measured");
}

/* ---- matrices ---- */

static gboolean
is_drawn (gpointer window)
{
  GtkWidget *spy = es_test_find (window, ES_TYPE_SPY_VIEW, NULL);

  return spy != NULL && es_spy_view_is_drawn (ES_SPY_VIEW (spy)) && es_test_is_idle (window);
}

static void
make_matrix (EsWindow *window, const char *name)
{
  es_pictures_activate (GTK_WIDGET (window), "win.make-matrix", name);
  ES_PICTURES_WAIT (is_drawn, window);
  es_pictures_settle (window);
}

static void
take_matrix (EsWindow *window)
{
  make_matrix (window, "random:n=60000,mean=12,deviation=8,spread=9000,symmetric=1,dominant=1,seed=7");
  es_pictures_take (GTK_WIDGET (window), "matrix");
}

static void
take_products (EsWindow *window)
{
  make_matrix (window, "poisson2d:300x300");
  es_pictures_run (window, "sparse-products", NULL);
  es_pictures_take (GTK_WIDGET (window), "matrix-products");
}

static gboolean
has_come_far (gpointer window)
{
  GtkWidget *live = es_test_find (window, ES_TYPE_MATRIX_LIVE, NULL);
  EsCurve *curve = live != NULL ? es_matrix_live_get_curve (ES_MATRIX_LIVE (live)) : NULL;

  return curve != NULL && es_curve_get_length (curve) > 500;
}

static void
take_solver (EsWindow *window)
{
  make_matrix (window, "poisson2d:1500x1500");
  es_pictures_choose (window, "sparse-solve", "preconditioner=none");
  es_test_activate (window, "run");
  ES_PICTURES_WAIT (has_come_far, window);
  es_pictures_take (GTK_WIDGET (window), "matrix-live");
  es_test_activate (window, "cancel");
}

const EsPictureScene es_pictures_of_machines[] = {
  { "lab-overview", 1280, 1000, FALSE, FALSE, NULL, take_processor },
  { "lab-profile", 1280, 1000, FALSE, FALSE, NULL, take_profile },
  { "lab-ladder", 1280, 800, FALSE, FALSE, NULL, take_ladder },
  { "lab-link", 1280, 800, FALSE, FALSE, "cuda:0", take_link },
  { "lab-choose", 1280, 800, FALSE, FALSE, "cuda:0", take_choose },
  { "cluster-plan", 1280, 800, FALSE, FALSE, NULL, take_plan },
  { "matrix", 1280, 1000, FALSE, FALSE, NULL, take_matrix },
  { "matrix-products", 1280, 1000, FALSE, FALSE, NULL, take_products },
  { "matrix-live", 1280, 1000, FALSE, FALSE, NULL, take_solver },
  { 0 }
};
