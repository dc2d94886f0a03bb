import { beforeAll, describe, expect, test } from "vitest";
import { type IdentityProvider, IdentityRefusedError } from "#ports/identity.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { SandboxIdentity, sandboxPersonByKey, type SandboxProviderName, sandboxProviders } from "./sandbox-identity.ts";

const clock = new TestClock();
const ana = sandboxPersonByKey("ana");
if (!ana) throw new Error("ana is missing");
let sandbox: SandboxIdentity;

beforeAll(async () => {
  sandbox = await SandboxIdentity.create(clock);
});

function provider(name: SandboxProviderName, from = sandbox): IdentityProvider {
  const found = from.providers.find(({ loginType }) => loginType === sandboxProviders[name]);
  if (!found) throw new Error(`${name} is missing`);
  return found;
}

function verify(name: SandboxProviderName, grant: { third_party_id: string; third_party_token: string }) {
  return provider(name).verify({ thirdPartyId: grant.third_party_id, token: grant.third_party_token });
}

describe.each(["google", "facebook", "apple"] as const)("the sandbox's %s", (name) => {
  test("accepts its own token, with nickname and picture", async () => {
    const grant = await sandbox.grant(name, { person: ana }, "nonce-1");
    await expect(verify(name, grant)).resolves.toMatchObject({
      thirdPartyId: `${name}-ana`,
      nickname: "Ana",
      avatarUrl: "/sandbox/identity/avatars/ana.svg",
      ...(name === "facebook" ? { mail: null, nonce: null } : { mail: "ana@people.example", nonce: "nonce-1" }),
    });
  });

  test("rejects a token of an earlier sandbox server", async () => {
    const grant = await (await SandboxIdentity.create(clock)).grant(name, { person: ana }, "nonce-1");
    await expect(verify(name, grant)).rejects.toThrow(IdentityRefusedError);
  });

  test("accepts a token of another server of the site, and rejects one of another site", async () => {
    const here = await SandboxIdentity.create(clock, "of the site");
    const there = await SandboxIdentity.create(clock, "of the site");
    const elsewhere = await SandboxIdentity.create(clock, "of another site");
    const { third_party_id, third_party_token } = await here.grant(name, { person: ana }, "nonce-1");
    const claimed = { thirdPartyId: third_party_id, token: third_party_token };
    await expect(provider(name, there).verify(claimed)).resolves.toMatchObject({ nickname: "Ana" });
    await expect(provider(name, elsewhere).verify(claimed)).rejects.toThrow(IdentityRefusedError);
  });

  test("rejects a token of another provider of the sandbox", async () => {
    for (const other of ["google", "facebook", "apple"] as const) {
      if (other === name) continue;
      const { third_party_token } = await sandbox.grant(other, { person: ana }, "nonce-1");
      await expect(verify(name, { third_party_id: `${other}-ana`, third_party_token })).rejects.toThrow(
        IdentityRefusedError,
      );
    }
  });

  test("does not sign in one user with another's token", async () => {
    const { third_party_token } = await sandbox.grant(name, { person: ana }, "nonce-1");
    await expect(verify(name, { third_party_id: `${name}-mia`, third_party_token })).rejects.toThrow(
      IdentityRefusedError,
    );
  });

  test("rejects an expired token", async () => {
    const grant = await sandbox.grant(name, { person: ana }, "nonce-1");
    clock.advance(631_000);
    await expect(verify(name, grant)).rejects.toThrow(IdentityRefusedError);
  });

  test("finds a new user again by the same name only", async () => {
    const subject = async (person: string) =>
      (await sandbox.grant(name, { name: person, picture: null }, "nonce-1")).third_party_id;
    expect(await subject("Zoë")).toBe(await subject(" zoë"));
    expect(await subject("Zoë")).not.toBe(await subject("Ana"));
    expect(await subject("Ana")).not.toBe(`${name}-ana`);
  });
});
