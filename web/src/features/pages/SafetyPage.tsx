import {
  Ban,
  Camera,
  Check,
  CircleDollarSign,
  Copy,
  EyeOff,
  Flag,
  HeartHandshake,
  History,
  type LucideIcon,
  Mail,
  Phone,
  ShieldCheck,
  UserRoundX,
  X,
} from "lucide-react";
import { type MouseEvent, type ReactNode, type Ref, use, useEffect, useId, useRef, useState } from "react";
import { userInfo } from "@fava/wire/endpoints/profile.ts";
import { userSearch } from "@fava/wire/endpoints/social.ts";
import { copiedMs, recentMs } from "@fava/wire/limits.ts";
import { openPeople, openReport, type ReportSubject } from "#features/people/person-links.ts";
import { goTo } from "#lib/address.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { isComposing } from "#lib/composing.ts";
import { typedDigits, userNoLength } from "#lib/digits.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, useLanguage, useT } from "#lib/i18n.ts";
import { directionOf } from "#lib/languages.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { currentUser, restored, useUser } from "#lib/session.ts";
import { useSettings } from "#lib/settings.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Link } from "#ui/Link.tsx";
import { Note } from "#ui/Note.tsx";
import { FilledText } from "./FilledText.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { ContentLanguage } from "./content-language.ts";
import { templateText, useFacts } from "./operator-facts.ts";
import type { SafetyContent } from "./page-content.ts";
import { pageText } from "./page-texts.ts";
import { pictureServices } from "./picture-services.ts";
import { usePageHead } from "./use-page-head.ts";
import styles from "./SafetyPage.module.css";

/**
 * `/safety`: help against blackmail first, then protection. It needs no session, and leaving it keeps no history entry
 * of it in this tab.
 */
export function SafetyPage(): ReactNode {
  const t = useT();
  const wanted = useLanguage();
  const { content, language } = use(pageText("safety", wanted));
  const reportTitle = useRef<HTMLHeadingElement>(null);
  usePageHead("/safety");
  useLeaveKey();
  const own: TextMark = language === wanted ? {} : { lang: language, dir: directionOf(language) };
  return (
    <PageFrame>
      <ContentLanguage value={language}>
        <main className={styles.main}>
          {language !== wanted && <Note className={styles.fallback}>{t("page.onlyEnglish")}</Note>}
          <section className={styles.help} aria-labelledby="threatened">
            <div className={styles.copy}>
              <div {...own}>
                <h1 id="threatened">{content.title}</h1>
                <p>{content.lead}</p>
              </div>
              <SafetyActions
                template={content.template}
                onReport={() => reportTitle.current?.focus()}
                onLeave={leave}
              />
            </div>
            <Steps content={content} own={own} />
          </section>
          <SafetyReport template={content.template} own={own} titleRef={reportTitle} />
          <Talk content={content} own={own} />
          <Cards content={content} own={own} />
          <SafetyHelp content={content} own={own} />
        </main>
      </ContentLanguage>
    </PageFrame>
  );
}

/** To the start page, which does not show why the user was here. */
function leave(): void {
  goTo("/", { replace: true });
}

