/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-faces-window.h"

#include <glib/gi18n-lib.h>

#include "es-faces-controls.h"
#include "widgets/es-capture.h"
#include "widgets/es-export.h"

#define WIDTH  980
#define HEIGHT 640

struct _EsFacesWindow
{
  AdwWindow    parent_instance;

  EsFacesView *view;             /* within */
  GtkWidget   *spinner;
};

G_DEFINE_TYPE (EsFacesWindow, es_faces_window, ADW_TYPE_WINDOW)

static GdkTexture *
render (EsFacesWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self->view);

  return es_capture_render (widget, gtk_widget_get_scale_factor (widget));
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GdkTexture) texture = render (ES_FACES_WINDOW (widget));

  if (texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsFacesWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error))
    es_export_report (GTK_WIDGET (self->view), error->message);
}

static void
save_to (GtkWidget *widget, GFile *file, const char *choice, gpointer data)
{
  EsFacesWindow *self = ES_FACES_WINDOW (gtk_widget_get_root (widget));
  g_autoptr (GdkTexture) texture = self != NULL ? render (self) : NULL;

  if (texture != NULL)
    es_export_save_texture_async (texture, file, NULL, on_saved, g_object_ref (self));
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsFacesWindow *self = ES_FACES_WINDOW (widget);
  EsCube *cube = es_faces_view_get_cube (self->view);

  if (cube != NULL)
    es_export_ask_file (GTK_WIDGET (self->view), _("Save Picture"), es_dataset_get_name (ES_DATASET (cube)), "png",
                        save_to, NULL);
}

static void
on_busy (EsFacesWindow *self)
{
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), es_faces_view_is_busy (self->view));
}

void
es_faces_window_set_cube (EsFacesWindow *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_FACES_WINDOW (self));

  es_faces_view_set_cube (self->view, cube);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "faces.save", cube != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "faces.copy", cube != NULL);
}

EsFacesView *
es_faces_window_get_view (EsFacesWindow *self)
{
  g_return_val_if_fail (ES_IS_FACES_WINDOW (self), NULL);
  return self->view;
}

GtkWidget *
es_faces_window_new (EsDisplay *display, EsPicture *picture)
{
  EsFacesWindow *self = g_object_new (ES_TYPE_FACES_WINDOW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *bar = adw_header_bar_new (), *toasts = adw_toast_overlay_new ();
  GtkWidget *scroller = gtk_scrolled_window_new (), *button = gtk_button_new_with_mnemonic (_("_Save as PNG…"));

  self->view = ES_FACES_VIEW (es_faces_view_new (display, picture));
  self->spinner = gtk_spinner_new ();
  gtk_window_set_title (GTK_WINDOW (self), _("The Cube in Three Dimensions"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "faces.save");
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), button);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->spinner);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), es_faces_controls_new (self->view));
  /* Room that is left is the cube's. */
  gtk_widget_set_hexpand (scroller, FALSE);
  gtk_box_append (GTK_BOX (columns), GTK_WIDGET (self->view));
  gtk_box_append (GTK_BOX (columns), scroller);
  gtk_widget_set_vexpand (columns, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), columns);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (toasts), box);
  adw_window_set_content (ADW_WINDOW (self), toasts);
  g_signal_connect_object (self->view, "notify::busy", G_CALLBACK (on_busy), self, G_CONNECT_SWAPPED);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->view));
  return GTK_WIDGET (self);
}

static void
es_faces_window_class_init (EsFacesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_install_action (widget_class, "faces.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "faces.save", NULL, save);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "faces.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, GDK_CONTROL_MASK, "faces.save", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F3, 0, "window.close", NULL);
}

static void
es_faces_window_init (EsFacesWindow *self)
{
}
