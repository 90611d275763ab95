/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The result of a localisation: fields volume (one for directions, maximum projections of points), peaks; values;
 * warnings. */

#include "es-localize-private.h"
#include "base/es-text-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define TURN_LOOKS 200

static gboolean
is_calibrated (EsLocalization *self)
{
  return self->settings.calibration != NULL;
}

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static void
add_metadata (EsLocalization *self, EsField *field)
{
  const EsLocalizeSettings *settings = &self->settings;
  g_autofree char *geometry = es_array_to_json (self->array);
  g_autofree char *origin = es_origin_to_text (es_array_get_origin (self->array));
  g_autofree char *band = g_strdup_printf ("%g:%g", settings->low, settings->high);
  g_autofree char *speed = g_strdup_printf ("%g", settings->sound_speed);
  g_autofree char *from = g_strdup_printf ("%.9g", settings->first / settings->rate);
  g_autofree char *to = g_strdup_printf ("%.9g", (settings->first + settings->n) / settings->rate);

  es_field_add_metadata (field, "recording", es_dataset_get_name (ES_DATASET (self->recording)));
  es_field_add_metadata (field, "band_hz", band);
  es_field_add_metadata (field, "sound_speed_m_s", speed);
  es_field_add_metadata (field, "from_s", from);
  es_field_add_metadata (field, "to_s", to);
  es_field_add_metadata (field, "window", es_params_get_choice_id (self->params, "window"));
  es_field_add_metadata (field, "whitening", es_params_get_choice_id (self->params, "whitening"));
  es_field_add_metadata (field, "origin", origin);
  es_field_add_metadata (field, "array", geometry);
}

/* What is seen along the axis that is neither: the largest of it. */
static EsField *
project (EsLocalization *self, const char *name, const char *title, guint across, guint up, GError **error)
{
  static const char *const names[] = { N_("x"), N_("y"), N_("z") };
  const EsLocalizeGrid *grid = &self->grid;
  const char *unit = grid->points ? "m" : "°";
  const EsAxis rows = { grid->points ? _(names[up]) : _("Elevation"), (char *) unit, grid->n[up], grid->values[up] };
  const EsAxis columns = { grid->points ? _(names[across]) : _("Azimuth"), (char *) unit, grid->n[across],
                           grid->values[across] };
  EsField *field = es_field_new (name, title, ES_LAYER_FIELD, "volume", &rows, &columns, 0, error);
  const guint64 count = es_localize_grid_count (grid);

  if (field == NULL)
    return NULL;
  for (guint64 i = 0; i < count; i++)
    {
      const guint at[3] = { i % grid->n[0], i / grid->n[0] % grid->n[1], i / grid->n[0] / grid->n[1] };
      float *to = es_field_get_writable (field) + (gsize) at[up] * columns.n + at[across];

      *to = fmaxf (*to, self->powers[i]);
    }
  es_field_set_reference (field, is_calibrated (self) ? "1 µPa²" : _("full scale²"), NULL);
  add_metadata (self, field);
  return field;
}

static gboolean
add_fields (EsLocalization *self, EsResult *result, GError **error)
{
  static const struct { const char *name, *title; guint across, up; } projections[] = {
    { "volume-xy", N_("Largest over z"), 0, 1 },
    { "volume-xz", N_("Largest over y"), 0, 2 },
    { "volume-yz", N_("Largest over x"), 1, 2 },
  };
  const guint *n = self->grid.n;

  if (!self->grid.points)
    {
      g_autoptr (EsField) field = project (self, "volume", _("Directions"), 0, 1, error);

      if (field != NULL)
        es_result_add_layer (result, ES_LAYER (field));
      return field != NULL;
    }
  /* Of a plane two would be lines; of a line or a point one is enough. */
  const guint planes = (n[0] > 1 && n[1] > 1) + (n[0] > 1 && n[2] > 1) + (n[1] > 1 && n[2] > 1);
  const guint alone = n[2] > 1 ? 1 : 0;
  for (guint i = 0; i < G_N_ELEMENTS (projections); i++)
    {
      const guint across = projections[i].across, up = projections[i].up;
      g_autoptr (EsField) field = NULL;

      if (planes > 0 ? n[across] == 1 || n[up] == 1 : i != alone)
        continue;
      field = project (self, projections[i].name, _(projections[i].title), across, up, error);
      if (field == NULL)
        return FALSE;
      es_result_add_layer (result, ES_LAYER (field));
    }
  return TRUE;
}

/* ---- peaks and values ---- */

typedef struct
{
  double range, azimuth, elevation, level;
} Seen;

