/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-wheel.h"

#include <math.h>

#include "es-popovers.h"

void
es_ignore_wheel (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  controllers = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

static gboolean
on_inner_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer scroller)
{
  GtkAdjustment *inner = gtk_scrolled_window_get_vadjustment (scroller), *outer;
  GtkWidget *column = gtk_widget_get_ancestor (gtk_widget_get_parent (scroller), GTK_TYPE_SCROLLED_WINDOW);
  const double end = gtk_adjustment_get_upper (inner) - gtk_adjustment_get_page_size (inner);
  const double value = gtk_adjustment_get_value (inner);
  double step = 1;

  if (column == NULL || dy == 0 || fabs (dx) > fabs (dy)
      || (dy > 0 ? value < end - 0.5 : value > gtk_adjustment_get_lower (inner) + 0.5))
    return GDK_EVENT_PROPAGATE;
  outer = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (column));
  /* As far as the column itself goes. */
  if (gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL)
    step = pow (gtk_adjustment_get_page_size (outer), 2. / 3);
  gtk_adjustment_set_value (outer, gtk_adjustment_get_value (outer) + dy * step);
  return GDK_EVENT_STOP;
}

void
es_hand_on_wheel (GtkWidget *scroller)
{
  GtkEventController *controller;

  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (scroller));

  controller = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "scroll", G_CALLBACK (on_inner_scroll), scroller);
  gtk_widget_add_controller (scroller, controller);
}

/* ---- the focus ---- */

typedef struct
{
  GtkWidget *widget;             /* borrowed: it owns this */
  GtkWidget *before;             /* what had the focus; weak, nullable */
  gboolean   pressed, opened;    /* by a pointer, and then its popover had the focus */
  guint      idle;
  GtkRoot   *root;               /* borrowed; NULL: in none */
} KeptFocus;

static void
set_before (KeptFocus *self, GtkWidget *widget)
{
  g_set_weak_pointer (&self->before, widget);
}

