/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-band-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "preparation/es-band-check.h"
#include "widgets/es-dialog.h"

/* ---- one band ---- */

#define ES_TYPE_BAND_ITEM (es_band_item_get_type ())
G_DECLARE_FINAL_TYPE (EsBandItem, es_band_item, ES, BAND_ITEM, GObject)

struct _EsBandItem
{
  GObject  parent_instance;

  guint    band;
  gboolean taken;
  char    *note;               /* what the file says, and what was found; nullable */
  gboolean is_doubtful;
};

enum { PROP_0, PROP_TAKEN, PROP_NOTE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsBandItem, es_band_item, G_TYPE_OBJECT)

static void
es_band_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsBandItem *self = ES_BAND_ITEM (object);

  if (id == PROP_TAKEN)
    g_value_set_boolean (value, self->taken);
  else
    g_value_set_string (value, self->note);
}

static void
es_band_item_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsBandItem *self = ES_BAND_ITEM (object);

  if (id == PROP_TAKEN && self->taken != g_value_get_boolean (value))
    {
      self->taken = g_value_get_boolean (value);
      g_object_notify_by_pspec (object, pspec);
    }
}

static void
es_band_item_finalize (GObject *object)
{
  g_free (ES_BAND_ITEM (object)->note);
  G_OBJECT_CLASS (es_band_item_parent_class)->finalize (object);
}

static void
es_band_item_class_init (EsBandItemClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = es_band_item_get_property;
  object_class->set_property = es_band_item_set_property;
  object_class->finalize = es_band_item_finalize;
  properties[PROP_TAKEN] = g_param_spec_boolean ("taken", NULL, NULL, TRUE,
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_NOTE] = g_param_spec_string ("note", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_band_item_init (EsBandItem *self)
{
}

static void
set_taken (EsBandItem *self, gboolean taken)
{
  g_object_set (self, "taken", taken, NULL);
}

/* ---- the dialog ---- */

struct _EsBandDialog
{
  AdwWindow     parent_instance;

  GListStore   *bands;         /* of EsBandItem */
  GtkWidget    *check;         /* the button */
  GtkSpinner   *spinner;
  GtkWidget    *leave_out;     /* what was found */
  GtkLabel     *verdict;
  GtkWidget    *accept;

  EsCube       *cube;
  EsSelection  *selection;     /* when it was opened; nullable */
  GCancellable *cancellable;
};

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsBandDialog, es_band_dialog, ADW_TYPE_WINDOW)

static EsBandItem *
get_item (EsBandDialog *self, guint band)
{
  EsBandItem *item = g_list_model_get_item (G_LIST_MODEL (self->bands), band);

  /* The list keeps it. */
  g_object_unref (item);
  return item;
}

static void
update (EsBandDialog *self)
{
  const guint n = es_cube_get_bands (self->cube);
  guint taken = 0;
  g_autofree char *sentence = NULL;

  for (guint b = 0; b < n; b++)
    taken += get_item (self, b)->taken;
  sentence = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u of %u band takes part.",
                                           "%u of %u bands take part.", n), taken, n);
  es_dialog_say (self->verdict, taken > 0 ? sentence : _("No band takes part: at least one has to."),
                 taken > 0 ? "dim-label" : "error");
  gtk_widget_set_sensitive (self->accept, taken > 0);
}

