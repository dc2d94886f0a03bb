import { type ReactNode, useId, useState } from "react";
import { adminOrderResolve } from "@fava/wire/endpoints/shop.ts";
import { reviewNoteLengthMax } from "@fava/wire/limits.ts";
import { call } from "#lib/api/call.ts";
import { formatBeans, formatMoney } from "#lib/format.ts";
import { formatMoment } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { change, type OrderReview } from "./admin-data.ts";
import styles from "./Reviews.module.css";

/** Orders in which something does not fit: a person decides, with a note (rule BEANS-393). */
export function Reviews({ reviews }: { reviews: readonly OrderReview[] }): ReactNode {
  const t = useT();
  const [deciding, setDeciding] = useState<OrderReview | null>(null);
  return (
    <section className={styles.section}>
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
                <small>
                  <code dir="ltr">
                    {review.provider}: {review.reason}
                  </code>{" "}
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
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  async function decide(decision: 1 | 2): Promise<void> {
    if (note.trim() === "") return setProblem(t("admin.review.noteNeeded"));
    setWorking(true);
    const resolve = () => call(adminOrderResolve, { order_no: review.order_no, decision, note: note.trim() });
    const failed = await change(resolve, "admin.review.refused");
    setWorking(false);
    setProblem(failed);
    if (failed === null) onClose();
  }
  return (
    <Sheet
      title={t("admin.review.decideTitle")}
      lead={<span dir="ltr">{review.order_no}</span>}
      onClose={onClose}
      foot={
        <>
          <Button kind="quiet" loading={working} onClick={() => void decide(2)}>
            {t("admin.review.close")}
          </Button>
          <Button kind="ink" loading={working} onClick={() => void decide(1)}>
            {t("admin.review.credit", { count: formatBeans(review.beans) })}
          </Button>
        </>
      }
    >
      <label className={styles.label} htmlFor={id}>
        {t("admin.review.note")}
      </label>
      <textarea
        id={id}
        className={styles.note}
        dir="auto"
        rows={3}
        maxLength={reviewNoteLengthMax}
        value={note}
        aria-invalid={problem !== null}
        onChange={(event) => setNote(event.target.value)}
      />
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    </Sheet>
  );
}
