/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "operations/lab/es-experiment.h"
#include "session/es-session.h"

G_BEGIN_DECLS

/*
 * Experiments on one machine, one after the other, each with its parameters as they are at first, so that profiles can
 * be compared. One that fails is told of by the session, and the next begins. Signals: "changed", how far it is;
 * "finished" (EsMachine), all of them have had their turn. Main context.
 */
#define ES_TYPE_LAB_SERIES (es_lab_series_get_type ())
G_DECLARE_FINAL_TYPE (EsLabSeries, es_lab_series, ES, LAB_SERIES, GObject)

EsLabSeries *es_lab_series_new         (EsSession *session);
/* Those of a profile that suit the machine, from the first on; nothing while one is under way. */
void         es_lab_series_start       (EsLabSeries *self, EsMachine *machine);
/* The one that runs is cancelled, and no other begins; what is done stays. */
void         es_lab_series_cancel      (EsLabSeries *self);
gboolean     es_lab_series_is_running  (EsLabSeries *self);
EsMachine   *es_lab_series_get_machine (EsLabSeries *self);      /* borrowed; NULL: it does not run */
guint        es_lab_series_get_n       (EsLabSeries *self);      /* experiments of the one under way */
guint        es_lab_series_get_n_done  (EsLabSeries *self);
double       es_lab_series_get_progress (EsLabSeries *self);     /* 0..1, of all of them */
/* The job is one of its. */
gboolean     es_lab_series_owns        (EsLabSeries *self, EsJob *job);
/* How many of a machine's experiments a series would run. */
guint        es_lab_series_count       (EsMachine *machine);

G_END_DECLS
