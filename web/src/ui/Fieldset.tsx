import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Fieldset.module.css";

/** A group of fields in a column, with a heading. */
export function Fieldset(props: {
  legend: string;
  legendClassName?: string | false | undefined;
  disabled?: boolean | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <fieldset className={styles.group} disabled={props.disabled}>
      <legend className={classNames(styles.legend, props.legendClassName)}>{props.legend}</legend>
      {props.children}
    </fieldset>
  );
}
