import { SmtpMailer } from "@fava/server/adapters/mail/smtp-mailer.ts";
import type { Config } from "@fava/server/config.ts";
import { doubt, fine, type Finding, harm } from "./finding.ts";

/** Connects to the mail server and signs in, without sending a mail. `lost`: hosts whose names are unknown. */
export async function examineMail(
  { mail, settings }: Config,
  { lost, timeoutMs }: { lost: ReadonlySet<string>; timeoutMs: number },
): Promise<readonly Finding[]> {
  if (mail === null) {
    if (settings.mode !== "production") return [];
    return [doubt("Mail: there is no SMTP_URL, so decisions reach users only on the site.")];
  }
  if (lost.has(mail.server.host)) return [];
  const mailer = new SmtpMailer({ ...mail, answerMs: timeoutMs, logger: { warn: () => undefined } });
  try {
    await mailer.check();
    return [fine("Mail: the mail server answers and accepts the sign-in.")];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const advice =
      "code" in Object(error) && (error as { code: unknown }).code === "EAUTH"
        ? "Mend user and password in SMTP_URL."
        : "Mend SMTP_URL, or let this machine reach the mail server.";
    return [harm(`Mail: ${why.replaceAll(/\s+/g, " ")}. ${advice}`)];
  }
}
