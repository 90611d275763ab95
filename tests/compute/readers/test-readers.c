/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

static double
stored_value (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (GPOINTER_TO_UINT (data), x, y, band);
}

static void
test_every_layout (void)
{
  static const EskType types[] = {
    ESK_U8, ESK_U16, ESK_I16, ESK_U32, ESK_I32, ESK_U64, ESK_I64, ESK_F32, ESK_F64,
  };
  static const char * const interleaves[] = { "bsq", "bil", "bip" };
  static const guint64 sizes[][3] = { { 13, 11, 7 }, { 1, 1, 2 }, { 1, 9, 3 }, { 17, 1, 5 } };

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint i = 0; i < G_N_ELEMENTS (interleaves); i++)
      for (guint swapped = 0; swapped <= 1; swapped++)
        for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
          {
            g_autoptr (TestFolder) folder = es_test_folder_new ();
            g_autofree char *path = es_test_write_envi (folder, types[t], interleaves[i], swapped,
                                                        sizes[s][0], sizes[s][1], (guint) sizes[s][2], NULL);
            g_autoptr (EsCube) cube = es_test_open (path);

            g_assert_cmpuint (es_cube_get_width (cube), ==, sizes[s][0]);
            g_assert_cmpuint (es_cube_get_height (cube), ==, sizes[s][1]);
            g_assert_cmpuint (es_cube_get_bands (cube), ==, sizes[s][2]);
            g_assert_cmpstr (es_cube_get_type_name (cube), ==, esk_type_name (types[t]));
            g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, sizes[s][2]);
            es_test_compare (cube, stored_value, GUINT_TO_POINTER (types[t]));
          }
}

/* Opens a header with these lines behind a 4 x 3 x 5 int16 cube. */
static EsCube *
open_with_lines (const char *folder, const char *lines)
{
  g_autofree char *path = es_test_write_envi (folder, ESK_I16, "bsq", FALSE, 4, 3, 5, lines);

  return es_test_open (path);
}

static void
test_header_text (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  gsize length;
  g_autofree guint8 *bytes = es_test_samples (ESK_U16, "bil", G_BYTE_ORDER == G_LITTLE_ENDIAN, 6, 5, 4,
                                              &length);
  g_autofree guint8 *padded = g_malloc0 (length + 100);
  const char *text = "\357\273\277ENVI\r\n"
                     "; samples = 99\r\n"
                     "SAMPLES=6\r\n"
                     "  Lines =  5 \r\n"
                     "bands = 4\r\n"
                     "Header_Offset = 37\r\n"
                     "data  type = 12\r\n"
                     "Interleave = BIL\r\n"
                     "Byte Order = 1\r\n"
                     "description = { a = b, c\r\n; not } this\r\n = d }\r\n"
                     "wavelength = {\r\n  0.45,0.55 ,\r\n 0.65,\r\n; nothing\r\n 0.75 }\r\n"
                     "wavelength units = Micrometers\r\n"
                     "FWHM = { 0.01 0.01 0.02 0.02 }\r\n"
                     "band names = { blue, green , red\r\n, near infrared, }\r\n"
                     "data gain values = {0.5, 0.5, 0.25, 0.25}\r\n"
                     "data offset values = {1, 2, 3, 4}\r\n"
                     "default bands = {3, 2, 1}\r\n"
                     "z plot titles = {Wavelength, Radiance!N}\r\n"
                     "bbl = {1,0,\r\n1,1}";
  g_autofree char *header = es_test_write_text (folder, "scene.HDR", text);
  g_autofree char *path = NULL;
  g_autofree char *label = NULL, *description = NULL;
  g_autoptr (EsCube) cube = NULL;
  guint rgb[3];

  memcpy (padded + 37, bytes, length);
  path = es_test_write (folder, "scene.dat", padded, length + 100);
  cube = es_test_open (path);

  es_test_compare (cube, stored_value, GUINT_TO_POINTER (ESK_U16));
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[3], 750.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[2], 20.0, 1e-9);
  g_assert_cmpstr (es_cube_get_band_name (cube, 3), ==, "near infrared");
  g_assert_cmpfloat (es_cube_get_scale (cube, 2), ==, 0.25);
  g_assert_cmpfloat (es_cube_get_offset (cube, 3), ==, 4.0);
  g_assert_cmpstr (es_cube_get_unit (cube), ==, "Radiance");
  g_assert_false (es_cube_get_good_bands (cube)[1]);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 3);
  g_assert_cmpstr (es_cube_pick_rgb (cube, rgb), ==, "header");
  g_assert_cmpuint (rgb[0], ==, 2);
  g_assert_cmpuint (rgb[2], ==, 0);
  label = es_cube_get_band_label (cube, 1);
  g_assert_cmpstr (label, ==, "550.0 nm");
  description = es_dataset_describe (ES_DATASET (cube));
  g_assert_cmpstr (description, ==, "6 × 5 × 4, 450–750 nm");
  g_assert_cmpstr (es_cube_get_format_name (cube), ==, "ENVI BIL");
  g_assert_null (es_dataset_get_notes (ES_DATASET (cube)));

  /* The header opens the same cube. */
  g_autoptr (EsCube) same = es_test_open (header);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (same)), ==,
                   es_dataset_get_identity (ES_DATASET (cube)));
  g_assert_true (g_file_equal (es_dataset_get_file (ES_DATASET (same)),
                               es_dataset_get_file (ES_DATASET (cube))));
}

