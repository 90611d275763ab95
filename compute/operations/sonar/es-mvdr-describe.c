/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The result of adaptive beamforming: layers, values, warnings. */

#include "es-mvdr-private.h"
#include "base/es-text-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "es-sonar-operations-internal.h"
#include "signal/es-source-count.h"

static int
compare_counts (const void *a, const void *b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/* The median over blocks, the lower of two; sorts them. */
static guint
median_of (GArray *counts)
{
  qsort (counts->data, counts->len, sizeof (guint), compare_counts);
  return g_array_index (counts, guint, (counts->len - 1) / 2);
}

/* ---- eigenvalues ---- */

static EsField *
make_eigenvalues (EsMvdr *self, GError **error)
{
  const EsBeamSettings *settings = self->gather.settings;
  const guint n_bins = settings->n_bins, n = self->gather.n_eigenvalues;
  g_autofree double *frequencies = g_new (double, n_bins), *numbers = g_new (double, n);
  const EsAxis rows = { _("Frequency"), (char *) "Hz", n_bins, frequencies };
  const EsAxis columns = { _("Eigenvalue"), NULL, n, numbers };
  EsField *layer;

  for (guint b = 0; b < n_bins; b++)
    frequencies[b] = es_beam_settings_get_frequency (settings, settings->first_bin + b);
  for (guint i = 0; i < n; i++)
    numbers[i] = i + 1;
  layer = es_field_new ("eigenvalues", _("Eigenvalues"), ES_LAYER_FIELD, "eigenvalues", &rows, &columns, 0, error);
  for (gsize i = 0; layer != NULL && i < (gsize) n_bins * n; i++)
    es_field_get_writable (layer)[i] = (float) self->gather.eigenvalues[i];
  return layer;
}

/* The power of noise in an element and bin, mean over bins: eigenvalues beyond the rank are 0, and count. */
static double
find_floor (EsMvdr *self, guint n_sources)
{
  const guint n_bins = self->gather.settings->n_bins, n = self->gather.n_eigenvalues;
  double sum = 0;

  if (n_sources >= n)
    return NAN;
  for (guint b = 0; b < n_bins; b++)
    sum += es_noise_floor (self->gather.eigenvalues + (gsize) b * n, n, n_sources);
  return sum / n_bins * (n - n_sources) / (MAX (self->n_alive, n) - n_sources);
}

/* ---- methods ---- */

static EsTable *
make_methods (EsMvdr *self)
{
  EsTable *table = es_table_new ("methods", _("Methods"));

  es_table_add_column (table, _("Method"), NULL, -1);
  es_table_add_column (table, _("Total"), "ms", 3);
  es_table_add_column (table, _("Matrix"), "ms", 3);
  es_table_add_column (table, _("Factor"), "ms", 3);
  es_table_add_column (table, _("Azimuth spectrum"), "ms", 3);
  es_table_add_column (table, _("Difference"), "10⁻⁹", 3);
  es_table_add_column (table, _("Bearing"), "°", 2);
  es_table_add_column (table, _("Sweeps"), NULL, 0);
  es_table_add_column (table, _("Rotations"), NULL, 0);
  es_table_add_column (table, _("Remark"), NULL, -1);
  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS - 1; i++)
    {
      const EsAdaptiveRoute *route = &self->routes[i];
      const gboolean used = route->refusal == NULL, rotates = used && route->method == ES_ADAPTIVE_JACOBI;
      const double numbers[] = {
        used ? route->total_ms : NAN, used ? route->matrix_ms : NAN, used ? route->factor_ms : NAN,
        used ? route->spectrum_ms : NAN, used ? 1e9 * route->difference : NAN, used ? route->bearing : NAN,
        rotates ? route->sweeps : NAN, rotates ? (double) route->rotations : NAN,
      };
      const gconstpointer cells[] = { es_adaptive_method_get_name (route->method), &numbers[0], &numbers[1],
                                      &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6], &numbers[7],
                                      used ? "" : route->refusal };
      es_table_add_row (table, cells);
    }
  return table;
}

static JsonArray *
list_methods (EsMvdr *self)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS - 1; i++)
    {
      const EsAdaptiveRoute *route = &self->routes[i];
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "method", es_adaptive_method_get_id (route->method));
      if (route->refusal != NULL)
        json_object_set_string_member (object, "refusal", route->refusal);
      else
        {
          es_beam_layers_set_number (object, "total_ms", route->total_ms);
          es_beam_layers_set_number (object, "matrix_ms", route->matrix_ms);
          es_beam_layers_set_number (object, "factor_ms", route->factor_ms);
          es_beam_layers_set_number (object, "spectrum_ms", route->spectrum_ms);
          es_beam_layers_set_number (object, "difference", route->difference);
          es_beam_layers_set_number (object, "bearing_deg", route->bearing);
          json_object_set_int_member (object, "sweeps", route->sweeps);
          json_object_set_int_member (object, "rotations", (gint64) route->rotations);
        }
      json_array_add_object_element (array, object);
    }
  return array;
}

