/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-large-pane.h"

#include <glib/gi18n-lib.h>

struct _EsLargePane
{
  GtkWidget  parent_instance;

  /* children */
  GtkWidget *bar;                /* NULL: none */
  GtkWidget *detail, *fill;
  GtkWidget *pages;              /* "body", "none" */
  GtkWidget *viewport;

  EsSection *section;
  GtkWidget *body;               /* borrowed of the viewport; NULL: given back */
};

enum { PLACE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsLargePane, es_large_pane, GTK_TYPE_WIDGET)

static void
update (EsLargePane *self)
{
  const char *detail = es_section_get_detail (self->section);

  if (self->bar != NULL)
    gtk_label_set_text (GTK_LABEL (self->detail), detail);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages),
                                    gtk_widget_get_visible (GTK_WIDGET (self->section)) ? "body" : "none");
}

EsSection *
es_large_pane_get_section (EsLargePane *self)
{
  g_return_val_if_fail (ES_IS_LARGE_PANE (self), NULL);
  return self->section;
}

void
es_large_pane_give_back (EsLargePane *self)
{
  g_return_if_fail (ES_IS_LARGE_PANE (self));

  if (self->body == NULL)
    return;
  self->body = NULL;
  gtk_viewport_set_child (GTK_VIEWPORT (self->viewport), NULL);
  es_section_return_body (self->section);
}

void
es_large_pane_set_fills (EsLargePane *self, gboolean fills)
{
  const char *words = fills ? _("Below the picture again") : _("Fill the middle (double click)");

  g_return_if_fail (ES_IS_LARGE_PANE (self) && self->bar != NULL);

  gtk_button_set_icon_name (GTK_BUTTON (self->fill), fills ? "go-bottom-symbolic" : "go-top-symbolic");
  gtk_widget_set_tooltip_text (self->fill, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fill), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

/* ---- the bar ---- */

static void
on_button (GtkWidget *button, EsLargePane *self)
{
  g_signal_emit (self, signals[PLACE], 0, g_object_get_data (G_OBJECT (button), "es-place"));
}

static void
on_bar_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer self)
{
  if (n_press == 2)
    g_signal_emit (self, signals[PLACE], 0, "fill");
}

static GtkWidget *
make_button (EsLargePane *self, const char *icon, const char *place, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  g_object_set_data (G_OBJECT (button), "es-place", (gpointer) place);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  g_signal_connect (button, "clicked", G_CALLBACK (on_button), self);
  return button;
}

static void
make_bar (EsLargePane *self)
{
  GtkWidget *title = gtk_label_new (es_section_get_title (self->section));
  GtkGesture *click = gtk_gesture_click_new ();

  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->bar, "large-bar");
  gtk_widget_add_css_class (title, "caption-heading");
  self->detail = gtk_label_new ("");
  gtk_label_set_ellipsize (GTK_LABEL (self->detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->detail), 0);
  gtk_widget_set_hexpand (self->detail, TRUE);
  gtk_widget_add_css_class (self->detail, "caption");
  gtk_widget_add_css_class (self->detail, "dim-label");
  gtk_widget_add_css_class (self->detail, "numeric");
  self->fill = make_button (self, "go-top-symbolic", "fill", "");
  gtk_box_append (GTK_BOX (self->bar), title);
  gtk_box_append (GTK_BOX (self->bar), self->detail);
  gtk_box_append (GTK_BOX (self->bar), self->fill);
  gtk_box_append (GTK_BOX (self->bar), make_button (self, "focus-windows-symbolic", "window",
                                                    _("In a window of its own")));
  gtk_box_append (GTK_BOX (self->bar), make_button (self, "view-restore-symbolic", "column",
                                                    _("Back into the column (Esc)")));
  g_signal_connect (click, "pressed", G_CALLBACK (on_bar_pressed), self);
  gtk_widget_add_controller (self->bar, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));
  es_large_pane_set_fills (self, FALSE);
}

/* ---- the widget ---- */

GtkWidget *
es_large_pane_new (EsSection *section, gboolean bar)
{
  EsLargePane *self = g_object_new (ES_TYPE_LARGE_PANE, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new (), *none = gtk_label_new (NULL);
  g_autofree char *sentence = g_strdup_printf (_("“%s” has nothing to tell of what is shown."),
                                               es_section_get_title (section));

  self->section = g_object_ref (section);
  if (bar)
    make_bar (self);
  self->viewport = gtk_viewport_new (NULL, NULL);
  /* Plots and tables in it take less where there is less; only what cannot scrolls. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (self->viewport), GTK_SCROLL_MINIMUM);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (self->viewport), TRUE);
  self->body = es_section_take_body (section, bar ? _("Large in the middle.") : _("In a window of its own."));
  if (self->body != NULL)
    {
      gtk_viewport_set_child (GTK_VIEWPORT (self->viewport), self->body);
      g_object_unref (self->body);
    }
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_add_css_class (scroller, ES_SECTION_LARGE_CLASS);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->viewport);
  gtk_label_set_text (GTK_LABEL (none), sentence);
  gtk_label_set_wrap (GTK_LABEL (none), TRUE);
  gtk_label_set_justify (GTK_LABEL (none), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (none, "dim-label");
  gtk_widget_add_css_class (none, "section-placeholder");
  self->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->pages), scroller, "body");
  gtk_stack_add_named (GTK_STACK (self->pages), none, "none");
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_widget_set_parent (self->pages, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  es_section_get_title (section), -1);
  g_signal_connect_object (section, "notify::detail", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (section, "notify::visible", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

/* To what it has, where keys mean something, and not to the buttons above. */
static gboolean
es_large_pane_grab_focus (GtkWidget *widget)
{
  return gtk_widget_child_focus (ES_LARGE_PANE (widget)->pages, GTK_DIR_TAB_FORWARD);
}

static void
es_large_pane_dispose (GObject *object)
{
  EsLargePane *self = ES_LARGE_PANE (object);

  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_pointer (&self->pages, gtk_widget_unparent);
  g_clear_object (&self->section);
  G_OBJECT_CLASS (es_large_pane_parent_class)->dispose (object);
}

static void
es_large_pane_class_init (EsLargePaneClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_large_pane_dispose;
  widget_class->grab_focus = es_large_pane_grab_focus;
  signals[PLACE] = g_signal_new ("place", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_css_name (widget_class, "largepane");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_large_pane_init (EsLargePane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
}
