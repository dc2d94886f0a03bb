import { Gavel } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { adminOrderResolve } from "@fava/wire/endpoints/shop.ts";
import { reviewNoteLengthMax } from "@fava/wire/limits.ts";
import { formatMoment } from "#lib/format-date.ts";
import { formatBeans, formatMoney } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Field, TextArea } from "#ui/Field.tsx";
import { Link } from "#ui/Link.tsx";
import { Logo } from "#ui/Logo.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Authorities } from "./Authorities.tsx";
import { CspReports } from "./CspReports.tsx";
import { FiguresTab } from "./FiguresTab.tsx";
import { Hours } from "./Hours.tsx";
import { Jobs } from "./Jobs.tsx";
import { LiveTab } from "./LiveTab.tsx";
import { Packs } from "./Packs.tsx";
import { PriceForm } from "./PriceForm.tsx";
import { Setup } from "./Setup.tsx";
import { type OrderReview, type ShopInfo, useChange, useShopInfo } from "./admin-data.ts";
import styles from "./Admin.module.css";

const tabs = { site: "/admin", live: "/admin/live", figures: "/admin/figures" } as const;
const tabNames = { site: "admin.tab.site", live: "admin.tab.live", figures: "desk.tab.figures" } as const;
export type AdminTab = keyof typeof tabs;

/** `/admin` and the pages below it, for administrators: a page with tabs under the same bar as the desk. */
export function AdminPage({ tab }: { tab: AdminTab }): ReactNode {
  const t = useT();
  const user = useUser();
  useDocumentTitle(t("admin.title"));
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" className={styles.logo} aria-label={t("page.homeLink")}>
          <Logo />
        </Link>
        <nav className={styles.tabs} aria-label={t("admin.title")}>
          {(Object.keys(tabs) as AdminTab[]).map((one) => (
            <Link key={one} to={tabs[one]} aria-current={one === tab ? "page" : undefined}>
              {t(tabNames[one])}
            </Link>
          ))}
        </nav>
        <Link to="/reportReview" className={buttonClass({ size: "small", pill: true }, styles.desk)}>
          <Gavel size={18} aria-hidden="true" />
          <span>{t("menu.desk")}</span>
        </Link>
        {user && <Avatar src={user.avatar} name={user.nickname} sizePx={40} />}
      </header>
      <main className={styles.main}>
        <h1 className="visually-hidden">{t("admin.title")}</h1>
        {tab === "site" && <SiteTab />}
        {tab === "live" && <LiveTab />}
        {tab === "figures" && <FiguresTab />}
      </main>
    </div>
  );
}

/** Filter prices, packs, orders that wait for a decision, the change log, and the jobs of the servers. */
function SiteTab(): ReactNode {
  const info = useShopInfo();
  return (
    <div className={styles.site} aria-busy={info === undefined}>
      {info ? (
        <>
          <div>
            <Setup />
            <Reviews reviews={info.reviews} />
            {/* When another administrator changes the prices, the fields are reset to them. */}
            <PriceForm key={Object.values(info.prices).join(" ")} prices={info.prices} />
            <Packs packs={info.packs} />
            <Hours />
          </div>
          <div>
            <ChangeLog history={info.history} />
            <Authorities />
            <Jobs />
            <CspReports />
          </div>
        </>
      ) : (
        <Skeleton height="320px" />
      )}
    </div>
  );
}

const changes: Readonly<Record<ShopInfo["history"][number]["change"], Key>> = {
  prices: "admin.log.prices",
  pack_added: "admin.log.packAdded",
  pack_removed: "admin.log.packRemoved",
};

