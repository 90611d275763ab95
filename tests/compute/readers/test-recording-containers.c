/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <hdf5.h>
#include <math.h>
#include <matio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-recordings.h"
#include "cube/es-cube.h"
#include "readers/es-open.h"

#define CLOSE 1e-7

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

/* ---- HDF5 ---- */

typedef struct
{
  const char *group, *name, *rate_name;      /* rate_name: NULL for none */
  guint64     frames;
  guint       channels;
  hid_t       type;                          /* of the file */
  double      scale;                         /* of a sample with respect to es_test_sample () */
  gboolean    by_channel;
  hsize_t     chunk[2];                      /* 0: contiguous */
  gboolean    deflate;
} Layout;

static void
write_attribute (hid_t object, const char *name, double value)
{
  hid_t space = H5Screate (H5S_SCALAR);
  hid_t attribute = H5Acreate2 (object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Awrite (attribute, H5T_NATIVE_DOUBLE, &value), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
}

static void
write_samples (hid_t file, const Layout *layout)
{
  const hsize_t lengths[2] = { layout->by_channel ? layout->channels : layout->frames,
                               layout->by_channel ? layout->frames : layout->channels };
  hid_t group = layout->group != NULL ? H5Gcreate2 (file, layout->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                                      : H5Gopen2 (file, "/", H5P_DEFAULT);
  hid_t space = H5Screate_simple (2, lengths, NULL), plist = H5Pcreate (H5P_DATASET_CREATE), dataset;
  g_autofree double *values = g_new (double, layout->frames * layout->channels + 1);

  for (guint64 frame = 0; frame < layout->frames; frame++)
    for (guint channel = 0; channel < layout->channels; channel++)
      values[layout->by_channel ? channel * layout->frames + frame : frame * layout->channels + channel] =
        es_test_sample (frame, channel) * layout->scale;
  if (layout->chunk[0] > 0)
    H5Pset_chunk (plist, 2, layout->chunk);
  if (layout->deflate)
    H5Pset_deflate (plist, 4);
  dataset = H5Dcreate2 (group, layout->name, layout->type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  g_assert_cmpint (dataset, >=, 0);
  if (layout->frames > 0)
    g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  if (layout->rate_name != NULL)
    write_attribute (dataset, layout->rate_name, 51200);
  H5Dclose (dataset);
  H5Pclose (plist);
  H5Sclose (space);
  H5Gclose (group);
}

static char *
write_hdf (const char *folder, const char *name, const Layout *layout)
{
  char *path = g_build_filename (folder, name, NULL);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

  write_samples (file, layout);
  H5Fclose (file);
  return path;
}

static void
test_acoular (void)
{
  const Layout layouts[] = {
    { NULL, "time_data", "sample_freq", 1500, 4, H5T_IEEE_F32LE, 1 / 32768.0, FALSE, { 0 }, FALSE },
    { NULL, "time_data", "sample_freq", 1500, 4, H5T_IEEE_F64BE, 1 / 32768.0, FALSE, { 100, 3 }, TRUE },
    { NULL, "time_data", "sample_freq", 1500, 4, H5T_STD_I16BE, 1, FALSE, { 64, 4 }, FALSE },
    { NULL, "time_data", "sample_freq", 1500, 4, H5T_STD_I32LE, 65536, FALSE, { 1500, 1 }, TRUE },
    { "measured", "pressure", "fs", 1500, 4, H5T_IEEE_F32LE, 1 / 32768.0, TRUE, { 2, 700 }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_hdf (folder, "x.h5", &layouts[i]);
      g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);

      g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 4);
      g_assert_cmpuint (es_recording_get_frames (recording), ==, 1500);
      g_assert_cmpfloat (es_recording_get_rate (recording), ==, 51200);
      g_assert_true (isnan (es_recording_get_calibration (recording)));
      g_assert_cmpstr (es_recording_get_format_name (recording), ==, i < 4 ? "HDF5 (Acoular)" : "HDF5");
      es_test_compare_recording (recording, CLOSE);
    }
}

static void
write_matrix (hid_t file, const char *path, const double *values, hsize_t rows, hsize_t columns)
{
  const hsize_t lengths[2] = { rows, columns };
  hid_t space = H5Screate_simple (2, lengths, NULL), links = H5Pcreate (H5P_LINK_CREATE), dataset;

  H5Pset_create_intermediate_group (links, 1);
  dataset = H5Dcreate2 (file, path, H5T_IEEE_F64LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (dataset);
  H5Pclose (links);
  H5Sclose (space);
}

/* Pascal, positions in either order of axes, and the sound speed of the day. */
static void
test_aiaa (void)
{
  static const double rows[6] = { 0, 0.5, 0.25, 1, -0.5, 0.25 }, columns[6] = { 0, 1, 0.5, -0.5, 0.25, 0.25 };

  for (guint i = 0; i < 2; i++)
    {
      const Layout layout = {
        "MicrophoneData", "microphoneDataPa", "sampleRateHz", 300, 2, H5T_IEEE_F32LE, 1 / 32768.0, FALSE, { 0 }, FALSE,
      };
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_hdf (folder, "x.h5", &layout);
      hid_t file = H5Fopen (path, H5F_ACC_RDWR, H5P_DEFAULT), group;

      write_matrix (file, "/MetaData/ArrayAttributes/microphonePositionsM", i == 0 ? rows : columns, i == 0 ? 2 : 3,
                    i == 0 ? 3 : 2);
      group = H5Gcreate2 (file, "MeasurementData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      write_attribute (group, "speedOfSoundMPerS", 343.25);
      H5Gclose (group);
      H5Fclose (file);

      g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
      g_autoptr (EsArray) array = es_recording_get_array (recording);
      g_assert_cmpfloat (es_recording_get_calibration (recording), ==, 1e6);
      g_assert_cmpfloat (es_recording_get_rate (recording), ==, 51200);
      g_assert_nonnull (array);
      g_assert_cmpuint (es_array_get_n_elements (array), ==, 2);
      g_assert_cmpfloat (es_array_get_sound_speed (array), ==, 343.25);
      g_assert_cmpfloat (es_array_get_elements (array)[0].y, ==, 0.5);
      g_assert_cmpfloat (es_array_get_elements (array)[1].x, ==, 1);
      g_assert_cmpfloat (es_array_get_elements (array)[1].y, ==, -0.5);
      es_test_compare_recording (recording, CLOSE);
    }
}

static void
test_bad_hdf (void)
{
  const Layout no_rate = { NULL, "time_data", NULL, 100, 2, H5T_IEEE_F32LE, 1, FALSE, { 0 }, FALSE };
  const Layout empty = { NULL, "time_data", "sample_freq", 0, 2, H5T_IEEE_F32LE, 1, FALSE, { 0 }, FALSE };
  const Layout wide = { NULL, "time_data", "sample_freq", 1, 70000, H5T_STD_I16LE, 0.5, FALSE, { 0 }, FALSE };
  const Layout packed = { NULL, "time_data", "sample_freq", 60000, 2, H5T_IEEE_F32LE, 1, FALSE, { 60000, 2 }, TRUE };
  const Layout none = { NULL, "numbers", NULL, 100, 2, H5T_IEEE_F32LE, 1, FALSE, { 0 }, FALSE };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_hdf (folder, "norate.h5", &no_rate);
  g_autofree char *empty_path = write_hdf (folder, "empty.h5", &empty);
  g_autofree char *wide_path = write_hdf (folder, "wide.h5", &wide);
  g_autofree char *cut_path = write_hdf (folder, "cut.h5", &packed);
  g_autofree char *none_path = write_hdf (folder, "none.h5", &none);
  EsOpenOptions options = { .samples = { .rate = 900 } };
  g_autofree char *bytes = NULL;
  gsize length;

  es_test_refused (path, NULL, ES_DATA_ERROR_RATE, "norate.h5", "time_data", NULL);
  g_autoptr (EsRecording) told = es_test_open_recording (path, &options);
  g_assert_cmpfloat (es_recording_get_rate (told), ==, 900);
  es_test_refused (empty_path, NULL, ES_DATA_ERROR_SIZE, "empty.h5", "0 frames", NULL);
  es_test_refused (wide_path, NULL, ES_DATA_ERROR_SIZE, "wide.h5", "70000 channels", NULL);
  /* Mere numbers are a recording only where a person says so, and else a picture of one band. */
  g_autoptr (GFile) none_file = g_file_new_for_path (none_path);
  g_autoptr (EsDataset) picture = es_dataset_open (none_file, NULL, NULL, NULL);
  g_assert_true (ES_IS_CUBE (picture));
  g_assert_cmpuint (es_cube_get_bands (ES_CUBE (picture)), ==, 1);
  g_assert_cmpuint (es_cube_get_height (ES_CUBE (picture)), ==, 100);
  g_autoptr (EsRecording) numbers = es_test_open_recording (none_path, &options);
  g_assert_cmpuint (es_recording_get_frames (numbers), ==, 100);

  /* The packed samples overwritten, the rest as it was. */
  g_assert_true (g_file_get_contents (cut_path, &bytes, &length, NULL));
  memset (bytes + length / 2, 0x5a, length / 4);
  g_assert_true (g_file_set_contents (cut_path, bytes, (gssize) length, NULL));
  es_test_refused (cut_path, NULL, ES_DATA_ERROR_TRUNCATED, "cut.h5", "time_data", NULL);
}

/* Reading block after block unpacks every chunk once: two million frames in chunks of a quarter of them. */
static void
test_block_by_block (void)
{
  const Layout layout = {
    NULL, "time_data", "sample_freq", 2000000, 2, H5T_STD_I16LE, 1, FALSE, { 500000, 1 }, TRUE,
  };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_hdf (folder, "x.h5", &layout);
  g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
  g_autoptr (EsFrameReader) reader = es_frame_reader_new (recording, NULL);
  g_autofree gint16 *buffer = g_new (gint16, 500000 * 2);
  double whole, pieces;
  EskFrames frames;
  const clock_t begun = clock ();

  for (guint64 at = 0; at < 2000000; at += 500000)
    g_assert_true (es_frame_reader_read (reader, (gint64) at, 500000, buffer, &frames, NULL));
  const clock_t between = clock ();
  for (guint64 at = 0; at < 2000000; at += 1000)
    {
      g_assert_true (es_frame_reader_read (reader, (gint64) at, 1000, buffer, &frames, NULL));
      g_assert_cmpint (buffer[1], ==, es_test_sample (at, 1));
    }
  /* Of the processor: others' work does not count. */
  whole = (double) (between - begun) / CLOCKS_PER_SEC;
  pieces = (double) (clock () - between) / CLOCKS_PER_SEC;
  g_test_message ("%.3f s in large blocks, %.3f s in 2000 small ones", whole, pieces);
  /* 500 times as many reads; without the cache they would take some 500 times as long. */
  g_assert_cmpfloat (pieces, <, 40 * whole + 0.5);
}

/* ---- MATLAB ---- */

static void
write_variable (mat_t *file, const char *name, enum matio_classes class, enum matio_types type, size_t rows,
                size_t columns, void *data, gboolean packed)
{
  size_t lengths[2] = { rows, columns };
  matvar_t *variable = Mat_VarCreate (name, class, type, 2, lengths, data, 0);

  g_assert_cmpint (Mat_VarWrite (file, variable, packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE), ==, 0);
  Mat_VarFree (variable);
}

static char *
write_mat (const char *folder, enum mat_ft version, guint64 frames, guint channels, gboolean by_frame, const char *rate,
           gboolean packed)
{
  char *path = g_build_filename (folder, "x.mat", NULL);
  mat_t *file = Mat_CreateVer (path, NULL, version);
  g_autofree double *samples = g_new (double, frames * channels);
  double fs = 8000.5, small = 1;

  g_assert_nonnull (file);
  for (guint64 frame = 0; frame < frames; frame++)
    for (guint channel = 0; channel < channels; channel++)
      samples[by_frame ? frame * channels + channel : channel * frames + frame] = es_test_fraction (frame, channel);
  write_variable (file, "gain", MAT_C_DOUBLE, MAT_T_DOUBLE, 1, 1, &small, FALSE);
  write_variable (file, "p", MAT_C_DOUBLE, MAT_T_DOUBLE, by_frame ? channels : frames, by_frame ? frames : channels,
                  samples, packed);
  if (rate != NULL)
    write_variable (file, rate, MAT_C_DOUBLE, MAT_T_DOUBLE, 1, 1, &fs, FALSE);
  Mat_Close (file);
  return path;
}

static void
test_mat (void)
{
  static const enum mat_ft versions[] = { MAT_FT_MAT5, MAT_FT_MAT73 };
  static const char * const rates[] = { "fs", "Fs", "sample_rate" };

  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_mat (folder, versions[i % 2], 700, i % 5 == 4 ? 1 : 3, (i / 2) % 2, rates[i % 3],
                                         i > 5);
      g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);

      g_assert_cmpuint (es_recording_get_n_channels (recording), ==, i % 5 == 4 ? 1 : 3);
      g_assert_cmpuint (es_recording_get_frames (recording), ==, 700);
      g_assert_cmpfloat (es_recording_get_rate (recording), ==, 8000.5);
      g_assert_cmpstr (es_recording_get_format_name (recording), ==, "MATLAB");
      es_test_compare_recording (recording, CLOSE);
    }
}

/* Without a rate a plane may be an image as well: what is told decides. */
static void
test_mat_told (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_mat (folder, MAT_FT_MAT5, 600, 3, FALSE, NULL, FALSE);
  EsOpenOptions rate = { .samples = { .rate = 250 } }, image = { .width = 20, .height = 30 };
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsDataset) cube = NULL;
  g_autoptr (GError) error = NULL;

  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "600 × 3", "sampling rate", NULL);
  recording = es_test_open_recording (path, &rate);
  g_assert_cmpfloat (es_recording_get_rate (recording), ==, 250);
  cube = es_dataset_open (file, &image, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (es_dataset_get_kind (cube), ==, ES_DATASET_CUBE);
}

/* The benchmark's own file: eight microphones on a ring, 48 kHz, in pascal. */
static void
test_benchmark_file (void)
{
  const char *root = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = root != NULL ? g_build_filename (root, "sonar-formats", "b11aTimeSeries.h5", NULL) : NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("ES_TEST_DATA has no such file");
      return;
    }
  g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 8);
  g_assert_cmpuint (es_recording_get_frames (recording), ==, 480);
  g_assert_cmpfloat (es_recording_get_rate (recording), ==, 48000);
  g_assert_cmpfloat (es_recording_get_calibration (recording), ==, 1e6);
  g_assert_nonnull (array);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 8);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpfloat_with_epsilon (hypot (es_array_get_elements (array)[i].x, es_array_get_elements (array)[i].y), 0.5,
                                    1e-5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-containers/acoular", test_acoular);
  g_test_add_func ("/recording-containers/aiaa", test_aiaa);
  g_test_add_func ("/recording-containers/bad-hdf", test_bad_hdf);
  g_test_add_func ("/recording-containers/block-by-block", test_block_by_block);
  g_test_add_func ("/recording-containers/mat", test_mat);
  g_test_add_func ("/recording-containers/mat-told", test_mat_told);
  g_test_add_func ("/recording-containers/benchmark-file", test_benchmark_file);
  return g_test_run ();
}
