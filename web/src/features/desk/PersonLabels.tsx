import { Plus, Tag } from "lucide-react";
import type { ReactNode } from "react";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import { useT } from "#lib/i18n.ts";
import type { PersonTools } from "./use-person-tools.ts";
import styles from "./PersonPanel.module.css";

/** Labels that moderators put on the person. */
export function PersonLabels(props: { person: DeskPerson; tools: PersonTools; onLabel: () => void }): ReactNode {
  const t = useT();
  return (
    <section className={styles.section}>
      <h3>
        <Tag size={16} aria-hidden="true" />
        {t("desk.labels")}
      </h3>
      <ul className={styles.labels}>
        {props.person.labels.map((id) => (
          <li key={id}>{t(`desk.label.${id}`)}</li>
        ))}
        <li>
          <button type="button" disabled={props.tools.isBusy} onClick={props.onLabel} aria-keyshortcuts="L">
            <Plus size={13} aria-hidden="true" />
            {t("desk.label")}
          </button>
        </li>
      </ul>
    </section>
  );
}
