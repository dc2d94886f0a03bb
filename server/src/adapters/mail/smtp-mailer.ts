import { createTransport, type SendMailOptions } from "nodemailer";
import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";
import type { Logger } from "pino";
import { mailAddress } from "#lib/mail-address.ts";
import type { Mail, Mailer, MailOutcome } from "#ports/mailer.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface SmtpMailerOptions {
  server: SmtpServer;
  /** Address of the sender. */
  from: string;
  logger: Pick<Logger, "warn">;
  /** For connecting, and for each reply. */
  answerMs?: number;
  sendMs?: number;
}

const answerMsDefault = 10_000;
const sendMsDefault = 45_000;

/** A mail server over SMTP. Each mail has a connection of its own, so that none is sent twice by a lost one. */
export class SmtpMailer implements Mailer {
  readonly domain: string;
  readonly #options: SmtpMailerOptions;

  constructor(options: SmtpMailerOptions) {
    this.#options = options;
    this.domain = options.from.slice(options.from.lastIndexOf("@") + 1);
  }

  async send(mail: Mail): Promise<MailOutcome> {
    const { from, logger, sendMs = sendMsDefault } = this.#options;
    const to = mailAddress(mail.to);
    if (to === null) return "bounced";
    const transport = createTransport(this.#transportOptions());
    try {
      await transport.sendMail({ ...messageOf(mail, { from, to }), signal: AbortSignal.timeout(sendMs) });
      return "sent";
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === "unreachable") logger.warn({ err: error }, "mail server did not take a mail");
      return outcome;
    } finally {
      transport.close();
    }
  }

  /** Connects and signs in without a mail. @throws the error of the mail server or the connection. */
  async check(): Promise<void> {
    const transport = createTransport(this.#transportOptions());
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
  }

  #transportOptions(): SMTPTransportOptions {
    const { server, answerMs = answerMsDefault } = this.#options;
    const { host, port, isTls, login, isLocal } = server;
    return {
      host,
      port,
      secure: isTls,
      // Only a mail server of the own network may do without TLS, or with a certificate of its own.
      requireTLS: !isLocal,
      tls: { rejectUnauthorized: !isLocal },
      ...(login && { auth: login }),
      connectionTimeout: answerMs,
      greetingTimeout: answerMs,
      socketTimeout: answerMs,
      dnsTimeout: answerMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }
}

function messageOf(mail: Mail, { from, to }: { from: string; to: string }): SendMailOptions {
  const { id, subject, text, html, stopUrl, at } = mail;
  return {
    messageId: `<${id}>`,
    from: { name: "Fava", address: from },
    to: { name: "", address: to },
    envelope: { from, to: [to] },
    subject,
    date: at,
    text,
    html,
    xMailer: false,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(stopUrl !== null && {
        "List-Unsubscribe": { prepared: true, foldLines: false, value: `<${stopUrl}>` },
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}

/** Commands whose refusal is about this mail or its address. A refused `MAIL FROM` is about the sender. */
const aboutMail: ReadonlySet<unknown> = new Set(["RCPT TO", "DATA"]);

function outcomeOf(error: unknown): MailOutcome {
  const { responseCode: code = 0, command } = error as { responseCode?: number; command?: unknown };
  if (code < 400 || !aboutMail.has(command)) return "unreachable";
  return code >= 500 ? "bounced" : "failed";
}
