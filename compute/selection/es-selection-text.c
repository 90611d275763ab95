/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "es-selection.h"

static void
begin_part (GString *text)
{
  if (text->len > 0)
    g_string_append (text, "; ");
}

char *
es_selection_describe (EsSelection *self)
{
  const EsSelectionWindow window = es_selection_get_window (self);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (self, &n);

  if (es_selection_get_bands (self) != NULL)
    /* TRANSLATORS: which bands take part: "bands 400-1340 nm" */
    g_string_append_printf (text, _("bands %s"), es_selection_get_bands (self));
  if (es_selection_get_excluded (self) != NULL)
    {
      begin_part (text);
      /* TRANSLATORS: bands that do not take part: "without bands 1-3" */
      g_string_append_printf (text, _("without bands %s"), es_selection_get_excluded (self));
    }
  if (window.width > 0)
    {
      begin_part (text);
      /* TRANSLATORS: the size of a window and the column and row of its corner */
      g_string_append_printf (text, _("%llu × %llu pixels at %llu, %llu"), (unsigned long long) window.width,
                              (unsigned long long) window.height, (unsigned long long) window.x,
                              (unsigned long long) window.y);
    }
  for (guint i = 0; i < n; i++)
    {
      begin_part (text);
      if (sets[i]->name == NULL)
        g_string_append (text, sets[i]->outside ? _("outside a region") : _("inside a region"));
      else
        /* TRANSLATORS: pixels that take part: those of a class or mask, or all others */
        g_string_append_printf (text, sets[i]->outside ? _("outside “%s”") : _("inside “%s”"), sets[i]->name);
    }
  if (text->len == 0)
    g_string_append (text, _("everything"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
