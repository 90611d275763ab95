/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-list.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"

struct _EsKeptList
{
  GtkWidget             parent_instance;

  GtkWidget            *head;          /* a child: where the cursor is */
  GtkWidget            *pages;         /* a child: "hint" or "list" */
  EsSpectrumCollection *collection;
  EsSpectraPlot        *plot;
  GPtrArray            *rows;          /* Row: those that show something */
};

G_DEFINE_FINAL_TYPE (EsKeptList, es_kept_list, GTK_TYPE_WIDGET)

typedef struct
{
  EsKeptList     *list;
  GtkWidget      *shown, *swatch, *name, *value, *remove;
  EsKeptSpectrum *kept;        /* NULL: it shows nothing */
  gboolean        quiet;       /* it is being set */
} Row;

/* ---- a row ---- */

static char *
describe (EsKeptSpectrum *kept)
{
  EsSpectrum *spectrum = es_kept_spectrum_get_spectrum (kept);
  g_autoptr (GString) text = g_string_new (es_kept_spectrum_get_source (kept));

  if (es_kept_spectrum_get_error (kept) != NULL)
    return g_strdup (es_kept_spectrum_get_error (kept)->message);
  if (es_kept_spectrum_get_count (kept) > 1)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "\n%u pixel", "\n%u pixels",
                                               (guint) es_kept_spectrum_get_count (kept)),
                            (guint) es_kept_spectrum_get_count (kept));
  if (spectrum != NULL)
    g_string_append_printf (text, _("\n%u of %u bands have values"), es_spectrum_count_valid (spectrum),
                            es_spectrum_get_n (spectrum));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
show_value (Row *row)
{
  g_autofree char *text = NULL, *tip = NULL;
  double value;
  guint band;

  if (row->kept == NULL)
    return;
  if (es_kept_spectrum_get_error (row->kept) != NULL)
    {
      text = g_strdup (_("not read"));
      tip = describe (row->kept);
    }
  else if (es_spectra_plot_get_value (row->list->plot, row->kept, &value, &band))
    {
      const double *waves =
        es_spectral_axis_get_wavelengths (es_spectrum_get_axis (es_kept_spectrum_get_spectrum (row->kept)));

      text = es_format_number (value, 0);
      tip = waves != NULL ? g_strdup_printf (_("Band %u, %.6g nm"), band + 1, waves[band])
                          : g_strdup_printf (_("Band %u"), band + 1);
    }
  gtk_label_set_text (GTK_LABEL (row->value), text != NULL ? text : "–");
  gtk_widget_set_tooltip_text (row->value, tip);
}

static void
show_kept (Row *row)
{
  g_autofree char *tip = NULL;
  GdkRGBA color;

  if (row->kept == NULL)
    return;
  const guint32 colour = es_kept_spectrum_get_colour (row->kept);
  tip = describe (row->kept);
  color = (GdkRGBA) { (float) (colour >> 16 & 0xff) / 255, (float) (colour >> 8 & 0xff) / 255,
                      (float) (colour & 0xff) / 255, 1 };
  row->quiet = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (row->shown), es_kept_spectrum_get_shown (row->kept));
  gtk_color_chooser_set_rgba (GTK_COLOR_CHOOSER (row->swatch), &color);
  if (!gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (row->name)))
    gtk_editable_set_text (GTK_EDITABLE (row->name), es_kept_spectrum_get_name (row->kept));
  gtk_widget_set_tooltip_text (row->name, tip);
  row->quiet = FALSE;
  show_value (row);
}

static void
on_shown (Row *row)
{
  if (row->kept != NULL && !row->quiet)
    es_kept_spectrum_set_shown (row->kept, gtk_check_button_get_active (GTK_CHECK_BUTTON (row->shown)));
}

static void
on_color (Row *row)
{
  GdkRGBA color;

  if (row->kept == NULL || row->quiet)
    return;
  gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (row->swatch), &color);
  /* Black is "none" to collections. */
  es_kept_spectrum_set_colour (row->kept, MAX ((guint32) lroundf (color.red * 255) << 16
                                               | (guint32) lroundf (color.green * 255) << 8
                                               | (guint32) lroundf (color.blue * 255), 1));
}

static void
on_renamed (Row *row)
{
  if (row->kept == NULL || row->quiet || gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (row->name)))
    return;
  es_kept_spectrum_set_name (row->kept, gtk_editable_get_text (GTK_EDITABLE (row->name)));
  /* An empty name is none: the old one stays. */
  show_kept (row);
}

static void
on_remove (Row *row)
{
  if (row->kept != NULL)
    es_spectrum_collection_remove (row->list->collection, row->kept);
}

