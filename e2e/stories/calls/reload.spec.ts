import { expect } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectHome, expectLeftBy, expectTogether, meet, startChat, test } from "../../support/people.ts";

test("[SOCKET-66] [MATCH-3] who loads the page anew in a call has left it; the other is told and searches, and both can meet again", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Reloads" }), person({ name: "Bo Is Left" })]);
  await meet(ana, bo);
  await ana.reload();
  await expectHome(ana);
  await expectLeftBy(bo, "Ana Reloads");
  expect(framesOf(bo).pushes(pushCodes.otherLeft)).toMatchObject([{ reason: "left" }]);
  await startChat(ana);
  await expectTogether(ana, bo);
});
