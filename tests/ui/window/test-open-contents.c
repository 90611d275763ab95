/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files that lead to more than one data set, through the window: arrays of one file, descriptions of others, folders of
 * products. */

#include <glib/gstdio.h>
#include <matio.h>

#include "contents/es-arrays-dialog.h"
#include "es-test-shell.h"
#include "readers/es-open.h"

#define WIDTH  7u
#define HEIGHT 6u

static void
add_array (mat_t *file, const char *name, size_t bands)
{
  size_t lengths[3] = { HEIGHT, WIDTH, bands };
  g_autofree double *values = g_new (double, HEIGHT * WIDTH * bands);
  matvar_t *variable;

  for (size_t i = 0; i < HEIGHT * WIDTH * bands; i++)
    values[i] = (double) (i * i % 97 + bands);
  variable = Mat_VarCreate (name, MAT_C_DOUBLE, MAT_T_DOUBLE, 3, lengths, values, 0);
  g_assert_cmpint (Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE), ==, 0);
  Mat_VarFree (variable);
}

static GFile *
write_arrays (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "several.mat", NULL);
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);

  add_array (file, "dark", 4);
  add_array (file, "scene", 6);
  add_array (file, "white", 5);
  Mat_Close (file);
  return g_file_new_for_path (path);
}

static guint
get_n (EsWindow *window)
{
  return g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window)));
}

static EsDataset *
get_dataset (EsWindow *window, guint i)
{
  g_autoptr (EsDataset) dataset = g_list_model_get_item (es_session_get_datasets (es_window_get_session (window)), i);

  g_assert_nonnull (dataset);
  return dataset;
}

static EsArraysDialog *
open_dialog (EsWindow *window)
{
  es_test_activate (window, "other-arrays");
  g_assert_nonnull (es_test_find_toplevel (ES_TYPE_ARRAYS_DIALOG));
  return ES_ARRAYS_DIALOG (es_test_find_toplevel (ES_TYPE_ARRAYS_DIALOG));
}

static void
test_arrays (void)
{
  g_autoptr (GFile) file = write_arrays (), plain = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsArraysDialog *dialog;

  /* The best one at once, which the tree tells. */
  g_assert_cmpuint (get_n (window), ==, 1);
  g_assert_cmpstr (es_dataset_get_array_name (get_dataset (window, 0)), ==, "scene");
  g_assert_nonnull (es_test_find (GTK_WIDGET (es_test_tree (window)), GTK_TYPE_LABEL, "scene"));
  g_assert_true (es_test_enabled (window, "other-arrays"));

  dialog = open_dialog (window);
  g_assert_false (es_arrays_dialog_mark (dialog, "scene"));
  g_assert_false (es_arrays_dialog_mark (dialog, "none"));
  g_assert_true (es_arrays_dialog_mark (dialog, "dark"));
  g_assert_true (es_arrays_dialog_mark (dialog, "white"));
  es_arrays_dialog_accept (dialog);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (get_n (window), ==, 3);
  for (guint i = 1; i < 3; i++)
    {
      EsDataset *dataset = get_dataset (window, i);
      const char *name = es_dataset_get_options (dataset)->variable;

      g_assert_true (g_str_equal (name, "dark") || g_str_equal (name, "white"));
      g_assert_cmpuint (es_cube_get_bands (ES_CUBE (dataset)), ==, g_str_equal (name, "dark") ? 4 : 5);
    }
  g_assert_nonnull (es_test_find (GTK_WIDGET (es_test_tree (window)), GTK_TYPE_LABEL, "dark"));

  /* All are open: there is nothing left to choose. */
  dialog = open_dialog (window);
  g_assert_false (es_arrays_dialog_mark (dialog, "white"));
  gtk_window_close (GTK_WINDOW (dialog));

  /* A file of one array offers none. */
  es_window_open (window, &plain, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (get_n (window), ==, 4);
  g_assert_false (es_test_enabled (window, "other-arrays"));
  es_test_close (window);
}

static gboolean
is_asked (gpointer unused)
{
  return es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG) != NULL;
}

