/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-section.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-text-show.h"

struct _EsSection
{
  GtkWidget  parent_instance;

  /* children */
  GtkWidget *heading;            /* the row of the button and what stands beside it */
  GtkWidget *button;
  GtkWidget *arrow;
  GtkWidget *detail;
  GtkWidget *enlarge;
  GtkWidget *menu;               /* a popover; NULL: it cannot be moved */
  GtkWidget *revealer;
  GtkWidget *stack;              /* a reference: what it shows, here or elsewhere */
  GtkWidget *placeholder;
  GtkWidget *absent;             /* stands in its place while it is elsewhere */

  char      *id, *title;
  gboolean   expanded;
};

enum { PROP_0, PROP_EXPANDED, PROP_DETAIL, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { PLACE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsSection, es_section, GTK_TYPE_WIDGET)

static void
update (EsSection *self)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), self->expanded);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow),
                                self->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, self->expanded,
                               -1);
}

static void
on_clicked (EsSection *self)
{
  es_section_set_expanded (self, !self->expanded);
}

GtkWidget *
es_section_new (const char *id, const char *title, GtkWidget *child)
{
  EsSection *self = g_object_new (ES_TYPE_SECTION, NULL);
  GtkWidget *heading = gtk_label_new (title);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->id = g_strdup (id);
  self->title = g_strdup (title);
  gtk_widget_add_css_class (heading, "caption-heading");
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_box_append (GTK_BOX (row), self->arrow);
  gtk_box_append (GTK_BOX (row), heading);
  gtk_box_append (GTK_BOX (row), self->detail);
  gtk_button_set_child (GTK_BUTTON (self->button), row);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_stack_add_named (GTK_STACK (self->stack), child, "child");
  gtk_stack_set_visible_child (GTK_STACK (self->stack), child);
  return GTK_WIDGET (self);
}

const char *
es_section_get_id (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), NULL);
  return self->id;
}

void
es_section_set_detail (EsSection *self, const char *detail)
{
  g_return_if_fail (ES_IS_SECTION (self));
  detail = detail != NULL ? detail : "";
  if (g_str_equal (gtk_label_get_text (GTK_LABEL (self->detail)), detail))
    return;
  gtk_label_set_text (GTK_LABEL (self->detail), detail);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DETAIL]);
}

const char *
es_section_get_title (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), NULL);
  return self->title;
}

const char *
es_section_get_detail (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), NULL);
  return gtk_label_get_text (GTK_LABEL (self->detail));
}

void
es_section_set_placeholder (EsSection *self, const char *sentence)
{
  g_return_if_fail (ES_IS_SECTION (self));

  if (sentence != NULL)
    {
      g_autofree char *shown = es_text_show_lines (sentence);

      gtk_label_set_text (GTK_LABEL (self->placeholder), shown);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), sentence != NULL ? "placeholder" : "child");
}

void
es_section_set_expanded (EsSection *self, gboolean expanded)
{
  g_return_if_fail (ES_IS_SECTION (self));

  expanded = !!expanded;
  if (self->expanded == expanded)
    return;
  self->expanded = expanded;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXPANDED]);
}

gboolean
es_section_get_expanded (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), FALSE);
  return self->expanded;
}

/* ---- other places ---- */

gboolean
es_section_is_large_around (GtkWidget *widget)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  return scroller != NULL && gtk_widget_has_css_class (scroller, ES_SECTION_LARGE_CLASS);
}

gboolean
es_section_is_away (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), FALSE);
  return gtk_revealer_get_child (GTK_REVEALER (self->revealer)) != self->stack;
}

gboolean
es_section_is_seen (EsSection *self)
{
  g_return_val_if_fail (ES_IS_SECTION (self), FALSE);
  return gtk_widget_get_mapped (self->stack) && (self->expanded || es_section_is_away (self));
}

static void
update_enlarge (EsSection *self)
{
  const gboolean away = es_section_is_away (self);
  const char *words = away ? _("Back into the column (Shift+F11)") : _("Large in the middle (Shift+F11, double click)");

  gtk_button_set_icon_name (GTK_BUTTON (self->enlarge), away ? "view-restore-symbolic" : "view-fullscreen-symbolic");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "section.column", away);
  gtk_widget_set_tooltip_text (self->enlarge, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->enlarge), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static void
ask_toggle (EsSection *self)
{
  g_signal_emit (self, signals[PLACE], 0, es_section_is_away (self) ? "column" : "large");
}

/* The second click takes back what the first has done: it is folded as it was. */
static void
on_heading_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  if (n_press == 2)
    ask_toggle (data);
}

static void
popup_menu (EsSection *self, double x, double y)
{
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  popup_menu (data, x, y);
}

static gboolean
on_heading_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  static const struct { guint key; const char *where; } moves[] = {
    { GDK_KEY_Up, "up" }, { GDK_KEY_Down, "down" }, { GDK_KEY_Left, "across" }, { GDK_KEY_Right, "across" },
  };
  const GdkModifierType held = state & (GDK_ALT_MASK | GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  EsSection *self = data;

  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && held == GDK_SHIFT_MASK))
    {
      popup_menu (self, 20, gtk_widget_get_height (self->heading));
      return GDK_EVENT_STOP;
    }
  for (guint i = 0; held == GDK_ALT_MASK && i < G_N_ELEMENTS (moves); i++)
    if (key == moves[i].key)
      {
        g_signal_emit (self, signals[PLACE], 0, moves[i].where);
        gtk_widget_grab_focus (self->button);
        return GDK_EVENT_STOP;
      }
  return GDK_EVENT_PROPAGATE;
}

