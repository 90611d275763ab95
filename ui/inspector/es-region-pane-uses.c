/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What drawn pixels can be used as besides noise: the parameters that ask for some. A button each for what is selected,
 * and an item each in the menu of every class. */

#include "es-region-pane-private.h"

#include <string.h>

enum { USE_REGION, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
use (EsRegionPane *self, const char *key, EsRegion *region)
{
  g_autofree char *text = region != NULL ? es_region_format (region) : NULL;

  if (text != NULL)
    g_signal_emit (self, signals[USE_REGION], 0, key, text);
}

static void
use_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsRegionPane *self = ES_REGION_PANE (widget);

  use (self, g_variant_get_string (parameter, NULL), es_region_control_get_selection (self->control));
}

static void
use_class (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsRegionPane *self = ES_REGION_PANE (widget);
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  g_autoptr (EsNamedRegion) region = NULL;
  const char *key;
  guint place;

  g_variant_get (parameter, "(u&s)", &place, &key);
  if (classes != NULL)
    region = g_list_model_get_item (G_LIST_MODEL (classes), place);
  if (region != NULL)
    use (self, key, es_named_region_get_region (region));
}

static void
add_button (EsRegionPane *self, const char *key, const char *label)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), PANGO_ELLIPSIZE_MIDDLE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "region.use");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", key);
  gtk_widget_add_css_class (button, "pane-button");
  gtk_widget_set_tooltip_text (button, label);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->uses), button);
}

void
es_region_pane_set_uses (EsRegionPane *self, const char *const *keys, const char *const *labels)
{
  static const char *const none[] = { NULL };
  GtkWidget *child;

  g_return_if_fail (ES_IS_REGION_PANE (self));

  keys = keys != NULL ? keys : none;
  labels = labels != NULL ? labels : none;
  g_return_if_fail (g_strv_length ((char **) keys) == g_strv_length ((char **) labels));

  /* Every step of a slider asks. */
  if (g_strv_equal (keys, (const char *const *) self->use_keys)
      && g_strv_equal (labels, (const char *const *) self->use_labels))
    return;
  g_strfreev (self->use_keys);
  g_strfreev (self->use_labels);
  self->use_keys = g_strdupv ((char **) keys);
  self->use_labels = g_strdupv ((char **) labels);

  while ((child = gtk_widget_get_first_child (self->uses)) != NULL)
    gtk_box_remove (GTK_BOX (self->uses), child);
  g_menu_remove_all (self->use_menu);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (labels[i], NULL);

      g_menu_item_set_action_and_target (item, "row.use", "s", keys[i]);
      g_menu_append_item (self->use_menu, item);
      add_button (self, keys[i], labels[i]);
    }
  gtk_widget_set_visible (self->uses, keys[0] != NULL);
}

void
_es_region_pane_make_uses (EsRegionPane *self)
{
  self->uses = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->use_menu = g_menu_new ();
  self->use_keys = g_new0 (char *, 1);
  self->use_labels = g_new0 (char *, 1);
  gtk_widget_set_visible (self->uses, FALSE);
  gtk_box_append (GTK_BOX (self->selected), self->uses);
}

void
_es_region_pane_drop_uses (EsRegionPane *self)
{
  g_clear_object (&self->use_menu);
  g_clear_pointer (&self->use_keys, g_strfreev);
  g_clear_pointer (&self->use_labels, g_strfreev);
}

void
_es_region_pane_install_uses (GtkWidgetClass *klass)
{
  signals[USE_REGION] = g_signal_new ("use-region", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  gtk_widget_class_install_action (klass, "region.use", "s", use_selected);
  gtk_widget_class_install_action (klass, "region.class-use", "(us)", use_class);
}
