import { createStore, type StoreApi } from "zustand";
import { session } from "#lib/session.ts";

/**
 * Holds what somebody chose on this device, and reads it anew whenever nobody is signed in: the storage is cleared by then,
 * and whoever signs in next does not find the choices of whoever signed out (rule STORE-1).
 *
 * @param read from the storage.
 */
export function createChoiceStore<Choice extends object>(read: () => Choice): StoreApi<Choice> {
  const store = createStore<Choice>(read);
  session.subscribe(({ status }) => {
    if (status !== "signed-in") store.setState(read());
  });
  return store;
}
