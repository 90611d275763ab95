/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Who the others are, and what all of them know of what has failed. */

#include "es-ranks-private.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-installed.h"

#define MODULE "libeigenscope-mpi.so"
/* Between the fields of an error that is told: in no message. */
#define FIELD "\037"

EsRanks es_ranks = { .place = { .size = 1, .host_size = 1 }, .n_hosts = 1 };

/* ---- who there is ---- */

static gboolean
read_number (const char *name, guint *number)
{
  const char *text = g_getenv (name);
  guint64 value;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &value, NULL))
    return FALSE;
  *number = value;
  return TRUE;
}

gboolean
es_ranks_are_launched (guint *rank, guint *size)
{
  *rank = *size = 0;
  if (read_number ("OMPI_COMM_WORLD_SIZE", size))
    return read_number ("OMPI_COMM_WORLD_RANK", rank);
  if (read_number ("PMI_SIZE", size))
    return read_number ("PMI_RANK", rank);
  if (!read_number ("PMIX_RANK", rank))
    return FALSE;
  read_number ("SLURM_STEP_NUM_TASKS", size);
  return TRUE;
}

static gboolean
refuse (GError **error, guint size, const char *reason)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               _("This is one of %u processes that were started together, and they cannot be joined: %s."), size,
               reason);
  return FALSE;
}

static const EsRanksEngine *
load_engine (char **why)
{
  const char *wanted = g_getenv ("ES_MPI_MODULE");
  g_autofree char *path = wanted != NULL && *wanted != '\0' ? g_strdup (wanted)
                                                            : es_installed_find_module ("../compute/ranks", MODULE);
  const EsRanksEngine *engine = NULL;
  GModule *module;
  gpointer entry;

  if (path == NULL || strcmp (path, "none") == 0)
    {
      *why = g_strdup_printf (_("the module %s is not installed"), MODULE);
      return NULL;
    }
  /* The engine's own modules look for what it brought. */
  module = g_module_open (path, 0);
  if (module == NULL)
    {
      *why = g_strdup (g_module_error ());
      return NULL;
    }
  if (g_module_symbol (module, ES_RANKS_ENTRY, &entry))
    engine = ((EsRanksEntry) entry) (ES_RANKS_ABI);
  if (engine == NULL || engine->abi != ES_RANKS_ABI)
    {
      *why = g_strdup_printf (_("the module %s is of another version"), path);
      g_module_close (module);
      return NULL;
    }
  g_module_make_resident (module);
  return engine;
}

static gboolean
find_hosts (GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  char name[ES_RANKS_NAME];

  es_ranks.engine->name (name);
  es_ranks.hosts = es_ranks_gather_texts (name, error);
  if (es_ranks.hosts == NULL)
    return FALSE;
  for (int i = 0; i < es_ranks.place.size; i++)
    g_hash_table_add (seen, es_ranks.hosts[i]);
  es_ranks.n_hosts = g_hash_table_size (seen);
  return TRUE;
}

gboolean
es_ranks_start (GError **error)
{
  g_autofree char *why = NULL;
  guint rank, size;

  if (es_ranks.engine != NULL || !es_ranks_are_launched (&rank, &size) || size == 1)
    return TRUE;
  es_ranks.engine = load_engine (&why);
  if (es_ranks.engine == NULL)
    /* A launcher that does not say how many there are has started one more often than not. */
    return size == 0 || refuse (error, size, why);
  if (es_ranks.engine->start (&es_ranks.place) < 0)
    {
      refuse (error, size, es_ranks.engine->explain ());
      es_ranks.engine = NULL;
      es_ranks.place = (EsRanksPlace) { .size = 1, .host_size = 1 };
      return FALSE;
    }
  if (es_ranks.place.size == 1)
    return TRUE;
  es_ranks_watch_begin ();
  return find_hosts (error) && es_ranks_compare_clocks (error);
}

