import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import type { appealClosed } from "./appeal-machine.ts";
import { useAwayText } from "./use-away-text.ts";
import styles from "./AppealPage.module.css";

type Closed = NonNullable<ReturnType<typeof appealClosed>>;

const texts: Readonly<Record<Exclude<Closed, "not-open" | "claimed" | "offline">, Key>> = {
  own: "desk.closed.own",
  moderator: "desk.closed.moderator",
  decided: "desk.closed.decided",
  first_decider: "desk.closed.first",
  administrators: "desk.closed.administrators",
};

/** Why the actions are off; nothing where they are not. */
export function ClosedNote({ closed, by }: { closed: Closed | null; by: string }): ReactNode {
  const t = useT();
  const away = useAwayText();
  if (closed === null || closed === "not-open") return null;
  return (
    <p className={styles.closed} role="status">
      {closed === "claimed" && t("desk.closed.lost", { name: isolate(by) })}
      {closed === "offline" && away}
      {closed !== "claimed" && closed !== "offline" && t(texts[closed])}
    </p>
  );
}
