/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Spectra and beams of a hydrophone array (sonar.md 2 to 4): what the hot spots real_dft, beam_power and beam_output
 * (es-hotspots-beam.h) are given. Forward transforms have the kernel e^(-j); a path difference is positive where the
 * wave reaches an element earlier than the reference; Y = sum_k X_k exp (-j 2 pi f Dl_k / c), conjugated nowhere else.
 */

#include "es-type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Samples of an array as stored: of (frame, channel) at data[frame * frame_stride + channel * channel_stride]; strides
 * count samples. Types: ESK_I16, ESK_I32, ESK_F32, ESK_F64. In the memory of a device one of the strides is 1. */
typedef struct {
  const void *data;
  EskType     type;
  bool        byte_swapped;
  size_t      frames, channels;
  ptrdiff_t   frame_stride, channel_stride;
} EskFrames;

typedef enum {
  ESK_DFT_AUTO,                /* what was measured to be the cheapest for these sizes; may be neither of the others */
  ESK_DFT_SINGLE,              /* one transform after the other (the thesis's *_1d) */
  ESK_DFT_MANY,                /* batched (*_many) */
  ESK_N_DFT_LIBRARIES
} EskDftLibrary;

/*
 * Batched real transforms: snapshot s takes window_length frames from s * hop on, times the window, padded with zeros
 * to length; element k is channel channels[k] times gains[k]. Bins first_bin .. first_bin + bins - 1 are kept. The
 * result is multiplied by esk_dft_scale (), so that the sum over bins of |X|^2 is the mean square of the signal in them
 * (sonar.md 3): bins 0 and length / 2 without the factor sqrt (2). Everything is copied by dft_new ().
 */
typedef struct {
  size_t          length;          /* N: even, at least 2; powers of two are the fastest */
  size_t          window_length;   /* L <= N */
  size_t          hop, snapshots;  /* snapshots >= 1; hop >= 1 where there are several */
  const float    *window;          /* L weights; NULL: rectangular */
  size_t          first_bin, bins; /* first_bin + bins <= N / 2 + 1 */
  size_t          elements;
  const uint32_t *channels;        /* elements; NULL: element k is channel k */
  const float    *gains;           /* elements; NULL: ones */
  EskDftLibrary   library;
} EskDftPlan;

/* sqrt (2 / (N sum w^2)). window: L weights or NULL. */
double esk_dft_scale (size_t length, size_t window_length, const float *window);

/* Of each element, in the memory of the stream; what is there is added to (peak: raised). Not finite samples count as 0
 * in the transform. clipped: integers at the end of their range (32 bits: of their upper 24, which samples of 24 bits
 * fill), floats of magnitude >= 1. Samples of every snapshot count, those that overlap more than once. */
typedef struct {
  uint32_t not_finite, clipped, samples;
  float    peak;                   /* largest magnitude as stored: integers / 2^15 or 2^31 */
} EskChannelHealth;

/*
 * values[((bin * snapshots + snapshot) * 2 + part) * stride + element]: part 0 real, 1 imaginary; stride is
 * esk_spectra_stride (elements); what lies between elements and stride is 0. In the memory of the stream.
 */
typedef struct {
  float *values;
  size_t elements, stride, bins, snapshots;
} EskSpectra;

static inline size_t
esk_spectra_stride (size_t elements)
{
  return (elements + 31) / 32 * 32;
}

/* Bytes of the values; 0 where that does not fit in a size_t. */
size_t esk_spectra_bytes (size_t elements, size_t bins, size_t snapshots);

/* Where a beam looks, from the reference element: a unit vector towards a source far away, or a point in metres. */
typedef struct {
  double x, y, z;
  bool   near;
} EskFocus;

/*
 * Beams over an array. Path differences: far u.x_k; near (2 p.x_k - |x_k|^2) / (|p| + |p - x_k|) (sonar.md 2, the form
 * without cancellation), in float64; phases are reduced modulo 1 in float64 before they become float32. No table of
 * foci x elements x bins is ever stored: phasors go from bin to bin by recurrence, based anew so often that their error
 * stays below 1e-5. Everything is copied by beams_new ().
 */
typedef struct {
  size_t          elements;
  const double   *positions;       /* elements x 3, metres, from the reference */
  size_t          n_foci;
  const EskFocus *foci;
  double          sound_speed;     /* m/s */
  double          first_frequency, bin_spacing;   /* Hz: bin b has first_frequency + b * bin_spacing */
  size_t          bins;
  /* Powers are multiplied by this: 1 / (sum of the shading weights)^2, or, without the diagonal,
   * 1 / ((sum w)^2 - sum w^2); amplitudes of beam_output () by 1 / sum w = amplitude. The weights are in the gains. */
  double          normalisation, amplitude;
  bool            remove_diagonal; /* sum_k |X_k|^2 is subtracted from |Y|^2 before */
} EskBeamPlan;

typedef struct _EskDft EskDft;         /* prepared: plans of the library, windows, what a device keeps of them */
typedef struct _EskBeams EskBeams;     /* prepared: symmetries, phases, what a device keeps of them */

/* The delays of one focus in seconds, float64: Dl_k / c; the definition that back ends are tested with. */
void   esk_beam_delays   (const EskBeamPlan *plan, size_t focus, double *delays);

/*
 * One-dimensional transforms for the host's own use (DEMON, a beam's sound): any n >= 1, single precision, any thread.
 * Forward: n reals to n / 2 + 1 complex (interleaved); backward: unscaled, the input is overwritten. NULL: no memory.
 */
typedef struct _EskFft EskFft;
EskFft *esk_fft_new      (size_t n);
void    esk_fft_free     (EskFft *self);
void    esk_fft_forward  (EskFft *self, const float *in, float *out);
void    esk_fft_backward (EskFft *self, float *in, float *out);

#ifdef __cplusplus
}
#endif
