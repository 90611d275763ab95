/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-metadata-columns.h"
#include "es-metadata-entry.h"
#include "es-metadata-rows.h"
#include "es-metadata-store.h"

/* ---- one band ---- */

#define ES_TYPE_METADATA_BAND (es_metadata_band_get_type ())
G_DECLARE_FINAL_TYPE (EsMetadataBand, es_metadata_band, ES, METADATA_BAND, GObject)

struct _EsMetadataBand
{
  GObject parent_instance;
  guint   band;
};

G_DEFINE_FINAL_TYPE (EsMetadataBand, es_metadata_band, G_TYPE_OBJECT)

static void
es_metadata_band_class_init (EsMetadataBandClass *class)
{
}

static void
es_metadata_band_init (EsMetadataBand *self)
{
}

/* ---- the table ---- */

struct _EsMetadataTable
{
  AdwBin               parent_instance;

  EsCube              *cube;           /* nullable */
  GListStore          *bands;          /* of EsMetadataBand */
  GtkColumnViewColumn *wavelength;
  gboolean             showing;        /* what cells say is put there */
};

enum { TELL, REFUSED, REFRESHED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsMetadataTable, es_metadata_table, ADW_TYPE_BIN)

static EsBandColumn
column_of (gpointer cell)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "es-column"));
}

/* NULL: the cell is not bound. */
static EsMetadataBand *
band_of (gpointer cell)
{
  GtkListItem *item = g_object_get_data (G_OBJECT (cell), "es-item");

  return gtk_list_item_get_item (item);
}

static void
show_cell (GtkWidget *cell, EsMetadataTable *self)
{
  EsMetadataBand *band = band_of (cell);
  g_autofree char *text = NULL;
  const gboolean was = self->showing;

  if (band == NULL || self->cube == NULL || band->band >= es_cube_get_bands (self->cube))
    return;
  text = es_metadata_band_show (self->cube, band->band, column_of (cell));
  self->showing = TRUE;
  if (GTK_IS_CHECK_BUTTON (cell))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (cell), g_str_equal (text, "1"));
  else if (GTK_IS_LABEL (cell))
    gtk_label_set_label (GTK_LABEL (cell), text);
  else
    es_metadata_show_text (cell, text);
  self->showing = was;
}

static void
tell_cell (GtkWidget *cell, EsMetadataTable *self, const char *text)
{
  EsMetadataBand *band = band_of (cell);
  g_autoptr (EsMetadata) metadata = NULL;
  g_autoptr (GError) error = NULL;

  metadata = es_metadata_band_read (self->cube, es_metadata_store_get_told (self->cube), band->band, column_of (cell),
                                    text, &error);
  if (metadata != NULL)
    g_signal_emit (self, signals[TELL], 0, metadata, "band");
  else
    {
      show_cell (cell, self);
      g_signal_emit (self, signals[REFUSED], 0, error->message);
    }
}

/* What has been written and not been told yet. Where it is refused, the cell shows again what is so. */
static void
finish (GtkWidget *cell, EsMetadataTable *self)
{
  EsMetadataBand *band = band_of (cell);
  g_autofree char *before = NULL, *text = NULL;

  if (self->showing || band == NULL || self->cube == NULL)
    return;
  before = es_metadata_band_show (self->cube, band->band, column_of (cell));
  text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (cell))));
  if (strcmp (before, text) != 0)
    tell_cell (cell, self, text);
}

static void
on_activate (GtkText *cell, EsMetadataTable *self)
{
  finish (GTK_WIDGET (cell), self);
}

static void
on_leave (GtkEventController *focus, EsMetadataTable *self)
{
  finish (gtk_event_controller_get_widget (focus), self);
}

static gboolean
on_key (GtkEventController *keys, guint key, guint code, GdkModifierType state, EsMetadataTable *self)
{
  GtkWidget *cell = gtk_event_controller_get_widget (keys);
  EsMetadataBand *band = band_of (cell);
  g_autofree char *before = NULL;

  if (key != GDK_KEY_Escape || band == NULL || self->cube == NULL)
    return FALSE;
  before = es_metadata_band_show (self->cube, band->band, column_of (cell));
  if (strcmp (before, gtk_editable_get_text (GTK_EDITABLE (cell))) == 0)
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (cell), before);
  return TRUE;
}

/* Not a GtkEditableLabel: GTK 4.8 looks at one that has gone, where that had the focus. */
static GtkWidget *
make_text (EsMetadataTable *self, EsBandColumn column)
{
  GtkWidget *cell = gtk_text_new ();
  GtkEventController *focus = gtk_event_controller_focus_new (), *keys = gtk_event_controller_key_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (cell), column == ES_BAND_NAME ? 9 : 7);
  gtk_editable_set_alignment (GTK_EDITABLE (cell), column == ES_BAND_NAME ? 0 : 1);
  g_signal_connect_object (cell, "activate", G_CALLBACK (on_activate), self, 0);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_leave), self, 0);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), self, 0);
  gtk_widget_add_controller (cell, focus);
  gtk_widget_add_controller (cell, keys);
  return cell;
}

