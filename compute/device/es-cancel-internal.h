/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Between the two, whoever waits for `cond` is woken when `cancellable` (nullable) is cancelled, so that waiting needs
 * no time limit. Both without the lock held; cancelling takes it.
 */
typedef struct
{
  GCancellable *cancellable;
  GMutex       *lock;
  GCond        *cond;
  gulong        handler;
} EsCancelWake;

void es_cancel_wake_begin (EsCancelWake *self, GCancellable *cancellable, GMutex *lock, GCond *cond);
void es_cancel_wake_end   (EsCancelWake *self);

G_END_DECLS
