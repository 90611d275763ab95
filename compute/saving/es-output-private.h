/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-journal-private.h"
#include "es-output-internal.h"

G_BEGIN_DECLS

/* One file of a set; output has to be first. */
typedef struct
{
  EsOutput       output;
  char          *path;
  char          *part;
  int            handed;        /* the part's descriptor, kept for its lock where somebody else writes it; -1 */

  /* The part is a file that was there already: es_outputs_adopt (). */
  gboolean       adopted;
  EsOutputTaken  taken;
  gpointer       data;
  GDestroyNotify destroy;
} EsOutputItem;

struct _EsOutputs
{
  GPtrArray  *items;           /* EsOutputItem */
  GPtrArray  *directories;     /* made by us, outermost first */
  GPtrArray  *superfluous;     /* paths that commit removes */
  GHashTable *tidied;          /* folders that were put in order */
  GError     *refusal;         /* why one of the superfluous may not go */
  gboolean    inputs_permitted;
  gboolean    committed;
};

/* The file that a path leads to. Transfer full. */
char *es_output_resolve (const char *path);

G_END_DECLS
