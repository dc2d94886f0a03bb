import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** How long a message that nobody waits for may wait for company. */
const companyMs = 20;
/** More than this is not held back, so that whoever takes nothing off our hands is noticed. */
const heldLengthMax = 65_536;

/** What a socket is still to be sent. */
interface Held {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  texts: string[];
  length: number;
}

/**
 * Sends texts over sockets so that the kernel is asked once for all that a socket gets in one turn of the event loop,
 * which costs more than everything else that is done for a message. A text that nobody waits for stays a moment longer,
 * and goes out with the next one. The frames are written here, into one piece of memory: our texts are never compressed
 * or cut, and a general sender takes more for each of them than all the rest.
 */
export class GatheredWrites implements Disposable {
  readonly #held = new WeakMap<WebSocket, Held>();
  /** Those that are let go at the end of this turn, and those with nothing but texts that can wait. */
  readonly #due = new Set<Held>();
  readonly #patient = new Set<Held>();
  #turn: NodeJS.Immediate | undefined;
  #company: NodeJS.Timeout | undefined;

  /** Says what a socket writes to; one that was not said writes at once. */
  attach(socket: WebSocket, stream: Duplex): void {
    this.#held.set(socket, { socket, stream, texts: [], length: 0 });
  }

  send(socket: WebSocket, text: string, canWait: boolean): void {
    const held = this.#held.get(socket);
    if (!held) return socket.send(text);
    held.texts.push(text);
    held.length += text.length;
    if (held.length > heldLengthMax) letGo(held);
    else if (!canWait) this.#holdForTurn(held);
    else if (!this.#due.has(held)) this.#holdForCompany(held);
  }

  /** Lets go what this socket is to be sent before anything that it says itself, such as a goodbye. */
  flush(socket: WebSocket): void {
    const held = this.#held.get(socket);
    if (held) letGo(held);
  }

  /** Lets everything go that is held back. */
  [Symbol.dispose](): void {
    this.#letDueGo();
    this.#letPatientGo();
  }

  #holdForTurn(held: Held): void {
    this.#due.add(held);
    this.#turn ??= setImmediate(() => this.#letDueGo());
  }

  #holdForCompany(held: Held): void {
    this.#patient.add(held);
    this.#company ??= setTimeout(() => this.#letPatientGo(), companyMs);
  }

  #letDueGo(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    for (const held of this.#due) {
      this.#patient.delete(held);
      letGo(held);
    }
    this.#due.clear();
  }

  #letPatientGo(): void {
    clearTimeout(this.#company);
    this.#company = undefined;
    for (const held of this.#patient) if (!this.#due.has(held)) letGo(held);
    this.#patient.clear();
  }
}

function letGo(held: Held): void {
  const { socket, stream, texts } = held;
  if (texts.length === 0) return;
  held.texts = [];
  held.length = 0;
  // After a goodbye nothing may follow; what is kept for the session is sent again when it goes on.
  if (socket.readyState === socket.OPEN && stream.writable) stream.write(framesOf(texts));
}

const textFrame = 0x81;
/** Longer payloads say their length in two bytes, and in eight (RFC 6455, 5.2). */
const shortLengthMax = 125;
const middleLengthMax = 65_535;

/** Each text as one whole unmasked text frame, one after the other. */
function framesOf(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const size = lengths.reduce((sum, length) => sum + headLength(length) + length, 0);
  const frames = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    const length = lengths[index]!;
    frames[at] = textFrame;
    if (length <= shortLengthMax) {
      frames[at + 1] = length;
    } else if (length <= middleLengthMax) {
      frames[at + 1] = shortLengthMax + 1;
      frames.writeUInt16BE(length, at + 2);
    } else {
      frames[at + 1] = shortLengthMax + 2;
      frames.writeBigUInt64BE(BigInt(length), at + 2);
    }
    at += headLength(length);
    at += frames.write(text, at, "utf8");
  }
  return frames;
}

function headLength(length: number): number {
  if (length <= shortLengthMax) return 2;
  return length <= middleLengthMax ? 4 : 10;
}
