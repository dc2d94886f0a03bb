import { framePictures } from "@fava/server/test/fixtures/frame-pictures.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { expect, test, vi } from "vitest";
import { ScriptedClient } from "../bench/scripted-client.ts";
import type { LoadFigures } from "../bench/load-crowd.ts";
import { makeKnown } from "../bench/known-people.ts";
import { startLoad } from "../bench/load-process.ts";
import { percentile } from "../bench/percentile.ts";
import { serveProduct } from "../bench/served-product.ts";
import { SlowClassifier } from "../e2e/support/slow-classifier.ts";

/** People in calls that last the whole time. The server asks each for about 8 frames a minute. */
const talkers = 60;
const pressers = 1_200;
const calmPressesPerSecond = 20;
const calmSeconds = 20;
const overloadMinutes = fuzz(1).numRuns;
/** Time to judge a frame: the talkers alone send more than twice what the classifier can handle. */
const judgeMs = 3_000;
const recoveredMs = 60_000;

/** One person of a running call, and the server's messages to them. */
interface Talker {
  readonly person: ScriptedClient;
  shield: Extract<ServerMessage, { type: "shield" }> | null;
  /** The server's reason for the end of the call. */
  ended: string | null;
}

test(
  "ends no call at twice the load it can handle, reports what it refuses, and recovers within a minute",
  async () => {
    await using product = await serveProduct({
      environment: {
        MODERATION: "auto",
        RATE_LIMIT_FACTOR: "1000000",
        PRICE_GENDER: "0",
        PRICE_COUNTRY: "0",
        PRICE_BOTH: "0",
      },
    });
    await vi.waitFor(async () => expect(await valueOf(product.url, "fava_inspection_ready")).toBe(1), {
      timeout: 60_000,
    });
    await using load = startLoad(pressers);
    await load.obey({ type: "sign-in", urls: [product.url], people: pressers, kind: "product" });
    const people = await signTalkersIn(new URL(product.url));
    // The server never postpones inspections of new accounts.
    await makeKnown(product);
    await startCalls(people);
    await load.obey({ type: "connect" });
    const press = (perSecond: number, seconds: number) => load.obey({ type: "rate", perSecond, seconds });
    tell("calm", await press(calmPressesPerSecond, calmSeconds), people);

    const most = await load.obey({ type: "saturate", warmUpSeconds: 5, seconds: calmSeconds });
    const perSecond = Math.ceil(2 * ((most?.fullMatches ?? 0) / (most?.seconds ?? 1)));
    const judgedBefore = await valueOf(product.url, "fava_inspection_frames_judged_total");
    {
      await using judge = new SlowClassifier(product.pid, judgeMs);
      expect(judge).toBeDefined();
      for (let minute = 1; minute <= overloadMinutes; minute += 1)
        tell(`minute ${minute} of overload, ${perSecond} pairs a second`, await press(perSecond, 60), people);
    }
    const judged = (await valueOf(product.url, "fava_inspection_frames_judged_total")) - judgedBefore;
    const putOff = await valueOf(product.url, "fava_inspection_put_off_total");
    console.info(`${judged} frames judged in ${overloadMinutes} minutes, ${putOff} inspections postponed`);
    expect(people.map(({ ended }) => ended).filter((why) => why !== null)).toEqual([]);
    expect(putOff).toBeGreaterThan(0);

    await vi.waitFor(() => expect(people.filter(({ shield }) => shield?.other !== "clear")).toEqual([]), {
      timeout: recoveredMs,
      interval: 1_000,
    });
    const after = await press(calmPressesPerSecond, calmSeconds);
    tell("after", after, people);
    expect(Object.keys(after?.failures ?? {})).toEqual([]);
    expect(people.map(({ ended }) => ended).filter((why) => why !== null)).toEqual([]);
    for (const { person } of people) person[Symbol.dispose]();
  },
  storyTimeoutMs(600_000),
);

async function signTalkersIn(target: URL): Promise<readonly Talker[]> {
  const clean = await framePictures.egg();
  return Promise.all(
    Array.from({ length: talkers }, async (_, index) => {
      const talker: Partial<Talker> = { shield: null, ended: null };
      const person = new ScriptedClient(
        target,
        () => clean,
        (message) => hear(talker as Talker, message),
      );
      await person.signIn(`Talker ${index}`, index % 2 === 0 ? 1 : 2);
      await person.connect();
      return Object.assign(talker, { person }) as Talker;
    }),
  );
}

/** Resolves when all of them are in calls and see each other. */
async function startCalls(people: readonly Talker[]): Promise<void> {
  for (const { person } of people) await person.search({ sex: 0, lookMs: 0 });
  await vi.waitFor(() => expect(people.filter(({ shield }) => shield?.other !== "clear")).toEqual([]), {
    timeout: 60_000,
  });
}

function hear(talker: Talker, message: ServerMessage): void {
  if (message.type === "shield") talker.shield = message;
  if (message.type !== "push") return;
  const { push } = message;
  if (push.code === pushCodes.otherLeft) talker.ended = `100_002 ${push.reason}`;
  if (push.code === pushCodes.callMessage && push.type === 2) talker.ended = `100_006 ${push.why ?? "beans"}`;
}

/** Prints waiting times, covered people, refusals and their reasons. */
function tell(phase: string, figures: LoadFigures | null, people: readonly Talker[]): void {
  if (!figures) return;
  const { matchedMs, fullMatches, failures } = figures;
  const covered = people.filter(({ shield }) => shield?.other !== "clear");
  const reasons = [...new Set(covered.map(({ shield }) => shield?.other_why ?? shield?.other ?? "untold"))];
  console.info(
    [
      `${phase}: ${fullMatches} full matches`,
      `press to push p50 ${Math.round(percentile(matchedMs, 50))} ms, p99 ${Math.round(percentile(matchedMs, 99))} ms`,
      `${covered.length} of ${people.length} covered (${reasons.join(", ") || "none"})`,
      `refused: ${JSON.stringify(failures)}`,
    ].join("; "),
  );
}

/** The sum of a metric over its labels. */
async function valueOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
