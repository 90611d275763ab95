/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Array health: nobody is blamed in ordinary scenes, and who is broken is found with the right number. */

#include <math.h>
#include <string.h>

#include "es-test-scene.h"
#include "operations/es-operations.h"

#define RATE 4000.0
#define FRAMES ((gsize) 1 << 16)
#define LOW 15.0
#define HIGH 1500.0

static EsResult *
run (EsRecording *recording, const char *first, ...)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("health", &error);
  va_list more;

  g_assert_no_error (error);
  va_start (more, first);
  g_autoptr (EsParams) params = es_test_params (operation->params, first, more);
  va_end (more);
  g_autoptr (EsJob) job = es_job_new (operation, ES_DATASET (recording), params, es_device_get_cpu (), NULL, NULL);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static const EsElementFinding *
findings_of (EsResult *result)
{
  guint n;
  const EsElementFinding *findings = es_health_get_findings (result, &n);

  g_assert_nonnull (findings);
  return findings;
}

/* ---- arrays ---- */

static EsArray *
make_array (guint n, void (*place) (guint i, guint n, EsElement *element))
{
  g_autofree EsElement *elements = g_new0 (EsElement, n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      elements[i] = (EsElement) { .channel = i, .gain = 1 };
      place (i, n, &elements[i]);
    }
  EsArray *array = es_array_new (elements, n, &error);
  g_assert_no_error (error);
  return array;
}

static void
place_line (guint i, guint n, EsElement *e)
{
  e->x = 1.5 * i;
}

/* Too far apart for waves that are there to tell signs by themselves; and for any. */
static void
place_sparse (guint i, guint n, EsElement *e)
{
  e->x = 20.0 * i;
}

static void
place_far (guint i, guint n, EsElement *e)
{
  e->x = 400.0 * i;
}

static void
place_circle (guint i, guint n, EsElement *e)
{
  const double radius = 1.5 / (2 * sin (G_PI / n));

  e->x = radius * cos (2 * G_PI * i / n);
  e->y = radius * sin (2 * G_PI * i / n);
}

static void
place_grid (guint i, guint n, EsElement *e)
{
  const guint side = (guint) rint (sqrt (n));

  e->x = 1.5 * (i % side);
  e->y = 1.5 * (i / side);
}

static void
place_scatter (guint i, guint n, EsElement *e)
{
  guint64 seed = 7 + i;
  const guint side = (guint) ceil (sqrt (n));

  for (guint k = 0; k < 5; k++)
    es_test_uniform (&seed);
  e->x = 1.5 * (i % side) + 0.9 * es_test_uniform (&seed);
  e->y = 1.5 * (i / side) + 0.9 * es_test_uniform (&seed);
  e->z = 0.6 * es_test_uniform (&seed);
}

/* Elements ever further apart, as in arrays with nested apertures. */
static void
place_nested (guint i, guint n, EsElement *e)
{
  const int k = (int) i - (int) n / 2;

  e->x = 1.5 * (k + 0.03 * k * abs (k));
}

static const struct
{
  const char *name;
  void (*place) (guint i, guint n, EsElement *element);
  guint n;
} arrays[] = {
  { "line-2", place_line, 2 }, { "line-3", place_line, 3 }, { "line-4", place_line, 4 }, { "line-6", place_line, 6 },
  { "line-12", place_line, 12 }, { "line-32", place_line, 32 },
  { "circle-7", place_circle, 7 }, { "circle-24", place_circle, 24 }, { "grid-36", place_grid, 36 },
  { "scatter-20", place_scatter, 20 }, { "scatter-48", place_scatter, 48 }, { "nested-25", place_nested, 25 },
  { "sparse-12", place_sparse, 12 }, { "far-8", place_far, 8 },
};

/* ---- scenes ---- */

static EsTestPlace
far_at (double azimuth)
{
  return es_test_place_direction (azimuth, 0);
}

