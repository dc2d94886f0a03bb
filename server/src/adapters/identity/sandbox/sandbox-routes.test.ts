import fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { SandboxAvatars } from "./portrait.ts";
import { SandboxIdentity, sandboxPeople } from "./sandbox-identity.ts";
import { sandboxIdentityRoutes } from "./sandbox-routes.ts";

let app: FastifyInstance;
let sandbox: SandboxIdentity;
const given: [string, bigint][] = [];

beforeAll(async () => {
  sandbox = await SandboxIdentity.create(new TestClock());
  app = fastify();
  const giveBeans = async (userNo: string, beans: bigint) => {
    if (userNo === "404") return false;
    given.push([userNo, beans]);
    return true;
  };
  await sandboxIdentityRoutes(app, { sandbox, issueNonce: async () => "issued", giveBeans });
  leftovers.push({ [Symbol.asyncDispose]: () => app.close() });
});

const post = (provider: string, payload: object | string) =>
  app.inject({
    method: "POST",
    url: `/sandbox/identity/${provider}/token`,
    headers: { "content-type": "application/json" },
    payload,
  });

describe("token request", () => {
  test("gives a script the input of /api/login, with a new nonce if it sent none", async () => {
    const answer = await post("google", { person: "ana" });
    expect(answer.statusCode).toBe(200);
    const grant = answer.json<{ third_party_id: string; third_party_token: string }>();
    expect(Object.keys(grant)).toEqual(["third_party_id", "third_party_token", "nickname", "avatar"]);
    const claimed = { thirdPartyId: grant.third_party_id, token: grant.third_party_token };
    await expect(sandbox.providers[0]?.verify(claimed)).resolves.toMatchObject({ nonce: "issued" });
  });

  test("requires a name for a new user, and accepts a picture and a nonce", async () => {
    const answer = await post("apple", { name: "Zoë", picture: "https://pictures.example/zoe.png", nonce: "mine" });
    expect(answer.json()).toMatchObject({ nickname: "Zoë", avatar: "https://pictures.example/zoe.png" });
  });

  test.each([
    ["an unknown provider", "myspace", { person: "ana" }],
    ["a provider named like a method", "toString", { person: "ana" }],
    ["an unknown person", "google", { person: "nobody" }],
    ["no field", "google", {}],
    ["an empty name", "google", { name: "  " }],
    ["both kinds at once", "google", { person: "ana", name: "Zoë" }],
    ["a number for a name", "google", { name: 5 }],
    ["no JSON", "google", "{"],
    ["a list", "google", "[]"],
  ])("answers %s with 400", async (_what, provider, payload) => {
    const answer = await post(provider, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 400 });
  });

  test("rejects a body of another type or size", async () => {
    const form = { method: "POST", url: "/sandbox/identity/google/token", payload: "person=ana" } as const;
    expect(
      (await app.inject({ ...form, headers: { "content-type": "application/x-www-form-urlencoded" } })).statusCode,
    ).toBe(415);
    expect((await post("google", { name: "x".repeat(5_000) })).statusCode).toBe(413);
  });

  test("rejects another machine", async () => {
    const answer = await app.inject({
      method: "GET",
      url: "/sandbox/identity/avatars/ana.svg",
      remoteAddress: "192.168.1.9",
    });
    expect(answer.statusCode).toBe(403);
  });
});

describe("account chooser", () => {
  const open = (change: Record<string, string> = {}) =>
    app.inject({
      url: "/sandbox/identity/google/authorize",
      query: { client_id: "fava-sandbox-google", nonce: "nonce-1", origin: "http://localhost:3000", ...change },
      headers: { host: "localhost:3000" },
    });

  test("offers all people of the sandbox, says that it is a sandbox, and runs no inline code", async () => {
    const { body, headers, statusCode } = await open();
    expect(statusCode).toBe(200);
    for (const { key } of sandboxPeople) expect(body).toContain(`data-person="${key}"`);
    expect(body).toContain("No real account is used");
    expect(body).toContain(`<html lang="en" dir="ltr">`);
    expect(body).not.toMatch(/<script(?! src=)|<style|style="|\son\w+=/);
    expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
  });

  test.each([
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:4000" }],
    ["an origin with a path", { origin: "http://localhost:3000/x" }],
    ["another client", { client_id: "ours" }],
    ["no nonce", { nonce: "" }],
  ])("rejects an address made for %s", async (_what, change: Record<string, string>) => {
    const { body, statusCode } = await open(change);
    expect(statusCode).toBe(400);
    expect(body).not.toContain("data-person");
  });

  test("escapes the parameters of the address", async () => {
    const { body } = await open({ nonce: `"><script>alert(1)</script>` });
    expect(body).not.toContain("<script>alert");
  });
});

describe("portraits", () => {
  test("are drawn for every user, and can be decoded", async () => {
    for (const { key } of sandboxPeople) {
      const { rawPayload, headers } = await app.inject({ url: `/sandbox/identity/avatars/${key}.svg` });
      expect(headers["content-type"]).toBe("image/svg+xml");
      await expect(sharp(rawPayload).metadata()).resolves.toMatchObject({ format: "svg", width: 400, height: 400 });
    }
  });

  test("are copied without a request, unlike all other addresses", async () => {
    const asked: string[] = [];
    const behind = {
      fetch: async (url: string) => {
        asked.push(url);
        return null;
      },
    };
    const avatars = new SandboxAvatars(behind);
    const bytes = await avatars.fetch("/sandbox/identity/avatars/ana.svg", []);
    await expect(sharp(bytes ?? Buffer.alloc(0)).metadata()).resolves.toMatchObject({ format: "png" });
    await expect(avatars.fetch("https://pictures.example/ana.svg", [])).resolves.toBeNull();
    expect(asked).toEqual(["https://pictures.example/ana.svg"]);
  });

  test("have no other path", async () => {
    expect((await app.inject({ url: "/sandbox/identity/avatars/..%2fpeople.svg" })).statusCode).toBe(404);
  });
});

describe("beans", () => {
  const ask = (payload: object | string, remoteAddress = "127.0.0.1") =>
    app.inject({
      method: "POST",
      url: "/sandbox/beans",
      headers: { "content-type": "application/json" },
      payload,
      remoteAddress,
    });

  test("gives a user beans by user id for a script on this machine", async () => {
    expect((await ask({ user_no: "12345678", beans: 5_000 })).statusCode).toBe(200);
    expect(given).toEqual([["12345678", 5_000n]]);
    expect((await ask({ user_no: "404", beans: 1 })).statusCode).toBe(404);
    expect((await ask({ user_no: "12345678", beans: 1 }, "203.0.113.7")).statusCode).toBe(403);
    for (const body of [{ user_no: "1", beans: 0 }, { user_no: "1", beans: 1.5 }, { user_no: "x", beans: 1 }, "no"])
      expect((await ask(body)).statusCode).toBe(400);
    expect(given).toHaveLength(1);
  });
});
