/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-roofs.h"

G_BEGIN_DECLS

/*
 * What binds each step of a run, how far it is from that, and what would help.
 *
 * A step needs each of the machine's resources for so long at least: its bytes by the bandwidth, its operations by the
 * rate, its launches one after the other (performance-model.md, the roofline). What it needs longest binds it; it takes
 * `times` as long as that. Where reading, uploading and computing ran beside each other, all of them together are held
 * against the slowest. Steps that took less than a hundredth of the whole have a bound and no sentences.
 */

/* Fills bound, bound_ms, times and advice of each step. Pure. */
void es_stages_judge_by  (EsStageTime *stages, guint n, const EsRoofs *roofs);
/* From now on every job judges its steps by what es_roofs_find () knows of its device. For programs, before there are
 * threads. */
void es_stage_advice_use (void);

G_END_DECLS
