import { createECDH, createHash, createHmac, randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type CryptoKey, errors, generateKeyPair, importJWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import type { LoginType, Sex } from "@fava/wire/people.ts";
import { checkDebugToken, type DebugToken } from "#adapters/identity/facebook-identity.ts";
import { textClaim, verifyIdToken } from "#adapters/identity/id-token.ts";
import { refuse } from "#adapters/sandbox-pages.ts";
import type { Clock } from "#ports/clock.ts";
import { type IdentityProvider, IdentityRefusedError, type VerifiedIdentity } from "#ports/identity.ts";

/** Constant, so that a token is the same for every host name of the server. */
const issuerBase = "https://identity.fava-sandbox.invalid";
const tokenSeconds = 600;

export const sandboxProviders = { google: 1, facebook: 2, apple: 3 } as const satisfies Record<string, LoginType>;
export type SandboxProviderName = keyof typeof sandboxProviders;

/** A seeded user, or a new one with a free name. The same name is the same user again. */
export type SandboxAccount = { person: SandboxPerson } | { name: string; picture: string | null };

interface SandboxGrant {
  third_party_id: string;
  third_party_token: string;
  nickname: string;
  avatar: string;
}

interface Keys {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Three providers for development that sign real tokens. Only issuer, key and algorithm differ from the real ones. */
export class SandboxIdentity {
  readonly providers: readonly IdentityProvider[];
  readonly #clock: Clock;
  readonly #privateKey: CryptoKey;
  readonly #publicKey: CryptoKey;

  private constructor(clock: Clock, keys: Keys) {
    this.#clock = clock;
    this.#privateKey = keys.privateKey;
    this.#publicKey = keys.publicKey;
    this.providers = (Object.keys(sandboxProviders) as SandboxProviderName[]).map((name) => this.#provider(name));
  }

  /** @param secret of the site: after choosing an account at one server, a user may sign in at another. */
  static async create(clock: Clock, secret: string | null = null): Promise<SandboxIdentity> {
    return new SandboxIdentity(clock, secret === null ? await generateKeyPair("ES256") : await keysFrom(secret));
  }

  /** Signs a token as the provider would after the user chose an account. Facebook's has no nonce. */
  async grant(provider: SandboxProviderName, account: SandboxAccount, nonce: string): Promise<SandboxGrant> {
    const seeded = "person" in account ? account.person : null;
    const slug = seeded?.key ?? newPersonSlug(account);
    const name = "person" in account ? account.person.name : account.name;
    const picture = ("picture" in account ? account.picture : null) ?? `/sandbox/identity/avatars/${slug}.svg`;
    const subject = `${provider}-${slug}`;
    const seconds = Math.floor(this.#clock.nowMs() / 1_000);
    const mail = { email: `${slug}@people.example`, email_verified: true };
    const claims: JWTPayload =
      provider === "facebook"
        ? { app_id: clientIdOf(provider), type: "USER" }
        : { aud: clientIdOf(provider), nonce, ...mail };
    const token = await new SignJWT({ ...claims, name, picture })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuer(`${issuerBase}/${provider}`)
      .setSubject(subject)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + tokenSeconds)
      .setJti(randomUUID())
      .sign(this.#privateKey);
    return { third_party_id: subject, third_party_token: token, nickname: name, avatar: picture };
  }

  #provider(name: SandboxProviderName): IdentityProvider {
    return {
      loginType: sandboxProviders[name],
      mode: "sandbox",
      clientId: clientIdOf(name),
      url: `/sandbox/identity/${name}/authorize`,
      avatarHosts: [],
      verify: (claimed) =>
        name === "facebook"
          ? this.#verifyAccessToken(claimed)
          : verifyIdToken(claimed, {
              keys: () => this.#publicKey,
              issuers: [`${issuerBase}/${name}`],
              audience: clientIdOf(name),
              algorithms: ["ES256"],
              clock: this.#clock,
            }),
    };
  }

  async #verifyAccessToken(claimed: { thirdPartyId: string; token: string }): Promise<VerifiedIdentity> {
    const nowMs = this.#clock.nowMs();
    const { debugged, claims } = await this.#debugToken(claimed.token);
    const expected = { appId: clientIdOf("facebook"), userId: claimed.thirdPartyId, nowMs };
    return {
      thirdPartyId: claimed.thirdPartyId,
      mail: null,
      expiresAtMs: checkDebugToken(debugged, expected),
      nickname: textClaim(claims, "name"),
      avatarUrl: textClaim(claims, "picture"),
      nonce: null,
    };
  }

  /** Responds like Facebook's `debug_token`: the claims of the token, and whether it is valid. */
  async #debugToken(token: string): Promise<{ debugged: DebugToken; claims: JWTPayload }> {
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, {
        issuer: `${issuerBase}/facebook`,
        algorithms: ["ES256"],
        requiredClaims: ["sub", "exp", "app_id", "type"],
        currentDate: new Date(this.#clock.nowMs()),
      });
      const debugged = {
        is_valid: true,
        app_id: String(payload["app_id"]),
        type: String(payload["type"]),
        user_id: payload.sub ?? "",
        expires_at: payload.exp ?? 0,
        data_access_expires_at: 0,
      };
      return { debugged: { data: debugged }, claims: payload };
    } catch (error) {
      throw new IdentityRefusedError(error instanceof errors.JOSEError ? error.code : String(error));
    }
  }
}

