/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-checkpoint-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"
#include "saving/es-durable.h"

/* Of a file that goes to all processes, in one message. */
#define MESSAGE_BYTES ((gsize) 256 << 20)
#define MOST_BYTES ((guint64) 3 << 30)

struct _EsCheckpoint
{
  gatomicrefcount references;
  GFile          *file;
  gboolean        resume, resumed;
  gboolean        ours;            /* the file is of this run */
  gint64          every_us;        /* 0: never */
  GArray         *facts;           /* NULL: it has not begun */
  GHashTable     *pieces;          /* names to GBytes */
  guint           names;
  GError         *failure;

  GMutex          lock;
  guint           sections;        /* that look by themselves */
  GCancellable   *cancellable;     /* of whoever has stopped it */
  int             stopped;         /* atomic */
  int             looks;           /* atomic; those left until it stops by itself; 0: it does not */
  gint64          kept_at;         /* written by one thread while nobody looks */
};

/* ---- facts ---- */

static void
clear_fact (gpointer data)
{
  EsCheckpointFact *fact = data;

  g_free (fact->key);
  g_free (fact->label);
  g_free (fact->value);
}

GArray *
es_checkpoint_facts_new (void)
{
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (EsCheckpointFact));

  g_array_set_clear_func (facts, clear_fact);
  return facts;
}

void
es_checkpoint_facts_add (GArray *facts, const char *key, const char *label, char *value)
{
  const EsCheckpointFact fact = { g_strdup (key), g_strdup (label), value };

  g_array_append_val (facts, fact);
}

/* ---- making ---- */

/* $ES_CHECKPOINT_STOP: how often it is asked whether to pause before the run stops by itself, for tests. */
static int
looks_allowed (void)
{
  const char *text = g_getenv ("ES_CHECKPOINT_STOP");
  guint64 looks = 0;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &looks, NULL);
  return (int) looks;
}

EsCheckpoint *
es_checkpoint_new (GFile *file, gboolean resume, double minutes)
{
  EsCheckpoint *self = g_new0 (EsCheckpoint, 1);

  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  self->file = g_object_ref (file);
  self->resume = resume;
  self->every_us = (gint64) (minutes * 60 * G_USEC_PER_SEC);
  self->pieces = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  self->looks = looks_allowed ();
  return self;
}

