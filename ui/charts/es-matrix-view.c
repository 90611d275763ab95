/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-view-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"

enum { CELL_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsMatrixView, es_matrix_view, GTK_TYPE_WIDGET)

/* ---- cells ---- */

gboolean
es_matrix_view_pick (EsMatrixView *self, double x, double y, guint *row, guint *column)
{
  EsMatrixLayout layout;

  g_return_val_if_fail (ES_IS_MATRIX_VIEW (self), FALSE);

  if (self->matrix == NULL || self->n_rows == 0 || self->n_columns == 0)
    return FALSE;
  layout = _es_matrix_view_get_layout (self);
  x = floor ((x - layout.x) / layout.cell);
  y = floor ((y - layout.y) / layout.cell);
  if (x < 0 || y < 0 || x >= self->n_columns || y >= self->n_rows)
    return FALSE;
  *row = (guint) y;
  *column = (guint) x;
  return TRUE;
}

double
_es_matrix_view_value (EsMatrixView *self, guint row, guint column)
{
  return es_matrix_get_values (self->matrix)[(gsize) row * self->n_columns + column];
}

char *
es_matrix_view_describe (EsMatrixView *self, guint row, guint column)
{
  const char *first, *second;
  g_autofree char *value = NULL;
  gboolean matched;

  g_return_val_if_fail (ES_IS_MATRIX_VIEW (self), NULL);
  g_return_val_if_fail (self->matrix != NULL && row < self->n_rows && column < self->n_columns, NULL);

  first = es_matrix_get_row_title (self->matrix, row);
  second = es_matrix_get_column_title (self->matrix, column);
  value = es_format_number (_es_matrix_view_value (self, row, column), self->maximum - self->minimum);
  matched = self->matches != NULL && self->matches[row] == (int) column;
  /* TRANSLATORS: a cell of a table of numbers: "IC 3 · True abundance 2: −0.93" */
  return matched ? g_strdup_printf (_("%s · %s: %s (matched)"), first, second, value)
                 : g_strdup_printf (_("%s · %s: %s"), first, second, value);
}

/* ---- size ---- */

static void
es_matrix_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  EsMatrixView *self = ES_MATRIX_VIEW (widget);

  *minimum = 160;
  *natural = 480;
  if (orientation == GTK_ORIENTATION_VERTICAL && self->matrix != NULL)
    *natural = CLAMP (_es_matrix_view_get_tallest (self), *minimum, *natural);
}

static void
es_matrix_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  if (ES_MATRIX_VIEW (widget)->menu != NULL)
    gtk_popover_present (GTK_POPOVER (ES_MATRIX_VIEW (widget)->menu));
}

/* ---- pointer and keys ---- */

static void
activate_cell (EsMatrixView *self, guint row, guint column)
{
  es_matrix_view_select (self, row, column);
  g_signal_emit (self, signals[CELL_ACTIVATED], 0, row, column);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, EsMatrixView *self)
{
  guint row, column;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (es_matrix_view_pick (self, x, y, &row, &column))
    activate_cell (self, row, column);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, EsMatrixView *self)
{
  self->has_hovered = es_matrix_view_pick (self, x, y, &self->hovered_row, &self->hovered_column);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->has_hovered ? "pointer" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *controller, EsMatrixView *self)
{
  self->has_hovered = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer user_data)
{
  EsMatrixView *self = ES_MATRIX_VIEW (widget);
  guint row = self->row, column = self->column;
  g_autofree char *text = NULL;
  EsMatrixLayout layout;

  if (keyboard ? !self->has_selected : !es_matrix_view_pick (self, x, y, &row, &column))
    return FALSE;
  layout = _es_matrix_view_get_layout (self);
  text = es_matrix_view_describe (self, row, column);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { (int) (layout.x + column * layout.cell),
                                                       (int) (layout.y + row * layout.cell), (int) layout.cell,
                                                       (int) layout.cell });
  return TRUE;
}

