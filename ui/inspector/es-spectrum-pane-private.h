/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spectrum-pane.h"

#include "spectra/es-resampler.h"
#include "widgets/es-latest.h"

G_BEGIN_DECLS

typedef enum { ES_SPECTRUM_SELECTED, ES_SPECTRUM_HOVERED, ES_N_SPECTRA } EsSpectrumWhich;

struct _EsSpectrumPane
{
  GtkWidget  parent_instance;

  GtkWidget *view;
  EsPlot    *plot;

  EsDisplay *display;
  EsRegionControl *control;      /* nullable */
  EsCube    *cube;
  GSignalGroup *cube_signals;
  EsSpectralAxis *axis;          /* of the cube; nullable */
  double    *x;                  /* wavelengths, or band numbers */
  guint      n;

  struct
  {
    EsLatest *reader;
    gboolean  wanted;
    guint     x, y;
    double   *values;            /* NULL: none read */
    guint     shown_x, shown_y;
  } spectra[ES_N_SPECTRA];

  gboolean   empty;
};

void     _es_spectrum_pane_set_empty      (EsSpectrumPane *self, gboolean empty);

/* es-spectrum-pane-plot.c: whether the picture is of the cube, so that its bands have markers. */
gboolean _es_spectrum_pane_shows_cube     (EsSpectrumPane *self);
/* All of the plot. */
void     _es_spectrum_pane_rebuild        (EsSpectrumPane *self);
/* The markers alone, where their number is the same: while one is dragged nothing else is touched. */
void     _es_spectrum_pane_update_markers (EsSpectrumPane *self);

G_END_DECLS
