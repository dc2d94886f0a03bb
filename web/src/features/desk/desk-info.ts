import { adminDesk } from "@fava/wire/endpoints/desk.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { call } from "#lib/api/call.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";
import { currentUser } from "#lib/session.ts";

export type DeskInfo = OutputOf<typeof adminDesk>;

/** The numbers of the tabs are read again after this long. */
const deskInfoMs = 30_000;

const info = new RemoteValue<DeskInfo>({ load, staleMs: deskInfoMs });

async function load(): Promise<DeskInfo> {
  const user = currentUser();
  if (!user) throw new Error("nobody is signed in");
  return call(adminDesk, { user_id: user.user_id }, { quiet: true });
}

/** What waits in each queue, or undefined until it is known. */
export function useDeskInfo(): DeskInfo | undefined {
  return useRemote(info);
}

/** Something was decided: the numbers are read again. */
export function refreshDeskInfo(): void {
  info.invalidate();
}
