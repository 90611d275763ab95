/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata-form.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "es-metadata-entry.h"
#include "es-metadata-rows.h"
#include "es-metadata-store.h"

/* In the order of es_metadata_unit_titles. */
static const char *const units[] = { "nm", "um", "cm-1" };

/* One row's end: where the value comes from, and what takes that back. */
typedef struct
{
  GtkWidget *row;
  GtkLabel  *source;
  GtkWidget *reset;
} End;

struct _EsMetadataForm
{
  AdwBin        parent_instance;

  EsCube       *cube;          /* nullable */
  AdwActionRow *size, *wavelengths;
  AdwComboRow  *unit;
  End           wavelengths_end, unit_end, *ends;
  guint         n_rows;
  gboolean      updating;
};

enum { TELL, REFUSED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsMetadataForm, es_metadata_form, ADW_TYPE_BIN)

/* ---- telling ---- */

/* What is told by now, to be changed; what it points to is not its own. */
static EsMetadataFacts
borrow_facts (EsMetadataForm *self)
{
  EsMetadataFacts facts = *es_metadata_get_facts (es_metadata_store_get_told (self->cube));

  facts.bands = es_cube_get_bands (self->cube);
  return facts;
}

static void
tell (EsMetadataForm *self, const EsMetadataFacts *facts, const char *id)
{
  g_autoptr (EsMetadata) metadata = es_metadata_new (facts);

  g_signal_emit (self, signals[TELL], 0, metadata, id);
}

static const EsMetadataRow *
row_of (gpointer widget)
{
  return g_object_get_data (G_OBJECT (widget), "es-row");
}

static void
on_apply (EsMetadataForm *self, AdwEntryRow *entry)
{
  const EsMetadataRow *row = row_of (entry);
  EsMetadataFacts facts;
  g_autofree gpointer own = NULL;
  g_autoptr (GError) error = NULL;

  if (self->cube == NULL)
    return;
  facts = borrow_facts (self);
  if (row->read (self->cube, gtk_editable_get_text (GTK_EDITABLE (entry)), &facts, &own, &error))
    {
      tell (self, &facts, row->id);
      return;
    }
  es_metadata_form_mark (self, row->id);
  g_signal_emit (self, signals[REFUSED], 0, error->message);
}

static void
on_reset (EsMetadataForm *self, GtkWidget *button)
{
  const EsMetadataRow *row = row_of (button);
  EsMetadataFacts facts = borrow_facts (self);

  if (row != NULL)
    row->clear (&facts);
  else if (button == self->unit_end.reset)
    facts.wavelength_unit = NULL;
  else
    {
      facts.wavelengths = facts.fwhm = NULL;
      facts.wavelength_unit = NULL;
    }
  tell (self, &facts, row != NULL ? row->id : "wavelengths");
}

static void
on_unit (EsMetadataForm *self)
{
  const guint i = adw_combo_row_get_selected (self->unit);
  EsMetadataFacts facts;

  if (self->updating || self->cube == NULL || i >= G_N_ELEMENTS (units))
    return;
  facts = borrow_facts (self);
  facts.wavelength_unit = (char *) units[i];
  tell (self, &facts, "wavelength-unit");
}

/* ---- showing ---- */

typedef enum { FROM_FILE, FROM_PERSON, FROM_GUESS, FROM_NOBODY } Source;

static void
show_end (const End *end, Source source, const char *said)
{
  static const char *const names[] = { N_("from the file"), N_("told"), N_("guessed"), N_("not said") };
  g_autofree char *tooltip = NULL;

  gtk_label_set_label (end->source, _(names[source]));
  gtk_widget_remove_css_class (GTK_WIDGET (end->source), "accent");
  gtk_widget_remove_css_class (GTK_WIDGET (end->source), "warning");
  if (source == FROM_PERSON || source == FROM_GUESS)
    gtk_widget_add_css_class (GTK_WIDGET (end->source), source == FROM_PERSON ? "accent" : "warning");
  gtk_widget_set_visible (end->reset, source == FROM_PERSON);
  if (source != FROM_PERSON)
    return;
  if (said != NULL && g_utf8_strlen (said, -1) < 100)
    tooltip = g_strdup_printf (_("Back to what the file says: %s"), said);
  gtk_widget_set_tooltip_text (end->reset, tooltip != NULL ? tooltip : _("Back to what the file says"));
}

static gboolean
is_said (const EsMetadataRow *row, const char *text)
{
  return *text != '\0' && strcmp (text, row->usual != NULL ? row->usual : _("none")) != 0;
}

