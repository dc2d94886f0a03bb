import { reactions } from "@fava/wire/reactions.ts";
import { type ReactNode, useEffect, useRef } from "react";
import { moveByArrow } from "#features/call/chat/arrow-keys.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { useT } from "#lib/i18n.ts";
import { ReactionSign } from "#ui/ReactionSign.tsx";
import styles from "./ReactionRow.module.css";

/** The reactions to send; it stays open for the next one. `takesFocus`: the user opened it by a press. */
export function ReactionRow({ takesFocus }: { takesFocus: boolean }): ReactNode {
  const t = useT();
  const { react } = useCallRuntime();
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) group.current?.querySelector("button")?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={group}
      className={styles.row}
      role="group"
      aria-label={t("call.react")}
      data-sideways
      data-fades="over-picture"
    >
      {reactions.map((reaction) => (
        <button
          key={reaction}
          type="button"
          data-arrows
          aria-label={t(`reaction.${reaction}`)}
          title={t(`reaction.${reaction}`)}
          onKeyDown={(event) => moveByArrow(event, group.current, true)}
          onClick={() => react(reaction)}
        >
          <ReactionSign reaction={reaction} />
        </button>
      ))}
    </div>
  );
}
