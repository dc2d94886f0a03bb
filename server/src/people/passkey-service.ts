import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { passkeyChallengeMs, passkeysMax, recoveryCodeLength, recoveryCodesMax } from "@fava/wire/limits.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import type { Database } from "#db/schema.ts";
import { badInput, EndpointError, refused } from "#lib/errors.ts";
import { typedNumber } from "#lib/typed-number.ts";
import type { Clock } from "#ports/clock.ts";
import type { RequestContext, SignedInContext } from "#ports/handlers.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import { type Random, randomId } from "#ports/random.ts";
import { readUserAgent } from "./account-service.ts";
import { lockedUser } from "./account-store.ts";
import * as store from "./passkey-store.ts";
import type { ProvenAccount, SessionService } from "./session-service.ts";
import type { Device, SignedIn } from "./sign-in.ts";

type Input<Name extends keyof Endpoints> = ParsedInputOf<Endpoints[Name]>;

export interface PasskeyServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  oneTimeKeys: OneTimeKeys;
  sessions: Pick<SessionService, "enterProven">;
  /** Null: the origin of each request. */
  publicOrigin: string | null;
  log: Pick<Logger, "info" | "warn">;
}

/** Loaded at the first use: it costs 100 ms of processor time, and many servers never need it. */
const webAuthn = () => import("@simplewebauthn/server");
type WebAuthn = Awaited<ReturnType<typeof webAuthn>>;
type ChallengeUse = "newPasskey" | "passkeySignIn";
const challengeBytes = 32;
/** EdDSA, ES256 and RS256 by their COSE ids: all of them work on every supported Node.js. */
const algorithms = [-8, -7, -257];
/** Crockford's base 32: no letter is mistaken for a digit. */
const codeLetters = "0123456789abcdefghjkmnpqrstvwxyz";
const codeGroup = /.{4}(?=.)/g;

/** Passkeys and recovery codes: further ways into an account that a provider's sign-in has made. */
export class PasskeyService {
  readonly #options: PasskeyServiceOptions;

  constructor(options: PasskeyServiceOptions) {
    this.#options = options;
  }

  async info(userId: bigint): Promise<OutputOf<Endpoints["passkeyInfo"]>> {
    const { db } = this.#options;
    const [passkeys, codesLeft] = await Promise.all([store.passkeysOf(db, userId), store.codesLeft(db, userId)]);
    return {
      passkeys: passkeys.map(({ id, browser, system, created_at, used_at }) => ({
        id,
        browser,
        system,
        at: created_at.getTime(),
        used_at: used_at?.getTime() ?? null,
      })),
      codes_left: codesLeft,
    };
  }

  /** @throws EndpointError 406 `too_many`. */
  async prepare({ session, ...context }: SignedInContext): Promise<OutputOf<Endpoints["passkeyPrepare"]>> {
    const { db } = this.#options;
    const [user, passkeys] = await Promise.all([
      db.selectFrom("users").select(["user_no", "nickname"]).where("id", "=", session.userId).executeTakeFirstOrThrow(),
      store.passkeysOf(db, session.userId),
    ]);
    if (passkeys.length >= passkeysMax) throw refused("too_many");
    return {
      challenge: await this.#challenge("newPasskey", `${session.id}:`),
      rp: { name: "Fava", id: this.#site(context).rpId },
      user: { id: handleOf(session.externalId), name: user.user_no, displayName: user.nickname },
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      timeout: passkeyChallengeMs,
      attestation: "none",
      excludeCredentials: passkeys.map(({ id }) => ({ type: "public-key", id })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    };
  }

  /** @throws EndpointError 400 for an answer that does not hold; 406 `too_many`. */
  async add({ session, ...context }: SignedInContext, { answer }: Input<"passkeyAdd">): Promise<void> {
    const { db, clock, log } = this.#options;
    const { userId } = session;
    const { origin, rpId } = this.#site(context);
    const { registrationInfo } = await this.#verified(async ({ verifyRegistrationResponse }) => {
      await requireNoAttestation(answer.response.attestationObject);
      return verifyRegistrationResponse({
        response: answer,
        expectedChallenge: (challenge) => this.#isTaken("newPasskey", `${session.id}:${challenge}`),
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      });
    });
    if (!registrationInfo) throw this.#refusal("attestation does not hold");
    const { id, publicKey, counter } = registrationInfo.credential;
    const isStored = await db.transaction().execute(async (trx) => {
      await lockedUser(trx, userId);
      if ((await store.passkeysOf(trx, userId)).length >= passkeysMax) throw refused("too_many");
      return store.insertPasskey(trx, {
        id,
        user_id: userId,
        public_key: Buffer.from(publicKey),
        sign_count: BigInt(counter),
        ...readUserAgent(context.userAgent),
        created_at: new Date(clock.nowMs()),
        used_at: null,
      });
    });
    if (!isStored) throw this.#refusal("stored already");
    log.info({ userId: String(userId) }, "passkey added");
  }

