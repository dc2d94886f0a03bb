import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { matchStart, matchStop, startVideo } from "@fava/wire/endpoints/match.ts";
import { socketAckDelayMs, socketAckMessagesMax } from "@fava/wire/limits.ts";
import { type MatchedPush, pushCodes } from "@fava/wire/pushes.ts";
import { type ServerMessage, socketPath } from "@fava/wire/socket.ts";
import { HttpLane } from "./http-lane.ts";
import { answerSdp, candidateBatches, chatText, linesEach, offerSdp } from "./load-texts.ts";
import { RawSocket } from "./raw-socket.ts";
import { callOrThrow, type SignedIn, signIn } from "./sign-in.ts";

export interface PersonListener {
  /** Every line of both has arrived; one of the two may leave now. */
  talked(person: LoadPerson, isOfferer: boolean): void;
  /** The match push arrived. */
  matched(person: LoadPerson): void;
  /** The other has left. */
  left(person: LoadPerson): void;
  /** Something was refused or lost: never a part of a good run. */
  failed(what: string): void;
}

interface Talk {
  match: MatchedPush;
  joined: boolean;
  peerHeard: boolean;
  playing: boolean;
  linesStored: number;
  linesReceived: number;
}

/** One simulated person: signs in, presses start, and does in a call what a browser of ours does. */
export class LoadPerson {
  readonly #lane: HttpLane;
  readonly #listener: PersonListener;
  readonly #target: URL;
  #me: SignedIn | null = null;
  #socket: RawSocket | null = null;
  #talk: Talk | null = null;
  #calls = 0;
  #ackTimer: NodeJS.Timeout | undefined;
  #unacknowledged = { frames: 0, newest: 0 };
  #welcomed: () => void = () => undefined;

  constructor(target: URL, listener: PersonListener) {
    this.#target = target;
    this.#listener = listener;
    this.#lane = new HttpLane(target);
  }

  async signIn(name: string, sex: 1 | 2): Promise<void> {
    this.#me = await signIn(this.#lane, { name, sex });
  }

