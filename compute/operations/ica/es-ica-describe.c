/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The result of a FastICA: layers components, eigenvalues, loadings, mean, convergence; values; warnings; the model.
 *
 * Values beside those of a principal component analysis, one for each component in the order shown: kurtosis (excess),
 * skewness, negentropy ((E G (y) - E G (v))^2 of a standard normal v), explained (share of the total variance), steps,
 * converged, change (the convergence measure of the last step), gaussian (no more than chance would have it).
 */

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>


/* More curves than this are no picture; of all at once the largest tells enough. */
#define MOST_CURVES 30
/* Components that a warning names. */
#define MOST_NAMED 12
/* A measure of nothing has a place on a logarithmic axis. */
#define SMALLEST_CHANGE 1e-16

struct _EsIcaDescription
{
  GThread              *thread;    /* NULL: it is done */
  EsCube               *cube;
  EsParams             *params;
  EsReduction          *reduction;
  EsIcaSamples         *samples;
  EsIcaRotation        *rotation;
  const EsIcaComponent *components;
  const double         *basis, *mixing;

  EsResult             *result;
  EsCurve              *scree, *loadings, *mean, *convergence;
};

/*
 * The kurtosis of N normal samples has the deviation sqrt (24 / N) along any one direction; along the direction of m
 * where it is largest, which is the one an iteration looks for, it comes to 1.8 sqrt (m) of these where m is large
 * (the ground state of a spherical spin glass of four spins), and 4 deviations are rarely exceeded where m is 1.
 * Neighbouring pixels resemble each other, so that N counts for less than it is: what is below the bound is certainly
 * nothing, what is a little above may be.
 */
static double
deviations_by_chance (guint m)
{
  return 2 + 2 * sqrt (m);
}

double
es_ica_chance_kurtosis (gint64 count, guint m)
{
  return deviations_by_chance (m) * sqrt (24.0 / MAX (count, 1));
}

/* The deviation of the skewness is sqrt (6 / N): half of the kurtosis's. */
static gboolean
is_gaussian (EsIcaSamples *samples, const EsIcaComponent *component)
{
  const double chance = es_ica_chance_kurtosis (samples->count, samples->m);

  return fabs (component->kurtosis) < chance && fabs (component->skewness) < chance / 2;
}

/* ---- layers ---- */

static EsCurve *
make_loadings (EsCube *cube, EsReduction *reduction, guint m, const double *mixing)
{
  EsCurve *curve = es_reduction_make_band_curve (cube, "loadings", _("Loadings"), "loadings");
  const gsize n = reduction->n;
  g_autofree double *column = g_new (double, n);

  for (gsize k = 0; k < m; k++)
    {
      g_autofree char *title = es_ica_dup_title (k);

      for (gsize i = 0; i < n; i++)
        {
          double scale, offset;

          es_reduction_get_unit (cube, reduction, i, &scale, &offset);
          column[i] = mixing[i * m + k] * scale;
        }
      es_reduction_add_band_series (curve, reduction->bands, n, title, es_cube_name_unit (cube), column);
    }
  return curve;
}

static void
add_changes (EsCurve *curve, const char *title, guint steps, const double *changes, guint n)
{
  g_autofree double *y = g_new (double, steps);

  for (guint i = 0; i < steps; i++)
    y[i] = i < n ? MAX (changes[i], SMALLEST_CHANGE) : NAN;
  es_curve_add_series (curve, title, NULL, ES_CURVE_LINE, FALSE, y);
}