static void
diffuse (EsTestScene *s)
{
  es_test_scene_add_diffuse (s, 80, LOW, HIGH, 1);
}

static void
one_ship (EsTestScene *s)
{
  es_test_scene_add_source (s, far_at (57), LOW, HIGH, 1);
}

static void
two_ships (EsTestScene *s)
{
  es_test_scene_add_source (s, far_at (40), LOW, HIGH, 1);
  es_test_scene_add_source (s, far_at (140), LOW, HIGH, 0.6);
  es_test_scene_add_diffuse (s, 36, LOW, HIGH, 0.2);
}

static void
broadside (EsTestScene *s)
{
  es_test_scene_add_source (s, far_at (90), LOW, HIGH, 1);
}

static void
endfire (EsTestScene *s)
{
  es_test_scene_add_source (s, far_at (0), LOW, HIGH, 1);
}

static void
both_ends (EsTestScene *s)
{
  es_test_scene_add_source (s, far_at (0), LOW, HIGH, 1);
  es_test_scene_add_source (s, far_at (180), LOW, HIGH, 0.8);
}

static void
tones (EsTestScene *s)
{
  es_test_scene_add_diffuse (s, 36, LOW, HIGH, 0.1);
  es_test_scene_add_tone (s, far_at (30), 49.9, 10);
  es_test_scene_add_tone (s, far_at (30), 120, 5);
  es_test_scene_add_tone (s, far_at (110), 203, 10);
}

/* Nearer than the array is long. */
static void
near_by (EsTestScene *s)
{
  const double length = es_array_get_length (s->array);

  es_test_scene_add_source (s, es_test_place_point (0.2 * length, fmax (0.75 * length, 4), 1), LOW, HIGH, 1);
  es_test_scene_add_diffuse (s, 36, LOW, HIGH, 0.1);
}

static void
falling (EsTestScene *s)
{
  /* Noise of the sea falls towards high frequencies, and the rest is electronics. */
  es_test_scene_add_diffuse (s, 36, LOW, 60, 1);
  es_test_scene_add_source (s, far_at (75), 30, 120, 0.5);
  es_test_scene_add_source (s, far_at (20), 100, HIGH, 0.3);
}

static void
silent (EsTestScene *s)
{
}

static const struct
{
  const char *name;
  void (*fill) (EsTestScene *scene);
} scenes[] = {
  { "diffuse", diffuse }, { "one-ship", one_ship }, { "two-ships", two_ships }, { "broadside", broadside },
  { "endfire", endfire }, { "both-ends", both_ends }, { "tones", tones }, { "near", near_by }, { "falling", falling },
  { "own-noise", silent },
};

/* ---- nobody is blamed ---- */

static guint
count_blamed (EsArray *array, void (*fill) (EsTestScene *), double own, guint64 seed, const char *name)
{
  g_autoptr (EsTestScene) scene = es_test_scene_new (array, RATE, FRAMES, seed);
  guint blamed = 0;

  fill (scene);
  es_test_scene_add_own (scene, LOW, HIGH, own);
  /* Gains as they are delivered. */
  for (guint i = 0; i < scene->n; i++)
    es_test_scene_break (scene, i, pow (10, (2 * es_test_uniform (&scene->seed) - 1) / 20), 0);
  g_autoptr (EsRecording) recording = es_test_scene_record (scene);
  g_autoptr (EsResult) result = run (recording, NULL);
  const EsElementFinding *findings = findings_of (result);

  for (guint i = 0; i < scene->n; i++)
    if (findings[i].flags != 0)
      {
        g_autofree char *what = es_health_describe (&findings[i]);

        g_test_message ("%s: element %u is said to be %s (%.2f dB, coherence %.3f, delay %.1f +- %.1f us)", name, i + 1,
                        what, findings[i].deviation, findings[i].coherence, findings[i].delay * 1e6,
                        findings[i].delay_error * 1e6);
        blamed++;
      }
  return blamed;
}

