import { badInput } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { InvitationService } from "./invitation-service.ts";
import type { RingService } from "./ring-service.ts";

export function ringHandlers(
  rings: Pick<RingService, "ring" | "answer" | "cancel" | "mute">,
): Pick<Handlers, "ring" | "ringAnswer" | "ringCancel" | "ringMute"> {
  return {
    ring: async (context, { user_id, other_id, offer = null }) =>
      rings.ring(caller(context, user_id), { otherId: BigInt(other_id), offer }),
    ringAnswer: async (context, { user_id, id, accept }) => ({
      state: await rings.answer(caller(context, user_id), { id, accept: accept === 1 }),
    }),
    ringCancel: async (context, { user_id, id }) => {
      await rings.cancel(caller(context, user_id).userId, id);
      return {};
    },
    ringMute: async (context, { user_id, other_id, on }) => {
      const until = await rings.mute(caller(context, user_id).userId, BigInt(other_id), on === 1);
      return { until: until && until.getTime() };
    },
  };
}

export function invitationHandlers(
  invitations: Pick<InvitationService, "make" | "list" | "takeBack" | "open">,
): Pick<Handlers, "invite" | "inviteList" | "inviteTakeBack" | "inviteOpen"> {
  return {
    invite: async (context, { user_id }) => invitations.make(caller(context, user_id).userId),
    inviteList: async (context, { user_id }) => invitations.list(caller(context, user_id)),
    inviteTakeBack: async (context, { user_id, id }) => {
      await invitations.takeBack(caller(context, user_id).userId, id);
      return {};
    },
    inviteOpen: async (context, { user_id, token }) => invitations.open(caller(context, user_id), token),
  };
}

function caller({ session, language }: SignedInContext, userId: number) {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return { userId: session.userId, language };
}
