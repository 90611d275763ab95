/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is said of the record: how fast it is computed, how much of it there is, and where its spectra are. */

#include "es-transport-record-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

char *
_es_transport_describe_pace (EsPlayer *player)
{
  const double factor = player != NULL ? es_player_get_real_time_factor (player) : 0;
  const double progress = player != NULL ? es_player_get_progress (player) : 0;
  gboolean preparing = FALSE;
  char *text;

  if (player != NULL)
    g_object_get (player, "preparing", &preparing, NULL);
  if (preparing)
    return g_strdup (_("Preparing…"));
  if (!(factor > 0))
    text = g_strdup (_("Real time × –"));
  else
    /* TRANSLATORS: so many times as fast as the signal comes; the number has one digit behind the point, or none */
    text = g_strdup_printf (_("Real time × %.*f"), factor < 9.95 ? 1 : 0, factor);
  if (progress > 0 && progress < 1)
    {
      g_autofree char *times = g_steal_pointer (&text);

      /* TRANSLATORS: the first is “Real time × 12”, the second how much of the record has been computed */
      text = g_strdup_printf (_("%s, record %.0f %%"), times, floor (100 * progress));
    }
  return text;
}

char *
_es_transport_describe_spectra (EsPlayer *player)
{
  EsBeamHistory *history = player != NULL ? es_player_get_history (player) : NULL;
  guint64 rows = 0, most = 0, memory = 0, file = 0;
  gboolean full = FALSE;

  if (history == NULL || !es_beam_history_has_spectra (history))
    return NULL;
  es_beam_history_count_spectra (history, &rows, &most);
  es_beam_history_get_spectra_use (history, &memory, &file, &full);
  g_autofree char *in_memory = g_format_size (memory), *in_file = g_format_size (file);
  g_autoptr (GString) text = g_string_new (NULL);

  /* TRANSLATORS: rows of the record that have their spectra, how many can at most; then sizes such as “256 MB” */
  g_string_printf (text, _("Spectra are kept of %.0f rows, with room for %.0f: %s in memory, %s in a file."),
                   (double) rows, (double) most, in_memory, in_file);
  if (full)
    {
      g_string_append_c (text, '\n');
      g_string_append (text, _("There is no room for all: what comes into view is computed again."));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
