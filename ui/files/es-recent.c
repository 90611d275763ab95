/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-recent.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "cube/es-cube-classes.h"
#include "base/es-text-show.h"
#include "cube/es-cube.h"
#include "picture/es-picture.h"
#include "widgets/es-format.h"

#define GROUP          "eigenscope"
#define THUMBNAIL_SIZE 96
#define LONGEST_ITEM   60              /* characters, in a menu */
#define THUMBNAIL_S    2               /* after which one is made: what is shown comes first */

static void
recent_free (gpointer data)
{
  EsRecent *recent = data;

  g_free (recent->uri);
  g_free (recent->name);
  g_free (recent->place);
  g_free (recent);
}

static char *
show_name (const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  return es_text_show (name);
}

static char *
folder_of (GFile *file)
{
  g_autoptr (GFile) parent = g_file_get_parent (file);
  g_autofree char *path = parent != NULL ? g_file_get_path (parent) : NULL;
  const char *home = g_get_home_dir ();

  if (path != NULL && g_str_has_prefix (path, home) && home[1] != '\0'
      && (path[strlen (home)] == '/' || path[strlen (home)] == '\0'))
    {
      g_autofree char *shortened = g_strconcat ("~", path + strlen (home), NULL);

      return show_name (shortened);
    }
  return path != NULL ? show_name (path) : NULL;
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  GDateTime *one = gtk_recent_info_get_modified ((GtkRecentInfo *) a);
  GDateTime *other = gtk_recent_info_get_modified ((GtkRecentInfo *) b);

  return -g_date_time_compare (one, other);
}

GPtrArray *
es_recent_list (guint limit)
{
  GPtrArray *recents = g_ptr_array_new_with_free_func (recent_free);
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());

  items = g_list_sort (items, newest_first);
  for (GList *at = items; at != NULL && recents->len < limit; at = at->next)
    {
      GtkRecentInfo *info = at->data;
      g_autoptr (GFile) file = NULL;
      EsRecent *recent;

      if (!gtk_recent_info_has_group (info, GROUP) || !gtk_recent_info_exists (info))
        continue;
      file = g_file_new_for_uri (gtk_recent_info_get_uri (info));
      recent = g_new0 (EsRecent, 1);
      recent->uri = g_strdup (gtk_recent_info_get_uri (info));
      recent->name = es_text_show (gtk_recent_info_get_display_name (info));
      recent->place = folder_of (file);
      g_ptr_array_add (recents, recent);
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return recents;
}

void
es_recent_clear (void)
{
  g_autoptr (GPtrArray) recents = es_recent_list (G_MAXUINT);

  for (guint i = 0; i < recents->len; i++)
    {
      EsRecent *recent = g_ptr_array_index (recents, i);

      gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), recent->uri, NULL);
    }
}

GMenuModel *
es_recent_make_menu (void)
{
  g_autoptr (GPtrArray) recents = es_recent_list (10);
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < recents->len; i++)
    {
      EsRecent *recent = g_ptr_array_index (recents, i);
      g_autofree char *name = es_format_shorten (recent->name, LONGEST_ITEM);
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "win.open-recent", "s", recent->uri);
      g_menu_append_item (menu, item);
    }
  if (recents->len == 0)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_("No Recent Files"), "win.none");

      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

/* ---- thumbnails ---- */

static char *
thumbnail_path (const char *uri)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, uri, -1);
  g_autofree char *name = g_strconcat (sum, ".png", NULL);

  return g_build_filename (g_get_user_cache_dir (), "eigenscope", "thumbnails", name, NULL);
}

GdkTexture *
es_recent_load_thumbnail (const char *uri)
{
  g_autofree char *path = thumbnail_path (uri);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? gdk_texture_new_from_filename (path, NULL) : NULL;
}

typedef struct
{
  GBytes *planes[3];
  guint   width, height, step;
} Thumbnail;

static void
thumbnail_free (Thumbnail *self)
{
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&self->planes[i], g_bytes_unref);
  g_free (self);
}

