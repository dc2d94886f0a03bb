import { ChevronDown, Download, Trash2, WalletCards } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { accountDel } from "@fava/wire/endpoints/account.ts";
import { beanStatement } from "@fava/wire/endpoints/beans.ts";
import { orderWithdraw } from "@fava/wire/endpoints/shop.ts";
import { withdrawProblem } from "#features/beans/chosen-order.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import { useDataExport } from "#lib/data-export.ts";
import { formatDate, formatTime } from "#lib/format-date.ts";
import { formatPercent } from "#lib/format-units.ts";
import { formatBeans } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useEndpointMutation, useEndpointPages } from "#lib/query.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { MorePages } from "#ui/MorePages.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { AppealStatus } from "./load-appeal.ts";
import styles from "./Appeal.module.css";

/** What a banned user keeps: beans and their statement, refunds, a copy of the data, and deletion. */
export function BannedAccountRights({ token, status }: { token: string; status: AppealStatus }): ReactNode {
  const t = useT();
  // Once the ban has ended its token is invalid; the user can sign in and find all of this in the product.
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

/** One section, closed at first; its content loads when it opens. */
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

/** A copy of the user's data. */
function DataPart({ token, userId }: Owner): ReactNode {
  const t = useT();
  const { copy, error, look, beginning, begin } = useDataExport(userId, token);
  if (!copy && error) return <LoadFailure text={t("appeal.loadFailed")} onRetry={look} />;
  if (copy?.state === "ready") {
    return (
      <a className={buttonClass({ kind: "outline", size: "small" })} href={copy.url} download={copy.name}>
        {t("appeal.dataReady")}
      </a>
    );
  }
  return (
    <>
      {copy?.state === "preparing" ? (
        <p role="status">{t("appeal.dataPreparing", { percent: formatPercent(copy.percent) })}</p>
      ) : (
        <Button kind="outline" size="small" loading={beginning || copy === undefined} onClick={begin}>
          {t("appeal.dataGo")}
        </Button>
      )}
      {error && <p role="alert">{t(error.code === codes.slowDown ? "account.copyOften" : "account.failed")}</p>}
    </>
  );
}

/** Deletes the account once the user has typed its number. */
function DeletePart({ token, userId }: Owner): ReactNode {
  const t = useT();
  const id = useId();
  const [number, setNumber] = useState("");
  const { data, error, isPending, mutate } = useEndpointMutation(accountDel, { requestOptions: { token } });
  const remove = (event: FormEvent) => {
    event.preventDefault();
    mutate({ user_id: userId, user_no: number });
  };
  if (data) return <p role="status">{t("appeal.deleted", { day: formatDate(data.until) })}</p>;
  return (
    <form className={styles.leave} onSubmit={remove}>
      <p>{t("appeal.deleteText")}</p>
      <Field id={id} label={t("appeal.deleteNumber")}>
        <Input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={number}
          onChange={(event) => setNumber(event.target.value)}
        />
      </Field>
      <p className={styles.problem} role="alert">
        {error && t(error.reason === "wrong_number" ? "refused.wrong_number" : "appeal.failed")}
      </p>
      <Button type="submit" kind="danger" size="small" loading={isPending} disabled={number.trim() === ""}>
        {t("appeal.delete")}
      </Button>
    </form>
  );
}

type Row = OutputOf<typeof beanStatement>["rows"][number];

/** The owner of the ban, and the token that authorizes requests. */
interface Owner {
  readonly token: string;
  readonly userId: number;
}

/** The newest transfers of the user's beans; an unused purchase can be refunded. */
function StatementPart({ token, userId }: Owner): ReactNode {
  const t = useT();
  // Kept outside of the row of its purchase, which may disappear because it is no longer refundable.
  const [problem, setProblem] = useState<Key | null>(null);
  const statement = useEndpointPages(
    beanStatement,
    { user_id: userId, filter: 0 },
    { requestOptions: { token }, keyOf: ({ id }) => id },
  );
  if (statement.isPending) return <Skeleton height="80px" />;
  if (!statement.data) return <LoadFailure text={t("appeal.loadFailed")} onRetry={statement.refetch} />;
  const { rows } = statement.data;
  function failed(error: RequestFailure): void {
    setProblem(withdrawProblem(error));
    // Although the request failed, the purchase may have been refunded, or may no longer be refundable.
    void statement.refetch();
  }
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
      <MorePages pages={statement} text={t("statement.more")} failedText={t("appeal.loadFailed")} />
      <h3>{t("appeal.refund")}</h3>
      {refundable.length === 0 && <p>{t("appeal.refundNone")}</p>}
      {refundable.map((row) => (
        <Refund key={row.id} row={row} token={token} userId={userId} onTry={() => setProblem(null)} onFailed={failed} />
      ))}
      {problem !== null && <p role="alert">{t(problem)}</p>}
    </>
  );
}

interface RefundProps extends Owner {
  readonly row: Row;
  readonly onTry: () => void;
  readonly onFailed: (error: RequestFailure) => void;
}

function Refund({ row, token, userId, onTry, onFailed }: RefundProps): ReactNode {
  const t = useT();
  const { order_no: orderNo } = row;
  const refund = useEndpointMutation(orderWithdraw, { requestOptions: { token }, onMutate: onTry, onError: onFailed });
  if (refund.isSuccess) return <p role="status">{t("appeal.refundDone")}</p>;
  return (
    <Button
      kind="outline"
      size="small"
      loading={refund.isPending}
      onClick={() => orderNo !== null && refund.mutate({ user_id: userId, order_no: orderNo })}
    >
      {t("appeal.refundGo", { beans: formatBeans(row.beans) })}
    </Button>
  );
}
