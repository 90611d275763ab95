/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Simulated recordings as files: formats, arrays, truth, the same bytes, and what is refused. */

#include "es-test-sonar.h"

#include <math.h>
#include <sched.h>
#include <string.h>
#include "es-test-simulated.h"

/* ---- helpers ---- */

static void
assert_same_file (const char *a, const char *b)
{
  g_autofree char *path_a = g_build_filename (es_test_simulated_folder, a,
                                              NULL), *path_b = g_build_filename (es_test_simulated_folder, b, NULL);
  g_autofree char *text_a = NULL, *text_b = NULL;
  gsize length_a, length_b;

  g_assert_true (g_file_get_contents (path_a, &text_a, &length_a, NULL));
  g_assert_true (g_file_get_contents (path_b, &text_b, &length_b, NULL));
  g_assert_cmpmem (text_a, length_a, text_b, length_b);
}

/* ---- files ---- */

static void
test_formats (void)
{
  static const struct { const char *name, *format; } files[] = {
    { "f1.wav", "wav" }, { "f2.w64", "auto" }, { "f3.rf64", "auto" }, { "f4.h5", "auto" }, { "f5.sio", "auto" },
    { "f6.raw", "auto" },
  };
  static const char *const types[] = { "int16", "float32" };

  for (guint t = 0; t < 2; t++)
    {
      g_autofree double *first = NULL;
      for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        {
          g_autoptr (EsParams) params = es_test_scene_params ("array", "line:5,1.5", "seconds", "1.2345", "format",
                                                              files[i].format, "type", types[t], NULL);
          g_autoptr (GFile) file = es_test_simulated_file (files[i].name);
          g_autoptr (GError) error = NULL;
          EsOpenOptions options = { 0 };
          gsize frames;

          g_assert_true (es_simulate_recording (file, params, NULL, NULL, NULL, &error));
          g_assert_no_error (error);
          if (g_str_has_suffix (files[i].name, "sio") || g_str_has_suffix (files[i].name, "raw"))
            options.samples.rate = 8000;
          if (g_str_has_suffix (files[i].name, "raw"))
            {
              options.samples.channels = 5;
              options.samples.type = types[t];
            }
          g_autoptr (EsRecording) recording = es_test_open_recording (file, &options);
          g_assert_cmpfloat (es_recording_get_rate (recording), ==, 8000);
          g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 5);
          g_assert_cmpstr (es_recording_get_type_name (recording), ==, types[t]);
          g_autofree double *units = es_test_read_units (recording, &frames);
          g_assert_cmpuint (frames, ==, 9876);
          if (i == 0)
            {
              first = g_steal_pointer (&units);
              continue;
            }
          for (gsize j = 0; j < frames * 5; j++)
            g_assert_cmpfloat_with_epsilon (units[j], first[j], 1e-6);
        }
    }
}

/* Integers times the gains are the floats, to half a step. */
static void
test_integers (void)
{
  g_autoptr (EsParams) a = es_test_scene_params ("array", "line:7,1.5", "seconds", "1", NULL);
  g_autoptr (EsParams) b = es_test_scene_params ("array", "line:7,1.5", "seconds", "1", "type", "float32", NULL);
  g_autoptr (EsRecording) integers = es_test_simulate ("a.wav", a), floats = es_test_simulate ("b.wav", b);
  g_autoptr (EsArray) array = es_recording_get_array (integers);
  const double step = es_array_get_elements (array)[0].gain / 32768;
  gsize frames;
  g_autofree double *rounded = es_test_read_units (integers, &frames), *exact = es_test_read_units (floats, &frames);

  for (gsize i = 0; i < frames * 7; i++)
    g_assert_cmpfloat (fabs (rounded[i] - exact[i]), <=, 0.5001 * step + 1e-6);
}