static void
on_toggled (GtkCheckButton *cell, EsMetadataTable *self)
{
  if (!self->showing && band_of (cell) != NULL && self->cube != NULL)
    tell_cell (GTK_WIDGET (cell), self, gtk_check_button_get_active (cell) ? "1" : "0");
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, EsMetadataTable *self)
{
  const EsBandColumn column = column_of (factory);
  GtkWidget *cell;

  if (column == ES_BAND_GOOD)
    {
      cell = gtk_check_button_new ();
      gtk_widget_set_halign (cell, GTK_ALIGN_CENTER);
      g_signal_connect_object (cell, "toggled", G_CALLBACK (on_toggled), self, 0);
    }
  else if (column == ES_BAND_NUMBER)
    {
      cell = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (cell), 1);
      gtk_widget_add_css_class (cell, "dim-label");
    }
  else
    cell = make_text (self, column);
  if (column != ES_BAND_NAME)
    gtk_widget_add_css_class (cell, "numeric");
  g_object_set_data (G_OBJECT (cell), "es-column", GUINT_TO_POINTER (column));
  g_object_set_data (G_OBJECT (cell), "es-item", item);
  g_signal_connect_object (self, "refreshed", G_CALLBACK (show_cell), cell, G_CONNECT_SWAPPED);
  gtk_list_item_set_child (item, cell);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, EsMetadataTable *self)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  static const char *const names[] = { NULL, N_("Name"), N_("Wavelength"), N_("Width"), N_("Good"), N_("No-data"),
                                       N_("Scale"), N_("Offset of the values") };
  const char *name = names[column_of (cell)];

  if (name != NULL)
    {
      g_autofree char *label = g_strdup_printf (_("%s of band %u"), g_dgettext (GETTEXT_PACKAGE, name),
                                                ((EsMetadataBand *) gtk_list_item_get_item (item))->band + 1);

      gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    }
  show_cell (cell, self);
}

static GtkColumnViewColumn *
add_column (EsMetadataTable *self, GtkColumnView *view, EsBandColumn column, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *made = gtk_column_view_column_new (title, factory);

  g_object_set_data (G_OBJECT (factory), "es-column", GUINT_TO_POINTER (column));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  gtk_column_view_column_set_expand (made, column == ES_BAND_NAME);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_append_column (view, made);
  /* The view keeps it. */
  g_object_unref (made);
  return made;
}

static void
name_columns (EsMetadataTable *self)
{
  const char *unit = es_metadata_show_unit (self->cube);
  g_autofree char *wavelength = unit != NULL ? g_strdup_printf (_("Wavelength, %s"), unit) : g_strdup (_("Wavelength"));

  gtk_column_view_column_set_title (self->wavelength, wavelength);
}

void
es_metadata_table_set_cube (EsMetadataTable *self, EsCube *cube)
{
  g_autoptr (GPtrArray) items = NULL;
  const guint n = es_cube_get_bands (cube);

  g_return_if_fail (ES_IS_METADATA_TABLE (self) && ES_IS_CUBE (cube));

  g_set_object (&self->cube, cube);
  name_columns (self);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->bands)) == n)
    {
      g_signal_emit (self, signals[REFRESHED], 0);
      return;
    }
  items = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint b = 0; b < n; b++)
    {
      EsMetadataBand *band = g_object_new (ES_TYPE_METADATA_BAND, NULL);

      band->band = b;
      g_ptr_array_add (items, band);
    }
  g_list_store_splice (self->bands, 0, g_list_model_get_n_items (G_LIST_MODEL (self->bands)), items->pdata, items->len);
}

GtkWidget *
es_metadata_table_new (void)
{
  return g_object_new (ES_TYPE_METADATA_TABLE, NULL);
}

static void
es_metadata_table_finalize (GObject *object)
{
  EsMetadataTable *self = ES_METADATA_TABLE (object);

  g_clear_object (&self->cube);
  g_clear_object (&self->bands);
  G_OBJECT_CLASS (es_metadata_table_parent_class)->finalize (object);
}

static void
es_metadata_table_class_init (EsMetadataTableClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = es_metadata_table_finalize;
  signals[TELL] = g_signal_new ("tell", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, ES_TYPE_METADATA,
                                G_TYPE_STRING);
  signals[REFUSED] = g_signal_new ("refused", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_STRING);
  /* Of the table alone: what cells say is another thing. */
  signals[REFRESHED] = g_signal_new ("refreshed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
es_metadata_table_init (EsMetadataTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *view;
  GtkColumnView *columns;

  self->bands = g_list_store_new (ES_TYPE_METADATA_BAND);
  view = gtk_column_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->bands)))));
  columns = GTK_COLUMN_VIEW (view);
  gtk_column_view_set_show_row_separators (columns, TRUE);
  add_column (self, columns, ES_BAND_NUMBER, _("Band"));
  add_column (self, columns, ES_BAND_NAME, _("Name"));
  self->wavelength = add_column (self, columns, ES_BAND_WAVELENGTH, _("Wavelength"));
  add_column (self, columns, ES_BAND_FWHM, _("Width"));
  add_column (self, columns, ES_BAND_GOOD, _("Good"));
  add_column (self, columns, ES_BAND_NO_DATA, _("No-data"));
  add_column (self, columns, ES_BAND_SCALE, _("Scale"));
  add_column (self, columns, ES_BAND_OFFSET, C_("cube", "Offset"));
  gtk_widget_add_css_class (view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Bands"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_widget_set_vexpand (scroller, TRUE);
  adw_bin_set_child (ADW_BIN (self), scroller);
}
