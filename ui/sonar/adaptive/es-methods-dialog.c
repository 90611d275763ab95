/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-methods-dialog-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-export.h"
#include "analyse/es-published-page.h"
#include "report/es-step-bars.h"

#define N_ROUTES (ES_N_ADAPTIVE_METHODS - 1)
#define N_STEPS 3
#define N_COLUMNS 7
/* A method that would take longer is not tried. */
#define MOST_SECONDS 10
#define LONGEST_SECONDS 3600

G_DEFINE_FINAL_TYPE (EsMethodsDialog, es_methods_dialog, ADW_TYPE_WINDOW)

/* ---- what has come out ---- */

static char *
describe (EsMethodsDialog *self)
{
  const guint b = es_array_get_n_alive (self->array);
  const double k = es_beam_settings_get_effective_snapshots (self->settings);
  const double seconds = self->frame / es_recording_get_rate (self->recording);

  return g_strdup_printf (ngettext ("%s · %u element, %.4g snapshots, %u bins, %u angles, loading %.3g · at %.2f s",
                                    "%s · %u elements, %.4g snapshots, %u bins, %u angles, loading %.3g · at %.2f s",
                                    b),
                          es_device_get_name (self->device), b, k, self->settings->n_bins, self->settings->n_angles,
                          es_beam_settings_get_loading (self->settings, b), seconds);
}

/* Borrows from the routes and the steps. */
static void
fill_rows (EsMethodsDialog *self, const char **titles, const char **steps, double *ms, double *totals,
           const char **notes, EsStepBarsRows *rows)
{
  steps[0] = _("Matrix");
  steps[1] = _("Factor");
  steps[2] = _("Azimuth spectrum");
  for (guint i = 0; i < N_ROUTES; i++)
    {
      const EsAdaptiveRoute *route = &self->routes[i];
      const gboolean used = route->refusal == NULL;

      titles[i] = es_adaptive_method_get_name (route->method);
      ms[N_STEPS * i] = used ? route->matrix_ms : NAN;
      ms[N_STEPS * i + 1] = used ? route->factor_ms : NAN;
      ms[N_STEPS * i + 2] = used ? route->spectrum_ms : NAN;
      totals[i] = used ? route->total_ms : NAN;
      notes[i] = used ? NULL : _("not used here");
    }
  *rows = (EsStepBarsRows) { N_ROUTES, N_STEPS, titles, steps, ms, totals, notes };
}

static EsStepBarsStyle
style_of (EsMethodsDialog *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->stacked)) ? ES_STEP_BARS_STACKED
                                                                          : ES_STEP_BARS_GROUPED;
}

static void
draw_bars (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  EsMethodsDialog *self = data;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  EsPlotColors colors = dark ? es_plot_colors_dark : es_plot_colors_light;
  const char *titles[N_ROUTES], *notes[N_ROUTES], *steps[N_STEPS];
  double ms[N_ROUTES * N_STEPS], totals[N_ROUTES];
  EsStepBarsRows rows;

  if (self->routes == NULL)
    return;
  colors.opaque = FALSE;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &colors.foreground);
  fill_rows (self, titles, steps, ms, totals, notes, &rows);
  es_step_bars_draw_rows (&rows, style_of (self), cr, width, height, &colors);
}

static char *
format_cell (const EsAdaptiveRoute *route, guint column)
{
  const double ms[] = { route->matrix_ms, route->factor_ms, route->spectrum_ms, route->total_ms };

  if (column == 0)
    return g_strdup (es_adaptive_method_get_name (route->method));
  if (route->refusal != NULL)
    return g_strdup ("–");
  if (column <= 4)
    return g_strdup_printf ("%.*f", ms[column - 1] >= 100 ? 1 : 3, ms[column - 1]);
  if (column == 5)
    return route->difference > 0 ? g_strdup_printf ("%.1e", route->difference) : g_strdup ("0");
  return isnan (route->bearing) ? g_strdup ("–") : g_strdup_printf ("%.1f", route->bearing);
}

static void
fill_table (EsMethodsDialog *self)
{
  const char *titles[N_COLUMNS] = {
    _("Method"), _("Matrix (ms)"), _("Factor (ms)"), _("Spectrum (ms)"), _("Total (ms)"), _("Difference"),
    _("Bearing (°)"),
  };
  const gboolean numeric[N_COLUMNS] = { FALSE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_ROUTES; i++)
    for (guint column = 0; column < N_COLUMNS; column++)
      g_ptr_array_add (cells, format_cell (&self->routes[i], column));
  es_table_view_set_cells (self->table, N_COLUMNS, titles, numeric, N_ROUTES, (const char * const *) cells->pdata);
}

