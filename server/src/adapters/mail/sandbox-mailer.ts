import type { FastifyInstance } from "fastify";
import { pageHtml, sendPage, serveSandbox } from "#adapters/sandbox-pages.ts";
import { escapeHtml } from "#lib/escape-html.ts";
import { mailAddress } from "#lib/mail-address.ts";
import type { Mail, Mailer, MailOutcome } from "#ports/mailer.ts";

const keptMax = 100;

/** Keeps mails in memory instead of sending them. */
export class SandboxMailer implements Mailer {
  readonly domain = "fava.example";
  readonly #kept: Mail[] = [];

  /** Newest first. */
  get kept(): readonly Mail[] {
    return this.#kept;
  }

  async send(mail: Mail): Promise<MailOutcome> {
    const to = mailAddress(mail.to);
    if (to === null) return "bounced";
    this.#kept.unshift({ ...mail, to });
    this.#kept.length = Math.min(this.#kept.length, keptMax);
    return "sent";
  }
}

export async function sandboxMailRoutes(app: FastifyInstance, sandbox: SandboxMailer): Promise<void> {
  await serveSandbox(app, {
    bodyBytesMax: 1_024,
    allowRemote: false,
    allowForwarded: false,
    files: { "/sandbox/mail/mail.css": new URL("../push/sandbox-push.css", import.meta.url) },
    routes(scope) {
      scope.get("/sandbox/mail", (_request, reply) => sendPage(reply, 200, keptPage(sandbox.kept)));
      scope.get("/sandbox/mail/messages", (_request, reply) => reply.send(sandbox.kept));
    },
  });
}

function keptPage(kept: readonly Mail[]): string {
  const mails = kept.map(({ at, to, subject, text, stopUrl }) =>
    [
      `<h2>${escapeHtml(subject)}</h2><p>${escapeHtml(`To ${to}, ${at.toISOString()}`)}</p><pre>${linked(text)}</pre>`,
      stopUrl === null ? "" : `<p>Stop: ${linked(stopUrl)}</p>`,
    ].join(""),
  );
  return pageHtml({
    title: "Sandbox mailbox",
    tape: { mark: "Test page.", detail: "Mails that the site would send. Nothing leaves this machine." },
    style: "/sandbox/mail/mail.css",
    content: ["<main>", "<h1>Mails</h1>", ...(mails.length > 0 ? mails : ["<p>None so far.</p>"]), "</main>"],
  });
}

/** Links of the own site, which are paths where the site has no fixed origin. */
function linked(text: string): string {
  return escapeHtml(text).replaceAll(
    /(?:https?:\/\/[^\s&]+)?\/(?:api|notice|appeal)[^\s]*/g,
    (address) => `<a href="${address}">${address}</a>`,
  );
}
