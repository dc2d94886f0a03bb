import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import type { InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { adminShift, adminShiftWrite } from "@fava/wire/endpoints/desk.ts";
import { appealAnswerLengthMax } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useEndpointMutation, useEndpointQuery } from "#lib/query.ts";
import { Button } from "#ui/Button.tsx";
import { Field, TextArea } from "#ui/Field.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { DecisionLog } from "./DecisionLog.tsx";
import { showDeskFailure } from "./desk-format.ts";
import { requestOptions, useFailureToast } from "./desk-query.ts";
import { EmptyNotice } from "./parts.tsx";
import styles from "./Shift.module.css";

type Shift = OutputOf<typeof adminShift>;
type DeskText = InputOf<typeof adminShiftWrite>["what"];

/** Who is at the desk, handover notes, the moderator's decisions of today, and their own answers for appeals. */
export function ShiftTab({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const query = useEndpointQuery(adminShift, { user_id: user.user_id }, { requestOptions, refetchOnReconnect: true });
  const { data: shift, isError, isPending } = query;
  useFailureToast(query.error);
  const refresh = () => query.refetch();
  return (
    <div className={styles.page} aria-busy={isPending}>
      <div className={styles.inner}>
        <DecisionLog user={user} />
        {isPending && <Skeleton height="320px" />}
        {isError && (
          <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: () => void refresh() }} />
        )}
        {shift && (
          <div className={styles.side}>
            <OnShift people={shift.people} />
            <Handover shift={shift} userId={user.user_id} onSaved={refresh} />
            <section className={styles.part}>
              <h2>{t("desk.answers")}</h2>
              <p className={styles.lead}>{t("desk.answers.lead")}</p>
              {shift.answers.map((text, index) => (
                <OwnText
                  key={index}
                  userId={user.user_id}
                  what={`answer${index + 1}` as DeskText}
                  label={t("desk.answers.number", { n: index + 1 })}
                  saved={text}
                  onSaved={refresh}
                />
              ))}
            </section>
          </div>
        )}
      </div>
    </div>
  );
}

function OnShift({ people }: { people: Shift["people"] }): ReactNode {
  const t = useT();
  return (
    <section className={styles.part}>
      <h2>{t("desk.shift.now")}</h2>
      <ul className={styles.people}>
        {people.map(({ name, since, mine }) => (
          <li key={`${name} ${since}`} data-mine={mine || undefined}>
            <bdi translate="no">{name}</bdi>
            <small>{t("desk.shift.since", { time: formatTime(since) })}</small>
          </li>
        ))}
      </ul>
      {people.length === 0 && <p className={styles.lead}>{t("desk.earlier.none")}</p>}
    </section>
  );
}

/** The notes of the last shifts, and the moderator's own one. */
function Handover(props: { shift: Shift; userId: number; onSaved: () => Promise<unknown> }): ReactNode {
  const t = useT();
  const { notes } = props.shift;
  const own = notes.find(({ mine }) => mine)?.text ?? "";
  return (
    <section className={styles.part}>
      <h2>{t("desk.handover")}</h2>
      <ul className={styles.notes}>
        {notes.map(({ name, at, text }) => (
          <li key={`${name} ${at}`}>
            <p dir="auto">{text}</p>
            <small>
              {isolate(name)} · {formatTime(at)}
            </small>
          </li>
        ))}
      </ul>
      {notes.length === 0 && <p className={styles.lead}>{t("desk.earlier.none")}</p>}
      <OwnText
        userId={props.userId}
        what="handover"
        label={t("desk.handover.own")}
        hint={t("desk.handover.hint")}
        saved={own}
        onSaved={props.onSaved}
      />
    </section>
  );
}

/** A text that the moderator stores; saving an empty one deletes it. */
function OwnText(props: {
  userId: number;
  what: DeskText;
  label: string;
  hint?: string;
  saved: string;
  /** Loads the stored texts again. */
  onSaved: () => Promise<unknown>;
}): ReactNode {
  const t = useT();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const { isPending, mutate } = useEndpointMutation(adminShiftWrite, {
    onSuccess: async (_, { text: sent }) => {
      await props.onSaved();
      // What the moderator typed meanwhile stays.
      setDraft((now) => (now?.trim() === sent ? null : now));
    },
    onError: showDeskFailure,
  });
  const text = draft ?? props.saved;
  const isChanged = text.trim() !== props.saved;
  const save = () => {
    if (isChanged && !isPending) mutate({ user_id: props.userId, what: props.what, text: text.trim() });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
  };
  return (
    <Field id={id} label={props.label} {...(props.hint !== undefined && { hint: props.hint })}>
      <TextArea
        id={id}
        rows={3}
        dir="auto"
        maxLength={appealAnswerLengthMax}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        value={text}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={pressed}
      />
      {isChanged && (
        <Button size="small" kind="ink" loading={isPending} onClick={save}>
          {t("common.save")}
        </Button>
      )}
    </Field>
  );
}
