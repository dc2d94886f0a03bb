import {
  inspectionJitterMs,
  inspectionLateMs,
  inspectionMs,
  inspectionTicketMs,
  uncheckedCountdownMs,
} from "@fava/wire/limits.ts";

/** Every number of the inspection of pictures: first values, to be changed by what reviews show; scores are 0 to 1. */
export const inspectionSettingsDefault = {
  /** Sure cases are only hidden and shown to a moderator: for the first weeks of new models. */
  isShadow: false,
  /** Explicit from here on: hidden until later pictures say otherwise. */
  unsureScore: 0.6,
  /** Surely explicit from here on. */
  sureScore: 0.8,
  /** The cheapest model says so much alone: looked at more often for a while. */
  alertScore: 0.4,
  /** A mean brightness below this, 0 to 255, is too dark to be judged. */
  darkLuma: 30,
  /** A variance of the Laplacian below this is too blurred to be held against anybody. */
  blurredSharpness: 8,
  /** Hentai so many times porn is a drawing, of which nobody is sure. */
  drawnRatio: 2,
  /** Of so many later pictures... */
  unsureFrames: 4,
  /** ...so many explicit ones keep the picture hidden, and a moderator sees them. */
  unsureOver: 3,
  /** Clean pictures in a row that show a picture again which a moderator is to see. */
  cleanFrames: 3,
  /** Of a burst of so many pictures... */
  burstFrames: 3,
  /** ...so many sure ones suspend. */
  burstSure: 2,
  intervalMs: inspectionMs,
  jitterMs: inspectionJitterMs,
  /** Between asking and the moment that is asked for, so that both ends catch the same one. */
  leadMs: 300,
  /** A clean picture of a search, or of the call before, opens the next picture clear for so long after it was asked for. */
  freshMs: 15_000,
  /** When the first picture of a call that opened clear is taken: a random moment after the match, the lead included. */
  firstLookMsMin: 800,
  firstLookMsMax: 3_000,
  /** So many calls in a row that opened clear and ended before a picture passed; the next one is covered. */
  untriedCallsMax: 2,
  /** How long that is remembered. */
  untriedMs: 600_000,
  /** After this long without a frame the next one is requested. */
  ticketMs: inspectionTicketMs,
  /** A frame is still judged this long after it was requested. */
  lateMs: inspectionLateMs,
  /** Intervals of people who were reported or flagged, and of people of whom something is odd. */
  watchedMs: 5_000,
  alertMs: 3_000,
  /** Interval in overload, `jitterMs` more or less: two looks are never 20 s apart. */
  busyMs: 16_000,
  /** The classifier is overloaded while a frame waits longer than this... */
  overloadWaitMs: 2_000,
  /** ...and this long after it refused one. */
  overloadForMs: 20_000,
  /** In overload no look is put off in the first part of a call, nor this long after a reason to look closely. */
  fullRateForMs: 30_000,
  /** How long the alert of the cheapest model lasts. */
  alertForMs: 30_000,
  /** Until the next picture after an unsure one, one of a burst, one that could not be judged well, and none at all. */
  unsureRetryMs: 2_000,
  burstRetryMs: 1_000,
  poorRetryMs: 3_000,
  missedRetryMs: 1_000,
  /** Until the next frame after the classifier had no time for one, or while it cannot judge. */
  unjudgedRetryMs: 5_000,
  blindRetryMs: 2_000,
  /** A picture is hidden once this long none of its frames was judged... */
  unlookedHidesMs: 20_000,
  /** ...or none arrived; after this long without any the call ends. Both from the first request without a frame. */
  silentHidesMs: 15_000,
  silentEndsMs: 45_000,
  /** Both sides are told this long before such an end. */
  countdownMs: uncheckedCountdownMs,
  /** A dark picture is told after this long, hidden, and ends the call. */
  darkMs: 60_000,
  darkHidesMs: 150_000,
  darkEndsMs: 180_000,
  /** A dark picture below this brightness, 0 to 255, is black; a brighter one without any contour is covered. */
  blackLuma: 8,
  /** How long a picture with a code in it is hidden at least. */
  codeMs: 10_000,
  /** Codes are looked for, and the other end is asked for its view, on one picture of so many. */
  codesEvery: 3,
  viewsEvery: 3,
  /** Perceptual hashes of both ends, 64 bits, differ by more than this... */
  differingBits: 26,
  /** ...in so many of the last comparisons. */
  comparisons: 4,
  comparisonsDiffering: 3,
  /** Pictures in a row without any change. */
  frozenFrames: 6,
};

export type InspectionSettings = Readonly<typeof inspectionSettingsDefault>;
