import { matchStart, matchStop } from "@fava/wire/endpoints/match.ts";
import { socketAckMessagesMax } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { answerSdp, candidateBatches, chatText, linesEach, offerSdp } from "./load-texts.ts";
import type { Met } from "./match-check.ts";
import type { OpenSocket, TextSocket } from "./text-socket.ts";
import { signIn } from "./sign-in.ts";
import { formBefore, formText, signedMessage, type Signer } from "./signed-message.ts";

export interface PersonListener {
  /** All lines of both have arrived; one of the two may leave now. */
  talked(person: LoadPerson, isOfferer: boolean): void;
  matched(person: LoadPerson, met: Met): void;
  /** The server refused a start for now; it may be retried after `retryMs`. */
  putOff(person: LoadPerson, retryMs: number): void;
  /** This person left a room, or was told that the partner did. */
  over(roomId: string): void;
  /** The partner left a room that this person was still in. */
  left(person: LoadPerson): void;
  /** A request was refused or a message lost, which a good run never has. */
  failed(what: string): void;
}

interface Talk {
  readonly roomId: string;
  /** The end of every message of this room. */
  readonly room: string;
  readonly isOfferer: boolean;
  peerHeard: boolean;
  playing: boolean;
  linesStored: number;
  linesReceived: number;
}

/** A user who can sign requests and open a chat session, with the parts of their requests that never vary. */
interface Self extends Signer {
  readonly userId: number;
  readonly hello: Readonly<Record<string, unknown>>;
  readonly startBody: (newestRoomId: string) => string;
  readonly stopBody: string;
}

const ping = '{"type":"ping"}';
const matchedCode = `"code":${pushCodes.matched},`;
const otherLeftCode = `"code":${pushCodes.otherLeft},`;

/**
 * One simulated person: presses start, and does in a call what the web app does. It prepares its messages as far as
 * possible, and only searches for the fields that it needs, without parsing: processor time of the load is taken from
 * the server.
 */
export class LoadPerson {
  readonly #listener: PersonListener;
  readonly #target: URL;
  readonly #open: OpenSocket;
  #self: Self | null = null;
  #socket: TextSocket | null = null;
  #talk: Talk | null = null;
  #newestRoomId = "";
  #calls = 0;
  #requests = 0;
  /** Handlers of requests without an answer so far. */
  readonly #answered = new Map<number, (retryMs: number | null) => void>();
  /** Of the newest numbered message. */
  #sequence = 0;
  #unacknowledged = { messages: 0, newest: "" };
  /** Settles the hello: whether it was welcomed. */
  #greeted: (isWelcome: boolean) => void = () => undefined;

  constructor(target: URL, open: OpenSocket, listener: PersonListener) {
    this.#target = target;
    this.#open = open;
    this.#listener = listener;
  }

  /** With the product, which requires accounts. */
  async signIn(name: string, sex: 1 | 2): Promise<void> {
    const { userId, caller, chatSign } = await signIn(this.#target.origin, { name, sex });
    this.#become(userId, { signer: caller, chatSign });
  }

  /** With a server that trusts the given ids. */
  introduce(userId: number): void {
    const signer = { token: `token-of-${userId}-with-the-length-that-ours-have`, signKey: Buffer.alloc(32) };
    this.#become(userId, { signer, chatSign: { id: String(userId), sign: "" } });
  }

  /** Opens the socket; resolves when the server has welcomed this person. */
  async connect(): Promise<void> {
    let isWelcome = false;
    const socket = await this.#open(this.#target, {
      text: (text) => this.#take(text),
      close: () => isWelcome && this.#listener.failed("a socket was closed"),
    });
    const greeted = new Promise<boolean>((resolve) => (this.#greeted = resolve));
    socket.send(JSON.stringify(this.#me.hello));
    isWelcome = await greeted;
    if (!isWelcome) throw new Error("the server refuses the hello");
    this.#socket = socket;
  }

  /** Presses start, or next in a call, with a prepared offer as the browser does. */
  pressStart(): void {
    this.#leave();
    this.#request(matchStart.path, this.#me.startBody(this.#newestRoomId), (retryMs) => {
      if (retryMs !== null) this.#listener.putOff(this, retryMs);
    });
  }

  /** Leaves; resolves with the server's answer. */
  async stop(): Promise<void> {
    this.#leave();
    await new Promise<void>((resolve) => this.#request(matchStop.path, this.#me.stopBody, () => resolve()));
  }

  ping(): void {
    this.#write(ping);
  }

  dispose(): void {
    this.#socket?.close();
  }

  get #me(): Self {
    if (!this.#self) throw new Error("no user is signed in");
    return this.#self;
  }

  #become(userId: number, { signer, chatSign }: { signer: Signer; chatSign: { id: string; sign: string } }): void {
    const search = { user_id: userId, sex: 0, country: -1, offer: offerSdp, checks: 1, language: "en" };
    this.#self = {
      ...signer,
      userId,
      hello: { type: "hello", tencentId: chatSign.id, tencentSign: chatSign.sign, resume: null },
      startBody: formBefore(search, "room_id"),
      stopBody: formText({ user_id: userId, language: "en" }),
    };
  }