void
es_ranks_end (void)
{
  if (es_ranks.engine == NULL)
    return;
  es_ranks_watch_end ();
  /* Others that wait for what never comes are ended, unless somebody is about to. */
  if (!g_atomic_int_get (&es_ranks.broken))
    es_ranks.engine->end ();
  else if (g_atomic_int_get (&es_ranks.paused) == ES_RANKS_SOON)
    es_ranks_wait_for_checkpoint ();
  else if (g_atomic_int_get (&es_ranks.cancelled) != ES_RANKS_SOON)
    es_ranks.engine->end_all (4);
  es_ranks.engine = NULL;
}

gboolean
es_ranks_are_several (void)
{
  return es_ranks.engine != NULL && !es_ranks.alone && es_ranks.place.size > 1;
}

guint
es_ranks_get_rank (void)
{
  return es_ranks.alone ? 0 : es_ranks.place.rank;
}

guint
es_ranks_get_size (void)
{
  return es_ranks.alone ? 1 : es_ranks.place.size;
}

guint
es_ranks_get_host_rank (void)
{
  return es_ranks.alone ? 0 : es_ranks.place.host_rank;
}

guint
es_ranks_get_host_size (void)
{
  return es_ranks.alone ? 1 : es_ranks.place.host_size;
}

guint
es_ranks_get_n_hosts (void)
{
  return es_ranks.alone ? 1 : es_ranks.n_hosts;
}

const char *
es_ranks_get_host (guint rank)
{
  return es_ranks.hosts != NULL && rank < (guint) es_ranks.place.size ? es_ranks.hosts[rank] : NULL;
}

double
es_ranks_get_waited_ms (void)
{
  return es_ranks.waited_us * 1e-3;
}

void
es_ranks_set_alone (gboolean alone)
{
  es_ranks.alone = alone;
}

/* ---- what has failed ---- */

char **
es_ranks_gather_texts (const char *text, GError **error)
{
  const int size = es_ranks.place.size;
  g_autofree gint64 *counts = g_new0 (gint64, size);
  g_autofree int *lengths = g_new0 (int, size);
  g_autofree char *all = NULL;
  g_auto (GStrv) texts = g_new0 (char *, size + 1);
  gsize total = 0;
  void *request;

  counts[es_ranks.place.rank] = text != NULL ? MIN (strlen (text), G_MAXINT) : 0;
  if (!es_ranks_call (ES_RANKS_SUM_INTEGERS, counts, size, error))
    return NULL;
  for (int i = 0; i < size; i++)
    {
      lengths[i] = counts[i];
      total += counts[i];
    }
  all = g_malloc (total + 1);
  const int code = es_ranks.engine->gather (text, lengths[es_ranks.place.rank], all, lengths, &request);
  if (!es_ranks_finish (code, &request, error))
    return NULL;
  for (int i = 0, at = 0; i < size; at += lengths[i++])
    texts[i] = g_strndup (all + at, lengths[i]);
  return g_steal_pointer (&texts);
}

static char *
error_to_text (const GError *error)
{
  return error == NULL ? g_strdup ("")
                       : g_strdup_printf ("%s" FIELD "%d" FIELD "%s", g_quark_to_string (error->domain), error->code,
                                          error->message);
}

static gboolean
is_of_cancelling (const char *text)
{
  g_autofree char *start = g_strdup_printf ("%s" FIELD "%d" FIELD, g_quark_to_string (G_IO_ERROR),
                                            G_IO_ERROR_CANCELLED);

  return g_str_has_prefix (text, start);
}

/* The first that tells why; that somebody has cancelled is only the consequence of it, where anybody knows more. */
static int
first_reason (char **texts)
{
  int found = -1;

  for (int i = 0; i < es_ranks.place.size; i++)
    if (*texts[i] != '\0' && (found < 0 || (is_of_cancelling (texts[found]) && !is_of_cancelling (texts[i]))))
      found = i;
  return found;
}

