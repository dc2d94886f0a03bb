import type { Handlers } from "#ports/handlers.ts";
import type { MailAddresses } from "./mail-addresses.ts";
import type { MailSender } from "./mail-sender.ts";

export function mailHandlers(
  addresses: Pick<MailAddresses, "info" | "update">,
  sender: Pick<MailSender, "sendTest">,
): Pick<Handlers, "adminMailTest" | "mailInfo" | "mailUpdate"> {
  return {
    adminMailTest: async ({ session }) => ({ outcome: await sender.sendTest(session.userId) }),
    mailInfo: ({ session }) => addresses.info(session.userId),
    mailUpdate: ({ session }, { email, kinds }) =>
      addresses.update(session.userId, { ...(email !== undefined && { email }), ...(kinds && { kinds }) }),
  };
}
