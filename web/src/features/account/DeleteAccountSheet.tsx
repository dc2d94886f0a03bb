import { type ReactNode, useId, useRef, useState } from "react";
import { accountDel, accountInfo } from "@fava/wire/endpoints/account.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { showDeletion } from "#features/session/restore-account.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import { typedDigits } from "#lib/digits.ts";
import { formatDate } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useEndpointMutation, useEndpointQuery } from "#lib/query.ts";
import { RichText } from "#lib/rich-text.tsx";
import { endSession, useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { DeletionFacts } from "./DeletionFacts.tsx";
import styles from "./Account.module.css";

const userNoLengthMax = 16;

/** Names what is refunded and lost; the user confirms with the account number. */
export function DeleteAccountSheet(): ReactNode {
  const user = useUser();
  return user && <Question user={user} />;
}

function Question({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  const { data: info, isPending, refetch } = useEndpointQuery(accountInfo, { user_id: user.user_id });
  const [typed, setTyped] = useState("");
  const deletion = useEndpointMutation(accountDel, {
    onSuccess({ until }) {
      endSession("signed_out");
      showDeletion(until);
    },
  });
  const close = () => closeOverlay("delete-account");
  const mayDelete = info !== undefined && typed === user.user_no;
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("account.deleteTitle")}
      lead={
        info && (
          <RichText
            id="account.deleteLead"
            values={{ day: formatDate(info.deletion.until) }}
            tags={{ day: (text) => <b>{text}</b> }}
          />
        )
      }
      initialFocus={keep}
      onClose={close}
      foot={
        <>
          <Button ref={keep} kind="ink" block onClick={close}>
            {t("account.keep")}
          </Button>
          <Button
            kind="danger"
            block
            aria-disabled={!mayDelete}
            aria-describedby={`${id}-hint`}
            loading={deletion.isPending}
            onClick={() => mayDelete && deletion.mutate({ user_id: user.user_id, user_no: typed })}
          >
            {t("account.deleteOpen")}
          </Button>
        </>
      }
    >
      {info ? (
        <DeletionFacts deletion={info.deletion} />
      ) : isPending ? (
        <Skeleton height="100px" />
      ) : (
        <LoadFailure text={t("account.loadFailed")} onRetry={refetch} />
      )}
      <Field
        id={id}
        label={t("account.type", { number: isolate(user.user_no) })}
        hint={mayDelete ? "" : t("account.typeFirst")}
        className={styles.confirm}
      >
        <Input
          id={id}
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(typedDigits(event.target.value, userNoLengthMax))}
        />
      </Field>
      <Note tone="danger" role="alert">
        {deletion.error && t(problemKey(deletion.error))}
      </Note>
    </Sheet>
  );
}

function problemKey({ reason }: RequestFailure): Key {
  if (reason === "wrong_number") return "account.wrongNumber";
  return reason === "in_call" ? "account.inCall" : "account.failed";
}
