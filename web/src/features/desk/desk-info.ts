import { useLayoutEffect } from "react";
import { createStore, useStore } from "zustand";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminDesk } from "@fava/wire/endpoints/desk.ts";
import { request } from "#lib/api/request.ts";
import { createChoiceStore } from "#lib/choice-store.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, writeStored } from "#lib/storage.ts";

export type DeskInfo = OutputOf<typeof adminDesk>;

/** The numbers of the tabs are loaded again after this time. */
const deskInfoMs = 30_000;

const info = new RemoteValue<DeskInfo>({ load, staleMs: deskInfoMs });

async function load(): Promise<DeskInfo> {
  const user = currentUser();
  if (!user) throw new Error("nobody is signed in");
  return request(adminDesk, { user_id: user.user_id }, { quiet: true });
}

/** The lengths of the queues, or undefined until they are loaded. */
export function useDeskInfo(): DeskInfo | undefined {
  return useRemote(info);
}

/** The queues whose length a tab shows. */
export type WaitingQueue = "reports" | "avatars" | "photos" | "appeals" | "texts" | "notices";

const listed = createStore<Partial<Record<WaitingQueue, number>>>(() => ({}));

/**
 * While a queue's list is open, its tab shows the list's own number, which excludes decisions that can still be undone;
 * null while the list is loading.
 */
export function useListedWaiting(queue: WaitingQueue, waiting: number | null): void {
  useLayoutEffect(() => {
    if (waiting === null) return undefined;
    listed.setState({ [queue]: waiting });
    return () => listed.setState({ [queue]: undefined });
  }, [queue, waiting]);
}

/** The length of a queue: by its open list, otherwise as the server last reported. */
export function useWaitingIn(queue: WaitingQueue | null): number | undefined {
  const shown = useStore(listed, (lengths) => (queue === null ? undefined : lengths[queue]));
  const known = useDeskInfo();
  return shown ?? (queue === null ? undefined : known?.[queue]);
}

/** Something was decided: loads the numbers again. */
export function refreshDeskInfo(): void {
  info.invalidate();
}

/** How the desk shows images to this moderator; stored in this browser. */
interface DeskSwitches {
  /** Images stay covered until each is uncovered. */
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
