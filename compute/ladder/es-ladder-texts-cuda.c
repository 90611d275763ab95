/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is written of the rungs of cards: hyperspectral.md, 3.1.3 and 4; sonar.md, 9; what became of it since:
 * gpu-lab.md, 17. */

#include <glib/gi18n-lib.h>

#include "es-ladder-texts-private.h"

#define END { NULL, NULL, NULL, NULL }

static const EsRungText covariance[] = {
  { "v0", N_("A thread an entry"),
    N_("Block i has the entries of band i, and thread j the sum over all pixels of band i times band j. The lanes of "
       "a warp read bytes that lie a whole band apart: each load brings as many sectors as there are lanes."),
    N_("The K20c did not cache global loads in the first level at all. Cards since Volta do: the sectors that a lane "
       "brought in serve its next pixels too, and the first rung is far less bad than it was.") },
  { "s5", N_("A thread an entry, the shared band in shared memory"),
    N_("The band that all threads of a block multiply with is brought to shared memory, but nothing is laid out "
       "anew: one strategy by itself, to see what it brings without the other."), NULL },
  { "v1", N_("A transposed copy"),
    N_("A second copy of the image, pixel after pixel, is made once; neighbouring threads then read neighbouring "
       "bytes, and a warp's load is one or two sectors. It costs the memory of a second image."),
    N_("Where caches already served the scattered loads, there is less to gain; laying out the copy, which is not in "
       "this time, has to be earned back.") },
  { "v2", N_("The shared band in shared memory"),
    N_("All threads of a block multiply with the same band: its pixels are brought to shared memory once a piece, "
       "and every thread reads them from there."),
    N_("A load of one address by a whole warp is a broadcast, and today's first-level cache is made of the same "
       "memory as shared memory: what was fetched by hand comes about as quickly by itself.") },
  { "v3-single", N_("Tiles, an entry a thread"),
    N_("A block has a square of entries and brings windows of bands and pixels to shared memory, with the number of "
       "threads that it had before: what reuse alone brings."), NULL },
  { "v3", N_("Tiles of entries"),
    N_("A block has a square of entries, as in a product of matrices: windows of some bands and pixels are brought "
       "to shared memory and slide along the pixels, and each value is used as often as the tile is wide."),
    NULL },
  { "v4", N_("Tiles, transposed in shared memory"),
    N_("The window is written to shared memory the other way round, so that lanes that need one pixel of different "
       "bands read from different banks."),
    N_("A bank is 4 bytes, and lanes that ask for bytes of the same 4 are served together; Kepler's banks could be 8 "
       "bytes wide, today's cannot.") },
  { "v4-1", N_("Tiles, rows padded by a byte"),
    N_("Instead of transposing it, each row of the window is a byte longer than it has to be."),
    N_("A byte is no bank: rows move against each other by a quarter of one, and most conflicts stay.") },
  { "v4-4", N_("Tiles, rows padded by four bytes"),
    N_("Each row of the window is a bank longer, so that the same column of each row lies in another bank."), NULL },
  { "dp4a", N_("Four pixels a word"),
    N_("Four pixels lie in a word, and one instruction multiplies four pairs and adds them up. Whole numbers stay "
       "exact."),
    NULL },
  { "dp4a-r5", N_("Four pixels a word, sums in registers"),
    N_("A thread has a square of sums in registers: a word that it reads from shared memory counts for several of "
       "them."),
    NULL },
  { "i", N_("A thread an entry, the triangle alone"),
    N_("As the first rung, but of two entries that are the same by symmetry one is computed: half of the work, by "
       "blocks of which many threads have nothing to do, or by a triangle folded to a rectangle."),
    N_("Half of the work is half of the time only where threads with nothing to do do not wait for the others.") },
  { "ii-1", N_("A block an entry"),
    N_("All threads of a block go through the pixels of one entry together, reading neighbouring pixels, and add up "
       "their sums in shared memory at the end. One launch for the diagonal, one for the rest."),
    NULL },
  { "ii-2", N_("A block an entry, rows folded"),
    N_("A launch for each pair of rows, with as many blocks as there are bands."),
    N_("Launches that follow each other cost less than they did, but each still has an end that is not full.") },
  { "ii-3", N_("A block an entry, a launch a row"),
    N_("A launch a row, as many blocks as the row has entries: rows can be computed while later bands are still on "
       "their way to the card."),
    N_("What it gained most in its time, copying while computing, is not in these times.") },
  { "iii", N_("A launch an entry"),
    N_("The whole card computes one entry at a time, and sums across blocks at its end: as many launches as there "
       "are entries in the triangle."),
    N_("Some microseconds a launch for tens of thousands of them: no card since has changed that. It can be said "
       "beforehand from the laboratory's experiment on launches.") },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot that every principal component analysis of this program uses: four bytes at once by dot "
       "products, or tiles on the tensor cores where the card has them, sums in whole numbers, exact."),
    NULL },
  { "library", N_("cuBLAS"),
    N_("The product of the image with itself, by the vendor's library, from samples that were made wider for it."),
    N_("It has no kernel for symmetric products of bytes: what it needs is laid out beforehand.") },
  END,
};

