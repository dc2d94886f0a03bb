import { createStore, useStore } from "zustand";
import { readStored, writeStored } from "#lib/storage.ts";

/** How pictures are shown to this moderator; kept in this browser (rule DESK-114). */
interface DeskSwitches {
  /** Pictures stay covered until asked for, each by itself. */
  readonly blur: boolean;
  readonly grey: boolean;
}

const store = createStore<DeskSwitches>(() => ({
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
