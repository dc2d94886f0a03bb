import { ChevronDown } from "lucide-react";
import { useId, type ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Select.module.css";

export interface SelectOption {
  value: string;
  text: string;
}

/** A native select with its label above: the best list on phones and in right-to-left languages. */
export function Select(props: {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  /** Hides the label visually. */
  hideLabel?: boolean;
  icon?: ReactNode;
  /** Small, with the label inside the box. */
  compact?: boolean;
  disabled?: boolean;
  describedBy?: string;
}): ReactNode {
  const id = useId();
  return (
    <span className={classNames(styles.field, props.compact && styles.compact)}>
      {!props.hideLabel && (
        <label htmlFor={id} className={styles.label}>
          {props.label}
        </label>
      )}
      <span className={classNames(styles.box, props.icon !== undefined && styles.withIcon)}>
        {props.icon !== undefined && <span className={styles.icon}>{props.icon}</span>}
        <select
          id={id}
          aria-label={props.hideLabel ? props.label : undefined}
          aria-describedby={props.describedBy}
          value={props.value}
          disabled={props.disabled}
          onChange={(event) => props.onChange(event.target.value)}
        >
          {props.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <ChevronDown size={20} className={styles.chevron} aria-hidden="true" />
      </span>
    </span>
  );
}
