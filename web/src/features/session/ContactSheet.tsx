import {
  AtSign,
  Check,
  Clock,
  Copy,
  ExternalLink,
  Mail,
  MessageCircle,
  MessagesSquare,
  TriangleAlert,
} from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { copiedMs } from "@fava/wire/limits.ts";
import { openThread } from "#features/people/person-links.ts";
import { isolate } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { dateFormat } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { type PublicSettings, useSettings } from "#lib/settings.ts";
import { List, ListRow } from "#ui/List.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./LoginSheet.module.css";

/** The contact view as a dialog of its own, from the user menu. */
export function ContactSheet(): ReactNode {
  return <Sheet {...useContactView({ onClose: () => closeOverlay("contact") })} />;
}

/** How to reach the operator; every entry can be copied or opened. */
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
      <List className={styles.entries}>
        {contact && <Entries contact={contact} />}
        <Hours />
      </List>
    ),
  };
}

function Entries({ contact }: { contact: PublicSettings["contact"] }): ReactNode {
  const t = useT();
  const isSignedIn = useUser() !== null;
  const { official_id: officialId, messaging_link: link } = contact;
  return (
    <>
      <Entry icon={<Mail size={20} aria-hidden="true" />} label={t("contact.mail")} value={contact.email}>
        <CopyButton value={contact.email} />
      </Entry>
      <Entry
        icon={<AtSign size={20} aria-hidden="true" />}
        label={t("contact.account")}
        value={contact.official_account}
      >
        {isSignedIn ? (
          <button type="button" className={styles.copy} onClick={() => openThread(officialId)}>
            <MessageCircle size={18} aria-hidden="true" />
            {t("contact.write")}
          </button>
        ) : (
          <CopyButton value={contact.official_account} />
        )}
      </Entry>
      {URL.canParse(link) && (
        <Entry
          icon={<MessagesSquare size={20} aria-hidden="true" />}
          label={t("contact.app")}
          value={link.replace(/^https?:\/\//, "")}
        >
          <a className={styles.copy} href={link} target="_blank" rel="noopener">
            <ExternalLink size={18} className="flip" aria-hidden="true" />
            {t("contact.open")}
            <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
          </a>
        </Entry>
      )}
    </>
  );
}

function Entry(props: { icon: ReactNode; label: string; value: string; children: ReactNode }): ReactNode {
  return (
    <ListRow leading={props.icon} trailing={props.children}>
      <small>{props.label}</small>
      <b>
        <bdi dir="ltr" translate="no">
          {props.value}
        </bdi>
      </b>
    </ListRow>
  );
}

/** The support hours, in GMT and in local time. */
function Hours(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const [nowMs] = useState(() => Date.now());
  const here = localSupportHours({ nowMs, language });
  return (
    <ListRow leading={<Clock size={20} aria-hidden="true" />}>
      <small>{t("contact.hours")}</small>
      <span>{t("contact.hoursText")}</span>
      {!here.sameAsGmt && (
        <span>
          {t(here.overMidnight ? "contact.localHoursOver" : "contact.localHours", {
            first: here.first,
            last: here.last,
            from: isolate(here.from),
            to: isolate(here.to),
          })}
        </span>
      )}
    </ListRow>
  );
}

/** Shows for 3 s whether the copy succeeded: a success text, or "error". */
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

/** Whole hours of the day in GMT. */
const supportHours = { from: 2, to: 10 } as const;

/** Support hours in local time, as text in a language. */
export interface LocalHours {
  /** The weekdays on which they start, the first and the last. */
  readonly first: string;
  readonly last: string;
  readonly from: string;
  readonly to: string;
  /** Whether the hours end on the day after the one on which they start. */
  readonly overMidnight: boolean;
  /** Whether the local time is GMT. */
  readonly sameAsGmt: boolean;
}

const dayMs = 86_400_000;
const weekDays = 7;

/**
 * Monday to Friday 02:00 to 10:00 GMT in the local time of `timeZone` in the week after `nowMs`; far from Greenwich
 * they start or end on another day. `timeZone` undefined: that of the browser.
 */
export function localSupportHours(options: { nowMs: number; language: Language; timeZone?: string }): LocalHours {
  const { language, timeZone } = options;
  const monday = nextMonday(options.nowMs);
  const friday = monday + 4 * dayMs;
  const opens = monday + supportHours.from * 3_600_000;
  const closes = monday + supportHours.to * 3_600_000;
  const weekday = dateFormat(language, "weekday", timeZone);
  const time = dateFormat(language, "clock", timeZone);
  const day = dateFormat(language, "long", timeZone);
  const [moment, inGmt] = [dateFormat(language, "moment", timeZone), dateFormat(language, "moment", "UTC")];
  // One minute before the end: hours that end at midnight end on the day on which they started.
  const overMidnight = day(opens) !== day(closes - 60_000);
  return {
    first: weekday(opens),
    last: weekday(friday + supportHours.from * 3_600_000),
    from: time(opens),
    to: time(closes),
    overMidnight,
    sameAsGmt: moment(opens) === inGmt(opens),
  };
}

/** The first moment of the next Monday in GMT. */
function nextMonday(nowMs: number): number {
  const today = nowMs - (nowMs % dayMs);
  const monday = 1;
  return today + ((monday - new Date(today).getUTCDay() + weekDays) % weekDays) * dayMs;
}
