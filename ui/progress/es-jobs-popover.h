/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The list behind the status line: what runs, and the last few that ran. */
#define ES_TYPE_JOBS_POPOVER (es_jobs_popover_get_type ())
G_DECLARE_FINAL_TYPE (EsJobsPopover, es_jobs_popover, ES, JOBS_POPOVER, GtkPopover)

/* work: of EsJob and EsActivity, newest last. */
void es_jobs_popover_set_model (EsJobsPopover *self, GListModel *work);

G_END_DECLS
