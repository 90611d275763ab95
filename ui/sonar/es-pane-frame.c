/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pane-frame.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-capture.h"
#include "widgets/es-export.h"
#include "widgets/es-wheel.h"
#include "charts/es-map-view.h"

struct _EsPaneFrame
{
  GtkWidget    parent_instance;

  GtkWidget   *heading;          /* the row with the title */
  GtkWidget   *arrow;            /* a button that folds; only in the column */
  GtkWidget   *title, *detail, *controls, *enlarge, *menu;
  GtkWidget   *revealer;
  GMenuModel  *section;          /* of the menu, that the pane has for itself; nullable */
  EsSonarPane *pane;
  gboolean     expanded, in_middle, maximised, enlarged;
};

enum { PROP_0, PROP_EXPANDED, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { SWAP, MAXIMISE, ENLARGE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsPaneFrame, es_pane_frame, GTK_TYPE_WIDGET)

static GMenuModel *
make_menu (EsPaneFrame *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) place = g_menu_new (), copy = g_menu_new (), save = g_menu_new ();

  if (self->enlarged)
    g_menu_append (place, _("_Restore"), "pane.enlarge");
  else if (self->in_middle)
    g_menu_append (place, self->maximised ? _("_Restore") : _("_Fill the Middle"), "pane.maximise");
  else
    g_menu_append (place, _("_Swap with the Middle"), "pane.swap");
  g_menu_append (copy, _("_Copy Picture"), "pane.copy-picture");
  g_menu_append (copy, _("Copy _Data"), "pane.copy-data");
  g_menu_append (save, _("Save _Picture…"), "pane.save-picture");
  g_menu_append (save, _("Save Da_ta…"), "pane.save-data");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (place));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (save));
  if (self->section != NULL)
    g_menu_append_section (menu, NULL, self->section);
  return G_MENU_MODEL (menu);
}

static void
update (EsPaneFrame *self)
{
  const char *words = self->enlarged ? _("Back to its place (Esc)") : _("Over the whole window (Shift+F11)");
  gboolean expanded = self->expanded || self->in_middle || self->enlarged;
  g_autoptr (GMenuModel) menu = make_menu (self);

  gtk_widget_set_visible (self->arrow, !self->in_middle && !self->enlarged);
  gtk_button_set_icon_name (GTK_BUTTON (self->enlarge),
                            self->enlarged ? "view-restore-symbolic" : "view-fullscreen-symbolic");
  gtk_widget_set_tooltip_text (self->enlarge, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->enlarge), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_button_set_icon_name (GTK_BUTTON (self->arrow), self->expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->arrow), GTK_ACCESSIBLE_STATE_EXPANDED, self->expanded, -1);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), expanded);
  gtk_widget_set_vexpand (GTK_WIDGET (self), self->in_middle || self->enlarged);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->menu), menu);
  gtk_widget_set_tooltip_text (self->heading, self->enlarged ? _("Double click: back to its place") : self->in_middle
                               ? self->maximised ? _("Double click: as it was") : _("Double click: fills the middle")
                               : _("Double click: swaps places with the middle"));
}

/* ---- what the menu does ---- */

static GtkWidget *
child_of (EsPaneFrame *self)
{
  return es_sonar_pane_get_child (self->pane);
}

static void
no_data (EsPaneFrame *self)
{
  g_autofree char *sentence = g_strdup_printf (_("“%s” has nothing to copy or save yet."),
                                               es_sonar_pane_get_title (self->pane));

  es_export_report (GTK_WIDGET (self), sentence);
}

static void
copy_data (EsPaneFrame *self)
{
  g_autofree char *text = es_sonar_pane_to_text (self->pane, '\t');

  if (text != NULL)
    es_export_copy_text (GTK_WIDGET (self), text);
  else
    no_data (self);
}

GdkTexture *
es_pane_frame_render (EsPaneFrame *self)
{
  g_autofree char *heading = NULL, *words = NULL;

  g_return_val_if_fail (ES_IS_PANE_FRAME (self), NULL);

  words = es_sonar_pane_describe_picture (self->pane, &heading);
  return es_capture_render_page (child_of (self), 2, heading, words);
}

void
es_pane_frame_copy (EsPaneFrame *self)
{
  g_autoptr (GdkTexture) texture = NULL;

  g_return_if_fail (ES_IS_PANE_FRAME (self));

  texture = es_pane_frame_render (self);
  if (texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (self)), texture);
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error) && gtk_widget_get_root (widget) != NULL)
    es_export_report (widget, error->message);
}

static void
save_picture_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  g_autoptr (GdkTexture) texture = es_pane_frame_render (ES_PANE_FRAME (widget));

  if (texture != NULL)
    es_export_save_texture_async (texture, file, NULL, on_picture_saved, g_object_ref (widget));
}

void
es_pane_frame_save_picture (EsPaneFrame *self)
{
  g_autofree char *name = NULL;

  g_return_if_fail (ES_IS_PANE_FRAME (self));
  name = es_sonar_pane_make_name (self->pane);
  es_export_ask_file (GTK_WIDGET (self), _("Save Picture"), name, "png", save_picture_to, NULL);
}

