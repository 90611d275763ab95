/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workspace/es-open-request.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * Files on their way in: opened on workers, put into the session, listed as recent. What a file does not tell is asked
 * for; what cannot be opened is told. Also the scenes that are simulated to be opened.
 *
 * Signals: "opened" (EsDataset *dataset, EsOpenRequest *request): it is in the session, and what the request still says
 * is to happen with it, which whoever does it takes out of the request. "loaded" (EsResult *result): a saved result,
 * in the session with its data set. "positions" (GFile *file): where hydrophones are, for what is shown. "session"
 * (GFile *file): a session of a person's, to be opened. "profile" (GFile *file): a profile of a device, to be shown.
 */
#define ES_TYPE_OPENER (es_opener_get_type ())
G_DECLARE_FINAL_TYPE (EsOpener, es_opener, ES, OPENER, GObject)

EsOpener *es_opener_new           (EsShell *shell);
void      es_opener_open          (EsOpener *self, EsOpenRequest *request);
/* A device, to be measured: "cuda:0". What the request says happens to it; its files are nothing here. */
void      es_opener_open_device   (EsOpener *self, const char *id, EsOpenRequest *request);
/* A matrix that is made, by the name that eigenscope-batch takes: "poisson2d:1000x1000". */
void      es_opener_make_matrix   (EsOpener *self, const char *name, EsOpenRequest *request);
/* Asks for files. */
void      es_opener_choose_files  (EsOpener *self);
/* A file that no reader knows: asks how its bytes are to be taken as a recording; as a cube; first, as which of the
 * two. */
void      es_opener_import_raw    (EsOpener *self, const char *uri);
void      es_opener_import_cube   (EsOpener *self, const char *uri);
void      es_opener_import_as     (EsOpener *self, const char *uri);
/* Asks for the file, too. */
void      es_opener_choose_import (EsOpener *self);
/* "other-arrays": a dialog of what else the file of the shown data set holds. It is enabled where that is something. */
void      es_opener_install_actions (EsOpener *self, GActionMap *map);
/* What is dropped on a widget. */
void      es_opener_install_drop  (EsOpener *self, GtkWidget *widget);

/* The default cube; a recording, which is played; the same after asking for the scene. */
void      es_opener_simulate_cube (EsOpener *self);
void      es_opener_simulate_recording (EsOpener *self, EsParams *params);
void      es_opener_choose_scene  (EsOpener *self);
/* One of es_simulate_get_scenes (). */
void      es_opener_simulate_scene (EsOpener *self, const char *id);

G_END_DECLS