static const EsRungText transform[] = {
  { "v0", N_("A thread a pixel"),
    N_("Each thread has a pixel and a row of the result, and reads the basis and the pixel's bands from global "
       "memory."), NULL },
  { "row", N_("A launch a row"),
    N_("A launch has one row of the basis, which lies in shared memory, and goes through all pixels: as many times "
       "through the image as there are rows."),
    NULL },
  { "v1", N_("The basis in constant memory"),
    N_("All threads read the same element of the basis at the same time, which is what constant memory is made for."),
    N_("A uniform load from global memory is a broadcast from the first-level cache today. The constant cache's "
       "first level has about 2 KB, and a basis of 27 rows by 224 bands has 24.") },
  { "v2", N_("Pixels in shared memory"),
    N_("A window of pixels and bands is brought to shared memory once and used by every row of the basis."),
    N_("First-level caches keep the same window by themselves as long as blocks that need it are resident together.") },
  { "r5", N_("Several rows in registers"),
    N_("A thread keeps the sums of several rows of its pixel in registers: a sample that was read counts for all of "
       "them, and their factors lie beside each other in constant memory."),
    NULL },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot that makes components in this program: several rows a thread in registers, or tiles on the "
       "tensor cores."), NULL },
  { "library", N_("cuBLAS"),
    N_("The same as a product of matrices by the vendor's library, of samples made float32 beforehand."),
    N_("Making bytes four times as wide is part of the price, and not of its time.") },
  END,
};

static const EsRungText ica[] = {
  { "v0", N_("Sums in memory"),
    N_("A kernel multiplies each vector with the samples, another one sums, and what is in between goes to global "
       "memory and back."), NULL },
  { "v1", N_("Sums in registers"),
    N_("Each thread keeps its sum in a register, of more digits than the samples, instead of an array in memory."),
    N_("Compilers since then keep sums in registers where they can see that nobody else looks.") },
  { "v2", N_("Shared memory"),
    N_("What is read and written over and over, vectors and partial sums, is kept in shared memory."),
    N_("Vectors of some tens of numbers stay in the first-level cache anyway.") },
  { "v3", N_("Vectors transposed"),
    N_("Vectors are stored so that what a warp reads of them lies side by side."),
    N_("They are small: once in a cache, it hardly matters how they lie.") },
  { "v4", N_("Merged kernels"),
    N_("Kernels that were launched once a vector become one for all vectors: fewer launches, and the samples are "
       "read fewer times."),
    N_("Cards have grown faster than launches have: merging is worth more than it was.") },
  { "v5", N_("Zero-copy"),
    N_("The vectors that go in and the sums that come out are read and written in the host's memory in place, "
       "without copies of their own."),
    N_("It brought nothing on the larger scenes even then. A copy of a kilobyte costs some microseconds, and so does "
       "a warp that waits for the link.") },
  { "fused", N_("A sample read once a vector"),
    N_("One launch for all vectors: a thread keeps all planes of a sample in registers, makes product and tanh of a "
       "vector, and adds up at once."),
    NULL },
  { "tiled", N_("A sample read once for all vectors"),
    N_("A block brings all planes of some samples to shared memory, and all vectors use them there, a square of "
       "vectors and planes a thread."),
    NULL },
  { "s5", N_("Shared memory alone"),
    N_("Vectors and partial sums in shared memory, and nothing else of the steps before."), NULL },
  { "g3", N_("Vectors transposed alone"), N_("Vectors laid out side by side, and nothing else of the steps before."),
    NULL },
  { "m", N_("Merged kernels alone"),
    N_("The sums of all planes in one launch, and nothing else of the steps before."), NULL },
  { "z", N_("Zero-copy alone"),
    N_("Vectors and sums read and written in the host's memory in place, and nothing else of the steps before."),
    NULL },
  { "m-z", N_("Merged kernels and zero-copy"),
    N_("Both without registers and shared memory: what the host's side of a step costs."), NULL },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot of FastICA in this program: samples are read once for all vectors, and their products, tanh and "
       "sums are made in one go."), NULL },
  { "library", N_("cuBLAS"),
    N_("Two products of matrices by the vendor's library, with tanh by a kernel between them."),
    N_("What is between them goes to memory and back.") },
  END,
};

