import { createStore, type StoreApi } from "zustand";
import { session } from "#lib/session.ts";

/**
 * A store for a choice of this device, which reads the storage again whenever nobody is signed in: sign-out has cleared
 * it, so that the next user does not inherit the choices of the last one.
 *
 * @param read reads the choice from the storage (rule STORE-1)
 */
export function createChoiceStore<Choice extends object>(read: () => Choice): StoreApi<Choice> {
  const store = createStore<Choice>(read);
  session.subscribe(({ status }) => {
    if (status !== "signed-in") store.setState(read());
  });
  return store;
}
