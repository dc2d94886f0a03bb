import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { type CasesState, type Closed, closedBecause } from "./case-state.ts";
import { useAwayText } from "./use-away-text.ts";
import styles from "./CaseActions.module.css";

const closedTexts: Readonly<Record<Exclude<Closed["because"], "not-open" | "lost" | "offline">, Key>> = {
  second: "desk.closed.second",
  own: "desk.closed.own",
  moderator: "desk.closed.moderator",
  decided: "desk.closed.decided",
  claimed: "desk.closed.claimed",
  first_decider: "desk.closed.first",
  administrators: "desk.closed.administrators",
};

/** The four decisions, all alike; below them why they are off, where they are. */
export function CaseActions(props: {
  state: CasesState;
  onDecide: (operation: 1 | 2 | 3) => void;
  onForbid: () => void;
  onLabel: () => void;
  onKeys: () => void;
}): ReactNode {
  const t = useT();
  const away = useAwayText();
  const closed = closedBecause(props.state);
  const off = closed !== null;
  return (
    <footer className={styles.bar}>
      {closed && closed.because !== "not-open" && (
        <p className={styles.closed} role="status">
          {closed.because === "lost" && t("desk.closed.lost", { name: isolate(closed.to) })}
          {closed.because === "offline" && away}
          {closed.because !== "lost" && closed.because !== "offline" && t(closedTexts[closed.because])}
        </p>
      )}
      <div className={styles.actions} role="group" aria-label={t("desk.decide")}>
        {([1, 2, 3] as const).map((operation) => (
          <Button
            key={operation}
            size="small"
            disabled={off}
            aria-keyshortcuts={operationKeys[operation]}
            onClick={() => props.onDecide(operation)}
          >
            {t(`desk.operation.${operation}`)}
            <Kbd>{operationKeys[operation]}</Kbd>
          </Button>
        ))}
        <Button size="small" className={styles.forbid} disabled={off} aria-keyshortcuts="B" onClick={props.onForbid}>
          {t("desk.operation.4")}
          <Kbd>B</Kbd>
        </Button>
        <span className={styles.gap} />
        <Button size="small" kind="plain" aria-keyshortcuts="L" onClick={props.onLabel}>
          {t("desk.label")}
          <Kbd>L</Kbd>
        </Button>
        <Button size="small" kind="plain" aria-keyshortcuts="?" onClick={props.onKeys}>
          {t("desk.keys")}
          <Kbd>?</Kbd>
        </Button>
      </div>
    </footer>
  );
}

const operationKeys = { 1: "A", 2: "R", 3: "W" } as const;