static gboolean
is_within (GtkWidget *focus, GtkWidget *widget)
{
  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static gboolean
give_back (gpointer data)
{
  KeptFocus *self = data;
  GtkWidget *before = self->before;

  self->idle = 0;
  if (self->root == NULL || !is_within (gtk_root_get_focus (self->root), self->widget))
    return G_SOURCE_REMOVE;
  if (before != NULL && gtk_widget_get_root (before) == self->root && gtk_widget_get_mapped (before)
      && gtk_widget_grab_focus (before))
    return G_SOURCE_REMOVE;
  gtk_root_set_focus (self->root, NULL);
  return G_SOURCE_REMOVE;
}

/* Into the popover of what was pressed, and out of it to the button that it hangs from: there GTK would leave it. */
static void
on_focus (KeptFocus *self)
{
  GtkWidget *focus = gtk_root_get_focus (self->root);
  GtkWidget *popover = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;

  if (self->pressed && is_within (focus, self->widget) && is_within (popover, self->widget))
    {
      self->opened = TRUE;
      return;
    }
  if (self->opened && is_within (focus, self->widget) && self->idle == 0)
    /* Not now: whoever closes the popover by a click elsewhere gets it next. */
    self->idle = g_idle_add (give_back, self);
  self->pressed = self->opened = FALSE;
}

static void
on_root (KeptFocus *self)
{
  if (self->root != NULL)
    g_signal_handlers_disconnect_by_func (self->root, on_focus, self);
  g_clear_handle_id (&self->idle, g_source_remove);
  self->pressed = self->opened = FALSE;
  self->root = gtk_widget_get_root (self->widget);
  if (self->root != NULL)
    g_signal_connect_swapped (self->root, "notify::focus-widget", G_CALLBACK (on_focus), self);
}

static void
on_pressed (KeptFocus *self)
{
  GtkWidget *focus = self->root != NULL ? gtk_root_get_focus (self->root) : NULL;

  /* Who was there by keys stays; and a press on the list that is open is no other. */
  if (self->root == NULL || is_within (focus, self->widget))
    return;
  set_before (self, focus);
  self->pressed = TRUE;
}

static void
kept_focus_free (gpointer data)
{
  KeptFocus *self = data;

  if (self->root != NULL)
    g_signal_handlers_disconnect_by_func (self->root, on_focus, self);
  g_clear_handle_id (&self->idle, g_source_remove);
  set_before (self, NULL);
  g_free (self);
}

void
es_keep_focus (GtkWidget *widget)
{
  GtkWidget *child;
  GtkGesture *click;
  KeptFocus *self;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  gtk_widget_set_focus_on_click (widget, FALSE);
  if (!GTK_IS_DROP_DOWN (widget) && !GTK_IS_MENU_BUTTON (widget))
    return;
  child = gtk_widget_get_first_child (widget);
  if (child != NULL)
    gtk_widget_set_focus_on_click (child, FALSE);
  self = g_new0 (KeptFocus, 1);
  self->widget = widget;
  click = gtk_gesture_click_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (widget, "notify::root", G_CALLBACK (on_root), self);
  g_object_set_data_full (G_OBJECT (widget), "es-keep-focus", self, kept_focus_free);
  on_root (self);
}

/* ---- tooltips ---- */

#define TOOLTIP "es-tooltip"

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = es_popovers_is_open (widget) ? NULL : es_dup_shown_tooltip (widget);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
es_set_tooltip (GtkWidget *widget, const char *text)
{
  const char *before;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  before = es_get_tooltip (widget);
  if (g_strcmp0 (before, text) == 0)
    return;
  if (before == NULL && g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, on_query_tooltip, NULL) == 0)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_object_set_data_full (G_OBJECT (widget), TOOLTIP, g_strdup (text), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
  /* It may be read just now. */
  if (gtk_widget_get_mapped (widget) && (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_PRELIGHT) != 0)
    gtk_widget_trigger_tooltip_query (widget);
}

const char *
es_get_tooltip (GtkWidget *widget)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), NULL);
  return g_object_get_data (G_OBJECT (widget), TOOLTIP);
}

char *
es_dup_shown_tooltip (GtkWidget *widget)
{
  const char *text = es_get_tooltip (widget), *name;

  if (text == NULL || !GTK_IS_LABEL (widget) || !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    return g_strdup (text);
  name = gtk_label_get_text (GTK_LABEL (widget));
  return g_str_has_prefix (text, name) ? g_strdup (text) : g_strdup_printf ("%s\n%s", name, text);
}

/* ---- figures ---- */

/* From the last digit on: "5 ms", "20 GB/s", "63 G", "4.2 %", "216 × 216". */
#define FIGURES "[0-9] (?:%|°|×(?: [0-9]+)?|dB|[kKMGTPµmn]?i?(?:B|s|Hz|m)(?:/s)?|[kKMGTP](?:/s)?)(?![\\p{L}\\p{N}/])"

static void
keep_together (GtkLabel *label)
{
  static GRegex *figures;
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  g_autoptr (GMatchInfo) match = NULL;

  if (figures == NULL)
    figures = g_regex_new (FIGURES, G_REGEX_OPTIMIZE, 0, NULL);
  for (g_regex_match (figures, gtk_label_get_text (label), 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    {
      PangoAttribute *whole = pango_attr_allow_breaks_new (FALSE);
      int start = 0, end = 0;

      g_match_info_fetch_pos (match, 0, &start, &end);
      whole->start_index = (guint) start;
      whole->end_index = (guint) end;
      pango_attr_list_insert (attributes, whole);
    }
  gtk_label_set_attributes (label, attributes);
}

void
es_keep_figures (GtkLabel *label)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  g_signal_connect (label, "notify::label", G_CALLBACK (keep_together), NULL);
  keep_together (label);
}
