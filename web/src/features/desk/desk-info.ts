import { useStore } from "zustand";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminDesk } from "@fava/wire/endpoints/desk.ts";
import { request } from "#lib/api/request.ts";
import { createChoiceStore } from "#lib/choice-store.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";

export type DeskInfo = OutputOf<typeof adminDesk>;

/** The numbers of the tabs are read again after this long. */
const deskInfoMs = 30_000;

const info = new RemoteValue<DeskInfo>({ load, staleMs: deskInfoMs });

async function load(): Promise<DeskInfo> {
  const user = currentUser();
  if (!user) throw new Error("nobody is signed in");
  return request(adminDesk, { user_id: user.user_id }, { quiet: true });
}

/** What waits in each queue, or undefined until it is known. */
export function useDeskInfo(): DeskInfo | undefined {
  return useRemote(info);
}

/** Something was decided: the numbers are read again. */
export function refreshDeskInfo(): void {
  info.invalidate();
}

/** How pictures are shown to this moderator; kept in this browser (rule DESK-114). */
interface DeskSwitches {
  /** Pictures stay covered until asked for, each by itself. */
  readonly blur: boolean;
  readonly grey: boolean;
}

const store = createChoiceStore<DeskSwitches>(() => ({
  blur: readStored("deskBlur") !== 0,
  grey: readStored("deskGrey") !== 0,
}));

export function useDeskSwitches(): DeskSwitches {
  return useStore(store);
}

export function toggleBlur(): void {
  const blur = !store.getState().blur;
  store.setState({ blur });
  writeStored("deskBlur", blur ? 1 : 0);
}

export function toggleGrey(): void {
  const grey = !store.getState().grey;
  store.setState({ grey });
  writeStored("deskGrey", grey ? 1 : 0);
}
