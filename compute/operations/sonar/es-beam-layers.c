/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Curves and maps of beams. */

#include "es-beam-layers-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "signal/es-tone.h"
#include "es-horizon-private.h"
static const char *const kind_names[ES_N_BEAM_KINDS] = { "CBF", "MVDR", "MUSIC" };
static const char *const kind_suffixes[ES_N_BEAM_KINDS] = { "", "-mvdr", "-music" };

const char *
es_beam_kind_get_name (EsBeamKind kind)
{
  return kind_names[kind];
}

char *
es_beam_layers_name (const char *stem, EsBeamKind kind)
{
  return g_strconcat (stem, kind_suffixes[kind], NULL);
}

char *
es_beam_layers_title (EsBeamGather *gather, const char *title, EsBeamKind kind)
{
  if (!gather->settings->adaptive.on)
    return g_strdup (title);
  /* Translators: what a map shows, and by which beams: "Bearing over time, MVDR". */
  return g_strdup_printf (C_("beams", "%s, %s"), title, kind_names[kind]);
}

gboolean
es_beam_layers_is_highest (EsBeamGather *gather, EsBeamKind kind)
{
  return kind == ES_BEAM_MVDR && es_beam_gather_has_far (gather) && gather->settings->angles_fine;
}

char *
es_beam_layers_title_highest (EsBeamGather *gather, const char *title, EsBeamKind kind)
{
  /* Translators: at each beam's bearing the level of what is loudest near it: "MVDR (highest near each beam)". */
  if (!es_beam_layers_is_highest (gather, kind))
    return g_strdup (title);
  /* What is focused on a range near by is in the energy field alone. */
  return g_strdup_printf (gather->settings->n_ranges > 1 ? _("%s (far, highest near each beam)")
                                                         : _("%s (highest near each beam)"), title);
}

EsAxis
es_beam_layers_get_angles (EsBeamGather *gather)
{
  return (EsAxis) { es_array_is_line (gather->array) ? _("Bearing") : _("Azimuth"), (char *) "°",
                    gather->settings->n_angles, gather->settings->angles };
}

double
es_beam_layers_to_level (double power)
{
  return power > 0 ? 10 * log10 (power) : power == 0 ? -INFINITY : NAN;
}

gboolean
es_beam_layers_is_calibrated (EsBeamGather *gather)
{
  return gather->calibration != NULL;
}

const char *
es_beam_layers_get_level_unit (EsBeamGather *gather)
{
  return es_beam_layers_is_calibrated (gather) ? _("dB re 1 µPa²") : _("dB re full scale");
}

/* ---- what a file of a layer alone has to say ---- */

static void
add_choice (EsBeamGather *gather, EsField *field, const char *key)
{
  if (es_param_specs_find (es_params_get_specs (gather->params), key) != NULL)
    es_field_add_metadata (field, key, es_params_get_choice_id (gather->params, key));
}

static char *
format_band (const EsBeamSettings *settings, guint first, guint n)
{
  return g_strdup_printf ("%g:%g", es_beam_settings_get_frequency (settings, first),
                          es_beam_settings_get_frequency (settings, first + n - 1));
}

