/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* Eigenvalues of the cross-spectral matrix at the cursor's frequency, the strongest first: the level of the noise, and
 * how many sources AIC and MDL find. */
#define ES_TYPE_EIGEN_PANE (es_eigen_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsEigenPane, es_eigen_pane, ES, EIGEN_PANE, EsSonarPane)

EsSonarPane *es_eigen_pane_new (EsSonarDisplay *display);

G_END_DECLS
