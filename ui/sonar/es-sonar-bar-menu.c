/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The menu of the bar: all that the bar has, however much of it finds room there, and what is rarely wanted. */

#include "es-sonar-bar-private.h"

#include <glib/gi18n-lib.h>

#include "plane/es-colormap.h"
#include "signal/es-normalise.h"

static GMenuModel *
make_normalisers (void)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < ES_N_NORMALISERS; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (es_normaliser_title (i), NULL);

      g_menu_item_set_action_and_target (item, "sonar.normaliser", "s", es_normaliser_id (i));
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_ranges (void)
{
  GMenu *menu = g_menu_new ();
  guint n;
  const double *ranges = _es_sonar_bar_get_ranges (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *title = _es_sonar_bar_name_range (ranges[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

      g_menu_item_set_action_and_target (item, "sonar.dynamic-range", "d", ranges[i]);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_colormaps (void)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < ES_N_COLORMAPS; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (g_dgettext (GETTEXT_PACKAGE, es_colormap_title (i)), NULL);

      g_menu_item_set_action_and_target (item, "sonar.colormap", "s", es_colormap_id (i));
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

GMenuModel *
_es_sonar_bar_make_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) levels = g_menu_new (), marks = g_menu_new (), places = g_menu_new ();
  g_autoptr (GMenuModel) normalisers = make_normalisers (), ranges = make_ranges (), colormaps = make_colormaps ();

  g_menu_append (marks, _("_Follow"), "sonar.follow");
  g_menu_append (marks, _("_Harmonics"), "sonar.harmonics");
  g_menu_append (marks, _("Show Trac_ks"), "sonar.tracks");
  g_menu_append (marks, _("_Beams Side by Side"), "sonar.beside");
  g_menu_append_submenu (levels, _("_Normaliser"), normalisers);
  g_menu_append_submenu (levels, _("_Range of Levels"), ranges);
  g_menu_append_submenu (levels, _("_Colour Map"), colormaps);
  g_menu_append (levels, _("Hold the _Levels"), "sonar.hold");
  g_menu_append (places, _("Reset _Layout"), "sonar.restore");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (levels));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (marks));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (places));
  return G_MENU_MODEL (menu);
}
