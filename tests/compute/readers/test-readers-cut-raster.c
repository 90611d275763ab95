/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rasters that end before their header says: refused when they are opened, or when what is missing is read. Memory is
 * never shown as data, whatever the driver. */

#include <cpl_string.h>
#include <gdal.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  96
#define HEIGHT 80

typedef struct
{
  const char  *driver, *name, *samples;   /* samples: the file that holds them, where it is another one */
  guint        bands;
  GDALDataType type;
  const char  *options[4];
  gboolean     promises;                  /* a cut is known when it is opened */
} Format;

static const Format formats[] = {
  { "GTiff", "strips.tif", NULL, 4, GDT_UInt16, { "INTERLEAVE=BAND" }, TRUE },
  { "GTiff", "pixels.tif", NULL, 4, GDT_UInt16, { "INTERLEAVE=PIXEL" }, TRUE },
  { "GTiff", "tiles.tif", NULL, 4, GDT_Float32, { "TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16" }, TRUE },
  { "GTiff", "packed.tif", NULL, 4, GDT_UInt16, { "COMPRESS=DEFLATE", "INTERLEAVE=PIXEL" }, TRUE },
  { "GTiff", "big.tif", NULL, 4, GDT_UInt16, { "BIGTIFF=YES", "COMPRESS=LZW", "ENDIANNESS=BIG" }, TRUE },
  { "PCIDSK", "band.pix", NULL, 4, GDT_UInt16, { "INTERLEAVING=BAND" }, TRUE },
  { "PCIDSK", "pixel.pix", NULL, 4, GDT_UInt16, { "INTERLEAVING=PIXEL" }, TRUE },
  { "PCIDSK", "tiled.pix", NULL, 4, GDT_UInt16, { "INTERLEAVING=TILED", "TILESIZE=32" }, TRUE },
  { "NITF", "scene.ntf", NULL, 4, GDT_UInt16, { NULL }, TRUE },
  { "HFA", "scene.img", NULL, 4, GDT_UInt16, { NULL }, FALSE },
  { "EHdr", "scene.bil", NULL, 4, GDT_UInt16, { NULL }, TRUE },
  { "ERS", "scene.ers", "scene", 4, GDT_UInt16, { NULL }, TRUE },
  { "ISIS2", "scene.cub", NULL, 4, GDT_Int16, { NULL }, TRUE },
  { "ISIS3", "scene3.cub", NULL, 4, GDT_UInt16, { NULL }, FALSE },
  { "VICAR", "scene.vic", NULL, 4, GDT_Int16, { NULL }, TRUE },
  { "FITS", "scene.fits", NULL, 4, GDT_Int16, { NULL }, FALSE },
  { "RMF", "scene.rsw", NULL, 3, GDT_Byte, { NULL }, FALSE },
  { "JP2OpenJPEG", "scene.jp2", NULL, 4, GDT_UInt16, { "REVERSIBLE=YES", "QUALITY=100" }, FALSE },
  { "PNG", "scene.png", NULL, 3, GDT_UInt16, { NULL }, FALSE },
  { "JPEG", "scene.jpg", NULL, 3, GDT_Byte, { NULL }, FALSE },
  { "BMP", "scene.bmp", NULL, 3, GDT_Byte, { NULL }, FALSE },
  { "PNM", "scene.ppm", NULL, 3, GDT_Byte, { NULL }, FALSE },
};

static double
stored_value (guint x, guint y, guint band)
{
  return ((x * 2654435761u + y * 40503u + band * 977u) >> 3 & 0x7f) + 10;
}

static char *
write_format (const Format *format, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, format->name, NULL);
  g_autofree float *plane = g_new (float, WIDTH * HEIGHT);
  GDALDatasetH memory, copy;
  char **options = NULL;

  GDALAllRegister ();
  if (GDALGetDriverByName (format->driver) == NULL)
    return NULL;
  memory = GDALCreate (GDALGetDriverByName ("MEM"), "", WIDTH, HEIGHT, format->bands, format->type, NULL);
  for (guint b = 0; b < format->bands; b++)
    {
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = stored_value (i % WIDTH, i / WIDTH, b);
      g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (memory, b + 1), GF_Write, 0, 0, WIDTH, HEIGHT, plane, WIDTH,
                                     HEIGHT, GDT_Float32, 0, 0), ==, CE_None);
    }
  for (guint i = 0; i < G_N_ELEMENTS (format->options) && format->options[i] != NULL; i++)
    options = CSLAddString (options, format->options[i]);
  copy = GDALCreateCopy (GDALGetDriverByName (format->driver), path, memory, FALSE, options, NULL, NULL);
  CSLDestroy (options);
  GDALClose (memory);
  if (copy == NULL)
    return NULL;
  GDALClose (copy);
  return g_steal_pointer (&path);
}

