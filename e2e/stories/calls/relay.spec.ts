import { createHmac } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectVideoPlays, flowFacts, framesDecoded, mediaFacts, remoteVideo } from "../../support/media.ts";
import { callScreen, expectCallState, expectTogether, meet, startChat } from "../../support/people.ts";
import { test } from "../../support/relayed.ts";
import { turnIsInstalled, turnSecret } from "../../support/turn.ts";
import { words } from "../../support/words.ts";

test.skip(!turnIsInstalled, "coturn is not installed");

test.afterEach(({ wire }) => wire.heal());

/** Half a minute, with reserve for a busy machine. */
const patiently = { timeout: 60_000 };

/** A modified browser that gathers every path, whatever the server's policy says. */
function gatherEverything(): void {
  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super({ ...configuration, iceTransportPolicy: "all" });
    }
  };
}

/** All media texts that have reached a browser: descriptions, candidates, the offer in the match push. */
function mediaTextsOf(page: Page): string {
  const signals = framesOf(page).received.filter((text) => text.includes('"type":"signal"'));
  const offers = framesOf(page)
    .pushes(pushCodes.matched)
    .map(({ media }) => (media as { peerOffer: string | null }).peerOffer ?? "");
  return [...signals, ...offers].join("\n");
}

function expectOnlyRelayIn(text: string): void {
  const kinds = new Set(Array.from(text.matchAll(/ typ (\w+)/g), ([, kind]) => kind));
  expect([...kinds]).toEqual(["relay"]);
  // The relay itself listens on loopback here; every other address would be the user's own.
  const addresses = new Set(Array.from(text.matchAll(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g), ([address]) => address));
  expect(["0.0.0.0", "127.0.0.1"]).toEqual(expect.arrayContaining([...addresses]));
  expect(text).not.toMatch(/IP6|\.local\b|::1/);
}

test("[PRIV-5] strips the IP address that a modified client sends", { tag: "@deep" }, async ({ person }) => {
  const [ana, bo] = await Promise.all([
    person({ name: "Ana Gathers" }, { before: gatherEverything }),
    person({ name: "Bo Behind" }),
  ]);
  // The second user is the answerer, who sends candidates over the socket.
  await startChat(bo);
  await startChat(ana);
  await expect.poll(() => framesOf(ana).sent.join("\n")).toMatch(/ typ host/);
  await expect.poll(() => mediaTextsOf(bo)).toMatch(/ typ relay/);
  await expectTogether(ana, bo);
  expectOnlyRelayIn(mediaTextsOf(bo));
});

test(
  "[PRIV-5] reveals only the relay's address, restarts ICE after a short relay outage, and gives up after 12 s",
  { tag: "@firefox-deep" },
  async ({ person, partner, wire }) => {
    test.setTimeout(240_000);
    const [ana, bo] = await Promise.all([person({ name: "Ana Relayed" }), partner({ name: "Bo Relayed" })]);
    await meet(ana, bo);
    for (const page of [ana, bo]) {
      expect(await mediaFacts(page)).toMatchObject({ localCandidate: "relay", remoteCandidate: "relay" });
      expectOnlyRelayIn(mediaTextsOf(page));
    }
    wire.cut();
    await Promise.all([ana, bo].map((page) => expect(reconnecting(page)).toBeVisible()));
    await expect(callScreen(ana).getByRole("button", { name: words("call.next") })).toBeVisible();
    const before = await framesDecoded(ana);
    await expect.poll(restartsSeenBy(ana, bo)).toBeGreaterThan(0);
    wire.heal();
    await Promise.all([ana, bo].map((page) => expect(reconnecting(page)).toBeHidden()));
    await Promise.all([expectVideoPlays(ana), expectVideoPlays(bo)]);
    expect(await framesDecoded(ana)).toBeGreaterThan(before);
    await expectTogether(ana, bo);
    for (const page of [ana, bo]) {
      expect(framesOf(page).pushes(pushCodes.matched)).toHaveLength(1);
      expectOnlyRelayIn(mediaTextsOf(page));
    }

    wire.cut();
    await expect(reconnecting(ana)).toBeVisible();
    // A new match shows that both gave up and searched. The notice depends on who was first, and is gone with the next
    // match.
    for (const page of [ana, bo])
      await expect.poll(() => framesOf(page).pushes(pushCodes.matched).length, { timeout: 40_000 }).toBeGreaterThan(1);
    wire.heal();
    await expect(async () => expectTogether(ana, bo)).toPass({ timeout: 45_000 });
  },
);

