/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Sums of several processes that are added between their cards by NCCL. Joining takes the library two seconds; then
 * a sum of few numbers takes as long as by messages through the host's memory, and one of very many less. So it is
 * worth it for many sums of many numbers; $ES_NCCL is "always" for whoever wants to see.
 */

#include "es-sample-store-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Until all have joined, and the first sum has opened the links: 1.7 s on H100 of one host. */
#define JOIN_SECONDS 1.7
/* Of a sum between cards: two copies, a launch, the links; bytes a second. */
#define CARDS_SECONDS 35e-6
#define CARDS_RATE 20e9
/* Of one by messages within a host: for each doubling of the processes; bytes a second. */
#define MESSAGE_SECONDS 3e-6
#define MESSAGE_RATE 3e9

/* Atomic: once, and never again. */
static int has_failed;

struct _EsCardSums
{
  EsDevice               *device;
  const EskSumsHotspots  *hotspots;
  EskSums                *sums;
};

static gboolean
is_always (void)
{
  return g_strcmp0 (g_getenv ("ES_NCCL"), "always") == 0;
}

/* What is added by messages is n_apart numbers, of each group by itself. */
static gboolean
pays (double steps, gsize n, gsize n_apart)
{
  const guint size = es_ranks_get_size ();
  const double by_messages = 2 * ceil (log2 (size)) * MESSAGE_SECONDS + 2.0 * n_apart * sizeof (double) / MESSAGE_RATE;
  const double by_cards = CARDS_SECONDS + 2.0 * n * sizeof (double) / CARDS_RATE;

  return steps * (by_messages - by_cards) > JOIN_SECONDS;
}

/* ---- joining ---- */

static gboolean
open_library (const EskSumsHotspots *hotspots, int *version, char **why)
{
  const char *path = g_getenv ("ES_NCCL_LIBRARY");
  char reason[256] = "";

  if (hotspots == NULL)
    *why = g_strdup (_("the program's module for cards knows nothing of it"));
  else if (g_strcmp0 (path, "none") == 0)
    *why = g_strdup (_("it is turned off (ES_NCCL_LIBRARY is “none”)"));
  else if (hotspots->sums_library (path != NULL && *path != '\0' ? path : NULL, version, reason, sizeof reason)
           != ESK_OK)
    *why = g_strdup (reason);
  return *why == NULL;
}

/* Why it is not to be, of the first process that knows. */
static gboolean
share_reason (char **why, GError **error)
{
  g_auto (GStrv) all = es_ranks_gather (*why != NULL ? *why : "", error);

  for (guint i = 0; all != NULL && i < es_ranks_get_size (); i++)
    if (*all[i] != '\0')
      {
        g_free (*why);
        *why = g_strdup (all[i]);
        break;
      }
  return all != NULL;
}

/* The first sum opens the links, which takes longer than all that follow: it is part of joining. */
static gboolean
open_links (const EskSumsHotspots *hotspots, EskSums *sums, gsize n, char *why, gsize why_bytes)
{
  g_autofree double *nothing = g_new0 (double, n);

  if (hotspots->sums_add (sums, nothing, n, es_ranks_get_ending ()) == ESK_OK)
    return TRUE;
  g_strlcpy (why, hotspots->sums_error (sums), why_bytes);
  g_atomic_int_set (&has_failed, TRUE);
  es_ranks_call_off ();
  return FALSE;
}

