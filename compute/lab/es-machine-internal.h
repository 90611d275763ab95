/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-device-profile.h"
#include "es-lab.h"
#include "es-machine.h"

G_BEGIN_DECLS

/* What it was found to be when it was opened to be measured. Any thread. */
void es_machine_set_facts (EsMachine *self, const EskLabMachine *facts);
/* FALSE: nobody has measured it yet; what is known of it cheaply. */
gboolean es_machine_get_facts (EsMachine *self, EskLabMachine *facts);
/* As members of an object, units in their names; and back, whatever is missing or negative 0. */
void es_machine_facts_to_json   (const EskLabMachine *facts, JsonObject *object);
void es_machine_facts_from_json (JsonObject *object, EskLabMachine *facts);
/* What the machine of a profile said of itself. Borrowed. */
const EskLabMachine *es_device_profile_get_machine (EsDeviceProfile *self);
/* As es_device_profile_save (), and where the machine was: for those that are kept. */
gboolean es_device_profile_save_with_place (EsDeviceProfile *self, gboolean with_place, GFile *file, GError **error);
/* Transfer full: es_machine_list_facts (). */
char **es_machine_facts_for_people (const EskLabMachine *facts);

G_END_DECLS