/* The measure after every step: of each component, and of the slowest of all where they are estimated together. */
static EsCurve *
make_convergence (EsParams *params, EsIcaRotation *rotation, const EsIcaComponent *components)
{
  const guint m = rotation->m;
  const gboolean symmetric = es_params_get_choice (params, "approach") == ES_ICA_SYMMETRIC;
  guint steps = 1;

  for (guint k = 0; k < m; k++)
    steps = MAX (steps, rotation->steps[k]);
  g_autofree double *x = g_new (double, steps);
  g_autofree double *y = g_new (double, steps);
  for (guint i = 0; i < steps; i++)
    x[i] = i + 1;

  EsCurve *curve = es_curve_new ("convergence", _("Convergence"), "convergence", steps, x, _("Step"), NULL);
  es_curve_set_log_y (curve, TRUE);
  for (guint i = 0; i < steps; i++)
    y[i] = es_params_get_float (params, "tolerance");
  es_curve_add_series (curve, _("Tolerance"), NULL, ES_CURVE_LINE, FALSE, y);
  if (symmetric)
    {
      for (guint i = 0; i < steps; i++)
        {
          y[i] = 0;
          for (guint k = 0; k < m; k++)
            if (i < rotation->steps[k])
              y[i] = MAX (y[i], g_array_index (rotation->history[k], double, i));
        }
      add_changes (curve, _("Largest"), steps, y, steps);
    }
  for (guint k = 0; k < m && (m <= MOST_CURVES || !symmetric); k++)
    {
      const GArray *history = rotation->history[components[k].row];
      g_autofree char *title = es_ica_dup_title (k);
      add_changes (curve, title, steps, (const double *) history->data, history->len);
    }
  return curve;
}

static void
make_layers (EsIcaDescription *self)
{
  EsReduction *reduction = self->reduction;
  EsParams *params = self->params;
  g_autofree char *unit = es_reduction_name_variance (self->cube, reduction, FALSE);

  self->scree = es_reduction_make_scree (reduction->values, reduction->n, reduction->total, _("Eigenvalues"),
                                         _("Eigenvalue"), unit, "threshold",
                                         es_params_get_float (params, "threshold"),
                                         (guint) es_params_get_int (params, "components"));
  self->loadings = make_loadings (self->cube, reduction, self->rotation->m, self->mixing);
  self->mean = es_reduction_make_band_curve (self->cube, "mean", _("Mean spectrum"), "spectrum");
  self->convergence = make_convergence (params, self->rotation, self->components);
  es_reduction_add_spectrum (self->mean, self->cube, reduction, _("Mean"), reduction->mean, FALSE);
}

/* ---- values ---- */

static double
last_change (EsIcaRotation *rotation, guint row)
{
  const GArray *history = rotation->history[row];

  return history->len > 0 ? g_array_index (history, double, history->len - 1) : 1;
}

static void
add_component_values (JsonObject *values, EsReduction *reduction, EsIcaSamples *samples, EsIcaRotation *rotation,
                      const EsIcaComponent *components)
{
  JsonArray *kurtosis = json_array_new (), *skewness = json_array_new (), *negentropy = json_array_new ();
  JsonArray *explained = json_array_new (), *steps = json_array_new (), *converged = json_array_new ();
  JsonArray *change = json_array_new (), *gaussian = json_array_new ();

  for (guint k = 0; k < rotation->m; k++)
    {
      const EsIcaComponent *component = &components[k];

      json_array_add_double_element (kurtosis, component->kurtosis);
      json_array_add_double_element (skewness, component->skewness);
      json_array_add_double_element (negentropy, component->negentropy);
      json_array_add_double_element (explained, component->variance / reduction->total);
      json_array_add_int_element (steps, rotation->steps[component->row]);
      json_array_add_boolean_element (converged, rotation->converged[component->row]);
      json_array_add_double_element (change, last_change (rotation, component->row));
      json_array_add_boolean_element (gaussian, is_gaussian (samples, component));
    }
  json_object_set_array_member (values, "kurtosis", kurtosis);
  json_object_set_array_member (values, "skewness", skewness);
  json_object_set_array_member (values, "negentropy", negentropy);
  json_object_set_array_member (values, "explained", explained);
  json_object_set_array_member (values, "steps", steps);
  json_object_set_array_member (values, "converged", converged);
  json_object_set_array_member (values, "change", change);
  json_object_set_array_member (values, "gaussian", gaussian);
}

