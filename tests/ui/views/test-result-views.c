/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The views of a result, in a real window. */

#include "es-test-views.h"

#include <math.h>

#include "bar/es-display-bar.h"
#include "widgets/es-export.h"
#include "inspector/es-inspector.h"
#include "charts/es-plot-view.h"
#include "inspector/es-scree-pane.h"
#include "image/es-stack-strip.h"
#include "charts/es-steps-view.h"
#include "charts/es-table-view.h"
#include "inspector/es-values-pane.h"
#include "widgets/es-wheel.h"

/* ---- results ---- */

typedef struct
{
  guint     n;
  EsResult *result;
  char     *key;
  double    value;
  gboolean  final;
} Threshold;

static void
on_threshold (EsViewer *viewer, EsResult *result, const char *key, double value, gboolean final,
              Threshold *threshold)
{
  threshold->n++;
  threshold->result = result;
  g_free (threshold->key);
  threshold->key = g_strdup (key);
  threshold->value = value;
  threshold->final = final;
}

#define ADVICE "1.9 times its bound, memory: 143 MiB at 35.1 GB/s take 4.3 ms & more. Fewer bands help: its " \
               "operations go with their square."

static void
judge (EsStageTime *stages, guint n, EsDevice *device, guint threads)
{
  for (guint i = 0; i < n; i++)
    {
      stages[i].bound = ES_BOUND_MEMORY;
      stages[i].times = 1.9;
      stages[i].advice = g_strdup (ADVICE);
    }
}

/* Every sentence is there, in a column that is narrow. */
static void
check_advice (Fixture *fixture)
{
  GtkWidget *view = es_views_find (GTK_WIDGET (es_views_find_section (fixture->inspector, "steps")),
                                   ES_TYPE_STEPS_VIEW);
  GtkWidget *label = gtk_widget_get_next_sibling (gtk_widget_get_first_child (view));
  const char *text = gtk_label_get_text (GTK_LABEL (label));
  int minimum, natural;

  g_assert_true (gtk_widget_get_visible (label));
  g_assert_nonnull (strstr (text, "Covariance  " ADVICE "\n"));
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (minimum, <, 250);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, 300, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (gtk_widget_get_height (label), >, 60);
}

