/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a file of several arrays offers, and which of them opens by itself. */

#include <glib/gi18n.h>

#include "dataset/es-file-array.h"
#include "es-batch-open.h"

void
es_batch_arrays_print (EsDataset *dataset)
{
  GPtrArray *arrays = es_dataset_get_arrays (dataset);

  if (arrays->len < 2)
    return;
  g_print (_("  arrays of the file, which --variable opens (* is this one):\n"));
  for (guint i = 0; i < arrays->len; i++)
    {
      const EsFileArray *array = g_ptr_array_index (arrays, i);
      const char *reason = es_file_array_tell_reason (array);
      g_autofree char *description = es_file_array_describe (array);

      g_print ("  %c %s  %s", array->open ? '*' : ' ', array->name, description);
      if (reason != NULL)
        g_print (_(" (opens by itself: %s)"), reason);
      g_print ("\n");
    }
}

void
es_batch_arrays_add_json (EsDataset *dataset, JsonBuilder *builder)
{
  static const char * const reasons[] = { NULL, "only", "product", "wavelengths", "largest" };
  GPtrArray *arrays = es_dataset_get_arrays (dataset);

  json_builder_set_member_name (builder, "arrays");
  json_builder_begin_array (builder);
  for (guint i = 0; i < arrays->len; i++)
    {
      const EsFileArray *array = g_ptr_array_index (arrays, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, array->name);
      json_builder_set_member_name (builder, "width");
      json_builder_add_int_value (builder, (gint64) array->width);
      json_builder_set_member_name (builder, "height");
      json_builder_add_int_value (builder, (gint64) array->height);
      json_builder_set_member_name (builder, "bands");
      json_builder_add_int_value (builder, array->bands);
      json_builder_set_member_name (builder, "type");
      json_builder_add_string_value (builder, array->type);
      json_builder_set_member_name (builder, "wavelengths");
      json_builder_add_boolean_value (builder, array->wavelengths);
      json_builder_set_member_name (builder, "open");
      json_builder_add_boolean_value (builder, array->open);
      json_builder_set_member_name (builder, "by_itself");
      if (reasons[array->reason] != NULL)
        json_builder_add_string_value (builder, reasons[array->reason]);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
