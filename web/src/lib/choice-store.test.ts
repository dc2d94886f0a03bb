import { expect, test } from "vitest";
import { createChoiceStore } from "./choice-store.ts";
import { acknowledgeEnd } from "./session.ts";
import { clearForSignOut, readStored, writeStored } from "./storage.ts";

test("[STORE-1] resets a choice of this device when the session ends, for the next user", () => {
  const store = createChoiceStore(() => ({ isOff: readStored("noQuestions") === 1 }));
  writeStored("noQuestions", 1);
  store.setState({ isOff: true });
  clearForSignOut();
  acknowledgeEnd();
  expect(store.getState()).toEqual({ isOff: false });
});