static const EsRungText noise[] = {
  { "v0", N_("The median, sorted"),
    N_("Each thread sorts nine values in an array of its own, which is indexed by what it finds, and therefore lies "
       "in local memory: off the chip."),
    N_("Compilers unroll a sort of nine with lengths that they know, and it stays in registers then: look at the "
       "bytes of local memory.") },
  { "v1", N_("The mean, in registers"),
    N_("Nine values are added up instead of sorted: another filter, and another result, that needs one register."),
    N_("Nearly all of the published gain is of this step. Where the sort is not in local memory any more, what is "
       "left is the work of sorting.") },
  { "v2", N_("Three rows in shared memory"),
    N_("A block has a row of the image, and keeps the three rows that it needs in shared memory: each value is read "
       "from memory three times instead of nine."),
    N_("First-level caches do just that by themselves.") },
  { "v3", N_("Blocks of two dimensions"),
    N_("A block has a rectangle with a ring round it: each value is read little more than once."),
    N_("What is gained is what a cache still missed: rows that had been driven out in between.") },
  { "v4", N_("A column a thread"),
    N_("A thread works its way down some rows of a column and carries the sums of three rows along in registers, of "
       "which two are used again: no shared memory at all."),
    NULL },
  { "production-median", N_("What Eigenscope does, the median"),
    N_("The same hot spot where the median is asked for: an exchange network in registers instead of a sort."), NULL },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot of the MNF in this program: several pixels a thread, wide loads, sums of rows carried along."),
    NULL },
  END,
};

static const EsRungText fourier[] = {
  { "v0", N_("The definition"),
    N_("A thread a bin, which goes through all samples: as many multiply-adds as bins times samples. Few bins of a "
       "long block are not hopeless that way."), NULL },
  { "v1", N_("The library, one by one"),
    N_("A fast transform of each element by the vendor's library, one call after the other."),
    N_("A transform of some thousand samples does not fill a card, and the calls cost as much as they compute.") },
  { "v2", N_("The library, batched"),
    N_("One plan and one call for all elements."), NULL },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot of the spectra in this program: samples of 16 bits, channel beside channel, are read as they "
       "come, turned by products on tensor cores where there are many, and only wanted bins are written. The other "
       "rungs are given their samples as float32."), NULL },
  { "library", N_("cuFFT, and laid out for beams"),
    N_("The vendor's library, one plan and one call for all elements, and a kernel that brings the bins that are "
       "wanted to where beams read them, element beside element: the same work as the hot spot's."), NULL },
  END,
};

static const EsRungText beams[] = {
  { "v0", N_("Elements as threads"),
    N_("A block has an angle and a bin, and a thread an element: it turns the spectrum by its delay, and the block "
       "adds up in shared memory."), NULL },
  { "v1", N_("Parameters as arguments"),
    N_("What describes the work comes as arguments of the kernel instead of an array in global memory."),
    N_("Compilers read arguments from the constant bank, and one value for all lanes is cheap from global memory, "
       "too.") },
  { "v2", N_("Spectra the other way round"),
    N_("Spectra are laid out bin after bin, so that neighbouring threads, which have neighbouring elements, read "
       "side by side."),
    N_("Sectors of 32 bytes, and caches that keep the rest of them, make scattered loads less bad than they were.") },
  { "v3", N_("Delays the other way round"),
    N_("The table of path differences is laid out so that elements are beside each other."),
    N_("A large table still has to come from memory: this step keeps more of its gain than most.") },
  { "v4", N_("Phasors by multiplication"),
    N_("From bin to bin a phasor turns by the same angle: a complex product takes the place of a sine and a cosine, "
       "which are worked out anew every some bins."),
    NULL },
  { "v5", N_("Sums of several bins in registers"),
    N_("Some bins at a time have their sums in registers, and are added up over the block together: fewer times that "
       "threads wait for each other."),
    NULL },
  { "v6", N_("A thread a beam"),
    N_("A thread has a beam of its own and goes through all elements, whose spectra a block shares: what a block "
       "reads once serves all of its beams, and nobody has to add up with others. Path differences are read as they "
       "were computed, with angles beside each other."), NULL },
  { "g3a", N_("Spectra alone the other way round"),
    N_("Spectra laid out bin after bin, with parameters and path differences as they were."), NULL },
  { "g3b", N_("Delays alone the other way round"),
    N_("Path differences laid out with elements beside each other, with parameters and spectra as they were."), NULL },
  { "g3a-g3b", N_("Spectra and delays the other way round"),
    N_("Both laid out anew, with parameters still in global memory."), NULL },
  { "r5-g3b", N_("Arguments, and delays the other way round"),
    N_("Parameters as arguments and path differences laid out anew, with spectra as they were."), NULL },
  { "library", N_("cuBLAS"),
    N_("Phasors of every bin and beam are laid out before as matrices, and beams are their products with the spectra "
       "by the vendor's library. The table of phasors is many times as large as the spectra."),
    NULL },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot of the beams in this program: phasors go from bin to bin by multiplication instead of sines, "
       "symmetric angles are formed together, and no table of phases is stored."), NULL },
  END,
};