static EsDataset *
open_path (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return es_dataset_open (file, NULL, NULL, error);
}

/* All samples, scene[band][pixel]; FALSE where some cannot be read, with a sentence. */
static gboolean
read_all (EsCube *cube, float *scene, GError **error)
{
  for (guint b = 0; b < es_cube_get_bands (cube); b++)
    if (!es_cube_read_band (cube, b, 0, 0, WIDTH, HEIGHT, 1, scene + b * WIDTH * HEIGHT, NULL, error))
      return FALSE;
  return TRUE;
}

static void
check_sentence (const Format *format, const char *folder, const GError *error)
{
  g_test_message ("%s", error->message);
  g_assert_true (error->domain == ES_DATA_ERROR);
  g_assert_true (strstr (error->message, format->name) != NULL
                 || (format->samples != NULL && strstr (error->message, format->samples) != NULL));
  g_assert_null (strstr (error->message, folder));
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_cut (gconstpointer data)
{
  static const double shares[] = { 0.02, 0.25, 0.5, 0.75, 0.95, 0.9995 };
  const Format *format = data;
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_format (format, folder), *contents = NULL;
  g_autofree char *samples = g_build_filename (folder, format->samples != NULL ? format->samples : format->name, NULL);
  g_autofree float *truth = g_new (float, 4 * WIDTH * HEIGHT), *scene = g_new (float, 4 * WIDTH * HEIGHT);
  const gsize scene_bytes = format->bands * WIDTH * HEIGHT * sizeof (float);
  gsize length;

  if (path == NULL)
    {
      g_test_skip ("GDAL does not write this format here");
      return;
    }
  g_autoptr (GError) failure = NULL;
  g_autoptr (EsDataset) whole = open_path (path, &failure);
  g_assert_no_error (failure);
  g_assert_true (read_all (ES_CUBE (whole), truth, &failure));
  if (strcmp (format->driver, "JPEG") != 0)
    for (guint i = 0; i < format->bands * WIDTH * HEIGHT; i++)
      g_assert_cmpfloat (truth[i], ==, stored_value (i % WIDTH, i / WIDTH % HEIGHT, i / WIDTH / HEIGHT));
  g_assert_true (g_file_get_contents (samples, &contents, &length, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autoptr (GError) error = NULL, late = NULL;
      gsize kept = (gsize) (length * shares[i]);

      /* How much of its last block such a file fills, nothing tells. */
      if ((strcmp (format->name, "tiled.pix") == 0 || strcmp (format->driver, "HFA") == 0) && i == 5)
        continue;

      /* Cut before it is opened. */
      g_assert_true (g_file_set_contents (samples, contents, kept, NULL));
      g_autoptr (EsDataset) cut = open_path (path, &error);
      if (cut == NULL)
        check_sentence (format, folder, error);
      else if (format->promises && i < 5)
        g_error ("%s was opened with %zu bytes of %zu", format->name, kept, length);
      else if (!read_all (ES_CUBE (cut), scene, &error))
        check_sentence (format, folder, error);
      else
        g_assert_cmpmem (scene, scene_bytes, truth, scene_bytes);
      g_clear_object (&cut);

      /* Cut between opening and reading. */
      g_assert_true (g_file_set_contents (samples, contents, length, NULL));
      cut = open_path (path, &late);
      g_assert_no_error (late);
      g_assert_cmpint (truncate (samples, kept), ==, 0);
      if (!read_all (ES_CUBE (cut), scene, &late))
        check_sentence (format, folder, late);
      else
        g_assert_cmpmem (scene, scene_bytes, truth, scene_bytes);
    }
}

/* Blocks that were never written are zero, and no lack. */
static void
test_sparse (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "sparse.tif", NULL);
  const char *options[] = { "SPARSE_OK=TRUE", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16", NULL };
  g_autofree float *scene = g_new (float, 4 * WIDTH * HEIGHT);
  GDALDatasetH tiff;
  guint16 one = 7;

  GDALAllRegister ();
  tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, 4, GDT_UInt16, (char **) options);
  g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (tiff, 2), GF_Write, 20, 20, 1, 1, &one, 1, 1, GDT_UInt16, 0, 0), ==,
                   CE_None);
  GDALClose (tiff);
  g_autoptr (EsCube) cube = es_test_open (path);
  g_assert_true (read_all (cube, scene, NULL));
  for (guint i = 0; i < 4 * WIDTH * HEIGHT; i++)
    g_assert_cmpfloat (scene[i], ==, i == (HEIGHT + 20) * WIDTH + 20 ? 7 : 0);
}

