import { ChevronDown, Download, Trash2, WalletCards } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { accountDel, userExport } from "@fava/wire/endpoints/account.ts";
import { beanStatement } from "@fava/wire/endpoints/beans.ts";
import { orderWithdraw } from "@fava/wire/endpoints/shop.ts";
import { exportLinkMs } from "@fava/wire/limits.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { call } from "#lib/api/call.ts";
import { formatDate, formatTime } from "#lib/format-date.ts";
import { formatPercent } from "#lib/format-percent.ts";
import { formatBeans } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { AppealStatus } from "./load-appeal.ts";
import styles from "./Appeal.module.css";

/** What a ban takes from nobody: beans and their statement, refunds, a copy of one's data, and leaving (rule APPEAL-54). */
export function StillYours({ token, status }: { token: string; status: AppealStatus }): ReactNode {
  const t = useT();
  // Once the ban is over its token opens nothing more: whoever signs in finds all of this in the product.
  if (!status.in_force) return null;
  const owner = { token, userId: status.user_id };
  return (
    <section className={styles.still} aria-labelledby="still-yours">
      <h2 id="still-yours">{t("appeal.still")}</h2>
      <Part
        icon={<WalletCards size={20} aria-hidden="true" />}
        name={t("appeal.beans")}
        value={formatBeans(status.beans)}
      >
        <StatementPart {...owner} />
      </Part>
      <Part icon={<Download size={20} aria-hidden="true" />} name={t("appeal.data")}>
        <DataPart {...owner} />
      </Part>
      <Part icon={<Trash2 size={20} aria-hidden="true" />} name={t("appeal.delete")}>
        <DeletePart {...owner} />
      </Part>
    </section>
  );
}

/** One of them, closed at first; what is in it is loaded once it is opened. */
function Part(props: { icon: ReactNode; name: string; value?: string; children: ReactNode }): ReactNode {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details onToggle={() => setWasOpened(true)}>
      <summary>
        {props.icon}
        <span>{props.name}</span>
        {props.value !== undefined && <b>{props.value}</b>}
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      {wasOpened && props.children}
    </details>
  );
}

/** While it is being prepared, the next look is this much later. */
const lookAgainMs = 1_500;
/** The address of the file is asked for anew before it closes. */
const renewMs = exportLinkMs / 2;

/** A copy of everything kept about the person. */
function DataPart({ token, userId }: Owner): ReactNode {
  const t = useT();
  const [copy, setCopy] = useState<OutputOf<typeof userExport> | "failed">();
  const [ask, setAsk] = useState<{ begin: 0 | 1; afterMs: number }>({ begin: 0, afterMs: 0 });
  useEffect(() => {
    const owner = new AbortController();
    const look = async () => {
      try {
        const options = { token, quiet: true, signal: owner.signal };
        const answer = await call(userExport, { user_id: userId, begin: ask.begin }, options);
        setCopy(answer);
        if (answer.state === "preparing") setAsk({ begin: 0, afterMs: lookAgainMs });
        if (answer.state === "ready") setAsk({ begin: 0, afterMs: renewMs });
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason === "aborted") return;
        if (ask.afterMs === renewMs) setAsk({ ...ask });
        else setCopy("failed");
      }
    };
    const timer = setTimeout(() => void look(), ask.afterMs);
    return () => {
      clearTimeout(timer);
      owner.abort();
    };
  }, [token, userId, ask]);
  if (copy === "failed") return <p role="alert">{t("appeal.loadFailed")}</p>;
  if (copy?.state === "ready") {
    return (
      <a className={buttonClass({ kind: "outline", size: "small" })} href={copy.url} download={copy.name}>
        {t("appeal.dataReady")}
      </a>
    );
  }
  if (copy?.state === "preparing") {
    return <p role="status">{t("appeal.dataPreparing", { percent: formatPercent(copy.percent) })}</p>;
  }
  return (
    <Button kind="outline" size="small" loading={copy === undefined} onClick={() => setAsk({ begin: 1, afterMs: 0 })}>
      {t("appeal.dataGo")}
    </Button>
  );
}

/** Deletes the account once its number was typed. */
function DeletePart({ token, userId }: Owner): ReactNode {
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

type Row = OutputOf<typeof beanStatement>["rows"][number];

/** Whose ban it is, and the token that opens it. */
interface Owner {
  readonly token: string;
  readonly userId: number;
}

/** The newest transfers of one's beans; a purchase of which nothing was used can go back. */
function StatementPart({ token, userId }: Owner): ReactNode {
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
