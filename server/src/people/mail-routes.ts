import type { Handlers } from "#ports/handlers.ts";
import type { MailAddresses } from "./mail-addresses.ts";

export function mailHandlers(
  addresses: Pick<MailAddresses, "info" | "update">,
): Pick<Handlers, "mailInfo" | "mailUpdate"> {
  return {
    mailInfo: ({ session }) => addresses.info(session.userId),
    mailUpdate: ({ session }, { email, kinds }) =>
      addresses.update(session.userId, { ...(email !== undefined && { email }), ...(kinds && { kinds }) }),
  };
}
