/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-published-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "lab/es-comparison-published.h"
#include "published/es-published.h"
#include "charts/es-table-view.h"

struct _EsPublishedPage
{
  GtkWidget    parent_instance;

  GtkWidget   *page;
  GtkWidget   *choice, *text, *remarks;
  EsTableView *table;
  EsComparison *comparison;    /* nullable: ours stands beside */
  GArray      *about;          /* guint, which tables are about the operation, in the order of the choice */
};

G_DEFINE_FINAL_TYPE (EsPublishedPage, es_published_page, GTK_TYPE_WIDGET)

GtkWidget *
es_dialog_page_new (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *clamp = adw_clamp_new ();
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);

  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 900);
  adw_clamp_set_child (ADW_CLAMP (clamp), child);
  gtk_widget_set_margin_top (child, 12);
  gtk_widget_set_margin_bottom (child, 18);
  gtk_widget_set_margin_start (child, 18);
  gtk_widget_set_margin_end (child, 18);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  /* Tables are as high as their rows want, not as low as they could be. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), clamp);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), viewport);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

/* What ours is, what the marks say, and why there are no more tables. */
static char *
make_remarks (guint i, const char *what)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (what != NULL)
    g_string_append_printf (text, "* %s\n", what);
  for (guint m = 0; m < es_published_get_n_marks (i); m++)
    {
      const EsPublishedMark mark = es_published_get_mark (i, m);
      gboolean said = FALSE;

      for (guint other = 0; other < m; other++)
        said |= g_str_equal (es_published_get_mark (i, other).text, mark.text);
      if (!said)
        g_string_append_printf (text, "%s%s%s\n", mark.symbol, *mark.symbol != '\0' ? "  " : "", mark.text);
    }
  if (!es_published_load (&error))
    g_string_append_printf (text, "%s\n", error->message);
  g_string_truncate (text, text->len > 0 ? text->len - 1 : 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
update (EsPublishedPage *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
  const EsPublished *published;
  g_autoptr (EsTable) table = NULL;
  g_autofree char *text = NULL, *what = NULL, *remarks = NULL;

  if (i >= self->about->len)
    return;
  i = g_array_index (self->about, guint, i);
  published = es_published_get (i);
  table = self->comparison != NULL ? es_comparison_make_published_table (self->comparison, i, &what)
                                   : es_published_make_table (i);
  text = g_strjoin ("\n", published->hardware, published->source, published->note, NULL);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  es_table_view_set_table (self->table, table);
  remarks = make_remarks (i, what);
  gtk_label_set_text (GTK_LABEL (self->remarks), remarks);
  gtk_widget_set_visible (self->remarks, *remarks != '\0');
}

void
es_published_page_set_comparison (EsPublishedPage *self, EsComparison *comparison)
{
  g_return_if_fail (ES_IS_PUBLISHED_PAGE (self) && ES_IS_COMPARISON (comparison) && self->comparison == NULL);

  self->comparison = g_object_ref (comparison);
  g_signal_connect_object (comparison, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

/* Tables of the operation alone come before what it shares with others. */
static void
find_published (EsPublishedPage *self, const char *id)
{
  for (guint shared = 0; shared < 2; shared++)
    for (guint i = 0; i < es_published_get_n (); i++)
      if (es_published_is_about (i, id) && (es_published_get (i)->operations[1] != NULL) == (shared == 1))
        g_array_append_val (self->about, i);
}

static GtkWidget *
make_text (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

static void
fill (EsPublishedPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();

  for (guint i = 0; i < self->about->len; i++)
    g_ptr_array_add (titles, (gpointer) es_published_get (g_array_index (self->about, guint, i))->title);
  g_ptr_array_add (titles, NULL);
  self->choice = gtk_drop_down_new_from_strings ((const char * const *) titles->pdata);
  gtk_widget_set_halign (self->choice, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Published table"),
                                  -1);
  self->text = make_text ();
  self->remarks = make_text ();
  self->table = ES_TABLE_VIEW (es_table_view_new (900));
  /* What a row is, however many columns there are. */
  es_table_view_set_least_text (self->table, 60);
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "card");
  gtk_widget_set_overflow (GTK_WIDGET (self->table), GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  gtk_box_append (GTK_BOX (box), self->remarks);
  g_signal_connect_object (self->choice, "notify::selected", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  self->page = es_dialog_page_new (box);
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
}

GtkWidget *
es_published_page_new (const char *operation)
{
  EsPublishedPage *self;

  g_return_val_if_fail (operation != NULL, NULL);

  self = g_object_ref_sink (g_object_new (ES_TYPE_PUBLISHED_PAGE, NULL));
  find_published (self, operation);
  if (self->about->len == 0)
    {
      g_object_unref (self);
      return NULL;
    }
  fill (self);
  g_object_force_floating (G_OBJECT (self));
  return GTK_WIDGET (self);
}

static void
es_published_page_dispose (GObject *object)
{
  EsPublishedPage *self = ES_PUBLISHED_PAGE (object);

  g_clear_pointer (&self->page, gtk_widget_unparent);
  if (self->comparison != NULL)
    g_signal_handlers_disconnect_by_data (self->comparison, self);
  g_clear_object (&self->comparison);
  g_clear_pointer (&self->about, g_array_unref);
  G_OBJECT_CLASS (es_published_page_parent_class)->dispose (object);
}

static void
es_published_page_class_init (EsPublishedPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_published_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
es_published_page_init (EsPublishedPage *self)
{
  self->about = g_array_new (FALSE, FALSE, sizeof (guint));
}

GtkWidget *
es_totals_switch_new (GtkWidget **totals)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *steps = gtk_toggle_button_new_with_label (_("Steps"));

  *totals = gtk_toggle_button_new_with_label (_("Totals"));
  gtk_widget_set_tooltip_text (*totals, _("The steps one behind the other; the times on a linear axis"));
  gtk_widget_set_tooltip_text (steps, _("Each step by itself; the times on a logarithmic axis"));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (steps), GTK_TOGGLE_BUTTON (*totals));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (*totals), TRUE);
  gtk_widget_add_css_class (head, "linked");
  gtk_widget_set_halign (head, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (head), *totals);
  gtk_box_append (GTK_BOX (head), steps);
  return head;
}
