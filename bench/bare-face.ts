import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "@playwright/test";
import { type RawData, type WebSocket as RelaySocket, WebSocketServer } from "ws";
import { desktop, type FaceDevice, FaceMeeter, newFacePage } from "./face-person.ts";
import type { FaceNotes } from "./face-watch.ts";

/**
 * A minimal video chat as a baseline: a page with two buttons and two pictures, the browser's own connection, and a
 * relay with one queue. It has no accounts, signatures, checks or design, so every extra millisecond of the product is
 * its own.
 */
interface BareHost extends AsyncDisposable {
  readonly url: string;
}

/** From a page. `search` has an offer if the page had time to make one. */
type BareRequest =
  | { readonly type: "search"; readonly offer: string }
  | { readonly type: "signal"; readonly signal: BareSignal }
  | { readonly type: "leave" };
interface BareSignal {
  readonly answer?: string;
  readonly candidate?: RTCIceCandidateInit;
}
/** To a page. `offer` is the partner's, for the page that has to answer it. */
type BareNews =
  | { readonly type: "waiting" }
  | { readonly type: "matched"; readonly offer: string }
  | { readonly type: "signal"; readonly signal: BareSignal }
  | { readonly type: "left" };

const startLabel = "Start";
const nextLabel = "Next";

/** Both pictures are about as large as those of the product. */
const pageText = `<!doctype html><meta charset="utf-8"><title>Bare</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 0; background: #000 } #remote { width: 640px; height: 600px; object-fit: cover } #own { width: 320px; height: 240px }
@media (width < 500px) { #remote { width: 100%; height: 700px } #own { position: absolute; right: 8px; top: 48px; width: 96px; height: 128px } }</style>
<button id="start">${startLabel}</button> <button id="next">${nextLabel}</button><br>
<video id="remote" autoplay playsinline></video><video id="own" autoplay playsinline muted></video>`;

/** Serves the page and relays messages, on a free port of loopback. */
export async function serveBareFaces(): Promise<BareHost> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(pageText);
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  relay(sockets);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function relay(sockets: WebSocketServer): void {
  let waiting: { socket: RelaySocket; offer: string } | null = null;
  const partners = new Map<RelaySocket, RelaySocket>();
  const tell = (socket: RelaySocket, news: BareNews) => socket.send(JSON.stringify(news));
  const part = (socket: RelaySocket) => {
    if (waiting?.socket === socket) waiting = null;
    const partner = partners.get(socket);
    partners.delete(socket);
    if (!partner) return;
    partners.delete(partner);
    tell(partner, { type: "left" });
  };
  const search = (socket: RelaySocket, offer: string) => {
    part(socket);
    if (!waiting) {
      waiting = { socket, offer };
      return tell(socket, { type: "waiting" });
    }
    const other = waiting;
    waiting = null;
    partners.set(socket, other.socket).set(other.socket, socket);
    tell(socket, { type: "matched", offer: other.offer });
    tell(other.socket, { type: "matched", offer: "" });
  };
  sockets.on("connection", (socket) => {
    socket.on("error", () => undefined);
    socket.on("close", () => part(socket));
    socket.on("message", (data: RawData) => {
      const request = JSON.parse((data as Buffer).toString("utf8")) as BareRequest;
      const partner = partners.get(socket);
      if (request.type === "search") search(socket, request.offer);
      else if (request.type === "leave") part(socket);
      else if (partner) tell(partner, request);
    });
  });
}

/** One of three people in the bare pages. */
export class BareFacePerson extends FaceMeeter {
  static async open(
    browser: Browser,
    { url, device = desktop }: { url: string; device?: FaceDevice },
  ): Promise<BareFacePerson> {
    const page = await newFacePage(browser, url, device);
    const person = new BareFacePerson(page, device);
    await page.exposeFunction("tellFaceClear", () => person.hearClear());
    await page.addInitScript(bareMedia);
    await page.addInitScript(bareFace);
    await page.goto("/");
    await page.waitForFunction(() => window.bareFace.isReady());
    return person;
  }

  async wait(): Promise<void> {
    await this.page.evaluate(() => window.bareFace.wait());
  }

  async goHome(): Promise<void> {
    await this.page.evaluate(() => window.bareFace.goHome());
  }

  protected button(page: Page, kind: "start" | "next"): ReturnType<Page["locator"]> {
    return page.getByRole("button", { name: kind === "start" ? startLabel : nextLabel });
  }

  protected showing(): Promise<string> {
    return Promise.resolve("the bare page");
  }
}

declare global {
  interface Window {
    bareMedia: BareMedia;
    bareFace: {
      isReady: () => boolean;
      /** Searches while no one waits; resolves when the relay has received the search. */
      wait: () => Promise<void>;
      /** Leaves call or search, and closes the camera. */
      goHome: () => void;
    };
  }
}

/** Camera, connections and pictures of the bare page. */
interface BareMedia {
  readonly notes: FaceNotes;
  stream: MediaStream | null;
  /** The connection of the call. */
  peer: RTCPeerConnection | null;
  /** The connection of an offer that was sent. */
  prepared: RTCPeerConnection | null;
  tell: ((signal: BareSignal) => void) | null;
  /** Of the partner and of this person. */
  videos(): { remote: HTMLVideoElement; own: HTMLVideoElement };
  open(): Promise<void>;
  connection(): RTCPeerConnection;
  show(remote: MediaStream): void;
  tellClear(): void;
  offer(): Promise<string>;
  answer(offer: string): Promise<void>;
  endCall(): void;
}