/* All are there, or none; *sums NULL, and why: it cannot be. */
static gboolean
join (const EskSumsHotspots *hotspots, EsDevice *device, gsize n, EskSums **sums, char **why, GError **error)
{
  const guint rank = es_ranks_get_rank ();
  char reason[256] = "";
  gboolean may = TRUE;
  EskSumsId id = { { 0 } };

  if (rank == 0 && hotspots->sums_id (&id, reason, sizeof reason) != ESK_OK)
    may = FALSE;
  if (!es_ranks_have_all (&may, error))
    return FALSE;
  if (may)
    {
      if (!es_ranks_broadcast (&id, sizeof id, error))
        return FALSE;
      *sums = hotspots->sums_join (es_device_get_index (device), &id, (int) rank, (int) es_ranks_get_size (), reason,
                                   sizeof reason);
      may = *sums != NULL;
      if (may)
        *reason = '\0';
      if (!es_ranks_have_all (&may, error))
        return FALSE;
    }
  if (may)
    {
      may = open_links (hotspots, *sums, n, reason, sizeof reason);
      if (!es_ranks_have_all (&may, error))
        return FALSE;
    }
  if (may)
    return TRUE;
  if (*reason != '\0')
    *why = g_strdup (reason);
  hotspots->sums_free (g_steal_pointer (sums));
  return share_reason (why, error);
}

static void
tell (EsJob *job, const char *why, int version, double seconds)
{
  g_autofree char *warning = NULL, *how = NULL;

  if (why == NULL)
    {
      how = g_strdup_printf ("NCCL %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
      es_job_tell_sums (job, how, 1e3 * seconds);
      return;
    }
  es_job_tell_sums (job, "MPI", 0);
  warning = g_strdup_printf (_("Sums were not added between the cards by NCCL, but by messages: %s."), why);
  es_job_add_warning (job, warning);
}

gboolean
es_card_sums_new (EsJob *job, double steps, gsize n, gsize n_apart, EsCardSums **made, GError **error)
{
  EsDevice *device = es_job_get_device (job);
  const gboolean has_card = es_device_get_kind (device) == ES_DEVICE_GPU;
  const EskSumsHotspots *hotspots = has_card ? es_device_get_hotspots (device)->sums : NULL;
  gboolean may = has_card && !g_atomic_int_get (&has_failed) && (is_always () || pays (steps, n, n_apart));
  gboolean has_library;
  g_autofree char *why = NULL;
  EskSums *sums = NULL;
  int version = 0;

  *made = NULL;
  if (es_ranks_get_size () == 1)
    return TRUE;
  if (!es_ranks_have_all (&may, error))
    return FALSE;
  if (!may)
    {
      es_job_tell_sums (job, "MPI", 0);
      return TRUE;
    }

  const gint64 start = g_get_monotonic_time ();
  has_library = open_library (hotspots, &version, &why);
  if (!es_ranks_have_all (&has_library, error))
    return FALSE;
  if (!(has_library ? join (hotspots, device, n, &sums, &why, error) : share_reason (&why, error)))
    {
      if (hotspots != NULL)
        hotspots->sums_free (sums);
      return FALSE;
    }
  tell (job, sums != NULL ? NULL : why, version, (g_get_monotonic_time () - start) * 1e-6);
  if (sums == NULL)
    return TRUE;
  *made = g_new (EsCardSums, 1);
  **made = (EsCardSums) { device, hotspots, sums };
  return TRUE;
}

gboolean
es_card_sums_add (EsCardSums *self, double *values, gsize n, GError **error)
{
  const int code = self->hotspots->sums_add (self->sums, values, n, es_ranks_get_ending ());

  if (code == ESK_OK)
    return TRUE;
  /* Where it was called off, another one knows why. */
  if (g_atomic_int_get (es_ranks_get_ending ()))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                 _("The run was ended: one of its %d processes is gone, or somebody ended it."),
                 (int) es_ranks_get_size ());
  else
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                 _("NCCL failed to add sums of %u processes between their cards (%s): %s."), es_ranks_get_size (),
                 es_device_get_id (self->device), self->hotspots->sums_error (self->sums));
  g_atomic_int_set (&has_failed, TRUE);
  es_ranks_call_off ();
  return FALSE;
}

void
es_card_sums_free (EsCardSums *self)
{
  self->hotspots->sums_free (self->sums);
  g_free (self);
}