EsCheckpoint *
es_checkpoint_ref (EsCheckpoint *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_checkpoint_unref (EsCheckpoint *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_object_unref (self->file);
  g_clear_pointer (&self->facts, g_array_unref);
  g_hash_table_unref (self->pieces);
  g_clear_error (&self->failure);
  g_clear_object (&self->cancellable);
  g_mutex_clear (&self->lock);
  g_free (self);
}

GFile *
es_checkpoint_get_file (EsCheckpoint *self)
{
  return self->file;
}

const GError *
es_checkpoint_get_failure (EsCheckpoint *self)
{
  return self->failure;
}

gboolean
es_checkpoint_is_resumed (EsCheckpoint *self)
{
  return self->resumed;
}

static gboolean
is_somebody_elses (EsCheckpoint *self, GError **error)
{
  g_autofree char *name = es_error_file_name (self->file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” is no checkpoint of a run, and none is written in its place."), name);
  return FALSE;
}

gboolean
es_checkpoint_check (EsCheckpoint *self, GError **error)
{
  gboolean exists;

  if (!es_checkpoint_recognise (self->file, &exists) && exists)
    return is_somebody_elses (self, error);
  return es_durable_try (self->file, error);
}

/* ---- the beginning ---- */

gboolean
es_checkpoint_refuse (EsCheckpoint *self, GError **error)
{
  g_autofree char *name = es_error_file_name (self->file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("The checkpoint “%s” does not fit this run: what it holds is of another size, or was made with more "
                 "or less memory."), name);
  return FALSE;
}

/* Of the first process; NULL without an error: there is none. */
static GBytes *
load (EsCheckpoint *self, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gboolean exists;

  if (!es_checkpoint_recognise (self->file, &exists) && !exists)
    return NULL;
  bytes = es_checkpoint_load (self->file, error);
  if (bytes == NULL || !es_checkpoint_compare (self->file, bytes, self->facts, error))
    return NULL;
  return g_steal_pointer (&bytes);
}

/* What the first process has read goes to all. */
static GBytes *
share (GBytes *bytes, GError **error)
{
  gint64 size = bytes != NULL ? (gint64) g_bytes_get_size (bytes) : 0;
  g_autofree guint8 *data = NULL;

  if (es_ranks_get_size () == 1)
    return bytes != NULL ? g_bytes_ref (bytes) : NULL;
  if (!es_ranks_broadcast (&size, sizeof size, error) || size == 0)
    return NULL;
  data = bytes != NULL ? g_memdup2 (g_bytes_get_data (bytes, NULL), size) : g_malloc (size);
  for (gsize at = 0; at < (gsize) size; at += MESSAGE_BYTES)
    if (!es_ranks_broadcast (data + at, MIN (MESSAGE_BYTES, size - at), error))
      return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

gboolean
es_checkpoint_begin (EsCheckpoint *self, GArray *facts, GError **error)
{
  g_autoptr (GBytes) own = NULL, bytes = NULL;
  g_autoptr (GError) failure = NULL;
  const gboolean resume = self->resume;

  g_clear_pointer (&self->facts, g_array_unref);
  self->facts = facts;
  g_hash_table_remove_all (self->pieces);
  self->names = 0;
  self->kept_at = g_get_monotonic_time ();
  self->resume = self->resumed = FALSE;
  if (!resume)
    return TRUE;
  if (es_ranks_get_rank () == 0)
    own = load (self, &failure);
  if (!es_ranks_agree (failure == NULL, &failure))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  bytes = share (own, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (bytes == NULL)
    return TRUE;
  if (!es_checkpoint_unpack (bytes, self->pieces))
    return es_checkpoint_refuse (self, error);
  self->resumed = self->ours = TRUE;
  return TRUE;
}

char *
es_checkpoint_next_name (EsCheckpoint *self, const char *what)
{
  return g_strdup_printf ("%02u %s", ++self->names, what);
}

GBytes *
es_checkpoint_get (EsCheckpoint *self, const char *name)
{
  GBytes *bytes = g_hash_table_lookup (self->pieces, name);

  return bytes != NULL ? g_bytes_ref (bytes) : NULL;
}

void
es_checkpoint_put (EsCheckpoint *self, const char *name, GByteArray *bytes)
{
  if (es_ranks_get_rank () == 0)
    g_hash_table_replace (self->pieces, g_strdup (name), g_byte_array_free_to_bytes (bytes));
  else
    g_byte_array_unref (bytes);
}

/* ---- stopping ---- */

void
es_checkpoint_stop (EsCheckpoint *self, GCancellable *cancellable)
{
  gboolean now;

  g_mutex_lock (&self->lock);
  g_set_object (&self->cancellable, cancellable);
  g_atomic_int_set (&self->stopped, TRUE);
  now = self->sections == 0;
  g_mutex_unlock (&self->lock);
  if (now && cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

gboolean
es_checkpoint_is_stopped (EsCheckpoint *self)
{
  return g_atomic_int_get (&self->stopped);
}

void
es_checkpoint_enter (EsCheckpoint *self)
{
  g_mutex_lock (&self->lock);
  self->sections++;
  g_mutex_unlock (&self->lock);
}

gboolean
es_checkpoint_leave (EsCheckpoint *self, GError **error)
{
  g_autoptr (GCancellable) cancellable = NULL;

  g_mutex_lock (&self->lock);
  self->sections--;
  const gboolean stopped = g_atomic_int_get (&self->stopped);
  if (stopped && self->sections == 0 && self->cancellable != NULL)
    cancellable = g_object_ref (self->cancellable);
  g_mutex_unlock (&self->lock);
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  if (!stopped)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The run was stopped."));
  return FALSE;
}

gboolean
es_checkpoint_is_due (EsCheckpoint *self)
{
  if (g_atomic_int_get (&self->looks) > 0 && g_atomic_int_dec_and_test (&self->looks))
    {
      g_atomic_int_set (&self->stopped, TRUE);
      es_ranks_pause (FALSE);
    }
  return g_atomic_int_get (&self->stopped) || es_ranks_is_paused ()
         || (self->every_us > 0 && g_get_monotonic_time () - self->kept_at > self->every_us);
}

EsCheckpointNext
es_checkpoint_ask (EsCheckpoint *self)
{
  if (g_atomic_int_get (&self->stopped) || es_ranks_is_paused ())
    return ES_CHECKPOINT_STOP;
  return self->every_us > 0 && g_get_monotonic_time () - self->kept_at > self->every_us ? ES_CHECKPOINT_WRITE
                                                                                        : ES_CHECKPOINT_GO_ON;
}

void
es_checkpoint_follow (EsCheckpoint *self, EsCheckpointNext next)
{
  if (next == ES_CHECKPOINT_STOP)
    g_atomic_int_set (&self->stopped, TRUE);
}

gboolean
es_checkpoint_settle (EsCheckpoint *self, EsCheckpointNext *next, GError **error)
{
  double due = es_checkpoint_ask (self);

  if (!es_ranks_greatest (&due, 1, error))
    return FALSE;
  *next = (EsCheckpointNext) due;
  es_checkpoint_follow (self, *next);
  return TRUE;
}

/* ---- the file ---- */

/* One of another run, or what no longer is one, stays for whoever has it. */
static gboolean
may_replace (EsCheckpoint *self, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gboolean exists;

  if (self->ours)
    return TRUE;
  if (!es_checkpoint_recognise (self->file, &exists))
    return !exists || is_somebody_elses (self, error);
  bytes = es_checkpoint_load (self->file, NULL);
  /* What is broken nobody goes on from. */
  return bytes == NULL || es_checkpoint_compare (self->file, bytes, self->facts, error);
}

/* Bytes of a file are counted in 32 bits while it is made. */
static gboolean
has_room (EsCheckpoint *self, GError **error)
{
  GHashTableIter iter;
  gpointer bytes;
  guint64 total = 0;

  g_hash_table_iter_init (&iter, self->pieces);
  while (g_hash_table_iter_next (&iter, NULL, &bytes))
    total += g_bytes_get_size (bytes);
  if (total <= MOST_BYTES)
    return TRUE;
  g_autofree char *size = g_format_size_full (total, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("The sums of so many bands are too large for a checkpoint: %s."), size);
  return FALSE;
}

gboolean
es_checkpoint_write (EsCheckpoint *self, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;

  if (self->facts == NULL || g_hash_table_size (self->pieces) == 0 || !may_replace (self, error)
      || !has_room (self, error))
    return FALSE;
  bytes = es_checkpoint_pack (self->facts, self->pieces);
  if (!es_durable_write (self->file, bytes->data, bytes->len, error))
    return FALSE;
  self->ours = TRUE;
  return TRUE;
}

void
es_checkpoint_keep (EsCheckpoint *self)
{
  g_autoptr (GError) error = NULL;

  if (es_ranks_get_rank () == 0 && !es_checkpoint_write (self, &error) && error != NULL && self->failure == NULL)
    self->failure = g_steal_pointer (&error);
  self->kept_at = g_get_monotonic_time ();
}

void
es_checkpoint_remove (EsCheckpoint *self)
{
  if (self->ours)
    g_file_delete (self->file, NULL, NULL);
}