/* A long name is shortened and does not widen the list; GTK's own label would have all of it seen. */
static void
shorten (GtkWidget *editable)
{
  GtkWidget *stack = gtk_widget_get_first_child (editable);
  GtkWidget *label = GTK_IS_STACK (stack) ? gtk_stack_get_child_by_name (GTK_STACK (stack), "label") : NULL;

  if (GTK_IS_LABEL (label))
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  Row *row = g_new0 (Row, 1);

  row->list = data;
  row->shown = gtk_check_button_new ();
  gtk_widget_set_tooltip_text (row->shown, _("Draw this spectrum"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->shown), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Draw this spectrum"),
                                  -1);
  row->swatch = gtk_color_button_new ();
  gtk_color_button_set_title (GTK_COLOR_BUTTON (row->swatch), _("Colour of the Spectrum"));
  gtk_widget_set_tooltip_text (row->swatch, _("Colour of the spectrum, and of its mark in the picture"));
  gtk_widget_set_valign (row->swatch, GTK_ALIGN_CENTER);
  row->name = gtk_editable_label_new ("");
  gtk_editable_set_width_chars (GTK_EDITABLE (row->name), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (row->name), 40);
  shorten (row->name);
  gtk_widget_set_hexpand (row->name, TRUE);
  row->value = gtk_label_new (NULL);
  gtk_widget_add_css_class (row->value, "numeric");
  gtk_label_set_xalign (GTK_LABEL (row->value), 1);
  gtk_label_set_width_chars (GTK_LABEL (row->value), 8);
  row->remove = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_add_css_class (row->remove, "flat");
  gtk_widget_add_css_class (row->remove, "circular");
  gtk_widget_set_valign (row->remove, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (row->remove, _("Remove; Undo brings it back"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->remove), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Remove"), -1);
  gtk_box_append (GTK_BOX (box), row->shown);
  gtk_box_append (GTK_BOX (box), row->swatch);
  gtk_box_append (GTK_BOX (box), row->name);
  gtk_box_append (GTK_BOX (box), row->value);
  gtk_box_append (GTK_BOX (box), row->remove);
  g_signal_connect_swapped (row->shown, "toggled", G_CALLBACK (on_shown), row);
  g_signal_connect_swapped (row->swatch, "notify::rgba", G_CALLBACK (on_color), row);
  g_signal_connect_swapped (row->name, "notify::editing", G_CALLBACK (on_renamed), row);
  g_signal_connect_swapped (row->remove, "clicked", G_CALLBACK (on_remove), row);
  /* With the last of its widgets goes what is told of it. */
  g_object_set_data_full (G_OBJECT (box), "es-row", row, g_free);
  gtk_list_item_set_activatable (item, FALSE);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsKeptList *self = data;
  Row *row = g_object_get_data (G_OBJECT (gtk_list_item_get_child (item)), "es-row");

  row->kept = gtk_list_item_get_item (item);
  g_ptr_array_add (self->rows, row);
  g_signal_connect_swapped (row->kept, "notify", G_CALLBACK (show_kept), row);
  show_kept (row);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Row *row = g_object_get_data (G_OBJECT (gtk_list_item_get_child (item)), "es-row");

  g_signal_handlers_disconnect_by_data (row->kept, row);
  row->kept = NULL;
  g_ptr_array_remove_fast (ES_KEPT_LIST (data)->rows, row);
  gtk_editable_label_stop_editing (GTK_EDITABLE_LABEL (row->name), FALSE);
}

/* ---- the list ---- */

static void
on_plot_changed (EsKeptList *self)
{
  g_autofree char *cursor = es_spectra_plot_tell_cursor (self->plot);

  gtk_label_set_text (GTK_LABEL (self->head), cursor != NULL ? cursor : _("Point at the plot for values"));
  for (guint i = 0; i < self->rows->len; i++)
    show_value (g_ptr_array_index (self->rows, i));
}

static void
on_collection_changed (EsKeptList *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages),
                                    es_spectrum_collection_get_n (self->collection) > 0 ? "list" : "hint");
}

GtkWidget *
es_kept_list_new (EsSpectrumCollection *collection, EsSpectraPlot *plot)
{
  EsKeptList *self = g_object_new (ES_TYPE_KEPT_LIST, NULL);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new (), *view;
  GtkWidget *hint = gtk_label_new (_("Click a pixel of the picture with Ctrl to keep its spectrum, with Ctrl and Shift "
                                     "for the mean of 3 × 3 pixels."));

  self->collection = g_object_ref (collection);
  self->plot = g_object_ref (plot);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), self);
  view = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (collection)))),
                            factory);
  gtk_widget_add_css_class (view, "kept-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Collected spectra"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_justify (GTK_LABEL (hint), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (hint), 30);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_set_margin_start (hint, 12);
  gtk_widget_set_margin_end (hint, 12);
  gtk_stack_add_named (GTK_STACK (self->pages), hint, "hint");
  gtk_stack_add_named (GTK_STACK (self->pages), scroller, "list");
  g_signal_connect_object (plot, "changed", G_CALLBACK (on_plot_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (collection, "changed", G_CALLBACK (on_collection_changed), self, G_CONNECT_SWAPPED);
  on_plot_changed (self);
  on_collection_changed (self);
  return GTK_WIDGET (self);
}

static void
es_kept_list_dispose (GObject *object)
{
  EsKeptList *self = ES_KEPT_LIST (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  g_clear_pointer (&self->pages, gtk_widget_unparent);
  g_clear_object (&self->collection);
  g_clear_object (&self->plot);
  G_OBJECT_CLASS (es_kept_list_parent_class)->dispose (object);
}

static void
es_kept_list_finalize (GObject *object)
{
  g_ptr_array_unref (ES_KEPT_LIST (object)->rows);
  G_OBJECT_CLASS (es_kept_list_parent_class)->finalize (object);
}

static void
es_kept_list_class_init (EsKeptListClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_kept_list_dispose;
  G_OBJECT_CLASS (class)->finalize = es_kept_list_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
es_kept_list_init (EsKeptList *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
  self->rows = g_ptr_array_new ();
  self->head = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->head), 1);
  gtk_label_set_ellipsize (GTK_LABEL (self->head), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->head, "caption");
  gtk_widget_add_css_class (self->head, "dim-label");
  gtk_widget_add_css_class (self->head, "numeric");
  gtk_widget_set_margin_end (self->head, 44);
  gtk_widget_set_margin_start (self->head, 8);
  gtk_widget_set_parent (self->head, GTK_WIDGET (self));
  self->pages = gtk_stack_new ();
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_widget_set_parent (self->pages, GTK_WIDGET (self));
}
