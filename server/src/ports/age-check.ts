/** `estimate`: from a picture of the face. `document`: an identity document. `app`: a digital identity. */
export type AgeMethod = "estimate" | "document" | "app";

export interface AgeCheckRequest {
  /** This site's own id of the check, without any fact about the user. */
  readonly reference: string;
  /** False: offer no estimate, because one has failed. */
  readonly allowsEstimate: boolean;
  /** Where the vendor's page sends the browser at the end; null if this site's address is unknown. */
  readonly returnUrl: string | null;
  /** Where the vendor sends notifications: `/age/webhook/:vendor` of this site; null likewise. */
  readonly notifyUrl: string | null;
}

export interface BegunAgeCheck {
  /** The vendor's page, for a window of its own. */
  readonly url: string;
  readonly vendorRef: string;
  readonly expiresAt: Date;
}

/**
 * `passed`: the person is 18 or older. `failed`: the method did not show that; only a document shows the opposite.
 * `expired`: the check ended without a judgement, or is unknown.
 */
export type AgeResult =
  | { readonly state: "pending"; readonly method: null }
  | { readonly state: "expired"; readonly method: null }
  | { readonly state: "passed" | "failed"; readonly method: AgeMethod };

/** The vendor is unreachable, or its answer is unusable. A later try may succeed. */
export class AgeCheckError extends Error {
  override readonly name = "AgeCheckError";
}

/** A vendor of age checks, which shares no name, picture, document or date of birth. */
export interface AgeCheck {
  /** Identifies the vendor in the database and in the address of its notifications. */
  readonly id: "sandbox" | "yoti";
  /** The vendor's own spelling, for users. */
  readonly name: string;
  /** @throws AgeCheckError */
  begin(request: AgeCheckRequest): Promise<BegunAgeCheck>;
  /** The vendor's judgement, as the only source of a result. @throws AgeCheckError */
  ask(vendorRef: string): Promise<AgeResult>;
  /** The check that a notification is about; null for an unreadable one. Nothing else in it is used. */
  hint(raw: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): string | null;
  /** Ends what the vendor keeps about the check, as far as the vendor allows. Idempotent. @throws AgeCheckError */
  forget(vendorRef: string): Promise<void>;
}
