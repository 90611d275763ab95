/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-display-bar-private.h"

#include <glib/gi18n-lib.h>

#include "es-band-chooser.h"
#include "image/es-look-choosers.h"
#include "widgets/es-fit-layout.h"

#define SPINNER_DELAY 200       /* ms: what takes less needs no spinner */

enum { PROP_0, PROP_LEGEND, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_TYPE (EsDisplayBar, es_display_bar, GTK_TYPE_WIDGET)

void
_es_display_bar_update (EsDisplayBar *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  gboolean composite = es_display_get_composite (self->display);
  guint n = source != NULL ? es_plane_source_get_n_planes (source) : 0;
  guint plane = es_display_get_plane (self->display);
  /* Classes have colours of their own, and no stretch: the legend is beside the picture. */
  gboolean classes = source != NULL && es_plane_source_get_classes (source) != NULL;
  GListModel *others = es_display_get_others (self->display);

  self->updating = TRUE;
  gtk_widget_set_visible (self->modes, es_display_can_composite (self->display));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (composite ? self->composite : self->single), TRUE);
  for (guint i = 0; i < 3; i++)
    {
      gtk_widget_set_visible (self->channels[i], composite);
      /* With what it borrows just now. */
      es_band_chooser_set_source (ES_BAND_CHOOSER (self->channels[i]), source);
      es_band_chooser_set_plane (ES_BAND_CHOOSER (self->channels[i]), es_display_get_rgb (self->display, i));
      if (self->rest_channels[i] != NULL)
        {
          es_band_chooser_set_source (ES_BAND_CHOOSER (self->rest_channels[i]), source);
          es_band_chooser_set_plane (ES_BAND_CHOOSER (self->rest_channels[i]), es_display_get_rgb (self->display, i));
        }
    }
  gtk_widget_set_visible (self->held, composite && others != NULL && g_list_model_get_n_items (others) > 1);
  gtk_widget_set_visible (self->slider, !composite && n > 1);
  gtk_widget_set_visible (self->plane, !composite && n > 1);
  es_band_chooser_set_plane (ES_BAND_CHOOSER (self->plane), plane);
  if (self->rest_plane != NULL)
    es_band_chooser_set_plane (ES_BAND_CHOOSER (self->rest_plane), plane);
  gtk_range_set_value (GTK_RANGE (self->slider), plane + 1);
  gtk_widget_set_visible (self->title, !composite && n == 1);

  if (source != NULL && plane < n)
    {
      g_autofree char *title = es_plane_source_get_plane_title (source, plane);

      gtk_label_set_text (GTK_LABEL (self->title), title);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                      title, -1);
    }
  gtk_widget_set_visible (self->colormap, !composite && !classes);
  gtk_widget_set_visible (self->symmetric, !composite && source != NULL && !classes);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->symmetric),
                                es_display_get_symmetric (self->display));
  gtk_widget_set_visible (self->cut, !classes);
  gtk_widget_set_visible (self->legend, !composite && !classes);
  gtk_widget_set_sensitive (self->row, source != NULL);
  self->updating = FALSE;
}

static void
on_source_changed (EsDisplayBar *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  guint n = source != NULL ? es_plane_source_get_n_planes (source) : 0;

  self->updating = TRUE;
  es_band_chooser_set_source (ES_BAND_CHOOSER (self->plane), es_display_get_own_source (self->display));
  gtk_range_set_range (GTK_RANGE (self->slider), 1, MAX (n, 2));
  self->updating = FALSE;
  _es_display_bar_update (self);
}

static void
on_mode (EsDisplayBar *self, GtkToggleButton *button)
{
  if (!self->updating && gtk_toggle_button_get_active (button))
    es_display_set_composite (self->display, GTK_WIDGET (button) == self->composite);
}

static void
on_channel_chosen (EsDisplayBar *self, guint plane, GtkWidget *chooser)
{
  for (guint i = 0; i < 3; i++)
    if (chooser == self->channels[i] || chooser == self->rest_channels[i])
      es_display_set_rgb (self->display, i, plane);
}

static void
on_other_chosen (EsDisplayBar *self, EsPlaneGroup *group, guint plane, GtkWidget *chooser)
{
  for (guint i = 0; i < 3; i++)
    if (chooser == self->channels[i] || chooser == self->rest_channels[i])
      es_display_set_other (self->display, i, group, plane);
}

