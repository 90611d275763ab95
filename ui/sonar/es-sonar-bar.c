/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-bar.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "sonar/display/es-sonar-extent.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"
#include "widgets/es-colormap-drop-down.h"
#include "widgets/es-fit-layout.h"
#include "widgets/es-wheel.h"

struct _EsSonarBar
{
  GtkWidget       parent_instance;

  GtkWidget      *row;
  GtkWidget      *follow, *normaliser, *range, *hold, *colormap, *harmonics, *tracks, *menu;
  EsSonarDisplay *display;
  EsSonarSource  *source;        /* this and the next two: the display's */
  EsSonarExtent  *extent;
  EsSonarLook    *look;
  gboolean        updating;
};

G_DEFINE_FINAL_TYPE (EsSonarBar, es_sonar_bar, GTK_TYPE_WIDGET)

/* dB; 0: from what is in view. */
static const double ranges[] = { 0, 6, 10, 15, 20, 30, 40, 60, 80, 100 };

static char *
name_range (double range)
{
  /* Translators: the range of levels is found from what is in view. */
  return range > 0 ? g_strdup_printf (_("%.0f dB"), range) : g_strdup (C_("range", "Auto"));
}

static void
update (EsSonarBar *self, guint change)
{
  guint nearest = 0;
  double range = es_sonar_look_get_range (self->look);

  self->updating = TRUE;
  for (guint i = 1; i < G_N_ELEMENTS (ranges); i++)
    if (fabs (ranges[i] - range) < fabs (ranges[nearest] - range))
      nearest = i;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->follow), es_sonar_extent_get_follow (self->extent));
  gtk_widget_set_sensitive (self->follow, es_sonar_source_get_result (self->source) == NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->normaliser), es_sonar_look_get_normaliser (self->look));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->range), nearest);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->hold), !es_sonar_look_get_auto_top (self->look));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->colormap), es_sonar_look_get_colormap (self->look));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->harmonics), es_sonar_look_get_harmonics (self->look));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->tracks), es_sonar_look_get_tracks (self->look));
  self->updating = FALSE;
}

static void
on_changed (EsSonarBar *self, guint change)
{
  if (change & (ES_SONAR_CHANGE_LOOK | ES_SONAR_CHANGE_NORMALISER | ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_FREQUENCY
                | ES_SONAR_CHANGE_MARKS)
      || gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->follow)) != es_sonar_extent_get_follow (self->extent))
    update (self, change);
}

static void
on_toggled (EsSonarBar *self, GtkToggleButton *button)
{
  gboolean active = gtk_toggle_button_get_active (button);

  if (self->updating)
    return;
  if (GTK_WIDGET (button) == self->follow)
    es_sonar_display_set_follow (self->display, active);
  else if (GTK_WIDGET (button) == self->hold)
    es_sonar_look_set_auto_top (self->look, !active);
  else if (GTK_WIDGET (button) == self->tracks)
    es_sonar_look_set_tracks (self->look, active);
  else
    es_sonar_look_set_harmonics (self->look, active);
}

static void
on_selected (EsSonarBar *self, GParamSpec *pspec, GtkDropDown *drop_down)
{
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (self->updating || selected == GTK_INVALID_LIST_POSITION)
    return;
  if (GTK_WIDGET (drop_down) == self->normaliser)
    es_sonar_look_set_normaliser (self->look, selected);
  else if (GTK_WIDGET (drop_down) == self->range)
    es_sonar_look_set_range (self->look, ranges[selected]);
  else
    es_sonar_look_set_colormap (self->look, selected);
}

static void
name (GtkWidget *widget, const char *words)
{
  gtk_widget_set_tooltip_text (widget, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  es_keep_focus (widget);
}

static GtkWidget *
add_toggle (EsSonarBar *self, const char *label, const char *words)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  name (button, words);
  g_signal_connect_object (button, "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->row), button);
  return button;
}

static GtkWidget *
add_drop_down (EsSonarBar *self, GtkWidget *drop_down, const char *words)
{
  name (drop_down, words);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->row), drop_down);
  return drop_down;
}

static GtkWidget *
make_normalisers (void)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < ES_N_NORMALISERS; i++)
    gtk_string_list_append (titles, es_normaliser_title (i));
  return gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
}

static GtkWidget *
make_ranges (void)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    gtk_string_list_take (titles, name_range (ranges[i]));
  return gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
}

void
es_sonar_bar_add_leading (EsSonarBar *self, GtkWidget *widget)
{
  g_return_if_fail (ES_IS_SONAR_BAR (self));
  es_fit_layout_keep (widget);
  gtk_box_prepend (GTK_BOX (self->row), widget);
}

/* ---- the menu: all that the bar has, however much of it finds room, and what is rarely wanted ---- */

