/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-view-private.h"

#include "es-compare-divider.h"
#include "image/es-image-view-internal.h"

#define INTERVAL 700   /* ms */

enum { PROP_0, PROP_MODE, PROP_PAUSED, PROP_INTERVAL, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsCompareView, es_compare_view, GTK_TYPE_WIDGET)

/* ---- blinking ---- */

static gboolean
on_blink (gpointer data)
{
  EsCompareView *self = data;

  self->blink_right = !self->blink_right;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_CONTINUE;
}

static void
update_blink (EsCompareView *self)
{
  gboolean run = self->mode == ES_COMPARE_BLINK && !self->paused && gtk_widget_get_mapped (GTK_WIDGET (self));

  g_clear_handle_id (&self->blink_source, g_source_remove);
  if (run)
    self->blink_source = g_timeout_add (self->interval, on_blink, self);
}

static void
es_compare_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (es_compare_view_parent_class)->map (widget);
  update_blink (ES_COMPARE_VIEW (widget));
}

static void
es_compare_view_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&ES_COMPARE_VIEW (widget)->blink_source, g_source_remove);
  GTK_WIDGET_CLASS (es_compare_view_parent_class)->unmap (widget);
}

void
es_compare_view_set_paused (EsCompareView *self, gboolean paused)
{
  g_return_if_fail (ES_IS_COMPARE_VIEW (self));

  if (self->paused == !!paused)
    return;
  self->paused = !!paused;
  update_blink (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAUSED]);
}

gboolean
es_compare_view_get_paused (EsCompareView *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), FALSE);
  return self->paused;
}

void
es_compare_view_set_interval (EsCompareView *self, guint milliseconds)
{
  g_return_if_fail (ES_IS_COMPARE_VIEW (self));

  milliseconds = CLAMP (milliseconds, 50, 10000);
  if (self->interval == milliseconds)
    return;
  self->interval = milliseconds;
  update_blink (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_INTERVAL]);
}

guint
es_compare_view_get_interval (EsCompareView *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), INTERVAL);
  return self->interval;
}

EsComparePicture
es_compare_view_get_shown (EsCompareView *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), ES_COMPARE_LEFT);
  return self->blink_right ? ES_COMPARE_RIGHT : ES_COMPARE_LEFT;
}

static gboolean
on_key_pause (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);

  if (self->mode != ES_COMPARE_BLINK)
    return GDK_EVENT_PROPAGATE;
  es_compare_view_set_paused (self, !self->paused);
  return GDK_EVENT_STOP;
}

/* ---- what is shown ---- */

static void
update_captions (EsCompareView *self)
{
  gboolean swipe = self->mode == ES_COMPARE_SWIPE;

  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    es_image_view_set_caption (self->views[i], swipe && i != ES_COMPARE_BOTH ? "" : self->captions[i]);
  for (guint i = 0; i < G_N_ELEMENTS (self->labels); i++)
    gtk_label_set_text (GTK_LABEL (self->labels[i]), self->captions[i] != NULL ? self->captions[i] : "");
}

static void
update_mode (EsCompareView *self)
{
  gboolean second = self->mode == ES_COMPARE_SIDE || self->mode == ES_COMPARE_SWIPE || self->mode == ES_COMPARE_BLINK;
  gboolean difference = self->mode == ES_COMPARE_DIFFERENCE;

  gtk_widget_set_visible (GTK_WIDGET (self->views[ES_COMPARE_RIGHT]), second);
  gtk_widget_set_visible (GTK_WIDGET (self->views[ES_COMPARE_BOTH]), difference);
  gtk_widget_set_visible (self->divider, self->mode == ES_COMPARE_SWIPE);
  for (guint i = 0; i < G_N_ELEMENTS (self->labels); i++)
    gtk_widget_set_visible (self->labels[i], self->mode == ES_COMPARE_SWIPE);
  /* What lies behind another one does not take its clicks. */
  gtk_widget_set_can_target (GTK_WIDGET (self->views[ES_COMPARE_RIGHT]), self->mode == ES_COMPARE_SIDE);
  gtk_widget_set_can_focus (GTK_WIDGET (self->views[ES_COMPARE_RIGHT]), self->mode == ES_COMPARE_SIDE);
  gtk_widget_set_can_target (GTK_WIDGET (self->views[ES_COMPARE_LEFT]), !difference);
  gtk_widget_set_can_focus (GTK_WIDGET (self->views[ES_COMPARE_LEFT]), !difference);
  /* Tools are no part of what is covered or taken in turn. */
  _es_image_view_show_tools (self->views[ES_COMPARE_LEFT],
                             self->mode == ES_COMPARE_OFF || self->mode == ES_COMPARE_SIDE);
  for (guint i = 1; i < ES_N_COMPARE_PICTURES; i++)
    self->placed[i] = FALSE;
  self->hovering = FALSE;
  self->blink_right = FALSE;
  update_captions (self);
  update_blink (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
es_compare_view_set_mode (EsCompareView *self, EsCompareMode mode)
{
  g_return_if_fail (ES_IS_COMPARE_VIEW (self));

  if (self->mode == mode)
    return;
  self->mode = mode;
  update_mode (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MODE]);
}

EsCompareMode
es_compare_view_get_mode (EsCompareView *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), ES_COMPARE_OFF);
  return self->mode;
}