static void
test_result (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  guint n = es_image_stack_get_planes (stack);
  EsStackStrip *strip;
  EsTableView *steps;
  EsPicture *picture;
  guint n_stages;

  g_assert_cmpuint (n, >, 1);
  es_views_show_cube (fixture);
  es_viewer_select_pixel (fixture->viewer, 40, 30);
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);

  g_assert_true (es_viewer_get_result (fixture->viewer) == result);
  picture = es_image_view_get_picture (es_views_image_of (fixture));
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 1);
  g_assert_cmpfloat (es_picture_get_sample (picture, 0, 50.5, 20.5), ==,
                     es_image_stack_peek (stack, 0)[20 * 96 + 50]);
  {
    double low, high;

    es_picture_get_stretch (picture, 0, &low, &high);
    g_assert_cmpfloat_with_epsilon (low, -high, 1e-6 * fabs (high));
  }
  g_assert_true (es_views_section_visible (fixture, "eigenvalues"));
  g_assert_true (es_views_section_visible (fixture, "loadings"));
  g_assert_true (es_views_section_visible (fixture, "values"));
  g_assert_true (es_views_section_visible (fixture, "steps"));

  strip = ES_STACK_STRIP (es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_STACK_STRIP));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (strip)));
  g_assert_cmpuint (es_stack_strip_get_n_loaded (strip), ==, n);
  es_result_get_stages (result, &n_stages);
  steps = ES_TABLE_VIEW (es_views_find (GTK_WIDGET (es_views_find_section (fixture->inspector, "steps")),
                                        ES_TYPE_TABLE_VIEW));
  g_assert_cmpuint (es_table_view_get_n_rows (steps), ==, n_stages + 1);
  {
    g_autofree char *text = es_table_view_to_text (steps);
    g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);

    g_assert_cmpuint (g_strv_length (lines), ==, n_stages + 2);
    g_assert_nonnull (strstr (lines[0], "Time (ms)\t"));
    g_assert_nonnull (strstr (lines[1], "memory, 1.9 ×"));
  }
  check_advice (fixture);
  es_views_screenshot (fixture->window, "result");

  {
    GtkWidget *bar = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_DISPLAY_BAR);
    GtkWidget *colormap = es_views_find (bar, GTK_TYPE_DROP_DOWN);

    gtk_drop_down_set_selected (GTK_DROP_DOWN (colormap), ES_COLORMAP_DIVERGING);
    g_object_set (bar, "legend", TRUE, NULL);
    g_assert_cmpint (es_picture_get_colormap (picture), ==, ES_COLORMAP_DIVERGING);
    es_views_settle (fixture);
    es_views_screenshot (fixture->window, "legend");
    gtk_drop_down_set_selected (GTK_DROP_DOWN (colormap), ES_COLORMAP_GRAY);
  }

  es_views_activate (fixture, "view.next-plane");
  es_views_settle (fixture);
  g_assert_cmpuint (es_views_get_plane (fixture), ==, 1);
  g_assert_cmpfloat (es_picture_get_sample (picture, 0, 50.5, 20.5), ==,
                     es_image_stack_peek (stack, 1)[20 * 96 + 50]);
  {
    GtkWidget *list = es_views_find (GTK_WIDGET (strip), GTK_TYPE_LIST_VIEW);
    GtkSelectionModel *selection = gtk_list_view_get_model (GTK_LIST_VIEW (list));

    g_assert_true (gtk_selection_model_is_selected (selection, 1));
    gtk_selection_model_select_item (selection, n - 1, TRUE);
    es_views_settle (fixture);
    g_assert_cmpuint (es_views_get_plane (fixture), ==, n - 1);
  }
  {
    EsTableView *values = ES_TABLE_VIEW (es_views_find (GTK_WIDGET (es_views_find_section (fixture->inspector,
                                                                                           "values")),
                                               ES_TYPE_TABLE_VIEW));

    g_assert_cmpuint (es_table_view_get_n_rows (values), ==, n);
  }
}

