/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-view.h"

#include <math.h>

#include "es-compare-divider.h"
#include "image/es-image-overlay.h"
#include "image/es-image-view-internal.h"

#define GAP      2              /* between two pictures side by side */
#define INTERVAL 700            /* ms */
#define MARGIN   10             /* of a caption over a swipe */

struct _EsCompareView
{
  GtkWidget      parent_instance;

  /* children; the captions are for a swipe, which would cut those of the views */
  EsImageView   *views[ES_N_COMPARE_PICTURES];
  GtkWidget     *divider;
  GtkWidget     *labels[2];

  EsCompareMode  mode;
  char          *captions[ES_N_COMPARE_PICTURES];

  gboolean       placed[ES_N_COMPARE_PICTURES];   /* its picture lies where the left one does */
  gboolean       linking;
  gboolean       hovering;
  EsComparePicture hovered;      /* under the pointer */

  guint          interval;
  gboolean       paused;
  gboolean       blink_right;
  guint          blink_source;
};

enum { PROP_0, PROP_MODE, PROP_PAUSED, PROP_INTERVAL, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsCompareView, es_compare_view, GTK_TYPE_WIDGET)

static EsComparePicture
which_of (EsCompareView *self, EsImageView *view)
{
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    if (self->views[i] == view)
      return i;
  return ES_COMPARE_LEFT;
}

/* ---- one place for all ---- */

static void
place_as (EsCompareView *self, EsImageView *view, EsImageView *from)
{
  EsComparePicture which = which_of (self, view);
  guint x, y;

  if (view == from || !_es_image_view_follow (view, from) || self->placed[which])
    return;
  self->placed[which] = TRUE;
  if (es_image_view_get_selected (self->views[ES_COMPARE_LEFT], &x, &y))
    es_image_view_select (view, x, y);
}

static void
on_moved (EsCompareView *self, EsImageView *view)
{
  EsComparePicture which = which_of (self, view);

  if (self->linking || self->mode == ES_COMPARE_OFF)
    return;
  self->linking = TRUE;
  if (which != ES_COMPARE_LEFT && !self->placed[which])
    {
      /* Its picture has just come, and is fitted: it goes where the left one is. */
      place_as (self, view, self->views[ES_COMPARE_LEFT]);
    }
  else
    {
      for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
        if (gtk_widget_get_visible (GTK_WIDGET (self->views[i])))
          place_as (self, self->views[i], view);
    }
  self->linking = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_picture_changed (EsCompareView *self, EsPicture *picture)
{
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    if (es_image_view_get_picture (self->views[i]) == picture && es_picture_is_empty (picture))
      self->placed[i] = FALSE;
}

static void
on_hovered (EsCompareView *self, gboolean inside, guint x, guint y, EsImageView *view)
{
  EsComparePicture which = which_of (self, view);

  /* The left one answers for the others. */
  if (which != ES_COMPARE_LEFT && (inside || self->hovered == which))
    {
      self->hovered = which;
      _es_image_view_set_hovered (self->views[ES_COMPARE_LEFT], inside, x, y);
      self->hovered = which;
    }
  else if (which == ES_COMPARE_LEFT)
    self->hovered = ES_COMPARE_LEFT;
  self->hovering = inside;
  if (self->mode == ES_COMPARE_SIDE)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_selected (EsCompareView *self, gboolean any, guint x, guint y, EsImageView *view)
{
  /* A picture that goes takes its own selection with it, not that of the others. */
  if (self->linking || (!any && which_of (self, view) != ES_COMPARE_LEFT))
    return;
  self->linking = TRUE;
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    if (self->views[i] != view && any)
      es_image_view_select (self->views[i], x, y);
    else if (self->views[i] != view)
      es_image_view_unselect (self->views[i]);
  self->linking = FALSE;
}

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

/* ---- layout and drawing ---- */

static int
half_of (int width)
{
  return MAX ((width - GAP) / 2, 1);
}

static void
place_label (EsCompareView *self, guint i, int from, int room, gboolean at_end)
{
  int natural, height;
  gboolean fits = room > 24;

  gtk_widget_set_child_visible (self->labels[i], fits);
  if (!fits)
    return;
  gtk_widget_measure (self->labels[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  gtk_widget_measure (self->labels[i], GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  natural = MIN (natural, room);
  gtk_widget_size_allocate (self->labels[i],
                            &(GtkAllocation) { at_end ? from + room - natural : from, MARGIN, natural, height }, -1);
}

static void
es_compare_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);

  self->linking = TRUE;
  for (guint i = 0; i < ES_N_COMPARE_PICTURES; i++)
    {
      GtkAllocation place = { 0, 0, width, height };

      if (!gtk_widget_get_visible (GTK_WIDGET (self->views[i])))
        continue;
      if (self->mode == ES_COMPARE_SIDE)
        place.width = half_of (width);
      if (self->mode == ES_COMPARE_SIDE && i == ES_COMPARE_RIGHT)
        place.x = width - place.width;
      gtk_widget_size_allocate (GTK_WIDGET (self->views[i]), &place, -1);
      if (i != ES_COMPARE_LEFT)
        place_as (self, self->views[i], self->views[ES_COMPARE_LEFT]);
    }
  self->linking = FALSE;
  if (self->mode == ES_COMPARE_SWIPE)
    {
      int x, thickness, line;

      es_compare_divider_get_place (ES_COMPARE_DIVIDER (self->divider), width, &x, &thickness);
      gtk_widget_size_allocate (self->divider, &(GtkAllocation) { x, 0, thickness, height }, -1);
      line = x + thickness / 2;
      place_label (self, 0, MARGIN, line - 2 * MARGIN, FALSE);
      place_label (self, 1, line + MARGIN, width - line - 2 * MARGIN, TRUE);
    }
}

static void
es_compare_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);

  gtk_widget_measure (GTK_WIDGET (self->views[ES_COMPARE_LEFT]), orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL && self->mode == ES_COMPARE_SIDE)
    {
      *minimum = 2 * *minimum + GAP;
      *natural = 2 * *natural + GAP;
    }
}

/* The pixel under the pointer, in the view where the pointer is not. */
static void
snapshot_cursor (EsCompareView *self, GtkSnapshot *snapshot)
{
  EsImageView *from = self->views[self->hovered];
  EsImageView *to = self->views[self->hovered == ES_COMPARE_LEFT ? ES_COMPARE_RIGHT : ES_COMPARE_LEFT];
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  EsViewport viewport;
  guint column, row;
  double x, y;

  if (!self->hovering || self->hovered == ES_COMPARE_BOTH || !_es_image_view_get_hovered (from, &column, &row)
      || es_picture_is_empty (es_image_view_get_picture (to)))
    return;
  es_image_view_get_viewport (to, &viewport);
  x = (column - viewport.left) * viewport.zoom / scale;
  y = (row - viewport.top) * viewport.zoom / scale;
  gtk_snapshot_save (snapshot);
  if (to == self->views[ES_COMPARE_RIGHT])
    gtk_snapshot_translate (snapshot,
                            &GRAPHENE_POINT_INIT (gtk_widget_get_width (GTK_WIDGET (self))
                                                  - half_of (gtk_widget_get_width (GTK_WIDGET (self))), 0));
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (to)),
                                                         gtk_widget_get_height (GTK_WIDGET (to))));
  es_image_overlay_crosshair (snapshot, x, y, viewport.zoom / scale);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
