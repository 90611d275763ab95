/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-machine.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * A device profile: what the experiments found of one machine, as a file (JSON; docs/device-profiles.md). A figure has
 * a name that is the same for every machine ("latency global 1 KiB"), so that profiles stand beside each other; a curve
 * is a list of figures with an x.
 */
typedef struct _EsDeviceProfile EsDeviceProfile;

typedef struct
{
  char  *experiment;           /* "lab-latency" */
  char  *name;                 /* "global": of the series, unique within its experiment and group */
  char  *group;                /* "latency": curves of one group are drawn in one plot; of a single number "" */
  double x;                    /* NAN: a single number */
  char  *x_unit;               /* nullable */
  double value;
  char  *unit;                 /* never NULL: "clocks", "ns", "B/s", "1/s", "s", "1" */
  double least, most;          /* of the repeats; NAN: not told (published) */
  guint  repeats;              /* 0: not told */
} EsFigure;

/* Where a device was when it was measured: what belongs to it but not to the device. "" and 0: not known. */
typedef struct
{
  char  uuid[64];              /* of the device, whatever its driver */
  char  processor[384];
  guint threads;               /* of the processor */
} EsProfilePlace;

/* Of results of experiments on one machine; the newest of each counts. NULL: none of them has a figure. */
EsDeviceProfile *es_device_profile_new      (GPtrArray *results);
/* ES_DATA_ERROR_FORMAT: newer, without units, negative or infinite numbers, above 16 MB. */
EsDeviceProfile *es_device_profile_load     (GFile *file, GError **error);
/* Whether the beginning of a file, a regular one, says that it is a profile. Blocking, of a few bytes. */
gboolean         es_device_profile_is       (GFile *file);
/* The installed ones, by name; of EsDeviceProfile. What cannot be read is left out. Transfer full. */
GPtrArray       *es_device_profiles_shipped (void);
/* The one of a machine of that name; NULL: none. Others are not taken apart. Transfer full. */
EsDeviceProfile *es_device_profile_find_shipped (const char *name);
EsDeviceProfile *es_device_profile_ref      (EsDeviceProfile *self);
void             es_device_profile_unref    (EsDeviceProfile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsDeviceProfile, es_device_profile_unref)

gboolean         es_device_profile_save     (EsDeviceProfile *self, GFile *file, GError **error);
const char      *es_device_profile_get_name (EsDeviceProfile *self);      /* "NVIDIA H100 80GB HBM3" */
const char      *es_device_profile_get_id   (EsDeviceProfile *self);      /* "cuda:0"; "" of published ones */
const char      *es_device_profile_get_date (EsDeviceProfile *self);      /* "2026-11-26" or "2013" */
const char      *es_device_profile_get_source (EsDeviceProfile *self);    /* "measured", "published": where from */
const EsProfilePlace *es_device_profile_get_place (EsDeviceProfile *self);
/* What the machine said of itself, as titles (translated) and texts. */
guint            es_device_profile_get_n_facts (EsDeviceProfile *self);
const char      *es_device_profile_get_fact (EsDeviceProfile *self, guint i, const char **title);
guint            es_device_profile_get_n    (EsDeviceProfile *self);
const EsFigure  *es_device_profile_get      (EsDeviceProfile *self, guint i);
/* NULL: it has none of that. x: NAN for a single number, else the nearest within 1 %. */
const EsFigure  *es_device_profile_find     (EsDeviceProfile *self, const char *experiment, const char *group,
                                             const char *name, double x);

G_END_DECLS
