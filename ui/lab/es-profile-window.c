/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-profile-window.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "charts/es-table-view.h"
#include "es-lab-compare.h"
#include "lab/parts/es-lab-cards.h"
#include "lab/parts/es-lab-curve.h"
#include "lab/parts/es-lab-text.h"
#include "es-profile-sheet.h"
#include "operations/es-operations.h"
#include "widgets/es-capture.h"
#include "widgets/es-export.h"

#define WIDEST 1160
#define PLOT_HEIGHT 320
/* All of it is one page, and one picture; beyond that it scrolls. */
#define LEAST_TEXT 21              /* characters of a figure's name */
#define TABLE_HEIGHT 4000

struct _EsProfileWindow
{
  AdwWindow        parent_instance;

  EsDeviceProfile *profile;
  EsLabProfiles   *profiles;
  GtkWidget       *clamp;
  GtkWidget       *column;             /* the page; borrowed */
};

G_DEFINE_FINAL_TYPE (EsProfileWindow, es_profile_window, ADW_TYPE_WINDOW)

/* ---- the page ---- */

static void
add_head (EsProfileWindow *self)
{
  const char *source = es_lab_source_word (self->profile), *date = es_device_profile_get_date (self->profile);
  g_autofree char *detail = g_strdup_printf (_("%s, %s"), source, date);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  gtk_box_append (GTK_BOX (head), es_lab_label_new (es_device_profile_get_name (self->profile), "title-1"));
  gtk_box_append (GTK_BOX (head), es_lab_label_new (detail, "dim-label"));
  gtk_box_append (GTK_BOX (self->column), head);
}

/* Two pairs beside each other. */
static void
add_facts (EsProfileWindow *self)
{
  GtkWidget *grid = gtk_grid_new ();
  const guint n = es_device_profile_get_n_facts (self->profile);

  if (n == 0)
    return;
  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_widget_add_css_class (grid, "card");
  gtk_widget_add_css_class (grid, "es-lab-card");
  for (guint i = 0; i < n; i++)
    {
      const char *title = NULL, *text = es_device_profile_get_fact (self->profile, i, &title);
      const int column = (int) (i % 2) * 2, row = (int) (i / 2);
      GtkWidget *value = es_lab_label_new (text, NULL);

      gtk_widget_set_hexpand (value, TRUE);
      gtk_label_set_selectable (GTK_LABEL (value), TRUE);
      gtk_widget_set_focusable (value, FALSE);
      gtk_grid_attach (GTK_GRID (grid), es_lab_label_new (title, "dim-label"), column, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), value, column + 1, row, 1, 1);
    }
  gtk_box_append (GTK_BOX (self->column), grid);
}

static void
add_table (EsProfileWindow *self, GPtrArray *others)
{
  g_autoptr (EsProfileSheet) sheet = es_profile_sheet_new (self->profile, others, FALSE);
  g_autofree gboolean *numeric = g_new0 (gboolean, sheet->n_columns);
  GtkWidget *table = es_table_view_new (TABLE_HEIGHT);

  for (guint i = 2; i < sheet->n_columns; i++)
    numeric[i] = TRUE;
  es_table_view_set_least_text (ES_TABLE_VIEW (table), LEAST_TEXT);
  es_table_view_set_cells (ES_TABLE_VIEW (table), sheet->n_columns, (const char * const *) sheet->titles->pdata,
                           numeric, sheet->n_rows, (const char * const *) sheet->cells->pdata);
  gtk_widget_add_css_class (table, "card");
  gtk_widget_set_overflow (table, GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (self->column), es_lab_label_new (_("Figures"), "heading"));
  gtk_box_append (GTK_BOX (self->column), table);
}

static void
add_curve (EsProfileWindow *self, const EsFigure *figure, GPtrArray *others)
{
  g_autoptr (EsPlot) plot = es_lab_curve_plot_new_of (self->profile, figure->experiment, figure->group, others);
  const char *title = es_lab_curve_get_title (figure->experiment, figure->group);
  GtkWidget *view, *card;

  if (plot == NULL)
    return;
  es_plot_set_title (plot, title);
  es_plot_set_caption (plot, title, es_device_profile_get_name (self->profile));
  view = es_plot_view_new (plot, PLOT_HEIGHT);
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (view, TRUE);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "es-lab-plot");
  gtk_box_append (GTK_BOX (card), view);
  gtk_box_append (GTK_BOX (self->column), es_lab_label_new (title, "heading"));
  gtk_box_append (GTK_BOX (self->column), card);
}

static void
add_curves (EsProfileWindow *self, GPtrArray *others)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < es_device_profile_get_n (self->profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (self->profile, i);

      if (!isnan (figure->x)
          && g_hash_table_add (seen, g_strconcat (figure->experiment, "\n", figure->group, NULL)))
        add_curve (self, figure, others);
    }
}

