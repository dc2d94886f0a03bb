import { expect, test } from "vitest";
import { createChoiceStore } from "./choice-store.ts";
import { acknowledgeEnd } from "./session.ts";
import { clearForSignOut, readStored, writeStored } from "./storage.ts";

test("[STORE-1] a choice of this device does not outlive the session, whoever signs in next", () => {
  const store = createChoiceStore(() => ({ isOff: readStored("noQuestions") === 1 }));
  writeStored("noQuestions", 1);
  store.setState({ isOff: true });
  clearForSignOut();
  acknowledgeEnd();
  expect(store.getState()).toEqual({ isOff: false });
});
