/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tutorial-steps.h"

#include <glib/gi18n-lib.h>

static const EsTutorialStep cube_steps[] = {
  { N_("One reduction, from opening to judging"),
    N_("Put this window beside the other one and follow it page by page. Every page says what to do and what to "
       "look at; a button, where there is one, does it for you. Nothing is changed on your disk before you save."),
    N_("A hyperspectral cube has hundreds of bands that are nearly alike. A reduction finds a few pictures that "
       "say the same: components. You will make them in three ways and judge which are worth keeping."),
    NULL, NULL, NULL },
  { N_("Open a scene"),
    N_("Press “Open…” and choose a cube, or take the simulated scene."),
    N_("The scene appears in the middle, its name under Data on the left. The simulated one comes with the truth: "
       "how much of each of five materials is in every pixel."),
    "simulate", NULL, N_("Simulate a Scene") },
  { N_("Look at the data"),
    N_("Click some pixels of the picture. Turn the wheel to zoom, drag to pan."),
    N_("The Spectrum section on the right shows the pixel: a curve over the wavelengths, with gaps where a band is "
       "bad. Vegetation rises steeply at 700 nm, water is dark beyond it. The status line says where the pointer "
       "is."),
    NULL, NULL, NULL },
  { N_("Principal components"),
    N_("Under Analyse on the left choose “Principal components” and press “Run”."),
    N_("The result appears under the data, with one picture a component in the strip below. The first ones carry "
       "most of the variance; the share is under each. Later ones look more and more like noise, but not in strict "
       "order."),
    "run-operation", "pca", N_("Run PCA") },
  { N_("How many to keep"),
    N_("In the Eigenvalues section drag the line up and down, or set “Variance kept” on the left."),
    N_("The bars are the eigenvalues, on a logarithmic scale; the curve is the share that the first ones have "
       "together. The line says how many are kept. Where the bars turn into a flat tail there is little but noise."),
    NULL, NULL, NULL },
  { N_("Minimum noise fraction"),
    N_("Choose “Minimum noise fraction” and press “Run”. How the noise is estimated is the first parameter; "
       "differences of neighbouring pixels are a good beginning. In a picture with an even area you may draw a "
       "region there and let its pixels tell."),
    N_("Components now come by signal to noise instead of variance: an eigenvalue less one is the signal-to-noise "
       "ratio. Bright but noisy bands no longer come first, and stripes move back. Eigenvalues near 1 are noise "
       "alone."),
    "run-operation", "mnf", N_("Run MNF") },
  { N_("Independent components"),
    N_("Choose “Independent components” (FastICA) and press “Run”. Watch the picture while it computes."),
    N_("Each component is made as far from a normal distribution as possible: materials that occur here and not "
       "there come out one by one. If a component has not converged, a warning says which; the convergence curve "
       "shows how it went. Try another contrast, or more steps."),
    "run-operation", "fastica", N_("Run FastICA") },
  { N_("What is lost"),
    N_("Select one of the results and look at the Reconstruction section on the right. Drag the threshold again."),
    N_("From the components kept, the spectra are computed back. The errors are what was dropped: small and even "
       "over the picture is good; a shape that you recognise in the error maps or in the residual means that "
       "something real is missing. The curve shows which bands suffer."),
    NULL, NULL, NULL },
  { N_("Judge each component"),
    N_("In the Components section read the figures of each, and switch one off."),
    N_("Coherence near 1 is a smooth picture, near 0 it is noise. A large kurtosis means few, outstanding pixels. "
       "With a component off, the reconstruction follows: the error shows what that component alone stood for."),
    NULL, NULL, NULL },
  { N_("Two components at once"),
    N_("In the Scatter Plot section choose two components, and draw a loop around a cloud of points with the "
       "pointer."),
    N_("The pixels of these points light up in the picture, and a region drawn in the picture lights up its "
       "points. Keep it under a name: its mean spectrum joins the spectrum plot, to be compared with that of other "
       "classes."),
    NULL, NULL, NULL },
  { N_("Side by side"),
    N_("Turn on comparing in the header bar, and choose what is left and right. Swipe, blink, or take the "
       "difference."),
    N_("Both pictures move together, so that the same pixel is under the pointer. Independent components are often "
       "sharper than principal ones: look at the same place in both."),
    "compare", NULL, N_("Compare") },
  { N_("Against the truth"),
    N_("Open “Correlate…” from the menu and choose two results, or a result and the true abundances."),
    N_("Each cell is the correlation of one component with another; the frame shows the best matching pairs. With "
       "the truth of a simulated scene it says plainly which component found which material. A scene simulated "
       "with independent sources is one in which FastICA finds all of them."),
    "correlate", NULL, N_("Correlate…") },
  { N_("Which device is faster"),
    N_("Open “Compare Devices…” from the menu and press “Run”."),
    N_("The same work on one thread, on all of them and on each graphics card, step by step. A step that does not "
       "get shorter limits all that do. The second page shows what has been published, with the hardware of its "
       "day."),
    "compare-devices", NULL, N_("Compare Devices…") },
  { N_("Keep it"),
    N_("Choose “Report…” under Save."),
    N_("One page for your notebook: the pictures, the figures, the parameters, and the command line that does it "
       "all again. That was one reduction from opening to judging; the next one can be of your own data."),
    "save-report", NULL, N_("Save a Report…") },
};

