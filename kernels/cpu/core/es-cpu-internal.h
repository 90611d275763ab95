/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Inside the CPU back end.
 *
 * Every hot spot walks over a tile in chunks of valid pixels. A chunk is a panel: one contiguous row of samples a
 * band, native byte order, small enough to stay in the second-level cache. What is done with the rows is a table of
 * inner loops, filled in portable C, for AVX2 and for AVX-512; the exact ones give the same bits in all. Loops of one
 * subject alone are in its room and go with the stream's (has_avx2, wide).
 */

#include "es-hotspots-stream.h"
#include "es-tile.h"

/* Rows of a panel are whole multiples of this many samples, and start on a cache line. */
#define ESK_PANEL_ALIGNMENT 64
#define ESK_PANEL_ROUND 16
/* Samples of a row whose products are summed are a multiple of this. */
#define ESK_PRODUCT_ROUND 128
/* The matrix loops take bands by threes or fives: a panel they read has its number of rows rounded up to that. */
#define ESK_BAND_BLOCK 15
/* Float32 products are added up over at most this many samples before they go into a float64 total. */
#define ESK_FLOAT_RUN 256

/*
 * product[i * n + j] += sum of panel row i times panel row j over `count` samples, for j <= i. count is a multiple of
 * ESK_PRODUCT_ROUND (the rest padded with zeros), at most ESK_FLOAT_RUN * 8 for float32.
 */
typedef struct
{
  /* magnitude[i] is the largest |sample| of row i: it tells how many products fit an int32. scratch: room for the
   * halves of all rows, es-cpu-products-internal.h. */
  void (*i16) (size_t n, const int16_t *panel, size_t stride, size_t count, const int32_t *magnitude,
               int64_t *product, void *scratch);
  /* scratch: n x n floats (doubles) of room where `float_room` says so. */
  void (*f32) (size_t n, const float *panel, size_t stride, size_t count, double *product, float *scratch);
  void (*f64) (size_t n, const double *panel, size_t stride, size_t count, double *product, double *scratch);
  /* NULL: bytes become int16 first. Of rows of bytes, `step` bytes apart, and those of the other sign `flipped` bytes
   * behind each: product += sum of x y + row_factor sum[i] + column_factor sum[j], x of row i without a sign, y of row
   * j with one. count: at most 4096. */
  void (*bytes) (size_t n, const void *panel, size_t step, size_t flipped, size_t count, const int64_t *sum,
                 int64_t row_factor, int64_t column_factor, int64_t *product);
  bool float_room;
  bool long_rows;              /* much is done at the end of a row: they are as long as may be */
} EskCpuProducts;

typedef struct
{
  const char *name;            /* "portable", "avx2", "avx512" */

  /* Reverses the bytes of n elements of 2, 4 or 8 bytes. */
  void (*swap)       (size_t element_size, void *samples, size_t n);
  /* out[k] = the element at samples + offsets[k] elements. */
  void (*gather)     (size_t element_size, const void *samples, const ptrdiff_t *offsets, size_t n, void *out);
  /* out[band * stride + k] = the element at samples + offsets[k] + band, all in elements: BIP to rows. */
  void (*transpose)  (size_t element_size, const void *samples, const ptrdiff_t *offsets, size_t n, size_t n_bands,
                      void *out, size_t stride);

  /* bad[k] becomes 1 where the sample is not finite or is no_data (NAN: none). */
  void (*find_missing) (EskType type, const void *samples, size_t n, double no_data, uint8_t *bad);
  void (*range)      (EskType type, const void *samples, size_t n, double *minimum, double *maximum);
  double (*sum)      (EskType type, const void *samples, size_t n);
  /* floor ((x - minimum) * 255 / (maximum - minimum)) clamped to 0..255, exact for integers; see EskSelection. */
  void (*quantise)   (EskType type, const void *samples, size_t n, double minimum, double maximum, uint8_t *out);

  /* Of int16 or uint16 samples. */
  void (*range_16)   (EskType type, const void *samples, size_t n, int32_t *minimum, int32_t *maximum, int64_t *sum);
  /* out = x - offset modulo 2^16: the caller knows that it fits. */
  void (*offset_16)  (const void *samples, size_t n, int32_t offset, int16_t *out);
  /* 8-bit samples as int16; *sum is their total. */
  void (*widen_8)    (EskType type, const void *samples, size_t n, int16_t *out, int64_t *sum);
  /* 8-bit samples with the upper bit turned over, which is another sign; *sum is the total of what they were. */
  void (*flip_8)     (EskType type, const void *samples, size_t n, uint8_t *out, int64_t *sum);

  /* out = x - shift, subtracted in float64 and rounded once; *sum is the float64 total of out. */
  void (*to_float)   (EskType type, const void *samples, size_t n, double shift, float *out, double *sum);
  void (*to_double)  (EskType type, const void *samples, size_t n, double shift, double *out, double *sum);
  /* out = x - shift in float32, for 8- and 16-bit and float32 samples. */
  void (*centre)     (EskType type, const void *samples, size_t n, float shift, float *out);

  const EskCpuProducts *products;

  /*
   * out[r * out_stride + k] = constants[r] + sum over b of basis[r * n + b] * panel[b * stride + k]; count: a multiple
   * of ESK_PANEL_ROUND. packed: rows x n floats that pack () has filled from basis.
   */
  void (*pack)       (size_t rows, size_t n, const float *basis, float *packed);
  void (*multiply)   (size_t rows, size_t n, const float *basis, const float *packed, const float *constants,
                      const float *panel, size_t stride, size_t count, float *out, size_t out_stride);
} EskCpuLoops;

