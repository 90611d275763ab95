/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raw-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "es-raw-preview.h"
#include "widgets/es-dialog.h"

#define PREVIEW_DELAY_MS 120
#define LEVEL_WIDTH      76.0

static const char * const types[] = { "int16", "int24", "int32", "float32", "float64" };

struct _EsRawDialog
{
  AdwWindow      parent_instance;

  GtkSpinButton *channels, *rate, *offset;
  GtkDropDown   *type, *order, *layout;
  GtkWidget     *canvas;
  GtkAdjustment *place;
  GtkLabel      *verdict;
  GtkWidget     *import;

  GFile         *file;
  EsRawPreview  *preview;        /* nullable */
  GCancellable  *cancellable;    /* of the preview under way; nullable */
  guint          source;
};

enum { IMPORT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsRawDialog, es_raw_dialog, ADW_TYPE_WINDOW)

/* ---- the preview ---- */

static void
show_preview (EsRawDialog *self, EsRawPreview *preview, const GError *error)
{
  g_clear_pointer (&self->preview, es_raw_preview_free);
  self->preview = preview;
  gtk_widget_set_sensitive (self->import, preview != NULL);
  gtk_widget_queue_draw (self->canvas);
  if (preview == NULL)
    {
      es_dialog_say (self->verdict, error->message, "error");
      return;
    }
  if (preview->doubt != NULL)
    es_dialog_say (self->verdict, preview->doubt, "warning");
  else
    {
      g_autofree char *description = es_dataset_describe (preview->recording);
      const char * const *notes = es_dataset_get_notes (preview->recording);
      g_autofree char *text = notes != NULL && notes[0] != NULL ? g_strdup_printf ("%s. %s", description, notes[0])
                                                                : g_steal_pointer (&description);

      es_dialog_say (self->verdict, text, "dim-label");
    }
}

typedef struct
{
  GFile       *file;
  EsRawSamples samples;
  double       place;
} Question;

static void
question_free (gpointer data)
{
  g_object_unref (((Question *) data)->file);
  g_free (data);
}

static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  GError *error = NULL;
  EsRawPreview *preview = es_raw_preview_new (question->file, &question->samples, question->place, cancellable, &error);

  if (preview != NULL)
    g_task_return_pointer (task, preview, (GDestroyNotify) es_raw_preview_free);
  else
    g_task_return_error (task, error);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  EsRawDialog *self = ES_RAW_DIALOG (source);
  g_autoptr (GError) error = NULL;
  EsRawPreview *preview = g_task_propagate_pointer (G_TASK (result), &error);

  /* A later one is under way, or the dialog is gone. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      es_raw_preview_free (preview);
      return;
    }
  g_clear_object (&self->cancellable);
  show_preview (self, preview, error);
}

static gboolean
begin (gpointer data)
{
  EsRawDialog *self = data;
  Question *question = g_new0 (Question, 1);
  g_autoptr (GTask) task = NULL;

  self->source = 0;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  question->file = g_object_ref (self->file);
  question->samples = es_raw_dialog_get_samples (self);
  question->place = gtk_adjustment_get_value (self->place);
  task = g_task_new (self, self->cancellable, on_looked, NULL);
  g_task_set_source_tag (task, begin);
  g_task_set_task_data (task, question, question_free);
  es_task_run_in_thread (task, look);
  return G_SOURCE_REMOVE;
}

static void
on_changed (EsRawDialog *self)
{
  if (self->file == NULL)
    return;
  g_clear_handle_id (&self->source, g_source_remove);
  self->source = g_timeout_add (PREVIEW_DELAY_MS, begin, self);
}

/* ---- the picture ---- */

static void
draw_channel (cairo_t *cr, const float *samples, guint n, double peak, double x, double y, double width, double height)
{
  const double scale = height / 2 / (peak > 0 && isfinite (peak) ? peak : 1);

  for (guint i = 0; i < n; i++)
    {
      double value = isfinite (samples[i]) ? CLAMP (samples[i] * scale, -height / 2, height / 2) : 0;

      if (i == 0)
        cairo_move_to (cr, x, y - value);
      else
        cairo_line_to (cr, x + width * i / MAX (n - 1, 1), y - value);
    }
  cairo_stroke (cr);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  EsRawDialog *self = data;
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (area), NULL);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  GdkRGBA ink;
  double each;

  if (self->preview == NULL)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  pango_layout_set_attributes (layout, attributes);
  each = (double) height / self->preview->n_channels;
  cairo_set_line_width (cr, 1);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_BEVEL);
  for (guint c = 0; c < self->preview->n_channels; c++)
    {
      const double y = (c + 0.5) * each, level = self->preview->levels[c];
      g_autofree char *text = isfinite (level)
        /* TRANSLATORS: a level, after its sign; dB re full scale */
        ? g_strdup_printf (_("%s%.1f dB"), level < 0 ? "−" : "", fabs (level)) : g_strdup ("–");
      int text_width, text_height;

      cairo_set_source_rgba (cr, ink.red, ink.green, ink.blue, 0.25);
      cairo_move_to (cr, 0, floor (y) + 0.5);
      cairo_line_to (cr, width - LEVEL_WIDTH, floor (y) + 0.5);
      cairo_stroke (cr);
      cairo_set_source_rgba (cr, ink.red, ink.green, ink.blue, 0.9);
      draw_channel (cr, self->preview->samples + (gsize) c * self->preview->n_frames, self->preview->n_frames,
                    self->preview->peaks[c], 0, y, width - LEVEL_WIDTH, each * 0.86);
      pango_layout_set_text (layout, text, -1);
      pango_layout_get_pixel_size (layout, &text_width, &text_height);
      cairo_move_to (cr, width - 6 - text_width, y - text_height / 2.0);
      pango_cairo_show_layout (cr, layout);
    }
}

