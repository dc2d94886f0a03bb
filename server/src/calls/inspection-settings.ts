import {
  inspectionJitterMs,
  inspectionLateMs,
  inspectionMs,
  inspectionTicketMs,
  uncheckedCountdownMs,
} from "@fava/wire/limits.ts";

/** Settings of the inspection of frames: initial values, to be tuned from reviews. Scores are 0 to 1. */
export const inspectionSettingsDefault = {
  /** Sure cases are only hidden and queued for a moderator: for the first weeks of new models. */
  isShadow: false,
  /** Explicit from this score on: the video is hidden until later frames are clean. */
  unsureScore: 0.6,
  /** Surely explicit from this score on. */
  sureScore: 0.8,
  /** From this score of the cheapest model alone, frames are requested more often for `alertForMs`. */
  alertScore: 0.4,
  /** A mean brightness below this, 0 to 255, is too dark to be judged. */
  darkLuma: 30,
  /** A frame whose variance of the Laplacian is below this is too blurred to count against its user. */
  blurredSharpness: 8,
  /** A frame is a drawing if hentai scores more than this many times porn; a drawing is never a sure case. */
  drawnRatio: 2,
  /** Of this many later frames... */
  unsureFrames: 4,
  /** ...this many explicit ones keep the video hidden and open a case for a moderator. */
  unsureOver: 3,
  /** Consecutive clean frames after which reported video is shown again. */
  cleanFrames: 3,
  /** Of a burst of this many frames... */
  burstFrames: 3,
  /** ...this many sure ones suspend the user. */
  burstSure: 2,
  intervalMs: inspectionMs,
  jitterMs: inspectionJitterMs,
  /** From a request to the requested moment, so that both ends capture the same moment. */
  leadMs: 300,
  /** A clean frame of a search or of the last call lets video start clear for this long after its request. */
  freshMs: 15_000,
  /** Range of the first frame of a call that started clear: a random time after the match, including `leadMs`. */
  firstLookMsMin: 800,
  firstLookMsMax: 3_000,
  /** The next call is covered after this many consecutive calls that started clear and ended before a frame passed. */
  untriedCallsMax: 2,
  /** How long such calls count. */
  untriedMs: 600_000,
  /** After this long without a frame the next one is requested. */
  ticketMs: inspectionTicketMs,
  /** A frame is still judged this long after it was requested. */
  lateMs: inspectionLateMs,
  /** Intervals for reported or flagged users, and for users whose video is odd. */
  watchedMs: 5_000,
  alertMs: 3_000,
  /** Interval in overload, plus or minus `jitterMs`: two frames are never 20 s apart. */
  busyMs: 16_000,
  /** The classifier is overloaded while a frame waits longer than this... */
  overloadWaitMs: 2_000,
  /** ...and this long after it refused one. */
  overloadForMs: 20_000,
  /** In overload no request is put off this long after the start of a call or a reason for close inspection. */
  fullRateForMs: 30_000,
  alertForMs: 30_000,
  /** Delay of the next frame after an unsure frame, one of a burst, an unusable one, and a missed one. */
  unsureRetryMs: 2_000,
  burstRetryMs: 1_000,
  poorRetryMs: 3_000,
  missedRetryMs: 1_000,
  /** Delay of the next frame after the classifier was too busy for one, and while it cannot judge. */
  unjudgedRetryMs: 5_000,
  blindRetryMs: 2_000,
  /** Video is hidden once none of its frames was judged for this long... */
  unjudgedHidesMs: 20_000,
  /** ...or none arrived; after this long without any the call ends. Both from the first request without a frame. */
  silentHidesMs: 15_000,
  silentEndsMs: 45_000,
  /** Both sides are told this long before such an end. */
  countdownMs: uncheckedCountdownMs,
  /** After these times of dark video: its user is told, the video is hidden, the call ends. */
  darkMs: 60_000,
  darkHidesMs: 150_000,
  darkEndsMs: 180_000,
  /** A dark frame below this brightness, 0 to 255, is black; a brighter one without contours means a covered camera. */
  blackLuma: 8,
  /** Minimum time for which video with a code in it is hidden. */
  codeMs: 10_000,
  /** Every how many frames codes are searched for, and the partner's view is requested. */
  codesEvery: 3,
  viewsEvery: 3,
  /** Perceptual hashes of both ends, 64 bits, differ by more than this... */
  differingBits: 26,
  /** ...in `comparisonsDiffering` of the last `comparisons`. */
  comparisons: 4,
  comparisonsDiffering: 3,
  /** Consecutive frames without any change. */
  frozenFrames: 6,
};

export type InspectionSettings = Readonly<typeof inspectionSettingsDefault>;