/* Memory that grows and is kept, aligned to ESK_PANEL_ALIGNMENT. */
typedef struct
{
  void   *data;
  size_t  size;
} EskScratch;

/* NULL where count * size overflows or memory is exhausted; the content is undefined. */
void *esk_scratch_get  (EskScratch *scratch, size_t count, size_t size);
void  esk_scratch_free (EskScratch *scratch);

/* es-cpu-team-internal.h */
typedef struct _EskTeam EskTeam;

struct _EskStream
{
  const EskCpuLoops *loops;
  bool               has_avx2; /* these and all others are to be those for AVX2, where there are any */
  bool               wide;     /* vectors of AVX-512 where there are loops for them */
  unsigned           threads;  /* of hot spots that use several; 0: one */
  EskTeam           *team;     /* NULL: not begun */
  const int         *cancelled; /* set_cancelled () */
  /* Who wants to know what share of a long call is done; NULL: nobody. Called from the thread of the call. */
  void             (*tell) (double share, void *data);
  void              *tell_data;

  /* of the panel reader */
  EskScratch raw, rows, runs, offsets;
  /* of the hot spots */
  EskScratch quantised, panel, output, state, products, basis;
};

extern const EskStreamHotspots esk_cpu_stream_hotspots;

/* A stream without threads and scratch memory, with the fastest loops that this machine runs; the portable ones where
 * ES_CPU_PORTABLE=1 is in the environment. For what is called without a stream. */
void esk_cpu_stream_init (EskStream *stream);
/* Its has_avx2. */
bool esk_cpu_has_avx2    (void);

/* Valid pixels beside each other in one row. */
typedef struct
{
  size_t    pixel;             /* of the first, row * width + column */
  size_t    length;
  ptrdiff_t offset;            /* of the first, in samples from the tile's data */
} EskRun;

/* A chunk of pixels: rows[band] points to n_pixels samples of `type` in native byte order, not always aligned to
 * more than the sample itself. */
typedef struct
{
  EskType              type;
  size_t               n_pixels;
  const void * const  *rows;
  const EskRun        *runs;
  size_t               n_runs;
} EskPanel;

/* Cuts a tile's valid pixels into panels. */
typedef struct
{
  EskStream          *stream;
  EskTile             tile;
  const EskSelection *selection;
  const uint8_t      *valid;   /* NULL: every pixel */
  size_t              n_pixels, element_size;
  size_t              capacity, stride;
  size_t              column, row;
  int                 code;    /* ESK_OK, or why there are no more panels */
  /* of the stream's scratch */
  uint8_t            *raw;
  const void        **rows;
  EskRun             *runs;
  ptrdiff_t          *offsets;
} EskPanelReader;

/* ESK_OK, or ESK_ERROR_ARGUMENT where anything of these cannot be right. */
int    esk_cpu_check       (EskStream *stream, const EskTile *tile, const EskSelection *selection);
/* Pixels of a panel so that n_bands samples of size bytes each stay in the second-level cache. */
size_t esk_cpu_capacity    (size_t n_bands, size_t size);
/* Of a panel whose bands are multiplied by each other, group by group where they do not fit together. */
size_t esk_products_capacity (const EskCpuProducts *products, size_t n_bands, size_t size);
/* Samples between two rows of a panel of that capacity: no two rows at the same place of the first-level cache. */
size_t esk_cpu_stride      (size_t capacity, size_t size);
int    esk_panel_start     (EskPanelReader *reader, EskStream *stream, const EskTile *tile,
                            const EskSelection *selection, const uint8_t *valid, size_t capacity);
/* false: there are no more pixels, or nobody wants them any more: reader->code, for the caller to return. */
bool   esk_panel_next      (EskPanelReader *reader, EskPanel *panel);

static inline size_t
esk_round_up (size_t n,
              size_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}