/* Why one cannot be used, and what there is to say of a single one. */
static char *
join_notes (EsMethodsDialog *self)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_ROUTES; i++)
    {
      const EsAdaptiveRoute *route = &self->routes[i];
      const char *name = es_adaptive_method_get_name (route->method);

      if (route->refusal != NULL)
        g_ptr_array_add (lines, g_strdup_printf ("%s: %s", name, route->refusal));
      else if (route->sweeps > 0)
        g_ptr_array_add (lines, g_strdup_printf (ngettext ("%s: %u sweep, %llu rotations over all bins",
                                                           "%s: %u sweeps, %llu rotations over all bins",
                                                           route->sweeps),
                                                 name, route->sweeps, (unsigned long long) route->rotations));
    }
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

void
_es_methods_dialog_update (EsMethodsDialog *self)
{
  const gboolean running = self->cancellable != NULL, any = self->routes != NULL;

  gtk_button_set_label (GTK_BUTTON (self->run), running ? _("_Cancel") : _("_Measure"));
  gtk_widget_set_visible (self->spinner, running);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), running);
  gtk_widget_set_visible (self->outcome, any);
  if (any)
    {
      const EsStepBarsRows rows = { .n_rows = N_ROUTES, .n_steps = N_STEPS };
      g_autofree char *notes = join_notes (self);

      fill_table (self);
      gtk_label_set_text (GTK_LABEL (self->notes), notes);
      gtk_widget_set_visible (self->notes, *notes != '\0');
      gtk_widget_set_size_request (self->bars, -1, es_step_bars_get_rows_height (&rows, style_of (self)));
    }
  gtk_widget_queue_draw (self->bars);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "methods.copy", any);
}

/* ---- what one can ask for ---- */

void
es_methods_dialog_cancel (EsMethodsDialog *self)
{
  g_return_if_fail (ES_IS_METHODS_DIALOG (self));

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

gboolean
es_methods_dialog_is_running (EsMethodsDialog *self)
{
  g_return_val_if_fail (ES_IS_METHODS_DIALOG (self), FALSE);
  return self->cancellable != NULL;
}

const EsAdaptiveRoute *
es_methods_dialog_get_routes (EsMethodsDialog *self)
{
  g_return_val_if_fail (ES_IS_METHODS_DIALOG (self), NULL);
  return self->routes;
}

char *
es_methods_dialog_to_text (EsMethodsDialog *self)
{
  GString *text;
  g_autofree char *what = NULL;
  g_autofree char *table = NULL;
  g_autofree char *notes = NULL;

  g_return_val_if_fail (ES_IS_METHODS_DIALOG (self), NULL);

  what = describe (self);
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s · %s\n", es_dataset_get_name (ES_DATASET (self->recording)), what);
  if (self->routes == NULL)
    return g_string_free (text, FALSE);
  table = es_table_view_to_text (self->table);
  notes = join_notes (self);
  g_string_append (text, table);
  if (text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  if (*notes != '\0')
    g_string_append_printf (text, "%s\n", notes);
  return g_string_free (text, FALSE);
}

static void
on_run (EsMethodsDialog *self)
{
  if (self->cancellable != NULL)
    es_methods_dialog_cancel (self);
  else
    es_methods_dialog_run (self);
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = es_methods_dialog_to_text (ES_METHODS_DIALOG (widget));

  es_export_copy_text (widget, text);
}

/* ---- making ---- */

static GtkWidget *
make_controls (EsMethodsDialog *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_At most")), *unit = gtk_label_new (_("s each"));
  GtkWidget *gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->most = gtk_spin_button_new_with_range (1, LONGEST_SECONDS, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->most), MOST_SECONDS);
  gtk_widget_set_tooltip_text (self->most, _("A method that would take longer is not tried"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->most);
  self->spinner = gtk_spinner_new ();
  gtk_widget_set_hexpand (gap, TRUE);
  self->run = gtk_button_new_with_mnemonic (_("_Measure"));
  gtk_widget_add_css_class (self->run, "suggested-action");
  g_signal_connect_object (self->run, "clicked", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->most);
  gtk_box_append (GTK_BOX (row), unit);
  gtk_box_append (GTK_BOX (row), gap);
  gtk_box_append (GTK_BOX (row), self->spinner);
  gtk_box_append (GTK_BOX (row), self->run);
  return row;
}

static GtkLabel *
make_text (GtkWidget *box, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkWidget *
make_outcome (EsMethodsDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10), *head = es_totals_switch_new (&self->stacked);

  g_signal_connect_object (self->stacked, "toggled", G_CALLBACK (_es_methods_dialog_update), self, G_CONNECT_SWAPPED);
  self->bars = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->bars), draw_bars, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bars), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Times of the steps of each method"), -1);
  self->table = ES_TABLE_VIEW (es_table_view_new (400));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "card");
  gtk_widget_set_overflow (GTK_WIDGET (self->table), GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->bars);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  self->notes = GTK_WIDGET (make_text (box, NULL));
  make_text (box, _("The total is the time that passed; steps are what the processors were busy with each. Difference: "
                    "the largest relative difference of the power at any angle and bin from that of the first method "
                    "in the list that could be used."));
  return box;
}