static void
save_data_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  char *text = es_sonar_pane_to_text (ES_PANE_FRAME (widget)->pane, ',');

  if (text == NULL)
    no_data (ES_PANE_FRAME (widget));
  else
    {
      g_autofree char *plain = text, *head = es_sonar_pane_describe_data (ES_PANE_FRAME (widget)->pane);

      es_export_save_text (widget, file, g_strconcat (head, plain, NULL));
    }
}

void
es_pane_frame_save_data (EsPaneFrame *self)
{
  g_autofree char *name = NULL;

  g_return_if_fail (ES_IS_PANE_FRAME (self));
  name = es_sonar_pane_make_name (self->pane);
  es_export_ask_file (GTK_WIDGET (self), _("Save Data"), name, "csv", save_data_to, NULL);
}

static void
activate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsPaneFrame *self = ES_PANE_FRAME (widget);

  if (g_str_equal (name, "pane.swap"))
    g_signal_emit (self, signals[SWAP], 0);
  else if (g_str_equal (name, "pane.enlarge"))
    g_signal_emit (self, signals[ENLARGE], 0);
  else if (g_str_equal (name, "pane.maximise"))
    g_signal_emit (self, signals[MAXIMISE], 0);
  else if (g_str_equal (name, "pane.copy-picture"))
    es_pane_frame_copy (self);
  else if (g_str_equal (name, "pane.copy-data"))
    copy_data (self);
  else if (g_str_equal (name, "pane.save-picture"))
    es_pane_frame_save_picture (self);
  else
    es_pane_frame_save_data (self);
}

/* ---- the heading ---- */

static void
on_heading_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  EsPaneFrame *self = ES_PANE_FRAME (user_data);

  if (n_press != 2)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  g_signal_emit (self, signals[self->enlarged ? ENLARGE : self->in_middle ? MAXIMISE : SWAP], 0);
}

static void
on_enlarge (EsPaneFrame *self)
{
  g_signal_emit (self, signals[ENLARGE], 0);
}

static void
on_arrow (EsPaneFrame *self)
{
  es_pane_frame_set_expanded (self, !self->expanded);
}

static void
on_detail_changed (EsPaneFrame *self)
{
  const char *detail = es_sonar_pane_get_detail (self->pane);

  gtk_label_set_text (GTK_LABEL (self->detail), detail != NULL ? detail : "");
  /* Where the heading has no room for it. */
  gtk_widget_set_tooltip_text (self->detail, detail);
}

static void
on_title_changed (EsPaneFrame *self)
{
  g_autofree char *name = es_sonar_pane_make_name (self->pane);

  gtk_label_set_text (GTK_LABEL (self->title), es_sonar_pane_get_title (self->pane));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

EsSonarPane *
es_pane_frame_get_pane (EsPaneFrame *self)
{
  g_return_val_if_fail (ES_IS_PANE_FRAME (self), NULL);
  return self->pane;
}

void
es_pane_frame_set_in_middle (EsPaneFrame *self, gboolean in_middle)
{
  g_return_if_fail (ES_IS_PANE_FRAME (self));

  self->in_middle = in_middle;
  self->maximised = FALSE;
  update (self);
}

gboolean
es_pane_frame_get_in_middle (EsPaneFrame *self)
{
  g_return_val_if_fail (ES_IS_PANE_FRAME (self), FALSE);
  return self->in_middle;
}

void
es_pane_frame_set_maximised (EsPaneFrame *self, gboolean maximised)
{
  g_return_if_fail (ES_IS_PANE_FRAME (self));

  self->maximised = maximised;
  update (self);
}

void
es_pane_frame_set_enlarged (EsPaneFrame *self, gboolean enlarged)
{
  g_return_if_fail (ES_IS_PANE_FRAME (self));

  self->enlarged = enlarged;
  update (self);
}

gboolean
es_pane_frame_get_expanded (EsPaneFrame *self)
{
  g_return_val_if_fail (ES_IS_PANE_FRAME (self), FALSE);
  return self->expanded;
}

void
es_pane_frame_set_expanded (EsPaneFrame *self, gboolean expanded)
{
  g_return_if_fail (ES_IS_PANE_FRAME (self));

  expanded = !!expanded;
  if (self->expanded == expanded)
    return;
  self->expanded = expanded;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXPANDED]);
}

void
es_pane_frame_add_control (EsPaneFrame *self, GtkWidget *control)
{
  g_return_if_fail (ES_IS_PANE_FRAME (self));
  gtk_box_append (GTK_BOX (self->controls), control);
}

void
es_pane_frame_set_section (EsPaneFrame *self, GMenuModel *section)
{
  g_return_if_fail (ES_IS_PANE_FRAME (self));

  g_set_object (&self->section, section);
  update (self);
}

