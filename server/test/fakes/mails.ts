import { MailOutbox } from "#db/mail-outbox.ts";
import { ServerSecret } from "#lib/server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import { seededRandom } from "./random.ts";

/** The outbox of a site that sends mails, as its servers share it. */
export function mailOutbox(clock: Clock, { isOn = true }: { isOn?: boolean } = {}): MailOutbox {
  return new MailOutbox({ isOn, clock, random: seededRandom(51), serverSecret: mailSecret });
}

export const mailSecret = new ServerSecret("secret of the mail tests, long enough");
