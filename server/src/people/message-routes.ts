import { badInput } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import { fromNewest } from "./conversation-rows.ts";
import type { Caller, MessageService } from "./message-service.ts";

type MessageCalls =
  | "messageSend"
  | "messageList"
  | "messageRead"
  | "messageReact"
  | "conversationList"
  | "conversationAnswer"
  | "chatCheck";

export function messageHandlers(messages: MessageService): Pick<Handlers, MessageCalls> {
  return {
    messageSend: async (context, input) =>
      messages.send(self(context, input.user_id), {
        externalId: input.externalId,
        clientId: input.client_id,
        text: input.text,
      }),
    messageList: async (context, input) =>
      messages.list(self(context, input.user_id), { externalId: input.externalId, before: before(input.cursor) }),
    messageRead: async (context, input) => {
      const upTo = idOf(input.up_to);
      const unread_total = await messages.read(self(context, input.user_id), { externalId: input.externalId, upTo });
      return { unread_total };
    },
    messageReact: async (context, input) => {
      const { externalId, reaction = null } = input;
      await messages.react(self(context, input.user_id), { externalId, messageId: idOf(input.message_id), reaction });
      return {};
    },
    conversationList: async (context, input) =>
      messages.conversations(self(context, input.user_id), { list: input.box, before: before(input.cursor) }),
    conversationAnswer: async (context, input) => {
      const accept = input.accept === 1;
      return {
        conversation: await messages.answer(self(context, input.user_id), { externalId: input.externalId, accept }),
      };
    },
    chatCheck: async (context, input) =>
      messages.check(self(context, input.user_id), { externalId: input.externalId, text: input.text }),
  };
}

function before(cursor: string | undefined): bigint {
  if (cursor === undefined) return fromNewest;
  if (!/^\d{1,19}$/.test(cursor)) throw badInput("invalid cursor", "cursor");
  return idOf(cursor);
}

/** An id as the client sent it. Caps numbers beyond the range of ids; no row has an id that high. */
function idOf(digits: string): bigint {
  const id = BigInt(digits);
  return id < fromNewest ? id : fromNewest;
}

function self({ session, language }: SignedInContext, userId: number): Caller {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return { userId: session.userId, language };
}
