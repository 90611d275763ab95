/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-profile-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsProfilePane, es_profile_pane, GTK_TYPE_WIDGET)

/* ---- reading ---- */

static EsProfileLine *
make_line (EsProfilePane *self, EsPlaneSource *source)
{
  const double right = es_plane_source_get_width (source) - 1., bottom = es_plane_source_get_height (source) - 1.;
  const EsProfilePixel *pixel = self->selected.any ? &self->selected : &self->hovered;
  const gboolean row = self->kind == ES_PROFILE_ROW;
  const EsProfilePlace places[2] = { { row ? 0 : pixel->x, row ? pixel->y : 0 },
                                     { row ? right : pixel->x, row ? pixel->y : bottom } };
  EsProfileLine *line;

  if (self->kind != ES_PROFILE_LINE)
    return pixel->any && pixel->x <= right && pixel->y <= bottom
           ? es_profile_line_new (2, places, self->sampling, self->width) : NULL;
  /* One that was told of another picture. */
  if (self->line != NULL && !es_profile_line_check (self->line, (guint64) right + 1, (guint64) bottom + 1, NULL))
    {
      g_clear_pointer (&self->line, es_profile_line_free);
      _es_profile_pane_update_controls (self);
    }
  if ((line = es_profile_line_copy (self->line)) != NULL)
    {
      line->sampling = self->sampling;
      line->width = self->width;
    }
  return line;
}

static void
forget (EsProfilePane *self)
{
  es_latest_cancel (self->reader);
  g_clear_pointer (&self->profile, es_profile_free);
  g_clear_pointer (&self->bands, _es_profile_bands_free);
  g_clear_pointer (&self->of, es_profile_line_free);
}

/* In the place of the plot: what to do, or what went wrong. */
static void
tell (EsProfilePane *self, const char *sentence)
{
  g_autofree char *shown = sentence != NULL ? es_text_show_lines (sentence) : NULL;

  gtk_label_set_text (GTK_LABEL (self->hint),
                      shown != NULL ? shown : _("Click a pixel, or draw a line in the picture (L)."));
}

