import { type FormEvent, type ReactNode, useId, useState } from "react";
import { accountDel } from "@fava/wire/endpoints/account.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatDate } from "#lib/format-date.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import type { Owner } from "./StatementPart.tsx";
import styles from "./Appeal.module.css";

/** Deletes the account once its number was typed. */
export function DeletePart({ token, userId }: Owner): ReactNode {
  const t = useT();
  const id = useId();
  const [number, setNumber] = useState("");
  const [state, setState] = useState<{ until: number } | { problem: Key } | "ready" | "asking">("ready");
  const remove = async (event: FormEvent) => {
    event.preventDefault();
    setState("asking");
    try {
      const { until } = await call(accountDel, { user_id: userId, user_no: number }, { token, quiet: true });
      setState({ until });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setState({ problem: error.reason === "wrong_number" ? "refused.wrong_number" : "appeal.failed" });
    }
  };
  if (typeof state === "object" && "until" in state) {
    return <p role="status">{t("appeal.deleted", { day: formatDate(state.until) })}</p>;
  }
  return (
    <form className={styles.field} onSubmit={(event) => void remove(event)}>
      <p>{t("appeal.deleteText")}</p>
      <label htmlFor={id}>{t("appeal.deleteNumber")}</label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <p className={styles.problem} role="alert">
        {typeof state === "object" && t(state.problem)}
      </p>
      <Button type="submit" kind="danger" size="small" loading={state === "asking"} disabled={number.trim() === ""}>
        {t("appeal.delete")}
      </Button>
    </form>
  );
}