/* An array's own gains, channels and dead elements are as they were told. */
static void
test_array_file (void)
{
  g_autoptr (GFile) csv = es_test_simulated_file ("array.csv");
  g_autofree char *path = g_file_get_path (csv);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path,
                                      "x,y,z,channel,gain,dead\n0,0,0,4,2,\n1,2,0,1,-0.5,\n3,1,1,2,1,yes\n2,3,4,0,1,\n",
                                      -1, &error));
  g_autoptr (EsParams) params = es_test_scene_params ("array", path, "sources", "tone,35,0,50,elevation=20", "ambient",
                                                      "-200",
                                                      "seconds", "1", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("array.wav", params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);

  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 5);
  g_assert_cmpuint (es_array_get_n_alive (array), ==, 3);
  g_assert_cmpfloat_with_epsilon (es_array_get_elements (array)[0].gain / es_array_get_elements (array)[1].gain, -4,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (es_test_mean_square (units + 4 * frames, frames), 1, 1e-3);
  g_assert_cmpfloat_with_epsilon (es_test_mean_square (units + 1 * frames, frames), 1, 1e-3);
  g_assert_cmpfloat_with_epsilon (es_test_mean_square (units + 0 * frames, frames), 1, 1e-3);
  g_assert_cmpfloat (es_test_mean_square (units + 2 * frames, frames), ==, 0);

  /* Out of a line's world: azimuth and elevation. Elements 1 and 3, channels 1 and 0. */
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 1, 1500);
  const EsTestPlace place = es_test_place_direction (35, 20);
  double phases[2];
  for (guint k = 0; k < 2; k++)
    {
      const guint channel = k == 0 ? 1 : 0;
      double s = 0, c = 0;
      for (gsize i = 0; i < frames; i++)
        {
          s += units[channel * frames + i] * sin (2 * G_PI * 50 * i / 8000);
          c += units[channel * frames + i] * cos (2 * G_PI * 50 * i / 8000);
        }
      phases[k] = atan2 (c, s);
    }
  const double late = remainder ((phases[0] - phases[1]) / (2 * G_PI), 1) / 50;
  g_assert_cmpfloat_with_epsilon (late, es_test_sonar_delay (sonar, place, 3) - es_test_sonar_delay (sonar, place, 1),
                                  1e-6);
}

static void
test_truth (void)
{
  g_autoptr (EsParams) params = es_test_scene_params ("array", "line:4,1", "seconds", "2.5", "sources",
                                                      "tone,170,-3,60,harmonics=3,rate=600;noise,10,0,100:200,range=50",
                                                      NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("truth.wav", params);
  g_autofree char *path = g_build_filename (es_test_simulated_folder, "truth_truth.csv", NULL), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 3 + 3 + 1);
  g_assert_true (g_str_has_prefix (lines[0], "source,kind,time_s,bearing_deg,"));
  g_assert_true (g_str_has_prefix (lines[1], "1,tone,0,170,0,inf,-3,60,180,"));
  /* Past the end of a line it comes back on the other side. */
  g_assert_true (g_str_has_prefix (lines[3], "1,tone,2,170,0,inf,"));
  g_assert_true (g_str_has_prefix (lines[2], "1,tone,1,180,0,inf,"));
  g_assert_true (g_str_has_prefix (lines[6], "2,noise,2,10,0,50,0,100,200,"));
}

/* ---- the same bytes ---- */

