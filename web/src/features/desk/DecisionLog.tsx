import { RotateCcw } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { adminDecisionList, adminReportReopen } from "@fava/wire/endpoints/desk.ts";
import { decisionKinds } from "@fava/wire/moderation.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { goTo } from "#lib/address.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useEndpointMutation, useEndpointPages } from "#lib/query.ts";
import { useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { Link } from "#ui/Link.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { ConfirmSheet } from "./PersonMenu.tsx";
import { eventDetail, eventText } from "./desk-events.ts";
import { showDeskFailure, timeLeftText } from "./desk-format.ts";
import { refreshDeskInfo } from "./desk-info.ts";
import { requestOptions, useFailureToast } from "./desk-query.ts";
import { EmptyNotice } from "./parts.tsx";
import styles from "./Shift.module.css";

type Decision = OutputOf<typeof adminDecisionList>["rows"][number];
type Filters = Pick<InputOf<typeof adminDecisionList>, "kind" | "by" | "days">;

const logDays = [1, 14, 90] as const;
const pagesOptions = { keyOf: ({ id }: Decision) => id, requestOptions, keepPrevious: true, refetchOnReconnect: true };

/** The moderator's decisions of today, each with the state of its appeal; administrators also see the log of all. */
export function DecisionLog({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const { user_id } = user;
  const [scope, setScope] = useState<"mine" | "all">("mine");
  const [filters, setFilters] = useState<Filters>({ days: 14 });
  const input = scope === "mine" ? { user_id, scope } : { user_id, scope, ...filters };
  const list = useEndpointPages(adminDecisionList, input, pagesOptions);
  useFailureToast(list.error);
  const [asked, setAsked] = useState<Decision | null>(null);
  const { mutate: reopen } = useEndpointMutation(adminReportReopen, {
    onSuccess: (_, { id }) => {
      refreshDeskInfo();
      goTo(`/reportReview?case=${encodeURIComponent(id)}`);
    },
    onError: (error) => {
      showDeskFailure(error);
      void list.refetch();
    },
  });
  const rows = list.data?.rows ?? [];
  return (
    <section className={styles.part} aria-busy={list.isPending}>
      <header className={styles.head}>
        <h2>{t(`desk.decisions.${scope}`)}</h2>
        {user.role >= roles.administrator && (
          <Segmented
            legend={t("desk.decisions")}
            hideLegend
            value={scope}
            options={[
              { value: "mine" as const, label: t("desk.order.mine") },
              { value: "all" as const, label: t("desk.filter.all") },
            ]}
            onChange={setScope}
          />
        )}
      </header>
      {scope === "all" && <LogFilters filters={filters} onChange={setFilters} />}
      {list.isPending && <Skeleton height="320px" />}
      {list.isError && rows.length === 0 && (
        <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: () => void list.refetch() }} />
      )}
      {list.isSuccess && rows.length === 0 && <p className={styles.lead}>{t("desk.earlier.none")}</p>}
      <ul className={styles.decisions}>
        {rows.map((row) => (
          <DecisionRow key={row.id} row={row} isNamed={scope === "all"} onReopen={() => setAsked(row)} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="small" kind="plain" onClick={() => void list.fetchNextPage()}>
          {t("desk.more")}
        </Button>
      )}
      {asked?.case_id != null && (
        <ConfirmSheet
          title={t("desk.reopen.title", { name: isolate(asked.person?.nickname ?? "") })}
          lead={t("desk.reopen.lead")}
          yes={t("desk.reopen")}
          onYes={() => asked.case_id !== null && reopen({ user_id, id: asked.case_id })}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

/** What was decided about whom and why. `isNamed`: by which moderator. */
function DecisionRow(props: { row: Decision; isNamed: boolean; onReopen: () => void }): ReactNode {
  const t = useT();
  // Renders again to show the remaining time.
  useNow(15_000);
  const nowMs = serverNowMs();
  const { row, isNamed } = props;
  const { person, case_id: caseId, appeal, reopen_until: until } = row;
  const detail = eventDetail(t, { ...row, by: isNamed ? row.by : "" });
  return (
    <li>
      <time>{formatTime(row.at)}</time>
      <div>
        <b>{eventText(t, row.kind)}</b>
        {person && (
          <span>
            <bdi translate="no">{person.nickname}</bdi> · {isolate(person.user_no)}
          </span>
        )}
        {detail !== "" && <small>{detail}</small>}
        {appeal !== null && (
          <small data-appeal={appeal}>
            {t(appeal === "received" ? "desk.event.appeal" : `desk.event.appeal_${appeal}`)}
          </small>
        )}
      </div>
      {until !== null && until > nowMs ? (
        <Button
          size="small"
          icon={<RotateCcw size={16} className="flip" aria-hidden="true" />}
          onClick={props.onReopen}
        >
          {t("desk.reopen")}
          <small>{timeLeftText(t, until, nowMs)}</small>
        </Button>
      ) : (
        caseId !== null && (
          <Link to={`/reportReview?case=${encodeURIComponent(caseId)}`} className={styles.case}>
            {isolate(`R-${caseId}`)}
          </Link>
        )
      )}
    </li>
  );
}

function LogFilters({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const [by, setBy] = useState("");
  const search = (event: FormEvent) => {
    event.preventDefault();
    const { by: _, ...rest } = filters;
    onChange(by.trim() === "" ? rest : { ...rest, by: by.trim() });
  };
  const chooseKind = (value: string) => {
    const { kind: _, ...rest } = filters;
    const kind = decisionKinds.find((one) => one === value);
    onChange(kind === undefined ? rest : { ...rest, kind });
  };
  return (
    <form className={styles.filters} role="search" onSubmit={search}>
      <Select
        label={t("desk.decisions")}
        value={filters.kind ?? ""}
        options={[
          { value: "", text: t("desk.filter.all") },
          ...decisionKinds.map((kind) => ({ value: kind, text: t(`desk.event.${kind}`) })),
        ]}
        onChange={chooseKind}
      />
      <Select
        label={t("desk.figures.time")}
        value={String(filters.days)}
        options={logDays.map((days) => ({ value: String(days), text: t(`desk.figures.days.${days}`) }))}
        onChange={(value) => onChange({ ...filters, days: logDays.find((days) => String(days) === value) ?? 14 })}
      />
      <Field id={id} label={t("desk.decisions.by")}>
        <Input
          id={id}
          type="search"
          dir="auto"
          autoComplete="off"
          maxLength={40}
          value={by}
          onChange={(event) => setBy(event.target.value)}
        />
      </Field>
      <Button type="submit" kind="ink">
        {t("desk.find.go")}
      </Button>
    </form>
  );
}
