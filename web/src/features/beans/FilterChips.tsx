import { type ReactNode, useId } from "react";
import { useT } from "#lib/i18n.ts";
import type { StatementFilter } from "./statement-list.ts";
import styles from "./FilterChips.module.css";

const filters = [0, 1, 2, 3] as const;

/** Which transfers are shown: one choice, and the arrow keys move it. */
export function FilterChips(props: { filter: StatementFilter; onPick: (filter: StatementFilter) => void }): ReactNode {
  const t = useT();
  const name = useId();
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{t("statement.show")}</legend>
      {filters.map((filter) => (
        <label key={filter}>
          <input type="radio" name={name} checked={filter === props.filter} onChange={() => props.onPick(filter)} />
          {t(`statement.filter.${filter}`)}
        </label>
      ))}
    </fieldset>
  );
}
