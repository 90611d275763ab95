/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plot-range.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-plot-zoom.h"
#include "widgets/es-format.h"

typedef struct
{
  GtkWidget            *widget;          /* the drawing; it outlives the form, or takes it along */
  const EsPlotZoomKind *kind;
  GtkWidget            *popover;
  GtkWidget            *fields[2][2];    /* of the x axis and the y axis: from, to */
  GtkWidget            *logarithmic, *linear;
  double                all[2][2];       /* what the fields are where nothing is typed */
  gboolean              quiet;
} Form;

static void
fill (Form *self)
{
  double old[2][2];
  gboolean some[2];

  for (guint axis = 0; axis < 2; axis++)
    some[axis] = self->kind->get_seen (self->widget, axis == 1, &old[axis][0], &old[axis][1]);
  es_plot_zoom_reset_of (self->widget);
  es_plot_zoom_get_seen (self->widget, self->all[0], self->all[1]);
  self->quiet = TRUE;
  for (guint axis = 0; axis < 2; axis++)
    {
      const double *range = some[axis] ? old[axis] : self->all[axis];

      if (some[axis])
        self->kind->set_seen (self->widget, axis == 1, old[axis][0], old[axis][1]);
      for (guint end = 0; end < 2; end++)
        {
          const double width = fabs (self->all[axis][1] - self->all[axis][0]);
          g_autofree char *all = es_format_number (self->all[axis][end], width);
          g_autofree char *now = es_format_number (range[end], fabs (range[1] - range[0]));

          gtk_entry_set_placeholder_text (GTK_ENTRY (self->fields[axis][end]), all);
          gtk_editable_set_text (GTK_EDITABLE (self->fields[axis][end]), some[axis] ? now : "");
          gtk_widget_remove_css_class (self->fields[axis][end], "error");
        }
    }
  self->quiet = FALSE;
}

static void
on_typed (GtkEditable *field, Form *self)
{
  const guint axis = GTK_WIDGET (field) == self->fields[1][0] || GTK_WIDGET (field) == self->fields[1][1];
  double range[2];
  gboolean good[2], any = FALSE;

  if (self->quiet)
    return;
  for (guint end = 0; end < 2; end++)
    {
      const char *text = gtk_editable_get_text (GTK_EDITABLE (self->fields[axis][end]));

      range[end] = self->all[axis][end];
      any |= *text != '\0';
      good[end] = *text == '\0' || (es_format_parse (text, &range[end]) && isfinite (range[end]));
    }
  if (good[0] && good[1] && any && !(range[0] < range[1]))
    good[0] = good[1] = FALSE;
  for (guint end = 0; end < 2; end++)
    if (good[end])
      gtk_widget_remove_css_class (self->fields[axis][end], "error");
    else
      gtk_widget_add_css_class (self->fields[axis][end], "error");
  if (good[0] && good[1])
    self->kind->set_seen (self->widget, axis == 1, any ? range[0] : NAN, any ? range[1] : NAN);
}

static void
on_all (GtkButton *button, Form *self)
{
  es_plot_zoom_reset_of (self->widget);
  fill (self);
}

static void
on_division (GtkToggleButton *button, Form *self)
{
  if (self->quiet)
    return;
  self->kind->set_division (self->widget, gtk_toggle_button_get_active (button));
  fill (self);
}

static void
on_activate (GtkEntry *entry, Form *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

/* ---- the form ---- */

static gboolean
drop (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, drop, g_object_ref (popover), g_object_unref);
}

static void
on_widget_gone (GtkWidget *popover)
{
  drop (popover);
}

static GtkWidget *
make_field (Form *self, const char *axis, const char *end)
{
  GtkWidget *field = gtk_entry_new ();
  g_autofree char *name = g_strdup_printf ("%s: %s", axis, end);

  gtk_editable_set_width_chars (GTK_EDITABLE (field), 9);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (field), 9);
  gtk_entry_set_alignment (GTK_ENTRY (field), 1);
  gtk_widget_add_css_class (field, "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (field, "changed", G_CALLBACK (on_typed), self);
  g_signal_connect (field, "activate", G_CALLBACK (on_activate), self);
  return field;
}

static void
add_axis (Form *self, GtkGrid *grid, guint axis)
{
  g_autofree char *name = self->kind->name_axis (self->widget, axis == 1);
  GtkWidget *title, *between = gtk_label_new ("–");

  if (*name == '\0')
    {
      g_free (name);
      name = g_strdup (axis == 0 ? _("Horizontally") : _("Vertically"));
    }
  title = gtk_label_new (name);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 24);
  gtk_grid_attach (grid, title, 0, (int) axis, 1, 1);
  self->fields[axis][0] = make_field (self, name, _("from"));
  self->fields[axis][1] = make_field (self, name, _("to"));
  gtk_grid_attach (grid, self->fields[axis][0], 1, (int) axis, 1, 1);
  gtk_grid_attach (grid, between, 2, (int) axis, 1, 1);
  gtk_grid_attach (grid, self->fields[axis][1], 3, (int) axis, 1, 1);
}

static GtkWidget *
make_division (Form *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gboolean possible = FALSE, now = FALSE;

  if (self->kind->get_division != NULL)
    now = self->kind->get_division (self->widget, &possible);
  self->linear = gtk_toggle_button_new_with_mnemonic (_("_Linear"));
  self->logarithmic = gtk_toggle_button_new_with_mnemonic (_("Lo_garithmic"));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->linear), GTK_TOGGLE_BUTTON (self->logarithmic));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (now ? self->logarithmic : self->linear), TRUE);
  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box), self->linear);
  gtk_box_append (GTK_BOX (box), self->logarithmic);
  gtk_widget_set_visible (box, possible || now);
  g_signal_connect (self->logarithmic, "toggled", G_CALLBACK (on_division), self);
  return box;
}

void
es_plot_range_popup (GtkWidget *widget)
{
  const EsPlotZoomKind *kind = es_plot_zoom_get_kind (widget);
  GtkWidget *grid, *all;
  cairo_rectangle_t area;
  Form *self;

  if (kind == NULL || !kind->get_area (widget, &area))
    return;
  grid = gtk_grid_new ();
  all = gtk_button_new_with_mnemonic (_("Show _All"));
  self = g_new0 (Form, 1);
  self->widget = widget;
  self->kind = kind;
  self->popover = gtk_popover_new ();
  g_object_set_data_full (G_OBJECT (self->popover), "es-plot-range", self, g_free);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  for (guint axis = 0; axis < 2; axis++)
    add_axis (self, GTK_GRID (grid), axis);
  gtk_widget_set_tooltip_text (all, _("What comes of the data, on both axes (0)"));
  g_signal_connect (all, "clicked", G_CALLBACK (on_all), self);
  gtk_grid_attach (GTK_GRID (grid), make_division (self), 0, 2, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), all, 3, 2, 1, 1);
  gtk_popover_set_child (GTK_POPOVER (self->popover), grid);
  gtk_widget_set_parent (self->popover, widget);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle) { (int) (area.x + area.width / 2), (int) (area.y + area.height), 1, 1 });
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_BOTTOM);
  g_signal_connect (self->popover, "closed", G_CALLBACK (on_closed), NULL);
  g_signal_connect_object (widget, "destroy", G_CALLBACK (on_widget_gone), self->popover, G_CONNECT_SWAPPED);
  fill (self);
  gtk_popover_popup (GTK_POPOVER (self->popover));
  gtk_widget_grab_focus (self->fields[0][0]);
}
