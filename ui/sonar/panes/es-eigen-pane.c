/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-eigen-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "signal/es-source-count.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-source.h"

#define DEEPEST 120             /* dB under the largest: what is below says nothing */

/* The eigenvalues of one bin. */
typedef struct
{
  guint         n;
  const double *values;          /* descending; borrowed */
  double        frequency;       /* Hz */
} Spectrum;

struct _EsEigenPane
{
  EsSonarPane  parent_instance;

  EsPlot      *plot;
  GtkWidget   *plot_view, *stack, *placeholder;
};

G_DEFINE_FINAL_TYPE (EsEigenPane, es_eigen_pane, ES_TYPE_SONAR_PANE)

/* Of every bin where the settings ask for it, else of the bin that is looked at closer. */
static gboolean
find_spectrum (EsEigenPane *self, Spectrum *spectrum)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsBeamHistory *history = es_sonar_source_get_history (source);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  const EsBeamProbe *probe;
  const double *all;
  guint n = 0;

  if (settings == NULL || settings->n_bins == 0)
    return FALSE;
  all = es_beam_history_get_eigenvalues (history, &n);
  if (all != NULL && n > 0)
    {
      /* Of a result nobody has chosen a frequency of: the one that its beam pattern is of. */
      const EsBeamProbe *kept = es_sonar_source_get_result (source) != NULL
                                && isnan (es_sonar_cursor_get_frequency (cursor))
                                ? es_beam_history_get_probe (history) : NULL;
      const guint bin = kept != NULL ? MIN (kept->bin, settings->n_bins - 1) : es_sonar_cursor_find_bin (cursor);

      *spectrum = (Spectrum) { n, all + (gsize) bin * n,
                               es_beam_settings_get_frequency (settings, settings->first_bin + bin) };
      return TRUE;
    }
  probe = es_beam_history_get_probe (history);
  if (probe == NULL || probe->n_eigenvalues == 0 || probe->eigenvalues == NULL)
    return FALSE;
  *spectrum = (Spectrum) { probe->n_eigenvalues, probe->eigenvalues,
                           es_beam_settings_get_frequency (settings, settings->first_bin + probe->bin) };
  return TRUE;
}

/* K; 0: not known. */
static double
count_snapshots (EsEigenPane *self)
{
  EsSonarSource *source = es_sonar_source_of (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  guint used = es_beam_history_get_used (es_sonar_source_get_history (source));

  return used > 0 ? used : settings->adaptive.on ? es_beam_settings_get_effective_snapshots (settings) : 0;
}

static void
add_counts (EsEigenPane *self, guint aic, guint mdl, guint n)
{
  g_autofree char *first = g_strdup_printf (aic == mdl ? "AIC, MDL %u" : "AIC %u", aic);
  g_autofree char *second = g_strdup_printf ("MDL %u", mdl);

  /* Between those of sources and those of noise. */
  if (aic > 0 && aic <= n)
    es_plot_add_marker (self->plot, FALSE, aic + 0.5, first, FALSE);
  if (mdl > 0 && mdl != aic && mdl <= n)
    es_plot_add_marker (self->plot, FALSE, mdl + 0.5, second, FALSE);
}

static void
describe (EsEigenPane *self, const Spectrum *spectrum, double snapshots, gboolean none)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  guint elements = es_sonar_source_count_elements (source);
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, _("%.1f Hz"), spectrum->frequency);
  if (snapshots > 0 && elements > 0)
    {
      g_string_append (words, ", ");
      /* Translators: of snapshots (K) and of array elements (B). */
      g_string_append_printf (words, _("K = %.0f, B = %u"), snapshots, elements);
    }
  if (none)
    g_string_append_printf (words, ", %s", _("no source"));
  /* Those of the moment are on their way. */
  if (!isnan (es_sonar_cursor_get_time (cursor)) && es_sonar_source_get_result (source) == NULL
      && !es_beam_history_is_looked_closer_at (es_sonar_source_get_history (source)))
    g_string_append_printf (words, ", %s", _("newest block"));
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), words->str);
  g_string_free (words, TRUE);
}

/* A dot each, as they are numbers of things, and a quiet line for the eye. */
static void
add_points (EsEigenPane *self, guint n, const double *numbers, const double *levels)
{
  g_autofree double *x = g_new (double, 2 * n), *y = g_new (double, 2 * n);

  for (guint i = 0; i < n; i++)
    {
      x[2 * i] = x[2 * i + 1] = numbers[i];
      y[2 * i] = levels[i];
      y[2 * i + 1] = NAN;
    }
  es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, 2 * n, x, y);
  es_plot_set_muted (self->plot, es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, n, numbers, levels), TRUE);
}

