import { ChevronDown, CircleOff, DoorOpen, Globe, Navigation, User, Video } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { countryBalanced, countryGlobal, type WishedSex } from "@fava/wire/beans.ts";
import { usePrices } from "#features/beans/prices.ts";
import { useMatchFilters } from "#features/match/match-filters.ts";
import { useCountries } from "#lib/countries.ts";
import { formatBeans, formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { RichText } from "#lib/rich-text.tsx";
import { useUser } from "#lib/session.ts";
import { probeServer, useReachability } from "#lib/socket/connection.ts";
import { touchOnlyQuery, useMediaQuery } from "#lib/use-media-query.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { DocumentLink } from "#ui/DocumentLink.tsx";
import { Flag } from "#ui/Flag.tsx";
import { Link } from "#ui/Link.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { connectionBarId } from "#ui/ConnectionBar.tsx";
import { Header } from "./Header.tsx";
// Imported here, because the prerendered page contains the drawings and needs their style at once.
import "#ui/Portrait.module.css";
import styles from "./Home.module.css";

/** The place of the drawn people before they are loaded, and if that fails. */
function EmptyStage(): ReactNode {
  return <section className={styles.stage} aria-hidden="true" />;
}

// The prerendered page contains the drawings, so the first script does not need them.
const DrawnStage = lazy(() =>
  import("./DrawnStage.tsx").then(
    (part) => ({ default: part.DrawnStage }),
    () => ({ default: EmptyStage }),
  ),
);
/** Always the same element: React would replace the prerendered drawings by another one before these are loaded. */
const stage = (
  <Suspense fallback={<EmptyStage />}>
    <DrawnStage />
  </Suspense>
);

interface HomeProps {
  onStart: () => void;
  onSex: (sex: WishedSex) => void;
  /** The three sign-in buttons of the providers. */
  socialButtons: ReactNode;
  /** The user's local video with its devices, instead of the drawn people. */
  preview: ReactNode;
  /** The expected duration of a search. */
  estimate: ReactNode;
  /** People to call or meet again, below Start. */
  people: ReactNode;
}

/** The home screen, for visitors and signed-in users (rule HOME-7). */
export function Home(props: HomeProps): ReactNode {
  const t = useT();
  const user = useUser();
  const isAway = useReachability() !== "fine";
  return (
    <div className={styles.page} data-signed-in={user !== null || undefined}>
      <Header />
      <main className={styles.main}>
        <section className={styles.copy}>
          <h1 className={styles.title}>{user ? t("home.ready", { name: isolate(user.nickname) }) : t("home.title")}</h1>
          <p className={styles.lead}>{t(user ? "home.readyLead" : "home.lead")}</p>
          <div className={styles.card}>
            <Filters onSex={props.onSex} />
            {user && <PriceLine estimate={props.estimate} />}
            <Button
              kind="go"
              size="large"
              block
              className={styles.start}
              data-act="start"
              icon={<Video size={22} fill="currentColor" aria-hidden="true" />}
              aria-disabled={isAway || undefined}
              aria-describedby={isAway ? connectionBarId : undefined}
              onClick={isAway ? () => void probeServer() : props.onStart}
            >
              {t("home.start")}
            </Button>
            {user ? props.people : <PriceLine />}
          </div>
          {!user && (
            <>
              <div className={styles.social}>
                <span>{t("home.signInWith")}</span>
                {props.socialButtons}
              </div>
              <p className={styles.consent}>
                <RichText
                  id="home.consent"
                  tags={{
                    terms: (text) => <DocumentLink href="/userAgreement">{text}</DocumentLink>,
                    privacy: (text) => <DocumentLink href="/privacyPolicy">{text}</DocumentLink>,
                  }}
                />
              </p>
            </>
          )}
        </section>
        {user ? props.preview : stage}
      </main>
      <footer className={styles.foot}>
        <span>
          <User size={18} aria-hidden="true" />
          {t("home.foot.adults")}
        </span>
        <span>
          <CircleOff size={18} aria-hidden="true" />
          {t("home.foot.recorded")}
        </span>
        <span>
          <DoorOpen size={18} className="flip" aria-hidden="true" />
          <LeaveWords />
        </span>
        <nav aria-label={t("home.foot.more")}>
          <Link to="/safety">{t("home.foot.safety")}</Link>
          <Link to="/aboutUs">{t("home.foot.about")}</Link>
        </nav>
      </footer>
    </div>
  );
}

/**
 * A component of its own, because on a phone it renders again after hydration, and must not render the whole screen
 * with it.
 */
function LeaveWords(): ReactNode {
  const t = useT();
  return t(useMediaQuery(touchOnlyQuery) ? "home.foot.leaveTap" : "home.foot.leave");
}

const sexes = { both: 0, women: 2, men: 1 } as const satisfies Record<string, WishedSex>;

/** Whom to meet and from where, each with its price per minute. */
function Filters({ onSex }: { onSex: (sex: WishedSex) => void }): ReactNode {
  const t = useT();
  const wish = useMatchFilters();
  const prices = usePrices();
  const chosen = wish.sex === 0 ? "both" : wish.sex === 2 ? "women" : "men";
  return (
    <>
      <Segmented
        legend={t("pref.meet")}
        value={chosen}
        options={[
          { value: "both", label: t("pref.both"), hint: t("price.free") },
          { value: "women", label: t("pref.women"), hint: <BeanPrice beans={prices.gender} /> },
          { value: "men", label: t("pref.men"), hint: <BeanPrice beans={prices.gender} /> },
        ]}
        onChange={(value: keyof typeof sexes) => onSex(sexes[value])}
      />
      <RegionButton country={wish.country} price={prices.country} />
    </>
  );
}

function RegionButton({ country, price }: { country: number; price: number }): ReactNode {
  const t = useT();
  const listed = useCountries().find((candidate) => candidate.id === country);
  const [label, hint] =
    country === countryBalanced
      ? [t("pref.balanced"), t("pref.balancedHint")]
      : country === countryGlobal
        ? [t("pref.global"), t("pref.globalHint")]
        : [listed?.languageText ?? t("pref.country"), t("pref.country")];
  return (
    <div className={styles.field}>
      <span className={styles.label} id="home-region">
        {t("pref.from")}
      </span>
      <button
        type="button"
        className={styles.region}
        aria-labelledby="home-region home-region-value"
        aria-haspopup="dialog"
        onClick={() => void openOverlay("preferences")}
      >
        {listed ? (
          <Flag src={listed.flag} widthPx={27} />
        ) : country === countryGlobal ? (
          <Globe size={20} aria-hidden="true" />
        ) : (
          <Navigation size={20} aria-hidden="true" />
        )}
        <span id="home-region-value">
          <b>{label}</b>
          <small>{hint}</small>
        </span>
        <small className={styles.added} data-free={country <= 0 || undefined}>
          {country > 0 ? <BeanPrice beans={price} /> : t("price.free")}
        </small>
        <ChevronDown size={20} aria-hidden="true" />
      </button>
    </div>
  );
}

function BeanPrice({ beans }: { beans: number }): ReactNode {
  return (
    <span className={styles.beans}>
      <Bean size={14} />
      {formatBeans(beans)}
    </span>
  );
}

/**
 * The price of the chosen filters per minute, in beans and in money, how long the balance lasts, and the expected
 * duration of the search.
 */
function PriceLine({ estimate }: { estimate?: ReactNode }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const price = prices.of(useMatchFilters());
  // Reserve the height of the most expensive wish, so that nothing above moves when a filter is chosen.
  const dearest = Math.max(prices.gender, prices.country, prices.both);
  return (
    <div className={styles.line}>
      {price === 0 ? (
        <div className={styles.free}>
          <p>{t("home.free")}</p>
          {estimate}
        </div>
      ) : (
        <Sum price={price}>{estimate}</Sum>
      )}
      {dearest > 0 && (
        <div className={styles.room} aria-hidden="true">
          <Sum price={dearest}>{estimate && <p>{"\u00a0"}</p>}</Sum>
        </div>
      )}
    </div>
  );
}

function Sum({ price, children }: { price: number; children: ReactNode }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const balance = useUser()?.credit5 ?? null;
  const minutes = balance === null ? null : Math.floor(balance / price);
  return (
    <div className={styles.sum}>
      <dl>
        <div>
          <dt>{t("price.perMinute")}</dt>
          <dd>
            <Bean size={18} />
            {formatBeans(price)}
            <small>{t("price.about", { money: prices.inMoney(price) })}</small>
          </dd>
        </div>
      </dl>
      <p data-short={minutes === 0 || undefined}>
        {minutes !== null && (
          <span>
            {`${minutes === 0 ? t("price.short") : t("price.lasts", { n: minutes, count: formatNumber(minutes) })} `}
          </span>
        )}
        <span>{t("price.searching")}</span>
      </p>
      {children}
    </div>
  );
}