static gboolean
on_key_move (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  EsMatrixView *self = ES_MATRIX_VIEW (widget);
  int dx, dy;

  if (self->matrix == NULL)
    return GDK_EVENT_PROPAGATE;
  g_variant_get (direction, "(ii)", &dx, &dy);
  es_matrix_view_select (self, (guint) CLAMP ((int) self->row + (self->has_selected ? dy : 0), 0,
                                              (int) self->n_rows - 1),
                         (guint) CLAMP ((int) self->column + (self->has_selected ? dx : 0), 0,
                                        (int) self->n_columns - 1));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_activate (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsMatrixView *self = ES_MATRIX_VIEW (widget);

  if (!self->has_selected)
    return GDK_EVENT_PROPAGATE;
  activate_cell (self, self->row, self->column);
  return GDK_EVENT_STOP;
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y, EsMatrixView *self)
{
  _es_matrix_view_popup_menu (self, x, y);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static gboolean
on_key_menu (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  _es_matrix_view_popup_menu (ES_MATRIX_VIEW (widget), gtk_widget_get_width (widget) / 2.,
                              gtk_widget_get_height (widget) / 2.);
  return GDK_EVENT_STOP;
}

/* ---- the widget ---- */

static void
find_range (EsMatrixView *self)
{
  const double *values = es_matrix_get_values (self->matrix);
  double low = INFINITY, high = -INFINITY;

  es_matrix_get_range (self->matrix, &self->minimum, &self->maximum);
  for (gsize i = 0; i < (gsize) self->n_rows * self->n_columns; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  if (low > high)
    low = high = 0;
  /* Values of both signs: the middle of the colours is nought. */
  if (low < 0 && high > 0 && isnan (self->minimum) && isnan (self->maximum))
    {
      high = MAX (-low, high);
      low = -high;
    }
  if (isnan (self->minimum))
    self->minimum = low;
  if (isnan (self->maximum))
    self->maximum = high;
  self->colormap = self->minimum < 0 && self->maximum > 0 ? ES_COLORMAP_DIVERGING : ES_COLORMAP_VIRIDIS;
}

void
es_matrix_view_set_matrix (EsMatrixView *self, EsMatrix *matrix)
{
  g_autofree char *label = NULL;

  g_return_if_fail (ES_IS_MATRIX_VIEW (self));

  if (!g_set_object (&self->matrix, matrix))
    return;
  g_clear_pointer (&self->matches, g_free);
  self->has_selected = self->has_hovered = FALSE;
  self->row = self->column = 0;
  self->n_rows = matrix != NULL ? es_matrix_get_n_rows (matrix) : 0;
  self->n_columns = matrix != NULL ? es_matrix_get_n_columns (matrix) : 0;
  if (matrix != NULL)
    find_range (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  label = g_strdup (matrix != NULL ? es_layer_get_title (ES_LAYER (matrix)) : _("Table of numbers"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

EsMatrix *
es_matrix_view_get_matrix (EsMatrixView *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_VIEW (self), NULL);
  return self->matrix;
}

void
es_matrix_view_set_matches (EsMatrixView *self, const int *columns)
{
  g_return_if_fail (ES_IS_MATRIX_VIEW (self));

  g_free (self->matches);
  self->matches = columns != NULL ? g_memdup2 (columns, self->n_rows * sizeof (int)) : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_matrix_view_select (EsMatrixView *self, guint row, guint column)
{
  g_autofree char *text = NULL;

  g_return_if_fail (ES_IS_MATRIX_VIEW (self));

  if (row >= self->n_rows || column >= self->n_columns)
    return;
  self->has_selected = TRUE;
  self->row = row;
  self->column = column;
  text = es_matrix_view_describe (self, row, column);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
es_matrix_view_get_selected (EsMatrixView *self, guint *row, guint *column)
{
  g_return_val_if_fail (ES_IS_MATRIX_VIEW (self), FALSE);

  *row = self->row;
  *column = self->column;
  return self->has_selected;
}

GtkWidget *
es_matrix_view_new (void)
{
  return g_object_new (ES_TYPE_MATRIX_VIEW, NULL);
}

static void
es_matrix_view_dispose (GObject *object)
{
  EsMatrixView *self = ES_MATRIX_VIEW (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->matrix);
  g_clear_pointer (&self->matches, g_free);
  self->n_rows = self->n_columns = 0;
  G_OBJECT_CLASS (es_matrix_view_parent_class)->dispose (object);
}

static void
es_matrix_view_class_init (EsMatrixViewClass *klass)
{
  static const struct { guint keys[2]; int dx, dy; } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1, 0 }, { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, -1 },     { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, 1 },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_matrix_view_dispose;
  widget_class->snapshot = _es_matrix_view_snapshot;
  widget_class->measure = es_matrix_view_measure;
  widget_class->size_allocate = es_matrix_view_size_allocate;

  signals[CELL_ACTIVATED] = g_signal_new ("cell-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      gtk_widget_class_add_binding (widget_class, arrows[i].keys[k], 0, on_key_move, "(ii)", arrows[i].dx,
                                    arrows[i].dy);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, on_key_activate, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, on_key_activate, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, on_key_menu, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, on_key_menu, NULL);
  _es_matrix_view_install_actions (widget_class);
  gtk_widget_class_set_css_name (widget_class, "matrixview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_matrix_view_init (EsMatrixView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_press), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
