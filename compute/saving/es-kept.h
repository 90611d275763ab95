/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Files of somebody else that are in the way of what is saved: each stays beside it under a name of its own,
 * "loadings.csv.~1~". kept: of char *, their new paths (with g_free). Whoever does not commit in the end takes the
 * names back with es_kept_forget ().
 */

/* Whether a file can be saved under that name, whatever is there: its folder can be written to, and nothing that is
 * read is replaced. Else ES_DATA_ERROR_WRITE, as saving would say it. Leaves nothing. */
gboolean es_kept_check  (GFile *file, GError **error);
/* Whether it is one file that is saved under both names, symbolic links followed; they may be missing. */
gboolean es_kept_is_one (GFile *a, GFile *b);
/* ES_DATA_ERROR_WRITE. */
gboolean es_kept_add    (GPtrArray *kept, const char *path, GCancellable *cancellable, GError **error);
void     es_kept_forget (GPtrArray *kept);
/* "a.~1~, b.~1~", some of them; NULL: there are none. Transfer full. */
char    *es_kept_names  (GPtrArray *kept);

G_END_DECLS
