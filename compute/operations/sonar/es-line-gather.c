/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra of one line over time: their waterfall, their mean, and the lines in it. */

#include "es-line-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-limits.h"
#include "es-horizon-private.h"

#define THRESHOLD 2.0
/* Of the host's memory, for the gram; what is larger goes to a file. */
#define LAYER_SHARE ((EsMemoryShare) { .of_limit = 2, .of_machine = 8 })

const EsParamChoice es_line_normaliser_choices[] = {
  { .id = "none", .label = N_("None") },
  { .id = "split-window", .label = N_("Two-pass split window") },
  { .id = "order-truncate", .label = N_("Order-truncate-average") },
  { .id = NULL }
};

const EsParamChoice es_line_levels_choices[] = {
  { .id = "tone", .label = N_("Tones") },
  { .id = "bin", .label = N_("Bins") },
  { .id = "density", .label = N_("Density") },
  { .id = NULL }
};

char *
es_line_levels_name (EsLineLevels levels, const char *squared, const char *plain)
{
  if (levels == ES_LEVELS_TONE)
    return g_strdup (plain);
  /* Translators: what 0 dB is: the power of one bin of a spectrum, "1 µPa² a bin". */
  return levels == ES_LEVELS_BIN ? g_strdup_printf (_("%s a bin"), squared) : g_strdup_printf ("%s/Hz", squared);
}

static void
add_metadata (EsLineGather *self, EsRecording *recording)
{
  static const char *const windows[] = { "rectangular", "hann", "hamming", "blackman" };
  g_autofree char *step = g_strdup_printf ("%.9g", self->step);
  g_autofree char *rate = g_strdup_printf ("%.9g", es_recording_get_rate (recording));
  g_autofree char *window = g_strdup_printf ("%u", self->normaliser.window);
  g_autofree char *gap = g_strdup_printf ("%u", self->normaliser.gap);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GDateTime) start = es_recording_dup_start (recording);

  es_field_add_metadata (self->waterfall, "recording", es_dataset_get_name (ES_DATASET (recording)));
  es_field_add_metadata (self->waterfall, "line", es_line_source_get_title (self->source));
  es_field_add_metadata (self->waterfall, "rate_hz", rate);
  es_field_add_metadata (self->waterfall, "bin_hz", step);
  es_field_add_metadata (self->waterfall, "window", windows[self->window]);
  if (es_param_specs_find (es_params_get_specs (self->params), "levels") != NULL)
    es_field_add_metadata (self->waterfall, "levels", es_params_get_choice_id (self->params, "levels"));
  es_field_add_metadata (self->waterfall, "normaliser", es_params_get_choice_id (self->params, "normaliser"));
  es_field_add_metadata (self->waterfall, "normaliser_window_bins", window);
  es_field_add_metadata (self->waterfall, "normaliser_gap_bins", gap);
  if (*es_params_get_text (self->params, "bearing") != '\0')
    es_field_add_metadata (self->waterfall, "bearing_deg", es_params_get_text (self->params, "bearing"));
  if (start != NULL)
    {
      g_autofree char *began = es_navigation_format_time (start, 0);
      es_field_add_metadata (self->waterfall, "start", began);
    }
  if (array != NULL)
    {
      g_autofree char *geometry = es_array_to_json (array);
      es_field_add_metadata (self->waterfall, "array", geometry);
    }
}

static guint
to_bins (double hertz, double step, guint n)
{
  return (guint) CLAMP (floor (hertz / step + 0.5), 0, n);
}

EsLineGather *
es_line_gather_new (EsRecording *recording, EsParams *params, EsLineSource *source, const char *id, const char *title,
                    guint n, double first, double step, EsWindowKind window, EsLineLevels levels,
                    const char *reference, const EsLimits *limits, GError **error)
{
  g_autoptr (EsLineGather) self = g_new0 (EsLineGather, 1);
  const EsNormaliserKind kind = es_params_get_choice (params, "normaliser");
  const guint64 memory = es_limits_get_host_memory (limits, LAYER_SHARE);
  g_autofree double *frequencies = g_new (double, n);
  const EsAxis rows = { _("Time"), (char *) "s", 0, NULL }, columns = { _("Frequency"), (char *) "Hz", n, frequencies };

  self->params = params;
  self->navigation = es_recording_dup_navigation (recording);
  self->source = source;
  self->n = n;
  self->first = first;
  self->step = step;
  self->window = window;
  self->scale = levels == ES_LEVELS_TONE ? es_window_get_noise_bandwidth (window)
                : levels == ES_LEVELS_DENSITY ? 1 / step : 1;
  self->is_normalised = kind != ES_NORMALISER_NONE;
  self->normaliser = (EsNormaliser) {
    .kind = self->is_normalised ? kind : ES_NORMALISER_SPLIT_WINDOW,
    .window = MAX (to_bins (es_params_get_float (params, "background"), step, n), 2),
    .gap = MAX (to_bins (es_params_get_float (params, "gap"), step, n), 1), .threshold = THRESHOLD,
  };
  self->sums = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    frequencies[i] = first + i * step;
  self->waterfall = es_field_new (id, title, ES_LAYER_WATERFALL, id, &rows, &columns, MAX (memory, 1), error);
  if (self->waterfall == NULL)
    return NULL;
  es_field_set_reference (self->waterfall, self->is_normalised ? _("background") : reference, NULL);
  add_metadata (self, recording);
  return g_steal_pointer (&self);
}

