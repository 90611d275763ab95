/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a cube is, told in the real window: it acts at once, is kept beside the cube, and can be undone. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "analyse/es-analyse-panel.h"
#include "cube/es-region-set.h"
#include "image/es-display.h"
#include "image/es-image-view.h"
#include "metadata/es-file-facts-view.h"
#include "metadata/es-metadata-form.h"
#include "metadata/es-metadata-table.h"
#include "metadata/es-metadata-window.h"
#include "result/es-result-computed-internal.h"
#include "es-test-shell.h"
#include "viewer/es-viewer-private.h"

static EsCube *
cube_of (EsWindow *window)
{
  return ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
}

static EsMetadataWindow *
open_metadata (EsWindow *window)
{
  GtkWidget *found;

  g_assert_true (es_test_enabled (window, "metadata"));
  es_test_activate (window, "metadata");
  found = es_test_find_toplevel (ES_TYPE_METADATA_WINDOW);
  g_assert_nonnull (found);
  return ES_METADATA_WINDOW (found);
}

typedef struct
{
  EsWindow   *window;
  EsMetadata *told;            /* nullable */
} Wanted;

static gboolean
is_told (gpointer data)
{
  const Wanted *wanted = data;

  return es_test_is_idle (wanted->window)
         && es_metadata_equal (es_cube_get_metadata (cube_of (wanted->window)), wanted->told);
}

/* Waits until the cube is told this, written as JSON; "{}": nothing. */
static void
wait_for (EsWindow *window, const char *line)
{
  g_autoptr (EsMetadata) told = es_metadata_from_line (line, es_cube_get_bands (cube_of (window)), NULL);
  Wanted wanted = { window, told };

  g_assert_nonnull (told);
  ES_TEST_WAIT (is_told, &wanted);
}

static void
write_row (EsMetadataWindow *metadata, const char *id, const char *text)
{
  EsMetadataForm *form = ES_METADATA_FORM (es_metadata_window_get_page (metadata, "understood"));
  GtkWidget *row = es_metadata_form_get_row (form, id);

  g_assert_nonnull (row);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  g_signal_emit_by_name (row, "apply");
}

static char *
load_beside (EsWindow *window)
{
  g_autoptr (GFile) sidecar = es_metadata_sidecar_of (es_dataset_get_file (ES_DATASET (cube_of (window))));
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube_of (window)));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMetadata) beside = NULL;

  ES_TEST_WAIT (es_test_is_idle, window);
  beside = es_metadata_load (sidecar, shape, es_cube_get_bands (cube_of (window)), &error);
  g_assert_no_error (error);
  return es_metadata_to_line (beside);
}

static double
value_at (EsCube *cube, guint x, guint y)
{
  float value;

  g_assert_true (es_cube_read_band (cube, 0, x, y, 1, 1, 1, &value, NULL, NULL));
  return value;
}

/* Those that tell what the cube is, under whatever name. */
static guint
count_files (GFile *cube)
{
  g_autoptr (GFile) folder = g_file_get_parent (cube);
  g_autofree char *path = g_file_get_path (folder), *base = g_file_get_basename (cube);
  g_autofree char *start = g_strconcat (base, ES_METADATA_ENDING, NULL);
  g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (files)) != NULL)
    n += g_str_has_prefix (name, start);
  return n;
}

static EsResult *
run_pca (EsWindow *window)
{
  GtkWidget *panel = es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL);

  g_assert_true (es_analyse_panel_set_operation (ES_ANALYSE_PANEL (panel), "pca"));
  return es_test_run_and_wait (window);
}

