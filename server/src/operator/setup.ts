import type { Kysely } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { type SetupItem, setupItems } from "@fava/wire/endpoints/operator.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { roles } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";

/** What the settings say, by item. Whether a lawyer has read the legal texts, no setting says. */
export type ConfiguredItems = Readonly<Record<Exclude<SetupItem, "legal" | "moderators">, boolean>>;

/** What the site still lacks before it opens. */
export async function setupState(
  db: Kysely<Database>,
  configured: ConfiguredItems,
): Promise<OutputOf<Endpoints["adminSetup"]>> {
  const moderator = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", roles.moderator)
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  const done = { ...configured, moderators: moderator !== undefined, legal: false };
  return { items: setupItems.map((item) => ({ item, is_done: done[item] })) };
}
