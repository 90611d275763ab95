/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "picture/es-picture.h"

G_BEGIN_DECLS

/* The share of a plane's values in each of n steps from minimum to maximum, into shares; returns the largest of them.
 * A plane of one value has all of them in one step. */
double es_histogram_get_shares (const EsPlaneStatistics *statistics, double minimum, double maximum, guint n,
                                double *shares);

G_END_DECLS
