import type { Handlers } from "#ports/handlers.ts";
import type { AccountService } from "./account-service.ts";
import type { ExportService } from "./export-service.ts";

export function accountHandlers(parts: {
  accounts: AccountService;
  exports: ExportService;
}): Pick<Handlers, "accountInfo" | "accountDel" | "userExport"> {
  const { accounts, exports } = parts;
  return {
    accountInfo: ({ session, language }) => accounts.info(session, language),
    accountDel: async ({ session }, { user_no }) => ({ until: await accounts.delete(session, user_no) }),
    userExport: ({ session, language }, { begin }) =>
      begin === 1 ? exports.begin(session, language) : exports.status(session),
  };
}
