/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-settings.h"

G_BEGIN_DECLS

/* What ES_BEAM_PARAMS leans on. */
extern const EsParamChoice es_beam_range_kind_choices[], es_beam_window_choices[], es_beam_shading_choices[],
                           es_beam_diagonal_choices[], es_beam_library_choices[], es_adaptive_method_choices[],
                           es_adaptive_eigenvalue_choices[];

/* Of EsParamSpec: whether a text can be read, whatever the recording is. */
gboolean es_beam_check_band    (const char *text, GError **error);
gboolean es_beam_check_angles  (const char *text, GError **error);
gboolean es_beam_check_ranges  (const char *text, GError **error);
gboolean es_beam_check_block   (const char *text, GError **error);
gboolean es_beam_check_bearing (const char *text, GError **error);
gboolean es_beam_check_loading (const char *text, GError **error);

/* How many blocks before one join in, at most: 0 without memory. */
guint    es_adaptive_settings_get_memory (const EsBeamSettings *self);
/* Of n blocks the first one that has heard as much as there is to be heard; what forgets: half way. */
guint    es_adaptive_settings_get_first_full (const EsBeamSettings *self, guint n);
/* How many snapshots are kept; 0: the matrices themselves. */
guint    es_adaptive_settings_get_columns (const EsBeamSettings *self, guint n_alive);
/* How many eigenvalues of a bin there are. */
guint    es_adaptive_settings_get_n_eigenvalues (const EsBeamSettings *self, guint n_alive);

/*
 * Rows of the parameter table that operations of beams have in common, with N_() in scope. The order of the choices is
 * that of EsWindowKind, EsShading, EsRangeKind and EskDftLibrary.
 */
#define ES_BEAM_PARAM_BAND \
  { .key = "band", .label = N_("Frequency band"), \
    .help = N_("The frequencies whose power is summed for every bearing, LOW:HIGH. Automatic: just below the " \
               "frequency at which neighbouring elements are half a wavelength apart (320:480 where they are 1.5 m " \
               "apart in water)."), \
    .type = ES_PARAM_TEXT, .unit = N_("Hz"), .zero_label = N_("Automatic"), .check = es_beam_check_band }
#define ES_BEAM_PARAM_LOFAR_BAND \
  { .key = "lofar-band", .label = N_("LOFAR band"), \
    .help = N_("The frequencies that are kept one by one for the far field, LOW:HIGH. Automatic: from a tenth of the " \
               "band's lower end up to its upper one."), \
    .type = ES_PARAM_TEXT, .unit = N_("Hz"), .zero_label = N_("Automatic"), .check = es_beam_check_band }
#define ES_BEAM_PARAM_ANGLES \
  { .key = "angles", .label = N_("Angles"), \
    .help = N_("Where beams look, FROM:TO:STEP with TO included, or a list: from a line's axis (0 is ahead, 90 " \
               "broadside), otherwise the azimuth. Automatic: all there are, a third of the narrowest beam apart " \
               "(adaptive beams: a sixth), in equal steps of the cosine for a line."), \
    .type = ES_PARAM_TEXT, .unit = N_("°"), .zero_label = N_("Automatic"), .check = es_beam_check_angles }
#define ES_BEAM_PARAM_RANGES \
  { .key = "ranges", .label = N_("Ranges"), \
    .help = N_("The rows of the energy field: distances of the sources, and “far” for plane waves."), \
    .type = ES_PARAM_TEXT, .unit = N_("m"), \
    .default_text = "far,50,100,200,400,800,1600,3200", .check = es_beam_check_ranges }
#define ES_BEAM_PARAM_RANGE_KIND \
  { .key = "range-kind", .label = N_("Range is"), \
    .help = N_("Whether a row of the energy field is a line beside the array, at a perpendicular distance, or an arc " \
               "about its middle, at a slant range. Arrays that are no line have slant ranges."), \
    .type = ES_PARAM_CHOICE, .choices = es_beam_range_kind_choices, .advanced = TRUE }
/* The part of a recording that is listened to; ADVANCED: the rows are folded away. */
#define ES_BEAM_PARAMS_PART(ADVANCED) \
  { .key = "from", .label = N_("From"), \
    .help = N_("Where in the recording it begins."), \
    .type = ES_PARAM_FLOAT, .unit = N_("s"), .maximum = 1e9, .step = 1, .digits = 3, .zero_label = N_("Beginning"), \
    .advanced = (ADVANCED) }, \
  { .key = "to", .label = N_("To"), \
    .help = N_("Where in the recording it ends."), \
    .type = ES_PARAM_FLOAT, .unit = N_("s"), .maximum = 1e9, .step = 1, .digits = 3, .zero_label = N_("End"), \
    .advanced = (ADVANCED) }
