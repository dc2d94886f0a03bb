import type { ReactNode } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { CaseEvent } from "./case-machine.ts";
import type { CasesState } from "./case-state.ts";
import { CaseView } from "./CaseView.tsx";
import styles from "./CasePane.module.css";

/** The middle of the desk: the opened case, or what stands there while there is none. */
export function CasePane(props: {
  state: CasesState;
  dispatch: (event: CaseEvent) => void;
  user: OwnUser;
  onKeys: () => void;
}): ReactNode {
  const t = useT();
  const { state, dispatch } = props;
  const { open } = state;
  if (!open)
    return (
      <div className={styles.empty}>
        {state.queue.rows.length > 0 && <p>{t("desk.case.choose")}</p>}
        <Button size="small" onClick={props.onKeys}>
          {t("desk.keys")}
        </Button>
      </div>
    );
  if (open.phase !== "ready")
    return open.phase === "failed" ? (
      <div className={styles.empty}>
        <p>{t("desk.case.failed")}</p>
        <Button size="small" onClick={() => dispatch({ type: "open", id: open.id })}>
          {t("desk.again")}
        </Button>
      </div>
    ) : (
      <CaseSkeleton />
    );
  return (
    <CaseView
      detail={open.detail}
      lostTo={open.lostTo}
      isRestricted={state.box === "restricted"}
      userId={props.user.user_id}
      onClaim={() => dispatch({ type: "claim" })}
      onClose={() => dispatch({ type: "close" })}
    />
  );
}

function CaseSkeleton(): ReactNode {
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height="40px" width="60%" />
      <div className={styles.frames}>
        <Skeleton height="100%" />
        <Skeleton height="100%" />
      </div>
      <Skeleton height="160px" />
    </div>
  );
}
