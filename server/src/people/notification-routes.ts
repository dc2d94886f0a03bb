import { badInput } from "#lib/errors.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { MatchSubscriptions } from "./match-subscriptions.ts";
import type { NotificationService } from "./notification-service.ts";

export function notificationHandlers(
  notifications: Pick<NotificationService, "info" | "add" | "remove">,
): Pick<Handlers, "pushInfo" | "pushAdd" | "pushDel"> {
  return {
    pushInfo: async ({ session }, { endpoint }) => notifications.info(session.userId, endpoint),
    pushAdd: async ({ session }, { endpoint, p256dh, auth, kinds, names, quiet, offset_min }) =>
      notifications.add(session, { endpoint, p256dh, auth }, { kinds, names, quiet, offset_min }),
    pushDel: async ({ session }, { endpoint }) => {
      await notifications.remove(session.userId, endpoint);
      return {};
    },
  };
}

export function matchSubscriptionHandlers(
  subscriptions: Pick<MatchSubscriptions, "update" | "current">,
): Pick<Handlers, "matchSubscription" | "matchSubscriptionInfo"> {
  return {
    matchSubscriptionInfo: async ({ session }) => ({ wish: await subscriptions.current(session.userId) }),
    matchSubscription: async ({ session: { userId } }, { user_id, sex, country, on }) => {
      if (BigInt(user_id) !== userId) throw badInput("user_id is not the caller", "user_id");
      return { until: await subscriptions.update(userId, { sex, country, on: on === 1 }) };
    },
  };
}