test(
  "counts what the relay sent to both pages, when the call ends",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner, wire, product }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Counts" }, { camera: "whole" }),
      partner({ name: "Bo Counts" }, { camera: "whole" }),
    ]);
    const before = { sent: wire.sentBytes, ...(await relayedOf(product.url)) };
    await meet(ana, bo);
    await expect.poll(() => wire.sentBytes - before.sent, patiently).toBeGreaterThan(3_000_000);
    await bo.getByRole("button", { name: words("call.end") }).click();
    await expect.poll(async () => (await relayedOf(product.url)).sides - before.sides).toBe(2);
    const share = ((await relayedOf(product.url)).bytes - before.bytes) / (wire.sentBytes - before.sent);
    // The rest are the time since the last reading, reports of quality and checks of the connection.
    expect(share).toBeGreaterThan(0.75);
    expect(share).toBeLessThan(1.01);
  },
);

test(
  "keeps the sound over a weak network, scales or pauses the video, and restores it afterwards",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner, wire }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Weak" }, { camera: "whole" }),
      partner({ name: "Bo Weak" }, { camera: "whole" }),
    ]);
    await meet(ana, bo);
    const scaleOf = async (page: Page) => (await flowFacts(page)).sentScale;
    for (const page of [ana, bo]) await expect.poll(() => scaleOf(page)).toBe(1.5);
    wire.weaken({ loss: 0.08, jitterMs: 100 });
    await expectSound(ana, bo);
    await Promise.all([expectVideoPlays(ana), expectVideoPlays(bo)]);
    wire.weaken({ carriedKbps: 80, jitterMs: 100 });
    // Scaled down, or paused if even that is too much.
    for (const page of [ana, bo]) await expect.poll(() => scaleOf(page), patiently).not.toBe(1.5);
    await expectSound(ana, bo);
    for (const page of [ana, bo]) await expect(reconnecting(page)).toBeHidden();
    wire.heal();
    for (const page of [ana, bo]) await expect(remoteVideo(page)).toBeVisible(patiently);
    await expectTogether(ana, bo);
  },
);

test(
  "makes no call with expired credentials, and searches on",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Expired" }, { before: expiredCredentials() }),
      partner({ name: "Bo Unreached" }),
    ]);
    await startChat(ana);
    await startChat(bo);
    await expectCallState(bo, "connecting");
    const unreached = bo.getByRole("heading", { name: words("search.notJoined", { name: "Ana Expired" }) });
    await expect(unreached).toBeVisible();
    await expectCallState(ana, "searching");
    await expectCallState(bo, "searching");
    expect(await framesDecoded(bo)).toBe(0);
    expect(framesOf(ana).sent.join("\n")).not.toMatch(/ typ /);
  },
);

/** Expects that two seconds of sound arrive. */
async function expectSound(...pages: Page[]): Promise<void> {
  const packetsOf = async (page: Page) => (await flowFacts(page)).soundPackets;
  const before = await Promise.all(pages.map(packetsOf));
  for (const [index, page] of pages.entries())
    await expect.poll(() => packetsOf(page)).toBeGreaterThan((before[index] ?? 0) + 100);
}

function reconnecting(page: Page) {
  return page.getByRole("heading", { name: words("reconnect.title") });
}

/** Counts restart offers (generation 1 and later) that have reached one of the pages. */
function restartsSeenBy(...pages: Page[]): () => number {
  return () =>
    pages.flatMap((page) => framesOf(page).received).filter((text) => /"type":"offer","generation":[1-9]/.test(text))
      .length;
}

/** Gives every connection of the page relay credentials that expired long ago. */
function expiredCredentials(): { content: string } {
  const username = "1000000000:somebody";
  const credential = createHmac("sha1", turnSecret).update(username).digest("base64");
  return {
    content: `{
      const Original = window.RTCPeerConnection;
      window.RTCPeerConnection = class extends Original {
        constructor(configuration) {
          const iceServers = configuration.iceServers.map(({ urls }) => ({ urls, username: "${username}", credential: "${credential}" }));
          super({ ...configuration, iceServers });
        }
      };
    }`,
  };
}

test(
  "tests the network through the relay, and names the relay's address if it is unreachable",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, wire }) => {
    const ana = await person({ name: "Ana Asks" });
    await ana.getByRole("button", { name: words("home.turnOn") }).click();
    await ana.getByRole("button", { name: words("options.title") }).click();
    const network = ana.getByRole("region", { name: words("network.title") });
    const test = network.getByRole("button", { name: words("network.test") });
    await test.click();
    await expect(network.getByRole("status")).toHaveText(words("network.picture"));
    wire.cut();
    await test.click();
    const addresses = `127.0.0.1:${wire.port}`;
    await expect(network.getByRole("status")).toHaveText(words("network.nothing", { addresses }), patiently);
  },
);

async function relayedOf(url: string): Promise<{ bytes: number; sides: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string) => Number(new RegExp(`^fava_relayed_${name}_total (\\S+)$`, "m").exec(text)?.[1]);
  return { bytes: valueOf("bytes"), sides: valueOf("sides") };
}