static GtkWidget *
make_page (EsMethodsDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->what = GTK_WIDGET (make_text (box, NULL));
  gtk_box_append (GTK_BOX (box), make_controls (self));
  self->outcome = make_outcome (self);
  gtk_box_append (GTK_BOX (box), self->outcome);
  return es_dialog_page_new (box);
}

static gboolean
es_methods_dialog_close_request (GtkWindow *window)
{
  es_methods_dialog_cancel (ES_METHODS_DIALOG (window));
  return GTK_WINDOW_CLASS (es_methods_dialog_parent_class)->close_request (window);
}

static void
es_methods_dialog_dispose (GObject *object)
{
  EsMethodsDialog *self = ES_METHODS_DIALOG (object);

  es_methods_dialog_cancel (self);
  if (self->bars != NULL)
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->bars), NULL, NULL, NULL);
  self->bars = NULL;
  g_clear_pointer (&self->routes, es_adaptive_routes_free);
  g_clear_pointer (&self->settings, es_beam_settings_free);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_object (&self->recording);
  g_clear_object (&self->device);
  G_OBJECT_CLASS (es_methods_dialog_parent_class)->dispose (object);
}

static void
es_methods_dialog_class_init (EsMethodsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_methods_dialog_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = es_methods_dialog_close_request;
  gtk_widget_class_install_action (widget_class, "methods.copy", NULL, copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
es_methods_dialog_init (EsMethodsDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();
  GtkWidget *stack = gtk_stack_new (), *switcher = gtk_stack_switcher_new (), *toasts = adw_toast_overlay_new ();
  GtkWidget *published = es_published_page_new ("mvdr"), *button = gtk_button_new_with_mnemonic (_("_Copy"));

  gtk_window_set_title (GTK_WINDOW (self), _("Compare Methods"));
  gtk_window_set_default_size (GTK_WINDOW (self), 900, 680);
  gtk_stack_add_titled (GTK_STACK (stack), make_page (self), "machine", _("This Computer"));
  if (published != NULL)
    {
      gtk_stack_add_titled (GTK_STACK (stack), published, "published", _("Published"));
      gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
      adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), switcher);
    }
  else
    g_object_unref (g_object_ref_sink (switcher));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "methods.copy");
  gtk_widget_set_tooltip_text (button, _("Copy the table as text"));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), button);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (toasts), stack);
  gtk_widget_set_vexpand (toasts, TRUE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), toasts);
  adw_window_set_content (ADW_WINDOW (self), box);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw),
                           self->bars, G_CONNECT_SWAPPED);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->run);
  gtk_window_set_focus (GTK_WINDOW (self), self->run);
}

GtkWidget *
es_methods_dialog_new (GtkWindow *parent, EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                       EsDevice *device, guint64 frame)
{
  EsMethodsDialog *self;
  g_autofree char *what = NULL;

  g_return_val_if_fail (ES_IS_RECORDING (recording) && array != NULL && settings != NULL, NULL);

  self = g_object_new (ES_TYPE_METHODS_DIALOG, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  self->recording = g_object_ref (recording);
  self->array = es_array_ref (array);
  self->settings = es_beam_settings_copy (settings);
  self->device = g_object_ref (device != NULL ? device : es_device_get_cpu ());
  self->frame = frame;
  what = describe (self);
  gtk_label_set_text (GTK_LABEL (self->what), what);
  _es_methods_dialog_update (self);
  return GTK_WIDGET (self);
}