GtkWidget *
es_pane_frame_new (EsSonarPane *pane)
{
  EsPaneFrame *self;

  g_return_val_if_fail (ES_IS_SONAR_PANE (pane), NULL);

  self = g_object_new (ES_TYPE_PANE_FRAME, NULL);
  self->pane = pane;
  on_title_changed (self);
  if (es_sonar_pane_get_chooser (pane) != NULL)
    es_pane_frame_add_control (self, es_sonar_pane_get_chooser (pane));
  gtk_widget_set_vexpand (GTK_WIDGET (pane), TRUE);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), GTK_WIDGET (pane));
  g_signal_connect_object (pane, "detail-changed", G_CALLBACK (on_detail_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "title-changed", G_CALLBACK (on_title_changed), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

/* ---- the widget ---- */

static void
es_pane_frame_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EXPANDED)
    g_value_set_boolean (value, ES_PANE_FRAME (object)->expanded);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_pane_frame_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EXPANDED)
    es_pane_frame_set_expanded (ES_PANE_FRAME (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* F6 and Tab come to the display first, where the keys move the cursor, and then to the buttons above it. */
static gboolean
es_pane_frame_focus (GtkWidget *widget, GtkDirectionType direction)
{
  EsPaneFrame *self = ES_PANE_FRAME (widget);
  const gboolean back = direction == GTK_DIR_TAB_BACKWARD;
  GtkWidget *parts[2] = { back ? self->heading : self->revealer, back ? self->revealer : self->heading };

  if (!back && direction != GTK_DIR_TAB_FORWARD)
    return GTK_WIDGET_CLASS (es_pane_frame_parent_class)->focus (widget, direction);
  for (guint i = gtk_widget_get_focus_child (widget) == parts[1] ? 1 : 0; i < 2; i++)
    if (gtk_widget_child_focus (parts[i], direction))
      return TRUE;
  return FALSE;
}

static void
es_pane_frame_dispose (GObject *object)
{
  EsPaneFrame *self = ES_PANE_FRAME (object);

  g_clear_pointer (&self->heading, gtk_widget_unparent);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  g_clear_object (&self->section);
  self->pane = NULL;
  G_OBJECT_CLASS (es_pane_frame_parent_class)->dispose (object);
}

static void
es_pane_frame_class_init (EsPaneFrameClass *klass)
{
  static const char *const actions[] = { "pane.swap", "pane.maximise", "pane.enlarge", "pane.copy-picture",
                                         "pane.copy-data", "pane.save-picture", "pane.save-data" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_pane_frame_get_property;
  object_class->set_property = es_pane_frame_set_property;
  object_class->dispose = es_pane_frame_dispose;
  widget_class->focus = es_pane_frame_focus;
  properties[PROP_EXPANDED] = g_param_spec_boolean ("expanded", NULL, NULL, TRUE,
                                                    G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                    | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SWAP] = g_signal_new ("swap", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
  signals[MAXIMISE] = g_signal_new ("maximise", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  signals[ENLARGE] = g_signal_new ("enlarge", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i], NULL, activate);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "pane.copy-picture", NULL);
  gtk_widget_class_set_css_name (widget_class, "paneframe");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_pane_frame_init (EsPaneFrame *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->expanded = TRUE;

  self->heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_add_css_class (self->heading, "pane-heading");
  gtk_widget_set_parent (self->heading, GTK_WIDGET (self));
  self->arrow = gtk_button_new_from_icon_name ("pan-down-symbolic");
  gtk_widget_add_css_class (self->arrow, "flat");
  gtk_widget_set_tooltip_text (self->arrow, _("Fold or unfold"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->arrow), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Fold or unfold"), -1);
  g_signal_connect_object (self->arrow, "clicked", G_CALLBACK (on_arrow), self, G_CONNECT_SWAPPED);
  self->title = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->title, "caption-heading");
  self->detail = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->detail), 1);
  gtk_widget_set_hexpand (self->detail, TRUE);
  gtk_widget_add_css_class (self->detail, "caption");
  gtk_widget_add_css_class (self->detail, "dim-label");
  gtk_widget_add_css_class (self->detail, "numeric");
  self->controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  self->enlarge = gtk_button_new ();
  gtk_widget_add_css_class (self->enlarge, "flat");
  g_signal_connect_object (self->enlarge, "clicked", G_CALLBACK (on_enlarge), self, G_CONNECT_SWAPPED);
  self->menu = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->menu), "view-more-symbolic");
  gtk_widget_add_css_class (self->menu, "flat");
  gtk_widget_set_tooltip_text (self->menu, _("Save, copy and place of this display"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Save, copy and place of this display"), -1);
  es_keep_focus (self->arrow);
  es_keep_focus (self->enlarge);
  es_keep_focus (self->menu);
  gtk_box_append (GTK_BOX (self->heading), self->arrow);
  gtk_box_append (GTK_BOX (self->heading), self->title);
  gtk_box_append (GTK_BOX (self->heading), self->detail);
  gtk_box_append (GTK_BOX (self->heading), self->controls);
  gtk_box_append (GTK_BOX (self->heading), self->enlarge);
  gtk_box_append (GTK_BOX (self->heading), self->menu);
  g_signal_connect (click, "pressed", G_CALLBACK (on_heading_pressed), self);
  gtk_widget_add_controller (self->heading, GTK_EVENT_CONTROLLER (click));

  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (self->revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
  gtk_widget_set_vexpand (self->revealer, TRUE);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
}
