/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Lists of bands as people write them, with commas between:
 *
 *   400-1340,1460-1790 nm   wavelengths, both ends included; also um and µm; one alone is the band nearest to it
 *   1-20,25                 bands by number, from 1; #1-20 where a unit follows later: a number has that of the next
 *                           one that tells one
 *   good, all               those the file does not call bad, and every one
 *
 * Wavelengths stand for the bands among them that the file does not call bad; a band that is named by its number is
 * meant whatever the file says. Any thread.
 */

/* wavelengths: n in nm, nullable; good: n. which[b] becomes TRUE for every band that is meant, FALSE for others.
 * ES_COMPUTE_ERROR_PARAMETER: one sentence, without a name of a file. */
gboolean es_band_ranges_parse  (const char *text, const double *wavelengths, const gboolean *good, guint n,
                                gboolean *which, GError **error);
/* "1-20,25"; "" where there is none. Transfer full. */
char    *es_band_ranges_format (const gboolean *which, guint n);

G_END_DECLS
