/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-gather-private.h"

G_BEGIN_DECLS

/* Layers, values and warnings that results of beams have in common. Of layers that there are of each kind the name ends
 * in "-mvdr" or "-music", and their role is their name. */

const char *es_beam_kind_get_name         (EsBeamKind kind);                  /* "MVDR" */
/* "btr-mvdr". Transfer full. */
char       *es_beam_layers_name           (const char *stem, EsBeamKind kind);
/* "Bearing over time, MVDR", where there are several kinds. Transfer full. */
char       *es_beam_layers_title          (EsBeamGather *gather, const char *title, EsBeamKind kind);
/* The same of what holds at each beam the highest of the curve nearest to it: MVDR's of the far field, where angles are
 * close enough for what is between them to be known. Transfer full. */
char       *es_beam_layers_title_highest  (EsBeamGather *gather, const char *title, EsBeamKind kind);
gboolean    es_beam_layers_is_highest     (EsBeamGather *gather, EsBeamKind kind);
EsAxis      es_beam_layers_get_angles     (EsBeamGather *gather);
/* NAN of what is no power. */
double      es_beam_layers_to_level       (double power);
gboolean    es_beam_layers_is_calibrated  (EsBeamGather *gather);
const char *es_beam_layers_get_level_unit (EsBeamGather *gather);

/* The means of a kind's field. n_ranges x n_angles; transfer full. */
float      *es_beam_layers_copy_field     (EsBeamGather *gather, EsBeamKind kind);
/* The means of a kind's spectra, n_angles x n_bins; NULL without a far row. Transfer full. */
float      *es_beam_layers_copy_spectra   (EsBeamGather *gather, EsBeamKind kind);
/* The curve of a kind's means; field and spectra are copies as above, the latter nullable. */
EsBeamCurve es_beam_layers_get_curve      (EsBeamGather *gather, EsBeamKind kind, const float *field,
                                           const float *spectra);
/* Curves of every kind, MVDR's through its peaks; third_octaves: of conventional beams' third octaves too. Transfer
 * full. */
EsCurve    *es_beam_layers_make_energy    (EsBeamGather *gather, gboolean third_octaves);
EsField    *es_beam_layers_make_field     (EsBeamGather *gather, EsBeamKind kind, GError **error);
EsField    *es_beam_layers_make_fraz      (EsBeamGather *gather, EsBeamKind kind, GError **error);
/* Of frequencies and what a file of it alone has to say; adds it. */
void        es_beam_layers_publish        (EsBeamGather *gather, EsResult *result, EsField *field, EsBeamKind kind);

/* ---- es-beam-lists.c ---- */

/* The table "lifts": in which cells of MVDR's record over time a peak between two beams stands, and what the beams
 * themselves are there. */
EsTable    *es_beam_layers_new_lifts      (void);
void        es_beam_layers_add_lifts      (EsBeamGather *gather, EsTable *table, double time, const EsBeamLift *lifts,
                                           guint n);
/* Its heading says from where bearings and ranges are counted. */
EsTable    *es_beam_layers_new_table      (EsBeamGather *gather, const char *name, const char *title);
void        es_beam_layers_add_peak_columns (EsBeamGather *gather, EsTable *table, gboolean timed);
/* time: nullable. */
void        es_beam_layers_add_peak       (EsBeamGather *gather, EsTable *table, const double *time,
                                           const EsBeamPeak *peak);
EsTable    *es_beam_layers_make_peaks     (EsBeamGather *gather, const EsBeamPeak *peaks, guint n);
EsTable    *es_beam_layers_make_tracks    (EsBeamGather *gather);
/* For values; null where it is no number. */
void        es_beam_layers_set_number     (JsonObject *object, const char *name, double value);
JsonArray  *es_beam_layers_list_peaks     (EsBeamGather *gather, const EsBeamPeak *peaks, guint n);
/* What every run of beams has to say. Transfer full. */
JsonObject *es_beam_layers_make_values    (EsBeamGather *gather, const EsBeamPeak *peaks, guint n_peaks);
void        es_beam_layers_warn           (EsBeamGather *gather, EsResult *result, const EsBeamPeak *peaks,
                                           guint n_peaks);

G_END_DECLS
