/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a file names is not opened: no other file, unless a person names the driver, and no server ever. */

#include <arpa/inet.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "libraries/es-gdal-internal.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  12
#define HEIGHT 9
#define BANDS  3

/* A server that must not be asked. */
static int server;
static guint port;

static void
start_server (void)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t length = sizeof address;

  server = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (server, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (server, 16), ==, 0);
  g_assert_cmpint (getsockname (server, (struct sockaddr *) &address, &length), ==, 0);
  port = ntohs (address.sin_port);
}

/* Connections wait in the queue of the socket until somebody takes them. */
static void
check_nobody_asked (void)
{
  struct pollfd waiting = { .fd = server, .events = POLLIN };

  g_assert_cmpint (poll (&waiting, 1, 0), ==, 0);
}

static double
stored_value (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_U16, x, y, band);
}

static char *
write_tiff (const char *folder, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  GDALDatasetH tiff;
  guint16 plane[WIDTH * HEIGHT];

  tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, BANDS, GDT_UInt16, NULL);
  for (guint b = 0; b < BANDS; b++)
    {
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = (guint16) es_test_value (ESK_U16, i % WIDTH, i / WIDTH, b);
      g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (tiff, b + 1), GF_Write, 0, 0, WIDTH, HEIGHT, plane, WIDTH,
                                     HEIGHT, GDT_UInt16, 0, 0), ==, CE_None);
    }
  GDALClose (tiff);
  return path;
}

/* A description of a raster whose bands lie in other files. */
static char *
describe (const char *source, gboolean beside)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\">", WIDTH, HEIGHT);
  for (guint b = 1; b <= BANDS; b++)
    g_string_append_printf (text, "<VRTRasterBand dataType=\"UInt16\" band=\"%u\"><SimpleSource><SourceFilename "
                            "relativeToVRT=\"%d\">%s</SourceFilename><SourceBand>%u</SourceBand></SimpleSource>"
                            "</VRTRasterBand>", b, beside, source, b);
  g_string_append (text, "</VRTDataset>");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_vrt (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *tiff = write_tiff (folder, "other.tif");
  g_autofree char *text = describe ("other.tif", TRUE);
  g_autofree char *path = es_test_write_text (folder, "names.vrt", text);
  const EsOpenOptions told = { .driver = "vrt" }, unknown = { .driver = "Unheard" }, wrong = { .driver = "PCIDSK" };

  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "names.vrt", "other files", "VRT", "--driver", NULL);
  es_test_refused (path, &unknown, ES_DATA_ERROR_UNSUPPORTED, "Unheard", NULL);
  es_test_refused (path, &wrong, ES_DATA_ERROR_FORMAT, "names.vrt", "PCIDSK", NULL);

  g_autoptr (EsCube) cube = es_test_open_with (path, &told);
  es_test_compare (cube, stored_value, NULL);
  g_assert_cmpstr (es_dataset_get_options (ES_DATASET (cube))->driver, ==, "vrt");

  /* A description of that description is of the same samples, which nothing may replace. */
  g_autofree char *outer_text = describe ("names.vrt", TRUE);
  g_autofree char *outer_path = es_test_write_text (folder, "outer.vrt", outer_text);
  g_autoptr (EsCube) outer = es_test_open_with (outer_path, &told);
  g_autoptr (GPtrArray) files = es_dataset_list_files (ES_DATASET (outer));
  g_autoptr (GFile) samples = g_file_new_for_path (tiff);
  es_test_compare (outer, stored_value, NULL);
  g_assert_true (g_ptr_array_find_with_equal_func (files, samples, (GEqualFunc) g_file_equal, NULL));

  /* That is for what the person named. */
  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "names.vrt", NULL);
}

/* A header that names its samples may lead anywhere. */
static void
test_other_folder (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *below = g_build_filename (folder, "below", NULL), *header = NULL, *contents = NULL;
  g_autofree char *path = g_build_filename (below, "scene.ers", NULL), *data = g_build_filename (below, "scene", NULL);
  g_autofree char *moved = g_build_filename (folder, "scene", NULL);
  g_autoptr (EsCube) cube = NULL;

  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  GDALClose (GDALCreate (GDALGetDriverByName ("ERS"), path, WIDTH, HEIGHT, BANDS, GDT_UInt16, NULL));
  cube = es_test_open (path);
  g_assert_cmpuint (es_cube_get_bands (cube), ==, BANDS);

  g_assert_cmpint (g_rename (data, moved), ==, 0);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_autofree char **parts = g_strsplit (contents, "DatasetHeader Begin\n", 2);
  header = g_strconcat (parts[0], "DatasetHeader Begin\n\tDataFile = \"../scene\"\n", parts[1], NULL);
  g_free (parts[0]);
  g_free (parts[1]);
  g_assert_true (g_file_set_contents (path, header, -1, NULL));
  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "scene.ers", "another folder", NULL);
}

/* Nor do the notes that GDAL keeps beside a file. */
static void
test_overviews (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_tiff (folder, "plain.tif"), *other = write_tiff (folder, "other.tif");
  g_autofree char *notes = NULL, *text = g_strdup_printf (
    "<PAMDataset><Metadata domain=\"OVERVIEWS\"><MDI key=\"OVERVIEW_FILE\">%s</MDI></Metadata></PAMDataset>", other);

  g_object_unref (es_test_open (path));
  notes = es_test_write_text (folder, "plain.tif.aux.xml", text);
  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "plain.tif", "other.tif", "overviews", "--driver GTiff",
                   NULL);
}

