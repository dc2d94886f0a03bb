import {
  inspectionJitterMs,
  inspectionLateMs,
  inspectionMs,
  inspectionTicketMs,
  uncheckedCountdownMs,
} from "@fava/wire/limits.ts";

/** Every number of the inspection of call pictures: first values, to be set anew by what reviews show; scores are 0 to 1. */
export interface InspectionSettings {
  /** Sure cases are only hidden and shown to a moderator: for the first weeks of new models. */
  readonly isShadow: boolean;
  /** Explicit from here on: hidden until later pictures say otherwise. */
  readonly unsureScore: number;
  /** Surely explicit from here on. */
  readonly sureScore: number;
  /** The cheapest model says so much alone: looked at more often for a while. */
  readonly alertScore: number;
  /** A mean brightness below this, 0 to 255, is too dark to be judged. */
  readonly darkLuma: number;
  /** A variance of the Laplacian below this is too blurred to be held against anybody. */
  readonly blurredSharpness: number;
  /** Hentai so many times porn is a drawing, of which nobody is sure. */
  readonly drawnRatio: number;
  /** Of so many later pictures... */
  readonly unsureFrames: number;
  /** ...so many explicit ones keep the picture hidden, and a moderator sees them. */
  readonly unsureOver: number;
  /** Clean pictures in a row that show a picture again which a moderator is to see. */
  readonly cleanFrames: number;
  /** Of a burst of so many pictures... */
  readonly burstFrames: number;
  /** ...so many sure ones suspend. */
  readonly burstSure: number;
  readonly intervalMs: number;
  readonly jitterMs: number;
  /** Between asking and the moment that is asked for, so that both ends catch the same one. */
  readonly leadMs: number;
  /** A clean picture of a search, or of the call before, opens the next picture clear for so long after it was asked for. */
  readonly freshMs: number;
  /** When the first picture of a call that opened clear is taken: a random moment after the match, the lead included. */
  readonly firstLookMsMin: number;
  readonly firstLookMsMax: number;
  /** So many calls in a row that opened clear and ended before a picture passed; the next one is covered. */
  readonly untriedCallsMax: number;
  /** How long that is remembered. */
  readonly untriedMs: number;
  /** After this long without a frame the next one is requested. */
  readonly ticketMs: number;
  /** A frame is still judged this long after it was requested. */
  readonly lateMs: number;
  /** Intervals of people who were reported or flagged, and of people of whom something is odd. */
  readonly watchedMs: number;
  readonly alertMs: number;
  /** Interval in overload, `jitterMs` more or less: two looks are never 20 s apart. */
  readonly busyMs: number;
  /** The classifier is overloaded while a frame waits longer than this... */
  readonly overloadWaitMs: number;
  /** ...and this long after it refused one. */
  readonly overloadForMs: number;
  /** In overload no look is put off in the first part of a call, nor this long after a reason to look closely. */
  readonly fullRateForMs: number;
  /** How long the alert of the cheapest model lasts. */
  readonly alertForMs: number;
  /** Until the next picture after an unsure one, one of a burst, one that could not be judged well, and none at all. */
  readonly unsureRetryMs: number;
  readonly burstRetryMs: number;
  readonly poorRetryMs: number;
  readonly missedRetryMs: number;
  /** Until the next frame after the classifier had no time for one, or while it cannot judge. */
  readonly unjudgedRetryMs: number;
  readonly blindRetryMs: number;
  /** A picture is hidden once this long none of its frames was judged... */
  readonly unlookedHidesMs: number;
  /** ...or none arrived; after this long without any the call ends. Both from the first request without a frame. */
  readonly silentHidesMs: number;
  readonly silentEndsMs: number;
  /** Both sides are told this long before such an end. */
  readonly countdownMs: number;
  /** A dark picture is told after this long, hidden, and ends the call. */
  readonly darkMs: number;
  readonly darkHidesMs: number;
  readonly darkEndsMs: number;
  /** A dark picture below this brightness, 0 to 255, is black; a brighter one without any contour is covered. */
  readonly blackLuma: number;
  /** How long a picture with a code in it is hidden at least. */
  readonly codeMs: number;
  /** Codes are looked for, and the other end is asked for its view, on one picture of so many. */
  readonly codesEvery: number;
  readonly viewsEvery: number;
  /** Perceptual hashes of both ends, 64 bits, differ by more than this... */
  readonly differingBits: number;
  /** ...in so many of the last comparisons. */
  readonly comparisons: number;
  readonly comparisonsDiffering: number;
  /** Pictures in a row without any change. */
  readonly frozenFrames: number;
}

export const inspectionSettingsDefault: InspectionSettings = {
  isShadow: false,
  unsureScore: 0.6,
  sureScore: 0.8,
  alertScore: 0.4,
  darkLuma: 30,
  blurredSharpness: 8,
  drawnRatio: 2,
  unsureFrames: 4,
  unsureOver: 3,
  cleanFrames: 3,
  burstFrames: 3,
  burstSure: 2,
  intervalMs: inspectionMs,
  jitterMs: inspectionJitterMs,
  leadMs: 300,
  freshMs: 15_000,
  firstLookMsMin: 800,
  firstLookMsMax: 3_000,
  untriedCallsMax: 2,
  untriedMs: 600_000,
  ticketMs: inspectionTicketMs,
  lateMs: inspectionLateMs,
  watchedMs: 5_000,
  alertMs: 3_000,
  busyMs: 16_000,
  overloadWaitMs: 2_000,
  overloadForMs: 20_000,
  fullRateForMs: 30_000,
  alertForMs: 30_000,
  unsureRetryMs: 2_000,
  burstRetryMs: 1_000,
  poorRetryMs: 3_000,
  missedRetryMs: 1_000,
  unjudgedRetryMs: 5_000,
  blindRetryMs: 2_000,
  unlookedHidesMs: 20_000,
  silentHidesMs: 15_000,
  silentEndsMs: 45_000,
  countdownMs: uncheckedCountdownMs,
  darkMs: 60_000,
  darkHidesMs: 150_000,
  darkEndsMs: 180_000,
  blackLuma: 8,
  codeMs: 10_000,
  codesEvery: 3,
  viewsEvery: 3,
  differingBits: 26,
  comparisons: 4,
  comparisonsDiffering: 3,
  frozenFrames: 6,
};
