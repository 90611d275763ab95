/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-judgement.h"
#include "es-session.h"

G_BEGIN_DECLS

/*
 * Keeps the judgements of a session's results up to date: reconstructs when asked to, gives each reconstruction to the
 * result that it was made of, and lets both follow a result that takes the place of another (a dragged threshold).
 * Main context only.
 *
 * Signal: "changed" (): another job is under way, or none.
 */
#define ES_TYPE_JUDGE (es_judge_get_type ())
G_DECLARE_FINAL_TYPE (EsJudge, es_judge, ES, JUDGE, GObject)

/* Keeps the session. What listens to "result-added" and is connected later finds the judgements done. */
EsJudge  *es_judge_new          (EsSession *session);
/* Of these components ("1-3, 5", "" for all); what is under way is out of date. */
void      es_judge_reconstruct  (EsJudge *self, EsResult *judged, const char *components);
/* What waits is not begun. */
void      es_judge_forget       (EsJudge *self);
/* The same where it is of a result of this data set, which is closed. */
void      es_judge_forget_dataset (EsJudge *self, EsDataset *dataset);
/* A reconstruction is being computed: it came of a switch or a threshold, and is no run of the panel's. */
gboolean  es_judge_is_under_way (EsJudge *self);

G_END_DECLS
