import { EyeOff, Images, MessageCircleQuestion, Send, TextQuote, UserRound } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { NoticeDetail, NoticePicture, NoticeRow } from "@fava/wire/endpoints/notices.ts";
import { noticeTextLengthMax } from "@fava/wire/limits.ts";
import { type NoticeOperation, noticeOperationIds, noticeOperations } from "@fava/wire/notices.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { TextArea } from "#ui/Field.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { classNames } from "#ui/class-names.ts";
import { useAwayText } from "./desk-format.ts";
import { useDeskSwitches, useListedWaiting } from "./desk-info.ts";
import { type Notices, useNotices } from "./notices.ts";
import {
  ClaimMark,
  EmptyNotice,
  FactList,
  ItemHead,
  ItemRow,
  KeyButton,
  NoRows,
  SectionTitle,
  UndoBar,
} from "./parts.tsx";
import parts from "./Parts.module.css";
import queue from "./Reports.module.css";
import styles from "./Notices.module.css";
import texts from "./Texts.module.css";

/** Notices by anybody about content: the list by urgency, and the open notice with its decision. */
export function NoticesTab({ user }: { user: OwnUser }): ReactNode {
  const notices = useNotices(user.user_id);
  useListedWaiting("notices", notices.isLoading || notices.isFailed ? null : notices.rows.length);
  const { row } = notices;
  const acts: Readonly<Record<string, () => void>> = {
    j: () => notices.step(1),
    k: () => notices.step(-1),
    u: notices.undo,
  };
  useShortcuts((key) => {
    const act = acts[key];
    act?.();
    return act !== undefined;
  });
  return (
    <div className={classNames(parts.screen, texts.screen)} data-view={row ? "item" : "list"}>
      <NoticeList notices={notices} />
      <section aria-label={row?.no}>
        <OpenNotice key={row?.id ?? "none"} notices={notices} />
        <UndoBar pending={notices.pending} isHeld={notices.isHeld} className={styles.undo} onUndo={notices.undo} />
      </section>
    </div>
  );
}