static void
add_metadata (EsBeamGather *gather, EsField *field, EsBeamKind kind)
{
  const EsBeamSettings *settings = gather->settings;
  const gboolean is_over_frequency = g_strcmp0 (es_field_get_columns (field)->unit, "Hz") == 0
                                     || g_strcmp0 (es_field_get_rows (field)->unit, "Hz") == 0;
  g_autofree char *geometry = es_array_to_json (gather->array);
  g_autofree char *origin = es_origin_to_text (es_array_get_origin (gather->array));
  g_autofree char *beams_band = format_band (settings, settings->cbf_first, settings->cbf_bins);
  g_autofree char *all = format_band (settings, settings->first_bin, settings->n_bins);
  g_autofree char *speed = g_strdup_printf ("%g", settings->sound_speed);
  g_autofree char *rate = g_strdup_printf ("%.9g", settings->rate);
  g_autofree char *block = g_strdup_printf ("%u", settings->block), *length = g_strdup_printf ("%u", settings->length);
  g_autofree char *snapshots = g_strdup_printf ("%u", settings->snapshots);
  g_autofree char *hop = g_strdup_printf ("%u", settings->hop);
  g_autofree char *beams = g_ascii_strdown (kind_names[kind], -1);

  es_field_add_metadata (field, "recording", es_dataset_get_name (ES_DATASET (gather->recording)));
  es_field_add_metadata (field, "beams", beams);
  /* Of what is in the field; those over frequency hold LOFAR's band, too. */
  es_field_add_metadata (field, "band_hz", is_over_frequency ? all : beams_band);
  if (is_over_frequency)
    es_field_add_metadata (field, "beams_band_hz", beams_band);
  es_field_add_metadata (field, "sound_speed_m_s", speed);
  es_field_add_metadata (field, "rate_hz", rate);
  es_field_add_metadata (field, "block_samples", block);
  es_field_add_metadata (field, "transform_samples", length);
  es_field_add_metadata (field, "snapshots", snapshots);
  es_field_add_metadata (field, "hop_samples", hop);
  add_choice (gather, field, "window");
  add_choice (gather, field, "shading");
  add_choice (gather, field, "diagonal");
  if (kind != ES_BEAM_CBF)
    {
      const guint alive = es_array_get_n_alive (gather->array);
      g_autofree char *loading = g_strdup_printf ("%g", es_beam_settings_get_loading (settings, alive));
      g_autofree char *averaged = g_strdup_printf ("%g", es_beam_settings_get_effective_snapshots (settings));
      es_field_add_metadata (field, "loading", loading);
      es_field_add_metadata (field, "snapshots_averaged", averaged);
    }
  /* Adaptive beams are narrower than they are apart. */
  if (es_beam_layers_is_highest (gather, kind) && es_layer_get_kind (ES_LAYER (field)) == ES_LAYER_WATERFALL
      && field != gather->lofar)
    es_field_add_metadata (field, "cells", "highest near each beam");
  if (kind == ES_BEAM_MUSIC)
    {
      g_autofree char *sources = g_strdup_printf ("%u", settings->adaptive.sources);
      es_field_add_metadata (field, "sources", sources);
    }
  if (kind != ES_BEAM_MUSIC)
    {
      g_autofree char *factor = g_strdup_printf ("%.9g", es_window_get_noise_bandwidth (settings->window)
                                                         * settings->length / settings->window_length);
      /* Times the power of a bin: of a tone in the middle of it. */
      es_field_add_metadata (field, "tone_factor", factor);
    }
  if (field == gather->lofar)
    {
      g_autofree char *bearing = g_strdup_printf ("%.9g", settings->angles[gather->lofar_angle]);
      es_field_add_metadata (field, "bearing_deg", bearing);
    }
  if (gather->navigation != NULL && es_navigation_get_start (gather->navigation) != NULL)
    {
      g_autofree char *start = es_navigation_format_time (es_navigation_get_start (gather->navigation), 0);
      es_field_add_metadata (field, "start", start);
    }
  if (gather->navigation != NULL && es_navigation_is_fixed (gather->navigation))
    {
      g_autofree char *heading = g_strdup_printf ("%.9g", es_navigation_get_heading (gather->navigation, 0));
      es_field_add_metadata (field, "heading_deg", heading);
    }
  es_field_add_metadata (field, "normaliser", "none");
  es_field_add_metadata (field, "origin", origin);
  es_field_add_metadata (field, "array", geometry);
}

void
es_beam_layers_publish (EsBeamGather *gather, EsResult *result, EsField *field, EsBeamKind kind)
{
  /* MUSIC's is a ratio. */
  es_field_set_reference (field, kind == ES_BEAM_MUSIC ? "1"
                                 : es_beam_layers_is_calibrated (gather) ? "1 µPa²" : _("full scale²"), NULL);
  add_metadata (gather, field, kind);
  if (es_layer_get_kind (ES_LAYER (field)) == ES_LAYER_WATERFALL)
    es_horizon_add_headings (field, gather->navigation);
  es_result_add_layer (result, ES_LAYER (field));
}

