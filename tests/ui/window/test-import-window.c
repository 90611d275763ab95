/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A cube without its header, and a classification, in the real window. */

#include <glib/gstdio.h>
#include <string.h>

#include "cube/es-cube-classes.h"
#include "cube/es-region-set.h"
#include "image/es-display.h"
#include "import/es-cube-import.h"
#include "import/es-raw-dialog.h"
#include "inspector/es-spectrum-pane.h"
#include "legend/es-class-legend.h"
#include "legend/es-class-row.h"
#include "es-test-shell.h"

static EsCube *
cube_of (EsWindow *window)
{
  return ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
}

/* The samples of a simulated cube (40 x 30 x 24), by themselves. */
static GFile *
make_raw (const char *name)
{
  g_autofree char *base = g_strconcat ("made-", name, ".img", NULL);
  g_autoptr (GFile) made = es_test_cube (base, 5);
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);
  GFile *raw = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_file_copy (made, raw, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return raw;
}

static gboolean
is_settled (gpointer dialog)
{
  return !es_cube_import_is_busy (dialog);
}

static gboolean
has_toast (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "is in no format") != NULL;
}

/* Opened in vain, then told: the right shape is proposed, a wrong one is told of, and a header is left beside. */
static void
test_import (void)
{
  g_autoptr (GFile) raw = make_raw ("scene.samples"), header = NULL;
  g_autofree char *uri = g_file_get_uri (raw), *path = g_file_get_path (raw);
  g_autofree char *header_path = g_strconcat (path, ".hdr", NULL);
  EsWindow *window = es_test_window_with (NULL), *again;
  EsCubeImport *dialog;
  EsRawShape shape;
  GtkWidget *question;
  gint64 left;
  gsize found = 99;

  es_window_open (window, &raw, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  ES_TEST_WAIT (has_toast, window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.import-as", "s", uri));
  question = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (question);
  es_test_respond (question, "cube");
  dialog = ES_CUBE_IMPORT (es_test_find_toplevel (ES_TYPE_CUBE_IMPORT));
  g_assert_nonnull (dialog);
  ES_TEST_WAIT (is_settled, dialog);

  /* Among the first. */
  for (guint i = 0; i < es_cube_import_get_shapes (dialog)->len; i++)
    {
      const EsRawShape *listed = &g_array_index (es_cube_import_get_shapes (dialog), EsRawShape, i);

      if (listed->width == 40 && listed->height == 30 && listed->bands == 24)
        found = MIN (found, i);
    }
  g_assert_cmpuint (found, <, 3);
  shape = g_array_index (es_cube_import_get_shapes (dialog), EsRawShape, found);
  g_assert_true (es_cube_import_is_good (dialog));

  /* What a person tells is kept, and what does not fit is one sentence. */
  shape.height = 31;
  es_cube_import_tell (dialog, &shape, ES_RAW_HEIGHT);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_false (es_cube_import_is_good (dialog));
  g_assert_nonnull (strstr (es_cube_import_get_verdict (dialog), "scene.samples"));
  shape.height = 29;
  es_cube_import_tell (dialog, &shape, ES_RAW_HEIGHT);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_true (es_cube_import_is_good (dialog));
  g_assert_nonnull (strstr (es_cube_import_get_verdict (dialog), "left over"));
  shape.height = 30;
  es_cube_import_tell (dialog, &shape, ES_RAW_WIDTH | ES_RAW_HEIGHT | ES_RAW_BANDS);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_true (es_cube_import_is_good (dialog));
  for (guint i = 0; i < es_cube_import_get_shapes (dialog)->len; i++)
    g_assert_cmpuint (g_array_index (es_cube_import_get_shapes (dialog), EsRawShape, i).height, ==, 30);
  g_assert_cmpuint (es_cube_import_get_shape (dialog).height, ==, 30);

  es_cube_import_set_wants_header (dialog, TRUE);
  es_cube_import_import (dialog);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (es_cube_get_bands (cube_of (window)), ==, 24);
  g_assert_cmpuint (es_dataset_get_options (ES_DATASET (cube_of (window)))->samples.bands, ==, 24);

  /* From now on it opens by itself. */
  for (left = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
       !g_file_test (header_path, G_FILE_TEST_EXISTS) && g_get_monotonic_time () < left;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (g_file_test (header_path, G_FILE_TEST_EXISTS));
  es_test_close (window);
  again = es_test_window_with (raw);
  g_assert_cmpuint (es_cube_get_width (cube_of (again)), ==, 40);
  g_assert_cmpuint (es_dataset_get_options (ES_DATASET (cube_of (again)))->samples.bands, ==, 0);
  es_test_close (again);
}

/* As a recording the other dialog comes; an empty file is told of and cannot be imported. */
static void
test_other (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "nothing.samples", NULL);
  g_autoptr (GFile) empty = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (empty);
  EsWindow *window = es_test_window_with (NULL);
  EsCubeImport *dialog;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.import-as", "s", uri));
  es_test_respond (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "recording");
  g_assert_nonnull (es_test_find_toplevel (ES_TYPE_RAW_DIALOG));
  gtk_window_close (GTK_WINDOW (es_test_find_toplevel (ES_TYPE_RAW_DIALOG)));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.import-cube", "s", uri));
  dialog = ES_CUBE_IMPORT (es_test_find_toplevel (ES_TYPE_CUBE_IMPORT));
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_false (es_cube_import_is_good (dialog));
  g_assert_nonnull (strstr (es_cube_import_get_verdict (dialog), "nothing.samples"));
  gtk_window_close (GTK_WINDOW (dialog));
  es_test_close (window);
}

/* ---- classifications ---- */

static GFile *
make_map (const char *name, guint width, guint height)
{
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);
  g_autofree char *header = g_strconcat (path, ".hdr", NULL);
  g_autofree char *text = g_strdup_printf ("ENVI\nsamples = %u\nlines = %u\nbands = 1\ndata type = 1\n"
                                           "interleave = bsq\n"
                                           "file type = ENVI Classification\nclasses = 3\n"
                                           "class names = {Unclassified, Sea, Shore}\n"
                                           "class lookup = {0, 0, 0, 0, 0, 250, 240, 230, 10}\n", width, height);
  g_autofree guint8 *pixels = g_malloc0 ((gsize) width * height);

  for (guint i = 0; i < width * height; i++)
    pixels[i] = i % width < width / 2 ? 1 : i / width < 3 ? 0 : 2;
  g_assert_true (g_file_set_contents (header, text, -1, NULL));
  g_assert_true (g_file_set_contents (path, (const char *) pixels, (gssize) width * height, NULL));
  return g_file_new_for_path (path);
}

static guint32
pixel_at (GdkTexture *texture, guint x, guint y)
{
  const gsize stride = 4 * (gsize) gdk_texture_get_width (texture);
  g_autofree guint8 *bytes = g_malloc (stride * gdk_texture_get_height (texture));
  guint32 pixel;

  gdk_texture_download (texture, bytes, stride);
  memcpy (&pixel, bytes + y * stride + 4 * x, 4);
  return pixel & 0xffffff;       /* of BGRA in memory: 0xRRGGBB */
}

/* As the viewer has it. */
static EsPicture *
make_picture (EsCube *cube)
{
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (cube);
  g_autoptr (EsDisplay) display = es_display_new_detached ();
  g_autoptr (GBytes) plane = es_plane_source_read (source, 0, 1, NULL, NULL);
  g_autofree char *caption = NULL;
  EsPicture *picture = es_picture_new ();

  es_picture_set_planes (picture, 1, &plane, es_plane_source_get_width (source), es_plane_source_get_height (source), 1,
                         es_plane_source_get_width (source), es_plane_source_get_height (source));
  es_display_set_source (display, source, NULL);
  es_display_apply_look (display, picture);
  caption = es_display_make_caption (display, 1);
  g_assert_nonnull (strstr (caption, "3 classes in their colours"));
  return picture;
}

static gboolean
is_counted (gpointer legend)
{
  return !es_class_legend_is_busy (legend);
}

static gboolean
has_classes (gpointer cube)
{
  return g_list_model_get_n_items (G_LIST_MODEL (es_dataset_get_regions (cube))) == 2;
}

/* Shown in its own colours, with a legend that counts, and what has no sense for it away. */
static void
test_classification (void)
{
  g_autoptr (GFile) map = make_map ("map.img", 40, 30), scene = es_test_cube ("below.img", 3);
  EsWindow *window = es_test_window_with (scene);
  EsCube *below = cube_of (window);
  EsClassLegend *legend;
  g_autoptr (EsClassRow) sea = NULL, shore = NULL;
  g_autoptr (EsNamedRegion) region = NULL;
  g_autoptr (GdkTexture) whole = NULL, small = NULL;
  g_autoptr (EsPicture) picture = NULL;

  g_assert_false (es_test_enabled (window, "add-classes"));
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_CLASS_LEGEND, NULL));
  es_window_open (window, &map, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_cube_get_classes (cube_of (window)));
  legend = ES_CLASS_LEGEND (es_test_find (GTK_WIDGET (window), ES_TYPE_CLASS_LEGEND, NULL));
  g_assert_nonnull (legend);
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_SPECTRUM_PANE, NULL));
  ES_TEST_WAIT (is_counted, legend);
  g_assert_cmpuint (g_list_model_get_n_items (es_class_legend_get_rows (legend)), ==, 3);
  sea = g_list_model_get_item (es_class_legend_get_rows (legend), 1);
  shore = g_list_model_get_item (es_class_legend_get_rows (legend), 2);
  g_assert_cmpstr (sea->name, ==, "Sea");
  g_assert_cmpuint (sea->pixels, ==, 20 * 30);
  g_assert_cmpuint (shore->pixels, ==, 20 * 27);
  g_assert_cmpuint (shore->colour, ==, 0xf0e60a);

  picture = make_picture (cube_of (window));
  whole = es_picture_render_whole (picture);
  g_assert_cmphex (pixel_at (whole, 5, 10), ==, 0x0000fa);
  g_assert_cmphex (pixel_at (whole, 30, 10), ==, 0xf0e60a);
  g_assert_cmphex (pixel_at (whole, 30, 1), ==, 0x000000);
  /* Smaller, too, a pixel is of one class and never a mixture. */
  small = es_picture_render_thumbnail (picture, 13);
  for (int y = 0; y < gdk_texture_get_height (small); y++)
    for (int x = 0; x < gdk_texture_get_width (small); x++)
      {
        const guint32 pixel = pixel_at (small, (guint) x, (guint) y);
        g_assert_true (pixel == 0x0000fa || pixel == 0xf0e60a || pixel == 0);
      }

  g_assert_true (es_test_enabled (window, "add-classes"));
  es_test_activate (window, "add-classes");
  ES_TEST_WAIT (has_classes, below);
  region = g_list_model_get_item (G_LIST_MODEL (es_dataset_get_regions (ES_DATASET (below))), 1);
  g_assert_cmpstr (es_named_region_get_name (region), ==, "Shore");
  g_assert_cmpuint (es_named_region_get_count (region), ==, 20 * 27);
  g_assert_cmpuint (es_named_region_get_colour (region), ==, 0xf0e60a);
  es_test_close (window);
}

/* Of another size: one sentence with both. */
static void
test_other_size (void)
{
  g_autoptr (GFile) map = make_map ("large.img", 50, 31), scene = es_test_cube ("smaller.img", 3);
  EsWindow *window = es_test_window_with (scene);

  es_window_open (window, &map, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_activate (window, "add-classes");
  for (int i = 0; i < 50; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "50 × 31"));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "40 × 30"));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/ui/import-window/import", test_import);
  g_test_add_func ("/ui/import-window/other", test_other);
  g_test_add_func ("/ui/import-window/classification", test_classification);
  g_test_add_func ("/ui/import-window/other-size", test_other_size);
  return g_test_run ();
}
