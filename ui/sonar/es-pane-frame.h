/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sonar/panes/es-sonar-pane.h"

G_BEGIN_DECLS

/*
 * Round a pane: its title, what it shows just now, and a menu (save picture, save data, copy). In the column it folds
 * like a section. Property "expanded". Signals: "swap" and "maximise": the person asks for it, by a double click on the
 * title or in the menu; "enlarge": over the whole window, or back, by the button beside the menu.
 */
#define ES_TYPE_PANE_FRAME (es_pane_frame_get_type ())
G_DECLARE_FINAL_TYPE (EsPaneFrame, es_pane_frame, ES, PANE_FRAME, GtkWidget)

GtkWidget   *es_pane_frame_new          (EsSonarPane *pane);
EsSonarPane *es_pane_frame_get_pane     (EsPaneFrame *self);
/* In the middle it fills its place and does not fold. */
void         es_pane_frame_set_in_middle (EsPaneFrame *self, gboolean in_middle);
gboolean     es_pane_frame_get_in_middle (EsPaneFrame *self);
void         es_pane_frame_set_maximised (EsPaneFrame *self, gboolean maximised);
/* It fills the window. */
void         es_pane_frame_set_enlarged (EsPaneFrame *self, gboolean enlarged);
gboolean     es_pane_frame_get_expanded (EsPaneFrame *self);
void         es_pane_frame_set_expanded (EsPaneFrame *self, gboolean expanded);
/* A widget of the pane beside the title: a switch between shapes. Transfer floating. */
void         es_pane_frame_add_control  (EsPaneFrame *self, GtkWidget *control);
/* More in the menu, of the pane alone; nullable. */
void         es_pane_frame_set_section  (EsPaneFrame *self, GMenuModel *section);
/* What the menu does. Pictures are opaque, and say above what they are of. */
GdkTexture  *es_pane_frame_render       (EsPaneFrame *self);     /* NULL: it is not on the screen; transfer full */
void         es_pane_frame_copy         (EsPaneFrame *self);
void         es_pane_frame_save_picture (EsPaneFrame *self);
void         es_pane_frame_save_data    (EsPaneFrame *self);

G_END_DECLS
