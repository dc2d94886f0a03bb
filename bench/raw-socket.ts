import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { socketPath } from "@fava/wire/socket.ts";

const textFrame = 0x81;
const closeOpcode = 0x8;
const maskedBit = 0x80;

/** What somebody under load says their messages over. */
export interface TextSocket {
  send(text: string): void;
  close(): void;
}

interface SocketListener {
  text(text: string): void;
  close(): void;
}

/** Opens a socket to a server; resolves when messages may go over it. */
export type OpenSocket = (server: URL, on: SocketListener) => Promise<TextSocket>;

/** The product's own. */
export const openWebSocket: OpenSocket = (server, on) => RawSocket.open(new URL(socketPath, server), on);

/** Each message as one event of socket.io, in the words of its protocol (Engine.IO 4, Socket.IO 5) over a WebSocket. */
export const openSocketIo: OpenSocket = async (server, on) => {
  const [event, connect, connected, ping, pong] = ['42["message",', "40", "40{", "2", "3"];
  let isConnected: () => void = () => undefined;
  const connecting = new Promise<void>((resolve) => (isConnected = resolve));
  const raw = await RawSocket.open(new URL("/socket.io/?EIO=4&transport=websocket", server), {
    text: (text) => {
      if (text.startsWith(event)) on.text(text.slice(event.length, -1));
      else if (text === ping) raw.send(pong);
      else if (text.startsWith(connected)) isConnected();
    },
    close: () => on.close(),
  });
  raw.send(connect);
  await connecting;
  return { send: (text) => raw.send(`${event}${text}]`), close: () => raw.close() };
};

/**
 * A client's end of a WebSocket that knows text frames only, without extensions: half the cost of a general client, so
 * that the load takes less of the machine than the server.
 */
class RawSocket implements TextSocket {
  readonly #socket: Socket;
  readonly #onText: (text: string) => void;
  readonly #onClose: () => void;
  #received: Buffer = Buffer.alloc(0);
  #isOpen = false;

  private constructor(socket: Socket, on: SocketListener) {
    this.#socket = socket;
    this.#onText = (text) => on.text(text);
    this.#onClose = () => on.close();
  }

  /** Resolves when the server has accepted the upgrade. */
  static open(target: URL, on: SocketListener): Promise<RawSocket> {
    const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    const raw = new RawSocket(socket, on);
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET ${target.pathname}${target.search} HTTP/1.1\r\nHost: ${target.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    return new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", () => {
        reject(new Error("the server refused the socket"));
        raw.#onClose();
      });
      socket.on("data", (data) => {
        if (raw.#take(data)) resolve(raw);
      });
    });
  }

  send(text: string): void {
    const length = Buffer.byteLength(text);
    const headLength = length < 126 ? 2 : 4;
    const frame = Buffer.allocUnsafe(headLength + 4 + length);
    frame[0] = textFrame;
    if (length < 126) {
      frame[1] = maskedBit | length;
    } else {
      frame[1] = maskedBit | 126;
      frame.writeUInt16BE(length, 2);
    }
    const start = headLength + 4;
    // A mask of zeros leaves the text as it is, and takes whoever receives it the same time as any other.
    frame.writeUInt32BE(0, headLength);
    frame.write(text, start, "utf8");
    this.#hold();
    this.#socket.write(frame);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** What is said in one turn of the event loop goes out in one write. */
  #hold(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }

  /** Answers whether the upgrade has just been accepted. */
  #take(data: Buffer): boolean {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const opens = !this.#isOpen && this.#takeUpgrade();
    if (this.#isOpen) while (this.#takeFrame());
    return opens;
  }

  #takeUpgrade(): boolean {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const accepted = this.#received.toString("latin1", 9, 12) === "101";
    this.#received = this.#received.subarray(end + 4);
    if (!accepted) this.#socket.destroy();
    this.#isOpen = accepted;
    return accepted;
  }

  #takeFrame(): boolean {
    const bytes = this.#received;
    if (bytes.length < 2) return false;
    const short = bytes[1]!;
    // Longer ones would be above 64 KiB, which this product never sends.
    const headLength = short < 126 ? 2 : 4;
    if (bytes.length < headLength) return false;
    const length = short < 126 ? short : bytes.readUInt16BE(2);
    const end = headLength + length;
    if (bytes.length < end) return false;
    this.#received = bytes.subarray(end);
    if (bytes[0] === textFrame) this.#onText(bytes.toString("utf8", headLength, end));
    else if ((bytes[0]! & 0x0f) === closeOpcode) this.#socket.destroy();
    return true;
  }
}
