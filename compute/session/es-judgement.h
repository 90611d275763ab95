/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * What is thought of one result, and lives as long as it does: which of its components are used, and which
 * reconstruction says what is lost without the others. No part of the result: nothing of it is saved. Main context
 * only.
 *
 * Signals: "kept-changed" (): other components are used; "reconstruction-changed" (): there is another one, or one is
 * being computed, or is not any more; "source-changed" (): the result is a reconstruction, now of another one.
 */
#define ES_TYPE_JUDGEMENT (es_judgement_get_type ())
G_DECLARE_FINAL_TYPE (EsJudgement, es_judgement, ES, JUDGEMENT, GObject)

/* Made when it is asked for first. Borrowed. */
EsJudgement *es_judgement_of           (EsResult *result);

/* ---- components, planes of the layer "components" ---- */
guint        es_judgement_get_n        (EsJudgement *self);
gboolean     es_judgement_is_kept      (EsJudgement *self, guint plane);
guint        es_judgement_count_kept   (EsJudgement *self);
/* FALSE: it is so already, or it is the last one, which stays: nothing can be made of none. */
gboolean     es_judgement_set_kept     (EsJudgement *self, guint plane, gboolean kept);
void         es_judgement_keep_all     (EsJudgement *self);
/* "1-3, 5", counted from 1; "" for all of them. Transfer full. */
char        *es_judgement_format_kept  (EsJudgement *self);
/* A result that takes the place of another keeps what is switched off; before it is shown. */
void         es_judgement_inherit      (EsJudgement *self, EsResult *from);

/* ---- reconstructions ---- */
/* The newest one, kept; it remembers what it was made of, and does not keep that. NULL: none any more. */
void         es_judgement_set_reconstruction (EsJudgement *self, EsResult *reconstruction);
EsResult    *es_judgement_get_reconstruction (EsJudgement *self);              /* nullable */
/* One is being computed. */
void         es_judgement_set_busy     (EsJudgement *self, gboolean busy);
gboolean     es_judgement_is_busy      (EsJudgement *self);

/* What a reconstruction was made of, while that is still there; NULL for NULL and for any other result. Borrowed. */
EsResult    *es_judgement_find_source  (EsResult *reconstruction);
/* What is judged while `shown` is shown: that, or what it was made of. NULL for NULL. Borrowed. */
EsResult    *es_judgement_find_judged  (EsResult *shown);

G_END_DECLS
