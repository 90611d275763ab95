/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-ladder-texts-private.h"

const EsRungText *
es_ladder_get_rung_text (const char *backend, EsLadderKind kind, const char *id)
{
  const EsRungText *text;

  g_return_val_if_fail (kind < ES_N_LADDERS, NULL);
  text = strcmp (backend, "cpu") == 0 ? es_ladder_texts_cpu[kind] : es_ladder_texts_cuda[kind];
  for (; text->id != NULL; text++)
    if (strcmp (text->id, id) == 0)
      return text;
  return NULL;
}

const char *
es_ladder_get_rung_title (const char *backend, EsLadderKind kind, const char *id)
{
  const EsRungText *text = es_ladder_get_rung_text (backend, kind, id);

  return text != NULL ? g_dgettext (GETTEXT_PACKAGE, text->title) : id;
}
