import { AppleIdentity } from "#adapters/apple/apple-identity.ts";
import { FacebookIdentity } from "#adapters/facebook/facebook-identity.ts";
import { GoogleIdentity } from "#adapters/google/google-identity.ts";
import { sandboxPeople } from "#adapters/sandbox-identity/people.ts";
import { SandboxIdentity, sandboxSubjects } from "#adapters/sandbox-identity/sandbox-identity.ts";
import type { Config } from "#config.ts";
import type { SeedPerson } from "#features/profile/seed.ts";
import { type ContentHosts, providerHosts } from "#http/security-headers.ts";
import type { Clock } from "#ports/clock.ts";
import type { IdentityProvider } from "#ports/identity.ts";

export interface ChosenIdentity {
  /** Of Google, Facebook and Apple, in this order; in development all three. */
  providers: readonly IdentityProvider[];
  /** Null in production, and where all three are real. */
  sandbox: SandboxIdentity | null;
  /** The sandbox's cast; nobody without a sandbox. */
  seedPeople: readonly SeedPerson[];
  /** Hosts that the live providers' scripts need in the Content-Security-Policy. */
  contentHosts: readonly ContentHosts[];
}

/**
 * The real provider where it is configured; in development the sandbox for the others, in production nobody. Part of the
 * composition root.
 */
export async function chooseIdentity({ identity, settings }: Config, clock: Clock): Promise<ChosenIdentity> {
  const { google, facebook, apple } = identity;
  const live: IdentityProvider[] = [];
  if (google) live.push(new GoogleIdentity({ ...google, clock }));
  if (facebook) live.push(new FacebookIdentity({ ...facebook, clock }));
  if (apple) live.push(new AppleIdentity({ ...apple, clock }));
  const contentHosts = [
    ...(google ? [providerHosts.google] : []),
    ...(facebook ? [providerHosts.facebook] : []),
    ...(apple ? [providerHosts.apple] : []),
  ];
  const isProduction = settings.mode === "production";
  if (isProduction && live.length === 0) throw new Error("production was configured without an identity provider");
  if (isProduction || live.length === 3) return { providers: live, sandbox: null, seedPeople: [], contentHosts };
  const sandbox = await SandboxIdentity.create(clock);
  const others = sandbox.providers.filter((one) => !live.some((other) => other.loginType === one.loginType));
  return {
    providers: [...live, ...others].toSorted((one, other) => one.loginType - other.loginType),
    sandbox,
    seedPeople: sandboxPeople.map((person) => ({ ...person, identities: sandboxSubjects(person) })),
    contentHosts,
  };
}
