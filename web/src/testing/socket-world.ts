import { afterEach, beforeEach, vi } from "vitest";
import { pushCodes } from "@fava/wire/pushes.ts";
import type { ServerMessage } from "@fava/wire/socket.ts";
import { type OutgoingMessage, SocketClient } from "#lib/socket/socket-client.ts";
import type { ChatIdentity } from "#lib/socket/socket-move.ts";
import { FakeWebSocket } from "#testing/fake-web-socket.ts";

export const identity: ChatIdentity = { tencentId: "x-ana", tencentSign: "sign" };

/** A browser with a network and a clock that the test controls. */
export class SocketWorld {
  readonly page = new EventTarget();
  readonly sockets: FakeWebSocket[] = [];
  /** The server that each socket names. */
  readonly servers: (string | null)[] = [];
  /** The ticket of the page's call. */
  ticket: string | null = null;
  /** What the client has reported to its owner, in order. */
  told: unknown[] = [];
  identities: (refused: boolean) => Promise<ChatIdentity | null> = async () => identity;
  readonly #clients: SocketClient[] = [];

  constructor() {
    vi.useFakeTimers();
    // Makes each random delay as long as possible.
    vi.spyOn(Math, "random").mockReturnValue(1);
    vi.stubGlobal("window", this.page);
    vi.stubGlobal("WebSocket", FakeWebSocket);
  }

  end(): void {
    for (const client of this.#clients) client.close();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  }

  async newClient(): Promise<SocketClient> {
    const client = new SocketClient({
      connect: (server) => {
        this.servers.push(server);
        const socket = new FakeWebSocket();
        this.sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      ticket: () => this.ticket,
      identity: (refused) => this.identities(refused),
      onFrame: (frame) => this.told.push(frame),
      onLive: (resumed) => this.told.push(resumed ? "resumed" : "new"),
      onDropped: () => this.told.push("dropped"),
      onQuiet: (quiet) => this.told.push(quiet ? "quiet" : "heard"),
      onEnd: (end) => this.told.push(`end: ${end}`),
    });
    this.#clients.push(client);
    await this.settle();
    return client;
  }

  /** A client whose first socket is live; clears the reports so far. */
  async liveClient(): Promise<SocketClient> {
    const client = await this.newClient();
    this.socketAt(0).open();
    this.socketAt(0).deliver(welcome());
    this.told = [];
    return client;
  }

  socketAt(index: number): FakeWebSocket {
    const socket = this.sockets[index];
    if (!socket) throw new Error(`no socket ${index}`);
    return socket;
  }

  /** Runs pending promises without passing time. */
  async settle(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** A separate world for every test of the file. */
export function eachSocketWorld(): () => SocketWorld {
  let world: SocketWorld | null = null;
  beforeEach(() => {
    world = new SocketWorld();
  });
  afterEach(() => world?.end());
  return () => {
    if (!world) throw new Error("only available within a test");
    return world;
  };
}

export function welcome(change: Partial<Extract<ServerMessage, { type: "welcome" }>> = {}): ServerMessage {
  return { type: "welcome", sessionId: "s1", resumed: false, sequence: 0, ...change };
}

export function push(sequence: number): ServerMessage {
  return { type: "push", sequence, push: { code: pushCodes.systemNotice } };
}

/** A chat line whose text is its id. */
export function line(text: string): OutgoingMessage {
  return { type: "chat", roomId: "r", roomToken: "t", clientId: text, text };
}
