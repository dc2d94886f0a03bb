import { useId, type ReactNode } from "react";
import { Fieldset } from "#ui/Fieldset.tsx";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/RadioCards.module.css";

interface RadioCard<Value extends string> {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  icon?: ReactNode;
  /** Content at the end of the row, such as a price. */
  trailing?: ReactNode;
}

export interface RadioCardsProps<Value extends string> {
  /** Heading of the group. */
  legend: string;
  /** By default only the heading of segments is hidden, on phones. */
  hideLegend?: boolean;
  options: readonly RadioCard<Value>[];
  /** Null: nothing is chosen yet. */
  value: Value | null;
  onChange: (value: Value) => void;
  /**
   * rows: below each other. cards: large ones side by side, with the icon above. segments: one bar, for short labels.
   */
  layout?: "rows" | "cards" | "segments";
  disabled?: boolean;
}

/** Native radio buttons as cards or as one segmented bar: arrow keys move inside, Tab moves between groups. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>): ReactNode {
  const { layout = "rows", hideLegend } = props;
  const isBar = layout === "segments";
  const name = useId();
  return (
    <Fieldset
      legend={props.legend}
      legendClassName={hideLegend ? "visually-hidden" : hideLegend === undefined && isBar && styles.wideLegend}
      disabled={props.disabled}
    >
      <div className={classNames(styles.options, styles[layout])}>
        {props.options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === props.value}
              onChange={() => props.onChange(option.value)}
            />
            {option.icon !== undefined && <span className={styles.icon}>{option.icon}</span>}
            <span className={styles.words}>
              <span className={styles.label}>{option.label}</span>
              {option.hint !== undefined && <span className={styles.hint}>{option.hint}</span>}
            </span>
            {option.trailing !== undefined && <span className={styles.trailing}>{option.trailing}</span>}
            {!isBar && <span className={styles.tick} aria-hidden="true" />}
          </label>
        ))}
      </div>
    </Fieldset>
  );
}

/** One bar of short options, the chosen one raised. */
export function Segmented<Value extends string>(props: Omit<RadioCardsProps<Value>, "layout">): ReactNode {
  return <RadioCards {...props} layout="segments" />;
}