static void
test_latin1_header (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (EsCube) cube = open_with_lines (folder, "band names = {ros\351, gr\374n, b, c, d}\n");

  g_assert_cmpstr (es_cube_get_band_name (cube, 0), ==, "rosé");
  g_assert_cmpstr (es_cube_get_band_name (cube, 1), ==, "grün");
}

typedef struct
{
  const char *lines;
  double      first, last;      /* nm; 0: no wavelengths */
  double      fwhm;             /* of the first; 0: none */
} SpectralCase;

static void
test_wavelengths (void)
{
  static const SpectralCase cases[] = {
    { "wavelength = {400,500,600,700,800}\n", 400, 800, 0 },
    { "wavelength = {0.4,0.5,0.6,0.7,0.8}\n", 400, 800, 0 },
    { "wavelength = {0.4,0.5,0.6,0.7,0.8}\nwavelength units = Unknown\n", 400, 800, 0 },
    { "wavelength = {8,9,10,11,12}\nwavelength units = um\nfwhm={.1,.1,.1,.1,.1}\n", 8000, 12000, 100 },
    { "wavelength = {8,9,10,11,12}\nwavelength units = µm\n", 8000, 12000, 0 },
    { "wavelength = {1000,1250,2000,2500,5000}\nwavelength units = Wavenumber\nfwhm={10,10,10,10,10}\n",
      10000, 2000, 100 },
    { "wavelength = {299792.458,299792.458,299792.458,299792.458,599584.916}\nwavelength units = GHz\n", 1000,
      500, 0 },
    { "wavelength = {4000,5000,6000,7000,8000}\nwavelength units = Angstroms\n", 400, 800, 0 },
    { "wavelength = {1,2,3,4,5}\nwavelength units = Index\n", 0, 0, 0 },
    { "wavelength = {1,2,3,4,5}\n", 0, 0, 0 },
    { "wavelength = {400,500,600,700}\n", 0, 0, 0 },
    { "wavelength = {400,500,x,700,800}\n", 0, 0, 0 },
    { "wavelength = {400,500,-1,700,800}\n", 0, 0, 0 },
    { "wavelength = {400,500,nan,700,800}\n", 0, 0, 0 },
    { "band names = {376.44 Nanometers, 381.4 Nanometers, 390 nm, 395 nm, 401.5 nanometers}\n", 376.44, 401.5,
      0 },
    { "band names = {band 1 (0.4 um), band 2 (0.5 um), b3 (0.6 Micrometers), band 4 0.7um, b (0.8 um)}\n",
      400, 800, 0 },
    { "band names = {12 m, 13 m, 14 m, 15 m, 16 m}\n", 0, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autoptr (EsCube) cube = open_with_lines (folder, cases[i].lines);
      const double *wavelengths = es_cube_get_wavelengths (cube);

      g_test_message ("%s", cases[i].lines);
      if (cases[i].first == 0)
        {
          g_assert_null (wavelengths);
          g_assert_cmpint (es_cube_find_wavelength (cube, 550), ==, -1);
          g_assert_true (es_dataset_get_notes (ES_DATASET (cube)) != NULL || i == 16);
        }
      else
        {
          g_assert_nonnull (wavelengths);
          g_assert_cmpfloat_with_epsilon (wavelengths[0], cases[i].first, 1e-6);
          g_assert_cmpfloat_with_epsilon (wavelengths[4], cases[i].last, 1e-6);
        }
      if (cases[i].fwhm > 0)
        g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[0], cases[i].fwhm, 1e-6);
    }
}