static void
test_nobody (gconstpointer data)
{
  const guint k = GPOINTER_TO_UINT (data);
  g_autoptr (EsArray) array = make_array (arrays[k].n, arrays[k].place);
  guint blamed = 0;

  for (guint s = 0; s < G_N_ELEMENTS (scenes); s++)
    for (guint quiet = 0; quiet < 2; quiet++)
      {
        /* Every other one by turns; -m thorough: all of them. */
        if (!g_test_thorough () && (s + k + quiet) % 2 == 0)
          continue;
        g_autofree char *name = g_strdup_printf ("%s, %s, own noise %s", arrays[k].name, scenes[s].name,
                                                 quiet ? "low" : "high");
        blamed += count_blamed (array, scenes[s].fill, quiet ? 1e-4 : 0.3, 100 * k + 10 * s + quiet + 1, name);
      }
  if (blamed > 0)
    g_test_fail ();
}

/* ---- who is broken is found ---- */

static const EsElementFinding *
hear_broken (EsTestScene *scene, EsResult **result)
{
  g_autoptr (EsRecording) recording = es_test_scene_record (scene);

  *result = run (recording, NULL);
  return findings_of (*result);
}

static void
assert_only (const EsElementFinding *findings, guint n, const guint *elements, const guint *flags, guint count)
{
  for (guint i = 0; i < n; i++)
    {
      guint expected = 0;
      g_autofree char *what = es_health_describe (&findings[i]);

      for (guint k = 0; k < count; k++)
        expected = elements[k] == i ? flags[k] : expected;
      if (findings[i].flags != expected)
        {
          g_test_message ("element %u is said to be %s (%.2f dB, coherence %.3f, polarity %g, delay %.1f +- %.1f us)",
                          i + 1, what, findings[i].deviation, findings[i].coherence, findings[i].polarity,
                          findings[i].delay * 1e6, findings[i].delay_error * 1e6);
          g_test_fail ();
        }
    }
}

static EsTestScene *
fill_scene (EsArray *array, void (*fill) (EsTestScene *), double own, guint64 seed)
{
  EsTestScene *scene = es_test_scene_new (array, RATE, FRAMES, seed);

  fill (scene);
  es_test_scene_add_own (scene, LOW, HIGH, own);
  return scene;
}

/* In every scene that says anything, on every array that is large enough: an end, and two neighbours of the midst. */
static void
test_reversed (gconstpointer data)
{
  const guint k = GPOINTER_TO_UINT (data);
  g_autoptr (EsArray) array = make_array (arrays[k].n, arrays[k].place);
  const guint n = arrays[k].n;
  const guint elements[] = { 0, n / 2, n / 2 + 1 };
  const guint flags[] = { ES_FINDING_REVERSED, ES_FINDING_REVERSED, ES_FINDING_REVERSED };
  const guint count = n >= 12 ? 3 : 1;

  /* Of three it might be any; of those far apart one alone may stay unjudged, which is not tested here. */
  if (n < 4 || arrays[k].place == place_far || arrays[k].place == place_sparse)
    return;
  for (guint s = 0; s + 1 < G_N_ELEMENTS (scenes); s++)
    {
      if (!g_test_thorough () && (s + k) % 2 == 0)
        continue;

      g_autoptr (EsTestScene) scene = fill_scene (array, scenes[s].fill, 0.01, 31 * k + s + 5);
      g_autoptr (EsResult) result = NULL;

      for (guint i = 0; i < count; i++)
        es_test_scene_break (scene, elements[i], -1, 0);
      g_test_message ("%s, %s", arrays[k].name, scenes[s].name);
      assert_only (hear_broken (scene, &result), n, elements, flags, count);
    }
}