static void
show_spectrum (EsEigenPane *self, const Spectrum *spectrum)
{
  EsSonarSource *source = es_sonar_source_of (self);
  g_autofree double *numbers = g_new (double, spectrum->n), *levels = g_new (double, spectrum->n);
  double snapshots = count_snapshots (self), largest = spectrum->values[0], floor_level;
  guint elements = es_sonar_source_count_elements (source), n = spectrum->n, informative;
  guint aic = 0, mdl = 0;
  gboolean counted = FALSE;

  for (guint i = 0; i < n; i++)
    {
      numbers[i] = i + 1;
      levels[i] = spectrum->values[i] > largest * pow (10, -DEEPEST / 10.) ? 10 * log10 (spectrum->values[i]) : NAN;
    }
  es_plot_clear (self->plot);
  es_plot_set_x_axis (self->plot, _("Eigenvalue"), NULL);
  es_plot_set_y_axis (self->plot, _("Level"), es_sonar_source_get_unit (source), FALSE);
  es_plot_set_x_range (self->plot, 0.5, n + 0.5);
  add_points (self, n, numbers, levels);
  /* Fewer snapshots than elements: the others are 0, and the last of these is no noise either. */
  informative = snapshots > 0 && elements > 0 && snapshots < elements ? MIN (n, (guint) MAX (floor (snapshots) - 1, 0))
                                                                     : n;
  if (snapshots > 0 && informative > 1 && largest > 0)
    {
      aic = es_source_count_aic (spectrum->values, informative, snapshots);
      mdl = es_source_count_mdl (spectrum->values, informative, snapshots);
      add_counts (self, aic, mdl, n);
      counted = TRUE;
    }
  floor_level = 10 * log10 (es_noise_floor (spectrum->values, informative, mdl));
  if (isfinite (floor_level))
    {
      g_autofree char *level = es_sonar_format_level (floor_level);
      g_autofree char *label = g_strdup_printf (_("noise %s dB"), level);

      es_plot_add_marker (self->plot, TRUE, floor_level, label, FALSE);
    }
  describe (self, spectrum, snapshots, counted && aic == 0 && mdl == 0);
}

static void
es_eigen_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsEigenPane *self = ES_EIGEN_PANE (pane);
  Spectrum spectrum;
  gboolean any;

  if (!(change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_FILLED
                  | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_FREQUENCY)))
    return;
  any = find_spectrum (self, &spectrum);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), any ? self->plot_view : self->placeholder);
  if (any)
    {
      show_spectrum (self, &spectrum);
    }
  else
    {
      es_plot_clear (self->plot);
      es_sonar_pane_set_detail (pane, NULL);
    }
}

static char *
es_eigen_pane_to_text (EsSonarPane *pane, char separator)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  Spectrum spectrum;
  GString *text;

  if (!find_spectrum (ES_EIGEN_PANE (pane), &spectrum))
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "number%ceigenvalue_at_%s_hz\n", separator,
                          g_ascii_formatd (number, sizeof number, "%.6g", spectrum.frequency));
  for (guint i = 0; i < spectrum.n; i++)
    {
      g_string_append_printf (text, "%u", i + 1);
      es_sonar_append_number (text, separator, spectrum.values[i]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
es_eigen_pane_finalize (GObject *object)
{
  g_clear_object (&ES_EIGEN_PANE (object)->plot);
  G_OBJECT_CLASS (es_eigen_pane_parent_class)->finalize (object);
}

static void
es_eigen_pane_class_init (EsEigenPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_eigen_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_eigen_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_eigen_pane_to_text;
}

static void
es_eigen_pane_init (EsEigenPane *self)
{
}

EsSonarPane *
es_eigen_pane_new (EsSonarDisplay *display)
{
  EsEigenPane *self = g_object_new (ES_TYPE_EIGEN_PANE, NULL);

  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Eigenvalues of the cross-spectral matrix"));
  self->plot_view = es_plot_view_new (self->plot, 180);
  self->placeholder = es_sonar_placeholder_new (_("The eigenvalues at the cursor's frequency appear here while it "
                                                  "plays."));
  self->stack = gtk_stack_new ();
  gtk_stack_add_child (GTK_STACK (self->stack), self->placeholder);
  gtk_stack_add_child (GTK_STACK (self->stack), self->plot_view);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "eigen", _("Eigenvalues"), self->stack);
  es_sonar_pane_describe_plot (ES_SONAR_PANE (self), self->plot);
  return ES_SONAR_PANE (self);
}
