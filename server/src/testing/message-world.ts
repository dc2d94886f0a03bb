import { pino } from "pino";
import type { InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { TextRulesService } from "#moderation/text-service.ts";
import { messageHandlers } from "#people/message-routes.ts";
import { MessageService } from "#people/message-service.ts";
import { ensureOfficial, type OfficialAccount } from "#people/official.ts";
import { TypingDesk } from "#people/typing-desk.ts";
import type { LimitName } from "#ports/limits.ts";
import { seededRandom } from "./random.ts";
import { contextOf, SocialWorld } from "./social-world.ts";

type Conversation = OutputOf<Endpoints["messageSend"]>["conversation"];
type MessageEvent = Extract<SocialEvent, { kind: "message" }>;

/** Conversations over relations, each of the two as the product puts them together. */
export class MessageWorld {
  readonly social: SocialWorld;
  readonly official: OfficialAccount;
  readonly messages: MessageService;
  readonly typing: TypingDesk;
  readonly handlers: ReturnType<typeof messageHandlers>;
  /** What was taken from the limits; `wait` says how long anybody over one would have to wait. */
  readonly taken: [LimitName, string][] = [];
  wait: number | null = null;
  /** Who is in a call with whom. */
  readonly calls = new Map<bigint, bigint>();
  #sent = 0;

  static async open(...sockets: Parameters<typeof SocialWorld.open>): Promise<MessageWorld> {
    const social = await SocialWorld.open(...sockets);
    const { clock, database } = social;
    const options = { db: database.db, clock, random: seededRandom(3), email: "help@example.com" };
    return new MessageWorld(social, await ensureOfficial(options));
  }

  private constructor(social: SocialWorld, official: OfficialAccount) {
    this.social = social;
    this.official = official;
    const { clock, tells: bus } = social;
    const { db } = social.database;
    const logger = pino({ level: "silent" });
    this.messages = new MessageService({
      db,
      directory: social.social,
      texts: new TextRulesService({ db, clock }),
      bus,
      limits: {
        take: async (limit, key) => {
          this.taken.push([limit, key]);
          return this.wait;
        },
        waitSeconds: async () => null,
      },
      clock,
      logger,
      official,
    });
    this.typing = new TypingDesk({ db, bus, otherInCall: (userId) => this.calls.get(userId) ?? null, clock, logger });
    this.handlers = messageHandlers(this.messages);
    social.social.useMessaging(this.messages);
  }

  /** Two people whose pages are open and who may write to each other. */
  async friends(): Promise<[bigint, bigint]> {
    const [ana, bo] = await this.social.metPeople(2);
    await this.social.friends(ana, bo);
    await this.social.arrive(ana, bo);
    return [ana, bo];
  }

  /** Two people whose pages are open and who have talked for 30 seconds. */
  async strangers(): Promise<[bigint, bigint]> {
    const [ana, bo] = await this.social.metPeople(2);
    await this.social.arrive(ana, bo);
    return [ana, bo];
  }

  async send(from: bigint, to: bigint, line: string | { text: string; clientId: string } = "hello") {
    const { text, clientId } = typeof line === "string" ? { text: line, clientId: this.#newClientId() } : line;
    return this.handlers.messageSend(contextOf(from), {
      user_id: Number(from),
      externalId: await this.social.externalIdOf(to),
      client_id: clientId,
      text,
    });
  }

  #newClientId(): string {
    this.#sent += 1;
    return `client-${this.#sent}`;
  }

  async thread(reader: bigint, other: bigint, cursor?: string) {
    const externalId = await this.social.externalIdOf(other);
    return this.handlers.messageList(contextOf(reader), { user_id: Number(reader), externalId, cursor });
  }

  async texts(reader: bigint, other: bigint): Promise<string[]> {
    return (await this.thread(reader, other)).messages.map(({ text }) => text).toReversed();
  }

  async read(reader: bigint, other: bigint, up_to: string): Promise<number> {
    const externalId = await this.social.externalIdOf(other);
    const input = { user_id: Number(reader), externalId, up_to };
    return (await this.handlers.messageRead(contextOf(reader), input)).unread_total;
  }

  async answer(userId: bigint, other: bigint, accept: 0 | 1): Promise<Conversation | null> {
    const externalId = await this.social.externalIdOf(other);
    const input = { user_id: Number(userId), externalId, accept };
    return (await this.handlers.conversationAnswer(contextOf(userId), input)).conversation;
  }

  /** A page of the list as it comes, the official account at its end. */
  page(userId: bigint, input: Partial<InputOf<Endpoints["conversationList"]>> & { box?: 0 | 1 } = {}, language = "en") {
    const { box = 0, cursor } = input;
    return this.handlers.conversationList(contextOf(userId, language), { user_id: Number(userId), box, cursor });
  }

  /** Entries of people. */
  async list(userId: bigint, box: 0 | 1 = 0): Promise<Conversation[]> {
    return (await this.page(userId, { box })).conversations.filter(({ state }) => state !== "official");
  }

  tookMessages(userId: bigint): MessageEvent[] {
    return this.social.tookSocial(userId).filter((event) => event.kind === "message");
  }

  /** People whose counter of a side is not the number of messages behind it that are unread. */
  async wrongCounters(): Promise<bigint[]> {
    const { rows } = await this.social.database.pool.query<{ user_id: bigint }>(
      `select user_id from conversation_sides as side where unread_count <> (
         select count(*) from messages
         where conversation_id = side.conversation_id and sender_id = side.other_id and id > side.read_up_to
       )`,
    );
    return rows.map(({ user_id }) => user_id);
  }
}
