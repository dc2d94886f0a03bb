import { signedUpload } from "@fava/server/test/fixtures/signed-call.ts";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { videoInspect } from "@fava/wire/endpoints/inspection.ts";
import { matchStart, matchStop, startVideo } from "@fava/wire/endpoints/match.ts";
import { type MatchedPush, pushCodes } from "@fava/wire/pushes.ts";
import type { ServerMessage, Shield } from "@fava/wire/socket.ts";
import { answerSdp, offerSdp } from "./load-texts.ts";
import { openWebSocket, type TextSocket } from "./text-socket.ts";
import { callOrThrow, type SignedIn, signIn } from "./sign-in.ts";

const pingEveryMs = 5_000;

type Inspect = Extract<ServerMessage, { type: "inspect" }>;

/** The client's answer to a request for a picture: bytes of a JPEG, or null for no answer. */
export type ShowPicture = (asked: Pick<Inspect, "roomId" | "view">) => Buffer | null;

/** When one side received news about the other's picture, in milliseconds of the local clock. */
export interface ToldOfOther {
  readonly matchedMs: number;
  /** The partner of this side. */
  readonly otherId: number;
  /** First message that shows the picture; null: there was none. */
  clearMs: number | null;
  /** First message that hides it or ends the call. */
  hiddenMs: number | null;
}

/** One person on a bare socket who answers the checks with the pictures of the benchmark. */
export class ScriptedClient implements Disposable {
  readonly #target: URL;
  readonly #show: ShowPicture;
  readonly #hear: (message: ServerMessage) => void;
  #me: SignedIn | null = null;
  #socket: TextSocket | null = null;
  #welcomed: () => void = () => undefined;
  #told: ToldOfOther | null = null;
  #onHidden: () => void = () => undefined;
  #onSearchJudged: () => void = () => undefined;
  #pings: NodeJS.Timeout | undefined;

  /** @param hear receives every message of the socket */
  constructor(target: URL, show: ShowPicture, hear: (message: ServerMessage) => void = () => undefined) {
    this.#target = target;
    this.#show = show;
    this.#hear = hear;
  }

  async signIn(name: string, sex: 1 | 2): Promise<void> {
    this.#me = await signIn(this.#target.origin, { name, sex });
  }

  get userId(): number {
    return this.#signedIn.userId;
  }

  /** Opens the socket; resolves when the server has welcomed this person. */
  async connect(): Promise<void> {
    const welcomed = new Promise<void>((resolve) => (this.#welcomed = resolve));
    this.#socket = await openWebSocket(this.#target, {
      text: (text) => this.#take(JSON.parse(text) as ServerMessage),
      close: () => undefined,
    });
    const { id, sign } = this.#signedIn.chatSign;
    this.#send({ type: "hello", tencentId: id, tencentSign: sign, resume: null });
    await welcomed;
    this.#pings = setInterval(() => this.#send({ type: "ping" }), pingEveryMs);
  }

  /**
   * Searches for one gender, or both (0). Returns whether the server judged a picture of the search within `lookMs`.
   */
  async search({ sex, lookMs }: { sex: 0 | 1 | 2; lookMs: number }): Promise<boolean> {
    this.#told = null;
    const judged = new Promise<boolean>((resolve) => {
      this.#onSearchJudged = () => resolve(true);
      setTimeout(() => resolve(false), lookMs);
    });
    await this.#call(matchStart, { user_id: this.userId, sex, country: 0, offer: offerSdp, checks: 1 });
    return judged;
  }

  /**
   * What this side was told since its last search; null: it was not matched. Resolves when the partner's picture is
   * hidden or the call ends, or after the timeout.
   */
  async toldOfOther(timeoutMs: number): Promise<ToldOfOther | null> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onHidden = () => {
        clearTimeout(timer);
        resolve();
      };
      if (typeof this.#told?.hiddenMs === "number") this.#onHidden();
    });
    return this.#told;
  }

  async stop(): Promise<void> {
    await this.#call(matchStop, { user_id: this.userId });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#pings);
    this.#socket?.close();
  }

  get #signedIn(): SignedIn {
    if (!this.#me) throw new Error("no user is signed in");
    return this.#me;
  }

  #call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
    return callOrThrow(this.#signedIn.caller, endpoint, input);
  }

  #take(message: ServerMessage): void {
    this.#hear(message);
    if ("sequence" in message && message.type !== "welcome") this.#send({ type: "ack", sequence: message.sequence });
    if (message.type === "welcome") this.#welcomed();
    else if (message.type === "inspect") setTimeout(() => void this.#answer(message), message.dueInMs);
    else if (message.type === "shield") this.#shielded(message.other);
    else if (message.type !== "push") return;
    else if (message.push.code === pushCodes.matched) this.#matched(message.push);
    else if (message.push.code === pushCodes.otherLeft) this.#hidden();
  }

  #matched(match: MatchedPush): void {
    this.#told = { matchedMs: performance.now(), otherId: match.user_Id, clearMs: null, hiddenMs: null };
    const room = { roomId: match.roomId, roomToken: match.token };
    void this.#call(startVideo, { user_id: this.userId, id: match.id }).catch(() => undefined);
    if (match.media.role === "answerer")
      this.#send({ type: "signal", ...room, signal: { type: "answer", generation: 0, sdp: JSON.parse(answerSdp) } });
    this.#send({ type: "media", ...room, state: "playing" });
  }

  #shielded(other: Shield["other"]): void {
    const told = this.#told;
    if (!told) return;
    if (other === "clear") told.clearMs ??= performance.now();
    if (other === "hidden") this.#hidden();
  }

  #hidden(): void {
    if (!this.#told) return;
    this.#told.hiddenMs ??= performance.now();
    this.#onHidden();
  }

  async #answer({ roomId, ticket, view }: Inspect): Promise<void> {
    const file = this.#show({ roomId, view });
    if (!file) return;
    const input = { user_id: this.userId, room_id: roomId, ticket };
    await signedUpload(this.#signedIn.caller, videoInspect, { input, file }).catch(() => undefined);
    if (roomId === "") this.#onSearchJudged();
  }

  #send(message: unknown): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
