/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "cube/es-cube-internal.h"
#include "es-fuzz.h"
#include "matrix/es-sparse-matrix.h"
#include "readers/es-open.h"
#include "recording/es-recording-internal.h"

/* Windows are of a fixed size: what a header claims must not become an allocation of ours. */
#define MOST_COLUMNS 40
#define MOST_ROWS 3
#define MOST_SAMPLES 50000

static void
check_text (const char *text)
{
  g_assert_nonnull (text);
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

static void
look_at_window (EsCube *cube, EsCubeReader *reader, const EsCubeWindow *window)
{
  g_autofree float *plane = g_new (float, window->width * window->height);
  const guint bands = es_cube_get_bands (cube), some[] = { 0, bands / 2, bands - 1 };
  g_autoptr (GError) error = NULL;
  EskTile tile;

  if (reader != NULL && es_cube_reader_read (reader, window, &tile, &error))
    {
      const gsize size = esk_type_size (tile.type);
      volatile guint8 last;

      /* The far corner: the strides do not lead out of what was read. */
      last = ((const guint8 *) tile.data)[((ptrdiff_t) (tile.width - 1) * tile.column_stride +
                                           (ptrdiff_t) (tile.height - 1) * tile.row_stride +
                                           (ptrdiff_t) (tile.bands - 1) * tile.band_stride) * (ptrdiff_t) size +
                                          (ptrdiff_t) size - 1];
      (void) last;
    }
  else if (error != NULL)
    es_fuzz_check_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (some); i++)
    {
      g_clear_error (&error);
      if (!es_cube_read_band (cube, some[i], window->x, window->y, window->width, window->height, i + 1, plane, NULL,
                              &error))
        es_fuzz_check_error (error);
    }
}

static void
look_at_cube (EsCube *cube)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const guint bands = es_cube_get_bands (cube);
  g_autoptr (EsCubeReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  double value, other;
  guint rgb[3];

  g_assert_true (width >= 1 && height >= 1 && bands >= 1 && bands <= 65535);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), <=, bands);
  es_cube_pick_rgb (cube, rgb);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (rgb[i], <, bands);
      g_autofree char *label = es_cube_get_band_label (cube, rgb[i]);
      check_text (label);
      es_cube_get_no_data (cube, rgb[i], &value);
    }
  es_cube_get_map_coordinate (cube, 0.5, 0.5, &value, &other);
  es_cube_get_pixel_metres (cube);
  for (guint i = 0; i < bands && es_cube_get_wavelengths (cube) != NULL; i++)
    g_assert_true (isfinite (es_cube_get_wavelengths (cube)[i]));

  /* All bands of a pixel are read at once: wide ones by their bands alone. */
  const guint64 columns = CLAMP (MOST_SAMPLES / bands, 1, MIN (width, MOST_COLUMNS));
  const guint64 rows = CLAMP (MOST_SAMPLES / bands / columns, 1, MIN (height, MOST_ROWS));
  const EsCubeWindow windows[] = {
    { 0, 0, columns, rows },
    { width - columns, height - rows, columns, rows },
    { (width - columns) / 2, (height - rows) / 2, columns, rows },
  };
  reader = es_cube_reader_new (cube, &error);
  if (reader == NULL)
    es_fuzz_check_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    look_at_window (cube, reader, &windows[i]);

  g_autofree double *spectrum = g_new (double, bands);
  g_clear_error (&error);
  if (!es_cube_read_spectrum (cube, width - 1, height - 1, spectrum, &error))
    es_fuzz_check_error (error);
}

