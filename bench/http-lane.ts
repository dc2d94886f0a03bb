import { connect, type Socket } from "node:net";
import type { Send, SentCall } from "@fava/server/test/fixtures/signed-call.ts";

interface Waiting {
  request: Buffer;
  resolve: (answer: { status: number; text: string }) => void;
  reject: (error: Error) => void;
}

/**
 * One kept connection that carries calls one after the other, as a browser's does. Written on a bare socket, because a
 * general client costs more than the server that is measured.
 */
export class HttpLane implements Disposable {
  readonly #target: URL;
  readonly #waiting: Waiting[] = [];
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);

  constructor(target: URL) {
    this.#target = target;
  }

  readonly send: Send = (call) => this.#request(call);

  postJson(path: string, body: unknown): Promise<{ status: number; text: string }> {
    const headers = { "content-type": "application/json" };
    return this.#request({ path, headers, body: Buffer.from(JSON.stringify(body)) });
  }

  [Symbol.dispose](): void {
    this.#socket?.destroy();
  }

  #request({ path, headers, body }: SentCall): Promise<{ status: number; text: string }> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${this.#target.host}\r\n${lines.join("")}content-length: ${body.length}\r\n\r\n`;
    const request = Buffer.concat([Buffer.from(head, "latin1"), body]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (this.#waiting.length === 1) this.#write(request);
    });
  }

  #write(request: Buffer): void {
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  #open(): Socket {
    const socket = connect({ host: this.#target.hostname, port: Number(this.#target.port), noDelay: true });
    socket.on("data", (data) => this.#take(data));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = null;
      this.#fail(new Error("the server closed the connection"));
    });
    return socket;
  }

  #take(data: Buffer): void {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const text = this.#received.toString("utf8", headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    // The server says this on the last call that it takes on a connection.
    if (/\r\nconnection: close/i.test(head)) this.#leave();
    this.#waiting.shift()?.resolve({ status: Number(head.slice(9, 12)), text });
    const next = this.#waiting[0];
    if (next) this.#write(next.request);
  }

  #leave(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.removeAllListeners("close").end();
  }

  #fail(error: Error): void {
    this.#received = Buffer.alloc(0);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
