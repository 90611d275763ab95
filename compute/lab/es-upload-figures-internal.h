/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-upload-model-internal.h"
#include "es-device-profile.h"

G_BEGIN_DECLS

/* What of a card's profile the choice of uploads rests on, by fits where a formula is wanted; cores: of the machine
 * that it was measured in. FALSE: the profile has nothing of it. Pure. */
gboolean es_upload_figures_read (EsDeviceProfile *profile, guint cores, EsUploadFigures *figures);

G_END_DECLS