static void
test_told (void)
{
  g_autoptr (GFile) file = es_test_cube ("metadata.img", 17);
  g_autoptr (GFile) sidecar = es_metadata_sidecar_of (file);
  EsWindow *window = es_test_window_with (file);
  EsMetadataWindow *metadata = open_metadata (window);
  g_autoptr (EsCube) before = g_object_ref (cube_of (window));
  EsRegionSet *classes = es_dataset_get_regions (ES_DATASET (before));
  g_autoptr (EsRegion) region = es_region_parse ("rectangle 2 2 5 5", NULL);
  const double scale = es_cube_get_scale (before, 0), value = value_at (before, 10, 10);
  g_autofree char *line = g_strdup_printf ("{\"scale\": %.17g}", scale * 2), *written = NULL, *undone = NULL;
  g_autofree char *twice = g_strdup_printf ("%.17g", scale * 2);
  EsResult *old, *new;

  g_assert_nonnull (es_region_set_add (classes, "Water", region, 0));
  es_viewer_select_pixel (es_test_viewer (window), 10, 10);
  ES_TEST_WAIT (es_test_is_idle, window);
  old = run_pca (window);

  /* At once, with everything that hung at the cube; kept beside it. */
  write_row (metadata, "scale", twice);
  wait_for (window, line);
  g_assert_true (cube_of (window) != before);
  g_assert_cmpfloat_with_epsilon (value_at (cube_of (window), 10, 10), 2 * value, fabs (value) * 1e-5);
  g_assert_true (es_metadata_window_get_cube (metadata) == cube_of (window));
  g_assert_true (es_dataset_get_regions (ES_DATASET (cube_of (window))) == classes);
  g_assert_true (es_viewer_get_result (es_test_viewer (window)) == old);
  g_assert_true (es_result_get_dataset (old) == ES_DATASET (cube_of (window)));
  g_assert_true (es_result_get_computed (old) == ES_DATASET (before));
  {
    EsImageView *view = ES_IMAGE_VIEW (es_test_find (GTK_WIDGET (window), ES_TYPE_IMAGE_VIEW, NULL));
    guint x, y;

    /* The pixel whose spectrum is looked at stays. */
    g_assert_true (es_image_view_get_selected (view, &x, &y));
    g_assert_cmpuint (x, ==, 10);
  }
  written = load_beside (window);
  g_assert_nonnull (strstr (written, "\"scale\""));
  g_assert_cmpint (es_metadata_get_source (es_cube_get_metadata (cube_of (window))), ==, ES_METADATA_BESIDE);

  /* What is run now is of what is told now. */
  new = run_pca (window);
  {
    JsonObject *a = es_result_get_values (old), *b = es_result_get_values (new);
    const double first = json_array_get_double_element (json_object_get_array_member (a, "eigenvalues"), 0);
    const double second = json_array_get_double_element (json_object_get_array_member (b, "eigenvalues"), 0);

    g_assert_cmpfloat_with_epsilon (second / first, 1, 1e-4);     /* eigenvalues are of stored numbers */
    g_assert_true (json_object_has_member (b, "metadata"));
    g_assert_false (json_object_has_member (a, "metadata"));
  }

  /* What is wrong is said, and changes nothing. */
  write_row (metadata, "scale", "0");
  g_assert_nonnull (strstr (es_metadata_window_get_verdict (metadata), "0"));
  write_row (metadata, "system", "EPSG:99999999");
  ES_TEST_WAIT (es_test_is_idle, window);
  while (*es_metadata_window_get_verdict (metadata) == '\0'
         || strstr (es_metadata_window_get_verdict (metadata), "EPSG") == NULL)
    g_main_context_iteration (NULL, TRUE);
  wait_for (window, line);

  /* Undone, also in the file. */
  es_test_activate (window, "undo-metadata");
  wait_for (window, "{}");
  g_assert_cmpfloat (value_at (cube_of (window), 10, 10), ==, value);
  undone = load_beside (window);
  g_assert_null (strstr (undone, "scale"));
  gtk_window_destroy (GTK_WINDOW (metadata));
  es_test_close (window);

  /* What is told the next time goes into the same file, which stays the only one. */
  window = es_test_window_with (file);
  metadata = open_metadata (window);
  write_row (metadata, "unit", "counts");
  wait_for (window, "{\"unit\": \"counts\"}");
  g_free (g_steal_pointer (&undone));
  undone = load_beside (window);
  g_assert_nonnull (strstr (undone, "counts"));
  g_assert_cmpuint (count_files (file), ==, 1);
  gtk_window_destroy (GTK_WINDOW (metadata));
  es_test_close (window);
  g_assert_true (g_file_delete (sidecar, NULL, NULL));
}