  /** Sends no ping after it: the browser does so only after half a second without an answer (rule SIGN-66). */
  #request(path: string, body: string, answered: (retryMs: number | null) => void): void {
    this.#requests += 1;
    const id = this.#requests;
    this.#answered.set(id, answered);
    this.#write(signedMessage(this.#me, path, { id, body }));
  }

  #take(text: string): void {
    const type = text.slice(9, text.indexOf('"', 9));
    switch (type) {
      case "signal":
        return this.#hearPeer();
      case "push":
        this.#acknowledge(text);
        if (text.includes(matchedCode)) this.#matched(text);
        else if (text.includes(otherLeftCode)) this.#left(fieldOf(text, "roomId"));
        return;
      case "chat":
        this.#acknowledge(text);
        if (!this.#talk || !text.includes(this.#talk.roomId)) return;
        this.#talk.linesReceived += 1;
        return this.#tellWhenTalked(this.#talk);
      case "chat-stored":
        if (!this.#talk || !text.includes(this.#talk.roomId)) return;
        this.#talk.linesStored += 1;
        this.#say(this.#talk);
        return this.#tellWhenTalked(this.#talk);
      case "response":
        return this.#hearAnswer(text);
      case "welcome":
        return this.#greeted(true);
      case "social":
        return this.#acknowledge(text);
      case "error":
        if (!this.#socket) return this.#greeted(false);
        return this.#listener.failed(`the socket answered ${fieldOf(text, "reason")}`);
      default:
        return undefined;
    }
  }

  #hearAnswer(text: string): void {
    const id = Number(/"id":(\d+)/.exec(text)?.[1]);
    const answered = this.#answered.get(id);
    this.#answered.delete(id);
    const isGood = text.includes('"code":200');
    if (!isGood) {
      const { answer } = JSON.parse(text) as { answer: { code: number; data: unknown } };
      this.#listener.failed(`a request was answered with ${answer.code} ${JSON.stringify(answer.data)}`);
    }
    const retrySeconds = /"retry_after":(\d+)/.exec(text)?.[1];
    answered?.(retrySeconds === undefined ? null : Number(retrySeconds) * 1_000);
  }

  /** Acknowledges as the browser does. */
  #acknowledge(text: string): void {
    const newest = text.slice(text.lastIndexOf('"sequence":') + 11, -1);
    if (Number(newest) <= this.#sequence) this.#listener.failed("a message came twice");
    this.#sequence = Number(newest);
    this.#unacknowledged = { messages: this.#unacknowledged.messages + 1, newest };
    if (this.#unacknowledged.messages >= socketAckMessagesMax) this.#sendAck();
  }

  #sendAck(): void {
    this.#socket?.send(`{"type":"ack","sequence":${this.#unacknowledged.newest}}`);
    this.#unacknowledged.messages = 0;
  }

  #matched(push: string): void {
    const [roomId, token] = [fieldOf(push, "roomId"), fieldOf(push, "token")];
    const otherId = Number(/"user_Id":(\d+)/.exec(push)?.[1]);
    const elsewhere = this.#talk === null || this.#talk.roomId === roomId ? null : this.#talk.roomId;
    this.#listener.matched(this, { roomId, userId: this.#me.userId, otherId, server: this.#target.host, elsewhere });
    const talk: Talk = {
      roomId,
      room: `"roomId":"${roomId}","roomToken":"${token}"}`,
      isOfferer: push.includes('"role":"offerer"'),
      peerHeard: false,
      playing: false,
      linesStored: 0,
      linesReceived: 0,
    };
    this.#talk = talk;
    this.#newestRoomId = roomId;
    if (!talk.isOfferer) {
      if (push.includes('"peerOffer":null')) this.#listener.failed("a match push came without the partner's offer");
      this.#send(talk, `"type":"signal","signal":{"type":"answer","generation":0,"sdp":${answerSdp}}`);
    }
    for (const candidates of candidateBatches)
      this.#send(talk, `"type":"signal","signal":{"type":"candidates","generation":0,"candidates":${candidates}}`);
  }

  #hearPeer(): void {
    const talk = this.#talk;
    if (!talk || talk.peerHeard) return;
    talk.peerHeard = true;
    this.#send(talk, '"type":"media","state":"playing"');
    this.#beginTalking(talk);
  }

  #beginTalking(talk: Talk): void {
    if (this.#talk !== talk || !talk.peerHeard || talk.playing) return;
    talk.playing = true;
    this.#calls += 1;
    this.#say(talk);
  }

  /** The next line follows when the server has stored the last one. */
  #say(talk: Talk): void {
    const text = chatText(talk.linesStored, this.#calls);
    if (text === null) return;
    this.#send(talk, `"type":"chat","clientId":"line-${talk.linesStored}","text":${text}`);
  }

  #tellWhenTalked(talk: Talk): void {
    if (talk.linesStored < linesEach || talk.linesReceived < linesEach) return;
    this.#listener.talked(this, talk.isOfferer);
  }

  #leave(): void {
    if (this.#talk) this.#listener.over(this.#talk.roomId);
    this.#talk = null;
  }

  #left(roomId: string): void {
    this.#listener.over(roomId);
    const talk = this.#talk;
    if (!talk || talk.roomId !== roomId) return;
    if (talk.linesReceived < linesEach) this.#listener.failed("the partner left too early");
    this.#talk = null;
    this.#listener.left(this);
  }

  #send(talk: Talk, fields: string): void {
    this.#write(`{${fields},${talk.room}`);
  }

  /** The acknowledgment is part of the next message, whatever it is. */
  #write(message: string): void {
    const rides = this.#unacknowledged.messages > 0;
    this.#socket?.send(rides ? `${message.slice(0, -1)},"ack":${this.#unacknowledged.newest}}` : message);
    if (rides) this.#unacknowledged.messages = 0;
  }
}

/** The first text of this name in a message. Messages of the load contain no escaped characters. */
function fieldOf(message: string, name: string): string {
  const start = message.indexOf(`"${name}":"`) + name.length + 4;
  return message.slice(start, message.indexOf('"', start));
}
