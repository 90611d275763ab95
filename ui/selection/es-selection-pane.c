/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-selection-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-region.h"
#include "es-band-dialog.h"

/* Of the texts of sets of pixels that are checked at once: the main thread does. */
#define MOST_CHECKED 65536

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsSelectionPane, es_selection_pane, GTK_TYPE_WIDGET)

/* ---- telling ---- */

void
_es_selection_pane_complain (EsSelectionPane *self, const char *sentence)
{
  gtk_label_set_label (GTK_LABEL (self->problem), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->problem, sentence != NULL);
}

/* Sets of very many pixels take long to look at; they have been looked at when they were made. */
static EsSelection *
without_long_sets (EsSelection *selection)
{
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (selection, &n);
  gsize length = 0;

  for (guint i = 0; i < n; i++)
    length += strlen (sets[i]->region);
  return length > MOST_CHECKED ? es_selection_with_sets (selection, NULL, 0) : es_selection_ref (selection);
}

gboolean
_es_selection_pane_tell (EsSelectionPane *self, EsSelection *selection)
{
  g_autoptr (EsSelection) checked = without_long_sets (selection);
  g_autoptr (GError) error = NULL;

  if (self->cube == NULL)
    return FALSE;
  if (!es_cube_check_selection (self->cube, checked, &error))
    {
      _es_selection_pane_complain (self, error->message);
      return FALSE;
    }
  _es_selection_pane_complain (self, NULL);
  es_cube_set_selection (self->cube, es_selection_is_everything (selection) ? NULL : selection);
  return TRUE;
}

/* "10, 20, 50 x 40"; FALSE: it is none. Nothing at all is the whole image. */
static gboolean
read_window (const char *text, EsSelectionWindow *window)
{
  guint64 *numbers[] = { &window->x, &window->y, &window->width, &window->height };
  const char *at = text;

  *window = (EsSelectionWindow) { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      char *end;

      at += strspn (at, " ,;x\u00d7");
      if (*at == '\0' && i == 0)
        return TRUE;
      if (!g_ascii_isdigit (*at))
        return FALSE;
      *numbers[i] = g_ascii_strtoull (at, &end, 10);
      at = end;
    }
  at += strspn (at, " ");
  return *at == '\0' && window->width > 0 && window->height > 0 && window->width < G_MAXINT64
         && window->height < G_MAXINT64;
}

static void
on_applied (EsSelectionPane *self)
{
  g_autoptr (EsSelection) now = self->cube != NULL ? es_cube_dup_selection (self->cube) : NULL;
  g_autoptr (EsSelection) with_bands = NULL, selection = NULL;
  EsSelectionWindow window;

  if (self->filling || self->cube == NULL)
    return;
  if (!read_window (gtk_editable_get_text (GTK_EDITABLE (self->window)), &window))
    {
      _es_selection_pane_complain (self, _("The window is column, row, width and height in pixels, such as “10, 20, "
                                           "50, 40”."));
      return;
    }
  with_bands = es_selection_with_bands (now, gtk_editable_get_text (GTK_EDITABLE (self->bands)),
                                        gtk_editable_get_text (GTK_EDITABLE (self->excluded)));
  selection = es_selection_with_window (with_bands, &window);
  if (es_selection_equal (selection, now))
    _es_selection_pane_complain (self, NULL);
  else
    _es_selection_pane_tell (self, selection);
}

static void
on_left (EsSelectionPane *self)
{
  on_applied (self);
}

/* ---- showing ---- */

static void
fill_entry (GtkWidget *entry, const char *text)
{
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), text != NULL ? text : "");
}

static void
update (EsSelectionPane *self)
{
  g_autoptr (EsSelection) selection = self->cube != NULL ? es_cube_dup_selection (self->cube) : NULL;
  const EsSelectionWindow window = selection != NULL ? es_selection_get_window (selection) : (EsSelectionWindow) { 0 };
  g_autofree char *place = window.width > 0
                           ? g_strdup_printf ("%llu, %llu, %llu, %llu", (unsigned long long) window.x,
                                              (unsigned long long) window.y, (unsigned long long) window.width,
                                              (unsigned long long) window.height) : NULL;

  self->filling = TRUE;
  fill_entry (self->bands, selection != NULL ? es_selection_get_bands (selection) : NULL);
  fill_entry (self->excluded, selection != NULL ? es_selection_get_excluded (selection) : NULL);
  fill_entry (self->window, place);
  self->filling = FALSE;
  _es_selection_pane_complain (self, NULL);
  _es_selection_pane_show_pixels (self, selection);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "selection.everything", !es_selection_is_everything (selection));
  g_signal_emit (self, signals[CHANGED], 0);
}

char *
es_selection_pane_describe (EsSelectionPane *self)
{
  g_autoptr (EsSelection) selection = NULL;
  g_autofree gboolean *taken = NULL;
  guint n = 0;

  g_return_val_if_fail (ES_IS_SELECTION_PANE (self), NULL);

  if (self->cube == NULL)
    return NULL;
  selection = es_cube_dup_selection (self->cube);
  taken = es_cube_find_taken (self->cube, selection, &n, NULL);
  /* TRANSLATORS: how many of how many bands take part */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u of %u band", "%u of %u bands",
                                       es_cube_get_bands (self->cube)), n, es_cube_get_bands (self->cube));
}

