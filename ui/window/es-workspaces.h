/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The kinds of workspaces that a window has, classes of EsWorkspace; the first is shown while there is nothing. */
const GType *es_workspaces_get (guint *n);

G_END_DECLS