/* The letter of a channel on the thumbnail of a plane. */
static GtkWidget *
find_letter (GtkWidget *widget, const char *spoken)
{
  GtkWidget *found = NULL;

  if (GTK_IS_TOGGLE_BUTTON (widget) && g_strcmp0 (es_get_tooltip (widget), spoken) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_letter (child, spoken);
  return found;
}

/* Components as colours: one click, then a letter of the strip, a combination of the menu, and back to one. */
static void
test_colours (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999999, NULL);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  guint n = es_image_stack_get_planes (stack);
  GtkWidget *strip, *bar, *rgb, *letter;
  GtkSelectionModel *selection;
  EsPicture *picture;
  double low[2], high[2];

  g_assert_cmpuint (n, >=, 4);
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  picture = es_image_view_get_picture (es_views_image_of (fixture));
  strip = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_STACK_STRIP);
  bar = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_DISPLAY_BAR);
  selection = gtk_list_view_get_model (GTK_LIST_VIEW (es_views_find (strip, GTK_TYPE_LIST_VIEW)));
  rgb = es_views_find (bar, GTK_TYPE_TOGGLE_BUTTON);
  letter = find_letter (strip, "PC 4 as green");
  g_assert_nonnull (letter);
  g_assert_true (gtk_widget_has_css_class (gtk_widget_get_parent (letter), "waiting"));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rgb), TRUE);
  es_views_settle (fixture);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (es_picture_get_sample (picture, i, 50.5, 20.5), ==,
                       es_image_stack_peek (stack, i)[20 * 96 + 50]);
  g_assert_false (gtk_widget_has_css_class (gtk_widget_get_parent (letter), "waiting"));
  g_assert_false (gtk_selection_model_is_selected (selection, 0));
  es_views_screenshot (fixture->window, "component-colours");

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (letter), TRUE);
  es_views_settle (fixture);
  g_assert_cmpfloat (es_picture_get_sample (picture, 1, 50.5, 20.5), ==, es_image_stack_peek (stack, 3)[20 * 96 + 50]);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find_letter (strip, "PC 2 as green"))));
  /* A channel is never left without a plane. */
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (letter), FALSE);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (letter)));

  /* Each channel has a stretch of its own, that is not symmetric about zero. */
  es_picture_get_stretch (picture, 0, &low[0], &high[0]);
  es_picture_get_stretch (picture, 1, &low[1], &high[1]);
  g_assert_cmpfloat (high[0] - low[0], >, high[1] - low[1]);
  g_assert_cmpfloat (fabs (low[0] + high[0]), >, 1e-6 * high[0]);

  /* The one that was shown alone before, too. */
  gtk_selection_model_select_item (selection, 0, TRUE);
  es_views_settle (fixture);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 1);
  g_assert_cmpfloat (es_picture_get_sample (picture, 0, 50.5, 20.5), ==, es_image_stack_peek (stack, 0)[20 * 96 + 50]);
  g_assert_true (gtk_widget_has_css_class (gtk_widget_get_parent (letter), "waiting"));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rgb), TRUE);
  es_views_settle (fixture);
  g_assert_cmpfloat (es_picture_get_sample (picture, 1, 50.5, 20.5), ==, es_image_stack_peek (stack, 3)[20 * 96 + 50]);
  if (n >= 6)
    {
      gtk_widget_activate_action (es_views_find (bar, GTK_TYPE_MENU_BUTTON), "composite.planes", "(uuu)", 3, 4, 5);
      es_views_settle (fixture);
      g_assert_cmpfloat (es_picture_get_sample (picture, 2, 50.5, 20.5), ==,
                         es_image_stack_peek (stack, 5)[20 * 96 + 50]);
    }
  /* A component's row of the table, and the cube: each as it was. */
  es_viewer_show_dataset (fixture->viewer, ES_DATASET (fixture->test->cube));
  es_views_settle (fixture);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 3);
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 3);
  es_viewer_show_plane (fixture->viewer, 2);
  es_views_settle (fixture);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 1);
  g_assert_cmpuint (es_views_get_plane (fixture), ==, 2);
}