static void
test_repeatable (void)
{
  g_autoptr (EsParams) params = es_test_scene_params ("array", "line:40,1.5", "seconds", "4", "ambient-spectrum",
                                                      "sea", NULL);
  g_autoptr (EsParams) shorter = es_test_scene_params ("array", "line:40,1.5", "seconds", "1.5", "ambient-spectrum",
                                                       "sea",
                                                       NULL);
  g_autoptr (EsParams) other = es_test_scene_params ("array", "line:40,1.5", "seconds", "1.5", "ambient-spectrum",
                                                     "sea",
                                                     "seed", "2", NULL);
  cpu_set_t all, one;
  gsize frames, fewer;

  g_autoptr (EsRecording) long_one = es_test_simulate ("x.wav", params);
  g_object_unref (es_test_simulate ("y.h5", params));
  if (sched_getaffinity (0, sizeof all, &all) == 0)
    {
      guint cpu = 0;
      while (!CPU_ISSET (cpu, &all))
        cpu++;
      CPU_ZERO (&one);
      CPU_SET (cpu, &one);
      g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
      g_object_unref (es_test_simulate ("z.wav", params));
      g_object_unref (es_test_simulate ("u.h5", params));
      g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
      assert_same_file ("x.wav", "z.wav");
      assert_same_file ("x_truth.csv", "z_truth.csv");
      assert_same_file ("y.h5", "u.h5");
    }

  /* A shorter one is the beginning of a longer one; another seed is another recording. */
  g_autoptr (EsRecording) short_one = es_test_simulate ("s.wav", shorter), changed = es_test_simulate ("o.wav", other);
  g_autofree double *a = es_test_read_units (long_one, &frames), *b = es_test_read_units (short_one, &fewer);
  g_autofree double *c = es_test_read_units (changed, &fewer);
  for (guint k = 0; k < 40; k++)
    g_assert_cmpmem (a + k * frames, fewer * sizeof (double), b + k * fewer, fewer * sizeof (double));
  g_assert_cmpint (memcmp (b, c, fewer * sizeof (double)), !=, 0);
}

/* ---- what is refused ---- */

