import { countryBalanced } from "@fava/wire/beans.ts";
import { type ReactNode, useDeferredValue, useEffect } from "react";
import { callRuntime } from "#app/call-runtime.ts";
import { ringFlow } from "#app/ring-flow.ts";
import { readyStart, startFlow } from "#app/start-flow.ts";
import { startSteps } from "#app/start-steps.ts";
import { type CallNotice, isMeeting } from "#features/call/machine/call-state.ts";
import { callStore, useCallState } from "#features/call/machine/call-store.ts";
import { CallRuntimeContext } from "#features/call/machine/runtime-context.ts";
import { usePanic } from "#features/call/panic/panic.ts";
import { showCallGone } from "#features/call/return/return-offer.ts";
import { CallScreen } from "#features/call/screens/CallScreen.tsx";
import { saveAndReport } from "#features/match/report-filters.ts";
import { startMessages } from "#features/messages/messages.ts";
import { startRematchNotices } from "#features/people/rematch-notices.ts";
import { onMeetingStart } from "#features/people/rematch.ts";
import { onFriendCalled } from "#features/rings/friend.ts";
import { onRingAccepted, startRings, useIncomingRing } from "#features/rings/incoming-rings.ts";
import { startInvitations } from "#features/rings/invitations.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { checkDevices } from "#lib/media/local-media.ts";
import { closeAllOverlays, openOverlay, type OverlayName } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";

/** The call over the page, and the notice when one ended by itself. */
export function CallLayer(): ReactNode {
  const call = useCallState();
  const notice = call.status === "idle" ? call.notice : null;
  useEffect(() => void readyStart(), []);
  useEffect(() => {
    const owner = new AbortController();
    callRuntime.follow(owner.signal);
    startRematchNotices(owner.signal, (other) => isMeeting(callStore.getState().call, other));
    startRings(owner.signal);
    startInvitations(owner.signal);
    const stops = [
      onMeetingStart((person) => begin(() => startFlow(person))),
      onFriendCalled((friend) => begin(() => ringFlow.ring(friend))),
      onRingAccepted((ring) => begin(() => ringFlow.take(ring), "ring")),
    ];
    owner.signal.addEventListener("abort", () => stops.forEach((stop) => stop()));
    return () => owner.abort();
  }, []);
  const ring = useIncomingRing();
  useEffect(() => {
    if (ring) ringFlow.readyTake();
  }, [ring]);
  const userId = useUser()?.user_id;
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    startMessages(userId, owner.signal);
    return () => owner.abort();
  }, [userId]);
  const isBusy = usePanic().step !== "none" || call.status !== "idle";
  // Rendered as deferred work together with the call screen, which takes long to render; undone at once.
  const covered = useDeferredValue(isBusy) && isBusy;
  useEffect(() => {
    // The page below a call is inert for keys and screen readers.
    const page = document.getElementById("page");
    if (!covered || !page) return undefined;
    const opener = document.activeElement;
    page.inert = true;
    const { dataset } = document.documentElement;
    dataset["underCall"] = "";
    return () => {
      page.inert = false;
      delete dataset["underCall"];
      if (document.activeElement === document.body) giveFocusBack(page, opener);
    };
  }, [covered]);
  // React never renders a search that the server refuses at once. Its number (`attempt`) tells its notice from the
  // previous one, which may be equal.
  useEffect(() => {
    if (notice) void tell(notice);
  }, [notice, call.attempt]);
  return (
    <CallRuntimeContext value={callRuntime}>
      <CallScreen />
    </CallRuntimeContext>
  );
}

/** Closes the open dialogs, except for one that leads to the call. */
function begin(flow: () => Promise<void>, kept?: OverlayName): void {
  closeAllOverlays(kept);
  void flow();
}

/**
 * Returns the focus to the element that had it before the call; to the page's main content if that element was in a
 * dialog, which is gone.
 */
function giveFocusBack(page: HTMLElement, opener: Element | null): void {
  if (opener instanceof HTMLElement && page.contains(opener)) return opener.focus({ preventScroll: true });
  const main = page.querySelector("main");
  if (!main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

/** Shows why a search or call ended by itself. */
async function tell(notice: CallNotice): Promise<void> {
  if (typeof notice === "object" && notice.why === "paused") return void (await openOverlay("paused"));
  if (typeof notice === "object" && notice.why === "unchecked")
    return (await openOverlay("unchecked")) === "done" ? startFlow() : undefined;
  if (typeof notice === "object" && notice.why === "gone") return showCallGone(notice.nickname);
  if (typeof notice === "object" && notice.why === "not-taken") return void (await openOverlay("not-taken"));
  if (typeof notice === "object" && notice.why === "friend-left")
    return void showToast({ type: "info", text: t("search.left", { name: isolate(notice.nickname) }) });
  if (typeof notice === "object") {
    if ((await openOverlay("ran-out")) !== "done") return;
    saveAndReport({ sex: 0, country: countryBalanced });
    await startFlow();
    return;
  }
  switch (notice) {
    case "no-profiles":
      await openOverlay("no-profiles");
      return;
    case "not-enough-beans":
      // The user chose a free search: continue with it.
      if ((await openOverlay("low-beans")) === "done") await startFlow();
      return;
    case "age-check":
      if ((await openOverlay("age-check")) === "done") await startFlow();
      return;
    case "profile-incomplete":
      await startSteps.completeProfile();
      return;
    case "device-lost":
      showToast({ type: "warning", text: t("notice.deviceLost") });
      if (!(await checkDevices())) await openOverlay("device-tips");
      return;
    case "other-tab":
      showToast({ type: "info", text: t("notice.otherTab") });
      return;
    case "country-refused":
      showToast({ type: "warning", text: t("search.countryRefused") });
      await openOverlay("preferences");
      return;
    case "meet-over":
      showToast({ type: "info", text: t("search.meetOver") });
      return;
    case "closed":
      showToast({ type: "info", text: t("notice.closed") });
  }
}
