/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "session/es-session.h"

G_BEGIN_DECLS

/*
 * Names of data sets and results that outlive the program: 32 hexadecimal digits, made by chance when one is asked for
 * first. A result keeps its name for as long as it is the same: it is also that of its folder in the cache. Main
 * context only.
 */
const char *es_kept_id_of     (gpointer thing);                      /* EsDataset or EsResult; borrowed */
/* What it had in a session that is opened again; before it is asked for. */
void        es_kept_id_set    (gpointer thing, const char *id);
/* Whether a text can be one: nothing else names a folder. */
gboolean    es_kept_id_is     (const char *id);

/* A data set, result or layer of a session as text, and found again by it. NULL: it is not there. The text is transfer
 * full, the thing borrowed. */
char       *es_kept_id_refer  (EsSession *session, GObject *thing);
GObject    *es_kept_id_find   (EsSession *session, const char *reference);

G_END_DECLS
