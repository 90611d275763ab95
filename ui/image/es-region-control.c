/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-control.h"

#include "base/es-task.h"

/* Not a colour of a class, and seen on grey, on viridis, and on both styles. */
const GdkRGBA es_region_selection_color = { 1, 0.12f, 0.7f, 1 };

/* Dim, whatever is below. */
static const GdkRGBA left_out_color = { 0.12f, 0.12f, 0.12f, 1 };

struct _EsRegionControl
{
  GObject      parent_instance;

  EsImageView *image;            /* borrowed: a weak pointer */
  EsCube      *cube;
  EsRegionSet *classes;          /* the cube's; borrowed */
  EsRegion    *selection;
  guint64      count;
  GSignalGroup *cube_signals;
  EsRegion    *left_out;         /* what does not take part of the cube; nullable */
  GCancellable *looking;         /* for that; nullable */
  guint        drawn_width, drawn_height;   /* of the picture that the regions were given for */
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsRegionControl, es_region_control, G_TYPE_OBJECT)

GdkRGBA
es_region_control_rgba (guint32 colour)
{
  return (GdkRGBA) { (colour >> 16 & 255) / 255.f, (colour >> 8 & 255) / 255.f, (colour & 255) / 255.f, 1 };
}

/* ---- over the picture ---- */

static void
draw (EsRegionControl *self)
{
  EsPicture *picture = self->image != NULL ? es_image_view_get_picture (self->image) : NULL;
  guint n = self->classes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->classes)) : 0, used = 0;
  g_autofree EsRegion **regions = g_new (EsRegion *, n + 2);
  g_autofree GdkRGBA *colors = g_new (GdkRGBA, n + 2);

  if (picture == NULL)
    return;
  self->drawn_width = es_picture_is_empty (picture) ? 0 : es_picture_get_width (picture);
  self->drawn_height = es_picture_is_empty (picture) ? 0 : es_picture_get_height (picture);
  /* Regions are of the cube's pixels: over a picture of another size they would mean something else. */
  if (self->cube == NULL || self->drawn_width != es_cube_get_width (self->cube)
      || self->drawn_height != es_cube_get_height (self->cube))
    {
      es_image_view_set_regions (self->image, 0, NULL, NULL);
      return;
    }
  if (self->left_out != NULL)
    {
      regions[used] = self->left_out;
      colors[used++] = left_out_color;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (self->classes), i);

      regions[used] = es_named_region_get_region (region);
      colors[used++] = es_region_control_rgba (es_named_region_get_colour (region));
    }
  if (self->selection != NULL)
    {
      regions[used] = self->selection;
      colors[used++] = es_region_selection_color;
    }
  es_image_view_set_regions (self->image, used, regions, colors);
}

static void
on_picture_changed (EsRegionControl *self)
{
  EsPicture *picture = es_image_view_get_picture (self->image);
  gboolean empty = es_picture_is_empty (picture);

  /* The image view forgets its regions with the size of its picture. */
  if ((empty ? 0 : es_picture_get_width (picture)) != self->drawn_width
      || (empty ? 0 : es_picture_get_height (picture)) != self->drawn_height)
    draw (self);
}

static void
on_region_drawn (EsRegionControl *self, EsRegion *region)
{
  es_region_control_set_selection (self, region);
}

static void
changed (EsRegionControl *self)
{
  draw (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_class_notify (EsRegionControl *self, GParamSpec *pspec)
{
  changed (self);
}

static void
watch_class (EsRegionControl *self, EsNamedRegion *region)
{
  if (g_signal_handler_find (region, G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0, 0, NULL, on_class_notify, self) == 0)
    g_signal_connect_object (region, "notify", G_CALLBACK (on_class_notify), self, G_CONNECT_SWAPPED);
}

static void
on_classes_changed (EsRegionControl *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->classes));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (self->classes), i);

      watch_class (self, region);
    }
  changed (self);
}

/* ---- what is selected ---- */

void
es_region_control_set_selection (EsRegionControl *self, EsRegion *region)
{
  g_return_if_fail (ES_IS_REGION_CONTROL (self));

  if (region == self->selection)
    return;
  if (region != NULL)
    es_region_ref (region);
  g_clear_pointer (&self->selection, es_region_unref);
  self->count = region != NULL && self->cube != NULL
                ? es_region_count (region, es_cube_get_width (self->cube), es_cube_get_height (self->cube)) : 0;
  /* An empty one is none. */
  if (self->count == 0)
    g_clear_pointer (&region, es_region_unref);
  self->selection = region;
  changed (self);
}

EsRegion *
es_region_control_get_selection (EsRegionControl *self)
{
  g_return_val_if_fail (ES_IS_REGION_CONTROL (self), NULL);
  return self->selection;
}

guint64
es_region_control_get_count (EsRegionControl *self)
{
  g_return_val_if_fail (ES_IS_REGION_CONTROL (self), 0);
  return self->count;
}

