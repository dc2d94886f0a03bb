import { ChevronLeft, Clock, Coffee, Lock, type LucideIcon, Undo2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { undoMs } from "@fava/wire/limits.ts";
import type { Claim, DeskFace } from "@fava/wire/moderation.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button, type ButtonProps } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { classNames } from "#ui/class-names.ts";
import type { Decision } from "./decisions.ts";
import { timeLeftText } from "./desk-format.ts";
import styles from "./Parts.module.css";
import queue from "./Reports.module.css";

/** A button of the desk with its shortcut; `keyText` if the key is displayed differently from its name. */
export function KeyButton(props: ButtonProps & { shortcut: string; keyText?: string }): ReactNode {
  const { shortcut, keyText = shortcut, children, ...rest } = props;
  return (
    <Button size="small" aria-keyshortcuts={shortcut} {...rest}>
      {children}
      <Kbd>{keyText}</Kbd>
    </Button>
  );
}

/** The placeholder of a missing list or item, with an action. */
export function EmptyNotice(props: {
  icon?: ReactNode;
  text: string | null;
  action?: { text: string; run: () => void };
}): ReactNode {
  const { icon, text, action } = props;
  return (
    <div className={styles.nothing}>
      {icon}
      {text !== null && <p>{text}</p>}
      {action && (
        <Button size="small" onClick={action.run}>
          {action.text}
        </Button>
      )}
    </div>
  );
}

/** Names and values, the value below its name; skips facts that are `false`. */
export function FactList(props: {
  className?: string | undefined;
  facts: readonly (readonly [name: string, value: ReactNode] | false)[];
  children?: ReactNode;
}): ReactNode {
  return (
    <dl className={classNames(styles.facts, props.className)}>
      {props.facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
      {props.children}
    </dl>
  );
}

/** A small heading with its icon; the children stand at the end of its line. */
export function SectionTitle(props: {
  icon: LucideIcon;
  title: string;
  iconPx?: number;
  children?: ReactNode;
}): ReactNode {
  const { icon: Icon, title, iconPx = 17, children } = props;
  return (
    <h3 className={styles.title}>
      <Icon size={iconPx} aria-hidden="true" />
      {title}
      {children}
    </h3>
  );
}

/** A row of a list that opens its item; `isOff`: another moderator decides it. */
export function ItemRow(props: {
  person: DeskFace;
  isOpen: boolean;
  isOff: boolean;
  children: ReactNode;
  onOpen: () => void;
}): ReactNode {
  const { person, isOpen } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className={styles.row}
      aria-current={isOpen || undefined}
      // While the item is open, Space and Enter act on the item and not on this row.
      data-shortcuts-free={isOpen || undefined}
      data-off={props.isOff || undefined}
      onClick={props.onOpen}
    >
      <Avatar src={person.avatar} name={person.nickname} sizePx={40} />
      <span className={styles.lines}>{props.children}</span>
    </button>
  );
}

const skeletonRows = 6;

/** In place of the rows of a queue: a failure, the loading state, or that nothing waits. */
export function NoRows(props: { isLoading: boolean; isFailed: boolean; onRefresh: () => void }): ReactNode {
  const t = useT();
  if (props.isFailed)
    return <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: props.onRefresh }} />;
  if (props.isLoading)
    return (
      <div className={classNames(styles.scroll, queue.rows)}>
        {Array.from({ length: skeletonRows }, (_, index) => (
          <Skeleton key={index} height="64px" />
        ))}
      </div>
    );
  const cup = <Coffee size={28} aria-hidden="true" />;
  return <EmptyNotice icon={cup} text={t("desk.empty")} action={{ text: t("desk.refresh"), run: props.onRefresh }} />;
}

/** Who has claimed the item of a row. */
export function ClaimMark({ claim }: { claim: Claim }): ReactNode {
  const t = useT();
  return (
    <span data-lock>
      <Lock size={13} aria-hidden="true" />
      {claim.mine ? t("desk.row.mine") : t("desk.row.with", { name: isolate(claim.name) })}
    </span>
  );
}

/** How much of the promised time is left, or how long it is over. */
export function TimeLeft({ dueAt, nowMs }: { dueAt: number; nowMs: number }): ReactNode {
  const t = useT();
  return (
    <span data-late={dueAt <= nowMs || undefined}>
      <Clock size={13} aria-hidden="true" />
      {timeLeftText(t, dueAt, nowMs)}
    </span>
  );
}

/** The head of an open item: on a phone a back button, the person or subject, and chips at the end. */
export function ItemHead(props: {
  person?: DeskFace;
  title: string;
  /** In one line above the title, or below the name of a person. */
  facts: readonly (string | null)[];
  children?: ReactNode;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { person } = props;
  const facts = <p className={styles.quiet}>{props.facts.filter((fact) => fact !== null).join(" · ")}</p>;
  return (
    <header className={styles.head}>
      <IconButton
        className={styles.back ?? ""}
        label={t("common.back")}
        icon={<ChevronLeft size={24} className="flip" aria-hidden="true" />}
        onClick={props.onClose}
      />
      {person && <Avatar src={person.avatar} name={person.nickname} sizePx={56} />}
      <div>
        {!person && facts}
        <h2 className={styles.heading}>{props.title}</h2>
        {person && facts}
      </div>
      {props.children}
    </header>
  );
}

/** Says which decision was made about whom, with Undo while that is possible. */
export function UndoBar(props: {
  pending: Decision | null;
  /** The time to undo is over; the decision waits for the network. */
  isHeld: boolean;
  className?: string | undefined;
  onUndo: () => void;
}): ReactNode {
  const { pending, ...rest } = props;
  return pending && <Undo key={pending.ids[0]} {...rest} decision={pending} />;
}

function Undo(props: {
  decision: Decision;
  isHeld: boolean;
  className?: string | undefined;
  onUndo: () => void;
}): ReactNode {
  const t = useT();
  const { decision, isHeld } = props;
  const seconds = useSecondsLeft(undoMs);
  return (
    <div className={classNames(styles.undo, props.className)} role="status">
      <Ring share={isHeld ? 1 : seconds / (undoMs / 1_000)} label={isHeld ? "…" : formatNumber(seconds)} />
      <span>
        <b>{decision.text}</b> {isHeld ? t("desk.undo.held") : decision.hint}
      </span>
      <button type="button" aria-keyshortcuts="U" onClick={props.onUndo}>
        <Undo2 size={17} className="flip" aria-hidden="true" />
        {t("desk.undo")}
        <Kbd>U</Kbd>
      </button>
    </div>
  );
}

function Ring({ share, label }: { share: number; label: string }): ReactNode {
  const circle = { cx: 22, cy: 22, r: 19 };
  return (
    <span className={styles.ring} aria-hidden="true">
      <svg viewBox="0 0 44 44">
        <circle {...circle} />
        <circle {...circle} pathLength={100} strokeDasharray={`${share * 100} 100`} transform="rotate(-90 22 22)" />
      </svg>
      {label}
    </span>
  );
}

/** The remaining whole seconds since the component was mounted; at least 1, because its owner removes it at the end. */
function useSecondsLeft(spanMs: number): number {
  const [left, setLeft] = useState(Math.ceil(spanMs / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(1, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return left;
}
