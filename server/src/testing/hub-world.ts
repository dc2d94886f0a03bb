import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import type { RoomFrame } from "#ports/hub-listener.ts";
import { Hub } from "#edge/socket/hub.ts";
import type { Limits } from "#ports/limits.ts";
import { TestClock } from "./clock.ts";
import { seededRandom } from "./random.ts";
import { SocketClient } from "./socket-client.ts";

export interface SignedInClient extends SocketClient {
  sessionId: string;
}

interface HubWorldOptions {
  socketsMax: number;
  /** Multiplies what an address may open. */
  limitFactor?: number;
  limits?: Pick<Limits, "take">;
}

/** A hub on a loopback port with a clock of its own, three people who may say hello, and notes of what it tells. */
export class HubWorld implements AsyncDisposable {
  readonly clock = new TestClock();
  readonly hub: Hub;
  readonly people = new Map([
    ["ana", 1n],
    ["bo", 2n],
    ["cem", 3n],
  ]);
  readonly happened: string[] = [];
  readonly roomFrames: { userId: bigint; frame: RoomFrame }[] = [];
  /** Awaited inside each verification, so that a test can act while a hello is being checked. */
  verifying: () => Promise<void> = async () => {};
  readonly #clients: SocketClient[] = [];
  readonly #server: Server;
  readonly #attached: Disposable;

  constructor(options: HubWorldOptions) {
    this.hub = new Hub({
      clock: this.clock,
      random: seededRandom(1),
      logger: pino({ level: "silent" }),
      socketsMax: options.socketsMax,
      addressOf: ({ headers }) => String(headers["x-address"] ?? "127.0.0.1"),
      limits: options.limits ?? new LocalLimits({ factor: options.limitFactor ?? 1_000 }),
      limitFactor: options.limitFactor ?? 1_000,
      verifyChatSign: async (tencentId, sign) => {
        const userId = this.people.get(tencentId);
        const answer = userId !== undefined && sign === `sign-${tencentId}` ? { userId } : null;
        await this.verifying();
        return answer;
      },
    });
    const note = (what: string) => (userId: bigint, how?: string) => {
      this.happened.push(how === undefined ? `${what} ${userId}` : `${what} ${userId} ${how}`);
    };
    this.hub.listen({
      arrived: note("arrived"),
      dropped: note("dropped"),
      resumed: note("resumed"),
      gone: note("gone"),
      roomFrame: (userId, frame) => void this.roomFrames.push({ userId, frame }),
    });
    this.#server = createServer();
    this.#attached = this.hub.attach(this.#server);
  }

  static async start(options: HubWorldOptions): Promise<HubWorld> {
    const world = new HubWorld(options);
    await new Promise<void>((resolve) => world.#server.listen(0, "127.0.0.1", resolve));
    return world;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws`;
  }

  /** HTTP status of the upgrade: 101 where the socket opened. */
  async upgrade(headers: Record<string, string>, address = this.url): Promise<number> {
    return this.#client(headers, address).opened();
  }

  async connect(headers: Record<string, string> = {}): Promise<SocketClient> {
    const client = this.#client(headers, this.url);
    const status = await client.opened();
    if (status !== 101) throw new Error(`upgrade refused: ${status}`);
    return client;
  }

  async signedIn(name: string): Promise<SignedInClient> {
    const client = await this.connect();
    const { sessionId } = await client.hello(name);
    return Object.assign(client, { sessionId });
  }

  /** Resolves when the hub has told this. */
  async untilHappened(what: string): Promise<void> {
    while (!this.happened.includes(what)) await new Promise((resolve) => setImmediate(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    await this.hub[Symbol.asyncDispose]();
    this.#attached[Symbol.dispose]();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #client(headers: Record<string, string>, address: string): SocketClient {
    const client = new SocketClient(address, headers);
    this.#clients.push(client);
    return client;
  }
}