/* ---- the dialog ---- */

void
es_raw_dialog_import (EsRawDialog *self)
{
  g_return_if_fail (ES_IS_RAW_DIALOG (self));

  g_signal_emit (self, signals[IMPORT], 0);
  gtk_window_close (GTK_WINDOW (self));
}

static void
es_raw_dialog_dispose (GObject *object)
{
  EsRawDialog *self = ES_RAW_DIALOG (object);

  g_clear_handle_id (&self->source, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->preview, es_raw_preview_free);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (es_raw_dialog_parent_class)->dispose (object);
}

static void
es_raw_dialog_class_init (EsRawDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_raw_dialog_dispose;
  signals[IMPORT] = g_signal_new ("import", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
add_row (GtkGrid *grid, int row, const char *title, GtkWidget *control)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), control);
  gtk_widget_set_hexpand (control, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, control, 1, row, 1, 1);
  return control;
}

static GtkSpinButton *
add_spin (EsRawDialog *self, GtkGrid *grid, int row, const char *title, double least, double most, double step,
          guint digits)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_widget_add_css_class (spin, "numeric");
  add_row (grid, row, title, spin);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return GTK_SPIN_BUTTON (spin);
}

static GtkDropDown *
add_choice (EsRawDialog *self, GtkGrid *grid, int row, const char *title, const char * const *names)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (names);

  add_row (grid, row, title, choice);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return GTK_DROP_DOWN (choice);
}

static GtkWidget *
make_settings (EsRawDialog *self)
{
  const char * const type_names[] = {
    _("16-bit integers"), _("24-bit integers"), _("32-bit integers"), _("32-bit floats"), _("64-bit floats"), NULL,
  };
  const char * const orders[] = { _("Little endian"), _("Big endian"), NULL };
  const char * const layouts[] = { _("Interleaved"), _("One channel after the other"), NULL };
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_widget_set_size_request (grid, 270, -1);
  self->channels = add_spin (self, GTK_GRID (grid), 0, _("_Channels"), 1, 1000000, 1, 0);
  self->rate = add_spin (self, GTK_GRID (grid), 1, _("_Rate (Hz)"), 0.001, 1e8, 1000, 0);
  self->type = add_choice (self, GTK_GRID (grid), 2, _("_Type"), type_names);
  self->order = add_choice (self, GTK_GRID (grid), 3, _("_Byte order"), orders);
  self->layout = add_choice (self, GTK_GRID (grid), 4, _("_Layout"), layouts);
  self->offset = add_spin (self, GTK_GRID (grid), 5, _("_Offset (bytes)"), 0, 1e15, 1, 0);
  gtk_spin_button_set_value (self->rate, 8000);
  return grid;
}

