import { socketHelloMs, socketRequestBodyBytesMax } from "@fava/wire/limits.ts";
import { signingHeaders } from "@fava/wire/signing.ts";
import { socketCloseCodes, socketPath, socketServerField } from "@fava/wire/socket.ts";
import { type Carry, carryByFetch } from "#lib/api/request.ts";
import type * as sessions from "#lib/session.ts";
import { probeServer, noteSocket, onServerAnswer } from "#lib/socket/connection.ts";
import { type IncomingMessage, type OutgoingMessage, SocketClient, type SocketEnd } from "#lib/socket/socket-client.ts";
import { type SignedMessage, SocketLost } from "#lib/socket/socket-requests.ts";

export interface ChatSocketListener {
  /** The ticket of the call of this page; null outside of a call. */
  ticket(): string | null;
  frame(frame: IncomingMessage): void;
  /** `resumed` false: the undelivered messages of the earlier session are lost. */
  live(resumed: boolean): void;
  end(end: SocketEnd): void;
}

/** The page uses a signature for this long; the server accepts it for ten minutes. */
const signFreshMs = 5 * 60_000;

/** The chat session of the signed-in user: opened and closed by the page, one at a time. */
export class ChatSocket {
  readonly #listener: ChatSocketListener;
  readonly #session: Pick<typeof sessions, "currentUser" | "refreshUser">;
  #client: SocketClient | null = null;
  #waiting: ((live: boolean) => void)[] = [];
  #stopHurry: () => void = () => undefined;
  #signMadeAtMs = Number.NEGATIVE_INFINITY;

  constructor(listener: ChatSocketListener, session: Pick<typeof sessions, "currentUser" | "refreshUser">) {
    this.#listener = listener;
    this.#session = session;
  }

  get isOpen(): boolean {
    return this.#client !== null;
  }

  /** The chat session is live and not moving, so that a request leaves in this turn. */
  get isLive(): boolean {
    return this.#client !== null && this.#client.isLive && !this.#client.isMoving;
  }

  open(): void {
    if (this.#client) return;
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${socketPath}`;
    noteSocket("waiting");
    this.#stopHurry = onServerAnswer(() => this.#client?.hurry());
    this.#client = new SocketClient({
      connect: (server) => new WebSocket(`${address}?${toServer(server)}`),
      ticket: () => this.#listener.ticket(),
      identity: (refused) => this.#identity(refused),
      onFrame: (frame) => this.#listener.frame(frame),
      onLive: (resumed) => {
        noteSocket("live");
        this.#settle(true);
        this.#listener.live(resumed);
      },
      onDropped: () => {
        noteSocket("waiting");
        void probeServer();
      },
      onQuiet: (quiet) => noteSocket(quiet ? "quiet" : "live"),
      onEnd: (end) => {
        this.#forget();
        this.#listener.end(end);
      },
    });
  }

  close(): void {
    this.#end(1000);
  }

  /** The page closes, or gives the lock to another tab, which may continue its call. */
  leavePage(): void {
    this.#end(socketCloseCodes.pageGone);
  }

  /** The page is visible again: connects at once, or checks that the server still answers. */
  wake(): void {
    this.#client?.wake();
  }

  send(frame: OutgoingMessage): void {
    this.#client?.send(frame);
  }

  /**
   * Sends a signed request over the socket, or by POST if no socket is live or it is lost before the response. The
   * server may have received the first attempt: the nonce is the same, and on 462 the caller signs the request again
   * (rule SIGN-66).
   */
  readonly carry: Carry = async (sent) => {
    if (this.#client && sent.body.length <= socketRequestBodyBytesMax) {
      try {
        return await this.#client.request(messageOf(sent), sent.signal);
      } catch (error) {
        if (!(error instanceof SocketLost)) throw error;
      }
    }
    return carryByFetch(sent);
  };

  /**
   * Resolves to true once the chat session is live, or its move takes too long; to false if it is not live within
   * `socketHelloMs`.
   */
  async whenLive(): Promise<boolean> {
    if (this.#client?.isMoving) await this.#client.whenSettled();
    if (this.#client?.isLive) return true;
    return new Promise((resolve) => {
      const settle = (live: boolean) => {
        clearTimeout(timer);
        resolve(live);
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== settle);
        settle(false);
      }, socketHelloMs);
      this.#waiting.push(settle);
    });
  }

  async #identity(refused: boolean): Promise<{ tencentId: string; tencentSign: string } | null> {
    let user = this.#session.currentUser();
    if (refused || performance.now() - this.#signMadeAtMs > signFreshMs) {
      user = await this.#session.refreshUser();
      this.#signMadeAtMs = performance.now();
    }
    return user && { tencentId: user.externalId, tencentSign: user.tencent_sign };
  }

  #end(code: Parameters<SocketClient["close"]>[0]): void {
    this.#client?.close(code);
    this.#forget();
  }

  #forget(): void {
    this.#client = null;
    this.#stopHurry();
    noteSocket("closed");
    this.#settle(false);
  }

  #settle(live: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const settle of waiting) settle(live);
  }
}

/** Without a server any of them will do; the field itself says that this page follows `move`. */
function toServer(server: string | null): string {
  return new URLSearchParams({ [socketServerField]: server ?? "" }).toString();
}

function messageOf({ path, headers, body }: Parameters<Carry>[0]): SignedMessage {
  const of = (name: string) => headers[name] ?? "";
  return {
    path,
    timestamp: of(signingHeaders.timestamp),
    nonce: of(signingHeaders.nonce),
    signature: of(signingHeaders.signature),
    token: of(signingHeaders.token),
    contentType: of("content-type"),
    body: new TextDecoder().decode(body),
  };
}