static void
test_values (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (EsCube) cube = open_with_lines (folder,
                                             "data ignore value = -32375\nreflectance scale factor = 10000\n"
                                                     "bbl = {1, 1, 1}\n"
                                                     "wavelength = {600, 500, 550, 700, 650}\n");
  double value = 0;

  g_assert_true (es_cube_get_no_data (cube, 4, &value));
  g_assert_cmpfloat (value, ==, -32375);
  g_assert_cmpfloat (es_cube_get_scale (cube, 0), ==, 1e-4);
  g_assert_true (es_test_has_note (cube, "bbl"));
  g_assert_true (es_test_has_note (cube, "monotonic"));
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 5);
  /* The value of pixel (0, 0) in band 0 is the no-data value: es_test_compare () expects NAN there. */
  g_assert_cmpfloat (es_test_value (ESK_I16, 0, 0, 0), ==, -32375);
  es_test_compare (cube, stored_value, GUINT_TO_POINTER (ESK_I16));
}

static double
value_with_holes (guint64 x, guint64 y, guint band, gpointer data)
{
  if (band == 1 || (band == 2 && y < 6))
    return (double) (float) -3.4028234663852886e38;
  return es_test_value (ESK_F32, x, y, band);
}

static void
test_empty_band (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *text = es_test_header (9, 8, 4, 4, "bip", G_BYTE_ORDER == G_BIG_ENDIAN,
                                          "data ignore value = -3.40282e+38\n");
  g_autofree char *header = es_test_write_text (folder, "a.hdr", text);
  g_autofree guint8 *bytes = g_malloc (9 * 8 * 4 * 4);
  g_autofree char *path = NULL;
  g_autoptr (EsCube) cube = NULL;

  for (guint y = 0; y < 8; y++)
    for (guint x = 0; x < 9; x++)
      for (guint b = 0; b < 4; b++)
        es_test_store (ESK_F32, value_with_holes (x, y, b, NULL), FALSE, bytes + ((y * 9 + x) * 4 + b) * 4);
  path = es_test_write (folder, "a.bip", bytes, 9 * 8 * 4 * 4);
  cube = es_test_open (path);
  g_assert_false (es_cube_get_good_bands (cube)[1]);
  g_assert_true (es_cube_get_good_bands (cube)[2]);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 3);
  g_assert_true (es_test_has_note (cube, "1 band holds no data"));
  es_test_compare (cube, value_with_holes, NULL);
}

/* Data of a band that lie in one small area, between the places that are looked at: the band is not empty. */
static double
value_in_one_place (guint64 x, guint64 y, guint band, gpointer data)
{
  const gboolean here = x > 100 && x < 104 && y > 40 && y < 44;

  return band == 2 || (band == 1 && !here) ? NAN : 1 + (double) x + (double) y + band;
}

static void
test_small_area (void)
{
  static const char * const orders[] = { "bsq", "bil", "bip" };
  const guint width = 200, height = 150, bands = 3;

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *text = es_test_header (width, height, bands, 4, orders[i], G_BYTE_ORDER == G_BIG_ENDIAN, "");
      g_autofree char *header = es_test_write_text (folder, "a.hdr", text), *path = NULL;
      g_autofree float *samples = g_new (float, width * height * bands);
      g_autoptr (EsCube) cube = NULL;

      for (guint y = 0; y < height; y++)
        for (guint x = 0; x < width; x++)
          for (guint b = 0; b < bands; b++)
            samples[i == 0 ? (b * height + y) * width + x
                    : i == 1 ? (y * bands + b) * width + x : (y * width + x) * bands + b]
              = (float) value_in_one_place (x, y, b, NULL);
      path = es_test_write (folder, "a.img", samples, width * height * bands * sizeof (float));
      cube = es_test_open (path);
      g_assert_true (es_cube_get_good_bands (cube)[1]);
      g_assert_false (es_cube_get_good_bands (cube)[2]);
      g_assert_true (es_test_has_note (cube, "1 band holds no data"));
    }
}