/* A peak as it is seen from the array's origin. */
static Seen
look_at (EsLocalization *self, const EsLocalizePeak *peak)
{
  Seen seen = { NAN, peak->place[0], peak->place[1], 10 * log10 (peak->power) };

  if (self->grid.points)
    {
      const EskFocus p = es_beam_focus_point (self->array, peak->place[0], peak->place[1], peak->place[2]);

      seen.range = sqrt (p.x * p.x + p.y * p.y + p.z * p.z);
      seen.azimuth = atan2 (p.y, p.x) * 180 / G_PI;
      seen.elevation = atan2 (p.z, hypot (p.x, p.y)) * 180 / G_PI;
    }
  return seen;
}

/* From true north, where the array pointed in the middle of the stretch; NAN. */
static double
true_bearing_of (EsLocalization *self, double azimuth)
{
  const EsLocalizeSettings *settings = &self->settings;
  const double middle = (settings->first + settings->n / 2.) / settings->rate;

  /* One direction of a line's cone is listed, and none of them is it. */
  if (es_array_is_line (self->array))
    return NAN;
  const double bearing = fmod (es_navigation_get_heading (settings->navigation, middle) - azimuth, 360);

  return bearing < 0 ? fmod (bearing + 360, 360) : bearing;
}

static gboolean
has_heading (EsLocalization *self)
{
  return !isnan (true_bearing_of (self, 0));
}

/* The furthest from its middle, in degrees, the shorter way. */
static double
turn_of_stretch (EsLocalization *self)
{
  const EsLocalizeSettings *settings = &self->settings;
  const double begin = settings->first / settings->rate, seconds = settings->n / settings->rate;
  const double middle = es_navigation_get_heading (settings->navigation, begin + seconds / 2);
  double most = 0;

  for (guint i = 0; i <= TURN_LOOKS; i++)
    {
      const double there = es_navigation_get_heading (settings->navigation, begin + seconds * i / TURN_LOOKS);

      most = fmax (most, fabs (remainder (there - middle, 360)));
    }
  return most;
}

static JsonArray *
list_peaks (EsLocalization *self)
{
  static const char *const keys[] = { "x_m", "y_m", "z_m" };
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < self->n_peaks; i++)
    {
      const EsLocalizePeak *peak = &self->peaks[i];
      const Seen seen = look_at (self, peak);
      JsonObject *object = json_object_new ();

      for (guint axis = 0; self->grid.points && axis < 3; axis++)
        set_number (object, keys[axis], peak->place[axis]);
      set_number (object, "azimuth_deg", seen.azimuth);
      set_number (object, "elevation_deg", seen.elevation);
      set_number (object, "true_deg", true_bearing_of (self, seen.azimuth));
      set_number (object, "range_m", seen.range);
      set_number (object, "level_db", seen.level);
      set_number (object, "margin_db", peak->margin);
      json_object_set_boolean_member (object, "at_edge", peak->at_edge);
      json_array_add_object_element (array, object);
    }
  return array;
}

static EsTable *
make_table (EsLocalization *self)
{
  g_autofree char *heading = es_array_head_from_origin (self->array, _("Peaks"));
  EsTable *table = es_table_new ("peaks", heading);
  const gboolean points = self->grid.points;

  if (points)
    {
      es_table_add_column (table, _("x"), "m", 3);
      es_table_add_column (table, _("y"), "m", 3);
      es_table_add_column (table, _("z"), "m", 3);
      es_table_add_column (table, _("Range"), "m", 3);
    }
  es_table_add_column (table, _("Azimuth"), "°", 2);
  es_table_add_column (table, _("Elevation"), "°", 2);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Margin"), "dB", 2);
  if (has_heading (self))
    es_table_add_column (table, _("True"), "°", 2);
  for (guint i = 0; i < self->n_peaks; i++)
    {
      const EsLocalizePeak *peak = &self->peaks[i];
      const Seen seen = look_at (self, peak);
      const double true_bearing = true_bearing_of (self, seen.azimuth);
      const gconstpointer cells[] = { &peak->place[0], &peak->place[1], &peak->place[2], &seen.range, &seen.azimuth,
                                      &seen.elevation, &seen.level, &peak->margin, &true_bearing };
      es_table_add_row (table, points ? cells : cells + 4);
    }
  return table;
}

