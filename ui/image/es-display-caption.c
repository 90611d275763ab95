/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is shown, in a line below the picture. */

#include "es-display-state-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-format.h"

static void
append_classes (EsDisplay *self, GString *caption)
{
  const guint n = es_class_table_get_n (es_plane_source_get_classes (self->source));
  const guint step = es_plane_source_get_step (self->source);

  g_string_append (caption, " · ");
  g_string_append_printf (caption, g_dngettext (GETTEXT_PACKAGE, "%u class in its colour",
                                                "%u classes in their colours", n), n);
  if (step > 1)
    {
      g_string_append (caption, " · ");
      /* Translators: a large classification is made smaller for the screen. */
      g_string_append_printf (caption, _("every %u. pixel"), step);
    }
}

char *
es_display_make_caption (EsDisplay *self, guint step)
{
  GString *caption;
  g_autofree char *stretch = NULL;
  guint planes[3], n_planes;

  g_return_val_if_fail (ES_IS_DISPLAY (self), NULL);

  n_planes = es_display_get_planes (self, planes);
  if (n_planes == 0)
    return g_strdup ("");

  caption = g_string_new (NULL);
  if (n_planes == 3)
    {
      g_autofree char *red = es_plane_source_get_plane_label (self->source, planes[0]);
      g_autofree char *green = es_plane_source_get_plane_label (self->source, planes[1]);
      g_autofree char *blue = es_plane_source_get_plane_label (self->source, planes[2]);

      /* Translators: the three bands of a composite, as red, green and blue. */
      g_string_append_printf (caption, _("R %s, G %s, B %s"), red, green, blue);
    }
  else
    {
      g_autofree char *title = es_plane_source_get_plane_title (self->source, planes[0]);
      g_autofree char *share = es_format_share (es_plane_source_get_plane_share (self->source, planes[0]));

      g_string_append (caption, title);
      if (share != NULL)
        g_string_append_printf (caption, " (%s)", share);
      if (es_plane_source_is_bad (self->source, planes[0]))
        g_string_append_printf (caption, " (%s)", _("bad band"));
      if (es_plane_source_get_classes (self->source) != NULL)
        {
          append_classes (self, caption);
          return g_string_free (caption, FALSE);
        }
      g_string_append_printf (caption, " · %s", g_dgettext (GETTEXT_PACKAGE,
                                                            es_colormap_title (self->state->colormap)));
    }

  stretch = _es_display_describe_stretch (self, n_planes, planes);
  g_string_append_printf (caption, " · %s", stretch);
  if (step > 1)
    {
      g_string_append (caption, " · ");
      /* Translators: a large picture is made smaller for the screen. */
      g_string_append_printf (caption, _("means of %u × %u pixels"), step, step);
    }
  return g_string_free (caption, FALSE);
}