/* ---- curves ---- */

/* The third octaves (base 10, IEC 61260) that bins of the band fall into, one curve each. */
static void
add_third_octaves (EsBeamGather *gather, EsCurve *curve)
{
  const EsBeamSettings *settings = gather->settings;
  g_autofree double *levels = g_new (double, settings->n_angles);

  for (guint b = 0; b < settings->cbf_bins;)
    {
      const double frequency = es_beam_settings_get_frequency (settings, settings->cbf_first + b);
      const double index = frequency > 0 ? floor (10 * log10 (frequency / 1000) + 0.5) : -INFINITY;
      const guint from = b;

      for (b++; b < settings->cbf_bins; b++)
        {
          const double next = es_beam_settings_get_frequency (settings, settings->cbf_first + b);
          if (floor (10 * log10 (next / 1000) + 0.5) != index)
            break;
        }
      if (isinf (index))
        continue;
      for (guint a = 0; a < settings->n_angles; a++)
        {
          const double *by_bin = gather->sums[ES_BEAM_CBF].spectra + (gsize) a * settings->n_bins + settings->cbf_first
                                 - settings->first_bin;
          double sum = 0;
          for (guint i = from; i < b; i++)
            sum += by_bin[i];
          levels[a] = es_beam_layers_to_level (sum);
        }
      g_autofree char *title = g_strdup_printf (_("%.3g Hz"), 1000 * pow (10, index / 10));
      es_curve_add_series (curve, title, es_beam_layers_get_level_unit (gather), ES_CURVE_LINE, FALSE, levels);
    }
}

EsBeamCurve
es_beam_layers_get_curve (EsBeamGather *gather, EsBeamKind kind, const float *field, const float *spectra)
{
  EsBeamCurve curve = es_beam_settings_get_curve (gather->settings, kind, field, spectra);

  curve.between = gather->sums[kind].between;
  /* Means of spectra alone say nothing of what is between angles. */
  if (curve.between == NULL)
    curve.spectra = NULL;
  return curve;
}

/* The far row of MVDR's mean, as its rows are shown. */
static void
lift_mean (EsBeamGather *gather, guint row, double *levels)
{
  g_autofree float *field = es_beam_layers_copy_field (gather, ES_BEAM_MVDR);
  g_autofree float *spectra = es_beam_layers_copy_spectra (gather, ES_BEAM_MVDR);
  EsBeamCurve curve = es_beam_layers_get_curve (gather, ES_BEAM_MVDR, field, spectra);
  EsBeamLift lifts[ES_BEAM_MOST_LIFTS];
  EsBeamPeak none;
  guint n;

  curve.powers += (gsize) row * curve.n;
  es_find_peaks_and_lifts (&curve, 0, 0, 0, &none, lifts, &n);
  for (guint i = 0; i < n; i++)
    levels[lifts[i].index] = es_beam_layers_to_level (lifts[i].power);
}

/* Of one kind and row. */
static void
add_energy (EsBeamGather *gather, EsCurve *curve, EsBeamKind kind, guint row)
{
  const EsBeamSettings *settings = gather->settings;
  const double *powers = gather->sums[kind].field + (gsize) row * settings->n_angles;
  g_autofree double *levels = g_new (double, settings->n_angles);
  g_autofree char *range = es_beam_settings_name_range (settings, row), *title = NULL;

  for (guint i = 0; i < settings->n_angles; i++)
    levels[i] = es_beam_layers_to_level (powers[i]);
  if (kind == ES_BEAM_MVDR && row == es_beam_settings_find_far (settings))
    lift_mean (gather, row, levels);
  if (!settings->adaptive.on)
    title = g_strdup (range);
  else if (isinf (settings->ranges[row]))
    title = es_beam_layers_title_highest (gather, kind_names[kind], kind);
  else
    title = es_beam_layers_title (gather, range, kind);
  es_curve_add_series (curve, title, kind == ES_BEAM_MUSIC ? "dB" : es_beam_layers_get_level_unit (gather),
                       ES_CURVE_LINE, kind == ES_BEAM_MUSIC, levels);
}

