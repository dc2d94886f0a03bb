import { Check, ExternalLink } from "lucide-react";
import { use, type ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { MenuClose } from "#ui/menu-context.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "#ui/Menu.module.css";

/** A menu item with an action; the menu closes first. With `checked` it is a switch. */
export function MenuItem(props: {
  icon?: ReactNode;
  trailing?: ReactNode;
  checked?: boolean;
  onSelect: () => void;
  children: ReactNode;
}): ReactNode {
  const close = use(MenuClose);
  const select = () => {
    close();
    props.onSelect();
  };
  return (
    <button
      type="button"
      role={props.checked === undefined ? "menuitem" : "menuitemcheckbox"}
      aria-checked={props.checked}
      tabIndex={-1}
      className={styles.item}
      onClick={select}
    >
      {props.icon}
      <span>{props.children}</span>
      {props.trailing}
      {props.checked && <Check size={20} aria-hidden="true" />}
    </button>
  );
}

/** A menu item that links to another page; says so if that is a new window. */
export function MenuLink(props: {
  icon?: ReactNode;
  href: string;
  newWindow?: boolean;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const close = use(MenuClose);
  const elsewhere = props.newWindow ? { target: "_blank", rel: "noopener" } : {};
  return (
    <a role="menuitem" tabIndex={-1} className={styles.item} href={props.href} {...elsewhere} onClick={close}>
      {props.icon}
      <span>{props.children}</span>
      {props.newWindow && (
        <>
          <ExternalLink size={16} className={`${styles.out} flip`} aria-hidden="true" />
          <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
        </>
      )}
    </a>
  );
}

interface MenuChoice<Value extends string> {
  value: Value;
  text: string;
  /** Language of the text, if it differs from the page's. */
  lang?: string;
}

interface MenuChoicesProps<Value extends string> {
  label: string;
  options: readonly MenuChoice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A list of options; choosing one closes the menu. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>): ReactNode {
  const close = use(MenuClose);
  const choose = (value: Value) => {
    close();
    props.onChange(value);
  };
  return (
    <fieldset aria-label={props.label} className={styles.group}>
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="menuitemradio"
          aria-checked={option.value === props.value}
          tabIndex={-1}
          lang={option.lang}
          className={styles.item}
          onClick={() => choose(option.value)}
        >
          <span>{option.text}</span>
          {option.value === props.value && <Check size={20} aria-hidden="true" />}
        </button>
      ))}
    </fieldset>
  );
}

/** A few options side by side; the menu stays open. */
export function MenuSegments<Value extends string>(props: MenuChoicesProps<Value>): ReactNode {
  return (
    <fieldset aria-label={props.label} className={styles.segments}>
      <span aria-hidden="true">{props.label}</span>
      <div>
        {props.options.map((option) => (
          <button
            key={option.value}
            type="button"
            role="menuitemradio"
            aria-checked={option.value === props.value}
            tabIndex={-1}
            onClick={() => props.onChange(option.value)}
          >
            {option.text}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

export function MenuHeading({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className={styles.heading} role="presentation">
      {children}
    </p>
  );
}

export function MenuSeparator(): ReactNode {
  return <hr className={styles.separator} />;
}
