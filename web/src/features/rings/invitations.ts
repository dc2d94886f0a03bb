import { createStore, useStore } from "zustand";
import { inviteTakeBack } from "@fava/wire/endpoints/invitations.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { onSocialMessage } from "#features/people/social-messages.ts";
import { smallRequest } from "#lib/api/request.ts";
import { callShown } from "#lib/call-shown.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import { callFriend, type Friend } from "./friend.ts";

/** A user who opened a link of this user, and waits for the call. */
export interface InvitedFriend {
  /** The id of the invitation. */
  readonly id: string;
  readonly friend: Friend;
}

/** Those who wait and whom the user has not answered, the first one first. */
const store = createStore<readonly InvitedFriend[]>(() => []);

export function useInvitedFriend(): InvitedFriend | null {
  return useStore(store, ([first]) => first ?? null);
}

/** Asks the user about everybody who opens one of their links, after a call if one runs. Until `signal` aborts. */
export function startInvitations(signal: AbortSignal): void {
  const stops = [
    onSocialMessage((frame) => {
      if (frame.type !== "social") return;
      const { event } = frame;
      if (event.kind === "invited") add({ id: event.id, friend: event.from });
      else if (event.kind === "invite_over") leaveInvited(event.id);
    }),
    callShown.subscribe(ask),
  ];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    store.setState([], true);
  });
}

/** Confirms: rings the friend, which ends in an ordinary call. */
export function callInvited({ id, friend }: InvitedFriend): void {
  leaveInvited(id);
  callFriend(friend);
}

/** Takes an invitation back, or declines the friend who opened it. Resolves to whether the server did. */
export async function takeInvitationBack(id: string): Promise<boolean> {
  const user = currentUser();
  if (!user) return false;
  try {
    await smallRequest(inviteTakeBack, { user_id: user.user_id, id });
    leaveInvited(id);
    return true;
  } catch (error) {
    tellFailure(error);
    return false;
  }
}

/** Stops asking about this friend; the list of links still shows them. */
export function leaveInvited(id: string): void {
  const left = store.getState().filter((invited) => invited.id !== id);
  if (left.length === store.getState().length) return;
  store.setState(left, true);
  if (left.length === 0) closeOverlay("invited");
}

function add(invited: InvitedFriend): void {
  if (store.getState().some(({ id }) => id === invited.id)) return;
  store.setState([...store.getState(), invited], true);
  if (callShown.getState())
    showToast({ type: "info", text: t("invite.opened", { name: isolate(invited.friend.nickname) }) });
  ask();
}

function ask(): void {
  if (!callShown.getState() && store.getState().length > 0) void openOverlay("invited");
}
