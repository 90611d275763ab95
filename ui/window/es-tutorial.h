/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Help > Tutorial: one reduction from opening a scene to judging and reporting it, one recording from opening to
 * saving its beams, or what adaptive beams tell apart, step by step, in a window beside the one that is worked in. Each
 * step says what to do and what to see; its button does it, by the actions of that window ("win.simulate", "win.run"
 * ...), and is insensitive while there is no such action or it is disabled.
 */
#define ES_TYPE_TUTORIAL (es_tutorial_get_type ())
G_DECLARE_FINAL_TYPE (EsTutorial, es_tutorial, ES, TUTORIAL, GtkWindow)

typedef enum { ES_TUTORIAL_CUBE, ES_TUTORIAL_RECORDING, ES_TUTORIAL_ADAPTIVE, ES_TUTORIAL_N_PATHS } EsTutorialPath;

/* Presents the tutorial of this window, which is made at the first call and goes with it; it begins with the path of
 * what the window shows then. */
void  es_tutorial_present     (GtkWindow *window);

/* Each path stays at its step while another is shown. */
EsTutorialPath es_tutorial_get_path (EsTutorial *self);
void  es_tutorial_set_path    (EsTutorial *self, EsTutorialPath path);
guint es_tutorial_get_n_steps (EsTutorial *self);    /* of the path */
guint es_tutorial_get_step    (EsTutorial *self);
void  es_tutorial_set_step    (EsTutorial *self, guint step);

G_END_DECLS