#define ES_BEAM_PARAM_SOUND_SPEED \
  { .key = "sound-speed", .label = N_("Sound speed"), \
    .help = N_("The speed of sound; 0 takes the array's own."), \
    .type = ES_PARAM_FLOAT, .unit = N_("m/s"), \
    .maximum = 20000, .step = 1, .digits = 1, .zero_label = N_("The array's") }
#define ES_BEAM_PARAM_BLOCK \
  { .key = "block", .label = N_("Block"), \
    .help = N_("How much signal makes one map: seconds (1s), milliseconds (500ms) or samples (8192)."), \
    .type = ES_PARAM_TEXT, .default_text = "1s", .check = es_beam_check_block }
#define ES_BEAM_PARAM_TRANSFORM \
  { .key = "transform", .label = N_("Transform length"), \
    .help = N_("Samples of a Fourier transform, zeros included; 0 takes the next power of two."), \
    .type = ES_PARAM_INT, .unit = N_("samples"), \
    .maximum = 1 << 26, .step = 1024, .zero_label = N_("Next power of two"), .advanced = TRUE }
#define ES_BEAM_PARAM_WINDOW \
  { .key = "window", .label = N_("Window function"), \
    .help = N_("How samples are weighted before a transform: a rectangle as published, or fading at both ends, which " \
               "keeps strong tones out of other frequencies."), \
    .type = ES_PARAM_CHOICE, .choices = es_beam_window_choices, .default_value = ES_WINDOW_HANN }
#define ES_BEAM_PARAM_OVERLAP \
  { .key = "overlap", .label = N_("Overlap"), \
    .help = N_("How much of a snapshot the next one repeats."), \
    .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.95, .step = 0.05, .advanced = TRUE }
#define ES_BEAM_PARAM_SNAPSHOTS \
  { .key = "snapshots", .label = N_("Snapshots"), \
    .help = N_("Into how many transforms a block is divided; their powers are averaged: steadier, but coarser in " \
               "frequency."), \
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 65536, .default_value = 1, .advanced = TRUE }
#define ES_BEAM_PARAM_SHADING \
  { .key = "shading", .label = N_("Shading"), \
    .help = N_("How elements are weighted along a line: evenly, or fading towards its ends, for lower side lobes and " \
               "wider beams. Arrays that are no line are not shaded."), \
    .type = ES_PARAM_CHOICE, .choices = es_beam_shading_choices }
#define ES_BEAM_PARAM_DIAGONAL \
  { .key = "diagonal", .label = N_("Self-power of elements"), \
    .help = N_("Whether each element's own power counts in a beam; without it, noise that elements do not share " \
               "vanishes from the maps, which may then be negative."), \
    .type = ES_PARAM_CHOICE, .choices = es_beam_diagonal_choices, .advanced = TRUE }
#define ES_BEAM_PARAM_LIBRARY \
  { .key = "library", .label = N_("Transforms"), \
    .help = N_("Whether Fourier transforms are made one after the other or many at a time; automatic takes what was " \
               "measured to be faster."), \
    .type = ES_PARAM_CHOICE, .group = ES_PARAM_GROUP_DEVICE, .choices = es_beam_library_choices, .advanced = TRUE }

#define ES_BEAM_PARAMS \
  ES_BEAM_PARAM_BAND, ES_BEAM_PARAM_LOFAR_BAND, ES_BEAM_PARAM_ANGLES, ES_BEAM_PARAM_RANGES, ES_BEAM_PARAM_RANGE_KIND, \
  ES_BEAM_PARAM_SOUND_SPEED, ES_BEAM_PARAM_BLOCK, ES_BEAM_PARAM_TRANSFORM, ES_BEAM_PARAM_WINDOW, \
  ES_BEAM_PARAM_OVERLAP, ES_BEAM_PARAM_SNAPSHOTS, ES_BEAM_PARAM_SHADING, ES_BEAM_PARAM_DIAGONAL, ES_BEAM_PARAM_LIBRARY

/*
 * Rows of adaptive beams. The order of the methods is that of EsAdaptiveMethod.
 */
#define ES_ADAPTIVE_PARAM_RANGES \
  { .key = "ranges", .label = N_("Ranges"), \
    .help = N_("The rows of the energy field: distances of the sources, and “far” for plane waves."), \
    .type = ES_PARAM_TEXT, .unit = N_("m"), .default_text = "far", .check = es_beam_check_ranges }
