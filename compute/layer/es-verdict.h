/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-layer.h"

G_BEGIN_DECLS

/* Whether what a sentence says holds; ES_VERDICT_TELLS: it says what was found, and nothing was to be decided. */
typedef enum { ES_VERDICT_YES, ES_VERDICT_NO, ES_VERDICT_UNSURE, ES_VERDICT_TELLS } EsVerdictState;

/* One of the numbers that a sentence rests on. */
typedef struct
{
  char  *title;                /* translated: "1 lane an address" */
  double value;
  char  *unit;                 /* nullable */
} EsVerdictNumber;

/* What follows from numbers by a stated rule: sentences, each with the numbers it rests on. The last of an experiment's
 * says what it means for this program. */
#define ES_TYPE_VERDICT (es_verdict_get_type ())
G_DECLARE_FINAL_TYPE (EsVerdict, es_verdict, ES, VERDICT, EsLayer)

guint          es_verdict_get_n         (EsVerdict *self);
EsVerdictState es_verdict_get_state     (EsVerdict *self, guint i);
const char    *es_verdict_get_sentence  (EsVerdict *self, guint i);       /* translated */
const char    *es_verdict_get_rule      (EsVerdict *self, guint i);       /* translated; nullable */
const EsVerdictNumber *es_verdict_get_numbers (EsVerdict *self, guint i, guint *n);
/* The sentence is what it means for Eigenscope, not what was found. */
gboolean       es_verdict_is_meaning    (EsVerdict *self, guint i);
const char    *es_verdict_state_name    (EsVerdictState state);           /* "yes", "no", "unsure", "tells" */

G_END_DECLS