static void
test_threshold (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);
  g_autoptr (EsResult) fewer = NULL;
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  guint n = es_image_stack_get_planes (stack);
  Threshold threshold = { 0 };
  EsScreePane *scree;
  EsImageView *image;
  double zoom, share = 0;

  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  image = es_views_image_of (fixture);
  scree = ES_SCREE_PANE (es_views_find (fixture->inspector, ES_TYPE_SCREE_PANE));
  g_signal_connect (fixture->viewer, "threshold-moved", G_CALLBACK (on_threshold), &threshold);

  /* What the line says is what the operation does. */
  g_assert_cmpuint (es_scree_pane_count (scree, 0.999), ==, n);
  for (guint i = 0; i < n - 1; i++)
    share += es_image_stack_get_plane_share (stack, i);
  g_assert_cmpuint (es_scree_pane_count (scree, share - 1e-6), ==, n - 1);
  g_assert_cmpuint (es_scree_pane_count (scree, share + 1e-6), ==, n);

  es_scree_pane_move (scree, 0.9, FALSE);
  g_assert_cmpuint (threshold.n, ==, 1);
  g_assert_true (threshold.result == result);
  g_assert_cmpstr (threshold.key, ==, "threshold");
  g_assert_cmpfloat (threshold.value, ==, 0.9);
  g_assert_false (threshold.final);
  es_scree_pane_move (scree, 0.9, TRUE);
  g_assert_cmpuint (threshold.n, ==, 2);
  g_assert_true (threshold.final);
  es_scree_pane_move (scree, 0.01, TRUE);
  g_assert_cmpfloat (threshold.value, ==, 0.5);
  es_scree_pane_move (scree, 0.9, TRUE);

  /* The result that takes its place keeps plane, zoom and place. */
  es_image_view_set_zoom (image, 3);
  zoom = es_image_view_get_zoom (image);
  g_object_set (fixture->viewer, "plane", n - 1, NULL);
  es_views_settle (fixture);
  fewer = es_test_cube_pca (fixture->test, 0.9, result);
  es_viewer_show_result (fixture->viewer, fewer, NULL, result);
  es_views_settle (fixture);
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, zoom);
  g_assert_false (es_image_view_get_fit (image));
  {
    EsImageStack *left = ES_IMAGE_STACK (es_result_find_layer (fewer, "components"));
    g_autofree char *described = es_scree_pane_describe (scree);
    g_autofree char *expected = NULL;

    g_assert_cmpuint (es_views_get_plane (fixture), ==, es_image_stack_get_planes (left) - 1);
    g_assert_cmpuint (es_scree_pane_count (scree, 0.9), ==, es_image_stack_get_planes (left));
    expected = g_strdup_printf ("%u of %u kept", es_image_stack_get_planes (left),
                                es_curve_get_length (es_scree_pane_get_curve (scree)));
    g_assert_cmpstr (described, ==, expected);
  }
  g_free (threshold.key);
}

static void
test_layers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);
  GListModel *layers = es_result_get_layers (result);
  guint curves = 0;

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      g_autoptr (EsLayer) shown = NULL;

      es_viewer_show_result (fixture->viewer, result, layer, NULL);
      es_views_settle (fixture);
      g_object_get (fixture->viewer, "layer", &shown, NULL);
      g_assert_true (shown == layer);
      if (ES_IS_CURVE (layer))
        {
          g_autofree char *name = g_strdup_printf ("curve-%s", es_layer_get_name (layer));
          GtkWidget *view = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_PLOT_VIEW);

          guint drawn = 0;

          for (guint k = 0; k < es_curve_get_n_series (ES_CURVE (layer)); k++)
            drawn += es_curve_get_series (ES_CURVE (layer), k)->style != ES_CURVE_LISTED;
          g_assert_true (gtk_widget_get_mapped (view));
          g_assert_cmpuint (es_plot_get_n_series (es_plot_view_get_plot (ES_PLOT_VIEW (view))), ==, drawn);
          es_views_screenshot (fixture->window, name);
          curves++;
        }
      g_assert_cmpint (gtk_widget_get_mapped (GTK_WIDGET (es_views_image_of (fixture))), ==,
                       ES_IS_IMAGE_STACK (layer));
    }
  g_assert_cmpuint (curves, >=, 2);
}

/* ---- saving ---- */

static void
save_one (const char *name, EsPlot *plot, gpointer data)
{
  GPtrArray *names = data;

  g_assert_cmpuint (es_plot_get_n_series (plot), >, 0);
  g_ptr_array_add (names, g_strdup (name));
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  GError **error = data;
  gboolean saved = es_export_save_texture_finish (result, error);

  g_assert_cmpint (saved, ==, *error == NULL);
  g_object_set_data (source, "done", GINT_TO_POINTER (TRUE));
}