/* Bands one by one, a unit that the file did not say, wavelengths of a text; set back. */
static void
test_bands (void)
{
  g_autoptr (GFile) file = es_test_cube ("metadata-bands.img", 18), table = NULL;
  g_autoptr (GFile) sidecar = es_metadata_sidecar_of (file);
  EsWindow *window = es_test_window_with (file);
  EsMetadataWindow *metadata = open_metadata (window);
  const guint n = es_cube_get_bands (cube_of (window));
  g_autoptr (GString) text = g_string_new ("wavelength (um), fwhm, good\n");
  g_autofree char *path = g_build_filename (es_test_folder (), "bands.csv", NULL);
  GtkWidget *cell;

  write_row (metadata, "bad", "2-3");
  g_assert_true (es_metadata_window_get_cube (metadata) != NULL);
  while (es_cube_get_listed_bands (cube_of (window)) == NULL || es_cube_get_listed_bands (cube_of (window))[2])
    g_main_context_iteration (NULL, TRUE);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_false (es_cube_get_good_bands (cube_of (window))[1]);

  for (guint b = 0; b < n; b++)
    g_string_append_printf (text, "%.3f,0.01,%d\n", 0.4 + 0.01 * b, b != 0);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  table = g_file_new_for_path (path);
  es_metadata_window_take_file (metadata, table);
  while (es_cube_get_listed_bands (cube_of (window))[0])
    g_main_context_iteration (NULL, TRUE);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube_of (window))[3], 430, 1e-6);
  g_assert_true (es_cube_get_listed_bands (cube_of (window))[1]);

  /* Other default bands are shown at once, where nobody has chosen others. */
  write_row (metadata, "default-bands", "7, 5, 3");
  {
    int bands[3];

    while (!es_cube_get_default_bands (cube_of (window), bands) || bands[0] != 6)
      g_main_context_iteration (NULL, TRUE);
  }
  ES_TEST_WAIT (es_test_is_idle, window);
  {
    g_autoptr (JsonNode) look = es_display_tell (G_OBJECT (cube_of (window)));
    JsonArray *rgb = json_object_get_array_member (json_node_get_object (look), "rgb");

    g_assert_cmpint (json_array_get_int_element (rgb, 0), ==, 6);
    g_assert_cmpint (json_array_get_int_element (rgb, 2), ==, 2);
  }

  /* A cell of the table. */
  es_metadata_window_show (metadata, "bands");
  ES_TEST_WAIT (es_test_is_idle, window);
  cell = es_test_find (es_metadata_window_get_page (metadata, "bands"), GTK_TYPE_CHECK_BUTTON, NULL);
  g_assert_nonnull (cell);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (cell), TRUE);
  while (!es_cube_get_listed_bands (cube_of (window))[0])
    g_main_context_iteration (NULL, TRUE);
  ES_TEST_WAIT (es_test_is_idle, window);

  /* One of another count is refused with both numbers. */
  g_assert_true (g_file_set_contents (path, "400\n500\n", -1, NULL));
  es_metadata_window_take_file (metadata, table);
  while (*es_metadata_window_get_verdict (metadata) == '\0')
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (es_metadata_window_get_verdict (metadata), "2 bands; the cube has 24"));
  gtk_window_destroy (GTK_WINDOW (metadata));
  es_test_close (window);
  g_assert_true (g_file_delete (sidecar, NULL, NULL));
}

static gboolean
lists (EsFileFactsView *view, const char *line)
{
  g_autofree char *text = es_file_facts_view_to_text (view);

  return strstr (text, line) != NULL;
}

/* Everything the file says can be searched and copied; the page of a closed cube goes. */
static void
test_file (void)
{
  g_autoptr (GFile) file = es_test_cube ("metadata-file.img", 19);
  EsWindow *window = es_test_window_with (file);
  EsMetadataWindow *metadata = open_metadata (window);
  EsFileFactsView *view = ES_FILE_FACTS_VIEW (es_metadata_window_get_page (metadata, "file"));

  es_metadata_window_show (metadata, "file");
  while (!lists (view, "samples\t40\n") || !lists (view, "lines\t30\n"))
    g_main_context_iteration (NULL, TRUE);
  gtk_editable_set_text (GTK_EDITABLE (es_file_facts_view_get_search (view)), "SAMPLES");
  while (!lists (view, "samples\t40\n") || lists (view, "lines\t30\n"))
    g_main_context_iteration (NULL, TRUE);

  /* Once, however often it is asked for. */
  g_assert_true (open_metadata (window) == metadata);
  es_test_activate (window, "remove");
  while (es_test_find_toplevel (ES_TYPE_METADATA_WINDOW) != NULL)
    g_main_context_iteration (NULL, TRUE);
  es_test_close (window);
}

