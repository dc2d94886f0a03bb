import * as v from "valibot";
import { holdPageKeyMax, holdPageKeyMin } from "@fava/wire/limits.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";

/**
 * What is stored locally, under the names of the specification. Every value is text in localStorage; what
 * does not fit its schema is treated as absent. Where localStorage is refused (private windows), the values live as
 * long as the page.
 */
const text = v.pipe(v.string(), v.minLength(1));
const integer = (min: number, max: number) =>
  v.pipe(v.string(), v.regex(/^-?\d{1,16}$/), v.transform(Number), v.minValue(min), v.maxValue(max));
const choice = <const Values extends readonly number[]>(values: Values) =>
  v.pipe(v.string(), v.regex(/^\d$/), v.transform(Number), v.picklist(values));

/** The chosen region: `mode` says how to read it, `id` is a country id and 0 without a country. */
const filterCountry = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ mode: v.picklist(["balanced", "global", "country"]), id: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
);

/** Each a choice of its own, all of them there. */
const mediaOptions = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    mirrorsOwn: v.boolean(),
    hidesOwn: v.boolean(),
    reducesNoise: v.boolean(),
    evensVolume: v.boolean(),
    signs: v.boolean(),
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
  /** Names the tab that holds camera and call. */
  holdPageKey: integer(holdPageKeyMin, holdPageKeyMax),
  /** 0 nothing, 1 pending, 2 paid. */
  chargeStatus: choice([0, 1, 2]),
  rechargePrice: text,
  theme: v.picklist(["auto", "light", "dark"]),
  /** 1: the pictures of others stay blurred until this person asks to see them. */
  keepBlurred: choice([0, 1]),
  /** 1: the camera stays open for a moment after End. */
  keepCamera: choice([0, 1]),
  /** Of the own picture and sound. */
  mediaOptions,
  /** Where the own picture lies on a phone, once it was moved. */
  selfCorner: v.picklist(["top-start", "top-end", "bottom-end", "bottom-start"]),
  /** 1: questions to begin with do not come by themselves. */
  noQuestions: choice([0, 1]),
  /** 0: lines that may hurt stay covered, without an offer to show them. */
  showCovered: choice([0, 1]),
  /** 1: a friend's ring is heard, too. */
  ringTone: choice([0, 1]),
  /** 1: the search screen has said that pictures are looked at while one searches. */
  searchChecksTold: choice([0, 1]),
  /** 1: to a page that a browser translates, its own languages were offered. */
  translationTold: choice([0, 1]),
  /** Blocks and reports that were decided and have perhaps not arrived; JSON. */
  unsentPanic: text,
  /** An appeal that was begun; JSON. */
  appealDraft: text,
  /** Token of the ban of whose appeal this browser tells. */
  appealTold: text,
  /** 1: pictures on the desk are covered, and shown in grey. */
  deskBlur: choice([0, 1]),
  deskGrey: choice([0, 1]),
  /** When somebody did not want to hear of something without a page, in milliseconds since the epoch. */
  notifyDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  tellDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  ringsDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  answerDeclined: integer(1, Number.MAX_SAFE_INTEGER),
  /** Random device id that the browser made once. */
  imei: text,
} as const;

export type StoredKey = keyof typeof schemas;
export type Stored<Name extends StoredKey> = v.InferOutput<(typeof schemas)[Name]>;
export type FilterCountry = Stored<"filterCountry">;

/** Kept through a sign-out. */
const keptKeys: ReadonlySet<string> = new Set<StoredKey>(["neverShowRule", "language", "theme"]);

/** Kept where a ban ends a session: whoever writes an appeal, or is told of its answer, tries to sign in meanwhile. */
const keptByBan: ReadonlySet<string> = new Set<StoredKey>(["appealDraft", "appealTold", "answerDeclined"]);

const memory = new Map<string, string>();

/** The stored value, or null when there is none or it makes no sense. */
export function readStored<Name extends StoredKey>(key: Name): Stored<Name> | null {
  const raw = readRaw(key);
  if (raw === null) return null;
  const result = v.safeParse(schemas[key], raw);
  return result.success ? (result.output as Stored<Name>) : null;
}

export function writeStored<Name extends StoredKey>(key: Name, value: Stored<Name>): void {
  const raw = typeof value === "object" ? JSON.stringify(value) : String(value);
  // The copy in memory exists only where the storage refuses, so that another tab's change is never hidden by it.
  if (setRaw(key, raw)) memory.delete(key);
  else memory.set(key, raw);
}

export function removeStored(key: StoredKey): void {
  memory.delete(key);
  localStore()?.removeItem(key);
}

/**
 * Clears everything but the never-show flag, the language and the theme (rule STORE-1); with a ban also not what was written,
 * and is told, of an appeal.
 */
export function clearForSignOut({ byBan = false } = {}): void {
  const isKept = (key: string) => keptKeys.has(key) || (byBan && keptByBan.has(key));
  for (const key of memory.keys()) if (!isKept(key)) memory.delete(key);
  const store = localStore();
  if (!store) return;
  const names = Array.from({ length: store.length }, (_, index) => store.key(index));
  for (const name of names) if (name !== null && !isKept(name)) store.removeItem(name);
}

/** Calls `listener` when another tab changed `key`, and answers how to stop. */
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
    // Full, or refused in a private window.
    store.removeItem(key);
    return false;
  }
}

function readRaw(key: string): string | null {
  return memory.get(key) ?? localStore()?.getItem(key) ?? null;
}

/** Null where even reading the property throws, as with cookies switched off. */
function localStore(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
