/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-adaptive-bar-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "beam/es-adaptive-compare.h"
#include "signal/es-source-count.h"
#include "report/es-step-bars.h"

/* Sources are counted from so many eigenvalues at most, in some milliseconds: of more, every second, third ... bin. */
#define MOST_EIGENVALUES 100000

/* ---- words ---- */

char *
es_adaptive_describe_snapshots (double k, guint b, gboolean *warning)
{
  const double bias = (k - b + 1) / k;

  if (warning != NULL)
    *warning = k < b;
  if (b == 0 || !(k > 0))
    return g_strdup ("");
  if (k < 1.5 && b > 1)
    /* TRANSLATORS: K is the number of snapshots, B that of elements */
    return g_strdup_printf (_("K = 1 of B = %u: one snapshot orders the bearings exactly as CBF does"), b);
  if (k < b)
    return g_strdup_printf (_("K = %.4g of B = %u: fewer snapshots than elements, powers read too low"), k, b);
  if (bias > 0.999)
    return g_strdup_printf (_("K = %.4g, B = %u"), k, b);
  return g_strdup_printf (_("K = %.4g, B = %u: without loading, powers read %.1f dB too low"), k, b,
                          -10 * log10 (bias));
}

/* Of the newest block, where it was made as is asked for now. */
static double
find_snapshots (EsAdaptiveBar *self)
{
  const EsBeamSettings *heard = self->history != NULL && es_beam_history_get_report (self->history) != NULL
                                ? es_beam_history_get_settings (self->history) : NULL;
  const guint used = heard != NULL ? es_beam_history_get_used (self->history) : 0;

  if (used > 0 && (self->settings == NULL || es_beam_settings_equal_but_adaptive (heard, self->settings)))
    return used;
  return self->settings != NULL && self->settings->adaptive.on
         ? es_beam_settings_get_effective_snapshots (self->settings) : 0;
}

void
_es_adaptive_bar_update_words (EsAdaptiveBar *self)
{
  gboolean warning = FALSE;
  g_autofree char *words = es_adaptive_describe_snapshots (find_snapshots (self), self->n_alive, &warning);

  if (self->history != NULL && es_beam_history_has_loose_tones (self->history))
    {
      /* TRANSLATORS: snapshots, and what adaptive beams make of tones between two bins */
      g_autofree char *all = g_strdup_printf (_("%s; tones between two bins may read 2 dB too low"), words);

      g_free (words);
      words = g_steal_pointer (&all);
      warning = TRUE;
    }
  gtk_label_set_label (self->words, words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->words), *words != '\0' ? words : NULL);
  gtk_widget_set_visible (self->warning, warning);
}

void
_es_adaptive_bar_update_times (EsAdaptiveBar *self)
{
  const EsAdaptiveReport *report = self->history != NULL ? es_beam_history_get_report (self->history) : NULL;
  g_autofree char *matrix = NULL;
  g_autofree char *factor = NULL;
  g_autofree char *spectrum = NULL;
  g_autoptr (GString) text = NULL;

  if (report == NULL)
    {
      gtk_label_set_label (self->times, "");
      return;
    }
  matrix = es_step_bars_format_ms (1e3 * report->matrix);
  factor = es_step_bars_format_ms (1e3 * report->factor);
  spectrum = es_step_bars_format_ms (1e3 * report->spectrum);
  text = g_string_new (NULL);
  /* TRANSLATORS: a method and the times of its steps: "Cholesky: matrix 1.2 ms, factor 0.4 ms, spectrum 3.1 ms" */
  g_string_append_printf (text, _("%s: matrix %s, factor %s, spectrum %s"),
                          es_adaptive_method_get_name (report->method), matrix, factor, spectrum);
  if (report->sweeps > 0)
    {
      g_string_append (text, ", ");
      g_string_append_printf (text, ngettext ("%u sweep", "%u sweeps", report->sweeps), report->sweeps);
    }
  gtk_label_set_label (self->times, text->str);
  if (report->rotations > 0)
    {
      g_string_append_c (text, '\n');
      g_string_append_printf (text, _("%llu rotations; %.1e of the matrix is left off its diagonal"),
                              (unsigned long long) report->rotations, report->off);
    }
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->times), text->str);
}

/* ---- how many sources ---- */

static void
find_suggested (EsAdaptiveBar *self)
{
  const EsBeamSettings *settings = self->history != NULL ? es_beam_history_get_settings (self->history) : NULL;
  const double k = find_snapshots (self);
  guint stride = 0, n, every;
  const double *values = settings != NULL ? es_beam_history_get_eigenvalues (self->history, &stride) : NULL;

  self->suggested = self->by_aic = -1;
  if (values == NULL || stride < 2 || k < 2)
    return;
  n = k < self->n_alive ? (guint) k - 1 : MIN (stride, self->n_alive);
  n = MIN (n, stride);
  if (n < 2)
    return;
  every = 1 + (guint) ((guint64) settings->n_bins * n / MOST_EIGENVALUES);
  self->suggested = (int) es_source_count_over_bins (values, MAX (settings->n_bins / every, 1), every * stride, n, k,
                                                     TRUE);
  self->by_aic = (int) es_source_count_over_bins (values, MAX (settings->n_bins / every, 1), every * stride, n, k,
                                                  FALSE);
}

void
_es_adaptive_bar_update_suggested (EsAdaptiveBar *self)
{
  const guint sources = self->params != NULL ? es_params_get_int (self->params, "sources") : 0;
  g_autofree char *label = NULL;
  g_autofree char *tooltip = NULL;

  find_suggested (self);
  if (self->suggested < 0)
    {
      label = g_strdup (_("MDL: –"));
      tooltip = g_strdup (_("How many sources there are is counted from the eigenvalues: two snapshots at least, and "
                            "eigenvalues in the parameters"));
    }
  else
    {
      /* TRANSLATORS: a button: as many sources as the criterion of minimum description length counts */
      label = g_strdup_printf (_("MDL: %d"), self->suggested);
      tooltip = g_strdup_printf (_("Sources counted from the eigenvalues: %d by AIC, %d by MDL. Takes MDL's."),
                                 self->by_aic, self->suggested);
    }
  gtk_button_set_label (GTK_BUTTON (self->suggest), label);
  gtk_widget_set_tooltip_text (self->suggest, tooltip);
  gtk_widget_set_sensitive (self->suggest, self->suggested > 0 && (guint) self->suggested != sources);
}
