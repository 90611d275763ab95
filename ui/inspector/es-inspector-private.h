/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-components-pane.h"
#include "es-embedding-pane.h"
#include "es-inspector.h"
#include "profile/es-profile-pane.h"
#include "es-reconstruction-pane.h"
#include "es-region-pane.h"
#include "es-scatter-view.h"
#include "es-scree-pane.h"
#include "legend/es-class-legend.h"
#include "selection/es-selection-pane.h"
#include "widgets/es-section.h"
#include "es-spectrum-pane.h"
#include "charts/es-steps-view.h"
#include "places/es-section-places.h"
#include "es-values-pane.h"

G_BEGIN_DECLS

typedef enum
{
  SECTION_LEGEND,
  SECTION_SPECTRUM,
  SECTION_HISTOGRAM,
  SECTION_PROFILE,
  SECTION_SELECTION,
  SECTION_CLASSES,
  SECTION_SCATTER,
  SECTION_EIGENVALUES,
  SECTION_COMPONENTS,
  SECTION_RECONSTRUCTION,
  SECTION_CONVERGENCE,
  SECTION_EMBEDDING,
  SECTION_LOADINGS,
  SECTION_VALUES,
  SECTION_STEPS,
  N_SECTIONS
} SectionId;

struct _EsInspector
{
  GtkWidget       parent_instance;

  /* children */
  EsSectionColumns *columns;
  EsSection      *sections[N_SECTIONS];
  EsClassLegend  *legend;
  EsSpectrumPane *spectrum;
  EsProfilePane  *profile;
  EsSelectionPane *selection;
  EsRegionPane   *classes;
  EsScatterView  *scatter;
  EsScreePane    *scree;
  EsComponentsPane *components;
  EsReconstructionPane *reconstruction;
  GtkWidget      *convergence;         /* a box that holds a plot view of its own for each curve */
  EsPlot         *convergence_plot;
  EsEmbeddingPane *embedding;
  EsValuesPane   *values;
  EsStepsView    *steps;
  EsPlot         *loadings;
  GtkWidget      *loadings_view;

  EsSectionPlaces *places;             /* where the sections stand */
  EsDisplay      *display;
  EsDataset      *dataset;
  EsResult       *result;
  EsResult       *judged;              /* the result, or what it is a reconstruction of */
  GSignalGroup   *result_signals, *judged_signals; /* of the judgements of these two */
  EsCurve        *loadings_curve;
  gboolean        spectrum_seen;       /* of this data set: its place stays */
  EsRegionControl *control;
};

/* es-inspector.c */
void     _es_inspector_add_section      (EsInspector *self, GtkWidget *column, SectionId which, const char *id,
                                         const char *title, GtkWidget *child);
void     _es_inspector_ask_reconstruction (EsInspector *self);
void     _es_inspector_show_layer       (EsInspector *self, EsResult *result, EsLayer *layer, guint plane);
void     _es_inspector_use_as_noise     (EsInspector *self, const char *text);
void     _es_inspector_use_region       (EsInspector *self, const char *key, const char *text);
void     _es_inspector_open_classes     (EsInspector *self, EsRegionSet *classes, GFile *file);

/* es-inspector-sections.c. The curve of a role, nullable, as it is without one; borrowed of the result. */
EsCurve *_es_inspector_find_curve       (EsResult *result, const char *role);
/* Once all of them have been added: each follows what is shown, and what was chosen in another. */
void     _es_inspector_connect_sections (EsInspector *self);
/* A line that was drawn is one whose profile is wanted. */
void     _es_inspector_line_drawn       (EsInspector *self);

/* es-inspector-quality.c: classes, scatter plot; components, reconstruction, convergence. */
void     _es_inspector_add_regions      (EsInspector *self, GtkWidget *column);
void     _es_inspector_add_quality      (EsInspector *self, GtkWidget *column);
void     _es_inspector_drop_quality     (EsInspector *self);
/* Another result is shown. */
void     _es_inspector_judge            (EsInspector *self);
void     _es_inspector_source_changed   (EsInspector *self);
void     _es_inspector_planes_changed   (EsInspector *self);
void     _es_inspector_foreach_quality_plot (EsInspector *self, EsInspectorPlotFunc each, gpointer data);

G_END_DECLS
