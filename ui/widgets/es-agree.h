/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Before an ENVI file is saved: calls agreed at once, or, where its header would replace one that belongs to something
 * else, asks first and calls it only if the person says so. data is destroyed afterwards in any case.
 */
typedef void (*EsAgreed) (GFile *target, gpointer data);
void es_agree_on_header (GtkWindow *window, GFile *target, EsAgreed agreed, gpointer data, GDestroyNotify destroy);

G_END_DECLS
