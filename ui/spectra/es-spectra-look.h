/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "spectra/es-spectrum.h"

G_BEGIN_DECLS

/* How spectra are drawn. Not a widget. */
typedef enum
{
  ES_SPECTRA_VALUES, ES_SPECTRA_CONTINUUM_REMOVED, ES_SPECTRA_NORMALISED, ES_SPECTRA_FIRST_DERIVATIVE,
  ES_SPECTRA_SECOND_DERIVATIVE, ES_N_SPECTRA_SHAPES
} EsSpectraShape;

typedef enum { ES_SPECTRA_NM, ES_SPECTRA_UM, ES_SPECTRA_WAVENUMBER, ES_SPECTRA_BAND, ES_N_SPECTRA_UNITS } EsSpectraUnit;

typedef struct
{
  EsSpectraShape shape;
  EsSpectraUnit  unit;
  gboolean       stacked;
  double         offset;       /* between one and the next, where stacked; NAN: as much as the largest one spans */
} EsSpectraLook;

/* "continuum-removed", translated; for menus. */
const char *es_spectra_shape_title (EsSpectraShape shape);
const char *es_spectra_unit_title  (EsSpectraUnit unit);
/* What the axis says: "Wavelength" and "nm" (NULL: no unit). */
const char *es_spectra_unit_axis   (EsSpectraUnit unit, const char **symbol);
/* Where a band lies on the axis; NAN where it has no wavelength and one is asked for. */
double      es_spectra_look_place  (const EsSpectraLook *look, const EsSpectralAxis *axis, guint band);
/* Fills x and y, a value a band. Within the unit's order a run of wavelengths stays a run. */
void        es_spectra_look_make   (const EsSpectraLook *look, EsSpectrum *spectrum, double *x, double *y);

G_END_DECLS