static const EsTutorialStep recording_steps[] = {
  { N_("One recording, from opening to saving"),
    N_("Put this window beside the other one and follow it page by page. Every page says what to do and what to "
       "look at; a button, where there is one, does it for you. Nothing is changed on your disk before you save."),
    N_("An array of hydrophones hears every source a little earlier at one element than at the next. Beamforming "
       "makes up for these delays, direction by direction: where the elements then agree, there is a source."),
    NULL, NULL, NULL },
  { N_("Open a recording"),
    N_("Press “Open…” and choose a recording, or several files of one channel each, or simulate a recording."),
    N_("It appears under Data on the left with its array below. The simulated one comes with the truth: a line of 64 "
       "hydrophones, three sources, and a table beside the file that says where each was."),
    "simulate-recording", NULL, N_("Simulate a Recording…") },
  { N_("Describe the array"),
    N_("Press “Edit…” under Array, or open a file of positions. A simulated recording knows its array already."),
    N_("The elements are drawn to scale; those that are dead or clipped are marked. Below stands what to be aware "
       "of: elements so far apart that one source shows at several bearings, or rows of the energy field too near or "
       "too far to be told apart. The description is kept in a file beside the recording."),
    "describe-array", NULL, N_("Describe the Array…") },
  { N_("Play it"),
    N_("Press Space, or the button at the bottom. Pause, click elsewhere in the record and press it again; hold Ctrl "
       "and turn the wheel to look closer, and press 0 for all of it."),
    N_("The bearing-time record is of the whole recording, a row a block, the newest on top; playing moves a line "
       "through it. A source is a trace. Of a line, 0° is ahead and 90° abeam, and left and right sound alike: the "
       "status line tells the mirror bearing, too. At the right below stands how much faster than the sound the "
       "computing is."),
    "sonar-play", NULL, N_("Play or Pause") },
  { N_("Follow a source"),
    N_("Click a trace in the bearing-time record. Choose a normaliser above it, and another range of levels."),
    N_("One cursor goes through all displays. The status line shows time, bearing and level. A normaliser divides by "
       "the background, so that weak traces stand beside strong ones. A double click goes to that moment. Hold Shift "
       "and draw a rectangle: how long, how wide, how fast and how loud stands beside it."),
    NULL, NULL, NULL },
  { N_("By compass and clock"),
    N_("Press the button below, type 2026-05-01T12:00:00Z and a heading of 90, and apply. Then press “⋯” above the "
       "displays and choose the true bearings, and the clock."),
    N_("Bearings count from the array's axis; with its heading they are those of a chart. Both sides of a line are in "
       "the record then: where a ship turns, what is there stands still, and its mirror image moves."),
    "navigation", NULL, N_("Start and Heading…") },
  { N_("How far away"),
    N_("Look at the Energy field section on the right, then press “Plan”."),
    N_("A row for each distance, from the far field down: a near source is sharp and strong in its own row and "
       "smeared in the others. The margin tells by how much that row beats the others; near 0 dB the distance is not "
       "known, and far away it never is."),
    NULL, NULL, NULL },
  { N_("Which bearings, how sure"),
    N_("Look at the Azimuth section. Press “Run” to see the same over the whole recording."),
    N_("Peaks of the band energy with their widths and margins; the two sides of a strong source are its side lobes. "
       "“Shading” on the left lowers them and widens the beam. A change on the left forms the beams anew at once."),
    "run-operation", "cbf", N_("Run Beamforming") },
  { N_("Lines"),
    N_("Look at the LOFARgram under the bearing-time record. Press “Harmonics” and drag the lines."),
    N_("The spectrum of the beam at the cursor over time. Machines are narrow lines; those of one machine are "
       "multiples of one frequency, and the harmonics' lines then lie on all of them. FRAZ on the right shows all "
       "frequencies and bearings of one moment."),
    NULL, NULL, NULL },
  { N_("Shafts and blades"),
    N_("Put the cursor on a propeller and open the DEMON section on the right."),
    N_("The noise of a propeller swells with every blade. The spectrum of its envelope has lines at the turns of "
       "the shaft and at the blades, which are a multiple of it: their ratio counts the blades."),
    NULL, NULL, NULL },
  { N_("Listen"),
    N_("Click a bearing and turn on the loudspeaker at the bottom while it plays."),
    N_("The beam that points there is heard, without most of what comes from elsewhere. Where the loudspeaker cannot "
       "be turned on, its tooltip says what is missing. The same sound can be saved."),
    "save-beam", NULL, N_("Save the Beam…") },
  { N_("Keep it"),
    N_("Select a result and choose “Everything into a Folder…” under Save."),
    N_("Records and LOFARgrams as HDF5 with bands, window and geometry, tables and detections as CSV, and a "
       "result.json that opens again. “Copy as Command” gives the line that does it all without a window."),
    "save-all", NULL, N_("Save Everything…") },
};

