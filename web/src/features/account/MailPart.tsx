import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { type MailChoice, mailUpdate } from "@fava/wire/endpoints/mail.ts";
import { type MailKind, mailAddressShape, mailKinds } from "@fava/wire/mails.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { EmailField } from "#ui/Field.tsx";
import { Note } from "#ui/Note.tsx";
import { Switch } from "#ui/Switch.tsx";
import styles from "./Mail.module.css";

const words = {
  receipt: "mail.receipts",
  sign_in: "mail.signIns",
  missed_call: "mail.missed",
} as const satisfies Record<MailKind, Key>;

type Change = { readonly email: string } | { readonly kinds: readonly number[] };

/** The user's mail address with its confirmation, and which mails it receives (rules MAIL-1, MAIL-2). */
export function MailPart(props: { userId: number; choice: MailChoice; onChanged: () => Promise<void> }): ReactNode {
  const t = useT();
  const { email, pending, kinds } = props.choice;
  const [isTyping, setTyping] = useState(false);
  const [problem, setProblem] = useState<Key | null>(null);
  /** The choice that the server does not know yet. */
  const [wanted, setWanted] = useState<readonly number[] | null>(null);
  const chosen = wanted ?? kinds;

  async function change(to: Change): Promise<void> {
    setProblem(null);
    try {
      const input = "kinds" in to ? { kinds: to.kinds.join(",") } : to;
      await request(mailUpdate, { user_id: props.userId, ...input }, { quiet: true });
      setTyping(false);
      await props.onChanged();
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      setProblem(error.code === codes.badInput ? "mail.wrong" : "account.failed");
    }
    setWanted(null);
  }

  function choose(id: number, on: boolean): void {
    const next = on ? [...chosen, id] : chosen.filter((other) => other !== id);
    setWanted(next);
    void change({ kinds: next });
  }

  function cancel(): void {
    setProblem(null);
    setTyping(false);
  }

  const field = useRef<HTMLInputElement>(null);
  const changeButton = useRef<HTMLButtonElement>(null);
  const wasTyping = useRef(false);
  useEffect(() => {
    if (isTyping !== wasTyping.current) (isTyping ? field : changeButton).current?.focus();
    wasTyping.current = isTyping;
  }, [isTyping]);

  const isForm = isTyping || (email === null && pending === null);
  return (
    <div className={styles.mail}>
      {email !== null && <p className={styles.address}>{isolate(email)}</p>}
      {pending !== null && <Note role="status">{t("mail.pending", { address: isolate(pending) })}</Note>}
      {isForm ? (
        <AddressForm
          field={field}
          isWrong={problem === "mail.wrong"}
          onSend={(typed) => change({ email: typed })}
          onProblem={setProblem}
          onCancel={isTyping ? cancel : null}
        />
      ) : (
        <div className={styles.actions}>
          <Button kind="outline" size="small" pill ref={changeButton} onClick={() => setTyping(true)}>
            {t("mail.change")}
          </Button>
          <Button kind="outline" size="small" pill onClick={() => void change({ email: "" })}>
            {t("mail.remove")}
          </Button>
        </div>
      )}
      {email !== null &&
        mailKinds.map((kind, id) => (
          <Switch key={kind} checked={chosen.includes(id)} onChange={(on) => choose(id, on)}>
            {t(words[kind])}
          </Switch>
        ))}
      <p className={styles.always}>{t("mail.always")}</p>
      {problem && !(isForm && problem === "mail.wrong") && (
        <Note tone="danger" role="alert">
          {t(problem)}
        </Note>
      )}
    </div>
  );
}

function AddressForm({
  field,
  isWrong,
  onCancel,
  onSend,
  onProblem,
}: {
  field: RefObject<HTMLInputElement | null>;
  isWrong: boolean;
  /** Null if there is no address to keep. */
  onCancel: (() => void) | null;
  onSend: (email: string) => Promise<void>;
  onProblem: (problem: Key) => void;
}): ReactNode {
  const t = useT();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [isSending, setSending] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const email = typed.trim();
    if (!mailAddressShape.test(email)) return onProblem("mail.wrong");
    setSending(true);
    await onSend(email);
    setSending(false);
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void send(event)}>
      <EmailField
        ref={field}
        id={id}
        label={t("mail.address")}
        wrong={isWrong ? t("mail.wrong") : null}
        value={typed}
        onChange={setTyped}
      />
      <div className={styles.actions}>
        <Button type="submit" kind="outline" size="small" pill loading={isSending}>
          {t("mail.send")}
        </Button>
        {onCancel && (
          <Button kind="plain" size="small" pill onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}
