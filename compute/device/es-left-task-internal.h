/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Work that cannot be stopped once it has begun, such as a dense factor: it is on a thread of its own, with copies of
 * what it needs, and a caller who is cancelled leaves it behind. A member of what such work needs, which both of them
 * have; whoever drops it last frees that.
 */
typedef struct
{
  int              cancelled;      /* atomic: nobody waits any more. Of loops that look at it */

  /* private */
  gatomicrefcount  references;
  GMutex           lock;
  GCond            changed;
  gboolean         done;
  double           fraction;
  GError          *error;
} EsLeftTask;

void     es_left_task_init  (EsLeftTask *self);
/* TRUE: the other has dropped it before, and self is cleared. */
gboolean es_left_task_drop  (EsLeftTask *self);
/* Calls work (data), which has a reference, on a thread of that name; where name is NULL or there is none, at once.
 * What was waited for without an error may be started again. */
void     es_left_task_start (EsLeftTask *self, const char *name, GThreadFunc work, gpointer data);
/* For the work: how far it is, 0..1. */
void     es_left_task_tell  (EsLeftTask *self, double fraction);
/* It is done. error: nullable, taken. FALSE: nobody waits any more, and what was held meanwhile is the work's to give
 * back. */
gboolean es_left_task_end   (EsLeftTask *self, GError *error);
/* Until it is done or the caller is cancelled; progress (nullable) hears meanwhile how far it is. FALSE with its error,
 * or with G_IO_ERROR_CANCELLED: then only es_left_task_drop () is left to be called. */
gboolean es_left_task_wait  (EsLeftTask *self, GCancellable *cancellable,
                             void (*progress) (double fraction, gpointer data), gpointer data, GError **error);

G_END_DECLS
