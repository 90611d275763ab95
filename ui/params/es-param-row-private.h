/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-param-row.h"

G_BEGIN_DECLS

struct _EsParamRow
{
  GtkBox             parent_instance;

  /* Widgets. */
  GtkWidget         *control;
  GtkWidget         *reset;
  GtkWidget         *note;
  GtkWidget         *fault;          /* of a text: what is wrong with it */
  GtkWidget         *hint;           /* of a region: how to get one */
  GtkWidget         *name;           /* of a file or a region: what is chosen */
  GtkFileChooserNative *chooser;     /* while it is open */

  EsParams          *params;
  const EsParamSpec *spec;
  GtkAdjustment     *adjustment;     /* float and int, as shown: see to_shown () */
  GSignalGroup      *params_signals;
  gboolean           syncing;        /* the widgets are being set from the params */
};

/* Controls by kind of row, each in a source of its own. What the person does to them goes into the params unless
 * `syncing`. */

/* FLOAT and INT; makes the adjustment. */
GtkWidget *es_param_row_make_number (EsParamRow *self);
void       es_param_row_show_number (EsParamRow *self);
/* Its scale is one of logarithms. */
gboolean   es_param_row_is_logarithmic (const EsParamSpec *spec);
/* A number that is typed: on a scale nobody could find it. */
gboolean   es_param_row_is_wide     (const EsParamSpec *spec);

GtkWidget *es_param_row_make_choice (EsParamRow *self);

GtkWidget *es_param_row_make_text   (EsParamRow *self);
/* The text, and what is wrong with it. */
void       es_param_row_show_text   (EsParamRow *self);
/* A list, which has a line of its own. */
gboolean   es_param_row_is_long     (const EsParamSpec *spec);

GtkWidget *es_param_row_make_file   (EsParamRow *self);
/* The label with what is chosen, of files and of regions; makes `name`. */
GtkWidget *es_param_row_make_name   (EsParamRow *self);

G_END_DECLS
