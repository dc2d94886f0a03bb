import { expect, type Locator, type Page } from "@playwright/test";
import { words } from "./words.ts";

declare global {
  interface Window {
    /** The connection of the current call. */
    presentPeer: () => RTCPeerConnection | undefined;
  }
}

/** Records the page's connections, so that a test can read their statistics; runs before the page's own scripts. */
export function watchPeers(): void {
  const peers: RTCPeerConnection[] = [];
  window.presentPeer = () =>
    peers.findLast((one) => one.connectionState === "connected" || one.iceConnectionState === "disconnected");
  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      peers.push(this);
    }
  };
}

export function remoteVideo(page: Page, label: string | RegExp = words("call.remote")): Locator {
  return page.getByLabel(label);
}

/** Expects that the remote video really plays: new frames are decoded and shown. */
export async function expectVideoPlays(page: Page, label?: string | RegExp): Promise<void> {
  const video = remoteVideo(page, label);
  await expect(video).toBeVisible();
  let first = Infinity;
  await expect(async () => {
    const { before, decoded, shown, width } = await video.evaluate(framesInPage);
    // If the call has another connection by now, its frames are counted from zero.
    first = Math.min(first, before, decoded);
    expect(decoded, "frames decoded").toBeGreaterThan(first + 5);
    expect(shown, "frames shown").toBeGreaterThan(0);
    expect(width, "width of the video").toBeGreaterThan(0);
  }).toPass({ timeout: 15_000 });
}

/** Runs in the page: watches the video until `wanted` frames were shown, or for two seconds. */
async function framesInPage(video: HTMLVideoElement) {
  const framesDecoded = async () => {
    const peer = window.presentPeer();
    const rows = peer ? ([...(await peer.getStats()).values()] as Record<string, unknown>[]) : [];
    const received = rows.find((row) => row["type"] === "inbound-rtp" && row["kind"] === "video");
    return Number(received?.["framesDecoded"] ?? 0);
  };
  const before = await framesDecoded();
  let shown = 0;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 2_000);
    const next = () => {
      shown += 1;
      if (shown > 6) resolve();
      else video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
  });
  return { before, decoded: await framesDecoded(), shown, width: video.videoWidth };
}

/** Expects that sound arrives which is not silence, and that the page plays it. */
export async function expectSoundPlays(page: Page): Promise<void> {
  const isPlaying = ({ paused, muted, volume }: HTMLVideoElement) => !paused && !muted && volume > 0;
  expect(await remoteVideo(page).evaluate(isPlaying), "sound is on").toBe(true);
  const energyOf = async () => (await mediaFacts(page)).soundEnergy;
  const before = await energyOf();
  await expect.poll(energyOf, "energy of the sound").toBeGreaterThan(before);
}

/** Decoded frames of the remote video in the current call. */
export async function framesDecoded(page: Page): Promise<number> {
  return (await mediaFacts(page)).framesDecoded;
}

export interface MediaFacts {
  framesDecoded: number;
  /** Of all sound that was received; silence has none. */
  soundEnergy: number;
  received: string;
  sent: string;
  /** Types of the two candidates of the selected pair. */
  localCandidate: string;
  remoteCandidate: string;
}

/** The statistics of the current call's connection. */
export function mediaFacts(page: Page): Promise<MediaFacts> {
  return page.evaluate(async () => {
    type Row = Record<string, unknown>;
    const facts = { framesDecoded: 0, soundEnergy: 0, received: "", sent: "", localCandidate: "", remoteCandidate: "" };
    const peer = window.presentPeer();
    if (!peer) return facts;
    const report = await peer.getStats();
    const rows = [...report.values()] as Row[];
    const textOf = (id: unknown, field: string) => {
      const value = rows.find((row) => row["id"] === id)?.[field];
      return typeof value === "string" ? value : "";
    };
    for (const row of rows) {
      if (row["type"] === "inbound-rtp" && row["kind"] === "video") {
        facts.framesDecoded = Number(row["framesDecoded"] ?? 0);
        facts.received = textOf(row["codecId"], "mimeType");
      }
      if (row["type"] === "inbound-rtp" && row["kind"] === "audio")
        facts.soundEnergy = Number(row["totalAudioEnergy"] ?? 0);
      if (row["type"] === "outbound-rtp" && row["kind"] === "video") facts.sent = textOf(row["codecId"], "mimeType");
      if (row["type"] !== "transport") continue;
      const pair = rows.find(({ id }) => id === row["selectedCandidatePairId"]);
      facts.localCandidate = textOf(pair?.["localCandidateId"], "candidateType");
      facts.remoteCandidate = textOf(pair?.["remoteCandidateId"], "candidateType");
    }
    return facts;
  });
}

export interface FlowFacts {
  /** The scale factor of the local video; 0 while none is sent. */
  sentScale: number;
  /** The estimated capacity of the network, and the rate since the last reading. */
  availableKbps: number;
  sentKbps: number;
  lossPercent: number;
  limitedBy: string;
  /** Totals of the remote video and sound. */
  framesDecoded: number;
  soundPackets: number;
}

declare global {
  interface Window {
    /** The totals at the last call of `flowFacts`. */
    sentOfTheTest: { atMs: number; bytes: number } | undefined;
  }
}

/** What is sent and received in the current call. */
export function flowFacts(page: Page): Promise<FlowFacts> {
  return page.evaluate(async () => {
    const facts = {
      sentScale: 0,
      availableKbps: 0,
      sentKbps: 0,
      lossPercent: 0,
      limitedBy: "",
      framesDecoded: 0,
      soundPackets: 0,
    };
    const peer = window.presentPeer();
    if (!peer) return facts;
    for (const sender of peer.getSenders()) {
      const [encoding] = sender.getParameters().encodings;
      if (sender.track?.kind === "video" && encoding?.active) facts.sentScale = encoding.scaleResolutionDownBy ?? 1;
    }
    const report = await peer.getStats();
    const sent = { atMs: performance.now(), bytes: 0 };
    for (const row of report.values() as Iterable<Record<string, unknown>>) {
      const number = (field: string) => Number(row[field] ?? 0);
      const isVideo = row["kind"] === "video";
      if (row["type"] === "inbound-rtp" && isVideo) facts.framesDecoded = number("framesDecoded");
      if (row["type"] === "inbound-rtp" && !isVideo) facts.soundPackets = number("packetsReceived");
      if (row["type"] === "outbound-rtp") sent.bytes += number("bytesSent") + number("headerBytesSent");
      if (row["type"] === "outbound-rtp" && isVideo) facts.limitedBy = String(row["qualityLimitationReason"]);
      if (row["type"] === "remote-inbound-rtp")
        facts.lossPercent = Math.max(facts.lossPercent, Math.round(number("fractionLost") * 100));
      if (row["type"] === "transport") {
        const way = report.get(String(row["selectedCandidatePairId"])) as Record<string, unknown> | undefined;
        facts.availableKbps = Number(way?.["availableOutgoingBitrate"] ?? 0) / 1_000;
      }
    }
    const before = window.sentOfTheTest;
    window.sentOfTheTest = sent;
    if (before) facts.sentKbps = ((sent.bytes - before.bytes) * 8) / Math.max(1, sent.atMs - before.atMs);
    return facts;
  });
}