EsNamedRegion *
es_region_control_keep (EsRegionControl *self, const char *name)
{
  EsNamedRegion *region;
  g_autoptr (EsRegion) selection = NULL;

  g_return_val_if_fail (ES_IS_REGION_CONTROL (self), NULL);

  if (self->selection == NULL || self->classes == NULL)
    return NULL;
  selection = g_steal_pointer (&self->selection);
  self->count = 0;
  region = es_region_set_add (self->classes, name, selection, 0);
  return region;
}

/* ---- what does not take part ---- */

static void
look_in_thread (GTask *task, gpointer cube, gpointer selection, GCancellable *cancellable)
{
  g_task_return_pointer (task, es_cube_find_left_out (cube, selection), (GDestroyNotify) es_region_unref);
}

static void
on_looked (GObject *cube, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsRegionControl) self = data;
  g_autoptr (GError) error = NULL;
  EsRegion *region = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL || cube != G_OBJECT (self->cube))
    {
      g_clear_pointer (&region, es_region_unref);
      return;
    }
  g_clear_pointer (&self->left_out, es_region_unref);
  self->left_out = region;
  draw (self);
}

static void
look (EsRegionControl *self)
{
  g_autoptr (EsSelection) selection = self->cube != NULL ? es_cube_dup_selection (self->cube) : NULL;
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  if (es_selection_is_everything (selection))
    {
      g_clear_pointer (&self->left_out, es_region_unref);
      draw (self);
      return;
    }
  self->looking = g_cancellable_new ();
  task = g_task_new (self->cube, self->looking, on_looked, g_object_ref (self));
  g_task_set_source_tag (task, look);
  g_task_set_task_data (task, es_selection_ref (selection), (GDestroyNotify) es_selection_unref);
  es_task_run_in_thread (task, look_in_thread);
}

/* ---- what it belongs to ---- */

EsCube *
es_region_control_get_cube (EsRegionControl *self)
{
  g_return_val_if_fail (ES_IS_REGION_CONTROL (self), NULL);
  return self->cube;
}

EsRegionSet *
es_region_control_get_classes (EsRegionControl *self)
{
  g_return_val_if_fail (ES_IS_REGION_CONTROL (self), NULL);
  return self->classes;
}

static void
forget_classes (EsRegionControl *self)
{
  if (self->classes == NULL)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->classes)); i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (self->classes), i);

      g_signal_handlers_disconnect_by_func (region, on_class_notify, self);
    }
  g_signal_handlers_disconnect_by_func (self->classes, on_classes_changed, self);
  self->classes = NULL;
}

void
es_region_control_set_dataset (EsRegionControl *self, EsDataset *dataset)
{
  EsCube *cube = ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL;

  g_return_if_fail (ES_IS_REGION_CONTROL (self));

  if (cube == self->cube)
    return;
  forget_classes (self);
  g_set_object (&self->cube, cube);
  g_signal_group_set_target (self->cube_signals, cube);
  g_clear_pointer (&self->selection, es_region_unref);
  g_clear_pointer (&self->left_out, es_region_unref);
  look (self);
  self->count = 0;
  if (self->image != NULL)
    es_image_view_set_tools (self->image, cube != NULL);
  if (cube == NULL)
    {
      changed (self);
      return;
    }
  self->classes = es_dataset_get_regions (ES_DATASET (cube));
  g_signal_connect_object (self->classes, "items-changed", G_CALLBACK (on_classes_changed), self, G_CONNECT_SWAPPED);
  on_classes_changed (self);
}

void
es_region_control_set_image (EsRegionControl *self, EsImageView *image)
{
  g_return_if_fail (ES_IS_REGION_CONTROL (self));
  g_return_if_fail (self->image == NULL);

  g_set_weak_pointer (&self->image, image);
  g_signal_connect_object (image, "region-drawn", G_CALLBACK (on_region_drawn), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_image_view_get_picture (image), "changed", G_CALLBACK (on_picture_changed), self,
                           G_CONNECT_SWAPPED);
  es_image_view_set_tools (image, self->cube != NULL);
  draw (self);
}

EsRegionControl *
es_region_control_new (void)
{
  return g_object_new (ES_TYPE_REGION_CONTROL, NULL);
}

static void
es_region_control_dispose (GObject *object)
{
  EsRegionControl *self = ES_REGION_CONTROL (object);

  forget_classes (self);
  g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_object (&self->cube_signals);
  g_clear_weak_pointer (&self->image);
  g_clear_pointer (&self->left_out, es_region_unref);
  g_clear_pointer (&self->selection, es_region_unref);
  g_clear_object (&self->cube);
  G_OBJECT_CLASS (es_region_control_parent_class)->dispose (object);
}

static void
es_region_control_class_init (EsRegionControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_region_control_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_region_control_init (EsRegionControl *self)
{
  self->cube_signals = g_signal_group_new (ES_TYPE_CUBE);
  g_signal_group_connect_swapped (self->cube_signals, "notify::selection", G_CALLBACK (look), self);
}
