import type { OutputOf } from "@fava/wire/endpoint.ts";
import { passkeyAdd, passkeyDel, passkeyInfo, passkeyPrepare, recoveryCodes } from "@fava/wire/endpoints/passkeys.ts";
import { passkeysMax } from "@fava/wire/limits.ts";
import { Copy, KeyRound, Plus } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatDate, formatTime } from "#lib/format-date.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { createPasskey, offersPasskeys, PasskeyError } from "#lib/passkeys.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { Button } from "#ui/Button.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Note } from "#ui/Note.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { copyText } from "#ui/copy-text.ts";
import { showToast } from "#ui/toast-store.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import account from "./Account.module.css";
import styles from "./Mail.module.css";

type PasskeyInfo = OutputOf<typeof passkeyInfo>;
type PasskeyRow = PasskeyInfo["passkeys"][number];

/** The user's passkeys and recovery codes (rules SIGNIN-93, SIGNIN-97). */
export function PasskeysPart({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const caller = { user_id: userId };
  const { data: info, isPending, refetch } = useEndpointQuery(passkeyInfo, caller);
  const [isAdding, setAdding] = useState(false);
  const [problem, setProblem] = useState<Key | null>(null);

  async function change(work: () => Promise<void>): Promise<void> {
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
    }
    await refetch();
  }

  async function add(): Promise<void> {
    setAdding(true);
    await change(async () => {
      const answer = await createPasskey(await request(passkeyPrepare, caller, { quiet: true }));
      await request(passkeyAdd, { ...caller, answer }, { quiet: true });
      showToast({ type: "success", text: t("passkeys.added") });
    });
    setAdding(false);
  }

  if (!info) {
    return isPending ? <Skeleton height="60px" /> : <LoadFailure text={t("account.loadFailed")} onRetry={refetch} />;
  }
  const { passkeys, codes_left: left } = info;
  return (
    <div className={styles.mail}>
      {passkeys.length > 0 && (
        <ul className={account.rows}>
          {passkeys.map((row) => (
            <PasskeyLine
              key={row.id}
              row={row}
              onRemove={() => change(async () => void (await request(passkeyDel, { ...caller, id: row.id })))}
            />
          ))}
        </ul>
      )}
      {!offersPasskeys() ? (
        <p className={styles.always}>{t("passkeys.unsupported")}</p>
      ) : (
        passkeys.length < passkeysMax && (
          <Button
            kind="outline"
            size="small"
            pill
            loading={isAdding}
            icon={<Plus size={17} aria-hidden="true" />}
            onClick={() => void add()}
          >
            {t("passkeys.add")}
          </Button>
        )
      )}
      {problem && (
        <Note tone="danger" role="alert">
          {t(problem)}
        </Note>
      )}
      <Codes userId={userId} left={left} onMade={async () => void (await refetch())} />
    </div>
  );
}

function PasskeyLine({ row, onRemove }: { row: PasskeyRow; onRemove: () => Promise<void> }): ReactNode {
  const t = useT();
  const [isRemoving, setRemoving] = useState(false);
  const name = nameOf(t, row);
  const day = formatDate(row.at);
  async function remove(): Promise<void> {
    setRemoving(true);
    await onRemove();
    setRemoving(false);
  }
  return (
    <li>
      <i aria-hidden="true">
        <KeyRound size={20} />
      </i>
      <p>
        <b>{name}</b>
        <small>
          {row.used_at === null
            ? t("passkeys.unused", { day })
            : t("passkeys.used", { day, time: formatTime(row.used_at) })}
        </small>
      </p>
      <Button kind="outline" size="small" pill loading={isRemoving} onClick={() => void remove()}>
        {t("mail.remove")}
        <VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </li>
  );
}

/** How many recovery codes are left, and the new ones, which are shown once. */
function Codes(props: { userId: number; left: number; onMade: () => Promise<void> }): ReactNode {
  const t = useT();
  const id = useId();
  const [made, setMade] = useState<readonly string[] | null>(null);
  const [state, setState] = useState<"idle" | "making" | "failed">("idle");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (made) heading.current?.focus();
  }, [made]);

  async function make(): Promise<void> {
    setState("making");
    try {
      const { codes } = await request(recoveryCodes, { user_id: props.userId }, { quiet: true });
      setMade(codes);
      setState("idle");
      await props.onMade();
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      setState("failed");
    }
  }

  return (
    <section className={styles.codes} aria-labelledby={id}>
      <h4 id={id} ref={heading} tabIndex={-1}>
        {t("passkeys.codes")}
      </h4>
      <p className={styles.always}>{t("passkeys.codesText")}</p>
      {made ? (
        <>
          <Note>{t("passkeys.codesOnce")}</Note>
          <ol className={styles.codeList} dir="ltr" translate="no">
            {made.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ol>
          <Button
            kind="outline"
            size="small"
            pill
            icon={<Copy size={17} aria-hidden="true" />}
            onClick={() => void copyText(t, made.join("\n"))}
          >
            {t("common.copy")}
          </Button>
        </>
      ) : (
        <>
          <p>{props.left === 0 ? t("passkeys.codesNone") : t("passkeys.codesLeft", { n: props.left })}</p>
          <Button kind="outline" size="small" pill loading={state === "making"} onClick={() => void make()}>
            {t(props.left === 0 ? "passkeys.codesMake" : "passkeys.codesAgain")}
          </Button>
        </>
      )}
      {state === "failed" && (
        <Note tone="danger" role="alert">
          {t("account.failed")}
        </Note>
      )}
    </section>
  );
}

function nameOf(t: Translate, { browser, system }: PasskeyRow): string {
  if (browser !== "" && system !== "") return t("passkeys.on", { browser, system });
  return browser || system || t("passkeys.unknown");
}

/** Null if the user closed the browser's dialog. */
function problemOf(error: unknown): Key | null {
  if (error instanceof PasskeyError) {
    if (error.reason === "cancelled") return null;
    return error.reason === "exists" ? "passkeys.exists" : "account.failed";
  }
  if (error instanceof RequestFailure) return "account.failed";
  throw error;
}
