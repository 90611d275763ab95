/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * When a recording began, and where the +x axis of its array points: fixed, or over time from a file. What it comes to,
 * or what is wrong, stands below, and only what is right can be applied.
 *
 * Signal "applied" (EsNavigation *navigation, gboolean save): the person is done; NULL: back to what the recording
 * itself tells; save: beside the recording, too.
 */
#define ES_TYPE_NAVIGATION_DIALOG (es_navigation_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsNavigationDialog, es_navigation_dialog, ES, NAVIGATION_DIALOG, AdwWindow)

/* Begins with what is known. */
GtkWidget    *es_navigation_dialog_new         (GtkWindow *parent, EsRecording *recording);
/* As typing does; texts are nullable (as they are). */
void          es_navigation_dialog_type        (EsNavigationDialog *self, const char *start, const char *heading);
/* A file of headings, in the background. */
void          es_navigation_dialog_load        (EsNavigationDialog *self, GFile *file);
gboolean      es_navigation_dialog_is_reading  (EsNavigationDialog *self);
/* As it would be applied; NULL: it cannot be, why says the verdict. Transfer full. */
EsNavigation *es_navigation_dialog_get         (EsNavigationDialog *self);
const char   *es_navigation_dialog_get_verdict (EsNavigationDialog *self);
void          es_navigation_dialog_apply       (EsNavigationDialog *self);
void          es_navigation_dialog_remove      (EsNavigationDialog *self);

G_END_DECLS