static void
fill (EsProfileWindow *self)
{
  g_autoptr (GPtrArray) others = es_lab_profiles_list (self->profiles);

  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_add_css_class (self->column, "es-lab-column");
  add_head (self);
  add_facts (self);
  add_curves (self, others);
  add_table (self, others);
  adw_clamp_set_child (ADW_CLAMP (self->clamp), self->column);
}

/* ---- copy and save ---- */

static GdkTexture *
render (EsProfileWindow *self)
{
  return es_capture_render_page (self->column, 2, es_device_profile_get_name (self->profile),
                                 es_lab_source_word (self->profile));
}

static void
copy_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GdkTexture) texture = render (ES_PROFILE_WINDOW (widget));

  if (texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsProfileWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error) && gtk_widget_get_mapped (GTK_WIDGET (self)))
    es_export_report (self->clamp, error->message);
}

static void
save_to (GtkWidget *widget, GFile *file, const char *choice, gpointer what)
{
  EsProfileWindow *self = ES_PROFILE_WINDOW (gtk_widget_get_root (widget));

  if (g_str_equal (what, "csv"))
    {
      g_autoptr (GPtrArray) others = es_lab_profiles_list (self->profiles);
      g_autoptr (EsProfileSheet) sheet = es_profile_sheet_new (self->profile, others, TRUE);

      es_export_save_text (widget, file, es_profile_sheet_to_csv (sheet));
    }
  else if (g_str_equal (what, "png"))
    {
      g_autoptr (GdkTexture) texture = render (self);

      if (texture != NULL)
        es_export_save_texture_async (texture, file, NULL, on_picture_saved, g_object_ref (self));
    }
  else
    {
      g_autoptr (GError) error = NULL;

      if (!es_device_profile_save (self->profile, file, &error))
        es_export_report (widget, error->message);
    }
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsProfileWindow *self = ES_PROFILE_WINDOW (widget);
  static const char * const formats[] = { "png", "csv", "json" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), formats[i]))
      es_export_ask_file (self->clamp, _("Save Profile"), es_device_profile_get_name (self->profile), formats[i],
                          save_to, (gpointer) formats[i]);
}

static GtkWidget *
make_menu_button (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _("_Copy Picture"), "profile.copy-picture");
  g_menu_append (menu, _("Save as P_NG…"), "profile.save::png");
  g_menu_append (menu, _("Save as _CSV…"), "profile.save::csv");
  g_menu_append (menu, _("Save as _JSON…"), "profile.save::json");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "open-menu-symbolic");
  gtk_widget_set_tooltip_text (button, _("Copy and save"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy and save"), -1);
  return button;
}

/* ---- the window ---- */

static void
es_profile_window_dispose (GObject *object)
{
  EsProfileWindow *self = ES_PROFILE_WINDOW (object);

  g_clear_pointer (&self->profile, es_device_profile_unref);
  if (self->profiles != NULL)
    g_signal_handlers_disconnect_by_data (self->profiles, self);
  g_clear_object (&self->profiles);
  G_OBJECT_CLASS (es_profile_window_parent_class)->dispose (object);
}

static void
es_profile_window_class_init (EsProfileWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_profile_window_dispose;
  gtk_widget_class_install_action (widget_class, "profile.copy-picture", NULL, copy_picture);
  gtk_widget_class_install_action (widget_class, "profile.save", "s", save);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
es_profile_window_init (EsProfileWindow *self)
{
}

GtkWidget *
es_profile_window_new (GtkWindow *parent, EsDeviceProfile *profile, EsLabProfiles *profiles)
{
  EsProfileWindow *self = g_object_new (ES_TYPE_PROFILE_WINDOW, "transient-for", parent,
                                        "destroy-with-parent", TRUE, "default-width", 1000,
                                        "default-height", 720, "title", _("Device Profile"), NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();
  GtkWidget *scroller = gtk_scrolled_window_new (), *viewport = gtk_viewport_new (NULL, NULL);
  GtkWidget *toasts = adw_toast_overlay_new ();

  self->profile = es_device_profile_ref (profile);
  self->profiles = g_object_ref (profiles);
  self->clamp = adw_clamp_new ();
  adw_clamp_set_maximum_size (ADW_CLAMP (self->clamp), WIDEST);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (self->clamp), WIDEST * 3 / 4);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), self->clamp);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), viewport);
  gtk_widget_set_vexpand (scroller, TRUE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), es_lab_compare_new (profiles));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), make_menu_button ());
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (toasts), scroller);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), toasts);
  adw_window_set_content (ADW_WINDOW (self), box);
  /* What opens another profile is the parent's. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (parent));
  g_signal_connect_object (profiles, "changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
  return GTK_WIDGET (self);
}
