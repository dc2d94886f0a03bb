import { AtSign, Check, Clock, Copy, Mail, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { copiedMs } from "@fava/wire/limits.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useSettings } from "#lib/settings.ts";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./LoginSheet.module.css";

/** Contact us as a dialog of its own, from the user menu. */
export function ContactSheet(): ReactNode {
  return <Sheet {...useContactView({ onClose: () => closeOverlay("contact") })} />;
}

/** How to reach the people behind the product; every entry can be copied (rule SIGNIN-4). */
export function useContactView(ways: { onBack?: () => void; onClose: () => void }): SheetProps {
  const t = useT();
  const contact = useSettings()?.contact;
  return {
    widthPx: 432,
    title: t("login.contact"),
    lead: t("contact.lead"),
    onBack: ways.onBack,
    onClose: ways.onClose,
    children: (
      <ul className={styles.entries}>
        {contact && (
          <>
            <Entry icon={<Mail size={20} aria-hidden="true" />} label={t("contact.mail")} value={contact.email} />
            <Entry
              icon={<AtSign size={20} aria-hidden="true" />}
              label={t("contact.account")}
              value={contact.official_account}
            />
          </>
        )}
        <li>
          <Clock size={20} aria-hidden="true" />
          <p>
            <small>{t("contact.hours")}</small>
            {t("contact.hoursText")}
          </p>
        </li>
      </ul>
    ),
  };
}

function Entry({ icon, label, value }: { icon: ReactNode; label: string; value: string }): ReactNode {
  return (
    <li>
      {icon}
      <p>
        <small>{label}</small>
        <b>
          <bdi dir="ltr">{value}</bdi>
        </b>
      </p>
      <CopyButton value={value} />
    </li>
  );
}

/** Tells on itself for 3 s whether the copy succeeded: a success text, or "error" (rule ERR-11). */
function CopyButton({ value }: { value: string }): ReactNode {
  const t = useT();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), copiedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  return (
    <button type="button" className={styles.copy} data-state={state} onClick={() => void copy()}>
      {state === "copied" ? <Check size={18} /> : state === "failed" ? <TriangleAlert size={18} /> : <Copy size={18} />}
      <span aria-live="polite">
        {t(state === "copied" ? "common.copied" : state === "failed" ? "common.copyFailed" : "common.copy")}
      </span>
      <VisuallyHidden>{value}</VisuallyHidden>
    </button>
  );
}
