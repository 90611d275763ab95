/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A picture without input, computed and brought to the host in six ways (gpu-lab 15). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#include <math.h>

#define THREADS 256
#define MOST_STREAMS 32
/* A launch makes no more pixels than these, and no more launches wait than that: each is over in time, whatever the
 * link does to bytes that are written one by one. */
#define PIECE (1u << 20)
#define WAITING 4
#define CHECKED 2048u          /* pixels that the host computes, too */

/* lab: mandelbrot */
struct Pixel
{
  unsigned char b, g, r;
};

/* Z = Z Z + c until |Z| > 2, at most 255 times; no multiplication is fused, so that the host finds the same. */
template <typename Real>
static __host__ __device__ inline int
lab_iterate (Real re,
             Real im)
{
  Real x = 0, y = 0;
  int n = 0;

  while (n < 255)
    {
#ifdef __CUDA_ARCH__
      const Real xx = sizeof (Real) == 4 ? (Real) __fmul_rn ((float) x, (float) x) : (Real) __dmul_rn (x, x);
      const Real yy = sizeof (Real) == 4 ? (Real) __fmul_rn ((float) y, (float) y) : (Real) __dmul_rn (y, y);
      const Real xy = sizeof (Real) == 4 ? (Real) __fmul_rn ((float) x, (float) y) : (Real) __dmul_rn (x, y);
#else
      const Real xx = x * x, yy = y * y, xy = x * y;
#endif

      if (xx + yy > 4)
        break;
      y = xy + xy + im;
      x = xx - yy + re;
      n++;
    }

  return n;
}

/* Of a picture of n x n: the window's corner and the distance of two pixels. */
template <typename Real>
struct Window
{
  Real left, top, step;

  __host__ __device__ Real at (Real from, uint32_t k) const
  {
#ifdef __CUDA_ARCH__
    return sizeof (Real) == 4 ? (Real) __fadd_rn ((float) from, __fmul_rn ((float) step, (float) k))
                              : (Real) __dadd_rn (from, __dmul_rn (step, (double) k));
#else
    const Real distance = step * (Real) k;

    return from + distance;
#endif
  }
};

/* WAY 0: the struct's members one by one, 1: three arrays, 2: the struct as a whole, 3: four bytes as a whole. */
template <typename Real, int WAY>
static __global__ void
lab_mandelbrot (Window<Real>   window,
                uint32_t       n,
                uint32_t       first,
                uint32_t       pixels,
                unsigned char *picture)
{
  const uint32_t id = blockIdx.x * blockDim.x + threadIdx.x, i = first + id;
  const uint64_t whole = (uint64_t) n * n;

  if (id >= pixels)
    return;

  const int count = lab_iterate<Real> (window.at (window.left, i % n), window.at (window.top, i / n));
  const unsigned char value = (unsigned char) count;

  if (WAY == 0)
    {
      volatile Pixel *pixel = (volatile Pixel *) picture + i;

      pixel->b = value;
      pixel->g = value;
      pixel->r = value;
    }
  else if (WAY == 1)
    {
      picture[i] = value;
      picture[whole + i] = value;
      picture[2 * whole + i] = value;
    }
  else if (WAY == 2)
    ((Pixel *) picture)[i] = Pixel { value, value, value };
  else
    ((uchar4 *) picture)[i] = make_uchar4 (value, value, value, 255);
}
/* lab end */

typedef struct {
  EskLab         *lab;
  const EskProbe *probe;
  uint32_t        n;
  int             way;
  bool            wide;                    /* in float64 */
  Window<float>   narrow_window;
  Window<double>  wide_window;
  unsigned char  *card, *host;             /* the card's pointer: its own memory, or the host's */
  cudaStream_t    streams[MOST_STREAMS];
  uint32_t        n_streams;
} Picture;

template <typename Real>
static void
launch_of (const Picture      *picture,
           const Window<Real> &window,
           uint32_t            first,
           uint32_t            pixels,
           cudaStream_t        stream)
{
  const uint32_t blocks = (pixels + THREADS - 1) / THREADS;

  switch (picture->way)
    {
    case 0:
      lab_mandelbrot<Real, 0><<<blocks, THREADS, 0, stream>>> (window, picture->n, first, pixels, picture->card);
      break;
    case 1:
      lab_mandelbrot<Real, 1><<<blocks, THREADS, 0, stream>>> (window, picture->n, first, pixels, picture->card);
      break;
    case 2:
      lab_mandelbrot<Real, 2><<<blocks, THREADS, 0, stream>>> (window, picture->n, first, pixels, picture->card);
      break;
    default:
      lab_mandelbrot<Real, 3><<<blocks, THREADS, 0, stream>>> (window, picture->n, first, pixels, picture->card);
    }
}

/* Pixels `first` and on, in pieces; `copied`: each of them brought to the host behind. */
static int
make (Picture      *picture,
      uint64_t      first,
      uint64_t      pixels,
      cudaStream_t  stream,
      bool          copied)
{
  EskLab *lab = picture->lab;
  int waiting = 0;

  while (pixels > 0)
    {
      const uint32_t now = pixels < PIECE ? (uint32_t) pixels : PIECE;

      LAB_TRY (lab_cancelled (lab));
      if (picture->wide)
        launch_of (picture, picture->wide_window, (uint32_t) first, now, stream);
      else
        launch_of (picture, picture->narrow_window, (uint32_t) first, now, stream);
      LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
      if (copied)
        LAB_TRY (lab_check (lab, cudaMemcpyAsync (picture->host + first * 3, picture->card + first * 3,
                                                  (uint64_t) now * 3, cudaMemcpyDeviceToHost, stream),
                            "cudaMemcpyAsync"));
      first += now;
      pixels -= now;
      if (++waiting == WAITING)
        {
          LAB_TRY (lab_check (lab, cudaStreamSynchronize (stream), "cudaStreamSynchronize"));
          waiting = 0;
        }
    }

  return ESK_LAB_OK;
}

