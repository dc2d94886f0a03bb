import { ChevronDown, Download, Trash2, WalletCards } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { DataPart } from "./DataPart.tsx";
import { DeletePart } from "./DeletePart.tsx";
import { StatementPart } from "./StatementPart.tsx";
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
