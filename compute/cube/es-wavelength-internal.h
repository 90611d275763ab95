/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Turns n wavelengths, and fwhm (n values or NULL), into nanometres in place. unit is what the file says
 * ("Nanometers", "um", "cm-1", "GHz" ...), NULL or "Unknown" where it does not: then lists that stay below
 * 100 are taken for micrometres and lists that merely count the bands for no wavelengths. FALSE, with both
 * untouched, where the values are no wavelengths: an index, a unit that is none of length, or a value that is
 * not positive and finite.
 */
gboolean es_wavelengths_to_nanometres (double *wavelengths, double *fwhm, guint n, const char *unit);

/* TRUE for the name of a unit that a wavelength can have. */
gboolean es_wavelength_unit_is_known  (const char *unit);

/* Finds "376.44 Nanometers" or "band 3 (0.429 um)" in a band's name; *nanometres is set where it is there. */
gboolean es_wavelength_from_name      (const char *name, double *nanometres);

G_END_DECLS
