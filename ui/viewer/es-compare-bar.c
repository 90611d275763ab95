/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-bar.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-fit-layout.h"

struct _EsCompareBar
{
  GtkWidget         parent_instance;

  /* children */
  GtkWidget        *row;
  GtkWidget        *chooser;
  GtkWidget        *interval_box;
  GtkWidget        *interval;
  GtkWidget        *pause;
  GtkWidget        *standardise;
  GtkWidget        *correlate;

  EsCompareView    *view;
  EsCompareSources *sources;
  EsCompareItem    *item;
  gboolean          updating;
};

enum { PROP_0, PROP_STANDARDISE, N_PROPS };
enum { CHOSEN, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsCompareBar, es_compare_bar, GTK_TYPE_WIDGET)

static void
update_mode (EsCompareBar *self)
{
  EsCompareMode mode = es_compare_view_get_mode (self->view);

  gtk_widget_set_visible (self->interval_box, mode == ES_COMPARE_BLINK);
  gtk_widget_set_visible (self->standardise, mode == ES_COMPARE_DIFFERENCE);
}

static void
select_item (EsCompareBar *self)
{
  int at = self->item != NULL && self->sources != NULL
    ? es_compare_sources_find (self->sources, es_plane_source_get_data (es_compare_item_get_source (self->item))) : -1;

  self->updating = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->chooser), at >= 0 ? (guint) at : GTK_INVALID_LIST_POSITION);
  self->updating = FALSE;
}

static void
on_chosen (EsCompareBar *self)
{
  EsCompareItem *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->chooser));

  if (self->updating || item == NULL || item == self->item)
    return;
  g_signal_emit (self, signals[CHOSEN], 0, item);
  /* It may have been refused. */
  select_item (self);
}

void
es_compare_bar_set_item (EsCompareBar *self, EsCompareItem *item)
{
  g_return_if_fail (ES_IS_COMPARE_BAR (self));

  g_set_object (&self->item, item);
  select_item (self);
}

/* The drop-down selects something else of its own accord when its list changes: that is nobody's choice. */
static void
before_change (EsCompareBar *self)
{
  self->updating = TRUE;
}

void
es_compare_bar_set_sources (EsCompareBar *self, EsCompareSources *sources)
{
  g_return_if_fail (ES_IS_COMPARE_BAR (self));
  g_return_if_fail (self->sources == NULL);

  self->sources = g_object_ref (sources);
  /* One handler before the drop-down's own, one behind it. */
  g_signal_connect_object (sources, "items-changed", G_CALLBACK (before_change), self, G_CONNECT_SWAPPED);
  self->updating = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->chooser), G_LIST_MODEL (sources));
  self->updating = FALSE;
  g_signal_connect_object (sources, "items-changed", G_CALLBACK (select_item), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  select_item (self);
}

gboolean
es_compare_bar_get_standardise (EsCompareBar *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_BAR (self), FALSE);
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (self->standardise));
}

static void
on_standardise (EsCompareBar *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STANDARDISE]);
}

/* ---- making ---- */

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer most_chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (most_chars));
  gtk_list_item_set_child (item, label);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const char *title = es_compare_item_get_title (gtk_list_item_get_item (item));

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), title);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), title);
}

static GtkListItemFactory *
make_factory (int most_chars)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), GINT_TO_POINTER (most_chars));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  return factory;
}

