import type { MatchFilters } from "@fava/wire/beans.ts";
import { changedPrice } from "#features/beans/prices.ts";
import type { CallRuntime } from "#features/call/machine/call-runtime.ts";
import type * as ensureMediaModule from "#features/device/ensure-media.ts";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { areRulesRead } from "#features/match/safety-rules.ts";
import type { MeetPerson } from "#features/people/rematch.ts";
import { formatBeans } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { missingCallSupport } from "#lib/media/call-support.ts";
import { openOverlay } from "#lib/overlays.ts";
import { currentUser, session } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import { loadOnce } from "./load-once.ts";

/** Loads the modules of camera and call, at the first sign-in or the first press on Start. */
interface StartParts {
  readonly device: () => Promise<Pick<typeof ensureMediaModule, "ensureMedia" | "tipWhenMissing">>;
  readonly call: () => Promise<{ callRuntime: Pick<CallRuntime, "expectStart" | "startCall"> }>;
}

export class StartSteps {
  readonly #loadDevice: StartParts["device"];
  readonly #loadCall: StartParts["call"];

  constructor({ device, call }: StartParts) {
    this.#loadDevice = loadOnce(device);
    this.#loadCall = loadOnce(call);
  }

  /** Runs the steps of Start (`startFlow`); stops once `isOver` returns true. @throws ChunkLoadError */
  async take(meet: MeetPerson | undefined, isOver: () => boolean): Promise<void> {
    // Ask nothing of a user whose browser cannot have calls.
    if (missingCallSupport()) return void (await openOverlay("device-tips"));
    if (!(await this.signIn()) || !(await this.completeProfile())) return;
    const [{ ensureMedia }, { callRuntime }] = await this.loadParts();
    const opened = ensureMedia();
    callRuntime.expectStart(wishOf(meet));
    // The session may end at any step, which closes the open dialog.
    if (!(await opened) || !currentUser() || isOver()) return;
    if (!areRulesRead(Date.now()) && (await openOverlay("rules")) !== "done") return;
    if (!meet && (await tellChangedPrice())) return;
    if (isOver()) return;
    await callRuntime.startCall(wishOf(meet));
  }

  /** Asks a visitor to sign in. Resolves to whether a user is signed in and loaded. */
  async signIn(): Promise<boolean> {
    if (currentUser()) return true;
    if (session.getState().status === "anonymous" && (await openOverlay("login")) !== "done") return false;
    return untilSignedIn();
  }

  /** Loads camera and call. @throws ChunkLoadError */
  loadParts() {
    return Promise.all([this.#loadDevice(), this.#loadCall()]);
  }

  /** Asks for birthday and gender if they are missing; resolves to false if they cannot be given today. */
  async completeProfile(): Promise<boolean> {
    const user = currentUser();
    if (!user) return false;
    if (user.age_try_again !== null && user.birthday === "") {
      await openOverlay("age-restriction");
      return false;
    }
    if (!user.profile_complete) {
      if ((await openOverlay("complete-profile")) !== "done") return false;
      await (await this.#loadDevice()).tipWhenMissing();
    }
    return currentUser()?.profile_complete ?? false;
  }
}

export const startSteps = new StartSteps({
  device: () => import("#features/device/ensure-media.ts"),
  call: () => import("#app/call-runtime.ts"),
});

function wishOf(meet: MeetPerson | undefined): MatchFilters & { meet?: MeetPerson } {
  return meet ? { ...currentMatchFilters(), meet } : currentMatchFilters();
}

/**
 * Shows a toast with the current price of the filters if it differs from the one that the page has shown; resolves to
 * whether it did.
 */
async function tellChangedPrice(): Promise<boolean> {
  const price = await changedPrice(currentMatchFilters());
  if (!price) return false;
  showToast({ type: "warning", text: t("price.changed", { price: formatBeans(price) }) });
  return true;
}

/** The login dialog closes when the session is stored; the user is loaded a moment later. */
function untilSignedIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = () => {
      const { status } = session.getState();
      if (status === "signing-in" || status === "restoring") return;
      stop();
      resolve(status === "signed-in");
    };
    const stop = session.subscribe(settle);
    settle();
  });
}
