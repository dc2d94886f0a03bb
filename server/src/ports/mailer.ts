export interface Mail {
  /** `Message-ID` without brackets. The same mail sent twice has the same. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** URL that ends mails of this kind by one POST (RFC 8058); null for mails that cannot be stopped. */
  readonly stopUrl: string | null;
  readonly at: Date;
}

/**
 * `bounced`: the server refuses this mail or its address for good. `failed`: it refuses for now. `unreachable`: it did
 * not answer, refused the sign-in or the sender, so that other mails fail as well.
 */
export type MailOutcome = "sent" | "bounced" | "failed" | "unreachable";

/** Hands mails to a mail server. */
export interface Mailer {
  /** Domain of the sender, for `Message-ID`. */
  readonly domain: string;
  /** Tries once, for at most 45 s. Never rejects. Sends nothing to an invalid address and returns `bounced`. */
  send(mail: Mail): Promise<MailOutcome>;
}
