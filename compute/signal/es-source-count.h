/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * How many sources there are, by the criteria of Akaike (AIC) and of the minimum description length (MDL) after Wax and
 * Kailath (1985): of n eigenvalues (descending) of a matrix of `snapshots` snapshots. Where there are not more
 * snapshots than n, n is their number less one: the others are 0, and the last of them is next to nothing. 0 <= result
 * < n; silence, n < 2: 0.
 */
guint  es_source_count_aic (const double *eigenvalues, guint n, double snapshots);
guint  es_source_count_mdl (const double *eigenvalues, guint n, double snapshots);
/* The median over bins (n_bins x stride, the first n of each count). */
guint  es_source_count_over_bins (const double *eigenvalues, guint n_bins, guint stride, guint n, double snapshots,
                                  gboolean mdl);
/* The mean of the eigenvalues beyond the first n_sources: the power of noise in an element and bin. */
double es_noise_floor      (const double *eigenvalues, guint n, guint n_sources);

G_END_DECLS
