import fastify from "fastify";
import { expect, test } from "vitest";
import { avatarRoute } from "./avatar-route.ts";

async function ask(key: string) {
  const app = fastify();
  avatarRoute(app, { get: async (asked) => (asked === "known.webp" ? Buffer.from("picture") : null) });
  const answer = await app.inject({ url: `/media/avatars/${key}` });
  await app.close();
  return answer;
}

test("a picture is served as what it is, for ever, and can never be anything else", async () => {
  const { headers, rawPayload } = await ask("known.webp");
  expect(rawPayload).toEqual(Buffer.from("picture"));
  expect(headers).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
});

test("a picture that does not exist is not found, and that is not remembered", async () => {
  const { headers, statusCode } = await ask("unknown.webp");
  expect(statusCode).toBe(404);
  expect(headers["cache-control"]).toBe("no-store");
});
