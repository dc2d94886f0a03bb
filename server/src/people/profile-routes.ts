import { badInput } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { ProfileService } from "./profile-service.ts";
import type { TalkService } from "./talk-service.ts";

/** Own data, other people's cards, data reports. */
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
      // Without the filters, as the specification has it, it says only that they were changed.
      if (type !== 3 || (sex === undefined && country === undefined)) return {};
      if (sex === undefined || country === undefined) throw badInput("type 3 reports both sex and country");
      await profiles.saveFilters(context.session, { sex, country });
      return {};
    },
  };
}

/** What people choose to talk in and about. */
export function talkHandlers(talk: TalkService): Pick<Handlers, "talkInfo" | "talkUpdate"> {
  return {
    talkInfo: async ({ session }) => talk.mine(session.userId),
    talkUpdate: async ({ session }, { languages, interests, prefer, leaves_out }) =>
      talk.update(session.userId, { languages, interests, prefer, leaves_out }),
  };
}

/** The caller names themself in many calls; the session decides, and a field that says otherwise is a mistake. */
function requireSelf({ session }: SignedInContext, userId: number, field: string): void {
  if (BigInt(userId) !== session.userId) throw badInput(`${field} is not the caller`, field);
}
