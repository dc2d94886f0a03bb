import { Plus } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import {
  adminAuthorityAdd,
  adminAuthorityClose,
  adminAuthorityHold,
  type AuthorityRow,
} from "@fava/wire/endpoints/notices.ts";
import { noticeBasisLengthMax, noticeFieldLengthMax } from "@fava/wire/limits.ts";
import { type AuthorityKind, authorityKinds, authorityOutcomes } from "@fava/wire/notices.ts";
import { typedDigits, userNoLength } from "#lib/digits.ts";
import { formatAs } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Field, Input, TextArea } from "#ui/Field.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { useAuthorities, useChange } from "./admin-data.ts";
import styles from "./Admin.module.css";

/** Requests of authorities with their outcomes and holds. Nothing is sent from here. */
export function Authorities(): ReactNode {
  const t = useT();
  const rows = useAuthorities();
  const [isAdding, setAdding] = useState(false);
  if (!rows) return null;
  return (
    <section className={styles.authorities}>
      <div className={styles.packsHead}>
        <h2>{t("authority.title")}</h2>
        <Button
          kind="quiet"
          size="small"
          pill
          icon={<Plus size={18} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t("authority.add")}
        </Button>
      </div>
      <p>{t("authority.lead")}</p>
      <ul>
        {rows.map((row) => (
          <Request key={row.id} row={row} />
        ))}
      </ul>
      {isAdding && <AddSheet onClose={() => setAdding(false)} />}
    </section>
  );
}

function Request({ row }: { row: AuthorityRow }): ReactNode {
  const t = useT();
  const { person, proposed, hold_until: holdUntil } = row;
  return (
    <li>
      <p>
        <b dir="auto">
          {row.authority} ({row.country})
        </b>
        <span>
          {t(`authority.kind.${row.kind}`)}
          {person && (
            <>
              {" · "}
              <bdi translate="no">{person.nickname}</bdi> {isolate(person.user_no)}
            </>
          )}
        </span>
        <span dir="auto">{row.basis}</span>
        <small>
          {t("appeal.received")}: {formatAs("medium", row.received_at)}
          {row.due_at !== null && ` · ${t("authority.due")}: ${formatAs("medium", row.due_at)}`}
        </small>
        {row.outcome !== null && <b>{t(`authority.outcome.${row.outcome}`)}</b>}
        {proposed && <small>{t("authority.proposed", { name: isolate(proposed.name) })}</small>}
        {holdUntil !== null && <small>{t("authority.heldUntil", { day: formatAs("medium", holdUntil) })}</small>}
      </p>
      <RequestActions row={row} />
    </li>
  );
}

function RequestActions({ row }: { row: AuthorityRow }): ReactNode {
  const t = useT();
  const user_id = useUser()?.user_id ?? 0;
  const tell = (problem: string | null) => problem !== null && showToast({ type: "error", text: problem });
  const closing = useChange(adminAuthorityClose, "admin.review.refused", tell);
  const holding = useChange(adminAuthorityHold, "admin.review.refused", tell);
  const hold = (on: 0 | 1) => holding.mutate({ user_id, id: row.id, on });
  return (
    <div className={styles.authorityActs}>
      {row.person && (
        <Button kind="quiet" size="small" loading={holding.isPending} onClick={() => hold(1)}>
          {t(row.hold_until === null ? "authority.hold" : "authority.renew")}
        </Button>
      )}
      {row.hold_until !== null && (
        <Button kind="quiet" size="small" loading={holding.isPending} onClick={() => hold(0)}>
          {t("authority.release")}
        </Button>
      )}
      {row.outcome === null &&
        authorityOutcomes.map((outcome) => (
          <Button
            key={outcome}
            kind="quiet"
            size="small"
            disabled={outcome === "disclosed" && row.proposed?.mine === true}
            loading={closing.isPending}
            onClick={() => closing.mutate({ user_id, id: row.id, outcome })}
          >
            {t(`authority.outcome.${outcome}`)}
          </Button>
        ))}
    </div>
  );
}

/** A new request, as an administrator received it. */
function AddSheet({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const form = useId();
  const user_id = useUser()?.user_id ?? 0;
  const [kind, setKind] = useState<AuthorityKind>("information");
  const [text, setText] = useState({ authority: "", country: "", basis: "", received: "", due: "", account: "" });
  const [isHeld, setHeld] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const adding = useChange(adminAuthorityAdd, "authority.wrong", (problem) => {
    if (problem === null) onClose();
  });
  const field = (name: keyof typeof text) => ({
    id: `${form}-${name}`,
    value: text[name],
    onChange: ({ target }: { target: { value: string } }) => setText((before) => ({ ...before, [name]: target.value })),
  });
  function add(event: FormEvent): void {
    event.preventDefault();
    const isComplete =
      text.authority.trim() !== "" &&
      text.basis.trim() !== "" &&
      /^[A-Z]{2}$/.test(text.country) &&
      text.received !== "";
    setWrong(!isComplete);
    if (isComplete) adding.mutate({ user_id, kind, ...text, hold: isHeld ? 1 : 0 });
  }
  const problem = isWrong ? t("authority.wrong") : adding.problem;
  return (
    <Sheet
      title={t("authority.add")}
      onClose={onClose}
      foot={
        <Button kind="ink" type="submit" form={form} loading={adding.isPending}>
          {t("common.save")}
        </Button>
      }
    >
      <form id={form} className={styles.authorityForm} onSubmit={add}>
        <Field id={`${form}-authority`} label={t("authority.name")}>
          <Input {...field("authority")} dir="auto" maxLength={noticeFieldLengthMax} />
        </Field>
        <Field id={`${form}-country`} label={t("authority.country")}>
          <Input
            {...field("country")}
            dir="ltr"
            maxLength={2}
            onChange={({ target }) => setText((before) => ({ ...before, country: target.value.toUpperCase() }))}
          />
        </Field>
        <Select
          label={t("notice.kindTitle")}
          value={kind}
          options={authorityKinds.map((value) => ({ value, text: t(`authority.kind.${value}`) }))}
          onChange={(value) => setKind(authorityKinds.find((one) => one === value) ?? kind)}
        />
        <Field id={`${form}-basis`} label={t("authority.basis")}>
          <TextArea {...field("basis")} dir="auto" rows={2} maxLength={noticeBasisLengthMax} />
        </Field>
        <Field id={`${form}-received`} label={t("appeal.received")}>
          <Input {...field("received")} type="date" />
        </Field>
        <Field id={`${form}-due`} label={t("authority.due")}>
          <Input {...field("due")} type="date" />
        </Field>
        <Field id={`${form}-account`} label={t("safety.number")}>
          <Input
            {...field("account")}
            dir="ltr"
            inputMode="numeric"
            onChange={({ target }) =>
              setText((before) => ({ ...before, account: typedDigits(target.value, userNoLength) }))
            }
          />
        </Field>
        <Checkbox checked={isHeld} onChange={setHeld}>
          {t("authority.hold")}
        </Checkbox>
        <p role="alert" className={styles.decisionProblem}>
          {problem}
        </p>
      </form>
    </Sheet>
  );
}
