/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-file-facts.h"

G_BEGIN_DECLS

/* What is being listed. */
typedef struct
{
  const char   *path;
  GCancellable *cancellable;       /* nullable */
  GPtrArray    *facts;
} EsFileFacts;

/* Adds one; NULL value: nothing. FALSE: there are enough, or it was cancelled. */
gboolean es_file_facts_add  (EsFileFacts *self, const char *group, const char *key, const char *value);

/* FALSE: it is not of that kind, or cannot be read. */
gboolean es_file_facts_gdal (EsFileFacts *self, const char *connection, const char *driver);
gboolean es_file_facts_mdim (EsFileFacts *self);
gboolean es_file_facts_mat  (EsFileFacts *self);

G_END_DECLS