/** The change log, newest first. */
function ChangeLog({ history }: { history: ShopInfo["history"] }): ReactNode {
  const t = useT();
  return (
    <section className={styles.log}>
      <h2>{t("admin.log.title")}</h2>
      {history.length === 0 && <p>{t("admin.log.none")}</p>}
      <ol>
        {history.map(({ id, at, nickname, user_no: userNo, change, before, after }) => (
          <li key={id}>
            <time dateTime={new Date(at).toISOString()}>{formatMoment(new Date(at).toISOString())}</time>
            <span>
              {t(changes[change])}{" "}
              <bdi dir="ltr" translate="no">
                {[before, after].filter((text) => text !== null).join(" → ")}
              </bdi>
            </span>
            <bdi>
              {nickname} · {userNo}
            </bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}

const providers: Readonly<Record<string, string>> = {
  sandbox: "Sandbox",
  payermax: "PayerMax",
  coda: "Coda",
  stripe: "Stripe",
};

/** Codes that a server answers; all others mean that the provider's records contradict ours. */
const reviewReasons: Readonly<Record<string, Key>> = {
  amount_mismatch: "admin.review.why.amount",
  currency_mismatch: "admin.review.why.currency",
  transaction_used_elsewhere: "admin.review.why.elsewhere",
  second_transaction: "admin.review.why.twice",
  paid_after_refund: "admin.review.why.late",
  paid_after_close: "admin.review.why.late",
  credit_missing: "admin.review.why.missing",
};

/** Orders with a discrepancy: an administrator decides, with a note. */
function Reviews({ reviews }: { reviews: readonly OrderReview[] }): ReactNode {
  const t = useT();
  const [deciding, setDeciding] = useState<OrderReview | null>(null);
  return (
    <section className={styles.reviews}>
      <h2>{t("admin.review.title")}</h2>
      {reviews.length === 0 ? (
        <p className={styles.none}>{t("admin.review.none")}</p>
      ) : (
        <ul>
          {reviews.map((review) => (
            <li key={review.order_no}>
              <p>
                <b dir="ltr">{review.order_no}</b>
                <span>
                  {t("admin.review.order", {
                    count: formatBeans(review.beans),
                    money: formatMoney(review.price_minor, review.currency_code),
                    person: review.user_no,
                  })}
                </span>
                <span>{t(reviewReasons[review.reason] ?? "admin.review.why.records")}</span>
                <small>
                  <bdi translate="no">{providers[review.provider] ?? review.provider}</bdi>
                  {" · "}
                  {formatMoment(new Date(review.at).toISOString())}
                </small>
              </p>
              <Button kind="quiet" size="small" onClick={() => setDeciding(review)}>
                {t("admin.review.decide")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {deciding && <DecisionSheet review={deciding} onClose={() => setDeciding(null)} />}
    </section>
  );
}

function DecisionSheet({ review, onClose }: { review: OrderReview; onClose: () => void }): ReactNode {
  const t = useT();
  const id = useId();
  const [note, setNote] = useState("");
  const [isNoteMissing, setNoteMissing] = useState(false);
  const resolution = useChange(adminOrderResolve, "admin.review.refused", (failed) => {
    if (failed === null) onClose();
  });
  const problem = isNoteMissing ? t("admin.review.noteNeeded") : resolution.problem;
  function decide(decision: 1 | 2): void {
    const isMissing = note.trim() === "";
    setNoteMissing(isMissing);
    if (!isMissing) resolution.mutate({ order_no: review.order_no, decision, note: note.trim() });
  }
  return (
    <Sheet
      title={t("admin.review.decideTitle")}
      lead={<span dir="ltr">{review.order_no}</span>}
      onClose={onClose}
      foot={
        <>
          <Button kind="quiet" loading={resolution.isPending} onClick={() => decide(2)}>
            {t("admin.review.close")}
          </Button>
          <Button kind="ink" loading={resolution.isPending} onClick={() => decide(1)}>
            {t("admin.review.credit", { count: formatBeans(review.beans) })}
          </Button>
        </>
      }
    >
      <Field id={id} label={t("admin.review.note")}>
        <TextArea
          id={id}
          dir="auto"
          rows={3}
          maxLength={reviewNoteLengthMax}
          value={note}
          aria-invalid={problem !== null}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      <p role="alert" className={styles.decisionProblem}>
        {problem}
      </p>
    </Sheet>
  );
}
