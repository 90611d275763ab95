/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "sonar/es-sonar-workspace.h"
#include "viewer/es-cube-workspace.h"
#include "window/es-data-tree.h"
#include "window/es-window.h"

G_BEGIN_DECLS

/* An application on the display, without animations; one for the whole test program. */
AdwApplication *es_test_application (void);

/* Runs the main loop until condition holds; fails the test after 30 s. */
typedef gboolean (*EsTestCondition) (gpointer data);
void  es_test_wait (EsTestCondition condition, gpointer data, const char *what);
#define ES_TEST_WAIT(condition, data) es_test_wait ((condition), (data), #condition)

/* The first descendant of a type that is visible (with text: whose label contains it); NULL: none. */
GtkWidget *es_test_find (GtkWidget *root, GType type, const char *text);
/* A visible toplevel of a type; NULL: none. */
GtkWidget *es_test_find_toplevel (GType type);

/* As a click on the button of an AdwMessageDialog does: the dialog goes, and its response is told. */
void  es_test_respond (GtkWidget *dialog, const char *response);

/* A folder of this test program, and a simulated cube in it (40 x 30 x 24, made once). */
const char *es_test_folder (void);
GFile      *es_test_cube   (const char *name, guint seed);
/* Of many bands: PCA with eigensolver=jacobi takes a second or more. */
GFile      *es_test_slow_cube (void);

/* Whether the action "win.<name>" of a window can be activated. */
gboolean es_test_enabled  (EsWindow *window, const char *name);
void     es_test_activate (EsWindow *window, const char *name);

/* The workspaces of a window, and what they show: the view is NULL until a recording has been shown, the player where
 * none is. */
EsSonarWorkspace *es_test_sonar  (EsWindow *window);
EsViewer    *es_test_viewer      (EsWindow *window);
EsSonarView *es_test_sonar_view  (EsWindow *window);
EsPlayer    *es_test_player      (EsWindow *window);

/* Opens files and waits until they are shown. */
EsWindow *es_test_window_with (GFile *file);
/* What is not saved is given up. */
void      es_test_close       (EsWindow *window);
gboolean  es_test_is_idle     (gpointer window);

EsDataTree *es_test_tree         (EsWindow *window);
/* Runs the operation that is chosen; what it found. */
EsResult   *es_test_run_and_wait (EsWindow *window);

G_END_DECLS