/* Half a sample, and more than sound takes to the neighbour; each by 0.05 samples. */
static void
test_late (gconstpointer data)
{
  const guint s = GPOINTER_TO_UINT (data);
  g_autoptr (EsArray) array = make_array (32, place_line);
  const guint elements[] = { 3, 4, 17, 31 };
  const double samples[] = { 0.5, -0.7, 9.3, 1 };
  const guint flags[] = { ES_FINDING_LATE, ES_FINDING_EARLY, ES_FINDING_LATE, ES_FINDING_LATE };
  g_autoptr (EsTestScene) scene = fill_scene (array, scenes[s].fill, 1e-3, s + 77);
  g_autoptr (EsResult) result = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    es_test_scene_break (scene, elements[i], 1, samples[i] / RATE);
  const EsElementFinding *findings = hear_broken (scene, &result);
  assert_only (findings, 32, elements, flags, G_N_ELEMENTS (elements));
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      g_test_message ("%s: element %u, %g samples: %.3f +- %.3f", scenes[s].name, elements[i] + 1, samples[i],
                      findings[elements[i]].delay * RATE, findings[elements[i]].delay_error * RATE);
      /* A source beside the array, nearer than it is long, takes part of it from the last element. */
      if (!(fabs (findings[elements[i]].delay * RATE - samples[i]) < (scenes[s].fill == near_by ? 0.15 : 0.05)))
        g_test_fail ();
    }
}

/* Levels by 0.1 dB, and everything that has to do with them. */
static void
test_levels (void)
{
  g_autoptr (EsArray) array = make_array (24, place_line);
  g_autoptr (EsTestScene) scene = fill_scene (array, diffuse, 0.01, 3);
  const guint elements[] = { 2, 3, 9, 15, 20, 23 };
  const guint flags[] = { ES_FINDING_HOT, ES_FINDING_QUIET, ES_FINDING_DEAD, ES_FINDING_NOISY, ES_FINDING_DEAD,
                          ES_FINDING_HOT | ES_FINDING_REVERSED };
  g_autoptr (EsResult) result = NULL;

  es_test_scene_break (scene, 2, pow (10, 8.0 / 20), 0);
  es_test_scene_break (scene, 3, pow (10, -9.0 / 20), 0);
  es_test_scene_break (scene, 9, 0, 0);
  es_test_scene_add_own_to (scene, 15, LOW, HIGH, 5);
  /* A cable that is torn: a little noise of its own. */
  es_test_scene_break (scene, 20, 0, 0);
  es_test_scene_add_own_to (scene, 20, LOW, HIGH, 0.02);
  es_test_scene_break (scene, 23, -pow (10, 7.0 / 20), 0);
  const EsElementFinding *findings = hear_broken (scene, &result);
  assert_only (findings, 24, elements, flags, G_N_ELEMENTS (elements));
  /* The whole length is one realisation that all share: what is measured is the gains. */
  g_assert_cmpfloat_with_epsilon (findings[2].level, 8, 0.1);
  g_assert_cmpfloat_with_epsilon (findings[3].level, -9, 0.1);
  g_assert_cmpfloat_with_epsilon (findings[23].level, 7, 0.1);
  g_assert_true (isinf (findings[9].level));
}

