import * as v from "valibot";
import { type Code, codes } from "@fava/wire/codes.ts";
import type { Endpoint, OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import { endpoints, type Endpoints } from "@fava/wire/endpoints.ts";
import { type GatewayError, type GatewayRequest, gatewayRequestSchema, type PriceList } from "@fava/wire/gateway.ts";
import { coverMask, type TextCover } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import { type ClientMessage, clientMessageSchema, type ServerMessage } from "@fava/wire/socket.ts";

/**
 * The fixture server: pages are tested and photographed against its scripted responses if the real server is not the
 * subject. Every response has the type of its endpoint and is checked against its schema, as are the requests, so that
 * no fixture and no page breaks the contract.
 */

/** A response with another code than 200. */
export class Refusal {
  readonly code: Code;
  readonly data: object;
  readonly msg: string;
  constructor(code: Code, data: object = {}, msg = "") {
    this.code = code;
    this.data = data;
    this.msg = msg;
  }
}

/** The connection breaks instead of a response. */
export const silence = Symbol("silence");
export type Silence = typeof silence;

type Said<E extends Endpoint> = OutputOf<E> | Refusal | Silence;
/** A constant response, or a function of the request; a pending promise is a slow server. */
export type Answer<E extends Endpoint> = Said<E> | ((input: ParsedInputOf<E>) => Said<E> | Promise<Said<E>>);
/** Responses of the payment gateway (`wire/src/gateway.ts`): one of its error words rejects. */
interface GatewayAnswers {
  priceList?: (
    request: Extract<GatewayRequest, { op: "price_list" }>,
  ) => PriceList | GatewayError | Silence | Promise<PriceList>;
  recharge?: (
    request: Exclude<GatewayRequest, { op: "price_list" }>,
  ) => { url: string; orderNo: string } | GatewayError | Silence;
}
export type Answers = { readonly [Name in keyof Endpoints]?: Answer<Endpoints[Name]> } & GatewayAnswers;

type EndpointName = keyof Endpoints;
const names = new Map(Object.entries(endpoints).map(([name, { path }]) => [path, name as EndpointName]));

/** The server of one test's pages: its responses, the requests, and the chat sockets. */
export class FixtureWorld {
  #answers: Answers;
  readonly #asked: { name: EndpointName; input: unknown }[] = [];
  readonly #sockets: FixtureSocket[] = [];
  /** Uploaded files, oldest first. */
  readonly uploads: Uint8Array<ArrayBuffer>[] = [];
  #isAway = false;
  /** Contract violations of page or fixtures, which fail the test. */
  readonly faults: string[] = [];

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** Whether the server is unreachable: for requests, sockets and probes. */
  get isAway(): boolean {
    return this.#isAway;
  }

  goAway(): void {
    this.#isAway = true;
    for (const socket of this.#sockets) socket.cut();
  }

  comeBack(): void {
    this.#isAway = false;
  }

  /** Replaces some responses from now on. */
  answer(change: Answers): void {
    this.#answers = { ...this.#answers, ...change };
  }

  /** The requests to an endpoint so far, oldest first. */
  asked<Name extends EndpointName>(name: Name): ParsedInputOf<Endpoints[Name]>[] {
    return this.#asked.filter((one) => one.name === name).map(({ input }) => input as ParsedInputOf<Endpoints[Name]>);
  }

  /** Whether any request contained these words. */
  received(words: string): boolean {
    return this.#asked.some(({ input }) => JSON.stringify(input).includes(words));
  }

  /** The newest chat socket. */
  get socket(): FixtureSocket {
    const socket = this.#sockets.at(-1);
    if (!socket) throw new Error("no page has opened its chat socket");
    return socket;
  }

  get hasSocket(): boolean {
    return this.#sockets.length > 0;
  }

  /** The envelope of a response; null breaks the connection. */
  async call(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: Uint8Array<ArrayBuffer> | null = null,
  ): Promise<object | null> {
    if (this.#isAway) return null;
    if (file) this.uploads.push(file);
    try {
      return await this.#reply(path, fields);
    } catch (error) {
      this.faults.push(String(error));
      return null;
    }
  }

  /** The payment gateway's response to the JSON of `Api_data`; null breaks the connection. */
  async gateway(text: string): Promise<object | null> {
    if (this.#isAway) return null;
    const request = v.parse(gatewayRequestSchema, JSON.parse(text));
    const { priceList, recharge } = this.#answers;
    const said = await (request.op === "price_list" ? priceList?.(request) : recharge?.(request));
    if (said === undefined) this.faults.push(`no answer of the payment entry for ${request.op}`);
    if (said === undefined || said === silence) return null;
    if (typeof said === "string") return { status: 400, msg: said };
    return "url" in said ? { status: 200, data: said.url, order_no: said.orderNo } : { status: 200, data: said };
  }

  /** Call it when a page has opened its chat socket; `write` sends to the page, and `cut` breaks the connection. */
  connect(write: (text: string) => void, cut: () => void): FixtureSocket {
    const socket = new FixtureSocket(write, (fault) => this.faults.push(fault), cut);
    socket.onFrame((frame) => {
      if (frame.type === "request") void this.#callOver(socket, frame);
    });
    this.#sockets.push(socket);
    return socket;
  }

  /** Answers a request over the socket; breaks the socket if the response is `silence`. */
  async #callOver(socket: FixtureSocket, { id, path, contentType, body }: FrameOf<"request">): Promise<void> {
    const form = await new Response(body, { headers: { "content-type": contentType } }).formData();
    const answer = await this.call(path, Object.fromEntries(form.entries()) as Record<string, string>);
    if (answer) socket.say({ type: "response", id, answer: answer as FrameSaid<"response">["answer"] });
    else socket.cut();
  }

  async #reply(path: string, fields: Readonly<Record<string, string>>): Promise<object | null> {
    const name = names.get(path);
    const answer = name && this.#answers[name];
    if (name === undefined || answer === undefined) throw new Error(`no fixture for ${path}`);
    const endpoint: Endpoint = endpoints[name];
    const input = v.safeParse(endpoint.input, fields);
    if (!input.success) throw new Error(`${path} got an invalid request: ${input.issues[0].message}`);
    this.#asked.push({ name, input: input.output });
    const said: unknown = await (typeof answer === "function"
      ? (answer as (asked: unknown) => unknown)(input.output)
      : answer);
    if (said === silence) return null;
    if (said instanceof Refusal) return { code: said.code, data: said.data, msg: said.msg };
    const output = v.safeParse(endpoint.output, said);
    if (!output.success) throw new Error(`${path} has an invalid fixture: ${output.issues[0].message}`);
    return { code: codes.ok, data: said, msg: "" };
  }
}

type FrameOf<Type extends ClientMessage["type"]> = Extract<ClientMessage, { type: Type }>;
type FrameSaid<Type extends ServerMessage["type"]> = Extract<ServerMessage, { type: Type }>;

/** The server's end of a chat socket: greets and answers pings by itself; the test sends everything else. */
export class FixtureSocket {
  readonly #write: (text: string) => void;
  readonly #fault: (fault: string) => void;
  readonly #heard: ClientMessage[] = [];
  readonly #listeners = new Set<(frame: ClientMessage) => void>();
  #sequence = 0;
  /** The response to a chat line of the page; null: none, so that it stays pending. */
  answerLine: (line: FrameOf<"chat">) => Exclude<ServerMessage, { sequence: number }> | null = ({
    roomId,
    clientId,
  }) => ({
    type: "chat-stored",
    roomId,
    clientId,
  });
  /** Whether the page has closed the socket. */
  isClosed = false;

  readonly cut: () => void;

  constructor(write: (text: string) => void, fault: (fault: string) => void, cut: () => void) {
    this.#write = write;
    this.#fault = fault;
    this.cut = cut;
  }

  /** The messages of one type from the page, oldest first. */
  heard<Type extends ClientMessage["type"]>(type: Type): FrameOf<Type>[] {
    return this.#heard.filter((frame): frame is FrameOf<Type> => frame.type === type);
  }

  onFrame(listener: (frame: ClientMessage) => void): void {
    this.#listeners.add(listener);
  }

  /** Sends a message without a sequence number. */
  say(frame: Exclude<ServerMessage, { sequence: number }>): void {
    this.#write(JSON.stringify(frame));
  }

  push(push: Push): void {
    this.#numbered({ type: "push", push });
  }

  social(event: Extract<ServerMessage, { type: "social" }>["event"]): void {
    this.#numbered({ type: "social", event });
  }

  /** The partner in a room writes a line; returns its id. */
  chat(roomId: string, text: string, withheld: Pick<FrameSaid<"chat">, "hidden" | "cover"> = {}): string {
    const clientId = `other-${this.#sequence + 1}`;
    this.#numbered({ type: "chat", roomId, clientId, text, ...withheld, sentAtMs: Date.now() });
    return clientId;
  }

  /** A hurtful line of the partner, under its cover. */
  coveredChat(roomId: string, text: string, kind: TextCover["kind"] = "insult"): string {
    return this.chat(roomId, coverMask, { cover: { kind, text } });
  }

  /** Receives a message of the page. */
  hear(text: string): void {
    const frame = v.safeParse(clientMessageSchema, JSON.parse(text));
    if (!frame.success)
      return this.#fault(`a server would reject the frame ${text.slice(0, 200)}: ${frame.issues[0].message}`);
    this.#heard.push(frame.output);
    switch (frame.output.type) {
      case "hello":
        this.#write(
          JSON.stringify({ type: "welcome", sessionId: "fixture", resumed: false, sequence: this.#sequence }),
        );
        break;
      case "ping":
        this.say({ type: "pong" });
        break;
      case "chat": {
        const answer = this.answerLine(frame.output);
        if (answer) this.say(answer);
        break;
      }
      case "ack":
      case "signal":
      case "media":
      case "quality":
      case "reaction":
      case "two-choice":
      case "preview":
      case "search-media":
      case "relayed":
      case "typing":
      case "request":
        break;
    }
    for (const listener of this.#listeners) listener(frame.output);
  }

  #numbered(frame: object): void {
    this.#sequence += 1;
    this.#write(JSON.stringify({ ...frame, sequence: this.#sequence }));
  }
}