  /** Opens the socket; resolves when the server has welcomed this person. */
  async connect(): Promise<void> {
    this.#socket = await RawSocket.open(new URL(socketPath, this.#target), {
      text: (text) => this.#take(text),
      close: () => this.#listener.failed("a socket was closed"),
    });
    const { id, sign } = this.#signedIn.chatSign;
    this.#socket.send(JSON.stringify({ type: "hello", tencentId: id, tencentSign: sign, resume: null }));
    await new Promise<void>((resolve) => (this.#welcomed = resolve));
  }

  /** Presses start, or next from a call, with a prepared offer as the browser does. */
  pressStart(): void {
    this.#talk = null;
    const search = { user_id: this.#signedIn.userId, sex: 0, country: -1, offer: offerSdp };
    this.#call(matchStart, search).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#talk = null;
    await this.#call(matchStop, { user_id: this.#signedIn.userId }).catch(() => undefined);
  }

  ping(): void {
    this.#socket?.send('{"type":"ping"}');
  }

  dispose(): void {
    clearTimeout(this.#ackTimer);
    this.#socket?.close();
    this.#lane[Symbol.dispose]();
  }

  get #signedIn(): SignedIn {
    if (!this.#me) throw new Error("nobody is signed in");
    return this.#me;
  }

  async #call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
    try {
      return await callOrThrow(this.#signedIn.caller, endpoint, input);
    } catch (error) {
      this.#listener.failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  #take(text: string): void {
    // The other's descriptions and candidates go to the browser's WebRTC; only their arrival matters here.
    if (text.startsWith('{"type":"signal"')) return this.#hearPeer();
    const frame = JSON.parse(text) as ServerMessage;
    switch (frame.type) {
      case "push":
        this.#acknowledge(frame.sequence);
        if (frame.push.code === pushCodes.matched) this.#matched(frame.push);
        else if (frame.push.code === pushCodes.otherLeft) this.#left(frame.push.roomId);
        return;
      case "chat":
        this.#acknowledge(frame.sequence);
        if (!this.#talk || frame.roomId !== this.#talk.match.roomId) return;
        this.#talk.linesReceived += 1;
        return this.#tellWhenTalked(this.#talk);
      case "chat-stored":
        if (!this.#talk || frame.roomId !== this.#talk.match.roomId) return;
        this.#talk.linesStored += 1;
        this.#say(this.#talk);
        return this.#tellWhenTalked(this.#talk);
      case "welcome":
        return this.#welcomed();
      case "social":
        return this.#acknowledge(frame.sequence);
      case "signal":
      case "peer-media":
      case "presence":
      case "typing":
      case "inspect":
      case "shield":
      case "response":
      case "pong":
        return undefined;
      case "error":
        return this.#listener.failed(`the socket answered ${frame.reason}`);
    }
  }

  /** Gathered as the browser does it (rule SOCKET-7). */
  #acknowledge(sequence: number): void {
    this.#unacknowledged = { frames: this.#unacknowledged.frames + 1, newest: sequence };
    if (this.#unacknowledged.frames >= socketAckMessagesMax) this.#sendAck();
    else this.#ackTimer ??= setTimeout(() => this.#sendAck(), socketAckDelayMs);
  }

  #sendAck(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#socket?.send(`{"type":"ack","sequence":${this.#unacknowledged.newest}}`);
    this.#unacknowledged.frames = 0;
  }

  #matched(match: MatchedPush): void {
    this.#listener.matched(this);
    const talk = { match, joined: false, peerHeard: false, playing: false, linesStored: 0, linesReceived: 0 };
    this.#talk = talk;
    this.#join(talk).catch(() => undefined);
    if (match.media.role === "answerer") {
      if (match.media.peerOffer === null) this.#listener.failed("a match came without the other's offer");
      this.#sendSignal(talk, `{"type":"answer","generation":0,"sdp":${answerSdp}}`);
    }
    for (const candidates of candidateBatches)
      this.#sendSignal(talk, `{"type":"candidates","generation":0,"candidates":${candidates}}`);
  }

  async #join(talk: Talk): Promise<void> {
    await this.#call(startVideo, { user_id: this.#signedIn.userId, id: talk.match.id });
    talk.joined = true;
    this.#beginTalking(talk);
  }

  #hearPeer(): void {
    const talk = this.#talk;
    if (!talk || talk.peerHeard) return;
    talk.peerHeard = true;
    this.#send(talk, '"type":"media","state":"playing"');
    this.#beginTalking(talk);
  }

  #beginTalking(talk: Talk): void {
    if (this.#talk !== talk || !talk.joined || !talk.peerHeard || talk.playing) return;
    talk.playing = true;
    this.#calls += 1;
    this.#say(talk);
  }

  /** The next line goes out when the last one was stored. */
  #say(talk: Talk): void {
    const text = chatText(talk.linesStored, this.#calls);
    if (text === null) return;
    this.#send(talk, `"type":"chat","clientId":"line-${talk.linesStored}","text":${text}`);
  }

  #tellWhenTalked(talk: Talk): void {
    if (talk.linesStored < linesEach || talk.linesReceived < linesEach) return;
    this.#listener.talked(this, talk.match.media.role === "offerer");
  }

  #left(roomId: string): void {
    const talk = this.#talk;
    if (!talk || talk.match.roomId !== roomId) return;
    if (talk.linesReceived < linesEach) this.#listener.failed("the other left too early");
    this.#talk = null;
    this.#listener.left(this);
  }

  #sendSignal(talk: Talk, signal: string): void {
    this.#send(talk, `"type":"signal","signal":${signal}`);
  }

  #send({ match }: Talk, fields: string): void {
    this.#socket?.send(`{${fields},"roomId":"${match.roomId}","roomToken":"${match.token}"}`);
  }
}
