/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What starting a kernel costs: alone, in a row, and in a graph. */

#include "es-lab-cuda-private.h"

#define AWAITED 64             /* launches of a sample whose end is awaited */
#define IN_A_ROW 1024
#define IN_A_GRAPH 512

/* lab: launch */
static __global__ void
lab_nothing (void)
{
}
/* lab end */

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return probe->variant <= 2;
}

static int
make_graph (EskLab          *lab,
            cudaGraphExec_t *ready)
{
  cudaGraph_t graph = NULL;
  int code = lab_check (lab, cudaStreamBeginCapture (lab->stream, cudaStreamCaptureModeThreadLocal),
                        "cudaStreamBeginCapture");

  LAB_TRY (code);
  for (int k = 0; k < IN_A_GRAPH; k++)
    lab_nothing<<<1, 1, 0, lab->stream>>> ();
  code = lab_check (lab, cudaStreamEndCapture (lab->stream, &graph), "cudaStreamEndCapture");
  LAB_TRY (code);
  if (lab_note (lab, LAB_TAKEN_GRAPH, graph, 0, &code) == NULL)
    return code;
  LAB_TRY (lab_check (lab, cudaGraphInstantiate (ready, graph, 0), "cudaGraphInstantiate"));
  lab_note (lab, LAB_TAKEN_GRAPH_READY, *ready, 0, &code);

  return code;
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  cudaGraphExec_t ready = NULL;

  if (probe->variant == 2)
    LAB_TRY (make_graph (lab, &ready));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      const int launches = probe->variant == 0 ? AWAITED : probe->variant == 1 ? IN_A_ROW : IN_A_GRAPH;
      double began;

      lab_nothing<<<1, 1, 0, lab->stream>>> ();
      LAB_TRY (lab_wait (lab));
      began = lab_now ();
      if (probe->variant == 2)
        LAB_TRY (lab_check (lab, cudaGraphLaunch (ready, lab->stream), "cudaGraphLaunch"));
      for (int k = 0; probe->variant < 2 && k < launches; k++)
        {
          lab_nothing<<<1, 1, 0, lab->stream>>> ();
          if (probe->variant == 0)
            LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
        }
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
      *sample = (lab_now () - began) / launches;
      return lab_check (lab, cudaGetLastError (), "the launch of a kernel");
    });
}

const LabKind lab_kind_launch = { has, measure, "launch", true };
