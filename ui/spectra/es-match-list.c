/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-match-list.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A match as an item of a list. */
#define ES_TYPE_MATCH_ITEM (es_match_item_get_type ())
G_DECLARE_FINAL_TYPE (EsMatchItem, es_match_item, ES, MATCH_ITEM, GObject)

struct _EsMatchItem
{
  GObject         parent_instance;

  EsSpectrum     *spectrum;
  EsSpectralMatch match;
};

G_DEFINE_FINAL_TYPE (EsMatchItem, es_match_item, G_TYPE_OBJECT)

static void
es_match_item_finalize (GObject *object)
{
  g_clear_object (&ES_MATCH_ITEM (object)->spectrum);
  G_OBJECT_CLASS (es_match_item_parent_class)->finalize (object);
}

static void
es_match_item_class_init (EsMatchItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_match_item_finalize;
}

static void
es_match_item_init (EsMatchItem *self)
{
}

struct _EsMatchList
{
  GtkWidget           parent_instance;

  GtkWidget          *head, *kind, *about, *pages, *why;
  GListStore         *items;
  GtkSingleSelection *selection;
};

G_DEFINE_FINAL_TYPE (EsMatchList, es_match_list, GTK_TYPE_WIDGET)

enum { LOOKED_AT, KEEP, KIND_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- cells ---- */

typedef enum { NAME, ANGLE, FIT, DEPTH, BANDS, N_COLUMNS } Column;

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const Column column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == NAME ? 0 : 1);
  if (column == NAME)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), 14);
    }
  else
    gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsMatchItem *match = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = NULL;

  switch ((Column) GPOINTER_TO_UINT (data))
    {
    case ANGLE:
      text = g_strdup_printf ("%.4f", match->match.angle);
      break;
    case FIT:
      text = isnan (match->match.fit) ? g_strdup ("–") : g_strdup_printf ("%.3f", match->match.fit);
      break;
    case DEPTH:
      text = isnan (match->match.depth) ? g_strdup ("–") : g_strdup_printf ("%.3f", match->match.depth);
      break;
    case BANDS:
      text = g_strdup_printf ("%u", match->match.n_bands);
      break;
    default:
      gtk_widget_set_tooltip_text (label, es_spectrum_get_name (match->spectrum));
    }
  gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : es_spectrum_get_name (match->spectrum));
}

static void
add_column (GtkWidget *view, Column column, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *made = gtk_column_view_column_new (title, factory);

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (column));
  gtk_column_view_column_set_expand (made, column == NAME);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (view), made);
  g_object_unref (made);
}

/* ---- what it shows ---- */

EsMatchKind
es_match_list_get_kind (EsMatchList *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind)) == 1 ? ES_MATCH_FIT : ES_MATCH_ANGLE;
}

void
es_match_list_set_kind (EsMatchList *self, EsMatchKind kind)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind), kind == ES_MATCH_FIT ? 1 : 0);
}

void
es_match_list_set_matches (EsMatchList *self, EsSpectralLibrary *library, guint n, const EsSpectralMatch *matches,
                           const char *of, guint n_compared)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *about = g_strdup_printf (_("%s: %u of %u spectra compared"), of, n_compared,
                                            es_spectral_library_get_n (library));

  g_return_if_fail (ES_IS_MATCH_LIST (self));

  for (guint i = 0; i < n; i++)
    {
      EsMatchItem *item = g_object_new (ES_TYPE_MATCH_ITEM, NULL);

      item->spectrum = g_object_ref (es_spectral_library_get (library, matches[i].index));
      item->match = matches[i];
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), items->pdata, items->len);
  gtk_label_set_text (GTK_LABEL (self->about), about);
  gtk_widget_set_tooltip_text (self->about, about);
  gtk_label_set_text (GTK_LABEL (self->why), _("No spectrum of the library can be compared with this one."));
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), n > 0 ? "list" : "why");
}