#define ES_ADAPTIVE_PARAM_WINDOW \
  { .key = "window", .label = N_("Window function"), \
    .help = N_("How samples are weighted before a transform: a rectangle as published, or fading at both ends, which " \
               "keeps strong tones out of other frequencies."), \
    .type = ES_PARAM_CHOICE, .choices = es_beam_window_choices, .default_value = ES_WINDOW_HANN }
#define ES_ADAPTIVE_PARAM_OVERLAP \
  { .key = "overlap", .label = N_("Overlap"), \
    .help = N_("How much of a snapshot the next one repeats."), \
    .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.95, .step = 0.05, .default_value = 0.5, .advanced = TRUE }
#define ES_ADAPTIVE_PARAM_SNAPSHOTS \
  { .key = "snapshots", .label = N_("Snapshots"), \
    .help = N_("Into how many transforms a block is divided. Together with those of the blocks before they make the " \
               "matrices: twice as many as elements for levels that are about right; with one alone bearings are " \
               "ordered exactly as conventional beams order them."), \
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 65536, .default_value = 8 }
#define ES_ADAPTIVE_PARAM_METHOD \
  { .key = "method", .label = N_("Method"), \
    .help = N_("The way to the inverse of a matrix. All of them are exact; automatic takes the one with the fewest " \
               "operations."), \
    .type = ES_PARAM_CHOICE, .choices = es_adaptive_method_choices, .stage = ES_BEAM_STAGE_ADAPTIVE }
#define ES_ADAPTIVE_PARAM_LOADING \
  { .key = "loading", .label = N_("Diagonal loading"), \
    .help = N_("What is added to the diagonal of a matrix, as a share of its mean, from 0 to 100: more is steadier, " \
               "less separates closer sources. Automatic: 0.01 where there are as many snapshots as elements, " \
               "otherwise 0.1."), \
    .type = ES_PARAM_TEXT, .zero_label = N_("Automatic"), .check = es_beam_check_loading, \
    .stage = ES_BEAM_STAGE_ADAPTIVE }
#define ES_ADAPTIVE_PARAM_BLOCKS \
  { .key = "blocks", .label = N_("Blocks averaged"), \
    .help = N_("Of how many blocks the snapshots are averaged. Automatic: as many as give twice as many snapshots as " \
               "elements, at most 8."), \
    .type = ES_PARAM_INT, .maximum = 4096, .zero_label = N_("Automatic") }
#define ES_ADAPTIVE_PARAM_FORGETTING \
  { .key = "forgetting", .label = N_("Forgetting"), \
    .help = N_("The weight of the newest block, all those before fading away by and by, instead of a number of " \
               "blocks that count alike; 0: none."), \
    .type = ES_PARAM_FLOAT, .maximum = 1, .step = 0.05, .digits = 3, .zero_label = N_("None"), .advanced = TRUE }
#define ES_ADAPTIVE_PARAM_SOURCES \
  { .key = "sources", .label = N_("Sources of MUSIC"), \
    .help = N_("How many sources MUSIC takes for granted; 0: no MUSIC."), \
    .type = ES_PARAM_INT, .maximum = 65535, .zero_label = N_("No MUSIC"), \
    .stage = ES_BEAM_STAGE_ADAPTIVE }
#define ES_ADAPTIVE_PARAM_EIGENVALUES \
  { .key = "eigenvalues", .label = N_("Eigenvalues"), \
    .help = N_("Whether the eigenvalues of every frequency are shown, which tell how many sources there are; " \
               "automatic: where they cost little."), \
    .type = ES_PARAM_CHOICE, .choices = es_adaptive_eigenvalue_choices, .stage = ES_BEAM_STAGE_ADAPTIVE, \
    .advanced = TRUE }

#define ES_ADAPTIVE_PARAMS \
  ES_BEAM_PARAM_BAND, ES_BEAM_PARAM_ANGLES, ES_ADAPTIVE_PARAM_RANGES, ES_BEAM_PARAM_RANGE_KIND, \
  ES_BEAM_PARAM_SOUND_SPEED, ES_BEAM_PARAM_BLOCK, ES_BEAM_PARAM_TRANSFORM, ES_ADAPTIVE_PARAM_WINDOW, \
  ES_ADAPTIVE_PARAM_OVERLAP, ES_ADAPTIVE_PARAM_SNAPSHOTS, ES_ADAPTIVE_PARAM_METHOD, ES_ADAPTIVE_PARAM_LOADING, \
  ES_ADAPTIVE_PARAM_BLOCKS, ES_ADAPTIVE_PARAM_FORGETTING, ES_ADAPTIVE_PARAM_SOURCES, ES_ADAPTIVE_PARAM_EIGENVALUES, \
  ES_BEAM_PARAM_LIBRARY

G_END_DECLS
