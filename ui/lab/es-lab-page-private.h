/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab-page.h"

#include "lab/ladder/es-ladder-part.h"

G_BEGIN_DECLS

struct _EsLabPage
{
  GtkWidget           parent_instance;

  EsLabProfiles      *profiles;
  EsMachine          *machine;       /* nullable */
  const EsExperiment *experiment;    /* nullable */
  EsResult           *result;        /* nullable */

  GtkWidget          *page;          /* what scrolls */
  GtkWidget          *clamp, *column;
  GtkWidget          *beside;        /* tables of other machines; of the column of a result that is whole */
  GHashTable         *places;        /* EsLayer -> GtkWidget; borrowed */
  EsLayer            *sought;        /* where it is to be, once it has its size; borrowed of the result */
  guint               seek_source;

  GHashTable         *walks;         /* of ladders, by the operation's id: EsLadderWalk, as far as one has climbed */
  GPtrArray          *telling;       /* GtkWidget: what would tell times that are to be guessed; borrowed */
};

/* es-lab-page.c: the ladder that the experiment climbs; NULL: none. */
const EsLadder *_es_lab_page_get_ladder (EsLabPage *self);

/* es-lab-page-layers.c: of a result that is whole, at the end of the column: its layers but for verdicts and what is
 * drawn with a ladder, and tables of the machines that are compared with. */
void            _es_lab_page_add_layers (EsLabPage *self);
void            _es_lab_page_add_beside (EsLabPage *self);
/* Other machines are compared with: their curves and tables are made anew, where the page is stays. */
void            _es_lab_page_compare    (EsLabPage *self);

G_END_DECLS