static void
test_sources (void)
{
  static const char text[] = "noise,123,0,300:440;tone,60,-10,60,harmonics=5,range=12.5;"
                             "propeller,30,-3,200:1000,shaft=2,blades=5,rate=-4,elevation=7,range=400;"
                             "noise,20,-3,300:440,copy=1";
  static const char *const bad[] = {
    "whale,1,2,3", "noise", "noise,1,2", "noise,1,2,300", "noise,1,2,400:300", "tone,1,2,3:4", "tone,x,2,3",
    "tone,1,x,3", "tone,1,2,0", "tone,1,2,-5", "tone,1,2,nan", "tone,1,2,3,shaft=2", "noise,1,2,3:4,harmonics=2",
    "tone,1,2,3,harmonics=0", "tone,1,2,3,harmonics=1.5", "tone,1,2,3,range=0", "tone,1,2,3,range=near",
    "tone,1,2,3,rate", "tone,1,2,3,=", "tone,1,2,3;tone,4", "noise,361,2,3:4", "propeller,1,2,3:4,blades=0",
    "noise,1,2,3:4,elevation=91", "\xff", "noise,1,2,3:4,copy=1", "noise,1,2,3:4;noise,1,2,3:4,copy=2",
    "noise,1,2,3:4;noise,1,2,3:5,copy=1", "tone,1,2,3;noise,1,2,3:4,copy=1", "tone,1,2,3;tone,1,2,3,copy=0.5",
  };
  g_autoptr (GArray) sources = NULL, again = NULL, nothing = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (es_sources_parse (text, &sources, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (sources->len, ==, 4);
  g_assert_cmpuint (g_array_index (sources, EsSource, 3).copy, ==, 1);
  const EsSource *s = (const EsSource *) sources->data;
  g_assert_cmpint (s[2].kind, ==, ES_SOURCE_PROPELLER);
  g_assert_cmpfloat (s[2].bearing_rate, ==, -4);
  g_assert_cmpfloat (s[1].range, ==, 12.5);
  g_assert_true (isinf (s[0].range));
  g_autofree char *written = es_sources_to_text (sources);
  g_assert_true (es_sources_parse (written, &again, &error));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpmem (&s[i], sizeof *s, &g_array_index (again, EsSource, i), sizeof *s);
  g_assert_true (es_sources_parse (" none ;; ", &nothing, &error));
  g_assert_cmpuint (nothing->len, ==, 0);
  g_autofree char *none = es_sources_to_text (nothing);
  g_assert_cmpstr (none, ==, "none");

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GArray) array = NULL;
      g_assert_false (es_sources_parse (bad[i], &array, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      /* A range says between which it has to be. */
      g_assert_cmpint (strstr (bad[i], "range=") != NULL, ==, strstr (error->message, "from 0.001 to") != NULL);
      g_clear_error (&error);
    }
}

static void
assert_refused (EsParams *params, const char *name, GQuark domain, int code, const char *word)
{
  g_autoptr (GFile) file = es_test_simulated_file (name);
  g_autoptr (GError) error = NULL;

  g_assert_false (es_simulate_recording (file, params, NULL, NULL, NULL, &error));
  g_assert_error (error, domain, code);
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
  g_assert_false (g_file_query_exists (file, NULL));
}

static void
cancel (double fraction, gpointer data)
{
  g_cancellable_cancel (data);
}

static guint
count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (es_test_simulated_folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
test_refused (void)
{
  const guint before = count_files ();
  g_autoptr (EsParams) high = es_test_scene_params ("rate", "800", NULL);
  g_autoptr (EsParams) many = es_test_scene_params ("array", "line:1025,1.5", "seconds", "0.1", NULL);
  g_autoptr (EsParams) most = es_test_scene_params ("array", "line:65537,1.5", "seconds", "0.1", NULL);
  g_autoptr (EsParams) missing = es_test_scene_params ("array", "/nowhere/array.csv", NULL);
  g_autoptr (EsParams) slow = es_test_scene_params ("sound-speed", "3", NULL);
  g_autoptr (EsParams) fine = es_test_scene_params ("seconds", "30", NULL);
  g_autoptr (EsParams) brief = es_test_scene_params ("seconds", "0.001", "rate", "10", "sources", "none", NULL);

  assert_refused (high, "no.wav", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "Source 1");
  assert_refused (many, "no.wav", ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "1024");
  assert_refused (most, "no.h5", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "65,536");
  assert_refused (missing, "no.wav", ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "array.csv");
  assert_refused (slow, "no.wav", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "sound-speed");
  assert_refused (fine, "no/where.wav", ES_DATA_ERROR, ES_DATA_ERROR_WRITE, "where.wav");
  assert_refused (brief, "no.wav", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "no sample");

  static const char *const names[] = { "cancel.wav", "cancel.h5", "cancel.sio" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GFile) file = es_test_simulated_file (names[i]);
      g_autoptr (GError) error = NULL;
      g_assert_false (es_simulate_recording (file, fine, cancel, cancellable, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  g_assert_cmpuint (count_files (), ==, before);

  g_autoptr (EsParams) params = es_params_new (es_simulate_recording_params);
  g_autoptr (GError) error = NULL;
  g_assert_false (es_params_parse (params, "sources", "whale,3", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);
  g_assert_false (es_params_parse (params, "array", "line:0,2", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_true (es_params_is_default (params));
}

/* More channels than a sound file has, and a long way from end to end. */
static void
test_large (void)
{
  g_autoptr (EsParams) params = es_test_scene_params ("array", "line:4096,1.5", "seconds", "0.5", "rate", "2000",
                                                      "sources",
                                                      "noise,30,0,100:900", "ambient", "-200", "type", "float32", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("large.h5", params);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);

  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 4096);
  for (guint k = 0; k < 4096; k += 455)
    g_assert_cmpfloat_with_epsilon (10 * log10 (es_test_mean_square (units + k * frames, frames)), 0, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_simulated_folder = g_dir_make_tmp ("eigenscope-simulate-XXXXXX", NULL);
  g_test_add_func ("/simulate-recording/formats", test_formats);
  g_test_add_func ("/simulate-recording/integers", test_integers);
  g_test_add_func ("/simulate-recording/array-file", test_array_file);
  g_test_add_func ("/simulate-recording/truth", test_truth);
  g_test_add_func ("/simulate-recording/repeatable", test_repeatable);
  g_test_add_func ("/simulate-recording/sources", test_sources);
  g_test_add_func ("/simulate-recording/refused", test_refused);
  g_test_add_func ("/simulate-recording/large", test_large);
  int status = g_test_run ();

  es_test_remove_folder (es_test_simulated_folder);
  return status;
}
