/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analyse/es-analyse-panel.h"
#include "es-test-shell.h"
#include "sonar/adaptive/es-adaptive-bar.h"

typedef struct
{
  EsWindow       *window;
  EsPlayer       *player;
  EsBeamHistory  *history;
  EsAnalysePanel *analyse;
  EsParams       *params;      /* of mvdr */
  EsAdaptiveBar  *bar;         /* once it was shown */
} EsTestAdaptiveFixture;

#define ES_TEST_ADD_ADAPTIVE(path, adaptive, function) \
  g_test_add ("/adaptive-window/" path, EsTestAdaptiveFixture, adaptive, es_test_adaptive_set_up, function, \
              es_test_adaptive_tear_down)

/* Two sources in one beam of a dozen elements, 20 dB above the noise. */
GFile   *es_test_adaptive_recording    (void);
gboolean es_test_adaptive_has_adaptive (gpointer history);
void     es_test_adaptive_set_up       (EsTestAdaptiveFixture *fixture, gconstpointer adaptive);
void     es_test_adaptive_tear_down    (EsTestAdaptiveFixture *fixture, gconstpointer adaptive);
