import * as v from "valibot";
import { holdPageKeyMax, holdPageKeyMin } from "@fava/wire/limits.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";

/**
 * The local storage, with the key names of the specification. Every value is text in localStorage; a value that does
 * not fit its schema counts as absent. Where localStorage is denied (private windows), values live as long as the page.
 */
const text = v.pipe(v.string(), v.minLength(1));
const integer = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^-?\d{1,16}$/), v.transform(Number), v.minValue(min), v.maxValue(max));
const choice = <const Values extends readonly number[]>(values: Values) =>
  v.pipe(v.string(), v.regex(/^\d$/), v.transform(Number), v.picklist(values));

/** The chosen region: `mode` says how to read it, `id` is a country id, and 0 without a country. */
const filterCountry = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ mode: v.picklist(["balanced", "global", "country"]), id: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
);

/** Options of the local video and sound, each independent of the others. */
const mediaOptions = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    mirrorsOwn: v.boolean(),
    hidesOwn: v.boolean(),
    reducesNoise: v.boolean(),
    evensVolume: v.boolean(),
    signs: v.boolean(),
    blursBackground: v.optional(v.boolean(), false),
  }),
);

/** Device ids of the browser; null: its default device. */
const devices = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    cameraId: v.nullable(v.string()),
    microphoneId: v.nullable(v.string()),
    speakerId: v.nullable(v.string()),
  }),
);

const schemas = {
  loginToken: text,
  tencentCloudToken: text,
  uid: integer(1, Number.MAX_SAFE_INTEGER),
  user_avatar: text,
  nickname: text,
  externalId: text,
  role: integer(0, 9),
  language: v.picklist(interfaceLanguages.map(({ value }) => value)),
  /** 1: the safety rules are not shown again. */
  neverShowRule: choice([0, 1]),
  /** Which version of the safety rules was read, and when (`features/match/safety-rules.ts`). */
  rulesRead: text,
  /** 0 both, 1 men, 2 women. */
  filterGender: choice([0, 1, 2]),
  filterCountry,
  rechargeToken: text,
  roomId: text,
  agoraToken: text,
  /** Identifies the tab that has camera and call. */
  holdPageKey: integer(holdPageKeyMin, holdPageKeyMax),
  /** 0 nothing, 1 pending, 2 paid. */
  chargeStatus: choice([0, 1, 2]),
  rechargePrice: text,
  theme: v.picklist(["auto", "light", "dark"]),
  /** 1: remote video stays blurred until the user asks to see it. */
  keepBlurred: choice([0, 1]),
  /** 1: the camera stays open for a moment after End. */
  keepCamera: choice([0, 1]),
  mediaOptions,
  devices,
  /** The corner of the local video on a phone, once it was moved. */
  selfCorner: v.picklist(["top-start", "top-end", "bottom-end", "bottom-start"]),
  /** 1: the home screen had people to show when it was loaded last, and reserves their place. */
  homePeople: choice([0, 1]),
  /** 1: icebreaker questions are not shown unasked. */
  noQuestions: choice([0, 1]),
  /** 0: hurtful lines stay covered, without an offer to show them. */
  showCovered: choice([0, 1]),
  /** 0: lines and messages in other languages are not translated. */
  translateTexts: choice([0, 1]),
  /** 1: a friend's ring also plays a sound. */
  ringTone: choice([0, 1]),
  /** 1: the search screen has told the user that frames are inspected during a search. */
  searchChecksTold: choice([0, 1]),
  /** 1: a page that the browser translates has offered its own languages. */
  translationTold: choice([0, 1]),
  /** Blocks and reports that the server may not have received; JSON. */
  unsentPanic: text,
  /** An unfinished appeal; JSON. */
  appealDraft: text,
  /** Token of the ban whose appeal this browser waits to be notified of. */
  appealTold: text,
  /** 1: the desk shows images covered (`deskBlur`), or without colour (`deskGrey`). */
  deskBlur: choice([0, 1]),
  deskGrey: choice([0, 1]),
  /** When the user declined notifications of this kind, in milliseconds since the epoch. */
  notifyDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  tellDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  hoursDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  ringsDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  answerDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  /** Random device id of this browser. */
  imei: text,
} as const;

export type StoredKey = keyof typeof schemas;
export type Stored<Name extends StoredKey> = v.InferOutput<(typeof schemas)[Name]>;
export type FilterCountry = Stored<"filterCountry">;

/** Keys that a sign-out keeps. */
const keptKeys: ReadonlySet<string> = new Set<StoredKey>(["neverShowRule", "language", "theme"]);

/**
 * Keys that the end of a session by a ban keeps as well: users try to sign in while they write an appeal or wait for
 * its outcome.
 */
const keptByBan: ReadonlySet<string> = new Set<StoredKey>(["appealDraft", "appealTold", "answerDeclined"]);

const memory = new Map<string, string>();

/** The stored value, or null if it is absent or invalid. */
export function readStored<Name extends StoredKey>(key: Name): Stored<Name> | null {
  const raw = readRaw(key);
  if (raw === null) return null;
  const result = v.safeParse(schemas[key], raw);
  return result.success ? (result.output as Stored<Name>) : null;
}

export function writeStored<Name extends StoredKey>(key: Name, value: Stored<Name>): void {
  const raw = typeof value === "object" ? JSON.stringify(value) : String(value);
  // Keep a copy in memory only if the storage fails, so that it never hides another tab's change.
  if (setRaw(key, raw)) memory.delete(key);
  else memory.set(key, raw);
}

export function removeStored(key: StoredKey): void {
  memory.delete(key);
  localStore()?.removeItem(key);
}

/**
 * Clears everything but the never-show flag, the language and the theme (rule STORE-1); after a ban it keeps the data
 * of an appeal as well.
 */
export function clearForSignOut({ byBan = false } = {}): void {
  const isKept = (key: string) => keptKeys.has(key) || (byBan && keptByBan.has(key));
  for (const key of memory.keys()) if (!isKept(key)) memory.delete(key);
  const store = localStore();
  if (!store) return;
  const names = Array.from({ length: store.length }, (_, index) => store.key(index));
  for (const name of names) if (name !== null && !isKept(name)) store.removeItem(name);
}

/** Calls `listener` when another tab changes `key`; returns how to unsubscribe. */
export function onStoredElsewhere(key: StoredKey, listener: () => void): () => void {
  const changed = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key !== key && event.key !== null) return;
    listener();
  };
  window.addEventListener("storage", changed);
  return () => window.removeEventListener("storage", changed);
}

function setRaw(key: string, raw: string): boolean {
  const store = localStore();
  if (!store) return false;
  try {
    store.setItem(key, raw);
    return true;
  } catch {
    // Full, or denied in a private window.
    store.removeItem(key);
    return false;
  }
}

function readRaw(key: string): string | null {
  return memory.get(key) ?? localStore()?.getItem(key) ?? null;
}

/** Null if the browser throws when the page reads the property, as with blocked cookies. */
function localStore(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
