/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-image-stack.h"
#include "session/es-judgement.h"
#include "es-component-cells.h"
#include "es-components-pane.h"

G_BEGIN_DECLS

struct _EsComponentsPane
{
  GtkWidget            parent_instance;

  GtkWidget           *scroller;
  GtkWidget           *view;
  GtkWidget           *all;
  GtkColumnViewColumn *columns[ES_COMPONENT_N_COLUMNS];
  GListStore          *items;            /* of EsComponentItem */
  GtkSingleSelection  *selection;

  EsResult            *result;
  EsJudgement         *judgement;        /* of that: which are used */
  EsImageStack        *stack;
  GCancellable        *cancellable;      /* of the numbers that are being computed; NULL: none are */
  gboolean             following;        /* the selection is set by what is shown */
};

/* es-components-pane-numbers.c: coherence, entropy and histogram of each plane, computed once the pane is seen */
void _es_components_pane_want_numbers (EsComponentsPane *self);
void _es_components_pane_stop_numbers (EsComponentsPane *self);

G_END_DECLS
