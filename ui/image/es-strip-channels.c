/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-strip-channels.h"
#include "widgets/es-wheel.h"

#include <glib/gi18n-lib.h>

struct _EsStripChannels
{
  GtkWidget  parent_instance;

  GtkWidget *letters[3];         /* red, green, blue; children */

  EsDisplay *display;
  guint      plane;
  gboolean   pointed;            /* the pointer is over the thumbnail */
  gboolean   updating;
};

G_DEFINE_TYPE (EsStripChannels, es_strip_channels, GTK_TYPE_WIDGET)

static void
update (EsStripChannels *self)
{
  gboolean composite = es_display_get_composite (self->display);

  /* Beside a composite they say what it is of; else they are there for whoever points at the thumbnail. */
  if (composite)
    gtk_widget_remove_css_class (GTK_WIDGET (self), "waiting");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "waiting");
  /* What a finger does not see it does not press. */
  gtk_widget_set_can_target (GTK_WIDGET (self), composite || self->pointed);
  self->updating = TRUE;
  for (guint i = 0; i < 3; i++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->letters[i]),
                                  composite && es_display_get_rgb (self->display, i) == self->plane);
  self->updating = FALSE;
}

/* A channel has always a plane: a click on the letter that is down leaves it down. */
static void
on_toggled (EsStripChannels *self, GtkToggleButton *letter)
{
  if (self->updating)
    return;
  for (guint i = 0; i < 3; i++)
    if (GTK_WIDGET (letter) == self->letters[i])
      es_display_take_channel (self->display, i, self->plane);
  update (self);
}

GtkWidget *
es_strip_channels_new (EsDisplay *display)
{
  EsStripChannels *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_STRIP_CHANNELS, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

void
es_strip_channels_set_pointed (EsStripChannels *self, gboolean pointed)
{
  g_return_if_fail (ES_IS_STRIP_CHANNELS (self));

  self->pointed = pointed;
  update (self);
}

void
es_strip_channels_set_plane (EsStripChannels *self, guint plane, const char *title)
{
  const char *spoken[3] = { _("%s as red"), _("%s as green"), _("%s as blue") };

  g_return_if_fail (ES_IS_STRIP_CHANNELS (self));

  self->plane = plane;
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GString) words = g_string_new (spoken[i]);

      g_string_replace (words, "%s", title, 1);
      es_set_tooltip (self->letters[i], words->str);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->letters[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, words->str, -1);
    }
  update (self);
}

static void
es_strip_channels_dispose (GObject *object)
{
  EsStripChannels *self = ES_STRIP_CHANNELS (object);

  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&self->letters[i], gtk_widget_unparent);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_strip_channels_parent_class)->dispose (object);
}

static void
es_strip_channels_class_init (EsStripChannelsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_strip_channels_dispose;
  gtk_widget_class_set_css_name (widget_class, "stripchannels");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_strip_channels_init (EsStripChannels *self)
{
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  static const char * const classes[3] = { "channel-red", "channel-green", "channel-blue" };
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_box_layout_set_homogeneous (GTK_BOX_LAYOUT (layout), TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_FILL);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_END);
  for (guint i = 0; i < 3; i++)
    {
      self->letters[i] = gtk_toggle_button_new_with_label (letters[i]);
      gtk_widget_add_css_class (self->letters[i], classes[i]);
      gtk_widget_set_parent (self->letters[i], GTK_WIDGET (self));
      g_signal_connect_object (self->letters[i], "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
    }
}
