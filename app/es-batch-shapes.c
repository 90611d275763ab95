/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "es-batch.h"
#include "opening/es-batch-open.h"

#include "raw/es-raw-shapes.h"

/* "shapes": what a file that says nothing about itself may be as a cube. */

typedef struct
{
  int      width, height, bands;
  gint64   offset;
  char    *type, *byte_order, *layout;
  gboolean json;
} Told;

static void
told_clear (Told *self)
{
  g_free (self->type);
  g_free (self->byte_order);
  g_free (self->layout);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Told, told_clear)

/* FALSE after having said what is wrong. */
static gboolean
settle (const Told *told, EsRawShape *shape, EsRawFields *fields)
{
  *shape = (EsRawShape) { .type = told->type };
  *fields = 0;
  if (told->width < 0 || told->height < 0 || told->bands < 0 || told->offset < -1)
    {
      es_batch_usage (_("--width, --height, --raw-bands and --offset take positive numbers"));
      return FALSE;
    }
  if (told->type != NULL && es_raw_type_size (told->type) == 0)
    {
      es_batch_usage (_("--type cannot be “%s”: expected uint8, int16, uint16, int32, uint32, float32 or float64"),
                      told->type);
      return FALSE;
    }
  if (told->layout != NULL && !es_interleave_find (told->layout, &shape->interleave))
    {
      es_batch_usage (_("--layout cannot be “%s”: expected bsq, bil or bip for a cube"), told->layout);
      return FALSE;
    }
  if (told->byte_order != NULL && g_strcmp0 (told->byte_order, "little") != 0
      && g_strcmp0 (told->byte_order, "big") != 0)
    {
      es_batch_usage (_("%s cannot be “%s”: expected %s or %s"), "--byte-order", told->byte_order, "little", "big");
      return FALSE;
    }
  shape->width = (guint64) told->width;
  shape->height = (guint64) told->height;
  shape->bands = (guint64) told->bands;
  shape->offset = told->offset > 0 ? (guint64) told->offset : 0;
  shape->big_endian = g_strcmp0 (told->byte_order, "big") == 0;
  *fields = (told->width > 0 ? ES_RAW_WIDTH : 0) | (told->height > 0 ? ES_RAW_HEIGHT : 0)
            | (told->bands > 0 ? ES_RAW_BANDS : 0) | (told->offset >= 0 ? ES_RAW_OFFSET : 0)
            | (told->type != NULL ? ES_RAW_TYPE : 0) | (told->layout != NULL ? ES_RAW_INTERLEAVE : 0)
            | (told->byte_order != NULL ? ES_RAW_BYTE_ORDER : 0);
  return TRUE;
}

static void
add_member (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
print_json (GArray *shapes)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < shapes->len; i++)
    {
      const EsRawShape *shape = &g_array_index (shapes, EsRawShape, i);

      json_builder_begin_object (builder);
      add_member (builder, "width", (gint64) shape->width);
      add_member (builder, "height", (gint64) shape->height);
      add_member (builder, "bands", (gint64) shape->bands);
      add_text (builder, "type", shape->type);
      add_text (builder, "byte_order", shape->big_endian ? "big" : "little");
      add_text (builder, "layout", es_interleave_name (shape->interleave));
      add_member (builder, "offset", (gint64) shape->offset);
      json_builder_set_member_name (builder, "score");
      json_builder_add_double_value (builder, shape->score);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  es_batch_print_json (json_builder_get_root (builder));
}

/* As words that open the file so. */
static void
print_text (GArray *shapes)
{
  for (guint i = 0; i < shapes->len; i++)
    {
      const EsRawShape *shape = &g_array_index (shapes, EsRawShape, i);
      g_autofree char *words = g_strdup_printf ("--width %" G_GUINT64_FORMAT " --height %" G_GUINT64_FORMAT
                                                " --raw-bands %" G_GUINT64_FORMAT " --type %s --layout %s%s",
                                                shape->width, shape->height, shape->bands, shape->type,
                                                es_interleave_name (shape->interleave),
                                                shape->big_endian ? " --byte-order big" : "");

      g_print ("%5.3f  %s", shape->score, words);
      if (shape->offset > 0)
        g_print (" --offset %" G_GUINT64_FORMAT, shape->offset);
      g_print ("\n");
    }
}

int
es_batch_shapes (int argc, char **argv)
{
  g_auto (Told) told = { .offset = -1 };
  GOptionEntry entries[] = {
    { "width", 0, 0, G_OPTION_ARG_INT, &told.width, N_("Width in pixels, where it is known"), N_("N") },
    { "height", 0, 0, G_OPTION_ARG_INT, &told.height, N_("Height in pixels, where it is known"), N_("N") },
    { "raw-bands", 0, 0, G_OPTION_ARG_INT, &told.bands, N_("Bands, where they are known"), N_("N") },
    { "type", 0, 0, G_OPTION_ARG_STRING, &told.type, N_("Type of the samples, where it is known"), N_("TYPE") },
    { "byte-order", 0, 0, G_OPTION_ARG_STRING, &told.byte_order, N_("little or big, where it is known"), N_("ORDER") },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &told.layout, N_("bsq, bil or bip, where it is known"), N_("LAYOUT") },
    { "offset", 0, 0, G_OPTION_ARG_INT64, &told.offset, N_("Bytes before the first sample, where they are known"),
      N_("N") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &told.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GArray) shapes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  EsRawShape shape;
  EsRawFields fields;

  if (!es_batch_parse_options (entries, _("shapes FILE: the sizes, types and layouts that a file without a header may "
                                          "have as a cube, the most plausible first, by its size and its content."),
                               &argc, &argv) || !settle (&told, &shape, &fields))
    return ES_EXIT_USAGE;
  if (argc != 2)
    return es_batch_usage (_("“shapes” takes one file"));
  file = es_batch_file (argv[1]);
  shapes = es_raw_shapes_propose_file (file, &shape, fields, NULL, &error);
  if (shapes == NULL)
    return es_batch_fail (error);
  if (shapes->len == 0)
    {
      g_autofree char *name = es_error_file_name (file);

      g_set_error (&error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("No cube fills “%s” to its last byte with what is told of it"), name);
      return es_batch_fail (error);
    }
  if (told.json)
    print_json (shapes);
  else
    print_text (shapes);
  return ES_EXIT_DONE;
}
