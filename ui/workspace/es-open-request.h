/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How a file came: decides whether a failure is told by a dialog (the person chose it just now) or a toast. */
typedef enum { ES_OPEN_CHOSEN, ES_OPEN_GIVEN } EsOpenOrigin;

/*
 * One opening: files, and what is to happen once they are open. It travels with them, through whatever has to be asked
 * on the way; what happens afterwards happens once, with the first data set of these files that opens.
 */
typedef struct
{
  GPtrArray    *files;           /* of GFile */
  EsOpenOrigin  origin;
  char         *operation;       /* the id of one that is run with the panel's parameters; nullable */
  char         *array;           /* of the first recording: "line:512,1.5" or a file; nullable */
  gboolean      play;            /* a recording is played */
} EsOpenRequest;

/* Files may be NULL where there are none. */
EsOpenRequest *es_open_request_new   (GFile **files, guint n_files, EsOpenOrigin origin);
EsOpenRequest *es_open_request_ref   (EsOpenRequest *self);
void           es_open_request_unref (EsOpenRequest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsOpenRequest, es_open_request_unref)

/* Nothing is to happen afterwards, or it has. */
gboolean       es_open_request_is_plain (EsOpenRequest *self);

G_END_DECLS
