/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-header-bar.h"

#include "device/es-device.h"
#include "files/es-recent.h"
#include "widgets/es-format.h"

#define LONGEST_DEVICE 48

struct _EsHeaderBar
{
  AdwBin          parent_instance;

  /* Template widgets. */
  AdwSplitButton *open_button;
  AdwSplitButton *save_button;
  GtkWidget      *copy_button;
  GtkWidget      *sidebar_button;
  GtkWidget      *compare_button;
  GtkWidget      *inspector_button;
  AdwWindowTitle *title;
  GMenu          *devices;
};

G_DEFINE_FINAL_TYPE (EsHeaderBar, es_header_bar, ADW_TYPE_BIN)

static void
on_recent_changed (EsHeaderBar *self)
{
  g_autoptr (GMenuModel) menu = es_recent_make_menu ();

  adw_split_button_set_menu_model (self->open_button, menu);
}

/* Of the main menu: a line for each device that can be measured, cards when they have been found. */
static void
on_devices_changed (EsHeaderBar *self)
{
  GListModel *devices = es_devices_get ();

  g_menu_remove_all (self->devices);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
      g_autofree char *name = es_format_shorten (es_device_get_name (device), LONGEST_DEVICE);
      g_autoptr (GMenuItem) item = NULL;

      if (es_device_get_kind (device) == ES_DEVICE_ALL_GPUS)
        continue;
      item = g_menu_item_new (name, NULL);
      g_menu_item_set_action_and_target (item, "win.open-device", "s", es_device_get_id (device));
      g_menu_append_item (self->devices, item);
    }
}

static void
es_header_bar_class_init (EsHeaderBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-header-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, open_button);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, save_button);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, copy_button);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, compare_button);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, inspector_button);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, title);
  gtk_widget_class_bind_template_child (widget_class, EsHeaderBar, devices);
}

static void
es_header_bar_init (EsHeaderBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (on_recent_changed), self,
                           G_CONNECT_SWAPPED);
  on_recent_changed (self);
  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (on_devices_changed), self,
                           G_CONNECT_SWAPPED);
  on_devices_changed (self);
}

void
es_header_bar_set_title (EsHeaderBar *self, const char *title, const char *subtitle)
{
  g_return_if_fail (ES_IS_HEADER_BAR (self));

  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
}

void
es_header_bar_set_save_menu (EsHeaderBar *self, GMenuModel *menu)
{
  g_return_if_fail (ES_IS_HEADER_BAR (self));
  adw_split_button_set_menu_model (self->save_button, menu);
}

void
es_header_bar_set_shown (EsHeaderBar *self, gboolean shown, EsWorkspaceAbilities able, gboolean has_side)
{
  g_return_if_fail (ES_IS_HEADER_BAR (self));

  gtk_widget_set_visible (self->copy_button, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->save_button), shown);
  gtk_widget_set_visible (self->sidebar_button, shown);
  gtk_widget_set_visible (self->compare_button, (able & ES_WORKSPACE_COMPARES) != 0);
  gtk_widget_set_visible (self->inspector_button, shown && has_side);
}
