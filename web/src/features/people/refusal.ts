import { createStore, useStore } from "zustand";
import { codes } from "@fava/wire/codes.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import { openOverlay } from "#lib/overlays.ts";

/** Why the server refused something, as the dialog tells it. `message` is the server's own, for a reason without a text. */
interface Refusal {
  readonly reason: string;
  readonly message: string;
}

const store = createStore<Refusal>(() => ({ reason: "", message: "" }));

export function useRefusal(): Refusal {
  return useStore(store);
}

/** Tells a 403 or 406 in a dialog (rule PEOPLE-101); false for every other failure, which the caller tells. */
export function openRefusal(failure: RequestFailure): boolean {
  if (failure.code !== codes.forbidden && failure.code !== codes.refused) return false;
  const message = failure.code === codes.refused ? failure.message : "";
  store.setState({ reason: failure.reason, message });
  void openOverlay("refused");
  return true;
}