static void
make_chooser (EsCompareBar *self)
{
  GtkExpression *title = gtk_property_expression_new (ES_TYPE_COMPARE_ITEM, NULL, "title");
  g_autoptr (GtkListItemFactory) shown = make_factory (15);
  g_autoptr (GtkListItemFactory) listed = make_factory (60);

  self->chooser = gtk_drop_down_new (NULL, title);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (self->chooser), shown);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (self->chooser), listed);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->chooser), TRUE);
  gtk_widget_set_tooltip_text (self->chooser, _("What the second picture shows"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chooser), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What the second picture shows"), -1);
  g_signal_connect_object (self->chooser, "notify::selected-item", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  es_fit_layout_shrink (self->chooser);
  es_fit_layout_keep (self->chooser);
  gtk_box_append (GTK_BOX (self->row), self->chooser);
}

static void
make_modes (EsCompareBar *self)
{
  const struct { const char *id, *label, *tooltip; } modes[] = {
    { "side", _("Side by Side"), _("Two pictures beside each other") },
    { "swipe", _("Swipe"), _("One picture on either side of a line that can be dragged") },
    { "blink", _("Blink"), _("The two pictures in turn (Space: pause)") },
    { "difference", _("Difference"), _("The left picture less the right one") },
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (modes[i].label);

      gtk_widget_set_tooltip_text (button, modes[i].tooltip);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "view.compare-mode");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", modes[i].id);
      gtk_box_append (GTK_BOX (box), button);
    }
  es_fit_layout_keep (box);
  gtk_box_append (GTK_BOX (self->row), box);
}

static gboolean
to_seconds (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  g_value_set_double (to, g_value_get_uint (from) / 1000.);
  return TRUE;
}

static gboolean
to_milliseconds (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  g_value_set_uint (to, (guint) (g_value_get_double (from) * 1000 + 0.5));
  return TRUE;
}

static void
make_options (EsCompareBar *self)
{
  GtkWidget *unit = gtk_label_new (_("s"));

  self->interval_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->interval = gtk_spin_button_new_with_range (0.1, 5, 0.1);
  gtk_widget_set_tooltip_text (self->interval, _("How long each picture is shown"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->interval), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("How long each picture is shown"), -1);
  gtk_widget_add_css_class (self->interval, "compact-spin");
  gtk_widget_add_css_class (unit, "dim-label");
  self->pause = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->pause), "media-playback-pause-symbolic");
  gtk_widget_add_css_class (self->pause, "flat");
  gtk_widget_set_tooltip_text (self->pause, _("Pause (Space)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->pause), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Pause"), -1);
  gtk_box_append (GTK_BOX (self->interval_box), self->interval);
  gtk_box_append (GTK_BOX (self->interval_box), unit);
  gtk_box_append (GTK_BOX (self->interval_box), self->pause);
  gtk_box_append (GTK_BOX (self->row), self->interval_box);
  g_object_bind_property_full (self->view, "interval", gtk_spin_button_get_adjustment
                                                         (GTK_SPIN_BUTTON (self->interval)), "value",
                               G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, to_seconds, to_milliseconds, NULL,
                               NULL);
  g_object_bind_property (self->view, "paused", self->pause, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);

  self->standardise = gtk_check_button_new_with_label (_("Standardise"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->standardise), TRUE);
  gtk_widget_set_tooltip_text (self->standardise, _("Each less its mean, by its standard deviation; the second one "
                                                    "with its sign reversed where the two are correlated "
                                                    "negatively"));
  g_signal_connect_object (self->standardise, "toggled", G_CALLBACK (on_standardise), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->row), self->standardise);
}

static GtkWidget *
add_button (EsCompareBar *self, const char *label, const char *icon, const char *tooltip, const char *action)
{
  GtkWidget *button = icon != NULL ? gtk_button_new_from_icon_name (icon) : gtk_button_new_with_label (label);

  if (icon != NULL)
    gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (self->row), button);
  return button;
}

/* ---- the menu of what finds no room ---- */

static gboolean
has_no_room (GtkWidget *widget)
{
  return gtk_widget_get_visible (widget) && !es_fit_layout_has_room (widget);
}

static GtkWidget *
make_interval_again (EsCompareBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *pause = gtk_check_button_new_with_label (_("Pause"));
  GtkAdjustment *adjustment = gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->interval));

  gtk_box_append (GTK_BOX (box), gtk_spin_button_new (adjustment, 0.1, 1));
  gtk_box_append (GTK_BOX (box), gtk_label_new (_("s")));
  gtk_box_append (GTK_BOX (box), pause);
  g_object_bind_property (self->view, "paused", pause, "active", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  return box;
}