void
es_section_set_movable (EsSection *self, GMenuModel *menu)
{
  GtkGesture *click, *secondary;
  GtkEventController *keys;

  g_return_if_fail (ES_IS_SECTION (self));
  g_return_if_fail (self->menu == NULL);

  click = gtk_gesture_click_new ();
  secondary = gtk_gesture_click_new ();
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_heading_pressed), self);
  gtk_widget_add_controller (self->button, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_press), self);
  gtk_widget_add_controller (self->heading, GTK_EVENT_CONTROLLER (secondary));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_heading_key), self);
  gtk_widget_add_controller (self->heading, keys);
  self->menu = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, self->heading);
  gtk_widget_set_visible (self->enlarge, TRUE);
  update_enlarge (self);
}

void
es_section_set_across (EsSection *self, gboolean possible)
{
  g_return_if_fail (ES_IS_SECTION (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "section.across", possible);
}

/* GTK forgets the actions of a widget inside of a tree that is moved: a button of one would be dead for ever. */
static void
find_actions_again (GtkWidget *widget)
{
  if (GTK_IS_ACTIONABLE (widget) && gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) != NULL)
    {
      g_autofree char *name = g_strdup (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (widget), NULL);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (widget), name);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_actions_again (child);
}

static void
on_rooted (GtkWidget *stack)
{
  if (gtk_widget_get_root (stack) != NULL)
    find_actions_again (stack);
}

GtkWidget *
es_section_take_body (EsSection *self, const char *sentence)
{
  g_return_val_if_fail (ES_IS_SECTION (self), NULL);

  if (es_section_is_away (self))
    return NULL;
  gtk_label_set_text (GTK_LABEL (self->absent), sentence);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->absent);
  update_enlarge (self);
  return g_object_ref (self->stack);
}

void
es_section_return_body (EsSection *self)
{
  g_return_if_fail (ES_IS_SECTION (self));
  g_return_if_fail (gtk_widget_get_parent (self->stack) == NULL);

  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->stack);
  update_enlarge (self);
}

static void
place (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[PLACE], 0, name + strlen ("section."));
}

/* ---- the widget ---- */

static void
es_section_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EXPANDED)
    g_value_set_boolean (value, ES_SECTION (object)->expanded);
  else if (id == PROP_DETAIL)
    g_value_set_string (value, es_section_get_detail (ES_SECTION (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_section_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EXPANDED)
    es_section_set_expanded (ES_SECTION (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_section_dispose (GObject *object)
{
  EsSection *self = ES_SECTION (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->heading, gtk_widget_unparent);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  g_clear_object (&self->absent);
  g_clear_object (&self->stack);
  G_OBJECT_CLASS (es_section_parent_class)->dispose (object);
}

static void
es_section_finalize (GObject *object)
{
  g_free (ES_SECTION (object)->id);
  g_free (ES_SECTION (object)->title);
  G_OBJECT_CLASS (es_section_parent_class)->finalize (object);
}

static void
es_section_class_init (EsSectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const char *const places[] = { "section.large", "section.window", "section.column", "section.up",
                                        "section.down", "section.across" };

  object_class->get_property = es_section_get_property;
  object_class->set_property = es_section_set_property;
  object_class->dispose = es_section_dispose;
  object_class->finalize = es_section_finalize;

  properties[PROP_EXPANDED] = g_param_spec_boolean ("expanded", NULL, NULL, TRUE,
                                                    G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                    | G_PARAM_STATIC_STRINGS);
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[PLACE] = g_signal_new ("place", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_STRING);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    gtk_widget_class_install_action (widget_class, places[i], NULL, place);

  gtk_widget_class_set_css_name (widget_class, "section");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_section_init (EsSection *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->expanded = TRUE;

  self->arrow = gtk_image_new_from_icon_name ("pan-down-symbolic");
  self->detail = gtk_label_new ("");
  gtk_label_set_ellipsize (GTK_LABEL (self->detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->detail), 1);
  gtk_widget_set_hexpand (self->detail, TRUE);
  gtk_widget_add_css_class (self->detail, "caption");
  gtk_widget_add_css_class (self->detail, "dim-label");
  gtk_widget_add_css_class (self->detail, "numeric");

  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "section-heading");
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (self->button, TRUE);
  self->enlarge = gtk_button_new ();
  gtk_widget_add_css_class (self->enlarge, "flat");
  gtk_widget_add_css_class (self->enlarge, "section-enlarge");
  gtk_widget_set_visible (self->enlarge, FALSE);
  g_signal_connect_object (self->enlarge, "clicked", G_CALLBACK (ask_toggle), self, G_CONNECT_SWAPPED);
  self->heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (self->heading), self->button);
  gtk_box_append (GTK_BOX (self->heading), self->enlarge);
  gtk_widget_set_parent (self->heading, GTK_WIDGET (self));

  self->placeholder = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->placeholder), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->placeholder), 0);
  gtk_widget_set_valign (self->placeholder, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->placeholder, "dim-label");
  gtk_widget_add_css_class (self->placeholder, "section-placeholder");

  self->absent = g_object_ref_sink (gtk_label_new (NULL));
  gtk_label_set_wrap (GTK_LABEL (self->absent), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->absent), 0);
  gtk_widget_add_css_class (self->absent, "dim-label");
  gtk_widget_add_css_class (self->absent, "section-placeholder");

  self->stack = g_object_ref_sink (gtk_stack_new ());
  g_signal_connect (self->stack, "notify::root", G_CALLBACK (on_rooted), NULL);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), self->placeholder, "placeholder");

  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (self->revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->stack);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  update (self);
}