/* Takes the rows. */
static void
add_values (EsIcaDescription *self, EsNumberRows *loadings, EsNumberRows *unmixing)
{
  EsReduction *reduction = self->reduction;
  JsonObject *values = json_object_new ();
  JsonArray *bands = json_array_new (), *cumulative = json_array_new ();
  const gsize n = reduction->n, m = self->rotation->m;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      sum += reduction->values[i];
      json_array_add_int_element (bands, reduction->bands[i] + 1);
      json_array_add_double_element (cumulative, sum / reduction->total);
    }

  json_object_set_int_member (values, "components", m);
  json_object_set_int_member (values, "rank", self->samples->rank);
  json_object_set_int_member (values, "valid_pixels", reduction->count);
  json_object_set_int_member (values, "samples", self->samples->count);
  json_object_set_int_member (values, "bands_used", n);
  json_object_set_array_member (values, "bands", bands);
  json_object_set_double_member (values, "total_variance", reduction->total);
  json_object_set_array_member (values, "eigenvalues", es_reduction_number_array (reduction->values, n, 1));
  json_object_set_array_member (values, "cumulative", cumulative);
  json_object_set_boolean_member (values, "by_moments", self->rotation->by_moments);
  json_object_set_double_member (values, "chance_kurtosis", es_ica_chance_kurtosis (self->samples->count, m));
  add_component_values (values, reduction, self->samples, self->rotation, self->components);
  json_object_set_array_member (values, "mean", es_reduction_number_array (reduction->mean, n, 1));
  json_object_set_array_member (values, "loadings", es_reduction_finish_rows (loadings));
  json_object_set_array_member (values, "unmixing", es_reduction_finish_rows (unmixing));
  if (es_params_get_choice (self->params, "eigensolver") == 1)
    {
      json_object_set_int_member (values, "jacobi_sweeps", reduction->sweeps);
      json_object_set_double_member (values, "jacobi_off_norm", reduction->off_norm);
    }
  es_result_set_values (self->result, values);
}

/* ---- warnings ---- */

static void
warn_of_rank (EsResult *result, EsParams *params, EsReduction *reduction, EsIcaSamples *samples)
{
  const gint64 wanted = es_params_get_int (params, "components");
  const gint64 asked = es_reduction_select (reduction->values, reduction->n, reduction->total,
                                            es_params_get_float (params, "threshold"), wanted);

  if (wanted > samples->rank && !es_params_is_key_default (params, "components"))
    es_result_add_warning (result,
                           _("%lld components were asked for; the data have the rank %u, and so many were kept."),
                           (long long) wanted, samples->rank);
  else if (asked > samples->rank)
    es_result_add_warning (result,
                           _("The data have the rank %u of %u bands: what is beyond is rounding and was left out."),
                           samples->rank, reduction->n);
  if (reduction->constant_bands > 0)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                                "%u good band is constant and carries no variance.",
                                                "%u good bands are constant and carry no variance.",
                                                reduction->constant_bands),
                           reduction->constant_bands);
}

/* "IC 3 (200 steps, 2.1e-04), IC 7 (...)"; not more than a person reads: all of them are among the values. */
static void
warn_of_convergence (EsResult *result, EsParams *params, EsIcaRotation *rotation, const EsIcaComponent *components)
{
  g_autoptr (GString) which = g_string_new (NULL);
  guint n = 0;

  for (guint k = 0; k < rotation->m; k++)
    {
      const guint row = components[k].row;
      g_autofree char *title = NULL;
      char change[G_ASCII_DTOSTR_BUF_SIZE];

      if (rotation->converged[row])
        continue;
      n++;
      if (n > MOST_NAMED)
        continue;
      title = es_ica_dup_title (k);
      g_ascii_formatd (change, sizeof change, "%.1e", last_change (rotation, row));
      g_string_append (which, which->len > 0 ? ", " : "");
      g_string_append_printf (which, g_dngettext (GETTEXT_PACKAGE, "%s (%u step, %s)", "%s (%u steps, %s)",
                                                  rotation->steps[row]),
                              title, rotation->steps[row], change);
    }
  if (n == 0)
    return;
  if (n > MOST_NAMED)
    g_string_append (which, " …");
  char tolerance[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (tolerance, sizeof tolerance, "%g", es_params_get_float (params, "tolerance"));
  es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                              "%u component of %u has not converged to %s: %s.",
                                              "%u components of %u have not converged to %s: %s.", n),
                         n, rotation->m, tolerance, which->str);
}

