/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workspace/es-shell.h"

G_BEGIN_DECLS

/* What is thought to be there: what was read or written here, the same as what is to be saved, or somebody else's. */
typedef enum { ES_SAVE_BESIDE_OURS, ES_SAVE_BESIDE_SAME, ES_SAVE_BESIDE_FOREIGN } EsSaveBesideThere;

/* Writes `what` to a file; any thread. */
typedef gboolean (*EsSaveBesideWrite) (gpointer what, GFile *file, GError **error);
/* Whether the file, which is there, is what this program has read or written; any thread. */
typedef gboolean (*EsSaveBesideKnow)  (GFile *file, gpointer data);
/* In the main thread, when that is done. */
typedef void     (*EsSaveBesideDone)  (gpointer what, gboolean saved, gpointer data);

/* What the file was when something else was saved in its place, byte by byte; counted. */
typedef struct _EsFileBefore EsFileBefore;
EsFileBefore *_es_file_before_new   (void);
EsFileBefore *_es_file_before_ref   (EsFileBefore *self);
void          _es_file_before_unref (EsFileBefore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsFileBefore, _es_file_before_unref)

typedef struct
{
  EsSaveBesideThere there;
  gpointer          what;        /* nullable */
  GDestroyNotify    free_what;
  EsSaveBesideWrite write;
  EsSaveBesideKnow  know;        /* nullable */
  gboolean          quiet;       /* that it is saved is not said */
  EsSaveBesideDone  done;        /* nullable */
  gpointer          data;
  GDestroyNotify    free_data;   /* nullable */
  EsFileBefore     *before;      /* nullable: gets what the file is until then */
  EsFileBefore     *back;        /* nullable: what it is to be again, in place of `what` */
} EsSaveBeside;

/*
 * Saves what a person has told of a data set beside it, in the background and one after the other; closing the window
 * waits for it, and what goes wrong is told there. All that `saving` has is taken. what NULL: the file there goes into
 * the trash, or where there is none gets another name that is free, as it does before another takes its place where it
 * is foreign, or where `know` does not know it: what it said is nowhere else, and where it is now is said. The same, if
 * `know` knows it, stays as it is. With `back` the file becomes, byte by byte, what it was, or goes.
 */
void _es_save_beside (EsShell *shell, GFile *target, const EsSaveBeside *saving);

G_END_DECLS
