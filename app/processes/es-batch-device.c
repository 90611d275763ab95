/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-device.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "es-batch-cards.h"
#include "ranks/es-ranks.h"

guint
es_batch_threads_of_process (void)
{
  const guint n = es_ranks_get_host_size (), mine = g_get_num_processors ();

  return n == 1 || mine < sysconf (_SC_NPROCESSORS_ONLN) ? 0 : MAX (mine / n, 1);
}

/* Processes that work on one thing do so on devices of one kind: "auto" is the cards where every process has one. */
static gboolean
settle_of_several (const EsOperation *operation, const char *text, gboolean automatic, EsDevice **device,
                   const char **chosen, GError **error)
{
  gboolean has_card;

  if (automatic && operation->on_host)
    {
      *device = es_device_get_cpu ();
      *chosen = _("it is the processor's work");
      return TRUE;
    }
  if (automatic)
    *device = es_batch_card_of_process ();
  else if (strcmp (text, "cuda:all") == 0)
    *device = es_batch_cards_of_process ();
  else
    *device = es_device_find (text, error);
  has_card = *device != NULL && !es_device_is_cpu (*device);
  if (!automatic && *device == NULL)
    {
      if (*error == NULL)
        es_device_find (text, error);
      return es_ranks_agree (FALSE, error);
    }
  if (!es_ranks_have_all (&has_card, error))
    return FALSE;
  if (!has_card)
    *device = es_device_get_cpu ();
  if (automatic)
    *chosen = has_card ? _("every process finds a GPU") : _("not every process finds a GPU");
  return TRUE;
}

gboolean
es_batch_device_settle (const EsOperation *operation, const char *text, gboolean many, EsDevice **device,
                        const char **chosen, EsLimits *limits, GError **error)
{
  const gboolean automatic = text == NULL || strcmp (text, "auto") == 0;
  const gboolean share = es_ranks_get_size () > 1 && operation->by_ranks && !many;

  /* Who leaves the choice to the program leaves it to go on, too. */
  limits->cpu_fallback = automatic;
  if (share)
    return settle_of_several (operation, text, automatic, device, chosen, error);
  /* Each has a file, and a card, of its own. */
  if (automatic && many && es_ranks_get_host_size () > 1 && (*device = es_batch_card_of_process ()) != NULL)
    *chosen = _("the processes of the host share its GPUs");
  return automatic || (*device = es_device_find (text, error)) != NULL;
}
