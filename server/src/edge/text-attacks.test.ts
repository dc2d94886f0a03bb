import { beforeAll, expect, test } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { TextRulesService } from "#moderation/text-service.ts";
import { readEdits, requireTexts } from "#people/profile-edits.ts";
import { userById } from "#people/profile-store.ts";
import { noTextFindings } from "#test/fakes/no-text-findings.ts";
import { type Edge, openEdge } from "#test/fixtures/edge.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { preparedCall } from "#test/fixtures/signed-call.ts";
import { contextOf } from "#test/fixtures/social-world.ts";

let world: MessageWorld;
let edge: Edge;
let to: string;

beforeAll(async () => {
  world = await MessageWorld.open();
  const { db } = world.social.database;
  const texts = new TextRulesService({ db, log: noTextFindings });
  const [ana, bo] = await world.friends();
  to = await world.social.externalIdOf(bo);
  edge = await openEdge({
    messageSend: (_context, input) => world.handlers.messageSend(contextOf(ana), { ...input, user_id: Number(ana) }),
    userUpdate: async (_context, input) => {
      await requireTexts({ texts, isAccepted: async () => false }, (await userById(db, ana))!, readEdits(input));
      throw new Error("nothing of this can be stored");
    },
  });
});

async function answerTo(endpoint: { path: string }, fields: Record<string, unknown>): Promise<number> {
  const { text } = await edge.send(preparedCall(edge.ana, endpoint, { user_id: 1, ...fields }));
  return (JSON.parse(text) as { code: number }).code;
}

test.each([
  ["10,000 letters", "a".repeat(10_000)],
  ["2,000 combining marks", `a${"\u0301".repeat(2_000)}`],
  ["2,000 lone surrogates", "\ud800".repeat(2_000)],
  ["a megabyte of zero-width signs", "\u200b".repeat(349_525)],
  ["zero-width signs alone", "\u200b".repeat(40)],
])("refuses a message, nickname, about text and location of %s", async (_name, text) => {
  const codes = [
    await answerTo(endpoints.messageSend, { externalId: to, client_id: "attack", text }),
    await answerTo(endpoints.userUpdate, { nickname: text }),
    await answerTo(endpoints.userUpdate, { about: text }),
    await answerTo(endpoints.userUpdate, { location: text }),
  ];
  for (const code of codes) expect([400, 406, 413]).toContain(code);
});
