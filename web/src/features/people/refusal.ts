import { createStore, useStore } from "zustand";
import { codes } from "@fava/wire/codes.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import { openOverlay } from "#lib/overlays.ts";

/** The rejection in the dialog. `message` is the server's own text, for a reason without one here. */
interface Refusal {
  readonly reason: string;
  readonly message: string;
}

const store = createStore<Refusal>(() => ({ reason: "", message: "" }));

export function useRefusal(): Refusal {
  return useStore(store);
}

/** Shows a 403 or 406 in a dialog (rule PEOPLE-101); returns false for other failures, which the caller shows. */
export function openRefusal(failure: RequestFailure): boolean {
  if (failure.code !== codes.forbidden && failure.code !== codes.refused) return false;
  if (failure.reason === "age_check") {
    void openOverlay("age-check");
    return true;
  }
  const message = failure.code === codes.refused ? failure.message : "";
  store.setState({ reason: failure.reason, message });
  void openOverlay("refused");
  return true;
}
