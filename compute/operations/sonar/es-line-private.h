/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beam-params-internal.h"
#include "es-element-health-private.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "signal/es-normalise.h"
#include "signal/es-tone.h"
#include "recording/es-recording-internal.h"
#include "result/es-result-internal.h"
#include "es-sonar-operations-internal.h"

G_BEGIN_DECLS

/*
 * What LOFAR and DEMON have in common: one line of samples (a beam or an element), a waterfall of its spectra over
 * time, their mean, and the lines that stand out of it.
 */

extern const EsParamChoice es_line_normaliser_choices[];

#define ES_LINE_PARAMS \
  { .key = "bearing", .label = N_("Bearing"), \
    .help = N_("Of the beam that is listened to: from a line's axis (90 is broadside), otherwise the azimuth. " \
               "Without it an element is listened to."), \
    .type = ES_PARAM_TEXT, .unit = N_("°"), .zero_label = N_("An element"), .check = es_beam_check_bearing }, \
  { .key = "elevation", .label = N_("Elevation"), \
    .help = N_("Of the beam, where the array is no line."), \
    .type = ES_PARAM_FLOAT, .unit = N_("°"), .minimum = -90, .maximum = 90, .step = 1, .digits = 1, \
    .advanced = TRUE }, \
  { .key = "element", .label = N_("Element"), \
    .help = N_("The element that is listened to where no bearing is given, counted from 1; the channel where the " \
               "array is not known."), \
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1000000, .default_value = 1 }, \
  ES_BEAM_PARAMS_PART (TRUE), \
  ES_BEAM_PARAM_SHADING

#define ES_LINE_NORMALISER_PARAMS(WINDOW_HZ, GAP_HZ) \
  { .key = "normaliser", .label = N_("Normaliser"), \
    .help = N_("What the waterfall is divided by along frequency, so that lines stand out alike: nothing, or an " \
               "estimate of the background."), \
    .type = ES_PARAM_CHOICE, .choices = es_line_normaliser_choices }, \
  { .key = "background", .label = N_("Background"), \
    .help = N_("How far on each side of a frequency its background is estimated."), \
    .type = ES_PARAM_FLOAT, .unit = N_("Hz"), \
    .minimum = 0.001, .maximum = 1e6, .step = 1, .digits = 3, .default_value = (WINDOW_HZ), .advanced = TRUE }, \
  { .key = "gap", .label = N_("Gap"), \
    .help = N_("How far on each side of a frequency nothing counts as background."), \
    .type = ES_PARAM_FLOAT, .unit = N_("Hz"), .maximum = 1e6, .step = 1, .digits = 3, .default_value = (GAP_HZ), \
    .advanced = TRUE }, \
  { .key = "lines", .label = N_("Lines"), \
    .help = N_("How many lines are listed at most, clearest first."), \
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 1, .maximum = 10000, .default_value = 20 }, \
  { .key = "line-threshold", .label = N_("Line threshold"), \
    .help = N_("How far a line has to stand out of its background in the mean spectrum."), \
    .type = ES_PARAM_FLOAT, .unit = N_("dB"), .group = ES_PARAM_GROUP_THRESHOLDS, \
    .maximum = 200, .step = 1, .digits = 1, .default_value = 6 }

/* ---- the line ---- */

typedef struct _EsLineSource EsLineSource;

/* ES_COMPUTE_ERROR_PARAMETER (no such element, nothing between from and to), ES_DATA_ERROR_FORMAT (no array). */
EsLineSource *es_line_source_new  (EsRecording *recording, EsParams *params, GError **error);
void          es_line_source_free (EsLineSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLineSource, es_line_source_free)
guint64       es_line_source_get_first  (EsLineSource *self);        /* frame */
guint64       es_line_source_get_frames (EsLineSource *self);
const char   *es_line_source_get_title  (EsLineSource *self);        /* "Beam at 57°", "Element 3" */
/* Warns of samples of an element that are no numbers, clipped or silent, as far as they were read. */
void          es_line_source_warn (EsLineSource *self, EsResult *result);
/* What 0 dB is of the samples' squares; and of the samples. */
/* What its samples are of; nullable, borrowed. */
EsCalibration *es_line_source_get_calibration (EsLineSource *self);
const char   *es_line_source_get_reference (EsLineSource *self);
const char   *es_line_source_get_unit (EsLineSource *self);
/* n samples from `offset` of the stretch on, in the recording's unit; offsets ascend, and what overlaps the last call
 * is not read again. */