EsImageView *
es_compare_view_get_view (EsCompareView *self, EsComparePicture which)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), NULL);
  g_return_val_if_fail (which < ES_N_COMPARE_PICTURES, NULL);
  return self->views[which];
}

void
es_compare_view_set_caption (EsCompareView *self, EsComparePicture which, const char *caption)
{
  g_return_if_fail (ES_IS_COMPARE_VIEW (self));
  g_return_if_fail (which < ES_N_COMPARE_PICTURES);

  if (g_strcmp0 (caption, self->captions[which]) == 0)
    return;
  g_free (self->captions[which]);
  self->captions[which] = g_strdup (caption);
  update_captions (self);
}

const char *
es_compare_view_get_caption (EsCompareView *self, EsComparePicture which)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), NULL);
  g_return_val_if_fail (which < ES_N_COMPARE_PICTURES, NULL);
  return self->captions[which];
}

void
es_compare_view_set_divider (EsCompareView *self, double position)
{
  g_return_if_fail (ES_IS_COMPARE_VIEW (self));
  es_compare_divider_set_position (ES_COMPARE_DIVIDER (self->divider), position);
}

double
es_compare_view_get_divider (EsCompareView *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_VIEW (self), 0.5);
  return es_compare_divider_get_position (ES_COMPARE_DIVIDER (self->divider));
}

/* ---- the widget ---- */

static void
es_compare_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsCompareView *self = ES_COMPARE_VIEW (object);

  switch (id)
    {
    case PROP_MODE:
      g_value_set_uint (value, self->mode);
      break;
    case PROP_PAUSED:
      g_value_set_boolean (value, self->paused);
      break;
    case PROP_INTERVAL:
      g_value_set_uint (value, self->interval);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_compare_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsCompareView *self = ES_COMPARE_VIEW (object);

  switch (id)
    {
    case PROP_MODE:
      es_compare_view_set_mode (self, g_value_get_uint (value));
      break;
    case PROP_PAUSED:
      es_compare_view_set_paused (self, g_value_get_boolean (value));
      break;
    case PROP_INTERVAL:
      es_compare_view_set_interval (self, g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_compare_view_dispose (GObject *object)
{
  EsCompareView *self = ES_COMPARE_VIEW (object);
  GtkWidget *child;

  g_clear_handle_id (&self->blink_source, g_source_remove);
  self->mode = ES_COMPARE_OFF;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (es_compare_view_parent_class)->dispose (object);
}

static void
es_compare_view_finalize (GObject *object)
{
  EsCompareView *self = ES_COMPARE_VIEW (object);

  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    g_free (self->captions[i]);
  G_OBJECT_CLASS (es_compare_view_parent_class)->finalize (object);
}

static void
es_compare_view_class_init (EsCompareViewClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_compare_view_get_property;
  object_class->set_property = es_compare_view_set_property;
  object_class->dispose = es_compare_view_dispose;
  object_class->finalize = es_compare_view_finalize;
  widget_class->map = es_compare_view_map;
  widget_class->unmap = es_compare_view_unmap;
  _es_compare_view_install_layout (widget_class);

  properties[PROP_MODE] = g_param_spec_uint ("mode", NULL, NULL, 0, ES_COMPARE_DIFFERENCE, 0, flags);
  properties[PROP_PAUSED] = g_param_spec_boolean ("paused", NULL, NULL, FALSE, flags);
  properties[PROP_INTERVAL] = g_param_spec_uint ("interval", NULL, NULL, 50, 10000, INTERVAL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, on_key_pause, NULL);
  gtk_widget_class_set_css_name (widget_class, "compareview");
}

static void
es_compare_view_init (EsCompareView *self)
{
  self->interval = INTERVAL;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
es_compare_view_new (EsPicture *left, EsPicture *right, EsPicture *difference)
{
  EsCompareView *self = g_object_new (ES_TYPE_COMPARE_VIEW, NULL);
  EsPicture *pictures[ES_N_COMPARE_PICTURES] = { left, right, difference };

  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    {
      self->views[i] = ES_IMAGE_VIEW (es_image_view_new (pictures[i]));
      gtk_widget_set_parent (GTK_WIDGET (self->views[i]), GTK_WIDGET (self));
      _es_compare_view_link (self, self->views[i], pictures[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->labels); i++)
    {
      self->labels[i] = gtk_label_new (NULL);
      gtk_label_set_ellipsize (GTK_LABEL (self->labels[i]), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (self->labels[i], "compare-caption");
      gtk_widget_set_can_target (self->labels[i], FALSE);
      gtk_widget_set_parent (self->labels[i], GTK_WIDGET (self));
    }
  self->divider = es_compare_divider_new ();
  gtk_widget_set_parent (self->divider, GTK_WIDGET (self));
  update_mode (self);
  return GTK_WIDGET (self);
}
