import { createHash, createHmac, randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls } from "node:tls";

/** Numbers of STUN (RFC 8489) and TURN (RFC 8656). */
const magicCookie = 0x2112_a442;
const headerBytes = 20;
const methods = { allocate: 0x0003, refresh: 0x0004, permit: 0x0008, send: 0x0016 } as const;
const successBit = 0x0100;
const errorBits = 0x0110;
const dataIndication = 0x0017;
const attributes = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  lifetime: 0x000d,
  peer: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayed: 0x0016,
  transport: 0x0019,
} as const;
const integrityBytes = 24;
const transportUdp = Buffer.from([17, 0, 0, 0]);
const ipv4 = 1;
/** A UDP packet may be lost, so it is sent again at this interval, at most `triesMax` times. */
const resendAfterMs = 500;
const triesMax = 8;
const unauthorized = 401;

/** The relay credentials of a user's browser. */
export interface TurnCredentials {
  readonly username: string;
  readonly credential: string;
}

/** The parts of a relay's address in the browser's form; null for an invalid one. */
export function parseTurnUrl(url: string): { host: string; port: number; isTls: boolean; isUdp: boolean } | null {
  const parts = /^(turns?):(\[[\da-f:]+\]|[^:?[\]]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/i.exec(url);
  if (!parts) return null;
  const [, scheme = "", host = "", port, transport] = parts;
  const isTls = scheme.toLowerCase() === "turns";
  return {
    host: host.replaceAll(/[[\]]/g, ""),
    port: Number(port ?? (isTls ? 5349 : 3478)),
    isTls,
    isUdp: transport === undefined ? !isTls : transport.toLowerCase() === "udp",
  };
}

/**
 * Uses a relay like a call: two clients get an address each, and one sends the other a message through both.
 *
 * @returns the address that the relay gave one of them.
 * @throws Error whose message ends a sentence that begins with the relay's name.
 */
export async function probeTurn(url: string, credentials: TurnCredentials): Promise<string> {
  await using one = await TurnClient.open(url, credentials);
  await using other = await TurnClient.open(url, credentials);
  const from = await one.allocate();
  const to = await other.allocate();
  await one.permit(to);
  await other.permit(from);
  const words = randomBytes(16);
  await one.sendUntilHeard(to, words, other);
  return from.text;
}

interface Relayed {
  /** As in the response, without the exclusive or. */
  readonly bytes: Buffer;
  readonly family: number;
  readonly port: number;
  readonly text: string;
}

interface Message {
  readonly type: number;
  readonly id: string;
  readonly values: ReadonlyMap<number, Buffer>;
}

interface Wire {
  send(packet: Buffer): void;
  close(): void;
}

/** One client of a relay. */
export class TurnClient implements AsyncDisposable {
  readonly #credentials: TurnCredentials;
  readonly #waiting = new Map<string, (answer: Message) => void>();
  #wire: Wire | null = null;
  #fault: Error | null = null;
  #realm = "";
  #nonce: Buffer = Buffer.alloc(0);
  #onData: ((data: Buffer) => void) | null = null;

  private constructor(credentials: TurnCredentials) {
    this.#credentials = credentials;
  }

  static async open(url: string, credentials: TurnCredentials): Promise<TurnClient> {
    const client = new TurnClient(credentials);
    client.#wire = await openWire(url, {
      heard: (packet) => client.#hear(packet),
      failed: (error) => (client.#fault = error),
    });
    return client;
  }

  async allocate(): Promise<Relayed> {
    const wanted: [number, Buffer][] = [[attributes.transport, transportUdp]];
    const refused = await this.#ask(methods.allocate, wanted);
    const realm = refused.values.get(attributes.realm);
    if (errorOf(refused) !== unauthorized || !realm) throw new Error("gives addresses to clients without a secret");
    this.#realm = realm.toString();
    this.#nonce = refused.values.get(attributes.nonce) ?? Buffer.alloc(0);
    const answer = await this.#ask(methods.allocate, wanted);
    const error = errorOf(answer);
    if (error === unauthorized) throw new Error("refuses what was signed with TURN_SECRET: its secret is another one");
    const relayed = answer.values.get(attributes.relayed);
    if (error !== null || !relayed) throw new Error(`gives no address (error ${error ?? "without a number"})`);
    return readAddress(relayed, answer.id);
  }

  async permit(peer: Relayed): Promise<void> {
    const error = errorOf(await this.#ask(methods.permit, [[attributes.peer, peer]]));
    if (error !== null) throw new Error(`refuses to relay to its own address ${peer.text} (error ${error})`);
  }

  /** Asks for more time, as a browser does during a call. Returns the number of the error, or null. */
  async refresh(): Promise<number | null> {
    return errorOf(await this.#ask(methods.refresh, []));
  }

  /** Indications may be lost like any packet, so they are sent again until the other client has received one. */
  async sendUntilHeard(to: Relayed, words: Buffer, other: TurnClient): Promise<void> {
    let isHeard = false;
    const heard = new Promise<void>((resolve) => {
      other.#onData = (data) => {
        if (!data.equals(words)) return;
        isHeard = true;
        resolve();
      };
    });
    for (let tries = 0; tries < triesMax && !isHeard; tries += 1) {
      const id = randomBytes(12);
      this.#wire?.send(
        encode({ type: methods.send, id }, [attribute(attributes.peer, to, id), attribute(attributes.data, words, id)]),
      );
      await Promise.race([heard, pause(resendAfterMs)]);
    }
    if (!isHeard) throw new Error(`gives addresses, but what is sent to ${to.text} never arrives`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Returns the address; if this fails, the address expires after ten minutes.
    if (this.#nonce.length > 0 && this.#fault === null) {
      await this.#ask(methods.refresh, [[attributes.lifetime, Buffer.alloc(4)]]).catch(() => undefined);
    }
    this.#wire?.close();
  }

  async #ask(method: number, wanted: readonly [number, Buffer | Relayed][]): Promise<Message> {
    const id = randomBytes(12);
    const packet = this.#signed(method, id, wanted);
    let answer: Message | null = null;
    const answered = new Promise<void>((resolve) => {
      this.#waiting.set(id.toString("hex"), (message) => {
        answer = message;
        resolve();
      });
    });
    for (let tries = 0; tries < triesMax && answer === null; tries += 1) {
      if (this.#fault) throw new Error(wordsOf(this.#fault));
      this.#wire?.send(packet);
      await Promise.race([answered, pause(resendAfterMs)]);
    }
    if (answer === null) throw new Error("does not answer");
    return answer;
  }

  #signed(method: number, id: Buffer, wanted: readonly [number, Buffer | Relayed][]): Buffer {
    const parts = wanted.map(([type, value]) => attribute(type, value, id));
    if (this.#realm === "") return encode({ type: method, id }, parts);
    const { username, credential } = this.#credentials;
    parts.push(
      attribute(attributes.username, Buffer.from(username), id),
      attribute(attributes.realm, Buffer.from(this.#realm), id),
      attribute(attributes.nonce, this.#nonce, id),
    );
    const key = createHash("md5").update(`${username}:${this.#realm}:${credential}`).digest();
    // The signed part already has the length that includes the signature.
    const unsigned = encode({ type: method, id }, parts, integrityBytes);
    const integrity = createHmac("sha1", key).update(unsigned).digest();
    return Buffer.concat([unsigned, attribute(attributes.integrity, integrity, id)]);
  }

  #hear(packet: Buffer): void {
    const message = decode(packet);
    if (message?.type === dataIndication) this.#onData?.(message.values.get(attributes.data) ?? Buffer.alloc(0));
    else if (message) this.#waiting.get(message.id)?.(message);
  }
}

/** Codes of Node.js and OpenSSL for certificates. */
const certificateCodes = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;

function wordsOf({ message, code = "" }: NodeJS.ErrnoException): string {
  return certificateCodes.test(code)
    ? `has a certificate that browsers reject (${message})`
    : `cannot be reached: ${message}`;
}

interface Listener {
  readonly heard: (packet: Buffer) => void;
  readonly failed: (error: Error) => void;
}

async function openWire(url: string, listener: Listener): Promise<Wire> {
  const address = parseTurnUrl(url);
  if (!address) throw new Error("is not an address such as turn:turn.fava.example:3478?transport=udp");
  const { host, port, isTls, isUdp } = address;
  if (isUdp && isTls) throw new Error("asks for DTLS, which no browser speaks to a relay: use transport=tcp");
  if (isUdp) {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    socket.on("message", listener.heard).on("error", listener.failed);
    return {
      // An unknown host name fails here, an address without a server only by silence.
      send: (packet) => socket.send(packet, port, host, (error) => error && listener.failed(error)),
      close: () => socket.close(),
    };
  }
  const name = isIP(host) > 0 ? {} : { servername: host };
  const socket = isTls ? connectTls({ host, port, ...name }) : connectTcp({ host, port });
  let rest: Buffer = Buffer.alloc(0);
  socket.on("error", listener.failed).on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headerBytes && rest.length >= headerBytes + rest.readUInt16BE(2)) {
      const bytes = headerBytes + rest.readUInt16BE(2);
      listener.heard(rest.subarray(0, bytes));
      rest = rest.subarray(bytes);
    }
  });
  return { send: (packet) => void socket.write(packet), close: () => socket.destroy() };
}

