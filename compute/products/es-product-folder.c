/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which file of a product is its image, by names alone: EnMAP's and DESIS' end alike, but for the case of letters. */

#include "es-product-internal.h"
#include "es-product-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

/* So many files of a folder are looked at: products have some twenty. */
#define MOST_FILES 2000

static gboolean
ends_with (const char *name, const char *ending)
{
  const gsize length = strlen (name), tail = strlen (ending);

  return length > tail && g_ascii_strcasecmp (name + length - tail, ending) == 0;
}

const char *
es_product_image_ending (const char *name)
{
  static const char * const endings[] = {
    "-SPECTRAL_IMAGE.TIF", "-SPECTRAL_IMAGE_VNIR.TIF", "-SPECTRAL_IMAGE_SWIR.TIF", "-SPECTRAL_IMAGE_COG.TIF",
    "-SPECTRAL_IMAGE.TIFF",
  };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (ends_with (name, endings[i]))
      return endings[i];
  return NULL;
}

static gboolean
is_metadata (const char *name)
{
  return ends_with (name, "-METADATA.XML");
}

char *
es_product_find_metadata (const char *image)
{
  g_autofree char *folder = g_path_get_dirname (image), *base = g_path_get_basename (image);
  const char *ending = es_product_image_ending (base);
  g_autoptr (GDir) names = ending != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const gsize stem = ending != NULL ? strlen (base) - strlen (ending) : 0;
  const char *name;

  for (guint i = 0; names != NULL && i < MOST_FILES && (name = g_dir_read_name (names)) != NULL; i++)
    if (is_metadata (name) && strlen (name) == stem + strlen ("-METADATA.XML") && strncmp (name, base, stem) == 0)
      return g_build_filename (folder, name, NULL);
  return NULL;
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char * const *) a, *(char * const *) b);
}

/* Images of a folder, by name; stem: those alone whose name begins so, nullable. */
static GPtrArray *
list_images (const char *folder, const char *stem, gboolean *has_metadata)
{
  GPtrArray *images = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  *has_metadata = FALSE;
  for (guint i = 0; names != NULL && i < MOST_FILES && (name = g_dir_read_name (names)) != NULL; i++)
    {
      *has_metadata = *has_metadata || is_metadata (name);
      if (es_product_image_ending (name) != NULL
          && (stem == NULL || (g_str_has_prefix (name, stem) && name[strlen (stem)] == '-')))
        g_ptr_array_add (images, g_build_filename (folder, name, NULL));
    }
  g_ptr_array_sort (images, by_name);
  return images;
}

gboolean
es_product_is_folder (const char *path)
{
  gboolean has_metadata = FALSE;
  g_autoptr (GPtrArray) images = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return FALSE;
  images = list_images (path, NULL, &has_metadata);
  return has_metadata || images->len > 0;
}

static char *
take_only (GPtrArray *images, const char *name, GError **error)
{
  if (images->len == 1)
    return g_strdup (g_ptr_array_index (images, 0));
  if (images->len == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                 _("“%s” has a text that describes a product, and no image: a file whose name ends in "
                   "“-SPECTRAL_IMAGE.TIF” was expected beside it"), name);
  else
    {
      g_autofree char *one = g_path_get_basename (g_ptr_array_index (images, 0));
      g_autofree char *other = g_path_get_basename (g_ptr_array_index (images, 1));
      g_autofree char *first = g_filename_display_name (one), *second = g_filename_display_name (other);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” holds %u images, “%s” and “%s” among them; open the one that is wanted"), name, images->len,
                   first, second);
    }
  return NULL;
}

char *
es_product_find_image (const char *path, const char *name, GError **error)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (GPtrArray) images = NULL;
  gboolean has_metadata;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      images = list_images (path, NULL, &has_metadata);
      return has_metadata || images->len > 0 ? take_only (images, name, error) : NULL;
    }
  if (is_metadata (base))
    {
      g_autofree char *folder = g_path_get_dirname (path);
      g_autofree char *stem = g_strndup (base, strlen (base) - strlen ("-METADATA.XML"));

      images = list_images (folder, stem, &has_metadata);
      return take_only (images, name, error);
    }
  return NULL;
}
