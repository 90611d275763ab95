/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-device-profile.h"
#include "operations/lab/es-experiment.h"
#include "layer/es-verdict.h"
#include "session/es-session.h"

G_BEGIN_DECLS

/* The newest result of an operation on that machine that is whole; NULL: none. Borrowed. */
EsResult   *es_lab_find_result   (EsSession *session, EsMachine *machine, const EsOperation *operation);
/* The job of that operation on that machine that is under way; NULL: none. Borrowed. */
EsJob      *es_lab_find_job      (EsSession *session, EsMachine *machine, const EsOperation *operation);
/* Of each experiment the newest result, of EsResult: what a profile is made of. Transfer full. */
GPtrArray  *es_lab_list_results  (EsSession *session, EsMachine *machine);

/* The verdict of a result; NULL: it has none. Borrowed. */
EsVerdict  *es_lab_find_verdict  (EsResult *result);
/* The first sentence that says what was found; NULL: there is none. Borrowed. */
const char *es_lab_find_sentence (EsResult *result, EsVerdictState *state);
/* The icon and the word of a state: "yes", "no", "unsure", "found". */
const char *es_lab_state_icon    (EsVerdictState state);
const char *es_lab_state_word    (EsVerdictState state);          /* translated */
/* The class of style that colours its icon; NULL: none. */
const char *es_lab_state_class   (EsVerdictState state);
/* Where a profile is from, translated where it is one of the words that we write. */
const char *es_lab_source_word   (EsDeviceProfile *profile);

G_END_DECLS
