import { WebSocket } from "ws";
import type { ClientFrame, ServerFrame } from "@fava/wire/socket.ts";

type FrameOf<Type extends ServerFrame["type"]> = Extract<ServerFrame, { type: Type }>;

/** A browser's end of the socket, frame by frame. Closes itself when disposed. */
export class SocketClient implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly received: ServerFrame[] = [];
  /** The close code, once the socket is closed. */
  readonly closed: Promise<number>;
  #wake: (() => void) | null = null;
  #isClosed = false;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on("message", (data: Buffer) => {
      this.received.push(JSON.parse(data.toString()) as ServerFrame);
      this.#wake?.();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on("close", (code) => {
        this.#isClosed = true;
        this.#wake?.();
        resolve(code);
      });
    });
    this.socket.on("error", () => this.#wake?.());
  }

  /** Resolves when open; with the HTTP status where the upgrade was refused. */
  opened(): Promise<number> {
    return new Promise((resolve) => {
      this.socket.once("open", () => resolve(101));
      this.socket.once("unexpected-response", (request, response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
    });
  }

  send(frame: ClientFrame): void {
    this.sendRaw(JSON.stringify(frame));
  }

  sendRaw(data: string | Buffer): void {
    this.socket.send(data);
  }

  /** Says hello and waits for the welcome. */
  async hello(
    name: string,
    resume: { sessionId: string; lastSequence: number } | null = null,
  ): Promise<FrameOf<"welcome">> {
    this.send({ type: "hello", tencentId: name, tencentSign: `sign-${name}`, resume });
    return this.next("welcome");
  }

  /** Takes the next frame of this type out of what was received, waiting for it. */
  async next<Type extends ServerFrame["type"]>(type: Type): Promise<FrameOf<Type>> {
    for (;;) {
      const at = this.received.findIndex((frame) => frame.type === type);
      if (at >= 0) return this.received.splice(at, 1)[0] as FrameOf<Type>;
      if (this.#isClosed) throw new Error(`closed while waiting for ${type}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Everything sent before this was taken in by the server when it resolves. */
  async settled(): Promise<void> {
    this.send({ type: "ping" });
    await this.next("pong");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    if (this.socket.readyState !== WebSocket.CLOSED) await this.closed;
  }
}
