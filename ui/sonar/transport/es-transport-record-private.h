/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "player/es-player.h"

G_BEGIN_DECLS

/* How fast it computes, and how much of the record there is. player nullable. Transfer full. */
char *_es_transport_describe_pace    (EsPlayer *player);
/* How much of a player's spectra is kept, where, and of how much at most; NULL: nothing yet. Transfer full. */
char *_es_transport_describe_spectra (EsPlayer *player);

G_END_DECLS
