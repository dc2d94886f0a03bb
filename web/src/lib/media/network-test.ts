import type { IceServer } from "@fava/wire/pushes.ts";
import { type ConnectionOptions, openConnection } from "./peer-connection.ts";
import { rungs } from "./quality-ladder.ts";

/** What a call could send over this network. */
export interface NetworkFinding {
  readonly carries: "picture" | "smallPicture" | "sound" | "nothing";
  /** Whether only TCP works, which is slower: the network blocks UDP. */
  readonly overTcp: boolean;
}

/** The received rate in kbit/s, and the share that was lost, 0 to 1. */
export interface NetworkRate {
  readonly kbps: number;
  readonly loss: number;
}

/** Duration of the test, of which the first part, in which the rate settles, does not count. */
const testMs = 4_000;
const warmUpMs = 1_000;
/** A little more than a call sends. */
const sentKbps = 1_500;
/** The packet size of a call. */
const messageBytes = 1_200;
const tickMs = 50;
/** While more than this is queued, the test adds nothing, because the network is the limit already. */
const waitingBytesMax = 65_536;
/** A connection through a relay opens within this time, or not at all. */
const openMs = 8_000;

/** The relay addresses by transport (RFC 7065); the default is UDP, and TCP for TLS. */
export function relaysOf(iceServers: readonly IceServer[]): { udp: IceServer[]; tcp: IceServer[] } {
  const reachedBy = (isWanted: (url: string) => boolean) =>
    iceServers.flatMap((server) => {
      const urls = server.urls.filter((url) => /^turns?:/i.test(url) && isWanted(url));
      return urls.length > 0 ? [{ ...server, urls }] : [];
    });
  const isTcp = (url: string) => /[?&]transport=tcp\b/i.test(url) || (/^turns:/i.test(url) && !/=udp\b/i.test(url));
  return { udp: reachedBy((url) => !isTcp(url)), tcp: reachedBy(isTcp) };
}

/**
 * Sends to itself through the relay what a call would send, over TCP only if nothing arrives over UDP. Takes about five
 * seconds; resolves to null without a relay.
 *
 * @throws the signal's reason
 */
export async function testNetwork(
  iceServers: readonly IceServer[],
  signal: AbortSignal,
): Promise<NetworkFinding | null> {
  const { udp, tcp } = relaysOf(iceServers);
  if (udp.length + tcp.length === 0) return null;
  const through = (servers: IceServer[]) =>
    servers.length === 0 ? null : measureNetwork({ iceServers: servers, policy: "relay" }, signal);
  const overUdp = await through(udp);
  if (overUdp) return { carries: ratingOf(overUdp), overTcp: false };
  const overTcp = await through(tcp);
  return overTcp ? { carries: ratingOf(overTcp), overTcp: true } : { carries: "nothing", overTcp: false };
}

/** What a call can send at this rate, by the thresholds of the call's quality ladder. */
export function ratingOf({ kbps, loss }: NetworkRate): NetworkFinding["carries"] {
  const carriesMore = ({ belowKbps, lossAbove }: { belowKbps: number; lossAbove: number }) =>
    kbps >= belowKbps && loss <= lossAbove;
  if (carriesMore(rungs[4].down)) return "picture";
  return carriesMore(rungs[1].down) ? "smallPicture" : "sound";
}

/**
 * Connects the page with itself and sends for four seconds; resolves to null if no connection opens.
 *
 * @throws the signal's reason
 */
export async function measureNetwork(options: ConnectionOptions, signal: AbortSignal): Promise<NetworkRate | null> {
  signal.throwIfAborted();
  const [near, far] = [openConnection(options), openConnection(options)];
  try {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    // Like video: lost packets are not sent again, and nothing waits for them.
    const outgoing = near.createDataChannel("network test", { ordered: false, maxRetransmits: 0 });
    outgoing.binaryType = "arraybuffer";
    const opened = new Promise<RTCDataChannel | null>((resolve) => {
      far.addEventListener("datachannel", ({ channel }) => resolve(channel), { once: true });
      for (const connection of [near, far]) whenWayless(connection, () => resolve(null));
      setTimeout(() => resolve(null), openMs);
    });
    const incoming = await Promise.race([aborted, connect(near, far).then(() => opened)]);
    return incoming && (await Promise.race([aborted, carried(outgoing, incoming)]));
  } finally {
    near.close();
    far.close();
  }
}

/** Calls `then` once the browser has finished gathering without any candidate. */
function whenWayless(connection: RTCPeerConnection, then: () => void): void {
  let hasWay = false;
  connection.addEventListener("icecandidate", ({ candidate }) => {
    hasWay ||= (candidate?.candidate ?? "") !== "";
  });
  connection.addEventListener("icegatheringstatechange", () => {
    if (connection.iceGatheringState === "complete" && !hasWay) then();
  });
}

async function connect(near: RTCPeerConnection, far: RTCPeerConnection): Promise<void> {
  const early: (() => Promise<void>)[] = [];
  let isDescribed = false;
  const pass = (from: RTCPeerConnection, to: RTCPeerConnection) =>
    from.addEventListener("icecandidate", ({ candidate }) => {
      if (!candidate) return;
      const add = () =>
        to.addIceCandidate(candidate).catch((error: unknown) => console.info("adding an ICE candidate failed", error));
      if (isDescribed) void add();
      else early.push(add);
    });
  pass(near, far);
  pass(far, near);
  await near.setLocalDescription();
  await far.setRemoteDescription(near.localDescription as RTCSessionDescriptionInit);
  await far.setLocalDescription();
  await near.setRemoteDescription(far.localDescription as RTCSessionDescriptionInit);
  isDescribed = true;
  await Promise.all(early.map((add) => add()));
}

/** Each message starts with its number, from which the receiver knows how many were sent before it. */
async function carried(outgoing: RTCDataChannel, incoming: RTCDataChannel): Promise<NetworkRate> {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let countedBytes = 0;
  let received = 0;
  let newest = -1;
  incoming.binaryType = "arraybuffer";
  incoming.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
    received += 1;
    newest = Math.max(newest, new DataView(data).getUint32(0));
    if (elapsedMs() >= warmUpMs) countedBytes += data.byteLength;
  });
  let sent = 0;
  const message = new DataView(new ArrayBuffer(messageBytes));
  const ticks = setInterval(() => {
    // Counts the bytes that are due by the clock, because the timers of a busy page fire late.
    const dueBytes = (Math.min(elapsedMs(), testMs) * sentKbps) / 8;
    while ((sent + 1) * messageBytes <= dueBytes && outgoing.readyState === "open") {
      if (outgoing.bufferedAmount > waitingBytesMax) break;
      message.setUint32(0, sent);
      outgoing.send(message.buffer);
      sent += 1;
    }
  }, tickMs);
  await new Promise((resolve) => setTimeout(resolve, testMs));
  clearInterval(ticks);
  return {
    kbps: (countedBytes * 8) / (elapsedMs() - warmUpMs),
    loss: newest < 0 ? 1 : 1 - received / (newest + 1),
  };
}