function useLeaveKey(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isComposing(event) && !hasOpenLayer()) leave();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** The three buttons: report, copy the template, leave. */
function SafetyActions(props: { template: string; onReport: () => void; onLeave: () => void }): ReactNode {
  const t = useT();
  const facts = useFacts();
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");
  useEffect(() => {
    if (copied !== "yes") return;
    const timer = setTimeout(() => setCopied("no"), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(templateText(props.template, facts, ""));
      setCopied("yes");
    } catch (error) {
      console.warn("copying failed", error);
      setCopied("failed");
    }
  };
  const leave = (event: MouseEvent) => {
    event.preventDefault();
    props.onLeave();
  };
  return (
    <>
      <div className={styles.act}>
        <Button
          kind="ink"
          className={styles.report}
          icon={<Flag size={20} aria-hidden="true" />}
          onClick={() => void beginReport(props.onReport)}
        >
          {t("safety.report")}
        </Button>
        <Button
          size="small"
          icon={copied === "yes" ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {t("safety.copy")}
        </Button>
      </div>
      <p className={styles.copied} role="status">
        {copied === "yes" ? t("safety.copied") : copied === "failed" && t("safety.notCopied")}
      </p>
      <a href="/" data-leaves="" className={styles.leave} aria-keyshortcuts="Escape" onClick={leave}>
        <X size={18} aria-hidden="true" />
        {t("safety.leave")}
        <Kbd>Esc</Kbd>
      </a>
    </>
  );
}

/**
 * The report of the safety centre: opens the recent people for a signed-in user, otherwise calls `here` to continue on
 * the page. A press before the server has confirmed a stored session waits for that, a second at most.
 */
export async function beginReport(here: () => void): Promise<void> {
  await restored();
  if (currentUser()) openPeople("recent");
  else here();
}

/** Other contacts, and what a visit leaves behind. Help lines come from settings; without any the list is left out. */
function SafetyHelp({ content, own }: { content: SafetyContent; own: TextMark }): ReactNode {
  const t = useT();
  const lines = useSettings()?.help_lines ?? [];
  return (
    <div className={styles.two}>
      <section aria-labelledby="danger">
        <div {...own}>
          <h2 id="danger">{content.danger.heading}</h2>
          <p>
            <FilledText text={content.danger.text} />
          </p>
        </div>
        {lines.length > 0 && (
          <>
            <h3>{t("safety.helpLines")}</h3>
            <ul className={styles.lines}>
              {lines.map(({ name, phone, url }) => (
                <li key={`${name} ${phone}`}>
                  <span dir="auto">{name}</span>
                  {phone !== "" && (
                    <a href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`} aria-label={`${name}: ${phone}`}>
                      <Phone size={18} aria-hidden="true" />
                      <bdi dir="ltr" translate="no">
                        {phone}
                      </bdi>
                    </a>
                  )}
                  {url !== "" && (
                    <a href={url} rel="noopener noreferrer" dir="ltr" aria-label={`${name}: ${new URL(url).host}`}>
                      {new URL(url).host}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section aria-labelledby="visit" {...own}>
        <h2 id="visit">{content.visit.heading}</h2>
        <p>
          <FilledText text={content.visit.text} />
        </p>
      </section>
    </div>
  );
}

const hourMs = 3_600_000;

interface SafetyReportProps {
  template: string;
  own: TextMark;
  titleRef: Ref<HTMLHeadingElement>;
}

/**
 * How to report without a call: a signed-in user by the recent people or the account number, others, and banned users,
 * by e-mail.
 */
function SafetyReport({ template, own, titleRef }: SafetyReportProps): ReactNode {
  const t = useT();
  const user = useUser();
  const facts = useFacts();
  const [number, setNumber] = useState("");
  const [problem, setProblem] = useState<Key | null>(null);
  const hours = formatNumber(recentMs / hourMs);
  const letter = templateText(template, facts, number);
  const byMail = user === null || problem === "safety.nobody" || problem === "safety.failed";
  return (
    <section className={styles.where} aria-labelledby="report-title">
      <h2 id="report-title" ref={titleRef} tabIndex={-1}>
        {t("safety.reportTitle")}
      </h2>
      <p>{user ? t("safety.reportHere", { hours }) : t("safety.reportByMail")}</p>
      <div className={styles.ways}>
        {user && (
          <Button kind="outline" icon={<History size={20} aria-hidden="true" />} onClick={() => openPeople("recent")}>
            {t("safety.recent")}
          </Button>
        )}
        <NumberForm
          number={number}
          problem={problem}
          ownNumber={user?.user_no ?? null}
          onNumber={(typed) => {
            setNumber(typed);
            setProblem(null);
          }}
          onProblem={setProblem}
        />
        {byMail && <MailLink body={letter} />}
      </div>
      <details className={styles.letter}>
        <summary>{t("safety.showText")}</summary>
        <p {...own}>{letter}</p>
      </details>
    </section>
  );
}

interface NumberFormProps {
  number: string;
  problem: Key | null;
  /**
   * The user's own account number; null while no user is signed in: the entered number then only goes into the e-mail.
   */
  ownNumber: string | null;
  onNumber: (typed: string) => void;
  onProblem: (problem: Key) => void;
}

function NumberForm({ number, problem, ownNumber, onNumber, onProblem }: NumberFormProps): ReactNode {
  const t = useT();
  const id = useId();
  const [looking, setLooking] = useState(false);
  const submit = async () => {
    if (ownNumber === null || looking) return;
    if (number.length !== userNoLength) return onProblem("safety.numberShort");
    if (number === ownNumber) return onProblem("safety.own");
    setLooking(true);
    const found = await findByNumber(number);
    setLooking(false);
    if (typeof found === "string") onProblem(found === "nobody" ? "safety.nobody" : "safety.failed");
    else openReport(found);
  };
  return (
    <form
      className={styles.number}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field id={id} label={t("safety.number")} hint={t("safety.numberHint")}>
        <div>
          <Input
            id={id}
            dir="ltr"
            inputMode="numeric"
            autoComplete="off"
            value={number}
            aria-invalid={problem !== null || undefined}
            aria-describedby={`${id}-hint ${id}-problem`}
            onChange={(event) => onNumber(typedDigits(event.target.value, userNoLength))}
          />
          {ownNumber !== null && (
            <Button type="submit" kind="ink" loading={looking}>
              {t("safety.send")}
            </Button>
          )}
        </div>
      </Field>
      <p id={`${id}-problem`} className={styles.problem} role="alert">
        {problem && t(problem)}
      </p>
    </form>
  );
}

function MailLink({ body }: { body: string }): ReactNode {
  const t = useT();
  const email = useSettings()?.contact.email;
  if (email === undefined) return null;
  return (
    <div className={styles.mail}>
      <a className={buttonClass({ kind: "ink" })} href={mailAddress(email, { subject: t("safety.mailSubject"), body })}>
        <Mail size={20} aria-hidden="true" />
        {t("safety.write")}
      </a>
      <small>{t("safety.mailAddress", { email: isolate(email) })}</small>
    </div>
  );
}

/**
 * The person with this account number. `nobody` also if one of the two has blocked the other, because a search hides
 * them; `failed` if the request failed.
 */
export async function findByNumber(number: string): Promise<ReportSubject | "nobody" | "failed"> {
  const user = currentUser();
  if (!user) return "failed";
  try {
    const { rows } = await request(userSearch, { user_id: user.user_id, text: number });
    const [first] = rows;
    if (!first) return "nobody";
    // A search also finds nicknames that start with these digits, so compare the account number.
    const other = await request(userInfo, { userId: user.user_id, otherId: first.user_id });
    return other.user_no === number ? { userId: other.user_id, nickname: other.nickname } : "nobody";
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    return "failed";
  }
}

/** Language and direction of a text that is not in the reader's language. */
type TextMark = { lang?: string; dir?: "ltr" | "rtl" };

interface PartProps {
  content: SafetyContent;
  own: TextMark;
}

const stepIcons = [CircleDollarSign, Ban, Camera, Phone] as const satisfies readonly LucideIcon[];
const talkIcons = [UserRoundX, EyeOff, ShieldCheck, HeartHandshake] as const satisfies readonly LucideIcon[];

/** What to do against blackmail, in order. */
function Steps({ content, own }: PartProps): ReactNode {
  return (
    <ol className={styles.steps} {...own}>
      {content.steps.map(({ heading, text }, index) => {
        const Icon = stepIcons[index];
        return (
          <li key={heading}>
            <span aria-hidden="true">{index + 1}</span>
            <div>
              <h2>
                {heading}
                {Icon && <Icon size={20} aria-hidden="true" />}
              </h2>
              <p>
                <FilledText text={text} />
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** What protects during a call. */
function Talk({ content: { talk }, own }: PartProps): ReactNode {
  return (
    <section className={styles.talk} aria-labelledby="while-you-talk" {...own}>
      <h2 id="while-you-talk">{talk.heading}</h2>
      <ul>
        {talk.parts.map(({ heading, text }, index) => {
          const Icon = talkIcons[index];
          return (
            <li key={heading}>
              {Icon && <Icon size={24} aria-hidden="true" />}
              <h3>{heading}</h3>
              <p>
                <FilledText text={text} />
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Help with an image that is online, and for people under 18. */
function Cards({ content: { removal, minor }, own }: PartProps): ReactNode {
  const t = useT();
  return (
    <div className={styles.two}>
      <section aria-labelledby="removal">
        <div {...own}>
          <h2 id="removal">{removal.heading}</h2>
          <p>
            <FilledText text={removal.text} />
          </p>
        </div>
        <p className={styles.links}>
          <Link to="/notice">{t("safety.removalAsk")}</Link>
          {pictureServices.map(([name, address]) => (
            <a key={name} href={address} rel="noopener noreferrer" lang="en">
              {name}
            </a>
          ))}
        </p>
      </section>
      <section aria-labelledby="minor">
        <div {...own}>
          <h2 id="minor">{minor.heading}</h2>
          <p>
            <FilledText text={minor.text} />
          </p>
        </div>
        <p className={styles.links}>
          <Link to="/communityRules#adults">{t("safety.minorMore")}</Link>
        </p>
      </section>
    </div>
  );
}

/** A `mailto:` link that starts a message; the body has CRLF line ends, as mail programs require. */
export function mailAddress(email: string, { subject, body = "" }: { subject: string; body?: string }): string {
  const text = body === "" ? "" : `&body=${encodeURIComponent(body.replaceAll(/\r?\n/g, "\r\n"))}`;
  return `mailto:${email}?subject=${encodeURIComponent(subject)}${text}`;
}