static void
fill (EsBandDialog *self)
{
  const gboolean *good = es_cube_get_good_bands (self->cube);
  g_autofree gboolean *taken = es_cube_find_taken (self->cube, self->selection, NULL, NULL);

  for (guint b = 0; b < es_cube_get_bands (self->cube); b++)
    {
      g_autoptr (EsBandItem) item = g_object_new (ES_TYPE_BAND_ITEM, NULL);

      item->band = b;
      item->taken = taken != NULL ? taken[b] : good[b];
      if (!good[b])
        item->note = g_strdup (_("bad, as the file says, or without data"));
      g_list_store_append (self->bands, item);
      g_signal_connect_object (item, "notify::taken", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    }
  update (self);
}

/* ---- rows ---- */

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *check = gtk_check_button_new ();
  GtkWidget *note = gtk_label_new (NULL);

  gtk_widget_set_size_request (check, 150, -1);
  gtk_widget_add_css_class (check, "numeric");
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  gtk_box_append (GTK_BOX (row), check);
  gtk_box_append (GTK_BOX (row), note);
  g_object_set_data (G_OBJECT (row), "es-check", check);
  g_object_set_data (G_OBJECT (row), "es-note", note);
  gtk_list_item_set_child (cell, row);
  gtk_list_item_set_activatable (cell, FALSE);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  EsBandDialog *self = data;
  EsBandItem *item = gtk_list_item_get_item (cell);
  GtkWidget *row = gtk_list_item_get_child (cell), *note = g_object_get_data (G_OBJECT (row), "es-note");
  GtkWidget *check = g_object_get_data (G_OBJECT (row), "es-check");
  g_autofree char *label = es_cube_get_band_label (self->cube, item->band);
  const gboolean has_wavelengths = es_cube_get_wavelengths (self->cube) != NULL;
  g_autofree char *text = has_wavelengths ? g_strdup_printf ("%u · %s", item->band + 1, label) : g_strdup (label);
  GBinding *taken = g_object_bind_property (item, "taken", check, "active",
                                            G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  GBinding *told = g_object_bind_property (item, "note", note, "label", G_BINDING_SYNC_CREATE);
  GBinding *hint = g_object_bind_property (item, "note", note, "tooltip-text", G_BINDING_SYNC_CREATE);

  gtk_check_button_set_label (GTK_CHECK_BUTTON (check), text);
  g_object_set_data (G_OBJECT (cell), "es-taken", taken);
  g_object_set_data (G_OBJECT (cell), "es-told", told);
  g_object_set_data (G_OBJECT (cell), "es-hint", hint);
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  static const char *const names[] = { "es-taken", "es-told", "es-hint" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_binding_unbind (g_object_steal_data (G_OBJECT (cell), names[i]));
}

/* ---- dead and noisy ones ---- */

static void
show_check (EsBandDialog *self, EsBandCheck *check)
{
  const gboolean *good = es_cube_get_good_bands (self->cube);
  guint n, doubtful = 0;
  const EsBandFinding *findings = es_band_check_get_findings (check, &n);

  for (guint b = 0; b < n; b++)
    {
      EsBandItem *item = get_item (self, b);
      g_autofree char *found = es_band_finding_tell (&findings[b]);

      g_free (item->note);
      item->is_doubtful = found != NULL;
      /* What is fine tells its noise, too: a person judges. */
      item->note = found != NULL ? g_steal_pointer (&found)
                   : !good[b] ? g_strdup (_("bad, as the file says, or without data"))
                   : isnan (findings[b].noise_share) ? NULL
                   : g_strdup_printf (_("noise: %.2g %% of its variance"), 100 * findings[b].noise_share);
      doubtful += item->is_doubtful && item->taken;
      g_object_notify_by_pspec (G_OBJECT (item), properties[PROP_NOTE]);
    }
  gtk_widget_set_sensitive (self->leave_out, doubtful > 0);
  if (doubtful == 0)
    es_dialog_say (self->verdict, _("No band that takes part is dead or noisy."), "dim-label");
  else
    {
      g_autofree char *sentence
        = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u band that takes part is dead or doubtful.",
                                        "%u bands that take part are dead or doubtful.", doubtful), doubtful);

      es_dialog_say (self->verdict, sentence, "warning");
    }
}

static void
on_checked (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsBandDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBandCheck) check = es_band_check_run_finish (result, &error);

  if (self->bands == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_sensitive (self->check, TRUE);
  if (check != NULL)
    show_check (self, check);
  else
    es_dialog_say (self->verdict, error->message, "error");
}

static void
on_check (EsBandDialog *self)
{
  gtk_spinner_start (self->spinner);
  gtk_widget_set_sensitive (self->check, FALSE);
  es_band_check_run_async (self->cube, self->selection, self->cancellable, on_checked, g_object_ref (self));
}

static void
on_leave_out (EsBandDialog *self)
{
  for (guint b = 0; b < es_cube_get_bands (self->cube); b++)
    if (get_item (self, b)->is_doubtful)
      set_taken (get_item (self, b), FALSE);
  gtk_widget_set_sensitive (self->leave_out, FALSE);
}