static void
warn_of_gaussian (EsResult *result, EsIcaSamples *samples, const EsIcaComponent *components)
{
  char chance[G_ASCII_DTOSTR_BUF_SIZE], largest_text[G_ASCII_DTOSTR_BUF_SIZE];
  double largest = 0;

  for (guint k = 0; k < samples->m; k++)
    {
      if (!is_gaussian (samples, &components[k]))
        return;
      largest = MAX (largest, fabs (components[k].kurtosis));
    }
  g_ascii_formatd (chance, sizeof chance, "%.2g", es_ica_chance_kurtosis (samples->count, samples->m));
  g_ascii_formatd (largest_text, sizeof largest_text, "%.2g", largest);
  es_result_add_warning (result,
                         _("There is nothing independent to find: the data are Gaussian as far as %lld pixels can tell "
                           "(the largest kurtosis is %s, and chance alone reaches %s), so that these components are "
                           "any rotation of the principal ones."),
                         (long long) samples->count, largest_text, chance);
}

/* ---- all of it ---- */

static gpointer
describe (gpointer data)
{
  EsIcaDescription *self = data;
  EsReduction *reduction = self->reduction;
  const gsize m = self->samples->m, n = reduction->n;
  EsNumberRows *loadings = es_reduction_start_rows (self->mixing, m, n, 1, m);
  EsNumberRows *unmixing = es_reduction_start_rows (self->basis, m, n, n, 1);
  g_autofree char *title = g_strdup_printf (_("FastICA %u of %u"), self->samples->m, reduction->n);

  self->result = es_result_new (&es_operation_fastica, ES_DATASET (self->cube), self->params);
  es_result_set_title (self->result, title);
  make_layers (self);
  add_values (self, loadings, unmixing);
  warn_of_rank (self->result, self->params, reduction, self->samples);
  warn_of_convergence (self->result, self->params, self->rotation, self->components);
  warn_of_gaussian (self->result, self->samples, self->components);
  es_result_set_model (self->result,
                       es_linear_model_new (m, n, reduction->bands, reduction->mean,
                                            self->basis, self->mixing, reduction->minimum, reduction->maximum,
                                            es_reduction_origin (reduction,
                                                                 es_params_get_bool (self->params, "center"))));
  return NULL;
}

EsIcaDescription *
es_ica_describe_start (EsCube *cube, EsParams *params, EsReduction *reduction, EsIcaSamples *samples,
                       EsIcaRotation *rotation, const EsIcaComponent *components, const double *basis,
                       const double *mixing)
{
  EsIcaDescription *self = g_new0 (EsIcaDescription, 1);

  *self = (EsIcaDescription) { .cube = cube, .params = params, .reduction = reduction, .samples = samples,
                               .rotation = rotation, .components = components, .basis = basis, .mixing = mixing };
  self->thread = es_reduction_tell_aside (describe, self);
  return self;
}

EsResult *
es_ica_describe_finish (EsIcaDescription *self, EsImageStack *stack)
{
  g_autoptr (EsResult) result = NULL;

  if (self->thread != NULL)
    g_thread_join (self->thread);
  result = self->result;
  if (stack != NULL)
    {
      es_result_add_layer (result, ES_LAYER (stack));
      es_result_add_layer (result, ES_LAYER (self->scree));
      es_result_add_layer (result, ES_LAYER (self->loadings));
      es_result_add_layer (result, ES_LAYER (self->mean));
      es_result_add_layer (result, ES_LAYER (self->convergence));
    }
  g_object_unref (self->scree);
  g_object_unref (self->loadings);
  g_object_unref (self->mean);
  g_object_unref (self->convergence);
  g_free (self);
  return stack != NULL ? g_steal_pointer (&result) : NULL;
}