static void
on_others_changed (EsDisplayBar *self)
{
  for (guint i = 0; i < 3; i++)
    es_band_chooser_set_others (ES_BAND_CHOOSER (self->channels[i]), es_display_get_others (self->display));
  _es_display_bar_update (self);
}

static void
on_plane_chosen (EsDisplayBar *self, guint plane)
{
  es_display_set_plane (self->display, plane);
}

static void
on_slider (EsDisplayBar *self)
{
  if (!self->updating)
    es_display_set_plane (self->display, (guint) (gtk_range_get_value (GTK_RANGE (self->slider)) + 0.5) - 1);
}

static void
on_symmetric (EsDisplayBar *self)
{
  if (!self->updating)
    es_display_set_symmetric (self->display,
                              gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->symmetric)));
}

static void
on_legend (EsDisplayBar *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LEGEND]);
}

static gboolean
start_spinner (gpointer data)
{
  EsDisplayBar *self = ES_DISPLAY_BAR (data);

  self->spinner_timeout = 0;
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  gtk_widget_set_opacity (self->spinner, 1);
  return G_SOURCE_REMOVE;
}

void
es_display_bar_set_busy (EsDisplayBar *self, gboolean busy)
{
  g_return_if_fail (ES_IS_DISPLAY_BAR (self));

  if (busy && self->spinner_timeout == 0 && !gtk_spinner_get_spinning (GTK_SPINNER (self->spinner)))
    {
      self->spinner_timeout = g_timeout_add (SPINNER_DELAY, start_spinner, self);
    }
  else if (!busy)
    {
      g_clear_handle_id (&self->spinner_timeout, g_source_remove);
      gtk_spinner_stop (GTK_SPINNER (self->spinner));
      gtk_widget_set_opacity (self->spinner, 0);
    }
}

void
es_display_bar_add (EsDisplayBar *self, GtkWidget *widget, GtkWidget *again)
{
  g_return_if_fail (ES_IS_DISPLAY_BAR (self));
  g_return_if_fail (GTK_IS_WIDGET (widget) && GTK_IS_WIDGET (again));
  g_return_if_fail (self->added == NULL);

  gtk_widget_insert_after (widget, self->row, self->plane);
  self->added = widget;
  self->again = g_object_ref_sink (again);
}

gboolean
es_display_bar_get_legend (EsDisplayBar *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY_BAR (self), FALSE);
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->legend));
}

/* ---- making ---- */

static GtkWidget *
make_toggle (const char *label, const char *icon, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new ();

  if (icon != NULL)
    {
      gtk_button_set_icon_name (GTK_BUTTON (button), icon);
      gtk_widget_add_css_class (button, "flat");
    }
  else
    {
      gtk_button_set_label (GTK_BUTTON (button), label);
    }
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static void
make_modes (EsDisplayBar *self)
{
  self->modes = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->modes, "linked");
  /* Translators: a composite of three bands or components as red, green and blue. */
  self->composite = make_toggle (_("RGB"), NULL, _("Three of them as red, green and blue"));
  self->single = make_toggle (_("Single"), NULL, _("One alone, in a colour map"));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->single), GTK_TOGGLE_BUTTON (self->composite));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->composite), TRUE);
  g_signal_connect_object (self->composite, "toggled", G_CALLBACK (on_mode), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->single, "toggled", G_CALLBACK (on_mode), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->modes), self->composite);
  gtk_box_append (GTK_BOX (self->modes), es_preset_chooser_new (self->display));
  gtk_box_append (GTK_BOX (self->modes), self->single);
  es_fit_layout_keep (self->modes);
  gtk_box_append (GTK_BOX (self->row), self->modes);
}

