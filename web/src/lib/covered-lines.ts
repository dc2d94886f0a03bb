import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Whether hurtful lines and messages offer "Show". */
const store = createChoiceStore(() => ({ offersShow: readStored("showCovered") !== 0 }));

export function useOffersShow(): boolean {
  return useStore(store, ({ offersShow }) => offersShow);
}

/** Stores the choice on this device. */
export function setOffersShow(offersShow: boolean): void {
  writeStored("showCovered", offersShow ? 1 : 0);
  store.setState({ offersShow });
}