static int
once (Picture *picture,
      double  *seconds)
{
  EskLab *lab = picture->lab;
  const uint64_t n = picture->n, whole = n * n;
  const double began = lab_now ();

  switch (picture->probe->variant)
    {
    case 0:
      LAB_TRY (make (picture, 0, whole, lab->stream, false));
      LAB_TRY (lab_check (lab, cudaMemcpyAsync (picture->host, picture->card, whole * 3, cudaMemcpyDeviceToHost,
                                                lab->stream), "cudaMemcpyAsync"));
      break;
    case 1:
      for (uint32_t s = 0; s < picture->n_streams; s++)
        {
          const uint64_t first = n * s / picture->n_streams, last = n * (s + 1) / picture->n_streams;

          LAB_TRY (make (picture, first * n, (last - first) * n, picture->streams[s], true));
        }
      for (uint32_t s = 0; s < picture->n_streams; s++)
        LAB_TRY (lab_check (lab, cudaStreamSynchronize (picture->streams[s]), "cudaStreamSynchronize"));
      break;
    default:
      LAB_TRY (make (picture, 0, whole, lab->stream, false));
    }
  LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
  *seconds = lab_now () - began;

  return ESK_LAB_OK;
}

/* Where byte `byte` of pixel i is, as the way has it. */
static uint64_t
place_of (const Picture *picture,
          uint64_t       i,
          int            byte)
{
  if (picture->way == 1)
    return (uint64_t) byte * picture->n * picture->n + i;

  return i * (picture->way == 3 ? 4 : 3) + byte;
}

/* Brings the picture into one form, 3 bytes a pixel, and holds some of it against the host's own. */
static int
finish (Picture *picture,
        uint8_t *wanted)
{
  const uint64_t whole = (uint64_t) picture->n * picture->n;
  const unsigned char *host = picture->host;

  for (uint32_t c = 0; c < CHECKED; c++)
    {
      const uint64_t i = c < 2 ? (whole - 1) * c : (c * 0x9e3779b97f4a7c15ull >> 20) % whole;
      const uint32_t column = (uint32_t) (i % picture->n), row = (uint32_t) (i / picture->n);
      const Window<float> *narrow = &picture->narrow_window;
      const Window<double> *wide = &picture->wide_window;
      const int count = picture->wide
                        ? lab_iterate<double> (wide->at (wide->left, column), wide->at (wide->top, row))
                        : lab_iterate<float> (narrow->at (narrow->left, column), narrow->at (narrow->top, row));

      for (int byte = 0; byte < 3; byte++)
        if (host[place_of (picture, i, byte)] != count)
          return lab_refuse (picture->lab, ESK_LAB_ERROR_WRONG, "The picture came out wrong");
    }
  for (uint64_t i = 0; wanted != NULL && i < whole; i++)
    {
      if (i % PIECE == 0)
        LAB_TRY (lab_cancelled (picture->lab));
      for (int byte = 0; byte < 3; byte++)
        wanted[i * 3 + byte] = host[place_of (picture, i, byte)];
    }

  return ESK_LAB_OK;
}

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return probe->variant <= 5 && probe->stride >= 16 && probe->stride <= 32768
         && (probe->variant != 1 || (probe->ways >= 1 && probe->ways <= MOST_STREAMS))
         && (probe->variant < 2 || lab->can_map);
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  static const int ways[] = { 2, 2, 0, 1, 2, 3 };
  const bool mapped = probe->variant >= 2;
  const double width = probe->view[2] > 0.0 ? probe->view[2] : 3.0;
  const double x = probe->view[2] > 0.0 ? probe->view[0] : -0.75, y = probe->view[2] > 0.0 ? probe->view[1] : 0.0;
  const double step = width / probe->stride;
  const uint64_t bytes = (uint64_t) probe->stride * probe->stride * (probe->variant == 5 ? 4 : 3);
  Picture picture = {};
  int code;

  picture.lab = lab;
  picture.probe = probe;
  picture.n = probe->stride;
  picture.way = ways[probe->variant];
  picture.wide_window = Window<double> { x - width / 2.0, y - width / 2.0, step };
  picture.narrow_window = Window<float> { (float) (x - width / 2.0), (float) (y - width / 2.0), (float) step };
  /* Where neighbours would be the same number in float32. */
  picture.wide = step < 0x1p-19 * fmax (fmax (fabs (x), fabs (y)), width);
  picture.host = (unsigned char *) lab_host_memory (lab, mapped ? ESK_MEMORY_MAPPED : ESK_MEMORY_PINNED, bytes, &code);
  if (picture.host == NULL)
    return code;
  if (mapped)
    LAB_TRY (lab_check (lab, cudaHostGetDevicePointer ((void **) &picture.card, picture.host, 0),
                        "cudaHostGetDevicePointer"));
  else if ((picture.card = (unsigned char *) lab_device_memory (lab, bytes, &code)) == NULL)
    return code;
  picture.n_streams = probe->variant == 1 ? probe->ways : 0;
  for (uint32_t s = 0; s < picture.n_streams; s++)
    if ((picture.streams[s] = lab_stream (lab, &code)) == NULL)
      return code;
  LAB_TRY (lab_fill (lab, picture.host, 0, bytes));

  LAB_TRY (lab_repeat (lab, probe, result, [&] (double *sample) { return once (&picture, sample); }));

  return finish (&picture, result->picture);
}

const LabKind lab_kind_mandelbrot = { has, measure, "mandelbrot", true };