/* Half of the pixels are masked; of a file that was cut the mask must not get lost without a word. */
static void
check_cut_mask (gboolean inside)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "masked.tif", NULL), *contents = NULL;
  g_autofree char *where = inside ? g_strdup (path) : g_strconcat (path, ".msk", NULL);
  g_autofree guint8 *mask = g_new0 (guint8, WIDTH * HEIGHT), *samples = g_new0 (guint8, WIDTH * HEIGHT);
  guint opened = 0;
  gsize length;

  GDALAllRegister ();
  CPLSetThreadLocalConfigOption ("GDAL_TIFF_INTERNAL_MASK", inside ? "YES" : "NO");
  memset (mask + WIDTH * HEIGHT / 2, 255, WIDTH * HEIGHT / 2);
  GDALDatasetH tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, 2, GDT_Byte, NULL);
  for (int b = 1; b <= 2; b++)
    g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (tiff, b), GF_Write, 0, 0, WIDTH, HEIGHT, samples, WIDTH, HEIGHT,
                                   GDT_Byte, 0, 0), ==, CE_None);
  g_assert_cmpint (GDALCreateDatasetMaskBand (tiff, GMF_PER_DATASET), ==, CE_None);
  g_assert_cmpint (GDALRasterIO (GDALGetMaskBand (GDALGetRasterBand (tiff, 1)), GF_Write, 0, 0, WIDTH, HEIGHT, mask,
                                 WIDTH, HEIGHT, GDT_Byte, 0, 0), ==, CE_None);
  GDALClose (tiff);
  CPLSetThreadLocalConfigOption ("GDAL_TIFF_INTERNAL_MASK", NULL);
  g_assert_true (g_file_get_contents (where, &contents, &length, NULL));

  for (gsize kept = length; kept < G_MAXSSIZE / 2; kept -= kept + 300 > length || kept < 12 ? 1 : MIN (kept - 11, 97))
    {
      g_autoptr (GError) error = NULL;
      g_autofree float *scene = g_new (float, 2 * WIDTH * HEIGHT);

      g_assert_true (g_file_set_contents (where, contents, (gssize) kept, NULL));
      g_autoptr (EsDataset) cut = open_path (path, &error);
      if (cut == NULL || !read_all (ES_CUBE (cut), scene, &error))
        {
          g_assert_nonnull (strstr (error->message, "masked.tif"));
          continue;
        }
      opened++;
      g_test_message ("%zu of %zu bytes", kept, length);
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        g_assert_cmpint (isnan (scene[i]) != 0, ==, mask[i] == 0);
    }
  g_assert_cmpuint (opened, >, 0);
}

static void
test_cut_mask (void)
{
  check_cut_mask (TRUE);
}

static void
test_cut_mask_file (void)
{
  check_cut_mask (FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *name = g_strconcat ("/readers/cut/", formats[i].driver, "/", formats[i].name, NULL);

      g_test_add_data_func (name, &formats[i], test_cut);
    }
  g_test_add_func ("/readers/cut/sparse", test_sparse);
  g_test_add_func ("/readers/cut/mask", test_cut_mask);
  g_test_add_func ("/readers/cut/mask-file", test_cut_mask_file);
  return g_test_run ();
}