static GtkWidget *
make_picture (EsRawDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkWidget *scale;

  self->canvas = gtk_drawing_area_new ();
  gtk_widget_set_size_request (self->canvas, 380, 240);
  gtk_widget_set_hexpand (self->canvas, TRUE);
  gtk_widget_set_vexpand (self->canvas, TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->canvas), draw, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Waveforms of the first channels, each at its own scale, and their levels"), -1);
  gtk_widget_set_tooltip_text (self->canvas,
                               _("Waveforms of the first channels, each at its own scale, and their levels"));
  gtk_frame_set_child (GTK_FRAME (frame), self->canvas);
  gtk_box_append (GTK_BOX (box), frame);
  self->place = gtk_adjustment_new (0, 0, 1, 0.01, 0.1, 0);
  scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->place);
  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  gtk_widget_set_tooltip_text (scale, _("Which part of the file is shown"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Which part of the file is shown"), -1);
  g_signal_connect_object (self->place, "value-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), scale);
  return box;
}

static void
es_raw_dialog_init (EsRawDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *sides = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

  gtk_window_set_title (GTK_WINDOW (self), _("Import a Recording"));
  gtk_window_set_default_size (GTK_WINDOW (self), 820, 440);
  gtk_box_append (GTK_BOX (box), es_dialog_header_new (_("_Import"), &self->import));
  gtk_widget_set_sensitive (self->import, FALSE);
  g_signal_connect_swapped (self->import, "clicked", G_CALLBACK (es_raw_dialog_import), self);
  gtk_widget_set_margin_top (content, 12);
  gtk_widget_set_margin_bottom (content, 12);
  gtk_widget_set_margin_start (content, 12);
  gtk_widget_set_margin_end (content, 12);
  gtk_box_append (GTK_BOX (sides), make_settings (self));
  gtk_box_append (GTK_BOX (sides), make_picture (self));
  gtk_box_append (GTK_BOX (content), sides);
  self->verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_label_set_wrap_mode (self->verdict, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (self->verdict, 0);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->verdict));
  gtk_box_append (GTK_BOX (box), content);
  adw_window_set_content (ADW_WINDOW (self), box);
}

/* "ch6", "6ch", "48000Hz", "float32" in the name of a file are as good as told. */
static void
guess (EsRawDialog *self)
{
  g_autofree char *name = g_file_get_basename (self->file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : g_strdup ("");
  g_autoptr (GRegex) channels = g_regex_new ("(?:ch(\\d+))|(?:(\\d+)ch)", 0, 0, NULL);
  g_autoptr (GRegex) rate = g_regex_new ("(\\d+(?:\\.\\d+)?)(k?)hz", 0, 0, NULL);
  g_autoptr (GMatchInfo) channels_match = NULL;
  g_autoptr (GMatchInfo) rate_match = NULL;

  if (g_regex_match (channels, lower, 0, &channels_match))
    {
      g_autofree char *one = g_match_info_fetch (channels_match, 1);
      g_autofree char *other = g_match_info_fetch (channels_match, 2);

      const char *number = one != NULL && *one != '\0' ? one : other;

      gtk_spin_button_set_value (self->channels, number != NULL ? g_ascii_strtod (number, NULL) : 1);
    }
  if (g_regex_match (rate, lower, 0, &rate_match))
    {
      g_autofree char *number = g_match_info_fetch (rate_match, 1);
      g_autofree char *kilo = g_match_info_fetch (rate_match, 2);

      gtk_spin_button_set_value (self->rate, g_ascii_strtod (number, NULL) * (*kilo == 'k' ? 1000 : 1));
    }
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_strrstr (lower, types[i]) != NULL)
      gtk_drop_down_set_selected (self->type, i);
}

GtkWidget *
es_raw_dialog_new (GtkWindow *parent, GFile *file)
{
  EsRawDialog *self;
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  self = g_object_new (ES_TYPE_RAW_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  name = es_error_file_name (file);
  /* TRANSLATORS: %s is the name of a file */
  title = g_strdup_printf (_("Import “%s”"), name);
  gtk_window_set_title (GTK_WINDOW (self), title);
  g_set_object (&self->file, file);
  guess (self);
  on_changed (self);
  return GTK_WIDGET (self);
}

GFile *
es_raw_dialog_get_file (EsRawDialog *self)
{
  g_return_val_if_fail (ES_IS_RAW_DIALOG (self), NULL);
  return self->file;
}

EsRawSamples
es_raw_dialog_get_samples (EsRawDialog *self)
{
  EsRawSamples samples = { 0 };

  g_return_val_if_fail (ES_IS_RAW_DIALOG (self), samples);

  samples.channels = (guint) gtk_spin_button_get_value_as_int (self->channels);
  samples.rate = gtk_spin_button_get_value (self->rate);
  samples.type = types[MIN (gtk_drop_down_get_selected (self->type), G_N_ELEMENTS (types) - 1)];
  samples.big_endian = gtk_drop_down_get_selected (self->order) == 1;
  samples.by_channel = gtk_drop_down_get_selected (self->layout) == 1;
  samples.offset = (guint64) gtk_spin_button_get_value (self->offset);
  return samples;
}

void
es_raw_dialog_set_samples (EsRawDialog *self, const EsRawSamples *samples)
{
  g_return_if_fail (ES_IS_RAW_DIALOG (self) && samples != NULL);

  gtk_spin_button_set_value (self->channels, samples->channels);
  gtk_spin_button_set_value (self->rate, samples->rate);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_strcmp0 (samples->type, types[i]) == 0)
      gtk_drop_down_set_selected (self->type, i);
  gtk_drop_down_set_selected (self->order, samples->big_endian ? 1 : 0);
  gtk_drop_down_set_selected (self->layout, samples->by_channel ? 1 : 0);
  gtk_spin_button_set_value (self->offset, (double) samples->offset);
  on_changed (self);
}

const char *
es_raw_dialog_get_verdict (EsRawDialog *self)
{
  g_return_val_if_fail (ES_IS_RAW_DIALOG (self), NULL);
  return gtk_label_get_label (self->verdict);
}

gboolean
es_raw_dialog_is_good (EsRawDialog *self)
{
  g_return_val_if_fail (ES_IS_RAW_DIALOG (self), FALSE);
  return gtk_widget_get_sensitive (self->import);
}

gboolean
es_raw_dialog_is_busy (EsRawDialog *self)
{
  g_return_val_if_fail (ES_IS_RAW_DIALOG (self), FALSE);
  return self->source != 0 || self->cancellable != NULL;
}
