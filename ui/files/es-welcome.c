/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-welcome.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "device/es-device.h"
#include "es-open-set.h"
#include "es-recent.h"
#include "keeping/es-session-store.h"
#include "widgets/es-format.h"
#include "widgets/es-wrap-layout.h"

#define RECENT_SHOWN 4
#define LEFT_SHOWN   2
#define LONGEST_DEVICE 40

struct _EsWelcome
{
  GtkWidget   parent_instance;

  /* Template widgets. */
  GtkWidget  *page;
  GtkWidget  *recent_group;
  GtkListBox *recent;
  GtkWidget  *left_group;
  GtkListBox *left;
  GtkWidget  *devices;
};

G_DEFINE_FINAL_TYPE (EsWelcome, es_welcome, GTK_TYPE_WIDGET)

static GtkWidget *
make_thumbnail (const char *uri)
{
  const char *icon = es_open_set_is_sound (uri) ? "es-recording-symbolic"
                     : es_open_set_is_matrix (uri) ? "es-matrix-symbolic" : "es-cube-symbolic";
  g_autoptr (GdkTexture) texture = es_recent_load_thumbnail (uri);
  GtkWidget *clamp, *widget;

  if (texture != NULL)
    {
      widget = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));
      gtk_picture_set_content_fit (GTK_PICTURE (widget), GTK_CONTENT_FIT_COVER);
    }
  else
    widget = gtk_image_new_from_icon_name (icon);
  gtk_widget_set_size_request (widget, 40, 40);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (widget, "es-recent-thumbnail");
  /* A square, whatever the shape of the picture. */
  clamp = adw_clamp_new ();
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 40);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), 40);
  adw_clamp_set_child (ADW_CLAMP (clamp), widget);
  gtk_widget_set_valign (clamp, GTK_ALIGN_CENTER);
  return clamp;
}

/* Of one line, as markup. */
static char *
escape (const char *name)
{
  g_autofree char *shown = es_format_shorten (name, 120);

  return g_markup_escape_text (shown, -1);
}

static GtkWidget *
make_row (const EsRecent *recent)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = escape (recent->name);
  g_autofree char *place = recent->place != NULL ? escape (recent->place) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  if (place != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), place);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), make_thumbnail (recent->uri));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->uri);
  gtk_widget_set_tooltip_text (row, recent->name);
  return row;
}

static void
clear (GtkListBox *list)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, row);
}

static void
update_recent (EsWelcome *self)
{
  g_autoptr (GPtrArray) recents = es_recent_list (RECENT_SHOWN);

  clear (self->recent);
  for (guint i = 0; i < recents->len; i++)
    gtk_list_box_append (self->recent, make_row (g_ptr_array_index (recents, i)));
  gtk_widget_set_visible (self->recent_group, recents->len > 0);
}

/* ---- sessions ---- */

static GtkWidget *
make_left_row (const EsLeftSession *left)
{
  GtkWidget *row = adw_action_row_new (), *go = gtk_image_new_from_icon_name ("go-next-symbolic");
  g_autoptr (GDateTime) saved = g_date_time_new_from_unix_local (left->saved);
  g_autofree char *title = escape (left->description);
  /* TRANSLATORS: day and time at which a session was saved, as g_date_time_format () takes it */
  g_autofree char *when = saved != NULL ? g_date_time_format (saved, _("%e %B %Y, %H:%M")) : g_strdup ("");
  g_autofree char *subtitle = left->crashed ? g_strdup_printf (_("%s, ended unexpectedly"), g_strstrip (when))
                                            : g_strdup (g_strstrip (when));
  g_autofree char *uri = g_file_get_uri (left->file);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("document-open-recent-symbolic"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), go);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.continue-session");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
  gtk_widget_set_tooltip_text (row, left->description);
  return row;
}

static void
on_left (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsWelcome) self = data;
  g_autoptr (GPtrArray) list = es_session_store_list_finish (result);

  /* The window has gone in between. */
  if (self->left == NULL || gtk_widget_get_root (GTK_WIDGET (self)) == NULL)
    return;
  clear (self->left);
  for (guint i = 0; i < MIN (list->len, LEFT_SHOWN); i++)
    gtk_list_box_append (self->left, make_left_row (g_ptr_array_index (list, i)));
  gtk_widget_set_visible (self->left_group, list->len > 0);
}

/* ---- devices ---- */

static GtkWidget *
make_pill (const char *icon, GtkWidget *title, const char *action)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (box), title);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "pill");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
make_matrix_button (void)
{
  GtkWidget *title = gtk_label_new_with_mnemonic (_("New _Matrix…"));
  GtkWidget *button = make_pill ("es-matrix-symbolic", title, "win.new-matrix");

  gtk_label_set_mnemonic_widget (GTK_LABEL (title), button);
  gtk_widget_set_tooltip_text (button, _("Makes a sparse matrix, whose products and solvers can be compared"));
  return button;
}

static GtkWidget *
make_device_button (EsDevice *device)
{
  g_autofree char *name = es_format_shorten (es_device_get_name (device), LONGEST_DEVICE);
  /* TRANSLATORS: a button that opens a device in the laboratory: "Measure NVIDIA H100" */
  g_autofree char *label = g_strdup_printf (_("Measure %s"), name);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", es_device_get_name (device), es_device_get_detail (device));
  GtkWidget *title = gtk_label_new (label), *button = make_pill ("es-machine-symbolic", title, "win.open-device");

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", es_device_get_id (device));
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return button;
}

/* Those that are known by now; cards come when they have been found. */
static void
update_devices (EsWelcome *self)
{
  GListModel *devices = es_devices_get ();
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->devices)) != NULL)
    gtk_box_remove (GTK_BOX (self->devices), child);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      if (es_device_get_kind (device) != ES_DEVICE_ALL_GPUS)
        gtk_box_append (GTK_BOX (self->devices), make_device_button (device));
    }
  gtk_box_append (GTK_BOX (self->devices), make_matrix_button ());
}

static void
on_recent_changed (EsWelcome *self)
{
  /* Otherwise it is brought up to date when it is shown. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update_recent (self);
}

static void
es_welcome_map (GtkWidget *widget)
{
  update_recent (ES_WELCOME (widget));
  es_session_store_list_async (on_left, g_object_ref (widget));
  GTK_WIDGET_CLASS (es_welcome_parent_class)->map (widget);
}

static void
es_welcome_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  ES_WELCOME (object)->left = NULL;
  G_OBJECT_CLASS (es_welcome_parent_class)->dispose (object);
}

static void
es_welcome_class_init (EsWelcomeClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_welcome_dispose;
  widget_class->map = es_welcome_map;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-welcome.ui");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_bind_template_child (widget_class, EsWelcome, page);
  gtk_widget_class_bind_template_child (widget_class, EsWelcome, recent_group);
  gtk_widget_class_bind_template_child (widget_class, EsWelcome, recent);
  gtk_widget_class_bind_template_child (widget_class, EsWelcome, left_group);
  gtk_widget_class_bind_template_child (widget_class, EsWelcome, left);
  gtk_widget_class_bind_template_child (widget_class, EsWelcome, devices);
}

static void
es_welcome_init (EsWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (self->devices, es_wrap_layout_new (12, 12));
  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (update_devices), self, G_CONNECT_SWAPPED);
  update_devices (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (on_recent_changed), self,
                           G_CONNECT_SWAPPED);
}
