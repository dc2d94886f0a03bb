import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";

const flags = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

/** What an attack or a fault changes in an answer. */
interface Change {
  /** Origin of the page that asks. */
  origin?: string;
  isVerified?: boolean;
  userHandle?: string;
}

/** An authenticator with one discoverable key (ES256), which really signs; and the browser around it. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  #key: KeyObject | null = null;
  #id = "";
  #userHandle = "";
  #rpId = "";
  /** The last signature counter. A clone of the authenticator continues from its own. */
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(
    options: OutputOf<Endpoints["passkeyPrepare"]>,
    change: Change = {},
  ): ParsedInputOf<Endpoints["passkeyAdd"]>["answer"] {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    const rawId = randomBytes(32);
    this.#id = rawId.toString("base64url");
    this.#userHandle = options.user.id;
    this.#rpId = options.rp.id;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(rawId.length);
    const authData = Buffer.concat([this.#data(change, flags.attested), Buffer.alloc(16), length, rawId, cose]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", new Uint8Array(authData)],
    ]);
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url");
    const clientDataJSON = this.#clientData("webauthn.create", options.challenge, change).toString("base64url");
    return { ...this.#credential(), response: { clientDataJSON, attestationObject } };
  }

  sign(
    options: OutputOf<Endpoints["passkeyLoginPrepare"]>,
    change: Change = {},
  ): ParsedInputOf<Endpoints["passkeyLogin"]>["answer"] {
    if (!this.#key) throw new Error("the authenticator has no passkey");
    this.counter += 1;
    const data = this.#data(change);
    const clientData = this.#clientData("webauthn.get", options.challenge, change);
    const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, this.#key).toString("base64url"),
        userHandle: change.userHandle ?? this.#userHandle,
      },
    };
  }

  #credential() {
    return { id: this.#id, rawId: this.#id, type: "public-key", clientExtensionResults: {} } as const;
  }

  #data({ isVerified = true }: Change, more = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flag = flags.present | (isVerified ? flags.verified : 0) | more;
    return Buffer.concat([createHash("sha256").update(this.#rpId).digest(), Buffer.from([flag]), counter]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Change): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}