static void
profile_read (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsProfilePane *self = ES_PROFILE_PANE (user_data);
  EsProfileRequest *request = data;
  EsProfile *profile = answer != NULL ? ((EsProfileAnswer *) answer)->profile : NULL;

  /* Of another source it is answered by the next. */
  if (request->source != es_display_get_source (self->display) || request->kind != self->kind)
    return;
  if (self->of == NULL || self->of->n != request->line->n || request->all != (self->bands != NULL)
      || (self->profile != NULL && profile != NULL && self->profile->n != profile->n))
    es_plot_zoom_reset (ES_PLOT_VIEW (self->view));
  g_clear_pointer (&self->profile, es_profile_free);
  g_clear_pointer (&self->bands, _es_profile_bands_free);
  g_clear_pointer (&self->titles, g_strfreev);
  g_clear_pointer (&self->of, es_profile_line_free);
  if (profile != NULL)
    {
      /* The answer is freed by who asked: what it holds is taken out of it. */
      self->profile = g_steal_pointer (&((EsProfileAnswer *) answer)->profile);
      self->bands = g_steal_pointer (&((EsProfileAnswer *) answer)->bands);
      self->titles = g_steal_pointer (&((EsProfileAnswer *) answer)->titles);
      self->of = g_steal_pointer (&request->line);
      self->has_metres = self->profile->metres != NULL;
    }
  tell (self, error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? error->message : NULL);
  _es_profile_pane_update_controls (self);
  _es_profile_pane_draw (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
_es_profile_pane_update (EsProfilePane *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  EsProfileLine *line = NULL;
  EsProfileRequest *request;

  /* What nobody sees is read when somebody does. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (source != NULL && es_plane_source_is_complete (source))
    line = make_line (self, source);
  if (line == NULL)
    {
      const gboolean any = self->profile != NULL;

      forget (self);
      tell (self, NULL);
      _es_profile_pane_draw (self);
      if (any)
        g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  request = g_new0 (EsProfileRequest, 1);
  request->source = g_object_ref (source);
  request->cube = self->cube != NULL ? g_object_ref (self->cube) : NULL;
  request->n = es_display_get_planes (self->display, request->planes);
  request->line = line;
  request->kind = self->kind;
  /* Of a result of some other size it would be another place. */
  request->all = self->all && self->cube != NULL && es_cube_get_width (self->cube) == es_plane_source_get_width (source)
                 && es_cube_get_height (self->cube) == es_plane_source_get_height (source);
  es_latest_submit (self->reader, request);
  if (self->kind == ES_PROFILE_LINE)
    _es_profile_pane_draw_line (self);
}

static void
on_source_changed (EsProfilePane *self)
{
  forget (self);
  _es_profile_pane_update (self);
}

static void
on_unmap (EsProfilePane *self)
{
  if (self->image != NULL)
    es_image_view_set_line (self->image, 0, NULL, FALSE);
}

static void
on_map (EsProfilePane *self)
{
  _es_profile_pane_draw_line (self);
  _es_profile_pane_update (self);
}

void
es_profile_pane_set_cube (EsProfilePane *self, EsCube *cube)
{
  /* The same scene, told something else, keeps the line. */
  const gboolean stays = self->cube != NULL && cube != NULL
                         && es_cube_get_original (self->cube) == es_cube_get_original (cube);

  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (!g_set_object (&self->cube, cube))
    return;
  forget (self);
  if (!stays)
    g_clear_pointer (&self->line, es_profile_line_free);
  self->selected.any = self->hovered.any = FALSE;
  self->has_metres = FALSE;
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
}

void
es_profile_pane_set_selected (EsProfilePane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  self->selected = (EsProfilePixel) { any, x, y };
  if (self->kind != ES_PROFILE_LINE)
    _es_profile_pane_update (self);
}

void
es_profile_pane_set_hovered (EsProfilePane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  /* Once the pointer has left the picture, what it was over stays drawn. */
  if (!any && !self->selected.any && self->kind != ES_PROFILE_LINE)
    {
      es_plot_set_cursor (self->plot, NAN);
      return;
    }
  self->hovered = (EsProfilePixel) { any, x, y };
  if (!self->selected.any && self->kind != ES_PROFILE_LINE)
    _es_profile_pane_update (self);
  if (self->profile != NULL)
    _es_profile_pane_follow (self);
}

/* ---- what it is along ---- */

void
es_profile_pane_set_kind (EsProfilePane *self, EsProfileKind kind)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));
  g_return_if_fail (kind < ES_N_PROFILE_KINDS);

  if (self->kind == kind)
    return;
  self->kind = kind;
  forget (self);
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

EsProfileKind
es_profile_pane_get_kind (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), ES_PROFILE_ROW);
  return self->kind;
}

void
es_profile_pane_set_line (EsProfilePane *self, const EsProfileLine *line)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (self->kind == ES_PROFILE_LINE && es_profile_line_equal (self->line, line))
    return;
  g_clear_pointer (&self->line, es_profile_line_free);
  self->line = es_profile_line_copy (line);
  if (self->kind != ES_PROFILE_LINE)
    forget (self);
  self->kind = ES_PROFILE_LINE;
  if (line != NULL)
    {
      self->sampling = line->sampling;
      self->width = line->width;
    }
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

const EsProfileLine *
es_profile_pane_get_line (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);
  return self->line;
}

const EsProfile *
es_profile_pane_get_profile (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);
  return self->profile;
}

EsPlot *
es_profile_pane_get_plot (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);
  return self->plot;
}

gboolean
es_profile_pane_is_loading (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), FALSE);
  return es_latest_is_busy (self->reader);
}

char *
es_profile_pane_describe (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);

  if (self->profile == NULL || self->of == NULL)
    return NULL;
  if (self->kind == ES_PROFILE_ROW)
    return g_strdup_printf (_("row y %.0f"), self->of->places[0].y);
  if (self->kind == ES_PROFILE_COLUMN)
    return g_strdup_printf (_("column x %.0f"), self->of->places[0].x);
  if (self->profile->metres == NULL)
    return g_strdup_printf (_("line of %.1f pixels"), self->profile->distances[self->profile->n - 1]);
  const double metres = self->profile->metres[self->profile->n - 1];
  if (metres < ES_PROFILE_LONG_LINE)
    return g_strdup_printf (_("line of %.1f pixels, %.4g m"), self->profile->distances[self->profile->n - 1], metres);
  return g_strdup_printf (_("line of %.1f pixels, %.4g km"), self->profile->distances[self->profile->n - 1],
                          metres / 1000);
}