/* ---- values ---- */

static guint
find_peaks (EsMvdr *self, EsBeamKind kind, EsBeamPeak *peaks)
{
  const EsBeamSettings *settings = self->gather.settings;
  g_autofree float *field = es_beam_layers_copy_field (&self->gather, kind);

  g_autofree float *spectra = es_beam_layers_copy_spectra (&self->gather, kind);
  const EsBeamCurve curve = es_beam_layers_get_curve (&self->gather, kind, field, spectra);

  return es_find_peaks_of_field (&curve, settings->n_ranges, self->gather.n_peaks, self->gather.peak_range,
                                 self->gather.peak_distance, peaks);
}

static void
add_values (EsMvdr *self, JsonObject *values)
{
  const EsBeamSettings *settings = self->gather.settings;
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, self->gather.n_peaks);

  guint n = find_peaks (self, ES_BEAM_CBF, peaks);

  json_object_set_array_member (values, "peaks_cbf", es_beam_layers_list_peaks (&self->gather, peaks, n));
  if (settings->adaptive.sources > 0)
    {
      n = find_peaks (self, ES_BEAM_MUSIC, peaks);
      json_object_set_array_member (values, "peaks_music", es_beam_layers_list_peaks (&self->gather, peaks, n));
    }
  json_object_set_int_member (values, "snapshots_per_block", settings->snapshots);
  es_beam_layers_set_number (values, "snapshots_used", es_mvdr_get_snapshots (self));
  es_beam_layers_set_number (values, "forgetting", settings->adaptive.forgetting);
  es_beam_layers_set_number (values, "loading", self->loading);
  json_object_set_string_member (values, "method", es_adaptive_method_get_id (self->method));
  json_object_set_int_member (values, "sources", settings->adaptive.sources);
  if (self->gather.eigenvalues != NULL)
    {
      const guint mdl = median_of (self->mdl);

      json_object_set_int_member (values, "eigenvalues", self->gather.n_eigenvalues);
      json_object_set_int_member (values, "sources_aic", median_of (self->aic));
      json_object_set_int_member (values, "sources_mdl", mdl);
      es_beam_layers_set_number (values, "noise_floor_db", es_beam_layers_to_level (find_floor (self, mdl)));
    }
  es_beam_layers_set_number (values, "matrix_ms", self->gather.matrix_ms);
  es_beam_layers_set_number (values, "factor_ms", self->gather.factor_ms);
  es_beam_layers_set_number (values, "spectrum_ms", self->gather.spectrum_ms);
  es_beam_layers_set_number (values, "adaptive_block_ms",
                             (self->gather.matrix_ms + self->gather.factor_ms + self->gather.spectrum_ms)
                             / MAX (self->gather.end - self->gather.begin, 1));
  if (self->method == ES_ADAPTIVE_JACOBI)
    {
      json_object_set_int_member (values, "sweeps", self->sweeps);
      json_object_set_int_member (values, "rotations", (gint64) self->rotations);
      es_beam_layers_set_number (values, "off", self->off);
    }
  if (self->pattern != NULL)
    {
      es_beam_layers_set_number (values, "pattern_bearing_deg", self->pattern_bearing);
      es_beam_layers_set_number (values, "pattern_frequency_hz", self->pattern_frequency);
    }
  if (self->routes != NULL)
    json_object_set_array_member (values, "methods", list_methods (self));
}

/* ---- warnings ---- */

/* Automatic loading is 0.1 at most. */
#define MUCH_LOADING 0.5

/* What few snapshots (sonar.md 6.1) and much loading do. */
static void
add_warnings (EsMvdr *self, EsResult *result)
{
  const double k = es_mvdr_get_snapshots (self), n = self->n_alive;

  if (k <= 1)
    es_result_add_warning (result, "%s",
                           _("With one snapshot MVDR orders bearings exactly as CBF does, and tells nothing apart that "
                             "CBF does not: more snapshots or blocks do."));
  else if (k < n)
    es_result_add_warning (result,
                           _("%.4g snapshots are fewer than %.0f elements: sources are told apart, but powers read too "
                             "low; twice as many snapshots as elements give levels that are about right."), k, n);
  else if (k < 2 * n)
    es_result_add_warning (result,
                           _("%.4g snapshots of %.0f elements: powers read low, without loading by %.1f dB; twice as "
                             "many snapshots as elements give levels that are about right."), k, n,
                           -10 * log10 ((k - n + 1) / k));
  /* The least power there is: a' (d I)^-1 a is B / d, and d is the loading times the elements' mean power. */
  if (self->gather.settings->adaptive.loading >= MUCH_LOADING)
    es_result_add_warning (result,
                           _("A loading of %.3g reads as if white noise %.1f dB re the elements' mean level were in "
                             "every beam: all powers are too high by that, and weak sources are not told apart."),
                           self->gather.settings->adaptive.loading,
                           10 * log10 (self->gather.settings->adaptive.loading / n));
  if (self->gather.has_loose_tones)
    es_result_add_warning (result, "%s",
                           _("Tones between two bins are smeared by adaptive beams of these angles or of an array that "
                             "is no line: they may read 2 dB too low; fewer snapshots, which are longer, are nearer."));
  if (self->gather.settings->n_ranges > (es_beam_gather_has_far (&self->gather) ? 1 : 0))
    es_result_add_warning (result, "%s",
                           _("Adaptive beams of near ranges are read at the angles themselves: a loud source between "
                             "two of them reads several decibels too low, and its bearing is that of the nearest."));
}

