/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-scene.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "readers/es-open.h"

/* Correlated bands: four smooth sources mixed, plus noise, in a range that fits the type. */
void
es_test_scene_fill (EsTestScene *scene, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  gsize pixels = (gsize) scene->width * scene->height;
  double level = scene->type == ESK_U8 ? 20 : 900;

  scene->values = g_new (double, pixels * scene->bands);
  for (gsize p = 0; p < pixels; p++)
    {
      double source[4];
      gboolean missing = g_rand_double (rand) < scene->missing;
      guint missing_band = g_rand_int_range (rand, 0, scene->bands);

      for (int k = 0; k < 4; k++)
        source[k] = g_rand_double_range (rand, -1, 1) * (4 - k);
      for (guint b = 0; b < scene->bands; b++)
        {
          double value = 3 * level + level * (source[0] * sin (0.3 * b + 1) / 5 + source[1] * cos (0.11 * b) / 5
                                              + source[2] * sin (0.05 * b * b) / 5 + source[3] * (b % 3) / 10)
                         + g_rand_double_range (rand, -0.05, 0.05) * level;
          if (scene->type != ESK_F32)
            value = rint (value);
          else
            value = (float) value;
          if (missing && (b == missing_band || b + 1 == scene->bands))
            value = isnan (scene->no_data) ? (scene->type == ESK_F32 ? NAN : value) : scene->no_data;
          scene->values[b * pixels + p] = value;
        }
    }
  for (const int *bad = scene->bad_bands; bad != NULL && *bad >= 0; bad++)
    for (gsize p = 0; p < pixels; p++)
      scene->values[*bad * pixels + p] = isnan (scene->no_data) ? 0 : scene->no_data;
}

void
es_test_scene_clear (EsTestScene *scene)
{
  g_clear_pointer (&scene->values, g_free);
}

static void
store (guint8 *out, EskType type, double value, gboolean swap)
{
  union
  {
    guint8 u8; gint16 i16; guint16 u16; gint32 i32; guint32 u32; float f32; double f64; guint8 bytes[8];
  } sample;
  gsize size = esk_type_size (type);

  switch ((int) type)
    {
    case ESK_U8: sample.u8 = value; break;
    case ESK_I16: sample.i16 = value; break;
    case ESK_U16: sample.u16 = value; break;
    case ESK_I32: sample.i32 = value; break;
    case ESK_U32: sample.u32 = value; break;
    case ESK_F32: sample.f32 = value; break;
    case ESK_F64: sample.f64 = value; break;
    default: g_assert_not_reached ();
    }
  for (gsize i = 0; i < size; i++)
    out[i] = sample.bytes[swap ? size - 1 - i : i];
}

EsDataset *
es_test_scene_open (EsTestScene *scene, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *header_path = g_strconcat (path, ".hdr", NULL);
  g_autoptr (GString) header = g_string_new ("ENVI\n");
  g_autoptr (GError) error = NULL;
  gsize size = esk_type_size (scene->type), pixels = (gsize) scene->width * scene->height;
  g_autofree guint8 *bytes = g_malloc (pixels * scene->bands * size);
  static const int codes[ESK_N_TYPES] = { [ESK_U8] = 1, [ESK_I16] = 2, [ESK_U16] = 12, [ESK_I32] = 3, [ESK_U32] = 13,
                                          [ESK_F32] = 4, [ESK_F64] = 5 };

  for (guint b = 0; b < scene->bands; b++)
    for (guint y = 0; y < scene->height; y++)
      for (guint x = 0; x < scene->width; x++)
        {
          gsize at = strcmp (scene->interleave, "bsq") == 0 ? b * pixels + (gsize) y * scene->width + x
                   : strcmp (scene->interleave, "bil") == 0 ? ((gsize) y * scene->bands + b) * scene->width + x
                   : ((gsize) y * scene->width + x) * scene->bands + b;
          store (bytes + at * size, scene->type, scene->values[b * pixels + (gsize) y * scene->width + x],
                 scene->big_endian == (G_BYTE_ORDER == G_LITTLE_ENDIAN));
        }
  g_assert_true (g_file_set_contents (path, (char *) bytes, pixels * scene->bands * size, NULL));

  g_string_append_printf (header, "samples = %u\nlines = %u\nbands = %u\nheader offset = 0\ndata type = %d\n"
                          "interleave = %s\nbyte order = %d\n", scene->width, scene->height, scene->bands,
                          codes[scene->type], scene->interleave, scene->big_endian);
  if (!isnan (scene->no_data))
    g_string_append_printf (header, "data ignore value = %g\n", scene->no_data);
  if (scene->bad_bands != NULL)
    {
      g_string_append (header, "bbl = {");
      for (guint b = 0; b < scene->bands; b++)
        {
          gboolean good = TRUE;
          for (const int *bad = scene->bad_bands; *bad >= 0; bad++)
            good &= *bad != (int) b;
          g_string_append_printf (header, "%s%d", b == 0 ? "" : ", ", good);
        }
      g_string_append (header, "}\n");
    }
  g_assert_true (g_file_set_contents (header_path, header->str, -1, NULL));

  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsDataset *dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return dataset;
}

char *
es_test_directory (void)
{
  g_autoptr (GError) error = NULL;
  char *directory = g_dir_make_tmp ("eigenscope-test-XXXXXX", &error);

  g_assert_no_error (error);
  return directory;
}

void
es_test_remove (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        es_test_remove (path);
      else
        g_unlink (path);
    }
  g_rmdir (directory);
}

guint
es_test_scene_good_bands (const EsTestScene *scene, guint *bands)
{
  guint n = 0;

  for (guint b = 0; b < scene->bands; b++)
    {
      gboolean good = TRUE;
      for (const int *bad = scene->bad_bands; bad != NULL && *bad >= 0; bad++)
        good &= *bad != (int) b;
      if (good)
        bands[n++] = b;
    }
  return n;
}

gint64
es_test_scene_covariance (const EsTestScene *scene, const guint *bands, guint n, double *mean, double *covariance,
                          gboolean *valid)
{
  gsize pixels = (gsize) scene->width * scene->height;
  gint64 count = 0;

  for (gsize p = 0; p < pixels; p++)
    {
      valid[p] = TRUE;
      for (guint i = 0; i < n; i++)
        {
          double value = scene->values[bands[i] * pixels + p];
          valid[p] &= isfinite (value) && value != scene->no_data;
        }
      count += valid[p];
    }
  for (guint i = 0; i < n; i++)
    {
      long double sum = 0;
      for (gsize p = 0; p < pixels; p++)
        if (valid[p])
          sum += scene->values[bands[i] * pixels + p];
      mean[i] = sum / count;
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j <= i; j++)
      {
        long double sum = 0;
        for (gsize p = 0; p < pixels; p++)
          if (valid[p])
            sum += ((long double) scene->values[bands[i] * pixels + p] - mean[i])
                   * ((long double) scene->values[bands[j] * pixels + p] - mean[j]);
        covariance[i * n + j] = covariance[j * n + i] = sum / (count - 1);
      }
  return count;
}

void
es_test_spin_until_ended (EsJob *job)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (es_job_is_active (job) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_false (es_job_is_active (job));
}
