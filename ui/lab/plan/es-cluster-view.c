/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "es-cluster-form.h"
#include "es-cluster-results.h"
#include "widgets/es-wrap-layout.h"

#define FORM_WIDTH 350
#define WIDEST 1500

struct _EsClusterView
{
  GtkWidget        parent_instance;

  EsClusterChoice *choice;
  GtkWidget       *box;
};

G_DEFINE_FINAL_TYPE (EsClusterView, es_cluster_view, GTK_TYPE_WIDGET)

static GMenuModel *
make_menu (void)
{
  static const struct { const char *label, *target; } items[] = {
    { N_("As a P_age…"), "html" }, { N_("_Numbers as CSV…"), "csv" }, { N_("As _JSON…"), "json" },
    { N_("_Cluster's File…"), "cluster" },
  };
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_(items[i].label), NULL);

      g_menu_item_set_action_and_target (item, "win.lab-save-plan", "s", items[i].target);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static GtkWidget *
make_bar (void)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *back = gtk_button_new ();
  GtkWidget *content = adw_button_content_new (), *save = gtk_menu_button_new ();
  g_autoptr (GMenuModel) menu = make_menu ();

  adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), "go-previous-symbolic");
  adw_button_content_set_label (ADW_BUTTON_CONTENT (content), _("All _Experiments"));
  adw_button_content_set_use_underline (ADW_BUTTON_CONTENT (content), TRUE);
  gtk_button_set_child (GTK_BUTTON (back), content);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "win.lab-back");
  gtk_menu_button_set_label (GTK_MENU_BUTTON (save), _("Save _Plan"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (save), TRUE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (save), menu);
  gtk_widget_set_layout_manager (bar, es_wrap_layout_new (6, 6));
  gtk_box_append (GTK_BOX (bar), back);
  gtk_box_append (GTK_BOX (bar), save);
  return bar;
}

static GtkWidget *
make_title (void)
{
  GtkWidget *title = gtk_label_new (_("How long would it take on a cluster?"));

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_add_css_class (title, "title-2");
  return title;
}

static GtkWidget *
make_scroller (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *viewport = gtk_viewport_new (NULL, NULL);

  /* Tables are as high as their rows want, not as low as they could be. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), viewport);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
es_cluster_view_dispose (GObject *object)
{
  EsClusterView *self = ES_CLUSTER_VIEW (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->choice);
  G_OBJECT_CLASS (es_cluster_view_parent_class)->dispose (object);
}

static void
es_cluster_view_class_init (EsClusterViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_cluster_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "clusterview");
}

static void
es_cluster_view_init (EsClusterView *self)
{
}

GtkWidget *
es_cluster_view_new (EsSession *session)
{
  EsClusterView *self = g_object_new (ES_TYPE_CLUSTER_VIEW, NULL);
  GtkWidget *form, *results = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *clamp = adw_clamp_new (), *scroller;

  self->choice = es_cluster_choice_new ();
  form = es_cluster_form_new (self->choice, session);
  gtk_widget_add_css_class (form, "es-cluster-form");
  scroller = make_scroller (form);
  gtk_widget_set_size_request (scroller, FORM_WIDTH, -1);
  gtk_widget_set_hexpand (scroller, FALSE);
  gtk_box_append (GTK_BOX (results), make_bar ());
  gtk_box_append (GTK_BOX (results), make_title ());
  gtk_box_append (GTK_BOX (results), es_cluster_results_new (self->choice));
  gtk_widget_add_css_class (results, "es-lab-column");
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDEST);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), WIDEST * 3 / 4);
  adw_clamp_set_child (ADW_CLAMP (clamp), results);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_box_append (GTK_BOX (self->box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  scroller = make_scroller (clamp);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

EsClusterChoice *
es_cluster_view_get_choice (EsClusterView *self)
{
  g_return_val_if_fail (ES_IS_CLUSTER_VIEW (self), NULL);
  return self->choice;
}