function encode({ type, id }: { type: number; id: Buffer }, parts: readonly Buffer[], moreBytes = 0): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(body.length + moreBytes, 2);
  header.writeUInt32BE(magicCookie, 4);
  return Buffer.concat([header, id, body]);
}

function attribute(type: number, value: Buffer | Relayed, id: Buffer): Buffer {
  const bytes = Buffer.isBuffer(value) ? value : writeAddress(value, id);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(bytes.length, 2);
  return Buffer.concat([head, bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function decode(packet: Buffer): Message | null {
  if (packet.length < headerBytes || packet.readUInt32BE(4) !== magicCookie) return null;
  const values = new Map<number, Buffer>();
  for (let at = headerBytes; at + 4 <= packet.length;) {
    const bytes = packet.readUInt16BE(at + 2);
    values.set(packet.readUInt16BE(at), packet.subarray(at + 4, at + 4 + bytes));
    at += 4 + Math.ceil(bytes / 4) * 4;
  }
  return { type: packet.readUInt16BE(0), id: packet.subarray(8, headerBytes).toString("hex"), values };
}

/** The number of an error response, or null. */
function errorOf({ type, values }: Message): number | null {
  if ((type & errorBits) === successBit) return null;
  const error = values.get(attributes.error);
  return error && error.length >= 4 ? error.readUInt8(2) * 100 + error.readUInt8(3) : 0;
}

function maskOf(id: Buffer): Buffer {
  const cookie = Buffer.alloc(4);
  cookie.writeUInt32BE(magicCookie);
  return Buffer.concat([cookie, id]);
}

function exclusiveOr(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)));
}

function readAddress(value: Buffer, id: string): Relayed {
  const mask = maskOf(Buffer.from(id, "hex"));
  const bytes = exclusiveOr(value.subarray(4), mask);
  const family = value.readUInt8(1);
  const words = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return {
    bytes,
    family,
    port: value.readUInt16BE(2) ^ mask.readUInt16BE(0),
    text: family === ipv4 ? [...bytes].join(".") : words.join(":"),
  };
}

function writeAddress({ bytes, family, port }: Relayed, id: Buffer): Buffer {
  const mask = maskOf(id);
  const head = Buffer.from([0, family, 0, 0]);
  head.writeUInt16BE(port ^ mask.readUInt16BE(0), 2);
  return Buffer.concat([head, exclusiveOr(bytes, mask)]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