/* ---- the widget ---- */

GtkWidget *
es_profile_pane_new (EsDisplay *display)
{
  EsProfilePane *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_PROFILE_PANE, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (_es_profile_pane_update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_profile_pane_dispose (GObject *object)
{
  EsProfilePane *self = ES_PROFILE_PANE (object);

  if (self->reader != NULL)
    es_latest_cancel (self->reader);
  g_clear_object (&self->reader);
  g_clear_pointer (&self->controls, gtk_widget_unparent);
  g_clear_pointer (&self->hint, gtk_widget_unparent);
  g_clear_pointer (&self->view, gtk_widget_unparent);
  g_clear_pointer (&self->foot, gtk_widget_unparent);
  g_clear_pointer (&self->titles, g_strfreev);
  g_clear_pointer (&self->bands, _es_profile_bands_free);
  g_clear_pointer (&self->profile, es_profile_free);
  g_clear_pointer (&self->of, es_profile_line_free);
  g_clear_pointer (&self->line, es_profile_line_free);
  g_clear_weak_pointer (&self->image);
  g_clear_object (&self->plot);
  g_clear_object (&self->cube);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_profile_pane_parent_class)->dispose (object);
}

static void
es_profile_pane_class_init (EsProfilePaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_profile_pane_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  _es_profile_pane_install_actions (GTK_WIDGET_CLASS (klass));
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "profilepane");
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
es_profile_pane_init (EsProfilePane *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)), GTK_ORIENTATION_VERTICAL);
  self->width = 1;
  self->unit = 1;
  self->plot = es_plot_new ();
  self->reader = es_latest_new (_es_profile_read, _es_profile_request_free, _es_profile_answer_free, profile_read,
                                self);
  _es_profile_pane_make_controls (self);
  gtk_widget_set_parent (self->controls, widget);
  self->hint = gtk_label_new (NULL);
  tell (self, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->hint), 0);
  gtk_widget_add_css_class (self->hint, "dim-label");
  gtk_widget_add_css_class (self->hint, "pane-margins");
  gtk_widget_set_parent (self->hint, widget);
  self->view = es_plot_view_new (self->plot, 180);
  es_plot_zoom_add (ES_PLOT_VIEW (self->view));
  gtk_widget_set_visible (self->view, FALSE);
  gtk_widget_set_vexpand (self->view, TRUE);
  gtk_widget_set_parent (self->view, widget);
  self->colors = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->colors), 0);
  gtk_widget_add_css_class (self->colors, "caption");
  gtk_widget_add_css_class (self->colors, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->colors), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->colors, TRUE);
  gtk_widget_set_visible (self->colors, FALSE);
  self->save = gtk_button_new_with_mnemonic (_("Save as _CSV…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->save), "profile.save-csv");
  gtk_widget_set_tooltip_text (self->save, _("Distances, places and values as a table"));
  gtk_widget_add_css_class (self->save, "pane-button");
  self->command = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->command), "profile.copy-command");
  gtk_widget_set_tooltip_text (self->command, _("Copy as command: the line for eigenscope-batch that takes it again"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->command), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy as command"),
                                  -1);
  gtk_widget_add_css_class (self->command, "pane-button");
  gtk_widget_set_hexpand (self->command, TRUE);
  gtk_widget_set_halign (self->command, GTK_ALIGN_END);
  self->foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->foot, "pane-margins");
  gtk_widget_set_visible (self->foot, FALSE);
  gtk_box_append (GTK_BOX (self->foot), self->colors);
  gtk_box_append (GTK_BOX (self->foot), self->command);
  gtk_box_append (GTK_BOX (self->foot), self->save);
  gtk_widget_set_parent (self->foot, widget);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (on_unmap), NULL);
}
