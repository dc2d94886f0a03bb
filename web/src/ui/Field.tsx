import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from "react";
import { mailAddressLengthMax } from "@fava/wire/limits.ts";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Field.module.css";

/**
 * A form field: a label, the control, and below it a hint or problem. The control among the children has the id `id`,
 * and is described by `${id}-hint` if there is a hint.
 */
export function Field(props: {
  id: string;
  label: ReactNode;
  /** A remark at the other end of the label's line, such as a letter count. */
  remark?: ReactNode;
  hint?: ReactNode;
  /** Whether the hint is a problem. */
  isWrong?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={classNames(styles.field, props.className)}>
      <span className={styles.label}>
        <label htmlFor={props.id}>{props.label}</label>
        {props.remark !== undefined && <small>{props.remark}</small>}
      </span>
      {props.children}
      {props.hint !== undefined && (
        <small id={`${props.id}-hint`} className={styles.hint} data-wrong={props.isWrong || undefined}>
          {props.hint}
        </small>
      )}
    </div>
  );
}

/** A single-line text field; `icon` is before the text, inside the border. */
export function Input(
  props: InputHTMLAttributes<HTMLInputElement> & { icon?: ReactNode; ref?: Ref<HTMLInputElement> | undefined },
): ReactNode {
  const { icon, className, ...rest } = props;
  if (icon === undefined) return <input {...rest} className={classNames(styles.control, className)} />;
  return (
    <span className={classNames(styles.control, styles.box, className)}>
      {icon}
      <input {...rest} />
    </span>
  );
}

/** An e-mail address. What is wrong with it replaces the hint, and is announced. */
export function EmailField({
  id,
  label,
  hint: usual,
  wrong,
  value,
  onChange,
  ref,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  wrong: string | null;
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}): ReactNode {
  const isWrong = wrong !== null;
  const hint = isWrong ? <span role="alert">{wrong}</span> : usual;
  return (
    <Field id={id} label={label} hint={hint} isWrong={isWrong}>
      <Input
        ref={ref}
        id={id}
        type="email"
        dir="ltr"
        autoComplete="email"
        maxLength={mailAddressLengthMax}
        value={value}
        aria-invalid={isWrong || undefined}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** A multi-line text field. */
export function TextArea(
  props: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> },
): ReactNode {
  return <textarea {...props} className={classNames(styles.control, styles.long, props.className)} />;
}
