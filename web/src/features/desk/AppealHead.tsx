import { CalendarClock, ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { DeskFace } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import type { appealClosed } from "./appeal-machine.ts";
import { useAwayText } from "./desk-format.ts";
import styles from "./AppealPage.module.css";

/** Whom it is about, who decided first, and when it is due. */
export function AppealHead(props: {
  person: DeskFace;
  title: string;
  facts: readonly string[];
  due: string;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { person } = props;
  return (
    <header className={styles.head}>
      <IconButton
        className={styles.back ?? ""}
        label={t("common.back")}
        icon={<ChevronLeft size={24} className="flip" aria-hidden="true" />}
        onClick={props.onClose}
      />
      <Avatar src={person.avatar} name={person.nickname} sizePx={56} />
      <div>
        <h2>{props.title}</h2>
        <p>{[isolate(person.user_no), ...props.facts].join(" · ")}</p>
      </div>
      <span className={styles.due}>
        <CalendarClock size={14} aria-hidden="true" />
        {props.due}
      </span>
    </header>
  );
}

/** A name and what belongs to it, in a list of facts. */
export function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

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