EsCurve *
es_beam_layers_make_energy (EsBeamGather *gather, gboolean third_octaves)
{
  const EsBeamSettings *settings = gather->settings;
  const guint far = es_beam_settings_find_far (settings);
  const EsAxis angles = es_beam_layers_get_angles (gather);
  EsCurve *curve = es_curve_new ("band-energy", _("Band energy"), "band-energy", angles.n, angles.values, angles.title,
                                 angles.unit);

  /* Without a far row: each of the others. */
  for (guint row = 0; row < settings->n_ranges; row++)
    for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
      if ((row == far || far == settings->n_ranges) && gather->sums[kind].field != NULL)
        add_energy (gather, curve, kind, row);
  if (third_octaves && gather->sums[ES_BEAM_CBF].spectra != NULL)
    add_third_octaves (gather, curve);
  return curve;
}

/* ---- fields ---- */

float *
es_beam_layers_copy_field (EsBeamGather *gather, EsBeamKind kind)
{
  const gsize n = (gsize) gather->settings->n_ranges * gather->settings->n_angles;
  float *field = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    field[i] = (float) gather->sums[kind].field[i];
  return field;
}

float *
es_beam_layers_copy_spectra (EsBeamGather *gather, EsBeamKind kind)
{
  const gsize n = (gsize) gather->settings->n_angles * gather->settings->n_bins;
  float *spectra = gather->sums[kind].spectra != NULL ? g_try_new (float, n) : NULL;

  for (gsize i = 0; spectra != NULL && i < n; i++)
    spectra[i] = (float) gather->sums[kind].spectra[i];
  return spectra;
}

EsField *
es_beam_layers_make_field (EsBeamGather *gather, EsBeamKind kind, GError **error)
{
  const EsBeamSettings *settings = gather->settings;
  const EsAxis rows = { settings->range_kind == ES_RANGE_SLANT ? _("Slant range") : _("Perpendicular distance"),
                        (char *) "m", settings->n_ranges, settings->ranges };
  const EsAxis columns = es_beam_layers_get_angles (gather);
  g_autofree float *values = es_beam_layers_copy_field (gather, kind);
  g_autofree char *name = es_beam_layers_name ("energy-field", kind);
  g_autofree char *title = es_beam_layers_title (gather, _("Energy field"), kind);
  EsField *layer = es_field_new (name, title, ES_LAYER_FIELD, name, &rows, &columns, 0, error);

  if (layer != NULL)
    memcpy (es_field_get_writable (layer), values, (gsize) rows.n * columns.n * sizeof *values);
  return layer;
}

EsField *
es_beam_layers_make_fraz (EsBeamGather *gather, EsBeamKind kind, GError **error)
{
  const EsBeamSettings *settings = gather->settings;
  const guint n_bins = settings->n_bins, n_angles = settings->n_angles;
  g_autofree double *frequencies = g_new (double, n_bins);
  const EsAxis rows = { _("Frequency"), (char *) "Hz", n_bins, frequencies };
  const EsAxis columns = es_beam_layers_get_angles (gather);
  g_autofree char *name = es_beam_layers_name ("fraz", kind);
  g_autofree char *title = es_beam_layers_title (gather, _("Frequency over bearing"), kind);
  EsField *layer;

  for (guint b = 0; b < n_bins; b++)
    frequencies[b] = es_beam_settings_get_frequency (settings, settings->first_bin + b);
  layer = es_field_new (name, title, ES_LAYER_FIELD, name, &rows, &columns, 0, error);
  if (layer == NULL)
    return NULL;
  for (guint b = 0; b < n_bins; b++)
    for (guint a = 0; a < n_angles; a++)
      es_field_get_writable (layer)[(gsize) b * n_angles + a]
        = (float) gather->sums[kind].spectra[(gsize) a * n_bins + b];
  return layer;
}
