import { type MailKind, mailKinds } from "@fava/wire/mails.ts";
import type { ServerSecret } from "#lib/server-secret.ts";

const tokenShape =
  /^(?<purpose>confirm|stop)\.(?<userId>\d{1,18})\.(?<atMs>\d{1,15})\.(?<kind>\d{1,2})\.(?<mac>[\w-]{43})$/;

interface MailToken {
  readonly userId: bigint;
  readonly atMs: number;
}

/** Tokens in links of mails, which act without a sign-in. */
export class MailTokens {
  readonly #secret: ServerSecret;

  constructor(serverSecret: ServerSecret) {
    this.#secret = serverSecret;
  }

  /** @param atMs when the link was made; the newest one of the user is valid. */
  confirm({ userId, atMs }: MailToken): string {
    return this.#made(`confirm.${userId}.${atMs}.0`);
  }

  /** @param atMs when the user confirmed the address of the mail. */
  stop({ userId, atMs, kind }: MailToken & { kind: MailKind }): string {
    return this.#made(`stop.${userId}.${atMs}.${mailKinds.indexOf(kind)}`);
  }

  confirmed(token: string): MailToken | null {
    return this.#read(token, "confirm");
  }

  stopped(token: string): (MailToken & { kind: MailKind }) | null {
    const read = this.#read(token, "stop");
    const kind = read && mailKinds[read.kind];
    return read && kind ? { ...read, kind } : null;
  }

  #made(facts: string): string {
    return `${facts}.${this.#secret.mac(macText(facts)).toString("base64url")}`;
  }

  #read(token: string, purpose: "confirm" | "stop"): (MailToken & { kind: number }) | null {
    const parts = tokenShape.exec(token)?.groups;
    if (!parts || parts["purpose"] !== purpose) return null;
    const { userId = "", atMs = "", kind = "", mac = "" } = parts;
    const facts = `${purpose}.${userId}.${atMs}.${kind}`;
    if (!this.#secret.isMacOf(macText(facts), Buffer.from(mac, "base64url"))) return null;
    return { userId: BigInt(userId), atMs: Number(atMs), kind: Number(kind) };
  }
}

function macText(facts: string): string {
  return `mail-token/v1\0${facts}`;
}
