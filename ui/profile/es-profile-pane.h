/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-display.h"
#include "image/es-image-view.h"
#include "plot/es-plot.h"
#include "profile/es-profile.h"

G_BEGIN_DECLS

/*
 * What is shown (a band, the three of a composite, a component), along the row or the column of the selected pixel,
 * else of the one under the pointer, or along a line that is drawn in the picture, whose corners can be dragged or
 * typed. The values are those of the file, whatever the picture makes of them on the screen. A cursor goes along both.
 * Reads and draws nothing while it is not on the screen.
 * Actions profile.save-csv (all that is drawn, with distances and places), profile.copy-command (the line for
 * eigenscope-batch; of a cube).
 * Signal "changed": es_profile_pane_describe () or _tell () say something else.
 */
#define ES_TYPE_PROFILE_PANE (es_profile_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsProfilePane, es_profile_pane, ES, PROFILE_PANE, GtkWidget)

typedef enum { ES_PROFILE_ROW, ES_PROFILE_COLUMN, ES_PROFILE_LINE, ES_N_PROFILE_KINDS } EsProfileKind;

GtkWidget    *es_profile_pane_new          (EsDisplay *display);
/* Where lines are drawn; once. */
void          es_profile_pane_set_image    (EsProfilePane *self, EsImageView *image);
/* That the picture is of, or of a result of which it is; nullable. A line of another one is forgotten. */
void          es_profile_pane_set_cube     (EsProfilePane *self, EsCube *cube);
void          es_profile_pane_set_selected (EsProfilePane *self, gboolean any, guint x, guint y);
void          es_profile_pane_set_hovered  (EsProfilePane *self, gboolean any, guint x, guint y);
void          es_profile_pane_set_kind     (EsProfilePane *self, EsProfileKind kind);
EsProfileKind es_profile_pane_get_kind     (EsProfilePane *self);
/* The line (nullable), with sampling and width, which rows and columns have too. */
void          es_profile_pane_set_line     (EsProfilePane *self, const EsProfileLine *line);
const EsProfileLine *es_profile_pane_get_line (EsProfilePane *self);
/* What is drawn; NULL: nothing yet. */
const EsProfile *es_profile_pane_get_profile (EsProfilePane *self);
/* As a file of columns; what goes wrong is reported. */
void          es_profile_pane_save_csv     (EsProfilePane *self, GFile *target);
EsPlot       *es_profile_pane_get_plot     (EsProfilePane *self);
gboolean      es_profile_pane_is_loading   (EsProfilePane *self);
/* "row 120", "236 pixels"; NULL: nothing. Transfer full. */
char         *es_profile_pane_describe     (EsProfilePane *self);
/* How it is set, for sessions; NULL: as it begins. Transfer full. */
JsonNode     *es_profile_pane_tell         (EsProfilePane *self);
void          es_profile_pane_take         (EsProfilePane *self, JsonNode *told);

G_END_DECLS