static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  static const guint8 pixels[4] = { 1, 2, 3, 255 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (pixels, 4);
  g_autoptr (GdkTexture) texture = gdk_memory_texture_new (1, 1, GDK_MEMORY_R8G8B8A8, bytes, 4);
  g_autofree char *path = g_build_filename (fixture->test->folder, "picture.png", NULL);
  g_autoptr (GFile) good = g_file_new_for_path (path);
  g_autoptr (GFile) bad = g_file_new_for_path ("/nowhere/at/all/picture.png");
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) read = NULL;

  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_viewer_select_pixel (fixture->viewer, 3, 4);
  es_views_settle (fixture);
  es_inspector_foreach_plot (ES_INSPECTOR (fixture->inspector), save_one, names);
  g_assert_cmpuint (names->len, ==, 3);

  es_export_save_texture_async (texture, good, NULL, on_saved, &error);
  while (g_object_get_data (G_OBJECT (texture), "done") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (error);
  read = gdk_texture_new_from_file (good, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (read), ==, 1);

  g_object_set_data (G_OBJECT (texture), "done", NULL);
  es_export_save_texture_async (texture, bad, NULL, on_saved, &error);
  while (g_object_get_data (G_OBJECT (texture), "done") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "picture.png"));
}

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);
  EsSection *section;
  GtkWidget *button;

  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  gtk_test_accessible_assert_role (es_views_image_of (fixture), GTK_ACCESSIBLE_ROLE_IMG);
  g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (es_views_image_of (fixture)),
                                                   GTK_ACCESSIBLE_PROPERTY_LABEL));
  section = es_views_find_section (fixture->inspector, "eigenvalues");
  button = es_views_find (GTK_WIDGET (section), GTK_TYPE_BUTTON);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Eigenvalues");
  gtk_test_accessible_assert_state (button, GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  es_section_set_expanded (section, FALSE);
  gtk_test_accessible_assert_state (button, GTK_ACCESSIBLE_STATE_EXPANDED, FALSE);
  es_section_set_expanded (section, TRUE);
  gtk_test_accessible_assert_role (es_views_find (GTK_WIDGET (section), ES_TYPE_PLOT_VIEW),
                                   GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (es_views_find (GTK_WIDGET (section), ES_TYPE_PLOT_VIEW),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Eigenvalues");
  gtk_test_accessible_assert_property (es_views_find (fixture->inspector, GTK_TYPE_SPIN_BUTTON),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Darkest value");
}

/* The narrowest and the largest that people have; a picture of one pixel. */
static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  static const struct { int width, height; const char *name; } sizes[] = {
    { 640, 400, "small" }, { 1000, 1400, "tall" },
  };
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      EsImageView *image;
      EsViewport viewport;
      int scale;

      gtk_window_destroy (GTK_WINDOW (fixture->window));
      es_views_set_up_window (fixture, sizes[i].width, sizes[i].height);
      es_viewer_show_result (fixture->viewer, result, NULL, NULL);
      es_viewer_select_pixel (fixture->viewer, 70, 20);
      es_views_settle (fixture);
      image = es_views_image_of (fixture);
      g_assert_true (es_image_view_get_fit (image));
      es_image_view_get_viewport (image, &viewport);
      scale = gtk_widget_get_scale_factor (GTK_WIDGET (image));
      /* All of it is to be seen. */
      g_assert_cmpfloat (viewport.left, <=, 0);
      g_assert_cmpfloat (viewport.top, <=, 0);
      g_assert_cmpfloat (viewport.left + gtk_widget_get_width (GTK_WIDGET (image)) * scale / viewport.zoom,
                         >=, 96);
      g_assert_cmpfloat (viewport.top + gtk_widget_get_height (GTK_WIDGET (image)) * scale / viewport.zoom,
                         >=, 80);
      es_views_screenshot (fixture->window, sizes[i].name);
    }
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  es_stages_set_judge (judge, NULL);

  ADD ("/views/result/shown", test_result);
  ADD ("/views/result/colours", test_colours);
  ADD ("/views/result/threshold", test_threshold);
  ADD ("/views/result/layers", test_layers);
  ADD ("/views/result/export", test_export);
  ADD ("/views/result/accessible", test_accessible);
  ADD ("/views/result/sizes", test_sizes);
  return g_test_run ();
}
