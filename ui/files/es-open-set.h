/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a gesture with several files or folders means. */
typedef struct
{
  GPtrArray *files;              /* of GFile; folders are replaced by what is in them */
  gboolean   together;           /* one recording (its channels, its array); else each by itself */
  char      *problem;            /* a sentence where there is nothing to open; nullable */
} EsOpenSet;

void       es_open_set_free   (EsOpenSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsOpenSet, es_open_set_free)

/* Looks at names and headers, on a worker. Of a folder only what looks like recordings and arrays is taken. */
void       es_open_set_async  (GFile **files, guint n_files, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
/* Transfer full. */
EsOpenSet *es_open_set_finish (GAsyncResult *result, GError **error);

/* By its name: a file of sound. */
gboolean   es_open_set_is_sound (const char *name);
/* By its name: a file of hydrophone positions, or of a calibration, which goes the same way. */
gboolean   es_open_set_is_array (GFile *file);

/* By its name: an ENVI spectral library. */
gboolean   es_open_set_is_library (GFile *file);
/* By its name: a sparse matrix in Matrix Market's form. */
gboolean   es_open_set_is_matrix (const char *name);

G_END_DECLS
