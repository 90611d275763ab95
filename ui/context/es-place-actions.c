/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is done with the selected pixel, and with the selected region. */

#include "es-place-menu-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-task.h"
#include "profile/es-profile.h"
#include "widgets/es-export.h"

/* Device pixels a picture pixel that one sees pixels at. */
#define NEAR_ZOOM 8

static EsCube *
get_cube (EsPlaceMenu *self)
{
  return self->inspector != NULL ? es_region_control_get_cube (es_inspector_get_control (self->inspector)) : NULL;
}

static EsRegion *
get_region (EsPlaceMenu *self)
{
  return self->inspector != NULL ? es_region_control_get_selection (es_inspector_get_control (self->inspector)) : NULL;
}

EsNamedRegion *
_es_place_menu_find_class (EsPlaceMenu *self)
{
  EsRegionSet *classes = self->inspector != NULL
                         ? es_region_control_get_classes (es_inspector_get_control (self->inspector)) : NULL;
  guint x, y;

  if (classes == NULL || !es_image_view_get_selected (self->image, &x, &y))
    return NULL;
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (classes)); i > 0; i--)
    {
      g_autoptr (EsNamedRegion) class = g_list_model_get_item (G_LIST_MODEL (classes), i - 1);
      guint8 inside = 0;

      es_region_fill_mask (es_named_region_get_region (class), x, y, 1, 1, &inside);
      if (inside)
        return g_steal_pointer (&class);
    }
  return NULL;
}

/* ---- copying ---- */

static void
append_number (GString *text, double value)
{
  if (isfinite (value))
    {
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.9g", value));
    }
}

static void
copy_coordinates (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  EsCube *cube = get_cube (self);
  g_autoptr (GString) titles = g_string_new ("x\ty"), text = g_string_new (NULL);
  double a, b;
  guint x, y;

  if (!es_image_view_get_selected (self->image, &x, &y))
    return;
  g_string_printf (text, "%u\t%u", x, y);
  if (cube != NULL && es_cube_get_map_coordinate (cube, x, y, &a, &b))
    {
      g_string_append_printf (titles, "\t%s\t%s", _("easting"), _("northing"));
      g_string_append_c (text, '\t');
      append_number (text, a);
      g_string_append_c (text, '\t');
      append_number (text, b);
    }
  if (cube != NULL && es_cube_get_geographic (cube, x, y, &a, &b))
    {
      g_string_append_printf (titles, "\t%s\t%s", _("latitude (°)"), _("longitude (°)"));
      g_string_append_c (text, '\t');
      append_number (text, a);
      g_string_append_c (text, '\t');
      append_number (text, b);
    }
  g_string_append_printf (titles, "\n%s\n", text->str);
  es_export_copy_text (GTK_WIDGET (self->image), titles->str);
}

