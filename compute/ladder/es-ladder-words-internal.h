/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The words of ladders that their operations say, too: title, question, how and predict of each. */

#define ES_LADDER_COVARIANCE_TITLE \
  N_("The covariance matrix, step by step")
#define ES_LADDER_COVARIANCE_QUESTION \
  N_("Why is a covariance matrix a hundred times faster here than its definition?")
#define ES_LADDER_COVARIANCE_HOW \
  N_("The sums of all pairs of bands, and those of each band, over all pixels of an image of bytes: what a " \
     "principal component analysis spends most of its time with. Every rung computes all of them, and is held " \
     "against exact sums.")
#define ES_LADDER_COVARIANCE_PREDICT \
  N_("Which step brings most: reading neighbouring addresses, sharing what was read, or another shape of the " \
     "work? Does the order that was found in 2017 still hold? How far from what its memory and its arithmetic " \
     "allow is the last rung?")

#define ES_LADDER_TRANSFORM_TITLE \
  N_("The transform to components, step by step")
#define ES_LADDER_TRANSFORM_QUESTION \
  N_("What does a product of a small matrix and a large image wait for?")
#define ES_LADDER_TRANSFORM_HOW \
  N_("Each pixel's spectrum, less the mean, times a basis of some tens of rows; planes of float32 come out. " \
     "Every rung is held against the product in float64.")
#define ES_LADDER_TRANSFORM_PREDICT \
  N_("All threads read the same element of the basis at the same time: which memory is made for that? Each " \
     "pixel is needed by every row: who keeps it in the meantime?")

#define ES_LADDER_ICA_TITLE \
  N_("One step of FastICA, step by step")
#define ES_LADDER_ICA_QUESTION \
  N_("What does an iteration cost that reads all samples and brings back some numbers?")
#define ES_LADDER_ICA_HOW \
  N_("Every vector is multiplied with all whitened samples, their tanh taken, and summed with the samples " \
     "again: one step for all vectors. Every rung is held against the sums in float64.")
#define ES_LADDER_ICA_PREDICT \
  N_("The samples do not fit into any cache: how often does a step have to read them? What is gained where " \
     "kernels are merged, and what where small numbers are read from the host in place?")

#define ES_LADDER_NOISE_TITLE \
  N_("The noise of an image, step by step")
#define ES_LADDER_NOISE_QUESTION \
  N_("What does a filter of nine neighbours cost: arithmetic, or reading nine times?")
#define ES_LADDER_NOISE_HOW \
  N_("What each pixel of each band is off from its neighbourhood of 3 × 3: the first step of MNF. The first " \
     "rung takes the median, those above it the mean, and each is held against its own definition.")
#define ES_LADDER_NOISE_PREDICT \
  N_("A median sorts nine values: where does a thread keep them? Every value is read by nine threads: how " \
     "much of that does a cache do by itself?")

#define ES_LADDER_FOURIER_TITLE \
  N_("The spectra of an array, step by step")
#define ES_LADDER_FOURIER_QUESTION \
  N_("How much of a fast transform is the algorithm, and how much is asking for many at once?")
#define ES_LADDER_FOURIER_HOW \
  N_("A real transform of every hydrophone's block of samples, of which the lowest bins are wanted. Every " \
     "rung is held against the definition in float64.")
#define ES_LADDER_FOURIER_PREDICT \
  N_("The definition costs so many operations a bin as there are samples: from how many bins on is the fast " \
     "transform faster? Why is one call for all faster than as many calls as there are elements?")

#define ES_LADDER_BEAMS_TITLE \
  N_("Conventional beams, step by step")
#define ES_LADDER_BEAMS_QUESTION \
  N_("What does a beam cost: the phases, or reading the spectra in the wrong order?")
#define ES_LADDER_BEAMS_HOW \
  N_("The powers of beams of every angle and range, each a sum over elements of spectra turned by their " \
     "delays, summed over a band. Every rung is held against the sum in float64.")
#define ES_LADDER_BEAMS_PREDICT \
  N_("The same spectra laid out the other way round, the same delays laid out the other way round: which of " \
     "the two brings more, and why? How many sines and cosines does a beam need?")

#define ES_LADDER_JACOBI_TITLE \
  N_("Jacobi's rotations, step by step")
#define ES_LADDER_JACOBI_QUESTION \
  N_("Why does an eigenproblem that has work for everybody wait most of the time?")
#define ES_LADDER_JACOBI_HOW \
  N_("Eigenvalues and eigenvectors of a Hermitian matrix by rotations of pairs of rows and columns, three " \
     "kernels a step. Every rung is held against the decomposition of LAPACK in float64.")
#define ES_LADDER_JACOBI_PREDICT \
  N_("A sweep of n elements is n − 1 steps after each other: how long may a step take before launching it " \
     "matters? How many threads a block are best, and does that hold for every size?")

#define ES_LADDER_AZIMUTH_TITLE \
  N_("The azimuth spectrum of MVDR, step by step")
#define ES_LADDER_AZIMUTH_QUESTION \
  N_("When does it pay to write a sum as a product of matrices?")
#define ES_LADDER_AZIMUTH_HOW \
  N_("The power of each angle by the eigenvectors of one bin: direction vectors times eigenvectors, by their " \
     "eigenvalues. Every rung is held against the sum in float64.")
#define ES_LADDER_AZIMUTH_PREDICT \
  N_("The first step transposes a matrix and nothing else: what does it bring? Shared memory is given back " \
     "later on: from how many elements on does that help?")