/* What samples alone tell, and what the table says of it. */
static void
test_samples (void)
{
  g_autoptr (EsArray) array = make_array (8, place_line);
  g_autoptr (EsTestScene) scene = fill_scene (array, one_ship, 0.01, 4);
  float *samples = es_test_scene_render (scene);
  g_autoptr (GError) error = NULL;

  for (gsize t = 0; t < FRAMES; t++)
    {
      samples[8 * t + 1] = CLAMP (samples[8 * t + 1] * 80, -1, 1);
      samples[8 * t + 3] = 0.25;
      samples[8 * t + 5] += 0.125;
      samples[8 * t + 6] = t % 4 == 0 ? NAN : samples[8 * t + 6];
    }
  g_autoptr (EsRecording) recording = es_recording_new_in_memory (samples, ESK_F32, 8, RATE, FRAMES, FALSE, samples,
                                                                  g_free, &error);
  g_assert_no_error (error);
  es_recording_set_array (recording, array);
  g_autoptr (EsResult) result = run (recording, NULL);
  const EsElementFinding *findings = findings_of (result);
  EsTable *table = ES_TABLE (es_result_find_layer (result, "elements"));

  g_assert_true (findings[1].flags & ES_FINDING_CLIPPED);
  g_assert_cmpuint (findings[3].flags, ==, ES_FINDING_DEAD);
  g_assert_cmpuint (findings[5].flags, ==, 0);
  g_assert_cmpfloat (es_table_get_value (table, 1, 12), >, 10);                 /* clipped, % */
  g_assert_cmpfloat (es_table_get_value (table, 3, 14), >, 99);                 /* held, % */
  g_assert_cmpfloat_with_epsilon (es_table_get_value (table, 5, 16), 12.5, 0.1);  /* offset, % */
  g_assert_cmpfloat_with_epsilon (es_table_get_value (table, 6, 15), 25, 0.1);  /* no numbers, % */
  g_assert_cmpstr (es_table_get_text (table, 3, 2), ==, "dead");
}

/* Who is left out is not judged and judges nobody; mended arrays are fine. */
static void
test_mending (void)
{
  g_autoptr (EsArray) array = make_array (16, place_line);
  g_autoptr (EsTestScene) scene = fill_scene (array, two_ships, 0.01, 5);
  guint n;

  es_test_scene_break (scene, 4, -1, 0);
  es_test_scene_break (scene, 8, 0, 0);
  es_test_scene_break (scene, 12, 1, 3 / RATE);
  g_autoptr (EsRecording) recording = es_test_scene_record (scene);
  g_autoptr (EsResult) result = run (recording, NULL);
  const EsElementFinding *findings = es_health_get_findings (result, &n);
  g_autofree char *summary = es_health_get_summary (result);

  g_assert_cmpuint (n, ==, 16);
  g_assert_cmpstr (summary, ==, "Element 9 is dead. Element 5 is reversed. Element 13 is late.");
  g_autoptr (EsArray) mended = es_health_mend (array, findings, n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (es_array_get_elements (mended)[i].dead, ==, i == 8 || i == 12);
      g_assert_cmpfloat (es_array_get_elements (mended)[i].gain, ==, i == 4 ? -1 : 1);
    }
  es_recording_set_array (recording, mended);
  g_autoptr (EsResult) again = run (recording, NULL);
  findings = findings_of (again);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (findings[i].flags, ==, i == 8 || i == 12 ? ES_FINDING_LEFT_OUT : 0);
  g_autoptr (EsArray) same = es_health_mend (mended, findings, n);
  g_assert_true (es_array_equal (same, mended));
}

/* Where it cannot be known, nothing is claimed. */
static void
test_unjudged (void)
{
  g_autoptr (EsArray) two = make_array (2, place_line), many = make_array (9, place_line);
  g_autoptr (EsTestScene) pair = fill_scene (two, one_ship, 0.01, 6);
  g_autoptr (EsTestScene) noise = fill_scene (many, silent, 1, 7);
  g_autoptr (EsResult) of_pair = NULL, of_noise = NULL;

  es_test_scene_break (pair, 1, -1, 0);
  const EsElementFinding *findings = hear_broken (pair, &of_pair);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (findings[i].flags, ==, 0);
      g_assert_true (isnan (findings[i].polarity) && isnan (findings[i].delay));
    }
  g_assert_true (es_test_says (es_result_get_warnings (of_pair), "three hydrophones"));
  findings = hear_broken (noise, &of_noise);
  for (guint i = 0; i < 9; i++)
    g_assert_true (findings[i].flags == 0 && isnan (findings[i].polarity) && isnan (findings[i].delay));
  g_assert_true (es_test_says (es_result_get_warnings (of_noise), "next to nothing in common"));

  g_autoptr (EsTestScene) scene = fill_scene (many, one_ship, 0.01, 8);
  es_test_scene_break (scene, 3, 0, 0);
  g_autoptr (EsRecording) recording = es_test_scene_record (scene);
  es_recording_set_array (recording, NULL);
  g_autoptr (EsResult) of_channels = run (recording, NULL);
  findings = findings_of (of_channels);
  for (guint i = 0; i < 9; i++)
    {
      g_assert_cmpuint (findings[i].flags, ==, i == 3 ? ES_FINDING_DEAD : 0);
      g_assert_true (isnan (findings[i].polarity));
    }
  g_assert_true (es_test_says (es_result_get_warnings (of_channels), "where the hydrophones are"));
}

