/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-welcome.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "es-open-set.h"
#include "es-recent.h"
#include "widgets/es-format.h"

#define RECENT_SHOWN 4

struct _EsWelcome
{
  GtkWidget   parent_instance;

  /* Template widgets. */
  GtkWidget  *page;
  GtkWidget  *recent_group;
  GtkListBox *recent;
};

G_DEFINE_FINAL_TYPE (EsWelcome, es_welcome, GTK_TYPE_WIDGET)

static GtkWidget *
make_thumbnail (const char *uri, gboolean sound)
{
  g_autoptr (GdkTexture) texture = es_recent_load_thumbnail (uri);
  GtkWidget *clamp, *widget;

  if (texture != NULL)
    {
      widget = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));
      gtk_picture_set_content_fit (GTK_PICTURE (widget), GTK_CONTENT_FIT_COVER);
    }
  else
    widget = gtk_image_new_from_icon_name (sound ? "es-recording-symbolic" : "es-cube-symbolic");
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
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), make_thumbnail (recent->uri, es_open_set_is_sound (recent->uri)));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->uri);
  gtk_widget_set_tooltip_text (row, recent->name);
  return row;
}

static void
update_recent (EsWelcome *self)
{
  g_autoptr (GPtrArray) recents = es_recent_list (RECENT_SHOWN);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->recent))) != NULL)
    gtk_list_box_remove (self->recent, row);
  for (guint i = 0; i < recents->len; i++)
    gtk_list_box_append (self->recent, make_row (g_ptr_array_index (recents, i)));
  gtk_widget_set_visible (self->recent_group, recents->len > 0);
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
  GTK_WIDGET_CLASS (es_welcome_parent_class)->map (widget);
}

static void
es_welcome_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
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
}

static void
es_welcome_init (EsWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (on_recent_changed), self,
                           G_CONNECT_SWAPPED);
}
