/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The variables of a MATLAB file: what they are, without their data. */

#include "es-file-facts-private.h"

#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-matio-library-internal.h"

#define MOST_VARIABLES 10000

static const char *
name_class (enum matio_classes class)
{
  static const char *const names[] = {
    [MAT_C_CELL] = "cell", [MAT_C_STRUCT] = "struct", [MAT_C_OBJECT] = "object", [MAT_C_CHAR] = "char",
    [MAT_C_SPARSE] = "sparse", [MAT_C_DOUBLE] = "double", [MAT_C_SINGLE] = "single", [MAT_C_INT8] = "int8",
    [MAT_C_UINT8] = "uint8", [MAT_C_INT16] = "int16", [MAT_C_UINT16] = "uint16", [MAT_C_INT32] = "int32",
    [MAT_C_UINT32] = "uint32", [MAT_C_INT64] = "int64", [MAT_C_UINT64] = "uint64",
    [MAT_C_FUNCTION] = "function", [MAT_C_OPAQUE] = "opaque",
  };

  return (guint) class < G_N_ELEMENTS (names) && names[class] != NULL ? names[class] : "?";
}

static char *
describe (const matvar_t *variable)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < variable->rank && i < 32; i++)
    g_string_append_printf (text, "%s%" G_GSIZE_FORMAT, i > 0 ? " × " : "", variable->dims[i]);
  g_string_append_printf (text, " %s%s", name_class (variable->class_type), variable->isComplex ? " complex" : "");
  return g_string_free (text, FALSE);
}

static void
mute (int level, char *message)
{
}

gboolean
es_file_facts_mat (EsFileFacts *self)
{
  matvar_t *variable;
  mat_t *file;
  gboolean goes_on = TRUE;

  if (!es_library_load (&es_library_matio, NULL, NULL))
    return FALSE;
  es_hdf_lock ();
  Mat_LogInitFunc ("eigenscope", mute);
  file = Mat_Open (self->path, MAT_ACC_RDONLY);
  if (file != NULL)
    {
      const char *header = Mat_GetHeader (file);

      goes_on = es_file_facts_add (self, "MATLAB", "header", header);
      for (guint i = 0; goes_on && i < MOST_VARIABLES && (variable = Mat_VarReadNextInfo (file)) != NULL; i++)
        {
          g_autofree char *text = describe (variable);

          goes_on = es_file_facts_add (self, "MATLAB", variable->name != NULL ? variable->name : "", text);
          Mat_VarFree (variable);
        }
      Mat_Close (file);
    }
  es_hdf_unlock ();
  return file != NULL;
}
