/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"

/* Of several processes of a host each has a card of its own, as long as there are enough; more processes than cards
 * share them. NULL: there is none. */
EsDevice *es_batch_card_of_process  (void);
/* All cards of a host are shared out: with fewer processes than cards each has several, as one device. */
EsDevice *es_batch_cards_of_process (void);
