import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Select } from "#ui/Select.tsx";
import styles from "#ui/TagList.module.css";

/** The chosen tags in order: a press removes one, and the list below adds one. */
export function TagList(props: {
  title: string;
  /** Label of the select that adds a tag; also its first option. */
  add: string;
  chosen: readonly number[];
  /** Ids of all tags that can be chosen. */
  ids: readonly number[];
  max: number;
  nameOf: (id: number) => string;
  /** An option that is listed before the others, which are sorted by name. */
  first?: { readonly id: number; readonly text: string } | undefined;
  onChange: (chosen: number[]) => void;
  children?: ReactNode;
}): ReactNode {
  const t = useT();
  const id = useId();
  const { chosen, nameOf, first, onChange } = props;
  const isLeft = (one: number) => !chosen.includes(one);
  const options = props.ids
    .filter((one) => isLeft(one) && one !== first?.id)
    .map((one) => ({ value: String(one), text: nameOf(one) }))
    .toSorted((one, other) => one.text.localeCompare(other.text));
  const firstOption = first && isLeft(first.id) ? [{ value: String(first.id), text: first.text }] : [];
  return (
    <section className={styles.part} aria-labelledby={id}>
      <span className={styles.head}>
        <h3 id={id}>{props.title}</h3>
        <small>{t("talk.upTo", { max: formatNumber(props.max) })}</small>
      </span>
      {chosen.length === 0 ? (
        <p className={styles.none}>{t("talk.none")}</p>
      ) : (
        <ul className={styles.chosen}>
          {chosen.map((one) => (
            <li key={one}>
              <button
                type="button"
                className={styles.tag}
                aria-label={t("talk.remove", { name: nameOf(one) })}
                onClick={() => onChange(chosen.filter((other) => other !== one))}
              >
                <span>{nameOf(one)}</span>
                <X size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {props.children}
      {chosen.length < props.max && (
        <Select
          hideLabel
          label={props.add}
          value=""
          options={[{ value: "", text: props.add }, ...firstOption, ...options]}
          onChange={(value) => value !== "" && onChange([...chosen, Number(value)])}
        />
      )}
    </section>
  );
}
