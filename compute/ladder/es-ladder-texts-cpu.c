/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is written of the rungs of processors. */

#include <glib/gi18n-lib.h>

#include "es-ladder-texts-private.h"

#define END { NULL, NULL, NULL, NULL }
#define VECTORISED(change) \
  { "vectorised", N_("Vectors"), change, \
    N_("Compilers make vectors of simple loops by themselves: a loop that they had understood already gains less.") }
#define THREADED(change) \
  { "threaded", N_("All cores"), change, \
    N_("Two threads of one core share its units, and all cores share one memory: the gain ends where either is " \
       "busy.") }

static const EsRungText covariance[] = {
  { "loops", N_("Three loops"),
    N_("By the definition: for each pair of bands a loop over all pixels for the sum of one, of the other, and of "
       "their products."), NULL },
  { "fused", N_("One loop"),
    N_("The three loops become one: each pixel is read once for all three sums."), NULL },
  { "triangle", N_("The triangle alone"),
    N_("Of two entries that are the same by symmetry one is computed: half of the work."), NULL },
  { "interchanged", N_("Pixels outside"),
    N_("The loop over pixels is the outer one: a pixel's bands are read once, and the innermost loop runs along the "
       "row of sums that they go to."),
    N_("The matrix of sums has to stay in a cache for it: a second-level cache of a megabyte holds 224 bands easily, "
       "the quarter of one that processors had in 2013 did not.") },
  { "blocked", N_("Blocks that fit a cache"),
    N_("Pixels are taken in pieces and bands in tiles, so that what is read is used many times before it leaves the "
       "cache."), NULL },
  VECTORISED (N_("The innermost loop multiplies and adds whole registers of pixels at once.")),
  THREADED (N_("Pieces of the work go to all cores, each with sums of its own.")),
  { "dots", N_("Dot products of bytes"),
    N_("One instruction multiplies and adds four pairs of bytes in each of its lanes, where the processor has it: "
       "bytes need not be widened."), NULL },
  { "compensated", N_("The triangle, in equal shares"),
    N_("Of two entries that are the same by symmetry one is computed, and the triangle is folded to a rectangle so "
       "that all threads have as many of them."),
    N_("Tiles along the diagonal still compute both halves; the larger the tiles, the less is saved.") },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot that every principal component analysis of this program uses: dot products of bytes where the "
       "processor has them, sums in whole numbers, exact."), NULL },
  { "library", N_("BLAS"),
    N_("The symmetric product of a matrix with itself by the library, of samples made wider beforehand."),
    N_("Bytes become four or eight times as many bytes before it begins; that is not in its time.") },
  END,
};

static const EsRungText transform[] = {
  { "first", N_("By the definition"),
    N_("For each row and pixel a loop over the bands, which lie a whole image apart."), NULL },
  { "interchanged", N_("Pixels inside"),
    N_("The innermost loop runs over neighbouring pixels: samples and results are gone through as they lie in "
       "memory, results once for each band."),
    NULL },
  { "blocked", N_("Blocks that fit a cache"),
    N_("Pixels are taken in pieces that stay in the cache while all rows of the basis are multiplied with them."),
    NULL },
  VECTORISED (N_("Neighbouring pixels are multiplied with one element of the basis at once.")),
  THREADED (N_("Pieces of the image go to all cores.")),
  { "production", N_("What Eigenscope does"), N_("The hot spot that makes components in this program."), NULL },
  { "library", N_("BLAS"), N_("The same as a product of matrices by the library, of samples made float32 beforehand."),
    NULL },
  END,
};

static const EsRungText ica[] = {
  { "loops", N_("By the definition"),
    N_("Vector by vector: all products, then all tanh, then all sums, each in a pass of its own."), NULL },
  { "blocked", N_("Blocks that fit a cache"),
    N_("A piece of the samples goes through all three while it is in the cache, for all vectors."), NULL },
  VECTORISED (N_("Products, tanh and sums of several samples at once; tanh by an approximation as exact as float32.")),
  { "registers", N_("Several vectors in registers"),
    N_("Three vectors and three planes at a time: what was loaded counts for nine products, whose sums stay in "
       "registers."), NULL },
  THREADED (N_("Pieces of the samples go to all cores, each with sums of its own.")),
  { "production", N_("What Eigenscope does"), N_("The hot spot of FastICA in this program."), NULL },
  { "library", N_("BLAS"), N_("Two products of matrices by the library, with tanh between them."), NULL },
  END,
};

