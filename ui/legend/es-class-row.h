/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* A class of a legend. */
#define ES_TYPE_CLASS_ROW (es_class_row_get_type ())
G_DECLARE_FINAL_TYPE (EsClassRow, es_class_row, ES, CLASS_ROW, GObject)

struct _EsClassRow
{
  GObject  parent_instance;

  gint64   value;
  char    *name;
  guint32  colour;             /* 0xRRGGBB */
  guint64  pixels;
  double   share;              /* of the pixels that are of a class */
  gboolean counted, listed;
};

EsClassRow *es_class_row_new (gint64 value, char *name, guint32 colour);      /* takes the name */

G_END_DECLS
