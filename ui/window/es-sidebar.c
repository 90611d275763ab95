/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sidebar.h"

struct _EsSidebar
{
  GtkBox          parent_instance;

  /* Template widgets. */
  EsDataTree     *tree;
  EsAnalysePanel *analyse;

  GtkWidget      *section;           /* of the workspace that is shown; borrowed, nullable */
};

G_DEFINE_FINAL_TYPE (EsSidebar, es_sidebar, GTK_TYPE_BOX)

static void
es_sidebar_class_init (EsSidebarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  g_type_ensure (ES_TYPE_DATA_TREE);
  g_type_ensure (ES_TYPE_ANALYSE_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, EsSidebar, tree);
  gtk_widget_class_bind_template_child (widget_class, EsSidebar, analyse);
}

static void
es_sidebar_init (EsSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

EsDataTree *
es_sidebar_get_tree (EsSidebar *self)
{
  g_return_val_if_fail (ES_IS_SIDEBAR (self), NULL);
  return self->tree;
}

EsAnalysePanel *
es_sidebar_get_analyse (EsSidebar *self)
{
  g_return_val_if_fail (ES_IS_SIDEBAR (self), NULL);
  return self->analyse;
}

void
es_sidebar_set_section (EsSidebar *self, GtkWidget *section, int data_height)
{
  g_return_if_fail (ES_IS_SIDEBAR (self));

  if (self->section != NULL && self->section != section)
    gtk_widget_set_visible (self->section, FALSE);
  self->section = section;
  if (section != NULL && gtk_widget_get_parent (section) == NULL)
    /* Between the data and the line below them. */
    gtk_box_insert_child_after (GTK_BOX (self), section, gtk_widget_get_next_sibling (GTK_WIDGET (self->tree)));
  if (section != NULL)
    gtk_widget_set_visible (section, TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self->tree), -1, data_height);
}