static const EsRungText jacobi[] = {
  { "v0", N_("Three kernels a step"),
    N_("For each step of the schedule: the rotations, then all rows, then all columns of the matrix and of the "
       "eigenvectors; a rotation a block, an element a thread."), NULL },
  { "v1", N_("Rotations in registers"),
    N_("Sine and cosine of a rotation are kept in registers of each thread, not read again for every element."),
    N_("One address for all threads of a block is a broadcast from the first-level cache today.") },
  { "v2", N_("Eigenvectors transposed"),
    N_("Eigenvectors are stored as rows, so that their columns are updated along memory. The matrix itself needs "
       "both directions, so one pass of it stays scattered."),
    N_("A matrix of some hundred elements fits into the second-level cache of today's cards, where scattered sectors "
       "cost less.") },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot of the eigenproblems of adaptive beams in this program: pairs of rows and columns at once, and "
       "many bins together."), NULL },
  { "library", N_("cuSOLVER"),
    N_("The vendor's solver of Hermitian eigenproblems (divide and conquer)."), NULL },
  END,
};

static const EsRungText azimuth[] = {
  { "v0", N_("Angles as blocks"),
    N_("A block has an angle, and a thread an eigenvector: it multiplies it with the direction vector, element by "
       "element. Lanes read a whole column of the matrix apart."), NULL },
  { "v1", N_("Eigenvectors transposed"),
    N_("The matrix of eigenvectors is laid out so that lanes, which have neighbouring eigenvectors, read side by "
       "side."),
    N_("Seven times was most of what was published. A second-level cache that holds the whole matrix takes part of "
       "it.") },
  { "v2", N_("Sums in shared memory"),
    N_("What threads add up at the end is kept in shared memory."),
    N_("There was little to gain then, and warps add up among themselves today.") },
  { "v3", N_("The direction in shared memory"),
    N_("The direction vector, which all threads of a block read, is kept in shared memory."),
    N_("A read of one address by all lanes is quick from a cache as well.") },
  { "v4", N_("The direction back in memory"),
    N_("Shared memory is given back, so that more warps are resident: of large arrays it had become too much."),
    N_("Shared memory of a multiprocessor has grown from 48 to 227 KB: what did not fit then does now.") },
  { "v5", N_("Directions transposed"),
    N_("What different blocks read of the direction vectors at the same time lies side by side."), NULL },
  { "v6", N_("A small buffer, many times"),
    N_("A buffer of fixed length adds up piece by piece, whatever the number of elements."),
    N_("Resident warps are gained only where shared memory was what kept them away: look at the occupancy.") },
  { "production", N_("What Eigenscope does"),
    N_("The hot spot of the adaptive spectrum in this program, as products of matrices in float64, many bins at once."),
    NULL },
  { "library", N_("cuBLAS"),
    N_("The whole as one complex product of matrices by the vendor's library, and the squares summed by a kernel."),
    NULL },
  END,
};

const EsRungText *const es_ladder_texts_cuda[ES_N_LADDERS] = {
  [ES_LADDER_COVARIANCE] = covariance, [ES_LADDER_TRANSFORM] = transform, [ES_LADDER_ICA] = ica,
  [ES_LADDER_NOISE] = noise, [ES_LADDER_FOURIER] = fourier, [ES_LADDER_BEAMS] = beams, [ES_LADDER_JACOBI] = jacobi,
  [ES_LADDER_AZIMUTH] = azimuth,
};