GtkWidget *
_es_display_bar_make_channel (EsDisplayBar *self, guint channel)
{
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  const char *names[3] = { _("Red"), _("Green"), _("Blue") };
  static const char * const classes[3] = { "channel-red", "channel-green", "channel-blue" };
  GtkWidget *chooser = es_band_chooser_new (letters[channel], names[channel]);

  gtk_widget_add_css_class (chooser, classes[channel]);
  g_signal_connect_object (chooser, "chosen", G_CALLBACK (on_channel_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "chosen-other", G_CALLBACK (on_other_chosen), self, G_CONNECT_SWAPPED);
  return chooser;
}

GtkWidget *
_es_display_bar_make_plane (EsDisplayBar *self)
{
  GtkWidget *chooser = es_band_chooser_new (NULL, _("Shown"));

  g_signal_connect_object (chooser, "chosen", G_CALLBACK (on_plane_chosen), self, G_CONNECT_SWAPPED);
  return chooser;
}

static void
make_choosers (EsDisplayBar *self)
{
  const char *held_words = _("Keep these colours while other results are chosen");

  for (guint i = 0; i < 3; i++)
    {
      self->channels[i] = _es_display_bar_make_channel (self, i);
      es_fit_layout_shrink (self->channels[i]);
      gtk_box_append (GTK_BOX (self->row), self->channels[i]);
    }

  self->held = make_toggle (NULL, "view-pin-symbolic", held_words);
  g_object_bind_property (self->display, "held", self->held, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  gtk_box_append (GTK_BOX (self->row), self->held);

  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (self->slider), 0);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_widget_set_size_request (self->slider, 44, -1);
  gtk_widget_set_tooltip_text (self->slider, _("Which one is shown"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Which one is shown"), -1);
  g_signal_connect_object (self->slider, "value-changed", G_CALLBACK (on_slider), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->row), self->slider);

  self->plane = _es_display_bar_make_plane (self);
  es_fit_layout_shrink (self->plane);
  gtk_box_append (GTK_BOX (self->row), self->plane);
  self->title = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  es_fit_layout_shrink (self->title);
  gtk_box_append (GTK_BOX (self->row), self->title);
}

GtkWidget *
es_display_bar_new (EsDisplay *display)
{
  EsDisplayBar *self;
  GtkWidget *space;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_DISPLAY_BAR, NULL);
  self->display = g_object_ref (display);
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->row, es_fit_layout_new (6));
  gtk_widget_add_css_class (self->row, "display-bar");
  gtk_widget_set_parent (self->row, GTK_WIDGET (self));

  make_modes (self);
  make_choosers (self);

  space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand (space, TRUE);
  es_fit_layout_keep (space);
  gtk_box_append (GTK_BOX (self->row), space);
  g_object_bind_property (self->slider, "visible", space, "visible",
                          G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  self->spinner = gtk_spinner_new ();
  gtk_widget_set_opacity (self->spinner, 0);
  es_fit_layout_keep (self->spinner);
  gtk_box_append (GTK_BOX (self->row), self->spinner);

  self->colormap = es_colormap_chooser_new (display);
  gtk_box_append (GTK_BOX (self->row), self->colormap);
  self->cut = es_cut_chooser_new (display);
  gtk_box_append (GTK_BOX (self->row), self->cut);
  self->symmetric = make_toggle ("±", NULL, _("Stretch symmetric about zero"));
  g_signal_connect_object (self->symmetric, "toggled", G_CALLBACK (on_symmetric), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->row), self->symmetric);
  self->legend = make_toggle (_("Legend"), NULL, _("Show the colour legend"));
  g_signal_connect_object (self->legend, "toggled", G_CALLBACK (on_legend), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->row), self->legend);
  _es_display_bar_add_menu (self);

  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (_es_display_bar_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (_es_display_bar_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "others-changed", G_CALLBACK (on_others_changed), self, G_CONNECT_SWAPPED);
  on_source_changed (self);
  return GTK_WIDGET (self);
}

static void
es_display_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsDisplayBar *self = ES_DISPLAY_BAR (object);

  if (id == PROP_LEGEND)
    g_value_set_boolean (value, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->legend)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_display_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsDisplayBar *self = ES_DISPLAY_BAR (object);

  if (id == PROP_LEGEND)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->legend), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_display_bar_dispose (GObject *object)
{
  EsDisplayBar *self = ES_DISPLAY_BAR (object);

  g_clear_handle_id (&self->spinner_timeout, g_source_remove);
  _es_display_bar_forget_rest (self);
  g_clear_pointer (&self->row, gtk_widget_unparent);
  g_clear_object (&self->again);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_display_bar_parent_class)->dispose (object);
}

static void
es_display_bar_class_init (EsDisplayBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_display_bar_get_property;
  object_class->set_property = es_display_bar_set_property;
  object_class->dispose = es_display_bar_dispose;
  properties[PROP_LEGEND] = g_param_spec_boolean ("legend", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                  | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "displaybar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_display_bar_init (EsDisplayBar *self)
{
}