/* ---- marked in the spectrum ---- */

/* What is marked, as a list of bands. Transfer full. */
static char *
list_marked (EsSelectionPane *self)
{
  if (es_cube_get_wavelengths (self->cube) != NULL)
    return g_strdup_printf ("%.1f-%.1f nm", MAX (self->from, 0), MAX (self->to, 0));
  return g_strdup_printf ("%u-%u", (guint) CLAMP (ceil (self->from), 1, es_cube_get_bands (self->cube)),
                          (guint) CLAMP (floor (self->to), 1, es_cube_get_bands (self->cube)));
}

void
es_selection_pane_offer (EsSelectionPane *self, double from, double to)
{
  g_autofree char *text = NULL, *sentence = NULL;

  g_return_if_fail (ES_IS_SELECTION_PANE (self));

  self->from = MIN (from, to);
  self->to = MAX (from, to);
  gtk_widget_set_visible (self->offer, self->cube != NULL && !isnan (from) && !isnan (to));
  if (!gtk_widget_get_visible (self->offer))
    return;
  text = list_marked (self);
  /* TRANSLATORS: bands that have been marked in the spectrum: "Marked: 700.0-900.0 nm" */
  sentence = g_strdup_printf (_("Marked: %s"), text);
  gtk_label_set_label (self->offered, sentence);
}

/* The bands of both lists, by number: whatever the words were. */
static char *
join_lists (EsSelectionPane *self, const char *list, const char *other)
{
  const guint n = es_cube_get_bands (self->cube);
  g_autofree gboolean *both = g_new0 (gboolean, n), *more = g_new0 (gboolean, n);
  const double *wavelengths = es_cube_get_wavelengths (self->cube);
  const gboolean *good = es_cube_get_good_bands (self->cube);

  if (list != NULL && !es_band_ranges_parse (list, wavelengths, good, n, both, NULL))
    return g_strdup (other);
  if (es_band_ranges_parse (other, wavelengths, good, n, more, NULL))
    for (guint b = 0; b < n; b++)
      both[b] = both[b] || more[b];
  return es_band_ranges_format (both, n);
}

static void
use_marked (EsSelectionPane *self, gboolean leave_out, gboolean add)
{
  g_autoptr (EsSelection) now = es_cube_dup_selection (self->cube), selection = NULL;
  const char *bands = now != NULL ? es_selection_get_bands (now) : NULL;
  const char *excluded = now != NULL ? es_selection_get_excluded (now) : NULL;
  g_autofree char *marked = list_marked (self);
  g_autofree char *joined = leave_out ? (excluded == NULL ? g_strdup (marked) : join_lists (self, excluded, marked))
                            : add ? join_lists (self, bands, marked) : g_strdup (marked);

  selection = leave_out ? es_selection_with_bands (now, bands, joined)
                        : es_selection_with_bands (now, joined, excluded);
  if (_es_selection_pane_tell (self, selection))
    gtk_widget_set_visible (self->offer, FALSE);
}

static void
on_only (EsSelectionPane *self)
{
  use_marked (self, FALSE, FALSE);
}

static void
on_add (EsSelectionPane *self)
{
  use_marked (self, FALSE, TRUE);
}

static void
on_leave_out (EsSelectionPane *self)
{
  use_marked (self, TRUE, FALSE);
}

/* ---- actions ---- */

static void
take_everything (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);

  if (self->cube != NULL)
    es_cube_set_selection (self->cube, NULL);
}

static void
on_bands_chosen (EsBandDialog *dialog, const char *list, EsSelectionPane *self)
{
  g_autoptr (EsSelection) now = self->cube != NULL ? es_cube_dup_selection (self->cube) : NULL;
  g_autoptr (EsSelection) selection = NULL;

  if (self->cube == NULL || es_band_dialog_get_cube (dialog) != self->cube)
    return;
  selection = es_selection_with_bands (now, list, NULL);
  _es_selection_pane_tell (self, selection);
}

static void
choose_bands (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *dialog;

  if (self->cube == NULL)
    return;
  dialog = es_band_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->cube);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_bands_chosen), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* The box round what is selected in the picture. */
static void
take_window (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);
  EsRegion *region = es_region_control_get_selection (self->control);
  g_autoptr (EsSelection) now = self->cube != NULL ? es_cube_dup_selection (self->cube) : NULL, selection = NULL;
  EsSelectionWindow window;

  if (self->cube == NULL || region == NULL
      || !es_region_get_bounds (region, es_cube_get_width (self->cube), es_cube_get_height (self->cube), &window.x,
                                &window.y, &window.width, &window.height))
    return;
  selection = es_selection_with_window (now, &window);
  _es_selection_pane_tell (self, selection);
}

/* ---- the widget ---- */