es_compare_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsCompareView *self = ES_COMPARE_VIEW (widget);
  GtkWidget *left = GTK_WIDGET (self->views[ES_COMPARE_LEFT]), *right = GTK_WIDGET (self->views[ES_COMPARE_RIGHT]);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  switch (self->mode)
    {
    case ES_COMPARE_SIDE:
      gtk_widget_snapshot_child (widget, left, snapshot);
      gtk_widget_snapshot_child (widget, right, snapshot);
      snapshot_cursor (self, snapshot);
      break;
    case ES_COMPARE_SWIPE:
      {
        int line = (int) round (es_compare_view_get_divider (self) * width);

        gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, line, height));
        gtk_widget_snapshot_child (widget, left, snapshot);
        gtk_snapshot_pop (snapshot);
        gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (line, 0, width - line, height));
        gtk_widget_snapshot_child (widget, right, snapshot);
        gtk_snapshot_pop (snapshot);
        gtk_widget_snapshot_child (widget, self->labels[0], snapshot);
        gtk_widget_snapshot_child (widget, self->labels[1], snapshot);
        gtk_widget_snapshot_child (widget, self->divider, snapshot);
      }
      break;
    case ES_COMPARE_BLINK:
      gtk_widget_snapshot_child (widget, self->blink_right ? right : left, snapshot);
      break;
    case ES_COMPARE_DIFFERENCE:
      gtk_widget_snapshot_child (widget, GTK_WIDGET (self->views[ES_COMPARE_BOTH]), snapshot);
      break;
    case ES_COMPARE_OFF:
    default:
      gtk_widget_snapshot_child (widget, left, snapshot);
    }
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
  widget_class->size_allocate = es_compare_view_size_allocate;
  widget_class->measure = es_compare_view_measure;
  widget_class->snapshot = es_compare_view_snapshot;

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
      g_signal_connect_object (pictures[i], "changed", G_CALLBACK (on_picture_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->views[i], "moved", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->views[i], "hovered", G_CALLBACK (on_hovered), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->views[i], "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
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
