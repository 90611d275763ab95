/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * What would be lost if a window were closed, or a data set: results that are not saved (es_result_is_saved ()), what
 * was made by hand and no file holds (es-made.h), and what runs; of a window whose session is kept
 * (es_shell_is_keeping ()), what runs alone. It asks once, and waits, saves or cancels as the
 * person says. Main context only.
 *
 * Signal "leave" (): nothing is lost any more, or the person has agreed to it. It is not emitted where they change
 * their mind, something that was waited for fails or is cancelled, or saving fails (which is told).
 */
#define ES_TYPE_LEAVING (es_leaving_get_type ())
G_DECLARE_FINAL_TYPE (EsLeaving, es_leaving, ES, LEAVING, GObject)

/* dataset: what is closed; NULL: the window of the shell. */
EsLeaving *es_leaving_new       (EsShell *shell, EsDataset *dataset);
EsDataset *es_leaving_get_dataset (EsLeaving *self);       /* nullable */
/* FALSE: there is nothing to be lost, and nothing to be asked. */
gboolean   es_leaving_is_needed (EsLeaving *self);
void       es_leaving_ask       (EsLeaving *self);
/* The dialog is on the screen. */
gboolean   es_leaving_is_asking (EsLeaving *self);
/* What the dialog does once a folder is chosen: each result into a folder of its own in it, each thing that was made
 * by hand into a file of its own. wait: for what runs, and its results too; otherwise that is cancelled. folder NULL:
 * there will be nothing to be saved. */
void       es_leaving_save      (EsLeaving *self, GFile *folder, gboolean wait);
/* Gives up what waits or saves. */
void       es_leaving_stop      (EsLeaving *self);

G_END_DECLS