static GMenuModel *
make_normaliser_menu (void)
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
make_range_menu (void)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autofree char *title = name_range (ranges[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

      g_menu_item_set_action_and_target (item, "sonar.dynamic-range", "d", ranges[i]);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_colormap_menu (void)
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

static GMenuModel *
make_choices (const char *action, guint n, const char *(*get_id) (guint), const char *const *titles)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (g_dgettext (GETTEXT_PACKAGE, titles[i]), NULL);

      g_menu_item_set_action_and_target (item, action, "s", get_id (i));
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_writing_menu (void)
{
  static const char *const bearings_titles[] = { N_("From the _Array"), N_("_0 to 360°"), N_("_True (from North)") };
  static const char *const clock_titles[] = { N_("_Elapsed"), N_("_UTC"), N_("_Local Time") };
  g_autoptr (GMenuModel) bearings = make_choices ("sonar.bearings", ES_N_BEARINGS, es_bearings_id, bearings_titles);
  g_autoptr (GMenuModel) clocks = make_choices ("sonar.clock", ES_N_CLOCKS, es_clock_id, clock_titles);
  GMenu *menu = g_menu_new ();

  g_menu_append_submenu (menu, _("_Bearings"), bearings);
  g_menu_append_submenu (menu, C_("times", "_Clock"), clocks);
  g_menu_append (menu, _("_Start and Heading…"), "win.navigation");
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) levels = g_menu_new (), marks = g_menu_new (), places = g_menu_new ();
  g_autoptr (GMenuModel) normalisers = make_normaliser_menu ();
  g_autoptr (GMenuModel) of_levels = make_range_menu ();
  g_autoptr (GMenuModel) colormaps = make_colormap_menu ();
  g_autoptr (GMenuModel) writing = make_writing_menu ();

  g_menu_append (marks, _("_Follow"), "sonar.follow");
  g_menu_append (marks, _("_Harmonics"), "sonar.harmonics");
  g_menu_append (marks, _("Show Trac_ks"), "sonar.tracks");
  g_menu_append (marks, _("Beams Si_de by Side"), "sonar.beside");
  g_menu_append_submenu (levels, _("_Normaliser"), normalisers);
  g_menu_append_submenu (levels, _("_Range of Levels"), of_levels);
  g_menu_append_submenu (levels, _("_Colour Map"), colormaps);
  g_menu_append (levels, _("Hold the _Levels"), "sonar.hold");
  g_menu_append (places, _("Reset _Layout"), "sonar.restore");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (levels));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (marks));
  g_menu_append_section (menu, NULL, writing);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (places));
  return G_MENU_MODEL (menu);
}

static GtkWidget *
add_menu (EsSonarBar *self)
{
  g_autoptr (GMenuModel) model = make_menu ();
  GtkWidget *gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *button = gtk_menu_button_new ();

  gtk_widget_set_hexpand (gap, TRUE);
  es_fit_layout_keep (gap);
  gtk_box_append (GTK_BOX (self->row), gap);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-horizontal-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), model);
  gtk_widget_add_css_class (button, "flat");
  name (button, _("How the displays look"));
  es_fit_layout_keep (button);
  gtk_box_append (GTK_BOX (self->row), button);
  return button;
}

GtkWidget *
es_sonar_bar_new (EsSonarDisplay *display)
{
  EsSonarBar *self;

  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_SONAR_BAR, NULL);
  self->display = g_object_ref (display);
  self->source = es_sonar_display_get_source (display);
  self->extent = es_sonar_display_get_extent (display);
  self->look = es_sonar_display_get_look (display);
  self->updating = TRUE;
  self->follow = add_toggle (self, _("Follow"), _("Keep what is heard in view"));
  self->normaliser = add_drop_down (self, make_normalisers (),
                                    _("Normaliser: over bearings in the record, over frequencies in the LOFARgram"));
  self->range = add_drop_down (self, make_ranges (), _("Range of levels between the darkest and the brightest colour"));
  /* Translators: a button: the levels of the colours stay as they are. */
  self->hold = add_toggle (self, C_("levels", "Hold"), _("Hold the levels of the colours as they are now"));
  self->colormap = add_drop_down (self, es_colormap_drop_down_new (), _("Colour map"));
  self->harmonics = add_toggle (self, _("Harmonics"),
                                _("Lines at multiples of the cursor's frequency in the LOFARgram, to be dragged"));
  /* Translators: a button: tracks of arrivals are drawn on the bearing-time record. */
  self->tracks = add_toggle (self, _("Tracks"),
                             _("Tracks of arrivals on the bearing-time record, each with its number"));
  self->menu = add_menu (self);
  g_signal_connect_object (display, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  update (self, ES_SONAR_CHANGE_ALL);
  return GTK_WIDGET (self);
}

static void
es_sonar_bar_dispose (GObject *object)
{
  EsSonarBar *self = ES_SONAR_BAR (object);

  self->updating = TRUE;
  g_clear_pointer (&self->row, gtk_widget_unparent);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_sonar_bar_parent_class)->dispose (object);
}

static void
es_sonar_bar_class_init (EsSonarBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_sonar_bar_dispose;
  gtk_widget_class_set_css_name (widget_class, "sonarbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_sonar_bar_init (EsSonarBar *self)
{
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->row, es_fit_layout_new (6));
  gtk_widget_add_css_class (self->row, "display-bar");
  gtk_widget_set_parent (self->row, GTK_WIDGET (self));
}
