/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct
{
  gint64   value;              /* of its pixels */
  char    *name;               /* as the file says, to be shown; or NULL */
  guint32  colour;             /* 0xRRGGBB */
  gboolean has_colour;         /* the file says it; else one of a row that tells apart */
} EsClass;

/* What the numbers of a classification mean. Filled while it is made, then immutable; counted. */
typedef struct _EsClassTable EsClassTable;

#define ES_TYPE_CLASS_TABLE (es_class_table_get_type ())
GType         es_class_table_get_type (void);
EsClassTable *es_class_table_new      (void);
EsClassTable *es_class_table_ref      (EsClassTable *self);
void          es_class_table_unref    (EsClassTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsClassTable, es_class_table_unref)

/* So many at most: what is beyond is left out, and FALSE. */
#define ES_CLASS_TABLE_MOST 65536
/* A further one, or more of one that is there: name NULL and colour NULL (0xRRGGBB) leave what it has. */
gboolean      es_class_table_set      (EsClassTable *self, gint64 value, const char *name, const guint32 *colour);

guint          es_class_table_get_n    (EsClassTable *self);
const EsClass *es_class_table_get      (EsClassTable *self, guint i);       /* by value, ascending */
/* NULL: the file does not say what it means. */
const EsClass *es_class_table_find     (EsClassTable *self, gint64 value);
/* The same by what a sample holds; NULL where it is no whole number either. */
const EsClass *es_class_table_find_sample (EsClassTable *self, double sample);
/* "Water", or "class 7". Transfer full. */
char          *es_class_table_name     (EsClassTable *self, gint64 value);
/* Of a value that is not listed: ES_CLASS_UNLISTED. */
#define ES_CLASS_UNLISTED 0x808080u
guint32        es_class_table_colour   (EsClassTable *self, gint64 value);

/* The colours (RGBA) of the *n values from *first on, and behind them that of every other value; values that are not
 * listed have ES_CLASS_UNLISTED, as have those beyond the first ES_CLASS_TABLE_MOST. At least 256 colours. Transfer
 * full. */
guint8        *es_class_table_make_palette (EsClassTable *self, gint64 *first, guint *n);

G_END_DECLS
