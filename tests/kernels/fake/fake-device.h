/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of the fake cards (fake-module.c) share: one a subject, each with its table. */

#include "es-hotspots.h"

/* Something that is still to be copied to a card. */
typedef struct FakeCopy FakeCopy;

struct _EskStream {
  EskStream *cpu;
  int        device;
  uint32_t  *bands;
  size_t     n_bands;
  uint8_t   *valid;
  size_t     n_valid;
  FakeCopy  *first, *last;     /* in their order */
};

extern const EskStreamHotspots   fake_stream_hotspots;
extern const EskDeviceHotspots   fake_device_hotspots;
extern const EskPictureHotspots  fake_picture_hotspots;
extern const EskEigenHotspots    fake_eigen_hotspots;
extern const EskCubeHotspots     fake_cube_hotspots;
extern const EskIcaHotspots      fake_ica_hotspots;
extern const EskBeamHotspots     fake_beam_hotspots;
extern const EskAdaptiveHotspots fake_adaptive_hotspots;
extern const EskSparseHotspots   fake_sparse_hotspots;
extern const EskNeighboursHotspots fake_neighbours_hotspots;
extern const EskSumsHotspots     fake_sums_hotspots;
extern const EskVectorsHotspots  fake_vectors_hotspots;

/* A number of the environment. */
long           fake_number          (const char *name, long otherwise);
/* Every call on a card comes through here; but those that put off what they are asked for, through the first alone. */
int            fake_begin           (EskStream *stream);
int            fake_work            (EskStream *stream);

/* fake-copies.c: of EskDeviceHotspots; and what has been put off, now. */
void          *fake_staging_new     (size_t bytes);
void           fake_staging_free    (void *staging);
int            fake_upload          (EskStream *stream, void *to, const void *from, size_t bytes);
int            fake_load            (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                     const EskTile *planes, uint8_t *valid);
void           fake_make_copies     (EskStream *stream);

/* Of planes: they hold the selected bands only, and the rows of `valid` are as far apart as theirs. */
bool           fake_are_planes      (const EskTile *tile);
EskSelection   fake_whole_selection (EskStream *stream, const EskTile *planes, const EskSelection *selection);
const uint8_t *fake_packed_valid    (EskStream *stream, const EskTile *planes, const uint8_t *valid);
/* The sums "on the card" that go with these, made where there are none yet. */
int            fake_device_sums_of  (EskCovariance *covariance);