static void
show_row (EsMetadataForm *self, const End *end)
{
  const EsMetadataRow *row = row_of (end->row);
  g_autofree char *text = row->show (self->cube), *said = row->show (es_cube_get_original (self->cube));
  const gboolean told = row->told (es_metadata_get_facts (es_cube_get_metadata (self->cube)));

  es_metadata_show_text (end->row, text);
  show_end (end, told ? FROM_PERSON : is_said (row, said) ? FROM_FILE : FROM_NOBODY, said);
}

static char *
describe_wavelengths (EsCube *cube)
{
  const double *list = es_cube_get_said_wavelengths (cube);
  const double *nanometres = es_cube_get_wavelengths (cube);
  const guint n = es_cube_get_bands (cube);
  double lowest = INFINITY, highest = -INFINITY;

  if (list == NULL)
    return g_strdup (_("none: bands are numbered"));
  if (nanometres == NULL)
    return g_strdup (_("A list of numbers that are taken for none: tell their unit"));
  for (guint b = 0; b < n; b++)
    {
      lowest = MIN (lowest, nanometres[b]);
      highest = MAX (highest, nanometres[b]);
    }
  return g_strdup_printf (es_cube_get_fwhm (cube) != NULL ? _("%.5g–%.5g nm, %u bands, with their widths")
                                                          : _("%.5g–%.5g nm, %u bands"), lowest, highest, n);
}

static void
show_wavelengths (EsMetadataForm *self)
{
  const EsMetadataFacts *facts = es_metadata_get_facts (es_cube_get_metadata (self->cube));
  EsCube *original = es_cube_get_original (self->cube);
  g_autofree char *text = describe_wavelengths (self->cube), *said = describe_wavelengths (original);
  gboolean guessed;
  const char *unit = es_cube_get_wavelength_unit (self->cube, &guessed);
  const gboolean has_list = es_cube_get_said_wavelengths (self->cube) != NULL;

  adw_action_row_set_subtitle (self->wavelengths, text);
  show_end (&self->wavelengths_end,
            facts->wavelengths != NULL ? FROM_PERSON : has_list ? FROM_FILE : FROM_NOBODY, said);
  gtk_widget_set_sensitive (GTK_WIDGET (self->unit), has_list);
  adw_combo_row_set_selected (self->unit, es_metadata_find_unit (unit));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->unit),
                               guessed ? _("No unit is said: guessed by the size of the numbers") : "");
  show_end (&self->unit_end, facts->wavelength_unit != NULL ? FROM_PERSON : guessed ? FROM_GUESS
                             : has_list && unit != NULL ? FROM_FILE : FROM_NOBODY,
            es_cube_get_wavelength_unit (original, NULL));
}

void
es_metadata_form_set_cube (EsMetadataForm *self, EsCube *cube)
{
  g_autofree char *size = NULL, *bytes = NULL;

  g_return_if_fail (ES_IS_METADATA_FORM (self) && ES_IS_CUBE (cube));

  g_set_object (&self->cube, cube);
  self->updating = TRUE;
  bytes = g_format_size (es_cube_get_bytes (cube));
  size = g_strdup_printf (_("%" PRIu64 " × %" PRIu64 " pixels, %u bands · %s, %s, %s"),
                          es_cube_get_width (cube), es_cube_get_height (cube), es_cube_get_bands (cube),
                          es_cube_get_format_name (cube), es_cube_get_type_name (cube), bytes);
  adw_action_row_set_subtitle (self->size, size);
  show_wavelengths (self);
  for (guint i = 0; i < self->n_rows; i++)
    show_row (self, &self->ends[i]);
  self->updating = FALSE;
  es_metadata_form_mark (self, NULL);
}

void
es_metadata_form_mark (EsMetadataForm *self, const char *id)
{
  g_return_if_fail (ES_IS_METADATA_FORM (self));

  for (guint i = 0; i < self->n_rows; i++)
    {
      gtk_widget_remove_css_class (self->ends[i].row, "error");
      if (g_strcmp0 (row_of (self->ends[i].row)->id, id) == 0)
        gtk_widget_add_css_class (self->ends[i].row, "error");
    }
}

GtkWidget *
es_metadata_form_get_row (EsMetadataForm *self, const char *id)
{
  g_return_val_if_fail (ES_IS_METADATA_FORM (self), NULL);

  if (g_str_equal (id, "wavelength-unit"))
    return GTK_WIDGET (self->unit);
  for (guint i = 0; i < self->n_rows; i++)
    if (g_str_equal (row_of (self->ends[i].row)->id, id))
      return self->ends[i].row;
  return NULL;
}

