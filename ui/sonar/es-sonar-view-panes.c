/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-view-private.h"

#include <glib/gi18n-lib.h>

#include "sonar/panes/es-azimuth-pane.h"
#include "sonar/panes/es-btr-pane.h"
#include "sonar/panes/es-demon-pane.h"
#include "sonar/panes/es-eigen-pane.h"
#include "sonar/panes/es-element-pane.h"
#include "sonar/panes/es-energy-pane.h"
#include "sonar/panes/es-fraz-pane.h"
#include "sonar/panes/es-kind-chooser.h"
#include "sonar/panes/es-lofar-pane.h"
#include "sonar/panes/es-pattern-pane.h"
#include "widgets/es-wheel.h"

static void
on_swap (EsSonarView *self, EsPaneFrame *frame)
{
  _es_sonar_view_swap (self, frame);
  if (self->middle[0] != self->field_frame)
    self->chosen = self->middle[0];
  g_signal_emit_by_name (self, "arranged");
}

static void
on_maximise (EsSonarView *self, EsPaneFrame *frame)
{
  _es_sonar_view_maximise (self, frame);
}

static void
on_enlarge (EsSonarView *self, EsPaneFrame *frame)
{
  _es_sonar_view_enlarge (self, frame);
}

static EsPaneFrame *
add_pane (EsSonarView *self, EsSonarPane *pane, gboolean expanded)
{
  EsPaneFrame *frame = ES_PANE_FRAME (g_object_ref_sink (es_pane_frame_new (pane)));

  g_assert (self->n_frames < ES_SONAR_MOST_PANES);
  es_pane_frame_set_expanded (frame, expanded);
  g_signal_connect_object (frame, "swap", G_CALLBACK (on_swap), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (frame, "maximise", G_CALLBACK (on_maximise), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (frame, "enlarge", G_CALLBACK (on_enlarge), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "wanted", G_CALLBACK (_es_sonar_view_want_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "unmap", G_CALLBACK (_es_sonar_view_want_tick), self, G_CONNECT_SWAPPED);
  if (self->n_frames < ES_SONAR_N_MIDDLE)
    _es_sonar_view_put_in_middle (self, frame, self->n_frames);
  else
    gtk_box_append (GTK_BOX (self->column), GTK_WIDGET (frame));
  if (es_sonar_pane_get_chooser (pane) != NULL)
    self->first_kinds[self->n_frames] = es_kind_chooser_get_wanted (ES_KIND_CHOOSER (es_sonar_pane_get_chooser (pane)));
  self->first_expanded[self->n_frames] = expanded;
  self->frames[self->n_frames++] = frame;
  return frame;
}

static GtkWidget *
make_plan_button (void)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (_("Plan"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "sonar.plan");
  gtk_widget_set_tooltip_text (button, _("Seen from above, the array in the middle"));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "caption");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  es_keep_focus (button);
  return button;
}

static GtkWidget *
make_beside_button (void)
{
  GtkWidget *button = gtk_toggle_button_new ();
  const char *words = _("CBF and adaptive beams side by side");

  gtk_button_set_icon_name (GTK_BUTTON (button), "view-dual-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "sonar.beside");
  gtk_widget_set_tooltip_text (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  es_keep_focus (button);
  return button;
}

static void
add_records (EsSonarView *self)
{
  EsPaneFrame *first = add_pane (self, es_btr_pane_new (self->display, "btr", ES_BEAM_CBF), TRUE), *second;
  g_autoptr (GMenu) section = g_menu_new ();

  add_pane (self, es_lofar_pane_new (self->display), TRUE);
  second = add_pane (self, es_btr_pane_new (self->display, "btr-adaptive", ES_BEAM_MVDR), TRUE);
  g_menu_append (section, _("Show Trac_ks"), "sonar.tracks");
  g_menu_append (section, _("Save T_racks…"), "sonar.save-tracks");
  es_pane_frame_set_section (first, G_MENU_MODEL (section));
  es_pane_frame_set_section (second, G_MENU_MODEL (section));
  self->beside = make_beside_button ();
  es_pane_frame_add_control (first, self->beside);
}

void
_es_sonar_view_add_panes (EsSonarView *self)
{
  EsSonarPane *azimuth = es_azimuth_pane_new (self->display);

  add_records (self);
  es_pane_frame_add_control (add_pane (self, es_energy_pane_new (self->display), TRUE), make_plan_button ());
  es_pane_frame_add_control (add_pane (self, azimuth, TRUE), es_azimuth_pane_get_toggles (ES_AZIMUTH_PANE (azimuth)));
  add_pane (self, es_fraz_pane_new (self->display, "fraz", ES_BEAM_CBF), FALSE);
  add_pane (self, es_fraz_pane_new (self->display, "fraz-adaptive", ES_BEAM_MVDR), FALSE);
  add_pane (self, es_eigen_pane_new (self->display), FALSE);
  add_pane (self, es_pattern_pane_new (self->display), FALSE);
  add_pane (self, es_demon_pane_new (self->display), FALSE);
  add_pane (self, es_element_pane_new (self->display), FALSE);
  self->field_frame = add_pane (self, es_field_pane_new (self->display), TRUE);
  self->chosen = self->frames[0];
  _es_sonar_view_update_visible (self);
}

void
_es_sonar_view_make_inspector (EsSonarView *self)
{
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);

  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), self->column);
  self->inspector = g_object_ref_sink (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->inspector), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->inspector), viewport);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->inspector), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Sonar displays"),
                                  -1);
}
