import {
  comparedFrames,
  inspectionJitterMs,
  inspectionLateMs,
  inspectionMs,
  inspectionTicketMs,
  uncheckedCountdownMs,
} from "@fava/wire/limits.ts";

/** Settings of the inspection. Chosen by hand, to be adjusted after reviews by moderators. Scores are 0 to 1. */
export const inspectionSettingsDefault = {
  /** True: software only hides sure cases and queues them for a moderator, as in the first weeks of new models. */
  isShadow: false,
  /** Explicit from this score on: the video is hidden until later frames are clean. */
  unsureScore: 0.6,
  /** Surely explicit from this score on. */
  sureScore: 0.8,
  /** Whether open_nsfw decides as well: it may hide video, and software suspends nobody without its agreement. */
  openNsfwDecides: false,
  /** From this score on, open_nsfw alone hides the video until later frames are clean. */
  openNsfwHidesScore: 0.8,
  /** From this score on, open_nsfw agrees with a sure case. */
  openNsfwAgreesScore: 0.2,
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
  /** How long before the captured moment a frame is requested, so that both ends capture the same moment. */
  leadMs: 300,
  /** How long after its request a clean frame of a search or of the last call lets video start clear. */
  freshMs: 15_000,
  /** Range in which the first frame of a call that started clear is captured after the match, `leadMs` included. */
  firstLookMsMin: 800,
  firstLookMsMax: 3_000,
  /** After this many calls in a row that started clear and ended before a frame passed, the next starts covered. */
  untriedCallsMax: 2,
  /** For how long such calls count. */
  untriedMs: 600_000,
  /** How long a ticket is valid; then the next frame is requested. */
  ticketMs: inspectionTicketMs,
  /** How long after its request a late frame is still judged. */
  lateMs: inspectionLateMs,
  /** Intervals in milliseconds for reported or flagged users, and for users whose video is odd. */
  watchedMs: 5_000,
  alertMs: 3_000,
  /** Interval in overload, plus or minus `jitterMs`, so that two frames are never 20 s apart. */
  busyMs: 16_000,
  /** The classifier is overloaded while a frame waits longer than this... */
  overloadWaitMs: 2_000,
  /** ...and this long after it refused one. */
  overloadForMs: 20_000,
  /** For this long after the start of a call, or after something odd, overload delays no request. */
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
  /** How long before such an end both users are told. */
  countdownMs: uncheckedCountdownMs,
  /** After these times of dark video: its user is told, the video is hidden, the call ends. */
  darkMs: 60_000,
  darkHidesMs: 150_000,
  darkEndsMs: 180_000,
  /** A dark frame below this brightness, 0 to 255, is black; a brighter one without contours means a covered camera. */
  blackLuma: 8,
  /** For how long at least a code hides the video. */
  codeMs: 10_000,
  /** How many own frames pass between two searches for codes, and between two requests for a received frame. */
  codesEvery: 3,
  viewsEvery: 3,
  /** An own frame is unlike the one before if their hashes of 64 bits differ by more than this. */
  jumpBits: 26,
  compared: comparedFrames,
  /** Consecutive frames without any change: the picture stands still; and it is treated like a dark one. */
  stillFrames: 3,
  frozenFrames: 6,
  /** Whether a picture that stands still has consequences. False: it is only noted. */
  stillActs: false,
  /** Whether faces are looked for, and whether what is found has consequences. */
  readsFaces: false,
  facesAct: false,
  /** How many own frames pass between two looks for a face... */
  facesEvery: 6,
  /** ...and how many such looks in a row without one mean that nobody is there. */
  emptyFrames: 3,
  /** Below this presence, 0 to 1, a look found no face. */
  facePresence: 0.5,
};

export type InspectionSettings = Readonly<typeof inspectionSettingsDefault>;
