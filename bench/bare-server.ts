import { createServer } from "node:http";
import { Server } from "socket.io";
import { type RawData, WebSocketServer } from "ws";
import { Matcher } from "@fava/server/calls/matcher.ts";
import { matchStart, startVideo } from "@fava/wire/endpoints/match.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { readPlainForm } from "@fava/server/edge/http/form.ts";

/**
 * A minimal server as a baseline for a full match: `ws`, our matcher and JSON, without checks, signatures, limits,
 * scans or storage. It speaks the product's protocol, so both can take the same load. Listens on `PORT`. With
 * `BENCH_SOCKET_IO` the same messages are socket.io events, as in most services of this kind.
 */
const capacityMax = 100_000;

interface Person {
  readonly userId: bigint;
  readonly send: (message: object) => void;
  sequence: number;
  offer: string;
  partner: Person | null;
  roomId: string;
}

interface Incoming {
  readonly type: string;
  readonly tencentId: string;
  readonly id: number;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  readonly roomId: string;
  readonly clientId: string;
  readonly text: string;
  readonly signal: unknown;
  readonly state: string;
  readonly level: 0 | 1 | 2 | 3;
}

const matcher = new Matcher({ capacityMax });
const people = new Map<bigint, Person>();
let rooms = 0;

const server = createServer((_request, response) => response.end("ready"));
if (process.env["BENCH_SOCKET_IO"] === undefined) {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
  sockets.on("connection", (socket) => {
    const hear = personBehind((message) => socket.send(JSON.stringify(message)));
    socket.on("message", (data: RawData) => hear(JSON.parse((data as Buffer).toString("utf8")) as Incoming));
    socket.on("error", () => undefined);
  });
} else {
  const sockets = new Server(server, { transports: ["websocket"], serveClient: false });
  sockets.on("connection", (socket) => {
    socket.on(
      "message",
      personBehind((message) => socket.emit("message", message)),
    );
  });
}
server.listen(Number(process.env["PORT"]));
process.on("SIGTERM", () => process.exit(0));

/** Takes the messages of one socket; the first one identifies the user. */
function personBehind(send: Person["send"]): (message: Incoming) => void {
  let person: Person | null = null;
  return (message) => {
    if (person) return serve(person, message);
    person = { userId: BigInt(message.tencentId), send, sequence: 0, offer: "", partner: null, roomId: "" };
    people.set(person.userId, person);
    person.send({ type: "welcome", sessionId: String(person.userId), resumed: false, sequence: 0 });
  };
}

function serve(person: Person, message: Incoming): void {
  const { partner, roomId } = person;
  switch (message.type) {
    case "ping":
      return person.send({ type: "pong" });
    case "request":
      if (message.path === startVideo.path) return answer(person, message.id, { is_enough: 1 });
      if (message.path === matchStart.path) return start(person, message);
      leave(person);
      matcher.cancel(person.userId);
      return answer(person, message.id, {});
    case "signal":
      if (partner) partner.send({ type: "signal", roomId, signal: message.signal });
      return;
    case "media":
      if (partner) partner.send({ type: "peer-media", roomId, state: message.state });
      return;
    case "quality":
      if (partner) partner.send({ type: "peer-quality", roomId, level: message.level });
      return;
    case "chat": {
      const { clientId, text } = message;
      if (partner) keep(partner, { type: "chat", roomId, clientId, text, sentAtMs: Date.now() });
      return person.send({ type: "chat-stored", roomId, clientId });
    }
  }
}

function start(person: Person, { id, body, contentType }: Incoming): void {
  leave(person);
  const form = readPlainForm(Buffer.from(body, "utf8"), contentType);
  person.offer = form?.["offer"] ?? "";
  const sex = Number(person.userId % 2n) === 0 ? 1 : 2;
  const seeker = { userId: person.userId, sex, filters: { sex: 0, country: -1 }, countryId: 1, zone: 1 } as const;
  const pairing = matcher.start(seeker, Date.now());
  if (pairing) match(people.get(pairing.longer)!, people.get(pairing.newer)!);
  answer(person, id, { state: "searching", price: 0, since: Date.now() });
}

function match(offerer: Person, answerer: Person): void {
  rooms += 1;
  offerer.roomId = answerer.roomId = `room-${rooms}`;
  offerer.partner = answerer;
  answerer.partner = offerer;
  invite(offerer, "offerer", null);
  invite(answerer, "answerer", offerer.offer);
}

function invite(person: Person, role: "offerer" | "answerer", peerOffer: string | null): void {
  const { roomId } = person;
  const media = { kind: "p2p", role, iceServers: [], policy: "all", peerOffer };
  keep(person, { type: "push", push: { code: pushCodes.matched, roomId, token: roomId, id: roomId, media } });
}

function leave(person: Person): void {
  const { partner, roomId } = person;
  person.partner = null;
  if (!partner) return;
  partner.partner = null;
  keep(partner, { type: "push", push: { code: pushCodes.otherLeft, roomId, reason: "left" } });
}

function answer(person: Person, id: number, data: object): void {
  person.send({ type: "response", id, answer: { code: 200, data } });
}

function keep(person: Person, message: object): void {
  person.sequence += 1;
  person.send({ ...message, sequence: person.sequence });
}