/* Planes of one pixel, read from the file: what the picture holds may be a mean. */
typedef struct
{
  EsPlaneSource *source;
  guint          n, *planes;
  guint          x, y;
  gboolean       columns;        /* a row of numbers below one of titles; else a line a plane */
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_object_unref (reading->source);
  g_free (reading->planes);
  g_free (reading);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Reading *reading = data;
  const EsProfilePlace pixel[2] = { { reading->x, reading->y }, { reading->x, reading->y } };
  g_autoptr (EsProfileLine) line = es_profile_line_new (2, pixel, ES_PROFILE_NEAREST, 1);
  EsCube *cube = es_plane_source_get_cube (reading->source);
  g_autoptr (EsProfile) profile = NULL;
  GError *error = NULL;

  if (cube != NULL)
    profile = es_profile_of_cube (line, cube, reading->n, reading->planes, cancellable, &error);
  else
    profile = es_profile_of_stack (line, es_plane_source_get_stack (reading->source), NULL, reading->n,
                                   reading->planes, cancellable, &error);
  if (profile == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  g_autoptr (GString) titles = g_string_new ("x\ty"), text = g_string_new (NULL);
  const double *wavelengths = cube != NULL ? es_cube_get_wavelengths (cube) : NULL;
  g_string_printf (text, "%u\t%u", reading->x, reading->y);
  if (!reading->columns)
    {
      g_string_printf (titles, "%s\t%s\n", wavelengths != NULL ? _("Wavelength (nm)") : _("Band"), _("Value"));
      g_string_set_size (text, 0);
    }
  for (guint i = 0; i < reading->n; i++)
    {
      g_autofree char *title = es_plane_source_get_plane_title (reading->source, reading->planes[i]);

      if (reading->columns)
        {
          g_string_append_printf (titles, "\t%s", title);
          g_string_append_c (text, '\t');
          append_number (text, profile->values[i]);
          continue;
        }
      append_number (text, wavelengths != NULL ? wavelengths[reading->planes[i]] : reading->planes[i] + 1);
      g_string_append_c (text, '\t');
      append_number (text, profile->values[i]);
      g_string_append_c (text, '\n');
    }
  if (reading->columns)
    g_string_append_printf (titles, "\n%s\n", text->str);
  else
    g_string_append (titles, text->str);
  g_task_return_pointer (task, g_strdup (titles->str), g_free);
}

static void
on_read (GObject *image, GAsyncResult *result, gpointer data)
{
  EsPlaceMenu *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  self->n_reading--;
  if (text != NULL)
    es_export_copy_text (GTK_WIDGET (image), text);
  else
    es_export_report (GTK_WIDGET (image), error->message);
}

static void
copy_planes (EsPlaceMenu *self, EsPlaneSource *source, guint n, const guint *planes, gboolean columns)
{
  g_autoptr (GTask) task = NULL;
  Reading *reading;
  guint x, y;

  if (source == NULL || n == 0 || !es_image_view_get_selected (self->image, &x, &y)
      || x >= es_plane_source_get_width (source) || y >= es_plane_source_get_height (source))
    return;
  reading = g_new0 (Reading, 1);
  reading->source = g_object_ref (source);
  reading->n = n;
  reading->planes = g_memdup2 (planes, n * sizeof *planes);
  reading->x = x;
  reading->y = y;
  reading->columns = columns;
  /* The task keeps the view, and the view this. */
  task = g_task_new (self->image, NULL, on_read, self);
  g_task_set_source_tag (task, copy_planes);
  g_task_set_task_data (task, reading, reading_free);
  self->n_reading++;
  es_task_run_in_thread (task, read_in_thread);
}

static void
copy_values (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  guint planes[3], n = es_display_get_planes (self->display, planes);

  copy_planes (self, es_display_get_source (self->display), n, planes, TRUE);
}

static void
copy_spectrum (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  EsCube *cube = get_cube (self);
  g_autoptr (EsPlaneSource) source = cube != NULL ? es_plane_source_new_for_cube (cube) : NULL;
  const gboolean *good = cube != NULL ? es_cube_get_good_bands (cube) : NULL;
  const guint bands = cube != NULL ? es_cube_get_bands (cube) : 0;
  g_autofree guint *planes = g_new (guint, bands + 1);
  guint n = 0;

  for (guint i = 0; i < bands; i++)
    if (good[i])
      planes[n++] = i;
  copy_planes (self, source, n, planes, FALSE);
}

/* ---- the picture ---- */

static void
zoom_here (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  const double zoom = es_image_view_get_zoom (self->image);
  guint x, y;

  if (es_image_view_get_selected (self->image, &x, &y))
    es_image_view_set_place (self->image, MAX (NEAR_ZOOM, zoom * 2), x + 0.5, y + 0.5);
}

static void
show_profile (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  const char *kind = g_variant_get_string (parameter, NULL);

  if (self->inspector == NULL)
    return;
  if (g_str_equal (kind, "line"))
    {
      if (self->tools != NULL)
        es_image_view_set_tool (self->tools, ES_IMAGE_TOOL_LINE);
    }
  else
    es_inspector_show_profile (self->inspector, g_str_equal (kind, "row") ? ES_PROFILE_ROW : ES_PROFILE_COLUMN);
}

static void
take_tool (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;

  if (self->tools != NULL)
    es_image_view_set_tool (self->tools, g_str_equal (g_variant_get_string (parameter, NULL), "rectangle")
                                         ? ES_IMAGE_TOOL_RECTANGLE : ES_IMAGE_TOOL_POLYGON);
}

/* ---- the region ---- */

static void
make_class (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;

  if (self->inspector != NULL)
    es_region_control_keep (es_inspector_get_control (self->inspector), NULL);
}

static void
unselect (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;

  if (self->inspector != NULL)
    es_region_control_set_selection (es_inspector_get_control (self->inspector), NULL);
}

static void
select_class (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  g_autoptr (EsNamedRegion) class = _es_place_menu_find_class (self);

  if (class != NULL)
    es_region_control_set_selection (es_inspector_get_control (self->inspector), es_named_region_get_region (class));
}

static void
take_part (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;
  const char *what = g_variant_get_string (parameter, NULL);

  if (self->inspector == NULL)
    return;
  if (g_str_equal (what, "window"))
    es_inspector_choose_part (self->inspector, "selection.window", NULL);
  else
    es_inspector_choose_part (self->inspector, "selection.add-selected",
                              g_variant_new_boolean (g_str_equal (what, "outside")));
}

static void
take_everything (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;

  if (self->inspector != NULL)
    es_inspector_choose_part (self->inspector, "selection.everything", NULL);
}

/* The mean of what is selected is kept by the viewer, in which the picture is. */
static void
keep_selection (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  EsPlaceMenu *self = data;

  gtk_widget_activate_action (GTK_WIDGET (self->image), "view.keep-spectrum", "s", "selection");
}

/* ---- all of them ---- */

static void
enable (EsPlaceMenu *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name)),
                               enabled);
}

void
_es_place_menu_update_actions (EsPlaceMenu *self)
{
  const gboolean cube = get_cube (self) != NULL, region = get_region (self) != NULL;
  guint x, y;
  const gboolean pixel = es_image_view_get_selected (self->image, &x, &y);

  enable (self, "copy-coordinates", pixel);
  enable (self, "copy-values", pixel);
  enable (self, "copy-spectrum", pixel && cube);
  enable (self, "zoom-here", pixel);
  enable (self, "make-class", region);
  enable (self, "unselect", region);
  enable (self, "keep-selection", region && cube);
  enable (self, "part-selected", region && cube);
  enable (self, "everything", cube);
}

void
_es_place_menu_add_actions (EsPlaceMenu *self)
{
  static const GActionEntry entries[] = {
    { "copy-coordinates", copy_coordinates }, { "copy-values", copy_values }, { "copy-spectrum", copy_spectrum },
    { "zoom-here", zoom_here },               { "profile", show_profile, "s" }, { "tool", take_tool, "s" },
    { "make-class", make_class },             { "unselect", unselect },       { "select-class", select_class },
    { "keep-selection", keep_selection },     { "part-selected", take_part, "s" },
    { "everything", take_everything },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->image), "place", G_ACTION_GROUP (self->actions));
}