static const EsTutorialStep adaptive_steps[] = {
  { N_("Two sources where one beam sees one"),
    N_("Put this window beside the other one and follow it page by page. Every page says what to do and what to "
       "look at; a button, where there is one, does it for you. Nothing is changed on your disk before you save."),
    N_("A conventional beam (CBF) is as wide as the array is short: two sources inside one beam are one hump. An "
       "adaptive beam (MVDR) is made anew from the data for every bearing: it lets that bearing pass unchanged "
       "and makes everything else as quiet as it can, so that neighbours come apart."),
    NULL, NULL, NULL },
  { N_("A scene that needs it"),
    N_("Simulate two sources 2.5° apart."),
    N_("A line of 32 hydrophones hears two sources of noise at 88.75° and 91.25°, each 20 dB above the noise of "
       "the sea. Its beam is 4.5° wide. It begins to play; the recording is under Data on the left."),
    "simulate-scene", "two-sources", N_("Simulate Two Sources") },
  { N_("What CBF shows"),
    N_("Choose “CBF” above the displays, type 70:110:0.25 as Angles on the left for a closer look, and look at the "
       "Azimuth section on the right."),
    N_("One hump at 90°, where nothing is. The bearing-time record has one broad trace. No range of levels and no "
       "normaliser makes two of it: what a beam has added up cannot be taken apart again."),
    "set-live", "cbf angles=70:110:0.25", N_("Play CBF") },
  { N_("What MVDR shows"),
    N_("Choose “Adaptive” above the displays (F4)."),
    N_("Two sharp peaks, at 88.75° and 91.25°, over the hump of CBF. The record of MVDR stands beside that of "
       "CBF, and one cursor runs through both. The bar below the switch is what adaptive beams are made with; "
       "every slider works while it plays."),
    "live", "mvdr", N_("Play MVDR") },
  { N_("One snapshot"),
    N_("Pull “Snapshots” and “Blocks” down to 1, or let the button do it."),
    N_("The two peaks are one again. From a single snapshot nothing can be learned about what disturbs, and MVDR "
       "orders the bearings exactly as CBF does; it only looks sharper or flatter. The warning in the bar says "
       "so: K is the number of snapshots, B that of elements."),
    "set-live", "snapshots=1 blocks=1", N_("One Snapshot") },
  { N_("More snapshots"),
    N_("Push “Snapshots” up to 8, then give “Blocks” back to automatic."),
    N_("With 8 snapshots for 32 elements the sources are apart already, but their powers read far too low. With "
       "twice as many snapshots as elements the powers come near: without loading they read (K − B + 1) / K of "
       "what is true. More snapshots of one block are shorter, though, and their bins coarser."),
    "set-live", "snapshots=8 blocks=", N_("Enough Snapshots") },
  { N_("Diagonal loading"),
    N_("Drag “Loading” up and down."),
    N_("Loading is noise that is added to the diagonal of the matrix. Much of it makes MVDR a CBF again, broad "
       "and robust; little makes it sharp, and sensitive to whatever is not quite as assumed. With fewer "
       "snapshots than elements there is no way without it: at 0 you are told which value would do."),
    "set-live", "loading=10", N_("Far Too Much") },
  { N_("How many sources"),
    N_("Give “Loading” back to automatic and open the Eigenvalues section on the right."),
    N_("Two eigenvalues stand out, the others are the noise floor. AIC and MDL count what stands out; the button "
       "“MDL” in the bar takes that number for MUSIC, which uses the eigenvectors alone. Its peaks are the "
       "sharpest, but their height is no power."),
    "set-live", "loading= sources=2", N_("MUSIC with Two Sources") },
  { N_("Echoes"),
    N_("Think of one source that is heard twice, once directly and once from the bottom or the surface."),
    N_("Two paths of one source are coherent: what MVDR does to silence one silences the other, and both may "
       "vanish, with peaks where nothing is. CBF shows both. No number of snapshots helps, and no warning can be "
       "given: look at both curves, always."),
    NULL, NULL, NULL },
  { N_("Four ways to the same"),
    N_("Press “Compare…” in the bar."),
    N_("Every method gives the same spectrum, to rounding. Cholesky solves with the whole matrix; Woodbury needs "
       "none where snapshots are few; Jacobi and the eigen-decomposition find all eigenvectors on the way and "
       "take longest. “Automatic” takes what costs least."),
    "compare-methods", NULL, N_("Compare Methods…") },
  { N_("Tracks, and what is kept"),
    N_("Press “Run”, then choose “Everything into a Folder…” under Save."),
    N_("The whole recording with both kinds of beams: bearings with their widths and margins, tracks of peaks "
       "linked over time, eigenvalues, and what each step took. “Copy as Command” gives the line that does it all "
       "without a window. For other recordings empty “Angles” on the left, and switch MUSIC off."),
    "run-operation", "mvdr", N_("Run MVDR") },
};

const EsTutorialStep *
es_tutorial_get_steps (EsTutorialPath path, guint *n)
{
  static const struct { const EsTutorialStep *steps; guint n; } paths[ES_TUTORIAL_N_PATHS] = {
    { cube_steps, G_N_ELEMENTS (cube_steps) },
    { recording_steps, G_N_ELEMENTS (recording_steps) },
    { adaptive_steps, G_N_ELEMENTS (adaptive_steps) },
  };

  g_return_val_if_fail (path < ES_TUTORIAL_N_PATHS, NULL);

  *n = paths[path].n;
  return paths[path].steps;
}
