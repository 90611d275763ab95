/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What goes with a simulated recording: its array, and where its sources are. */

#include "es-simulate-recording-private.h"

#include <math.h>
#include <string.h>

#include "base/es-text-internal.h"

/* Rows of the truth a source. */
#define MOST_TRUTHS 10000

/* The bearing as people see it: of a line folded to 0 .. 180, of others -180 .. 180. */
static double
bearing_at (const EsRecordingScene *scene, const EsSource *source, double seconds)
{
  const double bearing = source->bearing + source->bearing_rate * seconds / 60;
  const double wrapped = bearing - 360 * floor ((bearing + 180) / 360);

  return es_array_is_line (scene->array) ? fabs (wrapped) : wrapped;
}

GString *
es_recording_scene_tell_truth (const EsRecordingScene *scene)
{
  static const char *const kinds[ES_N_SOURCE_KINDS] = { "tone", "noise", "propeller" };
  const double seconds = scene->frames / scene->rate, step = MAX (1, ceil (seconds / MOST_TRUTHS));
  GString *text = g_string_new (ES_RECORDING_TRUTH_HEAD);

  for (guint i = 0; i < scene->sources->len; i++)
    {
      const EsSource *s = &g_array_index (scene->sources, EsSource, i);
      for (double t = 0; t <= seconds; t += step)
        {
          const double values[] = { t, bearing_at (scene, s, t), s->elevation, s->range, s->level, s->low,
                                    s->kind == ES_SOURCE_TONE ? s->low * s->harmonics : s->high, scene->scale };
          g_string_append_printf (text, "%u,%s", i + 1, kinds[s->kind]);
          for (guint v = 0; v < G_N_ELEMENTS (values); v++)
            {
              g_string_append_c (text, ',');
              es_text_append_number (text, values[v]);
            }
          g_string_append_c (text, '\n');
        }
    }
  return text;
}

/* The array with the gains that turn stored samples into units again. */
EsArray *
es_recording_scene_make_array (const EsRecordingScene *scene, GError **error)
{
  const double full_scale = scene->type == ES_SIMULATE_SAMPLES_INT16 ? 32768 : 1;
  g_autofree EsElement *elements = g_memdup2 (scene->elements, sizeof (EsElement) * scene->n_elements);

  for (guint k = 0; k < scene->n_elements; k++)
    elements[k].gain *= full_scale / scene->scale;
  g_autoptr (EsArray) array = es_array_new (elements, scene->n_elements, error);
  return array != NULL ? es_array_with_sound_speed (array, scene->sound_speed) : NULL;
}

char *
es_recording_truth_path (const char *path)
{
  const char *name = strrchr (path, '/'), *dot = strrchr (path, '.');

  name = name != NULL ? name + 1 : path;
  g_autofree char *stem = dot != NULL && dot > name ? g_strndup (path, dot - path) : g_strdup (path);
  return g_strconcat (stem, "_truth.csv", NULL);
}