/**
 * The media of the page. As in the product, the waiting page has made the offer, with its candidates in it; the new
 * page answers, and its candidates follow one by one. Functions are methods, since tsx wraps named functions in a
 * helper that the page does not have.
 */
function bareMedia(): void {
  const media: BareMedia = {
    notes: { pressedMs: 0, matchedMs: 0, hadOffer: false, frameMs: 0, clearMs: 0, longTasksMs: [] },
    stream: null,
    peer: null,
    prepared: null,
    tell: null,
    videos() {
      const [remote, own] = document.querySelectorAll("video");
      return { remote: remote!, own: own! };
    },
    async open() {
      if (media.stream) return;
      media.stream = await navigator.mediaDevices.getUserMedia({
        video: { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 24 } },
        audio: { echoCancellation: true, noiseSuppression: true },
      });
      media.videos().own.srcObject = media.stream;
    },
    connection() {
      const peer = new RTCPeerConnection({ bundlePolicy: "max-bundle" });
      peer.addEventListener("icecandidate", ({ candidate }) => {
        if (candidate && peer === media.peer) media.tell?.({ candidate: candidate.toJSON() });
      });
      peer.addEventListener("track", ({ streams: [remote] }) => {
        if (remote && media.videos().remote.srcObject !== remote) media.show(remote);
      });
      return peer;
    },
    show(remote) {
      const { remote: video } = media.videos();
      video.srcObject = remote;
      video.requestVideoFrameCallback((_, { presentationTime }) => {
        media.notes.frameMs = presentationTime;
        // The task follows the paint of the frame in which it was posted.
        requestAnimationFrame(() => void scheduler.postTask(() => media.tellClear(), { priority: "user-blocking" }));
      });
    },
    tellClear() {
      media.notes.clearMs = performance.now();
      window.tellFaceClear?.();
    },
    async offer() {
      const peer = media.connection();
      media.prepared = peer;
      for (const track of media.stream!.getTracks()) peer.addTrack(track, media.stream!);
      await peer.setLocalDescription();
      while (peer.iceGatheringState !== "complete")
        await new Promise((resolve) => peer.addEventListener("icegatheringstatechange", resolve, { once: true }));
      return peer.localDescription!.sdp;
    },
    async answer(offer) {
      const peer = media.connection();
      media.peer = peer;
      await peer.setRemoteDescription({ type: "offer", sdp: offer });
      for (const track of media.stream!.getTracks()) peer.addTrack(track, media.stream!);
      await peer.setLocalDescription();
      media.tell?.({ answer: peer.localDescription!.sdp });
    },
    endCall() {
      media.peer?.close();
      media.prepared?.close();
      media.peer = media.prepared = null;
      media.videos().remote.srcObject = null;
    },
  };
  window.bareMedia = media;
}

/** The buttons of the page and its messages to the relay. Start opens the camera, which stays open for Next. */
function bareFace(): void {
  const media = window.bareMedia;
  const none = { matchedMs: 0, hadOffer: false, frameMs: 0, clearMs: 0 };
  const bare = {
    socket: null as WebSocket | null,
    heardWaiting: null as (() => void) | null,
    send(request: BareRequest) {
      bare.socket!.send(JSON.stringify(request));
    },
    heard(text: string) {
      const news = JSON.parse(text) as BareNews;
      if (news.type === "waiting") return bare.heardWaiting?.();
      if (news.type === "left") return media.endCall();
      if (news.type === "signal") return void bare.take(news.signal);
      Object.assign(media.notes, none, { matchedMs: performance.now(), hadOffer: news.offer !== "" });
      if (news.offer !== "") return void media.answer(news.offer);
      media.peer = media.prepared;
      media.prepared = null;
    },
    async take({ answer, candidate }: BareSignal) {
      if (answer !== undefined) await media.peer?.setRemoteDescription({ type: "answer", sdp: answer });
      if (candidate) await media.peer?.addIceCandidate(candidate);
    },
    async press({ currentTarget: button, timeStamp }: Event) {
      Object.assign(media.notes, none, { pressedMs: timeStamp });
      if (button === document.querySelector("#start")) await media.open();
      else media.endCall();
      bare.send({ type: "search", offer: "" });
    },
    begin() {
      bare.socket = new WebSocket(location.origin.replace("http", "ws"));
      bare.socket.addEventListener("message", ({ data }) => bare.heard(String(data)));
      for (const button of document.querySelectorAll("button"))
        button.addEventListener("click", (event) => void bare.press(event));
    },
  };
  window.bareFace = {
    isReady() {
      return bare.socket?.readyState === WebSocket.OPEN;
    },
    async wait() {
      await media.open();
      const offer = await media.offer();
      const heard = new Promise<void>((resolve) => (bare.heardWaiting = resolve));
      bare.send({ type: "search", offer });
      await heard;
    },
    goHome() {
      bare.send({ type: "leave" });
      media.endCall();
      for (const track of media.stream?.getTracks() ?? []) track.stop();
      media.videos().own.srcObject = media.stream = null;
    },
  };
  media.tell = (signal) => bare.send({ type: "signal", signal });
  window.faceNotes = () => media.notes;
  document.addEventListener("DOMContentLoaded", () => bare.begin());
}