/* A large array; some of everything, and pieces spread over it. */
static void
test_large (void)
{
  g_autoptr (EsArray) array = make_array (512, place_line);
  g_autoptr (EsTestScene) scene = es_test_scene_new (array, RATE, FRAMES / 4, 9);
  const guint elements[] = { 0, 100, 101, 300, 511 };
  const guint flags[] = { ES_FINDING_REVERSED, ES_FINDING_REVERSED, ES_FINDING_DEAD, ES_FINDING_EARLY,
                          ES_FINDING_REVERSED };
  g_autoptr (EsResult) result = NULL;

  es_test_scene_add_diffuse (scene, 24, LOW, 600, 1);
  es_test_scene_add_source (scene, far_at (33), LOW, 600, 1);
  es_test_scene_add_own (scene, LOW, 600, 0.1);
  es_test_scene_break (scene, 0, -1, 0);
  es_test_scene_break (scene, 100, -1, 0);
  es_test_scene_break (scene, 101, 0, 0);
  es_test_scene_break (scene, 300, 1, -2 / RATE);
  es_test_scene_break (scene, 511, -1, 0);
  assert_only (hear_broken (scene, &result), 512, elements, flags, G_N_ELEMENTS (elements));
}

static void
test_refused (void)
{
  g_autoptr (EsArray) array = make_array (4, place_line);
  g_autoptr (EsTestScene) scene = fill_scene (array, one_ship, 0.01, 10);
  g_autoptr (EsRecording) recording = es_test_scene_record (scene);
  const EsOperation *operation = es_operation_find ("health", NULL);
  const struct { const char *key, *value, *says; } bad[] = {
    { "from", "100", "nothing to listen to" }, { "to", "0.05", "too short" }, { "band", "100:4000", "nothing above" },
    { "band", "100:100.001", "fewer than two" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsParams) params = es_params_new (operation->params);

      g_assert_true (es_params_parse (params, bad[i].key, bad[i].value, &error));
      g_autoptr (EsJob) job = es_job_new (operation, ES_DATASET (recording), params, es_device_get_cpu (), NULL, NULL);
      g_autoptr (EsResult) result = es_job_run (job, &error);
      g_assert_null (result);
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_nonnull (strstr (error->message, bad[i].says));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < G_N_ELEMENTS (arrays); k++)
    {
      g_autofree char *path = g_strdup_printf ("/health/nobody/%s", arrays[k].name);
      g_test_add_data_func (path, GUINT_TO_POINTER (k), test_nobody);
      g_autofree char *reversed = g_strdup_printf ("/health/reversed/%s", arrays[k].name);
      g_test_add_data_func (reversed, GUINT_TO_POINTER (k), test_reversed);
    }
  for (guint s = 0; s + 1 < G_N_ELEMENTS (scenes); s++)
    {
      g_autofree char *path = g_strdup_printf ("/health/late/%s", scenes[s].name);
      g_test_add_data_func (path, GUINT_TO_POINTER (s), test_late);
    }
  g_test_add_func ("/health/levels", test_levels);
  g_test_add_func ("/health/samples", test_samples);
  g_test_add_func ("/health/mending", test_mending);
  g_test_add_func ("/health/unjudged", test_unjudged);
  g_test_add_func ("/health/large", test_large);
  g_test_add_func ("/health/refused", test_refused);
  return g_test_run ();
}
