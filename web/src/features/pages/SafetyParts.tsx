import {
  Ban,
  Camera,
  CircleDollarSign,
  EyeOff,
  HeartHandshake,
  type LucideIcon,
  Phone,
  ShieldCheck,
  UserRoundX,
} from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import type { SafetyContent } from "#lib/page-content.ts";
import { useSettings } from "#lib/settings.ts";
import { Link } from "#ui/Link.tsx";
import { FilledText } from "./FilledText.tsx";
import { mailAddress } from "./mail-address.ts";
import cardStyles from "./SafetyCards.module.css";
import styles from "./SafetyParts.module.css";

/** Language and direction of a text that is not in the reader's language. */
export type TextMark = { lang?: string; dir?: "ltr" | "rtl" };

interface PartProps {
  content: SafetyContent;
  own: TextMark;
}

const stepIcons = [CircleDollarSign, Ban, Camera, Phone] as const satisfies readonly LucideIcon[];
const talkIcons = [UserRoundX, EyeOff, ShieldCheck, HeartHandshake] as const satisfies readonly LucideIcon[];
/** Services that find and block intimate pictures elsewhere: for adults, and for who was under 18 on the picture. */
const pictureServices = [
  ["StopNCII.org", "https://stopncii.org/"],
  ["Take It Down", "https://takeitdown.ncmec.org/"],
] as const;

/** What to do against blackmail, in order. */
export function Steps({ content, own }: PartProps): ReactNode {
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
export function Talk({ content: { talk }, own }: PartProps): ReactNode {
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

/** A picture that is online, and people under 18. */
export function Cards({ content: { removal, minor }, own }: PartProps): ReactNode {
  const t = useT();
  const email = useSettings()?.contact.email;
  return (
    <div className={cardStyles.two}>
      <section aria-labelledby="removal">
        <div {...own}>
          <h2 id="removal">{removal.heading}</h2>
          <p>
            <FilledText text={removal.text} />
          </p>
        </div>
        <p className={cardStyles.links}>
          {email !== undefined && (
            <a href={mailAddress(email, { subject: t("safety.removalSubject") })}>{t("safety.removalAsk")}</a>
          )}
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
        <p className={cardStyles.links}>
          <Link to="/communityRules#adults">{t("safety.minorMore")}</Link>
        </p>
      </section>
    </div>
  );
}