static void
read_thumbnail (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  EsCube *cube = source;
  guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  Thumbnail *self = g_new0 (Thumbnail, 1);
  GError *error = NULL;
  guint bands[3];

  es_cube_pick_rgb (cube, bands);
  self->step = MAX (1, (MAX (width, height) + 2 * THUMBNAIL_SIZE - 1) / (2 * THUMBNAIL_SIZE));
  self->width = (width + self->step - 1) / self->step;
  self->height = (height + self->step - 1) / self->step;
  for (guint i = 0; i < 3; i++)
    {
      gsize n = (gsize) self->width * self->height;
      float *values = g_new (float, n);
      gboolean done;

      self->planes[i] = g_bytes_new_take (values, n * sizeof (float));
      /* A mean of classes is none of them. */
      done = es_cube_get_classes (cube) != NULL
             ? es_cube_read_band (cube, bands[i], 0, 0, width, height, self->step, values, cancellable, &error)
             : es_cube_read_band_means (cube, bands[i], self->step, values, cancellable, &error);
      if (!done)
        {
          thumbnail_free (self);
          g_task_return_error (task, error);
          return;
        }
    }
  g_task_return_pointer (task, self, (GDestroyNotify) thumbnail_free);
}

static void
write_thumbnail (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *path = g_strdup (data);
  g_autofree char *folder = g_path_get_dirname (path);

  g_mkdir_with_parents (folder, 0700);
  gdk_texture_save_to_png (source, path);
  g_task_return_boolean (task, TRUE);
}

/* A thumbnail that cannot be made is not missed: there is an icon in its place. */
static void
on_thumbnail_read (GObject *source, GAsyncResult *result, gpointer data)
{
  Thumbnail *self = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (EsPicture) picture = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GTask) task = NULL;
  EsClassTable *classes;

  if (self == NULL)
    return;
  picture = es_picture_new ();
  classes = es_cube_get_classes (ES_CUBE (source));
  es_picture_set_planes (picture, classes != NULL ? 1 : 3, self->planes, self->width, self->height, self->step,
                         es_cube_get_width (ES_CUBE (source)), es_cube_get_height (ES_CUBE (source)));
  es_picture_stretch_percent (picture, 0.02, FALSE);
  if (classes != NULL)
    {
      gint64 first;
      guint n;
      g_autofree guint8 *entries = es_class_table_make_palette (classes, &first, &n);

      es_picture_set_palette (picture, entries, n, (double) first);
    }
  texture = es_picture_render_thumbnail (picture, THUMBNAIL_SIZE);
  thumbnail_free (self);
  if (texture == NULL)
    return;
  task = g_task_new (texture, NULL, NULL, NULL);
  g_task_set_task_data (task, g_strdup (g_task_get_task_data (G_TASK (result))), g_free);
  es_task_run_in_thread (task, write_thumbnail);
}

static void
add (const char *uri, const char *name)
{
  const char *groups[] = { GROUP, NULL };
  GtkRecentData data = {
    .display_name = (char *) name,
    .mime_type = (char *) "application/octet-stream",
    .app_name = (char *) "eigenscope",
    .app_exec = (char *) "eigenscope %u",
    .groups = (char **) groups,
  };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

void
es_recent_add_session (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file), *name = es_error_file_name (file);

  add (uri, name);
}

static gboolean
make_thumbnail (EsDataset *dataset)
{
  g_autofree char *uri = g_file_get_uri (es_dataset_get_file (dataset));
  g_autoptr (GTask) task = g_task_new (dataset, NULL, on_thumbnail_read, NULL);

  g_task_set_task_data (task, thumbnail_path (uri), g_free);
  g_task_set_priority (task, G_PRIORITY_LOW);
  es_task_run_in_thread (task, read_thumbnail);
  return G_SOURCE_REMOVE;
}

void
es_recent_add (EsDataset *dataset)
{
  GFile *file = es_dataset_get_file (dataset);
  g_autofree char *uri = file != NULL ? g_file_get_uri (file) : NULL;
  g_autoptr (GSource) source = NULL;

  if (uri == NULL)
    return;
  add (uri, es_dataset_get_name (dataset));
  if (!ES_IS_CUBE (dataset))
    return;
  /* Not of one that is closed by then. */
  source = g_timeout_source_new_seconds (THUMBNAIL_S);
  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_closure (source, g_cclosure_new_object (G_CALLBACK (make_thumbnail), G_OBJECT (dataset)));
  g_source_attach (source, NULL);
}
