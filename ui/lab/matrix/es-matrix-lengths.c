/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-lengths.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MOST_NAMED 8           /* more names would lie on each other */
#define WIDE 100               /* between the fewest and the most rows of a bar: their axis is logarithmic */

/* "1", "2–3", "4–7". */
static char **
name_bars (guint n, guint first)
{
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const guint64 from = G_GUINT64_CONSTANT (1) << (first + i - 1), to = 2 * from - 1;

      names[i] = from == to ? g_strdup_printf ("%" G_GUINT64_FORMAT, from)
                            : g_strdup_printf ("%" G_GUINT64_FORMAT "–%" G_GUINT64_FORMAT, from, to);
    }
  return names;
}

EsPlot *
es_matrix_lengths_plot_new (EsSparseMatrix *matrix)
{
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);
  const guint n_bins = G_N_ELEMENTS (statistics->lengths);
  double x[G_N_ELEMENTS (statistics->lengths)], y[G_N_ELEMENTS (statistics->lengths)], least = 0, most = 0;
  g_autoptr (EsPlot) plot = es_plot_new ();
  guint first = 0, last = 0, n = 0;

  for (guint bin = 1; bin < n_bins; bin++)
    if (statistics->lengths[bin] > 0)
      {
        first = first == 0 ? bin : first;
        last = bin;
        least = least == 0 ? (double) statistics->lengths[bin] : MIN (least, (double) statistics->lengths[bin]);
        most = MAX (most, (double) statistics->lengths[bin]);
      }
  for (guint bin = first; bin <= last && first > 0; bin++)
    {
      x[n] = (double) (G_GUINT64_CONSTANT (1) << (bin - 1));
      y[n++] = (double) statistics->lengths[bin];
    }
  const gboolean wide = least > 0 && most / least > WIDE;

  es_plot_set_title (plot, _("Rows by their number of nonzeros"));
  es_plot_set_x_axis (plot, _("Nonzeros of a row, from"), NULL);
  es_plot_set_x_division (plot, ES_PLOT_X_BINARY);
  es_plot_set_y_axis (plot, _("Rows"), NULL, wide);
  /* Room for what stands above the bars. */
  if (most > 0)
    es_plot_set_y_range (plot, wide ? NAN : 0, wide ? 4 * most : 1.15 * most);
  if (n > 0)
    {
      const guint series = es_plot_add_series (plot, _("Rows"), ES_PLOT_BARS, FALSE, n, x, y);
      g_auto (GStrv) labels = name_bars (n, first);

      if (n <= MOST_NAMED)
        es_plot_set_labels (plot, series, (const char * const *) labels);
    }
  return g_steal_pointer (&plot);
}
