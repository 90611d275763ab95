/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-image-view.h"
#include "widgets/es-section.h"
#include "es-test-cube.h"
#include "viewer/es-viewer.h"

G_BEGIN_DECLS

/* A viewer and its inspector side by side in a real window, and a small cube to be shown. */
typedef struct
{
  EsTestCube *test;
  GtkWidget  *window;
  EsViewer   *viewer;
  GtkWidget  *inspector;
} Fixture;

#define ADD(path, function) g_test_add (path, Fixture, NULL, es_views_set_up, function, es_views_tear_down)

/* gtk_test_init () and what the application does besides. */
void         es_views_init            (int *argc, char ***argv);
void         es_views_set_up          (Fixture *fixture, gconstpointer data);
void         es_views_tear_down       (Fixture *fixture, gconstpointer data);
void         es_views_set_up_window   (Fixture *fixture, int width, int height);
void         es_views_show_cube       (Fixture *fixture);

/* Until what is shown is current and on the screen. */
void         es_views_settle          (Fixture *fixture);
void         es_views_activate        (Fixture *fixture, const char *action);
/* The first widget of a type in a tree; NULL: none. */
GtkWidget   *es_views_find            (GtkWidget *root, GType type);
EsSection   *es_views_find_section    (GtkWidget *root, const char *id);
gboolean     es_views_section_visible (Fixture *fixture, const char *id);
EsImageView *es_views_image_of        (Fixture *fixture);
char        *es_views_get_status      (Fixture *fixture);
guint        es_views_get_plane       (Fixture *fixture);
/* The caption is also what a screen reader says. */
void         es_views_assert_caption_says (Fixture *fixture, const char *part);

/* With ES_SCREENSHOTS=DIR what is looked at is also saved there as PNG. */
void         es_views_screenshot      (GtkWidget *window, const char *name);

G_END_DECLS
