import type { MailKind } from "@fava/wire/mails.ts";

/** What each mail says, by template. `link`: a path of this site that only the receiver knows. */
export interface MailFacts {
  confirm: { atMs: number };
  appeal: { outcome: "upheld" | "shortened" | "lifted"; answer: string; untilMs: number | null };
  notice: { no: string; outcome: "upheld" | "unfounded"; reason: string; link: string };
  /** `untilMs`: null for a ban without an end. */
  ban: { reasonId: number; untilMs: number | null; by: "software" | "person" };
  deletion: { untilMs: number };
  deletion_last: { untilMs: number };
  age_check: { untilMs: number };
  receipt: { orderNo: string; beans: string; amountMinor: string; currency: string; atMs: number };
  sign_in: { browser: string; system: string; countryId: number | null; atMs: number };
  missed_call: { atMs: number };
  test: { atMs: number };
}

export type MailTemplate = keyof MailFacts;

/** Templates that users choose; the others are always sent where there is an address. */
export function isByChoice(template: MailTemplate): template is MailKind {
  return template === "receipt" || template === "sign_in" || template === "missed_call";
}

/** A mail to be sent. There is at most one for each template and matter. */
export interface NewMail<Template extends MailTemplate = MailTemplate> {
  readonly template: Template;
  /** What the mail is about, such as `appeal:5001`. */
  readonly matter: string;
  readonly facts: MailFacts[Template];
  /** Null: a person without an account. */
  readonly userId: bigint | null;
  /** An address that was given for this matter; otherwise the user's confirmed one. */
  readonly to?: string;
  /** Otherwise the user's language. */
  readonly language?: string;
  /** When to send it; otherwise at once. */
  readonly dueAt?: Date;
}