  async remove(userId: bigint, id: string): Promise<void> {
    await store.deletePasskey(this.#options.db, userId, id);
    this.#options.log.info({ userId: String(userId) }, "passkey removed");
  }

  /** Makes recovery codes in place of the user's earlier ones. Only their hashes are stored. */
  async makeCodes(userId: bigint): Promise<string[]> {
    const { db, clock, random, log } = this.#options;
    const letter = () => codeLetters.charAt(random.integer(0, codeLetters.length - 1));
    const made = Array.from({ length: recoveryCodesMax }, () =>
      Array.from({ length: recoveryCodeLength }, letter).join(""),
    );
    const hashes = made.map((code) => codeHash(userId, code));
    await db.transaction().execute(async (trx) => {
      await lockedUser(trx, userId);
      await store.replaceCodes(trx, userId, { hashes, at: new Date(clock.nowMs()) });
    });
    log.info({ userId: String(userId) }, "recovery codes made");
    return made.map((code) => code.replaceAll(codeGroup, "$&-"));
  }

  async prepareLogin(context: RequestContext): Promise<OutputOf<Endpoints["passkeyLoginPrepare"]>> {
    const { rpId } = this.#site(context);
    const challenge = await this.#challenge("passkeySignIn");
    return { challenge, rpId, timeout: passkeyChallengeMs, userVerification: "required" };
  }

  /** Signs in by a passkey. Throws as `SessionService.login` does. */
  async login({ answer, source, imei }: Input<"passkeyLogin">, context: RequestContext): Promise<SignedIn> {
    const { db, clock } = this.#options;
    const { origin, rpId } = this.#site(context);
    const passkey = await store.passkeyById(db, answer.id);
    if (!passkey) throw this.#refusal("unknown passkey");
    if (answer.response.userHandle !== handleOf(passkey.external_id)) throw this.#refusal("passkey of another user");
    const { id, user_id: userId, public_key: publicKey, sign_count: count } = passkey;
    const { verified, authenticationInfo } = await this.#verified(({ verifyAuthenticationResponse }) =>
      verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: (challenge) => this.#isTaken("passkeySignIn", challenge),
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: { id, publicKey: new Uint8Array(publicKey), counter: Number(count) },
        requireUserVerification: true,
      }),
    );
    if (!verified) throw this.#refusal("wrong signature");
    const use = { count: BigInt(authenticationInfo.newCounter), at: new Date(clock.nowMs()) };
    if (!(await store.passkeyUsed(db, id, use))) throw this.#refusal("passkey was removed, or its counter used");
    return this.#enter({ userId, by: "passkey" }, { source, imei }, context);
  }

  /** Signs in by a recovery code, which ends even if a ban refuses the sign-in. Throws as `SessionService.login` does. */
  async recover({ user_no, code, source, imei }: Input<"recoveryLogin">, context: RequestContext): Promise<SignedIn> {
    const { db } = this.#options;
    const userNo = typedNumber(user_no);
    const user = await db.selectFrom("users").select("id").where("user_no", "=", userNo).executeTakeFirst();
    if (!user || !(await store.takeCode(db, user.id, codeHash(user.id, typedCode(code)))))
      throw this.#refusal("wrong number or recovery code");
    return this.#enter({ userId: user.id, by: "recovery code" }, { source, imei }, context);
  }

  async #enter(proven: ProvenAccount, device: Device, context: RequestContext): Promise<SignedIn> {
    const signedIn = await this.#options.sessions.enterProven(proven, device, context);
    if (!signedIn) throw this.#refusal("account erased");
    return signedIn;
  }

  /** The user agent decides what it answers for, so every fault of the answer is a refusal. */
  async #verified<Result>(verify: (library: WebAuthn) => Promise<Result>): Promise<Result> {
    const library = await webAuthn();
    try {
      return await verify(library);
    } catch (error) {
      if (error instanceof EndpointError || !(error instanceof Error)) throw error;
      throw this.#refusal(error.message);
    }
  }

  /** Tells an attacker nothing (rule SIGNIN-62); the log has the reason. */
  #refusal(reason: string): EndpointError {
    this.#options.log.warn({ reason }, "passkey or recovery code refused");
    return badInput("login failed");
  }

  async #challenge(use: ChallengeUse, prefix = ""): Promise<string> {
    const challenge = randomId(this.#options.random, challengeBytes);
    await this.#options.oneTimeKeys.add(use, prefix + challenge, passkeyChallengeMs);
    return challenge;
  }

  #isTaken(use: ChallengeUse, key: string): Promise<boolean> {
    return this.#options.oneTimeKeys.take(use, key);
  }

  /** @throws EndpointError 400 for a request whose host is no address. */
  #site({ origin: ofRequest = "" }: Pick<RequestContext, "origin">): { origin: string; rpId: string } {
    const origin = this.#options.publicOrigin ?? ofRequest;
    if (!URL.canParse(origin)) throw badInput("the host is no address");
    return { origin, rpId: new URL(origin).hostname };
  }
}

/**
 * A certified attestation would make the library fetch addresses that its certificates name. Browsers send none unless
 * asked; some send the one that an authenticator signed itself.
 */
async function requireNoAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isOwn = decoded.get("fmt") === "packed" && decoded.get("attStmt").get("x5c") === undefined;
  if (decoded.get("fmt") !== "none" && !isOwn) throw new Error("unexpected attestation");
}

/** The passkey's user handle: the opaque chat id, which names no person. */
function handleOf(externalId: string): string {
  return Buffer.from(externalId).toString("base64url");
}

/** A recovery code as the user typed it, in its stored spelling. */
function typedCode(text: string): string {
  const letters = foldText(text).replaceAll(/[^\da-z]/g, "");
  return letters.replaceAll("o", "0").replaceAll(/[il]/g, "1");
}

/** With 80 random bits a plain hash cannot be guessed; it outlives a change of the server's secret. */
function codeHash(userId: bigint, code: string): Buffer {
  return createHash("sha256").update(`recovery/v1\0${userId}\0${code}`).digest();
}