static GtkWidget *
add_row (EsSelectionPane *self, int row, const char *title, const char *placeholder, const char *tooltip)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title), *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_tooltip_text (entry, tooltip);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_applied), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (entry, focus);
  gtk_grid_attach (GTK_GRID (self->form), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->form), entry, 1, row, 1, 1);
  return entry;
}

static void
add_button (EsSelectionPane *self, int row, const char *icon, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_grid_attach (GTK_GRID (self->form), button, 2, row, 1, 1);
}

static void
make_form (EsSelectionPane *self)
{
  const char *words = _("Wavelengths such as “400-1340, 1460-1790 nm” (also um), numbers such as “1-20, 25”, “good” or "
                        "“all”; Shift and a drag in the spectrum mark some, too");

  self->form = gtk_grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (self->form), 4);
  gtk_grid_set_column_spacing (GTK_GRID (self->form), 8);
  gtk_widget_add_css_class (self->form, "pane-margins");
  gtk_widget_set_parent (self->form, GTK_WIDGET (self));
  self->bands = add_row (self, 0, _("_Bands"), _("All good ones"), words);
  add_button (self, 0, "view-list-symbolic", "selection.bands", _("Choose bands in a list, and look for noisy ones"));
  /* TRANSLATORS: bands that are left out, as a label before a list of them */
  self->excluded = add_row (self, 1, _("_Without"), _("None left out"), words);
  self->window = add_row (self, 2, _("W_indow"), _("Whole image"), _("Column, row, width and height, in pixels"));
  add_button (self, 2, "zoom-fit-best-symbolic", "selection.window",
              _("The window round what is selected in the picture"));

  self->problem = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->problem), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->problem), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (self->problem), 0);
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_add_css_class (self->problem, "caption");
  gtk_widget_add_css_class (self->problem, "pane-margins");
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_widget_set_parent (self->problem, GTK_WIDGET (self));
}

static void
make_offer_button (EsSelectionPane *self, GtkWidget *row, const char *label, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "pane-button");
  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_box_append (GTK_BOX (row), button);
}

static void
make_offer (EsSelectionPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->offer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  self->offered = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->offered, 0);
  gtk_label_set_ellipsize (self->offered, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->offered), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->offered), "numeric");
  gtk_box_append (GTK_BOX (self->offer), GTK_WIDGET (self->offered));
  gtk_box_append (GTK_BOX (self->offer), row);
  make_offer_button (self, row, _("Only These"), _("These bands alone take part"), G_CALLBACK (on_only));
  make_offer_button (self, row, _("Add"), _("These bands take part, too"), G_CALLBACK (on_add));
  make_offer_button (self, row, _("Leave Out"), _("These bands do not take part"), G_CALLBACK (on_leave_out));
  gtk_widget_add_css_class (self->offer, "pane-margins");
  gtk_widget_set_visible (self->offer, FALSE);
  gtk_widget_set_parent (self->offer, GTK_WIDGET (self));
}

static void
on_control_changed (EsSelectionPane *self)
{
  const gboolean any = self->cube != NULL && es_region_control_get_selection (self->control) != NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "selection.window", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "selection.add-selected", any);
}

void
es_selection_pane_set_cube (EsSelectionPane *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_SELECTION_PANE (self));

  if (!g_set_object (&self->cube, cube))
    return;
  g_cancellable_cancel (self->reading);
  g_signal_group_set_target (self->cube_signals, cube);
  es_selection_pane_offer (self, NAN, NAN);
  on_control_changed (self);
  update (self);
}

GtkWidget *
es_selection_pane_new (EsRegionControl *control)
{
  EsSelectionPane *self;

  g_return_val_if_fail (ES_IS_REGION_CONTROL (control), NULL);

  self = g_object_new (ES_TYPE_SELECTION_PANE, NULL);
  self->control = g_object_ref (control);
  g_signal_connect_object (control, "changed", G_CALLBACK (on_control_changed), self, G_CONNECT_SWAPPED);
  on_control_changed (self);
  return GTK_WIDGET (self);
}

static void
es_selection_pane_dispose (GObject *object)
{
  EsSelectionPane *self = ES_SELECTION_PANE (object);
  GtkWidget *child;

  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_object (&self->cube_signals);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->cube);
  g_clear_object (&self->control);
  G_OBJECT_CLASS (es_selection_pane_parent_class)->dispose (object);
}

static void
es_selection_pane_class_init (EsSelectionPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_selection_pane_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "selection.everything", NULL, take_everything);
  gtk_widget_class_install_action (widget_class, "selection.bands", NULL, choose_bands);
  gtk_widget_class_install_action (widget_class, "selection.window", NULL, take_window);
  _es_selection_pane_install_pixel_actions (widget_class);
  gtk_widget_class_set_css_name (widget_class, "selectionpane");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_selection_pane_init (EsSelectionPane *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->from = self->to = NAN;
  self->cube_signals = g_signal_group_new (ES_TYPE_CUBE);
  g_signal_group_connect_swapped (self->cube_signals, "notify::selection", G_CALLBACK (update), self);
  make_form (self);
  make_offer (self);
  _es_selection_pane_make_pixels (self);
}
