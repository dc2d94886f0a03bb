import { type ReactNode, useEffect } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { goTo, useAddress } from "#lib/address.ts";
import { call } from "#lib/api/call.ts";
import { prepareCall } from "#lib/api/prepared-call.ts";
import { isReachable } from "#lib/connection.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { casesStore, type DeskPorts } from "./cases.ts";
import { tellDeskFailure } from "./desk-failure.ts";
import { refreshDeskInfo } from "./desk-info.ts";
import { Reports } from "./Reports.tsx";
import { useDeskStore } from "./use-desk-store.ts";

/** A claim that runs out shows within this time. */
const tickMs = 1_000;

const ports: DeskPorts = {
  call,
  prepare: prepareCall,
  tellFailure: tellDeskFailure,
  tellTaken: (person, by) =>
    showToast({ type: "warning", text: t("desk.taken", { person: isolate(person), by: isolate(by) }) }),
  tellDecided: refreshDeskInfo,
};

/** The cases that wait; `?case=` opens one of them. What is pending is sent when the tab or the page is left. */
export function ReportsTab({ user }: { user: OwnUser }): ReactNode {
  const cases = useDeskStore(() => casesStore(user.user_id, ports, isReachable()));
  const { pathname, search } = useAddress();
  const wanted = new URLSearchParams(search).get("case");

  useEffect(() => {
    const ticking = setInterval(() => cases.dispatch({ type: "tick", nowMs: Date.now() }), tickMs);
    return () => clearInterval(ticking);
  }, [cases]);

  useEffect(() => {
    if (wanted === null) return;
    cases.dispatch({ type: "open", id: wanted });
    goTo(pathname, { replace: true });
  }, [cases, wanted, pathname]);

  return <Reports cases={cases} user={user} />;
}
