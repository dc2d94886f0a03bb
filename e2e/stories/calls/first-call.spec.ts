import { expectFirstCall } from "../../support/first-call.ts";
import { test } from "../../support/people.ts";

// With the pages as built.
test.use({ program: "npm start", paints: true });

test(
  "[MATCH-1, CALL-5, CALL-6] connects two users in VP8 who see each other's card, hear each other and chat",
  { tag: "@both-nodes" },
  async ({ person }) => {
    // The full video that the page requests: the only test that needs it.
    const [ana, bo] = await Promise.all([person("ana", { camera: "whole" }), person("bo", { camera: "whole" })]);
    await expectFirstCall(ana, bo);
  },
);