gboolean      es_line_source_read (EsLineSource *self, guint64 offset, guint n, float *out, GError **error);
/* Seconds of signal that go through this, and bytes read, for plans; FALSE: it would not run. */
gboolean      es_line_source_estimate (EsRecording *recording, EsParams *params, double *frames, guint64 *bytes,
                                       double *flops);
/* Of all processes (es-ranks.h), which all call it: what each has found in the samples that it has read. */
gboolean      es_line_source_share_health (EsLineSource *self, GError **error);
/* What the step under way did: the samples of the line were made, and so many operations more; of several processes a
 * share of it, 0..1, is this one's. */
void          es_line_source_tell_work (EsLineSource *self, EsJob *job, EsParams *params, double operations,
                                        double share, const char *less);
/* What so many flops take: one line of samples is the CPU's work, whichever device is asked. */
double        es_line_plan_seconds (double flops, EsDevice *device);

/* ---- waterfall, mean and lines ---- */

typedef struct
{
  EsParams     *params;        /* borrowed */
  EsLineSource *source;        /* borrowed */
  EsField      *waterfall;
  EsNormaliser  normaliser;
  gboolean      is_normalised;
  guint         n;             /* bins */
  double        first, step;   /* Hz */
  EsWindowKind  window;        /* of the transforms */
  double        scale;         /* from bins' powers to what is shown */
  double       *sums;          /* n */
  guint64       rows;
  EsNavigation *navigation;    /* nullable */
} EsLineGather;

/* What levels of a spectrum are: of tones (a tone in the middle of a bin reads its power), of bins (which add up to the
 * mean square), or densities. */
typedef enum { ES_LEVELS_TONE, ES_LEVELS_BIN, ES_LEVELS_DENSITY } EsLineLevels;
extern const EsParamChoice es_line_levels_choices[];
/* "1 µPa²/Hz": reference is that of a mean square, squared "1 µPa²", plain "1 µPa". Transfer full. */
char         *es_line_levels_name (EsLineLevels levels, const char *squared, const char *plain);

/* first, step: of the bins, Hz; window: of the transforms; reference: of what is shown. Rows are powers of bins. */
EsLineGather *es_line_gather_new  (EsRecording *recording, EsParams *params, EsLineSource *source, const char *id,
                                   const char *title, guint n, double first, double step, EsWindowKind window,
                                   EsLineLevels levels, const char *reference, const EsLimits *limits,
                                   GError **error);
void          es_line_gather_free (EsLineGather *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLineGather, es_line_gather_free)

/* Rows of a line over time. */
typedef struct
{
  guint64 n, step;             /* so many, each so many frames behind the one before */
  guint   frames;              /* of a row */
  double  rate;                /* Hz */
  /* The powers of the gatherer's bins; whoever fails sets the error. */
  gboolean (*make) (const float *samples, float *powers, gpointer data, GError **error);
  gpointer data;
} EsLineRows;

/* All of them, of several processes (es-ranks.h), which all call it: each reads and makes some, and the sums are of
 * all. The waterfall is the first process's. *share: of the rows that this process made, 0..1. In the job's stage.
 * ES_COMPUTE_ERROR_MEMORY; and what reading, make, and a waterfall in a file say. */
gboolean      es_line_gather_rows (EsLineGather *self, EsJob *job, const EsLineRows *rows, double *share,
                                   GError **error);

typedef struct
{
  double frequency, level, excess;     /* Hz, dB of a tone's mean square, dB over the background in its bin */
} EsSpectralLine;

/* Local maxima of the mean over its background, clearest first. Transfer full. */
EsSpectralLine *es_line_gather_find_lines (EsLineGather *self, guint *n_lines);
/* Layers waterfall, spectrum, lines; values rows, lines, line. reference: of the spectrum, and of lines. */
void          es_line_gather_publish (EsLineGather *self, EsResult *result, const char *reference,
                                      const char *lines_reference, const EsSpectralLine *lines, guint n_lines,
                                      JsonObject *values);

G_END_DECLS
