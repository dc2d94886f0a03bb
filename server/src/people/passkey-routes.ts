import type { Clock } from "#ports/clock.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { PasskeyService } from "./passkey-service.ts";
import { loginAnswers } from "./session-routes.ts";

export function passkeyHandlers(
  passkeys: PasskeyService,
  clock: Clock,
): Pick<
  Handlers,
  | "passkeyInfo"
  | "passkeyPrepare"
  | "passkeyAdd"
  | "passkeyDel"
  | "recoveryCodes"
  | "passkeyLoginPrepare"
  | "passkeyLogin"
  | "recoveryLogin"
> {
  const loginAnswer = loginAnswers(clock);
  return {
    passkeyInfo: ({ session }) => passkeys.info(session.userId),
    passkeyPrepare: (context) => passkeys.prepare(context),
    passkeyAdd: async (context, input) => {
      await passkeys.add(context, input);
      return {};
    },
    passkeyDel: async ({ session }, { id }) => {
      await passkeys.remove(session.userId, id);
      return {};
    },
    recoveryCodes: async ({ session }) => ({ codes: await passkeys.makeCodes(session.userId) }),
    passkeyLoginPrepare: (context) => passkeys.prepareLogin(context),
    passkeyLogin: async (context, input) => loginAnswer(await passkeys.login(input, context), context),
    recoveryLogin: async (context, input) => loginAnswer(await passkeys.recover(input, context), context),
  };
}
