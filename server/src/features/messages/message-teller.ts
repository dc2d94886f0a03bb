import type { Person } from "@fava/wire/people.ts";
import type { Logger } from "pino";
import { Lines } from "#lines.ts";
import type { Bus } from "#ports/bus.ts";
import type { Directory } from "#ports/directory.ts";
import * as rows from "./conversation-rows.ts";
import { conversationView, messageView } from "./conversation-views.ts";
import type { StoredMessage } from "./message-store.ts";
import type { Db } from "./pair-sql.ts";

export interface MessageTellerOptions {
  db: Db;
  directory: Directory;
  bus: Pick<Bus, "social" | "isPresent">;
  logger: Logger;
}

/** A side of a conversation, and the other as that side sees them. */
export interface Entry {
  readonly row: rows.SideRow;
  readonly card: Person;
}

interface News {
  /** Who is told. */
  viewer: bigint;
  other: bigint;
  /** Null: the newest one, for the sake of the entry. */
  message: StoredMessage | null;
  /** What the viewer reads in now, where that is known. */
  language?: string;
}

/**
 * Tells people what became of their conversations. What one person is told comes one after the other, each with the
 * totals of its own moment: a total that is older than the one before it would stay on the screen. Never rejects: what
 * could not be told is in the lists.
 */
export class MessageTeller {
  readonly #options: MessageTellerOptions;
  readonly #lines = new Lines();

  constructor(options: MessageTellerOptions) {
    this.#options = options;
  }

  /** @returns what was told; null where the viewer is not here or the two are hidden from each other by now. */
  message(news: News): Promise<Entry | null> {
    return this.#tell(news.viewer, null, async () => {
      const { db, directory, bus } = this.#options;
      const { viewer, other, message } = news;
      const row = await rows.sideRowWithTotal(db, viewer, other);
      if (!row) return null;
      // Read last: whoever is blocked meanwhile must not hear of it after having heard of the block.
      const card = (await directory.cards(viewer, [other], news.language ?? row.own_language)).get(other);
      if (!card) return null;
      bus.social(viewer, {
        kind: "message",
        conversation: conversationView(row, card),
        message: messageView(message ?? row, { ownAvatarKey: row.own_avatar_key, other: card }),
        unread_total: row.unread_total,
      });
      return { row, card };
    });
  }

  /** Tells the reader's other pages, and the other where the two are friends. */
  async read(reader: bigint, other: bigint, upTo: bigint): Promise<void> {
    await Promise.all([
      this.#tellRead({ viewer: reader, other, upTo, by: "me" }),
      this.#tellRead({ viewer: other, other: reader, upTo, by: "other" }),
    ]);
  }

  #tellRead(news: { viewer: bigint; other: bigint; upTo: bigint; by: "me" | "other" }): Promise<void> {
    const { viewer, other, upTo, by } = news;
    return this.#tell(viewer, undefined, async () => {
      const { db, directory, bus } = this.#options;
      const unread_total = await rows.unreadTotal(db, viewer);
      const card = (await directory.cards(viewer, [other], "en")).get(other);
      if (!card || (by === "other" && card.followStatus !== 2)) return;
      bus.social(viewer, { kind: "read", externalId: card.externalId, up_to: String(upTo), by, unread_total });
    });
  }

  #tell<Told>(viewer: bigint, nothing: Told, work: () => Promise<Told>): Promise<Told> {
    if (!this.#options.bus.isPresent(viewer)) return Promise.resolve(nothing);
    return this.#lines.run(String(viewer), work).catch((error: unknown) => {
      this.#options.logger.error({ err: error, userId: String(viewer) }, "a person could not be told of a message");
      return nothing;
    });
  }
}