static void
set_shared (GError **error, char **texts)
{
  const int first = first_reason (texts);
  g_auto (GStrv) fields = g_strsplit (first >= 0 ? texts[first] : "", FIELD, 3);
  gboolean everywhere = TRUE;

  if (g_strv_length (fields) < 3)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("The processes of the run went different ways."));
      return;
    }
  const GQuark domain = g_quark_from_string (fields[0]);
  const int code = atoi (fields[1]);
  for (int i = 0; i < es_ranks.place.size; i++)
    everywhere &= strcmp (texts[i], texts[first]) == 0;
  if (everywhere || is_of_cancelling (texts[first]))
    g_set_error_literal (error, domain, code, fields[2]);
  else if (es_ranks.n_hosts > 1)
    g_set_error (error, domain, code, _("Process %d on “%s”: %s"), first, es_ranks.hosts[first], fields[2]);
  else
    g_set_error (error, domain, code, _("Process %d of %d: %s"), first, es_ranks.place.size, fields[2]);
}

gboolean
es_ranks_share_failure (const GError *own, GError **error)
{
  g_autofree char *text = error_to_text (own);
  g_auto (GStrv) texts = es_ranks_gather_texts (text, error);

  if (texts == NULL)
    return FALSE;
  g_clear_error (&es_ranks.shared);
  set_shared (&es_ranks.shared, texts);
  g_propagate_error (error, g_error_copy (es_ranks.shared));
  return FALSE;
}

/* 0: this process has failed, and says why. */
static gboolean
meet (gint64 what, const GError *own, GError **error)
{
  gint64 pair[2] = { what, -what };

  g_clear_error (&es_ranks.shared);
  if (!es_ranks_call (ES_RANKS_LEAST_INTEGERS, pair, 2, error))
    return FALSE;
  return (pair[0] != 0 && pair[0] == -pair[1]) || es_ranks_share_failure (own, error);
}

gboolean
es_ranks_meet (guint call, gsize n, GError **error)
{
  return meet (((gint64) call + 2) << 48 | (gint64) (n & 0xffffffffffff), NULL, error);
}

gboolean
es_ranks_is_told (const GError *error)
{
  return g_atomic_int_get (&es_ranks.broken)
         || (es_ranks.shared != NULL
             && (error == NULL || (g_error_matches (error, es_ranks.shared->domain, es_ranks.shared->code)
                                   && strcmp (error->message, es_ranks.shared->message) == 0)));
}

gboolean
es_ranks_agree (gboolean ok, GError **error)
{
  g_autoptr (GError) shared = NULL;

  if (!es_ranks_are_several ())
    return ok;
  if (!ok && es_ranks_is_told (error != NULL ? *error : NULL))
    return FALSE;
  if (meet (ok ? 1 : 0, ok || error == NULL ? NULL : *error, &shared))
    return TRUE;
  if (error != NULL)
    g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&shared));
  return FALSE;
}

void
es_ranks_fail (GError **error)
{
  es_ranks_agree (FALSE, error);
}

gboolean
es_ranks_compare (const char *what, const char *text, GError **error)
{
  g_auto (GStrv) texts = NULL;

  if (!es_ranks_are_several ())
    return TRUE;
  texts = es_ranks_gather (text, error);
  if (texts == NULL)
    return FALSE;
  for (int i = 1; i < es_ranks.place.size; i++)
    if (strcmp (texts[i], texts[0]) != 0)
      {
        /* All find it. */
        g_set_error (&es_ranks.shared, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                     _("%s is “%s” for process 0 on “%s”, and “%s” for process %d on “%s”: all need the same."), what,
                     texts[0], es_ranks.hosts[0], texts[i], i, es_ranks.hosts[i]);
        g_propagate_error (error, g_error_copy (es_ranks.shared));
        return FALSE;
      }
  return TRUE;
}