/* Raw samples of another file, which GDAL's VRT reads by itself. */
static GFile *
write_description (void)
{
  g_autoptr (GFile) scene = es_test_cube ("scene.img", 3);
  g_autofree char *name = g_file_get_basename (scene), *path = g_build_filename (es_test_folder (), "x.vrt", NULL);
  g_autoptr (GString) text = g_string_new ("<VRTDataset rasterXSize=\"40\" rasterYSize=\"30\">");

  for (guint b = 1; b <= 3; b++)
    g_string_append_printf (text, "<VRTRasterBand dataType=\"UInt16\" band=\"%u\" subClass=\"VRTRawRasterBand\">"
                            "<SourceFilename relativeToVRT=\"1\">%s</SourceFilename><ImageOffset>%u</ImageOffset>"
                            "<PixelOffset>2</PixelOffset><LineOffset>80</LineOffset></VRTRasterBand>", b, name,
                            (b - 1) * 2400);
  g_string_append (text, "</VRTDataset>");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return g_file_new_for_path (path);
}

static void
test_description (void)
{
  g_autoptr (GFile) file = write_description ();
  EsWindow *window = es_test_window_with (NULL);
  GtkWidget *dialog;

  /* What it would read is named before anything of it is. */
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (is_asked, NULL);
  dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (es_test_find (dialog, GTK_TYPE_LABEL, "scene.img"));
  es_test_respond (dialog, "cancel");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (get_n (window), ==, 0);

  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (is_asked, NULL);
  es_test_respond (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "open");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (get_n (window), ==, 1);
  g_assert_cmpstr (es_dataset_get_options (get_dataset (window, 0))->driver, ==, "VRT");
  g_assert_cmpuint (es_cube_get_bands (ES_CUBE (get_dataset (window, 0))), ==, 3);
  es_test_close (window);
}

#define PRODUCT "ENMAP01-____L2A-DT1"

/* The components of a scene as the image of a product. */
static char *
write_product (void)
{
  g_autoptr (GFile) scene = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (scene);
  char *folder = g_build_filename (es_test_folder (), "product", NULL);
  g_autofree char *image = g_build_filename (folder, PRODUCT "-SPECTRAL_IMAGE.TIF", NULL);
  g_autofree char *text = g_build_filename (folder, PRODUCT "-METADATA.XML", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (image);
  g_autoptr (GString) xml = g_string_new ("<level_X><specific><bandCharacterisation>");
  g_autoptr (EsDataset) dataset = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  es_test_run_and_wait (window);
  g_assert_true (es_window_save (window, ES_SAVE_STACK_GEOTIFF, target));
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
  dataset = es_dataset_open (target, NULL, NULL, NULL);
  g_assert_nonnull (dataset);
  for (guint b = 0; b < es_cube_get_bands (ES_CUBE (dataset)); b++)
    g_string_append_printf (xml, "<bandID number=\"%u\"><wavelengthCenterOfBand>%u</wavelengthCenterOfBand></bandID>",
                            b + 1, 500 + 10 * b);
  g_string_append (xml, "</bandCharacterisation></specific></level_X>");
  g_assert_true (g_file_set_contents (text, xml->str, -1, NULL));
  return folder;
}

static void
test_product (void)
{
  g_autofree char *folder = write_product (), *text = g_build_filename (folder, PRODUCT "-METADATA.XML", NULL);
  g_autoptr (GFile) place = g_file_new_for_path (folder), xml = g_file_new_for_path (text);
  EsWindow *window = es_test_window_with (place);

  g_assert_cmpuint (get_n (window), ==, 1);
  g_assert_cmpstr (es_cube_get_format_name (ES_CUBE (get_dataset (window, 0))), ==, "EnMAP L2A");
  g_assert_cmpfloat (es_cube_get_wavelengths (ES_CUBE (get_dataset (window, 0)))[1], ==, 510);
  /* The text is no list of hydrophones: it leads to the same image, which is open. */
  es_window_open (window, &xml, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (get_n (window), ==, 1);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/open-contents/arrays", test_arrays);
  g_test_add_func ("/open-contents/description", test_description);
  g_test_add_func ("/open-contents/product", test_product);
  return g_test_run ();
}