void
es_line_gather_free (EsLineGather *self)
{
  g_clear_object (&self->waterfall);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  g_free (self->sums);
  g_free (self);
}

/* ---- lines ---- */

static int
compare_lines (const void *a, const void *b)
{
  const EsSpectralLine *p = a, *q = b;

  return p->excess != q->excess ? (p->excess < q->excess) - (p->excess > q->excess)
                                : (p->frequency > q->frequency) - (p->frequency < q->frequency);
}

EsSpectralLine *
es_line_gather_find_lines (EsLineGather *self, guint *n_lines)
{
  const guint n = self->n, most = (guint) es_params_get_int (self->params, "lines");
  const double threshold = es_params_get_float (self->params, "line-threshold");
  g_autofree float *mean = g_new (float, n), *excess = g_new (float, n);
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (EsSpectralLine));

  for (guint i = 0; i < n; i++)
    mean[i] = (float) (self->sums[i] / MAX (self->rows, 1));
  es_normalise_line (&self->normaliser, mean, 1, n, excess, 1);
  for (guint i = 1; i + 1 < n; i++)
    {
      if (!(mean[i] > mean[i - 1]) || !(mean[i] >= mean[i + 1]) || !(10 * log10 (excess[i]) >= threshold))
        continue;
      const double bins[3] = { mean[i - 1], mean[i], mean[i + 1] };
      double offset, power;
      es_tone_measure (self->window, 1, bins, mean[i] / excess[i], &offset, &power);
      const EsSpectralLine line = { self->first + (i + offset) * self->step, 10 * log10 (power),
                                    10 * log10 (excess[i]) };
      g_array_append_val (lines, line);
    }
  g_array_sort (lines, compare_lines);
  *n_lines = MIN (lines->len, most);
  return (EsSpectralLine *) g_array_free (lines, FALSE);
}

/* ---- layers ---- */

static EsCurve *
make_spectrum (EsLineGather *self, const char *reference)
{
  const guint n = self->n;
  g_autofree double *x = g_new (double, n), *levels = g_new (double, n), *background = g_new (double, n);
  g_autofree float *mean = g_new (float, n), *excess = g_new (float, n);
  g_autofree char *unit = g_strdup_printf ("dB re %s", reference);
  EsCurve *curve;

  for (guint i = 0; i < n; i++)
    mean[i] = (float) (self->sums[i] / MAX (self->rows, 1));
  es_normalise_line (&self->normaliser, mean, 1, n, excess, 1);
  for (guint i = 0; i < n; i++)
    {
      x[i] = self->first + i * self->step;
      levels[i] = mean[i] > 0 ? 10 * log10 (mean[i] * self->scale) : mean[i] == 0 ? -INFINITY : NAN;
      background[i] = excess[i] > 0 ? levels[i] - 10 * log10 (excess[i]) : NAN;
    }
  curve = es_curve_new ("spectrum", _("Mean spectrum"), "spectrum", n, x, _("Frequency"), "Hz");
  es_curve_add_series (curve, es_line_source_get_title (self->source), unit, ES_CURVE_LINE, FALSE, levels);
  es_curve_add_series (curve, _("Background"), unit, ES_CURVE_LINE, FALSE, background);
  return curve;
}

void
es_line_gather_publish (EsLineGather *self, EsResult *result, const char *reference, const char *lines_reference,
                        const EsSpectralLine *lines, guint n_lines, JsonObject *values)
{
  g_autoptr (EsCurve) spectrum = make_spectrum (self, reference);
  /* Translators: lines of a spectrum, and what 0 dB of their levels is: "Lines, dB re 1 µPa". */
  g_autofree char *heading = g_strdup_printf (_("Lines, dB re %s"), lines_reference);
  g_autoptr (EsTable) table = es_table_new ("lines", heading);
  JsonArray *array = json_array_new ();

  es_table_add_column (table, _("Frequency"), "Hz", 3);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Over the background"), "dB", 2);
  for (guint i = 0; i < n_lines; i++)
    {
      JsonObject *line = json_object_new ();

      es_table_add_row (table, (gconstpointer[]) { &lines[i].frequency, &lines[i].level, &lines[i].excess });
      json_object_set_double_member (line, "frequency_hz", lines[i].frequency);
      json_object_set_double_member (line, "level_db", lines[i].level);
      json_object_set_double_member (line, "excess_db", lines[i].excess);
      json_array_add_object_element (array, line);
    }
  json_object_set_string_member (values, "line", es_line_source_get_title (self->source));
  json_object_set_int_member (values, "rows", (gint64) self->rows);
  json_object_set_int_member (values, "bins", self->n);
  json_object_set_double_member (values, "bin_hz", self->step);
  json_object_set_string_member (values, "level_reference", lines_reference);
  json_object_set_string_member (values, "spectrum_reference", reference);
  json_object_set_array_member (values, "lines", array);
  es_horizon_add_headings (self->waterfall, self->navigation);
  es_result_add_layer (result, ES_LAYER (self->waterfall));
  es_result_add_layer (result, ES_LAYER (spectrum));
  es_result_add_layer (result, ES_LAYER (table));
  es_calibration_add_values (es_line_source_get_calibration (self->source), values);
  es_result_set_values (result, values);
  es_line_source_warn (self->source, result);
}
