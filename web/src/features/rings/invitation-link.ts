import { createStore, useStore } from "zustand";
import { identifierLengthMax } from "@fava/wire/limits.ts";
import { openOverlay } from "#lib/overlays.ts";

const tokenPattern = new RegExp(`^#([\\w-]{1,${identifierLengthMax}})$`);

/** The token of the link that this page was opened with. */
const store = createStore<{ readonly token: string }>(() => ({ token: "" }));

export function useInvitationToken(): string {
  return useStore(store, ({ token }) => token);
}

/** The address of a link. The token is in the fragment, which browsers do not send to servers. */
export function invitationAddress(token: string): string {
  return `${location.origin}/?open=invite#${token}`;
}

/** Opens the dialog of an invitation; `hash` is the fragment of its address. */
export function openInvitation(hash: string): void {
  const [, token] = tokenPattern.exec(hash) ?? [];
  if (token === undefined) return;
  store.setState({ token });
  void openOverlay("invitation");
}
