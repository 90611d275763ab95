/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "es-ladders.h"

G_BEGIN_DECLS

/* A climb of another machine that comes with the program: ladders/MACHINE/LADDER/result.json below its data, which
 * es_result_load () opens. */
typedef struct
{
  char           *machine;     /* the folder's name: "h100" */
  const EsLadder *ladder;
  GFile          *file;        /* result.json */
} EsLadderStored;

/* By machine, then in the order of the ladders. Of EsLadderStored; empty: there is none. Transfer full. */
GPtrArray *es_ladder_stored_list (void);

G_END_DECLS