/* ---- the result ---- */

static gboolean
add_maps (EsMvdr *self, EsResult *result, GError **error)
{
  EsBeamGather *gather = &self->gather;
  const gboolean has_ranges = gather->settings->n_ranges > 1 || !es_beam_gather_has_far (gather);

  for (guint kind = 0; has_ranges && kind < ES_N_BEAM_KINDS; kind++)
    if (gather->sums[kind].field != NULL)
      {
        g_autoptr (EsField) map = es_beam_layers_make_field (gather, kind, error);
        if (map == NULL)
          return FALSE;
        es_beam_layers_publish (gather, result, map, kind);
      }
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (gather->sums[kind].spectra != NULL)
      {
        g_autoptr (EsField) fraz = es_beam_layers_make_fraz (gather, kind, error);
        if (fraz == NULL)
          return FALSE;
        es_beam_layers_publish (gather, result, fraz, kind);
      }
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (gather->sums[kind].btr != NULL)
      es_beam_layers_publish (gather, result, gather->sums[kind].btr, kind);
  if (gather->lofar != NULL)
    es_beam_layers_publish (gather, result, gather->lofar, gather->kind);
  if (self->gather.eigenvalues != NULL)
    {
      g_autoptr (EsField) eigenvalues = make_eigenvalues (self, error);
      if (eigenvalues == NULL)
        return FALSE;
      es_beam_layers_publish (gather, result, eigenvalues, ES_BEAM_MVDR);
    }
  return TRUE;
}

static void
add_tables (EsMvdr *self, EsResult *result, const EsBeamPeak *peaks, guint n_peaks)
{
  g_autoptr (EsTable) table = es_beam_layers_make_peaks (&self->gather, peaks, n_peaks);
  g_autoptr (EsTable) tracks = es_beam_layers_make_tracks (&self->gather);
  g_autoptr (EsTable) methods = self->routes != NULL ? make_methods (self) : NULL;

  es_result_add_layer (result, ES_LAYER (table));
  es_result_add_layer (result, ES_LAYER (self->gather.detections));
  if (es_beam_gather_has_far (&self->gather))
    es_result_add_layer (result, ES_LAYER (tracks));
  if (self->gather.lifts != NULL && es_table_get_n_rows (self->gather.lifts) > 0)
    es_result_add_layer (result, ES_LAYER (self->gather.lifts));
  if (methods != NULL)
    es_result_add_layer (result, ES_LAYER (methods));
}

EsResult *
es_mvdr_describe (EsMvdr *self, GError **error)
{
  EsBeamGather *gather = &self->gather;
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, gather->n_peaks);
  const guint n_peaks = find_peaks (self, ES_BEAM_MVDR, peaks);
  g_autoptr (EsCurve) energy = es_beam_layers_make_energy (gather, FALSE);
  g_autoptr (EsResult) result = es_result_new (gather->operation, ES_DATASET (gather->recording), gather->params);
  g_autofree char *title = NULL;
  JsonObject *values;

  title = n_peaks > 0 ? g_strdup_printf (_("MVDR, strongest at %.1f°"), es_text_round_tenth (peaks[0].bearing))
                      : g_strdup (_("MVDR"));
  es_result_set_title (result, title);
  es_result_add_layer (result, ES_LAYER (energy));
  if (!add_maps (self, result, error))
    return NULL;
  if (self->pattern != NULL)
    es_result_add_layer (result, ES_LAYER (self->pattern));
  add_tables (self, result, peaks, n_peaks);
  values = es_beam_layers_make_values (gather, peaks, n_peaks);
  add_values (self, values);
  es_result_set_values (result, values);
  add_warnings (self, result);
  es_beam_layers_warn (gather, result, peaks, n_peaks);
  return g_steal_pointer (&result);
}
