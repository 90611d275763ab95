/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-many.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "ranks/es-ranks.h"
#include "saving/es-durable.h"

/* ---- beginning ---- */

static gboolean
open_journal (EsBatchMany *self, const char *about, const char *session, gboolean fresh, GError **error)
{
  self->journal = es_batch_journal_open (self->path, about, session, self->rank == 0, fresh, error);
  return self->journal != NULL;
}

static gboolean
lead (EsBatchMany *self, const char *about, const char *session, gboolean fresh, GError **error)
{
  return es_durable_make_folder (self->output, NULL, error) && open_journal (self, about, session, fresh, error);
}

gboolean
es_batch_many_begin (EsBatchMany *self, const char *name, const char *about, gboolean fresh, GError **error)
{
  g_autofree char *session = NULL;

  self->rank = es_ranks_get_rank ();
  self->size = es_ranks_get_size ();
  self->started = g_get_real_time () / G_USEC_PER_SEC;
  if (!es_ranks_compare (_("The version of the program"), ES_VERSION, error)
      || !es_ranks_compare (_("What is to be computed"), about, error)
      || !es_ranks_compare (_("The list of options"), self->analysis->options, error))
    return FALSE;
  if (self->output != NULL)
    {
      char mine[64] = "";
      g_autofree char *random = g_uuid_string_random ();

      /* The number of the run, which is that of all its processes. */
      g_strlcpy (mine, random, sizeof mine);
      if (!es_ranks_tell (mine, sizeof mine, error))
        return FALSE;
      session = g_strdup (mine);
      self->path = g_build_filename (self->output, name, NULL);
      if (!es_ranks_agree (self->rank > 0 || lead (self, about, session, fresh, error), error)
          || !es_ranks_agree (self->rank == 0 || open_journal (self, about, session, FALSE, error), error))
        return FALSE;
    }
  es_batch_be_heard ();
  es_ranks_set_alone (TRUE);
  return TRUE;
}

void
es_batch_many_clear (EsBatchMany *self)
{
  g_clear_pointer (&self->journal, es_batch_journal_close);
  g_free (self->path);
}

/* ---- one of them ---- */

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
print_one (EsBatchMany *self, const char *name, const EsQueueEntry *entry, double seconds)
{
  g_autofree char *shown = es_text_show (name);

  if (self->size > 1 && entry != NULL && !self->analysis->quiet)
    g_print (_("%s: %.1f s, process %u\n"), shown, seconds, entry->process);
}

static gboolean
tell (EsBatchMany *self, EsQueueEntry *entry, EsQueueState state, double seconds, const char *message, GError **error)
{
  if (entry == NULL)
    return TRUE;
  entry->state = state;
  entry->seconds = seconds;
  g_free (entry->message);
  entry->message = g_strdup (message != NULL ? message : "");
  return es_batch_journal_tell (self->journal, entry, error);
}

static gboolean
refuse_after (EsBatchMany *self, EsQueueEntry *entry, const char *name, double seconds, const GError *why,
              GError **error)
{
  es_batch_warn (name, why->message);
  self->n_failed++;
  return tell (self, entry, ES_QUEUE_FAILED, seconds, why->message, error);
}

gboolean
es_batch_many_refuse (EsBatchMany *self, EsQueueEntry *entry, GError *why, GError **error)
{
  g_autoptr (GError) own = why;

  return refuse_after (self, entry, entry->name, 0, own, error);
}

gboolean
es_batch_many_analyse (EsBatchMany *self, EsQueueEntry *entry, GPtrArray *files, EsDataset *opened, gboolean is_last,
                       GError **error)
{
  g_autofree char *name = g_file_get_basename (g_ptr_array_index (files, 0));
  g_autofree char *path = entry != NULL ? g_build_filename (self->output, entry->folder, NULL) : NULL;
  g_autoptr (GFile) directory = path != NULL ? es_batch_file (path) : NULL;
  g_autoptr (GError) why = NULL;
  EsBatchOutcome outcome = { NULL, NULL };
  const gint64 start = g_get_monotonic_time ();
  const gboolean done = self->analysis->analyse (self->analysis->data, files, opened, directory, is_last, &outcome,
                                                 &why);
  const double seconds = (g_get_monotonic_time () - start) * 1e-6;
  g_autofree char *identity = outcome.identity, *message = outcome.message;

  if (!done && is_cancelled (why))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (!done)
    return refuse_after (self, entry, name, seconds, why, error);
  self->n_done++;
  if (entry != NULL && identity != NULL && *entry->identity == '\0')
    {
      g_free (entry->identity);
      entry->identity = g_strdup (identity);
    }
  print_one (self, name, entry, seconds);
  return tell (self, entry, ES_QUEUE_DONE, seconds, message, error);
}

/* ---- the end ---- */

static gboolean
report (EsBatchMany *self, GPtrArray *waiting, GPtrArray *unopened, GError **error)
{
  return self->journal == NULL || self->rank > 0 || es_batch_many_report (self, TRUE, waiting, unopened, error);
}

int
es_batch_many_end (EsBatchMany *self, GError *failure, gboolean cancel_is_end, GPtrArray *waiting, GPtrArray *unopened)
{
  g_autoptr (GError) error = failure;
  const gboolean is_end = failure == NULL || (cancel_is_end && is_cancelled (failure));
  gboolean together;
  int status;

  /* Whoever is ended has no time to wait for the others first. */
  if (is_cancelled (failure))
    report (self, waiting, unopened, NULL);
  es_ranks_set_alone (FALSE);
  /* The rest is said of all. */
  if (self->rank > 0)
    es_batch_be_silent ();
  if (is_end)
    g_clear_error (&error);
  /* Whoever comes last has told the journal what it has done. */
  together = es_ranks_agree (is_end, &error);
  if (!report (self, waiting, unopened, error == NULL ? &error : NULL))
    together = FALSE;
  /* Who was ended does not wait for the others. */
  if (!together && cancel_is_end && is_cancelled (error))
    {
      g_clear_error (&error);
      return self->n_failed > 0 ? ES_EXIT_DATA : ES_EXIT_DONE;
    }
  if (!together && self->stopped != NULL && is_cancelled (error))
    {
      g_printerr ("eigenscope-batch: %s\n", self->stopped);
      return ES_EXIT_CANCELLED;
    }
  if (!together)
    return es_batch_fail (error);
  status = self->n_failed > 0 ? ES_EXIT_DATA : ES_EXIT_DONE;
  return es_ranks_tell_status (&status, &error) ? status : es_batch_fail (error);
}
