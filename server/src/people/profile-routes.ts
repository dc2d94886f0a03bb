import { badInput } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { ProfileService } from "./profile-service.ts";
import type { TalkService } from "./talk-service.ts";

export function profileHandlers(
  profiles: ProfileService,
): Pick<Handlers, "myInfo" | "userInfo" | "userUpdate" | "getUserId" | "active"> {
  return {
    myInfo: async (context, input) => {
      requireSelf(context, input.user_id, "user_id");
      return profiles.mine(context.session, context.language);
    },
    userInfo: async (context, input) => {
      requireSelf(context, input.userId, "userId");
      return profiles.card(context.session, BigInt(input.otherId), context.language);
    },
    userUpdate: async (context, input) => {
      requireSelf(context, input.user_id, "user_id");
      await profiles.update(context.session, input);
      return profiles.mine(context.session, context.language);
    },
    getUserId: async ({ session }, input) => Number(await profiles.userIdOf(session, input.externalId)),
    active: async (context, input) => {
      requireSelf(context, input.user_id, "user_id");
      const { type, sex, country } = input;
      // Without filters, the specification lets this request only report a change.
      if (type !== 3 || (sex === undefined && country === undefined)) return {};
      if (sex === undefined || country === undefined) throw badInput("type 3 reports both sex and country");
      await profiles.saveFilters(context.session, { sex, country });
      return {};
    },
  };
}

export function talkHandlers(talk: TalkService): Pick<Handlers, "talkInfo" | "talkUpdate"> {
  return {
    talkInfo: async ({ session }) => talk.mine(session.userId),
    talkUpdate: async ({ session }, { languages, interests, prefer, leaves_out }) =>
      talk.update(session.userId, { languages, interests, prefer, leaves_out }),
  };
}

function requireSelf({ session }: SignedInContext, userId: number, field: string): void {
  if (BigInt(userId) !== session.userId) throw badInput(`${field} is not the caller`, field);
}