static void
test_server (void)
{
  static const char * const names[] = { "WMS", "wms", "HTTP", "WCS", "STACTA" };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *text = g_strdup_printf ("<GDAL_WMS><Service name=\"TMS\"><ServerUrl>http://127.0.0.1:%u/${z}/${x}/"
                                           "${y}.png</ServerUrl></Service><DataWindow><UpperLeftX>0</UpperLeftX>"
                                           "<UpperLeftY>9</UpperLeftY><LowerRightX>12</LowerRightX><LowerRightY>0"
                                           "</LowerRightY><SizeX>12</SizeX><SizeY>9</SizeY></DataWindow>"
                                           "<BandsCount>3</BandsCount></GDAL_WMS>", port);
  g_autofree char *path = es_test_write_text (folder, "map.xml", text);
  g_autofree char *catalogue = es_test_write_text (folder, "catalogue.json", "{ \"stac_version\": \"1.0.0\" }");

  es_test_refused (path, NULL, ES_DATA_ERROR_UNSUPPORTED, "map.xml", "network", NULL);
  es_test_refused (catalogue, NULL, ES_DATA_ERROR_UNSUPPORTED, "catalogue.json", "network", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    es_test_refused (path, &(EsOpenOptions) { .driver = names[i] }, ES_DATA_ERROR_UNSUPPORTED, names[i], "network",
                     NULL);
  check_nobody_asked ();
}

/* What lies beside a harmless file: a mask that is a description, and where overviews are. Nobody has named a driver
 * in this process yet. */
static void
test_beside (void)
{
  static const char * const prefixes[] = { "/vsicurl/", "/vsicurl_streaming/", "" };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *tiff = write_tiff (folder, "plain.tif");

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_autofree char *source = g_strdup_printf ("%shttp://127.0.0.1:%u/other.tif", prefixes[i], port);
      g_autofree char *text = describe (source, FALSE);
      g_autofree char *mask = es_test_write_text (folder, "plain.tif.msk", text);
      g_autofree char *side = g_strdup_printf ("<PAMDataset><SRS>http://127.0.0.1:%u/srs</SRS><Metadata domain="
                                               "\"OVERVIEWS\"><MDI key=\"OVERVIEW_FILE\">%s</MDI></Metadata>"
                                               "</PAMDataset>", port, source);
      g_autoptr (EsCube) cube = es_test_open (tiff);

      es_test_compare (cube, stored_value, NULL);
      g_autofree char *beside = es_test_write_text (folder, "plain.tif.aux.xml", side);
      g_autoptr (GFile) file = g_file_new_for_path (tiff);
      g_autoptr (EsDataset) either = es_dataset_open (file, NULL, NULL, NULL);
      check_nobody_asked ();
      g_assert_cmpint (g_remove (beside), ==, 0);
    }
}

/* What a person allowed leads to files of this machine alone. */
static void
test_addresses (void)
{
  static const char * const prefixes[] = { "/vsicurl/", "/vsicurl_streaming/", "/vsiwebhdfs/", "/vsicurl?url=", "" };
  g_autoptr (TestFolder) folder = es_test_folder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_autofree char *source = g_strdup_printf ("%shttp://127.0.0.1:%u/other.tif", prefixes[i], port);
      g_autofree char *text = describe (source, FALSE);
      g_autofree char *path = es_test_write_text (folder, "remote.vrt", text);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (EsDataset) dataset = es_dataset_open (file, &(EsOpenOptions) { .driver = "VRT" }, NULL, NULL);
      float values[WIDTH * HEIGHT];

      if (dataset != NULL)
        g_assert_false (es_cube_read_band (ES_CUBE (dataset), 0, 0, 0, WIDTH, HEIGHT, 1, values, NULL, NULL));
      check_nobody_asked ();
    }
}

static void
test_projection (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *extra = g_strdup_printf ("map info = {x, 1, 1, 0, 0, 1, 1}\ncoordinate system string = "
                                            "{http://127.0.0.1:%u/srs}\n", port);
  g_autofree char *path = es_test_write_envi (folder, ESK_U16, "bsq", FALSE, WIDTH, HEIGHT, BANDS, extra);
  g_autoptr (EsCube) cube = es_test_open (path);
  double latitude, longitude;

  g_assert_false (es_cube_get_geographic (cube, 1, 1, &latitude, &longitude));
  check_nobody_asked ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_gdal_prepare (NULL, NULL);
  start_server ();
  g_test_add_func ("/readers/drivers/beside", test_beside);
  g_test_add_func ("/readers/drivers/vrt", test_vrt);
  g_test_add_func ("/readers/drivers/other-folder", test_other_folder);
  g_test_add_func ("/readers/drivers/overviews", test_overviews);
  g_test_add_func ("/readers/drivers/server", test_server);
  g_test_add_func ("/readers/drivers/addresses", test_addresses);
  g_test_add_func ("/readers/drivers/projection", test_projection);
  return g_test_run ();
}
