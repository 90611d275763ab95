/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-strip-item.h"

#include "widgets/es-format.h"
#include "picture/es-picture.h"

struct _EsStripItem
{
  GObject        parent_instance;

  EsPlaneSource *source;
  guint          plane;
  char          *title;
  char          *share;

  EsPicture     *picture;        /* of the decimated plane; NULL until it has been read */
  GdkTexture    *texture;
  EsColormap     colormap;       /* the look of the texture */
  double         cut;
  gboolean       symmetric;
};

enum { PROP_0, PROP_TITLE, PROP_SHARE, PROP_PAINTABLE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_TYPE (EsStripItem, es_strip_item, G_TYPE_OBJECT)

EsStripItem *
es_strip_item_new (EsPlaneSource *source, guint plane)
{
  EsStripItem *self = g_object_new (ES_TYPE_STRIP_ITEM, NULL);

  self->source = g_object_ref (source);
  self->plane = plane;
  self->title = es_plane_source_get_plane_title (source, plane);
  self->share = es_format_share (es_plane_source_get_plane_share (source, plane));
  return self;
}

guint
es_strip_item_get_plane (EsStripItem *self)
{
  g_return_val_if_fail (ES_IS_STRIP_ITEM (self), 0);
  return self->plane;
}

gboolean
es_strip_item_is_loaded (EsStripItem *self)
{
  g_return_val_if_fail (ES_IS_STRIP_ITEM (self), FALSE);
  return self->picture != NULL;
}

void
es_strip_item_set_samples (EsStripItem *self, GBytes *samples, guint step)
{
  guint width, height;

  g_return_if_fail (ES_IS_STRIP_ITEM (self));

  width = es_plane_source_get_width (self->source);
  height = es_plane_source_get_height (self->source);
  g_clear_object (&self->texture);
  g_set_object (&self->picture, NULL);
  self->picture = es_picture_new ();
  es_picture_set_planes (self->picture, 1, &samples, (width + step - 1) / step, (height + step - 1) / step,
                         step,
                         width, height);
}

void
es_strip_item_render (EsStripItem *self, EsDisplay *display, int size)
{
  EsColormap colormap;
  double cut;
  gboolean symmetric;

  g_return_if_fail (ES_IS_STRIP_ITEM (self));

  if (self->picture == NULL)
    return;
  colormap = es_display_get_colormap (display);
  cut = es_display_get_cut (display);
  symmetric = es_display_get_symmetric (display);
  if (self->texture != NULL && colormap == self->colormap && cut == self->cut && symmetric == self->symmetric)
    return;

  self->colormap = colormap;
  self->cut = cut;
  self->symmetric = symmetric;
  es_picture_set_colormap (self->picture, colormap);
  es_picture_stretch_percent (self->picture, cut, symmetric);
  g_clear_object (&self->texture);
  self->texture = es_picture_render_thumbnail (self->picture, size);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAINTABLE]);
}

static void
es_strip_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsStripItem *self = ES_STRIP_ITEM (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SHARE:
      g_value_set_string (value, self->share);
      break;
    case PROP_PAINTABLE:
      g_value_set_object (value, self->texture);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_strip_item_finalize (GObject *object)
{
  EsStripItem *self = ES_STRIP_ITEM (object);

  g_clear_object (&self->source);
  g_clear_object (&self->picture);
  g_clear_object (&self->texture);
  g_free (self->title);
  g_free (self->share);
  G_OBJECT_CLASS (es_strip_item_parent_class)->finalize (object);
}

static void
es_strip_item_class_init (EsStripItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = es_strip_item_get_property;
  object_class->finalize = es_strip_item_finalize;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHARE] = g_param_spec_string ("share", NULL, NULL, NULL,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_PAINTABLE] = g_param_spec_object ("paintable", NULL, NULL, GDK_TYPE_PAINTABLE,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_strip_item_init (EsStripItem *self)
{
}
