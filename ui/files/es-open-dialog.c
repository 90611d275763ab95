/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-open-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"

struct _EsOpenDialog
{
  AdwMessageDialog parent_instance;

  GtkSpinButton   *width;
  GtkSpinButton   *height;
  GtkLabel        *verdict;

  GFile           *file;
  guint64          rows, columns;
  gboolean         filling;
};

G_DEFINE_FINAL_TYPE (EsOpenDialog, es_open_dialog, ADW_TYPE_MESSAGE_DIALOG)

static gboolean
is_matlab (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && g_str_has_suffix (lower, ".mat");
}

/* The sentence of the MATLAB reader states a 2-D array as "rows × columns", in every language; those about other
 * faults of such a file state no shape. */
gboolean
es_open_dialog_wants_shape (GFile *file, const GError *error, guint64 *rows, guint64 *columns)
{
  static GRegex *regex;
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (!g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT) || !is_matlab (file))
    return FALSE;
  if (regex == NULL)
    regex = g_regex_new ("([0-9]+) × ([0-9]+)", G_REGEX_OPTIMIZE, 0, NULL);
  if (!g_regex_match (regex, error->message, 0, &match))
    return FALSE;
  first = g_match_info_fetch (match, 1);
  second = g_match_info_fetch (match, 2);
  *rows = g_ascii_strtoull (first, NULL, 10);
  *columns = g_ascii_strtoull (second, NULL, 10);
  return *rows > 0 && *columns > 0;
}

static gboolean
fits (EsOpenDialog *self)
{
  guint64 pixels = (guint64) gtk_spin_button_get_value_as_int (self->width)
                   * (guint64) gtk_spin_button_get_value_as_int (self->height);

  return pixels == self->rows || pixels == self->columns;
}

static void
update (EsOpenDialog *self)
{
  gboolean good = fits (self);
  g_autofree char *text = NULL;

  text = good ? g_strdup (_("The array holds exactly this image."))
              : g_strdup_printf (_("%d × %d pixels is neither of the two lengths."),
                                 gtk_spin_button_get_value_as_int (self->width),
                                 gtk_spin_button_get_value_as_int (self->height));
  gtk_label_set_label (self->verdict, text);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "open", good);
}

/* Where the width leaves only one height it is filled in, and the other way round. */
static void
on_side_changed (EsOpenDialog *self, GtkSpinButton *changed)
{
  GtkSpinButton *other = changed == self->width ? self->height : self->width;
  guint64 side = (guint64) MAX (gtk_spin_button_get_value_as_int (changed), 1);
  guint64 pixels = MAX (self->rows, self->columns);

  if (self->filling)
    return;
  self->filling = TRUE;
  if (pixels % side == 0)
    gtk_spin_button_set_value (other, (double) (pixels / side));
  self->filling = FALSE;
  update (self);
}

static GtkSpinButton *
add_side (EsOpenDialog *self, GtkGrid *grid, int row, const char *title)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title);
  GtkWidget *spin = gtk_spin_button_new_with_range (1, G_MAXINT, 1);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_widget_set_hexpand (spin, TRUE);
  gtk_text_set_activates_default (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (spin))), TRUE);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, spin, 1, row, 1, 1);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (on_side_changed), self);
  return GTK_SPIN_BUTTON (spin);
}

static void
es_open_dialog_dispose (GObject *object)
{
  g_clear_object (&ES_OPEN_DIALOG (object)->file);
  G_OBJECT_CLASS (es_open_dialog_parent_class)->dispose (object);
}

static void
es_open_dialog_class_init (EsOpenDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_open_dialog_dispose;
}

static void
es_open_dialog_init (EsOpenDialog *self)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  self->width = add_side (self, GTK_GRID (grid), 0, _("_Width"));
  self->height = add_side (self, GTK_GRID (grid), 1, _("_Height"));
  self->verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->verdict), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->verdict), "caption");
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->verdict), 0, 2, 2, 1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (self), grid);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (self), "cancel", _("_Cancel"), "open", _("_Open"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (self), "open", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (self), "open");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (self), "cancel");
}

GtkWidget *
es_open_dialog_new (GtkWindow *parent, GFile *file, guint64 rows, guint64 columns)
{
  EsOpenDialog *self;
  g_autofree char *name = es_error_file_name (file);
  guint64 pixels = MAX (rows, columns), side;

  self = g_object_new (ES_TYPE_OPEN_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  self->file = g_object_ref (file);
  self->rows = rows;
  self->columns = columns;
  adw_message_dialog_set_heading (ADW_MESSAGE_DIALOG (self), _("Size of the Image"));
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (self),
                                  _("“%s” holds an array of %llu × %llu, pixels by bands. "
                                    "It does not say how wide and high the image is."),
                                  name, (unsigned long long) rows, (unsigned long long) columns);

  /* The most nearly square image of so many pixels is a good guess. */
  for (side = (guint64) sqrt ((double) pixels); side > 1 && pixels % side != 0; side--)
    ;
  gtk_spin_button_set_value (self->width, (double) MIN (pixels / MAX (side, 1), G_MAXINT));
  update (self);
  return GTK_WIDGET (self);
}

GFile *
es_open_dialog_get_file (EsOpenDialog *self)
{
  g_return_val_if_fail (ES_IS_OPEN_DIALOG (self), NULL);
  return self->file;
}

int
es_open_dialog_get_width (EsOpenDialog *self)
{
  g_return_val_if_fail (ES_IS_OPEN_DIALOG (self), 0);
  return gtk_spin_button_get_value_as_int (self->width);
}

int
es_open_dialog_get_height (EsOpenDialog *self)
{
  g_return_val_if_fail (ES_IS_OPEN_DIALOG (self), 0);
  return gtk_spin_button_get_value_as_int (self->height);
}
