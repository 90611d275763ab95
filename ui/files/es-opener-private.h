/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-opener.h"
#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/* es-opener.c */
void _es_opener_open_file      (EsOpener *self, EsOpenRequest *request, GFile *file, const EsOpenOptions *options);

/* es-opener-ask.c: what the person has to tell, and is told. */
void _es_opener_tell_failure   (EsOpener *self, EsOpenRequest *request, GFile *file, const GError *error);
/* raw: a file that no reader knows, which may still be samples (nullable). */
void _es_opener_report_failure (EsOpener *self, EsOpenRequest *request, const char *sentence, GFile *raw);

/* The opening of a request goes on when a dialog of its file is answered. */
void _es_opener_keep_request   (gpointer dialog, EsOpenRequest *request);
void _es_opener_go_on          (EsOpener *self, gpointer dialog, GFile *file, const EsOpenOptions *options);
/* es-opener-contents.c: says of a file that has just been opened that it holds more, where it does. */
void _es_opener_tell_arrays    (EsOpener *self, EsDataset *dataset);
/* Of a file that was refused: where it describes others, asks whether those may be read; else tells the error. */
void _es_opener_ask_sources    (EsOpener *self, EsOpenRequest *request, GFile *file, const GError *error);

EsShell *_es_opener_get_shell  (EsOpener *self);
/* For a dialog, which nobody would find were the window not shown yet. */
GtkWindow *_es_opener_get_window (EsOpener *self);
/* The request of a file that waits to be imported, or a new one. Transfer full. */
EsOpenRequest *_es_opener_take_unread (EsOpener *self, const char *uri);
void           _es_opener_keep_unread (EsOpener *self, const char *uri, EsOpenRequest *request);

G_END_DECLS
