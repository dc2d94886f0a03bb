import type { DisposalStack } from "#lib/disposal-stack.ts";
import { NotificationService, type NotificationServiceOptions } from "#people/notification-service.ts";
import type { SessionService } from "#people/session-service.ts";

interface NotificationParts extends Omit<NotificationServiceOptions, "pusher" | "publicOrigin"> {
  config: Pick<NotificationServiceOptions, "publicOrigin">;
  push: Pick<NotificationServiceOptions, "pusher">;
  sessions: SessionService;
  disposal: DisposalStack;
}

/** What people are told while no page of theirs is open. */
export function openNotifications(parts: NotificationParts): NotificationService {
  const { config, push, sessions, disposal } = parts;
  const { pusher } = push;
  const notifications = disposal.use(new NotificationService({ ...parts, pusher, publicOrigin: config.publicOrigin }));
  // Where it ended, and not at every process that hears of it.
  disposal.use(
    sessions.onEnded((ended, where) => where === "here" && notifications.sessionEnded(ended)),
    { name: "ends of sessions" },
  );
  return notifications;
}