/* Made anew whenever it is opened: what finds no room changes with the width of the column. */
static void
make_rest (GtkMenuButton *button, gpointer data)
{
  EsCompareBar *self = ES_COMPARE_BAR (data);
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  if (has_no_room (self->interval_box))
    gtk_box_append (GTK_BOX (box), make_interval_again (self));
  if (has_no_room (self->standardise))
    {
      GtkWidget *check = gtk_check_button_new_with_label (_("Standardise"));

      gtk_widget_set_tooltip_text (check, gtk_widget_get_tooltip_text (self->standardise));
      g_object_bind_property (self->standardise, "active", check, "active",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
      gtk_box_append (GTK_BOX (box), check);
    }
  if (has_no_room (self->correlate))
    {
      GtkWidget *correlate = gtk_button_new_with_label (_("Correlate"));

      gtk_widget_set_tooltip_text (correlate, gtk_widget_get_tooltip_text (self->correlate));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (correlate), "view.correlate");
      g_signal_connect_object (correlate, "clicked", G_CALLBACK (gtk_popover_popdown), popover, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (box), correlate);
    }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (button, popover);
}

static void
add_menu (EsCompareBar *self)
{
  GtkWidget *rest = gtk_menu_button_new ();
  const char *words = _("What finds no room in the row");

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (rest), "view-more-horizontal-symbolic");
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (rest), make_rest, self, NULL);
  gtk_widget_add_css_class (rest, "flat");
  gtk_widget_set_tooltip_text (rest, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (rest), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  es_fit_layout_set_rest (rest);
  gtk_box_append (GTK_BOX (self->row), rest);
}

GtkWidget *
es_compare_bar_new (EsCompareView *view)
{
  EsCompareBar *self = g_object_new (ES_TYPE_COMPARE_BAR, NULL);
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->view = g_object_ref (view);
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->row, es_fit_layout_new (6));
  gtk_widget_add_css_class (self->row, "display-bar");
  gtk_widget_set_parent (self->row, GTK_WIDGET (self));

  make_modes (self);
  make_chooser (self);
  make_options (self);
  gtk_widget_set_hexpand (space, TRUE);
  es_fit_layout_keep (space);
  gtk_box_append (GTK_BOX (self->row), space);
  self->correlate = add_button (self, _("Correlate"), NULL,
                                _("Correlate every plane of one with every plane of the other, and match them"),
                                "view.correlate");
  add_menu (self);
  es_fit_layout_keep (add_button (self, NULL, "window-close-symbolic", _("Stop comparing"), "view.compare"));

  g_signal_connect_object (view, "notify::mode", G_CALLBACK (update_mode), self, G_CONNECT_SWAPPED);
  update_mode (self);
  return GTK_WIDGET (self);
}

static void
es_compare_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_STANDARDISE)
    g_value_set_boolean (value, es_compare_bar_get_standardise (ES_COMPARE_BAR (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_compare_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_STANDARDISE)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (ES_COMPARE_BAR (object)->standardise),
                                 g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_compare_bar_dispose (GObject *object)
{
  EsCompareBar *self = ES_COMPARE_BAR (object);

  self->updating = TRUE;
  if (self->sources != NULL)
    g_signal_handlers_disconnect_by_data (self->sources, self);
  g_clear_pointer (&self->row, gtk_widget_unparent);
  g_clear_object (&self->sources);
  g_clear_object (&self->item);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (es_compare_bar_parent_class)->dispose (object);
}

static void
es_compare_bar_class_init (EsCompareBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_compare_bar_get_property;
  object_class->set_property = es_compare_bar_set_property;
  object_class->dispose = es_compare_bar_dispose;
  properties[PROP_STANDARDISE] = g_param_spec_boolean ("standardise", NULL, NULL, TRUE,
                                                       G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                       | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, ES_TYPE_COMPARE_ITEM);
  gtk_widget_class_set_css_name (widget_class, "comparebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_compare_bar_init (EsCompareBar *self)
{
}
