/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-histogram-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-zoom.h"
#include "es-histogram-canvas.h"
#include "image/es-look-choosers.h"
#include "widgets/es-wheel.h"

struct _EsHistogramView
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *channels;       /* the row of R, G, B */
  GtkWidget     *buttons[3];
  GtkWidget     *canvas;
  GtkWidget     *row;
  GtkWidget     *low, *high;
  GtkWidget     *unit;
  GtkWidget     *spread;         /* the row of how, and of which pixels */
  GtkWidget     *linked, *undo;

  EsDisplay     *display;
  EsPicture     *picture;
  guint          channel;
  gboolean       updating;
};

G_DEFINE_TYPE (EsHistogramView, es_histogram_view, GTK_TYPE_WIDGET)

void
es_histogram_view_set_stretch (EsHistogramView *self, guint plane, double low, double high)
{
  guint planes[3];

  g_return_if_fail (ES_IS_HISTOGRAM_VIEW (self));

  if (es_picture_is_empty (self->picture) || plane >= es_picture_get_n_planes (self->picture)
      || plane >= es_display_get_planes (self->display, planes))
    return;
  /* First what is remembered: the picture's signal makes the caption say so. */
  es_display_set_stretch (self->display, planes[plane], low, high);
  if (es_display_get_linked (self->display))
    for (guint i = 0; i < es_picture_get_n_planes (self->picture); i++)
      es_picture_set_stretch (self->picture, i, low, high);
  else
    es_picture_set_stretch (self->picture, plane, low, high);
}

static void
set_spin (GtkWidget *spin, double value, double range)
{
  int digits = range > 0 ? CLAMP ((int) (3 - floor (log10 (range))), 0, 8) : 2;

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (spin), range / 200, range / 20);
  /* Not while somebody types in it. */
  if (!gtk_widget_has_focus (spin))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
}

/* A component has another scale than a band, or than one of another result. */
static gboolean
are_apart (EsHistogramView *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  guint planes[3], n = es_display_get_planes (self->display, planes), its;

  for (guint i = 1; i < n; i++)
    if (es_plane_source_resolve (source, planes[i], &its) != es_plane_source_resolve (source, planes[0], &its))
      return TRUE;
  return FALSE;
}

static void
update (EsHistogramView *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  guint n_planes = es_picture_is_empty (self->picture) ? 0 : es_picture_get_n_planes (self->picture);
  double minimum = 0, maximum = 1, low = 0, high = 1;
  gboolean any;

  self->updating = TRUE;
  gtk_widget_set_visible (self->channels, n_planes == 3);
  if (self->channel >= MAX (n_planes, 1))
    {
      self->channel = 0;
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[0]), TRUE);
    }
  es_histogram_canvas_set_plane (ES_HISTOGRAM_CANVAS (self->canvas), self->channel);
  es_histogram_canvas_set_apart (ES_HISTOGRAM_CANVAS (self->canvas), are_apart (self));

  any = es_histogram_canvas_get_range (ES_HISTOGRAM_CANVAS (self->canvas), &minimum, &maximum);
  if (any)
    es_picture_get_stretch (self->picture, self->channel, &low, &high);
  gtk_widget_set_sensitive (self->row, any);
  set_spin (self->low, low, maximum - minimum);
  set_spin (self->high, high, maximum - minimum);

  {
    guint planes[3], n = es_display_get_planes (self->display, planes);
    const char *unit = source != NULL && self->channel < n
                       ? es_plane_source_get_plane_unit (source, planes[self->channel]) : NULL;

    gtk_label_set_text (GTK_LABEL (self->unit), unit != NULL ? unit : "");
    gtk_widget_set_visible (self->unit, unit != NULL && *unit != '\0');
  }
  self->updating = FALSE;
}

static void
update_spread (EsHistogramView *self)
{
  guint planes[3];

  self->updating = TRUE;
  gtk_widget_set_sensitive (self->spread, es_display_get_source (self->display) != NULL);
  gtk_widget_set_visible (self->linked, es_display_get_planes (self->display, planes) == 3);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->linked), es_display_get_linked (self->display));
  gtk_widget_set_sensitive (self->undo, es_display_can_undo (self->display));
  self->updating = FALSE;
}

static void
on_linked (EsHistogramView *self, GtkToggleButton *button)
{
  if (!self->updating)
    es_display_set_linked (self->display, gtk_toggle_button_get_active (button));
}

static void
on_undo (EsHistogramView *self)
{
  es_display_undo (self->display);
}

static GtkWidget *
make_button (GtkWidget *button, const char *name)
{
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return button;
}

static void
make_spread (EsHistogramView *self)
{
  static const char *const signals[] = { "source-changed", "planes-changed", "look-changed", "stretched" };
  GtkWidget *curve = es_curve_chooser_new (self->display), *basis = es_basis_chooser_new (self->display);

  self->spread = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->linked = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->linked), "insert-link-symbolic");
  make_button (self->linked, _("One stretch for red, green and blue"));
  self->undo = make_button (gtk_button_new_from_icon_name ("edit-undo-symbolic"), _("Undo the last stretch"));
  gtk_widget_set_hexpand (curve, TRUE);
  gtk_widget_set_hexpand (basis, TRUE);
  gtk_box_append (GTK_BOX (self->spread), curve);
  gtk_box_append (GTK_BOX (self->spread), basis);
  gtk_box_append (GTK_BOX (self->spread), self->linked);
  gtk_box_append (GTK_BOX (self->spread), self->undo);
  g_signal_connect_object (self->linked, "toggled", G_CALLBACK (on_linked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->undo, "clicked", G_CALLBACK (on_undo), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (self->display, signals[i], G_CALLBACK (update_spread), self, G_CONNECT_SWAPPED);
  update_spread (self);
}

static void
on_stretch_moved (EsHistogramView *self, double low, double high)
{
  es_histogram_view_set_stretch (self, self->channel, low, high);
}

static void
on_reset (EsHistogramView *self)
{
  es_display_reset_stretch (self->display);
}

/* What a number says, or the present value where that is written so: a number that the keys only pass through comes
 * back rounded to its digits. */
static double
read_spin (GtkWidget *spin, double present)
{
  const double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin));
  const double half = 0.5 * pow (10, -(double) gtk_spin_button_get_digits (GTK_SPIN_BUTTON (spin)));

  return fabs (value - present) <= half * (1 + 1e-6) ? present : value;
}

