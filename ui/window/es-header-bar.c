/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-header-bar.h"

#include "files/es-recent.h"

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
};

G_DEFINE_FINAL_TYPE (EsHeaderBar, es_header_bar, ADW_TYPE_BIN)

static void
on_recent_changed (EsHeaderBar *self)
{
  g_autoptr (GMenuModel) menu = es_recent_make_menu ();

  adw_split_button_set_menu_model (self->open_button, menu);
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
}

static void
es_header_bar_init (EsHeaderBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (on_recent_changed), self,
                           G_CONNECT_SWAPPED);
  on_recent_changed (self);
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
es_header_bar_set_shown (EsHeaderBar *self, gboolean shown, EsWorkspaceAbilities able)
{
  g_return_if_fail (ES_IS_HEADER_BAR (self));

  gtk_widget_set_visible (self->copy_button, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->save_button), shown);
  gtk_widget_set_visible (self->sidebar_button, shown);
  gtk_widget_set_visible (self->compare_button, (able & ES_WORKSPACE_COMPARES) != 0);
  gtk_widget_set_visible (self->inspector_button, shown);
}
