import { ImageUp } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import {
  minorNoticeDueMs,
  noticeDueMs,
  noticeFieldLengthMax,
  noticePictureLengthMax,
  noticeTextLengthMax,
} from "@fava/wire/limits.ts";
import { noticeKinds } from "@fava/wire/notices.ts";
import { typedDigits, userNoLength } from "#lib/digits.ts";
import { formatSpan } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { EmailField, Field, Input, TextArea } from "#ui/Field.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import {
  mayBeAnonymous,
  missingField,
  type NoticeDraft,
  noticeForm,
  type RequiredField,
  type SentNotice,
} from "./notice-form.ts";
import { pictureFingerprint } from "./picture-fingerprint.ts";
import styles from "./Notice.module.css";

interface PartProps {
  draft: NoticeDraft;
  change: (change: Partial<NoticeDraft>) => void;
}

/** A notice by anybody. `hash`: the fragment of the address, with an account number or empty. */
export function NoticeForm(props: { hash: string; onSent: (sent: SentNotice) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const [{ store, change, send }] = useState(() => noticeForm(props.hash, props.onSent));
  const { draft, problem, isSending } = useStore(store);
  const isAddressWrong = problem !== null && missingField(draft) === "email";
  const form = useRef<HTMLFormElement>(null);
  const focusOn = (missing: RequiredField | null) => {
    if (missing !== null)
      form.current?.querySelector<HTMLElement>(`[data-field="${missing}"] :is(input, textarea)`)?.focus();
  };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send().then(focusOn);
      }}
    >
      <h1>{t("notice.title")}</h1>
      <p className={styles.lead}>{t("notice.lead")}</p>
      <div data-field="kind">
        <RadioCards
          legend={t("notice.kindTitle")}
          options={noticeKinds.map((kind) => ({
            value: kind,
            label: t(`notice.kind.${kind}`),
            hint: t("notice.due", { time: formatSpan((kind === "minor" ? minorNoticeDueMs : noticeDueMs) / 1_000) }),
          }))}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
        />
      </div>
      <div data-field="text">
        <Field id={`${id}-text`} label={t("notice.text")}>
          <TextArea
            id={`${id}-text`}
            rows={5}
            dir="auto"
            required
            maxLength={noticeTextLengthMax}
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        </Field>
      </div>
      <WhereFields draft={draft} change={change} />
      <HashField draft={draft} change={change} />
      <SenderFields draft={draft} change={change} isAddressWrong={isAddressWrong} />
      <div data-field="faith">
        <Checkbox checked={draft.isInGoodFaith} onChange={(isInGoodFaith) => change({ isInGoodFaith })}>
          {t("notice.faith")}
        </Checkbox>
      </div>
      <p className={styles.problem} role="alert">
        {problem !== null && !isAddressWrong && t(problem)}
      </p>
      <Button type="submit" kind="ink" size="large" loading={isSending}>
        {t("notice.send")}
      </Button>
    </form>
  );
}

/** Account, name, time and the address of the picture: all optional. */
function WhereFields({ draft, change }: PartProps): ReactNode {
  const t = useT();
  const id = useId();
  return (
    <div className={styles.fields}>
      <Field id={`${id}-account`} label={t("safety.number")} hint={t("safety.numberHint")}>
        <Input
          id={`${id}-account`}
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          value={draft.account}
          aria-describedby={`${id}-account-hint`}
          onChange={(event) => change({ account: typedDigits(event.target.value, userNoLength) })}
        />
      </Field>
      <Field id={`${id}-name`} label={t("notice.name")}>
        <Input
          id={`${id}-name`}
          dir="auto"
          autoComplete="off"
          maxLength={noticeFieldLengthMax}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field id={`${id}-seen`} label={t("notice.seen")}>
        <Input
          id={`${id}-seen`}
          dir="auto"
          autoComplete="off"
          maxLength={noticeFieldLengthMax}
          value={draft.seen}
          onChange={(event) => change({ seen: event.target.value })}
        />
      </Field>
      <Field id={`${id}-picture`} label={t("notice.picture")} hint={t("notice.pictureHint")}>
        <Input
          id={`${id}-picture`}
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          maxLength={noticePictureLengthMax}
          value={draft.picture}
          aria-describedby={`${id}-picture-hint`}
          onChange={(event) => change({ picture: event.target.value })}
        />
      </Field>
    </div>
  );
}

/** Chooses a picture on this device; only its hash becomes part of the notice. */
function HashField({ draft, change }: PartProps): ReactNode {
  const t = useT();
  const picker = useRef<HTMLInputElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const choose = async (file: File) => {
    const hash = await pictureFingerprint(file);
    setFailed(hash === null);
    change({ hash: hash ?? "" });
  };
  return (
    <section className={styles.hash} aria-label={t("notice.hash")}>
      <p>{t("notice.hashText")}</p>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) void choose(file);
        }}
      />
      <Button size="small" icon={<ImageUp size={18} aria-hidden="true" />} onClick={() => picker.current?.click()}>
        {t("notice.hash")}
      </Button>
      <p role="status" data-wrong={hasFailed || undefined}>
        {hasFailed ? t("notice.hashFailed") : draft.hash !== "" && t("notice.hashReady")}
      </p>
    </section>
  );
}

function SenderFields({ draft, change, isAddressWrong }: PartProps & { isAddressWrong: boolean }): ReactNode {
  const t = useT();
  const id = useId();
  return (
    <>
      {mayBeAnonymous(draft) && <p className={styles.anonymous}>{t("notice.anonymous")}</p>}
      <div className={styles.fields}>
        <div data-field="signature">
          <Field id={`${id}-signature`} label={t("notice.signature")}>
            <Input
              id={`${id}-signature`}
              dir="auto"
              autoComplete="name"
              maxLength={noticeFieldLengthMax}
              value={draft.signature}
              onChange={(event) => change({ signature: event.target.value })}
            />
          </Field>
        </div>
        <div data-field="email">
          <EmailField
            id={`${id}-email`}
            label={t("notice.email")}
            hint={t("notice.emailHint")}
            wrong={isAddressWrong ? t("mail.wrong") : null}
            value={draft.email}
            onChange={(email) => change({ email })}
          />
        </div>
      </div>
    </>
  );
}
