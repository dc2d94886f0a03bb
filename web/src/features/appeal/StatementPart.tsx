import { type ReactNode, useEffect, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { beanStatement } from "@fava/wire/endpoints/beans.ts";
import { orderWithdraw } from "@fava/wire/endpoints/shop.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatBeans } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import styles from "./Appeal.module.css";

type Row = OutputOf<typeof beanStatement>["rows"][number];

/** Whose ban it is, and the token that opens it. */
export interface Owner {
  readonly token: string;
  readonly userId: number;
}

/** The newest transfers of one's beans; a purchase of which nothing was used can go back. */
export function StatementPart({ token, userId }: Owner): ReactNode {
  const t = useT();
  const [loaded, setLoaded] = useState<{ rows: readonly Row[]; next: string | null } | "failed" | null>(null);
  const [cursor, setCursor] = useState<string>();
  useEffect(() => {
    const owner = new AbortController();
    const load = async () => {
      try {
        const input = { user_id: userId, filter: 0, ...(cursor === undefined ? {} : { cursor }) };
        const page = await call(beanStatement, input, { token, quiet: true, signal: owner.signal });
        setLoaded((before) => {
          const earlier = before && before !== "failed" && cursor !== undefined ? before.rows : [];
          return { rows: [...earlier, ...page.rows], next: page.next };
        });
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") setLoaded("failed");
      }
    };
    void load();
    return () => owner.abort();
  }, [token, userId, cursor]);
  if (loaded === null) return <Skeleton height="80px" />;
  if (loaded === "failed") return <p role="alert">{t("appeal.loadFailed")}</p>;
  const { rows, next } = loaded;
  const refundable = rows.filter(({ withdraw_until }) => withdraw_until !== null);
  return (
    <>
      {rows.length === 0 && <p>{t("appeal.beansNone")}</p>}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              {t(`statement.${row.kind}`)}
              <small>{formatTime(row.at)}</small>
            </span>
            <b>{formatBeans(row.beans)}</b>
          </li>
        ))}
      </ul>
      {next !== null && (
        <Button kind="outline" size="small" onClick={() => setCursor(next)}>
          {t("statement.more")}
        </Button>
      )}
      <h3>{t("appeal.refund")}</h3>
      {refundable.length === 0 && <p>{t("appeal.refundNone")}</p>}
      {refundable.map((row) => (
        <Refund key={row.id} row={row} token={token} userId={userId} />
      ))}
    </>
  );
}

function Refund({ row, token, userId }: Owner & { row: Row }): ReactNode {
  const t = useT();
  const [state, setState] = useState<"ready" | "asking" | "asked" | "failed">("ready");
  const give = async () => {
    if (row.order_no === null) return;
    setState("asking");
    try {
      await call(orderWithdraw, { user_id: userId, order_no: row.order_no }, { token, quiet: true });
      setState("asked");
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      setState("failed");
    }
  };
  if (state === "asked") return <p role="status">{t("appeal.refundDone")}</p>;
  return (
    <>
      <Button kind="outline" size="small" loading={state === "asking"} onClick={() => void give()}>
        {t("appeal.refundGo", { beans: formatBeans(row.beans) })}
      </Button>
      {state === "failed" && <p role="alert">{t("appeal.failed")}</p>}
    </>
  );
}