static void
on_good (EsBandDialog *self)
{
  const gboolean *good = es_cube_get_good_bands (self->cube);

  for (guint b = 0; b < es_cube_get_bands (self->cube); b++)
    set_taken (get_item (self, b), good[b]);
}

static void
on_accept (EsBandDialog *self)
{
  const guint n = es_cube_get_bands (self->cube);
  g_autofree gboolean *taken = g_new (gboolean, n);
  g_autofree char *list = NULL;

  for (guint b = 0; b < n; b++)
    taken[b] = get_item (self, b)->taken;
  /* As the file says it: then it need not be told. */
  if (memcmp (taken, es_cube_get_good_bands (self->cube), n * sizeof *taken) != 0)
    list = es_band_ranges_format (taken, n);
  g_signal_emit (self, signals[CHOSEN], 0, list);
  gtk_window_close (GTK_WINDOW (self));
}

/* ---- the window ---- */

EsCube *
es_band_dialog_get_cube (EsBandDialog *self)
{
  g_return_val_if_fail (ES_IS_BAND_DIALOG (self), NULL);
  return self->cube;
}

static GtkWidget *
add_button (GtkWidget *row, const char *label, const char *tooltip, GCallback clicked, EsBandDialog *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), button);
  return button;
}

static void
make_tools (EsBandDialog *self, GtkBox *box)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->check = add_button (row, _("_Look for Noisy Bands"), _("Looks at the pixels that take part"),
                            G_CALLBACK (on_check), self);
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  gtk_widget_set_hexpand (GTK_WIDGET (self->spinner), TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->spinner), GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->spinner));
  self->leave_out = add_button (row, _("_Leave Them Out"), _("Takes the check marks of what was found away"),
                                G_CALLBACK (on_leave_out), self);
  gtk_widget_set_sensitive (self->leave_out, FALSE);
  add_button (row, _("All _Good"), _("The bands that the file does not call bad"), G_CALLBACK (on_good), self);
  gtk_box_append (box, row);
}

static void
make_list (EsBandDialog *self, GtkBox *box)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list, *scroller = gtk_scrolled_window_new ();

  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_row), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_row), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_row), self, 0);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->bands)))),
                            factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Bands"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (box, scroller);
}

GtkWidget *
es_band_dialog_new (GtkWindow *parent, EsCube *cube)
{
  EsBandDialog *self;
  GtkWidget *box;

  g_return_val_if_fail (ES_IS_CUBE (cube), NULL);

  self = g_object_new (ES_TYPE_BAND_DIALOG, "title", _("Bands"), "modal", TRUE, "transient-for", parent,
                       "default-width", 520, "default-height", 560, "destroy-with-parent", TRUE, NULL);
  self->cube = g_object_ref (cube);
  self->selection = es_cube_dup_selection (cube);
  box = es_dialog_fill (GTK_WINDOW (self), _("_Apply"), &self->accept);
  g_signal_connect_object (self->accept, "clicked", G_CALLBACK (on_accept), self, G_CONNECT_SWAPPED);
  make_tools (self, GTK_BOX (box));
  make_list (self, GTK_BOX (box));
  self->verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->verdict, 0);
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->verdict));
  fill (self);
  return GTK_WIDGET (self);
}

static void
es_band_dialog_dispose (GObject *object)
{
  EsBandDialog *self = ES_BAND_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->bands);
  G_OBJECT_CLASS (es_band_dialog_parent_class)->dispose (object);
}

static void
es_band_dialog_finalize (GObject *object)
{
  EsBandDialog *self = ES_BAND_DIALOG (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->cube);
  g_clear_pointer (&self->selection, es_selection_unref);
  G_OBJECT_CLASS (es_band_dialog_parent_class)->finalize (object);
}

static void
es_band_dialog_class_init (EsBandDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_band_dialog_dispose;
  G_OBJECT_CLASS (class)->finalize = es_band_dialog_finalize;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
es_band_dialog_init (EsBandDialog *self)
{
  self->bands = g_list_store_new (ES_TYPE_BAND_ITEM);
  self->cancellable = g_cancellable_new ();
}