static const EsRungText noise[] = {
  { "median", N_("The median, sorted"),
    N_("Nine values are sorted for each pixel of each band."), NULL },
  { "mean", N_("The mean"),
    N_("Nine values are added up instead of sorted: another filter, and another result."), NULL },
  { "columns", N_("Sums of columns used three times"),
    N_("Rows are gone through so that three of them stay in the cache, and sums of columns are used three times."),
    NULL },
  VECTORISED (N_("Neighbouring pixels are added up at once.")),
  THREADED (N_("Bands or rows go to all cores.")),
  { "production", N_("What Eigenscope does"), N_("The hot spot of the MNF in this program."), NULL },
  { "exchanges", N_("The median by exchanges"),
    N_("Nine values are exchanged in a fixed order until the fifth is the median: no branch, and all nine in "
       "registers."), NULL },
  { "median-vectorised", N_("The median by exchanges, vectors"),
    N_("The same exchanges of 32 pixels at once: what never branches is easily made a vector."), NULL },
  { "production-median", N_("What Eigenscope does, the median"),
    N_("The same hot spot where the median is asked for."), NULL },
  END,
};

static const EsRungText fourier[] = {
  { "first", N_("The definition"),
    N_("For each bin a loop over all samples: as many multiply-adds as bins times samples."), NULL },
  { "table", N_("Sines looked up"),
    N_("There are only as many different sines and cosines as samples: they are made once, and looked up."), NULL },
  { "radix", N_("Halves of halves"),
    N_("The transform of even and of odd samples make the whole one, and so on: n log n instead of n²."), NULL },
  { "half", N_("Two samples a number"),
    N_("Samples are real: two of them make one complex number, and half of the transform is enough."), NULL },
  { "blocked", N_("Blocks that fit a cache"),
    N_("All stages of one element come before the next element, whose numbers stay in the cache."), NULL },
  VECTORISED (N_("Several bins, or several elements, at once.")),
  THREADED (N_("Elements go to all cores.")),
  { "fftw", N_("FFTW, one by one"), N_("The library, a plan of one element, called for one after the other."), NULL },
  { "production", N_("What Eigenscope does"), N_("The hot spot of the spectra in this program."), NULL },
  { "library", N_("FFTW"), N_("The library, one plan for all elements."), NULL },
  END,
};

static const EsRungText beams[] = {
  { "first", N_("By the definition"),
    N_("For each beam and bin a sum over elements, with a sine and a cosine each."), NULL },
  { "blocked", N_("Blocks that fit a cache"),
    N_("Bins are the innermost loop, for they lie beside each other: sums of all bins stay in the nearest cache, and "
       "a path difference is read once."), NULL },
  { "recurrence", N_("Phasors by multiplication"),
    N_("From bin to bin a phasor turns by the same angle: a complex product takes the place of a sine and a cosine."),
    NULL },
  VECTORISED (N_("Several elements, or several angles, at once.")),
  THREADED (N_("Angles go to all cores.")),
  { "production", N_("What Eigenscope does"), N_("The hot spot of the beams in this program."), NULL },
  { "library", N_("BLAS"), N_("Steering vectors times spectra as products of matrices by the library."), NULL },
  END,
};

static const EsRungText jacobi[] = {
  { "loops", N_("Rotation by rotation"),
    N_("Pair after pair of rows and columns is rotated, columns along the long way of memory."), NULL },
  { "blocked", N_("Two rows at a time"),
    N_("All that is to be done with two rows is done while they are in the cache, and eigenvectors lie as rows, too."),
    NULL },
  VECTORISED (N_("Rows are rotated several elements at once.")),
  THREADED (N_("The rotations of a step, which do not touch each other, go to all cores.")),
  { "rotations", N_("The program's own rotations"),
    N_("Adaptive beams whose method is told to be Jacobi's rotations: the same steps, shared out to threads."), NULL },
  { "production", N_("What Eigenscope does"),
    N_("Eigenproblems of Hermitian matrices go to LAPACK, which makes them tridiagonal first and divides and conquers "
       "then."), NULL },
  END,
};

static const EsRungText azimuth[] = {
  { "loops", N_("By the definition"),
    N_("For each angle and eigenvector a sum over elements."), NULL },
  { "blocked", N_("Blocks that fit a cache"),
    N_("Several angles are taken together, so that an eigenvector that was read serves all of them."), NULL },
  VECTORISED (N_("Several elements at once, real and imaginary parts apart.")),
  THREADED (N_("Angles go to all cores.")),
  { "production", N_("What Eigenscope does"), N_("The hot spot of the adaptive spectrum in this program."), NULL },
  { "library", N_("BLAS"), N_("The whole as one complex product of matrices by the library."), NULL },
  END,
};

const EsRungText *const es_ladder_texts_cpu[ES_N_LADDERS] = {
  [ES_LADDER_COVARIANCE] = covariance, [ES_LADDER_TRANSFORM] = transform, [ES_LADDER_ICA] = ica,
  [ES_LADDER_NOISE] = noise, [ES_LADDER_FOURIER] = fourier, [ES_LADDER_BEAMS] = beams, [ES_LADDER_JACOBI] = jacobi,
  [ES_LADDER_AZIMUTH] = azimuth,
};