/* ---- beginning and end ---- */

/* Behind what the row has of its own. */
static void
add_end (EsMetadataForm *self, End *end, GtkWidget *row, const EsMetadataRow *what)
{
  GtkWidget *label = gtk_label_new (NULL), *reset = gtk_button_new_from_icon_name ("edit-undo-symbolic");

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_valign (reset, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (reset, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (reset), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Back to what the file says"), -1);
  g_object_set_data (G_OBJECT (reset), "es-row", (gpointer) what);
  g_signal_connect_object (reset, "clicked", G_CALLBACK (on_reset), self, G_CONNECT_SWAPPED);
  if (ADW_IS_ENTRY_ROW (row))
    {
      adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), label);
      adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), reset);
    }
  else
    {
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), reset);
    }
  *end = (End) { row, GTK_LABEL (label), reset };
}

static void
add_wavelengths (EsMetadataForm *self, AdwPreferencesGroup *group, GMenuModel *sources)
{
  GtkWidget *row = adw_action_row_new (), *take = gtk_menu_button_new (), *unit = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (es_metadata_unit_titles);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Wavelengths"));
  add_end (self, &self->wavelengths_end, row, NULL);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (take), _("_Take From"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (take), TRUE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (take), sources);
  gtk_widget_set_valign (take, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (take, _("Wavelengths, widths and bad bands of a text file or of another cube"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), take);
  adw_preferences_group_add (group, row);
  self->wavelengths = ADW_ACTION_ROW (row);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (unit), _("Unit of the wavelengths"));
  adw_combo_row_set_model (ADW_COMBO_ROW (unit), G_LIST_MODEL (list));
  add_end (self, &self->unit_end, unit, NULL);
  g_signal_connect_object (unit, "notify::selected", G_CALLBACK (on_unit), self, G_CONNECT_SWAPPED);
  adw_preferences_group_add (group, unit);
  self->unit = ADW_COMBO_ROW (unit);
}

static AdwPreferencesGroup *
add_group (AdwPreferencesPage *page, const char *title)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  if (title != NULL)
    adw_preferences_group_set_title (group, title);
  adw_preferences_page_add (page, group);
  return group;
}

static GtkWidget *
make_entry (EsMetadataForm *self, const EsMetadataRow *what)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), g_dgettext (GETTEXT_PACKAGE, what->title));
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (row), TRUE);
  gtk_widget_set_tooltip_text (row, g_dgettext (GETTEXT_PACKAGE, what->hint));
  g_object_set_data (G_OBJECT (row), "es-row", (gpointer) what);
  g_signal_connect_object (row, "apply", G_CALLBACK (on_apply), self, G_CONNECT_SWAPPED);
  return row;
}

GtkWidget *
es_metadata_form_new (GMenuModel *sources)
{
  EsMetadataForm *self = g_object_new (ES_TYPE_METADATA_FORM, NULL);
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  AdwPreferencesGroup *file = add_group (page, NULL), *bands = add_group (page, _("Bands"));
  AdwPreferencesGroup *values = add_group (page, _("Values")), *place = add_group (page, _("Place"));
  const EsMetadataRow *rows = es_metadata_rows (&self->n_rows);

  self->size = ADW_ACTION_ROW (adw_action_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->size), _("Samples"));
  adw_preferences_group_add (file, GTK_WIDGET (self->size));
  add_wavelengths (self, bands, sources);
  self->ends = g_new0 (End, self->n_rows);
  for (guint i = 0; i < self->n_rows; i++)
    {
      GtkWidget *row = make_entry (self, &rows[i]);

      add_end (self, &self->ends[i], row, &rows[i]);
      adw_preferences_group_add (i < 2 ? bands : i < 6 ? values : place, row);
    }
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (page));
  return GTK_WIDGET (self);
}

static void
es_metadata_form_finalize (GObject *object)
{
  EsMetadataForm *self = ES_METADATA_FORM (object);

  g_clear_object (&self->cube);
  g_free (self->ends);
  G_OBJECT_CLASS (es_metadata_form_parent_class)->finalize (object);
}

static void
es_metadata_form_class_init (EsMetadataFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_metadata_form_finalize;
  signals[TELL] = g_signal_new ("tell", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, ES_TYPE_METADATA, G_TYPE_STRING);
  signals[REFUSED] = g_signal_new ("refused", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
es_metadata_form_init (EsMetadataForm *self)
{
}
