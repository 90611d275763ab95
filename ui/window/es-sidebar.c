/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sidebar.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-section.h"

struct _EsSidebar
{
  GtkBox          parent_instance;

  /* Template widgets. */
  EsDataTree     *tree;
  EsAnalysePanel *analyse;

  EsArrayPane    *array;
  GtkWidget      *array_section;
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
  self->array = ES_ARRAY_PANE (es_array_pane_new ());
  self->array_section = es_section_new ("array", _("Array"), GTK_WIDGET (self->array));
  gtk_widget_add_css_class (self->array_section, "es-array-section");
  gtk_widget_set_visible (self->array_section, FALSE);
  /* Between the data and the line below them. */
  gtk_box_insert_child_after (GTK_BOX (self), self->array_section,
                              gtk_widget_get_next_sibling (GTK_WIDGET (self->tree)));
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

EsArrayPane *
es_sidebar_get_array (EsSidebar *self)
{
  g_return_val_if_fail (ES_IS_SIDEBAR (self), NULL);
  return self->array;
}

void
es_sidebar_set_sonar (EsSidebar *self, gboolean sonar)
{
  g_return_if_fail (ES_IS_SIDEBAR (self));
  gtk_widget_set_visible (self->array_section, sonar);
  /* Results of recordings have more to choose from. */
  gtk_widget_set_size_request (GTK_WIDGET (self->tree), -1, sonar ? 136 : 104);
}