async function keysFrom(secret: string): Promise<Keys> {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(createHmac("sha256", secret).update("sandbox-identity/v1").digest());
  const point = curve.getPublicKey();
  const coordinateBytes = 32;
  const coordinate = (from: number) => point.subarray(from, from + coordinateBytes).toString("base64url");
  // The prefix byte says that the point is uncompressed.
  const open = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(1 + coordinateBytes) };
  const [privateKey, publicKey] = await Promise.all([
    importJWK({ ...open, d: curve.getPrivateKey().toString("base64url") }, "ES256"),
    importJWK(open, "ES256"),
  ]);
  return { privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey };
}

export function sandboxSubjects(person: SandboxPerson): { loginType: LoginType; thirdPartyId: string }[] {
  return Object.entries(sandboxProviders).map(([name, loginType]) => ({
    loginType,
    thirdPartyId: `${name}-${person.key}`,
  }));
}

export function sandboxPersonByKey(key: string): SandboxPerson | undefined {
  return sandboxPeople.find((person) => person.key === key);
}

function clientIdOf(name: SandboxProviderName): string {
  return `fava-sandbox-${name}`;
}

function newPersonSlug(account: SandboxAccount): string {
  const name = "name" in account ? account.name : "";
  return `new-${createHash("sha256").update(name.normalize("NFC").trim().toLowerCase()).digest("hex").slice(0, 20)}`;
}

export type SandboxStanding = "ordinary" | "moderator" | "administrator" | "banned" | "under_age";

export interface SandboxPerson {
  key: string;
  name: string;
  sex: Exclude<Sex, 0>;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** Stored for all but the under-age user. */
  birthday: string;
  standing: SandboxStanding;
}

/** The seeded users of the sandbox. Scripts sign in as any of them by `key`. */
export const sandboxPeople: readonly SandboxPerson[] = [
  { key: "ana", name: "Ana", sex: 2, countryCode: "BR", birthday: "1998-04-17", standing: "ordinary" },
  { key: "bo", name: "Bo", sex: 1, countryCode: "DE", birthday: "1995-11-02", standing: "ordinary" },
  { key: "theo", name: "Théo", sex: 1, countryCode: "FR", birthday: "1992-07-30", standing: "ordinary" },
  { key: "mira", name: "Mira", sex: 2, countryCode: "JP", birthday: "2000-01-09", standing: "ordinary" },
  { key: "sam", name: "Sam", sex: 1, countryCode: "PH", birthday: "1999-09-21", standing: "ordinary" },
  { key: "lale", name: "Lâle", sex: 2, countryCode: "TR", birthday: "1997-05-06", standing: "ordinary" },
  { key: "putri", name: "Putri", sex: 2, countryCode: "ID", birthday: "2001-12-12", standing: "ordinary" },
  { key: "omar", name: "عمر", sex: 1, countryCode: "SA", birthday: "1994-03-28", standing: "ordinary" },
  { key: "kate", name: "Kate", sex: 2, countryCode: "GB", birthday: "1996-08-14", standing: "ordinary" },
  { key: "mia", name: "Mia", sex: 2, countryCode: "NL", birthday: "1990-02-19", standing: "moderator" },
  { key: "noor", name: "Noor", sex: 1, countryCode: "AE", birthday: "1989-10-05", standing: "moderator" },
  { key: "ada", name: "Ada", sex: 2, countryCode: "GB", birthday: "1985-12-10", standing: "administrator" },
  { key: "rex", name: "Rex", sex: 1, countryCode: "US", birthday: "1993-06-01", standing: "banned" },
  { key: "kim", name: "Kim", sex: 2, countryCode: "KR", birthday: "", standing: "under_age" },
];

const bodySchema = v.strictObject({
  user_no: v.pipe(v.string(), v.regex(/^\d{1,12}$/)),
  beans: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000)),
});

export async function sendBeans(
  request: FastifyRequest,
  reply: FastifyReply,
  giveBeans: (userNo: string, beans: bigint) => Promise<boolean>,
): Promise<FastifyReply> {
  const body = v.safeParse(v.pipe(v.string(), v.parseJson(), bodySchema), request.body);
  if (!body.success) return refuse(reply, 400, "the body is {user_no, beans}, beans an integer");
  const { user_no: userNo, beans } = body.output;
  return (await giveBeans(userNo, BigInt(beans))) ? reply.send({}) : refuse(reply, 404, "no user has that number");
}