static void
test_map (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (EsCube) cube = open_with_lines (folder,
                                             "map info = {UTM, 3, 2, 500000, 5800000, 20, 10, 33, North,"
                                                     " WGS-84, units=Meters}\n");
  double easting, northing, latitude, longitude;

  g_assert_true (es_cube_get_map_coordinate (cube, 2, 1, &easting, &northing));
  g_assert_cmpfloat (easting, ==, 500010);
  g_assert_cmpfloat (northing, ==, 5799995);
  g_assert_nonnull (es_cube_get_projection (cube));
  g_assert_true (es_cube_get_geographic (cube, 1.5, 0.5, &latitude, &longitude));
  /* On the central meridian of zone 33; northing 5,800,000 m. */
  g_assert_cmpfloat_with_epsilon (longitude, 15.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (latitude, 52.3501, 2e-3);
  g_assert_cmpfloat_with_epsilon (es_cube_get_pixel_metres (cube), 20.0, 1e-9);

  /* In other units than metres the zone is the same; in one that nobody knows the place is not told. */
  g_autoptr (EsCube) feet = open_with_lines (folder,
                                             "map info = {UTM, 1, 1, 1640419.947506562, 19028871.39107612,"
                                                     " 65.61679790026247, 32.80839895013123, 33, North, WGS-84,"
                                                     " units=Feet}\n");
  g_assert_true (es_cube_get_geographic (feet, -0.5, -0.5, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (longitude, 15.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (latitude, 52.3501, 2e-3);
  g_assert_cmpfloat_with_epsilon (es_cube_get_pixel_metres (feet), 20.0, 1e-9);
  g_autoptr (EsCube) cubits = open_with_lines (folder,
                                               "map info = {UTM, 1, 1, 1000000, 11600000, 40, 20, 33, North, WGS-84,"
                                                       " units=Cubits}\n");
  g_assert_null (es_cube_get_projection (cubits));
  g_assert_false (es_cube_get_geographic (cubits, 0, 0, &latitude, &longitude));

  g_autoptr (EsCube) south = open_with_lines (folder,
                                              "map info = {UTM, 1, 1, 500000, 6200000, 20, 20, 33, South,"
                                                      " WGS-84}\n");
  g_assert_true (es_cube_get_geographic (south, 0, 0, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, -34.34, 0.02);

  g_autoptr (EsCube) degrees = open_with_lines (folder,
                                                "map info = {Geographic Lat/Lon, 1, 1, 13, 60, 0.001, 0.001,"
                                                        " WGS-84, units=Degrees}\n");
  g_assert_true (es_cube_get_geographic (degrees, -0.5, -0.5, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 60.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (longitude, 13.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (es_cube_get_pixel_metres (degrees), 55.801, 0.005);

  /* Turned by 90 degrees: one column further is one pixel south or north. */
  g_autoptr (EsCube) turned = open_with_lines (folder, "map info = {UTM, 1, 1, 0, 0, 2, 2, 11, North, WGS-84,"
                                                       " rotation=90}\n");
  const double *transform = es_cube_get_geotransform (turned);
  g_assert_cmpfloat_with_epsilon (transform[1], 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (fabs (transform[4]), 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (transform[2], transform[4], 1e-12);

  g_autoptr (EsCube) nowhere = open_with_lines (folder, "map info = {Arbitrary, 1, 1, 0, 0, 1, 1}\n");
  g_assert_null (es_cube_get_geotransform (nowhere));
  g_assert_false (es_cube_get_geographic (nowhere, 0, 0, &latitude, &longitude));
  g_assert_cmpfloat (es_cube_get_pixel_metres (nowhere), ==, 0);
  g_assert_null (es_dataset_get_notes (ES_DATASET (nowhere)));

  g_autoptr (EsCube) broken = open_with_lines (folder, "map info = {UTM, 1, one, 0, 0, 1, 1}\n");
  g_assert_null (es_cube_get_geotransform (broken));
  g_assert_true (es_test_has_note (broken, "map info"));

  /* GDAL would look into a file, or on the network, for a coordinate system that has its name. */
  g_autofree char *elsewhere = es_test_write_text (folder, "elsewhere.prj",
                                                   "GEOGCS[\"a\",DATUM[\"b\",SPHEROID[\"c\",6378137,298.257223563]],"
                                                   "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]\n");
  g_autofree char *lines = g_strdup_printf ("map info = {Geographic Lat/Lon, 1, 1, 13, 60, 0.001, 0.001, WGS-84}\n"
                                            "coordinate system string = {%s}\n", elsewhere);
  g_autoptr (EsCube) led_away = open_with_lines (folder, lines);
  g_assert_false (es_cube_get_geographic (led_away, 0, 0, &latitude, &longitude));
}

static void
test_composites (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (EsCube) coloured = open_with_lines (folder,
                                                 "wavelength = {455, 545, 560, 645, 639}\nbbl={1,1,0,1,1}\n");
  guint rgb[3];

  g_assert_cmpstr (es_cube_pick_rgb (coloured, rgb), ==, "wavelength");
  g_assert_cmpuint (rgb[0], ==, 4);
  g_assert_cmpuint (rgb[1], ==, 1);
  g_assert_cmpuint (rgb[2], ==, 0);
  {
    const double near[3] = { 639, 560, 455 }, twice[3] = { 639, 645, 640 }, far[3] = { 639, 560, 2200 };

    g_assert_true (es_cube_pick_near (coloured, near, rgb));
    g_assert_cmpuint (rgb[1], ==, 1);
    g_assert_false (es_cube_pick_near (coloured, far, rgb));
    g_assert_false (es_cube_pick_near (coloured, twice, rgb));
    es_cube_pick_rgb (coloured, rgb);
  }
  /* 560 nm is bad. */
  g_assert_cmpint (es_cube_find_wavelength (coloured, 561), ==, 1);

  g_autoptr (EsCube) infrared = open_with_lines (folder, "wavelength = {1000, 1200, 1400, 1600, 2000}\n");
  g_assert_cmpstr (es_cube_pick_rgb (infrared, rgb), ==, "spread");
  g_assert_true (rgb[0] > rgb[1] && rgb[1] > rgb[2]);

  g_autoptr (EsCube) wrong = open_with_lines (folder, "default bands = {3, 9, 1}\n");
  g_assert_cmpstr (es_cube_pick_rgb (wrong, rgb), ==, "spread");

  g_autoptr (EsCube) none = open_with_lines (folder, "bbl = {0,0,0,0,0}\n");
  g_assert_cmpuint (es_cube_get_n_good_bands (none), ==, 0);
  g_assert_cmpstr (es_cube_pick_rgb (none, rgb), ==, "spread");

  g_autofree char *path = es_test_write_envi (folder, ESK_U8, "bil", FALSE, 3, 3, 2, NULL);
  g_autoptr (EsCube) two = es_test_open (path);
  g_assert_cmpstr (es_cube_pick_rgb (two, rgb), ==, "spread");
  g_assert_true (rgb[0] < 2 && rgb[1] < 2 && rgb[2] < 2);
}

/* Every pair of names that belongs together. */
static void
test_companions (void)
{
  static const char * const pairs[][2] = {
    { "a.img", "a.hdr" },          { "a.img", "a.img.hdr" },  { "a", "a.hdr" },
    { "a.raw", "a.HDR" },          { "A.BSQ", "A.HDR" },      { "scene_img", "scene_img.hdr" },
    { "b.v2.dat", "b.v2.hdr" },    { "b.v2", "b.v2.hdr" },    { "c.bip", "c.bip.hdr" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      gsize length;
      g_autofree guint8 *bytes = es_test_samples (ESK_U8, "bsq", FALSE, 5, 4, 3, &length);
      g_autofree char *text = es_test_header (5, 4, 3, 1, "bsq", 0, NULL);
      g_autofree char *data = es_test_write (folder, pairs[i][0], bytes, length);
      g_autofree char *header = es_test_write_text (folder, pairs[i][1], text);
      g_autoptr (EsCube) by_data = es_test_open (data);
      g_autoptr (EsCube) by_header = es_test_open (header);

      es_test_compare (by_data, stored_value, GUINT_TO_POINTER (ESK_U8));
      es_test_compare (by_header, stored_value, GUINT_TO_POINTER (ESK_U8));
      g_assert_true (g_file_equal (es_dataset_get_file (ES_DATASET (by_data)),
                                   es_dataset_get_file (ES_DATASET (by_header))));
    }
}

static void
opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  EsDataset **dataset = data;

  *dataset = es_dataset_open_finish (result, &error);
  g_assert_no_error (error);
}

static void
failed (GObject *source, GAsyncResult *result, gpointer data)
{
  GError **error = data;

  g_assert_null (es_dataset_open_finish (result, error));
}

static void
test_asynchronous (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_envi (folder, ESK_U8, "bil", FALSE, 8, 8, 3, NULL);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) nothing = g_file_new_for_path (missing);
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (GError) error = NULL;

  es_dataset_open_async (file, NULL, NULL, opened, &dataset);
  es_dataset_open_async (nothing, NULL, NULL, failed, &error);
  while (dataset == NULL || error == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  es_test_compare (ES_CUBE (dataset), stored_value, GUINT_TO_POINTER (ESK_U8));
}

static void
test_identity (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree guint8 *bytes = g_malloc0 (400000);
  g_autofree char *first = es_test_write (folder, "first", bytes, 400000);
  g_autofree char *second = NULL;
  g_autofree char *one = NULL, *again = NULL, *other = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (first);
  g_autoptr (GFile) changed = NULL;
  struct stat status;
  struct timespec times[2];

  one = _es_dataset_identity_of (file);
  again = _es_dataset_identity_of (file);
  g_assert_cmpstr (one, ==, again);
  g_assert_cmpuint (strlen (one), ==, 64);

  /* One byte in the last piece, the same size and time of change. */
  bytes[399999] = 1;
  second = es_test_write (folder, "second", bytes, 400000);
  g_assert_cmpint (stat (first, &status), ==, 0);
  times[0] = status.st_atim;
  times[1] = status.st_mtim;
  g_assert_cmpint (utimensat (AT_FDCWD, second, times, 0), ==, 0);
  changed = g_file_new_for_path (second);
  other = _es_dataset_identity_of (changed);
  g_assert_cmpstr (one, !=, other);
}

static gpointer
read_all_the_time (gpointer data)
{
  for (guint i = 0; i < 20; i++)
    es_test_compare (data, stored_value, GUINT_TO_POINTER (ESK_I16));
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_envi (folder, ESK_I16, "bil", TRUE, 21, 17, 5, NULL);
  g_autoptr (EsCube) cube = es_test_open (path);
  GThread *threads[3];

  for (guint i = 0; i < 3; i++)
    threads[i] = g_thread_new ("reader", read_all_the_time, cube);
  for (guint i = 0; i < 3; i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/envi/every-layout", test_every_layout);
  g_test_add_func ("/readers/envi/header-text", test_header_text);
  g_test_add_func ("/readers/envi/latin1", test_latin1_header);
  g_test_add_func ("/readers/envi/wavelengths", test_wavelengths);
  g_test_add_func ("/readers/envi/values", test_values);
  g_test_add_func ("/readers/envi/empty-band", test_empty_band);
  g_test_add_func ("/readers/envi/small-area", test_small_area);
  g_test_add_func ("/readers/envi/map", test_map);
  g_test_add_func ("/readers/envi/composites", test_composites);
  g_test_add_func ("/readers/envi/companions", test_companions);
  g_test_add_func ("/readers/asynchronous", test_asynchronous);
  g_test_add_func ("/readers/identity", test_identity);
  g_test_add_func ("/readers/threads", test_threads);
  return g_test_run ();
}
