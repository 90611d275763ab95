/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Help > Tutorial: one reduction from opening a scene to judging and reporting it, step by step, in a window beside the
 * one that is worked in. Each step says what to do and what to see; its button does it, by the actions of that window
 * ("win.simulate", "win.run" ...), and is insensitive while there is no such action or it is disabled.
 */
#define ES_TYPE_TUTORIAL (es_tutorial_get_type ())
G_DECLARE_FINAL_TYPE (EsTutorial, es_tutorial, ES, TUTORIAL, GtkWindow)

/* Presents the tutorial of this window, which is made at the first call and goes with it. */
void  es_tutorial_present   (GtkWindow *window);

guint es_tutorial_get_n_steps (EsTutorial *self);
guint es_tutorial_get_step    (EsTutorial *self);
void  es_tutorial_set_step    (EsTutorial *self, guint step);

G_END_DECLS
