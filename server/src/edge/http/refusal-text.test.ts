import { expect, test } from "vitest";
import { codes, forbiddenReasons, refusedReasons } from "@fava/wire/codes.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { EndpointError, refused } from "#lib/errors.ts";
import { anaSession, liveAna, openEdge } from "#test/fixtures/edge.ts";
import { signedCall } from "#test/fixtures/signed-call.ts";
import { reasonText } from "./error-handler.ts";

test.each(interfaceLanguages.map(({ value }) => value))(
  "has a sentence without placeholders for every reason of 403 and 406 in %s",
  (language) => {
    for (const reason of [...forbiddenReasons, ...refusedReasons]) {
      const text = reasonText(reason, language);
      expect([reason, text]).toEqual([reason, expect.stringMatching(/^[^{}]*\p{L}{2}[^{}]*$/u)]);
    }
  },
);

test.each([
  ["ar", "يمكنك مراسلة الأصدقاء، ومرة واحدة من التقيتهم للتو."],
  ["en", "You can write to friends, and once to people you’ve just met."],
  ["tlh", "You can write to friends, and once to people you’ve just met."],
  [undefined, "You can write to friends, and once to people you’ve just met."],
])("explains an error to a user in their language %s", async (language, msg) => {
  const edge = await openEdge({
    matchStop: async () => {
      throw refused("not_friends", { until: 5 });
    },
  });
  const answer = await signedCall(edge.ana, endpoints.matchStop, { user_id: 1, ...(language && { language }) });
  expect(answer).toEqual({ status: 200, code: 406, data: { reason: "not_friends", until: 5 }, msg });
});

test("explains errors of the gate in the language of the request, if the form can be read", async () => {
  const edge = await openEdge();
  edge.tokens.set("tok_ana", { ...liveAna, session: { ...anaSession, profileComplete: false } });
  const search = { user_id: 1, sex: 9, country: 0, language: "ar" } as never;
  expect(await signedCall(edge.ana, endpoints.matchStart, search)).toMatchObject({
    code: 403,
    msg: reasonText("profile_incomplete", "ar"),
  });
  expect(await signedCall(edge.ana, endpoints.matchStop, { user_id: 2, language: "ar" })).toMatchObject({
    code: 403,
    msg: reasonText("not_yours", "ar"),
  });
});

test("keeps English texts for developers with other codes", async () => {
  const edge = await openEdge({
    matchStop: async () => {
      throw new EndpointError(codes.notEnoughBeans, "not enough beans");
    },
  });
  const answer = await signedCall(edge.ana, endpoints.matchStop, { user_id: 1, language: "ar" });
  expect(answer).toMatchObject({ code: 402, msg: "not enough beans" });
});
