/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-metadata.h"

G_BEGIN_DECLS

/*
 * Wavelengths of a text file: a line for each band, with blanks, tabulators, commas or semicolons between
 *
 *   wavelength
 *   wavelength  fwhm
 *   wavelength  fwhm  good        0 is bad, 1 is good
 *
 * and the number of the band in front of them or not. A heading may name the columns in any order, and the unit
 * ("wavelength (um), fwhm"); without one numbers below 100 are micrometres and others nanometres. Lines that begin with
 * # or are empty are no bands. With semicolons between, numbers may have decimal commas.
 *
 * Facts of so many bands: wavelengths, their unit, widths and the bad-band list, as far as the file has them. *guessed:
 * nothing said the unit (nullable). ES_DATA_ERROR: one sentence that names the file, the line, and both numbers where
 * it has more or fewer bands. Transfer full. Blocking.
 */
EsMetadata *es_band_table_load (GFile *file, guint bands, gboolean *guessed, GError **error);

G_END_DECLS