/* Where nothing can be written, it is told and holds as long as the window. */
static void
test_read_only (void)
{
  g_autofree char *folder = g_build_filename (es_test_folder (), "locked", NULL);
  g_autofree char *from = NULL, *header = NULL, *to = g_build_filename (folder, "x.img", NULL);
  g_autofree char *to_header = g_build_filename (folder, "x.hdr", NULL), *bytes = NULL, *text = NULL;
  g_autoptr (GFile) source = es_test_cube ("metadata-locked.img", 20), file = g_file_new_for_path (to), sidecar = NULL;
  EsMetadataWindow *metadata;
  EsWindow *window;
  gsize length;

  if (geteuid () == 0)
    {
      /* Nothing is read-only for root: a folder of the name does the same. */
      g_autofree char *taken = g_strconcat (to, ES_METADATA_ENDING, NULL);

      g_mkdir_with_parents (taken, 0700);
    }
  g_mkdir_with_parents (folder, 0700);
  from = g_file_get_path (source);
  g_autofree char *stem = g_strndup (from, strlen (from) - 4);
  header = g_strconcat (stem, ".hdr", NULL);
  g_assert_true (g_file_get_contents (from, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (to, bytes, (gssize) length, NULL));
  g_assert_true (g_file_get_contents (header, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (to_header, text, -1, NULL));
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  window = es_test_window_with (file);
  metadata = open_metadata (window);
  write_row (metadata, "unit", "counts");
  wait_for (window, "{\"unit\": \"counts\"}");
  g_assert_cmpstr (es_cube_get_unit (cube_of (window)), ==, "counts");
  g_assert_cmpint (es_metadata_get_source (es_cube_get_metadata (cube_of (window))), ==, ES_METADATA_BY_HAND);
  gtk_window_destroy (GTK_WINDOW (metadata));
  es_test_close (window);
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
}

/* Colours of a cube and of its result outlast what is told of the cube: its bands stay, and can be chosen. */
static void
test_colours (void)
{
  g_autoptr (GFile) file = es_test_cube ("metadata_colours.img", 21);
  EsWindow *window = es_test_window_with (file);
  EsDisplay *display = es_test_viewer (window)->left.display;
  EsMetadataWindow *metadata = open_metadata (window);
  EsPlaneGroup *group;
  guint plane = 0, n;

  run_pca (window);
  es_display_set_composite (display, TRUE);
  group = es_plane_groups_find (es_display_get_others (display), G_OBJECT (cube_of (window)));
  g_assert_nonnull (group);
  n = g_list_model_get_n_items (es_display_get_others (display));
  es_display_set_other (display, 0, group, 3);
  for (guint i = 0; i < 2; i++)
    {
      if (i == 0)
        write_row (metadata, "unit", "counts");
      else
        es_test_activate (window, "undo-metadata");
      wait_for (window, i == 0 ? "{\"unit\": \"counts\"}" : "{}");
      group = es_plane_groups_find (es_display_get_others (display), G_OBJECT (cube_of (window)));
      g_assert_nonnull (group);
      g_assert_true (es_display_get_other (display, 0, &plane) == group);
      g_assert_cmpuint (plane, ==, 3);
      g_assert_cmpuint (g_list_model_get_n_items (es_display_get_others (display)), ==, n);
    }
  gtk_window_destroy (GTK_WINDOW (metadata));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/ui/metadata-window/told", test_told);
  g_test_add_func ("/ui/metadata-window/bands", test_bands);
  g_test_add_func ("/ui/metadata-window/file", test_file);
  g_test_add_func ("/ui/metadata-window/read-only", test_read_only);
  g_test_add_func ("/ui/metadata-window/colours", test_colours);
  return g_test_run ();
}
