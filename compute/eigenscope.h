/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Everything that ui/ and app/ may use of compute/. */
#include "es-comparison.h"
#include "es-component-numbers.h"
#include "es-correlate.h"
#include "es-cube.h"
#include "es-dataset.h"
#include "es-density.h"
#include "es-device.h"
#include "es-error.h"
#include "es-job.h"
#include "es-layer.h"
#include "es-linear-model.h"
#include "es-operation.h"
#include "es-params.h"
#include "es-planes.h"
#include "es-region.h"
#include "es-region-set.h"
#include "es-result.h"
#include "es-session.h"
#include "es-simulate.h"
#include "es-writer.h"