static void
add_values (EsLocalization *self, EsResult *result)
{
  const EsLocalizeSettings *settings = &self->settings;
  JsonObject *values = json_object_new ();
  JsonArray *grid = json_array_new (), *steps = json_array_new ();

  for (guint axis = 0; axis < (self->grid.points ? 3u : 2u); axis++)
    {
      json_array_add_int_element (grid, self->grid.n[axis]);
      json_array_add_double_element (steps, ldexp (self->grid.step[axis], -(int) self->levels));
    }
  json_object_set_array_member (values, "peaks", list_peaks (self));
  json_object_set_string_member (values, "level_reference", is_calibrated (self) ? "1 uPa^2" : "full scale^2");
  json_object_set_string_member (values, "search", self->grid.points ? "points" : "directions");
  json_object_set_array_member (values, "grid", grid);
  json_object_set_int_member (values, "refinements", self->levels);
  json_object_set_array_member (values, "refined_step", steps);
  set_number (values, "from_s", settings->first / settings->rate);
  set_number (values, "to_s", (settings->first + settings->n) / settings->rate);
  json_object_set_int_member (values, "snapshots", (gint64) settings->snapshots);
  json_object_set_int_member (values, "transform_length", settings->length);
  json_object_set_int_member (values, "first_bin", settings->first_bin);
  json_object_set_int_member (values, "bins", settings->bins);
  set_number (values, "sound_speed", settings->sound_speed);
  json_object_set_int_member (values, "elements", es_array_get_n_alive (self->array));
  es_array_add_origin (self->array, values);
  es_calibration_add_values (settings->calibration, values);
  es_navigation_add_values (settings->navigation, values);
  json_object_set_member (values, "array", es_array_to_node (self->array));
  es_result_set_values (result, values);
}

static void
add_warnings (EsLocalization *self, EsResult *result)
{
  const EsLocalizeSettings *settings = &self->settings;
  const EsLocalizeGrid *grid = &self->grid;
  const double shortest = settings->sound_speed / settings->high, length = es_array_get_length (self->array);
  const double coarsest = MAX (MAX (grid->step[0], grid->step[1]), grid->step[2]);
  const char *doubt = es_array_get_doubt (self->array, es_recording_get_n_channels (self->recording));

  const gboolean is_given = es_params_get_float (self->params, "sound-speed") != 0;
  g_autoptr (EsArray) heard = es_array_with_sound_speed (self->array, settings->sound_speed);
  g_autofree char *speed = es_array_warn_of_sound_speed (is_given ? heard : self->array);

  if (doubt != NULL)
    es_result_add_warning (result, "%s", doubt);
  if (speed != NULL)
    es_result_add_warning (result, "%s", speed);
  es_result_warn_of_growth (result, self->recording, self->params,
                            (double) (settings->first + settings->n) / settings->rate);
  if (turn_of_stretch (self) > 0.5)
    es_result_add_warning (result, _("The array turned by up to %.3g° from where it pointed in the middle of this: "
                                     "true bearings are those of the middle, and what moved over the beams is "
                                     "blurred."),
                           turn_of_stretch (self));
  if (es_array_is_line (self->array))
    es_result_add_warning (result, "%s", _("The elements are in line: all directions at one angle from the line sound "
                                           "alike, and one of them is listed."));
  /* Beams are about so wide; a peak between two places of the grid is not seen. */
  if (grid->points && coarsest > shortest)
    es_result_add_warning (result, _("The step of %.3g m is more than a wavelength of %.3g m: sources between the "
                                     "points may be missed."), coarsest, shortest);
  if (!grid->points && length > 0 && coarsest * G_PI / 180 > shortest / length)
    es_result_add_warning (result, _("The step of %.3g° is more than the width of a beam, %.2g°: sources between the "
                                     "directions may be missed."), coarsest, shortest / length * 180 / G_PI);
  if (self->health != NULL)
    es_element_health_warn (result, self->array, self->health, es_array_get_n_elements (self->array), 1);
  if (self->n_peaks > 0 && self->peaks[0].at_edge)
    es_result_add_warning (result, "%s", _("The strongest place is at the edge of the search: the source may lie "
                                           "beyond."));
  if (self->n_peaks == 0)
    es_result_add_warning (result, "%s", _("Nothing stands out: the band holds no energy, or the same everywhere."));
}

EsResult *
es_localize_describe (EsLocalization *self, GError **error)
{
  g_autoptr (EsResult) result = es_result_new (&es_operation_localize, ES_DATASET (self->recording), self->params);
  g_autoptr (EsTable) table = make_table (self);
  g_autofree char *title = NULL;

  if (self->n_peaks == 0)
    title = g_strdup (_("Localisation"));
  else if (self->grid.points)
    title = g_strdup_printf (_("Source at %.2f, %.2f, %.2f m"), self->peaks[0].place[0], self->peaks[0].place[1],
                             self->peaks[0].place[2]);
  else
    title = g_strdup_printf (_("Source at azimuth %.1f°, elevation %.1f°"),
                             es_text_round_tenth (self->peaks[0].place[0]),
                             es_text_round_tenth (self->peaks[0].place[1]));
  es_result_set_title (result, title);
  if (!add_fields (self, result, error))
    return NULL;
  es_result_add_layer (result, ES_LAYER (table));
  add_values (self, result);
  add_warnings (self, result);
  return g_steal_pointer (&result);
}