static void
on_spin (EsHistogramView *self)
{
  double present[2], low, high;

  if (self->updating || es_picture_is_empty (self->picture))
    return;
  es_picture_get_stretch (self->picture, self->channel, &present[0], &present[1]);
  low = read_spin (self->low, present[0]);
  high = read_spin (self->high, present[1]);
  if (low != present[0] || high != present[1])
    es_histogram_view_set_stretch (self, self->channel, low, high);
}

static void
on_channel (EsHistogramView *self, GtkToggleButton *button)
{
  if (self->updating || !gtk_toggle_button_get_active (button))
    return;
  for (guint i = 0; i < 3; i++)
    if (GTK_WIDGET (button) == self->buttons[i])
      self->channel = i;
  update (self);
}

static GtkWidget *
make_spin (EsHistogramView *self, const char *name)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (-1e12, 1e12, 1);

  es_ignore_wheel (spin);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 8);
  gtk_widget_set_hexpand (spin, TRUE);
  gtk_widget_set_tooltip_text (spin, name);
  gtk_widget_add_css_class (spin, "numeric");
  gtk_widget_add_css_class (spin, "compact-spin");
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_spin), self, G_CONNECT_SWAPPED);
  return spin;
}

static void
make_channels (EsHistogramView *self)
{
  /* Translators: red, green, blue: the channels of a composite. */
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  const char *names[3] = { _("Stretch of red"), _("Stretch of green"), _("Stretch of blue") };

  self->channels = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->channels, "linked");
  gtk_box_set_homogeneous (GTK_BOX (self->channels), TRUE);
  for (guint i = 0; i < 3; i++)
    {
      self->buttons[i] = gtk_toggle_button_new_with_label (letters[i]);
      gtk_widget_set_tooltip_text (self->buttons[i], names[i]);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->buttons[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      names[i], -1);
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->buttons[i]),
                                     GTK_TOGGLE_BUTTON (self->buttons[0]));
      gtk_box_append (GTK_BOX (self->channels), self->buttons[i]);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[0]), TRUE);
  for (guint i = 0; i < 3; i++)
    g_signal_connect_object (self->buttons[i], "toggled", G_CALLBACK (on_channel), self, G_CONNECT_SWAPPED);
}

GtkWidget *
es_histogram_view_new (EsDisplay *display, EsPicture *picture)
{
  EsHistogramView *self;
  GtkWidget *widget, *cut;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  g_return_val_if_fail (ES_IS_PICTURE (picture), NULL);

  self = g_object_new (ES_TYPE_HISTOGRAM_VIEW, NULL);
  widget = GTK_WIDGET (self);
  self->display = g_object_ref (display);
  self->picture = g_object_ref (picture);

  make_channels (self);
  gtk_widget_set_parent (self->channels, widget);

  self->canvas = es_histogram_canvas_new (picture);
  g_signal_connect_object (self->canvas, "stretch-moved", G_CALLBACK (on_stretch_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "reset", G_CALLBACK (on_reset), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->canvas, widget);
  gtk_widget_set_vexpand (widget, TRUE);

  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->low = make_spin (self, _("Darkest value"));
  self->high = make_spin (self, _("Brightest value"));
  self->unit = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->unit), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (self->unit), 10);
  gtk_widget_add_css_class (self->unit, "dim-label");
  cut = es_cut_chooser_new (display);
  gtk_box_append (GTK_BOX (self->row), self->low);
  gtk_box_append (GTK_BOX (self->row), self->high);
  gtk_box_append (GTK_BOX (self->row), self->unit);
  gtk_box_append (GTK_BOX (self->row), cut);
  gtk_widget_set_parent (self->row, widget);
  make_spread (self);
  gtk_widget_set_parent (self->spread, widget);

  g_signal_connect_object (picture, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (es_plot_zoom_reset_of), self->canvas,
                           G_CONNECT_SWAPPED);
  update (self);
  return widget;
}

static void
es_histogram_view_dispose (GObject *object)
{
  EsHistogramView *self = ES_HISTOGRAM_VIEW (object);

  g_clear_pointer (&self->channels, gtk_widget_unparent);
  g_clear_pointer (&self->canvas, gtk_widget_unparent);
  g_clear_pointer (&self->row, gtk_widget_unparent);
  g_clear_pointer (&self->spread, gtk_widget_unparent);
  g_clear_object (&self->display);
  g_clear_object (&self->picture);
  G_OBJECT_CLASS (es_histogram_view_parent_class)->dispose (object);
}

static void
es_histogram_view_class_init (EsHistogramViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_histogram_view_dispose;
  gtk_widget_class_set_css_name (widget_class, "histogramview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_histogram_view_init (EsHistogramView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
}