void
es_match_list_clear (EsMatchList *self, const char *why)
{
  g_return_if_fail (ES_IS_MATCH_LIST (self));

  g_list_store_remove_all (self->items);
  gtk_label_set_text (GTK_LABEL (self->about), "");
  gtk_label_set_text (GTK_LABEL (self->why), why);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "why");
}

EsSpectrum *
es_match_list_get (EsMatchList *self, guint i)
{
  g_autoptr (EsMatchItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

  return item != NULL ? item->spectrum : NULL;
}

static void
on_selected (EsMatchList *self)
{
  EsMatchItem *item = gtk_single_selection_get_selected_item (self->selection);

  g_signal_emit (self, signals[LOOKED_AT], 0, item != NULL ? item->spectrum : NULL);
}

static void
on_activate (EsMatchList *self, guint position)
{
  EsSpectrum *spectrum = es_match_list_get (self, position);

  if (spectrum != NULL)
    g_signal_emit (self, signals[KEEP], 0, spectrum);
}

static void
on_kind (EsMatchList *self)
{
  g_signal_emit (self, signals[KIND_CHANGED], 0);
}

/* ---- the widget ---- */

GtkWidget *
es_match_list_new (void)
{
  return g_object_new (ES_TYPE_MATCH_LIST, NULL);
}

static void
es_match_list_dispose (GObject *object)
{
  EsMatchList *self = ES_MATCH_LIST (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  g_clear_pointer (&self->pages, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->items);
  G_OBJECT_CLASS (es_match_list_parent_class)->dispose (object);
}

static void
es_match_list_class_init (EsMatchListClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_match_list_dispose;
  signals[LOOKED_AT] = g_signal_new ("looked-at", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                     ES_TYPE_SPECTRUM);
  signals[KEEP] = g_signal_new ("keep", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, ES_TYPE_SPECTRUM);
  signals[KIND_CHANGED] = g_signal_new ("kind-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
make_head (EsMatchList *self)
{
  const char *const kinds[] = { _("By angle"), _("By fit of features"), NULL };

  self->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->kind = gtk_drop_down_new_from_strings (kinds);
  gtk_widget_set_tooltip_text (self->kind, _("Angle between the spectra, or how well their absorption features fit "
                                             "once the continuum is removed"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->kind), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Matches by"), -1);
  self->about = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->about), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->about), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->about, TRUE);
  gtk_widget_add_css_class (self->about, "caption");
  gtk_widget_add_css_class (self->about, "dim-label");
  gtk_box_append (GTK_BOX (self->head), self->kind);
  gtk_box_append (GTK_BOX (self->head), self->about);
  gtk_widget_set_margin_start (self->head, 4);
  gtk_widget_set_margin_end (self->head, 4);
  g_signal_connect_object (self->kind, "notify::selected", G_CALLBACK (on_kind), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->head, GTK_WIDGET (self));
}

static void
es_match_list_init (EsMatchList *self)
{
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));
  GtkWidget *scroller = gtk_scrolled_window_new (), *view;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 4);
  make_head (self);
  self->items = g_list_store_new (ES_TYPE_MATCH_ITEM);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->items)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)));
  add_column (view, NAME, _("Spectrum"));
  add_column (view, ANGLE, _("Angle, rad"));
  add_column (view, FIT, _("Fit"));
  add_column (view, DEPTH, _("Depth"));
  add_column (view, BANDS, _("Bands"));
  gtk_widget_add_css_class (view, "spectra-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Best matches"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  g_signal_connect_object (view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  self->why = gtk_label_new (_("Open a library, and point at the picture."));
  gtk_label_set_wrap (GTK_LABEL (self->why), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->why), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (self->why), 30);
  gtk_widget_add_css_class (self->why, "dim-label");
  self->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->pages), self->why, "why");
  gtk_stack_add_named (GTK_STACK (self->pages), scroller, "list");
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_widget_set_parent (self->pages, GTK_WIDGET (self));
}
