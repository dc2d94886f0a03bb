import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { AuthorityService } from "./authority-service.ts";
import type { Viewer } from "./ban-policy.ts";
import type { NoticeService } from "./notice-service.ts";

type NoticeCalls =
  | "noticeAdd"
  | "noticeStatus"
  | "noticeAnswer"
  | "adminNoticeList"
  | "adminNotice"
  | "adminNoticeOperate";

export function noticeHandlers(notices: NoticeService): Pick<Handlers, NoticeCalls> {
  return {
    noticeAdd: ({ ip, language }, { kind, text, account, name, seen, picture, hash, signature, email }) =>
      notices.add({ kind, text, account, name, seen, picture, hash, signature, email }, { ip, language }),
    noticeStatus: (_context, { token }) => notices.status(token),
    noticeAnswer: (_context, { token, text }) => notices.answer(token, text),
    adminNoticeList: (context) => notices.list(viewerOf(context)),
    adminNotice: (context, { id }) => notices.info(viewerOf(context), id),
    adminNoticeOperate: async (context, { id, operation, pictures, text }) => {
      await notices.operate(viewerOf(context), id, { operation, pictures, text });
      return {};
    },
  };
}

type AuthorityCalls = "adminAuthorityList" | "adminAuthorityAdd" | "adminAuthorityHold" | "adminAuthorityClose";

export function authorityHandlers(authorities: AuthorityService): Pick<Handlers, AuthorityCalls> {
  return {
    adminAuthorityList: ({ session }) => authorities.list(session.userId),
    adminAuthorityAdd: async ({ session }, { authority, country, kind, basis, received, due, account, hold }) => ({
      id: await authorities.add(session.userId, { authority, country, kind, basis, received, due, account, hold }),
    }),
    adminAuthorityHold: async ({ session }, { id, on }) => ({
      hold_until: await authorities.hold(session.userId, id, on === 1),
    }),
    adminAuthorityClose: async ({ session }, { id, outcome }) => ({
      state: await authorities.close(session.userId, id, outcome),
    }),
  };
}

function viewerOf({ session }: SignedInContext): Viewer {
  return { userId: session.userId, role: session.role };
}