static void
look_at_recording (EsRecording *recording)
{
  const guint channels = es_recording_get_n_channels (recording);
  const gint64 frames = (gint64) es_recording_get_frames (recording);
  g_autoptr (EsFrameReader) reader = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (channels >= 1 && channels <= 65536);
  g_assert_cmpint (frames, >=, 1);
  g_assert_true (isfinite (es_recording_get_rate (recording)) && es_recording_get_rate (recording) > 0);
  for (guint i = 0; i < 2; i++)
    if (es_recording_get_channel_name (recording, i * (channels - 1)) != NULL)
      check_text (es_recording_get_channel_name (recording, i * (channels - 1)));

  const gint64 n = MAX (1, MOST_SAMPLES / channels);
  const gint64 firsts[] = { 0, frames / 2, frames - 1, frames - n, -3 };
  g_autofree guint8 *buffer = g_malloc ((gsize) n * channels * esk_type_size (es_recording_get_type_code (recording)));
  reader = es_frame_reader_new (recording, &error);
  if (reader == NULL)
    es_fuzz_check_error (error);
  for (guint i = 0; reader != NULL && i < G_N_ELEMENTS (firsts); i++)
    {
      EskFrames described;
      float value;

      g_clear_error (&error);
      if (!es_frame_reader_read (reader, firsts[i], (guint64) n, buffer, &described, &error))
        es_fuzz_check_error (error);
      g_clear_error (&error);
      if (firsts[i] >= 0 && !es_recording_read (recording, (guint64) firsts[i], 1, channels - 1, 1, &value, &error))
        es_fuzz_check_error (error);
    }
}

/* What es_sparse_matrix_new () takes, and pictures of it have as many nonzeros as it. */
static void
look_at_matrix (EsSparseMatrix *matrix)
{
  const gsize rows = es_sparse_matrix_get_n_rows (matrix), columns = es_sparse_matrix_get_n_columns (matrix);
  const gsize n = es_sparse_matrix_get_n_nonzeros (matrix);
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);
  g_autoptr (GError) error = NULL;
  guint32 cells[MOST_ROWS * MOST_COLUMNS];
  guint64 in_cells = 0, in_bins = 0;

  g_autoptr (EsSparseMatrix) again
    = es_sparse_matrix_new ("again", rows, columns,
                            g_memdup2 (es_sparse_matrix_get_row_from (matrix), (rows + 1) * sizeof (gint32)),
                            g_memdup2 (es_sparse_matrix_get_columns (matrix), n * sizeof (gint32)),
                            g_memdup2 (es_sparse_matrix_get_values (matrix), n * sizeof (double)),
                            es_sparse_matrix_get_symmetry (matrix), &error);
  g_assert_no_error (error);
  g_assert_true (es_sparse_matrix_count_cells (matrix, MOST_COLUMNS, MOST_ROWS, cells, NULL, &error));
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    in_cells += cells[i];
  for (guint i = 0; i < G_N_ELEMENTS (statistics->lengths); i++)
    in_bins += statistics->lengths[i];
  g_assert_cmpuint (in_cells, ==, n);
  g_assert_cmpuint (in_bins, ==, rows);
  g_assert_true (es_sparse_matrix_get_symmetry (matrix) != ES_SYMMETRY_SYMMETRIC || statistics->is_symmetric);
}

void
es_fuzz_look (EsDataset *dataset)
{
  g_autofree char *words = es_dataset_describe (dataset), *shape = es_dataset_shape (dataset);

  check_text (words);
  check_text (shape);
  check_text (es_dataset_get_name (dataset));
  g_assert_nonnull (es_dataset_get_identity (dataset));
  for (const char * const *note = es_dataset_get_notes (dataset); note != NULL && *note != NULL; note++)
    check_text (*note);
  if (ES_IS_CUBE (dataset))
    look_at_cube (ES_CUBE (dataset));
  else if (ES_IS_SPARSE_MATRIX (dataset))
    look_at_matrix (ES_SPARSE_MATRIX (dataset));
  else
    look_at_recording (ES_RECORDING (dataset));
}

void
es_fuzz_open (const char *path, const EsOpenOptions *options)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, options, NULL, &error);

  if (dataset == NULL)
    {
      /* Of an ENVI cube it names one of two files. */
      g_autofree char *base = g_path_get_basename (path), *stem = g_strndup (base, strcspn (base, ".") + 1);
      g_autofree char *quoted = g_strconcat ("“", stem, NULL);

      es_fuzz_check_error (error);
      if (strstr (error->message, quoted) == NULL)
        g_error ("A message that does not name the file: %s", error->message);
      return;
    }
  g_assert_no_error (error);
  es_fuzz_look (dataset);
}
