/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "player/es-player.h"
#include "charts/es-map-view.h"
#include "sonar/es-sonar-view-private.h"

G_BEGIN_DECLS

/*
 * A history filled by hand: 160 far beams of 10 .. 169 degrees and seven ranges, a block a second. A source goes from
 * 30 to 150 degrees in `sweep` seconds (tones at 60, 120 and 180 Hz), another stays at 57.
 */
typedef struct
{
  EsBeamSettings *settings;
  gpointer        form;          /* EsBeamForm */
  guint           sweep;
} EsTestSonar;

EsTestSonar *es_test_sonar_new       (guint sweep);
void         es_test_sonar_free      (EsTestSonar *self);
/* From now on blocks have MVDR and MUSIC too, which are narrower, eigenvalues of two sources in noise of 64 elements
 * and 32 snapshots (of every bin, or with the probe alone), and a probe. */
void         es_test_sonar_adapt     (EsTestSonar *self, gboolean eigenvalues);
/* After the settings were changed by hand: blocks are made by them from now on. */
void         es_test_sonar_renew     (EsTestSonar *self);
/* Where the moving source is at a second; where the nearest field row has its own, at any: 100 m, 60 degrees. */
double       es_test_sonar_bearing   (EsTestSonar *self, guint second);
EsBeamBlock *es_test_sonar_make      (EsTestSonar *self, guint second);
/* Takes the spectra of a block away: a history of many is then filled sooner. */
void         es_test_sonar_strip     (EsBeamBlock *block);
void         es_test_sonar_fill      (EsTestSonar *self, EsBeamHistory *history, guint from, guint n);
/* 16 channels of noise and a tone at 8 kHz, with a line array. */
EsRecording *es_test_sonar_recording (double seconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestSonar, es_test_sonar_free)

/* A view and its right column side by side in a real window. */
typedef struct
{
  EsTestSonar   *test;
  EsRecording   *recording;
  EsPlayer      *player;
  EsBeamHistory *history;        /* the player's */
  GtkWidget     *window;
  EsSonarView   *view;
} SonarFixture;

void es_test_sonar_set_up    (SonarFixture *fixture, gconstpointer size);         /* a const int[2]; nullable */
void es_test_sonar_tear_down (SonarFixture *fixture, gconstpointer size);
/* Until all that can be seen is up to date and drawn. */
void es_test_sonar_settle    (SonarFixture *fixture);

/* What frames take: ms of processor time on this thread, of each: everything, drawing too. Ending fails where half of
 * them leave no time of 16 ms. */
typedef struct
{
  GArray *spans;
  double  begin;
} EsTestFrames;

void es_test_frames_begin    (SonarFixture *fixture, EsTestFrames *frames);
void es_test_frames_end      (SonarFixture *fixture, EsTestFrames *frames, const char *what);

#define ES_TEST_ADD_SONAR(path, size, function) \
  g_test_add (path, SonarFixture, size, es_test_sonar_set_up, function, es_test_sonar_tear_down)

EsPaneFrame *es_test_sonar_frame         (SonarFixture *fixture, const char *id);
EsSonarPane *es_test_sonar_pane          (SonarFixture *fixture, const char *id);
EsMapView   *es_test_sonar_map           (SonarFixture *fixture, const char *id);
gboolean     es_test_sonar_is_visible    (SonarFixture *fixture, const char *id);
void         es_test_sonar_act           (SonarFixture *fixture, const char *action, GVariant *target);
/* An adaptive record of n seconds. */
void         es_test_sonar_fill_adaptive (SonarFixture *fixture, guint n);

/* The row that was heard last. */
static inline guint
es_test_sonar_now (EsBeamHistory *history)
{
  guint row = 0;

  g_assert_true (es_beam_history_get_now (history, &row));
  return row;
}

G_END_DECLS
