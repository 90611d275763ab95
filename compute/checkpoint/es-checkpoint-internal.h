/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-checkpoint.h"

G_BEGIN_DECLS

/* What a run is of, so that another one knows whether it is the same. */
typedef struct
{
  char *key;
  char *label;                 /* translated, amid a sentence: "the operation" */
  char *value;
} EsCheckpointFact;

/* GArray of EsCheckpointFact, whose texts it owns. */
GArray       *es_checkpoint_facts_new (void);
/* Takes value; label is copied. */
void          es_checkpoint_facts_add (GArray *facts, const char *key, const char *label, char *value);

/* Before anything is computed, by all processes; takes the facts. A run that begins for the second time begins with
 * nothing. ES_DATA_ERROR_FORMAT, ES_DATA_ERROR_UNSUPPORTED: the file is damaged, or of another run; one sentence. */
gboolean      es_checkpoint_begin     (EsCheckpoint *self, GArray *facts, GError **error);

/* A name for what comes next, the same in every run of the same facts: "3 covariance". Transfer full. */
char         *es_checkpoint_next_name (EsCheckpoint *self, const char *what);
/* Transfer full; nullable. All processes have what was in the file. */
GBytes       *es_checkpoint_get       (EsCheckpoint *self, const char *name);
/* Takes the bytes, in the place of those of that name. What others than the first process put is forgotten. */
void          es_checkpoint_put       (EsCheckpoint *self, const char *name, GByteArray *bytes);

void          es_checkpoint_enter     (EsCheckpoint *self);
/* FALSE where the run has been stopped: G_IO_ERROR_CANCELLED, and the cancellable is cancelled now. */
gboolean      es_checkpoint_leave     (EsCheckpoint *self, GError **error);

/* Whether to pause now; any thread, as often as there is something to be asked. */
gboolean      es_checkpoint_is_due    (EsCheckpoint *self);
typedef enum { ES_CHECKPOINT_GO_ON, ES_CHECKPOINT_WRITE, ES_CHECKPOINT_STOP } EsCheckpointNext;
/* By all processes, where they have paused: what comes next is the same for all. Of several processes each may have
 * paused for its own reason, or not at all. */
gboolean      es_checkpoint_settle    (EsCheckpoint *self, EsCheckpointNext *next, GError **error);
/* The same in two, where processes tell each other something anyway: what this one would have come next, and the
 * greatest of all of them. */
EsCheckpointNext es_checkpoint_ask    (EsCheckpoint *self);
void          es_checkpoint_follow    (EsCheckpoint *self, EsCheckpointNext next);
/* Writes what there is, while the run goes on; what goes wrong is told at the end. */
void          es_checkpoint_keep      (EsCheckpoint *self);
/* "The checkpoint “x” does not fit …": ES_DATA_ERROR_FORMAT. FALSE. */
gboolean      es_checkpoint_refuse    (EsCheckpoint *self, GError **error);

/* ---- numbers in pieces ---- */

/* From the beginning of bytes on. */
typedef struct
{
  const guint8 *data;
  gsize         left;
} EsCheckpointReader;

/* FALSE: there are not so many bytes left. */
gboolean      es_checkpoint_take      (EsCheckpointReader *reader, gpointer to, gsize size);

G_END_DECLS
