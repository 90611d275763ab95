/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-device-profile.h"
#include "layer/es-curve.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/* A plot of a curve that an experiment has found, and beside each of its series the same of other machines, dashed.
 * experiment: the operation's id; others: of EsDeviceProfile, those that have nothing of it are left out. Transfer
 * full. */
EsPlot *es_lab_curve_plot_new         (EsCurve *curve, const char *experiment, GPtrArray *others);
/* The curves of one group of a profile, and dashed those of the others. NULL: the profile has none. Transfer full. */
EsPlot *es_lab_curve_plot_new_of      (EsDeviceProfile *profile, const char *experiment, const char *group,
                                       GPtrArray *others);
/* What a group of an experiment's figures is called, translated; the experiment's title where it has no name of its
 * own. Borrowed: of the operation or the argument. */
const char *es_lab_curve_get_title    (const char *experiment, const char *group);

G_END_DECLS
