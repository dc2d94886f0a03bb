import type { Conversation } from "@fava/wire/messages.ts";
import { type Reaction, reactions } from "@fava/wire/reactions.ts";
import { SmilePlus } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem } from "#ui/MenuItems.tsx";
import { ReactionSign } from "#ui/ReactionSign.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { reactTo } from "./messages.ts";
import styles from "./Thread.module.css";

/** The reaction of a message's reader, at its lower edge. */
export function ShownReaction(props: {
  from: "me" | "other";
  reaction: Reaction;
  conversation: Conversation | null;
}): ReactNode {
  const t = useT();
  const { from, reaction, conversation } = props;
  const name = from === "other" ? t("call.you") : isolate(conversation?.userProfile.nick ?? "");
  return (
    <div className={styles.reaction} data-from={from}>
      <ReactionSign reaction={reaction} size={20} />
      <VisuallyHidden>{t("call.reacted", { name, reaction: t(`reaction.${reaction}`) })}</VisuallyHidden>
    </div>
  );
}

/** The button beside a message of the partner that opens the reactions. */
export function ReactMenu(props: {
  externalId: string;
  messageId: string;
  reaction: Reaction | null;
  /** The one button that Tab reaches; arrow keys lead to the others. */
  isStop: boolean;
}): ReactNode {
  const t = useT();
  const { externalId, messageId, reaction: before } = props;
  const label = t("call.react");
  return (
    <span className={styles.react}>
      <Menu
        label={label}
        widthPx={220}
        trigger={(trigger) => (
          <button
            {...trigger}
            type="button"
            data-react
            tabIndex={props.isStop ? 0 : -1}
            aria-label={label}
            title={label}
            onKeyDown={moveByArrow}
          >
            <SmilePlus size={18} aria-hidden="true" />
          </button>
        )}
      >
        {reactions.map((reaction) => (
          <MenuItem
            key={reaction}
            icon={<ReactionSign reaction={reaction} size={24} />}
            checked={reaction === before}
            onSelect={() => void reactTo({ externalId, messageId, before }, reaction)}
          >
            {t(`reaction.${reaction}`)}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}

/** Moves the focus to the button of the next message or of the one before. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const log = event.currentTarget.closest("[role=log]");
  const buttons = [...(log?.querySelectorAll<HTMLElement>("[data-react]") ?? [])];
  const next = buttons[buttons.indexOf(event.currentTarget) + step];
  if (step === 0 || !next) return;
  event.preventDefault();
  next.focus();
}
