import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import type { RequestContext, Handlers } from "#ports/handlers.ts";
import { countryName } from "#lib/country-name.ts";
import type { Clock } from "#ports/clock.ts";
import { flagAddress } from "./country-service.ts";
import type { NotificationService } from "./notification-service.ts";
import type { SessionService } from "./session-service.ts";
import type { SignedIn } from "./sign-in.ts";

export function sessionHandlers(
  sessions: SessionService,
  clock: Clock,
  /** Also browsers of sessions that had ended before. */
  notifications: Pick<NotificationService, "removeBrowsersOf">,
): Pick<Handlers, "loginPrepare" | "login" | "accountRestore" | "logout" | "logoutAll"> {
  const loginAnswer = loginAnswers(clock);
  return {
    loginPrepare: async () => ({
      ...(await sessions.prepare()),
      server_time: clock.nowMs(),
      providers: sessions.providers.map(({ loginType, mode, clientId, url }) => ({
        login_type: loginType,
        mode,
        client_id: clientId,
        url,
      })),
    }),
    login: async (context, input) => loginAnswer(await sessions.login(input, context), context),
    accountRestore: async (context, { restore_token, ...device }) =>
      loginAnswer(await sessions.restore(restore_token, device, context), context),
    logout: async ({ session }) => {
      await sessions.logout(session);
      return {};
    },
    logoutAll: async ({ session }) => {
      await sessions.endAllOf(session.userId, "signed_out");
      await notifications.removeBrowsersOf(session.userId);
      return {};
    },
  };
}

/** Makes the response of every way to sign in. */
export function loginAnswers(clock: Clock) {
  return (
    { user, isNew, token, signKey, chatSign }: SignedIn,
    { language }: RequestContext,
  ): OutputOf<Endpoints["login"]> => ({
    user_id: Number(user.id),
    user_no: user.user_no,
    avatar: avatarAddress(user.avatar_key),
    nickname: user.nickname,
    sex: user.sex as 0 | 1 | 2,
    country_id: user.country_id,
    country_name: countryName(user.country_id, language),
    country_flag: flagAddress(user.country_id),
    is_register: isNew ? 1 : 0,
    token,
    sign_key: signKey.toString("base64url"),
    tencent_id: user.external_id,
    tencent_sign: chatSign,
    server_time: clock.nowMs(),
  });
}