function NoticeList({ notices }: { notices: Notices }): ReactNode {
  const t = useT();
  const { rows, isLoading, isFailed } = notices;
  return (
    <nav className={queue.queue} aria-label={t("desk.tab.notices")} aria-busy={isLoading}>
      <header>
        <h2>{isLoading || isFailed ? t("desk.tab.notices") : t("desk.waiting", { count: rows.length })}</h2>
      </header>
      {rows.length === 0 && <NoRows isLoading={isLoading} isFailed={isFailed} onRefresh={notices.refresh} />}
      <ul className={classNames(parts.scroll, queue.rows)}>
        {rows.map((row) => (
          <li key={row.id}>
            <ItemRow
              person={row.person ?? { user_id: 0, user_no: "", nickname: row.no, avatar: "" }}
              isOpen={row.id === notices.row?.id}
              isOff={row.claim?.mine === false}
              onOpen={() => notices.open(row)}
            >
              <NoticeLines row={row} />
            </ItemRow>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoticeLines({ row }: { row: NoticeRow }): ReactNode {
  const t = useT();
  const { claim, person } = row;
  return (
    <>
      <b>{t(`notice.kind.${row.kind}`)}</b>
      <span className={queue.who}>
        {isolate(row.no)}
        {person && (
          <>
            {" "}
            · <bdi translate="no">{person.nickname}</bdi>
          </>
        )}
      </span>
      <span className={queue.meta}>
        <span>
          {row.state === "asked" ? t("desk.notice.waits") : t("appeal.answerBy", { time: formatTime(row.due_at) })}
        </span>
        {claim && <ClaimMark claim={claim} />}
      </span>
    </>
  );
}

function OpenNotice({ notices }: { notices: Notices }): ReactNode {
  const t = useT();
  const { row, detail, written } = notices;
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(written ? new Set(written.pictures) : null);
  if (!row) return <EmptyNotice text={notices.rows.length > 0 ? t("desk.appeals.choose") : null} />;
  if (notices.hasDetailFailed)
    return <EmptyNotice text={t("desk.case.failed")} action={{ text: t("desk.again"), run: notices.reopen }} />;
  if (!detail) {
    return (
      <div className={texts.page} aria-busy="true">
        <Skeleton height="56px" width="60%" />
        <Skeleton height="280px" />
      </div>
    );
  }
  // The sender named these pictures: removing them is the usual outcome of an upheld notice.
  const named = detail.pictures.filter(({ is_named }) => is_named).map(({ id }) => id);
  const removed = chosen ?? new Set(named);
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(removed);
    if (isOn) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <>
      <div className={classNames(parts.scroll, texts.page, styles.page)}>
        <ItemHead
          {...(detail.person && { person: detail.person })}
          title={detail.person?.nickname ?? t(`notice.kind.${detail.kind}`)}
          facts={[
            isolate(detail.no),
            t(`notice.kind.${detail.kind}`),
            t("appeal.answerBy", { time: formatTime(detail.due_at) }),
          ]}
          onClose={notices.close}
        />
        <Written detail={detail} />
        <Pictures detail={detail} removed={removed} isOff={notices.closed !== null} onToggle={toggle} />
        <p className="visually-hidden" role="status">
          {isolate(detail.no)}: {t(`notice.kind.${detail.kind}`)}
        </p>
      </div>
      <NoticeActions notices={notices} removed={[...removed]} />
    </>
  );
}

/** The sender's words, name and address, with earlier questions and answers. */
function Written({ detail: { written, question, at } }: { detail: NoticeDetail }): ReactNode {
  const t = useT();
  if (!written) return <p className={parts.quiet}>{t("desk.notice.erased")}</p>;
  const isAnonymous = written.signature === "" && written.email === "";
  const sender = [written.signature, written.email].filter((text) => text !== "").map(isolate);
  return (
    <>
      <section className={parts.card}>
        <SectionTitle icon={TextQuote} title={t("notice.text")}>
          <time>{formatTime(at)}</time>
        </SectionTitle>
        <p className={parts.quote} dir="auto">
          {written.text}
        </p>
        <FactList
          facts={[
            written.account !== "" && [t("safety.number"), isolate(written.account)],
            written.name !== "" && [t("notice.name"), <bdi key="name">{written.name}</bdi>],
            written.seen !== "" && [t("notice.seen"), <bdi key="seen">{written.seen}</bdi>],
            written.picture !== "" && [
              t("notice.picture"),
              <bdi key="picture" dir="ltr">
                {written.picture}
              </bdi>,
            ],
          ]}
        />
      </section>
      <section className={parts.card}>
        <SectionTitle icon={UserRound} title={t("desk.notice.sender")} />
        <p className={texts.text}>{isAnonymous ? t("desk.notice.anonymous") : sender.join(" · ")}</p>
      </section>
      {(written.answers.length > 0 || question !== "") && (
        <section className={parts.card}>
          <SectionTitle icon={MessageCircleQuestion} title={t("desk.notice.do.3")} />
          {written.answers.map((answered) => (
            <div key={answered.question + answered.text}>
              <p className={parts.quiet} dir="auto">
                {answered.question}
              </p>
              <p className={texts.text} dir="auto">
                {answered.text}
              </p>
            </div>
          ))}
          {question !== "" && (
            <p className={parts.quiet} dir="auto">
              {question}
            </p>
          )}
        </section>
      )}
    </>
  );
}

interface PicturesProps {
  detail: NoticeDetail;
  removed: ReadonlySet<string>;
  isOff: boolean;
  onToggle: (id: string, isOn: boolean) => void;
}

/** The named pictures, and pictures that only look alike; the moderator chooses which ones are removed. */
function Pictures({ detail, removed, isOff, onToggle }: PicturesProps): ReactNode {
  const t = useT();
  return (
    <section className={parts.card}>
      <SectionTitle icon={Images} title={t("transparency.pictures")} />
      {detail.pictures.length === 0 && <p className={parts.quiet}>{t("desk.notice.noPictures")}</p>}
      <ul className={styles.pictures}>
        {detail.pictures.map((picture) => (
          <li key={picture.id}>
            <NoticePictureFrame picture={picture} />
            <p className={parts.quiet}>
              <bdi translate="no">{picture.person.nickname}</bdi> · {pictureText(t, picture)}
            </p>
            <fieldset disabled={isOff}>
              <Checkbox checked={removed.has(picture.id)} onChange={(isOn) => onToggle(picture.id, isOn)}>
                {t("desk.notice.remove")}
              </Checkbox>
            </fieldset>
          </li>
        ))}
      </ul>
    </section>
  );
}

function pictureText(t: Translate, { is_named, distance }: NoticePicture): string {
  if (is_named) return t("desk.notice.named");
  return t("desk.notice.copy", { bits: formatNumber(distance ?? 0) });
}

/** Covered at first where the moderator covers images. */
function NoticePictureFrame({ picture }: { picture: NoticePicture }): ReactNode {
  const t = useT();
  const { blur, grey } = useDeskSwitches();
  const [isShown, setShown] = useState(false);
  const isCovered = blur && !isShown;
  return (
    <div
      className={classNames(parts.frame, styles.frame)}
      data-covered={isCovered || undefined}
      data-grey={grey || undefined}
    >
      <img
        src={picture.url}
        alt={isCovered ? "" : t("desk.review.pictureOf", { name: picture.person.nickname })}
        draggable={false}
      />
      {isCovered && (
        <button type="button" className={classNames(parts.pill, parts.chip)} onClick={() => setShown(true)}>
          <EyeOff size={18} aria-hidden="true" />
          {t("desk.show")}
        </button>
      )}
    </div>
  );
}

/** The moderator chooses the outcome first, then writes what the sender reads. */
function NoticeActions({ notices, removed }: { notices: Notices; removed: readonly string[] }): ReactNode {
  const t = useT();
  const id = useId();
  const away = useAwayText();
  const field = useRef<HTMLTextAreaElement>(null);
  const { closed, written } = notices;
  const [operation, setOperation] = useState<NoticeOperation | null>(written?.operation ?? null);
  const [text, setText] = useState(written?.text ?? "");
  const isOff = closed !== null;
  const isReady = !isOff && operation !== null && text.trim() !== "";
  const choose = (chosen: NoticeOperation) => {
    if (isOff) return;
    setOperation(chosen);
    // The field is enabled by this choice, and can take the focus only after that.
    requestAnimationFrame(() => field.current?.focus());
  };
  const send = () => {
    if (!isReady) return;
    const pictures = operation === noticeOperations.uphold ? removed : [];
    notices.decide({ operation, pictures, text: text.trim() });
  };
  useShortcuts((key) => {
    const chosen = noticeOperationIds.find((one) => String(one) === key);
    if (chosen === undefined) return false;
    choose(chosen);
    return true;
  });
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <footer className={classNames(parts.bar, styles.bar)}>
      {closed !== null && closed !== "not-open" && (
        <p className={parts.closed} role="status">
          {closed === "offline" ? away : t(`desk.closed.${closed}`)}
        </p>
      )}
      <div className={classNames(parts.actions, styles.outcomes)} role="group" aria-label={t("desk.decide")}>
        {noticeOperationIds.map((one) => (
          <KeyButton
            key={one}
            shortcut={String(one)}
            disabled={isOff}
            aria-pressed={operation === one}
            onClick={() => choose(one)}
          >
            {t(`desk.notice.do.${one}`)}
          </KeyButton>
        ))}
      </div>
      <label htmlFor={id}>
        {t(operation === noticeOperations.ask ? "desk.notice.question" : "desk.notice.reason")}
      </label>
      <TextArea
        ref={field}
        id={id}
        rows={2}
        dir="auto"
        disabled={isOff || operation === null}
        maxLength={noticeTextLengthMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
      />
      <div className={parts.actions}>
        <KeyButton
          kind="ink"
          shortcut="Control+Enter"
          keyText="Ctrl ↵"
          disabled={!isReady}
          icon={<Send size={18} className="flip" aria-hidden="true" />}
          onClick={send}
        >
          {t("desk.appeal.send")}
        </KeyButton>
      </div>
    </footer>
  );
}
