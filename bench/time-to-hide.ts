import { paintedJpeg } from "@fava/server/test/fixtures/frame-pictures.ts";
import { ScriptedClient, type ToldOfOther } from "./scripted-client.ts";
import { makeKnown } from "./known-people.ts";
import type { BenchmarkOptions } from "./report.ts";
import { serveProduct } from "./served-product.ts";

/** Of both kinds of changed clients together. */
const matches = 120;
const quickMatches = 40;
const atOnce = 20;
/** How long a search waits for a first look; a server that does not look during a search never asks. */
const lookMs = 1_500;
/**
 * The server asks within 3 s of the match, from both ends. A ticket is valid for 6 s, and two missed tickets hide the
 * picture.
 */
const hiddenTimeoutMs = 30_000;
const signInsAtOnce = 8;

/**
 * `quick` answers at once, with the other picture. `silent` does not answer in the call, so only the frames that the
 * partner receives show it.
 */
const kinds = ["quick", "silent"] as const;
type Kind = (typeof kinds)[number];

export interface TimesToHide {
  readonly rows: readonly { readonly name: string; readonly valuesMs: readonly number[] }[];
  readonly notes: readonly string[];
}

interface Pictures {
  readonly clean: Buffer;
  /** The marker classifier judges it as explicit. */
  readonly bad: Buffer;
}

/**
 * How long a picture is shown that should have been hidden: changed clients show a clean picture during the search, and
 * another one after the match. It uses the real server, whose classifier reads its verdict from a mark in the picture.
 */
export async function measureTimeToHide({ isQuick }: BenchmarkOptions): Promise<TimesToHide> {
  await using product = await serveProduct({
    environment: {
      MODERATION: "marker",
      RATE_LIMIT_FACTOR: "1000000",
      // Changed clients are men who look for women, so that they never meet each other.
      PRICE_GENDER: "0",
      PRICE_COUNTRY: "0",
      PRICE_BOTH: "0",
    },
  });
  const count = isQuick ? quickMatches : matches;
  const pictures = { clean: await markedPicture(null), bad: await markedPicture([255, 0, 255]) };
  const target = new URL(product.url);
  const changed = Array.from({ length: count }, (_, index) => {
    const kind = kinds[Math.floor(index / atOnce) % kinds.length]!;
    return { kind, person: new ScriptedClient(target, shownBy(kind, pictures)) };
  });
  const viewers = Array.from({ length: atOnce }, () => new ScriptedClient(target, shownByViewer(pictures)));
  const everybody = [...changed.map(({ person }) => person), ...viewers];
  try {
    await signInAll(everybody, viewers);
    await makeKnown(product);
    for (const person of everybody) await person.connect();
    const told: (Told | null)[] = [];
    for (let begin = 0; begin < count; begin += atOnce) {
      told.push(...(await wave(changed.slice(begin, begin + atOnce), viewers)));
    }
    return summary(
      told.filter((one) => one !== null),
      count,
    );
  } finally {
    for (const person of everybody) person[Symbol.dispose]();
  }
}

type Changed = { readonly kind: Kind; readonly person: ScriptedClient };
type Told = ToldOfOther & { readonly kind: Kind };

/** Starts the changed clients, waits until their pictures were judged, then starts as many partners. */
async function wave(changed: readonly Changed[], viewers: readonly ScriptedClient[]): Promise<(Told | null)[]> {
  await Promise.all(changed.map(({ person }) => person.search({ sex: 2, lookMs })));
  const watching = viewers.slice(0, changed.length);
  for (const viewer of watching) await viewer.search({ sex: 1, lookMs: 0 });
  return Promise.all(
    watching.map(async (viewer) => {
      const told = await viewer.toldOfOther(hiddenTimeoutMs);
      const other = changed.find(({ person }) => person.userId === told?.otherId);
      // Before the burst of frames that would suspend the account; each account is used once.
      await other?.person.stop();
      await viewer.stop();
      return told && other ? { ...told, kind: other.kind } : null;
    }),
  );
}

async function signInAll(people: readonly ScriptedClient[], viewers: readonly ScriptedClient[]): Promise<void> {
  const waiting = people.map((person, index) => ({ person, index }));
  const lane = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await next.person.signIn(`Exposure ${next.index}`, viewers.includes(next.person) ? 2 : 1);
    }
  };
  await Promise.all(Array.from({ length: signInsAtOnce }, lane));
}

function shownBy(kind: Kind, { clean, bad }: Pictures) {
  return ({ roomId, view }: { roomId: string; view: "own" | "received" }): Buffer | null => {
    if (roomId === "" || view === "received") return clean;
    return kind === "silent" ? null : bad;
  };
}

function shownByViewer({ clean, bad }: Pictures) {
  return ({ view }: { view: "own" | "received" }): Buffer => (view === "own" ? clean : bad);
}

/** A picture as large as those of browsers, bright and sharp, with or without a mark in its corner. */
function markedPicture(mark: readonly [number, number, number] | null): Promise<Buffer> {
  return paintedJpeg(
    (x, y) => {
      if (mark && x < 0.1 && y < 0.14) return mark;
      const light = 127 + 60 * Math.sin(40 * x + 6 * Math.sin(9 * y));
      return [light, light, light];
    },
    { width: 640, height: 480 },
  );
}

function summary(told: readonly Told[], count: number): TimesToHide {
  const opened = told.filter(({ clearMs }) => clearMs !== null);
  const missing = count - told.filter(({ hiddenMs }) => hiddenMs !== null).length;
  return {
    rows: kinds.map((kind) => ({
      name: `exposure, a changed client that is ${kind}: match push to hidden at the other end`,
      valuesMs: told
        .filter((one) => one.kind === kind && one.hiddenMs !== null)
        // A picture that was never shown was not exposed, no matter when it was hidden for good.
        .map(({ matchedMs, clearMs, hiddenMs }) => (clearMs === null ? 0 : hiddenMs! - matchedMs)),
    })),
    notes: [
      `exposure: ${count} matches of changed clients, each once, ${atOnce} at a time; ${opened.length} of their pictures were shown at all, ${missing} never hidden`,
      "the classifier reads its verdict from a mark: the models would add some 16 ms, or 105 ms if all three run",
    ],
  };
}
